"""The laws about irregularities, each under its number; the listing of all thirty; hostile incident
files."""

import csv
import io
import json
import re
from fractions import Fraction

import pytest
import yaml
from quadrille_plugins.ledger.incident import FACTS
from quadrille_plugins.ledger.laws import load_laws
from quadrille_plugins.shell.main import run
from support.data import cases
from support.laws import KINDS, ORDERS, PERSONS

from quadrille_core import resources, vocabulary
from quadrille_core.cards import Suit
from quadrille_core.engine.result import POOL, Result
from quadrille_core.engine.settle import settle
from quadrille_core.ruleset import compile_reference

LAWS = load_laws(resources.laws()["wikipedia-old"])
TABLE = {"players": ["Anne", "Bess", "Cora", "Dora"]}
ALLIED = {**TABLE, "hombre": "Anne", "ally": "Cora"}
ALONE = {**TABLE, "hombre": "Anne", "plays_alone": True}
DERIVED = ("offender_alone", "offender_forced", "offender_is_ally", "offender_plays")


@pytest.fixture
def ruling(capsys, tmp_path):
    """Rule on an incident; returns exit status, standard output, standard error."""

    def ruling(incident, *args, ref="quadrille-laws"):
        path = tmp_path / "incident.yaml"
        path.write_text(
            incident if isinstance(incident, str) else yaml.safe_dump(incident, sort_keys=False)
        )
        status = run(["session", "ruling", ref, str(path), *args])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return ruling


@pytest.fixture
def orders(ruling):
    """What is ordered, by law: ``{6: [no_beast, …]}``, and the whole JSON."""

    def orders(incident, *args, **kwargs):
        status, out, err = ruling(incident, "--format", "json", *args, **kwargs)
        assert (status, err) == (0, "")
        data = json.loads(out)
        return {r["law"]: [o["order"] for o in r["orders"]] for r in data["rulings"]}, data

    return orders


# --- each law, under its number ---------------------------------------------------------------


@cases("rulings")
def test_l1_l2_l3_a_faulty_deal_is_dealt_again_by_the_dealer_and_costs_nothing(
    incident, ordered, orders
):
    found, data = orders({**TABLE, **incident})
    assert found == ordered
    assert data["transfers"] == []
    assert all(
        o["who"] == ["Dora"] for r in data["rulings"] for o in r["orders"] if o["order"] == "redeal"
    )


def test_l4_who_plays_with_eleven_cards_is_beasted_and_doubles_the_pool(orders):
    found, data = orders(
        {**TABLE, "incident": "eleven_cards", "played": True, "by": "Bess", "pool": 12}
    )
    assert found == {4: ["beast"]}
    # a remise adds the pool once: 12 × 1
    paid = {
        "from": "Bess",
        "to": "pool",
        "amount": 12,
        "reason": "beasted: eleven cards",
        "rule": "loss.remise_adds",
    }
    assert data["transfers"] == [{**paid, "source": "wikipedia-old: L4"}]
    assert data["net"] == {"Anne": 0, "Bess": -12, "Cora": 0, "Dora": 0}
    assert data["pool"] == {"before": 12, "after": 24}


def test_l4_a_beast_costs_what_a_remise_costs_under_the_rules_named(orders):
    incident = {**TABLE, "incident": "eleven_cards", "played": True, "by": "Bess", "pool": "9/2"}
    assert orders(incident, "--set", "loss.remise_adds=3")[1]["transfers"][0]["amount"] == "27/2"
    assert orders(incident, "--set", "loss.remise_adds=0")[1]["transfers"] == []


