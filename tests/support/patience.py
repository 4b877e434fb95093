"""Patience for tests: small games, and cards laid as a case has them."""

from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from quadrille_plugins.patience.cards import PACK, RANKS, format_card, parse_cards
from quadrille_plugins.patience.game import BASE, Layout, PatienceGame, layout_of
from quadrille_plugins.patience.record import Recorded, replay
from quadrille_plugins.patience.rules import PatienceRules

from quadrille_core import vocabulary
from quadrille_core.ruleset import compile_reference
from support.data import of_yaml

DATA = of_yaml(Path(__file__).parents[1] / "data" / "patience.yaml")
CASES: list[dict[str, Any]] = DATA["cases"]
GAMES: dict[str, dict[str, Any]] = DATA["games"]
ENDS: list[dict[str, Any]] = DATA["ends"]
LEAVES = vocabulary.leaves("patience")


def rules_of(case: dict[str, Any]) -> PatienceRules:
    """The rules that a case is played by."""
    small = case["game"] in GAMES
    settings = {**(GAMES[case["game"]] if small else {}), **case.get("set", {})}
    name = "captive-queens" if small else case["game"]
    return compile_reference(name, readings=case.get("readings", {}), settings=settings).game.rules


def small_rules(**changes: Any) -> PatienceRules:
    """Rules of a small game by leaf path, without a profile: the pairs of the cases, changed."""
    return vocabulary.build_of("patience", {"stock.packs": 1, **GAMES["pairs"], **changes})


@cache
def _in_order(layout: Layout, suit: int) -> tuple[int, ...]:
    """A suit's cards in the order in which they are built, all copies, less what is laid out
    first."""
    cards = [c for c in PACK if c // 13 == suit]

    def height(card: int) -> int:
        below = layout.below[card]
        return 0 if below == BASE else 1 + height(below)

    ordered = sorted(cards, key=height)
    return tuple(c for c in ordered for _ in range(layout.packs) if c not in layout.laid_first)


def stocks_of(case: dict[str, Any], rules: PatienceRules) -> tuple[tuple[int, ...], ...]:
    """The stock of a case, the suits it does not name dealt first; and how its heap is shuffled."""
    layout, named = layout_of(rules), parse_cards(case["stock"])
    others = [s for s in range(4) if s not in {c // 13 for c in named}]
    first = (*(c for s in others for c in _in_order(layout, s)), *named)
    return first, *(parse_cards(t) for t in case.get("then", ()))


def game_of(case: dict[str, Any], rules: PatienceRules | None = None) -> PatienceGame:
    """How a case goes."""
    rules = rules or rules_of(case)
    played = replay(rules, Recorded(stocks_of(case, rules), None, None, None))
    assert played.played is not None, played.divergence
    return played.played


def told(case: dict[str, Any], played: PatienceGame) -> list[str]:
    """What was built in each passage, in the case's spelling."""
    suits = {c // 13 for c in parse_cards(case["stock"])}
    return [
        " ".join(
            format_card(s.card) + ("*" if s.to == "built from the heap" else "")
            for s in played.steps
            if s.passage == number and s.to != "heap" and s.card // 13 in suits
        )
        for number in range(1, len(played.stocks) + 1)
    ]


@st.composite
def any_rules(draw):
    """Rules of any builds: the ranks in some order, cut into builds and adornment."""
    ranks = draw(st.permutations(RANKS))
    cuts = sorted(draw(st.sets(st.integers(1, 12), max_size=4)))
    parts = [list(ranks[a:b]) for a, b in zip([0, *cuts], [*cuts, 13], strict=True)]
    adornment = parts.pop() if len(parts) > 1 and draw(st.booleans()) else []
    values = {
        "stock.packs": draw(st.integers(1, 2)),
        "foundations.builds": parts,
        "foundations.adornment": adornment,
        "heap.turns": draw(st.integers(0, 6)),
    }
    for pattern, leaf in LEAVES.items():
        if leaf.choices():
            values[pattern] = draw(st.sampled_from(leaf.choices()))
    return vocabulary.build_of("patience", values)
