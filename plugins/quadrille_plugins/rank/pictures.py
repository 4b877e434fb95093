"""The pictures of a ranking: its sizes, what the readings do to the Hombre, and the specification
curve."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quadrille_plugins.output.values import deals_in_sessions
from quadrille_plugins.rank.curve import ACCOUNT
from quadrille_plugins.rank.effects import PAYMENTS
from quadrille_plugins.rank.report import MEANS, UNITS
from quadrille_plugins.studies.picture import Picture, PlotMark, greatest

MOST_DRAWN: Final = 20
MOST_CHOICES: Final = 8
"""Points whose readings are drawn below the specification curve."""


def pictures_of(results: Mapping[str, Any]) -> tuple[Picture, ...]:
    """A tornado of what each point does to the Hombre, the sizes in the measure asked for, and the
    curve."""
    measure = results["design"]["measure"]
    told = [
        p
        for p in results["points"]
        if p["place"] is not None and p["effects"][measure]["differing"]
    ]
    made = (_tornado(results, told), _sizes(results, told), _curve(results, told))
    return tuple(p for p in made if p is not None)


def _caption(results: Mapping[str, Any], drawn: str) -> str:
    """What is drawn, whose it is, and of how much."""
    d = results["design"]
    played = deals_in_sessions(d["deals"], d["sessions"])
    by = f", by {d['family'][0]} of {len(d['family'])} players" if "family" in d else ""
    return f"{drawn}; {played} under each of {d['sampled_configurations']} configurations{by}."


def _ends(point: Mapping[str, Any], measure: str) -> Mapping[str, Any]:
    """The ends of a size's interval: by all of a family, or by the one who was asked."""
    found: Mapping[str, Any] = (
        point["family"][measure] if "family" in point else point["effects"][measure]["size"]
    )
    return found


def _tornado(results: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> Picture | None:
    reach = []
    for p in told:
        readings = p["effects"][PAYMENTS]["readings"].values()
        moves = [r["signed"][ACCOUNT]["value"] for r in readings if ACCOUNT in r["signed"]]
        if any(moves):
            low, high = min(0.0, *moves), max(0.0, *moves)
            reach.append(PlotMark(label=p["point"], value=max(moves, key=abs), low=low, high=high))
    if not reach:
        return None
    reach.sort(key=lambda m: (-((m.high or 0) - (m.low or 0)), m.label))
    return Picture(
        name="rank-tornado",
        title="What the readings of each point do to what players get as Hombre",
        alt=f"A bar for each disputed point, the widest first. {greatest(reach)}",
        kind="tornado",
        rows=tuple(reach[:MOST_DRAWN]),
        value=f"mean change, {UNITS[PAYMENTS]}",
        label="point",
        caption=_caption(
            results,
            "From the lowest to the highest mean over configurations of a reading against the one "
            "in use; the stroke marks the larger change",
        ),
    )


def _sizes(results: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> Picture | None:
    measure = results["design"]["measure"]
    sizes = []
    for p in told[:MOST_DRAWN]:
        value, size = p["effects"][measure]["size"]["value"], _ends(p, measure)
        both = size["low"] is not None and size["high"] is not None
        ends = (size["low"], size["high"]) if both else (None, None)
        sizes.append(PlotMark(label=p["point"], value=value, low=ends[0], high=ends[1]))
    if not sizes:
        return None
    smallest = results["design"]["smallest"][measure]
    return Picture(
        name=f"rank-{measure}",
        title=f"How large the total effect of each point on {measure} is",
        alt=f"A bar for each disputed point, the longest first. {greatest(sizes)}",
        kind="bars",
        rows=tuple(sizes),
        value=f"{MEANS[measure]}, {UNITS[measure]}",
        label="point",
        caption=_caption(
            results,
            "Bars are mean sizes over configurations, lines 95 % intervals (of all players, where "
            f"several were asked); the smallest effect of interest is {smallest:g}",
        ),
    )


def _curve(results: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> Picture | None:
    """The configurations from the lowest change to the highest, and below each the readings it
    takes."""
    found = results["configurations"]
    if len(found) < 2:
        return None
    changes = [
        c["changes"][PAYMENTS].get(ACCOUNT, {"value": 0.0, "low": None, "high": None})
        for c in found
    ]
    rows = [
        PlotMark(
            value=s["value"], low=s["low"], high=s["high"] if s["low"] is not None else None, x=n
        )
        for n, s in enumerate(changes, 1)
    ]
    for p in told[:MOST_CHOICES]:
        for reading in p["readings"]:
            label = f"{p['point']}={reading}"
            taken = [
                n
                for n, c in enumerate(found, 1)
                if c["choices"].get(p["point"], p["reading"]) == reading
            ]
            rows += [
                PlotMark(label=label, series=p["point"], value=changes[n - 1]["value"], x=n)
                for n in taken
            ]
    return Picture(
        name="rank-curve",
        title="Specification curve: what configurations change for the Hombre",
        alt=f"{len(found)} configurations, from {changes[0]['value']:+.1f} to "
        f"{changes[-1]['value']:+.1f} counters a seat in 40 deals. Below each the readings it "
        "takes.",
        kind="curve",
        rows=tuple(rows),
        value=f"change against the rule set itself, {UNITS[PAYMENTS]}",
        label="configuration, the lowest change first",
        caption=_caption(
            results,
            "Each configuration was played on the same deals as the rule set itself; lines are 95 "
            "% intervals. The scale is linear near zero, logarithmic beyond. Below, a stroke for "
            "the reading it takes of each leading point",
        ),
    )
