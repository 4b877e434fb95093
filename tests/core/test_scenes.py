"""Scenes at the table: of the shipped rule sets, each a sentence of a text, and of made rules, one
of them changed."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.settle.result_file import read_result
from support import made_rules
from support.data import of_yaml
from support.table import dealt, kinds, lead, run, said, say

from quadrille_core.cards import (
    NO_TRUMP,
    SUITS,
    Suit,
    format_card,
    format_cards,
    parse_cards,
    parse_suit,
)
from quadrille_core.engine.actions import parse_action
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

FOLDER = Path(__file__).parents[1] / "data"
DATA = of_yaml(FOLDER / "scenes.yaml")
SHIPPED: list[dict[str, Any]] = DATA["scenes"]
MADE: list[dict[str, Any]] = of_yaml(FOLDER / "scenes_made.yaml")["scenes"]
VERDICTS: list[dict[str, Any]] = DATA["verdicts"]
SEATS = "ABCDE"


@cache
def _rules(reference: str, readings: tuple[tuple[str, str], ...]) -> RuleSet:
    return compile_reference(reference, readings=dict(readings)).ruleset


def rules_of(scene: dict[str, Any], reference: str) -> RuleSet:
    """The rules that a scene names; made ones have no favourite suit but the scene's."""
    if reference:
        return _rules(reference, tuple(sorted(scene.get("readings", {}).items())))
    changes = scene.get("but", {})
    if "favourite" not in scene:
        changes = {"favourite.source": "none", "favourite.suit": None} | changes
    return made_rules(**changes)


def sit(scene: dict[str, Any], reference: str) -> Deal:
    """The scene's hands under its rules; the favourite suit is the scene's, or the rules' own if
    they fix one."""
    ruleset = rules_of(scene, reference)
    favourite = (
        parse_suit(scene["favourite"]) if "favourite" in scene else ruleset.rules.favourite.suit
    )
    players = ruleset.rules.table.players
    hands = scene.get("hands", [])
    return Deal(
        ruleset, dealt(*hands, favourite=favourite, pool=scene.get("pool", 4), players=players)
    )


def do(deal: Deal, word: str) -> None:
    """An action as a record spells it, or one of the words that `scenes.yaml` explains."""
    if word == "play out":
        run(deal)
    elif word.startswith("lead "):
        lead(deal, *word.split()[1:])
    else:
        say(deal, word)


def letter(seat: int | None) -> str | None:
    return None if seat is None else SEATS[seat]


def suit_word(suit: Suit | None) -> str | None:
    return None if suit is None else "none" if suit == NO_TRUMP else SUITS[suit]


def number(amount: Fraction) -> int | str:
    return int(amount) if amount.denominator == 1 else str(amount)


def bids(deal: Deal) -> list[str]:
    return [text.removeprefix("bid ") for text in said(deal) if text.startswith("bid ")]


def ally_known(deal: Deal) -> str | None:
    known = [e.seat for e in deal.events if e.kind == "ally"]
    return letter(known[0]) if known else None


def declared(deal: Deal) -> list[str]:
    """What the table was told of the declaration: kind, stage and seat, the suit and the note where
    there is one."""
    events = [e for e in deal.events if e.kind in ("invite", "call", "exchange", "trump", "ally")]
    words = [(e.kind, e.stage, letter(e.seat), suit_word(e.suit), e.note) for e in events]
    return [" ".join(word for word in one if word) for one in words]


LOOKS: dict[str, Callable[[Deal], Any]] = {
    "legal": said,
    "choices": lambda deal: len(deal.legal()),
    "bids": bids,
    "first bid": lambda deal: bids(deal)[0],
    "phase": lambda deal: deal.phase,
    "turn": lambda deal: letter(deal.turn),
    "contract": lambda deal: str(deal.contract),
    "forced": lambda deal: deal.forced,
    "redealt": lambda deal: deal.redealt,
    "hombre": lambda deal: letter(deal.hombre),
    "ally": lambda deal: letter(deal.ally),
    "ally known": ally_known,
    "side": lambda deal: [letter(seat) for seat in deal.side()],
    "trump": lambda deal: suit_word(deal.trump),
    "declared": declared,
    "shown": lambda deal: {
        letter(e.seat): format_cards(e.cards) for e in deal.events if e.kind == "shows"
    },
    "sizes": lambda deal: [len(hand) for hand in deal.hands],
    "tricks": lambda deal: len(deal.tricks),
    "won": lambda deal: deal.won,
    "vole": lambda deal: deal.vole,
    "premiers": lambda deal: "premiers" in kinds(deal),
    "matadors": lambda deal: deal.result().matadors,
    "outcome": lambda deal: settle(deal.rules, deal.result()).outcome,
    "net": lambda deal: [number(n) for n in settle(deal.rules, deal.result()).net],
    "pool": lambda deal: settle(deal.rules, deal.result()).pool_after,
}
"""What a scene may ask of the table."""


