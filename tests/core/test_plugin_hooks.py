"""What a plugin may add of its own: leaves, payments, limits on trumps, incidents, evidence."""

import json
import re

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import from_record, replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.house_rules.testing import compiled, contracts, faults, transfers
from quadrille_plugins.settle.consulted import touches, trace
from quadrille_plugins.settle.result_file import read_result
from quadrille_plugins.studies.fast import blocked_by
from support.data import cases
from support.plugin import LEAF, PREAMBLE, SOLO, child, make_plugin, playable, quadrille

from quadrille_core.cards import Suit
from quadrille_core.engine.actions import Action
from quadrille_core.engine.auction import Auction, Ladder
from quadrille_core.engine.settle import settle
from quadrille_core.errors import ProfileError, RecordError, ResultError
from quadrille_core.ruleset import compile_reference


@pytest.fixture
def outside(club, monkeypatch):
    """The third-party distribution, in this process too."""
    monkeypatch.syspath_prepend(str(club))


def codes(error):
    return [(p.code, p.place.line if p.place else None) for p in error.value.problems]


# --- leaves ---------------------------------------------------------------------------------------


def test_rule_sets_without_such_plugins_have_no_leaf_of_theirs(outside):
    """What is installed and not named is no part of any shipped rule set, nor of its digest."""
    before = {name: compile_reference(name).identity.digest for name in playable()}
    compile_reference("quanti-1822+revoke")
    assert {name: compile_reference(name).identity.digest for name in playable()} == before
    for name in playable():
        assert not any(
            p.startswith(("revoke.", "preference.")) for p in compile_reference(name).origins
        ), name


def test_a_leaf_of_a_plugin_has_provenance_and_counts_in_the_digest(outside, tmp_path):
    cites = "cites:\n  revoke.fine: {source: parlett, at: Laws}\n"
    house = compile_reference(
        child(tmp_path, "quanti-1822", "[{plugin: revoke}]", "{revoke: {fine: 15}}", cites)
    )
    origin = house.origins["revoke.fine"]
    assert [(link.setter, link.value) for link in origin.chain] == [("plugin", 12), ("profile", 15)]
    assert (origin.status, house.source_of("revoke.fine")) == ("attested", "parlett: Laws")
    plain = compile_reference("quanti-1822+revoke")
    by_hand = compile_reference("quanti-1822+revoke", settings={"revoke.fine": 15})
    assert plain.origins["revoke.fine"].status == "house"
    assert len({r.identity.digest for r in (plain, by_hand, compile_reference("quanti-1822"))}) == 3


def test_a_child_profile_sets_the_leaf_of_an_inherited_plugin(outside, tmp_path):
    child(tmp_path, "quanti-1822", "[{plugin: revoke}]", "{revoke: {fine: 15}}", name="parent")
    assert (
        compile_reference(child(tmp_path, "parent.yaml", rules="{revoke: {of: lead}}")).value_of(
            "revoke.fine"
        )
        == 15
    )


@cases("plugin_hooks")
def test_what_is_no_leaf_or_does_not_fit_is_told_where_it_stands(
    outside, tmp_path, plugins, rules, code, words
):
    """Also after another rule set of the same process has had the plugin."""
    compile_reference("quanti-1822+revoke")
    with pytest.raises(ProfileError) as e:
        compile_reference(child(tmp_path, "quanti-1822", plugins, rules))
    assert codes(e) == [(code, 6)]
    if "rewoke" not in rules:
        assert words in e.value.problems[0].help


def test_a_leaf_set_by_hand_wants_its_plugin(outside):
    compile_reference("quanti-1822+revoke")
    assert faults("quanti-1822", settings={"revoke.fine": 3}) == [
        "Q605 there is no rule 'revoke.fine'"
    ]
    assert faults("quanti-1822+revoke", settings={"revoke.fine": "x"})[0].startswith(
        "Q203 revoke.fine cannot be 'x'"
    )


GOOD = "OwnLeaf(path='{}.n', type='integer', doc='d', neutral=1)"


def test_no_plugin_declares_a_leaf_in_a_block_of_the_core(tmp_path, monkeypatch):
    make_plugin(tmp_path, "score", PREAMBLE + LEAF.format(GOOD.format("score")))
    monkeypatch.syspath_prepend(str(tmp_path))
    (fault,) = faults("quanti-1822+score")
    assert "'score': quadrille_leaves: OwnLeaf: path: score is a block" in fault


