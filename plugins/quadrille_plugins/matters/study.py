"""Whether a reading matters: two rule sets on the same deals, looked at again and again until the answer is certain.

Three verdicts.  *Same rules*: nothing need be played.  *No difference*: none was found in so many deals, and how often
there could be one is bounded.  *Different*: at least one matched start diverges, which proves it; how often and where
is then estimated.  A mean of zero is no verdict: deals that diverge either way are different all the same.

Who gains by it is told of whole sessions, for every column of ``study.accounts``: the *total* effect, and where deals
are replayed the *direct* and the *carried* one.  Each effect has a verdict of its own against a smallest effect of
interest (``study.equivalence``): larger, smaller, or undecided.

The bounds are confidence sequences (``study.sequences``), so that stopping as soon as the answer is certain costs no
honesty.  Sessions are looked at in steps that depend on nothing but their number.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, sqrt
from typing import Final, Literal

from quadrille_core.errors import UsageError
from quadrille_core.report.rules import RuleDifference, rules_difference
from quadrille_core.ruleset import Compiled
from quadrille_plugins.lab.accounts import ACCOUNTS, ZERO, columns
from quadrille_plugins.lab.accounts import seats as seats_of
from quadrille_plugins.lab.deal_table import Writer
from quadrille_plugins.lab.design import plan
from quadrille_plugins.lab.differences import same_rules
from quadrille_plugins.lab.effects import DIRECT, ESTIMANDS, LOST, TOTAL
from quadrille_plugins.lab.equivalence import SMALLEST, UNDECIDED, Answer, answer, interest_in
from quadrille_plugins.lab.gathered import Table
from quadrille_plugins.lab.intervals import Moments
from quadrille_plugins.lab.sequences import ALPHA, Bounds, Payments, share_bounds, trials_for
from quadrille_plugins.matters.alike import STAGES, Alike, Drawn
from quadrille_plugins.matters.alike_play import Plays
from quadrille_plugins.matters.rivals import Rival

SAME: Final = "same rules"
NONE: Final = "no difference"
DIFFERENT: Final = "different"
REFUSED: Final = "not comparable"
Verdict = Literal["same rules", "no difference", "different", "not comparable"]
"""``not comparable``: the reading does not go with the others, or there are no deals to be played under both."""

FIRST_LOOK: Final = 25
"""Sessions before the first look; each further look is at about 1.4 times as many."""
DRAWN: Final = 60
"""Deals that part, drawn by lot, from which examples and the finer stages are told."""
RARER: Final = 10
"""How many times rarer than the asked precision the cost is also told for."""

Progress = Callable[[int, int, float], None]
"""Called with deals done, the most deals there may be, and seconds since the start."""
Forecast = Callable[[Sequence["Pair"], int, int], None]
"""Called after each look with the alternatives that go on, the sessions done, and the same counted under every rule
set that played them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How the question is put; with the rule sets' digests it determines every number."""

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
    """Half an interval of payments that is narrow enough though no verdict is reached; in the same unit.

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
    rivals: int
    """How many rivals the usual 5 % were divided among."""

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
    """What one column of ``study.accounts`` gains by the second rule set in a session, by estimand."""

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
    until: Literal["precision", "rarer", "verdicts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found of one rival."""

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
    parted: int = 0
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
    drawn: tuple[Drawn, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Matters:
    """The whole answer."""

    base: Compiled
    design: Design
    engine: str
    findings: tuple[Finding, ...]
    interrupted: bool = False


# --- what may be asked --------------------------------------------------------------------------


def sort_out(base: Compiled, rivals: Sequence[Rival]) -> tuple[list[Finding], list[Rival]]:
    """What need not be played, with its verdict, and what must."""
    settled: list[Finding] = []
    played: list[Rival] = []
    for rival in rivals:
        verdict: Verdict = REFUSED
        refusal = rival.refusal
        if rival.compiled is not None:
            if same_rules(base, rival.compiled):
                verdict = SAME
            else:
                try:
                    plan([base, rival.compiled], deals=1, sessions=None, seed=0, bots=("steady",))
                except UsageError as e:
                    refusal = "; ".join(p.message for p in e.problems)
                else:
                    played.append(rival)
                    continue
        settled.append(
            Finding(
                point=rival.point or None,
                reading=rival.reading or None,
                compiled=rival.compiled,
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
) -> Design:
    """Lay the question out for the first rule set and its rivals; raises UsageError where they cannot agree.

    Sessions are whole: the most deals are rounded up.  ``within`` is half the smallest effect where it is None.
    """
    laid = plan(compiled, deals=None, sessions=1, seed=seed, bots=bots)
    rivals = len(compiled) - 1
    return Design(
        seed=seed,
        bots=laid.bots,
        session_deals=laid.lengths[0],
        sessions=ceil(deals / laid.lengths[0]),
        precision=precision,
        smallest=smallest,
        within=smallest / 2 if within is None else within,
        alpha=ALPHA / max(rivals, 1),
        columns=len(columns(compiled[0].ruleset.rules.table.players)),
        estimands=len(ESTIMANDS) if decompose else 1,
        seats=seats,
        rivals=rivals,
    )


def looks(most: int) -> Iterator[int]:
    """After how many sessions one looks: 25, 36, 50, 71, 100 … and at last all."""
    step, now = 0, 0
    while now < most:
        now = min(most, ceil(FIRST_LOOK * sqrt(2) ** step - 1e-6))
        step += 1
        yield now


# --- playing and looking ------------------------------------------------------------------------


@dataclass(slots=True)
class Pair:
    """One rival under way; ``payments`` are by estimand and column."""

    rival: Rival
    table: Table = field(default_factory=Table)
    alike: Alike = field(default_factory=Alike)
    drawn: list[Drawn] = field(default_factory=list)
    payments: dict[str, dict[str, Payments]] = field(default_factory=dict)

    def merge(self, table: Table, alike: Alike, drawn: Sequence[Drawn]) -> None:
        """Take in other sessions."""
        self.table.merge(table)
        self.alike.merge(alike)
        self.drawn = sorted([*self.drawn, *drawn])[:DRAWN]

    def look(self) -> None:
        """Look at all sessions so far, unless that was done."""
        sessions, reach = self.alike.sessions, reaches(self.alike.reach)
        for estimand, changes in self.alike.effects.changes.items():
            known = self.payments.setdefault(estimand, {})
            for column, change in changes.items():
                one = known.setdefault(column, Payments())
                if one.sessions < sessions:
                    one.look(sessions, change.total, change.squares, change.differing, reach[column])

    def moving(self) -> Iterator[tuple[str, str, Payments]]:
        """Estimand, column and payments of every column that was seen to move, under a rule set or between them."""
        known = self.payments.items()
        seen = {c for c, most in self.alike.reach.items() if most}
        seen |= {column for _, payments in known for column, one in payments.items() if one.differing}
        for estimand, payments in known:
            for column, one in payments.items():
                if column in seen:
                    yield estimand, column, one


def reaches(seen: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """How much a session could move each column, from the most that it was seen to: ``sequences.Payments.reach``.

    What one seat was seen to move another could.  What is left in a pool at the end of a session is mostly nothing, and
    seldom as much as players win: theirs is its reach.  Antes are of deals played or redealt, so that each of the two
    may be both.
    """
    seats = max(most for column, most in seen.items() if column.startswith("seat "))
    antes = seen["redealt"] + seen["antes"]
    least = {**dict.fromkeys(ACCOUNTS, seats), "redealt": antes, "antes": antes}
    return {
        column: seats if column.startswith("seat ") else max(most, least.get(column, ZERO))
        for column, most in seen.items()
    }


def matters(
    base: Compiled,
    rivals: Sequence[Rival],
    design: Design,
    plays: Plays,
    *,
    engine: str,
    progress: Progress | None = None,
    writer: Writer | None = None,
    known: Callable[[Finding], object] | None = None,
    forecast: Forecast | None = None,
    stopped: Callable[[], object] | None = None,
) -> Matters:
    """Play until every rival's answer is certain, or as much as was allowed.

    ``plays`` has the rule sets of the base and of the rivals in their order; what rows it tells of deals go to the
    ``writer``.  ``known`` is called with each finding as soon as it is made, ``forecast`` after each look, and
    ``stopped`` as soon as the user interrupts it, before it is summed up.

    Interrupted by the user, it reports what is finished; it raises KeyboardInterrupt only when nothing is.
    """
    pairs = [Pair(rival) for rival in rivals]
    mine, found = Table(), dict[int, Finding]()
    live, done, deals, interrupted, work = list(range(len(pairs))), 0, 0, False, 0
    started = time.monotonic()
    try:
        for upto in looks(design.sessions):
            if not live:
                break
            others = [i + 1 for i in live]
            for some in plays.watched(done, upto - done, design.session_deals, others, DRAWN):
                mine.merge(some.tables[0])
                for place, i in enumerate(live):
                    pairs[i].merge(some.tables[place + 1], some.pairs[place], some.drawn[place])
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


def is_certain(pair: Pair, design: Design) -> bool:
    """Whether the share is known to be below the precision, or deals diverge and payments are known well enough.

    These are those of roles and accounts; of seats those that are shown not to be zero, or all where the design waits
    for them.
    """
    if share_bounds(pair.alike.parted, pair.alike.trials, design.alpha).high <= design.precision:
        return True
    let_be = () if design.seats else seats_of(len(design.bots))
    return pair.alike.parted > 0 and all(
        _is_known(one, column, design) or (column in let_be and _may_be_zero(one, design))
        for _, column, one in pair.moving()
    )


def _may_be_zero(one: Payments, design: Design) -> bool:
    bounds = one.bounds(design.payment_alpha)
    return bounds.low <= 0 <= bounds.high


def _is_known(one: Payments, column: str, design: Design) -> bool:
    """Whether there is a verdict on an effect, or its interval is narrow enough."""
    bounds = one.bounds(design.payment_alpha)
    if bounds.half <= design.within_in(column):
        return True
    return answer(bounds.low, bounds.high, design.interest_in(column)) != UNDECIDED


# --- what was found -----------------------------------------------------------------------------


def mean_of(one: Payments, column: str, design: Design) -> Mean:
    """The effect on one column, with its verdict."""
    bounds, interest = one.bounds(design.payment_alpha), design.interest_in(column)
    verdict, deals = answer(bounds.low, bounds.high, interest), None
    if verdict == UNDECIDED and (off := abs(abs(float(one.mean)) - interest)):
        # it decides nothing yet, so that it takes another look
        sessions = max(one.sessions + 1, one.sessions_for(off, design.payment_alpha))
        deals = sessions * design.session_deals
    return Mean(mean=one.mean, bounds=bounds, differing=one.differing, verdict=verdict, deals=deals, interest=interest)


def _finding(base: Compiled, mine: Table, pair: Pair, design: Design, *, certain: bool) -> Finding:
    rival, alike = pair.rival, pair.alike
    if rival.compiled is None:
        raise RuntimeError(f"{rival.point}={rival.reading} cannot have been played")
    parted = alike.parted
    players = base.ruleset.rules.table.players
    means: dict[str, dict[str, Mean]] = {}
    for estimand, column, one in pair.moving():
        means.setdefault(column, {})[estimand] = mean_of(one, column, design)
    gains = tuple(Gain(column=c, means=means[c]) for c in columns(players) if c in means)
    apart = together = ZERO
    for seat in range(players):
        name = f"seat {seat}"
        change = alike.effects.changes[TOTAL][name]
        apart += _variance_of(mine, name, alike.sessions) + _variance_of(pair.table, name, alike.sessions)
        together += _variance(change.total, change.squares, alike.sessions)
    return Finding(
        point=rival.point or None,
        reading=rival.reading or None,
        compiled=rival.compiled,
        verdict=DIFFERENT if parted else NONE,
        rules_diff=rules_difference(base, rival.compiled),
        certain=certain,
        sessions=alike.sessions,
        deals=int(min(mine.deals.total, pair.table.deals.total)),
        trials=alike.trials,
        parted=parted,
        share=share_bounds(parted, alike.trials, design.alpha),
        stages={s: int(alike.shares[s].total) for s in STAGES},
        paid=alike.paid,
        paid_share=share_bounds(alike.paid, alike.trials, design.alpha),
        weight=alike.weight.total / parted if parted else None,
        gains=gains if parted else (),
        paired=float(apart / together) if together else None,
        replayed=alike.effects.replayed[DIRECT],
        lost={kind: alike.effects.lost[DIRECT, kind] for kind in LOST} if alike.effects.replayed[DIRECT] else {},
        costs=tuple(_costs(alike, gains, design, certain=certain)),
        drawn=tuple(pair.drawn),
    )


def _variance(total: Fraction, squares: Fraction, sessions: int) -> Fraction:
    """Of a session's sum, over the sessions."""
    return squares / sessions - (total / sessions) ** 2


def _variance_of(table: Table, payee: str, sessions: int) -> Fraction:
    found = table.keys.get(("paid", payee), Moments())
    return _variance(found.total, found.tt, sessions)


def _costs(alike: Alike, gains: Sequence[Gain], design: Design, *, certain: bool) -> Iterator[Cost]:
    if not alike.parted:
        if not certain:
            yield Cost(deals=trials_for(design.precision, design.alpha), until="precision")
        rarer = trials_for(design.precision / RARER, design.alpha)
        if rarer > alike.trials:
            yield Cost(deals=rarer, until="rarer")
        return
    deals = [m.deals for g in gains for m in g.means.values() if m.deals is not None]
    if deals:
        yield Cost(deals=max(deals), until="verdicts")
