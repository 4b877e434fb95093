"""A game: a rule set, one deal with its pool and balances, one human seat, and the actions so far.

A game is a value.  What it looks like now follows from its actions by the engine (``Game.deal``),
so undoing is taking actions away, and two games are equal where everything that can be said of them
is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeVar

from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine.actions import Action
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.carry import (
    START,
    Carry,
    antes_of,
    carried,
    favourite_suit,
    multiplier_of,
    session_over,
    staked,
)
from quadrille_core.engine.deal import DealSetup, Hands, drawn_packets, shuffled_hands
from quadrille_core.engine.past import past_of
from quadrille_core.engine.result import Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import Command, IllegalActionError, UsageError
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.rules import Rules
from quadrille_core.ruleset import Compiled
from quadrille_core.stream import Purpose, Stream, mix
from quadrille_plugins.deal.players import make_bot, seated
from quadrille_plugins.deal.record import refuse_unpaid_incidents
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.play.reasons import reason

T = TypeVar("T")
STEADY: Final = "steady"
"""The bot that plays the other seats, and gives hints, where none is named."""


@dataclass(frozen=True)
class Game:
    """One deal that is being played.

    Seats count from the eldest hand (0) to the dealer (the last).  ``balances`` are what each seat
    has won or lost so far, this deal's ante included.  ``bots`` names the bot of each seat; that of
    the human seat gives the hints.
    """

    compiled: Compiled
    setup: DealSetup
    seat: int
    bots: tuple[str, ...]
    balances: tuple[Fraction, ...]
    actions: tuple[Action, ...] = ()
    waiting: tuple[Fraction, ...] = ()
    """Beasts put apart for later deals, the largest first."""

    @cached_property
    def deal(self) -> Deal:
        """The deal after the actions; raises IllegalActionError where one of them may not be
        taken."""
        deal = Deal(self.compiled.ruleset, self.setup)
        for action in self.actions:
            deal.apply(action)
        return deal

    @property
    def mine(self) -> bool:
        """Whether the human seat is in turn."""
        return self.deal.turn == self.seat

    @cached_property
    def settlement(self) -> Settlement | None:
        """Who pays whom; None while the deal is played, and where the cards are dealt again.

        Raises RecordError for incidents of a deal that is dealt again."""
        result = self.deal.result()
        refuse_unpaid_incidents(self.deal)
        return None if result is None else settle(self.deal.rules, result)

    @property
    def balances_after(self) -> tuple[Fraction, ...]:
        """The balances with what the settlement moves."""
        net = (
            (Fraction(0),) * len(self.balances) if self.settlement is None else self.settlement.net
        )
        return tuple(b + n for b, n in zip(self.balances, net, strict=True))


def new_game(
    compiled: Compiled, *, seed: int, seat: int = 0, bots: Sequence[str] = (STEADY,)
) -> Game:
    """The first deal of a session of this seed, as ``quadrille deal`` deals it.

    Where the favourite suit is that of a session's first trumps there is none yet.
    """
    rules = _of_tricks(compiled).ruleset.rules
    setup = _drawn(rules, seed, 0, 0, None)
    setup = replace(setup, pool=Fraction(table_stake(rules)))
    return from_setup(compiled, setup, (), seat=seat, bots=bots)


def next_deal(game: Game) -> Game:
    """The deal that follows in the session: pool, losses, beasts, balances and names carried, the
    deal passed on.

    The eldest hand deals, so that every seat is one lower and the human keeps the chair.  Cards of
    a position that names no seed are drawn by the position.  Raises UsageError while the deal is
    played, and where the rules end the session because somebody cannot pay.
    """
    if not game.deal.over:
        raise UsageError.of("deal-not-over")
    rules, setup = game.compiled.rules, game.setup
    players = rules.table.players
    purse = Fraction(rules.table.purse)
    if session_over(rules, [purse + b for b in game.balances_after]):
        raise UsageError.of("session-over")
    left = carried(rules, _carry(game), game.settlement, game.deal.result())
    seed = _key(game) >> 1 if setup.seed is None else setup.seed
    session, number = setup.session or 0, (setup.deal or 0) + 1
    trump = game.deal.trump
    first = setup.favourite
    if first is None and trump is not None and trump != NO_TRUMP:
        first = trump
    after = replace(
        _drawn(rules, seed, session, number, first),
        pool=staked(rules, left),
        multiplier=multiplier_of(rules, left),
        beasts=left.beasts,
        players=_passed(setup.players),
        before=left.past.before(_passed(setup.players)),
    )
    antes = antes_of(rules, tuple(range(players)))
    balances = tuple(b - a for b, a in zip(_passed(game.balances_after), antes, strict=True))
    seat = (game.seat - 1) % players
    return Game(game.compiled, after, seat, _passed(game.bots), balances, waiting=left.waiting)


def _drawn(
    rules: Rules, seed: int, session: int, number: int, first_trumps: Suit | None
) -> DealSetup:
    """The cards of a deal of the seed, how they are dealt, and the favourite suit."""
    return DealSetup(
        hands=shuffled_hands(seed, session, number, rules),
        pool=Fraction(0),
        favourite=favourite_suit(
            rules, seed=seed, session=session, deal=number, first_trumps=first_trumps
        ),
        packets=drawn_packets(seed, session, number, rules),
        seed=seed,
        session=session,
        deal=number,
    )


def _passed(by_seat: tuple[T, ...]) -> tuple[T, ...]:
    """What each seat has once the deal has passed on: the eldest hand is the dealer."""
    return (*by_seat[1:], *by_seat[:1])


def _carry(game: Game) -> Carry:
    """What the deals before left to this one."""
    rules, setup = game.compiled.rules, game.setup
    return replace(
        START,
        pool=setup.pool - table_stake(rules),
        losses=setup.multiplier - 1,
        standing=setup.beasts - len(game.waiting),
        waiting=game.waiting,
        past=past_of(setup.before, setup.players),
    )


def from_setup(
    compiled: Compiled,
    setup: DealSetup,
    actions: Sequence[tuple[str, Action]],
    *,
    seat: int = 0,
    bots: Sequence[str] = (STEADY,),
) -> Game:
    """A game from a position: a deal and what was done in it, each action with its player.

    Raises UsageError for a seat or bots that do not fit, IllegalActionError where the rules do not
    let it come to this.
    """
    rules = _of_tricks(compiled).ruleset.rules
    players = rules.table.players
    if not 0 <= seat < players:
        raise UsageError.of("no-seat", seat=seat + 1, players=players)
    antes = antes_of(rules, tuple(range(players)))
    setup = replace(setup, hands=in_order_dealt(setup, rules))
    game = Game(compiled, setup, seat, seated(bots, players), tuple(-a for a in antes))
    for player, action in actions:
        turn = game.deal.turn
        if turn is None or setup.players[turn] != player:
            now = "the deal is over" if turn is None else f"it is {setup.players[turn]}'s turn"
            raise IllegalActionError.of("cannot-here", player=player, action=action, now=now)
        game = done(game, action)
    return game


def in_order_dealt(setup: DealSetup, rules: Rules) -> Hands:
    """The hands as they were drawn, where that is known; else each in the order of the pack."""
    hands = tuple(tuple(sorted(h)) for h in setup.hands)
    if setup.seed is None or setup.session is None or setup.deal is None:
        return hands
    drawn = shuffled_hands(setup.seed, setup.session, setup.deal, rules)
    return drawn if tuple(tuple(sorted(h)) for h in drawn) == hands else hands


def _of_tricks(compiled: Compiled) -> Compiled:
    if compiled.kind != TRICKS:
        name = compiled.identity.profile
        raise UsageError.of(
            "for-tricks-only",
            name=name,
            article=KINDS[compiled.kind].article,
            command=Command("deal", (name,)),
        )
    return compiled


def done(game: Game, action: Action) -> Game:
    """The game after one more action; raises IllegalActionError when it may not be taken."""
    after = replace(game, actions=(*game.actions, action))
    _ = after.deal
    return after


# --- bots --------------------------------------------------------------------------------------


def chosen(game: Game) -> Action:
    """What the bot of the seat in turn does: it sees what that seat may see, and nothing else.

    Draws depend on the position alone, so a game that is taken up again goes on as it would have.
    """
    deal = game.deal
    seat = deal.turn
    if seat is None:
        raise IllegalActionError.of("deal-over")
    drawn = Stream(_key(game), 0, len(game.actions), Purpose.PLAY)
    return make_bot(game.bots[seat]).choose(view_of(deal, seat), deal.legal(), drawn)


def _key(game: Game) -> int:
    key = 0
    for seat, hand in enumerate(game.setup.hands):
        key = mix(key ^ sum(1 << card for card in hand) ^ seat)
    return key


def go_on(game: Game) -> Game:
    """The game when it is next the human's turn, or over."""
    while game.deal.turn is not None and not game.mine:
        game = done(game, chosen(game))
    return game


def undone(game: Game) -> Game:
    """The game before the human's last action; raises UsageError where there was none."""
    seats = [seat for seat, _ in game.deal.actions]
    if game.seat not in seats:
        raise UsageError.of("nothing-to-undo")
    last = len(seats) - 1 - seats[::-1].index(game.seat)
    return replace(game, actions=game.actions[:last])


def before(game: Game, count: int) -> Game:
    """The game when only its first ``count`` actions were done."""
    return replace(game, actions=game.actions[: max(0, count)])


def hint(game: Game) -> tuple[Action, str]:
    """What the bot of the human's seat would do, and what speaks for it by all that this seat may
    know."""
    action, legal = chosen(game), game.deal.legal()
    if len(legal) == 1:
        return action, "it is all that may be done"
    bot = game.bots[game.seat]
    why = reason(view_of(game.deal, game.seat), action, legal)
    choice = f"This is {bot}'s choice; it sees what you see and gives no reasons."
    return action, f"{why}. {choice}" if why else choice
