"""Pictures of whether readings matter: how often deals diverge, and who gains how much."""

from collections.abc import Mapping
from typing import Any, Final

from quadrille_plugins.studies.picture import Picture, PlotMark, greatest
from quadrille_plugins.studies.words import column_name

MOST: Final = 40
"""Readings that one picture shows; the numbers have all."""


def pictures_of(results: Mapping[str, Any]) -> tuple[Picture, ...]:
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
    return (*_shares(findings, caption), *_gains(results, findings, caption))


def _name(finding: Mapping[str, Any]) -> str:
    if finding["point"] is not None:
        return f"{finding['point']}={finding['reading']}"
    return str(finding["rules"]["profile"])


def _shares(findings: list[Mapping[str, Any]], caption: str) -> tuple[Picture, ...]:
    most = sorted(findings, key=lambda f: -f["share"]["mean"])
    rows = tuple(
        PlotMark(
            label=_name(f),
            value=100 * f["share"]["mean"],
            low=100 * f["share"]["low"],
            high=100 * f["share"]["high"],
        )
        for f in most[:MOST]
    )
    return (
        Picture(
            name="how-often",
            title="How often a matched start diverges",
            alt=f"A bar for each of {len(findings)} readings. {greatest(rows)}",
            kind="intervals",
            rows=rows,
            value="matched starts that diverge, per cent",
            label="reading",
            caption=caption,
        ),
    )


def _of_family(
    finding: Mapping[str, Any], column: str, effect: Mapping[str, Any]
) -> Mapping[str, Any]:
    """An effect with the ends of all members of a family, where one was asked."""
    return (
        {**effect, **{end: finding["verdicts"][column][end] for end in ("low", "high")}}
        if "verdicts" in finding
        else effect
    )


def _gains(
    results: Mapping[str, Any], findings: list[Mapping[str, Any]], caption: str
) -> tuple[Picture, ...]:
    found = [f for f in findings if f.get("effects")]
    if not found or len({f["point"] for f in findings}) > 1:
        return ()
    players = len(results["design"]["bots"])
    rows = tuple(
        PlotMark(
            label=column_name(column, players),
            series=_name(f),
            value=effect["mean"],
            low=effect["low"],
            high=effect["high"],
        )
        for f in found
        for column, found in _columns(f["effects"]["total"]).items()
        for effect in (_of_family(f, column, found),)
    )
    return (
        Picture(
            name="who-gains",
            title="What each gains in a session by the alternative: the total effect",
            alt=f"Changes in counters a session, by role and seat. {greatest(rows)}",
            kind="intervals",
            rows=rows,
            value="counters a session",
            label="who",
            series="reading",
            caption=caption,
        ),
    )


def _columns(partitions: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Every column once; accounts that no player holds are in both partitions."""
    return {column: effect for columns in partitions.values() for column, effect in columns.items()}