def rule_of(deal: Deal, action: str) -> str | None:
    """The rule by which an action is refused, None where it is not."""
    refusal = deal.refusal(parse_action(action))
    return refusal and refusal.rule


def of_result(deal: Deal, key: str) -> Any:
    found = getattr(deal.result(), key)
    if key in ("hombre", "ally", "surrendered"):
        return letter(found)
    if key in ("trump", "favourite"):
        return suit_word(found)
    return list(found) if isinstance(found, tuple) else found


def exposed(deal: Deal, seat: str) -> dict[str | None, str]:
    return {
        letter(owner): format_cards(cards)
        for owner, cards in view_of(deal, SEATS.index(seat)).exposed
    }


def given(deal: Deal, seat: str) -> str | None:
    card = view_of(deal, SEATS.index(seat)).given
    return None if card is None else format_card(card)


BY_KEY: dict[str, Callable[[Deal, str], Any]] = {
    "refused": rule_of,
    "result": of_result,
    "knows": lambda deal, seat: letter(view_of(deal, SEATS.index(seat)).ally),
    "knows alone": lambda deal, seat: view_of(deal, SEATS.index(seat)).alone,
    "exposed": exposed,
    "given": given,
}
"""What a scene asks by key: of an action, of a field of the result, of what a seat knows."""


def held(deal: Deal, seat: str, cards: str) -> bool:
    return set(parse_cards(cards)) <= set(deal.hands[SEATS.index(seat)])


CHECKS: dict[str, Callable[[Deal, Any], bool]] = {
    "may": lambda deal, wanted: set(wanted) <= set(said(deal)),
    "may not": lambda deal, wanted: not set(wanted) & set(said(deal)),
    "suits": lambda deal, wanted: (
        [w for w in said(deal) if w.startswith("trump")]
        == [f"trump {SUITS[parse_suit(s)]}" for s in wanted]
    ),
    "holds": lambda deal, wanted: all(held(deal, seat, cards) for seat, cards in wanted.items()),
    "last": lambda deal, wanted: kinds(deal)[-len(wanted) :] == wanted,
    "never": lambda deal, wanted: not set(wanted) & set(kinds(deal)),
    "told": lambda deal, wanted: [e.text() for e in deal.events][-len(wanted) :] == wanted,
}
"""What a scene wants to be so, without saying all there is."""


def check(deal: Deal, what: str, wanted: Any) -> None:
    if what == "result" and wanted is None:
        assert deal.result() is None
    elif what in BY_KEY:
        assert {key: BY_KEY[what](deal, key) for key in wanted} == wanted, what
    elif what in CHECKS:
        assert CHECKS[what](deal, wanted), f"{what}: {wanted}, but {said(deal)}, {kinds(deal)}"
    else:
        assert LOOKS[what](deal) == wanted, what


def references(scene: dict[str, Any]) -> list[str]:
    rules = scene.get("rules", "")
    return [rules] if isinstance(rules, str) else rules


PLAYED = [(s, r) for s in (*SHIPPED, *MADE) for r in references(s)]


@pytest.mark.parametrize(
    ("scene", "reference"), PLAYED, ids=[f"{s['says']} [{r}]" for s, r in PLAYED]
)
def test_a_scene_goes_as_it_says(scene: dict[str, Any], reference: str) -> None:
    """Step by step: what is said and played, and what may then be done, is known, or is paid."""
    deal = sit(scene, reference)
    for step in scene["steps"]:
        for word in step.get("say", []):
            do(deal, word)
        for what, wanted in step.items():
            if what != "say":
                check(deal, what, wanted)


@pytest.mark.parametrize(
    ("verdict", "reference"),
    [(v, r) for v in VERDICTS for r in v["rules"]],
    ids=lambda x: x if isinstance(x, str) else x["says"],
)
def test_n_tricks_make_this_of_a_game(verdict: dict[str, Any], reference: str) -> None:
    """Won, remise or codille by the tricks of Hombre's side, bid by bid."""
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
        data |= {
            "trump": "none" if contract.trump == "none" else "clubs",
            "tricks": tricks,
            "premiers": made == 10,
        }
        data |= {"ally": "C"} if contract.partner == "called" else {}
        data |= {"surrendered": "B"} if contract.exchange else {}
        data |= {"favourite": "hearts"} if rules.favourite.source != "none" else {}
        assert settle(rules, read_result(data, rules)).outcome == outcome, f"{made} tricks"


def test_every_scene_is_told_once_and_looks_at_something() -> None:
    """No two scenes have one sentence, and each ends by looking at what came of it."""
    scenes = [*SHIPPED, *MADE]
    assert len({s["says"] for s in scenes}) == len(scenes)
    assert all(step.keys() - {"say"} for s in scenes for step in s["steps"][-1:])
