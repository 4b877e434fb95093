"""Settlement: from a deal's result to every payment, each with its reason and the rule that orders it.

A rule is read only where it can matter (``consulted`` notes what was): what three matadors are paid on top of, say,
only of one who holds four.

Where the sources are silent the vocabulary gives a leaf; what follows is decided here once and for all,
because no source and no leaf speaks of it:

* A loss pays each adversary once, however allies are paid when they win.  Whoever bears it alone pays
  everyone; two who share it against two pay one adversary each; against three, or where what comes in is
  halved (``allies_paid: once_and_halved``), they halve what each adversary gets.
* What is paid once and halved is halved item by item.  Of whole counters that cannot be halved the odd one
  is Hombre's with the first adversary, the ally's with the second, and so on: so the halves of the whole
  item differ by one counter at most, and that one Hombre gets, or pays.  Fractions are halved exactly, and a game
  that counts several times is counted first and halved after: twice half a counter is a whole one.
* Premiers are an item of a loss only when the first tricks were in fact won, which a lost game admits
  where a vole was announced or all tricks were undertaken.
* The vole's premium is due once, whichever of the failed-vole leaves and the items of the loss order it.
  A vole undertaken in partnership was agreed upon, so that both allies answer for it even if the game's
  loss would fall on Hombre alone.
* Whoever plays alone by calling a card of one's own earns the premium of the bid made, or, by
  ``payments.own_card_premium``, that of the plain solo: the lowest bid made in turn that is played alone for
  at least so many tricks, with a trump suit, without an exchange.
* A game that counts several times multiplies every payment between players, the vole's pool among them; what the
  pool itself gives and gets stays single unless ``multiplier.stake`` has it made good.
* An item that must be claimed is lost to those who did not claim it; what a lost game owes falls due unasked, for
  the law that wants a claim takes away a benefit.  The vole's own pool needs no claim: it lies on the table.
* At a bid of which only four matadors are paid, four are never paid on top of three.
* Matadors that the adversaries hold are owed by Hombre's side as its losses are: by its bearers when the
  game is lost, and by the same hand to the same hand as its winnings when it is won.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

from quadrille_core.engine.entries import ZERO, Entries, beasts_words, counted, over_words, times_words
from quadrille_core.engine.ranking import ponto
from quadrille_core.engine.result import ODD, POOL, SCORE, VOLE_POOL, Lapse, Result, Settlement
from quadrille_core.engine.shares import share
from quadrille_core.engine.terms import most_matadors, plain_solo, vole_level
from quadrille_core.engine.units import adds_to_pool, basic_stake, beast_base, counts_beasts, stake_times, unit_of
from quadrille_core.rules import Bid, OddCounters, PayItem, PaymentTable, PerBid, Rules, VoleLevel, VoleRows

_Payment = tuple[int, int, Fraction]
"""Payer, payee, amount."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a game ended: ``outcome`` won, remise or codille; ``vole`` none, won or lost.

    ``frozen``: the game counts as lost, but the pool is left standing and nothing of the game is paid.
    """

    outcome: str
    vole: str
    frozen: bool = False


@dataclass(frozen=True, slots=True)
class _Item:
    """One thing that is paid for: its amount from each payer, and the rule that sets the amount."""

    kind: PayItem
    amount: Fraction
    reason: str
    rule: str


def in_favourite(rules: Rules, result: Result) -> bool:
    """Whether the amounts in favourite apply."""
    return rules.payments.in_favourite is not None and result.favourite is not None and result.trump == result.favourite


def verdict(rules: Rules, result: Result) -> Verdict:
    """Won, remise or codille, and what became of the vole."""
    bid = rules.bids.of(result.contract)
    level = vole_level(bid, result.vole)
    made = result.side_tricks()
    vole = "none" if level == "none" else "won" if made == rules.table.hand_cards else "lost"
    if level in ("announced", "revealed"):
        if vole == "won":
            return Verdict("won", "won")
        if made >= bid.tricks:
            return Verdict("remise", "lost", frozen=rules.vole.announced_failed == "stake_frozen")
        if rules.vole.announced_below_game == "remise":
            return Verdict("remise", "lost")
        return Verdict(_lost_as(rules, bid, bid.tricks - made), "lost")
    # How far the goal was missed; where no trick was to be made, every trick misses it by one.
    short = {"none": made, "at_least": bid.tricks - made, "all": rules.table.hand_cards - made}[bid.goal]
    return Verdict("won" if short <= 0 else _lost_as(rules, bid, short), vole)


def _lost_as(rules: Rules, bid: Bid, short: int) -> str:
    return "remise" if bid.lost_as == "remise" or short <= rules.loss.remise_short else "codille"


def settle(rules: Rules, result: Result) -> Settlement:
    """Every payment that the result causes under the rules, exact and itemised.

    The result is taken to be possible; ``possible.impossible`` says whether it is.
    """
    case = (_PointsCase if rules.score.kept == "points" else _Case)(rules, result)
    how = case.how
    if how.outcome == "won":
        case.win()
    elif not how.frozen:
        case.lose()
    if not how.frozen:
        case.reward_adversaries()
    if case.level != "none":
        case.settle_vole_pool()
        case.settle_vole_premium()
    ledger = case.ledger
    return Settlement(
        outcome=how.outcome,
        transfers=tuple(ledger.transfers),
        net=tuple(ledger.balance(seat) for seat in range(len(result.players))),
        pool_before=result.pool,
        pool_after=result.pool + ledger.balance(POOL),
        vole=how.vole,
        frozen=how.frozen,
        beast=case.beast,
        pool_taken=case.pool_taken,
        lapsed=tuple(case.lapsed),
        undivided=tuple(case.undivided),
    )


def due(rules: Rules, result: Result) -> tuple[PayItem, ...]:
    """The items that Hombre's side has earned, and may claim where claims are wanted."""
    case = _Case(rules, result)
    if case.how.outcome != "won":
        return ()
    earned = {item.kind for item in case.items() if item.amount and case.kept(item)}
    if case.how.vole == "won" and case.vole_premium():
        earned.add("vole")
    return tuple(kind for kind in get_args(PayItem) if kind in earned)


