"""Facts of a session: sessions, replays, the ledger and games carry them alike, or refuse them."""

import json

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import from_record, replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.matters.dependence import reachable_states
from quadrille_plugins.play.game import done, new_game, next_deal
from quadrille_plugins.play.short import from_short, short_form
from quadrille_plugins.settle.result_file import read_result, result_to_plain
from quadrille_plugins.studies.lockstep import Couple, opening_of
from quadrille_plugins.studies.sessions import readable, session_of
from support.plugin import PREAMBLE, SOLO, make_plugin

from quadrille_core.engine.past import OF_SESSION, Past, contradictions, past_of
from quadrille_core.engine.settle import settle
from quadrille_core.errors import RecordError, ResultError
from quadrille_core.ruleset import compile_reference

BASE = "quanti-1822@parlett"
REFERENCE = f"{BASE}+earlier"
BOTS = ["steady"] * 4
PLUGIN = f"""
NAMES = {OF_SESSION!r}

@hookimpl
def quadrille_leaves():
    return [OwnLeaf(path="earlier.each", type="amount", doc="d", neutral=1)]


@hookimpl
def quadrille_payments(rules, parameters):
    def row(name):
        per = name if name == "deals_before" else f"hombre.{{name}}"
        return PaymentRow(reason="r", amount="earlier.each", payer="hombre", payee="pool", per=per)

    return [row(name) for name in NAMES]
"""


@pytest.fixture(autouse=True)
def plugin(tmp_path, monkeypatch):
    """A plugin that pays by each of the facts."""
    make_plugin(tmp_path, "earlier", PREAMBLE + PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))


def of(reference=REFERENCE, **settings):
    return compile_reference(reference, settings=settings).ruleset


def played(rules, deals=30):
    return list(play_session(rules, [make_bot("steady")] * 4, seed=1, session=0, deals=deals))


def counted(results, players):
    """The facts before the next deal, counted from the results of all earlier ones."""
    found = dict.fromkeys(OF_SESSION[1:], ())
    for who in players:
        own = [
            (n, result, outcome)
            for n, (result, outcome) in enumerate(results)
            if result is not None and result.players[result.hombre] == who
        ]
        last = own[-1][0] if own else -1
        numbers = (
            len(own),
            sum(result.ally is None for _, result, _ in own),
            sum(outcome == "won" for _, _, outcome in own),
            sum(outcome != "won" for _, _, outcome in own),
            len(results) - 1 - last,
        )
        for name, number in zip(found, numbers, strict=True):
            found[name] += (number,)
    return {"deals_before": (len(results),), **found}


def test_what_was_done_is_counted_by_hand():
    """A won alone, all passed, B lost with an ally: E, who came later, was never Hombre."""
    past = Past().after("A", alone=True, won=True).after().after("B")
    before = past.before(("A", "B", "E"))
    assert dict(before) == {
        "deals_before": (3,),
        "games_before": (1, 1, 0),
        "solos_before": (1, 0, 0),
        "wins_before": (1, 0, 0),
        "losses_before": (0, 1, 0),
        "deals_since_hombre": (2, 0, 3),
    }
    assert past_of(before, ("A", "B", "E")) == past
    assert Past().before(("A", "B")) == ()


def test_a_session_tells_what_earlier_deals_were():
    """Of each deal, the same as is counted from the results before it, deals redealt among them."""
    results = []
    deals = played(of(**{"auction.all_pass": "redeal"}), 60)
    for one in deals:
        if (result := one.deal.result()) is not None:
            assert dict(result.facts) == counted(results, result.players)
        results.append((result, one.settlement and one.settlement.outcome))
    assert any(result is None for result, _ in results)
    assert {outcome for _, outcome in results} > {"won", None}


def test_a_session_whose_deals_begin_anew_has_no_earlier_ones():
    for one in session_of(of(), BOTS, 1, 0, 4, anew=True):
        assert dict(one.deal.result().facts)["deals_before"] == (0,)


def test_a_record_holds_them_and_is_replayed_as_it_was():
    rules = of()
    for one in played(rules, 6):
        record = json.loads(json.dumps(to_record(one.deal, one.settlement)))
        assert from_record(record)[0] == one.setup
        again = replay(rules, record)
        assert (again.divergence, again.deal.result()) == (None, one.deal.result())
        plain = result_to_plain(one.deal.result(), REFERENCE)
        assert read_result(plain, rules.rules) == one.deal.result()
    assert "before" not in to_record(played(of(BASE), 2)[1].deal)


