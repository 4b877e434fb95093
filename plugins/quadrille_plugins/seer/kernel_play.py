"""Deals that ``seer`` imagines, weighed by what was played, and played out: everybody goes on as
``steady`` does.

A game under way is given as at its first lead (``game``, a ``state.DEAL``) with the cards played
since (``played``, in order) and what is known of them: ``FACTS``.  Hands are masks of the pack.
Amounts are those of ``kernel.tabulate`` times the number of players, the part in what stays in the
pool among them.
"""

from numba import int64

from quadrille_plugins.kernel.auction import home_bit
from quadrille_plugins.kernel.bits import ONE, ZERO, copy
from quadrille_plugins.kernel.cards import TRUMPS, lane_of, legal
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.deal import note_trick, set_table, vole_is_due, write_result
from quadrille_plugins.kernel.declare import callable_cards, reveal
from quadrille_plugins.kernel.emit import PLAY
from quadrille_plugins.kernel.record import layout
from quadrille_plugins.kernel.settle import settle
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.state import DEAL, OUT, RESULT, name_type
from quadrille_plugins.kernel.words import LEVEL, PARTNER
from quadrille_plugins.players.kernel_steady import TABLE
from quadrille_plugins.players.kernel_steady_bids import POLICY
from quadrille_plugins.players.kernel_steady_cards import choose_card
from quadrille_plugins.seer.kernel_draw import doubts, draw, home_of

play, trick = TABLE.play, TABLE.trick
F_ME, F_VOLE, F_PUBLIC, F_CALL_TELLS, F_CALL_TRUMP, F_UNLIKE, FACTS = range(7)
"""The seat that imagines; whether the vole has been undertaken; whether all know the ally; whether
it tells something that Hombre called as they did, and the trump when they did (4 for none, -1 for
none named yet); how often a deal is halved for each card that ``steady`` would not have played on
it."""
MISCALLED = 6
"""How often a deal is halved on which Hombre could not have called what they did."""
HEAVIEST = 40
"""The weight of a deal that nothing speaks against is 2 to this power."""
G_ALLY, G_HELD, G_AGAINST, GAME = range(4)
"""What a deal makes of the game: the ally, the matadors that count for their side and those
against."""

IMAGINED = layout({"deal": DEAL, "before": DEAL, "result": RESULT, "out": OUT})
"""What play-outs work in, besides the numbers of a draw and ``SEATS`` words: hands as they began,
and as drawn."""
SEATS = 10
name_type("imagined", IMAGINED)


@compiled("void(rules, deal, uint64[::1])", **OPTIONS)
def seat_hands(rules, deal, began):
    """Set the hands at this point of the declaration, and find the holder of the called card."""
    players, block, called = rules.table.players, deal.bid, deal.called
    for seat in range(players):
        deal.hands[seat] = deal.dealt[seat] = began[seat]
    deal.holder = deal.ally = -1
    if called < 0:
        return
    card, hombre, given = home_bit(rules, called), deal.hombre, deal.given
    if rules.bids[block].exchange:
        giver = deal.surrendered
        deal.holder = giver
        if giver != hombre:  # matadors may count as dealt
            deal.dealt[hombre] &= ~card
            deal.dealt[giver] |= card
            if given >= 0:
                card = home_bit(rules, given)
                deal.dealt[giver] &= ~card
                deal.dealt[hombre] |= card
    else:
        for seat in range(players):
            if began[seat] & card:
                deal.holder = seat
    if rules.bids[block].partner == PARTNER.CALLED and deal.holder != hombre:
        deal.ally = deal.holder


@compiled("int64(rules, steady, deal, int64, int64)", **OPTIONS)
def unlike(rules, steady, deal, lying, me):
    """Of the cards lying in the trick, all still in the hands, those that ``steady`` would not have
    played."""
    players, trump = rules.table.players, deal.trump
    known, gone, other = deal.public, deal.played, int64(0)
    seat, winner, best, led = deal.leader, deal.leader, ZERO, ZERO
    behind, table = (int64(1) << players) - 1, ZERO
    for played in range(lying):
        hand, card = deal.hands[seat], deal.trick[played]
        behind ^= int64(1) << seat
        cards = legal(rules, trump, hand, led, table)
        if seat != me and cards & (cards - ONE):
            other += card != choose_card(
                rules, steady, deal, seat, int64(played), cards, best, winner, behind
            )
        table |= card
        deal.played |= card
        if card == deal.called_bit:
            deal.public = 1
        if played == 0:
            led = best = card
        elif card > best and card & (lane_of(led) | TRUMPS):
            best, winner = card, seat
        seat = seat + 1 if seat + 1 < players else int64(0)
    deal.public, deal.played = known, gone
    return other


