"""Sessions played one after another under one rule set, and two plays of the same deals held side by side.

``engine.session.play_session`` and ``study.observe`` define what is told here.  Every function lets other threads run.
"""

from typing import NamedTuple

from numba import int64

from quadrille_plugins.fast import events as told
from quadrille_plugins.fast import layout as money
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast import session_layout as of
from quadrille_plugins.fast.carry import beasts, carried, multiplier_of, redealt, staked, start
from quadrille_plugins.fast.compiled import Compiled, compiled, way_in
from quadrille_plugins.fast.deal import begin, favourite_suit, set_table, shuffle, write_result
from quadrille_plugins.fast.draws import FOR_PLAY, stream
from quadrille_plugins.fast.say import AUCTION, tell
from quadrille_plugins.fast.settle import settle
from quadrille_plugins.fast.shares import INLINED, OPTIONS
from quadrille_plugins.fast.slot import CompiledPlayer
from quadrille_plugins.fast.table import Table

SETTLED = money.O_TRANSFERS
RESULT_AT = at_deal.SIZE
OUT_AT = RESULT_AT + money.RES_SIZE
CARRY_AT = OUT_AT + money.OUT_SIZE
NUMBERS = CARRY_AT + money.CARRY_SIZE
CARDS = at_deal.WORDS + 40
"""The room that ``play_sessions`` works in."""


@compiled("void(int64[::1], int64, int64, int64)", **OPTIONS)
def _add(sums, place, square, amount):
    sums[place] += amount
    sums[square] += (amount * amount) & 0x7FFFFFFF
    sums[square + 1] += (amount * amount) >> 31


@compiled("int64(int64[::1])", **INLINED)
def _antes(rules):
    """What the antes of one deal come to."""
    return rules[at.ANTE] * (1 if rules[at.ANTE_BY_DEALER] else rules[at.PLAYERS])


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def _count(rules, deal, sums):
    """Add one deal to its session's sums, as ``study.observe`` does."""
    players = rules[at.PLAYERS]
    sums[of.DEALS] += 1
    sums[of.POOL_BEFORE] += deal[of.POOL]
    antes = _antes(rules)
    sums[of.ACCOUNTS + (0 if deal[of.OUTCOME] == of.REDEALT else 1)] -= antes
    sums[of.ACCOUNTS + 2] += antes + deal[of.MOVED]
    sums[of.ACCOUNTS + 3] += deal[of.MOVED + 1]
    sums[of.ACCOUNTS + 4] += deal[of.MOVED + 2]
    for seat in range(players):
        ante = rules[at.ANTE] if not rules[at.ANTE_BY_DEALER] or seat == players - 1 else int64(0)
        _add(sums, int64(of.SEATS + seat), int64(of.SQUARES + 2 * seat), deal[of.NET + seat] - ante)
    if deal[of.OUTCOME] == of.REDEALT:
        sums[of.ENDINGS + 3 * rules[at.BIDS]] += 1
        return
    sums[of.ENDINGS + 3 * deal[of.BID] + deal[of.OUTCOME]] += 1
    if deal[of.HOW_VOLE]:
        sums[of.VOLES_WON + deal[of.HOW_VOLE] - 1] += 1
    for seat in range(players):
        role = int64(0) if seat == deal[of.HOMBRE] else int64(1) if seat == deal[of.ALLY] else int64(2)
        sums[of.ROLE_COUNTS + role] += 1
        _add(sums, of.ROLES + role, of.SQUARES + 10 + 2 * role, deal[of.NET + seat])


@compiled("void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])", **INLINED)
def _settle_deal(rules, out, deal, record, tape):
    """Note a settlement behind the deal's events."""
    record[of.OUTCOME], record[of.HOW_VOLE] = out[money.O_OUTCOME], out[money.O_HOW_VOLE]
    record[of.HOMBRE], record[of.ALLY] = deal[at_deal.HOMBRE], deal[at_deal.ALLY]
    for seat in range(5):
        record[of.NET + seat] = out[money.O_NET + seat]
    for account in range(3):
        record[of.MOVED + account] = out[money.O_NET - 1 - account]
    place = deal[at_deal.EVENT]
    record[of.TRANSFERS_AT], record[of.TRANSFERS] = place, out[money.O_COUNT]
    for n in range(money.TRANSFER * out[money.O_COUNT]):
        tape[place + n] = out[SETTLED + n]
    deal[at_deal.EVENT] = place + money.TRANSFER * out[money.O_COUNT]


