"""Facts of a plugin's own: told by its functions of deals that were played, asked for or refused by
whoever else reads payments."""

import json
import pickle
import sys

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.discriminate.evidence_pieces import SettlementPiece
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.asking import ask
from quadrille_plugins.ledger.deriving import DealStart
from quadrille_plugins.serve.forms import Given, desk_fields, desk_result, filled, plain_table
from quadrille_plugins.settle.answers import answers_of
from quadrille_plugins.settle.result_file import read_result, result_to_plain
from quadrille_plugins.solver.deals import require_solvable
from quadrille_plugins.studies.fast import InexactError, blocked_by, tabulate
from support.pages import form_of
from support.plugin import PREAMBLE, SOLO, make_plugin

from quadrille_core.cards import NO_TRUMP, Suit, parse_cards
from quadrille_core.engine.carry import START
from quadrille_core.engine.finished import FinishedDeal, Trick, told_of
from quadrille_core.engine.settle import settle
from quadrille_core.errors import PluginError, ProfileError, ResultError, UsageError
from quadrille_core.facts import ENDS, GROUPS, MOST_COUNTED
from quadrille_core.plugin_rules import (
    AtLeast,
    OwnFact,
    PaymentRow,
    own_as_facts,
    plugin_rules_of,
)
from quadrille_core.ruleset import compile_reference
from quadrille_core.slips import slip_of

BASE = "quanti-1822@parlett"
REFERENCE = f"{BASE}+telling"
PLUGIN = """
@hookimpl
def quadrille_leaves():
    return [OwnLeaf(path="telling.each", type="amount", doc="d", neutral=1)]


def passes(deal):
    return sum(said == "pass" for _, said in deal.spoken)


def longest(deal):
    return [max(sum(c // 10 == s for c in hand) for s in range(4)) for hand in deal.hands]


def noisy(deal):
    {noisy}


@hookimpl
def quadrille_payments(rules, parameters):
    def own(name, of="seats"):
        return OwnFact(name=name, unit="u", doc=name, of=of, compute=globals()[name])

    def row(**more):
        return PaymentRow(reason="r", amount="telling.each", payee="pool", **more)

    return [
        row(payer="telling.noisy", outcomes=("codille",)),
        row(payer="hombre", per="telling.passes"),
        own("passes", "deal"),
        own("longest"),
        own("noisy"),
        row(payer="hombre", per="hombre.telling.longest", facts={{"telling.passes": AtLeast(1)}}),
    ]
"""
TOLD = {"facts": {"telling.passes": 3, "telling.longest": {"A": 5, "B": 4}}}


