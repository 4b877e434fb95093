"""What the study shipped with a rule set says of each reading of its disputed points."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from quadrille_core.report.blocks import Table
from quadrille_core.ruleset import Compiled
from quadrille_plugins.output.values import many

_FILE: Final = Path(__file__).with_name("effects.json")
MINUS: Final = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Effect:
    """What one reading changes, in words: a sentence, and the effects of its sessions where any was
    estimated."""

    reading: str
    instead_of: str
    answer: str
    table: Table | None


@cache
def shipped_study() -> Mapping[str, Any]:
    """The study: its command, digests, bots and findings."""
    found: Mapping[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return found


def is_about(compiled: Compiled) -> bool:
    """Whether the shipped study is about this rule set, whichever witness is followed in it."""
    return bool(shipped_study()["profile"] == compiled.identity.profile)


def effects_at(point: str) -> tuple[Effect, ...]:
    """What the alternatives of a point change, by the shipped study; empty where it has none."""
    return tuple(_effect(found) for found in shipped_study()["findings"] if found["point"] == point)


def _effect(found: Mapping[str, Any]) -> Effect:
    return Effect(found["reading"], found["instead_of"], answer_of(found), _table(found))


def answer_of(found: Mapping[str, Any]) -> str:
    """The answer in a sentence, with its numbers and intervals."""
    bots = shipped_study()["bots"]
    who = (
        f"the bot {bots[0]} in every seat" if len(set(bots)) == 1 else f"the bots {', '.join(bots)}"
    )
    starts = f"{many(found['matched_starts'])} matched starts"
    share, paid = found["share"], found["share_payments_differ"]
    if found["verdict"] != "different":
        bound = _share(share["high"])
        return (
            f"No difference seen in {starts} with {who}: one diverges with a chance of at "
            f"most {bound}."
        )
    text = f"It changes {_with_bounds(share)} of deals with {who}"
    if paid is not None:
        text += f"; payments differ in {_with_bounds(paid)}"
    return text + "."


def _with_bounds(bounds: Mapping[str, float]) -> str:
    return f"{_share(bounds['mean'])} ({_share(bounds['low'])} to {_share(bounds['high'])})"


def _share(value: float) -> str:
    if value <= 0:
        return "0"
    return f"{100 * value:.3g} %" if value >= 0.001 else f"1 in {many(round(1 / value))}"


def _table(found: Mapping[str, Any]) -> Table | None:
    every = [
        one
        for partition in ("roles", "seats")
        for one in found["total"].get(partition, ())
        if one["seen"]
    ]
    columns = list({one["who"]: one for one in reversed(every)}.values())[
        ::-1
    ]  # the pool is in both partitions
    if not columns:
        return None
    deals = shipped_study()["session_deals"]
    rows = tuple(
        (
            one["who"],
            _span(one),
            f"{one['verdict']} than ± {one['held_against']:g}" if _sized(one) else one["verdict"],
        )
        for one in columns
    )
    return Table(
        f"what each gains: counters in a session of {deals} deals (total effect)",
        ("who", "gains, with interval", "verdict"),
        rows,
        frozenset({"gains, with interval"}),
    )


def _sized(one: Mapping[str, Any]) -> bool:
    return one["verdict"] in ("larger", "smaller")


def _span(one: Mapping[str, Any]) -> str:
    if not one["seen"]:
        return "no change seen"
    mean, low, high = (_signed(one[name]) for name in ("mean", "low", "high"))
    return f"{mean} ({low} to {high})"


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", MINUS) if round(value, 1) else "0.0"