@compiled("boolean(int64[::1], int64[::1], int64[::1], int64)", **OPTIONS)
def _somebody_is_empty(rules, record, bank, number):
    """Whether the deal leaves a player with less than nothing; ``bank`` is what each chair holds."""
    players, empty = rules[at.PLAYERS], False
    for seat in range(players):
        ante = rules[at.ANTE] if not rules[at.ANTE_BY_DEALER] or seat == players - 1 else int64(0)
        chair = (number + seat) % players
        bank[chair] += record[of.NET + seat] - ante
        empty |= bank[chair] < 0
    return empty


@compiled("void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])", **OPTIONS)
def _count_lost(money_rules, given_money, given, lost, wanted):
    """Count what of a deal's standing these rules cannot hold; ``wanted`` gets its times and beasts as they hold it."""
    times = given[of.TIMES] > 1 and money_rules[money.M_LOSSES_COUNTED] == 0
    counted = given_money[money.M_COUNTS_BEASTS] != 0 and money_rules[money.M_COUNTS_BEASTS] == 0
    there = counted and given[of.BEASTS] > 0
    apart = given[of.WAITING] > 0 and money_rules[money.M_BEASTS_WAIT] == 0
    lost[of.LOST_TIMES] += times
    lost[of.LOST_BEASTS] += there
    lost[of.LOST_WAITING] += apart
    lost[of.LOST_ANY] += times or there or apart
    wanted[0] = given[of.TIMES] if money_rules[money.M_LOSSES_COUNTED] else 1
    wanted[1] = given[of.LYING] if money_rules[money.M_COUNTS_BEASTS] else 0


class Sessions(NamedTuple):
    """What Python calls of the kernel, compiled for one player."""

    play_sessions: Compiled
    replay_sessions: Compiled


