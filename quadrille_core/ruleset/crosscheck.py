"""Faults that only the complete rules show: what is missing, what contradicts what."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from quadrille_core import vocabulary
from quadrille_core.cards import PACK_SIZE, SUITS
from quadrille_core.errors import Hint, Place, Problem, Set, did_you_mean
from quadrille_core.hookspecs import DOMAINS, AtLeast, Constraint
from quadrille_core.plugin_rules import (
    ForcedBid,
    Redirect,
    TrumpsOnly,
    clashes,
    plugin_rules_of,
)
from quadrille_core.profile.yaml_strict import load_file
from quadrille_core.ruleset.forced import in_force
from quadrille_core.ruleset.merge import Merge
from quadrille_core.ruleset.plugging import Demand
from quadrille_core.slips import origin

FAVOURITE: Final = "payments.in_favourite."


def missing(merge: Merge, place: Place | None) -> Iterator[Problem]:
    """Leaves without a value and without a neutral one, in blocks and bids that exist."""
    bids = merge.bids()
    leaves = vocabulary.leaves(merge.kind)
    if not bids and any("*" in pattern for pattern in leaves):
        yield Problem("Q601", "no-bid", place=place)
    table = [p for p in merge.chains if p.startswith(FAVOURITE)]
    stated = [b for b in bids if f"bids.{b}.title" in merge.chains]
    for bid in [b for b in bids if b not in stated]:
        if (hint := did_you_mean(bid, stated)) is not None and hint.words:
            path = next(p for p in merge.chains if p.startswith(f"bids.{bid}."))
            there = _near(merge, path) or place
            yield _no_bid(merge, "no-such-bid", path, bid, hint, there)
            bids = [b for b in bids if b != bid]
    for pattern, leaf in leaves.items():
        if leaf.has_default or (leaf.optional_block and not table):
            continue
        if "*" in pattern and not pattern.startswith("bids."):
            continue
        for path in [pattern.replace("*", b) for b in bids] if "*" in pattern else [pattern]:
            if path not in merge.chains and path.startswith(FAVOURITE):
                there = merge.last_set(*table)
                yield _valueless(path, there, leaf.doc, "no-value-in-favourite")
            elif path not in merge.chains:
                yield _valueless(path, _near(merge, path) or place, leaf.doc)


def _no_bid(
    merge: Merge, variant: str, path: str, bid: str, hint: Hint | None, place: Place | None
) -> Problem:
    """That a rule is of a bid that there is not, and which plugin has said it."""
    link, data = merge.chains[path][-1], {"path": path, "bid": bid}
    if link.setter == "plugin":
        hook = next(h for h, blocks in DOMAINS.items() if path.partition(".")[0] in blocks)
        data |= {"plugin": link.name, "hook": hook, "field": "path"}
        variant = "plugin-names-no-bid"
    return Problem("Q604", variant, data, place, hint)


def _valueless(path: str, place: Place | None, doc: str, variant: str = "no-value") -> Problem:
    return Problem("Q601", variant, {"path": path, "doc": doc}, place)


def _near(merge: Merge, path: str) -> Place | None:
    """The place of another rule of the same bid, to point somewhere useful."""
    if not path.startswith("bids."):
        return None
    start = ".".join(path.split(".")[:2]) + "."
    return next(filter(None, (merge.place(p) for p in merge.chains if p.startswith(start))), None)


def contradictions(merge: Merge) -> Iterator[Problem]:
    """Rules that cannot be played together; the leaves they speak of must all have values."""
    for part in parts(merge.bids()):
        yield from part(merge)


def parts(bids: Iterable[str]) -> list[Callable[[Merge], Iterator[Problem]]]:
    """The contradictions one by one, each a function that reads no more rules than it speaks of."""
    every: list[Callable[[Merge], Iterator[Problem]]] = [_table, _dealing, _coins, _ladder]
    for bid in bids:
        every += [
            partial(_bid, bid=bid),
            *(partial(_row, row, bid=bid) for row in rows() if "*" in row["at"]),
        ]
    return [*every, _tables, _points, *(partial(_row, r) for r in rows() if "*" not in r["at"])]


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """What cannot be played together, as ``contradictions.yaml`` lists it."""
    found: Any = load_file(Path(__file__).with_name("contradictions.yaml")).to_plain()
    return tuple({**row, "at": at} for row in found for at in row["at"].split())


def _row(row: Mapping[str, Any], rules: Merge, bid: str = "") -> Iterator[Problem]:
    """What a row has to say, of one bid if it speaks of bids."""
    at = row["at"].replace("*", bid)

    def so(path: str, wanted: Any) -> bool:
        value = rules.get(path.replace("{at}", at).replace("*", bid))
        if isinstance(wanted, dict) and "not" in wanted:
            return not _is_any(value, wanted["not"])
        return _is_any(value, AtLeast(wanted["at_least"]) if isinstance(wanted, dict) else wanted)

    if bid and rules.get(f"bids.{bid}.made") == "never":
        return
    either = row.get("any", {})
    if all(so(*entry) for entry in row["when"].items()) and (
        not either or any(so(*e) for e in either.items())
    ):
        yield rules.fault(at, row["id"], _mended(row, at, bid), at=at, bid=bid, value=rules.get(at))


def _mended(row: Mapping[str, Any], at: str, bid: str) -> Hint | None:
    """The rules that a row says to set, those of bids of the one asked about."""

    def pairs(key: str) -> tuple[tuple[str, str], ...]:
        rules = row.get(key, {}).items()
        return tuple((path.replace("{at}", at).replace("*", bid), value) for path, value in rules)

    return Set(pairs("set"), row.get("how", "set"), pairs("instead")) if "set" in row else None


def _table(rules: Merge) -> Iterator[Problem]:
    players, hand = rules.get("table.players"), rules.get("table.hand_cards")
    if players * hand != PACK_SIZE:
        uneven = {"players": players, "hand": hand, "pack": PACK_SIZE}
        place = rules.last_set("table.players", "table.hand_cards")
        yield Problem("Q606", "uneven-hands", uneven, place)
    if rules.get("premiers.tricks") > hand:
        too_many = {"tricks": rules.get("premiers.tricks"), "hand": hand}
        place = rules.last_set("table.hand_cards", "premiers.tricks")
        yield Problem("Q606", "premiers-beyond-hand", too_many, place)
    allied = [b for b in rules.bids() if _allied(rules, b)]
    if players > 4 and rules.get("payments.allies_paid") == "one_to_one" and allied:
        place = rules.last_set("table.players", "payments.allies_paid")
        too_many = {"players": players, "bid": allied[0], "opponents": players - 2}
        once = Set((("payments.allies_paid", "once_and_halved"),), "set-say")
        yield Problem("Q606", "too-many-opponents", too_many, place, once)


def _allied(rules: Merge, bid: str) -> bool:
    partner, made = rules.get(f"bids.{bid}.partner"), rules.get(f"bids.{bid}.made")
    return bool(partner == "called" and made != "never")


def _dealing(rules: Merge) -> Iterator[Problem]:
    hand = rules.get("table.hand_cards")
    packets = rules.get("deal.packets")
    if not packets:
        yield rules.fault("deal.packets", "no-packets")
    for packet in packets or ():
        if sum(packet) != hand or min(packet, default=0) < 1:
            yield rules.fault("deal.packets", "packets", packets=str(packet), hand=hand)
    session, multiple = rules.get("table.session_deals"), rules.get("table.session_multiple")
    if session % multiple:
        yield rules.fault(
            "table.session_deals", "session-no-multiple", session=session, multiple=multiple
        )


def _coins(rules: Merge) -> Iterator[Problem]:
    coins = rules.get("table.coins") or []
    fault = partial(rules.fault, "table.coins")

    if not coins:
        return
    worths = [coin["worth"] for coin in coins]
    if worths[0] != 1:
        yield fault("smallest-coin", coin=coins[0]["one"], worth=worths[0])
    if any(b <= a for a, b in pairwise(worths)):
        yield fault("coins-in-order")
    names = [name for coin in coins for name in {coin["one"], coin["many"]}]
    if len(set(names)) < len(names):
        twice = sorted({n for n in names if names.count(n) > 1})
        yield fault("coins-alike", names=twice)
    purse, total = rules.get("table.purse"), sum(coin["worth"] * coin["each"] for coin in coins)
    if total != purse:
        plain = Set((("table.coins", "[]"),), "plain-counters")
        yield fault("coins-and-purse", plain, total=total, purse=purse)


def _ladder(rules: Merge) -> Iterator[Problem]:
    ranks: dict[int, str] = {}
    forced, turn = [], []
    for bid in rules.bids():
        made, rank = rules.get(f"bids.{bid}.made"), rules.get(f"bids.{bid}.rank")
        if made == "when_all_pass":
            forced.append(bid)
        if made != "in_turn":
            continue
        turn.append(bid)
        if rank in ranks:
            yield rules.fault(
                f"bids.{bid}.rank", "ranks-alike", first=ranks[rank], bid=bid, rank=rank
            )
        ranks[rank] = bid
    all_pass = rules.get("auction.all_pass")
    if all_pass == "forced_bid" and len(forced) != 1:
        redeal = Set((("auction.all_pass", "redeal"),), "one-forced-bid")
        found = " and ".join(map(repr, forced)) or "none"
        yield rules.fault("auction.all_pass", "forced-bids", redeal, bids=found)
    if not turn and not (all_pass == "forced_bid" and forced):
        yield rules.fault("auction.all_pass", "no-bid-ever")


def _bid(rules: Merge, bid: str) -> Iterator[Problem]:
    def get(name: str) -> Any:
        return rules.get(f"bids.{bid}.{name}")

    if get("made") == "never":
        return
    yield from _forced(rules, bid)
    hand = rules.get("table.hand_cards")
    if get("goal") != "none" and not 1 <= get("tricks") <= hand:
        usual = Set(((f"bids.{bid}.tricks", "6" if hand > 8 else "5"),), "set-usual")
        yield rules.fault(
            f"bids.{bid}.tricks", "tricks-of-bid", usual, bid=bid, tricks=get("tricks"), hand=hand
        )
    if get("hombre_least_tricks") > hand:
        yield rules.fault(f"bids.{bid}.hombre_least_tricks", "hombre-beyond-hand", bid=bid)


def _forced(rules: Merge, bid: str) -> Iterator[Problem]:
    """On whom a bid falls when all have passed: by one card, or by one record of a plugin."""
    made, found = f"bids.{bid}.made", in_force(rules, bid)
    by = [row["rule"] for _, row in found]
    is_forced = rules.get(made) == "when_all_pass"
    if is_forced and not found and rules.get(f"bids.{bid}.forced_on") is None:
        card = Set(((f"bids.{bid}.forced_on", "SA"),), "set-say")
        yield rules.fault(made, "forced-on-nobody", card, at=made, bid=bid)
    elif is_forced and not _free(limits := in_force(rules, bid, "trumps")):
        narrowing = [row["rule"] for _, row in limits]
        said = origin(TrumpsOnly, narrowing[0], "bid")
        yield rules.fault(made, "limits-forced", bid=bid, by=narrowing, **said)
    elif found and not is_forced:
        said = origin(ForcedBid, by[0], "bid")
        yield rules.fault(made, "falls-and-is-bid", bid=bid, by=by[0], **said)
    elif len(found) > 1:
        yield rules.fault(made, "falls-twice", bid=bid, by=by, **origin(ForcedBid, by[-1], "bid"))
    elif found and rules.get("auction.passed_may_return"):
        path = "auction.passed_may_return"
        yield rules.fault(path, "returns-without-card", Set(((path, "false"),), "set"), by=by[0])


def _free(limits: Sequence[tuple[str, Mapping[str, Any]]]) -> set[str]:
    """The suits that all of these limits leave, whatever is favourite."""
    return set(SUITS).intersection(*(row["suits"] for _, row in limits))


def _tables(rules: Merge) -> Iterator[Problem]:
    bids = rules.bids()
    for path in rules.chains:
        pattern = vocabulary.pattern_of(path) or ""
        if path.startswith("payments.") and "*" in pattern and path.split(".")[-1] not in bids:
            bid = path.split(".")[-1]
            hint = did_you_mean(bid, bids, what="bids")
            yield _no_bid(rules, "pays-for-no-bid", path, bid, hint, rules.place(path))
    tables = ["payments."]
    if rules.get("favourite.source") != "none":
        tables.append(FAVOURITE)
        given = [p for p in rules.chains if p.startswith(FAVOURITE)]
        if rules.get("favourite.doubles") == "game":
            if given:
                bonuses = Set((("favourite.doubles", "bonuses"),), "no-table-or-bonuses")
                yield rules.fault("favourite.doubles", "doubled-twice", bonuses)
            tables.pop()
        elif not given:
            place = rules.place("favourite.source")
            yield Problem("Q601", "no-table-of-favourite", place=place)
            return
    for table in tables:
        for bid in bids:
            if rules.get(f"bids.{bid}.made") == "never" or (
                table != "payments." and rules.get(f"bids.{bid}.trump") == "none"
            ):
                continue
            for row in _rows_needed(rules, bid):
                if (path := f"{table}{row}.{bid}") not in rules.chains:
                    doc = vocabulary.leaf_at(path).doc
                    yield _valueless(
                        path, rules.place(f"bids.{bid}.title"), doc, "no-value-of-the-bid"
                    )


def _rows_needed(rules: Merge, bid: str) -> Iterator[str]:
    yield "premium"
    levels = []
    if rules.get(f"bids.{bid}.may_undertake_vole") and rules.get(f"bids.{bid}.goal") == "at_least":
        levels.append("undertaken")
    with_bid = rules.get(f"bids.{bid}.vole_with_bid")
    late = (
        rules.get(f"bids.{bid}.vole_before_lead")
        and rules.get("vole.announced_until") == "first_lead"
    )
    if with_bid != "none" or late or rules.get(f"bids.{bid}.is_vole"):
        levels.append("announced")
    if with_bid == "announced_or_revealed":
        levels.append("revealed")
    for level in levels:
        yield f"vole_stake.{level}"
        yield f"vole_premium.{level}"


def _points(rules: Merge) -> Iterator[Problem]:
    if rules.get("score.kept") != "points":
        return
    for path in (
        p for p in rules.chains if p.endswith(".payments") and vocabulary.kind_of(p) is None
    ):
        yield rules.fault(path, "points-and-plugin", path=path)


# --- constraints and assumptions --------------------------------------------------------------


def sent_apart(merge: Merge) -> Iterator[Problem]:
    """Payments that records of plugins redirect to more than one."""
    plain = {p: merge.get(p) for p in merge.chains if vocabulary.kind_of(p) is None}
    for one, other in clashes(plugin_rules_of(plain)):
        data = {"one": one.leaf, "other": other.leaf, **origin(Redirect, other.leaf, "to")}
        yield Problem("Q504", "redirected-apart", data, merge.place(other.leaf))


def unmet(merge: Merge, demands: list[Demand]) -> Iterator[Problem]:
    """Constraints that the rules break, each with its reason and source."""
    values = merge.values()
    for demand, who, place in demands:
        if not all(holds(values, p, w) for p, w in demand.when.items()):
            continue
        why = _why(demand, who)
        when = " and ".join(f"{p} is {_words(w)}" for p, w in demand.when.items())
        for path, wanted in demand.requires.items():
            if not holds(values, path, wanted):
                data = {
                    "when": when,
                    "path": path,
                    "wanted": _words(wanted),
                    "have": _have(values, path),
                    **why,
                }
                yield Problem("Q602", "not-as-required", data, _spot(merge, path) or place)
        for path, barred in demand.excludes.items():
            if any(holds(values, p, barred) for p in _paths(values, path)):
                data = {"when": when, "path": path, "wanted": _words(barred), **why}
                yield Problem("Q603", "excluded", data, _spot(merge, path) or place)


def broken_assumptions(merge: Merge, assumed: list[Demand]) -> Iterator[Problem]:
    """What a profile assumed of its rules, and a child or an option has made untrue."""
    values = merge.values()
    for demand, who, place in assumed:
        for path, wanted in demand.requires.items():
            if not holds(values, path, wanted):
                data = {
                    "who": who,
                    "path": path,
                    "wanted": _words(wanted),
                    "have": _have(values, path),
                    **_why(demand, who),
                }
                yield Problem("Q304", "assumed-otherwise", data, _spot(merge, path) or place)


def _why(demand: Constraint, who: str) -> dict[str, str]:
    return {"reason": demand.reason, "source": demand.source or who}


def _paths(values: Mapping[str, Any], pattern: str) -> list[str]:
    return [p for p in values if vocabulary.matches(pattern, p)] if "*" in pattern else [pattern]


def holds(values: Mapping[str, Any], pattern: str, wanted: Any) -> bool:
    """Whether every rule that a path or pattern names, and at least one, is as a condition wants
    it."""
    paths = [p for p in _paths(values, pattern) if p in values]
    return bool(paths) and all(_is_any(values[p], wanted) for p in paths)


def _is_any(value: Any, wanted: Any) -> bool:
    return any(
        _is(value, option) for option in (wanted if isinstance(wanted, (list, tuple)) else [wanted])
    )


def _is(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, AtLeast):
        try:
            return vocabulary.parse_amount(value) >= wanted.least
        except vocabulary.MismatchError:
            return False  # what is no number, as a plugin may take it for
    return bool(value == wanted)


def _words(wanted: Any) -> str:
    if isinstance(wanted, (list, tuple)):
        return " or ".join(_words(w) for w in wanted)
    if isinstance(wanted, AtLeast):
        return f"{wanted.least} or more"
    return (
        str(wanted).lower()
        if isinstance(wanted, bool)
        else "null"
        if wanted is None
        else str(wanted)
    )


def _have(values: Mapping[str, Any], pattern: str) -> str:
    found = sorted({_words(values[p]) for p in _paths(values, pattern) if p in values})
    return ", ".join(found) or "unset"


def _spot(merge: Merge, pattern: str) -> Place | None:
    return next(filter(None, map(merge.place, _paths(merge.chains, pattern))), None)
