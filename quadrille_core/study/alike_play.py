"""Who plays the sessions of which ``study.alike`` tells: the readable engine, in any number of processes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from quadrille_core.rules import RuleSet
from quadrille_core.study.alike import Watched, watch
from quadrille_core.study.deal_table import DealTable
from quadrille_core.study.observe import Tell
from quadrille_core.study.workers import in_order


class Plays(Protocol):
    """Plays sessions of a first rule set and of others; both engines do."""

    def watched(self, first: int, sessions: int, deals: int, others: Sequence[int], drawn: int) -> Iterator[Watched]:
        """Sessions ``first`` … of so many deals, some at a time and in order.

        ``others`` are places in the rule sets: who plays besides the first.  Of the deals that part, at least the
        ``drawn`` with the lowest lots are kept, a few of a session at most.
        """


def tell_of(told: DealTable | None, others: Sequence[int]) -> Tell | None:
    """How rows of that table are told of deals under the first rule set and these others."""
    return None if told is None else partial(told.of_readable, numbers=(0, *others))


_shared: tuple[Sequence[RuleSet], DealTable | None, bool] = ((), None, False)
"""In a worker process: the rule sets, sent once, so that what is cached for them is found again, what is told of deals,
and whether they are replayed."""


def _receive(rulesets: Sequence[RuleSet], told: DealTable | None, decompose: bool) -> None:
    global _shared  # noqa: PLW0603 - set once, when the process starts
    _shared = rulesets, told, decompose


def _work(others: Sequence[int], bots: Sequence[str], seed: int, session: int, deals: int) -> Watched:
    rulesets, told, decompose = _shared
    chosen, tell = [rulesets[i] for i in (0, *others)], tell_of(told, others)
    return watch(chosen, bots, seed, session, deals, tell, decompose=decompose)


@dataclass(frozen=True, slots=True)
class ReadableTable:
    """The readable engine."""

    rulesets: Sequence[RuleSet]
    bots: Sequence[str]
    seed: int
    workers: int
    told: DealTable | None = None
    """The table in which every deal is to be told."""
    decompose: bool = False
    """Whether deals are replayed for the direct effects."""

    def watched(self, first: int, sessions: int, deals: int, others: Sequence[int], drawn: int) -> Iterator[Watched]:
        """As ``Plays`` says."""
        del drawn  # all that a session offers is kept
        jobs = ((others, self.bots, self.seed, n, deals) for n in range(first, first + sessions))
        workers = min(self.workers, sessions)
        if workers <= 1:
            chosen, tell = [self.rulesets[i] for i in (0, *others)], tell_of(self.told, others)
            return (watch(chosen, *job[1:], tell, decompose=self.decompose) for job in jobs)
        return in_order(_work, jobs, workers, _receive, (tuple(self.rulesets), self.told, self.decompose))
