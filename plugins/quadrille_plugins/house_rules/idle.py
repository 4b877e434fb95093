"""Rules that cannot act, since another rule of the same set leaves them no occasion."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from quadrille_core import vocabulary
from quadrille_core.frozen import frozen
from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import Compiled
from quadrille_plugins.settle.fund import FUND_LEAVES
from quadrille_plugins.shell.fact_words import resting_on


@frozen
class _Off:
    """While rules have these values, every rule under the patterns is idle, those that say so
    apart."""

    when: Mapping[str, Any]
    idle: tuple[str, ...]
    why: str


_PAID_TO_NOBODY: Final = (
    "loss.allies_pay",
    "loss.beast_first",
    "loss.beast_size",
    "loss.beasts",
    "loss.codille_adds",
    "loss.codille_base",
    "loss.codille_draws",
    "loss.codille_indivisible",
    "loss.codille_pool",
    "loss.codille_shared_from",
    "loss.devole",
    "loss.remise_adds",
    "multiplier.loss_adds",
    "payments.adversaries_matadors",
    "payments.allies_paid",
    "payments.odd_half",
    "payments.pool_to",
    "stakes.odd_counters",
    "vole.undertaken_failed_paid",
    "vole.undertaken_failed_takers",
    "exchange.giver_pays_premium",
    "exchange.giver_receives_premium",
    "bids.*.draws",
    "bids.*.pool_penalty",
    "payments.king",
    *(f"payments.{leaf}" for leaf in FUND_LEAVES),
)
_ONCE: Final = {"multiplier.after_losses": "none"}
_OFF: Final = (
    _Off(
        {"favourite.source": "none"},
        ("favourite", "payments.in_favourite"),
        "there is no favourite suit",
    ),
    _Off(_ONCE, ("multiplier.loss_adds",), "no lost game makes a later one count more"),
    _Off(
        _ONCE | {"favourite.source": "none"}, ("multiplier.stake",), "no game counts more than once"
    ),
    _Off(
        _ONCE | {"favourite.doubles": "bonuses"},
        ("multiplier.stake",),
        "no game counts more than once",
    ),
    _Off(
        {"loss.codille_pool": "stays"},
        ("loss.codille_draws", "loss.codille_indivisible", "loss.codille_shared_from"),
        "the adversaries take nothing of the pool",
    ),
    _Off(
        {"loss.codille_pool": "losers_pay"},
        ("loss.codille_indivisible", "loss.codille_shared_from"),
        "the adversaries take nothing of the pool",
    ),
    _Off({"score.kept": "counters"}, ("score",), "counters are paid, and no points are written"),
    _Off({"score.kept": "points"}, _PAID_TO_NOBODY, "points are written, and there is no pool"),
)
_SAYS_VOLE: Final = {
    "vole_with_bid": ("announced", "announced_or_revealed"),
    "is_vole": (True,),
    "vole_before_lead": (True,),
}
"""What of a bid lets its vole be announced."""
_REDEALT: Final = "when all have passed the cards are dealt again (auction.all_pass: redeal)"
_ITEMS: Final = ("loss.remise_pays", "loss.codille_pays", "vole.undertaken_failed_keeps")
"""Lists of what is paid, each by the name of its prices; ``vole`` for the premium of the vole."""
_OF_A_BID: Final = (
    _Off({"is_vole": True}, ("goal", "may_undertake_vole"), "the bid announces the vole"),
    _Off({"exchange": True}, ("call.own_card",), "the card must come from another's hand"),
    _Off({"exchange": False}, ("cards_asked",), "no card is exchanged"),
    _Off({"goal": "none"}, ("may_undertake_vole", "premiers"), "no trick is to be made"),
    _Off({"loss_borne": "hombre"}, ("hombre_least_tricks",), "the loss does not depend on it"),
    _Off({"loss_borne": "shared"}, ("hombre_least_tricks",), "the loss does not depend on it"),
)
"""What rules of a bid leave other rules of the same bid without occasion."""
_NO_BID: Final = (
    _Off(
        {"exchange": (True,)},
        ("exchange", "payments.king"),
        "no bid that is played exchanges cards",
    ),
    _Off(
        _SAYS_VOLE,
        (
            "auction.announced_vole_rank",
            "vole.announced_failed",
            "vole.announced_below_game",
            "vole.announced_lost_pays",
            "payments.vole_premium.announced",
            "payments.vole_premium.revealed",
            "payments.vole_stake.announced",
            "payments.vole_stake.revealed",
        ),
        "the vole is never announced with a bid that is played",
    ),
    _Off(
        {"may_undertake_vole": (True,)},
        ("payments.vole_premium.undertaken", "payments.vole_stake.undertaken"),
        "the vole is never undertaken in a bid that is played",
    ),
    _Off(
        _SAYS_VOLE | {"may_undertake_vole": (True,)},
        ("payments.vole_lost", "payments.fund_vole", "payments.fund_vole_stakes"),
        "the vole is played for in no bid that is played",
    ),
    _Off(
        {"matadors": ("all", "double_only", "favourite_or_vole")},
        ("payments.matadors_cumulative",),
        "matadors are paid in no bid that is played",
    ),
    _Off(
        {"premiers": (True,)},
        ("payments.premiers",),
        "premiers are paid in no bid that is played",
    ),
)


def idle(compiled: Compiled) -> Mapping[str, str]:
    """The rules that cannot act, by path, each with the rule that stops it; those nobody stated are
    left out."""
    if compiled.kind != TRICKS:
        return {}
    values = {path: vocabulary.to_plain(origin.value) for path, origin in compiled.origins.items()}
    stated = {p for p, origin in compiled.origins.items() if origin.link.setter != "vocabulary"}
    return {path: why for path, why in idle_among(values).items() if path in stated}


def idle_among(values: Mapping[str, Any]) -> dict[str, str]:
    """The same of plain values by path, whoever stated them."""
    found: dict[str, str] = {}
    paths = tuple(values)
    for pattern, but, why in _idle_patterns(values):
        for path in _under(pattern, paths):
            if path != but:
                found.setdefault(path, why)
    return found


def idle_value(path: str, value: object, values: Mapping[str, Any]) -> str:
    """Why a value of a rule, or one item of its list, cannot act under the others; empty where it
    can."""
    if value == "when_all_pass" and values.get("auction.all_pass") == "redeal":
        return _REDEALT
    if path not in _ITEMS:
        return ""
    stopped, item = idle_among(values), "vole_premium" if value == "vole" else value
    prices = _under(f"payments.{item}", tuple(values))
    paid = any(values[p] and p not in stopped for p in prices)
    return "" if paid else "nothing is paid for it"


def _under(pattern: str, paths: tuple[str, ...]) -> list[str]:
    """The paths under a pattern; what is paid stands in the table of the favourite suit too."""
    below = _below(paths)
    both = dict.fromkeys((pattern, pattern.replace("payments.", "payments.in_favourite.", 1)))
    return [path for one in both for path in below.get(one, ())]


@lru_cache(32)
def _below(paths: tuple[str, ...]) -> Mapping[str, list[str]]:
    """The paths by themselves, by their patterns and by the blocks above."""
    found: dict[str, list[str]] = {}
    for path in paths:
        blocks = accumulate(path.split("."), "{}.{}".format)
        for at in {*blocks, vocabulary.pattern_of(path) or path}:
            found.setdefault(at, []).append(path)
    return found


def _idle_patterns(values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is idle, the path that is not although it matches, and why."""
    for off in _OFF:
        yield from _stopped(off, values)
    yield from _without_bids(values)
    yield from _missed_voles(values)
    for path, made in values.items():
        if path.startswith("bids.") and path.endswith(".made"):
            for off in _OF_A_BID:
                yield from _stopped(off, values, path.removesuffix("made"))
            yield from _of_bid_not_made(path, made, values)


