"""Whether a reading matters: two rule sets on the same deals, looked at again and again until the answer is certain.

Three verdicts.  *Same rules*: nothing need be played.  *No difference*: none was found in so many deals, and how often
there could be one is bounded.  *Different*: at least one matched start diverges, which proves it; how often and where
is then estimated.  A mean of zero is no verdict: deals that diverge either way are different all the same.

Who gains by it is told of whole sessions, for every column of ``lab.accounts``: the *total* effect, and where deals
are replayed the *direct* and the *carried* one.  Each effect has a verdict of its own against a smallest effect of
interest (``lab.equivalence``): larger, smaller, or undecided.

The bounds are confidence sequences (``lab.sequences``), so that stopping as soon as the answer is certain costs no
honesty.  Sessions are looked at in steps that depend on nothing but their number.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, sqrt
from typing import Final, Literal

from quadrille_core.errors import UsageError
from quadrille_core.ruleset import Compiled
from quadrille_plugins.diff.differences import RuleDifference, rules_difference
from quadrille_plugins.lab.accounts import ZERO, columns
from quadrille_plugins.lab.accounts import seats as seats_of
from quadrille_plugins.lab.accumulators import RuleSetSums
from quadrille_plugins.lab.deal_table import Writer
from quadrille_plugins.lab.design import plan
from quadrille_plugins.lab.differences import same_rules
from quadrille_plugins.lab.effects import DIRECT, ESTIMANDS, LOST, TOTAL, reaches
from quadrille_plugins.lab.equivalence import SMALLEST, UNDECIDED, Answer, answer, interest_in
from quadrille_plugins.lab.intervals import Moments
from quadrille_plugins.lab.looks import able_to_move
from quadrille_plugins.lab.sequences import ALPHA, Bounds, PayeeSums, share_bounds, trials_for
from quadrille_plugins.matters.alternatives import Alternative
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.matched_starts import STAGES, MatchedSums, SampledDeal

SAME: Final = "same rules"
NONE: Final = "no difference"
DIFFERENT: Final = "different"
REFUSED: Final = "not comparable"
Verdict = Literal["same rules", "no difference", "different", "not comparable"]
"""``not comparable``: the reading does not go with the others, or there are no deals to be played under both."""

FIRST_LOOK: Final = 25
"""Sessions before the first look; each further look is at about 1.4 times as many."""
SAMPLED: Final = 60
"""Divergent deals, sampled at random, from which examples and the finer stages are told."""
RARER: Final = 10
"""Also estimate the cost at precision / 10."""

Progress = Callable[[int, int, float], None]
"""Called with deals done, the most deals there may be, and seconds since the start."""
Forecast = Callable[[Sequence["AlternativeRun"], int, int], None]
"""Called after each look with the alternatives that go on, the sessions done, and the same counted under every rule
set that played them."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """The smallest effect of interest, in counters a seat and session of ``equivalence.OF_DEALS``."""
    within: Fraction
    """Stop when every payment is known to within this many counters.

    Roles and accounts are sums over players: for them both are as many times that.
    """
    alpha: float
    """With what probability each bound of a share ever fails."""
    columns: int
    """Among how many columns of payments that probability is divided."""
    estimands: int = 1
    """And among how many estimands: five where deals are replayed, two of them from the other side."""
    seats: bool = False
    """Whether one plays on until there is a verdict on every seat; else on roles, on accounts, and on the seats that
    are shown to gain or lose at all."""
    alternatives: int
    """How many alternatives the usual 5 % were divided among."""

    @property
    def deals(self) -> int:
        """The most deals that may be played."""
        return self.sessions * self.session_deals

    def interest_in(self, column: str) -> float:
        """The smallest effect of interest on a column, in counters a session of this study."""
        return float(interest_in(column, self.smallest, self.session_deals, len(self.bots)))

    def within_in(self, column: str) -> float:
        """Half an interval of a column that is narrow enough, in counters a session of this study."""
        return float(interest_in(column, self.within, self.session_deals, len(self.bots)))

    @property
    def payment_alpha(self) -> float:
        """With what probability each interval of a payment ever fails."""
        return self.alpha / (self.columns * self.estimands)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean difference in a session, in counters, its bounds, and the verdict on it."""

    mean: Fraction
    bounds: Bounds
    differing: int
    """Sessions in which it was not zero."""
    verdict: Answer
    deals: int | None
    """About how many deals a verdict takes; None where there is one, or where no number would do."""
    interest: float
    """What the verdict holds the bounds against, in counters a session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """What one column of ``lab.accounts`` gains by the second rule set in a session, by estimand."""

    column: str
    means: Mapping[str, Mean]

    @property
    def total(self) -> Mean:
        """Over whole sessions as they come."""
        return self.means[TOTAL]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What it takes to know more: deals, and until what."""

    deals: int
    until: Literal["precision", "tenth_of_precision", "verdicts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The finding on one alternative."""

    point: str | None
    reading: str | None
    compiled: Compiled | None
    verdict: Verdict
    refusal: str = ""
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
    """Counters that move differently in a matched start that diverges, antes among them, on average."""
    gains: tuple[Gain, ...] = ()
    paired: float | None = None
    """How many times the seats' variance would be, were different deals played under each; None where none varies."""
    replayed: int = 0
    """Deals of the first rule set's sessions replayed under the second for the direct effect."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Those of them that stood as the second cannot hold, by ``effects.LOST``."""
    costs: tuple[Cost, ...] = ()
    sampled: tuple[SampledDeal, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Matters:
    """The whole answer."""

    base: Compiled
    design: Question
    engine: str
    findings: tuple[Finding, ...]
    interrupted: bool = False


# --- what may be asked --------------------------------------------------------------------------


def sort_out(base: Compiled, alternatives: Sequence[Alternative]) -> tuple[list[Finding], list[Alternative]]:
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
                    plan([base, alternative.compiled], deals=1, sessions=None, seed=0, bots=("steady",))
                except UsageError as e:
                    refusal = "; ".join(p.message for p in e.problems)
                else:
                    played.append(alternative)
                    continue
        settled.append(
            Finding(
                point=alternative.point or None,
                reading=alternative.reading or None,
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
) -> Question:
    """The question for the first rule set and its alternatives; raises UsageError where they cannot agree.

    Sessions are whole: the most deals are rounded up.  ``within`` is half the smallest effect where it is None.
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
        alpha=ALPHA / max(alternatives, 1),
        columns=len(able_to_move([one.ruleset.rules for one in compiled])),
        estimands=len(ESTIMANDS) if decompose else 1,
        seats=seats,
        alternatives=alternatives,
    )


def looks(most: int) -> Iterator[int]:
    """The numbers of sessions at interim looks: 25, 36, 50, 71, 100 … and finally all."""
    step, now = 0, 0
    while now < most:
        now = min(most, ceil(FIRST_LOOK * sqrt(2) ** step - 1e-6))
        step += 1
        yield now


# --- playing and looking ------------------------------------------------------------------------


@dataclass(slots=True)
class AlternativeRun:
    """One alternative in progress; ``payments`` are by estimand and column."""

    alternative: Alternative
    table: RuleSetSums = field(default_factory=RuleSetSums)
    matched: MatchedSums = field(default_factory=MatchedSums)
    sampled: list[SampledDeal] = field(default_factory=list)
    payments: dict[str, dict[str, PayeeSums]] = field(default_factory=dict)

    def merge(self, table: RuleSetSums, matched: MatchedSums, sampled: Sequence[SampledDeal]) -> None:
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
                    one.look(sessions, change.total, change.squares, change.differing, reach[column])

    def moving(self) -> Iterator[tuple[str, str, PayeeSums]]:
        """Estimand, column and payments of every column that was seen to move, under a rule set or between them."""
        known = self.payments.items()
        seen = {c for c, most in self.matched.effects.reach.items() if most}
        seen |= {column for _, payments in known for column, one in payments.items() if one.differing}
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

    ``plays`` has the rule sets of the base and of the alternatives in their order; what rows it tells of deals go to
    the ``writer``.  ``known`` is called with each finding as soon as it is made, ``forecast`` after each look, and
    ``stopped`` as soon as the user interrupts it, before it is summed up.

    Interrupted by the user, it reports what is finished; it raises KeyboardInterrupt only when nothing is.
    """
    pairs = [AlternativeRun(alternative) for alternative in alternatives]
    mine, found = RuleSetSums(), dict[int, Finding]()
    live, done, deals, interrupted, work = list(range(len(pairs))), 0, 0, False, 0
    started = time.monotonic()
    try:
        for upto in looks(design.sessions):
            if not live:
                break
            others = [i + 1 for i in live]
            for some in plays.runs(done, upto - done, design.session_deals, others, SAMPLED):
                mine.merge(some.tables[0])
                for place, i in enumerate(live):
                    pairs[i].merge(some.tables[place + 1], some.pairs[place], some.sampled[place])
                deals += some.deals
                if writer is not None:
                    writer.write(some.rows)
                if progress is not None:
                    progress(deals, design.deals, time.monotonic() - started)
            work += (upto - done) * (1 + len(live))
            done = upto
            for i in live:
                pairs[i].look()
                if is_certain(pairs[i], design):
                    found[i] = _finding(base, mine, pairs[i], design, certain=True)
                    if known is not None:
                        known(found[i])
            live = [i for i in live if i not in found]
            if forecast is not None:
                forecast([pairs[i] for i in live], done, work)
    except KeyboardInterrupt:
        if stopped is not None:
            stopped()
        if not deals:
            raise
        interrupted = True
    for i in live:
        pairs[i].look()
        found[i] = _finding(base, mine, pairs[i], design, certain=is_certain(pairs[i], design))
    findings = tuple(found[i] for i in range(len(pairs)))
    return Matters(base=base, design=design, engine=engine, findings=findings, interrupted=interrupted)


def is_certain(pair: AlternativeRun, design: Question) -> bool:
    """Whether the share is known to be below the precision, or deals diverge and payments are known well enough.

    These are those of roles and accounts; of seats those that are shown not to be zero, or all where the design waits
    for them.
    """
    if share_bounds(pair.matched.diverged, pair.matched.trials, design.alpha).high <= design.precision:
        return True
    let_be = () if design.seats else seats_of(len(design.bots))
    return pair.matched.diverged > 0 and all(
        _is_known(one, column, design) or (column in let_be and _may_be_zero(one, design))
        for _, column, one in pair.moving()
    )


def _may_be_zero(one: PayeeSums, design: Question) -> bool:
    bounds = one.bounds(design.payment_alpha)
    return bounds.low <= 0 <= bounds.high


def _is_known(one: PayeeSums, column: str, design: Question) -> bool:
    """Whether there is a verdict on an effect, or its interval is narrow enough."""
    bounds = one.bounds(design.payment_alpha)
    if bounds.half <= design.within_in(column):
        return True
    return answer(bounds.low, bounds.high, design.interest_in(column)) != UNDECIDED


# --- what was found -----------------------------------------------------------------------------


def mean_of(one: PayeeSums, column: str, design: Question) -> Mean:
    """The effect on one column, with its verdict."""
    bounds, interest = one.bounds(design.payment_alpha), design.interest_in(column)
    verdict, deals = answer(bounds.low, bounds.high, interest), None
    if verdict == UNDECIDED and (off := abs(abs(float(one.mean)) - interest)):
        # it decides nothing yet, so that it takes another look
        sessions = max(one.sessions + 1, one.sessions_for(off, design.payment_alpha))
        deals = sessions * design.session_deals
    return Mean(mean=one.mean, bounds=bounds, differing=one.differing, verdict=verdict, deals=deals, interest=interest)


def _finding(base: Compiled, mine: RuleSetSums, pair: AlternativeRun, design: Question, *, certain: bool) -> Finding:
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
        apart += _variance_of(mine, name, matched.sessions) + _variance_of(pair.table, name, matched.sessions)
        together += _variance(change.total, change.squares, matched.sessions)
    return Finding(
        point=alternative.point or None,
        reading=alternative.reading or None,
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
        gains=gains if diverged else (),
        paired=float(apart / together) if together else None,
        replayed=matched.effects.replayed[DIRECT],
        lost={kind: matched.effects.lost[DIRECT, kind] for kind in LOST} if matched.effects.replayed[DIRECT] else {},
        costs=tuple(_costs(matched, gains, design, certain=certain)),
        sampled=tuple(pair.sampled),
    )


def _variance(total: Fraction, squares: Fraction, sessions: int) -> Fraction:
    """Of a session's sum, over the sessions."""
    return squares / sessions - (total / sessions) ** 2


def _variance_of(table: RuleSetSums, payee: str, sessions: int) -> Fraction:
    found = table.keys.get(("paid", payee), Moments())
    return _variance(found.total, found.tt, sessions)


def _costs(matched: MatchedSums, gains: Sequence[Gain], design: Question, *, certain: bool) -> Iterator[Cost]:
    if not matched.diverged:
        if not certain:
            yield Cost(deals=trials_for(design.precision, design.alpha), until="precision")
        rarer = trials_for(design.precision / RARER, design.alpha)
        if rarer > matched.trials:
            yield Cost(deals=rarer, until="tenth_of_precision")
        return
    deals = [m.deals for g in gains for m in g.means.values() if m.deals is not None]
    if deals:
        yield Cost(deals=max(deals), until="verdicts")
