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
* Facts of the session: those of the deals that were played before it, whatever the first counts.
* Favourite suit: the second's own, where it is fixed or drawn; where it is that of the session's
  first trumps, the
  trumps of the session that was played.

What the second cannot hold of a standing is left out, and the deals are counted: ``effects.LOST``.
Purses play no part.

``kernel.session.replay_sessions`` is the twin.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import Suit
from quadrille_core.engine.carry import antes_of, chairs_of, favourite_suit
from quadrille_core.engine.deal import names
from quadrille_core.engine.deal_record import REDEALT, WON, DealRecord
from quadrille_core.engine.past import Facts, Past, past_of
from quadrille_core.engine.settle import settle
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules, RuleSet
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import PlayedDeal, play_deal, play_streams, setup_of
from quadrille_plugins.kernel.counting import count_lost

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
    before: Facts = ()
    """The facts of the session, where the rules ask for any."""


def past_of_records(rules: Rules, records: Sequence[DealRecord]) -> Past:
    """The deals of a session that had these records, where rules ask for facts of the session."""
    past = Past()
    for number, one in enumerate(records if rules.own.session_facts() else ()):
        hombre = "" if one.outcome == REDEALT else seated(rules, number)[one.hombre]
        past = past.after(hombre, alone=one.ally < 0, won=one.outcome == WON)
    return past


def seated(rules: Rules, deal: int) -> tuple[str, ...]:
    """The players' names at a deal of a session, by seat."""
    called = names(rules.table.players)
    return tuple(called[chair] for chair in chairs_of(deal, rules.table.players))


def possible(states: Iterable[SessionState]) -> bool:
    """Whether these numbers can be session states; those read from a file may be invented."""
    return all(
        s.pool >= 0 and s.multiplier > 0 and s.beasts >= 0 and s.favourite in (None, *range(4))
        for s in states
    )


def state_under(
    engine: Any,
    given: Any,
    before: DealRecord,
    lost: Any,
    past: Past,
    *,
    seed: int,
    session: int,
    deal: int,
) -> SessionState:
    """The standing of a deal that was played under ``given``, as these rules hold it, their own
    antes in the pool; what they cannot hold is counted in ``lost``.  ``past`` are the deals before
    it."""
    times, beasts = count_lost(engine.rules, given.rules, before, lost)
    first = None if before.first_trumps < 0 else Suit(before.first_trumps)
    return SessionState(
        pool=Fraction(before.pool - given.rules.basic_stake + engine.rules.basic_stake),
        multiplier=times,
        beasts=beasts,
        favourite=favourite_suit(
            engine.ruleset.rules, seed=seed, session=session, deal=deal, first_trumps=first
        ),
        before=past.before(seated(engine.ruleset.rules, deal)),
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
        past=past_of(state.before, seated(ruleset.rules, deal)),
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
    return PlayedDeal(at_table, chairs, antes, settlement, nothing, after, nothing)