@pytest.mark.parametrize("given", [REFERENCE, BASE])
def test_a_deal_is_replayed_as_its_session_stood(given):
    """Under the same rules to the same payments; under others, which ask for no such facts, by the
    deals that were played."""
    engines = readable([of(given), of()], BOTS)
    held = engines[0].play(1, 0, [12], None, 0)
    again = engines[1].replay(engines[0], held, 1, 0, 1, None, (0, 1))
    results = []
    session = session_of(of(given), BOTS, 1, 0, 12)
    for number, (one, record) in enumerate(zip(session, again.records[0], strict=True)):
        result, hombre = one.deal.result(), one.deal.hombre
        facts = counted(results, result.players)
        due = sum(n[0] if len(n) == 1 else n[hombre] for n in facts.values())
        rows = again.tapes[0][record.transfers_at :][: 4 * record.transfers]
        paid = [rows[n : n + 4] for n in range(0, len(rows), 4)]
        assert sum(amount for *_, amount, rule in paid if rule == "earlier.each") == due, number
        results.append((result, one.settlement.outcome))
    if given == REFERENCE:
        assert again.records[0] == held.records[0]


def test_a_matched_start_stands_as_its_session_did():
    rules = of()
    one = played(rules, 5)[4]
    assert opening_of(rules.rules, one.setup).setup(rules.rules).before == one.setup.before
    states = reachable_states(Couple(of(BASE), rules))
    assert {dict(state.before).get("deals_before", (0,)) for state in states} == {
        (n,) for n in range(5)
    }


def test_a_typed_settlement_asks_for_them():
    with pytest.raises(ResultError) as refused:
        read_result(SOLO, of().rules)
    told = {(p.variant, p.data["fact"]) for p in refused.value.problems}
    assert told == {("fact-of-deal-not-told", "deals_before")} | {
        ("fact-not-told", name) for name in OF_SESSION[1:]
    }
    for wrong in ({"A": 1}, True, -1):
        with pytest.raises(ResultError):
            read_result(SOLO | {"facts": {"deals_before": wrong}}, of().rules)
    facts = {name: {"A": 2} for name in OF_SESSION[1:]} | {"deals_before": 7, "losses_before": 0}
    facts["deals_since_hombre"] = {"A": 2, "B": 7, "C": 7, "D": 7}
    settled = settle(of().rules, read_result(SOLO | {"facts": facts}, of().rules))
    assert sum(t.amount for t in settled.transfers if t.rule == "earlier.each") == 7 + 4 * 2


GOOD = {
    "deals_before": 5,
    "games_before": {"A": 3, "B": 1},
    "solos_before": {"A": 2},
    "wins_before": {"A": 2},
    "losses_before": {"A": 1, "B": 1},
    "deals_since_hombre": {"A": 1, "B": 0, "C": 5, "D": 5},
}


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, None),
        ({"deals_before": 10**40}, "deals_before"),
        ({"deals_before": 3, "deals_since_hombre": {"C": 3, "D": 3}}, "games_before"),
        ({"games_before": {"A": 3, "B": 1, "C": -1}}, "games_before"),
        ({"wins_before": {"A": 500}}, "wins_before"),
        ({"wins_before": {"A": 1}}, "wins_before"),
        ({"solos_before": {"A": 4}}, "solos_before"),
        ({"losses_before": {"A": 1, "B": 2}}, "losses_before"),
        ({"deals_since_hombre": {"A": 3, "C": 5, "D": 5}}, "deals_since_hombre"),
        ({"deals_since_hombre": {"C": 4, "D": 5}}, "deals_since_hombre"),
    ],
)
def test_earlier_deals_that_cannot_have_been_are_refused(changes, wrong):
    """Told in a result, or written in a record, and each where it stands."""
    rules, before = of(), GOOD | changes
    record = to_record(played(rules, 2)[1].deal) | {"before": before}
    for read, key in (
        (lambda: read_result(SOLO | {"facts": before}, rules.rules, place=placed), "facts"),
        (lambda: from_record(record, placed), "before"),
    ):
        places.clear()
        if wrong is None:
            read()
            continue
        with pytest.raises((ResultError, RecordError)) as refused:
            read()
        (problem,) = refused.value.problems
        assert (problem.code, problem.data["fact"]) == ("Q701", wrong)
        assert problem.message
        assert [key, wrong] in [[*path][:2] for path in places]


