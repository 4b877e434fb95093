"""Deals that begin alike under two rule sets: how many part, where first, and who gains by it.

A deal *begins alike* when pool, times and beasts are the same under both, and the favourite suit where that of the
first deal stays; the first of a session always counts as one, for nothing but the rules can have set its pool.  It
*parts* first

* at the ``stakes``, when other players put other amounts into the pool, or the session's first pool is another;
* in the ``auction``, in the ``play``, or at the ``settlement``, where ``study.observe.part`` says;
* in ``carrying``, when all that goes alike, and yet the next deal begins otherwise or is played under one alone.

Deals after that do not begin alike for no new reason; they count in the whole sessions alone, where every gain is told
(``study.effects``).  Which deals begin alike depends on both rule sets, so that what is paid in them says how often
something differs, never who gains by it.  ``kernel.alike`` is the twin.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Final

from quadrille_core.engine.session import PlayedDeal
from quadrille_core.rules import RuleSet
from quadrille_plugins.lab.accounts import Movements, columns, minus
from quadrille_plugins.lab.direct import Standing, possible
from quadrille_plugins.lab.effects import Effects
from quadrille_plugins.lab.gathered import Table
from quadrille_plugins.lab.intervals import Accumulator, Moments, added
from quadrille_plugins.lab.observe import (
    KEEP,
    Sums,
    Tell,
    count,
    effects_between,
    moved_otherwise,
    part,
    partings_of,
    session_of,
)
from quadrille_plugins.lab.runner.plain import ASIDE
from quadrille_plugins.lab.runner.tasks import Sessions

STAGES: Final = ("stakes", "auction", "play", "settlement", "carrying")
PARTED, PAID = "parted", "paid"
"""All deals that part, and those of them in which some player gets or pays another amount."""


def lot(session: int, deal: int) -> int:
    """A number by which deals are drawn, as good as random and the same whoever asks."""
    x = (session * 0x9E3779B1 + deal * 0x85EBCA6B + 0x27D4EB2F) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    x = ((x ^ (x >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return x ^ (x >> 15)


@dataclass(frozen=True, slots=True, order=True)
class Drawn:
    """A deal that began alike and parts, drawn by lot, and how the session stood under either rule set."""

    lot: int
    session: int
    deal: int
    standings: tuple[Standing, Standing] = field(compare=False)


@dataclass(slots=True)
class Alike(Accumulator):
    """The sums of one pair: deals by stage, of those begun alike; counters that move otherwise, of those that part."""

    shares: dict[str, Moments] = field(default_factory=lambda: {s: Moments() for s in (*STAGES, PARTED, PAID)})
    weight: Moments = field(default_factory=Moments)
    effects: Effects = field(default_factory=Effects)
    """What the second rule set changes in whole sessions."""
    reach: dict[str, Fraction] = field(default_factory=dict)
    """By column of ``study.accounts``: see ``reach_of``; the largest of all sessions."""

    @property
    def trials(self) -> int:
        """Deals begun alike."""
        return self.shares[PARTED].count

    @property
    def parted(self) -> int:
        """Those of them that part."""
        return int(self.shares[PARTED].total)

    @property
    def paid(self) -> int:
        """Those of the parted in which some player gets or pays another amount."""
        return int(self.shares[PAID].total)

    @property
    def sessions(self) -> int:
        """How many sessions were held side by side."""
        return self.shares[PARTED].sessions

    def merge(self, other: "Alike") -> None:
        """The sums of other sessions, and the farther reach of each column."""
        reach = {**self.reach, **{c: max(self.reach.get(c, far), far) for c, far in other.reach.items()}}
        Accumulator.merge(self, other)
        self.reach = reach


@dataclass(slots=True)
class Watched:
    """Sessions under a first rule set and others: sums for each, and for each but the first how it parts from it."""

    tables: list[Table]
    pairs: list[Alike]
    drawn: list[list[Drawn]]
    """The deals with the lowest lots, KEEP of a session at most."""
    sessions: int = 0
    deals: int = 0
    rows: Iterable[str] = field(default=(), metadata={ASIDE: True})
    """Lines of a table that tell each deal, where that was asked for; of these sessions alone, not of those merged."""

    def of(self, task: Sessions) -> bool:
        """Whether they are of these sessions and rule sets, as far as their form tells."""
        others = len(task.others)
        return (
            (self.sessions, self.deals) == (task.units, sum(task.lengths))
            and (len(self.tables), len(self.pairs), len(self.drawn)) == (others + 1, others, others)
            and len({len(table.moved) for table in self.tables}) == 1
            and all(task.holds(d.session, d.deal) and possible(d.standings) for drawn in self.drawn for d in drawn)
        )

    def merge(self, other: "Watched") -> None:
        """Other sessions of the same rule sets."""
        added(self.tables, other.tables)
        added(self.pairs, other.pairs)
        self.drawn = [[*mine, *more] for mine, more in zip(self.drawn, other.drawn, strict=True)]
        self.sessions += other.sessions
        self.deals += other.deals


def reach_of(first: Movements, second: Movements) -> list[Fraction]:
    """The largest sum by column that was won or lost in a session under either rule set, or differs between them."""
    return [max(map(abs, amounts)) for amounts in zip(first, second, minus(second, first), strict=True)]


def watch(
    rulesets: Sequence[RuleSet],
    bots: Sequence[str],
    seed: int,
    session: int,
    deals: int,
    tell: Tell | None = None,
    *,
    decompose: bool = False,
) -> Watched:
    """Play one session under each rule set on the same cards, and hold it side by side with the first's.

    ``tell`` adds rows for each deal; ``decompose`` replays every deal under the other rule set for the direct effects.
    """
    tables = [session_of(ruleset, bots, seed, session, deals) for ruleset in rulesets]
    watched, sums = Watched([Table() for _ in rulesets], [], [], 1, deals), [Sums() for _ in rulesets]
    for table, total, played in zip(watched.tables, sums, tables, strict=True):
        for one in played:
            count(total, one)
        table.add(total)
    players, moved = rulesets[0].rules.table.players, [total.moved for total in sums]
    effects = effects_between(rulesets, tables, moved, bots, seed, session, deals, decompose=decompose)
    for played, its, effect in zip(tables[1:], moved[1:], effects, strict=True):
        alike, drawn = _hold(session, tables[0], played)
        alike.effects = effect
        alike.reach = dict(zip(columns(players), reach_of(moved[0], its), strict=True))
        watched.pairs.append(alike)
        watched.drawn.append(drawn)
    if tell is not None:
        watched.rows = [row for played in zip_longest(*tables) for row in tell(played, partings_of(played))]
    return watched


def stage_of(a: PlayedDeal, b: PlayedDeal, after: tuple[PlayedDeal | None, PlayedDeal | None]) -> str | None:
    """Where two plays of one deal first part, ``after`` them the session's next deals; None when nowhere."""
    if not begun_alike(a, b) or _antes(a) != _antes(b):
        return "stakes"
    parting = part(a, b)
    if parting is not None:
        return parting.stage
    one, other = after
    if (one is None) != (other is None):
        return "carrying"
    return "carrying" if one is not None and other is not None and not begun_alike(one, other) else None


