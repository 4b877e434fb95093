"""How many deals a comparison needs, planned from a pilot's variance."""

from quadrille_plugins.compare.study import Comparison, Pair
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import (
    Json,
    Row,
    Rows,
    deals_in_sessions,
    identity_text,
    identity_to_plain,
    many,
    plainly,
)
from quadrille_plugins.studies.accounts import ROLE_SUMS, seats
from quadrille_plugins.studies.effects import TOTAL
from quadrille_plugins.studies.equivalence import (
    POWER,
    in_deals,
    sessions_for_differing,
    sessions_to_show,
    sessions_within,
)
from quadrille_plugins.studies.paired import FEWEST_DIFFERING, Effect
from quadrille_plugins.studies.values import decimal
from quadrille_plugins.studies.words import ANEW, column_name


def needed(e: Effect, deviation: float, size: float) -> dict[str, int | None]:
    """Deals after which the interval is ± size (``within``), and an effect of that size is shown
    (``shown``).

    ``deviation`` is of a session.  None where too few sessions of the pilot differ to know it;
    neither is below what an interval needs at all.
    """
    if e.differing < FEWEST_DIFFERING:
        return {"within": None, "shown": None}
    least = sessions_for_differing(e.differing, e.sessions, FEWEST_DIFFERING)
    found = {"within": sessions_within(deviation, size), "shown": sessions_to_show(deviation, size)}
    return {k: in_deals(max(least, n), e.length) for k, n in found.items()}


def deviations(c: Comparison, p: Pair) -> dict[str, float]:
    """By column the deviation to plan by; of every seat that of the widest, for which one that is
    is chance."""
    found = p.effects[TOTAL]
    widest = max(found[n].deviation for n in seats(c.design.players))
    return {
        n: widest if n.startswith("seat ") else found[n].deviation
        for n in (*seats(c.design.players), *ROLE_SUMS[:3])
    }


def power_json(c: Comparison, size: float) -> Json:
    """The plan: for each pair and column the pilot's deviation of a session, and the deals
    needed."""
    return {
        "rules": [identity_to_plain(s.compiled.identity) for s in c.summaries],
        "design": {
            "pilot_deals": c.design.deals,
            "pilot_sessions": len(c.design.lengths),
            "session_deals": c.design.length,
            **plainly(c.design, "seed", "bots"),
            "effect": size,
            "power": POWER,
            "fewest_differing": FEWEST_DIFFERING,
        },
        "paired": [
            {
                **plainly(p, "first", "second"),
                "same_rules": p.same,
                "needed": _pair_json(c, p, size),
            }
            for p in c.pairs
        ],
    }


def _pair_json(c: Comparison, p: Pair, size: float) -> Json:
    found = p.effects[TOTAL]
    return {
        n: {
            "deviation": round(wide, 6),
            "differing": found[n].differing,
            **needed(found[n], wide, size),
        }
        for n, wide in deviations(c, p).items()
    }


def power_blocks(c: Comparison, size: float) -> list[Block]:
    """The plan for a person."""
    blocks: list[Block] = []
    for p in c.pairs:
        found, rows, most = p.effects[TOTAL], [], 0
        for n, wide in deviations(c, p).items():
            deals = needed(found[n], wide, size)
            most = max(most, deals["shown"] or 0) if n.startswith("seat ") else most
            cells = [
                "too few differ" if d is None else many(d)
                for d in (deals["within"], deals["shown"])
            ]
            differ = f"{found[n].differing} of {found[n].sessions}"
            rows.append((column_name(n, c.design.players), decimal(wide, 1), differ, *cells))
        a, b = c.called(p)
        few = [found[n] for n in seats(c.design.players) if found[n].differing < FEWEST_DIFFERING]
        said = (
            f"{many(most)} deals show, with a probability of {100 * POWER:g} %, an effect of {b} "
            f"instead of {a} of {size:g} counters a seat and session of {c.design.length} deals, "
            f"where {c.design.bots[0]} alone is asked; several players need more."
        )
        if few:
            longer = max(e.first_interval or 0 for e in few)
            said = (
                f"The pilot met too few differences to plan by, for fewer than "
                f"{FEWEST_DIFFERING} of its {many(len(c.design.lengths))} sessions differ: play "
                f"a longer one, such as --deals {longer}."
            )
        heads = (
            "",
            "deviation of a session",
            "sessions that differ",
            f"deals to ± {size:g}",
            f"deals to show {size:g}",
        )
        names = "\n".join(
            f"{c.names[i]}: {identity_text(c.compiled[i].identity)}" for i in (p.first, p.second)
        )
        if p.same:
            same = "The same rules: nothing can differ, and no deals are needed."
            blocks += [Text(same, strong=True), Text(names)]
            continue
        blocks += [
            Text(said, strong=True),
            Text(names),
            Table(
                "deals that a comparison needs (total effect)",
                heads,
                tuple(rows),
                frozenset(heads[1:]),
            ),
        ]
    pilot = (
        f"From a pilot of {deals_in_sessions(c.design.deals, len(c.design.lengths))}, seed "
        f"{c.design.seed}: the deviation is that of a session's paired difference, for every "
        "seat the widest of them.  To ±: the 95 % interval is no wider.  To show: the "
        f"interval excludes zero in {100 * POWER:g} % of studies.  Neither is below the deals in "
        f"which {FEWEST_DIFFERING} sessions differ."
    )
    return [*blocks, Text(pilot + (f"\n{ANEW}" if c.design.anew else ""))]


def power_csv(c: Comparison, size: float) -> Rows:
    """The plan as rows."""
    rows: list[Row] = []
    names = [identity_text(one.identity) for one in c.compiled]
    for p in c.pairs:
        for n, e in _pair_json(c, p, size).items():
            rows.append(
                (names[p.second], names[p.first], n, *("" if v is None else v for v in e.values()))
            )
    return ("rules", "against", "name", "deviation", "differing", "within", "shown"), rows
