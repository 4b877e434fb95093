"""Incidents in a ledger: a fine for a misdeal, where a game was played and where none was."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from click.testing import CliRunner
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.ledger.command import session_command
from quadrille_plugins.serve.app import at_table
from support.houses import house
from support.ledger import NAMES
from support.pages import HOST, LINK, client, record

from quadrille_core.engine.settle import settle
from quadrille_core.engine.unplayed import fines as unplayed_fines
from quadrille_core.errors import RecordError
from quadrille_core.plugin_rules import PaymentRow, PluginRules

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
    """They are settled with the game; other rules, which know no such incident, pay nothing."""
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
    other = replay(house("kitty"), told).deal
    assert "misdeal" not in {
        t.reason for t in settle(house("kitty").rules, other.result()).transfers
    }
    with pytest.raises(RecordError, match="Zoe"):
        replay(rules, plain | {"incidents": {"misdeal": "Zoe"}})
