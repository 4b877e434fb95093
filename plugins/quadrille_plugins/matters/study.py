"""Whether a reading matters: two rule sets on the same deals, looked at again and again until the
answer is certain.

Three verdicts.  *Same rules*: nothing need be played.  *No difference*: none was found in so many
deals, and how often there could be one is bounded.  *Different*: at least one matched start
diverges, which proves it; how often and where is then estimated.  A mean of zero is no verdict:
deals that diverge either way are different all the same.

Who gains by it is told of whole sessions, for every column of ``studies.accounts``: the *total*
effect, and where deals are replayed the *direct* and the *carried* one.  Each effect has a verdict
of its own against a smallest effect of interest (``studies.equivalence``): larger, smaller, or
undecided.

The bounds are confidence sequences (``studies.sequences``), so that stopping as soon as the answer
is certain costs no honesty.  Sessions are looked at in steps that depend on nothing but their
number.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from math import ceil, inf, sqrt
from typing import Any, Final, Literal

from quadrille_core.errors import Problem, UsageError
from quadrille_core.frozen import frozen, frozen_by_keyword
from quadrille_core.ruleset import Compiled
from quadrille_plugins.diff.differences import RuleDifference, rules_difference
from quadrille_plugins.matters.alternatives import Alternative
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.matched_starts import STAGES, MatchedSums
from quadrille_plugins.shell.values import grouped
from quadrille_plugins.studies.accounts import ZERO, columns
from quadrille_plugins.studies.accounts import seats as seats_of
from quadrille_plugins.studies.accumulators import RuleSetSums
from quadrille_plugins.studies.deal_table import Writer
from quadrille_plugins.studies.design import plan
from quadrille_plugins.studies.differences import same_rules
from quadrille_plugins.studies.distribution import (
    FIGURES,
    Distribution,
    at_all_looks,
    distribution,
)
from quadrille_plugins.studies.effects import DIRECT, ESTIMANDS, LOST, SPREAD, TOTAL, reaches
from quadrille_plugins.studies.equivalence import (
    DECIDED,
    MOST_NEEDED,
    NEAR,
    SMALLEST,
    UNDECIDED,
    Answer,
    answer,
    in_deals,
    interest_in,
    sessions_needed,
)
from quadrille_plugins.studies.family import (
    DEPENDS,
    FamilyAnswer,
    FamilyEffect,
    answer_of_all,
    family_effect,
    in_the_way,
    longest,
)
from quadrille_plugins.studies.intervals import Moments
from quadrille_plugins.studies.looks import able_to_move
from quadrille_plugins.studies.looks import looks as look_by_look
from quadrille_plugins.studies.over_sessions import OverSessions
from quadrille_plugins.studies.sequences import (
    ALPHA,
    HEAVY,
    Bounds,
    PayeeSums,
    deviation,
    share_bounds,
    trials_for,
)
from quadrille_plugins.studies.sessions import SampledDeal

SAME: Final = "same rules"
NONE: Final = "no difference"
DIFFERENT: Final = "different"
REFUSED: Final = "not comparable"
Verdict = Literal["same rules", "no difference", "different", "not comparable"]
"""``not comparable``: the reading does not go with the others, or there are no deals to be played
under both."""

SAMPLED: Final = 60
"""Divergent deals, sampled at random, from which examples and the finer stages are told."""
RARER: Final = 10
"""Also estimate the cost at precision / 10."""

Progress = Callable[[int, int, float], None]
"""Called with deals done, the most deals there may be, and seconds since the start."""
Forecast = Callable[[Sequence[Sequence["AlternativeRun"]], int, int], None]
"""Called after each look with the alternatives that go on, by table of players, the sessions done,
and the same counted under every rule set and player that played them."""


@frozen_by_keyword
class Question:
    """The question's parameters; with the rule sets' digests they determine every number."""

    seed: int
    bots: tuple[str, ...]
    """By chair."""
    session_deals: int
    sessions: int
    """The most that may be played."""
    precision: float
    """The share of deals below which a difference is not looked for any longer."""
    smallest: Fraction
    """The smallest effect of interest, in counters a seat and session of
    ``equivalence.OF_DEALS``."""
    within: Fraction
    """Stop when every payment is known to within this many counters.

    Roles and accounts are sums over players: for them both are as many times that.
    """
    alpha: float
    """With what probability each bound of a share ever fails."""
    columns: int
    """Among how many columns of payments that probability is divided."""
    estimands: int = 1
    """And among how many estimands: five where deals are replayed, two of them from the other
    side."""
    seats: bool = False
    """Whether one plays on until there is a verdict on every seat; else on roles, on accounts, and
    on the seats that are shown to gain or lose at all."""
    alternatives: int
    """How many alternatives the usual 5 % were divided among."""
    others: tuple[tuple[str, ...], ...] = ()
    """The bots of the other members of a family, where one is asked: the 5 % are divided among all
    members as well."""

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """The bots of every table that is asked."""
        return (self.bots, *self.others)

    @property
    def members(self) -> tuple[str, ...]:
        """The members of the family that is asked, the first one of these chairs; that one alone
        without a family."""
        return tuple(bots[0] for bots in self.tables)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.bots)

    @property
    def deals(self) -> int:
        """The most deals that may be played."""
        return self.sessions * self.session_deals

    def interest_in(self, column: str) -> float:
        """The smallest effect of interest on a column, in counters a session of this study."""
        return float(interest_in(column, self.smallest, self.session_deals, self.players))

    def within_in(self, column: str) -> float:
        """Half an interval of a column that is narrow enough, in counters a session of this
        study."""
        return float(interest_in(column, self.within, self.session_deals, self.players))

    @property
    def payment_alpha(self) -> float:
        """With what probability each interval of a payment ever fails."""
        return self.alpha / (self.columns * self.estimands)


@frozen
class Mean:
    """A mean difference in a session, in counters, its bounds, and the verdict on it."""

    mean: Fraction
    bounds: Bounds
    differing: int
    """Sessions in which it was not zero."""
    answer: Answer
    """The verdict on it."""
    needed: tuple[int, int] | None
    """Between how many deals a verdict takes, with a probability of 90 %; None where there is one,
    or near a size."""
    interest: float
    """What the verdict holds the bounds against, in counters a session."""

    @property
    def low(self) -> float:
        """The lower end of the bounds."""
        return self.bounds.low

    @property
    def high(self) -> float:
        """The upper end."""
        return self.bounds.high


@frozen
class Gain:
    """What one column of ``studies.accounts`` gains by the second rule set in a session, by
    estimand."""

    column: str
    means: Mapping[str, Mean]

    @property
    def total(self) -> Mean:
        """Over whole sessions as they come."""
        return self.means[TOTAL]


@frozen
class Cost:
    """What it takes to know more: deals, and until what."""

    deals: int | tuple[int, int] | None
    """Of verdicts between how many; None where an effect is near the size that it is held
    against."""
    until: Literal["precision", "tenth_of_precision", "verdicts"]


@frozen
class Finding:
    """The finding on one alternative."""

    point: str | None
    reading: str | None
    compiled: Compiled | None
    verdict: Verdict
    refusal: tuple[Problem, ...] = ()
    rules_diff: tuple[RuleDifference, ...] = ()
    certain: bool = True
    """Whether as much is known as was asked for."""
    sessions: int = 0
    deals: int = 0
    """Deals played under both; fewer than the sessions have where one of them rises earlier."""
    trials: int = 0
    """Those of them that are matched starts."""
    diverged: int = 0
    """Those of the matched starts that diverge."""
    share: Bounds | None = None
    """The average chance that a matched start diverges."""
    stages: Mapping[str, int] = field(default_factory=dict)
    paid: int = 0
    """Those of them in which some player gets or pays another amount, antes among it."""
    paid_share: Bounds | None = None
    """The average chance of such a deal."""
    weight: Fraction | None = None
    """Counters that move differently in a matched start that diverges, antes among them, on
    average."""
    gains: tuple[Gain, ...] = ()
    over_sessions: Mapping[str, Distribution] = field(default_factory=dict)
    """By column, the distribution over sessions of what they differ by in total."""
    paired: float | None = None
    """How many times the seats' variance would be, were different deals played under each; None
    where none varies."""
    replayed: int = 0
    """Deals of the first rule set's sessions replayed under the second for the direct effect."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Those of them that stood as the second cannot hold, by ``effects.LOST``."""
    costs: tuple[Cost, ...] = ()
    sampled: tuple[SampledDeal, ...] = ()
    family: Mapping[str, "Finding"] = field(default_factory=dict)
    """What each member of a family finds, the first one as here; empty where one player was
    asked."""

    @property
    def by_member(self) -> Mapping[str, "Finding"]:
        """What each of those who were asked finds."""
        return self.family or {"": self}

    @property
    def verdicts(self) -> dict[str, FamilyEffect]:
        """The total effect on each column by all members of a family; empty where one player was
        asked."""
        return (
            {g.column: family_effect(self.by_all(g.column)) for g in self.gains}
            if self.family
            else {}
        )

    def answer_on(self, column: str) -> FamilyAnswer:
        """The verdict on the total effect on a column by all who were asked."""
        return answer_of_all(self.by_all(column).values())

    def by_all(self, column: str, estimand: str = TOTAL) -> dict[str, Mean]:
        """The effect on a column by each of those who were asked and for whom anything moved
        there."""
        found = (
            (who, g) for who, f in self.by_member.items() for g in f.gains if g.column == column
        )
        return {who: g.means[estimand] for who, g in found}

    @property
    def distributions(self) -> dict[str, list[OverSessions]]:
        """By column, the mean and the distribution over sessions as each of those who were asked
        finds them."""

        def of(column: str) -> list[OverSessions]:
            return [
                OverSessions(
                    who,
                    mean.mean,
                    mean.low,
                    mean.high,
                    self.by_member[who].over_sessions.get(column, {}),
                )
                for who, mean in self.by_all(column).items()
            ]

        return {column: of(column) for column in self.over_sessions}

    def undecided(self, column: str, estimand: str = TOTAL) -> list[Mean]:
        """The members' effects on a column that stand in the way of a verdict; none where it
        depends on who plays."""
        return list(in_the_way(self.by_all(column, estimand)).values())