def sessions_of(player: CompiledPlayer, table: Table) -> Sessions:
    """Sessions in which everybody plays as this player does; ``table`` is built of the same."""
    mind_type, of_player, draws = player.mind, player.module, player.draws
    auction, declare, announce, play = table.auction, table.declare, table.announce, table.play

    @compiled(
        f"boolean(int64[::1], uint64[::1], int64[::1], {mind_type}, uint64, int64, int64, int64[::1], uint64[::1],"
        "int64[::1], int64[::1], int64[::1], int64[::1])",
        of_player, **OPTIONS,
    )  # fmt: skip
    def play_deal(rules, order, money_rules, mind, seed, session, number, deal, hands, result, out, record, tape):
        """Play and settle one deal whose standing is in ``deal``, and note it; False where the cards are redealt.

        It is not told exactly where ``deal`` is BLOCKED or ``out`` INEXACT.
        """
        players = rules[at.PLAYERS]
        record[of.POOL], record[of.TIMES] = deal[at_deal.POOL], deal[at_deal.TIMES]
        record[of.BEASTS], record[of.FAVOURITE] = deal[at_deal.BEASTS], deal[at_deal.FAVOURITE]
        record[of.EVENTS_AT] = deal[at_deal.EVENT]
        deal[at_deal.EVENT_END] = deal[at_deal.EVENT] + of.MOST_EVENTS
        shuffle(order, seed, session, number, players, hands[at_deal.WORDS :], hands)
        if draws:
            for seat in range(players):
                hands[at_deal.STREAMS + seat] = stream(seed, session, number * players + seat, int64(FOR_PLAY))
        tell(deal, tape, told.DEAL, players - 1, int64(AUCTION), int64(0))
        record[of.BID] = record[of.HOMBRE] = record[of.ALLY] = -1
        record[of.HOW_VOLE] = 0
        for place in range(of.NET, of.DEAL_SIZE):
            record[place] = 0
        out[money.O_INEXACT] = 0
        if auction(rules, order, mind, deal, hands, tape, int64(0)):
            declare(rules, order, mind, deal, hands, tape)
            set_table(rules, order, deal, hands)
            announce(rules, money_rules, mind, deal, hands, tape, result, out)
            play(rules, order, money_rules, mind, deal, hands, tape, result, out, int64(0))
            record[of.EVENTS] = deal[at_deal.EVENT] - record[of.EVENTS_AT]
            write_result(rules, money_rules, deal, result, out)
            settle(money_rules, result, out)
            if out[money.O_INEXACT] or deal[at_deal.BLOCKED]:
                return True
            record[of.BID] = result[money.R_BID]
            _settle_deal(rules, out, deal, record, tape)
            return True
        record[of.EVENTS] = deal[at_deal.EVENT] - record[of.EVENTS_AT]
        record[of.OUTCOME], record[of.TRANSFERS_AT], record[of.TRANSFERS] = of.REDEALT, deal[at_deal.EVENT], 0
        return False

    @compiled(
        f"int64(int64[::1], uint64[::1], int64[::1], {mind_type}, uint64, int64, int64, boolean, int64[::1],"
        "uint64[::1], int64[::1], int64[::1], int64[::1], int64[:, ::1], int64[::1])",
        of_player, **OPTIONS,
    )  # fmt: skip
    def play_session(
        rules, order, money_rules, mind, seed, session, deals, anew, deal, hands, result, out, carry, records, tape
    ):  # fmt: skip
        """Play one session; returns how many deals it had, -1 when it cannot be told here.

        ``records`` gets a row for each deal, ``tape`` its events and transfers.
        """
        first_trumps, lying = int64(-1), int64(0)
        purses = rules[at.PURSE]
        start(carry)
        for field in range(at_deal.SIZE):
            deal[field] = 0
        deal[at_deal.EVENT] = 0
        bank = deal[at_deal.BANK :]
        for chair in range(5):
            bank[chair] = purses
        for number in range(deals):
            favourite = favourite_suit(rules, seed, session, int64(number), first_trumps)
            begin(deal, staked(money_rules, carry), multiplier_of(money_rules, carry), beasts(carry), favourite)
            record = records[number]
            record[of.FIRST_TRUMPS], record[of.WAITING] = first_trumps, carry[money.C_WAITS]
            record[of.LYING] = beasts(carry) if money_rules[money.M_COUNTS_BEASTS] else lying
            settled = play_deal(
                rules, order, money_rules, mind, seed, session, int64(number), deal, hands, result, out, record, tape
            )
            if deal[at_deal.BLOCKED] or out[money.O_INEXACT]:
                return int64(-1)
            if settled:
                carried(money_rules, carry, out)
                if out[money.O_INEXACT]:
                    return int64(-1)
                lying = (int64(0) if out[money.O_POOL_TAKEN] else lying) + (out[money.O_BEAST] != 0)
                if first_trumps < 0 and deal[at_deal.TRUMP] < 4:
                    first_trumps = deal[at_deal.TRUMP]
            else:
                redealt(money_rules, carry)
            record[of.POOL_AFTER] = carry[money.C_POOL]
            if anew:
                start(carry)
                lying = int64(0)
            if rules[at.ENDS_WHEN_EMPTY] and _somebody_is_empty(rules, record, bank, int64(number)):
                return int64(number + 1)
        return deals

    @way_in(
        f"void(int64[::1], uint64[::1], int64[::1], {mind_type}, uint64, int64, int64[::1], boolean, int64[:, :, ::1],"
        "int64[:, ::1], int64[:, ::1], int64[::1], uint64[::1])",
        of_player, **OPTIONS,
    )  # fmt: skip
    def play_sessions(
        rules, order, money_rules, mind, seed, first, lengths, anew, records, tape, sums, numbers, cards
    ):  # fmt: skip
        """Play sessions ``first`` … of these lengths under one rule set; ``anew``: each deal begins as a session does.

        ``records`` is (sessions, deals, DEAL_SIZE), ``tape`` (sessions, room), ``sums`` (sessions, session_size),
        zeroed; ``numbers`` (NUMBERS,) and ``cards`` (CARDS,) are room to work in.
        """
        deal, result = numbers[:RESULT_AT], numbers[RESULT_AT:OUT_AT]
        out, carry = numbers[OUT_AT:CARRY_AT], numbers[CARRY_AT:NUMBERS]
        for n in range(len(lengths)):
            played = play_session(
                rules, order, money_rules, mind, seed, first + n, lengths[n], anew, deal, cards, result, out, carry,
                records[n], tape[n],
            )  # fmt: skip
            if played < 0:
                sums[n, of.BLOCKED] = 1
                continue
            for number in range(played):
                _count(rules, records[n, number], sums[n])

    @way_in(
        f"void(int64[::1], uint64[::1], int64[::1], {mind_type}, int64[::1], int64[::1], uint64, int64,"
        "int64[:, :, ::1], int64[:, ::1], int64[:, :, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1],"
        "uint64[::1])",
        of_player, **OPTIONS,
    )  # fmt: skip
    def replay_sessions(
        rules, order, money_rules, mind, given_rules, given_money, seed, first, given, given_sums, records, tape, sums,
        lost, numbers, cards,
    ):  # fmt: skip
        """Play every deal of sessions that were played under other rules, each from the standing it had there.

        ``study.direct`` defines it.  ``given`` and ``given_sums`` are what ``play_sessions`` left of the other rules.
        ``records``, ``tape`` and ``sums``, zeroed, get the same of these; ``lost`` (sessions, LOST) counts the
        standings that they cannot hold.
        """
        deal, result = numbers[:RESULT_AT], numbers[RESULT_AT:OUT_AT]
        out, wanted = numbers[OUT_AT:CARRY_AT], numbers[CARRY_AT:NUMBERS]
        for n in range(len(given_sums)):
            if given_sums[n, of.BLOCKED]:
                continue
            for field in range(at_deal.SIZE):
                deal[field] = 0
            for number in range(given_sums[n, of.DEALS]):
                before, record = given[n, number], records[n, number]
                _count_lost(money_rules, given_money, before, lost[n], wanted)
                favourite = favourite_suit(rules, seed, int64(first + n), int64(number), before[of.FIRST_TRUMPS])
                pool = before[of.POOL] - _antes(given_rules) + _antes(rules)
                begin(deal, pool, wanted[0], wanted[1], favourite)
                record[of.FIRST_TRUMPS], record[of.WAITING] = before[of.FIRST_TRUMPS], before[of.WAITING]
                record[of.LYING] = before[of.LYING]
                play_deal(
                    rules, order, money_rules, mind, seed, int64(first + n), int64(number), deal, cards, result, out,
                    record, tape[n],
                )  # fmt: skip
                if deal[at_deal.BLOCKED] or out[money.O_INEXACT]:
                    sums[n, of.BLOCKED] = 1
                    break
                record[of.POOL_AFTER] = record[of.POOL] + record[of.MOVED]
                _count(rules, record, sums[n])

    return Sessions(play_sessions, replay_sessions)


@way_in("int64(int64[::1], int64[::1], int64[::1], int64[::1])", **OPTIONS)
def part(a, tape_a, b, tape_b):
    """Where two plays of the same cards first differ: ``study.observe.part``."""
    shorter = min(a[of.EVENTS], b[of.EVENTS])
    for n in range(shorter):
        x, y = tape_a[a[of.EVENTS_AT] + n], tape_b[b[of.EVENTS_AT] + n]
        if x != y:
            return of.AT_PLAY if (x | y) >> 8 & 1 else of.AT_AUCTION
    if a[of.EVENTS] != b[of.EVENTS]:
        return of.AT_PLAY
    if a[of.TRANSFERS] != b[of.TRANSFERS]:
        return of.AT_SETTLEMENT
    for n in range(a[of.TRANSFERS]):
        x, y = a[of.TRANSFERS_AT] + money.TRANSFER * n, b[of.TRANSFERS_AT] + money.TRANSFER * n
        for field in range(money.T_AMOUNT + 1):
            if tape_a[x + field] != tape_b[y + field]:
                return of.AT_SETTLEMENT
    return of.SAME
