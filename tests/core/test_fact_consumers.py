"""Whoever reads payments knows the facts of a deal on which they depend, or refuses and names
them."""

import json
from dataclasses import replace

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import differing, replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.diff.differences import differences_json, rules_difference
from quadrille_plugins.discriminate.evidence_pieces import SettlementPiece
from quadrille_plugins.house_rules.testing import compiled, transfers
from quadrille_plugins.house_rules.unread import unread
from quadrille_plugins.house_rules.warnings import equal_losses
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.deriving import DealStart
from quadrille_plugins.lookup.provenance import explain_json
from quadrille_plugins.rulebook.compose import compose
from quadrille_plugins.serve.forms import Given, desk_fields, desk_result, filled, plain_table
from quadrille_plugins.settle.result_file import read_result, result_to_plain
from quadrille_plugins.shell.fact_words import reported_rules
from quadrille_plugins.studies.free_losses import free_losses
from support.data import cases
from support.pages import form_of
from support.plugin import PREAMBLE, SOLO, make_plugin

from quadrille_core.cards import NO_TRUMP
from quadrille_core.engine.carry import START
from quadrille_core.engine.facts import cards_of
from quadrille_core.engine.settle import settle
from quadrille_core.errors import ResultError, UsageError
from quadrille_core.ruleset import compile_reference

REFERENCE = "quanti-1822+counting"
PLUGIN = """
@hookimpl
def quadrille_leaves():
    amounts = {"king": 2, "above": 1, "last": 3, "ace": 1, "fine": 5}
    return [
        *(OwnLeaf(path=f"counting.{n}", type="amount", doc=n, neutral=v) for n, v in amounts.items()),
        OwnLeaf(path="counting.black", type="integer", doc="d", neutral=2),
        OwnLeaf(path="counting.throw", type="boolean", doc="d", neutral=True),
        OwnLeaf(path="counting.off", type="boolean", doc="d", neutral=False),
    ]


@hookimpl
def quadrille_forcing(rules, parameters):
    return [ThrowIn(reason="r", rule="counting.throw", facts={"pictures_dealt": 0, "aces_dealt": 0})]


@hookimpl
def quadrille_payments(rules, parameters):
    def row(name, payer, payee, **more):
        return PaymentRow(
            reason=name, amount=f"counting.{name}", payer=payer, payee=payee, **more
        )

    return [
        row("king", "hombre", "adversaries", per="adversaries.kings_captured"),
        row("above", "adversaries", "hombre", per="tricks_above", outcomes=("won",)),
        row("last", "all", "last_trick", outcomes=("won",)),
        row("ace", "pool", "hombre", per="hombre.aces_dealt", when="counting.off"),
        row("fine", "offender", "pool", incident="sneeze"),
        Factor(reason="twice", factor="counting.black", trumps=("spades", "clubs")),
    ]
"""
KINGS = {"facts": {"kings_captured": {"A": 2, "B": 1, "D": 1}, "last_trick": {"B": 1}}}


@pytest.fixture(autouse=True)
def plugin(tmp_path, monkeypatch):
    """A plugin whose payments depend on facts of play, of the hands, and of the result."""
    make_plugin(tmp_path, "counting", PREAMBLE + PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))


def of(settings=None):
    return compile_reference(REFERENCE, settings=settings).ruleset.rules


def variants(error):
    return [p.variant for p in error.value.problems]


# --- settlement -----------------------------------------------------------------------------------


@cases("told_facts")
def test_a_result_tells_the_facts_that_its_payments_need_and_possible_ones_alone(changes, wanted):
    with pytest.raises(ResultError) as refused:
        read_result(SOLO | changes, of())
    assert sorted(set(variants(refused))) == wanted


