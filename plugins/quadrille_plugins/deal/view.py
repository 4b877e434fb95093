"""What one seat may know, and the protocol of a player who decides from it.

A view holds the seat's own cards, everything said and played in the open, and nothing else: no
other hand, no seed, no packets.  Two deals that differ only in cards the seat has not seen give
equal views.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import zip_longest
from typing import Protocol

from quadrille_core.cards import Card, Suit
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.declare import Declaration
from quadrille_core.engine.finished import Trick
from quadrille_core.engine.past import Facts
from quadrille_core.engine.table import Deal, Phase
from quadrille_core.frozen import frozen
from quadrille_core.rules import Bid, Rules, RuleSet, VoleLevel
from quadrille_core.stream import Stream


@frozen
class View:
    """The deal as one seat sees it.  Seats count from the eldest (0) to the dealer (the last)."""

    seat: int
    hand: tuple[Card, ...]
    """The seat's own cards, in the order of the pack."""
    ruleset: RuleSet
    players: tuple[str, ...]
    pool: Fraction
    multiplier: int
    """How many times the deal counts."""
    favourite: Suit | None
    phase: Phase
    turn: int | None
    auction: tuple[tuple[int, Action], ...]
    """Passes and bids so far, by seat."""
    standing: tuple[int, BidSpec] | None
    """The highest bid so far and whose it is."""
    contract: BidSpec | None
    """The bid that is played, once the auction is over."""
    bid: Bid | None
    """The rules of that bid."""
    forced: bool
    """Whether it fell on Hombre because all had passed."""
    hombre: int | None
    trump: Suit | None
    """The trumps named; NO_TRUMP where there are none; None before they are named."""
    invited: bool
    """Whether Hombre left naming trumps to the ally."""
    called: Card | None
    """The called card; of several the first."""
    ally: int | None
    """The ally, if this seat knows who it is; being the ally is known to oneself."""
    alone: bool | None
    """Whether Hombre plays alone, if this seat knows; None where a called card leaves it open."""
    surrendered: int | None
    """Who handed over the called card, where cards are exchanged."""
    given: Card | None
    """The card Hombre gave in exchange: known to them and to whoever got it."""
    exposed: tuple[tuple[int, tuple[Card, ...]], ...]
    """Cards still held that this seat has seen in another's hand, by seat."""
    tricks: tuple[Trick, ...]
    trick: tuple[Card, ...]
    """The cards of the trick now being played, in order."""
    leader: int
    """Who led, or is to lead, the trick now being played."""
    won: tuple[int, ...]
    """Tricks made so far, by seat."""
    premiers: bool
    """Whether premiers were made, as far as this seat can tell: made by a hidden ally they would
    betray them."""
    vole: VoleLevel
    asked: bool
    """Whether an ally has asked for the vole and waits for the answer."""
    before: Facts
    """The facts of the session that the rules ask for; none in its first deal."""
    further: tuple[tuple[Card, int, Card | None], ...] = ()
    """Each further card called in exchange, who handed it over, and what they got for it, if that
    is known here and done."""

    @property
    def calls(self) -> tuple[Card, ...]:
        """The cards called, in order."""
        return () if self.called is None else (self.called, *(card for card, *_ in self.further))

    @property
    def gifts(self) -> tuple[Card, ...]:
        """What this seat knows was given for them."""
        given = (self.given, *(gift for *_, gift in self.further))
        return tuple(card for card in given if card is not None)

    @property
    def rules(self) -> Rules:
        """The rules that are played."""
        return self.ruleset.rules


def view_of(deal: Deal, seat: int) -> View:
    """What this seat may know of the deal now."""
    d = deal.declaration
    ally, alone = _company(d, seat)
    exchanged = [] if d is None else list(_exchanged(d, seat))
    return View(
        seat,
        tuple(deal.hands[seat]),
        deal.ruleset,
        deal.setup.players,
        deal.setup.pool,
        deal.setup.multiplier,
        deal.setup.favourite,
        deal.phase,
        deal.turn,
        tuple(deal.auction.spoken),
        deal.auction.standing,
        None if d is None else d.spec,
        None if d is None else d.bid,
        deal.forced,
        None if d is None else d.hombre,
        None if d is None else d.trump,
        d is not None and d.invited,
        None if d is None else d.called,
        ally,
        alone,
        None if d is None else d.surrendered,
        exchanged[0][2] if exchanged else None,
        _exposed(deal, d, seat),
        tuple(deal.tricks),
        tuple(deal.trick),
        deal.leader,
        tuple(deal.won),
        deal.premiers and _may_know_premiers(deal, d, seat),
        deal.vole,
        deal.asked,
        deal.setup.before,
        tuple(exchanged[1:]),
    )


def _exchanged(d: Declaration, seat: int) -> Iterator[tuple[Card, int, Card | None]]:
    """Each card called in exchange, who handed it over, and what they got, if the seat knows."""
    if d.bid.exchange:
        for card, holder, gift in zip_longest(d.cards, d.holders, d.gifts):
            yield card, holder, gift if seat in (d.hombre, holder) else None


def _may_know_premiers(deal: Deal, d: Declaration | None, seat: int) -> bool:
    """Hombre's side knows, and so does everyone once the ally is known or Hombre took all those
    tricks themselves."""
    if d is None:
        return False
    first = deal.tricks[: deal.rules.premiers.tricks]
    return (
        seat in (d.hombre, d.ally)
        or _company(d, seat)[1] is not None
        or all(t.winner == d.hombre for t in first)
    )


def _company(d: Declaration | None, seat: int) -> tuple[int | None, bool | None]:
    """The ally as this seat knows it, and whether it knows Hombre to be alone."""
    if d is None:
        return None, None
    if d.bid.partner != "called":
        return None, True
    if d.called is None:
        return None, None
    if d.ally_public or seat in (d.ally, d.holder):
        return d.ally, d.ally is None
    return None, None


def _exposed(
    deal: Deal, d: Declaration | None, seat: int
) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """Cards seen in the others' hands and not yet played."""
    seen: dict[int, set[Card]] = {}
    for other, cards in deal.shown:
        seen.setdefault(other, set()).update(cards)
    if d is not None:
        if d.spec.vole == "revealed":
            seen[d.hombre] = set(deal.hands[d.hombre])
        if d.bid.exchange:
            seen.setdefault(d.hombre, set()).update(d.cards)
        known = seat == d.hombre or d.spec.vole == "revealed"
        for gift, holder in zip(d.gifts, d.holders, strict=False):
            if known or gift in seen.get(d.hombre, ()):
                seen.setdefault(holder, set()).add(gift)
    exposed = []
    for other in sorted(seen):
        cards = tuple(c for c in deal.hands[other] if c in seen[other])
        if other != seat and cards:
            exposed.append((other, cards))
    return tuple(exposed)


class Bot(Protocol):
    """Decides for a seat from the view, the legal actions and a random stream alone."""

    name: str

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        """One of the legal actions."""
        ...
