"""Deals that ``seer`` imagines, weighed by what was played, and played out: everybody goes on as
``steady`` does.

A game under way is given as at its first lead (``mind.game``), with the cards played since.  Hands
are bits of the home order.  Amounts are those of ``kernel.tabulate`` times the number of players,
the part in what stays in the pool among them.
"""

from numba import int64

from quadrille_plugins.kernel.auction import home_bit
from quadrille_plugins.kernel.bits import ONE, ZERO, copy
from quadrille_plugins.kernel.cards import TRUMPS, lane_of, legal
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.deal import note_trick, set_table, vole_is_due, write_result
from quadrille_plugins.kernel.declare import callable_cards, reveal
from quadrille_plugins.kernel.emit import PLAY
from quadrille_plugins.kernel.settle import settle
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.words import LEVEL, PARTNER
from quadrille_plugins.players.kernel_steady import TABLE
from quadrille_plugins.players.kernel_steady_bids import POLICY
from quadrille_plugins.players.kernel_steady_cards import choose_card
from quadrille_plugins.seer.kernel_draw import doubts, draw, keep
from quadrille_plugins.seer.kernel_mind import DRAWS

play, trick = TABLE.play, TABLE.trick
MISCALLED = 6
"""How often a deal is halved on which Hombre could not have called what they did."""
UNLIKELY = 1
"""How often a deal is halved for each card that ``steady`` would not have played on it."""
HEAVIEST = 40
"""The weight of a deal that nothing speaks against is 2 to this power."""
G_ALLY, G_HELD, G_AGAINST = range(3)
"""What a deal makes of the game: the ally, the matadors that count for their side and those
against."""


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


@compiled(f"int64(rules, {POLICY}, mind, deal, int64[::1], boolean)", **OPTIONS)
def replay(rules, policy, mind, deal, events, judged):
    """Play what was played on hands that began as ``mind.began`` says.

    Returns, if they are to be ``judged``, how many cards ``steady`` would not have played.
    ``deal`` is the game at its first lead.  The cards of a trick not complete lie there, and are
    still in the hands.
    """
    players, other = rules.table.players, int64(0)
    seat_hands(rules, deal, mind.began[:])
    set_table(rules, deal)
    bit_of = rules.order[deal.trump].bit_of
    begin = int64(0)
    while True:
        lying = min(players, mind.played_count - begin)
        for place in range(lying):
            deal.trick[place] = bit_of[mind.played[begin + place]]
        if judged:
            other += unlike(rules, policy[0], deal, lying, mind.me)
        if lying < players:
            break
        trick(rules, policy, deal, events, lying)
        note_trick(rules, deal, events)
        if vole_is_due(rules, deal) and mind.undertaken:
            deal.vole = LEVEL.UNDERTAKEN
            reveal(rules, deal, events, int64(PLAY))
        begin += players
    if mind.public:
        deal.public = 1
    return other


@compiled(f"int64(rules, {POLICY}, mind, int64[::1])", **OPTIONS)
def doubted(rules, policy, mind, events):
    """How often the deal drawn is halved for what was said, called and played on it."""
    deal, game = mind.deal, mind.game
    halved = doubts(rules, policy[1], mind)
    copy(deal, game)
    if mind.call_tells:
        deal.trump = mind.call_trump
        if not callable_cards(rules, deal, mind.began[deal.hombre]) >> deal.called & 1:
            halved += MISCALLED
        deal.trump = game.trump
    if mind.played_count:
        halved += UNLIKELY * replay(rules, policy, mind, deal, events, True)
    return halved


@compiled(f"Tuple((uint64, int64))(rules, {POLICY}, mind, uint64, int64, int64[::1])", **OPTIONS)
def imagine(rules, policy, mind, state, wanted, events):
    """Imagine so many deals, likelier ones preferred, into ``mind.hands``; returns the next state
    and how many were found."""
    found = int64(0)
    tells = mind.opinion_count + mind.played_count + mind.call_tells > 0
    for _ in range(wanted * DRAWS if tells else wanted):
        good, state = draw(rules, mind, state)
        if not good:
            continue
        for seat in range(rules.table.players):
            mind.found[found, seat] = mind.drawn[seat] | mind.own[seat]
            mind.began[seat] = mind.found[found, seat] | mind.gone[seat]
        halved = doubted(rules, policy, mind, events) if tells else int64(0)
        mind.weights[found] = int64(1) << (HEAVIEST - min(halved, int64(HEAVIEST)))
        found += 1
    wanted = min(wanted, found)
    return keep(mind, state, found, wanted), wanted


@compiled("int64(rules, deal, result, out, int64)", **OPTIONS)
def paid(rules, deal, result, out, seat):
    """What a game that is over brings a seat."""
    write_result(rules, deal, result, out)
    settle(rules, result, out)
    return rules.table.players * out.net[seat] + out.pool_after


@compiled(f"void(rules, {POLICY}, mind, int64, int64[::1])", **OPTIONS)
def play_out(rules, policy, mind, rows, events):
    """The payments of each card (-1: to end the play) on each of so many deals; ``mind.allies``
    gets what each deal makes of the game."""
    deal, before, result, out = mind.deal, mind.before, mind.result, mind.out
    me, lying, bit_of = mind.me, mind.lying, rules.order[mind.game.trump].bit_of
    for n in range(rows):
        copy(before, mind.game)
        for seat in range(rules.table.players):
            mind.began[seat] = mind.hands[n, seat] | mind.gone[seat]
        replay(rules, policy, mind, before, events, False)
        game = mind.allies[n]
        game[G_ALLY], game[G_HELD], game[G_AGAINST] = before.ally, before.held, before.held_against
        for c in range(mind.choice_count):
            if not mind.alive[c]:
                continue
            copy(deal, before)
            card = mind.choices[c, 0]
            if card >= 0:
                deal.trick[lying] = bit_of[card]
                play(rules, policy, deal, events, result, out, lying + 1)
            mind.amounts[n, c] = paid(rules, deal, result, out, me)
            mind.inexact |= out.inexact