def test_what_is_due_by_facts_is_paid_each_on_a_line_of_its_own():
    black = SOLO | KINGS | {"trump": "spades", "tricks": {"A": 7, "B": 3}}
    black["facts"] = black["facts"] | {"kings_captured": {"A": 2, "B": 2}}
    paid = transfers(compiled(REFERENCE), black)
    own = {"king": 4, "above": 1, "last": 3}
    assert {r: sum(a for _, _, a, why in paid if why == r) for r in own} == {
        "king": 3 * own["king"],
        "above": 3 * own["above"],
        "last": 3 * own["last"],
    }
    once = sum(a for s, t, a, why in paid if "pool" not in (s, t) and why not in (*own, "twice"))
    assert sum(a for _, _, a, why in paid if why == "twice") == once


def test_a_fact_is_asked_for_only_where_a_payment_may_depend_on_it():
    """Where nobody wins, the last trick pays nobody; at a price of nothing, kings cost nothing."""
    lost = SOLO | {"tricks": {"A": 4, "B": 3, "D": 3}}
    with pytest.raises(ResultError) as refused:
        read_result(lost, of())
    assert [p.data["fact"] for p in refused.value.problems] == ["kings_captured"]
    read_result(lost, of({"counting.king": 0}))


def test_the_adversaries_tricks_are_not_shared_out_where_a_payment_depends_on_them():
    """A number alone is what Hombre's side made; whoever took the last trick made one."""
    told = SOLO | KINGS | {"tricks": 6}
    assert ("A", "D", 3, "last") in transfers(
        compiled(REFERENCE), told | {"facts": {"kings_captured": {"A": 4}, "last_trick": {"D": 1}}}
    )


def played():
    rules = compile_reference(REFERENCE).ruleset
    found = play_session(rules, [make_bot("steady")] * 4, seed=3, session=0, deals=4)
    return rules, [p.deal for p in found if p.deal.result() is not None]


def test_a_deal_played_is_settled_from_its_result_and_replayed_as_it_was():
    ruleset, deals = played()
    for deal in deals:
        result = deal.result()
        plain = json.loads(json.dumps(result_to_plain(result, REFERENCE)))
        assert read_result(plain, ruleset.rules) == result
        record = to_record(deal, settle(ruleset.rules, result))
        again = replay(ruleset, record)
        assert again.divergence is None
        assert to_record(again.deal, settle(ruleset.rules, again.deal.result())) == record
        assert not differing({**record, "result": plain | {"facts": {}}}, record)


def test_rules_without_such_payments_know_no_facts():
    with pytest.raises(ResultError) as refused:
        read_result(SOLO | KINGS, compile_reference("quanti-1822").ruleset.rules)
    assert variants(refused) == ["fact-not-asked"] * 2


# --- ledger and pages -----------------------------------------------------------------------------


def test_the_ledger_refuses_a_deal_of_which_a_fact_is_wanting_and_settles_one_that_tells_it():
    names = ("A", "B", "C", "D")
    table = Table(of(), DealStart((0, 1, 2, 3), names, START, None, REFERENCE, {}))
    deal = {k: v for k, v in SOLO.items() if k not in ("players", "pool")}
    with pytest.raises(ResultError) as refused:
        table.derive(deal)
    assert variants(refused) == ["fact-not-told"] * 2
    paid = table.derive(deal | KINGS).movements
    assert sum(m.amount for m in paid if m.rule == "counting.king") == 12


def test_the_form_of_a_page_asks_for_every_fact_and_shows_what_was_recorded():
    table = plain_table(of())
    asked = [f.name for f in desk_fields(table) if f.name.startswith("facts.")]
    assert asked == [*(f"facts.kings_captured.{n}" for n in range(4)), "facts.last_trick"]
    _, sent = form_of(SOLO | KINGS | {"rules": REFERENCE})
    told = desk_result(Given(sent), table)
    assert read_result(told, of()) == read_result(SOLO | KINGS, of())
    again = filled(SOLO | KINGS, table)
    assert [again[name] for name in asked] == [["2"], ["1"], ["0"], ["1"], ["1"]]
    with pytest.raises(ResultError) as refused:
        read_result(desk_result(Given([s for s in sent if "facts" not in s[0]]), table), of())
    assert variants(refused) == ["fact-not-told"] * 2


