"""The command line as users and their scripts meet it: formats, exit codes, messages, weight."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from quadrille_core.cli.main import COMMANDS
from quadrille_core.engine.record import to_record
from quadrille_core.engine.session import play_session
from quadrille_core.players import make_bot
from quadrille_core.ruleset import compile_reference

HERE = Path(__file__).parents[1]
WORKED = yaml.safe_load((HERE / "data" / "worked.yaml").read_text())["cases"]
SOLO = WORKED[0]["result"]


# --- settle -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", WORKED, ids=[c["says"] for c in WORKED])
def test_worked_settlements(case, quadrille, write):
    status, out, err = quadrille("settle", write(case["result"]), "--format", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["outcome"] == case["outcome"]
    assert found["net"] == case["net"], case["why"]
    assert found["pool"] == case["pool"]


def test_the_json_of_a_settlement_is_exactly_as_promised(quadrille, write):
    _, out, _ = quadrille("settle", write(SOLO), "--format", "json")
    found = json.loads(out)
    assert list(found)[:5] == ["rules", "outcome", "transfers", "net", "pool"]
    assert list(found["rules"])[:5] == ["profile", "witness", "readings", "plugins", "digest"]
    assert (found["rules"]["profile"], found["rules"]["witness"], found["rules"]["readings"]) == (
        "quanti-1822",
        "parlett",
        {},
    )
    assert {tuple(t) for t in found["transfers"]} == {("from", "to", "amount", "reason", "rule", "source")}
    assert {
        "from": "B",
        "to": "A",
        "amount": 12,
        "reason": "solo premium",
        "rule": "payments.premium.solo",
        "source": "parlett: Pay-off for won solo",
    } in found["transfers"]
    net = dict.fromkeys(SOLO["players"], 0)
    pool = found["pool"]["before"]
    for t in found["transfers"]:
        for key, sign in (("from", -1), ("to", 1)):
            if t[key] == "pool":
                pool += sign * t["amount"]
            else:
                net[t[key]] += sign * t["amount"]
    assert (net, pool) == (found["net"], found["pool"]["after"])


@pytest.mark.parametrize(
    ("rules", "changes", "ally", "alone"),
    [
        ("quanti-1822", {"contract": "alliance", "ally": "none"}, None, "called her own king"),
        ("quanti-1822", {"contract": "alliance"}, None, "called her own king"),
        ("quanti-1822", {"contract": "alliance", "ally": "C"}, "C", None),
        ("quanti-1822", {"contract": "solo"}, None, None),
    ],
)
def test_json_and_csv_of_a_settlement_say_who_played_and_whether_an_alliance_was_played_alone(
    quadrille, write, rules, changes, ally, alone
):
    given = {"rules": rules, "players": list("ABCD"), "pool": 4, "hombre": "A", "trump": "hearts"}
    file = write({**given, "tricks": {"A": 6, "B": 4}, **changes})
    found = json.loads(quadrille("settle", file, "--format", "json")[1])
    assert [found[k] for k in ("contract", "hombre", "ally", "alone")] == [changes["contract"], "A", ally, alone]
    rows = list(csv.DictReader(io.StringIO(quadrille("settle", file, "--format", "csv")[1])))
    assert len(rows) == len(found["transfers"]) > 0
    for row in rows:
        assert [row[k] or None for k in ("contract", "hombre", "ally", "alone")] == [
            changes["contract"],
            "A",
            ally,
            alone,
        ]


def test_amounts_that_are_no_whole_numbers_are_fractions_in_text(quadrille, write):
    _, out, _ = quadrille("settle", write({**SOLO, "pool": 6}), "--format", "json")
    assert json.loads(out)["transfers"][1]["amount"] == 6
    _, out, _ = quadrille("settle", write({**SOLO, "pool": 6}), "--format", "json", "--set", "payments.premiers=3")
    assert "9/2" in {t["amount"] for t in json.loads(out)["transfers"]}
    assert "." not in json.dumps([t["amount"] for t in json.loads(out)["transfers"]])


def test_a_result_may_come_from_standard_input(write):
    done = subprocess.run(
        [sys.executable, "-m", "quadrille_core", "settle", "-", "--format", "csv"],
        input=yaml.safe_dump(SOLO),
        capture_output=True,
        text=True,
        check=True,
    )
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert sum(int(r["amount"]) for r in rows if r["to"] == "A") == 66


def test_an_impossible_result_is_refused_with_all_its_faults_named_and_placed(quadrille, write):
    path = write({**SOLO, "tricks": {"A": 7, "B": 4}, "ally": "A", "matadors": 5, "vole": "announced"})
    status, out, err = quadrille("settle", path)
    assert (status, out) == (1, "")
    assert err.count("Q701") >= 4
    assert f"{path}:" in err
    assert "Traceback" not in err


ALLIANCE = {**SOLO, "contract": "alliance", "matadors": 0, "premiers": False, "tricks": {"A": 6, "B": 4}}


@pytest.mark.parametrize("said", [{}, {"ally": "none"}, {"ally": None}])
def test_an_alliance_without_an_ally_is_played_alone_with_ones_own_king_and_the_first_line_says_so(
    said, quadrille, write
):
    status, out, _ = quadrille("settle", write({**ALLIANCE, **said}))
    assert status == 0
    assert out.splitlines()[0] == "Alliance by A, who called her own king: won"


@pytest.mark.parametrize("said", [{}, {"ally": "none"}])
def test_where_no_card_of_ones_own_may_be_called_the_ally_must_be_named(said, quadrille, write):
    status, out, err = quadrille("settle", write({**ALLIANCE, **said, "rules": "quadrille-laws"}))
    assert (status, out) == (1, "")
    assert "Ask leave is played with an ally, and none is given: these rules let nobody call a card of her own" in err
    assert "help: ally: one of B, C, D" in err
    status, out, _ = quadrille("settle", write({**ALLIANCE, "rules": "quadrille-laws", "ally": "C"}))
    assert (status, out.splitlines()[0]) == (0, "Ask leave by A: won")


def test_none_is_no_ally_at_a_bid_played_alone_and_a_player_where_one_is_called_so(quadrille, write):
    status, out, _ = quadrille("settle", write({**SOLO, "ally": "none"}))
    assert (status, out.splitlines()[0]) == (0, "Solo by A: won")
    named = {**ALLIANCE, "players": ["A", "B", "none", "D"], "ally": "none"}
    status, out, _ = quadrille("settle", write(named))
    assert (status, out.splitlines()[0]) == (0, "Alliance by A: won")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"contract": "nemo", "rules": "mediateur-1752", "matadors": 0, "premiers": False}, "trump"),
        ({"matadors": 4, "trump": "spades"}, "matadors"),
        ({"contract": "sola"}, "did you mean solo"),
        ({"hombre": "E"}, "E"),
        ({"rules": "quanti-1822@parlat"}, "did you mean parlett"),
        ({"readings": {"unit": "fixd"}}, "did you mean fixed"),
        ({"pool": 1.5}, 'write "3/2"'),
    ],
)
def test_what_cannot_be_is_refused_in_words(changes, words, quadrille, write):
    status, out, err = quadrille("settle", write({**SOLO, **changes}))
    assert (status, out) == (1, "")
    assert words in err


# --- other commands ---------------------------------------------------------------------------


def test_every_command_has_help_that_names_its_formats(quadrille):
    for name in COMMANDS:
        status, out, _ = quadrille(name, "--help")
        assert status == 0
        assert ("--format" in out) == (name not in ("new", "new-plugin")), name


@pytest.mark.parametrize("name", ["profiles", "plugins"])
def test_lists_come_as_table_json_and_csv(name, quadrille):
    table, data, rows = (quadrille(name, "--format", f)[1] for f in ("table", "json", "csv"))
    names = [next(iter(d.values())) for d in json.loads(data)]
    assert names == [next(iter(r.values())) for r in csv.DictReader(io.StringIO(rows))]
    assert all(n in table for n in names)


def test_show_gives_yaml_that_is_itself_a_valid_rules_block(quadrille, write):
    _, out, _ = quadrille("show", "mediateur-1752", "--format", "yaml")
    house = "kind: profile\nid: copy\ntitle: Copy\nextends: mediateur-1752\n" + out
    path = write(house, "copy.yaml")
    assert quadrille("check", path)[0] == 0
    digest = [json.loads(quadrille("show", r, "--format", "json")[1])["leaves"] for r in ("mediateur-1752", path)]
    assert {p: v["value"] for p, v in digest[0].items()} == {p: v["value"] for p, v in digest[1].items()}


def test_explain_of_a_block_explains_every_rule_below_it(quadrille):
    _, out, _ = quadrille("explain", "mediateur-1752", "payments.matadors", "--format", "json")
    assert list(json.loads(out)["paths"]) == ["payments.matadors.three", "payments.matadors.four"]


def test_explain_prints_the_chain_the_source_and_the_alternative_readings(quadrille):
    _, out, _ = quadrille("explain", "quanti-1822@wikipedia", "stakes.unit_of", "--set", "stakes.unit_of=stake")
    assert "set by hand (--set)" in out
    assert "was constant, set by reading unit=fixed (quanti-1822.yaml:" in out
    assert "attested: wikipedia-new, Settlement" in out
    assert "quarter_of_stake: stake: parlett (Pay-off for won solo)" in out


def test_diff_exits_with_1_when_rules_differ_and_0_when_none_does(quadrille):
    assert quadrille("diff", "quanti-1822", "quanti-1822")[0] == 0
    status, out, _ = quadrille("diff", "quanti-1822@parlett", "quanti-1822@wikipedia", "--format", "json")
    assert status == 1
    found = {d["path"]: d for d in json.loads(out)["differences"]}
    assert found["payments.premium.solo"]["values"] == [4, 2]
    assert all(len(d["sources"]) == 2 and all(d["sources"]) for d in found.values())


def test_an_option_may_be_meant_for_one_rule_set_only(quadrille):
    _, out, _ = quadrille("diff", "quanti-1822", "quanti-1822", "--reading", "2:unit=fixed", "--format", "json")
    assert {d["path"] for d in json.loads(out)["differences"]} == {"stakes.unit_of", "stakes.unit"}
    assert quadrille("diff", "quanti-1822", "quanti-1822", "--reading", "3:unit=fixed")[0] == 2


def test_legal_says_why_a_card_may_not_be_played(quadrille):
    _, out, _ = quadrille(
        "legal", "quanti-1822", "--hand", "♣A h2 ♠3", "--trick", "SA", "--trump", "diamonds", "--format", "json"
    )
    found = json.loads(out)
    assert found["legal"] == ["CA"]
    refused = next(c for c in found["cards"] if c["card"] == "H2")
    assert refused["rule"] == "forcing.forced_by"
    assert refused["source"]


def test_legal_asks_for_a_hand_and_trumps_only_where_cards_are_played_to_tricks(quadrille):
    status, out, err = quadrille("legal", "captive-queens")
    assert (status, out) == (2, "")
    assert "captive-queens is a patience, and this is for a game of tricks" in err
    assert "--hand" not in err
    assert "option --hand is missing" in quadrille("legal", "quanti-1822", "--trump", "hearts")[2]
    assert "option --trump is missing" in quadrille("legal", "quanti-1822", "--hand", "SA")[2]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--hand", "SA H8", "--trump", "hearts"], "no 8, 9 or 10"),
        (["--hand", "SA SA", "--trump", "hearts"], "twice"),
        (["--hand", "SA", "--trump", "harts"], "no suit"),
        (["--hand", "SA", "--trick", "SA", "--trump", "hearts"], "both in hand and on the table"),
        (["--hand", "", "--trump", "hearts"], "empty"),
        (["--hand", "SA", "--trick", "H2 H3 H4 H5", "--trump", "hearts"], "3 cards at most"),
    ],
)
def test_a_position_that_cannot_be_is_misuse(args, words, quadrille):
    status, out, err = quadrille("legal", "quanti-1822", *args)
    assert (status, out) == (2, "")
    assert words in err


def test_a_dealt_record_replays_under_its_own_rules_and_diverges_under_others(quadrille, write):
    _, out, _ = quadrille(
        "deal", "quanti-1822", "--seed", "5", "--deal", "2", "--players", "random", "--format", "json"
    )
    path = write(out, "deal.json")
    assert quadrille("replay", path)[0] == 0
    status, out, _ = quadrille("replay", path, "--rules", "mediateur-1752", "--format", "json")
    assert status == 1
    found = json.loads(out)
    assert found["divergence"] is not None or found["differing"]


def test_a_record_made_with_a_rule_set_by_hand_replays_with_it(quadrille, write):
    args = ("deal", "quanti-1822", "--seed", "5", "--set", "payments.premiers=7", "--reading", "unit=fixed")
    _, out, _ = quadrille(*args, "--format", "json")
    status, _, err = quadrille("replay", write(out, "deal.json"))
    assert (status, err) == (0, "")


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
    status, out, err = quadrille("replay", write(text, "deal.yaml"))
    assert status in (1, 2)
    assert out == ""
    assert "deal.yaml" in err
    assert " Q" in err


def test_records_with_large_seeds_and_large_pools_are_read_back(quadrille, write):
    seed = str(2**63 - 1)
    _, out, _ = quadrille(
        "deal", "quanti-1822", "--seed", seed, "--session", seed, "--players", "random", "--format", "json"
    )
    assert quadrille("replay", write(out, "deal.json"))[0] == 0
    ruleset, bots = compile_reference("quanti-1822").ruleset, [make_bot("random") for _ in range(4)]
    *_, last = play_session(ruleset, bots, seed=1, session=0, deals=300)
    record = json.dumps(to_record(last.deal, last.settlement))
    assert len(str(json.loads(record)["pool"])) > 18
    status, _, err = quadrille("replay", write(record, "deal.json"))
    assert (status, err) == (0, "")


@pytest.mark.parametrize(
    ("key", "value", "status"),
    [
        ("transfers", [], 1),
        ("pool_after", 77, 1),
        ("outcome", "codille", 1),
        ("net", {}, 1),
        ("result", 5, 1),
        ("events", 5, 1),
        ("rules", {"profile": "quanti-1822", "witness": ["a"]}, 1),
        ("rules", {"profile": "quanti-1822", "readings": ["unit"]}, 1),
        ("rules", {"profile": "quanti-1822", "digest": 5}, 1),
        ("rules", 7, 1),
        ("players", ["A", "B", "C", "pool"], 1),
    ],
)
def test_a_falsified_record_is_found_out(quadrille, write, key, value, status):
    _, out, _ = quadrille("deal", "quanti-1822", "--seed", "6", "--format", "json")
    record = {**json.loads(out), key: value}
    found, _, err = quadrille("replay", write(json.dumps(record), "deal.json"))
    assert found == status
    assert "Traceback" not in err


def test_a_record_whose_rules_have_changed_since_is_not_replayed_in_silence(quadrille, write):
    house = write("kind: profile\nid: h\ntitle: H\nextends: quanti-1822\n", "house.yaml")
    _, out, _ = quadrille("deal", house, "--seed", "6", "--format", "json")
    record = write(out, "deal.json")
    assert quadrille("replay", record)[0] == 0
    write("kind: profile\nid: h\ntitle: H\nextends: quanti-1822\nrules: {payments: {premiers: 3}}\n", "house.yaml")
    status, _, err = quadrille("replay", record)
    assert status == 1
    assert "Q704" in err
    assert f"--rules {house}" in err


def test_a_contract_that_is_not_played_is_not_settled(quadrille, write):
    status, _, err = quadrille("settle", write({**SOLO, "contract": "casco", "ally": "B", "premiers": False}))
    assert status == 1
    assert "Casco is not played under these rules" in err


def test_faults_of_rules_and_of_one_players_tricks_are_placed(quadrille, write):
    path = write("rules: quanti-1823\nplayers: [A, B, C, D]\n")
    assert f"{path}:1:8: Q306" in quadrille("settle", path)[2]
    text = yaml.safe_dump(SOLO) + "readings: {unit: fixd}\n"
    path = write(text)
    assert f"{path}:{text.count(chr(10))}:11: Q402" in quadrille("settle", path)[2]
    path = write(yaml.safe_dump({**SOLO, "tricks": {"A": 6, "B": "4"}}))
    assert "Q203 the tricks of B" in quadrille("settle", path)[2]
    assert ":1:1:" not in quadrille("settle", path)[2]


def test_check_tries_every_reading_of_the_files_own_points(quadrille, write):
    text = """\
