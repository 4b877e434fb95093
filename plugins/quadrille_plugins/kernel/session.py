"""Plays sessions under one rule set, and counts their records by the functions of ``counting``,
compiled here.

``deal.session.play_session`` and ``studies.direct`` define what is told here.  Every function lets
other threads run.
"""

from types import FunctionType
from typing import NamedTuple

from numba import int64

from quadrille_core.engine.deal_record import TAPED
from quadrille_plugins.kernel import counting
from quadrille_plugins.kernel import words as w
from quadrille_plugins.kernel.carry import (
    beasts,
    carried,
    multiplier_of,
    note_past,
    redealt,
    staked,
    start,
    start_past,
)
from quadrille_plugins.kernel.compiled import CompiledFunction, compiled, way_in
from quadrille_plugins.kernel.deal import begin, favourite_suit, set_table, shuffle, write_result
from quadrille_plugins.kernel.draws import FOR_PLAY, stream
from quadrille_plugins.kernel.emit import AUCTION, emit
from quadrille_plugins.kernel.measures import begin_noting, note_fall, throw_in, write_facts
from quadrille_plugins.kernel.settle import settle
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.kernel.slot import CompiledPlayer
from quadrille_plugins.kernel.state import MOST_EVENTS
from quadrille_plugins.kernel.table import DealStages

_AROUND = dict(vars(counting))
"""What a function of ``counting`` finds by name: of the others those compiled."""
for _name, (_signature, _is_way_in) in counting.SIGNATURES.items():
    _written = FunctionType(getattr(counting, _name).__code__, _AROUND, _name)
    _AROUND[_name] = (way_in if _is_way_in else compiled)(_signature, **OPTIONS)(_written)
globals().update({name: _AROUND[name] for name in counting.SIGNATURES})
count, count_lost = _AROUND["count"], _AROUND["count_lost"]


@compiled("void(out, deal, played, int64[::1])", **INLINED)
def _settle_deal(out, deal, record, tape):
    """Note a settlement behind the deal's events."""
    record.outcome, record.vole, record.trump = out.outcome, out.vole, deal.trump
    record.hombre, record.ally = deal.hombre, deal.ally
    record.matadors, record.premiers = deal.held, deal.made_premiers
    for seat in range(5):
        record.net[seat], record.tricks[seat] = out.net[seat], deal.won[seat]
    for account in range(len(record.moved)):
        record.moved[account] = out.net[-1 - account]
    place = deal.event
    record.transfers_at, record.transfers = place, out.count
    for n in range(out.count):
        paid = out.transfers[n]
        tape[place], tape[place + 1], tape[place + 2], tape[place + 3] = (
            paid.source,
            paid.target,
            paid.amount,
            paid.why,
        )
        place += TAPED
    deal.event = place


@compiled("boolean(rules, played, deal, int64)", **OPTIONS)
def _somebody_is_empty(rules, record, deal, number):
    """Whether the deal leaves a player with less than nothing."""
    players, empty = rules.table.players, False
    for seat in range(players):
        chair = (number + seat) % players
        deal.bank[chair] += record.net[seat] - rules.antes[seat]
        empty |= deal.bank[chair] < 0
    return empty


class SessionKernel(NamedTuple):
    """What Python calls of the kernel, compiled for one player."""

    play_sessions: CompiledFunction
    replay_sessions: CompiledFunction


