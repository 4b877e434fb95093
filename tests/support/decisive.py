"""Showing that a rule matters: cases in which changing one leaf alone changes what happens at a
table.

A *case* is a base rule set, the made rules with some leaves changed, and deals to be played under
it.  It is played under the base and again with one leaf changed; what is compared is what anyone at
the table would notice: the actions each player might choose from, every event, every payment with
its reason, purses and pool.  The players are blind to the rules: they take what they wish for when
it is legal, and otherwise draw among the legal actions, so that nothing but the rule itself can
make two runs differ.

Both rule sets must be such as a profile could have: if the compiler's cross-checks would refuse
either, the case does not count, unless it says in ``refused`` why the leaf cannot be changed alone.

The cases stand in ``data/decisive.yaml``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from types import NoneType, SimpleNamespace
from typing import Any, get_args, get_origin

from quadrille_plugins.deal.session import PlayedDeal, play_deal, play_session, play_streams
from quadrille_plugins.ledger.coins import denomination
from quadrille_plugins.settle.consulted import with_leaves
from quadrille_plugins.settle.result_file import account_name
from quadrille_plugins.studies.design import plan

from quadrille_core import vocabulary
from quadrille_core.cards import Card, Suit, parse_suit
from quadrille_core.engine.actions import Action
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import RecordError, UsageError
from quadrille_core.kinds import TRICKS
from quadrille_core.rules import Coin, Identity, Rules, RuleSet, WithholdCell
from quadrille_core.ruleset.crosscheck import contradictions
from quadrille_core.ruleset.merge import Merge
from quadrille_core.ruleset.provenance import Link
from quadrille_core.vocabulary import Leaf, Plain
from support import made_values
from support.data import of_yaml
from support.table import dealt


@dataclass(frozen=True, kw_only=True)
class DecisiveCase:
    """Deals under a base rule set, and which leaves they are to show.

    ``wishes`` are actions as a record spells them, in order of preference; whoever is in turn takes
    the first that is legal, or one at random.  ``hands`` are the cards that matter, eldest first,
    for a single deal; without them a session of ``deals`` is drawn.  ``plans``: sessions are
    planned instead of played.
    """

    why: str
    leaves: tuple[str, ...] = ()
    """The leaf patterns or paths the case is for; empty: any of the bids it wishes for, and any of
    no bid."""
    but: Mapping[str, Plain] = field(default_factory=dict)
    wishes: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()
    deals: int = 10
    seed: int = 1
    pool: int = 4
    favourite: str | None = None
    without: tuple[str, ...] = ()
    """Beginnings of paths of which the base rules have none."""
    plans: tuple[int, ...] = ()
    forgetful: bool = False
    """Whoever records the deal forgets what was claimed, which at a table of bots is everything
    that must be."""
    refused: str = ""

    def values(self) -> Mapping[str, Plain]:
        """Every leaf of the base rules."""
        return _base(self)[2]

    def bids(self) -> set[str]:
        """The bids it wishes for."""
        return {w.removeprefix("bid ").split("+")[0] for w in self.wishes if w.startswith("bid ")}

    def paths(self, pattern: str) -> list[str]:
        """The rules of that pattern that the case may show."""
        paths = [p for p in self.values() if _pattern(p) == pattern]
        if self.leaves:
            return [
                p
                for p in paths
                if p in self.leaves or (pattern in self.leaves and self._concerns(pattern, p))
            ]
        return [p for p in paths if self._concerns(pattern, p)]

    def _concerns(self, pattern: str, path: str) -> bool:
        if "*" not in pattern or not self.bids():
            return True
        return path.split(".")[pattern.split(".").index("*")] in self.bids()


_pattern = cache(vocabulary.pattern_of)

_BASES: dict[int, tuple[DecisiveCase, Rules, Mapping[str, Plain]]] = {}


def _base(case: DecisiveCase) -> tuple[DecisiveCase, Rules, Mapping[str, Plain]]:
    """The case again, so that it stays the one of its identity, with its base rules, typed and
    plain."""
    if id(case) not in _BASES:
        made = made_values(**case.but)
        rules = vocabulary.build({p: v for p, v in made.items() if not p.startswith(case.without)})
        _BASES[id(case)] = (case, rules, vocabulary.dump(rules))
    return _BASES[id(case)]


# --- what is seen at the table --------------------------------------------------------------------


class Wisher:
    """Takes the first wish that is legal, else any action; writes down what there was to choose
    from."""

    name = "wisher"

    def __init__(self, wishes: Sequence[str], seen: list[str]) -> None:
        self.wishes, self.seen = wishes, seen

    def choose(self, view: Any, legal: tuple[Action, ...], stream: Any) -> Action:
        spelled = [str(a) for a in legal]
        self.seen.append(f"seat {view.seat}: {', '.join(spelled)}")
        for wish in self.wishes:
            if wish in spelled:
                return legal[spelled.index(wish)]
        return legal[stream.below(len(legal))]


def seen_under(case: DecisiveCase, rules: Rules) -> list[str]:
    """All that is noticed when the case is played under these rules."""
    ruleset = RuleSet(identity=Identity(profile="made", digest="0" * 64), rules=rules)
    if case.plans:
        return [*_planned(case, ruleset)]
    seen: list[str] = []
    bots = [Wisher(case.wishes, seen)] * rules.table.players
    if case.hands:
        suit = None if case.favourite is None else parse_suit(case.favourite)
        setup = dealt(*case.hands, favourite=suit, pool=case.pool, players=rules.table.players)
        seen += _told(
            case, play_deal(ruleset, setup, bots, play_streams(case.seed, 0, 0, len(setup.hands)))
        )
        return seen
    for played in _session(ruleset, bots, case, seen):
        seen += [
            (
                f"packets {played.setup.packets}, favourite {played.setup.favourite}, pool "
                f"{played.setup.pool}"
            )
        ]
        seen += _told(case, played.deal)
        told = denomination(rules.table.coins).text
        seen += [f"holdings {[told(h) for h in played.holdings]}, pool {played.pool_after}"]
    return seen


def _session(
    ruleset: RuleSet, bots: list[Wisher], case: DecisiveCase, seen: list[str]
) -> Iterator[PlayedDeal]:
    try:
        yield from play_session(ruleset, bots, seed=case.seed, session=0, deals=case.deals)
    except RecordError as refused:
        seen.append(f"cannot be dealt: {refused}")


def _told(case: DecisiveCase, deal: Deal) -> Iterator[str]:
    yield from (e.text() for e in deal.events)
    result = deal.result()
    if result is not None:
        if case.forgetful:
            result = replace(result, claims=())
        for t in settle(deal.rules, result).transfers:
            source, target = (account_name(a, deal.setup.players) for a in (t.source, t.target))
            yield f"{source} pays {target} {t.amount}: {t.reason}"


def _planned(case: DecisiveCase, ruleset: RuleSet) -> Iterator[str]:
    compiled: Any = [SimpleNamespace(ruleset=ruleset, rules=ruleset.rules)]
    for deals in case.plans:
        try:
            yield str(plan(compiled, deals=deals, sessions=None, seed=1, bots=["random"]).lengths)
            yield str(plan(compiled, deals=None, sessions=2, seed=1, bots=["random"]).lengths)
        except UsageError as refused:
            yield str(refused)


# --- other values ---------------------------------------------------------------------------------

STEPS = {"bids.*.rank": 3}
"""How far a number must move to pass another: two bids may not share a rank, so a single step never
matters."""


def other_values(leaf: Leaf, value: Plain) -> list[tuple[str, Plain]]:
    """Values the leaf might have instead, each with a word for what is changed; words of a Literal
    in full."""
    kind = next(
        (a for a in get_args(leaf.type) if NoneType in get_args(leaf.type) and a is not NoneType),
        leaf.type,
    )
    optional = [("none", None)] if kind is not leaf.type and value is not None else []
    if leaf.choices():
        return [(word, word) for word in leaf.choices() if word != value]
    if kind is bool:
        return [("the other", not value)]
    if kind is int:
        step = STEPS.get(leaf.pattern, 1)
        near = [("more", value + step), ("less", value - step)]
        return [
            (w, v)
            for w, v in near
            if (leaf.low is None or v >= leaf.low) and (leaf.high is None or v <= leaf.high)
        ]
    if kind is Fraction:
        amount = vocabulary.parse_amount(value)
        near = [("more", amount + 1), *([("less", amount / 2)] if amount else [])]
        return [(w, vocabulary.plain_amount(v)) for w, v in near]
    if kind is str:
        return [("another", f"{value} otherwise")]
    if kind is Card:
        return [*optional, *[(f"card {c}", c) for c in ("CA", "HK") if c != value]]
    if kind is Suit:
        return [
            *optional,
            *[(s, s) for s in ("spades", "hearts", "clubs", "diamonds") if s != value],
        ]
    if get_origin(kind) is tuple:
        return list(_other_tuples(get_args(kind)[0], list(value)))
    raise AssertionError(f"{leaf.pattern}: say here what other values a {leaf.type} can have")


def _other_tuples(item: Any, value: list[Plain]) -> Iterator[tuple[str, Plain]]:
    if get_args(item) and get_origin(item) is not tuple:
        for word in get_args(item):
            without = [w for w in value if w != word]
            yield word, without if word in value else [*value, word]
    elif item is Card:
        yield from ([("none", [])] if value else [])
        yield "one more", [*value, next(c for c in ("S2", "H7", "C2") if c not in value)]
    elif item is WithholdCell:
        spades, hearts = parse_suit("spades"), parse_suit("hearts")
        low, matador = vocabulary.to_typed(_CARDS, ["S3", "H7"])
        yield "may be withheld", [*value, vocabulary.withhold_cell(spades, _card("SK"), low, True)]
        yield (
            "may not be withheld",
            [*value, vocabulary.withhold_cell(hearts, _card("H3"), matador, False)],
        )
    elif item is Coin:
        yield "none", []
        yield (
            "another kind",
            [{"one": "pin", "many": "pins", "worth": 1, "each": 20}, *_dearer(value)],
        )
    elif get_origin(item) is tuple:
        yield "one less", value[1:]
        yield "another", [*value, [2, 4, 4]]
    else:
        raise AssertionError(f"say here what other tuples of {item} there can be")


def _dearer(coins: list[Plain]) -> list[Plain]:
    return [{**coin, "worth": 20, "each": 1} for coin in coins[1:2]]


_CARDS = vocabulary.leaves()["bids.*.needs"]


def _card(text: str) -> Card:
    return vocabulary.to_typed(_CARDS, [text])[0]


def demanded(pattern: str) -> set[str]:
    """What must be shown of a leaf: every two words told apart, and every kind of other value the
    cases offer.

    An amount must be seen raised and lowered; a leaf that has one value only has nothing to show.
    """
    leaf = vocabulary.leaves()[pattern]
    if leaf.choices():
        return {" / ".join(sorted(pair)) for pair in combinations(leaf.choices(), 2)}
    if leaf.type is int:
        return {"more", "less"} if leaf.low != leaf.high else set()
    if leaf.type is Fraction:
        return {"more", "less"}
    offered = {
        w
        for case in CASES
        for path in case.paths(pattern)
        for w, _ in other_values(leaf, case.values()[path])
    }
    return offered or {"any other value"}


# --- showing it -----------------------------------------------------------------------------------


def refusals(values: Mapping[str, Plain]) -> list[str]:
    """Why the compiler would refuse these rules."""
    merge = Merge(TRICKS)
    merge.chains = {path: [Link(value, "profile", "", 0)] for path, value in values.items()}
    return [p.message for p in contradictions(merge)]


def shown_by(case: DecisiveCase, pattern: str, wanted: set[str]) -> set[str]:
    """Which of the changes wanted of a leaf the case shows to matter."""
    leaf, (_, base, values) = vocabulary.leaves()[pattern], _base(case)
    shown: set[str] = set()
    for path in case.paths(pattern):
        runs = (
            {str(values[path]): (values[path], _seen(case))}
            if leaf.choices()
            else {"": (values[path], _seen(case))}
        )
        for word, other in other_values(leaf, values[path]):
            if leaf.choices() or word in wanted:
                changed = with_leaves(base, {path: vocabulary.to_typed(leaf, other)})
                runs[word] = (other, seen_under(case, changed))
        pairs = combinations(runs, 2) if leaf.choices() else (("", word) for word in runs if word)
        for one, two in pairs:
            label = " / ".join(sorted((one, two))) if leaf.choices() else two
            if (
                label in wanted - shown
                and runs[one][1] != runs[two][1]
                and _allowed(case, path, runs[one], runs[two])
            ):
                shown.add(label)
    return shown


def _seen(case: DecisiveCase) -> list[str]:
    return _seen_of_base(id(case))


@cache
def _seen_of_base(key: int) -> list[str]:
    case, rules, _ = _BASES[key]
    return seen_under(case, rules)


def _allowed(case: DecisiveCase, path: str, *runs: tuple[Plain, Any]) -> bool:
    return bool(case.refused) or not any(
        refusals({**case.values(), path: value}) for value, _ in runs
    )


def lacking(pattern: str, *, without_refused: bool = False) -> list[str]:
    """What no case shows of a leaf; the cases made for it are tried first."""
    wanted = demanded(pattern)
    for case in sorted(CASES, key=lambda c: not c.leaves):
        if not wanted:
            break
        if not (case.refused and without_refused):
            wanted -= shown_by(case, pattern, wanted)
    return sorted(wanted)


# --- the cases ------------------------------------------------------------------------------------

DATA = Path(__file__).parents[1] / "data" / "decisive.yaml"


def _of_data() -> Iterator[DecisiveCase]:
    """The cases kept as data; what stands there as a list is a tuple here."""
    for raw in of_yaml(DATA)["cases"]:
        case = {
            key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()
        }
        cards = case.pop("play", "").split()
        case["wishes"] = (*case.get("wishes", ()), *(f"play {card}" for card in cards))
        yield DecisiveCase(**case)


CASES: tuple[DecisiveCase, ...] = tuple(_of_data())
