"""Facts of a deal in the kernel: what payments of plugins count and ask for, noted in play.

``engine.facts`` defines them.  ``Asked`` says what a rule set wants noted, measured and asked, as
the record of the rules holds it; where it names nothing, no function of these is called.
"""

from functools import partial
from math import prod
from typing import Any, Final, Literal

from numba import int64

from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine import deal_record as code
from quadrille_core.engine.facts import cards_of
from quadrille_core.engine.result import ODD
from quadrille_core.engine.terms import in_points
from quadrille_core.facts import facts
from quadrille_core.plugin_rules import (
    PARTIES,
    Cap,
    Change,
    Conditional,
    Factor,
    PluginRules,
    Within,
)
from quadrille_core.rules import Rules
from quadrille_plugins.kernel import words as w
from quadrille_plugins.kernel.auction import show_hand
from quadrille_plugins.kernel.bits import ZERO, count
from quadrille_plugins.kernel.cards import under
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.emit import AUCTION, emit
from quadrille_plugins.kernel.record import (
    CHANGES,
    LARGEST,
    MOST_CHANGES,
    MOST_FACTS,
    MOST_THROWS,
    words,
)
from quadrille_plugins.kernel.shares import OPTIONS, bounded, joined, place_of

How = Literal[
    "leads",
    "first_trick",
    "last_trick",
    "captured",
    "dealt",
    "deals_before",
    "games_before",
    "solos_before",
    "wins_before",
    "losses_before",
    "deals_since_hombre",
]
HOW: Final = words(How)
"""How a fact is noted; from ``deals_before`` on, of earlier deals."""
FALLS: Final = words(Literal["by_card", "eldest", "dealer", "by_hands"])
"""On whom a bid falls when all pass."""
Source = Literal[
    "recorded", "tricks", "dealer", "eldest", "tricks_above", "tricks_below", "matadors"
]
SOURCE: Final = words(Source)
"""Where a measure comes from; the last three are facts of the deal."""
CONDITION: Final = 44
"""From this bit of the facts on: the conditions of plugins' payments."""
NO_LIMIT: Final = 1 << 40
PARTY_OF: Final = {
    "": w.PARTY.ALL,
    "all": w.PARTY.ALL,
    "hombre": w.PARTY.HOMBRE,
    "ally": w.PARTY.ALLY,
    "side": w.PARTY.SIDE,
    "adversaries": w.PARTY.ADVERSARIES,
}


def _order(own: PluginRules, change: Change) -> tuple[Any, ...]:
    """Factors, redirects, then caps from the lowest."""
    if isinstance(change, Cap):
        return CHANGES.CAP, own.amount(change.most), change.of
    return (CHANGES.FACTOR if isinstance(change, Factor) else CHANGES.REDIRECT, 0, ())


