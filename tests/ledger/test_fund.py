"""A ledger keeps no fund beside the pool: rules that draw on one start no session, and the help
says which would."""

import json
import shlex

import pytest
from quadrille_plugins.shell.main import run

WON = {
    "contract": "alliance",
    "trump": "spades",
    "hombre": "A",
    "ally": "C",
    "tricks": {"A": 4, "C": 2, "B": 4},
}
VOLE = WON | {
    "tricks": {"A": 6, "C": 4},
    "premiers": True,
    "vole": "undertaken",
    "claims": ["vole"],
}
PLAYERS = [word for name in "ABCD" for word in ("--player", name)]
FUND = ("fund_game", "fund_vole", "fund_vole_stakes", "fund_codille")


@pytest.fixture
def start(quadrille, tmp_path):
    """Start a session by the late Hoyle with these options; returns status and error, and the
    file."""

    def start(*options):
        path = str(tmp_path / "table.ledger")
        status, _, err = quadrille("start", path, "--rules", "hoyle-improved", *options, *PLAYERS)
        return status, err, path

    return start


def advised(err):
    """The options that the help tells to start with, as they are typed."""
    return shlex.split(err.partition("help: add ")[2].splitlines()[0])


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--reading", "fund=left_out"),
        ("--reading", "vole_draws=law_21"),
        ("--reading", "fund=left_out", "--reading", "vole_draws=besides"),
    ],
)
def test_rules_that_draw_on_a_fund_are_refused_with_options_that_work_as_they_are_typed(
    start, options
):
    status, err, _ = start(*options)
    assert status == 2
    assert "draw on a fund beside the pool" in err
    assert start(*options, *advised(err))[:2] == (0, "")


@pytest.mark.parametrize("result", [WON, VOLE], ids=["game", "vole"])
def test_by_those_options_a_game_and_a_vole_are_kept_and_draw_nothing(quadrille, start, result):
    _, err, _ = start()
    _, _, path = start(*advised(err))
    status, out, err = quadrille("deal", path, result, "--format", "json")
    assert (status, err) == (0, "")
    assert not [t for t in json.loads(out)["transfers"] if any(leaf in t["rule"] for leaf in FUND)]
    assert quadrille("verify", path)[0] == 0


def test_a_ledger_begun_by_such_rules_refuses_a_deal_that_draws(quadrille, start, monkeypatch):
    monkeypatch.setattr("quadrille_plugins.ledger.service.refuse_fund", lambda rules: None)
    status, err, path = start()
    assert (status, err) == (0, "")
    status, _, err = quadrille("deal", path, WON)
    assert status == 1
    assert "payments.fund_game.alliance" in err
    assert "start one by rules that draw on none" in err
    assert run(["session", "verify", path]) == 0
