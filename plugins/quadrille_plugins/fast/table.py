"""One deal from the auction to the last trick, as a player plays it in every seat; ``engine.table`` defines it."""

from typing import NamedTuple

from numba import int64

from quadrille_plugins.fast import events as told
from quadrille_plugins.fast import layout as money
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import bid_at, bids, home_bit, home_card, named_unasked, passes
from quadrille_plugins.fast.bits import ONE, ZERO
from quadrille_plugins.fast.cards import TRUMPS, card_of, lane_of, legal
from quadrille_plugins.fast.compiled import Compiled, compiled
from quadrille_plugins.fast.deal import (
    end,
    may_claim,
    note_trick,
    note_voids,
    open_contract,
    show,
    spoken_bid,
    vole_is_due,
)
from quadrille_plugins.fast.declare import CALL, NAME, NOTHING, ally_must_name, call_card, reveal, step
from quadrille_plugins.fast.say import AUCTION, PLAY, tell
from quadrille_plugins.fast.shares import INLINED, OPTIONS
from quadrille_plugins.fast.slot import ASK, GO, PASS, STOP, CompiledPlayer


class Table(NamedTuple):
    """The stages of a deal, compiled for one player."""

    auction: Compiled
    declare: Compiled
    announce: Compiled
    trick: Compiled
    play: Compiled


