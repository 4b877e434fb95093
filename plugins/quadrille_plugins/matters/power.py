"""How many deals ``matters`` needs to show an effect of a given size, planned from a pilot."""

from collections.abc import Sequence
from statistics import NormalDist

from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.matters.alternatives import Alternative
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.study import AlternativeRun, Finding, Progress, Question, looks
from quadrille_plugins.matters.words import name_of, rounded, verdict_text
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import (
    Json,
    Row,
    Rows,
    identity_text,
    identity_to_plain,
    many,
    plainly,
    refusal_json,
)
from quadrille_plugins.studies.effects import TOTAL
from quadrille_plugins.studies.equivalence import POWER
from quadrille_plugins.studies.paired import FEWEST_DIFFERING
from quadrille_plugins.studies.sequences import PayeeSums
from quadrille_plugins.studies.words import column_name


@frozen
class Needed:
    """Deals until the interval of one column is ± the size (``within``), and until an effect of it
    is shown.

    ``shown``: until the interval excludes zero with probability ``equivalence.POWER``.  Both are
    None where the pilot has too few sessions, or too few that differ (``paired.FEWEST_DIFFERING``),
    to know how much sessions vary.
    """

    within: int | None
    shown: int | None
    differing: int
    """Sessions of the pilot that differ."""


@frozen
class PowerPlan:
    """What one alternative needs, by column of ``studies.accounts``."""

    alternative: Alternative
    needed: dict[str, Needed]


def plans(
    alternatives: Sequence[Alternative],
    design: Question,
    plays: MatchedPlayer,
    size: float,
    *,
    progress: Progress | None = None,
) -> list[PowerPlan]:
    """Play the whole design as a pilot, and plan by what its sessions' total effects vary."""
    pairs, deals = [AlternativeRun(alternative) for alternative in alternatives], 0
    for upto in looks(design.sessions):
        done = pairs[0].matched.sessions
        for some in plays.runs(
            done, upto - done, design.session_deals, range(1, len(pairs) + 1), 0
        ):
            for pair, matched, table in zip(pairs, some.pairs, some.tables[1:], strict=True):
                pair.merge(table, matched, ())
            deals += some.deals
            if progress is not None:
                progress(deals, design.deals, 0.0)
        for pair in pairs:
            pair.look()
    return [PowerPlan(p.alternative, _needed_of(p, size, design)) for p in pairs]


def _needed_of(pair: AlternativeRun, size: float, design: Question) -> dict[str, Needed]:
    """By column; every seat needs as many deals as the one that varies most, for which seat that is
    is chance."""
    moving = {column: one for estimand, column, one in pair.moving() if estimand == TOTAL}
    seats = [one for column, one in moving.items() if column.startswith("seat ")]
    widest = max(seats, key=lambda one: one.spread, default=None)
    return {
        column: _needed(
            one, widest if widest is not None and column.startswith("seat ") else one, size, design
        )
        for column, one in moving.items()
    }


def _needed(one: PayeeSums, widest: PayeeSums, size: float, design: Question) -> Needed:
    if min(one.sessions, one.differing) < FEWEST_DIFFERING:
        return Needed(None, None, one.differing)
    spare = NormalDist().inv_cdf(POWER)
    within, shown = (
        widest.sessions_for(size, design.payment_alpha, s) * design.session_deals
        for s in (0.0, spare)
    )
    return Needed(within, shown, one.differing)


def power_blocks(
    base: Compiled,
    design: Question,
    plans: Sequence[PowerPlan],
    size: float,
    without: Sequence[Finding],
) -> list[Block]:
    """The plans for a person; ``without`` are the alternatives that need no deals."""
    blocks: list[Block] = [Text(f"{identity_text(base.identity)}  {base.title}", strong=True)]
    players, session = design.players, f"a session of {design.session_deals} deals"
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
) -> Json:
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
                **plainly(plan.alternative, "point", "reading"),
                "needed": {
                    c: plainly(n, "differing", "within", "shown") for c, n in plan.needed.items()
                },
            }
            for plan in plans
        ],
        "without": [
            {**plainly(f, "point", "reading", "verdict"), **refusal_json(f.refusal)}
            for f in without
        ],
    }


def power_csv(plans: Sequence[PowerPlan]) -> Rows:
    """The plans as rows."""
    rows: list[Row] = [
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
