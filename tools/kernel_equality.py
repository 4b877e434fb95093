"""The kernel held to the readable engine, event by event and transfer by transfer.

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

import _tests  # noqa: F401
import numpy as np
from quadrille_plugins.deal.players import BOTS, make_bot, spelt
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.kernel import events
from quadrille_plugins.kernel.state import PLAYED, SCRATCH, SUMS, TAPE_OF_DEAL, TAPED
from quadrille_plugins.kernel.tabulate import decode
from quadrille_plugins.studies.fast import InexactError, tabulate
from support.any_rules import BASES, changes

from quadrille_core import DISTRIBUTION
from quadrille_core.errors import ProfileError, QuadrilleError
from quadrille_core.registry import load_all
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

COMBINATIONS = 300
MOST_CHANGED = 6


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
    try:
        (arrays,), scale = tabulate([ruleset], [bot])
    except InexactError:
        tally.rule_sets_left += 1
        return
    records, tape = np.zeros((1, deals), PLAYED), np.zeros((1, deals * TAPE_OF_DEAL), np.int64)
    sums = np.zeros(1, SUMS)
    lengths = np.array([deals], np.int64)
    told = (records, tape, sums, np.zeros(1, SCRATCH)[0])
    arrays.kernel.play_sessions(*arrays.arguments, np.uint64(seed), 3, lengths, arrays.anew, *told)
    if sums["blocked"][0]:
        tally.sessions_left += 1
        return
    bots = [make_bot(bot)] * ruleset.rules.table.players
    played = list(play_session(ruleset, bots, seed=seed, session=3, deals=deals, anew=arrays.anew))
    if len(played) != sums["deals"][0]:
        tally.difference = f"{label}: {len(played)} deals, and {sums['deals'][0]} by the kernel"
        return
    for number, (one, record) in enumerate(zip(played, records[0], strict=False)):
        where = f"{label}, seed {seed}, deal {number}"
        told = tape[0, record["events_at"] :][: record["events"]].tolist()
        wanted = events.codes(one.deal.events, arrays.names)
        if told != wanted:
            n = next(
                (n for n, (a, b) in enumerate(zip(told, wanted, strict=False)) if a != b),
                len(wanted) - 1,
            )
            tally.difference = (
                f"{where}, event {n}: {one.deal.events[n].text()}, and "
                f"{told[n : n + 1]} by the kernel"
            )
            return
        paid = (
            tape[0, record["transfers_at"] :][: TAPED * record["transfers"]]
            .reshape(-1, TAPED)
            .tolist()
        )
        mine = [(s, t, a, decode(ruleset.rules, why)) for s, t, a, why in paid]
        transfers = one.settlement.transfers if one.settlement else ()
        theirs = [(t.source, t.target, t.amount * scale, t.rule) for t in transfers]
        if mine != theirs or record["pool"] != one.setup.pool * scale:
            tally.difference = (
                f"{where}: {theirs} from {one.setup.pool}, and {mine} by the kernel, in 1/{scale}"
            )
            return
        tally.deals += 1
        tally.transfers += len(mine)


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
