"""Showing that a rule matters: cases in which changing one leaf alone changes what happens at a table.

A *case* is a base rule set, the made rules with some leaves changed, and deals to be played under it.  It is played
under the base and again with one leaf changed; what is compared is what anyone at the table would notice: the
actions each player might choose from, every event, every payment with its reason, purses and pool.  The players are
blind to the rules: they take what they wish for when it is legal, and otherwise draw among the legal actions, so
that nothing but the rule itself can make two runs differ.

Both rule sets must be such as a profile could have: if the compiler's cross-checks would refuse either, the case
does not count, unless it says in ``refused`` why the leaf cannot be changed alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from types import NoneType, SimpleNamespace
from typing import Any, get_args, get_origin

import decisive_five
import decisive_money
import decisive_stakes
from support import made_values
from table_support import dealt

from quadrille_core import vocabulary
from quadrille_core.cards import Card, Suit, parse_suit
from quadrille_core.engine.actions import Action
from quadrille_core.engine.result_file import account_name
from quadrille_core.engine.session import PlayedDeal, play_deal, play_session, play_streams
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import RecordError, UsageError
from quadrille_core.ledger.coins import denomination
from quadrille_core.rules import Coin, Identity, PerBid, Rules, RuleSet, WithholdCell
from quadrille_core.ruleset.crosscheck import contradictions
from quadrille_core.study.compare import plan
from quadrille_core.vocabulary import Leaf, Plain

PASS_ALL = ("pass",)
FOR_THE_VOLE = ("vole", "yes", "ask")
SPADES = "SA S2 CA SK SQ SJ S7 S6 S5 S4"
"""Ten tricks, with spades as trumps."""
HEARTS = "SA H7 CA HA HK HQ HJ H2 H3 H4"
"""Ten tricks, with hearts, the favourite suit, as trumps."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """Deals under a base rule set, and which leaves they are to show.

    ``wishes`` are actions as a record spells them, in order of preference; whoever is in turn takes the first that
    is legal, or one at random.  ``hands`` are the cards that matter, eldest first, for a single deal; without them
    a session of ``deals`` is drawn.  ``plans``: sessions are planned instead of played.
    """

    why: str
    leaves: tuple[str, ...] = ()
    """The leaf patterns or paths the case is for; empty: any of the bids it wishes for, and any of no bid."""
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
    """Whoever records the deal forgets what was claimed, which at a table of bots is everything that must be."""
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
            return [p for p in paths if p in self.leaves or (pattern in self.leaves and self._concerns(pattern, p))]
        return [p for p in paths if self._concerns(pattern, p)]

    def _concerns(self, pattern: str, path: str) -> bool:
        if "*" not in pattern or not self.bids():
            return True
        return path.split(".")[pattern.split(".").index("*")] in self.bids()


_pattern = cache(vocabulary.pattern_of)

_BASES: dict[int, tuple[Case, Rules, Mapping[str, Plain]]] = {}


def _base(case: Case) -> tuple[Case, Rules, Mapping[str, Plain]]:
    """The case again, so that it stays the one of its identity, with its base rules, typed and plain."""
    if id(case) not in _BASES:
        made = made_values(**case.but)
        rules = vocabulary.build({p: v for p, v in made.items() if not p.startswith(case.without)})
        _BASES[id(case)] = (case, rules, vocabulary.dump(rules))
    return _BASES[id(case)]


# --- what is seen at the table -----------------------------------------------------------------------


class Wisher:
    """Takes the first wish that is legal, else any action; writes down what there was to choose from."""

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


def seen_under(case: Case, rules: Rules) -> list[str]:
    """All that is noticed when the case is played under these rules."""
    ruleset = RuleSet(identity=Identity(profile="made", digest="0" * 64), rules=rules)
    if case.plans:
        return [*_planned(case, ruleset)]
    seen: list[str] = []
    bots = [Wisher(case.wishes, seen)] * rules.table.players
    if case.hands:
        suit = None if case.favourite is None else parse_suit(case.favourite)
        setup = dealt(*case.hands, favourite=suit, pool=case.pool, players=rules.table.players)
        seen += _told(case, play_deal(ruleset, setup, bots, play_streams(case.seed, 0, 0, len(setup.hands))))
        return seen
    for played in _session(ruleset, bots, case, seen):
        seen += [f"packets {played.setup.packets}, favourite {played.setup.favourite}, pool {played.setup.pool}"]
        seen += _told(case, played.deal)
        told = denomination(rules.table.coins).text
        seen += [f"holdings {[told(h) for h in played.holdings]}, pool {played.pool_after}"]
    return seen


def _session(ruleset: RuleSet, bots: list[Wisher], case: Case, seen: list[str]) -> Iterator[PlayedDeal]:
    try:
        yield from play_session(ruleset, bots, seed=case.seed, session=0, deals=case.deals)
    except RecordError as refused:
        seen.append(f"cannot be dealt: {refused}")


def _told(case: Case, deal: Deal) -> Iterator[str]:
    yield from (e.text() for e in deal.events)
    result = deal.result()
    if result is not None:
        if case.forgetful:
            result = replace(result, claims=())
        for t in settle(deal.rules, result).transfers:
            source, target = (account_name(a, deal.setup.players) for a in (t.source, t.target))
            yield f"{source} pays {target} {t.amount}: {t.reason}"


def _planned(case: Case, ruleset: RuleSet) -> Iterator[str]:
    compiled: Any = [SimpleNamespace(ruleset=ruleset)]
    for deals in case.plans:
        try:
            yield str(plan(compiled, deals=deals, sessions=None, seed=1, bots=["random"]).lengths)
            yield str(plan(compiled, deals=None, sessions=2, seed=1, bots=["random"]).lengths)
        except UsageError as refused:
            yield str(refused)


# --- other values ------------------------------------------------------------------------------------

STEPS = {"bids.*.rank": 3}
"""How far a number must move to pass another: two bids may not share a rank, so a single step never matters."""


def other_values(leaf: Leaf, value: Plain) -> list[tuple[str, Plain]]:
    """Values the leaf might have instead, each with a word for what is changed; words of a Literal in full."""
    kind = next((a for a in get_args(leaf.type) if NoneType in get_args(leaf.type) and a is not NoneType), leaf.type)
    optional = [("none", None)] if kind is not leaf.type and value is not None else []
    if leaf.choices():
        return [(word, word) for word in leaf.choices() if word != value]
    if kind is bool:
        return [("the other", not value)]
    if kind is int:
        step = STEPS.get(leaf.pattern, 1)
        near = [("more", value + step), ("less", value - step)]
        return [
            (w, v) for w, v in near if (leaf.low is None or v >= leaf.low) and (leaf.high is None or v <= leaf.high)
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
        return [*optional, *[(s, s) for s in ("spades", "hearts", "clubs", "diamonds") if s != value]]
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
        yield "may not be withheld", [*value, vocabulary.withhold_cell(hearts, _card("H3"), matador, False)]
    elif item is Coin:
        yield "none", []
        yield "another kind", [{"one": "pin", "many": "pins", "worth": 1, "each": 20}, *_dearer(value)]
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
    """What must be shown of a leaf: every two words told apart, and every kind of other value the cases offer.

    An amount must be seen raised and lowered; a leaf that has one value only has nothing to show.
    """
    leaf = vocabulary.leaves()[pattern]
    if leaf.choices():
        return {" / ".join(sorted(pair)) for pair in combinations(leaf.choices(), 2)}
    if leaf.type is int:
        return {"more", "less"} if leaf.low != leaf.high else set()
    if leaf.type is Fraction:
        return {"more", "less"}
    offered = {w for case in CASES for path in case.paths(pattern) for w, _ in other_values(leaf, case.values()[path])}
    return offered or {"any other value"}


# --- showing it --------------------------------------------------------------------------------------


def with_leaf(block: Any, steps: Sequence[str], value: Any) -> Any:
    """The block with one leaf changed: quicker than building all rules anew."""
    if not steps:
        return value
    if isinstance(block, PerBid):
        return PerBid(tuple((n, with_leaf(v, steps[1:], value) if n == steps[0] else v) for n, v in block.items()))
    return replace(block, **{steps[0]: with_leaf(getattr(block, steps[0]), steps[1:], value)})


def refusals(values: Mapping[str, Plain]) -> list[str]:
    """Why the compiler would refuse these rules."""
    merge: Any = SimpleNamespace(
        chains={p: [SimpleNamespace(place=None, level=0)] for p in values}, values=lambda: values
    )
    return [p.message for p in contradictions(merge)]


def shown_by(case: Case, pattern: str, wanted: set[str]) -> set[str]:
    """Which of the changes wanted of a leaf the case shows to matter."""
    leaf, (_, base, values) = vocabulary.leaves()[pattern], _base(case)
    shown: set[str] = set()
    for path in case.paths(pattern):
        runs = {str(values[path]): (values[path], _seen(case))} if leaf.choices() else {"": (values[path], _seen(case))}
        for word, other in other_values(leaf, values[path]):
            if leaf.choices() or word in wanted:
                changed = with_leaf(base, path.split("."), vocabulary.to_typed(leaf, other))
                runs[word] = (other, seen_under(case, changed))
        pairs = combinations(runs, 2) if leaf.choices() else (("", word) for word in runs if word)
        for one, two in pairs:
            label = " / ".join(sorted((one, two))) if leaf.choices() else two
            if label in wanted - shown and runs[one][1] != runs[two][1] and _allowed(case, path, runs[one], runs[two]):
                shown.add(label)
    return shown


def _seen(case: Case) -> list[str]:
    return _seen_of_base(id(case))


@cache
def _seen_of_base(key: int) -> list[str]:
    case, rules, _ = _BASES[key]
    return seen_under(case, rules)


def _allowed(case: Case, path: str, *runs: tuple[Plain, Any]) -> bool:
    return bool(case.refused) or not any(refusals({**case.values(), path: value}) for value, _ in runs)


def lacking(pattern: str, *, without_refused: bool = False) -> list[str]:
    """What no case shows of a leaf; the cases made for it are tried first."""
    wanted = demanded(pattern)
    for case in sorted(CASES, key=lambda c: not c.leaves):
        if not wanted:
            break
        if not (case.refused and without_refused):
            wanted -= shown_by(case, pattern, wanted)
    return sorted(wanted)


# --- the cases ---------------------------------------------------------------------------------------

SOLO = ("bid solo", "pass", "trump spades")
NO_FAVOURITE: Mapping[str, Plain] = {"favourite.overcalls": False, "favourite.suit": None}
IN_ORDER = tuple(f"play {card}" for card in ("SA", "S2", "CA", "SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "H7"))
NINE = "SA S2 CA SK SQ SJ S7 S6 S5 H7"
"""Nine tricks with spades as trumps, and a heart to lose."""
SIX = "SA S2 CA SK SQ SJ H7 H6 D7 D6"
"""Six tricks with spades as trumps, then four to lose."""
WEAK = "SA S2 CA H7 H6 H5 D7 D6 D5 C3"
"""Three matadors in spades and little else."""
NINE_AGAINST = (NINE, "HK HA HQ HJ H2 H3 H4 H5 H6 S4", "S3")
ALONE = {"bids.alliance.call.own_card": "never"}


def _strong() -> Iterator[Case]:
    """Hands that make every trick, or all but one."""
    voles = ("undertaken", "announced", "revealed")
    for level in voles:
        bid, then = ("solo", FOR_THE_VOLE) if level == "undertaken" else (f"solo+{level}", ())
        yield Case(
            why=f"a vole {level}, and made",
            leaves=(f"payments.vole_premium.{level}.solo", f"payments.vole_stake.{level}.solo"),
            but={f"payments.vole_premium.{level}.solo": 2},
            hands=(SPADES,),
            wishes=(f"bid {bid}", "pass", "trump spades", *then, *IN_ORDER),
        )
        spoken = bid.replace("solo", "solo+favourite")
        yield Case(
            why=f"a vole {level} in favourite, and made",
            leaves=tuple(f"payments.in_favourite.vole_{row}.{level}.solo" for row in ("premium", "stake")),
            but={f"payments.in_favourite.vole_premium.{level}.solo": 2},
            hands=(HEARTS,),
            favourite="hearts",
            wishes=(f"bid {spoken}", "pass", "trump hearts", *then),
        )
    yield Case(
        why="premiers are made and the game is claimed there",
        leaves=(
            *("payments.premiers", "bids.solo.premiers", "bids.solo.may_undertake_vole", "premiers.claim"),
            *("payments.matadors_four_in_black", "payments.matadors.three"),
        ),
        hands=(SPADES,),
        wishes=(*SOLO, "claim", *IN_ORDER),
    )
    yield Case(
        why="all four top trumps, red ones",
        leaves=("payments.matadors_cumulative", "payments.matadors.four"),
        hands=(HEARTS,),
        wishes=("bid solo", "pass", "trump hearts", "claim"),
    )
    yield Case(
        why="premiers come after so many tricks",
        leaves=("premiers.tricks",),
        hands=(SPADES,),
        wishes=(*SOLO, "claim", *IN_ORDER),
    )
    yield Case(
        why="premiers and all four top trumps in favourite",
        leaves=("payments.in_favourite.premiers", "payments.in_favourite.matadors.four"),
        hands=(HEARTS,),
        favourite="hearts",
        wishes=("bid solo+favourite", "pass", "trump hearts", "claim"),
    )
    yield Case(
        why="three matadors in favourite",
        leaves=("payments.in_favourite.matadors.three",),
        hands=("SA H7 CA HK HQ HJ H2 H3 H4 H5", "HA"),
        favourite="hearts",
        wishes=("bid solo+favourite", "pass", "trump hearts", "claim"),
    )
    yield Case(
        why="the fourth of the top trumps is ponto, by name, in black too",
        leaves=("cards.black_ponto",),
        but={"payments.matadors_four_in_black": True},
        hands=(SPADES,),
        wishes=SOLO,
    )
    for pool, what in ((5, "a quarter over"), (6, "a half over")):
        yield Case(
            why=f"a unit that is no whole number: {what}",
            leaves=("stakes.unit_rounding",),
            hands=(SPADES,),
            pool=pool,
            wishes=(*SOLO, "claim"),
        )


def _lost() -> Iterator[Case]:
    """Voles missed, and games lost that had premiers, matadors or a vole."""
    yield Case(
        why="a vole undertaken, and one trick lost",
        leaves=("vole.undertaken_failed_premium",),
        but={"payments.vole_premium.undertaken.solo": 2},
        hands=NINE_AGAINST,
        wishes=(*SOLO, *FOR_THE_VOLE, *IN_ORDER),
    )
    announced = ("bid solo+announced", "pass", "trump spades", *IN_ORDER)
    priced = {"payments.vole_premium.announced.solo": 2}
    yield Case(
        why="a vole announced, and one trick lost",
        leaves=("vole.announced_failed_premium", "vole.announced_failed"),
        but=priced,
        hands=NINE_AGAINST,
        wishes=announced,
    )
    yield Case(
        why="a vole announced, one trick lost, and with it the game: what a remise pays",
        leaves=("loss.remise_pays",),
        but=priced | {"vole.announced_failed": "game_lost"},
        hands=NINE_AGAINST,
        wishes=announced,
    )
    yield Case(
        why="three matadors and a vole announced with a hand that cannot win: what a codille pays",
        leaves=("loss.codille_pays", "vole.announced_below_game"),
        but=priced | {"vole.announced_below_game": "by_tricks"},
        hands=(WEAK,),
        wishes=("bid solo+announced", "pass", "trump spades"),
    )
    yield Case(
        why="premiers made, eight tricks wanted and six made: what a codille pays",
        leaves=("loss.codille_pays",),
        but={"bids.solo.tricks": 8, "bids.solo.may_undertake_vole": False},
        hands=(SIX,),
        wishes=(*SOLO, *IN_ORDER),
    )
    yield Case(
        why="a game lost by two tricks, where two are a remise",
        leaves=("loss.remise_short",),
        but={"loss.remise_short": 2},
        wishes=("bid solo", "pass"),
        deals=12,
    )
    yield Case(
        why="a pool of one basic stake, where two are wanted for sharing",
        leaves=("loss.codille_shared_from",),
        but={"loss.codille_shared_from": 2, "loss.codille_indivisible": "exact"},
        wishes=("bid solo", "pass"),
        deals=4,
    )


def _calls() -> Iterator[Case]:
    """What may be called, with hands in which it matters."""
    alliance = ("bid alliance", "pass", "trump spades")
    yield Case(
        why="the caller holds all four kings",
        leaves=("bids.alliance.call.queen_when", "bids.alliance.call.own_card"),
        hands=("SK HK CK DK H4 H5 C4 C5 D4 D5",),
        wishes=alliance,
    )
    yield Case(
        why="the caller holds every king but that of trumps",
        leaves=("bids.alliance.call.queen_when", "bids.alliance.call.own_card"),
        hands=("HK CK DK H4 H5 C4 C5 D4 D5 S3", "SK"),
        wishes=alliance,
    )
    yield Case(
        why="queens may be called, those of trumps too or not",
        leaves=("bids.alliance.call.trump_suit",),
        but={"bids.alliance.call.queen_when": "always"},
        hands=("S3 S4 S5", "SK", "SQ"),
        wishes=alliance,
    )
    yield Case(
        why="a bid in favourite is bound to the suit that would be called",
        leaves=("bids.mediateur.call.suit_may_become_trump",),
        hands=("SA H3 H4", "HK CK", "SK DK"),
        favourite="hearts",
        wishes=("bid mediateur+favourite", "pass", "call CK"),
    )
    yield Case(
        why="every plain king is the caller's own, and nothing else may be called",
        leaves=("bids.alliance.call.fallback",),
        but=ALONE | {"bids.alliance.call.queen_when": "never"},
        hands=("HK CK DK H4 H5 C4 C5 D4 D5 S3", "SK"),
        wishes=alliance,
    )


def _auction() -> Iterator[Case]:
    """Who may bid what, and what the bids are."""
    apart = {"alliance": 2, "mediateur": 4, "casco": 6, "solo": 8, "grandissimo": 10, "nemo": 12}
    yield Case(
        why="a bid between two others on the ladder",
        leaves=("bids.solo.rank",),
        but={f"bids.{bid}.rank": rank for bid, rank in apart.items()},
        wishes=("bid solo", "pass"),
        deals=2,
    )
    yield Case(
        why="a bid that is bid in turn, or that nobody may bid",
        leaves=("bids.solo.made",),
        but={"auction.all_pass": "redeal", "bids.solo.forced_on": "SA"},
        wishes=("bid solo", "pass"),
        deals=4,
    )
    yield Case(
        why="the bid that is forced on the holder of a card when all pass",
        leaves=("bids.forced-spadille.made", "bids.forced-spadille.forced_on"),
        wishes=PASS_ALL,
        deals=4,
        refused="one bid is forced, and on somebody: both change with auction.all_pass alone",
    )
    yield Case(
        why="the cards that a bid needs",
        leaves=("bids.casco.needs",),
        but={"bids.casco.shows": "nothing"},
        wishes=("bid casco", "pass"),
    )
    yield Case(
        why="a bid that is itself a vole, or not",
        leaves=("bids.solo.is_vole",),
        but={"bids.solo.vole_with_bid": "none", "bids.solo.may_undertake_vole": False},
        wishes=("bid solo", "pass"),
        deals=4,
    )
    yield Case(
        why="a bid that is itself a vole stands above every bid without one, or is overcalled",
        leaves=("bids.solo.is_vole",),
        but={
            "auction.announced_vole_rank": "highest",
            "bids.solo.vole_with_bid": "none",
            "bids.solo.may_undertake_vole": False,
            "bids.nemo.rank": 7,
            "bids.grandissimo.made": "never",
        },
        hands=("S3 S4",),
        wishes=("bid solo", "bid nemo", "pass"),
    )
    yield Case(
        why="no trick, or some",
        leaves=("bids.nemo.goal",),
        wishes=("bid nemo", "pass"),
        refused="a bid to lose every trick names no tricks to win, and any other names some",
    )


def _favourite() -> Iterator[Case]:
    """Where the favourite suit comes from."""
    yield Case(
        why="a favourite suit drawn or found, or none",
        leaves=("favourite.source",),
        but=NO_FAVOURITE | {"favourite.source": "drawn_each_deal"},
        wishes=("bid solo", "pass"),
        deals=5,
    )
    yield Case(
        why="a favourite suit that is fixed",
        leaves=("favourite.source", "favourite.suit"),
        but={"favourite.overcalls": False},
        wishes=("bid solo", "pass"),
        deals=5,
        seed=2,
        refused="a fixed favourite suit is named, and no other may be",
    )


def _play() -> Iterator[Case]:
    """Which card may be played, and who may speak of the vole."""
    yield Case(
        why="Manille is led through Spadille and Basto in one hand",
        leaves=("forcing.among_several",),
        hands=("S2", "SA CA HK HQ HJ H2 H3 H4 H5 H6"),
        wishes=(*SOLO, "play S2"),
    )
    yield Case(
        why="the king of trumps is led to a single low trump",
        leaves=("forcing.exceptions",),
        hands=("SK", "S3 HK HQ HJ H2 H3 H4 H5 H6 D3"),
        wishes=(*SOLO, "play SK"),
    )
    yield Case(
        why="allies have made premiers",
        leaves=("vole.consultation",),
        hands=(NINE, "", "HK"),
        wishes=("bid alliance", "pass", "trump spades", "call HK", *IN_ORDER),
    )
    yield Case(
        why="the médiateur takes the king of trumps to the three matadors she was dealt",
        leaves=("payments.matadors_counted",),
        but={"payments.matadors_four_in_black": True},
        hands=("SA S2 CA SQ SJ S7 S6 S5 S4 H3", "SK"),
        wishes=("bid mediateur", "pass", "call SK", "give H3", "trump spades"),
    )
    yield Case(
        why="a low trump is led to Manille alone",
        leaves=("forcing.exceptions",),
        hands=("H3", "H7 SK SQ SJ S7 S6 S5 S4 S3 D3", "HK"),
        wishes=("bid solo", "pass", "trump hearts", "play H3"),
    )
    yield Case(
        why="the médiateur wins with the king that was surrendered to her",
        leaves=("exchange.giver_pays_premium",),
        hands=("SA S2 CA SQ SJ S7 S6 S5 S4 H3", "SK"),
        wishes=("bid mediateur", "pass", "call SK", "give H3", "trump spades", "claim"),
    )
    yield Case(
        why="the médiateur loses with the king that was surrendered to her",
        leaves=("exchange.giver_receives_premium",),
        hands=("H7 H6 D7 D6 C3 C4 S3 S4 S5 S6",),
        wishes=("bid mediateur", "pass", "call SK"),
    )
    yield Case(
        why="Hombre plays alone by calling her own king",
        leaves=("payments.own_card_premium",),
        hands=("SA S2 CA SK SQ SJ S7 S6 HK H3",),
        wishes=("bid alliance", "pass", "trump spades", "call HK", "claim", *IN_ORDER),
    )
    yield Case(
        why="allies lose, Hombre with more or fewer tricks of her own",
        leaves=("bids.alliance.hombre_least_tricks",),
        but={"payments.premium.alliance": 1},
        wishes=("bid alliance", "pass"),
        deals=20,
    )
    yield Case(
        why="a session is laid out for a comparison",
        leaves=("table.session_deals",),
        but={"table.session_multiple": 1},
        plans=(50,),
    )
    yield Case(
        why="the last session of a comparison is rounded up",
        leaves=("table.session_multiple",),
        but={"table.session_deals": 60},
        plans=(61,),
    )


def _generic() -> Iterator[Case]:
    """Each bid of the made rules as it may be spoken, played by chance; and everything by chance."""
    for bid in ("alliance", "solo", "mediateur", "casco", "nemo"):
        yield Case(why=f"{bid} is bid wherever it may be", wishes=(f"bid {bid}", "pass"))
    yield Case(why="solo in favourite", wishes=("bid solo+favourite", "pass"))
    for level in ("announced", "revealed"):
        yield Case(why=f"solo {level}", wishes=(f"bid solo+{level}", "pass"))
    yield Case(why="all pass", wishes=("bid forced-spadille", *PASS_ALL))
    yield Case(why="anything goes", wishes=("bid nobid",), deals=30)


def _apart() -> Iterator[Case]:
    """The cases that stand in modules of their own."""
    from decisive_switches import cases

    yield from cases()


CASES: tuple[Case, ...] = (
    *_strong(),
    *_lost(),
    *_calls(),
    *_auction(),
    *_favourite(),
    *_play(),
    *(Case(**case) for case in decisive_five.CASES),
    *(Case(**case) for case in decisive_stakes.CASES),
    *(Case(**case) for case in decisive_money.CASES),
    *_generic(),
    *_apart(),
)