kind: profile
id: p
title: P
extends: quanti-1822
points:
  chancy:
    question: How many tricks?
    default: six
    readings:
      six: {set: {bids.solo.tricks: 6}}
      none: {set: {bids.solo.tricks: 0}}
"""
    status, out, _ = quadrille("check", write(text, "p.yaml"))
    assert status == 1
    assert "0 tricks do not win a game" in out


def test_a_file_that_is_no_profile_is_not_opened_for_a_strangers_record(quadrille, write):
    secret = write("root:x:0:0", "passwd")
    status, out, err = quadrille("settle", write({**SOLO, "rules": secret}))
    assert status == 1
    assert "root:x" not in out + err


@pytest.mark.parametrize("stream", ["<&-", ">&-", ">/dev/full"])
def test_closed_or_full_streams_give_no_traceback(stream, write):
    path = write(SOLO)
    for args in (f"settle {path}", f"settle {path} --format json", "settle -", "--help", "profiles"):
        done = subprocess.run(
            ["bash", "-c", f"{sys.executable} -m quadrille_core {args} {stream} 2>&1 >&2 | cat"],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert "Traceback" not in done.stdout + done.stderr, (args, done.stdout + done.stderr)


def test_check_reports_every_file_in_one_pass_and_its_status_says_the_worst(quadrille, write, tmp_path):
    good = write("kind: profile\nid: g\ntitle: G\nextends: quanti-1822\n", "good.yaml")
    bad = write("kind: profile\nid: b\ntitle: B\nextends: quanti-1822\nrules: {stakes: {anti: 2}}\n", "bad.yaml")
    assert quadrille("check", good)[0] == 0
    status, out, _ = quadrille("check", good, bad)
    assert status == 1
    assert f"{bad}:5:18: Q201" in out
    assert "did you mean ante?" in out
    assert "2 files checked, 1 clean, 1 error" in out
    assert quadrille("check", good, str(tmp_path / "none.yaml"))[0] == 2
    found = json.loads(quadrille("check", bad, "--format", "json")[1])
    assert (found[0]["code"], found[0]["line"]) == ("Q201", 5)


# --- weight, streams, terminals ---------------------------------------------------------------


def python(code: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **env}
    )
    return done.stdout


def test_help_and_settle_import_nothing_heavy(write):
    heavy = ("jsonschema", "numpy", "rich", "scipy")
    path = write(SOLO)
    for args in (["--help"], ["settle", path, "--format", "json"]):
        code = f"import sys; from quadrille_core.cli.main import run; run({args!r}); "
        code += f"print([m for m in {heavy!r} if m in sys.modules])"
        assert python(code).splitlines()[-1] == "[]"


def test_no_colour_and_no_control_characters_off_a_terminal(quadrille):
    for args in (("profiles",), ("show", "quanti-1822"), ("explain", "quanti-1822", "payments")):
        assert "\x1b" not in quadrille(*args)[1]


def test_an_unknown_command_or_option_is_misuse(quadrille):
    assert quadrille("settel")[0] == 2
    assert "did you mean settle?" in quadrille("settel")[2]
    assert quadrille("show", "quanti-1822", "--forma", "json")[0] == 2
    assert quadrille("show", "quanti-1822", "--set", "payments")[0] == 2
