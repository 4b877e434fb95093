"""Deals that begin alike under two rule sets: how many part, where first, and who gains by it.

A deal *begins alike* when pool, times and beasts are the same under both, and the favourite suit where that of the
first deal stays; the first of a session always counts as one, for nothing but the rules can have set its pool.  It
*parts* first

* at the ``stakes``, when other players put other amounts into the pool, or the session's first pool is another;
* in the ``auction``, in the ``play``, or at the ``settlement``, where ``study.observe.part`` says;
* in ``carrying``, when all that goes alike, and yet the next deal begins otherwise or is played under one alone.

What a player gets or pays in a deal is what she put as ante and what its settlement moved.  Seats count both, and so do
the counters that move otherwise.  Roles count settlements alone, as everywhere: antes are put before anybody is Hombre,
and in a deal that is redealt by nobody who ever is.

Deals that do not begin alike tell what earlier ones have led to; they are left out here, and are in the whole
sessions' sums.  ``kernel.alike`` is the twin.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Final

from quadrille_core.bots import make_bot
from quadrille_core.engine.session import PlayedDeal, play_session
from quadrille_core.rules import RuleSet
from quadrille_core.study.direct import Standing
from quadrille_core.study.gathered import Table
from quadrille_core.study.intervals import Moments
from quadrille_core.study.observe import (
    KEEP,
    ROLES,
    Sums,
    Tell,
    count,
    moved_otherwise,
    part,
    partings_of,
    role_of,
)

STAGES: Final = ("stakes", "auction", "play", "settlement", "carrying")
PARTED, PAID = "parted", "paid"
"""All deals that part, and those of them in which some player gets or pays another amount."""


def payees(players: int) -> tuple[str, ...]:
    """Every seat and role."""
    return *(f"seat {s}" for s in range(players)), *ROLES


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
class Effect:
    """What a seat or role gained by the second rule set: sums over sessions, in counters.

    ``by_trials`` and ``by_parted`` are sums of its products with the deals begun alike and with those that part.
    """

    gained: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)
    by_trials: Fraction = Fraction(0)
    by_parted: Fraction = Fraction(0)
    moved: int = 0
    """Sessions in which it was not nothing."""
    whole: Fraction = Fraction(0)
    """The same over whole sessions."""
    whole_squares: Fraction = Fraction(0)
    whole_moved: int = 0

    def merge(self, other: "Effect") -> None:
        """The sums of other sessions."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Alike:
    """The sums of one pair: deals by stage, of those begun alike; counters that move otherwise, of those that part."""

    shares: dict[str, Moments] = field(default_factory=lambda: {s: Moments() for s in (*STAGES, PARTED, PAID)})
    weight: Moments = field(default_factory=Moments)
    effects: dict[str, Effect] = field(default_factory=dict)

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
        """The sums of other sessions."""
        for name, found in other.shares.items():
            self.shares[name] = self.shares[name].merged(found)
        self.weight = self.weight.merged(other.weight)
        for key, effect in other.effects.items():
            self.effects.setdefault(key, Effect()).merge(effect)


@dataclass(slots=True)
class Watched:
    """Sessions under a first rule set and others: sums for each, and for each but the first how it parts from it."""

    tables: list[Table]
    pairs: list[Alike]
    drawn: list[list[Drawn]]
    """The deals with the lowest lots, KEEP of a session at most."""
    sessions: int = 0
    deals: int = 0
    rows: Iterable[list[Any]] = ()
    """What is told of each deal, where that was asked for; of these sessions alone, not of those merged."""

    def merge(self, other: "Watched") -> None:
        """Other sessions of the same rule sets."""
        for table, its in zip(self.tables, other.tables, strict=True):
            table.merge(its)
        for pair, another in zip(self.pairs, other.pairs, strict=True):
            pair.merge(another)
        self.drawn = [[*mine, *more] for mine, more in zip(self.drawn, other.drawn, strict=True)]
        self.sessions += other.sessions
        self.deals += other.deals


def watch(
    rulesets: Sequence[RuleSet], bots: Sequence[str], seed: int, session: int, deals: int, tell: Tell | None = None
) -> Watched:
    """Play one session under each rule set on the same cards, and hold it side by side with the first's.

    ``tell`` adds rows for each deal.
    """
    tables = [
        list(play_session(r, [make_bot(name) for name in bots], seed=seed, session=session, deals=deals))
        for r in rulesets
    ]
    sums = [Sums() for _ in rulesets]
    for total, played in zip(sums, tables, strict=True):
        for one in played:
            count(total, one)
    watched = Watched([Table() for _ in rulesets], [], [], 1, deals)
    for table, total in zip(watched.tables, sums, strict=True):
        table.add(total)
    for total, played in zip(sums[1:], tables[1:], strict=True):
        alike, drawn = _hold(session, tables[0], played)
        _whole(alike, sums[0], total)
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
    gained = {key: Fraction(0) for key in payees(len(mine[0].chair_of_seat))}
    drawn: list[Drawn] = []
    trials, paid, weight = 0, 0, Fraction(0)
    after = list(zip_longest(mine[1:], theirs[1:]))
    for number, (a, b) in enumerate(zip(mine, theirs, strict=False)):
        if number and not begun_alike(a, b):
            continue
        trials += 1
        _pay(gained, b, 1)
        _pay(gained, a, -1)
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
    for key, change in gained.items():
        alike.effects[key] = Effect(change, change * change, change * trials, change * parted, int(change != 0))
    return alike, sorted(drawn)[:KEEP]


def _pay(gained: dict[str, Fraction], played: PlayedDeal, sign: int) -> None:
    for seat, chair in enumerate(played.chair_of_seat):
        net = played.settlement.net[seat] if played.settlement else Fraction(0)
        gained[f"seat {seat}"] += sign * (net - played.antes[chair])
        role = role_of(played, seat)
        if role is not None:
            gained[role] += sign * net


def _whole(alike: Alike, first: Sums, second: Sums) -> None:
    for key, effect in alike.effects.items():
        change = sum(
            (s.payments[key].total * sign for s, sign in ((second, 1), (first, -1)) if key in s.payments), Fraction(0)
        )
        effect.whole, effect.whole_squares, effect.whole_moved = change, change * change, int(change != 0)