def test_l4_where_points_are_written_a_beast_costs_the_score_of_a_remise(orders):
    incident = {**TABLE, "incident": "eleven_cards", "played": True, "by": "Bess"}
    _, data = orders(incident, ref="quadrille-laws+point-score:game=6")
    paid = {
        "from": "Bess",
        "to": "score",
        "amount": 6,
        "reason": "beasted: eleven cards",
        "rule": "score.remise",
    }
    assert data["transfers"] == [{**paid, "source": "wikipedia-old: L4"}]
    assert data["net"] == {"Anne": 0, "Bess": -6, "Cora": 0, "Dora": 0}
    assert data["pool"] is None


def test_l6_and_l11_overlap_and_both_are_shown(ruling, orders):
    incident = {**ALLIED, "incident": "out_of_turn", "by": "Bess", "card": "H7"}
    found, data = orders(incident)
    assert found == {
        6: ["no_beast", "card_may_be_called", "suit_may_be_called"],
        11: ["card_may_be_called", "suit_may_be_called"],
    }
    assert data["overlaps"] == [[6, 11]]
    assert data["transfers"] == []
    _, card, suit = data["rulings"][0]["orders"]
    assert (card["who"], card["whom"], card["card"]) == (["Anne", "Cora"], ["Bess"], "H7")
    assert (suit["alternative"], suit["whom"]) == (True, ["Anne", "Cora", "Dora"])
    assert "Laws 6 and 11 both speak of it" in ruling(incident)[1]


def test_l6_to_the_letter_forbids_the_suit_that_l11_allows(orders):
    found, data = orders(
        {**ALLIED, "incident": "out_of_turn", "by": "Bess", "card": "H7"}, "--text", "literal"
    )
    assert found[6][-1] == "no_suit_called"
    assert found[11][-1] == "suit_may_be_called"
    assert [r["reading"] for r in data["rulings"]] == ["literal", "as printed"]


def test_l11_against_one_who_plays_alone_all_three_may_call(orders):
    _, data = orders({**ALONE, "incident": "out_of_turn", "by": "Anne", "card": "SA"})
    assert data["rulings"][1]["orders"][0]["who"] == ["Bess", "Cora", "Dora"]


@cases("rulings")
def test_l14_a_card_seen_must_be_played_unless_its_owner_plays_alone_or_to_the_letter_is_forced(
    facts, text, must, orders
):
    incident = {**facts, "incident": "exposed_card", "seen_by_adversary": True, "card": "CK"}
    found, data = orders(incident, "--text", text)
    assert found == ({14: ["must_play_card"]} if must else {})
    if must:
        assert data["rulings"][0]["orders"][0]["card"] == "CK"
        assert data["rulings"][0]["reading"] == text


def test_l14_a_card_that_no_adversary_saw_asks_for_nothing_more(ruling, orders):
    incident = {**TABLE, "incident": "exposed_card", "seen_by_adversary": False}
    assert orders(incident)[1]["silent"] == [{"law": 14, "because": "seen by adversary: no"}]
    assert "No law speaks of it." in ruling(incident)[1]
    assert (
        next(csv.DictReader(io.StringIO(ruling(incident, "--format", "csv")[1])))["text"]
        == "no law speaks of it"
    )


@pytest.mark.parametrize(("by", "barred"), [("Cora", True), ("Anne", False), ("Bess", False)])
def test_l15_an_ally_who_plays_out_of_turn_costs_hombre_the_vole(by, barred, orders):
    found, data = orders({**ALLIED, "incident": "out_of_turn", "by": by, "card": "H7"})
    assert (15 in found) == barred
    if barred:
        assert data["rulings"][-1]["orders"][0]["whom"] == ["Anne", "Cora"]


def test_l16_a_revoke_beasts_once_the_trick_is_turned_and_then_all_play_again(orders):
    found, data = orders(
        {**TABLE, "incident": "revoke", "by": "Dora", "pool": 8, "trick_turned": True}
    )
    assert found == {16: ["beast", "take_back_and_replay"]}
    assert [(t["from"], t["to"], t["amount"], t["source"]) for t in data["transfers"]] == [
        ("Dora", "pool", 8, "wikipedia-old: L16")
    ]
    assert data["rulings"][0]["orders"][1]["whom"] == TABLE["players"]


