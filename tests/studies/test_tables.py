"""How the shipped rule sets sit down to play: purses, antes, packets and lengths, each a sentence
of a text."""

import json
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.deal.session import PlayedDeal, play_session
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.design import plan
from support.data import of_yaml
from support.table import FirstBot

from quadrille_core.ruleset import Compiled, compile_reference

CASES: list[dict[str, Any]] = of_yaml(Path(__file__).parents[1] / "data" / "tables.yaml")["cases"]
PLAYERS = ("Anne", "Beatrice", "Charlotte", "Dorothea")


def telling(*keys: str) -> pytest.MarkDecorator:
    """The cases that say something of these matters."""
    found = [case for case in CASES if any(key in case for key in keys)]
    assert found
    return pytest.mark.parametrize("case", found, ids=[case["says"] for case in found])


def compiled(case: dict[str, Any]) -> Compiled:
    return compile_reference(
        case["rules"], readings=case.get("readings", {}), settings=case.get("set", {})
    )


def first_deals(case: dict[str, Any], deals: int) -> list[PlayedDeal]:
    return list(
        play_session(compiled(case).ruleset, [FirstBot()] * 4, seed=3, session=0, deals=deals)
    )


def test_every_case_tells_something():
    assert all(case.keys() - {"says", "rules", "readings", "set"} for case in CASES)


@telling("holds", "coins")
def test_what_each_begins_a_session_with(case, tmp_path, capsys):
    chosen = [
        word for p, r in case.get("readings", {}).items() for word in ("--reading", f"{p}={r}")
    ]
    chosen += [
        word for p, v in case.get("set", {}).items() for word in ("--set", f"{p}={json.dumps(v)}")
    ]
    seated = [word for name in PLAYERS for word in ("--player", name)]
    ledger = str(tmp_path / "table.ledger")
    assert (
        run(
            [
                "session",
                "start",
                ledger,
                "--rules",
                case["rules"],
                *seated,
                *chosen,
                "--format",
                "json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert [player["holds"] for player in told["standing"]] == case["holds"]
    assert [player["net"] for player in told["standing"]] == [0] * 4
    assert told["pool"]["amount"] == 0
    if "coins" in case:
        assert told["denominations"] == case["coins"]


@telling("after_ante")
def test_what_each_puts_into_the_pool_before_a_deal(case):
    (first,) = first_deals(case, 1)
    assert first.chair_of_seat == (0, 1, 2, 3)
    before = [held - net for held, net in zip(first.holdings, first.net_of_chair, strict=True)]
    assert before == case["after_ante"]
    assert first.setup.pool == case["pool"]


@telling("packets")
def test_by_what_packets_cards_are_dealt(case):
    dealt = first_deals(case, 60)
    assert sorted({played.setup.packets for played in dealt}) == [
        tuple(packets) for packets in case["packets"]
    ]
    assert {len(hand) for played in dealt for hand in played.setup.hands} == {10}


@telling("two_sessions", "deals")
def test_how_many_deals_are_played(case):
    pair = [compiled(case)] * 2
    if "two_sessions" in case:
        assert (
            plan(pair, deals=None, sessions=2, seed=1, bots=("random",)).deals
            == case["two_sessions"]
        )
    for asked, played in case.get("deals", {}).items():
        assert plan(pair, deals=asked, sessions=None, seed=1, bots=("random",)).deals == played