@frozen
class Matters:
    """The whole answer."""

    base: Compiled
    design: Question
    engine: str
    findings: tuple[Finding, ...]
    interrupted: bool = False


# --- what may be asked --------------------------------------------------------------------------


def sort_out(
    base: Compiled, alternatives: Sequence[Alternative]
) -> tuple[list[Finding], list[Alternative]]:
    """What need not be played, with its verdict, and what must."""
    settled: list[Finding] = []
    played: list[Alternative] = []
    for alternative in alternatives:
        verdict: Verdict = REFUSED
        refusal = alternative.refusal
        if alternative.compiled is not None:
            if same_rules(base, alternative.compiled):
                verdict = SAME
            else:
                try:
                    plan(
                        [base, alternative.compiled],
                        deals=1,
                        sessions=None,
                        seed=0,
                        bots=("steady",),
                    )
                except UsageError as e:
                    refusal = e.problems
                else:
                    played.append(alternative)
                    continue
        settled.append(
            Finding(
                point=alternative.point,
                reading=alternative.reading,
                compiled=alternative.compiled,
                verdict=verdict,
                refusal=refusal,
            )
        )
    return settled, played


def design_of(
    compiled: Sequence[Compiled],
    *,
    deals: int,
    seed: int,
    bots: Sequence[str],
    precision: float,
    smallest: Fraction = SMALLEST,
    within: Fraction | None = None,
    decompose: bool = False,
    seats: bool = False,
    others: Sequence[Sequence[str]] = (),
) -> Question:
    """The question for the first rule set and its alternatives; raises UsageError where they cannot
    agree.

    ``others`` are the bots of the other members of a family.
    Sessions are whole: the most deals are rounded up.  ``within`` is half the smallest effect where
    it is None.
    """
    laid = plan(compiled, deals=None, sessions=1, seed=seed, bots=bots)
    alternatives = len(compiled) - 1
    return Question(
        seed=seed,
        bots=laid.bots,
        session_deals=laid.lengths[0],
        sessions=ceil(deals / laid.lengths[0]),
        precision=precision,
        smallest=smallest,
        within=smallest / 2 if within is None else within,
        alpha=ALPHA / max(alternatives, 1) / (1 + len(others)),
        columns=len(able_to_move([one.ruleset.rules for one in compiled])),
        estimands=len(ESTIMANDS) if decompose else 1,
        seats=seats,
        alternatives=alternatives,
        others=tuple(tuple(one) * (len(laid.bots) if len(one) == 1 else 1) for one in others),
    )