def test_l16_before_the_trick_is_turned_nobody_is_beasted(orders):
    found, data = orders({**TABLE, "incident": "revoke", "by": "Dora", "trick_turned": False})
    assert found == {16: ["no_beast"]}
    assert (data["transfers"], data["pool"]) == ([], None)


@pytest.mark.parametrize(
    ("by", "six", "called"),
    [("Cora", False, True), ("Anne", False, True), ("Anne", True, False), ("Bess", False, False)],
)
def test_l22_cards_the_players_show_before_six_tricks_may_be_called(by, six, called, orders):
    found, data = orders({**ALLIED, "incident": "shown_early", "by": by, "six_tricks_won": six})
    assert (found.get(22) == ["cards_may_be_called"]) == called
    assert found[27] == ["no_vole"]
    assert data["overlaps"] == ([[22, 27]] if called else [])
    if called:
        assert data["rulings"][0]["orders"][0]["who"] == ["Bess", "Dora"]


def test_l27_who_lets_her_hand_be_known_cannot_play_the_vole(orders):
    found, data = orders({**TABLE, "incident": "discovered_hand", "by": "Cora"})
    assert found == {27: ["no_vole"]}
    assert data["rulings"][0]["orders"][0]["whom"] == ["Cora"]


@pytest.mark.parametrize(("before_end", "ordered"), [(True, {30: ["void"]}), (False, {})])
def test_l30_two_cards_alike_void_a_deal_that_is_not_played_out(before_end, ordered, orders):
    assert orders({**TABLE, "incident": "duplicate_card", "before_end": before_end})[0] == ordered


# --- the listing ------------------------------------------------------------------------------