def write(folder, noisy="return (0, 0, 0, 0)"):
    sys.modules.pop("telling_module", None)  # the module of another test
    make_plugin(folder, "telling", PREAMBLE + PLUGIN.format(noisy=noisy))


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """A plugin that counts who passed, and the longest suit of each hand."""
    write(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def of():
    return compile_reference(REFERENCE).ruleset


def played(rules, deals=6):
    return play_session(rules, [make_bot("steady")] * 4, seed=1, session=0, deals=deals)


def variants(error):
    return [p.variant for p in error.value.problems]


def last_passed(deal):
    return max((n for n, (_, said) in enumerate(deal.spoken) if said == "pass"), default=0)


def wrong_number(deal):
    return 1


# --- when cards are played ------------------------------------------------------------------------


def test_a_finished_deal_is_as_it_was_played(plugin):
    """What the functions are given, and what they tell of it, in results and payments."""
    forced = set()
    for one in played(of(), 40):
        deal, result = one.deal, one.deal.result()
        if result is None:
            continue
        finished = deal._finished(deal.declaration, deal.trump)
        events = [(e.seat, e.kind) for e in deal.events if e.kind in ("pass", "bid")]
        assert [(seat, said.split()[0]) for seat, said in finished.spoken] == events
        assert finished.hands == deal.setup.hands
        assert list(finished.tricks) == deal.tricks
        assert (finished.hombre, finished.ally) == (result.hombre, result.ally)
        holder = next((n for n, h in enumerate(finished.hands) if finished.called in h), None)
        assert holder == (finished.ally if result.surrendered is None else result.surrendered)
        assert (finished.called is None) == (finished.called_suit is None)
        facts = dict(result.facts)
        passed = sum(kind == "pass" for _, kind in events)
        assert facts["telling.passes"] == (passed,)
        assert all(3 <= n <= 10 for n in facts["telling.longest"])
        paid = sum(t.amount for t in one.settlement.transfers if t.rule == "telling.each")
        assert paid == passed + (facts["telling.longest"][result.hombre] if passed else 0)
        forced.add(finished.forced)
    assert forced == {True, False}


OWN_PARTIES = """
@hookimpl
def quadrille_leaves():
    return [OwnLeaf(path="marked.each", type="amount", doc="d", neutral=1)]


def marks(deal):
    return (1, 0, 2, 0)


@hookimpl
def quadrille_payments(rules, parameters):
    def row(payer, payee):
        return PaymentRow(reason="r", amount="marked.each", payer=payer, payee=payee)

    return [
        OwnFact(name="marks", unit="marks", doc="d", compute=marks),
        row("marked.marks", "pool"),
        row("pool", "marked.marks"),
    ]
"""


def test_whoever_has_some_of_such_a_fact_pays_and_is_paid(tmp_path, monkeypatch):
    """The eldest and the third have some: each pays a counter into the pool and has one of it."""
    sys.modules.pop("marked_module", None)
    make_plugin(tmp_path, "marked", PREAMBLE + OWN_PARTIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    rules = compile_reference(f"{BASE}+marked").ruleset
    one = next(one for one in played(rules) if one.settlement)
    paid = [t for t in one.settlement.transfers if t.rule == "marked.each"]
    assert [(t.source, t.target) for t in paid] == [(0, -1), (2, -1), (-1, 0), (-1, 2)]
    with pytest.raises(InexactError):
        tabulate([rules], ["steady"] * 4)


def test_a_record_of_such_a_deal_is_replayed_and_its_result_read_back(plugin):
    rules = of()
    for one in played(rules):
        result = one.deal.result()
        plain = json.loads(json.dumps(result_to_plain(result, REFERENCE)))
        assert read_result(plain, rules.rules) == result
        again = replay(rules, to_record(one.deal, one.settlement))
        assert (again.divergence, again.deal.result()) == (None, result)


def test_rules_come_through_pickle_and_plain_data_with_their_functions(plugin):
    """As workers and ledgers have them: where the functions stand, and no code."""
    rules = of()
    own = rules.rules.own
    assert plugin_rules_of(json.loads(json.dumps(own.plain()))) == own
    sent = pickle.loads(pickle.dumps(rules))  # noqa: S301
    assert sent == rules
    results = [[one.deal.result() for one in played(r)] for r in (rules, sent)]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("noisy", "variant"),
    [
        ("return 1 // 0", "own-fact-failed"),
        ("raise SystemExit", "own-fact-failed"),
        ("return (0, 0, 0)", "own-fact-no-number"),
        ("return (0, 0, 0, -1)", "own-fact-no-number"),
        ("return (0, 0, 0, True)", "own-fact-no-number"),
        ("return (0, 0, 0, 0.5)", "own-fact-no-number"),
        ("return None", "own-fact-no-number"),
        ("return 3", "own-fact-no-number"),
        ("return (0, 0, 0, 10**5000)", "own-fact-no-number"),
        ("return type('T', (), {'__repr__': lambda self: 1 // 0})()", "own-fact-no-number"),
    ],
)
def test_a_function_that_fails_is_told_by_plugin_hook_and_field(
    tmp_path, monkeypatch, noisy, variant
):
    write(tmp_path, noisy)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PluginError) as refused:
        next(one.deal.result() for one in played(of()))
    (problem,) = refused.value.problems
    assert (problem.code, problem.variant) == ("Q507", variant)
    assert (problem.data["plugin"], problem.data["fact"]) == ("telling", "noisy")
    assert "quadrille_payments" in problem.message
    assert "compute" in problem.message


