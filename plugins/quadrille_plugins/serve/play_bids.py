"""The bids of a turn as a page offers them: first which game, then in which way, each with what it
undertakes and what it pays by the engine."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.amounts import counts_beasts
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import due, settle
from quadrille_core.engine.terms import plain_solo, times_counted, vole_level
from quadrille_core.frozen import frozen
from quadrille_core.rules import Bid, Rules
from quadrille_plugins.play.game import Game
from quadrille_plugins.shell.values import grouped


@frozen
class Way:
    """One way to bid a game: plain, in favourite, with the vole, or by naming trumps at once.

    ``won`` and ``lost`` are the net counters of the bidder with just the tricks undertaken, and
    with one too few (too many, where none is to be made); None where that hangs on more.
    """

    action: Action
    spec: BidSpec
    won: Fraction | None
    lost: Fraction | None


@frozen
class Offer:
    """A game that may be bid now, and the ways to bid it, the plainest first."""

    bid: Bid
    ways: tuple[Way, ...]


def offers(game: Game, legal: Sequence[Action]) -> list[Offer]:
    """The games among the legal actions, in their order; none where nothing is bid."""
    rules, setup = game.deal.rules, game.setup
    bids = tuple(
        (action, spec)
        for action in legal
        if (spec := _spec(rules, action, setup.favourite)) is not None
    )
    beasts = setup.beasts if counts_beasts(rules) else 0
    times = times_counted(rules, setup.multiplier)
    stakes = setup.players, setup.pool, setup.favourite, times, beasts
    ways = _reckoned(rules, stakes, game.seat, bids)
    found = grouped(((way.action.kind, way.spec.bid), way) for way in ways)
    return [Offer(rules.bids.of(bid), tuple(ways)) for (_, bid), ways in found.items()]


def _spec(rules: Rules, action: Action, favourite: Suit | None) -> BidSpec | None:
    """The bid that an action makes; None for an action that is no bid."""
    if action.kind == "name" and (solo := plain_solo(rules)) is not None:
        return BidSpec(solo[0], favourite=favourite is not None and action.suit == favourite)
    return action.bid


def _trump(bid: Bid, spec: BidSpec, named: Suit | None, favourite: Suit | None) -> Suit:
    """Trumps for which the bid may be reckoned: those named, else the favourite suit where it is
    bid, else another."""
    if bid.trump == "none":
        return NO_TRUMP
    if named is None and spec.favourite:
        named = favourite
    return Suit(int(favourite == 0)) if named is None else named


Stakes = tuple[tuple[str, ...], Fraction, Suit | None, int, int]
"""What of a deal decides what a game pays: names, pool, favourite suit, how often it counts,
beasts."""


@lru_cache(maxsize=256)
def _reckoned(
    rules: Rules, stakes: Stakes, seat: int, bids: tuple[tuple[Action, BidSpec], ...]
) -> list[Way]:
    found = []
    for action, spec in bids:
        trump = _trump(rules.bids.of(spec.bid), spec, action.suit, stakes[2])
        found.append(Way(action, spec, *paid(rules, stakes, seat, spec, trump)))
    return found


def paid(
    rules: Rules, stakes: Stakes, seat: int, spec: BidSpec, trump: Suit
) -> tuple[Fraction | None, Fraction | None]:
    """Net of the bidder where the game is just won and just lost, without matadors and premiers.

    An ally is reckoned with half of the side's tricks.  None where payments hang on facts of play.
    """
    if rules.own.recorded_facts():
        return None, None
    bid = rules.bids.of(spec.bid)
    hand = rules.table.hand_cards
    vole = vole_level(bid, spec.vole)
    goal = {"at_least": bid.tricks, "all": hand, "none": 0}["all" if vole != "none" else bid.goal]
    short = 1 if bid.goal == "none" else goal - 1
    players, pool, favourite, times, beasts = stakes
    n = len(players)
    seats = [(seat + step) % n for step in range(n)]
    allies = 2 if bid.partner == "called" else 1

    def net(made: int) -> Fraction:
        tricks = [0] * n
        for many, those in ((made, seats[:allies]), (hand - made, seats[allies:])):
            for trick in range(many):
                tricks[those[trick % len(those)]] += 1
        result = Result(
            players=players,
            pool=pool,
            contract=spec.bid,
            trump=trump,
            hombre=seat,
            tricks=tuple(tricks),
            favourite=favourite,
            ally=seats[1] if allies == 2 else None,
            surrendered=seats[1] if bid.exchange else None,
            also_surrendered=tuple(seats[2 : 1 + bid.cards_asked]) if bid.exchange else (),
            vole=vole,
            multiplier=times,
            beasts=beasts,
        )
        return settle(rules, replace(result, claims=due(rules, result))).net[seat]

    return net(goal), net(short)
