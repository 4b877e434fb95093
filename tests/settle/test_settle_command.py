"""``settle``: every format, the source of every payment, and what cannot have happened."""

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from quadrille_plugins.shell.main import run
from support.data import cases, of_yaml

HERE = Path(__file__).parents[1]
WORKED = of_yaml(HERE / "data" / "worked.yaml")["cases"]
SOLO = WORKED[0]["result"]
ALLIANCE = {
    **SOLO,
    "contract": "alliance",
    "matadors": 0,
    "premiers": False,
    "tricks": {"A": 6, "B": 4},
}


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
    assert {tuple(t) for t in found["transfers"]} == {
        ("from", "to", "amount", "reason", "rule", "source")
    }
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


@cases("settle_command")
def test_json_and_csv_of_a_settlement_say_who_played_and_whether_an_alliance_was_played_alone(
    quadrille, write, rules, changes, ally, alone
):
    given = {"rules": rules, "players": list("ABCD"), "pool": 4, "hombre": "A", "trump": "hearts"}
    file = write({**given, "tricks": {"A": 6, "B": 4}, **changes})
    found = json.loads(quadrille("settle", file, "--format", "json")[1])
    assert [found[k] for k in ("contract", "hombre", "ally", "alone")] == [
        changes["contract"],
        "A",
        ally,
        alone,
    ]
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
    _, out, _ = quadrille(
        "settle", write({**SOLO, "pool": 6}), "--format", "json", "--set", "payments.premiers=3"
    )
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
    path = write(
        {**SOLO, "tricks": {"A": 7, "B": 4}, "ally": "A", "matadors": 5, "vole": "announced"}
    )
    status, out, err = quadrille("settle", path)
    assert (status, out) == (1, "")
    assert err.count("Q701") >= 4
    assert f"{path}:" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("said", [{}, {"ally": "none"}, {"ally": None}])
def test_an_alliance_without_an_ally_is_played_alone_with_ones_own_king_and_the_first_line_says_so(
    said, quadrille, write
):
    status, out, _ = quadrille("settle", write({**ALLIANCE, **said}))
    assert status == 0
    assert out.splitlines()[0] == "Alliance by A, who called their own king: won"


@pytest.mark.parametrize("said", [{}, {"ally": "none"}])
def test_where_no_card_of_ones_own_may_be_called_the_ally_must_be_named(said, quadrille, write):
    status, out, err = quadrille("settle", write({**ALLIANCE, **said, "rules": "quadrille-laws"}))
    assert (status, out) == (1, "")
    assert (
        "Ask leave is played with an ally, and none is given: these rules let nobody call their "
        "own card" in err
    )
    assert "help: ally: one of B, C, D" in err
    status, out, _ = quadrille(
        "settle", write({**ALLIANCE, "rules": "quadrille-laws", "ally": "C"})
    )
    assert (status, out.splitlines()[0]) == (0, "Ask leave by A with C: won")


def test_none_is_no_ally_at_a_bid_played_alone_and_a_player_where_one_is_called_so(
    quadrille, write
):
    status, out, _ = quadrille("settle", write({**SOLO, "ally": "none"}))
    assert (status, out.splitlines()[0]) == (0, "Solo by A: won")
    named = {**ALLIANCE, "players": ["A", "B", "none", "D"], "ally": "none"}
    status, out, _ = quadrille("settle", write(named))
    assert (status, out.splitlines()[0]) == (0, "Alliance by A with none: won")


@cases("settle_command")
def test_what_cannot_be_is_refused_in_words(changes, words, quadrille, write):
    status, out, err = quadrille("settle", write({**SOLO, **changes}))
    assert (status, out) == (1, "")
    assert words in err


def test_a_contract_that_is_not_played_is_not_settled(quadrille, write):
    status, _, err = quadrille(
        "settle", write({**SOLO, "contract": "casco", "ally": "B", "premiers": False})
    )
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


def test_a_file_that_is_no_profile_is_not_opened_for_a_strangers_record(quadrille, write):
    secret = write("root:x:0:0", "passwd")
    status, out, err = quadrille("settle", write({**SOLO, "rules": secret}))
    assert status == 1
    assert "root:x" not in out + err