def sessions_of(player: CompiledPlayer, table: DealStages) -> SessionKernel:  # noqa: C901
    """Sessions in which everybody plays as this player does; ``table`` is built of the same."""
    policy_type, of_player = player.policy, player.module
    draws, by_chair = player.draws, player.by_chair
    auction, declare, announce, play = table.auction, table.declare, table.announce, table.play

    @compiled(
        f"boolean(rules, {policy_type}, uint64, int64, int64, scratch, played, int64[::1])",
        of_player,
        **OPTIONS,
    )
    def play_deal(rules, policy, seed, session, number, scratch, record, tape):
        """Play and settle one deal whose standing is in ``scratch.deal``, and note it; False
        where it is redealt.

        It is not told exactly where ``deal`` is blocked or ``out`` inexact.
        """
        deal, result, out, players = scratch.deal, scratch.result, scratch.out, rules.table.players
        record.pool, record.times = deal.pool, deal.times
        record.beasts, record.favourite = deal.beasts, deal.favourite
        record.events_at = deal.event
        deal.event_end, deal.tape = deal.event + MOST_EVENTS, tape.ctypes.data
        shuffle(rules, seed, session, number, scratch)
        if draws:
            for seat in range(players):
                deal.streams[seat] = stream(seed, session, number * players + seat, int64(FOR_PLAY))
        if by_chair:
            deal.turn = number % players
        emit(deal, tape, w.EVENT.DEAL, players - 1, int64(AUCTION), int64(0))
        record.bid = record.trump = record.hombre = record.ally = -1
        record.vole = w.VOLES.NONE
        record.matadors = record.premiers = 0
        for seat in range(5):
            record.net[seat] = record.tricks[seat] = 0
        for account in range(len(record.moved)):
            record.moved[account] = 0
        out.inexact = 0
        if rules.recorded_count:
            begin_noting(deal, result)
        if rules.falls:
            note_fall(rules, deal, scratch.carry, number)
        if rules.throw_count and throw_in(rules, deal, tape):
            deal.redealt = 1
        elif auction(rules, policy, deal, tape, int64(0)):
            declare(rules, policy, deal, tape)
            set_table(rules, deal)
            announce(rules, policy, deal, tape, result, out)
            play(rules, policy, deal, tape, result, out, int64(0))
            record.events = deal.event - record.events_at
            write_result(rules, deal, result, out)
            if rules.recorded_count:
                write_facts(rules, deal, scratch.carry, number, result)
            settle(rules, result, out)
            if not out.inexact and not deal.blocked:
                record.bid = result.bid
                _settle_deal(out, deal, record, tape)
            return True
        record.events = deal.event - record.events_at
        record.outcome, record.transfers_at, record.transfers = w.OUTCOME.REDEALT, deal.event, 0
        return False

    @compiled(
        f"int64(rules, {policy_type}, uint64, int64, int64, boolean, scratch, played[::1], "
        "int64[::1])",
        of_player,
        **OPTIONS,
    )
    def play_session(rules, policy, seed, session, deals, anew, scratch, records, tape):
        """Play one session; returns its number of deals, or -1 when the kernel cannot represent it.

        ``records`` gets a row for each deal, ``tape`` its events and transfers.
        """
        first_trumps, lying = int64(-1), int64(0)
        deal, out, carry = scratch.deal, scratch.out, scratch.carry
        start(carry)
        if rules.asks_session:
            start_past(carry)
        deal.event = 0
        for chair in range(5):
            deal.bank[chair] = rules.table.purse
        for number in range(deals):
            favourite = favourite_suit(rules, seed, session, int64(number), first_trumps)
            begin(deal, staked(rules, carry), multiplier_of(rules, carry), beasts(carry), favourite)
            record = records[number]
            record.first_trumps, record.waiting = first_trumps, carry.waits
            record.lying = beasts(carry) if rules.counts_beasts else lying
            settled = play_deal(rules, policy, seed, session, int64(number), scratch, record, tape)
            if deal.blocked or out.inexact:
                return int64(-1)
            if settled:
                carried(rules, carry, out)
                if out.inexact:
                    return int64(-1)
                lying = (int64(0) if out.pool_taken else lying) + (out.beast != 0)
                if first_trumps < 0 and deal.trump < 4:
                    first_trumps = deal.trump
            else:
                redealt(rules, carry)
            if rules.asks_session and not anew:
                note_past(rules, carry, int64(number), record)
            if anew:
                start(carry)
                lying = int64(0)
            ends = rules.table.purse_empty == w.WHEN_EMPTY.SESSION_ENDS
            if ends and _somebody_is_empty(rules, record, deal, int64(number)):
                return int64(number + 1)
        return deals

    @way_in(
        f"void(rules, {policy_type}, uint64, int64, int64[::1], boolean, played[:, ::1], int64[:, "
        "::1], sums[::1], scratch)",
        of_player,
        **OPTIONS,
    )
    def play_sessions(rules, policy, seed, first, lengths, anew, records, tape, sums, scratch):
        """Play sessions ``first`` … of these lengths under one rule set; ``anew``: each deal begins
        as a session does.

        ``records`` is (sessions, deals), ``tape`` (sessions, numbers), ``sums``
        (sessions,), zeroed.
        """
        for n in range(len(lengths)):
            played = play_session(
                rules, policy, seed, first + n, lengths[n], anew, scratch, records[n], tape[n]
            )
            if played < 0:
                sums[n].blocked = 1
                continue
            for number in range(played):
                count(rules, records[n, number], sums[n])

    @way_in(
        f"void(rules, {policy_type}, rules, uint64, int64, int64, boolean, played[:, ::1], "
        "sums[::1], played[:, ::1], int64[:, ::1], sums[::1], int64[:, ::1], scratch)",
        of_player,
        **OPTIONS,
    )
    def replay_sessions(
        rules,
        policy,
        given_rules,
        seed,
        first,
        every,
        anew,
        given,
        given_sums,
        records,
        tape,
        sums,
        lost,
        scratch,
    ):
        """Play every deal of sessions that were played under other rules, each from the standing it
        had there.

        Of these sessions, ``first`` and on, those whose number ``every`` divides:
        ``studies.direct`` defines it. ``given`` and ``given_sums`` are what ``play_sessions`` left
        of the other rules.  ``records``, ``tape`` and ``sums``, zeroed, get the same of these;
        ``lost`` (sessions, LOST) counts the standings that they cannot hold; ``anew`` as of
        ``play_sessions``.
        """
        deal, carry = scratch.deal, scratch.carry
        for n in range(len(given_sums)):
            if given_sums[n].blocked or (first + n) % every:
                continue
            deal.event = 0
            if rules.asks_session:
                start_past(carry)
            for number in range(given_sums[n].deals):
                before, record = given[n, number], records[n, number]
                times, lying = count_lost(rules, given_rules, before, lost[n])
                favourite = favourite_suit(
                    rules, seed, int64(first + n), int64(number), before.first_trumps
                )
                begin(
                    deal,
                    before.pool - given_rules.basic_stake + rules.basic_stake,
                    times,
                    lying,
                    favourite,
                )
                record.first_trumps, record.waiting = before.first_trumps, before.waiting
                record.lying = before.lying
                play_deal(
                    rules, policy, seed, int64(first + n), int64(number), scratch, record, tape[n]
                )
                if deal.blocked or scratch.out.inexact:
                    sums[n].blocked = 1
                    break
                if rules.asks_session and not anew:
                    note_past(rules, carry, int64(number), before)
                count(rules, record, sums[n])

    play_sessions.player = player
    return SessionKernel(play_sessions, replay_sessions)
