"""Deals that ``seer`` imagines, weighed by what was played, and played out: everybody goes on as ``steady`` does.

A game under way is given as at its first lead (``game``, laid out as in ``kernel.memory``) with the cards played since
(``played``, in order) and what is known of them: ``FACTS``.  Hands are masks of the pack.  Amounts are those of
``tables.money`` times the number of players, the part in what stays in the pool among them.
"""

from numba import int64

from quadrille_plugins.fast import layout as money
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import home_bit
from quadrille_plugins.fast.bits import ONE, ZERO
from quadrille_plugins.fast.cards import TRUMPS, lane_of, legal
from quadrille_plugins.fast.compiled import compiled, way_in
from quadrille_plugins.fast.deal import note_trick, set_table, vole_is_due, write_result
from quadrille_plugins.fast.declare import callable_cards, reveal
from quadrille_plugins.fast.say import PLAY
from quadrille_plugins.fast.settle import settle
from quadrille_plugins.fast.shares import OPTIONS
from quadrille_plugins.players.kernel_steady import TABLE
from quadrille_plugins.players.kernel_steady_bids import MIND
from quadrille_plugins.players.kernel_steady_cards import choose_card
from quadrille_plugins.seer.kernel_draw import ROOM, doubts, draw, home_of

play, trick = TABLE.play, TABLE.trick
F_ME, F_VOLE, F_PUBLIC, F_CALL_TELLS, F_CALL_TRUMP, F_UNLIKE, FACTS = range(7)
"""The seat that imagines; whether the vole has been undertaken; whether all know the ally; whether it tells something
that Hombre called as she did, and the trump when she did (4 for none, -1 for none named yet); how often a deal is
halved for each card that ``steady`` would not have played on it."""
MISCALLED = 6
"""How often a deal is halved on which Hombre could not have called what she did."""
HEAVIEST = 40
"""The weight of a deal that nothing speaks against is 2 to this power."""
G_ALLY, G_HELD, G_AGAINST, GAME = range(4)
"""What a deal makes of the game: the ally, the matadors that count for her side and those against."""

RESULT_AT = at_deal.SIZE
OUT_AT = RESULT_AT + money.RES_SIZE
BEFORE_AT = OUT_AT + money.OUT_SIZE
ROOM_AT = BEFORE_AT + at_deal.HAND
NUMBERS = ROOM_AT + ROOM
BEGAN_AT = at_deal.WORDS
KEPT_AT = BEGAN_AT + 5
WORDS = KEPT_AT + at_deal.WORDS
"""The room that play-outs work in."""


@compiled("void(int64[::1], uint64[::1], int64[::1], uint64[::1], uint64[::1])", **OPTIONS)
def seat_hands(rules, order, deal, began, hands):
    """Give the seats the hands that they hold at this point of the declaration, and find who holds the called card."""
    players, block, called = rules[at.PLAYERS], deal[at_deal.BID], deal[at_deal.CALLED]
    for seat in range(players):
        hands[at_deal.HANDS + seat] = hands[at_deal.DEALT + seat] = began[seat]
    deal[at_deal.HOLDER] = deal[at_deal.ALLY] = -1
    if called < 0:
        return
    card, hombre, given = home_bit(order, called), deal[at_deal.HOMBRE], deal[at_deal.GIVEN]
    if rules[block + at.EXCHANGE]:
        giver = deal[at_deal.SURRENDERED]
        deal[at_deal.HOLDER] = giver
        if giver != hombre:  # matadors may count as dealt
            hands[at_deal.DEALT + hombre] &= ~card
            hands[at_deal.DEALT + giver] |= card
            if given >= 0:
                card = home_bit(order, given)
                hands[at_deal.DEALT + giver] &= ~card
                hands[at_deal.DEALT + hombre] |= card
    else:
        for seat in range(players):
            if began[seat] & card:
                deal[at_deal.HOLDER] = seat
    if rules[block + at.CALLED] and deal[at_deal.HOLDER] != hombre:
        deal[at_deal.ALLY] = deal[at_deal.HOLDER]