looks: Final = partial(look_by_look, first=25, whole=ceil, last=inf)
"""The numbers of sessions at interim looks: 25, 36, 50, 71, 100 … and finally all."""


# --- playing and looking ------------------------------------------------------------------------


@dataclass(slots=True)
class AlternativeRun:
    """One alternative in progress; ``payments`` are by estimand and column."""

    alternative: Alternative
    table: RuleSetSums = field(default_factory=RuleSetSums)
    matched: MatchedSums = field(default_factory=MatchedSums)
    sampled: list[SampledDeal] = field(default_factory=list)
    payments: dict[str, dict[str, PayeeSums]] = field(default_factory=dict)

    def merge(
        self, table: RuleSetSums, matched: MatchedSums, sampled: Sequence[SampledDeal]
    ) -> None:
        """Take in other sessions."""
        self.table.merge(table)
        self.matched.merge(matched)
        self.sampled = sorted([*self.sampled, *sampled])[:SAMPLED]

    def look(self) -> None:
        """Look at all sessions so far, unless that was done."""
        sessions, reach = self.matched.sessions, reaches(self.matched.effects.reach)
        for estimand, changes in self.matched.effects.changes.items():
            known = self.payments.setdefault(estimand, {})
            for column, change in changes.items():
                one = known.setdefault(column, PayeeSums())
                if one.sessions < sessions:
                    one.look(
                        sessions, change.total, change.squares, change.differing, reach[column]
                    )

    def moving(self) -> Iterator[tuple[str, str, PayeeSums]]:
        """Estimand, column and payments of every column that was seen to move, under a rule set or
        between them."""
        known = self.payments.items()
        seen = {c for c, most in self.matched.effects.reach.items() if most}
        seen |= {
            column for _, payments in known for column, one in payments.items() if one.differing
        }
        for estimand, payments in known:
            for column, one in payments.items():
                if column in seen:
                    yield estimand, column, one


