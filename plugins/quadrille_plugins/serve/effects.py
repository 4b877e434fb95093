"""What the study shipped with a rule set says of each reading of its disputed points."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.values import many

_FILE: Final = Path(__file__).with_name("effects.json")


@cache
def shipped_study() -> Mapping[str, Any]:
    """The study: its command, digests, bots and findings."""
    found: Mapping[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return found


def is_about(compiled: Compiled) -> bool:
    """Whether the shipped study is about this rule set, whichever witness is followed in it."""
    return bool(shipped_study()["profile"] == compiled.identity.profile)


def share_text(value: float) -> str:
    """A share of deals, as a percentage or one in so many."""
    if value < 0.001:
        return f"1 in {many(round(1 / value))}" if value > 0 else "0"
    return f"{100 * value:.3g} %"


def signed_text(value: float) -> str:
    """Counters that somebody gains, to a tenth."""
    return f"{value:+.1f}".replace("-", "\N{MINUS SIGN}") if round(value, 1) else "0.0"
