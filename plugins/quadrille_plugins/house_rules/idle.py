"""Rules that cannot act, since another rule of the same set leaves them no occasion."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from quadrille_core import vocabulary
from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import Compiled
from quadrille_plugins.settle.fund import FUND_LEAVES
from quadrille_plugins.shell.fact_words import resting_on


@dataclass(frozen=True, slots=True)
class _Off:
    """While rules have these values, every rule under the patterns is idle, those that say so
    apart."""

    when: Mapping[str, Any]
    idle: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class _NoBid:
    """While no bid that is played has one of these values, every rule under the patterns is idle.

    Of rules that are kept for each bid, it is enough that the bid itself has none of them.
    """

    has: Mapping[str, tuple[Any, ...]]
    """Rules of a bid, each with the values of which one is wanted."""
    idle: tuple[str, ...]
    why: str


_TABLES: Final = ("payments", "payments.in_favourite")
_PAID_TO_NOBODY: Final = (
    "loss.allies_pay",
    "loss.beast_first",
    "loss.beast_size",
    "loss.beasts",
    "loss.codille_adds",
    "loss.codille_base",
    "loss.codille_indivisible",
    "loss.codille_pool",
    "loss.codille_shared_from",
    "loss.remise_adds",
    "multiplier.loss_adds",
    "payments.adversaries_matadors",
    "payments.allies_paid",
    "payments.odd_half",
    "payments.pool_to",
    "stakes.odd_counters",
    "vole.undertaken_failed_paid",
    "vole.undertaken_failed_takers",
    "loss.codille_draws",
    "loss.devole",
    "exchange.giver_pays_premium",
    "exchange.giver_receives_premium",
    "bids.*.draws",
    "bids.*.pool_penalty",
    *(f"{table}.{leaf}" for table in _TABLES for leaf in ("king", *FUND_LEAVES)),
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
_ANNOUNCED: Final = (
    "vole_premium.announced",
    "vole_premium.revealed",
    "vole_stake.announced",
    "vole_stake.revealed",
)
_UNDERTAKEN: Final = ("vole_premium.undertaken", "vole_stake.undertaken")
_SAYS_VOLE: Final = {
    "vole_with_bid": ("announced", "announced_or_revealed"),
    "is_vole": (True,),
    "vole_before_lead": (True,),
}
"""What of a bid lets its vole be announced."""
_ANY_VOLE: Final = ("vole_lost", "fund_vole", "fund_vole_stakes")
"""What a vole pays however it was begun."""
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
    _NoBid(
        {"exchange": (True,)},
        ("exchange", *(f"{table}.king" for table in _TABLES)),
        "no bid that is played exchanges cards",
    ),
    _NoBid(
        _SAYS_VOLE,
        (
            "auction.announced_vole_rank",
            "vole.announced_failed",
            "vole.announced_below_game",
            "vole.announced_lost_pays",
            *(f"{table}.{row}" for table in _TABLES for row in _ANNOUNCED),
        ),
        "the vole is never announced with a bid that is played",
    ),
    _NoBid(
        {"may_undertake_vole": (True,)},
        tuple(f"{table}.{row}" for table in _TABLES for row in _UNDERTAKEN),
        "the vole is never undertaken in a bid that is played",
    ),
    _NoBid(
        _SAYS_VOLE | {"may_undertake_vole": (True,)},
        tuple(f"{table}.{row}" for table in _TABLES for row in _ANY_VOLE),
        "the vole is played for in no bid that is played",
    ),
    _NoBid(
        {"matadors": ("all", "double_only", "favourite_or_vole")},
        ("payments.matadors_cumulative",),
        "matadors are paid in no bid that is played",
    ),
    _NoBid(
        {"premiers": (True,)},
        tuple(f"{table}.premiers" for table in _TABLES),
        "premiers are paid in no bid that is played",
    ),
)


def idle(compiled: Compiled) -> Mapping[str, str]:
    """The rules that cannot act, of those stated, by path, each with the rule that stops it."""
    if compiled.kind != TRICKS:
        return {}
    values = {path: vocabulary.to_plain(origin.value) for path, origin in compiled.origins.items()}
    found: dict[str, str] = {}
    below = _below(p for p, o in compiled.origins.items() if o.link.setter != "vocabulary")
    for pattern, but, why in _idle_patterns(values):
        for path in below.get(pattern, ()):
            if path != but:
                found.setdefault(path, why)
    return found


def _below(paths: Iterable[str]) -> Mapping[str, list[str]]:
    """Paths by themselves, their patterns and the blocks above."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for at in {
            *accumulate(path.split("."), "{}.{}".format),
            vocabulary.pattern_of(path) or path,
        }:
            found.setdefault(at, []).append(path)
    return found


def _idle_patterns(values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is idle, the path that is not although it matches, and why."""
    for off in _OFF:
        if all(values.get(path) == value for path, value in off.when.items()):
            why = f"{off.why} ({', '.join(f'{path}: {value}' for path, value in off.when.items())})"
            for pattern in off.idle:
                yield pattern, next(iter(off.when)), why
    yield from _without_bids(values)
    yield from _missed_voles(values)
    for path, made in values.items():
        if path.startswith("bids.") and path.endswith(".made"):
            yield from _in_its_bid(path, values)
            yield from _of_bid_not_made(path, made, values)


def _in_its_bid(path: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What other rules of the same bid leave without occasion."""
    bid = path.split(".")[1]
    for off in _OF_A_BID:
        when = {f"bids.{bid}.{leaf}": value for leaf, value in off.when.items()}
        if all(values.get(leaf) == value for leaf, value in when.items()):
            said = ", ".join(f"{leaf}: {str(value).lower()}" for leaf, value in when.items())
            for leaf in off.idle:
                yield f"bids.{bid}.{leaf}", "", f"{off.why} ({said})"


def _of_bid_not_made(
    path: str, made: Any, values: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """The rules and payments of a bid that is never made."""
    bid = path.split(".")[1]
    if made == "when_all_pass" and values.get("auction.all_pass") == "redeal":
        why = "when all have passed the cards are dealt again (auction.all_pass: redeal)"
    elif made == "never":
        why = f"it is not played here ({path}: never)"
    else:
        return
    yield f"bids.{bid}", path, why
    for pattern in values:
        if pattern.startswith("payments.") and pattern.rpartition(".")[2] == bid:
            yield pattern, "", why
    for one in (p for p in values if p.endswith(".forced_bids")):
        for record in values[one]:
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
    for path in values:
        table, _, bid = path.rpartition(".")
        if table not in [f"{one}.vole_lost" for one in _TABLES]:
            continue
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
    below = _below(values)
    fallen = values.get("auction.all_pass") == "redeal"
    unplayed = ("never", "when_all_pass") if fallen else ("never",)
    made = [path for path in below.get("bids.*.made", ()) if values[path] not in unplayed]
    played = [path.split(".")[1] for path in made]
    for no in _NO_BID:
        having = [
            b
            for b in played
            if any(values.get(f"bids.{b}.{leaf}") in wanted for leaf, wanted in no.has.items())
        ]
        leaves = ", ".join(f"bids.*.{leaf}" for leaf in no.has)
        for block in no.idle:
            for path in below.get(block, ()):
                bid = path.rpartition(".")[2]
                if not having or (bid in played and bid not in having):
                    yield path, "", f"{no.why}{': not with this one' if having else ''} ({leaves})"
