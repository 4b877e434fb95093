"""The point score: what a game is worth is written to the score of those who won or lost it, and
nothing is paid."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quadrille_core.hookspecs import (
    About,
    Constraint,
    Default,
    Override,
    Parameter,
    Patch,
    hookimpl,
)
from quadrille_plugins.mechanics._sources import OLDER, VARIATIONS

_AT = f"{VARIATIONS}: Point-score"
_NO_POOL = "in points nobody stakes anything, so that there is no pool"


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Point score",
        summary="Points instead of counters: a win to Hombre and the ally each, a loss to "
        "Hombre's score alone unless the game was forced; matadors do not count.",
        parameters={
            "game": Parameter(
                doc="What a game won is worth, in units; a remise costs as much, a codille twice "
                "that: as the rules have it, or else four.",
                default="as_ruled",
                choices=("as_ruled", 1, 2, 3, 4, 6, 8, 10, 12),
                filled=4,
            )
        },
        late=True,
    )


def _bids(rules: Mapping[str, Any]) -> Iterator[str]:
    for path in rules:
        if path.startswith("bids.") and path.endswith(".title"):
            yield path.split(".")[1]


@hookimpl
def quadrille_bids(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Leave matadors out, and lay a loss on the ally in a forced game, or one they chose to play,
    alone."""
    answer = [
        _patch("table.purse", 0, "a score begins at nothing", "inferred"),
        _patch("table.coins", (), "there are no counters to tell a score in", "inferred"),
        _patch("table.purse_empty", "debt", "a score may be less than nothing", "inferred"),
    ]
    for bid in _bids(rules):
        answer.append(_patch(f"bids.{bid}.matadors", "none", "a score counts no matadors"))
        if rules.get(f"bids.{bid}.partner") != "called":
            continue
        if rules.get(f"bids.{bid}.made", "in_turn") == "when_all_pass":
            reason = "whoever is called in a forced game loses the same points"
            answer.append(_patch(f"bids.{bid}.loss_borne", "shared", reason))
        elif rules.get(f"bids.{bid}.ally_known", "when_played") == "when_played":
            reason = "a losing score is deducted from the ally's in a forced game only"
            answer.append(_patch(f"bids.{bid}.loss_borne", "hombre", reason))
            answer.append(_patch(f"bids.{bid}.hombre_least_tricks", 0, reason))
    return answer


@hookimpl
def quadrille_payments(
    rules: Mapping[str, Any], parameters: Mapping[str, Any]
) -> Sequence[Override]:
    """Write points: what a game is worth is not said, and is taken from what it pays."""
    told = parameters["game"]
    put, game = (Default, 4) if told == "as_ruled" else (Patch, told)
    filled = (
        "as in the pay-off a game wins the basic stake of four units"
        if told == "as_ruled"
        else "as was agreed here"
    )
    undefined = f"which score is appropriate is not said; {filled}"
    one_unit = "a unit is a point, the stake of which it was a share being gone"
    return (
        _patch("score.kept", "points", "scores are credited and deducted"),
        *(
            put(path=path, value=worth, reason=reason, source=OLDER, at=_AT, status="silent")
            for path, worth, reason in (
                ("score.won", game, undefined),
                ("score.remise", game, f"{undefined}, a remise pays it once"),
                ("score.codille", 2 * game, f"{undefined}, a codille pays it twice"),
            )
        ),
        _patch("stakes.ante", 0, _NO_POOL, "inferred"),
        _patch("stakes.unit_of", "constant", one_unit, "silent"),
        _patch("stakes.unit", 1, one_unit, "silent"),
        *_missed_vole(rules),
        *_nobody_paid(rules),
        Constraint(
            when={"score.kept": "points", "multiplier.after_losses": "counted"},
            excludes={"multiplier.loss_adds": "instead"},
            reason=f"{_NO_POOL}: nothing can stand instead of what a loss adds to it",
            source=OLDER,
        ),
    )


def _missed_vole(rules: Mapping[str, Any]) -> Iterator[Override]:
    """Where the vole is announced and missed no stake can be left standing: the whole game is
    lost."""
    announced = {
        path: rules[path]
        for path in rules
        if path.startswith("bids.")
        and (
            (path.endswith(".vole_with_bid") and rules[path] != "none")
            or (path.endswith(".is_vole") and rules[path] is True)
        )
    }
    if not announced:
        return
    if rules.get("vole.announced_failed", "stake_frozen") == "stake_frozen":
        at = f"{VARIATIONS}: Vole announced"
        reason = (
            f"{_NO_POOL} to leave standing; the whole game is lost, as any game is by the "
            "tricks made"
        )
        for path, value in (
            ("vole.announced_failed", "game_lost"),
            ("vole.announced_below_game", "by_tricks"),
        ):
            yield Patch(
                path=path, value=value, reason=reason, source=OLDER, at=at, status="inferred"
            )
    for path, value in announced.items():
        yield Constraint(
            when={"score.kept": "points", path: value},
            excludes={"vole.announced_failed": "stake_frozen"},
            reason=f"{_NO_POOL} to leave standing, and a vole missed would cost less than a game",
            source=OLDER,
        )


def _nobody_paid(rules: Mapping[str, Any]) -> Iterator[Patch]:
    """Set to nothing what a fund gives and what a king costs, where the rules have it."""
    for path in (
        rules
    ):  # only what may be such a row is read: whatever is read counts as what the answer depends on
        table, _, row = path.removeprefix("payments.").removeprefix("in_favourite.").partition(".")
        of_fund = path.startswith("payments.") and (
            table.startswith("fund_") or (table, row) == ("king", "")
        )
        if of_fund and rules[path]:
            yield _patch(path, 0, "in points nobody pays anybody, and there is no fund", "inferred")


def _patch(path: str, value: Any, reason: str, status: str = "attested") -> Patch:
    return Patch(path=path, value=value, reason=reason, source=OLDER, at=_AT, status=status)
