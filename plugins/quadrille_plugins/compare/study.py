"""The main job: the same deals under each rule set, over whole sessions, and what differs.

The session is the unit of sampling: its pool carries over from deal to deal, each rule set carrying
its own. Sessions are independent of one another; they are played in blocks (``studies.runner``),
which are added up in order.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, sqrt

from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.compare.blocks import Compared, Comparing
from quadrille_plugins.compare.tables import SideBySide
from quadrille_plugins.diff.differences import RuleDifference, rules_difference
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import IF_MOVED, ROLE_SUMS, columns, seats
from quadrille_plugins.studies.accumulators import (
    CARRIED,
    DIVERGING,
    LEFT_OUT,
    PAYMENTS_DIFFER,
    ROLES,
    Accumulators,
)
from quadrille_plugins.studies.deal_table import Listing
from quadrille_plugins.studies.design import FAST, READABLE, Design, Progress, Share
from quadrille_plugins.studies.differences import same_rules
from quadrille_plugins.studies.distribution import (
    QUARTILES,
    Distribution,
    at_one_look,
    distribution,
)
from quadrille_plugins.studies.effects import ESTIMANDS, SPREAD, TOTAL
from quadrille_plugins.studies.engines import engine_for
from quadrille_plugins.studies.family import in_the_way
from quadrille_plugins.studies.intervals import Estimate, Moments, difference_of, mean_of, share_of
from quadrille_plugins.studies.looks import (
    LOOKS_COUNT_AS,
    MOST_SESSIONS,
    able_to_move,
    identical_columns,
    looks,
)
from quadrille_plugins.studies.observe import Example
from quadrille_plugins.studies.paired import FEWEST_DIFFERING, PICKED_ROLES, Effect, all_effects
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import block_size, in_blocks


@frozen
class Summary:
    """One rule set's deals summed up."""

    compiled: Compiled
    contracts: tuple[Share, ...]
    outcomes: tuple[Share, ...]
    voles: tuple[Share, ...]
    by_contract: tuple[tuple[str, str, int], ...]
    roles: dict[str, Estimate]
    """Of a role, the mean payment when there is one."""
    seats: dict[str, Estimate]
    spread: dict[str, float]
    """Standard deviation of single payments, by role and seat."""
    moved: dict[str, Fraction]
    """Mean movement a deal by column of ``studies.accounts``: of a role, its sum over players and
    all deals."""
    mean_pool: Fraction


@frozen
class MatchedStarts:
    """Deals of the first rule set's sampled sessions beside the same deals, from the same state,
    under the second."""

    diverging: Share
    paid: Share
    """Those in which some player gets or pays another amount, antes among it."""
    stages: tuple[Share, ...]
    left_out: Share
    """Of the deals replayed, those whose state the second rule set cannot hold: no matched
    starts."""


@frozen
class Pair:
    """The first rule set against another."""

    first: int
    second: int
    same: bool
    """Whether both have the same rules, so that nothing can differ."""
    rules_diff: tuple[RuleDifference, ...]
    diverging: Share
    paid: Share
    """Deals in which some player gets or pays another amount, antes among it."""
    carried: Share
    """Of the diverging deals, those that began with another pool already, left by earlier deals."""
    stages: tuple[Share, ...]
    starts: MatchedStarts
    effects: Mapping[str, Mapping[str, Effect]]
    """By estimand and column, in counters a session."""
    roles: dict[str, Estimate]
    """Of a role, the difference of the mean payments when there is one; a mean of other deals under
    either rule set."""
    sessions: Mapping[str, Distribution]
    """By column, the distribution over whole sessions of what they differ by in total."""
    replayed: Mapping[str, int]
    """Deals replayed, by direction, and of these (direction, what) those whose standing the other
    rules cannot hold."""
    lost: Mapping[tuple[str, str], int]
    examples: tuple[Example, ...]