def test_the_hooks_of_a_plugin_set_its_leaves_and_no_other_plugins(tmp_path, monkeypatch):
    hook = "@hookimpl\ndef quadrille_bids(rules, parameters):\n    return [{}]\n"
    default = (
        "Default(path='own.n', value=5, reason='r'), Default(path='own.m', value=6, reason='r')"
    )
    leaves = f"{GOOD.format('own')}, OwnLeaf(path='own.m', type='integer', doc='d', neutral=1)"
    make_plugin(tmp_path, "own", PREAMBLE + LEAF.format(leaves) + hook.format(default))
    make_plugin(
        tmp_path, "thief", PREAMBLE + hook.format("Patch(path='own.n', value=7, reason='r')")
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    house = compile_reference(child(tmp_path, "quanti-1822", "[{plugin: own}]", "{own: {m: 3}}"))
    assert (house.value_of("own.n"), house.value_of("own.m")) == (5, 3)
    with pytest.raises(ProfileError) as e:
        compile_reference("quanti-1822+own+thief")
    (problem,) = e.value.problems
    assert (problem.data["plugin"], problem.data["fault"].variant) == ("thief", "may-not-set")


# --- a revoke -------------------------------------------------------------------------------------


def test_a_revoke_costs_its_leaf_at_a_settlement(outside):
    rules = compiled("quanti-1822@parlett+revoke")
    fined = [
        t
        for t in transfers(rules, SOLO | {"incidents": {"revoke": ["B", "D"]}})
        if t[3] == "revoke"
    ]
    assert fined == [(a, b, 12, "revoke") for a in "BD" for b in "ABCD" if a != b]
    plain = transfers(rules, SOLO)
    assert plain == transfers(compiled("quanti-1822@parlett"), SOLO)
    dearer = compiled("quanti-1822@parlett+revoke", settings={"revoke.fine": 2})
    assert ("B", "A", 2, "revoke") in transfers(dearer, SOLO | {"incidents": {"revoke": "B"}})


@cases("plugin_hooks")
def test_an_incident_that_costs_nothing_or_was_nobodys_is_refused(
    outside, reference, incidents, words
):
    with pytest.raises(ResultError, match=words):
        transfers(compiled(reference), SOLO | {"incidents": incidents})


@pytest.mark.parametrize(
    ("reference", "refused"), [("quanti-1822+revoke", False), ("quanti-1822", True)]
)
def test_a_record_with_an_incident_that_the_rules_do_not_know_is_not_replayed(
    outside, reference, refused
):
    rules = compile_reference(reference).ruleset
    one = next(play_session(rules, [make_bot("steady")] * 4, seed=1, session=0, deals=1))
    record = to_record(one.deal) | {"incidents": {"revoke": "C"}}
    assert from_record(record)[0].incidents
    if not refused:
        assert replay(rules, record).deal.result().incidents == (
            ("revoke", one.setup.players.index("C")),
        )
        return
    with pytest.raises(RecordError) as e:
        replay(rules, record)
    assert [(p.code, p.variant) for p in e.value.problems] == [("Q204", "incident-without-payment")]


def test_the_revoke_is_seen_by_show_explain_diff_settle_and_ruling(club, tmp_path):
    def out(*args, check=True):
        return quadrille(*args, path=club, cwd=tmp_path, check=check).stdout

    assert re.search(r"^fine +12 ", out("show", "quanti-1822+revoke"), re.MULTILINE)
    assert "set by plugin revoke" in out("explain", "quanti-1822+revoke", "revoke.fine")
    told = json.loads(
        out("diff", "quanti-1822", "quanti-1822+revoke", "--format", "json", check=False)
    )
    assert {d["path"] for d in told["differences"]} == {
        "revoke.fine",
        "revoke.of",
        "revoke.payments",
        "revoke.incidents",
    }
    (tmp_path / "deal.yaml").write_text(
        json.dumps(SOLO | {"rules": "quanti-1822+revoke", "incidents": {"revoke": "C"}})
    )
    settled = json.loads(out("settle", "deal.yaml", "--set", "revoke.fine=10", "--format", "json"))
    paid = [t for t in settled["transfers"] if t["rule"] == "revoke.fine"]
    assert [(t["from"], t["to"], t["amount"]) for t in paid] == [
        ("C", "A", 10),
        ("C", "B", 10),
        ("C", "D", 10),
    ]
    incident = {
        "incident": "revoke",
        "players": list("ABCD"),
        "by": "C",
        "trick_turned": True,
        "pool": 8,
    }
    (tmp_path / "incident.yaml").write_text(json.dumps(incident))
    ruled = json.loads(
        out("session", "ruling", "quanti-1822+revoke", "incident.yaml", "--format", "json")
    )
    (law,) = [r for r in ruled["rulings"] if r["law"] == "revoke.fine"]
    assert law["says"] == "A revoke is fined, and each of the others has the fine."
    assert law["source"] == "house"
    assert [(t["from"], t["amount"]) for t in law["transfers"]] == [("C", 12)] * 3
    assert ruled["net"]["A"] == 12
    assert "revoke.fine" in out("session", "ruling", "quanti-1822+revoke", "--laws")


def test_a_ruling_asks_for_what_the_payments_of_a_plugin_need(club, tmp_path):
    (tmp_path / "incident.yaml").write_text(
        json.dumps({"incident": "revoke", "players": list("ABCD")})
    )
    done = quadrille(
        "session",
        "ruling",
        "quanti-1822+revoke",
        "incident.yaml",
        path=club,
        cwd=tmp_path,
        check=False,
    )
    assert "the incident lacks by: who did it" in done.stderr
    assert "revoke.fine" in done.stderr


def test_the_ledger_keeps_what_plugins_add_and_needs_no_plugin_to_settle_by_it(club, tmp_path):
    """A session is begun where the plugin is installed, and goes on where it is not."""
    players = [a for n in "ABCD" for a in ("--player", n)]
    reference = "mediateur-1752+revoke+preference"
    quadrille(
        "session", "start", "a.ledger", "--rules", reference, *players, path=club, cwd=tmp_path
    )
    deal = {k: SOLO[k] for k in ("trump", "hombre", "tricks")} | {
        "contract": "preference",
        "incidents": {"revoke": "B"},
    }
    (tmp_path / "deal.yaml").write_text(json.dumps(deal))
    told = quadrille(
        "session", "deal", "a.ledger", "deal.yaml", "--format", "json", path=tmp_path, cwd=tmp_path
    ).stdout
    assert {"revoke.fine", "preference.bonus"} <= {t["rule"] for t in json.loads(told)["transfers"]}


# --- a bid in the favourite suit ------------------------------------------------------------------


@pytest.fixture
def preference(outside):
    """Médiateur with a favourite suit, and the bid that only it may be played in."""
    return compile_reference("mediateur-1752+preference")


def test_the_bid_is_settled_with_its_bonus_where_it_is_won(preference):
    result = SOLO | {"contract": "preference", "favourite": "hearts"}
    bonus = [t for t in transfers(preference, result) if t[3] == "preference"]
    assert [t[:2] for t in bonus] == [("B", "A"), ("C", "A"), ("D", "A")]
    assert {t[2] for t in bonus} == {6}  # two units, each a quarter of the pool of twelve
    lost = transfers(preference, result | {"tricks": {"A": 5, "B": 5}})
    assert not [t for t in lost if t[3] == "preference"]


def test_a_result_in_another_suit_is_impossible_unless_the_leaf_says_otherwise(preference):
    result = SOLO | {"contract": "preference", "trump": "spades"}
    with pytest.raises(
        ResultError, match=r"spades may not be trumps at this bid \(preference.favourite_only\)"
    ):
        transfers(preference, result)
    free = compile_reference(
        "mediateur-1752+preference", settings={"preference.favourite_only": False}
    )
    assert transfers(free, result)


@pytest.mark.parametrize(("favourite", "legal"), [(Suit(1), True), (None, False)])
def test_without_a_favourite_suit_the_bid_cannot_be_made(preference, favourite, legal):
    auction = Auction(Ladder(preference.ruleset.rules), [[], [], [], []], favourite)
    specs = [str(a.bid) for a in auction.legal() if isinstance(a, Action) and a.bid is not None]
    assert ("preference" in specs) is legal


def test_bots_play_the_bid_in_the_favourite_suit_alone(preference):
    played = list(
        play_session(preference.ruleset, [make_bot("steady")] * 4, seed=1, session=0, deals=40)
    )
    bids = [
        p.deal
        for p in played
        if p.deal.contract is not None and p.deal.contract.bid == "preference"
    ]
    assert bids
    assert all(d.declaration.trump == d.setup.favourite for d in bids)
    assert contracts(preference)["preference"] == len(bids)


def test_what_plugins_say_as_data_does_not_hinder_the_fast_engine(outside, preference):
    revoke = compile_reference("quanti-1822+revoke").ruleset
    assert blocked_by([revoke, preference.ruleset], ["steady"]) == blocked_by([], ["steady"])


def test_payments_of_a_plugin_are_made_by_the_kernel_as_by_the_readable_engine(outside):
    """The bid's bonus, deal by deal; it is met in the session."""
    pytest.importorskip("numba")
    from kernel_equality import EqualityCounts, compare

    free = compile_reference(
        "mediateur-1752+preference", settings={"preference.favourite_only": False}
    ).ruleset
    played = play_session(free, [make_bot("steady")] * 4, seed=1, session=3, deals=60)
    paid = [t.rule for deal in played if deal.settlement for t in deal.settlement.transfers]
    assert "preference.bonus" in paid
    tally = EqualityCounts()
    compare("preference", free, 60, 1, tally)
    assert (tally.deals, tally.difference) == (60, "")


def test_where_points_are_written_nobody_pays_and_a_payment_is_refused(outside):
    assert any(
        "revoke.payments are payments" in f for f in faults("quadrille-laws+point-score+revoke")
    )


# --- evidence -------------------------------------------------------------------------------------

ANTE = """\
kind: evidence
title: What a player stakes
rules: quanti-1822
evidence:
  - {{id: ante, kind: ante, source: parlett, at: Stakes, ante: {ante}}}
  - id: deal
    kind: settlement
    source: parlett
    at: Laws
    result:
      players: [A, B, C, D]
      pool: 12
      contract: solo
      trump: hearts
      hombre: A
      tricks: {{A: 6, B: 4}}
    expect: {{outcome: won}}
"""


@pytest.mark.parametrize(
    ("ante", "says"),
    [pytest.param("right", "holds", marks=pytest.mark.slow), ("wrong", "fails"), ("'1'", None)],
)
def test_a_feature_brings_a_kind_of_evidence(club, tmp_path, ante, says):
    """Held against rules like any other; a piece without its key, or with one of another type, is
    told at its place."""
    staked = compile_reference("quanti-1822").value_of("stakes.ante")
    values = {"right": staked, "wrong": staked + 1}
    (tmp_path / "e.yaml").write_text(ANTE.format(ante=values.get(ante, ante)))
    done = quadrille(
        "discriminate", "e.yaml", "--format", "json", path=club, cwd=tmp_path, check=False
    )
    if says is None:
        assert "e.yaml:5:63: Q203" in done.stderr
        return
    told = json.loads(done.stdout)
    piece = next(p for p in told["pieces"] if p["id"] == "ante")
    assert piece["configurations"][says] > 0
    assert piece["in_use"]["answer"] == says
    assert piece["in_use"]["says"] == (
        "" if says == "holds" else f"the ante is {staked}, not {staked + 1}"
    )
    without = quadrille("discriminate", "e.yaml", path=tmp_path, cwd=tmp_path, check=False)
    assert "evidence[0].kind" in without.stderr


POINTS = """\
points:
  bonus:
    question: What does preference earn?
    default: two
    readings:
      two: {set: {preference.bonus: 2}}
      nine: {set: {preference.bonus: 9}}
  suit:
    question: May preference be played in any suit?
    default: favourite
    readings:
      favourite: {set: {preference.favourite_only: true}}
      any: {set: {preference.favourite_only: false}}
"""
PAID = """\
kind: evidence
rules: child.yaml
points: [bonus, suit]
evidence:
  - id: paid
    kind: settlement
    source: parlett
    at: nowhere
    result:
      players: [A, B, C, D]
      pool: 12
      contract: preference
      trump: spades
      favourite: hearts
      hombre: A
      tricks: {A: 6, B: 4}
    expect: {transfers: [{from: B, to: A, amount: 27}]}
"""


def test_points_on_leaves_of_a_plugin_are_read_and_held_against_evidence(club, tmp_path):
    """Of four combinations one survives: nine units, in a suit that was not the favourite one."""
    child(tmp_path, "mediateur-1752", "[{plugin: preference}]", more=POINTS)
    (tmp_path / "e.yaml").write_text(PAID)
    told = json.loads(
        quadrille(
            "discriminate", "e.yaml", "--format", "json", path=club, cwd=tmp_path, check=False
        ).stdout
    )
    assert (told["configurations"]["compile"], told["configurations"]["survive"]) == (4, 1)
    shown = json.loads(
        quadrille(
            "show",
            "child.yaml",
            "--reading",
            "bonus=nine",
            "--format",
            "json",
            path=club,
            cwd=tmp_path,
        ).stdout
    )
    assert shown["leaves"]["preference.bonus"]["value"] == 9


def test_the_rules_as_yaml_can_stand_in_a_profile_that_names_the_plugin(outside, tmp_path):
    from quadrille_plugins.lookup.rules_report import tree

    rules = compile_reference("mediateur-1752+preference", settings={"preference.bonus": 5})
    assert tree(rules)["preference"] == {"favourite_only": True, "bonus": 5}
    house = child(tmp_path, "mediateur-1752", "[{plugin: preference}]", json.dumps(tree(rules)))
    assert compile_reference(house).value_of("preference.bonus") == 5


def test_who_settles_a_deal_reads_what_plugins_add(outside, tmp_path):
    """So that no study takes a deal for unaffected by a payment that only the other rule set
    has."""
    plain = compile_reference("quanti-1822").ruleset.rules
    stand_in, notes = trace(plain)
    settle(stand_in, read_result(SOLO, plain))
    assert touches(notes, "revoke.fine")
    assert not touches(set(), "revoke.fine")
