"""Rule sets side by side without any bot's habits: the same deals, and par under each.

Every deal stands by itself, with the antes alone in the pool, and is the unit of sampling.  Deals
are solved in any number of processes and added up in their order, so that the results do not depend
on how many there were.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Final

from quadrille_core.cards import Suit
from quadrille_core.engine.carry import antes_of
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled
from quadrille_plugins.compare.tables import SideBySide
from quadrille_plugins.diff.differences import RuleDifference, rules_difference
from quadrille_plugins.solver.deals import DealSolver, Valued, dealt
from quadrille_plugins.solver.open_play import OpenPlay, require_solver
from quadrille_plugins.solver.par import Auctions
from quadrille_plugins.studies.accumulators import ROLES
from quadrille_plugins.studies.design import Progress, Share, seats_of
from quadrille_plugins.studies.intervals import Estimate, Tally, difference, proportion, ratio
from quadrille_plugins.studies.paired import FEWEST_DIFFERING
from quadrille_plugins.studies.runner.executors import PROCESSES
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import BLOCKS, Numbered, numbered

STEPS: Final = ("bid", "Hombre", "trumps", "ally", "payments")
"""In what two pars may differ, in the order in which they are distinguished."""
ALL_PASS: Final = "all pass"
MOST_DEALS: Final = 20
"""Deals of a block, at most."""


@frozen
class Worked:
    """A summary of par of one deal under one rule set; ``bid`` is ``all pass`` when the cards are
    redealt."""

    bid: str
    hombre: int | None
    trump: Suit | None
    ally: int | None
    tricks: int
    outcome: str
    net: tuple[Fraction, ...]
    left: Fraction
    """What stays in the pool."""

    def differs_from(self, other: "Worked") -> str | None:
        """In what it first differs from another; None when in nothing."""
        mine = (self.bid, self.hombre, self.trump, self.ally, (self.net, self.left))
        theirs = (other.bid, other.hombre, other.trump, other.ally, (other.net, other.left))
        return next((step for step, a, b in zip(STEPS, mine, theirs, strict=True) if a != b), None)


@frozen
class OpenExample:
    """An example: the deal's number, the step at which the two pars differ, and both pars."""

    number: int
    weight: Fraction
    """The payment difference, summed over the players."""
    step: str
    pars: tuple[Worked, Worked]


@frozen
class OpenSummary:
    """Par under one rule set, summed up."""

    compiled: Compiled
    contracts: tuple[Share, ...]
    outcomes: tuple[Share, ...]
    roles: dict[str, Estimate]
    seats: dict[str, Estimate]
    left: Estimate
    tricks: Estimate


@frozen
class OpenPair:
    """The first rule set against another."""

    first: int
    second: int
    rules_diff: tuple[RuleDifference, ...]
    contract_differs: Share
    payments_differ: Share
    steps: tuple[Share, ...]
    roles: dict[str, Estimate]
    seats: dict[str, Estimate]
    examples: tuple[OpenExample, ...]


@frozen
class OpenComparison(SideBySide):
    """Everything that was found; ``deals`` are those that were solved, of the seed's sessions 0, 1
    and so on."""

    seed: int
    deals: int
    players: int
    summaries: tuple[OpenSummary, ...]
    pairs: tuple[OpenPair, ...]
    interrupted: bool = False


class SolverCache:
    """Rule sets, and what may be kept of them from deal to deal."""

    def __init__(self, rulesets: Sequence[RuleSet]) -> None:
        self.rulesets: Final = tuple(rulesets)
        self._auctions: Final = [Auctions(r.rules) for r in rulesets]

    def solvings(self, seed: int, number: int) -> Iterator[DealSolver]:
        """The deal of that number (session ``number`` of the seed, its first deal) under each rule
        set in turn."""
        plays: dict[Any, OpenPlay] = {}
        for ruleset, auctions in zip(self.rulesets, self._auctions, strict=True):
            rules = ruleset.rules
            key = rules.cards, rules.forcing
            if key not in plays:
                plays[key] = OpenPlay(*key)
            yield DealSolver(ruleset, dealt(rules, seed, number, 0), auctions, plays[key])

    def work(self, seed: int, number: int) -> tuple[Worked, ...]:
        """Par of the deal under each rule set."""
        return tuple(boiled(solving.value(), solving) for solving in self.solvings(seed, number))


def boiled(valued: Valued, solving: DealSolver) -> Worked:
    """Par reduced to what a comparison counts."""
    s = valued.solved
    if s is None:
        return Worked(ALL_PASS, None, None, None, 0, "redealt", valued.net, solving.setup.pool)
    end = s.settlement
    return Worked(
        str(s.contract.spec),
        s.contract.hombre,
        s.trump,
        s.ally,
        s.tricks,
        end.outcome,
        end.net,
        end.pool_after,
    )


@frozen
class Solving:
    """Solves deals under every rule set: par of each."""

    rulesets: tuple[RuleSet, ...]
    seed: int

    usual: ClassVar[str] = PROCESSES
    task: ClassVar[Any] = Numbered
    result: ClassVar[Any] = list[tuple[Worked, ...]]

    def fits(self, task: Numbered, found: list[tuple[Worked, ...]]) -> bool:
        """Whether a block read from disk is of these deals and rule sets, judged by its shape."""
        return len(found) == task.count and all(
            len(worked) == len(self.rulesets) for worked in found
        )

    def ready(self) -> Callable[[Numbered], list[tuple[Worked, ...]]]:
        """As ``Work`` says."""
        workspace = SolverCache(self.rulesets)
        return lambda task: [workspace.work(self.seed, n) for n in task.numbers]


