"""Facts of a deal, factors and hands thrown in: the kernel against the engine that defines them."""

import random
from dataclasses import replace
from itertools import compress

import pytest
from kernel_equality import EqualityCounts, compare
from quadrille_plugins.house_rules.equality import first_difference
from quadrille_plugins.house_rules.warnings import BETWEEN_PLAYERS
from quadrille_plugins.kernel.measures import Asked
from quadrille_plugins.kernel.record import MOST_FACTS, ROW
from quadrille_plugins.kernel.rows import Rows
from quadrille_plugins.kernel.tabulate import scale_of, tabulate
from quadrille_plugins.kernel.words import PARTY
from quadrille_plugins.studies.fast import Workspace
from quadrille_plugins.studies.fast import tabulate as tabulate_all
from quadrille_plugins.studies.sessions import Readable
from support.any_rules import BASES

from quadrille_core.cards import NO_TRUMP, SUITS, Suit, parse_cards
from quadrille_core.engine.deal_record import Names
from quadrille_core.engine.facts import cards_of, recorded
from quadrille_core.engine.past import OF_SESSION
from quadrille_core.facts import ENDS, GROUPS, KINDS, facts, measure_of
from quadrille_core.plugin_rules import (
    FORCED_SEATS,
    OUTCOMES,
    RECORDS,
    TRUMPS,
    AtLeast,
    AtMost,
    Cap,
    Factor,
    ForcedBid,
    PaymentRow,
    PluginRules,
    Redirect,
    ThrowIn,
    TrumpsOnly,
)
from quadrille_core.rules import PerBid, RuleSet
from quadrille_core.ruleset import compile_reference

OF_SEATS = [name for name, fact in facts().items() if fact.of == "seats"]
OF_THE_DEAL = [name for name, fact in facts().items() if fact.of == "deal"]
PARTIES = ("hombre", "ally", "side", "adversaries", "all", "pool")
TIMES = (0, 1, 2, 3, 50, "1/2", "3/2", "2/3")


def measure(draw: random.Random) -> str:
    if draw.random() < 0.3:
        return draw.choice(OF_THE_DEAL)
    return f"{draw.choice(GROUPS)}.{draw.choice(OF_SEATS)}"


def wanted(draw: random.Random) -> dict[str, object]:
    """Up to two conditions on facts."""
    return {
        measure(draw): draw.choice((AtLeast(draw.randint(0, 3)), AtMost(draw.randint(0, 3)), 1))
        for _ in range(draw.choice((0, 0, 1, 2)))
    }


def change(draw: random.Random) -> dict[str, object]:
    """What payments a change concerns, and when."""
    concerned = (
        ("payments",),
        ("payments.premium", "loss"),
        ("payments", "club.due-0"),
        ("club.due-1", "payments.pool_to", "loss.codille_pool", "multiplier"),
    )
    return {
        "reason": "more",
        "of": draw.choice(concerned),
        "outcomes": tuple(draw.sample(OUTCOMES, draw.choice((0, 0, 1, 2)))),
        "contracts": (),
        "trumps": tuple(draw.sample(TRUMPS, draw.choice((0, 0, 1, 2, 3)))),
        "facts": wanted(draw),
    }


def limits(draw: random.Random, ruleset: RuleSet) -> tuple[TrumpsOnly, ...]:
    """Limits on the trumps of some bids; the one that falls on somebody always has a suit."""
    forced = ruleset.rules.forced_bid()
    found = []
    for bid in draw.choices(ruleset.rules.bids.names(), k=4):
        suits = {*draw.sample(TRUMPS, draw.choice((1, 1, 2, 3, 4)))}
        if forced and bid == forced[0]:
            suits.add(SUITS[0])
        found.append(TrumpsOnly(bid=bid, suits=tuple(sorted(suits)), rule="club.limited"))
    return tuple(found)


def falls(draw: random.Random, bid: str) -> ForcedBid:
    """On whom a bid falls when all pass: a seat, or whom hands or earlier deals say."""
    dealt = [f"{name}_dealt" for name, kind in KINDS.items() if not kind.by_trump]
    known = (*draw.sample(dealt, 3), *OF_SESSION[1:])
    how = draw.choice(("seat", "most_of", "facts", "both"))
    said = {} if how != "seat" else {"seat": draw.choice(FORCED_SEATS)}
    if how in ("most_of", "both"):
        said["most_of"] = draw.choice(known)
    if how in ("facts", "both"):
        kinds = (AtLeast(draw.randint(1, 3)), AtMost(draw.randint(0, 3)), 1)
        said["facts"] = {one: draw.choice(kinds) for one in draw.sample(known, draw.choice((1, 2)))}
    return ForcedBid(bid=bid, reason="falls", rule="club.falls", **said)


