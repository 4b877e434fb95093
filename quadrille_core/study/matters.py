"""Whether a reading matters: two rule sets on the same deals, looked at again and again until the answer is certain.

Three verdicts.  *Same rules*: nothing need be played.  *No difference*: none was found in so many deals, and how often
there could be one is bounded.  *Different*: at least one deal begun alike parts, which proves it; how often, where and
to whose gain is then estimated.  A mean of zero is no verdict: deals that part either way are different all the same.

The bounds are confidence sequences (``study.sequences``), so that stopping as soon as the answer is certain costs no
honesty.  Sessions are looked at in steps that depend on nothing but their number.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, sqrt
from typing import Final, Literal

from quadrille_core import vocabulary
from quadrille_core.errors import UsageError
from quadrille_core.ruleset import Compiled, digest
from quadrille_core.study.alike import PARTED, STAGES, Alike, Drawn, Effect, payees
from quadrille_core.study.alike_play import Plays
from quadrille_core.study.compare import RuleDifference, plan, rules_difference
from quadrille_core.study.deal_table import Writer
from quadrille_core.study.gathered import Table
from quadrille_core.study.intervals import Moments
from quadrille_core.study.rivals import Rival
from quadrille_core.study.sequences import (
    ALPHA,
    FEWEST_MOVED,
    Bounds,
    mean_bounds,
    mean_factor,
    sessions_for,
    share_bounds,
    trials_for,
)
from quadrille_core.study.workers import undisturbed

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
    within: float
    """Half an interval of payments that is narrow enough, in counters a deal."""
    alpha: float
    """With what probability each bound or interval ever fails."""
    rivals: int
    """How many rivals the usual 5 % were divided among."""

    @property
    def deals(self) -> int:
        """The most deals that may be played."""
        return self.sessions * self.session_deals


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean in counters and its interval; None where too few sessions differ for one."""

    mean: Fraction
    bounds: Bounds | None
    moved: int
    """Sessions in which the sum that it is a mean of was not nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """What a seat or role, the players of it together, gains by the second rule set, in counters.

    A seat's antes count; a role has the payments of settlements alone.
    """

    payee: str
    alike: Mean
    """In a deal begun alike."""
    parted: Mean
    """In a deal begun alike that parts."""
    session: Mean
    """In a whole session, with what earlier deals have left."""
    paired: float | None
    """How many times the variance would be, were different deals played under each; None where nothing varies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What it takes to know more: deals, and until what."""

    deals: int
    until: Literal["precision", "rarer", "intervals", "within"]


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
    """Those of them that began alike."""
    parted: int = 0
    share: Bounds | None = None
    """The average chance that a deal begun alike parts."""
    stages: Mapping[str, int] = field(default_factory=dict)
    paid: int = 0
    """Deals begun alike that part and in which some player gets or pays another amount, antes among it."""
    paid_share: Bounds | None = None
    """The average chance of such a deal."""
    weight: Fraction | None = None
    """Counters that move otherwise in a deal that parts, antes among them, on average."""
    gains: tuple[Gain, ...] = ()
    paired: float | None = None
    """The gain of playing the same deals, over all seats: see ``Gain.paired``."""
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


def same_rules(a: Compiled, b: Compiled) -> bool:
    """Whether both have the same rules, whichever plugins brought them about."""
    return _rules_digest(a) == _rules_digest(b)


def _rules_digest(compiled: Compiled) -> str:
    return digest(vocabulary.dump(compiled.ruleset.rules), ())


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
    compiled: Sequence[Compiled], *, deals: int, seed: int, bots: Sequence[str], precision: float, within: float
) -> Design:
    """Lay the question out for the first rule set and its rivals; raises UsageError where they cannot agree.

    Sessions are whole: the most deals are rounded up.
    """
    laid = plan(compiled, deals=None, sessions=1, seed=seed, bots=bots)
    rivals = len(compiled) - 1
    return Design(
        seed=seed,
        bots=laid.bots,
        session_deals=laid.lengths[0],
        sessions=ceil(deals / laid.lengths[0]),
        precision=precision,
        within=within,
        alpha=ALPHA / max(rivals, 1),
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
class _Pair:
    """One rival under way."""

    rival: Rival
    table: Table = field(default_factory=Table)
    alike: Alike = field(default_factory=Alike)
    drawn: list[Drawn] = field(default_factory=list)


def matters(
    base: Compiled,
    rivals: Sequence[Rival],
    design: Design,
    plays: Plays,
    *,
    engine: str,
    progress: Progress | None = None,
    writer: Writer | None = None,
) -> Matters:
    """Play until every rival's answer is certain, or as much as was allowed.

    ``plays`` has the rule sets of the base and of the rivals in their order; what rows it tells of deals go to the
    ``writer``.  Interrupted by the user, it reports what is finished; it raises KeyboardInterrupt only when nothing is.
    """
    pairs = [_Pair(rival) for rival in rivals]
    mine, found = Table(), dict[int, Finding]()
    live, done, deals, interrupted = list(range(len(pairs))), 0, 0, False
    started = time.monotonic()
    try:
        for upto in looks(design.sessions):
            if not live:
                break
            others = [i + 1 for i in live]
            for some in plays.watched(done, upto - done, design.session_deals, others, DRAWN):
                with undisturbed():
                    mine.merge(some.tables[0])
                    for place, i in enumerate(live):
                        pair = pairs[i]
                        pair.table.merge(some.tables[place + 1])
                        pair.alike.merge(some.pairs[place])
                        pair.drawn = sorted([*pair.drawn, *some.drawn[place]])[:DRAWN]
                    deals += some.deals
                    if writer is not None:
                        writer.write(some.rows)
                if progress is not None:
                    progress(deals, design.deals, time.monotonic() - started)
            done = upto
            for i in live:
                if _is_certain(pairs[i].alike, design):
                    found[i] = _finding(base, mine, pairs[i], design, certain=True)
            live = [i for i in live if i not in found]
    except KeyboardInterrupt:
        if not deals:
            raise
        interrupted = True
    for i in live:
        found[i] = _finding(base, mine, pairs[i], design, certain=_is_certain(pairs[i].alike, design))
    findings = tuple(found[i] for i in range(len(pairs)))
    return Matters(base=base, design=design, engine=engine, findings=findings, interrupted=interrupted)


def _is_certain(alike: Alike, design: Design) -> bool:
    """Whether the share is known to be below the precision, or all that is paid otherwise is known closely enough."""
    if share_bounds(alike.parted, alike.trials, design.alpha).high <= design.precision:
        return True
    widths = list(_widths(alike, design))
    return bool(widths) and not _fewest_moved(alike) and max(widths) <= design.within


def _fewest_moved(alike: Alike) -> int:
    """Of what is paid otherwise and has no interval yet, in how few sessions it was; 0 where all have one."""
    moved = (n for effect in alike.effects.values() for n in (effect.moved, effect.whole_moved))
    return min((n for n in moved if 0 < n < FEWEST_MOVED), default=0)


def _widths(alike: Alike, design: Design) -> Iterator[float]:
    """Half of each interval of payments there is, in counters a deal."""
    for effect in alike.effects.values():
        for mean, share in (
            (_of_alike(effect, alike, design), 1),
            (_of_session(effect, alike, design), design.session_deals),
        ):
            if mean.bounds is not None:
                yield mean.bounds.half / share


# --- what was found -----------------------------------------------------------------------------


def _mean(
    ratio: tuple[Fraction, Fraction, Fraction | int, Fraction, Fraction | int], moved: int, sessions: int, alpha: float
) -> Mean:
    """A ratio of two sums over sessions with its interval, linearised session by session.

    The five are the total, its squares, the count, the products of both, and the squares of the count.
    """
    total, squares, count, products, weights = ratio
    if not count:
        return Mean(Fraction(0), None, moved)
    mean = total / count
    if moved < FEWEST_MOVED:
        return Mean(mean, None, moved)
    spread = (squares - 2 * mean * products + mean * mean * weights) / Fraction(count) ** 2
    return Mean(mean, mean_bounds(float(mean), sqrt(spread * sessions), sessions, alpha), moved)


def _of_alike(effect: Effect, alike: Alike, design: Design) -> Mean:
    """Per deal begun alike."""
    parted = alike.shares[PARTED]
    ratio = (effect.gained, effect.squares, parted.count, effect.by_trials, parted.cc)
    return _mean(ratio, effect.moved, parted.sessions, design.alpha)


def _of_parted(effect: Effect, alike: Alike, design: Design) -> Mean:
    """Per deal that parts."""
    parted = alike.shares[PARTED]
    ratio = (effect.gained, effect.squares, parted.total, effect.by_parted, parted.tt)
    return _mean(ratio, effect.moved, parted.sessions, design.alpha)


def _of_session(effect: Effect, alike: Alike, design: Design) -> Mean:
    """Per session."""
    sessions = alike.sessions
    ratio = (effect.whole, effect.whole_squares, sessions, effect.whole, sessions)
    return _mean(ratio, effect.whole_moved, sessions, design.alpha)


def _finding(base: Compiled, mine: Table, pair: _Pair, design: Design, *, certain: bool) -> Finding:
    rival, alike = pair.rival, pair.alike
    if rival.compiled is None:
        raise RuntimeError(f"{rival.point}={rival.reading} cannot have been played")
    parted = alike.parted
    players = base.ruleset.rules.table.players
    gains, unpaired = [], [Fraction(0), Fraction(0)]
    for payee in payees(players):
        effect = alike.effects[payee]
        apart = _variance_of(mine, payee, alike.sessions) + _variance_of(pair.table, payee, alike.sessions)
        together = _variance(effect.whole, effect.whole_squares, alike.sessions)
        if payee.startswith("seat "):
            unpaired = [unpaired[0] + apart, unpaired[1] + together]
        if not apart and not effect.whole_squares:
            continue
        gains.append(
            Gain(
                payee=payee,
                alike=_of_alike(effect, alike, design),
                parted=_of_parted(effect, alike, design),
                session=_of_session(effect, alike, design),
                paired=float(apart / together) if together else None,
            )
        )
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
        gains=tuple(gains) if parted else (),
        paired=float(unpaired[0] / unpaired[1]) if unpaired[1] else None,
        costs=tuple(_costs(alike, design, certain=certain)),
        drawn=tuple(pair.drawn),
    )


def _variance(total: Fraction, squares: Fraction, sessions: int) -> Fraction:
    """Of a session's sum, over the sessions."""
    return squares / sessions - (total / sessions) ** 2


def _variance_of(table: Table, payee: str, sessions: int) -> Fraction:
    found = table.keys.get(("paid", payee), Moments())
    return _variance(found.total, found.tt, sessions)


def _costs(alike: Alike, design: Design, *, certain: bool) -> Iterator[Cost]:
    if not alike.parted:
        if not certain:
            yield Cost(deals=trials_for(design.precision, design.alpha), until="precision")
        rarer = trials_for(design.precision / RARER, design.alpha)
        if rarer > alike.trials:
            yield Cost(deals=rarer, until="rarer")
        return
    if certain:
        return
    if fewest := _fewest_moved(alike):
        deals = alike.sessions * design.session_deals
        yield Cost(deals=ceil(FEWEST_MOVED * deals / fewest), until="intervals")
    widest = max(_widths(alike, design), default=0.0)
    if widest > design.within:
        deviation = widest / mean_factor(alike.sessions, design.alpha)
        sessions = sessions_for(design.within, deviation, design.alpha)
        yield Cost(deals=sessions * design.session_deals, until="within")
