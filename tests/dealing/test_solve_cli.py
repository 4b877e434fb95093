"""``quadrille solve`` as users and their scripts meet it."""

import csv
import io
import json
import re
import signal
import subprocess
import sys
from importlib.util import find_spec

import pytest
from quadrille_plugins.deal.record import replay
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.shell.main import run
from support.data import cases

from quadrille_core.installation import install_hint
from quadrille_core.ruleset import compile_reference

HANDS = [
    "SA S2 CA SK SQ SJ S7 S6 S5 S4",
    "S3 HA HK HQ HJ H7 H6 H5 H4 H3",
    "H2 CK CQ CJ C7 C6 C5 C4 C3 C2",
    "DA DK DQ DJ D7 D6 D5 D4 D3 D2",
]
DEAL = {"rules": "quanti-1822", "hands": HANDS, "pool": 12}


@pytest.fixture(scope="module", autouse=True)
def compiled_before():
    """What is compiled is compiled here, and said here."""
    if find_spec("numba"):
        ready("quadrille_plugins.solver.solve")


@pytest.fixture
def solved(quadrille, write):
    pytest.importorskip("numba")

    def solved(data, *args):
        status, out, err = quadrille(
            "deal", "--solve", "--replay", write(data), *args, "--format", "json"
        )
        assert (status, err) == (0, "")
        return json.loads(out)

    return solved


def test_a_deal_written_by_hand_tells_every_bid_of_every_player_and_par(solved):
    found = solved(DEAL)
    assert list(found) == ["rules", "players", "hands", "pool", "favourite", "par", "contracts"]
    assert [(c["player"], c["bid"]) for c in found["contracts"]] == [
        ("A", "forced-spadille"),
        *((p, b) for p in "ABCD" for b in ("alliance", "solo", "vole")),
    ]
    par = found["par"]
    # a unit is a quarter of the pool, 3; the vole's own stake is 3 counters
    assert par["net"] == {"A": 12 + 3 * (3 * (4 + 1 + 1 + 2) + 3), "B": -27, "C": -27, "D": -27}
    assert (par["contract"]["bid"], par["contract"]["tricks"], par["contract"]["vole"]) == (
        "vole",
        10,
        "won",
    )
    # over a solo another would bid the vole, only to lose less than the solo costs
    paid = {(c["player"], c["bid"]): (c["net"], c["pool_after"]) for c in found["contracts"]}
    assert paid["A", "solo"] == (par["net"], 0)
    lost, left = paid["D", "vole"]
    assert lost["D"] + left / 4 > par["net"]["D"]
    for contract in found["contracts"]:
        assert contract["net"] in [way["net"] for way in contract["declarations"]]
        assert "line" not in contract


def test_the_record_of_par_replays_to_the_same_payments(solved):
    par = solved(DEAL)["par"]
    again = replay(compile_reference("quanti-1822").ruleset, par["record"])
    assert again.divergence is None
    assert par["record"]["net"] == par["net"]
    assert [a for a in par["record"]["actions"] if a[2:] in ("pass",) or a[2:5] == "bid"] == par[
        "auction"
    ]


def test_a_record_of_deal_is_solved_under_its_own_rules_or_others(solved, quadrille):
    record = json.loads(quadrille("deal", "mediateur-1752", "--seed", "4", "--format", "json")[1])
    found = solved(record, "--player", "B", "--bid", "nemo")
    assert (found["rules"], found["hands"], found["favourite"]) == (
        record["rules"],
        record["hands"],
        "hearts",
    )
    assert [c["bid"] for c in found["contracts"]] == ["nemo"]
    record["favourite"] = None
    other = solved(record, "quadrille-modern")
    assert other["rules"]["profile"] == "quadrille-modern"


def test_a_seed_deals_what_deal_deals_with_the_antes_alone_in_the_pool(quadrille):
    pytest.importorskip("numba")
    args = ("--seed", "9", "--session", "2", "--deal", "3")
    record = json.loads(quadrille("deal", "quintille", *args, "--format", "json")[1])
    found = json.loads(quadrille("deal", "--solve", "quintille", *args, "--format", "json")[1])
    assert found["hands"] == record["hands"]
    assert found["pool"] == 5
    richer = json.loads(
        quadrille("deal", "--solve", "quintille", *args, "--pool", "15", "--format", "json")[1]
    )
    assert richer["pool"] == 15
    assert richer["par"]["net"] != found["par"]["net"]


def test_filters_lines_and_csv(solved, quadrille, write):
    found = solved(DEAL, "--player", "2", "--bid", "solo", "--best-play")
    assert [(c["player"], c["bid"], len(c["line"])) for c in found["contracts"]] == [
        ("B", "solo", 40)
    ]
    out = quadrille("deal", "--solve", "--replay", write(DEAL), "--bid", "solo", "--format", "csv")[
        1
    ]
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [r["player"] for r in rows] == list("ABCD")
    assert (rows[0]["trump"], rows[0]["tricks"], rows[0]["net A"]) == ("spades", "10", "93")
    asked = ("--player", "eldest", "--bid", "solo", "--best-play")
    table = quadrille("deal", "--solve", "--replay", write(DEAL), *asked)[1]
    said = (
        "Par is vole by eldest, ♠: 10 tricks, won, vole won, premiers; it pays eldest +93, second"
    )
    assert " ".join(table.split()).startswith(said)
    assert "♠A ♠3" in table