def matters(
    base: Compiled,
    alternatives: Sequence[Alternative],
    design: Question,
    plays: MatchedPlayer,
    *,
    engine: str,
    progress: Progress | None = None,
    writer: Writer | None = None,
    known: Callable[[Finding], object] | None = None,
    forecast: Forecast | None = None,
    stopped: Callable[[], object] | None = None,
) -> Matters:
    """Play until every alternative's answer is certain, or the limit is reached.

    ``plays`` has the rule sets of the base and of the alternatives in their order; what rows it
    tells of deals go to the ``writer``.  ``known`` is called with each finding as soon as it is
    made, ``forecast`` after each look, and ``stopped`` as soon as the user interrupts it, before it
    is summed up.

    Interrupted by the user, it reports what is finished; it raises KeyboardInterrupt only when
    nothing is.
    """
    run = _Run(base, alternatives, design, plays)
    started, interrupted = time.monotonic(), False

    def played(block: Any) -> None:
        if writer is not None:
            writer.write(block.rows)
        if progress is not None:
            most = design.deals * len(design.tables)
            progress(run.deals, most, time.monotonic() - started)

    try:
        for upto in looks(design.sessions):
            if not run.live:
                break
            run.play_to(upto, played)
            for finding in run.look():
                if known is not None:
                    known(finding)
            if forecast is not None:
                forecast(run.left(), run.done, run.work)
    except KeyboardInterrupt:
        if stopped is not None:
            stopped()
        if not run.deals:
            raise
        interrupted = True
    return Matters(
        base=base,
        design=design,
        engine=engine,
        findings=run.findings(),
        interrupted=interrupted,
    )