def compare_open(
    compiled: Sequence[Compiled],
    *,
    deals: int,
    seed: int,
    progress: Progress | None = None,
    examples: int = 5,
    runner: Runner | None = None,
) -> OpenComparison:
    """Solve N deals under every rule set and sum up; ``runner`` plays the blocks, else this
    process does.

    Raises UsageError where no deal could be played under all.

    Interrupted by the user, it reports the deals that were finished and says so; it raises
    KeyboardInterrupt only when not one was.
    """
    require_solver()
    players = seats_of(compiled)
    seen: list[tuple[Worked, ...]] = []
    rulesets, size = tuple(c.ruleset for c in compiled), max(1, min(deals // BLOCKS, MOST_DEALS))
    if runner is not None:
        OpenPlay(
            rulesets[0].rules.cards, rulesets[0].rules.forcing
        )  # compiled once, before others would compile it
    running = runner or Runner()

    def take(block: list[tuple[Worked, ...]]) -> int:
        seen.extend(block)
        return len(seen)

    tasks = partial(numbered, deals, running.size(size), "deals")
    interrupted = running.add_up(Solving(rulesets, seed), tasks, take, deals, progress)
    columns = list(zip(*seen, strict=True))
    return OpenComparison(
        seed=seed,
        deals=len(seen),
        players=players,
        summaries=tuple(_summary(c, found) for c, found in zip(compiled, columns, strict=True)),
        pairs=tuple(open_pair(compiled, columns, i, examples) for i in range(1, len(compiled))),
        interrupted=interrupted,
    )


def _shares(names: Sequence[str]) -> tuple[Share, ...]:
    counts = {name: names.count(name) for name in names}
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        Share(name=n, count=count, share=proportion(count, len(names))) for n, count in ordered
    )


def _paid(compiled: Compiled, found: Sequence[Worked]) -> dict[str, list[Tally]]:
    """What each role and seat is paid, deal by deal; seats pay their antes."""
    rules = compiled.rules
    seats = range(rules.table.players)
    antes = antes_of(rules, seats)
    paid: dict[str, list[Tally]] = {role: [] for role in ROLES}
    paid |= {f"seat {s}": [Tally(w.net[s] - antes[s], 1) for w in found] for s in seats}
    for w in found:
        against = (
            [w.net[s] for s in seats if s not in (w.hombre, w.ally)] if w.hombre is not None else []
        )
        for role, seat in (("hombre", w.hombre), ("ally", w.ally)):
            paid[role].append(Tally(Fraction(0), 0) if seat is None else Tally(w.net[seat], 1))
        paid["adversary"].append(Tally(sum(against, Fraction(0)), len(against)))
    return paid


def _each(
    paid: dict[str, list[Tally]], of: Callable[[str], Estimate | None], roles: bool
) -> dict[str, Estimate]:
    found = {key: of(key) for key in paid if (key in ROLES) == roles}
    return {key: e for key, e in found.items() if e is not None and e.count}


def _summary(compiled: Compiled, found: Sequence[Worked]) -> OpenSummary:
    paid = _paid(compiled, found)
    return OpenSummary(
        compiled=compiled,
        contracts=_shares([w.bid for w in found]),
        outcomes=_shares([w.outcome for w in found]),
        roles=_each(paid, lambda k: ratio(paid[k]), True),
        seats=_each(paid, lambda k: ratio(paid[k]), False),
        left=ratio([Tally(w.left, 1) for w in found]),
        tricks=ratio([Tally(Fraction(w.tricks), 1) for w in found if w.hombre is not None]),
    )


def open_pair(
    compiled: Sequence[Compiled], columns: Sequence[Sequence[Worked]], other: int, examples: int
) -> OpenPair:
    """How a rule set differs from the first over the same deals, with examples."""
    first, second = columns[0], columns[other]
    steps = [b.differs_from(a) for a, b in zip(first, second, strict=True)]
    paid = [_paid(compiled[i], columns[i]) for i in (0, other)]

    def differ(name: str, count: int) -> Share:
        return Share(name=name, count=count, share=proportion(count, len(steps)))

    def between(key: str) -> Estimate | None:
        found = difference(paid[1][key], paid[0][key])
        differing = sum(a != b for a, b in zip(paid[0][key], paid[1][key], strict=True))
        if found is None or differing >= FEWEST_DIFFERING:
            return found
        return replace(
            found, low=None, high=None
        )  # few deals that differ carry no interval (study.paired)

    example_deals = [
        OpenExample(
            n,
            sum((abs(x - y) for x, y in zip(a.net, b.net, strict=True)), Fraction(0)),
            step,
            (a, b),
        )
        for n, (a, b, step) in enumerate(zip(first, second, steps, strict=True))
        if step is not None
    ]
    example_deals.sort(key=lambda e: (-e.weight, e.number))
    return OpenPair(
        first=0,
        second=other,
        rules_diff=rules_difference(compiled[0], compiled[other]),
        contract_differs=differ("contract", sum(s not in (None, "payments") for s in steps)),
        payments_differ=differ(
            "payments", sum(a.net != b.net for a, b in zip(first, second, strict=True))
        ),
        steps=tuple(differ(step, steps.count(step)) for step in STEPS),
        roles=_each(paid[0], between, True),
        seats=_each(paid[0], between, False),
        examples=tuple(example_deals[:examples]),
    )