@compiled("int64(int64[::1], uint64[::1], int64[::1], uint64[::1], int64, int64)", **OPTIONS)
def unlike(rules, order, deal, hands, lying, me):
    """Of the cards lying in the trick, all still in the hands, those that ``steady`` would not have played."""
    players, trump = rules[at.PLAYERS], deal[at_deal.TRUMP]
    known, gone, other = deal[at_deal.PUBLIC], hands[at_deal.PLAYED], int64(0)
    seat, winner, best, led = deal[at_deal.LEADER], deal[at_deal.LEADER], ZERO, ZERO
    behind, table = (int64(1) << players) - 1, ZERO
    for played in range(lying):
        hand, card = hands[at_deal.HANDS + seat], hands[at_deal.TRICK + played]
        behind ^= int64(1) << seat
        cards = legal(order, rules, trump, hand, led, table)
        if seat != me and cards & (cards - ONE):
            other += card != choose_card(rules, order, deal, hands, seat, int64(played), cards, best, winner, behind)
        table |= card
        hands[at_deal.PLAYED] |= card
        if card == hands[at_deal.CALLED_BIT]:
            deal[at_deal.PUBLIC] = 1
        if played == 0:
            led = best = card
        elif card > best and card & (lane_of(led) | TRUMPS):
            best, winner = card, seat
        seat = seat + 1 if seat + 1 < players else int64(0)
    deal[at_deal.PUBLIC], hands[at_deal.PLAYED] = known, gone
    return other


@compiled(
    f"int64(int64[::1], uint64[::1], {MIND}, int64[::1], uint64[::1], uint64[::1], int64[::1], int64[::1], boolean)",
    **OPTIONS,
)
def replay(rules, order, mind, deal, began, hands, played, facts, judged):
    """Play what was played on hands that began so (in the home order).

    Returns, if they are to be ``judged``, how many cards ``steady`` would not have played.  ``deal`` is the game at its
    first lead.  The cards of a trick not complete lie there, and are still in the hands.
    """
    players, other = rules[at.PLAYERS], int64(0)
    seat_hands(rules, order, deal, began, hands)
    set_table(rules, order, deal, hands)
    card_at = deal[at_deal.TRUMP] * at.ORDER_SIZE + at.BIT_OF
    begin = int64(0)
    while True:
        lying = min(players, len(played) - begin)
        for place in range(lying):
            hands[at_deal.TRICK + place] = order[card_at + played[begin + place]]
        if judged:
            other += unlike(rules, order, deal, hands, lying, facts[F_ME])
        if lying < players:
            break
        trick(rules, order, mind, deal, hands, played, lying)
        note_trick(rules, deal, hands, played)
        if vole_is_due(rules, deal) and facts[F_VOLE]:
            deal[at_deal.VOLE] = money.UNDERTAKEN
            reveal(rules, deal, played, int64(PLAY))
        begin += players
    if facts[F_PUBLIC]:
        deal[at_deal.PUBLIC] = 1
    return other