class Asked:
    """What the payments of a rule set's plugins name: facts to be noted, measures of facts, and
    conditions."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.recorded: Final = list(rules.own.recorded_facts())
        self.measures: Final[dict[str, int]] = {}
        self.conditions: Final[dict[tuple[int, int, Any], int]] = {}
        own = rules.own
        found = [c for c in own.all(Change) if own.in_force(c) and not in_points(rules)]
        some = [c for c in found if not isinstance(c, Factor) or own.amount(c.factor) != 1]
        self.changes: Final[list[Change]] = sorted(some, key=partial(_order, own))
        amounts = [own.amount(c.leaf) for c in some]
        # all that factors multiply or divide by, one after the other, must stay small
        self.fails = (
            bool(own.own_facts())
            or prod(a.denominator for a in amounts) >= LARGEST
            or max((a.numerator for a in amounts), default=0) >= LARGEST
            or len(some) > MOST_CHANGES
            or any(c.concerns(ODD) for c in some)
        )
        """Whether there is more than the kernel holds."""

    def measure(self, text: str) -> int:
        """The number of a measure."""
        measure = str(self._rules.own.measure(text))
        return self.measures.setdefault(measure, len(self.measures))

    def party(self, name: str) -> int:
        """Who pays or is paid; of a fact of seats, whoever has any of it."""
        if name not in PARTIES:
            return w.PARTIES + self.measure(name)
        return int(getattr(w.PARTY, name.upper()))

    def numbered(self, row: Conditional, *, bar: int = 0, either: int = 0) -> int:
        """The number of a row's conditions: none of ``bar``, one of ``either`` if there are any,
        and its facts."""
        return self.conditions.setdefault((bar, either, row.facts), len(self.conditions))

    def condition(self, row: Conditional) -> int:
        """The bit that the conditions on facts of a row are."""
        return 1 << (CONDITION + self.numbered(row) % MOST_FACTS)

    def fall(self, record: Any, place_home: Any) -> None:
        """Write on whom a bid falls when all have passed into the record of the rules."""
        how = self._rules.forced_by()
        if how is None:
            return
        if len(how.facts) > MOST_THROWS:
            self.fails = True
            return
        record["falls"] = getattr(FALLS, (how.seat or "by_hands").upper())
        record["trait_count"] = len(how.facts)
        record["most_of"]["how"] = HOW.DEALT
        most = (Within(how.most_of, 0, None),) if how.most_of else ()
        rows = [*record["traits"][: len(how.facts)], record["most_of"]]
        for row, one in zip(rows, (*how.facts, *most), strict=False):
            kind, _, dealt = one.measure.rpartition("_")
            held = cards_of(kind, NO_TRUMP) if dealt == "dealt" else ()
            row["how"] = HOW.DEALT if held else getattr(HOW, one.measure.upper())
            row["cards"] = sum(1 << place_home(c) for c in held)
            row["low"], row["high"] = one.low, NO_LIMIT if one.high is None else one.high
        record["most_of"]["high"] = int(record["most_of"]["cards"]).bit_count()

    def fill(self, record: Any, place_under: Any, place_home: Any) -> None:
        """Write all of it into the record of the rules; the places say which bit a card is, under
        a trump and at home."""
        throws = self._rules.own.throws_in()
        tests = [
            (self.measure(one.measure), one.low, NO_LIMIT if one.high is None else one.high, number)
            for (_, _, wanted), number in self.conditions.items()
            for one in wanted
        ]
        lists = (self.recorded, self.measures, self.conditions)
        if max(map(len, lists)) > MOST_FACTS or len(tests) > 2 * MOST_FACTS:
            self.fails = True
        if len(throws) > MOST_THROWS or any(len(t.facts) > MOST_THROWS for t in throws):
            self.fails = True
        if self.fails:
            return
        for row, name in zip(record["recorded"], self.recorded, strict=False):
            kind, _, how = name.rpartition("_")
            by_cards = how in ("captured", "dealt")
            row["how"] = getattr(HOW, (how if by_cards else name).upper())
            if by_cards:
                row["cards"] = [
                    sum(1 << place_under(Suit(trump), c) for c in cards_of(kind, Suit(trump)))
                    for trump in range(NO_TRUMP + 1)
                ]
        for row, text in zip(record["measures"], self.measures, strict=False):
            measure = self._rules.own.measure(text)
            noted = not facts()[measure.fact].from_result
            row["source"] = SOURCE.RECORDED if noted else getattr(SOURCE, measure.fact.upper())
            row["index"] = self.recorded.index(measure.fact) if noted else 0
            row["party"] = PARTY_OF[measure.group]
        for row, (bar, either, _) in zip(record["conditions"], self.conditions, strict=False):
            row["bar"], row["either"] = bar, either
        for row, test in zip(record["tests"], tests, strict=False):
            row["measure"], row["low"], row["high"], row["condition"] = test
        for row, throw in zip(record["throws"], throws, strict=False):
            row["count"] = len(throw.facts)
            for place, one in enumerate(throw.facts):
                cards = cards_of(one.measure.removesuffix("_dealt"), NO_TRUMP)
                row["cards"][place] = sum(1 << place_home(c) for c in cards)
                row["low"][place] = one.low
                row["high"][place] = NO_LIMIT if one.high is None else one.high
        record["recorded_count"], record["measure_count"] = len(self.recorded), len(self.measures)
        record["condition_count"], record["test_count"] = len(self.conditions), len(tests)
        record["throw_count"] = len(throws)
        record["asks_session"] = bool(self._rules.own.session_facts())


# --- while a deal is played


@compiled("int64(rules, deal)", **OPTIONS)
def thrown_in(rules, deal):
    """The eldest whose hand is thrown in before the auction, -1 for nobody."""
    for seat in range(rules.table.players):
        for n in range(rules.throw_count):
            throw = rules.throws[n]
            is_so = True
            for place in range(throw.count):
                number = int64(count(deal.dealt[seat] & throw.cards[place]))
                is_so &= throw.low[place] <= number <= throw.high[place]
            if is_so:
                return int64(seat)
    return int64(-1)


@compiled("boolean(rules, deal, int64[::1])", **OPTIONS)
def throw_in(rules, deal, events):
    """Whether somebody's hand is thrown in, which is then shown, and the cards are redealt."""
    seat = thrown_in(rules, deal)
    if seat < 0:
        return False
    show_hand(rules, deal, events, seat)
    emit(deal, events, w.EVENT.END, int64(-1), int64(AUCTION), code.REDEAL)
    return True