def test_other_code_makes_other_rules(tmp_path, monkeypatch):
    """The digest has the source of the function's module."""
    digests = []
    for number in (0, 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        with monkeypatch.context() as m:
            write(folder, f"return ({number}, 0, 0, 0)")
            m.syspath_prepend(str(folder))
            digests.append(compile_reference(REFERENCE).identity.digest)
    assert len({*digests}) == 2


def test_facts_are_told_of_a_deal_worked_by_hand():
    """One trick, spades being trumps, after A passed and D named a solo."""
    deal = FinishedDeal(
        hands=tuple(tuple(parse_cards(hand)) for hand in ("HK", "H2", "C7", "S2")),
        spoken=((0, "pass"), (1, "pass"), (2, "pass"), (3, "bid solo")),
        contract="solo",
        forced=False,
        hombre=3,
        ally=None,
        called=None,
        surrendered=None,
        trump=Suit(0),
        favourite=None,
        vole="none",
        tricks=(Trick(0, tuple(parse_cards("HK H2 C7 S2")), 3),),
    )
    assert (deal.dealer, deal.called_suit) == (3, None)
    fact = OwnFact(name="x.f", unit="u", doc="d", compute=f"{__name__}:last_passed#0", of="deal")
    assert told_of(deal, [fact]) == (("x.f", (2,)),)
    wrong = OwnFact(name="x.f", unit="u", doc="d", compute=f"{__name__}:wrong_number#0")
    with pytest.raises(PluginError):
        told_of(deal, [wrong])
    assert deal.trump != NO_TRUMP


# --- when a plugin is compiled --------------------------------------------------------------------

GOOD = {"name": "'f'", "unit": "'u'", "doc": "'d'", "compute": "told", "of": "'seats'"}


@pytest.mark.parametrize("name", [*GROUPS, *ENDS])
def test_a_plugin_called_as_a_group_tells_no_fact_of_its_own(tmp_path, monkeypatch, name):
    """For its ``all.tricks`` would be read as the tricks of all."""
    fields = ", ".join(f"{field}={value}" for field, value in GOOD.items())
    hook = "\n\n@hookimpl\ndef quadrille_payments(rules, parameters):\n"
    told = "\n\ndef told(deal):\n    return (0, 0, 0, 0)\n"
    sys.modules.pop(f"{name}_module", None)
    make_plugin(tmp_path, name, PREAMBLE + told + hook + f"    return [OwnFact({fields})]\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ProfileError) as refused:
        compile_reference(f"{BASE}+{name}")
    (problem,) = refused.value.problems
    assert (problem.data["field"], problem.data["fault"].variant) == ("name", "reads-as-fact")


def test_conditions_on_numbers_that_no_pack_bounds_may_ask_for_many():
    """Of earlier deals, and of a plugin's own facts, there may be more than a pack has cards."""
    own = own_as_facts([OwnFact(name="x.f", unit="u", doc="d", compute="m:f#0")])
    for measure, most in (
        ("hombre.games_before", MOST_COUNTED),
        ("x.f", MOST_COUNTED),
        ("side.x.f", MOST_COUNTED),
        ("side.aces_dealt", 40),
    ):
        for asked, fits in ((AtLeast(most), True), (AtLeast(most + 1), False)):
            row = PaymentRow(
                reason="r", amount="x.n", payer="hombre", payee="pool", facts={measure: asked}
            )
            assert (slip_of(row, "quadrille_payments", own) is None) is fits


# --- who reads payments ---------------------------------------------------------------------------


def test_a_typed_settlement_asks_for_them_and_pays_by_them(plugin):
    rules = of().rules
    with pytest.raises(ResultError) as refused:
        read_result(SOLO, rules)
    assert {(p.variant, p.data["fact"]) for p in refused.value.problems} == {
        ("fact-of-deal-not-told", "telling.passes"),
        ("fact-not-told", "telling.longest"),
    }
    settled = settle(rules, read_result(SOLO | TOLD, rules))
    assert sum(t.amount for t in settled.transfers if t.rule == "telling.each") == 3 + 5
    none = SOLO | {"facts": {"telling.passes": 0, "telling.longest": 0}}
    assert read_result(none, rules).facts[1] == ("telling.longest", (0, 0, 0, 0))
    for wrong in ({"A": -1}, {"A": 10**6}, {"X": 1}, [1]):
        with pytest.raises(ResultError):
            read_result(SOLO | {"facts": TOLD["facts"] | {"telling.longest": wrong}}, rules)


def test_options_tell_them():
    given = answers_of({"fact": ("telling.longest.A=5", "telling.passes=3", "telling.x=0")})
    assert given["facts"] == {
        "telling.longest": {"A": 5},
        "telling.passes": 3,
        "telling.x": 0,
    }


def test_the_ledger_asks_for_them(plugin, monkeypatch):
    names = ("A", "B", "C", "D")
    table = Table(of().rules, DealStart((0, 1, 2, 3), names, START, None, REFERENCE, {}))
    deal = {k: v for k, v in SOLO.items() if k not in ("players", "pool")}
    with pytest.raises(ResultError) as refused:
        table.derive(deal)
    assert sorted(variants(refused)) == ["fact-not-told", "fact-of-deal-not-told"]
    paid = table.derive(deal | TOLD).movements
    assert sum(m.amount for m in paid if m.rule == "telling.each") == 8
    asked = []

    def prompt(question, default=None, **_):
        asked.append(question)
        return "0" if default is None else str(default)

    monkeypatch.setattr("click.prompt", prompt)
    fact = ask(table, deal | {"matadors": 0})
    assert fact.data["facts"]["telling.passes"] == 0
    told = ("Passes", "Noisy", "Longest")
    assert len([q for q in asked if q.startswith(told)]) == 1 + 4 + 4


def test_a_page_asks_for_them_and_shows_what_was_told(plugin):
    rules = of().rules
    table = plain_table(rules)
    asked = [f.name for f in desk_fields(table) if f.name.startswith("facts.")]
    assert asked == [
        *(f"facts.telling.noisy.{n}" for n in range(4)),
        "facts.telling.passes",
        *(f"facts.telling.longest.{n}" for n in range(4)),
    ]
    _, sent = form_of(SOLO | TOLD | {"rules": REFERENCE})
    told = desk_result(Given(sent), table)
    assert read_result(told, rules) == read_result(SOLO | TOLD, rules)
    again = filled(SOLO | TOLD, table)
    assert [again[name] for name in asked[4:]] == [["3"], ["5"], ["4"], ["0"], ["0"]]


def test_the_kernel_and_the_solver_refuse_them_by_name(plugin):
    rules = of()
    assert "telling.noisy" in blocked_by([rules], ["steady"])
    with pytest.raises(UsageError) as refused:
        require_solvable(rules.rules)
    assert refused.value.problems[0].data["fact"] == "telling.noisy"


def test_evidence_that_does_not_tell_them_decides_nothing(plugin):
    piece = SettlementPiece("p", "settlement", "s", "", "", None, result=SOLO, outcome="won")
    assert piece.ask(compile_reference(REFERENCE).game).word == "undecided"
    told = SettlementPiece("p", "settlement", "s", "", "", None, result=SOLO | TOLD, outcome="won")
    for reference in (REFERENCE, BASE):
        assert told.ask(compile_reference(reference).game).word == "holds"