@way_in(
    f"int64(int64[::1], uint64[::1], {MIND}, uint64, int64[::1], int64[::1], int64[::1], uint64[::1],"
    "uint64[:, ::1], int64[:, ::1], int64[::1], int64[::1], int64[::1], uint64[::1], uint64[::1], uint64[:, ::1],"
    "int64[::1], int64[::1], uint64[::1])",
    **OPTIONS,
)
def imagine(
    rules, order, mind, state, unseen, may, room, row, answers, opinions, game, played, facts, own, gone, hands,
    weights, numbers, words,
):  # fmt: skip
    """Draw a deal for each row of ``hands`` and weigh it; returns how many were found, in the first rows.

    ``unseen`` are the cards not seen, ``may`` the seats that may hold each, ``room`` the cards that each seat lacks;
    ``own`` and ``gone`` the cards that seats are known to hold besides, and have played.
    """
    players, found = rules[at.PLAYERS], int64(0)
    deal, space, table = numbers[: at_deal.SIZE], numbers[ROOM_AT:NUMBERS], words[: at_deal.WORDS]
    began, drawn = words[BEGAN_AT:KEPT_AT], words[KEPT_AT:WORDS]
    for _ in range(len(hands)):
        good, state = draw(state, unseen, may, room, players, row, answers, drawn, space)
        if not good:
            continue
        for seat in range(players):
            hands[found, seat] = drawn[seat] | own[seat]
            began[seat] = home_of(order, hands[found, seat] | gone[seat])
        halved = doubts(order, mind[1], opinions, began)
        for i in range(at_deal.HAND):
            deal[i] = game[i]
        if facts[F_CALL_TELLS]:
            deal[at_deal.TRUMP] = facts[F_CALL_TRUMP]
            if not callable_cards(rules, order, deal, began[deal[at_deal.HOMBRE]]) >> deal[at_deal.CALLED] & 1:
                halved += MISCALLED
            deal[at_deal.TRUMP] = game[at_deal.TRUMP]
        if facts[F_UNLIKE] > 0 and len(played):
            halved += facts[F_UNLIKE] * replay(rules, order, mind, deal, began, table, played, facts, True)
        weights[found] = int64(1) << (HEAVIEST - min(halved, int64(HEAVIEST)))
        found += 1
    return found


@compiled("int64(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64)", **OPTIONS)
def paid(rules, money_rules, deal, result, out, seat):
    """What a game that is over brings a seat."""
    write_result(rules, money_rules, deal, result, out)
    settle(money_rules, result, out)
    return rules[at.PLAYERS] * out[money.O_NET + seat] + out[money.O_POOL_AFTER]


@way_in(
    f"boolean(int64[::1], uint64[::1], int64[::1], {MIND}, int64[::1], int64[::1], int64[::1], uint64[::1],"
    "uint64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[::1], uint64[::1])",
    **OPTIONS,
)
def play_out(
    rules, order, money_rules, mind, game, played, facts, gone, hands, cards, amounts, games, numbers, words
):  # fmt: skip
    """What each card pays (-1: to end the play) on each of the deals ``hands``; False if it cannot be told exactly.

    ``amounts`` has a row for each deal and a column for each card; ``games`` gets what each deal makes of the game.
    """
    deal, result = numbers[: at_deal.SIZE], numbers[RESULT_AT:OUT_AT]
    out, before = numbers[OUT_AT:BEFORE_AT], numbers[BEFORE_AT:ROOM_AT]
    table, began, kept = words[: at_deal.WORDS], words[BEGAN_AT:KEPT_AT], words[KEPT_AT:WORDS]
    players, me = rules[at.PLAYERS], facts[F_ME]
    lying, card_at = len(played) % players, game[at_deal.TRUMP] * at.ORDER_SIZE + at.BIT_OF
    for n in range(len(hands)):
        for i in range(at_deal.HAND):
            deal[i] = game[i]
        for seat in range(players):
            began[seat] = home_of(order, hands[n, seat] | gone[seat])
        replay(rules, order, mind, deal, began, table, played, facts, False)
        games[n, G_ALLY], games[n, G_HELD] = deal[at_deal.ALLY], deal[at_deal.HELD]
        games[n, G_AGAINST] = deal[at_deal.HELD_AGAINST]
        for i in range(at_deal.HAND):
            before[i] = deal[i]
        for i in range(at_deal.WORDS):
            kept[i] = table[i]
        for c in range(len(cards)):
            for i in range(at_deal.HAND):
                deal[i] = before[i]
            for i in range(at_deal.WORDS):
                table[i] = kept[i]
            if cards[c] >= 0:
                table[at_deal.TRICK + lying] = order[card_at + cards[c]]
                play(rules, order, money_rules, mind, deal, table, played, result, out, lying + 1)
            amounts[n, c] = paid(rules, money_rules, deal, result, out, me)
            if out[money.O_INEXACT]:
                return False
    return True