places = []


def placed(path, *, key=False):
    """Notes what places are asked for."""
    places.append(path)


def test_only_what_is_told_of_earlier_deals_is_compared():
    told = dict(Past(4).before(tuple("ABCD")))
    assert contradictions({}) == contradictions(told) == []
    assert contradictions({"wins_before": (500, 0, 0, 0)}) == []
    assert contradictions({"wins_before": (1, 0, 0, 0), "games_before": (2, 0, 0, 0)}) == []
    (found,) = contradictions({"wins_before": (500, 0, 0, 0), "deals_before": (0,)})
    assert (found.fact, found.number, found.most) == ("wins_before", 500, 0)


def test_who_was_never_hombre_has_every_deal_since_where_a_record_leaves_it_out():
    record = to_record(played(of(), 2)[1].deal) | {"before": {"deals_before": 3}}
    assert dict(from_record(record)[0].before)["deals_since_hombre"] == (3, 3, 3, 3)
    for stray in ({"games_before": {"A": 1}}, {"deals_before": 2, "games_before": {"A": 1}}):
        with pytest.raises(RecordError):
            from_record(record | {"before": stray})


def due(ledger):
    """What is paid by earlier deals, by deal."""
    journal = ledger.journal()
    return [
        sum(m.amount for m in journal.movements_of(n) if m.rule == "earlier.each")
        for n in journal.deals
    ]


def test_the_ledger_counts_them_from_its_own_deals(tmp_path):
    """A misdeal is no deal, a deal that all passed is one; a correction changes what comes later;
    what is told must agree."""
    path = tmp_path / "l.ledger"
    rules = compile_reference(REFERENCE, settings={"auction.all_pass": "redeal"})
    start(path, rules, REFERENCE, ("A", "B", "C", "D"), dealer=None)
    solo = {k: v for k, v in SOLO.items() if k not in ("players", "pool")}
    with Ledger(path) as ledger:
        for fact in (
            Fact("result", solo),
            Fact("void", note="a card lay open"),
            Fact("passed"),
            Fact("result", solo | {"facts": {"deals_before": 2}}),
            Fact("result", solo | {"hombre": "B", "tricks": {"B": 6, "A": 4}}),
        ):
            ledger.record(fact)
        # A's second game: 2 deals, a game, a solo, a win, 1 deal since; B's first: 3 deals, 3 since
        assert due(ledger) == [0, 0, 0, 2 + 1 + 1 + 1 + 1, 3 + 3]
        with pytest.raises(ResultError) as refused:
            ledger.record(Fact("result", solo | {"facts": {"wins_before": {"A": 1}}}))
        assert [p.variant for p in refused.value.problems] == ["fact-by-the-ledger"]
        assert ledger.verify().deals
        ledger.correct(1, Fact("passed"))
        assert due(ledger) == [0, 0, 0, 2 + 2, 3 + 3]
        assert ledger.verify().deals
        # they are kept by name, and a new name has done what the old one did
        ledger.rename(("A", "Z"))
        assert ledger.verify().deals
        assert due(ledger) == [0, 0, 0, 2 + 2, 3 + 3]
        ledger.record(Fact("result", solo | {"hombre": "Z", "tricks": {"Z": 6, "B": 4}}))
        assert due(ledger)[-1] == 4 + 1 + 1 + 1 + 1
        ledger.undo()
        ledger.undo()
        assert ledger.verify().account_of("A")


def test_a_game_that_is_played_goes_on_with_them():
    """From deal to deal, and through its short form."""
    compiled = compile_reference(REFERENCE)
    game, results = new_game(compiled, seed=1), []
    for _ in range(4):
        while not game.deal.over:
            game = done(game, game.deal.legal()[0])
        assert from_short(short_form(game), compiled).setup == game.setup
        if (result := game.deal.result()) is not None:
            assert dict(result.facts) == counted(results, result.players)
        results.append((result, game.settlement and game.settlement.outcome))
        game = next_deal(game)
    assert any(result is not None for result, _ in results[:-1])