@frozen
class Comparison(SideBySide):
    """Everything a comparison found."""

    design: Design
    engine: str
    """The engine that played it: readable or fast."""
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    interrupted: bool = False
    decided: bool = True
    """Whether all that was played on for has a verdict."""
    family: tuple["Comparison", ...] = ()
    """Every member of the family that was asked, this one first; empty where one player was."""

    @property
    def is_preliminary(self) -> bool:
        """Whether the readable engine left off undecided where the fast one would go on."""
        left_off = len(self.design.lengths) == MOST_SESSIONS[READABLE]
        return (
            self.engine == READABLE
            and self.design.until is not None
            and not self.decided
            and left_off
        )


def compare(
    compiled: Sequence[Compiled],
    design: Design,
    *,
    progress: Progress | None = None,
    examples: int = 5,
    engine: str = READABLE,
    tables: fast.Tables | None = None,
    listing: Listing | None = None,
    runner: Runner | None = None,
) -> Comparison:
    """Play the design under every rule set and sum up; ``engine`` is ``readable`` or ``fast``, with
    the same results.

    ``tables`` are the rule sets as ``tabulated``, if they are at hand, ``listing`` a table of deals
    to be written, ``runner`` plays the blocks.
    Of a family every member plays the design; what is found is told as the first finds it, with
    that of all. Raises UsageError where the fast engine is to play what it cannot.
    Interrupted by the user, it reports the sessions that were finished and says so; it raises
    KeyboardInterrupt only when not one was, or when it is interrupted again before it has summed
    them up.
    """
    rulesets = tuple(c.ruleset for c in compiled)
    if engine == FAST and tables is None:
        _, tables = engine_for(FAST, rulesets, design.bots, 0)
    told = None if listing is None else listing.table
    work = Comparing(
        rulesets,
        design.bots,
        design.seed,
        FAST if tables else READABLE,
        design.decompose,
        examples,
        told,
        design.others,
    )
    play = Play(compiled, design, work, runner or Runner(), listing, progress)
    interrupted = play.all()
    found = [
        play.comparison(n, engine) for n, sums in enumerate(play.found) if sums.accumulated.sessions
    ]
    decided = design.until is None or not play.undecided()
    return replace(
        found[0],
        family=tuple(found) if design.others else (),
        interrupted=interrupted,
        decided=decided,
    )


@dataclass(slots=True)
class Play:
    """A comparison under way, at every table of a family."""

    compiled: Sequence[Compiled]
    design: Design
    work: Comparing
    running: Runner
    listing: Listing | None
    progress: Progress | None
    found: list[Compared] = field(init=False)
    done: list[int] = field(init=False)
    """Sessions by table."""
    likely: int = 0
    """About how many deals will have been played in all."""
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        tables = range(1 + len(self.design.others))
        self.found = [Compared.empty(len(self.compiled)) for _ in tables]
        self.done = [0 for _ in tables]

    def all(self) -> bool:
        """Play whatever the design says; whether the user interrupted it."""
        everyone, whole = list(range(len(self.found))), len(self.design.lengths)
        first = whole if self.design.until is None else next(looks(whole))
        self.likely = sum(self.design.lengths[:first]) * len(everyone)
        with self.running:
            try:
                if self.design.until is None:
                    self._play_to(whole, everyone, self.running.size(self._block(whole)))
                for upto in looks(whole) if self.design.until is not None else ():
                    tables = self.undecided() if self.done[0] else everyone
                    if not tables:
                        break
                    self._play_to(upto, tables, self._block(upto - max(self.done)))
            except KeyboardInterrupt:
                if not self.found[0].accumulated.sessions:
                    raise
                return True
        return False

    def _block(self, sessions: int) -> int:
        slow, listed = self.work.engine != FAST, self.listing is not None
        return block_size(
            sessions, self.design.length, len(self.compiled), slow=slow, listed=listed
        )

    def _play_to(self, upto: int, tables: Sequence[int], size: int) -> None:
        """Play so many sessions in all at these tables."""
        tasks = [
            task
            for table in tables
            for task in in_blocks(
                self.design.lengths[self.done[table] : upto],
                size,
                first=self.done[table],
                table=table,
            )
        ]
        blocks = self.running.run(self.work, tasks, independent=self.design.until is None)
        for block, task in zip(blocks, tasks, strict=False):
            if self.listing is not None:
                self.listing.writer.write(block.rows)
            self.found[task.table].merge(block, self.work.examples)
            self.done[task.table] += task.units
            if self.progress is not None:
                played = sum(sum(self.design.lengths[:sessions]) for sessions in self.done)
                self.progress(played, max(played, self.likely), time.monotonic() - self.started)

    def undecided(self) -> list[int]:
        """The tables at which play goes on, for something awaited is not decided there, nor by all
        of the family."""
        going: dict[int, int] = {}
        names = [
            *PICKED_ROLES,
            *(seats(self.design.players) if self.design.until == "seats" else ()),
        ]
        for other in range(1, len(self.compiled)):
            totals = [
                _effects(self.compiled, one.accumulated, other, self.design, forecast=False)[TOTAL]
                for one in self.found
            ]
            for name in names:
                for table, effect in in_the_way(
                    {n: total[name] for n, total in enumerate(totals)}
                ).items():
                    going[table] = max(going.get(table, 0), _likely(effect, self.design.deals))
        self.likely = sum(
            going.get(table, sum(self.design.lengths[:sessions]))
            for table, sessions in enumerate(self.done)
        )
        return sorted(going)

    def design_at(self, table: int) -> Design:
        """What was played at a table."""
        return replace(
            self.design,
            bots=(self.design.bots, *self.design.others)[table],
            lengths=self.design.lengths[: self.found[table].accumulated.sessions],
        )

    def comparison(self, table: int, engine: str) -> Comparison:
        """What was found at a table."""
        sums, compiled = self.found[table].accumulated, self.compiled
        design = self.design_at(table)
        examples = self.work.at(table).retold(self.found[table])
        return Comparison(
            design=design,
            engine=engine,
            summaries=tuple(_summary(sums, i, c) for i, c in enumerate(compiled)),
            pairs=tuple(
                _pair(compiled, sums, i, examples[i - 1], design) for i in range(1, len(compiled))
            ),
        )