class _Case:
    """One result under one set of rules, while it is being settled."""

    def __init__(self, rules: Rules, result: Result) -> None:
        self.rules, self.result = rules, result
        self.bid = rules.bids.of(result.contract)
        self.level = vole_level(self.bid, result.vole)
        self.how = verdict(rules, result)
        self.unit = unit_of(rules.stakes, result.pool)
        self.table: PaymentTable = rules.payments
        self.prefix = "payments"
        if in_favourite(rules, result) and rules.payments.in_favourite is not None:
            self.table, self.prefix = rules.payments.in_favourite, "payments.in_favourite"
        favoured = result.favourite is not None and result.trump == result.favourite
        doubled = favoured and rules.favourite.doubles == "game"
        self.times = result.multiplier * (2 if doubled else 1)
        """How many times the game counts."""
        self.ledger = Entries()
        self.lapsed: list[Lapse] = []
        self.undivided: list[tuple[Fraction, str]] = []
        self.beast, self.pool_taken = ZERO, False

    def pay(self, source: int, target: int, amount: Fraction, reason: str, rule: str) -> None:
        """A payment that counts as often as the game does."""
        self.count(source, target, amount * self.times, reason, rule)

    def count(self, source: int, target: int, amount: Fraction, reason: str, rule: str) -> None:
        """A payment in which the game has been counted already."""
        self.ledger.pay(source, target, amount, counted(reason, self.times), rule)

    # What is paid for.

    def items(self) -> Iterator[_Item]:
        """The items of the game itself; the vole's own are settled apart."""
        rules, result, bid = self.rules, self.result, self.bid
        table, prefix, unit = self.table, self.prefix, self.unit
        contract, title = result.contract, bid.title
        if bid.partner == "called" and result.ally is None and rules.payments.own_card_premium:
            name, solo = plain_solo(rules) or (contract, bid)
            contract, title = name, solo.title
        premium = table.premium.of(contract) * unit
        yield _Item("premium", premium, f"{title.lower()} premium", f"{prefix}.premium.{contract}")
        yield from self.matadors(result.matadors)
        if result.adversary_matadors and rules.payments.adversaries_matadors == "to_winners":
            yield from self.matadors(result.adversary_matadors, " of the adversaries")
        if result.premiers:
            yield _Item("premiers", table.premiers * unit, "premiers", f"{prefix}.premiers")

    def kept(self, item: _Item) -> bool:
        """Whether an item of a game that was won is still paid, though a vole undertaken in it may have been lost."""
        failed = self.level == "undertaken" and self.how.vole == "lost"
        return not failed or item.kind in self.rules.vole.undertaken_failed_keeps

    def lapses(self, kind: PayItem, amount: Fraction, reason: str) -> bool:
        """Whether the item had to be claimed and was not; if so, that is noted."""
        if kind not in self.bid.claimed or kind in self.result.claims:
            return False
        if amount:
            self.lapsed.append(Lapse(kind, amount * self.times, reason, f"bids.{self.result.contract}.claimed"))
        return True

    def paid_items(self) -> Iterator[_Item]:
        """The items of a game that was won which are paid; those not claimed in time are noted."""
        for item in self.items():
            if self.kept(item) and not self.lapses(item.kind, item.amount, item.reason):
                yield item

    def matadors(self, held: int, whose: str = "") -> Iterator[_Item]:
        """What so many unbroken top trumps in the hands of one side are paid."""
        rules, rows, unit = self.rules, self.table.matadors, self.unit
        rule = f"{self.prefix}.matadors"
        count = min(held, most_matadors(rules.payments, self.result.trump))
        three = count >= 3 and (count == 3 or rules.payments.matadors_cumulative)
        if self.bid.matadors == "all" and three:
            yield _Item("matadors", rows.three * unit, f"three matadors{whose}", f"{rule}.three")
        if self.bid.matadors != "none" and count > 3:
            named = ponto(rules.cards, self.result.trump) is not None
            reason = "three matadors and ponto" if named else "four matadors"
            yield _Item("matadors", rows.four * unit, f"{reason}{whose}", f"{rule}.four")

    # Who pays whom.

    def earned(self, amount: Fraction) -> list[_Payment]:
        """Who pays whom how much when an amount is won: payer, payee and payment, counted as often as the game is."""
        amount *= self.times
        result, how = self.result, self.rules.payments.allies_paid
        adversaries = result.adversaries()
        if result.ally is None:
            return [(a, result.hombre, amount) for a in adversaries]
        if how == "one_to_one":
            side = result.side()
            return [(a, side[place], amount) for place, a in enumerate(adversaries)]
        if how == "each_opponent_each_ally":
            return [(a, s, amount) for a in adversaries for s in result.side()]
        if how == "once_and_halved":
            return [(a, s, part) for s, a, part in _halved(result.side(), adversaries, amount)]
        return [(seat, result.hombre, amount) for seat in range(len(result.players)) if seat != result.hombre]

    def mirrored(self, amount: Fraction) -> list[_Payment]:
        """Who pays whom when adversaries are owed what they would have paid: the same payments, turned round."""
        against = self.result.adversaries()
        return [(s, a, part) for a, s, part in self.earned(amount) if a in against]

    def bearers(self) -> tuple[int, ...]:
        """The seats that bear a lost game."""
        bid, result = self.bid, self.result
        if result.ally is None or bid.loss_borne == "hombre":
            return (result.hombre,)
        if bid.loss_borne == "shared_if_hombre_made" and result.tricks[result.hombre] < bid.hombre_least_tricks:
            return (result.hombre,)
        return result.side()

    def owed(self, bearers: tuple[int, ...], amount: Fraction) -> list[_Payment]:
        """Who pays whom how much when an amount is lost: payer, payee and payment, counted as often as the game is.

        Each adversary is paid once; bearers who share a loss share out the adversaries, or halve each payment.
        """
        amount *= self.times
        adversaries = self.result.adversaries()
        if len(bearers) == 1:
            return [(bearers[0], a, amount) for a in adversaries]
        if self.rules.payments.allies_paid == "once_and_halved" or len(bearers) != len(adversaries):
            return list(_halved(bearers, adversaries, amount))
        return [(bearers[place], a, amount) for place, a in enumerate(adversaries)]

    def gave_up(self, adversary: int, item: _Item) -> bool:
        """Whether this is the premium, and this adversary, having given up the called card, may have no part in it."""
        return item.kind == "premium" and adversary == self.result.surrendered

    def odd_counters(self) -> OddCounters:
        """What becomes of counters that will not divide."""
        return self.rules.stakes.odd_counters

    def divide(
        self, pool: int, seats: tuple[int, ...], amount: Fraction, reason: str, rule: str, *, paid_in: bool = False
    ) -> Fraction:
        """Divide what a pool gives, or with ``paid_in`` what it gets, among seats; returns how much was moved."""
        parts = share(self.odd_counters, seats, amount, self.result.hombre)
        moves = [(seat, parts.each, reason, rule) for seat in seats]
        moves += [(seat, odd, f"odd counter, {reason}", ODD) for seat, odd in parts.odd]
        for seat, part, why, by in moves:
            source, target = (seat, pool) if paid_in else (pool, seat)
            self.ledger.pay(source, target, part, why, by)
        if parts.left and pool == POOL:
            self.undivided.append((parts.left, f"{reason}: {'not paid' if paid_in else 'left in the pool'}"))
        return amount - parts.left

    # The game.

    def win(self) -> None:
        """The pool, and every item from the adversaries."""
        result, rules = self.result, self.rules
        takers = result.side() if rules.payments.pool_to == "allies" else (result.hombre,)
        reason = "pool taken" if len(takers) == 1 else "half the pool taken"
        self.divide(POOL, takers, result.pool, reason, "payments.pool_to")
        self.pool_taken = True
        self.make_good(result.adversaries(), takers, result.pool)
        for item in self.paid_items():
            for adversary, ally, part in self.earned(item.amount):
                if self.gave_up(adversary, item) and not rules.exchange.giver_pays_premium:
                    continue
                self.count(adversary, ally, part, item.reason, item.rule)

    def lose(self) -> None:
        """What the losers add to the pool, and the items that this kind of loss pays."""
        loss, bearers = self.rules.loss, self.bearers()
        outcome = self.how.outcome
        taken = self.share_pool_at_codille() if outcome == "codille" else ZERO
        if outcome == "remise":
            times, base = loss.remise_adds, self.result.pool
        else:
            times, base = loss.codille_adds, self.result.pool
            if taken != base and loss.codille_base == "taken":
                base = taken
        payers = bearers if self.bid.pool_penalty == "as_borne" else (self.result.hombre,)
        self.make_good(payers, self.result.adversaries(), taken)
        if adds_to_pool(self.rules):
            fold = stake_times(self.rules, self.times)
            base, rule = beast_base(loss, f"loss.{outcome}_adds", base, self.result.beasts)
            reason = f"{outcome} {times_words(times)}"
            if counts_beasts(self.rules):
                apart = ", put apart" if loss.beasts == "wait" else ""
                reason = f"{outcome}, {beasts_words(times, base)}{apart}"
            reason = counted(reason + (", shared" if len(payers) > 1 else ""), fold)
            self.beast = self.divide(POOL, payers, times * base * fold, reason, rule, paid_in=True)
        listed = loss.remise_pays if outcome == "remise" else loss.codille_pays
        over = loss.codille_items_times if outcome == "codille" else 1
        for item in self.items():
            if item.kind not in listed:
                continue
            for payer, adversary, part in self.owed(bearers, over * item.amount):
                if self.gave_up(adversary, item) and not self.rules.exchange.giver_receives_premium:
                    continue
                reason = f"{item.reason} lost" + (f", {over_words(over)}" if over > 1 else "")
                self.count(payer, adversary, part, reason, item.rule)

    def make_good(self, losers: tuple[int, ...], winners: tuple[int, ...], stake: Fraction) -> None:
        """Where stakes are made good: the stakes that the pool lacks, from each loser to each winner alike."""
        if self.rules.multiplier.stake == "made_good":
            reason = counted("stake made good", self.times)
            owed = share(self.odd_counters, losers, stake * (self.times - 1), self.result.hombre)
            for loser in losers:
                parts = share(self.odd_counters, winners, owed.of(loser), self.result.hombre)
                for winner in winners:
                    self.ledger.pay(loser, winner, parts.of(winner), reason, "multiplier.stake")

    def reward_adversaries(self) -> None:
        """What the adversaries earn for matadors of their own, however the game ends."""
        if not self.result.adversary_matadors or self.rules.payments.adversaries_matadors != "to_holders":
            return
        for item in self.matadors(self.result.adversary_matadors, " of the adversaries"):
            won = self.how.outcome == "won"
            owed = self.mirrored(item.amount) if won else self.owed(self.bearers(), item.amount)
            for payer, adversary, part in owed:
                self.count(payer, adversary, part, item.reason, item.rule)

    def share_pool_at_codille(self) -> Fraction:
        """The adversaries' sweep of the pool, where the rules let them; returns what they took."""
        rules, pool, adversaries = self.rules, self.result.pool, self.result.adversaries()
        if rules.loss.codille_pool == "stays":
            return ZERO
        if pool < rules.loss.codille_shared_from * basic_stake(rules.stakes, rules.table.players):
            return ZERO
        # the exception is made for three; two halve an odd counter, and four are in the case of three
        indivisible = len(adversaries) > 2 and (pool / len(adversaries)).denominator != 1
        if rules.loss.codille_indivisible == "stays" and indivisible:
            return ZERO
        self.pool_taken = True
        return self.divide(POOL, adversaries, pool, "pool shared at codille", "loss.codille_pool")

    # The vole.

    def settle_vole_pool(self) -> None:
        """Every player's stake in the vole's own pool, and who takes it."""
        result, level = self.result, self.level
        stake = _vole_row(self.table.vole_stake, level).get(result.contract, ZERO)
        stake *= self.unit if self.rules.vole.stake_in == "units" else 1
        rule = f"{self.prefix}.vole_stake.{level}.{result.contract}"
        for seat in range(len(result.players)):
            self.pay(seat, VOLE_POOL, stake, "vole pool stake", rule)
        won = self.how.vole == "won"
        takers, reason = (result.side(), "vole pool won") if won else (result.adversaries(), "vole pool of a lost vole")
        whole, reason = stake * len(result.players) * self.times, counted(reason, self.times)
        left = whole - self.divide(VOLE_POOL, takers, whole, reason, rule)
        # the vole's pool does not outlive the deal
        self.ledger.pay(VOLE_POOL, POOL, left, f"odd counters, {reason}", ODD)

    def vole_premium(self) -> Fraction:
        """What each who pays it pays for a vole made, or gets for one missed."""
        return _vole_row(self.table.vole_premium, self.level).get(self.result.contract, ZERO) * self.unit

    def settle_vole_premium(self) -> None:
        """The vole's premium, to Hombre's side or from it."""
        level, premium = self.level, self.vole_premium()
        rule = f"{self.prefix}.vole_premium.{level}.{self.result.contract}"
        if self.how.vole == "won":
            if self.lapses("vole", premium, f"vole {level}"):
                return
            for adversary, ally, part in self.earned(premium):
                self.count(adversary, ally, part, f"vole {level}", rule)
        elif self.failed_premium_due():
            owed = self.owed(self.bearers(), premium)
            if level == "undertaken":
                once = self.rules.vole.undertaken_failed_paid == "once_each"
                owed = self.owed(self.result.side(), premium) if once else self.mirrored(premium)
            for payer, adversary, part in owed:
                self.count(payer, adversary, part, f"vole {level} lost", rule)

    def failed_premium_due(self) -> bool:
        """Whether a lost vole costs its premium, by its own leaf or as an item of the lost game."""
        vole, loss = self.rules.vole, self.rules.loss
        if vole.undertaken_failed_premium if self.level == "undertaken" else vole.announced_failed_premium:
            return True
        if self.how.outcome == "won" or self.how.frozen:
            return False
        return "vole" in (loss.remise_pays if self.how.outcome == "remise" else loss.codille_pays)


