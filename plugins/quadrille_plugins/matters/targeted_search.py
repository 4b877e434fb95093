"""Targeted search for rare situations: artificial deals in which two rule sets may diverge.

Each *strategy* makes deals in its own way from a seed and a number, and so always the same ones:
hands dealt so that matadors meet, that one hand holds the kings or a long suit; standings that
sessions come to; bids made whether or not the hand is worth them, all that the differing rules name
among them; the vole undertaken, refused or missed. None of them knows any rule or variant: which
contracts there are is read off the rules, and which are of interest off the paths of the leaves
that differ.

Both tables do the same until the rules tell them different things, and then what only their own
rules allow.  So every such deal that triggers the rule diverges, and how often says nothing of how
often it would at a table.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from quadrille_core.cards import NO_TRUMP, PACK, Card, Suit, card_of
from quadrille_core.engine.actions import Action
from quadrille_core.engine.auction import NAME, Ladder
from quadrille_core.engine.carry import antes_of
from quadrille_core.engine.deal import Hands, hand_size
from quadrille_core.engine.ranking import ranking, trumps
from quadrille_core.engine.table import Deal
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules, RuleSet
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.matters.dependence import Traces, reachable_states
from quadrille_plugins.matters.situations import bid_of, reach, walk_alone, walked
from quadrille_plugins.studies.lockstep import (
    Contrast,
    Couple,
    MatchedStart,
    alone,
    paid_apart,
    settled_of,
    side_by_side,
)
from quadrille_plugins.studies.observe import Example, example_of, first_difference
from quadrille_plugins.studies.sessions import session_of

LIMIT: Final = 200
"""Deals that each strategy may try, where nothing else is said."""
KEEP: Final = 3
"""Divergent deals that each strategy offers."""
IN_VAIN: Final = 3
"""A strategy's deals are traced until so many in a row read a rule that differs."""

Style = Literal["any", "high", "low"]
"""How cards are chosen: any that is allowed, the strongest, the weakest."""
Styles = tuple[Style, Style, Style]
"""Of Hombre, of the ally, and of the adversaries."""
CARELESS: Final[Styles] = ("any", "any", "any")
STYLES: Final[tuple[Styles, ...]] = (
    CARELESS,
    ("high", "high", "low"),
    ("high", "low", "low"),
    ("low", "low", "high"),
    ("high", "high", "high"),
)


@frozen
class DealPlan:
    """A deal to order and how it is to go; what is not planned is left to chance.

    ``aims`` has for each seat the bid they make as soon as they may, None for one who passes.
    Without ``aims`` everybody says whatever they may.  ``lead`` is led as soon as its holder leads,
    ``call`` called if it may be.
    """

    opening: MatchedStart
    aims: tuple[Action | None, ...] = ()
    trump: Suit | None = None
    call: Card | None = None
    lead: Card | None = None
    vole: bool = False
    styles: Styles = CARELESS


@dataclass(slots=True)
class SearchResult:
    """What one strategy found: deals tried, those in which the rule is triggered, and those that
    diverge.

    ``where`` counts the places first reached.  ``weight`` is what all those that diverge move
    differently between the players, antes among it; ``found`` the weightiest of them.
    """

    strategy: str
    title: str
    tried: int = 0
    triggered: int = 0
    diverged: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    weight: Fraction = Fraction(0)
    found: list[Example] = field(default_factory=list)

    @property
    def where(self) -> tuple[tuple[str, int], ...]:
        """The places at which the rule was first triggered, the commonest first."""
        return tuple(sorted(self.counts.items(), key=lambda w: (-w[1], w[0])))

    def add(
        self,
        places: Sequence[Contrast],
        a: PlayedDeal,
        b: PlayedDeal,
        session: int,
        number: int = 0,
    ) -> None:
        """Count a deal as it was played under either rule set."""
        self.tried += 1
        if places:
            self.triggered += 1
            self.counts[places[0].where] += 1
        divergence = first_difference(a, b) or paid_apart(places)
        if divergence is None:
            return
        self.diverged += 1
        example_deal = example_of(divergence, a, b, session, number)
        self.weight += example_deal.weight
        self.found = sorted([*self.found, example_deal], key=Example.order)[:KEEP]


