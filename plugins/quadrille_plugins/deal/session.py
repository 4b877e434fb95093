"""Playing on: one deal by bots, and a session in which the pool, the deal and the purses carry
over.

A chair for each player stands round the table in the order of play; deal ``n`` of a session is
dealt by chair ``n - 1`` (the first by the last chair), so that the dealer of each deal is the
eldest hand of the one before, and seat ``s`` of deal ``n`` is chair ``n + s``, counted round.  A
redeal counts as a deal: its antes are put, the pool stands, and the deal passes on.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine.amounts import counts_beasts
from quadrille_core.engine.carry import (
    START,
    ZERO,
    antes_of,
    carried,
    chairs_of,
    favourite_suit,
    multiplier_of,
    refills_of,
    session_over,
    staked,
)
from quadrille_core.engine.deal import DealSetup, drawn_packets, names, shuffled_hands
from quadrille_core.engine.past import Past
from quadrille_core.engine.result import FUND, SCORE, Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules, RuleSet
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.deal.view import Bot, view_of

_UNLIMITED = (SCORE, FUND)
"""What holds no counters: it gives whatever it is asked for."""


class ConservationError(RuntimeError):
    """Counters have appeared or vanished: a fault in the product, never in what a user wrote."""


@frozen
class PlayedDeal:
    """One deal of a session as it stands at the readable engine's table, with all its words.

    ``chair_of_seat`` says which chair sat in each seat; ``antes`` and ``holdings`` are by chair,
    ``holdings`` after the deal; ``settlement`` is by seat, and None where the cards were redealt.
    What is counted of it stands in its record (``studies.sessions.record_of``).
    """

    deal: Deal
    chair_of_seat: tuple[int, ...]
    antes: tuple[Fraction, ...]
    settlement: Settlement | None
    holdings: tuple[Fraction, ...]
    pool_after: Fraction
    """All that is on the table, beasts that wait among it."""
    refills: tuple[Fraction, ...]
    """What each chair then got from the box."""
    first_trumps: Suit | None = None
    """Those of the session's first deal that had any, before this one."""
    lying: int = 0
    """Beasts that nobody had won yet, whether or not the rules count them."""
    waiting: int = 0
    """Beasts that were put apart."""

    @property
    def setup(self) -> DealSetup:
        """What was dealt."""
        return self.deal.setup

    @property
    def net_of_chair(self) -> tuple[Fraction, ...]:
        """What each chair won or lost by this deal, antes excluded."""
        net = [ZERO] * len(self.chair_of_seat)
        if self.settlement is not None:
            for seat, amount in enumerate(self.settlement.net):
                net[self.chair_of_seat[seat]] = amount
        return tuple(net)


def _lying_after(settlement: Settlement | None, lying: int) -> int:
    """How many beasts nobody has won yet, after a deal before which so many lay."""
    if settlement is None:
        return lying
    return (0 if settlement.pool_taken else lying) + bool(settlement.beast)


def play_streams(seed: int, session: int, deal: int, players: int) -> tuple[Stream, ...]:
    """A stream of randomness for each seat of a deal, independent of what the other seats draw."""
    return tuple(
        Stream(seed, session, deal * players + seat, Purpose.PLAY) for seat in range(players)
    )


def play_deal(
    ruleset: RuleSet, setup: DealSetup, bots: Sequence[Bot], streams: Sequence[Stream]
) -> Deal:
    """Play one deal to its end; bots and streams are by seat.  A bot is asked even where it has no
    choice."""
    deal = Deal(ruleset, setup)
    while (seat := deal.turn) is not None:
        deal.apply(bots[seat].choose(view_of(deal, seat), deal.legal(), streams[seat]))
    return deal


def setup_of(
    rules: Rules,
    called: Sequence[str],
    *,
    seed: int,
    session: int,
    deal: int,
    pool: Fraction,
    multiplier: int,
    beasts: int,
    favourite: Suit | None,
    past: Past,
) -> DealSetup:
    """The next deal from this session state; ``called`` are the players' names by chair."""
    seated = tuple(called[c] for c in chairs_of(deal, rules.table.players))
    return DealSetup(
        hands=shuffled_hands(seed, session, deal, rules),
        pool=pool,
        multiplier=multiplier,
        beasts=beasts,
        favourite=favourite,
        players=seated,
        packets=drawn_packets(seed, session, deal, rules),
        seed=seed,
        session=session,
        deal=deal,
        before=past.before(seated),
    )


def play_session(
    ruleset: RuleSet,
    bots: Sequence[Bot],
    *,
    seed: int,
    session: int,
    deals: int,
    players: tuple[str, ...] = (),
    anew: bool = False,
    play: Callable[[DealSetup], Deal] | None = None,
) -> Iterator[PlayedDeal]:
    """Play a session, deal by deal.  ``bots`` and ``players`` are by chair and keep their chairs;
    without names they are called by letters.  With ``anew`` every deal begins as a session does:
    what a deal leaves on the table is taken off it.  ``play`` plays a deal in the bots' stead, such
    as one whose actions are known.

    It is shorter where the rules end it when somebody cannot pay.  Raises LedgerError should purses
    and pool ever cease to add up to what they were.
    """
    rules = ruleset.rules
    seats = rules.table.players
    called = players or names(seats)
    holdings = [Fraction(rules.table.purse)] * seats
    carry = START
    total = sum(holdings, ZERO)
    written = ZERO
    first_trumps: Suit | None = None
    lying = 0
    for number in range(deals):
        chairs = chairs_of(number, seats)
        antes = antes_of(rules, chairs)
        for chair in range(seats):
            holdings[chair] -= antes[chair]
        setup = setup_of(
            rules,
            called,
            seed=seed,
            session=session,
            deal=number,
            pool=staked(rules, carry),
            multiplier=multiplier_of(rules, carry),
            beasts=carry.beasts,
            favourite=favourite_suit(
                rules, seed=seed, session=session, deal=number, first_trumps=first_trumps
            ),
            past=carry.past,
        )
        if play is None:
            deal = play_deal(
                ruleset,
                setup,
                [bots[c] for c in chairs],
                play_streams(seed, session, number, seats),
            )
        else:
            deal = play(setup)
        result = deal.result()
        settlement = None if result is None else settle(rules, result)
        if settlement is not None:
            for seat, amount in enumerate(settlement.net):
                holdings[chairs[seat]] += amount
            for t in settlement.transfers:
                written -= t.amount * ((t.source in _UNLIMITED) - (t.target in _UNLIMITED))
        lying = carry.beasts if counts_beasts(rules) else lying
        before = first_trumps, lying, len(carry.waiting)
        carry = carried(rules, carry, settlement, result)
        refills = refills_of(rules, holdings)
        for chair, purses in enumerate(refills):
            holdings[chair] += purses
            total += purses
        if (held := sum(holdings, ZERO) + carry.held + written) != total:
            raise ConservationError(
                f"deal {number} of session {session}: {held} counters, not {total}"
            )
        if first_trumps is None and deal.trump is not None and deal.trump != NO_TRUMP:
            first_trumps = deal.trump
        yield PlayedDeal(
            deal, chairs, antes, settlement, tuple(holdings), carry.held, refills, *before
        )
        lying = _lying_after(settlement, lying)
        if anew:
            written += carry.held
            carry, lying = START, 0
        if session_over(rules, holdings):
            return