def test_the_rules_may_be_an_option_and_the_pool_is_proposed(quadrille, write):
    """A result without rules is settled by --rules; one without a pool is told what it is at the
    first deal."""
    result = {key: value for key, value in SOLO.items() if key != "rules"}
    name = write(result)
    by_option = quadrille("settle", name, "--rules", SOLO["rules"], "--format", "json")
    assert by_option[0] == 0
    assert json.loads(by_option[1])["net"] == WORKED[0]["net"]
    assert quadrille("settle", write(SOLO), "--rules", "mediateur-1752")[0] == 2
    del result["pool"]
    assert (
        "pool: 4 at the first deal"
        in quadrille("settle", write(result), "--rules", SOLO["rules"])[2]
    )


def test_a_number_of_tricks_alone_is_what_hombres_side_made(quadrille, write):
    """In a file and as options it comes to the same as the tricks of each; what was assumed is
    said."""
    status, out, err = quadrille("settle", write({**SOLO, "tricks": 6}), "--format", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["net"] == WORKED[0]["net"]
    assert found["taken_as"] == {
        "tricks": "A 6, B 4 (how a side shared its tricks changes no payment)"
    }
    typed = [
        "--rules",
        SOLO["rules"],
        "--pool",
        str(SOLO["pool"]),
        "--players",
        ",".join(SOLO["players"]),
    ]
    typed += ["--contract", "solo", "--trump", SOLO["trump"], "--hombre", "a", "--tricks", "6"]
    typed += ["--matadors", str(SOLO["matadors"]), *(["--premiers"] if SOLO["premiers"] else [])]
    status, out, err = quadrille("settle", *typed, "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(out) == found
    status, out, _ = quadrille("settle", *typed)
    assert "\nTaken as: tricks A 6, B 4 (how a side shared its tricks" in out


NOT_SHARED = {
    "a list for a name": (
        {"players": [[], "B", "C", "D"], "hombre": "B"},
        "Q207 a player's name is a text",
    ),
    "fewer than none": (
        {"contract": "alliance", "ally": "B", "tricks": -1},
        "Q701 A made less than no trick",
    ),
    "more than a deal has": (
        {"contract": "alliance", "ally": "B", "tricks": 10**30},
        "tricks were made, and a deal",
    ),
    "no contract": ({"contract": None}, "Q202 the result says nothing of contract"),
}


@pytest.mark.parametrize("changes", NOT_SHARED)
def test_a_number_of_tricks_that_cannot_be_shared_hides_no_other_fault(changes, quadrille, write):
    """It was shared out before the rest was looked at: an internal error, an hour, or a fault that
    there is not."""
    changed, said = NOT_SHARED[changes]
    told = {**SOLO, "matadors": 0, "premiers": False, "tricks": 6, **changed}
    status, _, err = quadrille(
        "settle", write({key: value for key, value in told.items() if value is not None})
    )
    assert status == 1
    assert said in err
    assert len([line for line in err.splitlines() if ": Q" in line]) == 1


def test_a_number_of_tricks_is_shared_where_two_spellings_name_one_player(quadrille, write):
    """The letters and accents of a name are put together before anybody is looked for."""
    players = ["A", "Zoe\N{COMBINING ACUTE ACCENT}", "C", "D"]
    status, out, _ = quadrille(
        "settle", write({**SOLO, "players": players, "hombre": "Zo\xe9", "tricks": 6})
    )
    assert status == 0
    assert "tricks Zo\xe9 6" in out


def test_where_it_depends_on_who_made_them_the_tricks_of_both_allies_are_asked_for(
    quadrille, write
):
    """Who bears a lost alliance is decided by the ally's own tricks."""
    status, _, err = quadrille(
        "settle", write({**ALLIANCE, "rules": "mediateur-1752", "ally": "B", "tricks": 5})
    )
    assert status == 1
    assert "depends on how A and B shared their tricks" in err
    assert "tricks: {A: 4, B: 2}" in err


def test_options_say_which_players_and_which_pool_they_were_taken_to_mean(quadrille):
    """A first deal between players with letters, where nothing else is said."""
    status, out, _ = quadrille(
        "settle",
        "--rules",
        "quanti-1822",
        "--contract",
        "solo",
        "--trump",
        "clubs",
        "--hombre",
        "C",
        "--tricks",
        "4",
    )
    assert status == 0
    text = " ".join(out.split())
    assert ". Antes are not in net." in text
    assert (
        "Taken as: players A, B, C, D, the eldest hand first; pool 4, as in a first deal; tricks "
        "C 4, A 6" in text
    )


@cases("settle_command")
def test_a_line_that_says_no_deal_or_two_is_refused_in_words(
    typed, words, wanted, quadrille, write
):
    typed = [write(SOLO) if word == "FILE" else word for word in typed]
    status, out, err = quadrille("settle", *typed)
    assert (status, out) == (wanted, "")
    assert words in err


@pytest.mark.parametrize("tricks", ["x", [1], True, -1, 16, {"": 6}, {"": "x"}, None, 2**70])
def test_what_is_no_number_of_tricks_is_refused_at_its_place(tricks, quadrille, write):
    status, out, err = quadrille("settle", write({**SOLO, "tricks": tricks}))
    assert (status, out) == (1, "")
    assert "Q999" not in err
    assert ":" in err.splitlines()[0]
    assert "tricks" in err


BY_OPTIONS = [
    (
        (
            "a bid for allies without an ally asks for one, and what else cannot be read is said "
            "with it"
        ),
        "--contract alliance --hombre A --trump coeur --tricks 6",
        ["Alliance is played with an ally, and none is named", "'coeur' is no suit"],
        ["--ally NAME, or --ally none if Hombre held the called card"],
    ),
    (
        "seven tricks with premiers are the vole, or ended with six",
        "--contract solo --hombre A --trump hearts --tricks 7 --premiers",
        ["after premiers Hombre's side made 7 tricks without a vole"],
        ["--tricks 6 if they stopped there; --vole undertaken if they led to trick 7"],
    ),
    (
        "ten tricks have premiers and a vole, and both are asked for at once",
        "--contract solo --hombre A --trump hearts --tricks 10",
        [
            "who makes every trick has made premiers too",
            "after premiers Hombre's side made 10 tricks without a vole",
        ],
        [
            "write --premiers",
            "--tricks 6 if they stopped there; --vole undertaken if they led to trick 7",
        ],
    ),
    (
        "premiers with five tricks are taken back by an option",
        "--contract solo --hombre A --trump hearts --tricks 5 --premiers",
        ["premiers take the first 6 tricks"],
        ["help: --no-premiers"],
    ),
    (
        "a trump suit that is missing is asked for by its option",
        "--contract solo --hombre A --tricks 6",
        ["Solo is played with a trump suit, and none is given"],
        ["--trump SUIT, one of spades, hearts, clubs, diamonds"],
    ),
    (
        "who made how many tricks, and who was Hombre, is asked for as options give it",
        "--contract solo --trump hearts",
        ["the result says nothing of hombre", "the result says nothing of tricks"],
        ["--hombre NAME, one of A, B, C, D", "--tricks 6 if Hombre's side made six"],
    ),
]


@pytest.mark.parametrize(
    ("typed", "told", "helps"), [c[1:] for c in BY_OPTIONS], ids=[c[0] for c in BY_OPTIONS]
)
def test_a_result_by_options_is_refused_in_one_pass_with_the_options_that_mend_it(
    typed, told, helps, quadrille
):
    """What options say too little or wrongly is told at once, each fault with what to type."""
    status, out, err = quadrille("settle", "--rules", "quanti-1822@parlett", *typed.split())
    assert (status, out) == (1, "")
    for words in (*told, *helps):
        assert words in err
    assert err.count("Q") == len(told)


@pytest.mark.parametrize(
    "typed",
    [
        "--contract solo --hombre A --trump hearts --tricks 6",
        "--contract alliance --hombre A --trump hearts --tricks 6 --ally none",
        "--contract alliance --hombre A --trump hearts --tricks 6 --ally C",
        "--contract solo --hombre A --trump hearts --tricks 6 --premiers",
        "--contract solo --hombre A --trump hearts --tricks 7 --premiers --vole undertaken",
        "--contract solo --hombre A --trump hearts --tricks 10 --premiers --vole undertaken",
        "--contract solo --hombre A --trump hearts --tricks 5 --no-premiers",
    ],
)
def test_what_the_help_of_a_refused_result_says_to_type_settles_it(typed, quadrille):
    """Each line of help above, followed."""
    status, _, err = quadrille("settle", "--rules", "quanti-1822@parlett", *typed.split())
    assert (status, err) == (0, "")


def test_where_the_ally_must_be_somebody_the_options_say_who_it_may_be(quadrille):
    """Rules that let nobody call a card of their own propose no `--ally none`."""
    typed = "--contract alliance --hombre A --trump hearts --tricks 6"
    status, _, err = quadrille("settle", "--rules", "quadrille-laws", *typed.split())
    assert status == 1
    assert "help: --ally NAME, one of B, C, D" in err


def test_what_options_leave_out_of_matadors_and_premiers_is_said(quadrille):
    """Matadors and premiers that were not given are taken as none, where the rules might pay
    them."""
    typed = [
        "--rules",
        "quanti-1822@parlett",
        "--contract",
        "solo",
        "--trump",
        "hearts",
        "--hombre",
        "A",
    ]
    data = json.loads(quadrille("settle", *typed, "--tricks", "6", "--format", "json")[1])
    assert (data["taken_as"]["matadors"], data["taken_as"]["premiers"]) == ("none", "not made")
    data = json.loads(
        quadrille("settle", *typed, "--tricks", "5", "--matadors", "3", "--format", "json")[1]
    )
    assert not {"matadors", "premiers"} & set(data["taken_as"])


def _words(text):
    return {step for word in text.split() for step in re.findall(r"[^.]+\.?|\.", word)}


@pytest.mark.parametrize(
    "names", [("Ann", "Ben", "Cat", "Dan"), ("Anne", "Beatrice", "Charlotte", "Dorothea")]
)
@pytest.mark.parametrize("columns", [80, 72, 100, 120])
def test_no_name_of_a_rule_is_broken_but_at_its_dots(quadrille, write, monkeypatch, names, columns):
    """In the table of payments each word stands whole, a rule's name is broken at a dot if
    anywhere, and it fits."""
    monkeypatch.setenv("COLUMNS", str(columns))
    result = {
        "rules": "quanti-1822@parlett",
        "players": list(names),
        "pool": 12,
        "contract": "solo",
        "trump": "hearts",
    }
    made = {
        "hombre": names[0],
        "tricks": {names[0]: 7, names[1]: 3},
        "matadors": 3,
        "premiers": True,
    }
    path = write({**result, **made, "vole": "undertaken"})
    out = quadrille("settle", path)[1]
    rows = json.loads(quadrille("settle", path, "--format", "json")[1])["transfers"]
    wanted = {step for row in rows for step in _words(row["rule"])}
    assert "vole_stake." in wanted
    assert wanted <= _words(out)
    assert max(map(len, out.splitlines())) <= columns


UNKNOWN = [
    (
        "a player, a suit, a contract and a number of tricks that cannot be",
        "--contract sollo --trump heartz --hombre Q --tricks 15",
        [
            "'Q' does not sit",
            "'heartz' is no suit",
            "did you mean hearts?",
            "'sollo' is no contract",
            "did you mean solo?",
            "15 tricks were made",
        ],
    ),
    (
        "a contract and a number of tricks that cannot be",
        "--contract sollo --hombre Zed --tricks 12",
        [
            "'Zed' does not sit",
            "'sollo' is no contract",
            "did you mean solo?",
            "12 tricks were made",
        ],
    ),
    (
        "two players, a suit that is none and an ally where there is none",
        "--contract solo --trump herts --hombre Zed --ally Yak --tricks 6",
        ["'Zed' does not sit", "'Yak' does not sit", "'herts' is no suit", "leave out --ally"],
    ),
    (
        "an ally of whom nothing is said",
        "--contract alliance --trump hearts --hombre Zed --tricks 6",
        ["'Zed' does not sit", "--ally NAME, or --ally none"],
    ),
    (
        "nothing but the name",
        "--contract solo --trump hearts --hombre Zed --tricks 6",
        ["'Zed' does not sit"],
    ),
    (
        "whose side the tricks are of is unknown, and nothing is said of them",
        "--contract solo --trump hearts --hombre Zed --tricks A=4",
        ["'Zed' does not sit"],
    ),
]


@pytest.mark.parametrize(("typed", "told"), [c[1:] for c in UNKNOWN], ids=[c[0] for c in UNKNOWN])
@pytest.mark.parametrize("command", ["settle", "session"])
def test_beside_a_player_who_is_unknown_every_other_fault_is_told(
    command, typed, told, quadrille, tmp_path
):
    """And none that comes only of the name: in `settle`, and where a session records the deal."""
    line = ["settle", "--rules", "quanti-1822@parlett"]
    if command == "session":
        ledger = str(tmp_path / "evening.quadrille")
        assert (
            quadrille(
                "session", "start", ledger, "--rules", "quanti-1822@parlett", "--player", "A,B,C,D"
            )[0]
            == 0
        )
        line = ["session", "deal", ledger]
    status, out, err = quadrille(*line, *typed.split())
    assert (status, out) == (2, "")
    for words in told:
        assert words in err
    assert len(re.findall("^Q", err, re.MULTILINE)) == len(
        [words for words in told if not words.startswith("did")]
    )


def test_a_trump_suit_that_a_file_lacks_is_asked_for_as_a_file_says_it(quadrille, write):
    """The help of a file names its key, that of the command line its option."""
    data = {
        "rules": "quanti-1822@parlett",
        "players": list("ABCD"),
        "pool": 4,
        "contract": "solo",
        "hombre": "A",
    }
    status, _, err = quadrille("settle", write(data | {"tricks": 6}))
    assert status == 1
    assert "help: trump: SUIT, one of spades, hearts, clubs, diamonds" in err


@pytest.mark.parametrize("several", ["A=6,B=4", "A=6, B=4", "A=6;B=4"])
def test_tricks_of_several_players_stand_in_one_option(several, quadrille):
    """They are what the option says when it is repeated."""
    line = ["settle", "--rules", "quanti-1822@parlett", "--contract", "solo", "--trump", "hearts"]
    line += ["--hombre", "A", "--format", "json"]
    repeated = quadrille(*line, "--tricks", "A=6", "--tricks", "B=4")
    assert repeated[0] == 0
    assert quadrille(*line, "--tricks", several) == repeated


@pytest.mark.parametrize(
    "said",
    [
        "--players=A,B,C,D",
        "--player=A,B,C,D",
        "--player=A --player=B --player=C --player=D",
        "--players=A --players=B --players=C --players=D",
    ],
)
def test_players_are_named_after_commas_or_one_by_one(said, quadrille, tmp_path):
    """By either name of the option, in `settle` as where a session begins."""
    line = ["--rules", "quanti-1822@parlett", "--format", "json"]
    deal = ["--contract", "solo", "--trump", "hearts", "--hombre", "C", "--tricks", "6"]
    assert [*json.loads(quadrille("settle", *line, *deal, *said.split())[1])["net"]] == list("ABCD")
    _, out, _ = quadrille("session", "start", str(tmp_path / "evening"), *line, *said.split())
    assert [one["player"] for one in json.loads(out)["standing"]] == list("ABCD")


def test_tricks_of_a_side_by_name_leave_the_rest_to_its_adversaries(capsys):
    """`session deal` took them so; `settle` said that a deal has ten. Without the ally's they are
    not known."""
    words = [
        "settle",
        "--rules",
        "quanti-1822@parlett",
        "--contract",
        "alliance",
        "--trump",
        "hearts",
    ]
    words += ["--players", "Ann,Ben,Cat,Dan", "--pool", "12", "--hombre", "Ann", "--ally", "Cat"]
    assert run([*words, "--tricks", "Ann=4", "--tricks", "Cat=2"]) == 0
    assert "Taken as: tricks Ann 4, Cat 2, Ben 4" in capsys.readouterr().out
    assert run([*words, "--tricks", "Ann=5"]) != 0
    assert "5 tricks were made, and a deal has 10" in capsys.readouterr().err


def test_a_number_of_matadors_may_be_a_word(capsys):
    """`none` and `three` were no valid integer range, though answers say `matadors none`."""
    words = [
        "settle",
        "--rules",
        "quanti-1822",
        "--contract",
        "solo",
        "--trump",
        "hearts",
        "--hombre",
        "A",
    ]
    words += ["--tricks", "6", "--format", "json"]
    told = []
    for given in (["3"], ["three"], ["0"], ["none"]):
        assert run([*words, "--matadors", *given]) == 0
        told.append(json.loads(capsys.readouterr().out)["transfers"])
    assert told[0] == told[1] != told[2] == told[3]
    assert run([*words, "--matadors", "many"]) != 0
    assert "'many' is not a valid whole number" in capsys.readouterr().err
