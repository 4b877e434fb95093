"""How many deals ``matters`` needs, as tables, JSON and CSV."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.engine.record import identity_to_plain
from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.report.effects import column_name
from quadrille_core.report.matters_words import rounded
from quadrille_core.report.values import identity_text, many
from quadrille_core.ruleset import Compiled
from quadrille_core.study.equivalence import POWER
from quadrille_core.study.matters import Design
from quadrille_core.study.matters_power import Plan
from quadrille_core.study.rivals import Rival


def power_blocks(base: Compiled, design: Design, plans: Sequence[Plan], size: float) -> list[Block]:
    """The plans for a person."""
    blocks: list[Block] = [Text(f"A  {identity_text(base.identity)}  {base.title}", strong=True)]
    players, session = len(design.bots), f"a session of {design.session_deals} deals"
    for plan in plans:
        most = max(n.shown for c, n in plan.needed.items() if c.startswith("seat "))
        rows = tuple(
            (
                column_name(c, players),
                f"{many(n.differing)} of {many(design.sessions)}",
                *map(rounded, (n.within, n.shown)),
            )
            for c, n in plan.needed.items()
        )
        heads = ("", "sessions that differ", f"deals to ± {size:g}", f"deals to show {size:g}")
        blocks += [
            Text(
                f"B  {_name(plan.rival)}\n{rounded(most)} deals show, with a probability of {100 * POWER:g} %, that B "
                f"changes what a seat wins by {size:g} counters in {session}, where it does.",
                strong=True,
            ),
            Table("deals that it needs, for the total effect", heads, rows, frozenset(heads[1:])),
        ]
    return [
        *blocks,
        Text(
            f"From a pilot of {many(design.deals)} deals, seed {design.seed}, bots "
            f"{', '.join(dict.fromkeys(design.bots))}. To ±: the interval reaches no farther. To show: it excludes "
            "zero with that probability. Numbers are rough: a later session may move more than any of the pilot."
        ),
    ]


def power_json(base: Compiled, design: Design, plans: Sequence[Plan], size: float) -> dict[str, Any]:
    """The plans with every number."""
    return {
        "rules": identity_to_plain(base.identity),
        "design": {
            "seed": design.seed,
            "bots": list(design.bots),
            "session_deals": design.session_deals,
            "deals": design.deals,
            "alpha": design.alpha,
            "columns": design.columns,
            "rivals": design.rivals,
            "effect": size,
            "power": POWER,
        },
        "plans": [
            {
                "point": plan.rival.point or None,
                "reading": plan.rival.reading or None,
                "needed": {
                    c: {"differing": n.differing, "within": n.within, "shown": n.shown} for c, n in plan.needed.items()
                },
            }
            for plan in plans
        ],
    }


def power_csv(plans: Sequence[Plan]) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The plans as rows."""
    rows: list[tuple[object, ...]] = [
        (_name(plan.rival), c, n.differing, n.within, n.shown) for plan in plans for c, n in plan.needed.items()
    ]
    return ("reading", "column", "differing", "within", "shown"), rows


def _name(rival: Rival) -> str:
    if rival.point:
        return f"{rival.point}={rival.reading}"
    return identity_text(rival.compiled.identity) if rival.compiled is not None else ""
