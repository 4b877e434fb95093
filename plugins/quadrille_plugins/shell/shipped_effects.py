"""What the study shipped with a rule set says of each reading of its disputed points."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.values import Json, many
from quadrille_plugins.shell.wrapping import filled

_FILE: Final = Path(__file__).with_name("shipped_effects.json")


@cache
def shipped_study() -> Mapping[str, Any]:
    """The study: its command, digests, bots and findings."""
    found: Mapping[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return found


def is_about(compiled: Compiled) -> bool:
    """Whether the shipped study is about this rule set, whichever witness is followed in it."""
    return bool(shipped_study()["profile"] == compiled.identity.profile)


def findings_on(compiled: Compiled, point: str) -> list[Mapping[str, Any]]:
    """What the shipped study found on a point's readings; nothing where it played other rules."""
    study = shipped_study()
    if study["digest"] != compiled.identity.digest:
        return []
    return [found for found in study["findings"] if found["point"] == point]


def shipped_json(compiled: Compiled, point: str) -> Json | None:
    """The same with who played and by which manifest; None where there is nothing."""
    study, found = shipped_study(), findings_on(compiled, point)
    named = ("study", "manifest", "command", "results_sha256", "bots", "session_deals", "seed")
    return {**{name: study[name] for name in named}, "findings": found} if found else None


def shipped_lines(compiled: Compiled, point: str) -> list[str]:
    """In words: the interval of each reading, then players and manifest; empty where there is
    nothing."""
    study, found = shipped_study(), findings_on(compiled, point)
    if not found:
        return []
    lines = [f"The shipped study of {study['profile']}, beside {found[0]['instead_of']}:"]
    for one in found:
        share, roles = one["share"], one["total"].get("roles", ())
        said = f"share of deals that change {share_text(share['mean'])}"
        said += f" ({share_text(share['low'])} to {share_text(share['high'])})"
        for hombre in roles[:1]:
            ends = f"{signed_text(hombre['low'])} to {signed_text(hombre['high'])}"
            said += f"; {hombre['who']} {signed_text(hombre['mean'])} ({ends}) counters a session"
        lines += filled(f"{one['reading']}: {said}", 2)
    bots = ", ".join(dict.fromkeys(study["bots"]))
    sure = f"Played by {bots} alone, whose figures are no verdict. Manifest: {study['manifest']}"
    return [*lines, *filled(sure, 2)]


def share_text(value: float) -> str:
    """A share of deals, as a percentage or one in so many."""
    if value < 0.001:
        return f"1 in {many(round(1 / value))}" if value > 0 else "0"
    return f"{100 * value:.3g} %"


def signed_text(value: float) -> str:
    """Counters that somebody gains, to a tenth."""
    return f"{value:+.1f}".replace("-", "\N{MINUS SIGN}") if round(value, 1) else "0.0"