@compiled("void(deal, result)", **OPTIONS)
def begin_noting(deal, result):
    """Before the first trick."""
    for seat in range(5):
        deal.taken[seat], deal.leads[seat] = ZERO, 0
        for n in range(MOST_FACTS):
            result.facts[n, seat] = 0
    deal.first_taker = deal.last_taker = -1


@compiled("void(deal, int64, int64, uint64)", **OPTIONS)
def note_taken(deal, leader, winner, cards):
    """A trick: who led, who took it, its cards."""
    deal.leads[leader] += 1
    deal.taken[winner] |= cards
    if deal.first_taker < 0:
        deal.first_taker = winner
    deal.last_taker = winner


@compiled("int64(carry, int64, int64)", **OPTIONS)
def earlier(carry, how, chair):
    """A fact of the session, of a chair."""
    if how == HOW.GAMES_BEFORE:
        return carry.games[chair]
    if how == HOW.SOLOS_BEFORE:
        return carry.solos[chair]
    if how == HOW.WINS_BEFORE:
        return carry.games_won[chair]
    if how == HOW.LOSSES_BEFORE:
        return carry.games_lost[chair]
    return carry.deals - carry.last_game[chair]


@compiled("int64(deal, carry, trait, int64, int64)", **OPTIONS)
def told_of(deal, carry, trait, seat, chair):
    """How much of what a trait asks for a hand, or its player, has."""
    if trait.how == HOW.DEALT:
        return int64(count(deal.dealt[seat] & trait.cards))
    return earlier(carry, trait.how, chair)


@compiled("void(rules, deal, carry, int64)", **OPTIONS)
def note_fall(rules, deal, carry, number):
    """On whom a bid falls when all pass, -1 for nobody; and who may expect it, one bit each."""
    deal.falls_on, deal.expecting = -1, 0
    players, most_of = rules.table.players, rules.most_of
    if rules.falls != FALLS.BY_HANDS:
        deal.falls_on = 0 if rules.falls == FALLS.ELDEST else players - 1
        deal.expecting = 1 << deal.falls_on
        return
    most = of_all = int64(-1)
    for seat in range(players):
        of_all = max(of_all, told_of(deal, carry, most_of, seat, (number + seat) % players))
    for seat in range(players):
        chair, is_so = (number + seat) % players, True
        for n in range(rules.trait_count):
            many = told_of(deal, carry, rules.traits[n], seat, chair)
            is_so &= rules.traits[n].low <= many <= rules.traits[n].high
        if not is_so:
            continue
        many = told_of(deal, carry, most_of, seat, chair)
        if many > most:
            most, deal.falls_on = many, seat
        # of cards who has half of them all, whatever others have
        if 2 * many >= most_of.high if most_of.how == HOW.DEALT else many == of_all:
            deal.expecting |= 1 << seat


