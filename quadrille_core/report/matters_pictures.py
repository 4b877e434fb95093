"""Pictures of whether readings matter: how often deals part, and who gains how much by it."""

from collections.abc import Mapping
from typing import Any, Final

from quadrille_core.report.effects import role_name
from quadrille_core.report.picture import Mark, Picture

MOST: Final = 40
"""Readings that one picture shows; the numbers have all."""
_NAMES: Final = {
    "hombre": "Hombre, without antes",
    "ally": "ally, without antes",
    "adversary": "adversaries, without antes",
}


def pictures_of(results: Mapping[str, Any]) -> tuple[Picture, ...]:
    """The pictures of a result as ``matters_json`` gives it; none of what was not played."""
    findings = [f for f in results["findings"] if "share" in f]
    if not findings:
        return ()
    level = f"{100 * (1 - results['design']['alpha']):.4g} %"
    caption = (
        f"Bounds hold at every number of deals at once, each at {level}; seed {results['design']['seed']}, bots "
        f"{', '.join(dict.fromkeys(results['design']['bots']))}."
    )
    return (*_shares(findings, caption), *_gains(results, findings, caption))


def _name(finding: Mapping[str, Any]) -> str:
    if finding["point"] is not None:
        return f"{finding['point']}={finding['reading']}"
    return str(finding["rules"]["profile"])


def _shares(findings: list[Mapping[str, Any]], caption: str) -> tuple[Picture, ...]:
    most = sorted(findings, key=lambda f: -f["share"]["mean"])
    rows = tuple(
        Mark(
            label=_name(f),
            value=100 * f["share"]["mean"],
            low=100 * f["share"]["low"],
            high=100 * f["share"]["high"],
        )
        for f in most[:MOST]
    )
    parted = sum(f["parted"] > 0 for f in findings)
    return (
        Picture(
            name="how-often",
            title="How often a deal begun alike parts",
            alt=f"Of {len(findings)} readings {parted} make some deal part; most often {_name(most[0])}, in "
            f"{100 * most[0]['share']['mean']:.3g} per cent of deals begun alike.",
            kind="intervals",
            rows=rows,
            value="deals that part, per cent of those begun alike",
            label="reading",
            caption=caption,
        ),
    )


def _gains(results: Mapping[str, Any], findings: list[Mapping[str, Any]], caption: str) -> tuple[Picture, ...]:
    found = [f for f in findings if f.get("gains")]
    if not found or len({f["point"] for f in findings}) > 1:
        return ()
    players = len(results["design"]["bots"])
    rows = tuple(
        Mark(
            label=_NAMES.get(payee) or role_name(payee, players),
            series=_name(f),
            value=gain["session"]["mean"],
            low=gain["session"]["low"],
            high=gain["session"]["high"],
        )
        for f in found
        for payee, gain in f["gains"].items()
    )
    largest = max(rows, key=lambda mark: abs(mark.value))
    return (
        Picture(
            name="who-gains",
            title="What each gains in a session by the other reading",
            alt=f"The largest change is {largest.label}'s under {largest.series}: {largest.value:+.3g} counters in a "
            f"session of {results['design']['session_deals']} deals.",
            kind="intervals",
            rows=rows,
            value="counters a session",
            label="who",
            series="reading",
            caption=caption,
        ),
    )
