"""An earlier program for the standard rules, given by ``--prototype DIR``: ``dd.Solver`` there."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench_measure import Side, one_by_one
from quadrille_plugins.solver.solve import Position, Solver

SUIT = (0, 1, 3, 2)
"""Its suits (spades, hearts, diamonds, clubs) by ours."""


def load(folder: Path) -> tuple[Any, Any]:
    """Its two modules."""
    sys.path.insert(0, str(folder))
    import dd
    import kernels

    return kernels, dd


def solved(kernels: Any, dd: Any, asked: Sequence[Position], need: int | None) -> Side:
    """Answer each position; as ``bench_ours.solved``, whose answers must be the same."""
    solver, ours = dd.Solver(), Solver()

    def words(position: Position) -> Any:
        trump = SUIT[position.trump]
        bits = [
            [kernels.card_bit(SUIT[c // 10] * 10 + c % 10, trump) for c in hand]
            for hand in position.hands
        ]
        return np.array([sum(1 << b for b in hand) for hand in bits], np.uint64)

    def job(position: Position) -> Callable[[], int]:
        hands, leader, side = words(position), position.leader, position.side
        if need is None:
            return lambda: int(solver.exact(hands, leader, side))
        return lambda: int(solver.at_least(hands, leader, side, need))

    jobs = [job(p) for p in asked]
    for position, one in zip(asked, jobs, strict=True):
        mine = ours.exact(position) if need is None else int(ours.at_least(position, need))
        if one() != mine:
            raise ValueError(f"the prototype answers otherwise than {mine}: {position}")
    return lambda _: one_by_one(jobs)
