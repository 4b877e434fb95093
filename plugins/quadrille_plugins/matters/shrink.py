"""The shortest, simplest deal in which two rule sets diverge, shrunk from divergent deals.

A deal is shrunk as a failing test is shrunk by delta debugging (Zeller and Hildebrandt 2002):
something is taken out of it or put in order, the deal is played again under both rule sets, and the
change is kept if they still part and the deal has become plainer.  Only partings by the rules
count, at a place as ``studies.lockstep`` knows it: one that a player merely foresaw shows nothing
of what the rules say.

Plainness
---------
Of two divergent deals the plainer is the one with the smaller ``plainness``, compared number by
number:

1. what the standing has that a first deal has not: a multiplier, beasts;
2. counters in the pool besides the antes;
3. a favourite suit drawn, the first of the pack rather than another;
4. bids other than passes before the two part;
5. actions before they diverge;
6. actions, of these, that are not the first of those allowed;
7. suits in a hand, over all hands; 8. runs of neighbours in the pack's order, over all hands;
9. the size of what is paid differently: numerators and denominators together.

The steps
---------
Each changes one thing: the standing for a plainer one that sessions come to
(``matters.dependence``); an action said or played on purpose, which gives place to the first that
is allowed; a card kept in its hand, which gives place to the order of the pack; two cards exchanged
between hands that come to lie among their neighbours; the hands moved round the table.  They are
tried in ever smaller portions and at last one by one, until none makes the deal plainer: then it is
minimal.  What is found depends on nothing but the rule sets and the deals given.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, Final

from quadrille_core.cards import PACK, Card, Suit, suit
from quadrille_core.engine.actions import Action, not_none
from quadrille_core.engine.deal import Hands
from quadrille_core.engine.table import Deal
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.deal.record import from_record, to_record
from quadrille_plugins.matters.dependence import reachable_states
from quadrille_plugins.matters.narrate import sentence_of
from quadrille_plugins.matters.situations import leaves_at
from quadrille_plugins.studies.lockstep import (
    Contrast,
    Couple,
    MatchedStart,
    PairedRun,
    opening_of,
    settled_of,
    side_by_side,
)
from quadrille_plugins.studies.observe import Example

MOST_REPLAYS: Final = 4000
"""Replays of one deal that shrinking may take before it gives what it has."""

Key = tuple[str, int, int]
"""A moment of a deal, told so that what comes later keeps its name when something before it is left
out."""


def moment(deal: Deal) -> Key:
    """What is to be done now: the n-th word of the auction or of the declaration, or whose card to
    which trick."""
    if deal.phase == "auction":
        return "auction", len(deal.auction.spoken), 0
    if deal.phase == "declare":
        return "declare", len(deal.actions) - len(deal.auction.spoken), 0
    if deal.phase == "vole" and not deal.tricks:
        return "announce", int(deal.declaration is not None and deal.declaration.ally_public), 0
    if deal.phase == "vole":
        return "vole", int(deal.asked), 0
    return "play", len(deal.tricks), deal.turn or 0


@frozen
class DealDraft:
    """A deal on its way: the scene, what is done on purpose, and which cards are kept where they
    were.

    Whatever is not done on purpose is the first action allowed; cards not kept lie in the order of
    the pack.
    """

    opening: MatchedStart
    wanted: Mapping[Key, Action]
    kept: frozenset[Card]


@frozen
class Tried:
    """A draft as played, up to where the rule sets diverge."""

    draft: DealDraft
    walk: PairedRun
    place: Contrast
    plainness: tuple[int, ...]

    @property
    def potential(self) -> tuple[tuple[int, ...], int]:
        """What every step makes smaller."""
        return self.plainness, len(self.draft.kept)


@frozen
class Shrunk:
    """The simplest divergent deal found.

    ``records`` are the deal under each, replayable under either; ``sentence`` tells what happens;
    ``rules`` are the paths of the rules that make the difference.  ``minimal``: no single step
    makes the deal plainer; otherwise the replays were used up.  ``plainness`` is as the module
    says, and ``replays`` how often the deal was played again.
    """

    opening: MatchedStart
    place: Contrast
    records: tuple[dict[str, Any], dict[str, Any]]
    sentence: str
    rules: tuple[str, ...]
    plainness: tuple[int, ...]
    replays: int
    minimal: bool


def shrink(
    pair: tuple[Compiled, Compiled],
    example_deals: Example | Iterable[Example],
    *,
    most: int = MOST_REPLAYS,
) -> Shrunk | None:
    """Shrink the simplest of these divergent deals; None when none of them diverges by the rules
    themselves.

    Both tables' records are looked at.  Costs at most ``most`` replays, and a few more to finish.
    """
    couple = Couple(pair[0].ruleset, pair[1].ruleset)
    shrinker = Shrinker(couple, most)
    several = [example_deals] if isinstance(example_deals, Example) else list(example_deals)
    best = shrinker.plainest(
        draft for example_deal in several for draft in _drafts(couple, example_deal)
    )
    if best is None:
        return None
    best, minimal = shrinker.reduce(best)
    opening, place = best.draft.opening, best.place
    deals = finish(couple, best)
    settled = [settled_of(rules, deal) for rules, deal in zip(couple.rules, deals, strict=True)]
    records = tuple(to_record(deal, s) for deal, s in zip(deals, settled, strict=True))
    return Shrunk(
        opening=opening,
        place=place,
        records=(records[0], records[1]),
        sentence=sentence_of(pair, place, deals, (settled[0], settled[1])),
        rules=leaves_at(couple, opening, best.walk.script, place),
        plainness=best.plainness,
        replays=shrinker.replays,
        minimal=minimal,
    )


def _drafts(couple: Couple, example_deal: Example) -> Iterator[DealDraft]:
    """The deal as either table played it, its players called by their seats."""
    for rules, record in zip(couple.rules, example_deal.records, strict=True):
        setup, actions = from_record(record)
        # whoever sat there, the eldest is A
        opening = replace(opening_of(rules, setup), players=())
        yield draft_of(couple, opening, [action for _, action in actions])


def draft_of(couple: Couple, opening: MatchedStart, script: Sequence[Action]) -> DealDraft:
    """A played deal as a draft, with every action scripted and every card fixed."""
    wanted: dict[Key, Action] = {}

    def choose(deal: Deal) -> Action | None:
        number = len(deal.actions)
        if number >= len(script):
            return None
        wanted[moment(deal)] = script[number]
        return script[number]

    side_by_side(couple, opening, choose, until_first=True)
    return DealDraft(opening, wanted, frozenset(PACK))


@dataclass(slots=True)
class Shrinker:
    """Where drafts are tried; counts the replays."""

    couple: Couple
    most: int = MOST_REPLAYS
    replays: int = 0

    @property
    def spent(self) -> bool:
        """Whether no more may be tried."""
        return self.replays >= self.most

    def attempt(self, draft: DealDraft) -> Tried | None:
        """Play a draft; None when the rule sets do not diverge in it."""
        self.replays += 1
        used: dict[Key, Action] = {}

        def choose(deal: Deal) -> Action | None:
            legal, key = deal.legal(), moment(deal)
            action = draft.wanted.get(key)
            if action is None or action not in legal:
                return legal[0]
            if action != legal[0]:
                used[key] = action
            return action

        walk = side_by_side(self.couple, draft.opening, choose, until_first=True)
        if not walk.places:
            return None
        place = walk.places[0]
        clean = DealDraft(draft.opening, used, draft.kept)
        return Tried(clean, walk, place, plainness_of(self.couple, clean, walk, place))

    def plainest(self, drafts: Iterable[DealDraft]) -> Tried | None:
        """The simplest of several that diverge."""
        tried = [t for t in map(self.attempt, drafts) if t is not None]
        return min(tried, key=lambda t: t.potential, default=None)

    def better(self, draft: DealDraft, than: Tried) -> Tried | None:
        """The draft as played, if it diverges and is simpler."""
        tried = self.attempt(draft)
        return tried if tried is not None and tried.potential < than.potential else None

    def reduce(self, best: Tried) -> tuple[Tried, bool]:
        """Take away what can be taken away; whether nothing more can."""
        while not self.spent:
            before = best.potential
            for portion in portions(len(PACK)):
                best = self.sweep(best, portion)
            if best.potential == before:
                return best, not self.spent
        return best, False

    def sweep(self, best: Tried, portion: int) -> Tried:
        """Every reduction in portions of that size, each applied to the current deal."""
        for steps in STEPS:
            done = 0
            while not self.spent:
                drafts = list(steps(self.couple, best, portion))
                found = None
                for number in range(done, len(drafts)):
                    found = self.better(drafts[number], best)
                    if found is not None or self.spent:
                        done = number
                        break
                if found is None:
                    break
                best = found
            if self.spent:
                return best
        return best


def portions(size: int) -> Iterator[int]:
    """All, half, a quarter and so on, down to one."""
    while size > 1:
        yield size
        size //= 2
    yield 1


# --- plainness ------------------------------------------------------------------------------------


def plainness_of(
    couple: Couple, draft: DealDraft, walk: PairedRun, place: Contrast
) -> tuple[int, ...]:
    """The sort key of divergent deals, the simplest first; see the module."""
    opening, deal = draft.opening, walk.deals[0]
    bids = sum(a.kind in ("bid", "name") for _, a in deal.auction.spoken)
    return (
        opening.multiplier - 1 + opening.beasts,
        opening.beyond.numerator + opening.beyond.denominator - 1,
        0 if opening.favourite is None else 1 + opening.favourite,
        bids,
        place.index,
        len(draft.wanted),
        *disorder(opening.hands),
        _size(walk),
    )


def disorder(hands: Hands) -> tuple[int, int]:
    """Suits in the hands, and runs of neighbours: four and four where each of four has a suit."""
    suits = sum(len({suit(c) for c in hand}) for hand in hands)
    runs = 0
    for hand in hands:
        held = sorted(hand)
        runs += 1 + sum(b != a + 1 or suit(a) != suit(b) for a, b in pairwise(held))
    return suits, runs


def _size(walk: PairedRun) -> int:
    """The size of the payment differences, where payments are what differs."""
    mine, theirs = (
        [] if s is None else [(t.source, t.target, t.amount) for t in s.transfers]
        for s in walk.settled
    )
    differing = [x for x in mine if x not in theirs] + [x for x in theirs if x not in mine]
    return sum(amount.numerator + amount.denominator for _, _, amount in differing)


# --- steps ----------------------------------------------------------------------------------------


def _state(couple: Couple, best: Tried, portion: int) -> Iterator[DealDraft]:
    """A simpler reachable state, the simplest first, and a simpler favourite suit."""
    opening = best.draft.opening
    now = (opening.multiplier - 1 + opening.beasts, opening.beyond)
    for state in reachable_states(couple):
        if (state.multiplier - 1 + state.beasts, state.beyond) < now:
            yield replace(best.draft, opening=replace(opening, **state._asdict()))
    for favourite in (None, Suit(0)):
        # where one is drawn there always is one
        sampled = any(r.favourite.source.startswith("drawn") for r in couple.rules)
        if opening.favourite and not (sampled and favourite is None):
            yield replace(best.draft, opening=replace(opening, favourite=favourite))


def _words(couple: Couple, best: Tried, portion: int) -> Iterator[DealDraft]:
    """What was said or played on purpose left out, in portions, the last first."""
    keys = list(best.draft.wanted)
    for start in range(0, len(keys), portion):
        gone = set(keys[::-1][start : start + portion])
        yield replace(
            best.draft, wanted={k: a for k, a in best.draft.wanted.items() if k not in gone}
        )


def _round(couple: Couple, best: Tried, portion: int) -> Iterator[DealDraft]:
    """The hands, and what their holders do, moved round the table towards the eldest."""
    hands = best.draft.opening.hands
    seats = len(hands)
    for by in range(1, seats):
        opening = replace(best.draft.opening, hands=hands[by:] + hands[:by])
        moved = {
            (what, n, (seat - by) % seats if what == "play" else seat): action
            for (what, n, seat), action in best.draft.wanted.items()
        }
        if best.draft.wanted:
            first = min((n for what, n, _ in moved if what == "auction"), default=0)
            earlier = {
                (what, n - min(by, first) if what == "auction" else n, seat): action
                for (what, n, seat), action in moved.items()
            }
            yield DealDraft(opening, earlier, best.draft.kept)


def _cards(couple: Couple, best: Tried, portion: int) -> Iterator[DealDraft]:
    """Free fixed cards, in portions."""
    kept = sorted(best.draft.kept)
    for start in range(0, len(kept), portion):
        stay = frozenset(kept[:start] + kept[start + portion :])
        yield replace(best.draft, opening=in_order(best.draft.opening, stay), kept=stay)


def _exchanges(couple: Couple, best: Tried, portion: int) -> Iterator[DealDraft]:
    """Two cards exchanged between hands, where that brings them among their neighbours."""
    if portion > 1:
        return
    hands = best.draft.opening.hands
    now = disorder(hands)
    for one, other in combinations(range(len(hands)), 2):
        for a in sorted(hands[one]):
            for b in sorted(hands[other]):
                change = {a: b, b: a}
                new = tuple(tuple(sorted(change.get(c, c) for c in hand)) for hand in hands)
                if disorder(new) < now:
                    yield replace(best.draft, opening=replace(best.draft.opening, hands=new))


STEPS: Final = (_state, _words, _round, _cards, _exchanges)
"""The kinds of steps, in the order in which they are tried."""


def in_order(opening: MatchedStart, kept: frozenset[Card]) -> MatchedStart:
    """The kept cards in their hands, the others dealt out in the order of the pack, hand by
    hand."""
    hands = [[c for c in hand if c in kept] for hand in opening.hands]
    rest = iter(c for c in PACK if c not in kept)
    for hand, whole in zip(hands, opening.hands, strict=True):
        hand.extend(next(rest) for _ in range(len(whole) - len(hand)))
    return replace(opening, hands=tuple(tuple(sorted(hand)) for hand in hands))


# --- the deal to its end --------------------------------------------------------------------------


ENDINGS: Final = 24
"""Ways in which a deal is played on, tried until one shows what the difference costs."""


def finish(couple: Couple, tried: Tried) -> tuple[Deal, Deal]:
    """Both deals to their end: at the place the tables do what only their own rules allow, if that
    is the difference.

    From there each player takes of what is allowed what comes first in some order of the cards, the
    same on both tables: the order of the pack, the reverse, or one shuffled.  Of the options and
    the orders the first are taken by which the payments come out differently; the first of all,
    where by none they do.
    """
    first = None
    options = range(max(1, *map(len, tried.place.only)) if tried.place.kind == "options" else 1)
    for number in range(ENDINGS):
        for option in options:
            deals = _played_out(couple, tried, option, number)
            nets = [s and s.net for s in (settled_of(deal.rules, deal) for deal in deals)]
            if nets[0] != nets[1]:
                return deals
            first = first or deals
    return not_none(first)


def _played_out(couple: Couple, tried: Tried, option: int, number: int) -> tuple[Deal, Deal]:
    order = list(PACK)
    if number == 1:
        order.reverse()
    elif number > 1:
        Stream(number, 0, 0, Purpose.PLAY).shuffle(order)
    places = {card: place for place, card in enumerate(order)}
    made = []
    for ruleset, only in zip(couple.sets, tried.place.only, strict=True):
        deal = Deal(ruleset, tried.draft.opening.setup(ruleset.rules))
        for action in tried.walk.script[: tried.place.index]:
            deal.apply(action)
        if tried.place.kind == "options" and only:
            text = only[min(option, len(only) - 1)]
            deal.apply(next(a for a in deal.legal() if str(a) == text))
        while not deal.over:
            legal = deal.legal()
            cards = [a for a in legal if a.kind == "play"]
            deal.apply(min(cards, key=lambda a: places[not_none(a.card)]) if cards else legal[0])
        made.append(deal)
    return made[0], made[1]