def with_facts(draw: random.Random, ruleset: RuleSet) -> RuleSet:
    """The rules with payments, changes of payments, hands thrown in, limits on trumps, a bid that
    falls on somebody and bids that ask for several cards, drawn over all that they may say."""
    rows = []
    for number in range(2):
        parties = (*PARTIES, *draw.sample(OF_SEATS, 3))
        payer, payee = draw.sample(parties, 2)
        own = [end for end, who in zip(ENDS, (payer, payee), strict=True) if who != "pool"]
        per = draw.choice((measure(draw), f"{draw.choice(own)}.{draw.choice(OF_SEATS)}"))
        rows.append(
            PaymentRow(
                reason="dues",
                amount=f"club.due-{number}",
                payer=payer,
                payee=payee,
                per=draw.choice(("", per, per)),
                unit=draw.choice(("counters", "units")),
                outcomes=tuple(draw.sample(OUTCOMES, draw.choice((0, 0, 1, 2)))),
                counted=draw.random() < 0.5,
                facts=wanted(draw),
            )
        )
    factors = tuple(
        Factor(
            factor=f"club.times-{number}",
            payer=draw.choice(("", "", *PARTIES[:5], *draw.sample(OF_SEATS, 2))),
            payee=draw.choice(("", "", *PARTIES[:5], *draw.sample(OF_SEATS, 2))),
            **change(draw),
        )
        for number in range(3)
    )
    ends = {"by": ("", *PARTIES, draw.choice(OF_SEATS)), "to": ("", *PARTIES, *OF_SEATS[:2])}
    sent = {end: draw.choice(known) for end, known in ends.items()}
    drawn = sent["by"] == "" and sent["to"] not in ("", "pool") and draw.random() < 0.5
    redirect = Redirect(redirected="club.sent", from_pool=drawn, **sent, **change(draw))
    caps = tuple(Cap(most=f"club.most-{number}", **change(draw)) for number in range(2))
    kind = draw.choice([name for name, kind in KINDS.items() if not kind.by_trump])
    throws = (ThrowIn(reason="poor", rule="club.on", facts={f"{kind}_dealt": draw.choice((0, 3))}),)
    values = (
        ("club.on", draw.random() < 0.3),
        ("club.limited", draw.random() < 0.6),
        ("club.falls", draw.random() < 0.6),
        *((f"club.due-{number}", draw.choice((1, 2, 5))) for number in range(2)),
        *((f"club.times-{number}", draw.choice(TIMES)) for number in range(3)),
        ("club.sent", draw.random() < 0.5),
        *((f"club.most-{number}", draw.choice((0, 3, 5, "7/2", 200))) for number in range(2)),
    )
    records = (
        ("club.payments", tuple(rows)),
        ("club.factors", factors),
        ("club.redirects", (redirect,)),
        ("club.caps", draw.choice((caps, ()))),
        ("club.thrown_in", throws),
        ("club.trumps", limits(draw, ruleset)),
    )
    forced, bids = ruleset.rules.forced_bid(), dict(ruleset.rules.bids.items())
    if forced:
        records += (("club.forced_bids", (falls(draw, forced[0]),)),)
    own = PluginRules(values, records)
    if forced and own.forced(forced[0]):  # no card forces then
        bids[forced[0]] = replace(forced[1], forced_on=None)
    for name, bid in bids.items():
        if bid.exchange:
            bids[name] = replace(bid, cards_asked=draw.choice((1, 1, 2, 3, 4)))
    rules = replace(ruleset.rules, own=own, bids=PerBid(tuple(bids.items())))
    return replace(ruleset, rules=rules)


def compared(name: str, rule_sets: int, deals: int) -> EqualityCounts:
    draw, tally, ruleset = random.Random(name), EqualityCounts(), compile_reference(name).ruleset
    for number in range(rule_sets):
        drawn = with_facts(draw, ruleset)
        bot = draw.choice(("steady", "random"))
        compare(f"{name} {drawn.rules.own}", drawn, deals, number, tally, bot)
        if tally.difference:
            break
    return tally


@pytest.mark.parametrize("name", BASES)
def test_deals_with_facts_are_played_and_paid_the_same(name):
    """Whole sessions, event by event and payment by payment, under rules drawn over all facts."""
    tally = compared(name, 6, 8)
    assert not tally.difference
    assert tally.deals > 20


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("anew", [False, True])
def test_deals_are_replayed_with_the_same_earlier_ones(name, anew):
    """Sessions of rules that ask nothing of earlier deals, replayed under rules that pay by it; if
    deals begin anew there are none."""
    plain = compile_reference(name).ruleset
    rows = tuple(
        PaymentRow(
            reason="dues", amount="club.due", payer="hombre", payee="adversaries", per=measured
        )
        for measured in (OF_SESSION[0], *(f"hombre.{fact}" for fact in OF_SESSION[1:]))
    )
    own = PluginRules((("club.due", 1),), (("club.payments", rows),))
    sets = [plain, replace(plain, rules=replace(plain.rules, own=own))]
    bots, deals = ["steady"] * plain.rules.table.players, 24
    arrays, _ = tabulate_all(sets, bots)
    arrays = [replace(one, anew=anew) for one in arrays]
    readers = [Readable(one, bots, arrays[0].names, anew=anew) for one in sets]
    found = []
    for (given, under), room in ((arrays, Workspace(1, deals)), (readers, None)):
        held = given.play(5, 0, [deals], room, 0)
        found.append(under.replay(given, held, 5, 0, 1, room, (0, 1)))
    assert not first_difference(found[1], found[0], arrays[1])
    assert ("club.due" in found[1].tapes[0]) is not anew