def table_of(player: CompiledPlayer) -> Table:
    """The stages of a deal in which everybody plays as this player does."""
    mind_type, of = player.mind, player.module
    choose_bid, choose_trump, choose_call, choose_gift = player.bid, player.trump, player.call, player.give
    choose_announcement, choose_vole, agrees = player.announce, player.decide, player.answer
    choose_lead, choose_card = player.lead, player.card

    @compiled(
        f"boolean(int64[::1], uint64[::1], {mind_type}, int64[::1], uint64[::1], int64[::1], int64)", of, **INLINED
    )
    def auction(rules, order, mind, deal, hands, events, turn):
        """The auction from that turn on, and the contract it ends in; False when all pass and the cards are redealt."""
        while turn >= 0:
            spec = choose_bid(rules, order, mind, deal, hands, turn)
            if spec == PASS:
                tell(deal, events, told.PASS, turn, int64(AUCTION), int64(0))
                turn = passes(rules, order, deal, hands[at_deal.HANDS + turn], turn)
                continue
            named = int64(0)
            if spec < PASS:
                named = PASS - spec
                spec = named_unasked(rules, deal, named - 1)
            kind = int64(told.NAMES) if named else int64(told.BID)
            tell(deal, events, kind, turn, int64(AUCTION), spoken_bid(rules, spec) + named)
            show(rules, deal, events, turn, spec, int64(at.SHOWS_WITH_BID))
            turn = bids(rules, deal, turn, spec)
            deal[at_deal.NAMED] = named
        hombre, spec = deal[at_deal.STANDING], deal[at_deal.STANDING_SPEC]
        if hombre < 0:
            spec = rules[at.FORCED_SPEC]
            if spec < 0:
                deal[at_deal.REDEALT] = 1
                tell(deal, events, told.END, int64(-1), int64(AUCTION), told.REDEAL)
                return False
            card = home_bit(order, rules[bid_at(rules, spec) + at.FORCED_ON])
            hombre = int64(0)
            while not hands[at_deal.HANDS + hombre] & card:
                hombre += 1
            deal[at_deal.FORCED] = 1
            tell(deal, events, told.FORCED, hombre, int64(AUCTION), spoken_bid(rules, spec))
        open_contract(rules, order, deal, hands, events, hombre, spec)
        return True

    @compiled(f"void(int64[::1], uint64[::1], {mind_type}, int64[::1], uint64[::1], int64[::1])", of, **OPTIONS)
    def declare(rules, order, mind, deal, hands, events):
        """From the end of the auction to the first lead."""
        hombre, auction = deal[at_deal.HOMBRE], int64(AUCTION)
        while True:
            what = step(rules, deal)
            if what == NOTHING:
                return
            if what == NAME:
                seat = hombre
                if ally_must_name(rules, deal) and deal[at_deal.ALLY] >= 0:
                    seat = deal[at_deal.ALLY]
                trump = choose_trump(rules, order, mind, deal, hands, seat)
                if trump == 4:
                    deal[at_deal.INVITED] = 1
                    tell(deal, events, told.INVITE, seat, auction, int64(0))
                    continue
                deal[at_deal.TRUMP] = trump
                tell(deal, events, told.TRUMP, seat, auction, trump)
                if seat == deal[at_deal.ALLY]:
                    reveal(rules, deal, events, auction)
            elif what == CALL:
                call_card(rules, order, deal, hands, events, choose_call(rules, order, mind, deal, hands))
            else:
                gift = choose_gift(rules, order, mind, deal, hands)
                giver = deal[at_deal.HOLDER]
                deal[at_deal.GIVEN] = home_card(order, gift)
                hands[at_deal.HANDS + hombre] ^= gift
                hands[at_deal.HANDS + giver] |= gift
                said = deal[at_deal.CALLED] | deal[at_deal.GIVEN] << 6 | giver << 12
                tell(deal, events, told.EXCHANGE, hombre, auction, said)

    @compiled(
        f"void(int64[::1], int64[::1], {mind_type}, int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1])",
        of, **OPTIONS,
    )  # fmt: skip
    def announce(rules, money_rules, mind, deal, hands, events, result, out):
        """What Hombre says of the vole before the first lead, where she may."""
        hombre, stage = deal[at_deal.HOMBRE], int64(AUCTION)
        if not rules[deal[at_deal.BID] + at.MAY_ANNOUNCE] or deal[at_deal.VOLE] != money.NO_VOLE:
            return
        while True:
            choices = int64(STOP | GO)
            if deal[at_deal.ALLY] >= 0 and not deal[at_deal.PUBLIC] and rules[at.KNOWN_BEFOREHAND]:
                choices |= ASK
            choice = choose_announcement(rules, money_rules, mind, deal, hands, hombre, choices, result, out)
            if choice == STOP:
                return
            if choice == GO:
                deal[at_deal.VOLE] = money.ANNOUNCED
                tell(deal, events, told.VOLE, hombre, stage, int64(0))
                reveal(rules, deal, events, stage)
                return
            tell(deal, events, told.ASK, hombre, stage, int64(0))
            reveal(rules, deal, events, stage)

    @compiled(f"void(int64[::1], uint64[::1], {mind_type}, int64[::1], uint64[::1], int64[::1], int64)", of, **INLINED)
    def trick(rules, order, mind, deal, hands, events, lying):
        """One trick, of which so many cards lie on the table already; its winner is then the leader."""
        players, trump = rules[at.PLAYERS], deal[at_deal.TRUMP]
        seat, winner, best, led = deal[at_deal.LEADER], deal[at_deal.LEADER], ZERO, ZERO
        behind = (int64(1) << players) - 1
        table = ZERO
        for played in range(players):
            hand = hands[at_deal.HANDS + seat]
            behind ^= int64(1) << seat
            cards = hands[at_deal.TRICK + played] if played < lying else legal(order, rules, trump, hand, led, table)
            card = cards
            if cards & (cards - ONE):
                card = choose_card(rules, order, mind, deal, hands, seat, int64(played), cards, best, winner, behind)
            hands[at_deal.HANDS + seat] = hand ^ card
            hands[at_deal.PLAYED] |= card
            hands[at_deal.TRICK + played] = card
            table |= card
            tell(deal, events, told.PLAY, seat, int64(PLAY), card_of(order, trump, card))
            if card == hands[at_deal.CALLED_BIT] and not deal[at_deal.PUBLIC]:
                reveal(rules, deal, events, int64(PLAY))
            if played == 0:
                led = best = card
            elif card > best and card & (lane_of(led) | TRUMPS):
                best, winner = card, seat
            seat += 1
            if seat == players:
                seat = int64(0)
        note_voids(rules, deal, hands, led)
        deal[at_deal.WON + winner] += 1
        deal[at_deal.TRICKS_DONE] += 1
        deal[at_deal.LEADER] = winner
        tell(deal, events, told.TRICK, winner, int64(PLAY), int64(0))

    @compiled(
        f"boolean(int64[::1], int64[::1], {mind_type}, int64[::1], uint64[::1], int64[::1], int64[::1], int64[::1])",
        of, **OPTIONS,
    )  # fmt: skip
    def vole(rules, money_rules, mind, deal, hands, events, result, out):
        """Whether to play for the vole; True when the play ends here instead."""
        leader, hombre, ally = deal[at_deal.LEADER], deal[at_deal.HOMBRE], deal[at_deal.ALLY]
        zero, stage = int64(0), int64(PLAY)
        own = rules[at.ALONE_DECIDES] and deal[at_deal.WON + hombre] == deal[at_deal.TRICKS_DONE]
        choices = int64(STOP | GO)
        if ally >= 0:
            choices = int64(STOP | ASK | GO) if own or rules[at.MAY_DECLARE] else int64(STOP | ASK)
        choice = choose_vole(rules, money_rules, mind, deal, hands, leader, choices, result, out)
        said_no = not rules[at.PREMIERS_CLAIM]
        if choice == ASK:
            tell(deal, events, told.ASK, leader, stage, zero)
            if leader == ally:
                reveal(rules, deal, events, stage)
            other = ally if leader == hombre else hombre
            deal[at_deal.ASKED] = 1
            goes = agrees(rules, money_rules, mind, deal, hands, other, result, out)
            tell(deal, events, told.YES if goes else told.NO, other, stage, zero)
            if other == ally:
                reveal(rules, deal, events, stage)
            if goes:
                deal[at_deal.VOLE] = money.UNDERTAKEN
                reveal(rules, deal, events, stage)
                tell(deal, events, told.VOLE, leader, stage, zero)
                return False
            said_no = True
        elif choice == GO:
            tell(deal, events, told.VOLE, leader, stage, zero)
            deal[at_deal.VOLE] = money.UNDERTAKEN
            reveal(rules, deal, events, stage)
            return False
        else:
            tell(deal, events, told.NO if said_no else told.CLAIM, leader, stage, zero)
            if leader == ally:
                reveal(rules, deal, events, stage)
        if not rules[at.PREMIERS_CLAIM]:
            return False
        if said_no:
            tell(deal, events, told.CLAIM, leader, stage, zero)
        end(rules, deal, events, int64(told.IS_CLAIMED))
        return True

    @compiled(
        f"void(int64[::1], uint64[::1], int64[::1], {mind_type}, int64[::1], uint64[::1], int64[::1], int64[::1],"
        "int64[::1], int64)",
        of, **INLINED,
    )  # fmt: skip
    def play(rules, order, money_rules, mind, deal, hands, events, result, out, lying):
        """The tricks to come, and the decision after premiers; so many cards of the first trick lie there already."""
        while True:
            leader = deal[at_deal.LEADER]
            if not lying and may_claim(rules, deal, leader):
                card = choose_lead(rules, order, mind, deal, hands, leader)
                if card == ZERO:
                    tell(deal, events, told.CLAIM, leader, int64(PLAY), int64(0))
                    end(rules, deal, events, int64(told.IS_CLAIMED))
                    return
                hands[at_deal.TRICK], lying = card, int64(1)
            trick(rules, order, mind, deal, hands, events, lying)
            lying = int64(0)
            if note_trick(rules, deal, hands, events):
                end(rules, deal, events, int64(told.IS_LOST))
                return
            if vole_is_due(rules, deal):
                if rules[at.KNOWN_BEFOREHAND]:
                    reveal(rules, deal, events, int64(PLAY))
                if vole(rules, money_rules, mind, deal, hands, events, result, out):
                    return
            if deal[at_deal.TRICKS_DONE] == rules[at.HAND]:
                end(rules, deal, events, int64(told.ALL_PLAYED))
                return

    return Table(auction, declare, announce, trick, play)