def _likely(e: Effect, most: int) -> int:
    """About how many deals a verdict takes in all, were the effect as large as it looks."""
    off = abs(abs(float(e.mean)) - e.interest)
    if e.low is None or e.high is None or not off:
        return most
    return min(most, ceil(e.deals * max(1.0, ((e.high - e.low) / 2 / off) ** 2)))


def _effects(
    compiled: Sequence[Compiled],
    found: Accumulators,
    other: int,
    design: Design,
    *,
    forecast: bool = True,
) -> Mapping[str, Mapping[str, Effect]]:
    """Every effect of that rule set beside the first, by estimand and column."""
    rules = [c.rules for c in compiled]
    moving = able_to_move(rules)
    same = same_rules(compiled[0], compiled[other])
    identical = frozenset(moving) if same else identical_columns(rules[0], rules[other])
    alternatives, comparisons = len(compiled) - 1, None
    if design.holds_together:
        comparisons = len(set(moving) - identical or moving) * _times(compiled, design)
        comparisons *= len(ESTIMANDS) if design.decompose else 1
    return all_effects(
        found.effects[other - 1],
        design.length,
        smallest=design.smallest,
        alternatives=alternatives,
        identical=identical,
        comparisons=comparisons,
        forecast=forecast,
    )


def _times(compiled: Sequence[Compiled], design: Design) -> int:
    """Among how many times its figures an answer that holds together divides the error."""
    looks_count = 1 if design.until is None else LOOKS_COUNT_AS
    return (len(compiled) - 1) * (1 + len(design.others)) * looks_count


def _sessions(
    compiled: Sequence[Compiled], found: Accumulators, other: int, design: Design
) -> Mapping[str, Distribution]:
    """The distribution of what sessions differ by, of the columns in which anything moved."""
    effects = found.effects[other - 1]
    spreads = effects.spreads.get(design.length, {})
    moving = set(SPREAD) & set(able_to_move([c.rules for c in compiled]))
    together = len(moving) * len(QUARTILES) * _times(compiled, design)
    by = at_one_look(together if design.holds_together else 1)
    named = [name for name in SPREAD if name in spreads and effects.reach[name]]
    return {name: distribution(spreads[name], by) for name in named}


def _share(name: str, found: Moments) -> Share:
    return Share(name=name, count=int(found.total), share=share_of(found))


