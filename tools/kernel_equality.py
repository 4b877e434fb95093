"""The kernel held to the readable engine: the records of deals field by field, event by event and
payment by payment, and the sums of their sessions.

``python tools/kernel_equality.py --deals 100000`` plays 100,000 deals over every shipped profile
and witness, every reading by itself, every plugin, and 300 random combinations of all rules; the
tests play some of them.  With ``--members`` each session is played by a player whose parameters are
drawn.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import _tests  # noqa: F401
from quadrille_plugins.deal.players import BOTS, spelt
from quadrille_plugins.kernel.tabulate import decode
from quadrille_plugins.studies.fast import Arrays, InexactError, Workspace, tabulate
from quadrille_plugins.studies.sessions import Held, Readable
from support.any_rules import BASES, changes

from quadrille_core import DISTRIBUTION
from quadrille_core.engine.deal_record import TAPED, DealRecord, SessionSums
from quadrille_core.errors import ProfileError, QuadrilleError
from quadrille_core.registry import load_all
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

COMBINATIONS = 300
MOST_CHANGED = 6
SESSION = 3
AMOUNTS = ("pool", "net", "moved")


@dataclass
class EqualityCounts:
    """What was compared, and the first difference."""

    deals: int = 0
    sessions_left: int = 0
    rule_sets: int = 0
    rule_sets_left: int = 0
    transfers: int = 0
    difference: str = ""


def profiles() -> Iterator[tuple[str, RuleSet]]:
    """Every shipped profile, and each as its witnesses have it."""
    for name in BASES:
        compiled = compile_reference(name)
        for reference in (name, *(f"{name}@{w}" for w in compiled.witnesses)):
            yield reference, compile_reference(reference).ruleset


def readings(
    names: Sequence[str] = BASES, blocks: Set[str] = frozenset()
) -> Iterator[tuple[str, RuleSet]]:
    """Every reading of these profiles by itself, or those that set rules of some blocks."""
    for name in names:
        for state in compile_reference(name).points:
            for reading in state.point.readings:
                if blocks and not blocks & {path.split(".")[0] for path, _, _ in reading.sets}:
                    continue
                label = f"{name} --reading {state.point.id}={reading.id}"
                yield label, compile_reference(name, readings={state.point.id: reading.id}).ruleset


def plugins() -> Iterator[tuple[str, RuleSet]]:
    """Every profile with each plugin that it may take, and with each pair of them."""
    names = sorted(n for n, p in load_all().loaded.items() if p.installed.package == DISTRIBUTION)
    for name in BASES:
        for i, one in enumerate(names):
            for more in ("", *(f"+{n}" for n in names[i + 1 :])):
                try:
                    yield f"{name}+{one}{more}", compile_reference(f"{name}+{one}{more}").ruleset
                except QuadrilleError:
                    continue


def combinations(wanted: int, seed: int = 1822) -> Iterator[tuple[str, RuleSet]]:
    """So many rule sets drawn over every value of every rule, as ``test_any_rules`` draws them."""
    draw, found = random.Random(seed), 0
    choices = {name: list(changes(name)) for name in BASES}
    while found < wanted:
        name = draw.choice(BASES)
        drawn = dict(draw.sample(choices[name], draw.randint(1, MOST_CHANGED)))
        try:
            ruleset = compile_reference(name, settings=drawn).ruleset
        except ProfileError:
            continue
        found += 1
        yield f"{name} {drawn}", ruleset


def member(bot: str, draw: random.Random) -> str:
    """The spec of this player with a value drawn for every parameter."""
    drawn = (f":{name}={draw.choice(one.choices)}" for name, one in BOTS[bot].parameters.items())
    return spelt(bot + "".join(drawn))


def compare(
    label: str, ruleset: RuleSet, deals: int, seed: int, tally: EqualityCounts, bot: str = "steady"
) -> None:
    """One session of this many deals by both engines; a difference is told in ``tally``."""
    tally.rule_sets += 1
    bots = [bot] * ruleset.rules.table.players
    try:
        (arrays,), _ = tabulate([ruleset], bots)
    except InexactError:
        tally.rule_sets_left += 1
        return
    told = arrays.play(seed, SESSION, [deals], Workspace(1, deals), 0)
    if told.inexact[0]:
        tally.sessions_left += 1
        return
    wanted = Readable(ruleset, bots, arrays.names).play(seed, SESSION, [deals], None, 0)
    found = first_difference(wanted, told, arrays)
    tally.difference = found and f"{label}, seed {seed}, {found}"
    if not found:
        tally.deals += len(wanted.records[0])
        tally.transfers += sum(record.transfers for record in wanted.records[0])


def first_difference(wanted: Held, told: Held, arrays: Arrays) -> str:
    """Where a session's records and sums by the kernel are not those of the readable engine; empty
    where nowhere."""
    (mine, tape), (theirs, other) = wanted.deals(0), told.deals(0)
    if len(mine) != len(theirs):
        return f"{len(mine)} deals, and {len(theirs)} by the kernel"
    for number, (a, b) in enumerate(zip(mine, theirs, strict=True)):
        found = differing(as_told(a, tape), as_told(b, other, arrays))
        if found:
            return f"deal {number}, {found}"
    found = differing(
        *(
            summed(held.session_sums()[0], arrays.ruleset, scale)
            for held, scale in ((wanted, 1), (told, arrays.scale))
        )
    )
    return found and f"the sums, {found}"


def as_told(
    record: DealRecord, tape: Sequence[Any], arrays: Arrays | None = None
) -> dict[str, Any]:
    """A record by field, with its events and payments; of the kernel's, amounts in counters and
    rules by their paths."""
    scale = 1 if arrays is None else arrays.scale
    fields = {name: getattr(record, name) for name in DealRecord.__slots__}
    for name in AMOUNTS:
        fields[name] = in_counters(fields[name], scale)
    paid = [tape[at : at + TAPED] for at in range(*_span(record, "transfers", TAPED), TAPED)]
    fields["transfers"] = [
        (
            by,
            to,
            Fraction(much) / scale,
            why if arrays is None else decode(arrays.ruleset.rules, why),
        )
        for by, to, much, why in paid
    ]
    fields["events"] = tape[slice(*_span(record, "events", 1))]
    return {name: value for name, value in fields.items() if not name.endswith("_at")}


def _span(record: DealRecord, name: str, places: int) -> tuple[int, int]:
    at = getattr(record, f"{name}_at")
    return at, at + places * getattr(record, name)


def in_counters(amounts: Any, scale: int) -> Any:
    """An amount, or several, in counters."""
    if isinstance(amounts, list):
        return [Fraction(amount) / scale for amount in amounts]
    return Fraction(amounts) / scale


def summed(sums: SessionSums, ruleset: RuleSet, scale: int) -> dict[str, Any]:
    """A session's sums by field, in counters."""
    fields = {name: getattr(sums, name) for name in SessionSums.__slots__}
    for name in ("pool_before", "moved"):
        fields[name] = in_counters(fields[name], scale)
    fields["endings"] = sums.endings[: 3 * len(ruleset.rules.bids.rows)]
    fields["low"] = [Fraction(sums.square(place)) / scale**2 for place in range(len(sums.low))]
    del fields["high"]  # the squares stand under ``low``
    return fields