@compiled(
    f"int64(rules, {POLICY}, deal, uint64[::1], int64[::1], int64[::1], boolean)",
    **OPTIONS,
)
def replay(rules, policy, deal, began, played, facts, judged):
    """Play what was played on hands that began so (in the home order).

    Returns, if they are to be ``judged``, how many cards ``steady`` would not have played.
    ``deal`` is the game at its first lead.  The cards of a trick not complete lie there, and are
    still in the hands.
    """
    players, other = rules.table.players, int64(0)
    seat_hands(rules, deal, began)
    set_table(rules, deal)
    bit_of = rules.order[deal.trump].bit_of
    begin = int64(0)
    while True:
        lying = min(players, len(played) - begin)
        for place in range(lying):
            deal.trick[place] = bit_of[played[begin + place]]
        if judged:
            other += unlike(rules, policy[0], deal, lying, facts[F_ME])
        if lying < players:
            break
        trick(rules, policy, deal, played, lying)
        note_trick(rules, deal, played)
        if vole_is_due(rules, deal) and facts[F_VOLE]:
            deal.vole = LEVEL.UNDERTAKEN
            reveal(rules, deal, played, int64(PLAY))
        begin += players
    if facts[F_PUBLIC]:
        deal.public = 1
    return other


@way_in(
    f"int64(rules, {POLICY}, uint64, int64[::1], int64[::1], int64[::1], uint64[::1], uint64[:, "
    "::1], int64[:, ::1],deal, int64[::1], int64[::1], uint64[::1], uint64[::1], uint64[:, ::1], "
    "int64[::1], imagined, int64[::1],uint64[::1])",
    **OPTIONS,
)
def imagine(
    rules,
    policy,
    state,
    unseen,
    may,
    room,
    row,
    answers,
    opinions,
    game,
    played,
    facts,
    own,
    gone,
    hands,
    weights,
    imagined,
    numbers,
    words,
):
    """Draw a deal for each row of ``hands`` and weigh it; returns how many were found, in the first
    rows.

    ``unseen`` are the cards not seen, ``may`` the seats that may hold each, ``room`` the cards that
    each seat lacks; ``own`` and ``gone`` the cards that seats are known to hold besides, and have
    played.
    """
    players, found = rules.table.players, int64(0)
    deal, began, drawn = imagined.deal, words[:5], words[5:SEATS]
    for _ in range(len(hands)):
        good, state = draw(state, unseen, may, room, players, row, answers, drawn, numbers)
        if not good:
            continue
        for seat in range(players):
            hands[found, seat] = drawn[seat] | own[seat]
            began[seat] = home_of(rules, hands[found, seat] | gone[seat])
        halved = doubts(rules, policy[1], opinions, began)
        copy(deal, game)
        if facts[F_CALL_TELLS]:
            deal.trump = facts[F_CALL_TRUMP]
            if not callable_cards(rules, deal, began[deal.hombre]) >> deal.called & 1:
                halved += MISCALLED
            deal.trump = game.trump
        if facts[F_UNLIKE] > 0 and len(played):
            halved += facts[F_UNLIKE] * replay(rules, policy, deal, began, played, facts, True)
        weights[found] = int64(1) << (HEAVIEST - min(halved, int64(HEAVIEST)))
        found += 1
    return found


@compiled("int64(rules, deal, result, out, int64)", **OPTIONS)
def paid(rules, deal, result, out, seat):
    """What a game that is over brings a seat."""
    write_result(rules, deal, result, out)
    settle(rules, result, out)
    return rules.table.players * out.net[seat] + out.pool_after


@way_in(
    f"boolean(rules, {POLICY}, deal, int64[::1], int64[::1], uint64[::1], uint64[:, ::1], "
    "int64[::1], int64[:, ::1],int64[:, ::1], imagined, uint64[::1])",
    **OPTIONS,
)
def play_out(
    rules, policy, game, played, facts, gone, hands, cards, amounts, games, imagined, words
):
    """The payments of each card (-1: to end the play) on each of the deals ``hands``; False when
    inexact.

    ``amounts`` has a row for each deal and a column for each card; ``games`` gets what each deal
    makes of the game.
    """
    deal, before, result, out = imagined.deal, imagined.before, imagined.result, imagined.out
    players, me, began = rules.table.players, facts[F_ME], words[:5]
    lying, bit_of = len(played) % players, rules.order[game.trump].bit_of
    for n in range(len(hands)):
        copy(deal, game)
        for seat in range(players):
            began[seat] = home_of(rules, hands[n, seat] | gone[seat])
        replay(rules, policy, deal, began, played, facts, False)
        games[n, G_ALLY], games[n, G_HELD] = deal.ally, deal.held
        games[n, G_AGAINST] = deal.held_against
        copy(before, deal)
        for c in range(len(cards)):
            copy(deal, before)
            if cards[c] >= 0:
                deal.trick[lying] = bit_of[cards[c]]
                play(rules, policy, deal, played, result, out, lying + 1)
            amounts[n, c] = paid(rules, deal, result, out, me)
            if out.inexact:
                return False
    return True