def test_every_bid_stands_in_80_columns_with_no_word_broken(quadrille, monkeypatch):
    """A column for each player left four letters for the rest: headers and results were cut inside
    words."""
    pytest.importorskip("numba")
    monkeypatch.setenv("COLUMNS", "80")
    for rules in ("quanti-1822", "mediateur-1752", "quintille"):
        out = quadrille("deal", "--solve", rules, "--seed", "1", "--player", "eldest")[1]
        assert out.startswith("Par is ")
        assert "\n\nTo cite this: Quadrille " in out
        assert max(map(len, out.splitlines())) <= 80
        words = set(out.replace(",", " ").split())
        assert {"player", "bid", "result", "pays", "declared", "codille"} <= words
        bids = json.loads(
            quadrille("deal", "--solve", rules, "--seed", "1", "--format", "json")[1]
        )["contracts"]
        assert {c["bid"] for c in bids if c["player"] == "A"} <= words


BAD = {
    "no deal": ("[1, 2]", "a deal is a mapping of keys"),
    "no rules": ({"hands": HANDS}, "Q202 the record names no rules"),
    "a misspelt key": ({**DEAL, "pol": 3}, "help: did you mean pool?"),
    "no hands": ({"rules": "quanti-1822"}, "Q202 the record says nothing of hands"),
    "a card twice": ({**DEAL, "hands": [HANDS[0], *HANDS[:3]]}, "SA is dealt twice"),
    "a short hand": ({**DEAL, "hands": ["SA", *HANDS[1:]]}, "hand 1 has 1 cards, not 10"),
    "a card of another pack": (
        {**DEAL, "hands": ["S9 " + HANDS[0][3:], *HANDS[1:]]},
        "'S9' is no card",
    ),
    "a poor pool": ({**DEAL, "pool": 1}, "the pool holds 1, less than this deal's antes"),
    "a pool of words": ({**DEAL, "pool": "much"}, "pool is 'much'"),
    "readings of no shape": (
        {**DEAL, "readings": [1]},
        "readings is no mapping of POINT: READING",
    ),
    "a strange reading": (
        {**DEAL, "readings": {"ante": "none"}},
        "point 'ante' has no reading 'none'",
    ),
    "a favourite nobody knows": (
        {**DEAL, "favourite": "hearts"},
        "these rules know no favourite suit",
    ),
    "a patience": ({**DEAL, "rules": "royal-quadrille"}, "royal-quadrille is a patience"),
    "five at a table for four": (
        {**DEAL, "rules": "quintille"},
        "four players sit down, where these rules seat five",
    ),
    "a record without actions": (
        {"kind": "deal", "rules": "quanti-1822", "hands": HANDS},
        "the record says nothing of actions",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_with_a_file_is_told(name, quadrille, write):
    pytest.importorskip("numba")
    data, told = BAD[name]
    path = write(data)
    status, out, err = quadrille("deal", "--solve", "--replay", path)
    assert (status in (1, 2), out) == (True, "")
    assert told in err
    faults = [line for line in err.splitlines() if re.search(r"\bQ\d{3}\b", line)]
    assert faults
    assert all(re.match(rf"{re.escape(str(path))}(:\d+:\d+)?: Q", line) for line in faults)
    assert "Traceback" not in err


@cases("solve_cli")
def test_misuse_is_told(args, told, quadrille, write):
    pytest.importorskip("numba")
    named = ["--replay", write(DEAL)] if args[:1] == ["FILE"] else [*args[:1]]
    status, out, err = quadrille("deal", "--solve", *named, *args[1:])
    assert (status, out) == (2, "")
    assert told in err


def test_without_numba_it_says_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr("quadrille_plugins.solver.open_play.find_spec", lambda _: None)
    assert run(["deal", "--solve", "quanti-1822", "--seed", "1"]) == 2
    assert install_hint("fast") in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(
    "search",
    ["hashlib.pbkdf2_hmac('sha256', b'', b'', 2_000_000_000)", "any(iter(lambda: 0, 1))"],
    ids=["compiled", "between two questions"],
)
def test_ctrl_c_ends_a_search_at_once_wherever_it_is_heard(search):
    pytest.importorskip("numba")
    program = (
        "import hashlib, sys, quadrille_plugins.dealing.solving_command as s\n"
        "from quadrille_plugins.shell.main import main\n"
        "def value(self):\n"
        "    print('searching', file=sys.stderr, flush=True)\n"
        f"    try: {search}\n"
        "    except BaseException as e: print(repr(e), file=sys.stderr, flush=True)\n"
        "sys.setswitchinterval(0.5)\n"
        "s.DealSolver.value = value\n"
        "s.ready = print\n"
        "main(['deal', '--solve', 'quanti-1822', '--seed', '1', '--player', 'A', '--bid', "
        "'solo'])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            assert running.stderr.readline() == "searching\n"
            running.send_signal(signal.SIGINT)
            assert running.communicate(timeout=60)[1] == ""
        finally:
            running.kill()
    assert running.returncode == -signal.SIGINT