def _shares(
    found: Accumulators, table: int, kind: str, order: Sequence[str] = ()
) -> tuple[Share, ...]:
    happened = found.tables[table].names(kind)
    names = [n for n in order if n in happened] if order else happened
    shares = [_share(n, found.share(table, kind, n)) for n in names]
    return tuple(shares if order else sorted(shares, key=lambda s: (-s.count, s.name)))


def _summary(found: Accumulators, number: int, compiled: Compiled) -> Summary:
    table = found.tables[number]
    keys = sorted(table.names("paid"), key=lambda k: (k not in ROLES, k))
    estimates = {k: mean_of(found.paid(number, k)) for k in keys}
    return Summary(
        compiled=compiled,
        contracts=_shares(found, number, "contract"),
        outcomes=_shares(found, number, "outcome", ("won", "remise", "codille", "redealt")),
        voles=_shares(found, number, "vole", ("won", "lost")),
        by_contract=tuple((c, o, n) for (c, o), n in sorted(table.by_contract.items())),
        roles={r: estimates[r] for r in ROLES if r in estimates},
        seats={k: v for k, v in estimates.items() if k not in ROLES},
        spread={
            k: _deviation(found.paid(number, k), table.squares.get(k, Fraction(0))) for k in keys
        },
        moved={
            name: amount / table.deals.count
            for name, amount in zip(columns(compiled.rules.table.players), table.moved, strict=True)
            if amount or name not in IF_MOVED
        },
        mean_pool=table.pool_before / table.deals.count,
    )


def _deviation(paid: Moments, squares: Fraction) -> float:
    if paid.count < 2:
        return 0.0
    return sqrt((squares - paid.total * paid.total / paid.count) / (paid.count - 1))


def _with_what_moves(
    effects: Mapping[str, Mapping[str, Effect]], moved: Sequence[Mapping[str, Fraction]]
) -> Mapping[str, Mapping[str, Effect]]:
    """The effects without the columns that are left out where nothing moves; ``moved`` is by rule
    set."""
    idle = {
        name
        for name in IF_MOVED
        if not any(m[name] for m in moved)
        and not any(changes[name].differing for changes in effects.values())
    }
    return {
        estimand: {n: e for n, e in changes.items() if n not in idle}
        for estimand, changes in effects.items()
    }


def _pair(
    compiled: Sequence[Compiled],
    found: Accumulators,
    other: int,
    example_deals: Sequence[Example],
    design: Design,
) -> Pair:
    same = same_rules(compiled[0], compiled[other])
    pair, stages = other - 1, ("auction", "play", "settlement")
    effects = found.effects[pair]
    starts = {name: _share(name, moments) for name, moments in found.pairs[pair].starts.items()}
    estimates: dict[str, Estimate] = {}
    for role, together in zip(ROLES, ROLE_SUMS, strict=False):
        estimate = difference_of(
            found.paid(other, role), found.paid(0, role), found.products(pair, role).turned()
        )
        if estimate is not None:
            enough = effects.changes[TOTAL][together].differing >= FEWEST_DIFFERING
            estimates[role] = estimate if enough else replace(estimate, low=None, high=None)
    return Pair(
        first=0,
        second=other,
        same=same,
        rules_diff=rules_difference(compiled[0], compiled[other]),
        diverging=_share(DIVERGING, found.pair_share(pair, DIVERGING)),
        paid=_share(PAYMENTS_DIFFER, found.pair_share(pair, PAYMENTS_DIFFER)),
        carried=_share(CARRIED, found.carried_share(pair)),
        stages=tuple(_share(n, found.pair_share(pair, n)) for n in stages),
        starts=MatchedStarts(
            diverging=starts[DIVERGING],
            paid=starts[PAYMENTS_DIFFER],
            stages=tuple(starts[n] for n in ("stakes", *stages)),
            left_out=starts[LEFT_OUT],
        ),
        effects=_with_what_moves(
            _effects(compiled, found, other, design),
            [
                dict(zip(columns(design.players), found.tables[i].moved, strict=True))
                for i in (0, other)
            ],
        ),
        roles=estimates,
        sessions={} if same else _sessions(compiled, found, other, design),
        replayed=effects.replayed,
        lost=effects.lost,
        examples=tuple(example_deals),
    )
