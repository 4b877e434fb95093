"""Incidents in a ledger: a fine for a misdeal, where a game was played and where none was."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import from_record, replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.house_rules.testing import compiled
from quadrille_plugins.ledger.command import session_command
from quadrille_plugins.ledger.incident import IncidentReport
from quadrille_plugins.ledger.judge import judge
from quadrille_plugins.ledger.laws import Laws, with_plugins
from quadrille_plugins.play.game import from_setup, next_deal
from quadrille_plugins.serve.app import at_table
from quadrille_plugins.settle.result_file import read_incidents
from support.houses import house
from support.ledger import NAMES
from support.pages import HOST, LINK, client, record

from quadrille_core.engine.result import POOL
from quadrille_core.engine.settle import settle
from quadrille_core.engine.unplayed import fines as unplayed_fines
from quadrille_core.engine.unplayed import paid_without_game
from quadrille_core.errors import Place, RecordError, ResultError
from quadrille_core.kinds import TRICKS
from quadrille_core.plugin_rules import (
    AtMost,
    Cap,
    Factor,
    Incident,
    PaymentRow,
    PluginRules,
    Redirect,
    ThrowIn,
)

ANNE, BEN = NAMES[0], NAMES[1]
MISDEAL = "quanti-1822@parlett+misdeal"
FINED = [
    # what is said of deal 1, and its outcome
    (("--void", "a card faced"), "dealt again: a card faced"),
    (("--passed",), "all passed"),
]


@pytest.fixture(autouse=True)
def outside(club, monkeypatch):
    """The third-party distribution, in this process too."""
    monkeypatch.syspath_prepend(str(club))


@pytest.fixture
def table(quadrille, tmp_path):
    """Commands on a session under rules that fine a misdeal, and deal anew when all pass."""
    file = str(tmp_path / "fined.ledger")

    def table(command, *args, settings=(), wrong=False):
        if command == "start":
            rules = ["--rules", MISDEAL, "--set", "auction.all_pass=redeal", *settings]
            args = (*rules, "--players", ",".join(NAMES), "--coins", "plain")
        status, out, err = quadrille(command, file, *args, "--format", "json")
        assert (status != 0) == wrong, err
        return err if wrong else json.loads(out)

    return table


def fines(deal):
    return [
        (t["from"], t["to"], t["amount"])
        for t in deal["transfers"]
        if t["rule"].startswith("misdeal.")
    ]


@pytest.mark.parametrize(("said", "outcome"), FINED)
def test_a_deal_that_nobody_played_is_fined(table, said, outcome):
    """A unit into the pool, a quarter of the four antes, and a counter to each of the others."""
    table("start")
    deal = table("deal", *said, "--incident", f"misdeal={BEN.lower()}")
    others = [name for name in NAMES if name != BEN]
    assert fines(deal) == [(BEN, "pool", 1), *((BEN, name, 1) for name in others)]
    assert (deal["outcome"], deal["result"]) == (outcome, {"incidents": {"misdeal": [BEN]}})
    antes = 4 if said[0] == "--passed" else 0
    assert deal["session"]["pool"]["amount"] == antes + 1
    assert table("show", "--deal", "1")["transfers"] == deal["transfers"]
    assert table("verify")["deals"] == 1
    assert table("undo")["session"]["pool"]["amount"] == 0
    assert {p["net"] for p in table("show")["standing"]} == {0}


def test_the_fine_lies_in_the_pool_of_the_deal_that_is_dealt_again(table):
    """The pool of 4 antes and the fine of 1 makes a unit of 5/4; the same dealer deals."""
    table("start")
    table("deal", "--void", "x", "--incident", f"misdeal={BEN}")
    deal = table(
        "deal", "--contract", "solo", "--trump", "hearts", "--hombre", ANNE, "--tricks", "6"
    )
    assert {t["amount"] for t in deal["transfers"] if t["reason"] == "solo premium"} == {5}
    assert [d["dealer"] for d in table("show")["each_deal"]] == [NAMES[-1]] * 2


def test_options_change_the_incidents_of_a_misdeal_and_nothing_else(table):
    table("start")
    table("deal", "--void", "x", "--incident", f"misdeal={BEN}")
    table("correct", "1", "--incident", f"misdeal={ANNE}")
    deal = table("show", "--deal", "1")
    assert (deal["kind"], deal["outcome"]) == ("void", "dealt again: x")
    assert {payer for payer, _, _ in fines(deal)} == {ANNE}
    assert [d["result"] for d in deal["before"]] == [{"incidents": {"misdeal": [BEN]}}]
    exported = json.dumps(table("export"))
    assert exported.count('"misdeal.fine"') == 3  # paid, paid back, paid by another


REFUSED = {
    "an incident of other rules": ((), "mis", "Q204"),
    "nobody at the table": ((), "misdeal=Zoe", "Q802"),
    "what the Hombre would have": (("--set", "misdeal.to_hombre=1"), "misdeal", "Q701"),
    "what costs nothing": (
        ("--set", "misdeal.fine=0", "--set", "misdeal.each=0"),
        "misdeal",
        "Q701",
    ),
}


@pytest.mark.parametrize(("settings", "incident", "code"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_paid_where_nobody_played_is_refused(table, settings, incident, code):
    table("start", settings=settings)
    told = incident if "=" in incident else f"{incident}={BEN}"
    err = table("deal", "--void", "x", "--incident", told, wrong=True)
    assert code in err
    if settings and "to_hombre" in settings[1]:
        assert "misdeal.to_hombre has payee hombre" in err
    assert table("show")["each_deal"] == []


def test_a_result_beside_a_misdeal_is_refused(table):
    table("start")
    table("deal", "--void", "x", "--incident", f"misdeal={BEN}", "--hombre", ANNE, wrong=True)


def test_a_unit_that_an_incident_pays_from_the_pool_is_no_more_than_it_holds():
    """The antes of a misdeal serve the new deal, so an empty pool pays nothing for it."""
    row = PaymentRow(reason="r", amount="x.n", payer="pool", payee="dealer", incident="i")
    own = PluginRules((("x.n", 3),), (("x.payments", (row,)),))
    rules = replace(house("misdeal").rules, own=own)
    held = {"staked": Fraction(4), "times": 1}
    paid = [
        unplayed_fines(rules, tuple("ABCD"), (("i", 1),), held=Fraction(n), **held)
        for n in (0, 2, 9)
    ]
    assert [[(t.target, t.amount) for t in one] for one in paid] == [[], [(3, 2)], [(3, 3)]]


@pytest.mark.parametrize("answers", [["misdeal", "faced", BEN, "y"], ["passed", BEN, "y"]])
def test_the_prompt_asks_who_is_to_pay(table, tmp_path, answers):
    table("start")
    command = ["deal", str(tmp_path / "fined.ledger"), "--ask"]
    done = CliRunner().invoke(session_command, command, input="\n".join([*answers, ""]))
    assert done.exit_code == 0, done.output
    assert fines(table("show", "--deal", "1"))[0] == (BEN, "pool", 1)


@pytest.mark.parametrize("contract", ["misdeal", "passed"])
def test_the_form_of_a_table_tells_who_is_to_pay(table, tmp_path, contract):
    """It fines whom it is told of, and shows that again where the deal is corrected."""
    table("start")
    browser = client(at_table([HOST], tmp_path / "fined.ledger", LINK, local=True))
    browser.get(f"/open/{LINK.token}")
    assert record(browser, {"contract": contract, "incident.misdeal": "5"}).status_code < 400
    deal = table("show", "--deal", "1")
    assert fines(deal)[0] == (BEN, "pool", 1)
    form = browser.get("/deal/1/correct").text
    assert 'name="incident.misdeal" value="5" checked' in form
    assert 'name="incident.misdeal" value="4" checked' not in form


def test_a_record_of_a_deal_may_hold_incidents_and_replays_them():
    """They are settled with the game; other rules, which know no such incident, refuse it."""
    rules = house("misdeal")
    (played,) = play_session(rules, [make_bot("steady")] * 4, seed=1, session=0, deals=1)
    plain = to_record(played.deal, played.settlement)
    assert "incidents" not in plain
    told = to_record(replay(rules, plain | {"incidents": {"misdeal": "B"}}).deal)
    assert told["incidents"] == told["result"]["incidents"] == {"misdeal": ["B"]}
    again = replay(rules, told).deal
    paid = settle(rules.rules, again.result()).transfers
    assert {t.source for t in paid if t.rule == "misdeal.fine"} == {1}
    assert not {t for t in paid if t.rule.startswith("misdeal.")} & {*played.settlement.transfers}
    with pytest.raises(RecordError, match="misdeal"):
        replay(house("kitty"), told)
    with pytest.raises(RecordError, match="Zoe"):
        replay(rules, plain | {"incidents": {"misdeal": "Zoe"}})


HALF = {"reason": "half", "factor": "x.half", "of": ("x",)}
TO_POOL = {"reason": "kept", "redirected": "x.on", "of": ("x.n",)}
CHANGES = {
    # changes of 3 counters from B to each other: what it asks for; else what is paid, by payee
    "a half": (Factor(**HALF), None, {0: 1, 2: 1, 3: 1}),
    "to the pool": (Redirect(**TO_POOL), None, {POOL: 9}),
    "at an ending": (Factor(**HALF, outcomes=("won",)), None, {0: 3, 2: 3, 3: 3}),
    "of other payments": (Factor(reason="r", factor="x.half"), None, {0: 3, 2: 3, 3: 3}),
    "by a fact": (Factor(**HALF, facts={"last_trick": 1}), ("x.half", "facts last_trick"), {}),
    "of what the Hombre pays": (Factor(**HALF, payer="hombre"), ("x.half", "payer hombre"), {}),
    "of what the dealer is paid": (Factor(**HALF, payee="dealer"), None, {0: 3, 2: 3, 3: 1}),
    "to the Hombre": (Redirect(**TO_POOL, to="hombre"), ("x.on", "to hombre"), {}),
    "by the ally": (Redirect(**TO_POOL, by="ally"), ("x.on", "by ally"), {}),
    # 3 among A, B, C and D: a counter each to A, C and D, and B keeps none, for A has the odd ones
    "to all": (Redirect(**TO_POOL, to="all"), None, {0: 3, 2: 3}),
}
ROW = PaymentRow(reason="r", amount="x.n", payer="offender", payee="others", incident="i")
LAW = Incident(id="i", doc="d", says="s", rule="x.n")


def changed_fine(*changes, row=ROW, odd="eldest"):
    """Rules that fine an incident 3 counters to each of the others, with these changes."""
    values = (("x.n", 3), ("x.half", "1/2"), ("x.on", True))
    records = {"payments": (row,), "incidents": (LAW,), "changes": changes}
    own = PluginRules(values, tuple((f"x.{name}", found) for name, found in records.items()))
    rules = house("misdeal").rules
    return replace(rules, own=own, stakes=replace(rules.stakes, odd_counters=odd))


@pytest.mark.parametrize(("change", "asks", "paid"), CHANGES.values(), ids=CHANGES)
def test_a_fine_without_a_game_is_changed_or_refused_by_leaf_and_field(change, asks, paid):
    """A change that only a game decides is never passed over in silence."""
    rules, told = changed_fine(change), {"incidents": {"i": "B"}}
    assert paid_without_game(rules, "i") == (asks is None)
    if asks:
        with pytest.raises(ResultError) as refused:
            read_incidents(told, rules, tuple("ABCD"))
        (problem,) = refused.value.problems
        assert (problem.data["rule"], problem.data["what"]) == asks
        return
    incidents = read_incidents(told, rules, tuple("ABCD"))
    made = unplayed_fines(
        rules, tuple("ABCD"), incidents, staked=Fraction(4), held=Fraction(4), times=1
    )
    found = Counter()
    for t in made:
        found[t.target] += t.amount
    assert found == paid


def test_odd_counters_of_a_deal_that_nobody_played_are_no_hombres():
    """The Hombre would have all odd ones; there is none, so the eldest have one each."""
    rules = changed_fine(Redirect(**TO_POOL, to="all"), odd="hombre")
    made = unplayed_fines(
        rules, tuple("ABCD"), (("i", 1),), staked=Fraction(4), held=Fraction(4), times=1
    )
    assert [(t.target, t.amount) for t in made] == [(0, 1), (2, 1)] * 3


DEFERRED = {
    # a row and a change; what the ruling names, empty where it orders the payment
    "nothing changes it": ({}, None, ""),
    "another payment's change": ({}, Factor(reason="r", factor="x.half"), ""),
    "a factor": ({}, Factor(**HALF), "x.half"),
    "a factor that waits for the end": ({}, Factor(**HALF, outcomes=("won",)), "x.half"),
    "a redirect": ({}, Redirect(**TO_POOL), "x.on"),
    "a redirect, but the pool is paid": ({"payee": "pool"}, Redirect(**TO_POOL), ""),
    "a cap": ({}, Cap(reason="r", most="x.n", of=("x",)), "x.n"),
    "a fact": ({"facts": {"last_trick": 1}}, None, "last_trick"),
    "who has some of a fact": ({"payee": "last_trick"}, None, "last_trick"),
    "the trumps": ({"trumps": ("clubs",)}, None, "trumps"),
}


@pytest.mark.parametrize(("fields", "change", "named"), DEFERRED.values(), ids=DEFERRED)
def test_a_ruling_orders_no_sum_that_the_deal_may_change(fields, change, named):
    """It names such a payment, by its leaf and by what changes it, as settled with the deal."""
    rules = changed_fine(*filter(None, [change]), row=replace(ROW, **fields))
    laws = with_plugins(Laws("", {}, (), {}), rules, lambda path: path)
    report = IncidentReport("i", tuple("ABCD"), Place("x"), by=1)
    (ruling,) = judge(laws, report, rules, "emended").rulings
    (order,) = ruling.orders
    assert (order.order, bool(ruling.transfers)) == (
        ("pay_with_deal", False) if named else ("pay", True)
    )
    assert named in order.text
    assert "x.n" in order.text or not named


ALL_PASS = [f"{name} pass" for name in "ABCD"]
ALL_IN = ThrowIn(reason="r", rule="misdeal.thrown", facts={"aces_dealt": AtMost(4)})


@pytest.mark.parametrize(("actions", "option"), [(ALL_PASS, "passed"), ([], "void")])
def test_an_incident_of_a_deal_that_is_dealt_again_is_refused_outside_a_ledger(actions, option):
    """Neither a record nor a game drops what it costs; without it both go on."""
    settings = {"auction.all_pass": "redeal"}
    found = compiled(MISDEAL, settings=settings)
    own = found.ruleset.rules.own
    if not actions:
        thrown = (("misdeal.thrown", True),), (("misdeal.thrown_in", (ALL_IN,)),)
        own = PluginRules((*own.values, *thrown[0]), (*own.records, *thrown[1]))
    rules = replace(found.ruleset, rules=replace(found.ruleset.rules, own=own))
    kitty = house("kitty", settings)
    (dealt,) = play_session(kitty, [make_bot("steady")] * 4, seed=1, session=0, deals=1)
    plain = {k: v for k, v in to_record(dealt.deal).items() if k not in ("events", "result")}
    plain["actions"] = actions
    told = plain | {"incidents": {"misdeal": "B"}}
    assert replay(rules, plain).deal.redealt
    with pytest.raises(RecordError) as refused:
        replay(rules, told)
    (problem,) = refused.value.problems
    assert (problem.variant, problem.data["name"]) == ("incident-of-deal-not-played", "misdeal")
    assert problem.data["option"] == option
    setup, said = from_record(told)
    game = from_setup(SimpleNamespace(kind=TRICKS, ruleset=rules, rules=rules.rules), setup, said)
    with pytest.raises(RecordError):
        _ = game.settlement
    with pytest.raises(RecordError):
        next_deal(game)
    assert replace(game, setup=replace(setup, incidents=())).settlement is None