def _stopped(off: _Off, values: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, str, str]]:
    """What is idle while rules have some values; ``at`` stands before the paths of a bid."""
    when = {at + path: value for path, value in off.when.items()}
    if all(values.get(path) == value for path, value in when.items()):
        said = ", ".join(f"{path}: {str(value).lower()}" for path, value in when.items())
        for pattern in off.idle:
            yield at + pattern, next(iter(when)), f"{off.why} ({said})"


def _of_bid_not_made(
    path: str, made: Any, values: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """The rules and payments of a bid that is never made."""
    bid = path.split(".")[1]
    if made == "when_all_pass" and values.get("auction.all_pass") == "redeal":
        why = _REDEALT
    elif made == "never":
        why = f"it is not played here ({path}: never)"
    else:
        return
    yield f"bids.{bid}", path, why
    for pattern in values:
        if pattern.startswith("payments.") and pattern.rpartition(".")[2] == bid:
            yield pattern, "", why
    lists = [p for p in values if p.endswith(".forced_bids")]
    for one, record in ((p, r) for p in lists for r in values[p]):
        rule = record["rule"]
        if record["bid"] == bid and all(p == one for p, _ in resting_on(rule, values)):
            yield rule, "", why


def _missed_voles(values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The prices of voles missed that no rule makes due, bid by bid.

    Where the tricks for which a vole may be undertaken win the game, it is lost with no game.
    """
    with_game = any(
        "vole" in (values.get(f"loss.{end}_pays") or ()) for end in ("remise", "codille")
    )
    own = {
        level: values.get(f"vole.{level}_failed_premium") is True
        for level in ("undertaken", "announced")
    }
    for path in _under("payments.vole_lost", tuple(values)):
        bid = path.rpartition(".")[2]
        late = (values.get(f"bids.{bid}.tricks") or 0) > (values.get("premiers.tricks") or 0)
        due = own["undertaken"] or (with_game and late)
        undertaken = due and values.get(f"bids.{bid}.may_undertake_vole") is True
        said = any(
            values.get(f"bids.{bid}.{leaf}") in wanted for leaf, wanted in _SAYS_VOLE.items()
        )
        if not undertaken and not (said and (own["announced"] or with_game)):
            leaves = "vole.*_failed_premium, loss.remise_pays, loss.codille_pays"
            yield path, "", f"a vole that is missed in this bid pays nothing ({leaves})"


def _without_bids(values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is idle since no bid, or not the bid that it is kept for, has what it is about."""
    unmade = ("never", "when_all_pass" if values.get("auction.all_pass") == "redeal" else "")
    made = (path for path in _under("bids.*.made", tuple(values)) if values[path] not in unmade)
    played = [path.split(".")[1] for path in made]
    for no in _NO_BID:
        having = [
            b
            for b in played
            if any(values.get(f"bids.{b}.{leaf}") in wanted for leaf, wanted in no.when.items())
        ]
        leaves = ", ".join(f"bids.*.{leaf}" for leaf in no.when)
        but = ": not with this one" if having else ""
        for path in (path for pattern in no.idle for path in _under(pattern, tuple(values))):
            bid = path.rpartition(".")[2]
            if not having or (bid in played and bid not in having):
                yield path, "", f"{no.why}{but} ({leaves})"