@compiled("void(rules, deal, carry, int64, result)", **OPTIONS)
def write_facts(rules, deal, carry, number, result):
    """What is noted of a deal, by seat; the one of the deal as if it were the eldest hand's."""
    for n in range(rules.recorded_count):
        asked = rules.recorded[n]
        if asked.how >= HOW.DEALS_BEFORE:
            for seat in range(rules.table.players):
                chair = (number + seat) % rules.table.players
                if asked.how == HOW.DEALS_BEFORE:
                    result.facts[n, seat] = 0 if seat else carry.deals
                else:
                    result.facts[n, seat] = earlier(carry, asked.how, chair)
            continue
        for seat in range(rules.table.players):
            if asked.how == HOW.LEADS:
                many = deal.leads[seat]
            elif asked.how == HOW.FIRST_TRICK:
                many = int64(deal.first_taker == seat)
            elif asked.how == HOW.LAST_TRICK:
                many = int64(deal.last_taker == seat)
            elif asked.how == HOW.CAPTURED:
                many = int64(count(deal.taken[seat] & asked.cards[deal.trump]))
            else:
                hand = under(rules, deal.trump, deal.dealt[seat])
                many = int64(count(hand & asked.cards[deal.trump]))
            result.facts[n, seat] = many


# --- when it is settled


@compiled("int64(rules, result, measure)", **OPTIONS)
def of_the_deal(rules, result, measure):
    """A fact of the deal."""
    if measure.source == SOURCE.MATADORS:
        return result.matadors
    bid, hombre, ally = result.bid, result.hombre, result.ally
    made = result.tricks[hombre] + (result.tricks[ally] if ally >= 0 else 0)
    goal = rules.bids[bid].goal
    wanting = made
    if goal != w.GOAL.NONE:
        least = rules.bids[bid].tricks if goal == w.GOAL.AT_LEAST else rules.table.hand_cards
        wanting = least - made
    return max(0, -wanting if measure.source == SOURCE.TRICKS_ABOVE else wanting)


@compiled("int64(rules, result, measure, int64)", **OPTIONS)
def of_seat(rules, result, measure, seat):
    """What one seat has of a fact of seats."""
    if measure.source == SOURCE.RECORDED:
        return result.facts[measure.index, seat]
    if measure.source == SOURCE.TRICKS:
        return result.tricks[seat]
    if measure.source == SOURCE.DEALER:
        return int64(seat == rules.table.players - 1)
    return int64(seat == 0)


@compiled("void(rules, result, out)", **OPTIONS)
def measure_all(rules, result, out):
    """How much there is of each measure, and who has any of it."""
    for n in range(rules.measure_count):
        measure = rules.measures[n]
        total, seats = int64(0), int64(0)
        if measure.source >= SOURCE.TRICKS_ABOVE:
            total = of_the_deal(rules, result, measure)
        else:
            for seat in range(rules.table.players):
                if place_of(out.parties[measure.party], int64(seat)) < 0:
                    continue
                many = of_seat(rules, result, measure, int64(seat))
                total += many
                if many:
                    seats = joined(seats, int64(seat))
        out.measured[n] = total
        out.parties[w.PARTIES + n] = seats
        out.bases[w.BASES + 2 * n] = bounded(out, total * out.bases[w.BASIS.COUNTER])
        out.bases[w.BASES + 2 * n + 1] = bounded(out, total * out.bases[w.BASIS.UNIT])


@compiled("int64(rules, out)", **OPTIONS)
def conditions_met(rules, out):
    """The conditions that hold, as bits beside the facts."""
    met = int64(0)
    for n in range(rules.condition_count):
        condition = rules.conditions[n]
        holds = out.facts & condition.bar == 0
        holds &= condition.either == 0 or out.facts & condition.either != 0
        for test in range(rules.test_count):
            asked = rules.tests[test]
            if asked.condition == n:
                holds &= asked.low <= out.measured[asked.measure] <= asked.high
        if holds:
            met |= int64(1) << (CONDITION + n)
    return met