def differing(wanted: dict[str, Any], told: dict[str, Any]) -> str:
    """The first field that differs, with both values."""
    for name, value in wanted.items():
        if value != told[name]:
            return f"{name}: {value}, and {told[name]} by the kernel"
    return ""


def main() -> int:
    """Compare as many deals as are asked for; 1 when any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1822)
    parser.add_argument("--bot", default="steady")
    parser.add_argument(
        "--members", action="store_true", help="draw the player's parameters for each session"
    )
    wanted = parser.parse_args()
    draw = random.Random(wanted.seed)
    rule_sets = [*profiles(), *readings(), *plugins(), *combinations(COMBINATIONS, wanted.seed)]
    tally, started, turn = EqualityCounts(), time.monotonic(), 0
    while tally.deals < wanted.deals and not tally.difference:
        for label, ruleset in rule_sets:
            bot = member(wanted.bot, draw) if wanted.members else wanted.bot
            many = min(40, max(4, wanted.deals // len(rule_sets)))
            compare(f"{label}, {bot}", ruleset, many, wanted.seed + turn, tally, bot)
            if tally.difference or tally.deals >= wanted.deals:
                break
        turn += 1
        print(f"{tally.deals} deals in {time.monotonic() - started:.0f} s: {tally}", flush=True)  # noqa: T201
    return 1 if tally.difference else 0


if __name__ == "__main__":
    sys.exit(main())