# --- in words -------------------------------------------------------------------------------------


def test_the_rulebook_states_each_payment_factor_and_hand_thrown_in():
    cited = {
        path
        for _, _, sentence in compose(compile_reference(REFERENCE)).sentences()
        for path in sentence.cites
    }
    assert {f"counting.{n}" for n in ("king", "above", "last", "black", "throw")} <= cited


@pytest.mark.parametrize(
    ("leaf", "record"),
    [("king", "payments"), ("off", "payments"), ("black", "factors"), ("throw", "thrown_in")],
)
def test_explain_tells_in_which_payments_a_leaf_has_a_part(leaf, record):
    path = f"counting.{leaf}"
    told = explain_json(compile_reference(REFERENCE), [path])["paths"][path]
    assert [r["path"] for r in told["records"]] == [f"counting.{record}"]
    assert "reported" not in told


def test_a_rule_that_only_reported_incidents_reach_says_so_and_no_other():
    rules = compile_reference(REFERENCE)
    values = {path: origin.value for path, origin in rules.origins.items()}
    assert [*reported_rules(values)] == ["counting.fine"]
    found = differences_json(rules_difference(compile_reference("quanti-1822"), rules))
    assert [d["path"] for d in found if d.get("reported")] == ["counting.fine"]
    assert unread(rules) == {}


# --- hypothetical results -------------------------------------------------------------------------


def test_the_solver_refuses_payments_by_what_was_played_and_pays_by_the_hands_dealt():
    pytest.importorskip("numba")
    from quadrille_plugins.solver.deals import DealSolver

    ruleset, deals = played()
    with pytest.raises(UsageError) as refused:
        DealSolver(ruleset, deals[0].setup)
    assert (variants(refused), refused.value.problems[0].data["fact"]) == (
        ["payment-not-solved"],
        "kings_captured",
    )
    only_hands = ["counting.king", "counting.above", "counting.last"]
    rules = compile_reference(REFERENCE, settings={"counting.off": True}).ruleset.rules
    kept = tuple(
        (path, tuple(r for r in found if getattr(r, "amount", "") not in only_hands))
        for path, found in rules.own.records
    )
    ruleset = replace(ruleset, rules=replace(rules, own=replace(rules.own, records=kept)))
    solving = DealSolver(ruleset, deals[0].setup)
    solved = solving.best(solving.contracts()[0])
    dealt = tuple(len(cards_of("aces", NO_TRUMP) & set(hand)) for hand in deals[0].setup.hands)
    assert solved.result.facts == (("aces_dealt", dealt),)


def test_evidence_that_does_not_tell_a_fact_decides_nothing():
    """What a payment depends on may be wanting in a text: that rules nothing out."""
    piece = SettlementPiece("p", "settlement", "s", "", "", None, result=SOLO, outcome="won")
    game = compile_reference(REFERENCE).game
    assert piece.ask(game).word == "undecided"
    told = replace(piece, result=SOLO | KINGS)
    assert told.ask(game).word == "holds"
    assert told.ask(compile_reference("quanti-1822").game).word == "holds"


def test_a_loss_is_looked_into_though_payments_depend_on_facts():
    plain, rules = compile_reference("quanti-1822").ruleset.rules, of()
    assert {f.kind for f in free_losses(rules, brief=True)} == {
        f.kind for f in free_losses(plain, brief=True)
    }


def test_that_losses_cost_the_same_is_not_said_where_they_may_not(tmp_path):
    head = "kind: profile\nid: mine\ntitle: T\nextends: quanti-1822\n"
    rules = "rules: {loss: {codille_adds: 1, codille_pool: stays}}\n"
    for plugins, warned in (("", True), ("plugins: [{plugin: counting}]\n", False)):
        path = tmp_path / "mine.yaml"
        path.write_text(head + plugins + rules)
        assert (equal_losses(compile_reference(str(path))) is not None) == warned