@pytest.mark.slow
@pytest.mark.parametrize("name", BASES)
def test_many_deals_with_facts_are_played_and_paid_the_same(name):
    tally = compared(name, 100, 15)
    assert not tally.difference
    assert tally.deals > 500


def test_the_rules_by_which_players_pay_each_other_are_those_that_a_change_may_name():
    """A change of others is warned of."""
    found, nobodys = set(), {PARTY.POOL, PARTY.VOLE_POOL, PARTY.SCORE, PARTY.FUND}
    for name in BASES:
        rules = compile_reference(name).ruleset.rules
        for bid_name, bid in rules.bids.items():
            rows = Rows(rules, bid_name, bid, int, Asked(rules))
            ends = [dict(zip(ROW.names, row, strict=True)) for row in rows.made]
            between = [not {row["outer"], row["inner"]} & nobodys for row in ends]
            found |= {*compress(rows.ordered, between)}
    known = {f"{rule}." for rule in BETWEEN_PLAYERS}
    met = {rule for rule in known for path in found if f"{path}.".startswith(rule)}
    assert {path for path in found if not f"{path}.".startswith((*known,))} == set()
    assert known - met == {"payments.in_favourite.allied."}  # no text has it


def test_more_measures_than_the_kernel_holds_are_left_to_the_other_engine():
    ruleset = compile_reference("quanti-1822").ruleset
    rows = tuple(
        PaymentRow(reason="dues", amount="club.due", payer="all", payee="pool", per=name)
        for name in OF_SEATS[: MOST_FACTS + 1]
    )
    own = PluginRules((("club.due", 1),), (("club.payments", rows),))
    rules = replace(ruleset.rules, own=own)
    assert tabulate(rules, Names(), scale_of([rules]))["unfit"] == 1


@pytest.mark.parametrize(
    ("kind", "value", "of"),
    [("factors", "1/268435456", "payments"), ("factors", 2**28, "payments"), ("caps", 3, "stakes")],
)
def test_changes_that_the_kernel_does_not_hold_are_left_to_the_other_engine(kind, value, of):
    """Such as come to too large a number, or change who has an odd counter."""
    ruleset, record = compile_reference("quanti-1822").ruleset, RECORDS[kind]
    made = record(reason="more", of=(of,), **{record.cites: "club.leaf"})
    own = PluginRules((("club.leaf", value),), ((f"club.{kind}", (made,)),))
    rules = replace(ruleset.rules, own=own)
    assert tabulate(rules, Names(), scale_of([rules]))["unfit"] == 1


@pytest.mark.parametrize(
    "text", [".leads", "leads.", "nobody.leads", "side.tricks_above", "tricks_up", ""]
)
def test_what_is_no_measure_is_refused(text):
    with pytest.raises(KeyError):
        measure_of(text)


def test_facts_of_seats_are_what_the_cards_say():
    """Two tricks worked by hand, spades being trumps: SQ is one of them, H7 is none."""
    dealt = [parse_cards(hand) for hand in ("SA HK", "S2 HQ", "CA H7", "SQ D5")]
    tricks = [
        (0, parse_cards("HK HQ H7 SQ"), 3),
        (3, parse_cards("D5 SA S2 CA"), 0),
    ]
    found = dict(
        recorded([n for n in OF_SEATS if not facts()[n].from_result], dealt, tricks, Suit(0))
    )
    assert found["leads"] == (1, 0, 0, 1)
    assert found["first_trick"] == (0, 0, 0, 1)
    assert found["last_trick"] == (1, 0, 0, 0)
    assert found["kings_captured"] == (0, 0, 0, 1)
    assert found["matadors_captured"] == (3, 0, 0, 0)
    assert found["trumps_captured"] == (3, 0, 0, 1)
    assert found["hearts_captured"] == (0, 0, 0, 3)
    assert found["trumps_dealt"] == (1, 1, 1, 1)
    assert found["pictures_dealt"] == (1, 1, 0, 1)
    assert found["manille_dealt"] == (0, 1, 0, 0)
    assert found["black_aces_dealt"] == (1, 0, 1, 0)
    assert found["red_pictures_captured"] == (0, 0, 0, 2)


def test_every_kind_of_card_is_some_of_the_pack():
    for kind in KINDS:
        sizes = {len(cards_of(kind, trump)) for trump in (*map(Suit, range(len(SUITS))), NO_TRUMP)}
        assert 0 < max(sizes) < 40
