"""What each of the human's decisions cost with all cards open, in words; the feature that solves
deals reckons it."""

from typing import Any

from quadrille_core.engine.terms import in_points
from quadrille_core.errors import UsageError
from quadrille_core.features import first_answer
from quadrille_core.rules import Rules
from quadrille_plugins.play.drawing import said
from quadrille_plugins.play.game import Game
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import amount


def review_blocks(game: Game) -> list[Block]:
    """The dearest decision first in a sentence, then every decision that had a choice.

    Raises UsageError while the deal is played, where no feature reckons it, and where it cannot be
    solved.
    """
    if not game.deal.over:
        raise UsageError.of("review-before-the-end")
    review = first_answer("quadrille_review")
    if review is None:
        raise UsageError.of("no-solver")
    found = review(game.compiled.ruleset, game.setup, game.actions, game.seat)
    rules = game.compiled.rules
    unit = "points" if in_points(rules) else "counters"
    rows = tuple(
        (
            str(d.number),
            said(rules, d.done),
            "the same" if d.best == d.done else said(rules, d.best),
            amount(d.cost),
        )
        for d in found
    )
    columns = ("move", "done", "best with all cards open", unit)
    return [
        Text(_answer(rules, found, unit), strong=True),
        Text(
            "Each decision is compared with the best that could be done instead if everybody saw "
            "all cards and played as well as can be from there on. At the table nobody sees them: "
            "a decision that cost much may have been right."
        ),
        Table("", columns, rows, frozenset({"move", unit})),
        Text(
            "Cards are compared by the tricks that they leave: those that leave as many count as "
            "equally good, whether or not premiers or a vole hang on them."
        ),
    ]


def _answer(rules: Rules, found: Any, unit: str) -> str:
    if not found:
        return "You had nothing to decide."
    total = sum(d.cost for d in found)
    if not total:
        return "With all cards open, none of your decisions cost anything."
    dearest = max(found, key=lambda d: d.cost)
    return (
        f"With all cards open, your decisions cost {amount(total)} {unit}; most of all move "
        f"{dearest.number}, {said(rules, dearest.done)} instead of {said(rules, dearest.best)}: "
        f"{amount(dearest.cost)}."
    )
