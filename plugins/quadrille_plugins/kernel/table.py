"""One deal from the auction to the last trick, as a player plays it in every seat; ``engine.table``
defines it."""

from typing import NamedTuple

from numba import int64

from quadrille_core.engine import deal_record as code
from quadrille_plugins.kernel.auction import (
    bid_at,
    bids,
    home_bit,
    home_card,
    named_unasked,
    passes,
)
from quadrille_plugins.kernel.bits import ONE, ZERO
from quadrille_plugins.kernel.cards import TRUMPS, card_of, lane_of, legal
from quadrille_plugins.kernel.compiled import CompiledFunction, compiled
from quadrille_plugins.kernel.deal import (
    end,
    may_claim,
    note_trick,
    note_voids,
    open_contract,
    show,
    spoken_bid,
    vole_is_due,
)
from quadrille_plugins.kernel.declare import (
    CALL,
    NAME,
    NOTHING,
    ally_must_name,
    call_card,
    reveal,
    step,
)
from quadrille_plugins.kernel.emit import AUCTION, PLAY, emit
from quadrille_plugins.kernel.measures import note_taken
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.kernel.slot import ASK, GO, PASS, STOP, CompiledPlayer
from quadrille_plugins.kernel.words import CONSULTATION, EVENT, KNOWN, LEVEL, SHOWS


class DealStages(NamedTuple):
    """The stages of a deal, compiled for one player."""

    auction: CompiledFunction
    declare: CompiledFunction
    announce: CompiledFunction
    trick: CompiledFunction
    play: CompiledFunction