def targeted_search(
    couple: Couple,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    enough: int | None = None,
    strategies: Sequence[str] | None = None,
    traces: Traces | None = None,
) -> tuple[SearchResult, ...]:
    """Seek the situation by every strategy, or by those named; at most ``limit`` deals each.

    A strategy stops at ``enough`` deals that diverge, if that is given.  Depends on nothing but its
    arguments. ``traces`` of the couple's first rule set are used and added to, which saves playing
    deals that were made for other alternatives too; they change nothing that is found.
    """
    skip = None if traces is None else Skip(couple, traces)
    return tuple(
        _sessions(couple, seed, limit, enough, skip)
        if strategy == SESSIONS
        else _made(couple, strategy, seed, limit, enough, skip)
        for strategy in strategies or (SESSIONS, *MADE)
    )


def _sessions(
    couple: Couple, seed: int, limit: int, enough: int | None, skip: "Skip | None"
) -> SearchResult:
    """Whole sessions under the rules in use, played at random, so that purses empty and pools
    grow."""
    tally = SearchResult(SESSIONS, SESSIONS_TITLE)
    length = couple.first.rules.table.session_deals
    for session in range(-(-limit // length)):
        deals = min(length, limit - tally.tried)
        for one in _at_random(couple.first, seed, session, deals):
            if enough is not None and tally.diverged >= enough:
                break
            if skip is not None and skip.session(seed, one):
                tally.tried += 1
                continue
            tally.add(reach(couple, one), one, _beside(couple, one), session, one.setup.deal or 0)
    return tally


@lru_cache(maxsize=8)
def _at_random(ruleset: RuleSet, seed: int, session: int, deals: int) -> tuple[PlayedDeal, ...]:
    """A session that random players play."""
    bots = ["random"] * ruleset.rules.table.players
    return tuple(session_of(ruleset, bots, seed, session, deals, anew=False))


def _beside(couple: Couple, one: PlayedDeal) -> PlayedDeal:
    """The deal as it ends under the alternative: the first legal action replaces one that is not
    allowed."""
    walk = walked(couple, one)
    deal = walk.deals[1]
    while not deal.over:
        deal.apply(deal.legal()[0])
    antes = antes_of(deal.rules, one.chair_of_seat)
    return replace(one, deal=deal, antes=antes, settlement=settled_of(deal.rules, deal))


class Skip:
    """Whether an artificial deal cannot trigger the rules that differ, so that it need not be
    played."""

    def __init__(self, couple: Couple, traces: Traces) -> None:
        """``traces`` are of the couple's first rule set."""
        self._traces, self._unaffected = traces, traces.unaffected_by(couple)
        self._affected: Counter[str] = Counter()

    def __call__(self, strategy: str, seed: int, number: int, plan: DealPlan) -> bool:
        """Whether the deal by this plan is one of them; where that is not known and unlikely, it
        says no."""
        key = strategy, seed, number, plan
        if key not in self._traces:
            if self._affected[strategy] >= IN_VAIN:
                return False
            choices = streams(strategy, seed, number)[1]
            self._traces.run(
                key, lambda r: alone(r, plan.opening, lambda deal: choice(plan, deal, choices))
            )
        unaffected = self._unaffected(key)
        self._affected[strategy] = 0 if unaffected else self._affected[strategy] + 1
        return unaffected

    def session(self, seed: int, one: PlayedDeal) -> bool:
        """Whether a deal of a session played at random is one of them."""
        key = SESSIONS, seed, one.setup.session, one.setup.deal
        if key not in self._traces:
            self._traces.run(key, lambda r: walk_alone(r, one))
        return self._unaffected(key)


def streams(strategy: str, seed: int, number: int) -> tuple[Stream, Stream]:
    """The random streams for the cards of an artificial deal and for the choices in it."""
    cards, choices = (
        Stream(seed, number, list(MADE).index(strategy), p) for p in (Purpose.DEAL, Purpose.PLAY)
    )
    return cards, choices


def _made(
    couple: Couple, strategy: str, seed: int, limit: int, enough: int | None, skip: Skip | None
) -> SearchResult:
    title, makes = MADE[strategy]
    tally = SearchResult(strategy, title)
    for number in range(limit):
        if enough is not None and tally.diverged >= enough:
            break
        cards, choices = streams(strategy, seed, number)
        plan = makes(DealSource(couple, cards, number))
        if skip is not None and skip(strategy, seed, number, plan):
            tally.tried += 1
            continue
        places, a, b = carry_out(couple, plan, choices)
        tally.add(places, a, b, number)
    return tally


# --- a plan carried out ---------------------------------------------------------------------------


def carry_out(
    couple: Couple, plan: DealPlan, stream: Stream
) -> tuple[list[Contrast], PlayedDeal, PlayedDeal]:
    """Play one plan on both tables up to the first difference, then each with what only its rules
    allow."""
    walk = side_by_side(
        couple, plan.opening, lambda deal: choice(plan, deal, stream), until_first=True
    )
    made = []
    for deal, only in zip(
        walk.deals, walk.places[0].only if walk.places else ((), ()), strict=True
    ):
        own = (
            [a for a in deal.legal() if str(a) in only]
            if walk.places and walk.places[0].kind == "options"
            else []
        )
        if own:
            deal.apply(own[stream.below(len(own))])
        while not deal.over:
            deal.apply(choice(plan, deal, stream))
        nothing = (Fraction(0),) * len(plan.opening.hands)
        chairs = tuple(range(len(nothing)))
        settlement = settled_of(deal.rules, deal)
        antes = antes_of(deal.rules, chairs)
        made.append(PlayedDeal(deal, chairs, antes, settlement, nothing, Fraction(0), nothing))
    return walk.places, made[0], made[1]


def choice(plan: DealPlan, deal: Deal, stream: Stream) -> Action:
    """What a plan does now; it knows the cards and what is allowed, and nothing of the rules."""
    legal = deal.legal()
    if len(legal) == 1:
        return legal[0]
    seat = deal.turn or 0
    if deal.phase == "auction" and plan.aims:
        aim = plan.aims[seat]
        return aim if aim is not None and aim in legal else legal[0]
    if deal.phase == "vole":
        wanted = ("vole", "ask", "yes") if plan.vole else ("claim", "no")
        return next((a for kind in wanted for a in legal if a.kind == kind), legal[0])
    if deal.phase == "declare":
        planned = (Action("trump", suit=plan.trump), Action("call", card=plan.call))
        return next((a for a in planned if a in legal), None) or legal[stream.below(len(legal))]
    if not deal.trick and plan.lead in deal.hands[seat]:
        return Action("play", card=plan.lead)
    style = plan.styles[0 if seat == deal.hombre else 1 if seat == deal.ally else 2]
    cards = [a for a in legal if a.card is not None]
    if style == "any" or len(cards) < 2:
        return legal[stream.below(len(legal))]
    strength = ranking(
        deal.rules.cards, deal.trump if deal.trump is not None else NO_TRUMP
    ).strength
    return (max if style == "high" else min)(cards, key=lambda a: strength[a.card or 0])


# --- deals to order -------------------------------------------------------------------------------


@frozen
class DealSource:
    """What a deal is made from: the rule sets, the stream for its cards, and its number."""

    couple: Couple
    stream: Stream
    number: int

    @property
    def seats(self) -> int:
        """How many play."""
        return self.couple.first.rules.table.players

    def aims(self, hombre: int) -> tuple[Action | None, ...]:
        """Hombre bids one of the bids of interest, by turns; now and then another bids over them,
        or is to try."""
        wanted: list[Action | None] = list(bids_of_interest(self.couple))
        if names_forced(self.couple):
            wanted.append(None)
        aims: list[Action | None] = [None] * self.seats
        if wanted:
            aims[hombre] = wanted[self.number % len(wanted)]
            if self.stream.below(3) == 0:
                aims[self.stream.below(self.seats)] = wanted[self.stream.below(len(wanted))]
        return tuple(aims)

    def hands(self, given: Sequence[Sequence[Card]] = ()) -> Hands:
        """The pack shuffled to the hands, but for what is given them."""
        taken = {c for cards in given for c in cards}
        rest = [c for c in PACK if c not in taken]
        self.stream.shuffle(rest)
        dealt, size = [], hand_size(self.seats)
        for seat in range(self.seats):
            own = list(given[seat]) if seat < len(given) else []
            dealt.append(tuple(own + [rest.pop() for _ in range(size - len(own))]))
        return tuple(dealt)

    def opening(self, hands: Hands, *, strange: bool = False) -> MatchedStart:
        """The standing a session begins with; ``strange``, one that it comes to."""
        favourite = Suit(self.stream.below(4))
        if not strange:
            return MatchedStart(hands=hands, favourite=favourite)
        known = reachable_states(self.couple)
        state = known[self.stream.below(len(known))]
        return MatchedStart(hands=hands, favourite=favourite, **state._asdict())

    def style(self) -> Styles:
        """One of the ways to play."""
        return STYLES[self.stream.below(len(STYLES))]


def bids_of_interest(couple: Couple) -> tuple[Action, ...]:
    """The bids that can be made and that the differing rules name; all that can be made, where they
    name none."""
    named = {bid for path in couple.leaves if (bid := bid_of(path))}
    ladders = [Ladder(rules) for rules in couple.rules]
    every = dict.fromkeys(action for ladder in ladders for action in ladder.actions)
    if any(rules.auction.unasked_trumps != "barred" for rules in couple.rules):
        every |= dict.fromkeys(NAME)
    wanted = tuple(a for a in every if a.bid is not None and a.bid.bid in named)
    if named and not wanted and all(_forced(rules, named) for rules in couple.rules):
        return ()
    return wanted or tuple(every)


def names_forced(couple: Couple) -> bool:
    """Whether a bid that falls on someone when all pass is among those that the differing rules
    name."""
    named = {bid_of(path) for path in couple.leaves}
    return any(
        forced[0] in named
        for forced in (rules.forced_bid() for rules in couple.rules)
        if forced is not None
    )


def _forced(rules: Rules, named: set[str]) -> bool:
    forced = rules.forced_bid()
    return forced is not None and named <= {
        forced[0],
        *(b for b, bid in rules.bids.items() if bid.made == "never"),
    }


def _all_pass(order: DealSource) -> DealPlan:
    opening = order.opening(order.hands(), strange=order.number % 4 == 3)
    trump = Suit(order.stream.below(4)) if order.stream.below(2) else None
    return DealPlan(opening, (None,) * order.seats, trump=trump, styles=order.style())


def _contracts(order: DealSource) -> DealPlan:
    hombre = order.stream.below(order.seats)
    return DealPlan(
        order.opening(order.hands()),
        order.aims(hombre),
        trump=Suit(order.stream.below(4)),
        vole=order.stream.below(2) == 0,
        styles=order.style(),
    )


def _matadors(order: DealSource) -> DealPlan:
    """Two of the three top trumps in one hand, and the third led by another, or played to a low
    trump led."""
    stream, seats = order.stream, order.seats
    trump = Suit(stream.below(4))
    own = trumps(trump)
    top, low = list(own[:3]), list(own[3:])
    stream.shuffle(top)
    stream.shuffle(low)
    holder = 1 + stream.below(seats - 1)
    given: list[list[Card]] = [[] for _ in range(seats)]
    given[holder] = top[:2]
    third = stream.below(holder)
    given[third] = top[2:]
    lead = top[2]
    if third:  # the eldest, who is the first to lead or is made Hombre, leads a low trump
        given[0], lead = low[:1], low[0]
    if stream.below(2):  # and no more trumps with the two of them
        others = [c for c in PACK if c not in own]
        stream.shuffle(others)
        given[holder] += others[: hand_size(seats) - 2]
    hombre = 0 if stream.below(2) else stream.below(seats)
    return DealPlan(order.opening(order.hands(given)), order.aims(hombre), trump=trump, lead=lead)


def _kings(order: DealSource) -> DealPlan:
    """Three kings or all four in the hand of one who bids."""
    stream, seats = order.stream, order.seats
    kings = [card_of(Suit(s), "K") for s in range(4)]
    stream.shuffle(kings)
    given: list[list[Card]] = [[] for _ in range(seats)]
    hombre = stream.below(seats)
    held = kings[: 3 + stream.below(2)]
    forced = {
        b.forced_on
        for r in order.couple.rules
        for _, b in r.bids.items()
        if b.forced_on is not None
    }
    given[hombre] = [*held, *sorted(forced)]
    missing = [c for c in kings if c not in held]
    trump = Suit(missing[0] // 10) if missing and stream.below(2) else Suit(stream.below(4))
    return DealPlan(
        order.opening(order.hands(given)), order.aims(hombre), trump=trump, styles=order.style()
    )


def _long_suit(order: DealSource) -> DealPlan:
    """The top trumps in one hand, or in those of allies, and the vole played for: won, missed or
    left alone."""
    stream, seats = order.stream, order.seats
    trump, hombre = Suit(stream.below(4)), stream.below(seats) if stream.below(2) else 0
    length = min(hand_size(seats), 6 + stream.below(5))
    given: list[list[Card]] = [[] for _ in range(seats)]
    given[hombre] = list(trumps(trump)[:length])
    call = None
    if stream.below(2):
        ally, plain = (
            (hombre + 1 + stream.below(seats - 1)) % seats,
            (trump + 1 + stream.below(3)) % 4,
        )
        call = card_of(Suit(plain), "K")
        given[ally] = [call, *(given[hombre].pop() for _ in range(length // 3))]
    styles = STYLES[stream.below(3)]
    opening, vole = order.opening(order.hands(given)), stream.below(3) > 0
    return DealPlan(opening, order.aims(hombre), trump=trump, call=call, vole=vole, styles=styles)


def _states(order: DealSource) -> DealPlan:
    """A pool, beasts and a multiplier that games lost before have left; a long suit or any
    cards."""
    plan = (_long_suit if order.stream.below(2) else _contracts)(order)
    return replace(plan, opening=order.opening(plan.opening.hands, strange=True))


def _anything(order: DealSource) -> DealPlan:
    """Any legal action, all equally likely."""
    return DealPlan(
        order.opening(order.hands(), strange=order.number % 2 == 1), vole=order.stream.below(2) == 0
    )


SESSIONS: Final = "sessions"
SESSIONS_TITLE: Final = "whole sessions, played at random"
MADE: Final[dict[str, tuple[str, Callable[[DealSource], DealPlan]]]] = {
    "all-pass": ("all pass", _all_pass),
    "contracts": ("each contract in turn, whatever the cards", _contracts),
    "matadors": ("two matadors in one hand under a third in another", _matadors),
    "kings": ("three or four kings in one hand", _kings),
    "long-suit": ("the top trumps in one hand or two, and the vole played for", _long_suit),
    "standings": ("pools, beasts and multipliers left by games lost", _states),
    "anything": ("whatever is allowed, with equal chance", _anything),
}
"""The strategies to order, with what each is in words."""