def begun_alike(a: PlayedDeal, b: PlayedDeal) -> bool:
    """Whether two deals begin with the same pool, times, beasts and, where earlier deals decide it, favourite suit."""
    one, other = standing_of(a), standing_of(b)
    if any(p.deal.rules.favourite.source != "first_trumps" for p in (a, b)):
        one, other = (replace(s, favourite=None) for s in (one, other))
    return one == other


def standing_of(played: PlayedDeal) -> Standing:
    """How the session stood when a deal began."""
    s = played.setup
    return Standing(pool=s.pool, multiplier=s.multiplier, beasts=s.beasts, favourite=s.favourite)


def _antes(played: PlayedDeal) -> tuple[Fraction, ...]:
    return tuple(played.antes[chair] for chair in played.chair_of_seat)


def _hold(session: int, mine: Sequence[PlayedDeal], theirs: Sequence[PlayedDeal]) -> tuple[Alike, list[Drawn]]:
    stages: Counter[str] = Counter()
    drawn: list[Drawn] = []
    trials, paid, weight = 0, 0, Fraction(0)
    after = list(zip_longest(mine[1:], theirs[1:]))
    for number, (a, b) in enumerate(zip(mine, theirs, strict=False)):
        if number and not begun_alike(a, b):
            continue
        trials += 1
        stage = stage_of(a, b, after[number] if number < len(after) else (None, None))
        if stage is None:
            continue
        stages[stage] += 1
        otherwise = moved_otherwise(a, b)
        paid += otherwise != 0
        weight += otherwise
        drawn.append(Drawn(lot(session, number), session, number, (standing_of(a), standing_of(b))))
    parted, alike = stages.total(), Alike()
    for name in STAGES:
        alike.shares[name].add(stages[name], trials)
    alike.shares[PARTED].add(parted, trials)
    alike.shares[PAID].add(paid, trials)
    alike.weight.add(weight, parted)
    return alike, sorted(drawn)[:KEEP]
