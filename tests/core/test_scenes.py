"""Scenes under the shipped rule sets, each a sentence of a text, kept in ``data/scenes.yaml``."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.settle.result_file import read_result
from support.data import of_yaml
from support.table import dealt, said, say

from quadrille_core.cards import NO_TRUMP, SUITS, format_cards, parse_suit
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

DATA = of_yaml(Path(__file__).parents[1] / "data" / "scenes.yaml")
SCENES: list[dict[str, Any]] = DATA["scenes"]
VERDICTS: list[dict[str, Any]] = DATA["verdicts"]
SEATS = "ABCDE"


@cache
def _rules(reference: str, readings: tuple[tuple[str, str], ...]) -> RuleSet:
    return compile_reference(reference, readings=dict(readings)).ruleset


def sit(scene: dict[str, Any], reference: str) -> Deal:
    """The scene's hands under its rules; the favourite suit is the rules' own, if they fix one."""
    ruleset = _rules(reference, tuple(sorted(scene.get("readings", {}).items())))
    favourite = ruleset.rules.favourite.suit
    players = ruleset.rules.table.players
    return Deal(
        ruleset, dealt(*scene.get("hands", []), favourite=favourite, pool=scene.get("pool", 4), players=players)
    )


def do(deal: Deal, word: str) -> None:
    """An action as a record spells it; or, with the word `lead`, cards led one after another, the others following."""
    if not word.startswith("lead "):
        say(deal, word)
        return
    for card in word.split()[1:]:
        say(deal, f"play {card}")
        while deal.phase == "play" and deal.trick:
            deal.apply(deal.legal()[0])


def seen(deal: Deal, what: str) -> Any:
    """What a scene may ask of the table, written as scenes write it."""
    match what:
        case "legal":
            return said(deal)
        case "turn":
            return None if deal.turn is None else SEATS[deal.turn]
        case "hombre":
            return None if deal.hombre is None else SEATS[deal.hombre]
        case "ally known":
            known = [e.seat for e in deal.events if e.kind == "ally"]
            return SEATS[known[0]] if known else None
        case "trump":
            return None if deal.trump is None else "none" if deal.trump == NO_TRUMP else SUITS[deal.trump]
        case "shown":
            return {SEATS[e.seat]: format_cards(e.cards) for e in deal.events if e.kind == "shows"}
        case "premiers":
            return "premiers" in [e.kind for e in deal.events]
        case "matadors":
            return deal.result().matadors
        case "outcome":
            return settle(deal.rules, deal.result()).outcome
        case "net":
            return [int(n) if n.denominator == 1 else str(n) for n in settle(deal.rules, deal.result()).net]
        case "pool":
            return settle(deal.rules, deal.result()).pool_after
    raise AssertionError(f"scenes do not ask for {what!r}")


PLAYED = [(s, r) for s in SCENES for r in ([s["rules"]] if isinstance(s["rules"], str) else s["rules"])]


@pytest.mark.parametrize(("scene", "reference"), PLAYED, ids=[f"{s['says']} [{r}]" for s, r in PLAYED])
def test_a_scene_goes_as_the_text_says(scene: dict[str, Any], reference: str) -> None:
    deal = sit(scene, reference)
    for number, step in enumerate(scene["steps"], 1):
        for word in step.get("say", []):
            do(deal, word)
        for what, wanted in step.items():
            if what == "may":
                assert set(wanted) <= set(said(deal)), f"step {number}"
            elif what == "may not":
                assert not set(wanted) & set(said(deal)), f"step {number}"
            elif what == "suits":
                assert said(deal) == [f"trump {SUITS[parse_suit(s)]}" for s in wanted], f"step {number}"
            elif what != "say":
                assert seen(deal, what) == wanted, f"step {number}: {what}"


@pytest.mark.parametrize(
    ("verdict", "reference"),
    [(v, r) for v in VERDICTS for r in v["rules"]],
    ids=lambda x: x if isinstance(x, str) else x["says"],
)
def test_n_tricks_make_this_of_a_game(verdict: dict[str, Any], reference: str) -> None:
    rules = _rules(reference, ()).rules
    contract = rules.bids.of(verdict["contract"])
    for made, outcome in verdict["side"].items():
        own = made if contract.partner == "none" else min(made, 3)
        tricks = {"A": own, "B": rules.table.hand_cards - made} | (
            {"C": made - own} if contract.partner == "called" else {}
        )
        data = {
            "players": list(SEATS[: rules.table.players]),
            "pool": 20,
            "contract": verdict["contract"],
            "hombre": "A",
        }
        data |= {"trump": "none" if contract.trump == "none" else "clubs", "tricks": tricks, "premiers": made == 10}
        data |= {"ally": "C"} if contract.partner == "called" else {}
        data |= {"surrendered": "B"} if contract.exchange else {}
        data |= {"favourite": "hearts"} if rules.favourite.source != "none" else {}
        assert settle(rules, read_result(data, rules)).outcome == outcome, f"{made} tricks"


def test_every_scene_is_told_once_and_looks_at_something() -> None:
    assert len({s["says"] for s in SCENES}) == len(SCENES)
    assert all(step.keys() - {"say"} for s in SCENES for step in s["steps"][-1:])