class _Run:
    """A question that is played, at every table of a family."""

    def __init__(
        self,
        base: Compiled,
        alternatives: Sequence[Alternative],
        design: Question,
        plays: MatchedPlayer,
    ) -> None:
        self._base, self._design, self._plays = base, design, plays
        self._tables, self._every = range(len(design.tables)), range(len(alternatives))
        self._pairs = [[AlternativeRun(one) for one in alternatives] for _ in self._tables]
        self._mine = [RuleSetSums() for _ in self._tables]
        self._found: dict[tuple[int, int], Finding] = {}
        self.live = {table: list(self._every) for table in self._tables} if alternatives else {}
        """By table the alternatives whose answer is not certain."""
        self.done = self.deals = self.work = 0
        """Sessions, deals, and sessions counted under every rule set that were played."""

    def play_to(self, upto: int, played: Callable[[Any], None]) -> None:
        """Play so many sessions in all under every rule set that is live; ``played`` hears of each
        block."""
        others = {table: [i + 1 for i in some] for table, some in self.live.items()}
        many, deals = upto - self.done, self._design.session_deals
        for table, block in self._plays.at_tables(self.done, many, deals, others, SAMPLED):
            self._mine[table].merge(block.tables[0])
            for place, i in enumerate(self.live[table]):
                sums = block.tables[place + 1], block.pairs[place], block.sampled[place]
                self._pairs[table][i].merge(*sums)
            self.deals += block.deals
            played(block)
        self.work += many * sum(1 + len(some) for some in self.live.values())
        self.done = upto

    def look(self) -> Iterator[Finding]:
        """The findings at the first table on the alternatives that are certain by now."""
        for i in sorted({i for some in self.live.values() for i in some}):
            going = [table for table, some in self.live.items() if i in some]
            for table in settled_now(self._asked(i), going, self._design):
                self._find(table, i, certain=True)
                if not table:
                    yield self._found[table, i]
        left = {t: [i for i in some if (t, i) not in self._found] for t, some in self.live.items()}
        self.live = {table: some for table, some in left.items() if some}

    def left(self) -> list[list[AlternativeRun]]:
        """By table, the alternatives that are live."""
        return [[self._pairs[t][i] for i in some] for t, some in self.live.items()]

    def findings(self) -> tuple[Finding, ...]:
        """What is found on every alternative, also where it is not certain."""
        for table, some in self.live.items():
            for i in some:
                if self._pairs[table][i].matched.sessions:
                    certain = bool(settled_now(self._asked(i), [table], self._design))
                    self._find(table, i, certain=certain)
        names = self._design.members
        told = (
            {names[t]: self._found[t, i] for t in self._tables if (t, i) in self._found}
            for i in self._every
        )
        return tuple(of_all(one, self._design) for one in told)

    def _asked(self, i: int) -> list[AlternativeRun]:
        return [one[i] for one in self._pairs]

    def _find(self, table: int, i: int, *, certain: bool) -> None:
        pair = self._pairs[table][i]
        made = _finding(self._base, self._mine[table], pair, self._design, certain=certain)
        self._found[table, i] = made
        pair.matched.effects.spreads.clear()  # of many alternatives they would take much room


def settled_now(
    asked: Sequence[AlternativeRun], going: Sequence[int], design: Question
) -> list[int]:
    """Of the tables that are ``going`` those whose answer on an alternative is certain; ``asked``
    is by table.

    Of an effect that is shown to depend on who plays nobody has to know more.
    """
    for table in going:
        asked[table].look()
    played = [one for one in asked if one.matched.sessions]
    proved = any(one.matched.diverged for one in played)
    depends = _depending(played, design) if len(played) > 1 else frozenset()
    return [table for table in going if is_certain(asked[table], design, depends, proved=proved)]


