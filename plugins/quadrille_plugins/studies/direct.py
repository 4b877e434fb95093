"""Replays the deals of one rule set's sessions under another, from the same session state: the
direct effect.

A deal is replayed with the same cards, seats and players' streams, and as its session stood:

* Pool: what the first rule set's pool held besides the antes of the deal is kept, and the second's
  own antes are put
  on top of it.  So where antes differ, their difference is part of the direct effect, and stakes
  carried are not.
* Multiplier: the number of times the deal counted, if the second counts losses; else once.
* Beasts: those nobody had won yet, if the second counts beasts.  Where the first does not count
  them, every lost game
  that put a beast into the pool since it was last taken counts as one.
* Favourite suit: the second's own, where it is fixed or drawn; where it is that of the session's
  first trumps, the
  trumps of the session that was played.

What the second cannot hold of a standing is left out, and the deals are counted: ``effects.LOST``.
Purses play no part.

``kernel.session.replay_sessions`` is the twin.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine.amounts import basic_stake, counts_beasts
from quadrille_core.engine.carry import antes_of, chairs_of, favourite_suit
from quadrille_core.engine.deal import names
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import counts_losses, times_counted
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules, RuleSet
from quadrille_plugins.deal.players import begins_anew, make_bot
from quadrille_plugins.deal.session import PlayedDeal, play_deal, play_streams, setup_of

ZERO = Fraction(0)
EVERY: Final = 4
"""Each so many-th session is replayed where a part of all will do."""


@frozen
class SessionState:
    """The session state before a deal, under one rule set."""

    pool: Fraction
    multiplier: int
    beasts: int
    favourite: Suit | None


def possible(states: Iterable[SessionState]) -> bool:
    """Whether these numbers can be session states; those read from a file may be invented."""
    return all(
        s.pool >= 0 and s.multiplier > 0 and s.beasts >= 0 and s.favourite in (None, *range(4))
        for s in states
    )


@frozen
class History:
    """The session state before a deal, independent of any rule set.

    ``beyond`` is what the pool held besides the deal's antes; ``beasts`` those nobody had won,
    counted whether or not the rules count them; ``waiting`` whether some were put apart;
    ``first_trumps`` the session's first trumps.
    """

    beyond: Fraction
    multiplier: int
    beasts: int
    counted: bool
    """Whether the rules count beasts."""
    waiting: bool
    first_trumps: Suit | None


def histories(
    rules: Rules, session: Sequence[PlayedDeal], *, anew: bool = False
) -> Iterator[History]:
    """The session state before each of its deals, played under these rules.

    ``anew``: every deal began as a session does.
    """
    antes, counted = basic_stake(rules.stakes, rules.table.players), counts_beasts(rules)
    lying, held = 0, ZERO
    first_trumps: Suit | None = None
    for played in session:
        pool = played.setup.pool
        yield History(
            beyond=pool - antes,
            multiplier=played.setup.multiplier,
            beasts=played.setup.beasts if counted else lying,
            counted=counted,
            waiting=held + antes > pool,
            first_trumps=first_trumps,
        )
        held = ZERO if anew else played.pool_after
        if played.settlement is not None:
            lying = (0 if played.settlement.pool_taken else lying) + bool(played.settlement.beast)
        lying = 0 if anew else lying
        trump = played.deal.trump
        if first_trumps is None and trump is not None and trump != NO_TRUMP:
            first_trumps = trump


def lost_of(rules: Rules, history: History) -> Counter[str]:
    """What of a standing these rules cannot hold, by LOST: 1 for each that they cannot."""
    found = Counter(
        multiplier=int(history.multiplier > 1 and not counts_losses(rules)),
        beasts=int(history.counted and history.beasts > 0 and not counts_beasts(rules)),
        waiting=int(history.waiting and rules.loss.beasts != "wait"),
    )
    found["any"] = int(any(found.values()))
    return +found


def state_under(
    rules: Rules, history: History, *, seed: int, session: int, deal: int
) -> SessionState:
    """The standing as these rules hold it, their own antes in the pool."""
    return SessionState(
        pool=history.beyond + basic_stake(rules.stakes, rules.table.players),
        multiplier=times_counted(rules, history.multiplier),
        beasts=history.beasts if counts_beasts(rules) else 0,
        favourite=favourite_suit(
            rules, seed=seed, session=session, deal=deal, first_trumps=history.first_trumps
        ),
    )


def play_from(
    ruleset: RuleSet,
    state: SessionState,
    bots: Sequence[str],
    *,
    seed: int,
    session: int,
    deal: int,
) -> PlayedDeal:
    """Play one deal of a session from a session state, without the players' balances."""
    seats = ruleset.rules.table.players
    setup = setup_of(
        ruleset.rules,
        names(seats),
        seed=seed,
        session=session,
        deal=deal,
        pool=state.pool,
        multiplier=state.multiplier,
        beasts=state.beasts,
        favourite=state.favourite,
    )
    chairs = chairs_of(deal, seats)
    at_table = play_deal(
        ruleset,
        setup,
        [make_bot(bots[c]) for c in chairs],
        play_streams(seed, session, deal, seats),
    )
    result = at_table.result()
    settlement = None if result is None else settle(ruleset.rules, result)
    nothing, antes = (ZERO,) * seats, antes_of(ruleset.rules, chairs)
    after = state.pool if settlement is None else settlement.pool_after
    return PlayedDeal(at_table, setup, chairs, antes, settlement, nothing, after, nothing)


Replay = tuple[list[PlayedDeal], list[Counter[str]]]
"""A session's deals replayed under other rules, and what of the standing of each they cannot hold
(``lost_of``)."""


def replay_session(
    rules: Rules,
    played: Sequence[PlayedDeal],
    ruleset: RuleSet,
    bots: Sequence[str],
    *,
    seed: int,
    session: int,
) -> Replay:
    """Every deal of a session that was played under ``rules``, replayed under ``ruleset`` from its
    standing there."""
    lost, replayed = [], []
    for deal, history in enumerate(histories(rules, played, anew=begins_anew(bots))):
        lost.append(lost_of(ruleset.rules, history))
        state = state_under(ruleset.rules, history, seed=seed, session=session, deal=deal)
        replayed.append(play_from(ruleset, state, bots, seed=seed, session=session, deal=deal))
    return replayed, lost
