"""The payments of a rule set compiled to rows (``record.ROW``): when each is due, who pays whom
what, and why.

Rows stand bid by bid in the order in which they are paid.  ``engine.case`` says the same of one
result at a time, and why.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, get_args

from quadrille_core.engine.amounts import adds_to_pool, table_stake
from quadrille_core.engine.result import ODD
from quadrille_core.engine.terms import plain_solo
from quadrille_core.facts import ENDS
from quadrille_core.plugin_rules import Cap, Conditional, Factor, PaymentRow, Redirect
from quadrille_core.rules import Bid, PayItem, PaymentTable, Rules, VoleLevel
from quadrille_core.vocabulary import pattern_of
from quadrille_plugins.kernel.measures import Asked
from quadrille_plugins.kernel.record import CHANGES, PATHS, WHY_BID, handle
from quadrille_plugins.kernel.words import (
    BASES,
    BASIS,
    COUNT,
    FACT,
    PARTY,
    PAY,
    UNCLAIMED,
    VERB,
    VERBS,
)

LOST: Final = (("remise", FACT.REMISE), ("codille", FACT.CODILLE))
OUTCOMES: Final = {"won": FACT.WON, "remise": FACT.REMISE | FACT.FROZEN, "codille": FACT.CODILLE}


class Way(NamedTuple):
    """Who pays whom, and when; ``turned``: the inner party pays the outer."""

    need: int
    bar: int
    verb: int
    outer: int
    inner: int
    turned: bool = False


class Item(NamedTuple):
    """One thing that is paid for: what it comes to, the rule that says so, when it is paid for."""

    kind: PayItem
    amount: Fraction
    rule: str
    need: int
    bar: int
    basis: int = BASIS.UNIT


CREDIT: Final = Way(0, 0, VERB.EACH, PARTY.SCORE, PARTY.ALLIES)
"""Points to Hombre, and as many to the ally."""


def tables(rules: Rules) -> list[tuple[str, PaymentTable, int, int]]:
    """Each table of payments: its path, and when it applies."""
    favoured = rules.payments.in_favourite
    if favoured is None:
        return [("payments", rules.payments, 0, 0)]
    plain = ("payments", rules.payments, 0, FACT.FAVOURED)
    return [plain, ("payments.in_favourite", favoured, FACT.FAVOURED, 0)]


def trumps_of(row: PaymentRow) -> list[tuple[int, int]]:
    """The trumps at which a plugin's payment is due, as facts that it needs and that bar it; never
    two at a time."""
    suits = [getattr(FACT, word.upper()) for word in row.trumps if word != "favourite"]
    favoured = [(FACT.FAVOURED, sum(suits))] if len(suits) < len(row.trumps) else []
    return [(suit, 0) for suit in suits] + favoured if row.trumps else [(0, 0)]


def _barred(row: Conditional) -> int:
    """The endings at which it is not due."""
    return sum(fact for word, fact in OUTCOMES.items() if word not in (row.outcomes or OUTCOMES))


@lru_cache(maxsize=4096)  # hundreds of rule sets in a study give the same reasons
def _why(rule: str, bids: tuple[str, ...], own: tuple[str, ...]) -> int:
    """The number that ``tabulate.decode`` reads: that of a leaf and a bid, or of a plugin's own
    leaf."""
    if rule in own:
        return len(PATHS) + own.index(rule)
    pattern = pattern_of(rule) or ""
    bid = bids.index(rule.rpartition(".")[2]) if pattern.endswith("*") else 0
    return handle(pattern) | bid << WHY_BID


def changes_of(
    rules: Rules, asked: Asked, whole: Callable[[Fraction | int], int]
) -> list[tuple[int, ...]]:
    """The changes of payments as tuples in the order of ``record.CHANGE``; ``whole`` makes counters
    integers."""
    bids, leaves = rules.bids.names(), tuple(path for path, _ in rules.own.values)
    made = []
    for change in asked.changes:
        either = sum(getattr(FACT, t.upper(), FACT.FAVOURED) for t in change.trumps)
        condition = asked.numbered(change, bar=_barred(change), either=either)
        amount, ends, pools = rules.own.amount(change.leaf), ("", ""), False
        if isinstance(change, Factor):
            ends = change.payer, change.payee
        elif isinstance(change, Redirect):
            ends, pools = (change.by, change.receiver), change.from_pool
        elif isinstance(change, Cap):
            amount = Fraction(whole(amount))
        kind = getattr(CHANGES, type(change).__name__.upper())
        parties = [asked.party(end) if end else -1 for end in ends]
        why = _why(change.leaf, bids, leaves)
        made.append((kind, condition, *parties, *amount.as_integer_ratio(), pools, why))
    return made


class Rows:
    """The rows of one bid, as tuples in the order of ``record.ROW``; ``whole`` makes their amounts
    integers."""

    def __init__(
        self,
        rules: Rules,
        name: str,
        bid: Bid,
        whole: Callable[[Fraction | int], int],
        asked: Asked,
    ) -> None:
        self._rules, self._name, self._bid, self._whole = rules, name, bid, whole
        self._asked = asked
        self._vole_basis: int = BASIS.UNIT if rules.vole.stake_in == "units" else BASIS.COUNTER
        self._bids = rules.bids.names()
        self._leaves = tuple(path for path, _ in rules.own.values)
        self.made: list[tuple[int, ...]] = []
        self.ordered: list[str] = []
        """The rule that orders each."""
        if rules.score.kept == "points":
            self._score()
            return
        self._win()
        for outcome, fact in LOST:
            self._lose(outcome, fact)
        if rules.payments.adversaries_matadors == "to_holders":
            self._reward_adversaries()
        self._vole()
        self._fund()
        self._own()

    def changed(self) -> list[int]:
        """Of each row the changes that may concern it, one bit each."""
        mine = [
            (1 << n, change)
            for n, change in enumerate(self._asked.changes)
            if self._name in (change.contracts or (self._name,))
        ]
        return [sum(bit for bit, one in mine if one.concerns(rule)) for rule in self.ordered]

    def _row(
        self,
        rule: str,
        way: Way,
        amount: Fraction | int,
        basis: int = BASIS.UNIT,
        count: int = COUNT.TIMES,
        need: int = 0,
        bar: int = 0,
        *,
        is_spared: bool = False,
        kind: int = 0,
    ) -> None:
        """One row, due where both its own condition and the way's hold; one that is never due is
        left out."""
        need, bar = need | way.need, bar | way.bar
        if not need & bar and (amount or way.verb == VERB.SWEEP):
            why = _why(rule, self._bids, self._leaves)
            self.ordered.append(rule)
            self.made.append(
                (need, bar, *way[2:], basis, self._whole(amount), count, is_spared, kind, why)
            )

    # Who pays whom.

    def _earned(
        self, *, turned: bool = False, allied: int = FACT.ALLIED, side: int = PARTY.ALLIES
    ) -> Way:
        """Who pays allies what they won; turned round, they owe it to the adversaries who would
        have paid."""
        paid = self._rules.payments.allies_paid
        if paid == "all_others_to_hombre":
            return Way(
                allied,
                0,
                VERB.EACH,
                PARTY.ADVERSARIES if turned else PARTY.OTHERS,
                PARTY.HOMBRE,
                turned,
            )
        verb = {
            "one_to_one": VERB.PAIRED,
            "each_opponent_each_ally": VERB.EACH,
            "once_and_halved": VERB.HALVED,
        }[paid]
        return Way(allied, 0, verb, PARTY.ADVERSARIES, side, turned)

    def _won(self, *, turned: bool = False) -> list[Way]:
        """Who pays whom an amount that is won."""
        return [
            Way(0, FACT.ALLIED, VERB.EACH, PARTY.ADVERSARIES, PARTY.HOMBRE, turned),
            self._earned(turned=turned),
        ]

    def _once(self, shared: int) -> list[Way]:
        """Who pays whom an amount that is lost, where each adversary is paid once."""
        halved = (
            self._rules.payments.allies_paid == "once_and_halved" or self._rules.table.players != 4
        )
        both = Way(
            shared, 0, VERB.HALVED if halved else VERB.PAIRED, PARTY.ADVERSARIES, PARTY.ALLIES, True
        )
        return [Way(0, shared, VERB.EACH, PARTY.ADVERSARIES, PARTY.HOMBRE, True), both]

    def _owed(self) -> list[Way]:
        """Who pays whom an amount that is lost: each adversary once, or whoever would have paid."""
        alone, both = self._once(FACT.SHARED)
        as_received = self._rules.loss.allies_pay == "as_received"
        return [alone, self._earned(turned=True, allied=FACT.SHARED) if as_received else both]

    def _owed_vole(self) -> list[Way]:
        """The same of the premium of a vole undertaken and lost; who bears it alone pays for the
        ally too."""
        as_game = self._rules.vole.undertaken_failed_borne == "as_game"
        if self._rules.vole.undertaken_failed_paid == "once_each":
            return self._once(FACT.SHARED if as_game else FACT.ALLIED)
        if not as_game:
            return self._won(turned=True)
        for_both = self._earned(turned=True, side=PARTY.TWICE)._replace(bar=FACT.SHARED)
        return [self._won(turned=True)[0], for_both, self._earned(turned=True, allied=FACT.SHARED)]

    # What is paid for.

    def _items(self) -> Iterator[Item]:
        """The items of the game itself."""
        rules, name = self._rules, self._name
        solo = (
            plain_solo(rules)
            if self._bid.partner == "called" and rules.payments.own_card_premium
            else None
        )
        for path, table, need, bar in tables(rules):
            called = [(name, FACT.ALLIED, 0), (solo[0], 0, FACT.ALLIED)] if solo else [(name, 0, 0)]
            for bid, needed, barred in called:
                premium = table.premium.get(bid, Fraction(0))
                yield Item("premium", premium, f"{path}.premium.{bid}", need | needed, bar | barred)
            yield Item("game", table.game, f"{path}.game", need, bar)
            yield Item("consolation", table.consolation, f"{path}.consolation", need, bar)
            yield Item("allied", table.allied, f"{path}.allied", need | FACT.ALLIED, bar)
            yield from self._matadors(path, table, need, bar, FACT.THREE)
            if rules.payments.adversaries_matadors == "to_winners":
                yield from self._matadors(path, table, need, bar, FACT.AGAINST_THREE)
            yield Item("premiers", table.premiers, f"{path}.premiers", need | FACT.PREMIERS, bar)

    def _matadors(
        self, path: str, table: PaymentTable, need: int, bar: int, three: int
    ) -> Iterator[Item]:
        """What matadors are paid, that three are held being such a fact, and that four are the
        next."""
        rows, paid, rule, four = table.matadors, self._bid.matadors, f"{path}.matadors", three << 1
        basis = BASIS.FURTHER if three == FACT.THREE else BASIS.AGAINST
        if paid == "favourite_or_vole":
            # in favourite, and in any other suit with the vole; a table for one of the two has the
            # other barred
            ways, paid = (
                [(need | FACT.FAVOURED, bar), (need | FACT.VOLE_WON, bar | FACT.FAVOURED)],
                "all",
            )
        else:
            ways = [(need, bar)]
        cumulative = self._rules.payments.matadors_cumulative
        instead, added = (
            (0, rows.four) if cumulative else (four, max(rows.four - rows.three, Fraction(0)))
        )
        for needed, barred in ways:
            if paid == "all":
                yield Item(
                    "matadors", rows.three, f"{rule}.three", needed | three, barred | instead
                )
            if paid != "none":
                yield Item("matadors", rows.four, f"{rule}.four", needed | four, barred)
            if paid != "none" and self._rules.payments.matadors_past_four != "not_paid":
                yield Item(
                    "matadors", added, "payments.matadors_past_four", needed | four, barred, basis
                )

    def _due(self, item: Item, ways: list[Way], *, is_spared: bool = False, kind: int = 0) -> None:
        """An item in each of these ways."""
        for way in ways:
            self._row(
                item.rule,
                way,
                item.amount,
                item.basis,
                need=item.need,
                bar=item.bar,
                is_spared=is_spared,
                kind=kind,
            )

    def _claimable(self, item: Item, ways: list[Way]) -> None:
        """What is won in these ways, unless it had to be claimed and was not."""
        kind = getattr(PAY, item.kind.upper())
        is_spared = item.kind == "premium" and not self._rules.exchange.giver_pays_premium
        bar = item.bar | kind << UNCLAIMED
        self._due(item._replace(bar=bar), ways, is_spared=is_spared, kind=kind)

    # The game.

    def _win_items(self, ways: list[Way]) -> None:
        """The items of a game that is won; of one whose vole was undertaken and lost, those that
        are kept."""
        for item in self._items():
            kept = item.kind in self._rules.vole.undertaken_failed_keeps
            failed = 0 if kept and not self._forfeits() else FACT.FAILED
            self._claimable(item._replace(need=item.need | FACT.WON, bar=item.bar | failed), ways)
            if kept and self._forfeits():
                need = item.need | FACT.WON | FACT.FAILED
                self._lost_item(item._replace(need=need), self._owed_vole())

    def _forfeits(self) -> bool:
        """Whether the adversaries have what a game earns whose vole was undertaken and lost."""
        rules = self._rules
        counters = rules.score.kept != "points"
        return counters and rules.vole.undertaken_failed_takers == "adversaries"

    def _lost_item(self, item: Item, ways: list[Way]) -> None:
        """An item to the adversaries."""
        giver = self._rules.exchange.giver_receives_premium
        self._due(item, ways, is_spared=item.kind == "premium" and not giver)

    def _lost_items(self, outcome: str, fact: int, ways: list[Way]) -> None:
        """The items that this kind of loss pays."""
        loss = self._rules.loss
        listed, over = (
            (loss.remise_pays, 1)
            if outcome == "remise"
            else (loss.codille_pays, loss.codille_items_times)
        )
        said = (FACT.ANNOUNCED, FACT.REVEALED)
        alone = self._rules.vole.announced_lost_pays == "game_alone"
        for item in self._items():
            due = item._replace(amount=over * item.amount, need=item.need | fact)
            if item.kind in listed:
                bar = sum(said) if alone and item.kind != "game" else 0
                self._lost_item(due._replace(bar=item.bar | bar), ways)
            elif alone and item.kind == "game":
                for level in said:
                    self._lost_item(due._replace(need=due.need | level), ways)

    def _spread(
        self, stake: str, fact: int, losers: int, winners: int, basis: int, bar: int = 0
    ) -> None:
        """What the stake lacks of a game that counts several times, where it is raised, or made
        good."""
        if self._rules.multiplier.stake == stake:
            way = Way(fact | FACT.REPEATED, FACT.FROZEN | bar, VERB.SPREAD, losers, winners)
            self._row("multiplier.stake", way, 1, basis)

    def _win(self) -> None:
        """A stake raised; the pool, and every item from the adversaries."""
        self._spread("raised", 0, PARTY.ALL, PARTY.POOL, BASIS.STAKE)
        takers = PARTY.ALLIES if self._rules.payments.pool_to == "allies" else PARTY.HOMBRE
        side = (0, FACT.FAILED * self._forfeits(), "payments.pool_to", PARTY.ADVERSARIES, takers)
        as_game = self._rules.vole.undertaken_failed_borne == "as_game"
        losers = PARTY.BEARERS if as_game else PARTY.ALLIES
        theirs = (FACT.FAILED, 0, "vole.undertaken_failed_takers", losers, PARTY.ADVERSARIES)
        draws = self._bid.draws
        for need, bar, rule, losing, taking in (side, theirs) if self._forfeits() else (side,):
            self._row(
                rule,
                Way(FACT.WON | need, bar, VERB.DIVIDE, PARTY.POOL, taking),
                draws or 1,
                BASIS.COUNTER if draws else BASIS.STAKE,
                COUNT.NEVER,
            )
            basis = BASIS.TAKEN if draws else BASIS.STAKE
            self._spread("made_good", FACT.WON | need, losing, taking, basis, bar)
        self._win_items(self._won())

    def _lose(self, outcome: str, fact: int) -> None:
        """What the losers add to the pool, and the items that this kind of loss pays."""
        rules, loss = self._rules, self._rules.loss
        payers = PARTY.HOMBRE if self._bid.pool_penalty == "hombre" else PARTY.BEARERS
        adds, rule, basis = loss.remise_adds, "loss.remise_adds", BASIS.STAKE
        if outcome == "codille":
            adds, rule = loss.codille_adds, "loss.codille_adds"
            basis = BASIS.TAKEN if loss.codille_base == "taken" else BASIS.STAKE
            if loss.codille_pool == "adversaries":
                least = loss.codille_shared_from * table_stake(rules)
                way = Way(fact, 0, VERB.SWEEP, PARTY.POOL, PARTY.ADVERSARIES)
                self._row("loss.codille_pool", way, least, BASIS.COUNTER, COUNT.NEVER)
            self._spread("made_good", fact, payers, PARTY.ADVERSARIES, BASIS.TAKEN)
        # a stake that all have raised is a multiple already; a beast of a size of its own is none
        count = COUNT.NEVER if rules.multiplier.stake == "single" else COUNT.UNLESS_RAISED
        if loss.beast_size != "of_pool":
            rule, basis, count = "loss.beast_size", BASIS.BEAST, count and COUNT.TIMES
        if adds_to_pool(rules):
            way = Way(fact, 0, VERB.DIVIDE, PARTY.POOL, payers, turned=True)
            if self._bid.pool_penalty == "each_in_full":
                self._row(rule, way, adds, basis, count, bar=FACT.SHARED)
                self._row(rule, way, 2 * adds, basis, count, need=FACT.SHARED)
            else:
                self._row(rule, way, adds, basis, count)
        if outcome == "codille" and loss.codille_pool == "losers_pay":
            for way in self._owed():
                self._row("loss.codille_draws", way, loss.codille_draws, BASIS.COUNTER, need=fact)
        self._lost_items(outcome, fact, self._owed())
        for path, table, need, bar in tables(rules) if loss.devole != "not_paid" else ():
            price, rule = (
                table.vole_premium.undertaken,
                f"{path}.vole_premium.undertaken.{self._name}",
            )
            for way in self._owed():
                self._row(
                    rule,
                    way,
                    price.get(self._name, Fraction(0)),
                    need=need | fact | FACT.DEVOLE,
                    bar=bar,
                )

    def _reward_adversaries(self) -> None:
        """What the adversaries earn for matadors of their own, however the game ends."""
        for path, table, need, bar in tables(self._rules):
            for item in self._matadors(path, table, need, bar, FACT.AGAINST_THREE):
                self._due(item._replace(need=item.need | FACT.WON), self._won(turned=True))
                lost = item._replace(bar=item.bar | FACT.WON | FACT.FROZEN)
                self._due(lost, self._owed())

    # The vole.

    def _voles(self) -> Iterator[tuple[int, Item, Item, Item]]:
        """Each level in each table: its fact, what the vole's stake is, its premium, and what it
        costs when lost."""
        for path, table, need, bar in tables(self._rules):
            for level in get_args(VoleLevel)[1:]:
                said, leaves = getattr(FACT, level.upper()), ("vole_stake", "vole_premium")
                amounts = (
                    getattr(getattr(table, leaf), level).get(self._name, Fraction(0))
                    for leaf in leaves
                )
                rules = (f"{path}.{leaf}.{level}.{self._name}" for leaf in leaves)
                stake, premium = (
                    Item("vole", *paid, need | said, bar)
                    for paid in zip(amounts, rules, strict=True)
                )
                lost = premium
                if self._name in table.vole_lost.names():
                    rule = f"{path}.vole_lost.{self._name}"
                    lost = premium._replace(amount=table.vole_lost.of(self._name), rule=rule)
                yield said, stake, premium, lost

    def _vole(self) -> None:
        """The vole's own pool and who takes it; the vole's premium, to Hombre's side or from it."""
        for said, stake, premium, price in self._voles():
            way = Way(0, 0, VERB.EACH, PARTY.ALL, PARTY.VOLE_POOL)
            self._row(
                stake.rule, way, stake.amount, self._vole_basis, need=stake.need, bar=stake.bar
            )
            for end, takers in ((FACT.VOLE_WON, PARTY.ALLIES), (FACT.VOLE_LOST, PARTY.ADVERSARIES)):
                # the vole's pool does not outlive the deal
                for rule, verb, to in (
                    (stake.rule, VERB.DIVIDE, takers),
                    (ODD, VERB.EACH, PARTY.POOL),
                ):
                    way, some = Way(end, 0, verb, PARTY.VOLE_POOL, to), int(stake.amount > 0)
                    self._row(rule, way, some, BASIS.STAKED, COUNT.NEVER, stake.need, stake.bar)
            lost = self._owed_vole() if said == FACT.UNDERTAKEN else self._owed()
            self._vole_premium(said, premium, price, self._won(), lost)

    def _vole_premium(
        self, said: int, premium: Item, price: Item, won: list[Way], lost: list[Way]
    ) -> None:
        """A vole's premium won; or the price of a lost one, by a leaf of its own or as an item of
        the lost game."""
        vole, loss = self._rules.vole, self._rules.loss
        self._claimable(premium._replace(need=premium.need | FACT.VOLE_WON), won)
        listed = (FACT.REMISE, loss.remise_pays), (FACT.CODILLE, loss.codille_pays)
        due = [fact for fact, pays in listed if "vole" in pays]
        if said != FACT.UNDERTAKEN and vole.announced_lost_pays == "game_alone":
            due = []
        if (
            vole.undertaken_failed_premium
            if said == FACT.UNDERTAKEN
            else vole.announced_failed_premium
        ):
            due = [0]
        for fact in due:
            self._due(price._replace(need=price.need | FACT.VOLE_LOST | fact), lost)

    def _fund(self) -> None:
        """What is drawn from the fund beside the pool, and the price of the card that was given
        up."""
        draws = (
            ("fund_game", FACT.WON, PARTY.ALLIES, BASIS.UNIT),
            ("fund_vole", FACT.VOLE_WON, PARTY.ALLIES, BASIS.UNIT),
            ("fund_vole_stakes", FACT.VOLE_WON, PARTY.ALLIES, BASIS.LAID),
            ("fund_codille", FACT.CODILLE, PARTY.ADVERSARIES, BASIS.LAID),
        )
        for path, table, need, bar in tables(self._rules):
            for leaf, fact, payee, basis in draws:
                amount, way = (
                    getattr(table, leaf).get(self._name, 0),
                    Way(fact, 0, VERB.EACH, PARTY.FUND, payee),
                )
                self._row(f"{path}.{leaf}.{self._name}", way, amount, basis, need=need, bar=bar)
            self._row(
                f"{path}.king",
                Way(0, 0, VERB.EACH, PARTY.HOMBRE, PARTY.GIVER),
                table.king,
                need=need,
                bar=bar,
            )

    # Plugins and points.

    def _own(self) -> None:
        """The payments that plugins add, but for those of incidents, which no bot causes."""
        own = self._rules.own
        for row in own.all(PaymentRow):
            if (
                own.in_force(row)
                and not row.incident
                and self._name in (row.contracts or (self._name,))
            ):
                met = self._asked.condition(row) if row.facts else 0
                outer, inner = self._asked.party(row.payer), self._asked.party(row.payee)
                in_units, count = row.unit == "units", COUNT.TIMES if row.counted else 0
                basis, verb = BASIS.UNIT if in_units else BASIS.COUNTER, VERB.EACH
                measure = own.measure(row.per) if row.per else None
                if measure and measure.group in ENDS:
                    number = self._asked.measure(measure.fact)
                    verb = VERBS + 2 * number + ENDS.index(measure.group)
                elif measure:
                    basis = BASES + 2 * self._asked.measure(row.per) + in_units
                way = Way(met, _barred(row), verb, outer, inner)
                for need, bar in trumps_of(row):
                    self._row(row.amount, way, own.amount(row.amount), basis, count, need, bar)

    def _score(self) -> None:
        """Points, written to the scores of those who won or lost, and to nobody else's."""
        rules = self._rules
        debit = Way(0, 0, VERB.EACH, PARTY.BEARERS, PARTY.SCORE)
        self._row("score.won", CREDIT, rules.score.won, BASIS.COUNTER, need=FACT.WON)
        self._win_items([CREDIT])
        for (outcome, fact), points in zip(
            LOST, (rules.score.remise, rules.score.codille), strict=True
        ):
            self._row(f"score.{outcome}", debit, points, BASIS.COUNTER, need=fact)
            self._lost_items(outcome, fact, [debit])
        for said, stake, premium, price in self._voles():
            both = said == FACT.UNDERTAKEN and rules.vole.undertaken_failed_borne != "as_game"
            lost = Way(0, 0, VERB.EACH, PARTY.ALLIES if both else PARTY.BEARERS, PARTY.SCORE)
            for fact, way in ((FACT.VOLE_WON, CREDIT), (FACT.VOLE_LOST, lost)):
                self._row(
                    stake.rule,
                    way,
                    stake.amount,
                    self._vole_basis,
                    need=stake.need | fact,
                    bar=stake.bar,
                )
            self._vole_premium(said, premium, price, [CREDIT], [lost])