def test_all_thirty_laws_are_listed_with_their_kinds(capsys):
    assert run(["session", "ruling", "quadrille-laws", "--laws", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [r["law"] for r in rows] == [f"L{n}" for n in range(1, 31)]
    kinds = {k: [int(r["law"][1:]) for r in rows if r["kind"] == k] for k in KINDS}
    assert kinds["irregularity"] == [4, 6, 11, 14, 16, 22, 27, 30]
    assert (kinds["conduct"], kinds["claim"]) == ([24, 28], [9])
    assert kinds["engine"] == [1, 2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 19, 20, 21, 23, 25, 26, 29]
    assert all(r["incidents"] for r in rows if r["kind"] == "irregularity")
    assert not any(r["incidents"] for r in rows if r["kind"] in ("conduct", "claim"))


NOT_KEPT = {
    7: [{"among_several": "inferior_only"}],
    9: [{"claims": "emended"}, {"claims": "literal"}],
    13: [{"queen_when": "four_kings", "own_king": "four_kings"}],
    15: [{"alliance_vole": "barred"}],
    18: [{"solo_closes": "stays_open"}],
    20: [{"vole_consultation": "ask_or_declare"}],
    22: [{"early_claim": "any_six"}],
    25: [{"failed_vole_keeps": "as_emended"}, {"failed_vole_keeps": "to_the_letter"}],
    29: [{"alliance_loss": "three_tricks"}],
}
"""The laws that the body of the article overrules, and the readings that keep them."""


@pytest.mark.parametrize(
    ("ref", "readings", "open_laws"),
    [
        ("quadrille-laws", {}, NOT_KEPT),
        ("quadrille-laws", {"claims": "literal"}, {n: r for n, r in NOT_KEPT.items() if n != 9}),
        (
            "quadrille-laws",
            {"own_king": "four_kings"},
            NOT_KEPT | {13: [{"queen_when": "four_kings"}]},
        ),
        ("hoyle-improved", {}, {21: [{"vole_draws": "law_21"}]}),
        ("hoyle-improved", {"vole_draws": "law_21", "elder_may_raise": "if_forced"}, {}),
    ],
)
def test_the_listing_says_which_laws_are_not_kept_and_by_which_readings_they_are(
    ref, readings, open_laws, capsys
):
    """A law is kept where its passage's values are in force; each alternative is played anew."""
    chosen = [f"--reading={point}={reading}" for point, reading in readings.items()]
    assert run(["session", "ruling", ref, "--laws", "--format", "json", *chosen]) == 0
    listed = json.loads(capsys.readouterr().out)["list"]
    found = {r["law"]: r["under"] for r in listed if r["kept"] is False}
    assert found == open_laws
    assert any(r["kept"] for r in listed)
    assert not any(r["under"] for r in listed if r["kept"] is not False)


@pytest.mark.parametrize("text", ["emended", "literal"])
def test_the_corrupt_laws_are_listed_in_the_text_chosen(text, capsys):
    assert (
        run(["session", "ruling", "quadrille-laws", "--laws", "--format", "json", "--text", text])
        == 0
    )
    listed = json.loads(capsys.readouterr().out)["list"]
    assert [r["law"] for r in listed if r["reading"] == text] == [6, 9, 14, 18, 21, 23, 25]
    assert all((r["says"] == r["literal"]) == (text == "literal") for r in listed if r["corrupt"])


def test_the_data_of_the_laws_is_sound():
    assert LAWS.source in yaml.safe_load(resources.bibliography().read_text("utf-8"))["sources"]
    used = set()
    for law in LAWS.laws:
        for path in law.concerns:
            assert any(vocabulary.matches(path, leaf) for leaf in vocabulary.leaves()), (
                law.number,
                path,
            )
        assert (law.emended == law.literal) == (not law.corrupt)
        assert all(law.number in LAWS.laws[n - 1].overlaps for n in law.overlaps)
        for clause in law.clauses:
            used.add(clause.incident)
            assert all(name in (*FACTS, *DERIVED) for name, _ in clause.when)
            assert clause.text in ("", "emended", "literal")
            for order in clause.orders:
                assert order.order in ORDERS
                assert {order.who, order.whom} <= set(PERSONS)
                assert set(re.findall(r"{(\w+)}", order.says)) <= {"who", "whom", "by", "card"}
    assert used == set(LAWS.incidents)


def test_laws_are_no_profiles():
    assert not set(resources.laws()) & set(resources.shipped_profiles())


@pytest.mark.parametrize(
    ("ref", "borrowed"),
    [("quadrille-laws", False), ("quanti-1822@parlett", True), ("mediateur-1752", True)],
)
def test_rules_of_another_source_borrow_the_laws_and_say_so(ref, borrowed, orders, ruling):
    incident = {**TABLE, "incident": "duplicate_card", "before_end": True}
    assert orders(incident, ref=ref)[1]["laws"]["borrowed"] == borrowed
    assert ("borrowed" in ruling(incident, ref=ref)[1]) == borrowed


# --- hostile files ----------------------------------------------------------------------------


def test_all_that_is_lacking_is_asked_for_at_once_by_name(ruling):
    status, out, err = ruling({**TABLE, "incident": "out_of_turn"})
    assert (status, out) == (1, "")
    assert re.findall(r"Q202 the incident lacks (\w+)", err) == ["ally", "by", "card", "hombre"]
    assert "L6, L11" in err
    status, _, err = ruling({**TABLE, "incident": "revoke"})
    assert re.findall(r"Q202 the incident lacks (\w+)", err) == ["by", "pool", "trick_turned"]


def test_every_fault_of_a_file_is_named_at_its_place(ruling):
    status, out, err = ruling(
        "incident: revok\nplayers: [Anne, Bess, Cora, Dora]\nby: Ann\nhombre: Anne\nally: Anne\n"
        "plays_alone: true\ntrick_turned: perhaps\npool: -3\ncard: H9\ntrick: 3\n"
    )
    assert (status, out) == (1, "")
    found = re.findall(r"incident\.yaml:(\d+):\d+: (Q\d+)", err)
    expected = {
        "1": "Q204",
        "3": "Q204",
        "5": "Q701",
        "6": "Q701",
        "7": "Q203",
        "9": "Q207",
        "10": "Q201",
    }
    assert expected.items() <= dict(found).items()
    assert "8" in dict(found)
    assert "did you mean revoke?" in err


@cases("rulings")
def test_a_malformed_file_is_refused_in_words(text, code, ruling):
    status, out, err = ruling(text)
    assert status == 1
    assert out == ""
    assert code in err
    assert "Traceback" not in err


def test_the_command_wants_an_incident_or_the_listing_and_not_both(tmp_path):
    assert run(["session", "ruling", "quadrille-laws"]) == 2
    assert run(["session", "ruling", "quadrille-laws", "incident.yaml", "--laws"]) == 2
    assert run(["session", "ruling", "quadrille-laws", str(tmp_path / "none.yaml")]) == 2


def test_csv_has_a_row_for_every_order_and_its_payment(ruling):
    _, out, _ = ruling(
        {**TABLE, "incident": "revoke", "by": "Dora", "pool": 8, "trick_turned": True},
        "--format",
        "csv",
    )
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(r["order"], r["from"], r["amount"]) for r in rows] == [
        ("beast", "Dora", "8"),
        ("take_back_and_replay", "", ""),
    ]


@cases("rulings")
def test_a_beast_costs_what_a_remise_costs_under_the_rules_named(
    orders, ref, sets, facts, amount, rule
):
    args = [word for path, value in sets.items() for word in ("--set", f"{path}={value}")]
    revoke = {**TABLE, "incident": "revoke", "by": "Dora", "trick_turned": True}
    _, data = orders({**revoke, **facts}, *args, ref=ref)
    paid = [(t["from"], t["to"], t["amount"], t["rule"]) for t in data["transfers"]]
    assert paid == ([("Dora", "pool", amount, rule)] if amount else [])
    rules = compile_reference(ref, settings=sets).ruleset.rules
    lost = Result(
        players=("Dora", "Anne", "Bess", "Cora"),
        pool=Fraction(facts.get("pool", 12)),
        contract="solo",
        trump=Suit(2),
        hombre=0,
        tricks=(5, 5, 0, 0),
        multiplier=facts.get("multiplier", 1),
        beasts=facts.get("beasts", 0),
    )
    put = [t for t in settle(rules, lost).transfers if t.target == POOL]
    assert [(t.amount, t.rule) for t in put] == ([(amount, rule)] if amount else [])


@pytest.mark.parametrize(
    ("ref", "sets", "asked"),
    [
        (
            "quadrille-laws",
            ["--set", "loss.beast_size=doubling", "--set", "loss.beast_first=14"],
            "beasts",
        ),
        ("quadrille-laws+multiplier:loss_adds=also,stake=made_good", [], "multiplier"),
        ("quadrille-laws", [], "pool"),
    ],
)
def test_what_a_beast_cannot_be_reckoned_without_is_asked_for(ruling, ref, sets, asked):
    facts = {"pool": 12, "beasts": 1, "multiplier": 2}
    del facts[asked]
    incident = {**TABLE, "incident": "revoke", "by": "Dora", "trick_turned": True, **facts}
    status, _, err = ruling(incident, *sets, ref=ref)
    assert status == 1
    assert f"the incident lacks {asked}" in err


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [("multiplier", 0, "Q205"), ("beasts", 101, "Q205"), ("beasts", "2", "Q203")],
)
def test_beasts_and_multiples_of_an_incident_are_bounded_whole_numbers(ruling, key, value, code):
    status, _, err = ruling(
        {**TABLE, "incident": "revoke", "by": "Dora", "pool": 4, "trick_turned": True, key: value}
    )
    assert status == 1
    assert f"{code} {key} is" in err
