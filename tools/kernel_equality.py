"""The kernel held to the readable engine: the records of deals field by field, event by event and
payment by payment, and the sums of their sessions.

``python tools/kernel_equality.py --deals 100000`` plays 100,000 deals over every shipped profile
and witness, every reading by itself, every plugin, and 300 random combinations of all rules; the
tests play some of them.  With ``--members`` each session is played by a player whose parameters are
drawn, with ``--mixed`` by others in each chair, of ``--bot steady,random,…`` every second one by
members of the first alone.  ``--houses --deals 20000`` plays so many under each house rule of ``tests/thirdparty``, ``--houses
NAME…`` under these.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import _tests  # noqa: F401
from quadrille_plugins.deal.players import BOTS, spelt
from quadrille_plugins.house_rules.testing import same_by_both_engines
from support.any_rules import BASES, changes

from quadrille_core import DISTRIBUTION
from quadrille_core.errors import ProfileError, QuadrilleError
from quadrille_core.registry import load_all
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

COMBINATIONS = 300
MOST_CHANGED = 6
SESSION = 3


@dataclass
class EqualityCounts:
    """What was compared, and the first difference."""

    deals: int = 0
    sessions_left: int = 0
    rule_sets: int = 0
    rule_sets_left: int = 0
    transfers: int = 0
    difference: str = ""


@cache
def profiles() -> tuple[tuple[str, RuleSet], ...]:
    """Every shipped profile, and each as its witnesses have it."""
    witnesses = {name: compile_reference(name).witnesses for name in BASES}
    references = [r for n, found in witnesses.items() for r in (n, *(f"{n}@{w}" for w in found))]
    return tuple((r, compile_reference(r).ruleset) for r in references)


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


def table(bots: Sequence[str], seats: int, draw: random.Random) -> list[str]:
    """Different players for a table, drawn of the members of these bots, who are several."""
    while True:
        drawn = [member(draw.choice(bots), draw) for _ in range(seats)]
        if len(set(drawn)) > 1:
            return drawn


def compare(
    label: str,
    ruleset: RuleSet,
    deals: int,
    seed: int,
    tally: EqualityCounts,
    bot: str | Sequence[str] = "steady",
) -> None:
    """Sessions of this many deals by both engines, of one bot or one for each chair; a difference
    is told in ``tally``."""
    told = same_by_both_engines(ruleset, deals=deals, seed=seed, players=bot, session=SESSION)
    tally.rule_sets += 1
    tally.rule_sets_left += bool(told.blocked)
    tally.sessions_left += told.sessions_left
    tally.difference = told.difference and f"{label}, {told.difference}"
    tally.deals += told.deals
    tally.transfers += told.transfers


def houses(names: Sequence[str], deals: int, seed: int) -> bool:
    """Play this number of deals under each of these house rules of ``tests/thirdparty``, or all,
    and print what came of each; whether nothing differed."""
    from support.houses import FOLDER, HOUSES, house
    from support.plugin import install

    alike = True
    with TemporaryDirectory() as folder:
        source = Path(folder, "source")
        copytree(FOLDER, source)
        sys.path.insert(0, str(install(source, Path(folder, "installed"))))
        for name in names or HOUSES:
            told = same_by_both_engines(house(name), deals=deals, seed=seed)
            print(f"{name}: {told}", flush=True)  # noqa: T201
            alike &= bool(told.blocked) if "readable" in HOUSES[name] else bool(told)
    return alike


def main() -> int:
    """Compare as many deals as are asked for; 1 when any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1822)
    parser.add_argument(
        "--bot", default="steady", help="with --mixed several, such as steady,random"
    )
    drawn = parser.add_mutually_exclusive_group()
    drawn.add_argument(
        "--members", action="store_true", help="draw the player's parameters for each session"
    )
    drawn.add_argument(
        "--mixed", action="store_true", help="draw who sits in each chair, for each session"
    )
    parser.add_argument(
        "--houses", nargs="*", metavar="NAME", help="the house rules from outside alone, or some"
    )
    wanted = parser.parse_args()
    if wanted.houses is not None:
        return 0 if houses(wanted.houses, wanted.deals, wanted.seed) else 1
    draw = random.Random(wanted.seed)
    rule_sets = [*profiles(), *readings(), *plugins(), *combinations(COMBINATIONS, wanted.seed)]
    tally, started, turn = EqualityCounts(), time.monotonic(), 0
    bots = wanted.bot.split(",")
    if wanted.mixed and not (bots[1:] or BOTS[bots[0]].parameters):
        parser.error(f"nobody differs from {bots[0]}")
    while tally.deals < wanted.deals and not tally.difference:
        for number, (label, ruleset) in enumerate(rule_sets):
            bot: str | list[str] = member(wanted.bot, draw) if wanted.members else wanted.bot
            if wanted.mixed:
                alone = number % 2 == 0 and BOTS[bots[0]].parameters
                bot = table(bots[:1] if alone else bots, ruleset.rules.table.players, draw)
            many = min(40, max(4, wanted.deals // len(rule_sets)))
            compare(f"{label}, {bot}", ruleset, many, wanted.seed + turn, tally, bot)
            if tally.difference or tally.deals >= wanted.deals:
                break
        turn += 1
        print(f"{tally.deals} deals in {time.monotonic() - started:.0f} s: {tally}", flush=True)  # noqa: T201
    return 1 if tally.difference else 0


if __name__ == "__main__":
    sys.exit(main())
