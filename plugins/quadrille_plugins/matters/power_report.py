"""How many deals ``matters`` needs, as tables, JSON and CSV."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.ruleset import Compiled
from quadrille_plugins.matters.power import PowerPlan
from quadrille_plugins.matters.study import Finding, Question
from quadrille_plugins.matters.words import name_of, rounded, verdict_text
from quadrille_plugins.output.values import identity_text, identity_to_plain, many, plainly
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.studies.equivalence import POWER
from quadrille_plugins.studies.paired import FEWEST_DIFFERING
from quadrille_plugins.studies.words import column_name


def power_blocks(
    base: Compiled,
    design: Question,
    plans: Sequence[PowerPlan],
    size: float,
    without: Sequence[Finding],
) -> list[Block]:
    """The plans for a person; ``without`` are the alternatives that need no deals."""
    blocks: list[Block] = [Text(f"{identity_text(base.identity)}  {base.title}", strong=True)]
    players, session = len(design.bots), f"a session of {design.session_deals} deals"
    blocks += [Text(f"{name_of(f)}\n{verdict_text(f)}.", strong=True) for f in without]
    for plan in plans:
        rows = tuple(
            (
                column_name(c, players),
                f"{many(n.differing)} of {many(design.sessions)}",
                *(
                    "too few differ" if deals is None else rounded(deals)
                    for deals in (n.within, n.shown)
                ),
            )
            for c, n in plan.needed.items()
        )
        heads = ("", "sessions that differ", f"deals to ± {size:g}", f"deals to show {size:g}")
        blocks += [
            Text(
                f"{name_of(plan.alternative)}\n{_said(plan, size, session, design)}",
                strong=True,
            ),
            Table("deals that it needs, for the total effect", heads, rows, frozenset(heads[1:])),
        ]
    if not plans:
        return [*blocks, Text("No deals are needed, and none was played.")]
    return [
        *blocks,
        Text(
            f"From a pilot of {many(design.deals)} deals, seed {design.seed}, bots "
            f"{', '.join(dict.fromkeys(design.bots))}. To ±: the interval reaches no farther. To "
            "show: it excludes zero with that probability. Numbers are rough: a later session "
            "may move more than any of the pilot."
        ),
    ]


def _said(plan: PowerPlan, size: float, session: str, design: Question) -> str:
    """How many deals a seat needs, or that the pilot was too short to say."""
    shown = [n.shown for c, n in plan.needed.items() if c.startswith("seat ")]
    known = [n for n in shown if n is not None]
    if len(known) < len(shown) or not shown:
        return (
            f"The pilot met too few differences to plan by, for fewer than {FEWEST_DIFFERING} of "
            f"its {many(design.sessions)} sessions differ: play a longer one, such as --deals "
            f"{design.deals * 10}."
        )
    return (
        f"{rounded(max(known))} deals show, with a probability of {100 * POWER:g} %, that it "
        f"changes what a seat wins by {size:g} counters in {session}, where it does."
    )


def power_json(
    base: Compiled,
    design: Question,
    plans: Sequence[PowerPlan],
    size: float,
    without: Sequence[Finding],
) -> dict[str, Any]:
    """The plans with every number; ``without`` are the alternatives that need no deals."""
    return {
        "rules": identity_to_plain(base.identity),
        "design": {
            **plainly(design, "seed", "bots", "session_deals", "deals"),
            "alpha": design.alpha,
            **plainly(design, "columns", "alternatives"),
            "effect": size,
            "fewest_differing": FEWEST_DIFFERING,
            "power": POWER,
        },
        "plans": [
            {
                "point": plan.alternative.point or None,
                "reading": plan.alternative.reading or None,
                "needed": {
                    c: plainly(n, "differing", "within", "shown") for c, n in plan.needed.items()
                },
            }
            for plan in plans
        ],
        "without": [
            {**plainly(f, "point", "reading", "verdict"), "refusal": f.refusal or None}
            for f in without
        ],
    }


def power_csv(plans: Sequence[PowerPlan]) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The plans as rows."""
    rows: list[tuple[object, ...]] = [
        (
            name_of(plan.alternative),
            c,
            n.differing,
            *("" if d is None else d for d in (n.within, n.shown)),
        )
        for plan in plans
        for c, n in plan.needed.items()
    ]
    return ("reading", "column", "differing", "within", "shown"), rows
