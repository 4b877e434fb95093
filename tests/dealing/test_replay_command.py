"""``replay``: records under their own and other rules, malformed, falsified, and of rules that have
changed."""

import json

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.dealing.lines import read_record
from quadrille_plugins.shell.program import program_text
from support.data import cases

from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.ruleset import compile_reference


def test_a_dealt_record_replays_under_its_own_rules_and_diverges_under_others(quadrille, write):
    _, out, _ = quadrille(
        "deal",
        "quanti-1822",
        "--seed",
        "5",
        "--deal",
        "2",
        "--players",
        "random",
        "--format",
        "json",
    )
    path = write(out, "deal.json")
    assert quadrille("deal", "--replay", path)[0] == 0
    status, out, _ = quadrille("deal", "--replay", path, "mediateur-1752", "--format", "json")
    assert status == 1
    found = json.loads(out)
    assert found["divergence"] is not None or found["differing"]


def test_a_record_made_with_a_rule_set_by_hand_replays_with_it(quadrille, write):
    args = (
        "deal",
        "quanti-1822",
        "--seed",
        "5",
        "--set",
        "payments.premiers=7",
        "--reading",
        "unit=fixed",
    )
    _, out, _ = quadrille(*args, "--format", "json")
    status, _, err = quadrille("deal", "--replay", write(out, "deal.json"))
    assert (status, err) == (0, "")


@pytest.mark.parametrize(
    ("more", "pool"),
    [
        ((), "4"),
        (("--set", "stakes.ante=2"), "8"),
        (("--set", "stakes.ante=2", "--pool", "19/2"), "19/2"),
    ],
    ids=["its own", "recomputed", "told"],
)
def test_a_deal_is_tried_under_other_antes(quadrille, write, more, pool):
    """The antes of the record are taken out of its pool and those of the rules put in, unless the
    pool is told; what has changed is told as it was and as it is."""
    path = write(
        quadrille("deal", "quanti-1822", "--seed", "5", "--format", "json")[1], "deal.json"
    )
    status, out, err = quadrille("deal", "quanti-1822", *more, "--replay", path, "--format", "json")
    found = json.loads(out)
    assert (status, str(found["record"]["pool"]), err) == (1 if more else 0, pool, "")
    assert ("pool" in found["differing"]) == bool(more)
    assert found["was"] == (
        {"pool": 4, "net": {"A": 19, "B": -5, "C": -5, "D": -5}} if more else {}
    )
    assert found["record"]["net"] != {"A": 19, "B": -5, "C": -5, "D": -5} or not more


def test_a_pool_that_cannot_be_is_refused_with_what_to_say(quadrille, write):
    """Less than the antes, no amount, and a pool for a deal that is neither solved nor replayed."""
    path = write(
        quadrille("deal", "quanti-1822", "--seed", "5", "--format", "json")[1], "deal.json"
    )
    for args, code in (
        (("--replay", path, "--pool", "3"), "Q703"),
        (("--replay", path, "--pool", "-3"), "Q205"),
        (("--replay", path, "--pool", "x"), "Q802"),
        (("quanti-1822", "--pool", "8"), "Q802"),
    ):
        status, _, err = quadrille("deal", *args)
        assert (status != 0, code in err, "deal.json" in err) == (True, True, False), err


def test_a_record_of_another_program_is_told_which_made_it(quadrille, write):
    record = json.loads(quadrille("deal", "quanti-1822", "--format", "json")[1])
    assert record["program"] == program_text()
    for made_by, status, told in (
        ("quadrille 0.0.1", 0, f"made by quadrille 0.0.1; this is {program_text()}"),
        (3, 1, "Q203"),
    ):
        file = write(json.dumps(record | {"program": made_by}), "deal.json")
        found, _, err = quadrille("deal", "--replay", file)
        assert found == status
        assert told in " ".join(err.split())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "kind: deal",
        "kind: deal\nrules: quanti-1822\nhands: [SA]\nactions: [A pass]\n",
        "kind: deal\nrules: {profile: 3}",
        "x: [" * 200,
    ],
)
def test_a_malformed_record_gives_a_clear_error_and_no_traceback(text, quadrille, write):
    status, out, err = quadrille("deal", "--replay", write(text, "deal.yaml"))
    assert status in (1, 2)
    assert out == ""
    assert "deal.yaml" in err
    assert " Q" in err


def test_records_with_large_seeds_and_large_pools_are_read_back(quadrille, write):
    seed = str(2**63 - 1)
    _, out, _ = quadrille(
        "deal",
        "quanti-1822",
        "--seed",
        seed,
        "--session",
        seed,
        "--players",
        "random",
        "--format",
        "json",
    )
    assert quadrille("deal", "--replay", write(out, "deal.json"))[0] == 0
    ruleset, bots = compile_reference("quanti-1822").ruleset, [make_bot("random") for _ in range(4)]
    *_, last = play_session(ruleset, bots, seed=1, session=0, deals=300)
    record = json.dumps(to_record(last.deal, last.settlement))
    assert len(str(json.loads(record)["pool"])) > 18
    status, _, err = quadrille("deal", "--replay", write(record, "deal.json"))
    assert (status, err) == (0, "")


@cases("replay_command")
def test_a_falsified_record_is_found_out(quadrille, write, key, value, status):
    _, out, _ = quadrille("deal", "quanti-1822", "--seed", "6", "--format", "json")
    record = {**json.loads(out), key: value}
    found, _, err = quadrille("deal", "--replay", write(json.dumps(record), "deal.json"))
    assert found == status
    assert "Traceback" not in err


def test_a_record_whose_rules_have_changed_since_is_not_replayed_in_silence(quadrille, write):
    house = write("kind: profile\nid: h\ntitle: H\nextends: quanti-1822\n", "house.yaml")
    _, out, _ = quadrille("deal", house, "--seed", "6", "--format", "json")
    record = write(out, "deal.json")
    assert quadrille("deal", "--replay", record)[0] == 0
    write(
        "kind: profile\nid: h\ntitle: H\nextends: quanti-1822\nrules: {payments: {premiers: 3}}\n",
        "house.yaml",
    )
    status, _, err = quadrille("deal", "--replay", record)
    assert status == 1
    assert "Q704" in err
    assert f"quadrille deal {house} --replay" in err


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_line_of_a_record_that_fills_a_file_is_no_record(number, write):
    """It was told to quote a text; the file is one record, and no line need be named."""
    path = write(json.dumps({"kind": "deal", "pool": 4}, indent=2), "record.json")
    with pytest.raises(UsageError) as caught:
        read_record(path, number)
    (problem,) = caught.value.problems
    assert problem.variant == "no-record-in-line"
    assert problem.hint == Command("deal", (), (Option("replay", path),))
    assert read_record(path, None).to_plain() == {"kind": "deal", "pool": 4}
