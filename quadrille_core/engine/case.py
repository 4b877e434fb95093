"""One deal's result under one set of rules, while it is being settled: what is paid for, and who
pays whom.

A rule is read only where it can matter (``consulted`` notes what was): what three matadors are paid
on top of, say, only of one who holds four.  Which text or reading orders each payment, ``settle``
says.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final

from quadrille_core.cards import SUITS
from quadrille_core.engine.amounts import (
    ZERO,
    Entries,
    adds_to_pool,
    beast_base,
    counted,
    counts_beasts,
    share,
    stake_times,
    table_stake,
    unit_of,
)
from quadrille_core.engine.changes import Changes
from quadrille_core.engine.facts import by_seats, measured
from quadrille_core.engine.ranking import ponto
from quadrille_core.engine.result import FUND, ODD, POOL, VOLE_POOL, Lapse, Result
from quadrille_core.engine.terms import (
    in_points,
    most_matadors,
    named_trumps,
    parties,
    plain_solo,
    row_transfers,
    vole_level,
)
from quadrille_core.facts import ENDS, parted
from quadrille_core.frozen import frozen
from quadrille_core.plugin_rules import Change, Conditional, Factor, PaymentRow
from quadrille_core.rules import (
    Bid,
    OddCounters,
    PayItem,
    PaymentTable,
    PerBid,
    Rules,
    VoleRows,
)

EVERY_GAME: Final[dict[PayItem, str]] = {
    "game": "game",
    "consolation": "consolation",
    "allied": "allied game",
}
"""Items of one amount for every game, the last of one played with an ally."""
Payment = tuple[int, int, Fraction]
"""Payer, payee, amount."""


@frozen
class GameEnd:
    """How a game ended: ``outcome`` won, remise or codille; ``vole`` none, won or lost.

    ``frozen``: the game counts as lost, but the pool is left standing and nothing of the game is
    paid.
    """

    outcome: str
    vole: str
    frozen: bool = False


@frozen
class Item:
    """One thing that is paid for: its amount from each payer, and the rule that sets the amount."""

    kind: PayItem
    amount: Fraction
    reason: str
    rule: str


def verdict(rules: Rules, result: Result) -> GameEnd:
    """Won, remise or codille, and what became of the vole."""
    bid = rules.bids.of(result.contract)
    level = vole_level(bid, result.vole)
    made = result.side_tricks()
    vole = "none" if level == "none" else "won" if made == rules.table.hand_cards else "lost"
    if level in ("announced", "revealed"):
        if vole == "won":
            return GameEnd("won", "won")
        if made >= bid.tricks:
            return GameEnd("remise", "lost", frozen=rules.vole.announced_failed == "stake_frozen")
        if rules.vole.announced_below_game == "remise":
            return GameEnd("remise", "lost")
        return GameEnd(_lost_as(rules, bid, bid.tricks - made), "lost")
    # How far the goal was missed; where no trick was to be made, every trick misses it by one.
    short = {"none": made, "at_least": bid.tricks - made, "all": rules.table.hand_cards - made}[
        bid.goal
    ]
    return GameEnd("won" if short <= 0 else _lost_as(rules, bid, short), vole)


def _lost_as(rules: Rules, bid: Bid, short: int) -> str:
    return "remise" if bid.lost_as == "remise" or short <= rules.loss.remise_short else "codille"


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


class Case:
    """One result under one set of rules, while it is being settled."""

    def __init__(self, rules: Rules, result: Result) -> None:
        self.rules, self.result = rules, result
        self.bid = rules.bids.of(result.contract)
        self.level = vole_level(self.bid, result.vole)
        self.how = verdict(rules, result)
        self.unit = unit_of(rules.stakes, result.pool)
        self.table: PaymentTable = rules.payments
        self.prefix = "payments"
        self.favoured = result.favourite is not None and result.trump == result.favourite
        if self.favoured and rules.payments.in_favourite is not None:
            self.table, self.prefix = rules.payments.in_favourite, "payments.in_favourite"
        doubled = self.favoured and rules.favourite.doubles == "game"
        self.times = result.multiplier * (2 if doubled else 1)
        """How many times the game counts."""
        self.against = result.adversaries()
        self.ledger = Entries()
        self.lapsed: list[Lapse] = []
        self.undivided: list[tuple[Fraction, str, str]] = []
        self.beast, self.pool_taken = ZERO, False
        self.stake = result.pool
        """What the pool holds when the game is won or lost."""

    def raise_stake(self) -> None:
        """Where stakes are raised: fill up the pool, all players in equal parts."""
        if self.times > 1 and self.rules.multiplier.stake == "raised":
            seats, lacking = tuple(range(len(self.result.players))), self.stake * (self.times - 1)
            parts = share(self.odd_counters, seats, lacking, self.result.hombre)
            for seat in seats:
                self.ledger.pay(
                    seat,
                    POOL,
                    parts.of(seat),
                    counted("stake raised", self.times),
                    "multiplier.stake",
                )
            self.stake += lacking - parts.left

    def pay(self, source: int, target: int, amount: Fraction, reason: str, rule: str) -> None:
        """A payment that counts as often as the game does."""
        self.count(source, target, self.as_often(amount), reason, rule)

    def as_often(self, amount: Fraction) -> Fraction:
        """The amount as often as the game counts, which is nearly always once."""
        return amount if self.times == 1 else amount * self.times

    def count(self, source: int, target: int, amount: Fraction, reason: str, rule: str) -> None:
        """A payment in which the game has been counted already."""
        self.ledger.pay(source, target, amount, counted(reason, self.times), rule)

    # What is paid for.

    def items(self) -> Iterator[Item]:
        """The items of the game itself that come to something; the vole's own are settled apart."""
        rules, result, bid = self.rules, self.result, self.bid
        table, prefix, unit = self.table, self.prefix, self.unit
        contract, title = result.contract, bid.title
        if bid.partner == "called" and result.ally is None and rules.payments.own_card_premium:
            name, solo = plain_solo(rules) or (contract, bid)
            contract, title = name, solo.title
        if premium := table.premium.of(contract):
            yield Item(
                "premium",
                premium * unit,
                f"{title.lower()} premium",
                f"{prefix}.premium.{contract}",
            )
        for leaf, reason in EVERY_GAME.items():
            if (leaf != "allied" or result.ally is not None) and (amount := getattr(table, leaf)):
                yield Item(leaf, amount * unit, reason, f"{prefix}.{leaf}")
        yield from self.matadors(result.matadors)
        if result.adversary_matadors and rules.payments.adversaries_matadors == "to_winners":
            yield from self.matadors(result.adversary_matadors, " of the adversaries")
        if result.premiers and table.premiers:
            yield Item("premiers", table.premiers * unit, "premiers", f"{prefix}.premiers")

    def failed(self) -> bool:
        """Whether a vole was undertaken and lost."""
        return self.level == "undertaken" and self.how.vole == "lost"

    def kept(self, item: Item) -> bool:
        """Whether an item of a game that was won is still paid, though a vole undertaken in it may
        have been lost."""
        return not self.failed() or item.kind in self.rules.vole.undertaken_failed_keeps

    def forfeited(self) -> bool:
        """Whether the adversaries have what a game that was won earns, its vole being lost."""
        rules = self.rules
        adversaries = self.failed() and rules.vole.undertaken_failed_takers == "adversaries"
        return adversaries and not in_points(rules)

    def lapses(self, kind: PayItem, amount: Fraction, reason: str) -> bool:
        """Whether the item had to be claimed and was not; if so, that is noted."""
        if kind not in self.bid.claimed or kind in self.result.claims:
            return False
        if amount:
            self.lapsed.append(
                Lapse(kind, amount * self.times, reason, f"bids.{self.result.contract}.claimed")
            )
        return True

    def paid_items(self) -> Iterator[Item]:
        """The items of a game that was won which are paid; those not claimed in time are noted."""
        for item in self.items():
            if self.kept(item) and not self.lapses(item.kind, item.amount, item.reason):
                yield item

    def matadors(self, held: int, whose: str = "") -> Iterator[Item]:
        """The payment for this many unbroken top trumps on one side."""
        rules, rows, unit = self.rules, self.table.matadors, self.unit
        rule = f"{self.prefix}.matadors"
        count = min(held, most_matadors(rules.payments, self.result.trump))
        which = self.bid.matadors
        if which == "favourite_or_vole":
            which = "all" if self.favoured or self.how.vole == "won" else "none"
        if which == "all" and (count == 3 or (count > 3 and rules.payments.matadors_cumulative)):
            yield Item("matadors", rows.three * unit, f"three matadors{whose}", f"{rule}.three")
        if which != "none" and count > 3:
            named = ponto(rules.cards, self.result.trump) is not None
            reason = "three matadors and ponto" if named else "four matadors"
            yield Item("matadors", rows.four * unit, f"{reason}{whose}", f"{rule}.four")
        if which != "none" and count > 4:
            added = (
                rows.four
                if rules.payments.matadors_cumulative
                else max(rows.four - rows.three, ZERO)
            )
            reason = f"{count - 4} more in sequence{whose}"
            yield Item(
                "matadors", (count - 4) * added * unit, reason, "payments.matadors_past_four"
            )

    # Who pays whom.

    def earned(self, amount: Fraction) -> list[Payment]:
        """Who pays whom how much when an amount is won: payer, payee and payment, counted as often
        as the game is."""
        amount = self.as_often(amount)
        result, how = self.result, self.rules.payments.allies_paid
        adversaries = self.against
        if result.ally is None:
            return [(a, result.hombre, amount) for a in adversaries]
        if how == "one_to_one":
            side = result.side()
            return [(a, side[place], amount) for place, a in enumerate(adversaries)]
        if how == "each_opponent_each_ally":
            return [(a, s, amount) for a in adversaries for s in result.side()]
        if how == "once_and_halved":
            return [(a, s, part) for s, a, part in self.halved(result.side(), adversaries, amount)]
        return [
            (seat, result.hombre, amount)
            for seat in range(len(result.players))
            if seat != result.hombre
        ]

    def mirrored(self, amount: Fraction) -> list[Payment]:
        """Who pays whom when adversaries are owed what they would have paid: the same payments,
        turned round."""
        against = self.against
        return [(s, a, part) for a, s, part in self.earned(amount) if a in against]

    def bearers(self) -> tuple[int, ...]:
        """The seats that bear a lost game."""
        bid, result = self.bid, self.result
        alone = (
            result.ally is None
            or bid.loss_borne == "hombre"
            or (
                bid.loss_borne == "shared_if_hombre_made"
                and result.tricks[result.hombre] < bid.hombre_least_tricks
            )
            or 0 < bid.ally_exempt_tricks <= result.tricks[result.ally]
        )
        return (result.hombre,) if alone else result.side()

    def owed(self, bearers: tuple[int, ...], amount: Fraction) -> list[Payment]:
        """Who pays whom how much when an amount is lost: payer, payee and payment, counted as often
        as the game is.

        Bearers who share a loss pay each adversary once, sharing out the adversaries or halving
        each payment; or, by ``loss.allies_pay``, whoever would have paid them what they would have
        received.
        """
        if len(bearers) > 1 and self.rules.loss.allies_pay == "as_received":
            return self.mirrored(amount)
        return self.owed_once(bearers, amount)

    def owed_once(self, bearers: tuple[int, ...], amount: Fraction) -> list[Payment]:
        """The same where each adversary is paid once."""
        amount = self.as_often(amount)
        adversaries = self.against
        if len(bearers) == 1:
            return [(bearers[0], a, amount) for a in adversaries]
        if self.rules.payments.allies_paid == "once_and_halved" or len(bearers) != len(adversaries):
            return list(self.halved(bearers, adversaries, amount))
        return [(bearers[place], a, amount) for place, a in enumerate(adversaries)]

    def halved(
        self, allies: tuple[int, ...], adversaries: tuple[int, ...], amount: Fraction
    ) -> Iterator[Payment]:
        """Ally, adversary and part, where two allies halve what passes between them and each
        adversary."""
        half = amount / 2
        # whole counters stay whole
        odd = ZERO if amount.denominator > 1 or amount % 2 == 0 else Fraction(1, 2)
        for number, adversary in enumerate(adversaries):
            to_ally = bool(odd) and number % 2 == 1 and self.rules.payments.odd_half == "by_turns"
            first = half - odd if to_ally else half + odd
            for ally, part in ((allies[0], first), (allies[1], amount - first)):
                if part:
                    yield ally, adversary, part

    def gave_up(self, adversary: int, item: Item) -> bool:
        """Whether this adversary, who gave up a called card, is exempt from the premium."""
        return item.kind == "premium" and adversary in self.result.givers()

    def odd_counters(self) -> OddCounters:
        """What happens to counters that do not divide evenly."""
        return self.rules.stakes.odd_counters

    def divide(
        self,
        pool: int,
        seats: tuple[int, ...],
        amount: Fraction,
        reason: str,
        rule: str,
        *,
        paid_in: bool = False,
    ) -> Fraction:
        """Divide what a pool gives, or with ``paid_in`` what it gets, among seats; returns how much
        was moved."""
        parts = share(self.odd_counters, seats, amount, self.result.hombre)
        moves = [(seat, parts.each, reason, rule) for seat in seats]
        moves += [(seat, odd, f"odd counter, {reason}", ODD) for seat, odd in parts.odd]
        for seat, part, why, by in moves:
            source, target = (seat, pool) if paid_in else (pool, seat)
            self.ledger.pay(source, target, part, why, by)
        if parts.left and pool == POOL:
            self.undivided.append(
                (parts.left, f"{reason}: {'not paid' if paid_in else 'left in the pool'}", ODD)
            )
        return amount - parts.left

    # The game.

    def win(self) -> None:
        """The pool, and every item from the adversaries; or all of it to them."""
        result, rules = self.result, self.rules
        takers = result.side() if rules.payments.pool_to == "allies" else (result.hombre,)
        losers, rule = self.against, "payments.pool_to"
        reason, drawn = "pool taken" if len(takers) == 1 else "half the pool taken", self.stake
        if self.bid.draws:
            reason, drawn = "drawn from the pool", min(drawn, Fraction(self.bid.draws))
        if forfeited := self.forfeited():
            takers, losers = self.against, self.vole_losers()
            reason, rule = "pool of a game whose vole was lost", "vole.undertaken_failed_takers"
        self.divide(POOL, takers, drawn, reason, rule)
        self.pool_taken = drawn == self.stake
        self.make_good(losers, takers, drawn)
        if forfeited:
            self.forfeit()
            return
        for item in self.paid_items():
            for adversary, ally, part in self.earned(item.amount):
                if self.gave_up(adversary, item) and not rules.exchange.giver_pays_premium:
                    continue
                self.count(adversary, ally, part, item.reason, item.rule)

    def forfeit(self) -> None:
        """The items of a game that was won, from whoever owes the premium of its lost vole."""
        for item in filter(self.kept, self.items()):
            self.pay_lost(item, self.lost_undertaken(item.amount))

    def pay_lost(self, item: Item, owed: list[Payment], often: str = "") -> None:
        """An item to the adversaries, of whom one may have no part in it."""
        for payer, adversary, part in owed:
            if self.gave_up(adversary, item) and not self.rules.exchange.giver_receives_premium:
                continue
            self.count(payer, adversary, part, f"{item.reason} lost{often}", item.rule)

    def lose(self) -> None:
        """What the losers add to the pool, and the items that this kind of loss pays."""
        loss, bearers = self.rules.loss, self.bearers()
        outcome = self.how.outcome
        taken = self.share_pool_at_codille() if outcome == "codille" else ZERO
        raised = self.stake != self.result.pool
        if outcome == "remise":
            times, base = loss.remise_adds, self.stake
        else:
            times, base = loss.codille_adds, self.stake
            if taken != base and loss.codille_base == "taken":
                base = taken
        payers = (self.result.hombre,) if self.bid.pool_penalty == "hombre" else bearers
        each = len(payers) if self.bid.pool_penalty == "each_in_full" else 1
        self.make_good(payers, self.against, taken)
        if adds_to_pool(self.rules):
            # a stake that all have raised is a multiple already; a beast of a size of its own is
            # none
            fold = (
                1
                if raised and self.rules.loss.beast_size == "of_pool"
                else stake_times(self.rules, self.times)
            )
            base, rule = beast_base(loss, f"loss.{outcome}_adds", base, self.result.beasts)
            doubles = f"adds {_times(times)} the pool" if times > 1 else "doubles the pool"
            reason = f"{outcome} {doubles}"
            if counts_beasts(self.rules):
                apart = ", put apart" if loss.beasts == "wait" else ""
                several = f"{times} times " if times > 1 else ""
                reason = f"{outcome}, {several}a beast of {base}{apart}"
            if len(payers) > 1:
                reason += ", shared" if each == 1 else ", each in full"
            due, reason = times * base * fold * each, counted(reason, fold)
            self.beast = self.divide(POOL, payers, due, reason, rule, paid_in=True)
        if outcome == "codille" and loss.codille_pool == "losers_pay":
            for payer, adversary, part in self.owed(bearers, Fraction(loss.codille_draws)):
                self.count(payer, adversary, part, "codille", "loss.codille_draws")
        over = loss.codille_items_times if outcome == "codille" else 1
        listed = self.lost_items()
        often = f", {_times(over)} over" if over > 1 else ""
        for item in self.items():
            if item.kind in listed:
                self.pay_lost(item, self.owed(bearers, over * item.amount), often)
        self.lose_devole(bearers)

    def lost_items(self) -> tuple[PayItem, ...]:
        """The items that this kind of loss pays."""
        loss = self.rules.loss
        announced = self.level in ("announced", "revealed")
        if announced and self.rules.vole.announced_lost_pays == "game_alone":
            return ("game",)
        return loss.remise_pays if self.how.outcome == "remise" else loss.codille_pays

    def lose_devole(self, bearers: tuple[int, ...]) -> None:
        """The price of a vole undertaken, where it is lost by making no trick."""
        measured, result = self.rules.loss.devole, self.result
        if measured != "not_paid" and not (
            result.side_tricks() if measured == "side" else result.tricks[result.hombre]
        ):
            price = self.table.vole_premium.undertaken.get(result.contract, ZERO) * self.unit
            for payer, adversary, part in self.owed(bearers, price):
                rule = f"{self.prefix}.vole_premium.undertaken.{result.contract}"
                self.count(payer, adversary, part, "dévole", rule)

    def make_good(self, losers: tuple[int, ...], winners: tuple[int, ...], stake: Fraction) -> None:
        """Where stakes are made good: each loser pays an equal part of the pool's shortfall to each
        winner."""
        if self.times > 1 and self.rules.multiplier.stake == "made_good":
            reason = counted("stake made good", self.times)
            owed = share(self.odd_counters, losers, stake * (self.times - 1), self.result.hombre)
            for loser in losers:
                parts = share(self.odd_counters, winners, owed.of(loser), self.result.hombre)
                for winner in winners:
                    self.ledger.pay(loser, winner, parts.of(winner), reason, "multiplier.stake")

    def reward_adversaries(self) -> None:
        """What the adversaries earn for matadors of their own, however the game ends."""
        if (
            not self.result.adversary_matadors
            or self.rules.payments.adversaries_matadors != "to_holders"
        ):
            return
        for item in self.matadors(self.result.adversary_matadors, " of the adversaries"):
            won = self.how.outcome == "won"
            owed = self.mirrored(item.amount) if won else self.owed(self.bearers(), item.amount)
            for payer, adversary, part in owed:
                self.count(payer, adversary, part, item.reason, item.rule)

    def share_pool_at_codille(self) -> Fraction:
        """The adversaries' sweep of the pool, where the rules let them; returns what they took."""
        rules, pool, adversaries = self.rules, self.stake, self.against
        if rules.loss.codille_pool != "adversaries":
            return ZERO
        if pool < rules.loss.codille_shared_from * table_stake(rules):
            return ZERO
        if rules.loss.codille_draws:
            pool = min(pool, Fraction(rules.loss.codille_draws * len(adversaries)))
        # "unless there are three"; of five players four are against one who plays alone, as three
        # of four
        odd = pool % len(adversaries)
        if len(adversaries) > 2 and odd and (how := rules.loss.codille_indivisible) != "exact":
            left = pool if how == "stays" else odd
            self.undivided.append(
                (left, "pool at codille: left in the pool", "loss.codille_indivisible")
            )
            pool -= left
        self.pool_taken = pool == self.stake
        return self.divide(POOL, adversaries, pool, "pool shared at codille", "loss.codille_pool")

    def settle_fund(self) -> None:
        """What is drawn from the fund beside the pool, and what Hombre pays for the card that was
        given up."""
        result, how, bid = self.result, self.how, self.result.contract
        won, made = how.outcome == "won" and not how.frozen, how.vole == "won"
        for leaf, due, seats, base in (
            ("fund_game", won, result.side(), self.unit),
            ("fund_vole", made, result.side(), self.unit),
            # the stake as it was laid: each payment is counted, so that a raised one would count
            # twice
            ("fund_vole_stakes", made, result.side(), result.pool),
            (
                "fund_codille",
                how.outcome == "codille" and not how.frozen,
                self.against,
                result.pool,
            ),
        ):
            if due and (drawn := getattr(self.table, leaf).get(bid, ZERO)):
                for seat in seats:
                    self.pay(
                        FUND,
                        seat,
                        drawn * base,
                        "drawn from the fund",
                        f"{self.prefix}.{leaf}.{bid}",
                    )
        if price := self.table.king:
            for giver in result.givers():
                reason = "price of the card given up"
                self.pay(result.hombre, giver, price * self.unit, reason, f"{self.prefix}.king")

    def settle_rows(self, *, by_suit: bool) -> None:
        """The payments that plugins add; without ``by_suit`` as if the trumps were of no suit."""
        result, own, of = self.result, self.rules.own, self.of_rows(by_suit=by_suit)
        for row in self.rows(by_suit=by_suit):
            for by in (
                [seat for name, seat in result.incidents if name == row.incident]
                if row.incident
                else [None]
            ):
                for paid in row_transfers(
                    self.rules,
                    row,
                    len(result.players),
                    unit=self.unit,
                    times=self.times,
                    hombre=result.hombre,
                    ally=result.ally,
                    by=by,
                    many=self.times_per(row.per),
                    with_fact=self.who,
                ):
                    reason = counted(paid.reason, self.times if row.counted else 1)
                    amount = paid.amount
                    if paid.source == POOL:  # which pays in turn, as long as it holds anything
                        held = result.pool + self.ledger.balances(len(result.players))[POOL]
                        amount = max(ZERO, min(amount, held))
                    self.ledger.pay(paid.source, paid.target, amount, reason, paid.rule)

        if changes := [c for c in own.changes(Change, *of) if self.meets(c)]:
            made = Changes(self.rules, result, self.ledger.transfers, self.who).make(changes)
            self.ledger.transfers = made

    def who(self, party: str) -> list[int]:
        """The seats of a party, or of whoever has any of a fact of seats; the pool is one too."""
        result = self.result
        known = parties(len(result.players), result.hombre, result.ally)
        if party in known:
            return known[party]
        return [seat for seat, some in enumerate(by_seats(result, party)) if some]

    def times_per(self, per: str) -> Callable[[int, int], int]:
        """How often a payer pays a payee what is paid per a fact: as there is of it, or by the own
        number of one of the two."""
        measure = self.rules.own.measure(per) if per else None
        if measure and measure.group in ENDS:
            counts, end = by_seats(self.result, measure.fact), ENDS.index(measure.group)
            return lambda *ends: counts[ends[end]]
        many = measured(self.rules, self.result, measure) if measure else 1
        return lambda payer, payee: many

    def rows(self, *, by_suit: bool) -> Iterator[PaymentRow]:
        """The payments of plugins that this deal can make, with or without incidents."""
        rows = self.rules.own.rows(*self.of_rows(by_suit=by_suit))
        return (row for row in rows if self.meets(row))

    def of_rows(self, *, by_suit: bool = True) -> tuple[str, str, frozenset[str]]:
        """What payments of plugins are chosen by: the ending, the contract, the trumps."""
        result = self.result
        trumps = named_trumps(result.trump, result.favourite).difference(() if by_suit else SUITS)
        return self.how.outcome, result.contract, frozenset(trumps)

    def wanted_facts(self) -> dict[str, Conditional]:
        """The facts that must be told of this result, each with a payment that depends on it."""
        own, of, found = self.rules.own, self.of_rows(), dict[str, Conditional]()
        happened = {"", *(name for name, _ in self.result.incidents)}
        rows = (r for r in own.rows(*of) if r.incident in happened and own.amount(r.amount))
        changes = (
            c
            for c in own.changes(Change, *of)
            if not isinstance(c, Factor) or own.amount(c.factor) != 1
        )
        for row in (*rows, *changes):
            known = [one for one in row.facts if own.fact(parted(one.measure)[1]).from_result]
            if all(one.holds(self.measured(one.measure)) for one in known):
                for name in row.named_facts():
                    if not own.fact(name).from_result:
                        found.setdefault(name, row)
        return found

    def meets(self, row: Conditional) -> bool:
        """Whether the facts of this deal are as a payment or factor wants them."""
        return all(one.holds(self.measured(one.measure)) for one in row.facts)

    def measured(self, measure: str) -> int:
        """How much there is of a fact."""
        return measured(self.rules, self.result, self.rules.own.measure(measure))

    # The vole.

    def settle_vole_pool(self) -> None:
        """Every player's stake in the vole's own pool, and who takes it."""
        result = self.result
        stake, rule = self.vole_stake()
        for seat in range(len(result.players)):
            self.pay(seat, VOLE_POOL, stake, "vole pool stake", rule)
        won = self.how.vole == "won"
        takers, reason = (
            (result.side(), "vole pool won") if won else (self.against, "vole pool of a lost vole")
        )
        whole, reason = stake * len(result.players) * self.times, counted(reason, self.times)
        left = whole - self.divide(VOLE_POOL, takers, whole, reason, rule)
        # the vole's pool does not outlive the deal
        self.ledger.pay(VOLE_POOL, POOL, left, f"odd counters, {reason}", ODD)

    def vole_stake(self) -> tuple[Fraction, str]:
        """Each player's stake in the vole's pool, and the rule."""
        contract = self.result.contract
        stake = self.vole_row(self.table.vole_stake).get(contract, ZERO)
        stake *= self.unit if self.rules.vole.stake_in == "units" else 1
        return stake, f"{self.prefix}.vole_stake.{self.level}.{contract}"

    def vole_row(self, rows: VoleRows) -> PerBid[Fraction]:
        """The vole's amounts by bid, for the way it was played for."""
        found: PerBid[Fraction] = getattr(rows, self.level)
        return found

    def vole_premium(self) -> Fraction:
        """What each who pays it pays for a vole made."""
        return self.vole_row(self.table.vole_premium).get(self.result.contract, ZERO) * self.unit

    def vole_price(self) -> tuple[Fraction, str]:
        """What each gets for a vole missed, and the rule: a price of its own, or the premium where
        there is none."""
        contract = self.result.contract
        try:
            return self.table.vole_lost.of(
                contract
            ) * self.unit, f"{self.prefix}.vole_lost.{contract}"
        except KeyError:
            return self.vole_premium(), f"{self.prefix}.vole_premium.{self.level}.{contract}"

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
            price, rule = self.vole_price()
            owed = (
                self.lost_undertaken(price)
                if level == "undertaken"
                else self.owed(self.bearers(), price)
            )
            for payer, adversary, part in owed:
                self.count(payer, adversary, part, f"vole {level} lost", rule)

    def vole_losers(self) -> tuple[int, ...]:
        """Who owes the premium of a vole undertaken and lost."""
        if self.result.ally is not None and self.rules.vole.undertaken_failed_borne == "as_game":
            return self.bearers()
        return self.result.side()

    def lost_undertaken(self, price: Fraction) -> list[Payment]:
        """Who pays whom the price of a vole undertaken and lost; who bears it alone pays for the
        ally too."""
        losers = self.vole_losers()
        if self.rules.vole.undertaken_failed_paid == "once_each":
            return self.owed_once(losers, price)
        return [(s if s in losers else losers[0], a, part) for s, a, part in self.mirrored(price)]

    def failed_premium_due(self) -> bool:
        """Whether a lost vole costs its price, by its own leaf or with the lost game."""
        vole = self.rules.vole
        if (
            vole.undertaken_failed_premium
            if self.level == "undertaken"
            else vole.announced_failed_premium
        ):
            return True
        if self.how.outcome == "won" or self.how.frozen:
            return False
        return "vole" in self.lost_items()
