"""The vole announced or revealed: undertaken in the auction, with a pool of its own set up at
once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.hookspecs import (
    About,
    Constraint,
    Default,
    Override,
    Parameter,
    Patch,
    hookimpl,
)
from quadrille_plugins.mechanics._rows import NONE_BESIDES, bids_with, has_favourite, row
from quadrille_plugins.mechanics._sources import OLDER, PARLETT, VARIATIONS

_AT = "Médiateur, bid 8"
_LOST = f"{VARIATIONS}: Vole announced"
_FROZEN = "Penalties for a lost vole"
_GROWN = {"announced": Fraction(3, 2), "revealed": Fraction(2)}


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Vole announced and revealed",
        summary="A bid played alone may be made with the vole announced, or with the hand "
        "exposed as well; where the rules let it be announced until the first lead, so may any "
        "game in which the vole may be undertaken.",
        parameters={
            "failed": Parameter(
                doc="What a vole missed with the game made does to the game: as the rules have "
                "it, the stake is frozen, or the whole game is lost.",
                default="as_ruled",
                choices=("as_ruled", "stake_frozen", "game_lost"),
            ),
            "revealed": Parameter(
                doc="Whether the vole may also be played with the hand exposed: as ruled, where "
                "the rules name a price for it.",
                default="as_ruled",
                choices=("as_ruled", True, False),
            ),
        },
        late=True,
    )


def _alone(rules: Mapping[str, Any]) -> Iterator[str]:
    """The bids made in turn for a number of tricks and played without an ally."""
    for bid in bids_with(rules, "goal", "at_least"):
        made, partner = (
            rules.get(f"bids.{bid}.made", "in_turn"),
            rules.get(f"bids.{bid}.partner", "none"),
        )
        if partner == "none" and made == "in_turn" and not rules.get(f"bids.{bid}.is_vole", False):
            yield bid


def _later(rules: Mapping[str, Any]) -> Iterator[str]:
    """The bids at which Hombre may announce the vole after the auction: those at which it may be
    undertaken."""
    if rules.get("vole.announced_until", "auction") != "first_lead":
        return
    for bid in bids_with(rules, "goal", "at_least"):
        made, may = (
            rules.get(f"bids.{bid}.made", "in_turn"),
            rules.get(f"bids.{bid}.may_undertake_vole", True),
        )
        if made != "never" and may and not rules.get(f"bids.{bid}.is_vole", False):
            yield bid


@hookimpl
def quadrille_bids(rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> Sequence[Override]:
    """Let every bid that is played alone be made with the vole."""
    exposed = _revealed(rules, parameters)
    how = "announced_or_revealed" if exposed else "announced"
    return [
        *_failed(parameters["failed"]),
        *_no_second_vole(rules),
        *(
            Default(
                path=f"bids.{bid}.vole_with_bid",
                value=how,
                reason="the bids without a partner may be made with the vole",
                source=PARLETT,
                at=_AT,
                also=None if exposed else (OLDER, _LOST),  # which knows nothing of a hand exposed
            )
            for bid in _alone(rules)
        ),
        *(
            Default(
                path=f"bids.{bid}.vole_before_lead",
                value=True,
                reason="Hombre may declare before the first trick that he means to win all ten, "
                "whatever he bid",
                source=OLDER,
                at=_LOST,
            )
            for bid in _later(rules)
        ),
    ]


def _revealed(rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> bool:
    """Whether the hand may be exposed: by the plugin's parameter, or if the payment tables price
    it."""
    if parameters["revealed"] != "as_ruled":
        return bool(parameters["revealed"])
    return any(path.startswith("payments.") and ".revealed." in path for path in rules)


def _no_second_vole(rules: Mapping[str, Any]) -> Iterator[Override]:
    for bid in bids_with(rules, "is_vole", True):
        yield Constraint(
            when={f"bids.{bid}.is_vole": True, f"bids.{bid}.made": "in_turn"},
            excludes={"bids.*.vole_with_bid": ("announced", "announced_or_revealed")},
            reason="the vole is a bid of its own here, and announced with another it would have "
            "two prices",
            source=PARLETT,
        )


def _failed(failed: str) -> Iterator[Override]:
    """What a missed announced vole costs: the plugin's parameter overrides the rules."""
    if failed == "stake_frozen":
        reason = "with the game's tricks made the stake is left standing"
        yield Patch(
            path="vole.announced_failed", value=failed, reason=reason, source=PARLETT, at=_FROZEN
        )
        reason = "below the game's tricks Hombre pays a remise"
        yield Patch(
            path="vole.announced_below_game",
            value="remise",
            reason=reason,
            source=PARLETT,
            at=_FROZEN,
        )
    elif failed == "game_lost":
        reason = "the whole game is lost"
        yield Patch(
            path="vole.announced_failed", value=failed, reason=reason, source=OLDER, at=_LOST
        )
        yield Patch(
            path="vole.announced_below_game",
            value="by_tricks",
            reason="the whole game is lost, as any game is by the tricks made",
            source=OLDER,
            at=_LOST,
            status="inferred",
        )


@hookimpl
def quadrille_payments(
    rules: Mapping[str, Any], parameters: Mapping[str, Any]
) -> Sequence[Override]:
    """Fill the stakes where no table gives them: three times the game announced, twice that
    revealed.

    Where a game has no premium to multiply, what the vole undertaken earns grows by half announced,
    and is doubled revealed, as between the rows of the table.
    """
    answer: list[Override] = []
    tables = ["", "in_favourite."] if has_favourite(rules) else [""]
    levels = {"announced": 3, "revealed": 6} if _revealed(rules, parameters) else {"announced": 3}
    late = [bid for bid in _later(rules) if bid not in set(_alone(rules))]
    for bid in late:
        for table in tables:
            if f"payments.{table}premium.{bid}" in rules:
                answer += _from_undertaken(rules, bid, table, ("announced",))
    for bid in _alone(rules):
        for table in tables:
            premium = rules.get(f"payments.{table}premium.{bid}")
            if premium is None:
                continue
            if not vocabulary.parse_amount(premium):
                answer += _from_undertaken(rules, bid, table, levels)
                continue
            for level, times in levels.items():
                stake = vocabulary.plain_amount(times * Fraction(vocabulary.parse_amount(premium)))
                answer += [
                    row(
                        f"{table}vole_stake.{level}.{bid}",
                        stake,
                        "three times the game, doubled when revealed",
                        at=_AT,
                    ),
                    row(f"{table}vole_premium.{level}.{bid}", 0, NONE_BESIDES, status="inferred"),
                ]
    return answer


def _from_undertaken(
    rules: Mapping[str, Any], bid: str, table: str, levels: Iterable[str]
) -> Iterator[Override]:
    for level in levels:
        for rows in ("vole_stake", "vole_premium"):
            undertaken = vocabulary.parse_amount(
                rules.get(f"payments.{table}{rows}.undertaken.{bid}", 0)
            )
            worth = vocabulary.plain_amount(undertaken * _GROWN[level])
            reason = (
                "announced, it is said to increase in value and not by how much; filled by "
                "half, revealed by as much"
            )
            yield row(
                f"{table}{rows}.{level}.{bid}",
                worth,
                reason,
                source=OLDER,
                at=_LOST,
                status="silent",
            )
    if rules.get("vole.undertaken_failed_premium"):
        yield Default(
            path="vole.announced_failed_premium",
            value=True,
            reason="the vole undertaken and lost costs what it would have earned",
            source=OLDER,
            at="Settlements if contract is won",
            status="inferred",
        )