class _PointsCase(_Case):
    """A result whose points are written to the scores of those who won or lost, and to nobody else's.

    Each item is credited once, to Hombre and as much to the ally; there is no pool, nor one for the vole.
    """

    def credit(self, amount: Fraction, reason: str, rule: str) -> None:
        """Points to Hombre, and as many to the ally."""
        for seat in self.result.side():
            self.pay(SCORE, seat, amount, reason, rule)

    def debit(self, seats: tuple[int, ...], amount: Fraction, reason: str, rule: str) -> None:
        """As many points from each of these."""
        for seat in seats:
            self.pay(seat, SCORE, amount, reason, rule)

    def win(self) -> None:
        self.credit(self.rules.score.won, "game won", "score.won")
        for item in self.paid_items():
            self.credit(item.amount, item.reason, item.rule)

    def lose(self) -> None:
        rules, outcome, bearers = self.rules, self.how.outcome, self.bearers()
        remise = outcome == "remise"
        over = 1 if remise else rules.loss.codille_items_times
        self.debit(bearers, rules.score.remise if remise else rules.score.codille, outcome, f"score.{outcome}")
        for item in self.items():
            if item.kind in (rules.loss.remise_pays if remise else rules.loss.codille_pays):
                self.debit(bearers, over * item.amount, f"{item.reason} lost", item.rule)

    def reward_adversaries(self) -> None:
        """Nothing: no score of theirs is written."""

    def settle_vole_pool(self) -> None:
        """What each would have staked for the vole is what the vole is worth."""
        level, contract = self.level, self.result.contract
        worth = _vole_row(self.table.vole_stake, level).get(contract, ZERO)
        worth *= self.unit if self.rules.vole.stake_in == "units" else 1
        self.write_vole(worth, f"{self.prefix}.vole_stake.{level}.{contract}")

    def settle_vole_premium(self) -> None:
        level, premium = self.level, self.vole_premium()
        rule = f"{self.prefix}.vole_premium.{level}.{self.result.contract}"
        won = self.how.vole == "won"
        if not self.lapses("vole", premium, f"vole {level}") if won else self.failed_premium_due():
            self.write_vole(premium, rule)

    def write_vole(self, amount: Fraction, rule: str) -> None:
        """The vole's points to those who made it, or from those who answer for it."""
        if self.how.vole == "won":
            self.credit(amount, f"vole {self.level}", rule)
        else:
            losers = self.result.side() if self.level == "undertaken" else self.bearers()
            self.debit(losers, amount, f"vole {self.level} lost", rule)


def _vole_row(rows: VoleRows, level: VoleLevel) -> PerBid[Fraction]:
    if level == "undertaken":
        return rows.undertaken
    return rows.revealed if level == "revealed" else rows.announced


def _halved(allies: tuple[int, ...], adversaries: tuple[int, ...], amount: Fraction) -> Iterator[_Payment]:
    """Ally, adversary and part, where two allies halve what passes between them and each adversary."""
    half = amount / 2
    # an odd counter falls to Hombre, who comes first, and to the ally by turns
    odd = ZERO if amount.denominator > 1 or amount % 2 == 0 else Fraction(1, 2)
    for number, adversary in enumerate(adversaries):
        first = half + odd if number % 2 == 0 else half - odd
        for ally, part in ((allies[0], first), (allies[1], amount - first)):
            if part:
                yield ally, adversary, part
