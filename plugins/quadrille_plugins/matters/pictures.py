"""Pictures of whether readings matter: how often deals diverge, and who gains how much."""

from collections.abc import Iterator
from typing import Final

from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies.over_sessions import distribution_pictures
from quadrille_plugins.studies.paired import PICKED_ROLES
from quadrille_plugins.studies.picture import Picture, PlotMark, drawn
from quadrille_plugins.studies.study_pictures import THRESHOLDS
from quadrille_plugins.studies.words import column_name

MOST: Final = 40
"""Readings that one picture shows; the numbers have all."""


def pictures_of(results: Json) -> tuple[Picture, ...]:
    """The pictures of a result as ``matters_json`` gives it; none of what was not played."""
    findings = [f for f in results["findings"] if "share" in f]
    if not findings:
        return ()
    level = f"{100 * (1 - results['design']['alpha']):.4g} %"
    caption = (
        f"Bounds hold at every number of deals at once, each at {level}; seed "
        f"{results['design']['seed']}, bots {', '.join(dict.fromkeys(results['design']['bots']))}."
    )
    if family := results["design"].get("family"):
        caption += (
            f" Intervals of effects reach over all of {len(family)} players: {', '.join(family)}."
        )
    most = sorted(findings, key=lambda f: -f["share"]["mean"])[:MOST]
    shares = [
        PlotMark(
            label=_name(f),
            value=100 * f["share"]["mean"],
            low=100 * f["share"]["low"],
            high=100 * f["share"]["high"],
        )
        for f in most
    ]
    one_point = len({f["point"] for f in findings}) == 1
    return (
        *drawn(
            shares,
            name="how-often",
            title="How often a matched start diverges",
            alt=f"A bar for each of {len(findings)} readings.",
            value="matched starts that diverge, per cent",
            label="reading",
            caption=caption,
        ),
        *drawn(
            [mark for f in findings if one_point for mark in _gains(results, f)],
            name="who-gains",
            title="What each gains in a session by the alternative: the total effect",
            alt="Changes in counters a session, by role and seat.",
            value="counters a session",
            label="who",
            series="reading",
            caption=f"{caption} {THRESHOLDS}",
        ),
        *(picture for f in findings if one_point for picture in _over_sessions(results, f)),
    )


def _over_sessions(results: Json, finding: Json) -> tuple[Picture, ...]:
    """Mean and quartiles of what each role gains, as the first player finds them."""
    alone = len(results["findings"]) == 1
    roles = finding.get("effects", {}).get("total", {}).get("roles", {})
    over = finding.get("over_sessions", {})
    return distribution_pictures(
        roles,
        {column: over[column] for column in PICKED_ROLES if column in over},
        len(results["design"]["bots"]),
        name="over-sessions" if alone else f"over-sessions-{finding['reading']}".replace("_", "-"),
        title=f"What sessions differ by: {_name(finding)}",
        alt="Mean and quartiles over sessions, by role.",
        value=f"counters a session of {results['design']['session_deals']} deals",
    )


def _name(finding: Json) -> str:
    if finding["point"] is not None:
        return f"{finding['point']}={finding['reading']}"
    return str(finding["rules"]["profile"])


def _gains(results: Json, finding: Json) -> Iterator[PlotMark]:
    """The total effect on every column once: accounts that no player holds are in both partitions.

    Of a family the ends are those of all members.
    """
    found: Json = {}
    for columns in finding.get("effects", {}).get("total", {}).values():
        found |= columns
    for column, effect in found.items():
        ends = finding["verdicts"][column] if "verdicts" in finding else effect
        yield PlotMark(
            label=column_name(column, len(results["design"]["bots"])),
            series=_name(finding),
            value=effect["mean"],
            low=ends["low"],
            high=ends["high"],
            threshold=effect.get("held_against"),
        )