def table_of(player: CompiledPlayer) -> DealStages:  # noqa: C901 - builds six short functions
    """The stages of a deal in which everybody plays as this player does."""
    policy_type, of = player.policy, player.module
    choose_bid, choose_trump, choose_call, choose_gift = (
        player.bid,
        player.trump,
        player.call,
        player.give,
    )
    choose_announcement, choose_vole, agrees = player.announce, player.decide, player.answer
    choose_lead, choose_card = player.lead, player.card

    @compiled(f"boolean(rules, {policy_type}, deal, int64[::1], int64)", of, **INLINED)
    def auction(rules, policy, deal, events, turn):
        """The auction from that turn on, and the contract it ends in; False when all pass and the
        cards are redealt."""
        while turn >= 0:
            spec = choose_bid(rules, policy, deal, turn)
            if spec == PASS:
                emit(deal, events, EVENT.PASS, turn, int64(AUCTION), int64(0))
                turn = passes(rules, deal, deal.hands[turn], turn)
                continue
            named = int64(0)
            if spec < PASS:
                named = PASS - spec
                spec = named_unasked(rules, deal, named - 1)
            kind = int64(EVENT.NAMES) if named else int64(EVENT.BID)
            emit(deal, events, kind, turn, int64(AUCTION), spoken_bid(rules, spec) + named)
            show(rules, deal, events, turn, spec, int64(SHOWS.WITH_BID))
            turn = bids(rules, deal, turn, spec)
            deal.named = named
        hombre, spec = deal.standing, deal.standing_spec
        if hombre < 0:
            spec = rules.forced_spec
            if spec < 0 or (rules.falls and deal.falls_on < 0):
                deal.redealt = 1
                emit(deal, events, EVENT.END, int64(-1), int64(AUCTION), code.REDEAL)
                return False
            hombre = deal.falls_on if rules.falls else int64(0)
            card = home_bit(rules, max(0, rules.bids[bid_at(rules, spec)].forced_on))
            while not rules.falls and not deal.hands[hombre] & card:
                hombre += 1
            deal.forced = 1
            emit(deal, events, EVENT.FORCED, hombre, int64(AUCTION), spoken_bid(rules, spec))
        open_contract(rules, deal, events, hombre, spec)
        return True

    @compiled(f"void(rules, {policy_type}, deal, int64[::1])", of, **OPTIONS)
    def declare(rules, policy, deal, events):
        """From the end of the auction to the first lead."""
        hombre, auction = deal.hombre, int64(AUCTION)
        while True:
            what = step(rules, deal)
            if what == NOTHING:
                return
            if what == NAME:
                seat = hombre
                if ally_must_name(rules, deal) and deal.ally >= 0:
                    seat = deal.ally
                trump = choose_trump(rules, policy, deal, seat)
                if trump == 4:
                    deal.invited = 1
                    emit(deal, events, EVENT.INVITE, seat, auction, int64(0))
                    continue
                deal.trump = trump
                emit(deal, events, EVENT.TRUMP, seat, auction, trump)
                if seat == deal.ally:
                    reveal(rules, deal, events, auction)
            elif what == CALL:
                call_card(rules, deal, events, choose_call(rules, policy, deal))
            else:
                gift = choose_gift(rules, policy, deal)
                called, giver = deal.called, deal.holder
                if rules.bids[deal.bid].cards_asked > 1:
                    called, giver = deal.calls[deal.gift_count], deal.holders[deal.gift_count]
                    deal.gift_count += 1
                deal.given = home_card(rules, gift)
                deal.hands[hombre] ^= gift
                deal.hands[giver] |= gift
                said = called | deal.given << 6 | giver << 12
                emit(deal, events, EVENT.EXCHANGE, hombre, auction, said)

    @compiled(
        f"void(rules, {policy_type}, deal, int64[::1], result, out)",
        of, **OPTIONS,
    )  # fmt: skip
    def announce(rules, policy, deal, events, result, out):
        """What Hombre says of the vole before the first lead, where they may."""
        hombre, stage = deal.hombre, int64(AUCTION)
        if not rules.bids[deal.bid].may_announce or deal.vole != LEVEL.NONE:
            return
        while True:
            choices = int64(STOP | GO)
            if deal.ally >= 0 and not deal.public and rules.vole.ally_known == KNOWN.BEFOREHAND:
                choices |= ASK
            choice = choose_announcement(rules, policy, deal, hombre, choices, result, out)
            if choice == STOP:
                return
            if choice == GO:
                deal.vole = LEVEL.ANNOUNCED
                emit(deal, events, EVENT.VOLE, hombre, stage, int64(0))
                reveal(rules, deal, events, stage)
                return
            emit(deal, events, EVENT.ASK, hombre, stage, int64(0))
            reveal(rules, deal, events, stage)

    @compiled(f"void(rules, {policy_type}, deal, int64[::1], int64)", of, **INLINED)
    def trick(rules, policy, deal, events, lying):
        """Play one trick, of which N cards are on the table already; its winner leads next."""
        players, trump = rules.table.players, deal.trump
        seat, winner, best, led = deal.leader, deal.leader, ZERO, ZERO
        behind = (int64(1) << players) - 1
        table = ZERO
        for played in range(players):
            hand = deal.hands[seat]
            behind ^= int64(1) << seat
            cards = deal.trick[played] if played < lying else legal(rules, trump, hand, led, table)
            card = cards
            if cards & (cards - ONE):
                card = choose_card(
                    rules, policy, deal, seat, int64(played), cards, best, winner, behind
                )
            deal.hands[seat] = hand ^ card
            deal.played |= card
            deal.trick[played] = card
            table |= card
            emit(deal, events, EVENT.PLAY, seat, int64(PLAY), card_of(rules, trump, card))
            if card == deal.called_bit and not deal.public:
                reveal(rules, deal, events, int64(PLAY))
            if played == 0:
                led = best = card
            elif card > best and card & (lane_of(led) | TRUMPS):
                best, winner = card, seat
            seat += 1
            if seat == players:
                seat = int64(0)
        note_voids(rules, deal, led)
        if rules.recorded_count:
            note_taken(deal, deal.leader, winner, table)
        deal.won[winner] += 1
        deal.tricks_done += 1
        deal.leader = winner
        emit(deal, events, EVENT.TRICK, winner, int64(PLAY), int64(0))

    @compiled(
        f"boolean(rules, {policy_type}, deal, int64[::1], result, out)",
        of, **OPTIONS,
    )  # fmt: skip
    def vole(rules, policy, deal, events, result, out):
        """Whether to play for the vole; True when the play ends here instead."""
        leader, hombre, ally = deal.leader, deal.hombre, deal.ally
        zero, stage = int64(0), int64(PLAY)
        own = rules.vole.alone_decides != 0 and deal.won[hombre] == deal.tricks_done
        choices = int64(STOP | GO)
        if ally >= 0:
            own = own or rules.vole.consultation == CONSULTATION.ASK_OR_DECLARE
            if rules.vole.consultation != CONSULTATION.SILENT:
                choices = int64(STOP | ASK | GO) if own else int64(STOP | ASK)
        choice = choose_vole(rules, policy, deal, leader, choices, result, out)
        stops = rules.premiers.claim != 0 and deal.tricks_done >= rules.bids[deal.bid].tricks
        said_no = not stops
        if choice == ASK:
            emit(deal, events, EVENT.ASK, leader, stage, zero)
            if leader == ally:
                reveal(rules, deal, events, stage)
            other = ally if leader == hombre else hombre
            deal.asked = 1
            goes = agrees(rules, policy, deal, other, result, out)
            emit(deal, events, EVENT.YES if goes else EVENT.NO, other, stage, zero)
            if other == ally:
                reveal(rules, deal, events, stage)
            if goes:
                deal.vole = LEVEL.UNDERTAKEN
                reveal(rules, deal, events, stage)
                emit(deal, events, EVENT.VOLE, leader, stage, zero)
                return False
            said_no = True
        elif choice == GO:
            emit(deal, events, EVENT.VOLE, leader, stage, zero)
            deal.vole = LEVEL.UNDERTAKEN
            reveal(rules, deal, events, stage)
            return False
        else:
            emit(deal, events, EVENT.NO if said_no else EVENT.CLAIM, leader, stage, zero)
            if leader == ally:
                reveal(rules, deal, events, stage)
        if not stops:
            return False
        if said_no:
            emit(deal, events, EVENT.CLAIM, leader, stage, zero)
        end(rules, deal, events, int64(code.IS_CLAIMED))
        return True

    @compiled(
        f"void(rules, {policy_type}, deal, int64[::1], result, out, int64)",
        of, **INLINED,
    )  # fmt: skip
    def play(rules, policy, deal, events, result, out, lying):
        """Play the remaining tricks and the decision after premiers; N cards of the first are on
        the table."""
        while True:
            leader = deal.leader
            if not lying and may_claim(rules, deal, leader):
                card = choose_lead(rules, policy, deal, leader)
                if card == ZERO:
                    emit(deal, events, EVENT.CLAIM, leader, int64(PLAY), int64(0))
                    end(rules, deal, events, int64(code.IS_CLAIMED))
                    return
                deal.trick[0], lying = card, int64(1)
            trick(rules, policy, deal, events, lying)
            lying = int64(0)
            if note_trick(rules, deal, events):
                end(rules, deal, events, int64(code.IS_LOST))
                return
            if vole_is_due(rules, deal):
                if rules.vole.ally_known == KNOWN.BEFOREHAND:
                    reveal(rules, deal, events, int64(PLAY))
                if vole(rules, policy, deal, events, result, out):
                    return
            if deal.tricks_done == rules.table.hand_cards:
                end(rules, deal, events, int64(code.ALL_PLAYED))
                return

    return DealStages(auction, declare, announce, trick, play)