def _depending(asked: Sequence[AlternativeRun], design: Question) -> frozenset[tuple[str, str]]:
    """The estimands and columns of which some at these tables show one answer and some another."""
    shown = grouped(
        ((estimand, column), mean_of(sums, column, design))
        for one in asked
        for estimand, column, sums in one.moving()
        if verdict_on(sums, column, design) in DECIDED
    )
    return frozenset(key for key, some in shown.items() if answer_of_all(some) == DEPENDS)


def is_certain(
    pair: AlternativeRun,
    design: Question,
    depends: Collection[tuple[str, str]] = (),
    *,
    proved: bool = False,
) -> bool:
    """Whether the share is known to be below the precision, or deals diverge and payments are known
    well enough.

    These are those of roles and accounts; of seats those that are shown not to be zero, or all
    where the design waits for them.  None that ``depends`` on who plays, by estimand and column, is
    waited for; ``proved`` says that deals diverge by another player.
    """
    if (
        share_bounds(pair.matched.diverged, pair.matched.trials, design.alpha).high
        <= design.precision
    ):
        return True
    let_be = () if design.seats else seats_of(design.players)
    return (proved or pair.matched.diverged > 0) and all(
        (estimand, column) in depends
        or is_known(one, column, design)
        or (column in let_be and _may_be_zero(one, design))
        for estimand, column, one in pair.moving()
    )


def _may_be_zero(one: PayeeSums, design: Question) -> bool:
    bounds = one.bounds(design.payment_alpha)
    return bounds.low <= 0 <= bounds.high


def is_known(one: PayeeSums, column: str, design: Question) -> bool:
    """Whether there is a verdict on an effect, or its interval is narrow enough."""
    if one.bounds(design.payment_alpha).half <= design.within_in(column):
        return True
    return verdict_on(one, column, design) != UNDECIDED


def verdict_on(one: PayeeSums, column: str, design: Question) -> Answer:
    """What the bounds of an effect say of it."""
    bounds = one.bounds(design.payment_alpha)
    return answer(bounds.low, bounds.high, design.interest_in(column))


# --- what was found -----------------------------------------------------------------------------


def mean_of(one: PayeeSums, column: str, design: Question) -> Mean:
    """The effect on one column, with its verdict."""
    bounds, interest = one.bounds(design.payment_alpha), design.interest_in(column)
    verdict, needed = verdict_on(one, column, design), None
    if verdict == UNDECIDED:
        found = decided_after(
            one, interest, design.payment_alpha, MOST_NEEDED / design.session_deals
        )
        if found is None:
            verdict = NEAR
        else:
            low, high = (in_deals(sessions, design.session_deals) or 0 for sessions in found)
            needed = low, high
    return Mean(
        mean=one.mean,
        bounds=bounds,
        differing=one.differing,
        answer=verdict,
        needed=needed,
        interest=interest,
    )


def decided_after(
    one: PayeeSums, interest: float, alpha: float, most: float
) -> tuple[float, float] | None:
    """Between how many sessions an effect is decided, with a probability of 90 %; None where more
    may not do.

    The mean is known no better than if a session as large as the reach were the only one that
    differs: one such may be still to come.
    """
    sessions, scale = one.sessions, one.reach + one.farthest
    error = sqrt(max(one.spread, one.reach**2)) / sessions

    @cache
    def half_at(later: float) -> float:
        times = later / sessions
        return deviation(one.spread * times, scale * times**HEAVY, alpha) / later

    return sessions_needed(float(one.mean), error, interest, sessions, half_at, most)


