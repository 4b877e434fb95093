"""Facts of a deal, derived from its cards or its result (``quadrille_core.facts`` names them)."""

from collections.abc import Iterable, Sequence
from functools import cache

from quadrille_core.cards import NO_TRUMP, PACK, SUIT_LETTERS, Card, Suit, rank, suit
from quadrille_core.engine.past import Facts
from quadrille_core.engine.ranking import matadors, trumps
from quadrille_core.engine.result import Result
from quadrille_core.facts import KINDS, Fact, Measure, facts
from quadrille_core.plugin_rules import ForcedBid, ThrowIn, Within
from quadrille_core.rules import Rules

Taken = Sequence[tuple[int, Sequence[Card], int]]
"""Tricks in their order: who led, the cards, who took it."""


@cache
def cards_of(kind: str, trump: Suit) -> frozenset[Card]:
    """The cards of a kind, as ``facts.KINDS`` names it, under a trump or none."""
    if ranks := KINDS[kind].ranks:
        suits = KINDS[kind].suits
        return frozenset(c for c in PACK if rank(c) in ranks and SUIT_LETTERS[suit(c)] in suits)
    return frozenset(
        {
            "trumps": trumps(trump),
            "matadors": matadors(trump),
            "manille": () if trump == NO_TRUMP else trumps(trump)[1:2],
        }[kind]
    )


def recorded(
    names: Iterable[str],
    dealt: Sequence[Sequence[Card]],
    tricks: Taken,
    trump: Suit,
    before: Facts = (),
) -> Facts:
    """These facts of a deal with such hands and tricks, and such facts of the session."""
    found, known = [], dict(before)
    for name in names:
        if name not in facts():  # of a plugin's own
            continue
        if (fact := facts()[name]).of_session:
            found.append((name, known.get(name, none_of(fact, len(dealt)))))
            continue
        by_seat = [0] * len(dealt)
        kind, _, how = name.rpartition("_")
        if name == "leads":
            for leader, _, _ in tricks:
                by_seat[leader] += 1
        elif name in ("first_trick", "last_trick"):
            for _, _, winner in tricks[:1] if name == "first_trick" else tricks[-1:]:
                by_seat[winner] = 1
        elif how == "dealt":
            by_seat = [len(cards_of(kind, trump) & {*hand}) for hand in dealt]
        else:
            for _, cards, winner in tricks:
                by_seat[winner] += len(cards_of(kind, trump) & {*cards})
        found.append((name, tuple(by_seat)))
    return tuple(found)


def thrown_in(throws: Sequence[ThrowIn], dealt: Sequence[Sequence[Card]]) -> list[int]:
    """The seats whose hands are thrown in before the auction, the eldest first."""

    return [n for n, hand in enumerate(dealt) if any(_is_so(hand, t.facts) for t in throws)]


def _held(hand: Sequence[Card], measure: str) -> int:
    """How much of a fact ``…_dealt`` a hand has before trumps are named."""
    return len(cards_of(measure.removesuffix("_dealt"), NO_TRUMP) & {*hand})


def _of_player(before: Facts, seat: int, measure: str) -> int | None:
    """How much of a fact of the session a player has; None of a fact of hands."""
    if measure not in facts() or not facts()[measure].of_session:
        return None
    return dict(before)[measure][seat] if before else 0


def _is_so(
    hand: Sequence[Card], facts_: Iterable[Within], before: Facts = (), seat: int = 0
) -> bool:
    def number(measure: str) -> int:
        of_session = _of_player(before, seat, measure)
        return _held(hand, measure) if of_session is None else of_session

    return all(one.holds(number(one.measure)) for one in facts_)


def forced_seat(rules: Rules, dealt: Sequence[Sequence[Card]], before: Facts = ()) -> int | None:
    """On whom a bid falls when all have passed, ``before`` being the facts of the session; None
    where the cards are dealt again."""
    forced, how, seats = rules.forced_bid(), rules.forced_by(), range(len(dealt))
    if forced is None:
        return None
    if how is None:
        return next((s for s in seats if forced[1].forced_on in dealt[s]), None)
    if how.seat:
        return 0 if how.seat == "eldest" else seats[-1]
    fit = [s for s in seats if _is_so(dealt[s], how.facts, before, s)]
    if not how.most_of:
        return next(iter(fit), None)

    def most(seat: int) -> tuple[int, int]:
        of_session = _of_player(before, seat, how.most_of)
        return _held(dealt[seat], how.most_of) if of_session is None else of_session, -seat

    return max(fit, key=most, default=None)


def expects_forced(
    how: ForcedBid, hand: Sequence[Card], seat: int, seats: int, before: Facts = ()
) -> bool:
    """Whether a player who sees one hand may expect that a bid falls on it; of most, where it has
    half of all cards, or nobody has more of a fact of the session."""
    if how.seat:
        return seat == (0 if how.seat == "eldest" else seats - 1)
    if not _is_so(hand, how.facts, before, seat):
        return False
    of_all = [_of_player(before, s, how.most_of) or 0 for s in range(seats)]
    if not how.most_of or _of_player(before, seat, how.most_of) is not None:
        return of_all[seat] == max(of_all)
    return 2 * _held(hand, how.most_of) >= _held(PACK, how.most_of)


def none_of(fact: Fact, seats: int) -> tuple[int, ...]:
    """A fact of which there is none, as it is recorded."""
    return (0,) * (1 if fact.of == "deal" else seats)


def by_seats(result: Result, name: str) -> tuple[int, ...]:
    """A fact of seats, by seat; one that the result does not have is 0 for everybody."""
    seats = len(result.players)
    if name == "tricks":
        return result.tricks
    if name in ("dealer", "eldest"):
        one = seats - 1 if name == "dealer" else 0
        return tuple(int(seat == one) for seat in range(seats))
    return dict(result.facts).get(name, (0,) * seats)


def measured(rules: Rules, result: Result, measure: Measure) -> int:
    """How much there is of a fact in this result."""
    if measure.fact == "matadors":
        return result.matadors
    fact = rules.own.fact(measure.fact)
    if fact.of == "deal" and not fact.from_result:
        return dict(result.facts).get(fact.name, (0,))[0]
    if fact.of == "deal":
        bid, made = rules.bids.of(result.contract), result.side_tricks()
        goal = bid.tricks if bid.goal == "at_least" else rules.table.hand_cards
        wanting = made if bid.goal == "none" else goal - made
        return max(0, -wanting if measure.fact == "tricks_above" else wanting)
    members = {
        "hombre": (result.hombre,),
        "ally": () if result.ally is None else (result.ally,),
        "side": result.side(),
        "adversaries": result.adversaries(),
        "all": range(len(result.players)),
    }[measure.group]
    counts = by_seats(result, measure.fact)
    return sum(counts[seat] for seat in members)
