"""The pictures of a ranking: its sizes, what the readings do to the Hombre, and the specification
curve."""

from collections.abc import Sequence
from typing import Final

from quadrille_plugins.rank.effects import ACCOUNT, PAYMENTS
from quadrille_plugins.rank.report import MEANS, UNITS
from quadrille_plugins.shell.values import Json, deals_in_sessions
from quadrille_plugins.studies.picture import Picture, PlotMark, drawn

MOST_DRAWN: Final = 20
MOST_CHOICES: Final = 8
"""Points whose readings are drawn below the specification curve."""


def pictures_of(results: Json) -> tuple[Picture, ...]:
    """What each reading does to the Hombre, the sizes in the measure asked for, and the
    curve."""
    measure = results["design"]["measure"]
    told = [
        p
        for p in results["points"]
        if p["place"] is not None and p["effects"][measure]["differing"]
    ]
    return (*_readings(results, told), *_sizes(results, told), *_curve(results, told))


def _caption(results: Json, shown: str) -> str:
    """What is drawn, whose it is, and of how much."""
    d = results["design"]
    played = deals_in_sessions(d["deals"], d["sessions"])
    by = f", by {d['family'][0]} of {len(d['family'])} players" if "family" in d else ""
    return f"{shown}; {played} under each of {d['sampled_configurations']} configurations{by}."


def _mark(label: str, value: float, interval: Json, smallest: float) -> PlotMark:
    """A row; of few sessions there may be a bound alone, which is not drawn."""
    ends = {end: interval[end] for end in ("low", "high")}
    ends = {} if None in ends.values() else ends
    return PlotMark(label=label, value=value, threshold=smallest, **ends)


def _readings(results: Json, told: Sequence[Json]) -> tuple[Picture, ...]:
    moved = {
        f"{p['point']}={reading}": found["signed"][ACCOUNT]
        for p in told
        for reading, found in p["effects"][PAYMENTS]["readings"].items()
        if found["signed"].get(ACCOUNT, {"value": 0.0})["value"]
    }
    smallest = results["design"]["smallest"][PAYMENTS]
    rows = [_mark(label, m["value"], m, smallest) for label, m in moved.items()]
    rows.sort(key=lambda m: (-abs(m.value), m.label))
    return drawn(
        rows,
        most=MOST_DRAWN,
        name="rank-readings",
        title="What each reading changes for the Hombre",
        alt="A row for each reading, the largest change first.",
        kind="intervals",
        value=f"mean change, {UNITS[PAYMENTS]}",
        label="reading",
        caption=_caption(
            results,
            "Points are means over configurations of a reading against the one in use, lines 95 % "
            f"intervals; dotted is the smallest effect of interest, {smallest:g}, either way",
        ),
    )


def _sizes(results: Json, told: Sequence[Json]) -> tuple[Picture, ...]:
    measure, sizes = results["design"]["measure"], []
    smallest = results["design"]["smallest"][measure]
    for p in told[:MOST_DRAWN]:
        size = p["effects"][measure]["size"]
        by_all = p["family"][measure] if "family" in p else size
        sizes.append(_mark(p["point"], size["value"], by_all, smallest))
    return drawn(
        sizes,
        name=f"rank-{measure}",
        title=f"How large the total effect of each point on {measure} is",
        alt="A bar for each disputed point, the longest first.",
        kind="bars",
        value=f"{MEANS[measure]}, {UNITS[measure]}",
        label="point",
        caption=_caption(
            results,
            "Bars are mean sizes over configurations, lines 95 % intervals (of all players, where "
            f"several were asked); dotted is the smallest effect of interest, {smallest:g}",
        ),
    )


def _curve(results: Json, told: Sequence[Json]) -> tuple[Picture, ...]:
    """The configurations from the lowest change to the highest, and below each the readings it
    takes."""
    found = results["configurations"]
    if len(found) < 2:
        return ()
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
    picture = Picture(
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
    return (picture,)