def _finding(
    base: Compiled, mine: RuleSetSums, pair: AlternativeRun, design: Question, *, certain: bool
) -> Finding:
    alternative, matched = pair.alternative, pair.matched
    if alternative.compiled is None:
        raise RuntimeError(f"{alternative.point}={alternative.reading} cannot have been played")
    diverged = matched.diverged
    players = base.ruleset.rules.table.players
    means: dict[str, dict[str, Mean]] = {}
    for estimand, column, one in pair.moving():
        means.setdefault(column, {})[estimand] = mean_of(one, column, design)
    gains = tuple(Gain(column=c, means=means[c]) for c in columns(players) if c in means)
    apart = together = ZERO
    for seat in range(players):
        name = f"seat {seat}"
        change = matched.effects.changes[TOTAL][name]
        apart += _variance_of(mine, name, matched.sessions) + _variance_of(
            pair.table, name, matched.sessions
        )
        together += _variance(change.total, change.squares, matched.sessions)
    return Finding(
        point=alternative.point,
        reading=alternative.reading,
        compiled=alternative.compiled,
        verdict=DIFFERENT if diverged else NONE,
        rules_diff=rules_difference(base, alternative.compiled),
        certain=certain,
        sessions=matched.sessions,
        deals=int(min(mine.deals.total, pair.table.deals.total)),
        trials=matched.trials,
        diverged=diverged,
        share=share_bounds(diverged, matched.trials, design.alpha),
        stages={s: int(matched.shares[s].total) for s in STAGES},
        paid=matched.paid,
        paid_share=share_bounds(matched.paid, matched.trials, design.alpha),
        weight=matched.weight.total / diverged if diverged else None,
        gains=gains,
        over_sessions=_over_sessions(matched, means, design),
        paired=float(apart / together) if together else None,
        replayed=matched.effects.replayed[DIRECT],
        lost={kind: matched.effects.lost[DIRECT, kind] for kind in LOST}
        if matched.effects.replayed[DIRECT]
        else {},
        sampled=tuple(pair.sampled),
    )


def _over_sessions(
    matched: MatchedSums, moving: Collection[str], design: Question
) -> dict[str, Distribution]:
    """The distribution of what sessions differ by, of the columns in which anything moved."""
    by = at_all_looks(design.alpha / (len(SPREAD) * len(FIGURES)))
    spreads = matched.effects.spreads.get(design.session_deals, {})
    named = [name for name in SPREAD if name in spreads and name in moving]
    return {name: distribution(spreads[name], by) for name in named}


def of_all(found: Mapping[str, Finding], design: Question) -> Finding:
    """What is found on one alternative by all who were asked, by member: as the first finds it,
    with the others.

    A deal that diverges by any of them proves a difference; of who gains nothing is told where none
    does.
    """
    if not any(f.diverged for f in found.values()):
        found = {who: replace(f, gains=(), over_sessions={}) for who, f in found.items()}
    first = next(iter(found.values()))
    if len(found) > 1:
        different = any(f.verdict == DIFFERENT for f in found.values())
        verdict: Verdict = DIFFERENT if different else first.verdict
        certain = all(f.certain for f in found.values())
        first = replace(first, verdict=verdict, certain=certain, family=found)
    return replace(first, costs=tuple(_costs(first, design)))


def _variance(total: Fraction, squares: Fraction, sessions: int) -> Fraction:
    """Of a session's sum, over the sessions."""
    return squares / sessions - (total / sessions) ** 2


def _variance_of(table: RuleSetSums, payee: str, sessions: int) -> Fraction:
    found = table.keys.get(("paid", payee), Moments())
    return _variance(found.total, found.tt, sessions)


def _costs(f: Finding, design: Question) -> Iterator[Cost]:
    asked = f.by_member.values()
    if not any(one.diverged for one in asked):
        if not f.certain:
            yield Cost(deals=trials_for(design.precision, design.alpha), until="precision")
        rarer = trials_for(design.precision / RARER, design.alpha)
        if rarer > min(one.trials for one in asked):
            yield Cost(deals=rarer, until="tenth_of_precision")
        return
    left = [
        mean for g in f.gains for estimand in g.means for mean in f.undecided(g.column, estimand)
    ]
    if left:
        yield Cost(deals=longest([mean.needed for mean in left]), until="verdicts")
