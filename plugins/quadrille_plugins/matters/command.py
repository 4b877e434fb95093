"""``quadrille matters``: whether a reading of a disputed point makes a difference at the table."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, isfinite, sqrt
from pathlib import Path
from typing import Any, ClassVar

import click

from quadrille_core import resources
from quadrille_core.errors import Command, UsageError, did_you_mean
from quadrille_core.features import first_answer
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.ruleset import Compiled, parse_reference
from quadrille_core.ruleset.reference import is_path
from quadrille_plugins.deal.options import FAMILY
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.matters.alternatives import Alternative, alternatives_of
from quadrille_plugins.matters.averages import (
    Averages,
    PlayingAverages,
    in_one_unit,
    play_averages,
)
from quadrille_plugins.matters.averages_report import (
    answer,
    averages_blocks,
    averages_csv,
    averages_json,
)
from quadrille_plugins.matters.data import Examples, matters_csv, matters_json
from quadrille_plugins.matters.drill_down import Drilling, settled
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.pictures import pictures_of
from quadrille_plugins.matters.power import PowerPlan, plans, power_blocks, power_csv, power_json
from quadrille_plugins.matters.report import answers, matters_blocks
from quadrille_plugins.matters.study import (
    AlternativeRun,
    Finding,
    Forecast,
    Matters,
    Question,
    design_of,
    looks,
    matters,
    sort_out,
    verdict_on,
)
from quadrille_plugins.matters.weights import (
    Combination,
    WeighedPoint,
    combinations_of,
    weighed,
)
from quadrille_plugins.shell.answer import Answer, caller
from quadrille_plugins.shell.options import (
    Repeated,
    check_comparable,
    compile_all,
    format_option,
    joined,
    refine_options,
    run_mode,
    seed_option,
)
from quadrille_plugins.shell.shipped_effects import shipped_lines
from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import seats
from quadrille_plugins.studies.answers import by_readable
from quadrille_plugins.studies.deal_table import DealTable, Listing, check_form, listed
from quadrille_plugins.studies.design import FAST, READABLE, plan
from quadrille_plugins.studies.engines import engine_for
from quadrille_plugins.studies.equivalence import UNDECIDED
from quadrille_plugins.studies.family import family_option, tables_asked
from quadrille_plugins.studies.free_losses import warnings_for
from quadrille_plugins.studies.options import (
    counters,
    engine_option,
    refinements,
    refuse_with_power,
    smallest_option,
    study_options,
    table_option,
)
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.sequences import ALPHA, PayeeSums, trials_for
from quadrille_plugins.studies.study import Rendering, Study, options_of

MOST_DEALS = {FAST: 1_000_000, READABLE: 4_000}
PILOT_DEALS = 20_000
SAMPLE, SAMPLE_OF_MANY = 240, 80
"""Deals as they come of which it is told whether they trigger the rule: for one point, and for
all."""


def _is_number(ctx: click.Context, param: click.Parameter, value: float) -> float:
    """Refuse what lies in any range and is no number to stop at."""
    del ctx
    if not isfinite(value):
        raise click.BadParameter(f"{value} is no finite number.", param=param)
    return value


@click.command("matters")
@click.argument("ref", metavar="REF")
@click.argument("other", nargs=-1, callback=joined, metavar="[POINT|REF|WORD…]")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Every open point of REF, corrected for how many there are.",
)
@click.option(
    "--over",
    multiple=True,
    metavar="POINT[:READING=WEIGHT,…]",
    help="Average the effects of a point's readings by your weights, beside their range over all "
    "weights; without weights the range alone.  May be repeated, for combinations of readings.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 100_000_000),
    help=f"The most deals that may be played.  [default: {MOST_DEALS[FAST]} by the fast engine, "
    f"{MOST_DEALS[READABLE]} by the readable one; asked for more than {MOST_DEALS[READABLE]}, it "
    "plays on as with --seats]",
)
@click.option(
    "--precision",
    type=click.FloatRange(1e-12, 1, max_open=True),
    callback=_is_number,
    default=1e-4,
    show_default=True,
    help="The share of deals below which a difference is not looked for any longer.",
)
@smallest_option
@click.option(
    "--within",
    callback=counters,
    metavar="COUNTERS",
    help="Stop also where an effect without verdict is known to within this much, in the unit of "
    "--smallest.  [default: half of --smallest]",
)
@click.option(
    "--power",
    callback=counters,
    metavar="X",
    help="Plan only: from a pilot of --deals, how many deals show an effect of X counters a "
    f"session.  [default of --deals: {PILOT_DEALS}]",
)
@click.option(
    "--decompose", is_flag=True, help="Also replay deals for the direct and the carried effect."
)
@click.option(
    "--seats",
    is_flag=True,
    help="Play on until the effect on every seat has a verdict, also where none is shown to gain "
    "or lose.",
)
@seed_option
@family_option
@engine_option
@table_option
@study_options()
@format_option
@refine_options
def matters_command(over: Repeated, **given: Any) -> Study[Any] | Answer:
    """Say whether it matters how a disputed point is read: same rules, no difference, or different.

    POINT may be words of one, all of which must be there: several points are listed.  It is held
    against each of its alternative readings; instead, another rule set may be named, or --all for
    all open points.  The same deals are played under both until the answer is certain, or as many
    as --deals allows.

    With --over no verdict is given but an average: what each gains by your weights on the readings.
    """
    del given
    if over:
        averaged: Study[Any] = run_mode(average_readings, "--over")
        return averaged
    asked: Study[Any] | Answer = run_mode(ask_whether)
    return asked


def ask_whether(
    ref: str,
    other: str | None,
    every: bool,
    deals: int | None,
    precision: float,
    smallest: Fraction,
    within: Fraction | None,
    power: Fraction | None,
    decompose: bool,
    seats: bool,
    seed: int,
    players: str,
    engine: str,
    table: Path | None,
    readings: Repeated,
    sets: Repeated,
) -> Study[Any] | Answer:
    """Plan to hold readings, or another rule set, against the rules in use."""
    if power is not None:
        refuse_with_power("table", "decompose", "seats", "smallest", "within", "precision")
    if table is not None:
        check_form(table)
    finder = first_answer("quadrille_finder")
    if every == (other is not None):
        if other is None and finder is not None and not finder.is_reference(ref):
            listed: Answer | None = finder.find_anywhere("matters", ref)
            if listed is not None:
                return listed
            _first(ref, readings, sets)  # which says what is wrong with the rule set
        if every:
            raise UsageError.of("two-questions")
        such = [p.id for doc in _first(ref, (), ()).chain for p in doc.points][:1]
        matters, lists = Command("matters", (ref, *such)), Command("apparatus", (ref,))
        variant = "nothing-to-compare-with" if such else "no-rule-set-to-compare-with"
        raise UsageError.of(variant, matters=matters, lists=lists)
    if other is not None and finder is not None:
        base_alone = _to_search(finder, ref, other, readings, sets)
        if base_alone is not None:
            other = finder.find_points("matters", other, base_alone)
            if isinstance(other, Answer):
                return other
    base, alternatives = _asked(ref, other, readings, sets)
    _show_shipped(base, other)

    def laid_out(compiled: Sequence[Compiled], engine: str) -> Question:
        most = MOST_DEALS[engine] if power is None else PILOT_DEALS
        bots, *members = tables_asked(players)
        return design_of(
            compiled,
            deals=deals or most,
            seed=seed,
            bots=bots,
            precision=precision,
            smallest=smallest,
            within=within,
            decompose=decompose,
            # whoever asks for that many wants them played, and the same answer by either engine
            seats=seats or (power is None and deals is not None and deals > MOST_DEALS[READABLE]),
            others=members if engine == FAST and power is None else (),
        )

    kind = MattersStudy if power is None else PowerStudy
    study = kind(
        compiled=[base],
        title=_title(base, every=every, other=other),
        resolved={"other": other},
        alternatives=alternatives,
        every=every,
        laid_out=laid_out,
        members=tables_asked(players),
        table=table,
        size=float(power or 0),
    )
    study.settle(engine, (deals or MOST_DEALS[READABLE]))
    return study


def average_readings(
    ref: str,
    other: str | None,
    over: Repeated,
    deals: int | None,
    smallest: Fraction,
    within: Fraction | None,
    seats: bool,
    seed: int,
    players: str,
    engine: str,
    readings: Repeated,
    sets: Repeated,
) -> "AveragesStudy":
    """Plan to average the effects of readings by weights."""
    if other is not None:
        raise UsageError.of("point-beside-over", other=other)
    base = _first(ref, readings, sets)
    if base.kind != TRICKS:
        raise _nobody_paid(base, ref)
    points = [weighed(base, text) for text in over]
    combinations = combinations_of(base, ref, points, *refinements(readings, sets))
    played = [one.compiled for one in combinations if not one.same]
    study = AveragesStudy(
        compiled=[base, *played],
        title=f"Effects averaged over readings of {', '.join(p.state.point.id for p in points)}",
        points=points,
        combinations=combinations,
        warnings=warnings_for(base, played, points=()),
        members=tables_asked(players),
    )
    most = deals or MOST_DEALS[READABLE]
    study.chosen, study.tables = engine_for(
        engine, [c.ruleset for c in study.compiled], study.members[0], most * len(study.compiled)
    )
    bots, *members = study.members
    laid = design_of(
        study.compiled,
        deals=deals or MOST_DEALS[study.chosen],
        seed=seed,
        bots=bots,
        precision=1,
        smallest=smallest,
        within=within,
        seats=seats,
        others=members if study.chosen == FAST else (),
    )
    effects = len(played) + (combinations[0].weight is not None)
    study.design = replace(laid, alternatives=effects, alpha=ALPHA / effects / len(laid.tables))
    study.bots = study.design.bots
    study.resolved = {
        "deals": study.design.deals,
        "players": FAMILY if study.design.others else ",".join(bots),
    }
    return study


@dataclass(kw_only=True)
class AveragesStudy(Study[Averages]):
    """Effects of combinations of readings, averaged by weights."""

    points: Sequence[WeighedPoint]
    combinations: Sequence[Combination]
    members: Sequence[tuple[str, ...]]
    design: Question = field(init=False)
    chosen: str = READABLE
    tables: fast.Tables | None = None

    def play(self, runner: Runner) -> Averages:
        """See ``Study``."""
        d, base = self.design, self.compiled[0]
        if self.tables is None:
            ready_players(d.bots)
        weights: tuple[int, ...] = ()
        if self.combinations[0].weight is not None:
            given = [(one.same, one.weight or Fraction(0)) for one in self.combinations]
            same = sum((w for is_same, w in given if is_same), Fraction(0))
            weights = in_one_unit([same, *(w for is_same, w in given if not is_same)])
        work = PlayingAverages(
            tuple(c.ruleset for c in self.compiled),
            tuple(d.bots),
            d.seed,
            told=None,
            decompose=False,
            sampled=0,
            engine=self.chosen,
            tabulated={} if self.tables is None else {0: self.tables},
            others=d.others,
            weights=weights,
        )
        with runner, StudyProgress(d.deals * len(d.tables), at_most=True) as progress:
            runs, interrupted = play_averages(work, d, runner, progress.update)
        return Averages(
            base=base,
            design=d,
            engine=self.chosen,
            points=self.points,
            combinations=self.combinations,
            runs=runs,
            interrupted=interrupted,
        )

    def finish(self, found: Averages) -> Json:
        """See ``Study``."""
        return averages_json(found)

    def render(self, found: Averages, record: Json) -> Rendering:
        """See ``Study``."""
        del record
        last = ""
        if self.chosen == READABLE and len(self.members) > 1:
            last = by_readable(self.members, [c.ruleset for c in self.compiled], self.design.bots)
        return Rendering(
            blocks=lambda details: averages_blocks(found, details=details),
            rows=lambda: averages_csv(found),
            answers=lambda: [answer(found)],
            reached="what is known by now" if found.interrupted else "",
            last=last,
        )


@dataclass(kw_only=True)
class MattersStudy(Study[tuple[Matters, Examples]]):
    """Whether some alternatives to a rule set matter."""

    alternatives: Sequence[Alternative]
    every: bool
    laid_out: Callable[[Sequence[Compiled], str], Question]
    members: Sequence[tuple[str, ...]]
    table: Path | None
    size: float
    """Of the effect that ``--power`` plans for."""
    without: list[Finding] = field(init=False)
    """The findings that need no play, and the alternatives to be played."""
    to_play: list[Alternative] = field(init=False)
    design: Question = field(init=False)
    drilling: Drilling = field(init=False)
    chosen: str = READABLE
    tables: fast.Tables | None = None

    @property
    def base(self) -> Compiled:
        """The rule set in question."""
        return self.compiled[0]

    def settle(self, engine: str, deals: int) -> None:
        """Settle what is played, and by which engine; a drill-down begins meanwhile."""
        self.without, self.to_play = sort_out(self.base, self.alternatives)
        others = [r.compiled for r in self.to_play if r.compiled is not None]
        self.compiled = [self.base, *others]
        points = {r.point for r in self.alternatives if r.point} if self.every else ()
        self.warnings = warnings_for(self.base, () if self.every else others, points=points)
        if not self.is_plan:
            self._begin(others)
        if self.to_play:
            self.chosen, self.tables = engine_for(
                engine,
                [c.ruleset for c in self.compiled],
                self.members[0],
                deals * len(self.compiled),
            )
        self.design = self.laid_out(self.compiled, self.chosen)
        self.bots = self.design.bots
        self.resolved["deals"] = self.design.deals
        self.resolved["players"] = FAMILY if self.design.others else ",".join(self.members[0])

    def _begin(self, others: Sequence[Compiled]) -> None:
        ctx = click.get_current_context()
        threads = options_of(ctx).get("workers") or os.cpu_count() or 1
        sample = SAMPLE_OF_MANY if self.every else SAMPLE
        design = self.laid_out(self.compiled, READABLE)
        self.drilling = Drilling(self.base, design, sample=sample, shrinking=not self.every)
        self.drilling.begin(others, threads if threads > 1 else 0)
        ctx.call_on_close(self.drilling.close)

    def play(self, runner: Runner) -> tuple[Matters, Examples]:
        """See ``Study``."""
        found = Matters(base=self.base, design=self.design, engine=self.chosen, findings=())
        with runner, listed(self.compiled, self.design.seed, self.table) as listing:
            if self.to_play:
                found = self._played(runner, listing)
            elif listing is not None:
                click.echo(f"no deal had to be played: {self.table} has its heads alone", err=True)
            if listing is not None and found.interrupted:
                listing.drop()
        order = {(r.point, r.reading): i for i, r in enumerate(self.alternatives)}
        together = sorted((*self.without, *found.findings), key=lambda f: order[f.point, f.reading])
        with runner:
            return _drill_down(replace(found, findings=tuple(together)), self.drilling, runner)

    def _played(self, runner: Runner, listing: Listing | None) -> Matters:
        design, drilling = self.design, self.drilling
        table = None if listing is None else listing.table
        plays = self.player(runner, table)
        with StudyProgress(design.deals * len(design.tables), at_most=True) as progress:
            return matters(
                self.base,
                self.to_play,
                design,
                plays,
                engine=self.chosen,
                progress=progress.update,
                writer=None if listing is None else listing.writer,
                known=drilling.found,
                forecast=_forecast(progress, design, drilling, runner.where, plays.usual),
                # nobody looks closer, and the processor is wanted for the report
                stopped=drilling.close,
            )

    def player(self, runner: Runner, table: DealTable | None = None) -> MatchedPlayer:
        """Plays matched starts, by the engine that was chosen."""
        design, decompose = self.design, self.design.estimands > 1
        if self.tables is None:
            ready_players(design.bots)
        rulesets = [c.ruleset for c in self.compiled]
        return MatchedPlayer(
            rulesets,
            design.bots,
            design.seed,
            self.tables,
            table,
            decompose and not self.is_plan,
            runner,
            design.others,
        )

    def finish(self, found: tuple[Matters, Examples]) -> Json:
        """See ``Study``."""
        return matters_json(*found)

    def render(self, found: tuple[Matters, Examples], record: Json) -> Rendering:
        """See ``Study``."""
        m, examples = found
        part = "" if len(examples) == len(m.findings) else "; not looked closer at all of it"
        return Rendering(
            blocks=lambda details: matters_blocks(m, examples, details=details),
            rows=lambda: matters_csv(m),
            answers=lambda: answers(m, examples),
            pictures=lambda: pictures_of(record),
            compiled=[self.base, *(f.compiled for f in m.findings if f.compiled is not None)],
            reached=f"what is known by now{part}" if m.interrupted else "",
            last=self._last(),
        )

    def _last(self) -> str:
        if self.chosen != READABLE or len(self.members) < 2 or not self.to_play:
            return ""
        return by_readable(self.members, [c.ruleset for c in self.compiled], self.design.bots)


@dataclass(kw_only=True)
class PowerStudy(MattersStudy):
    """How many deals show an effect of some size, of all that would have to be played."""

    is_plan: ClassVar[bool] = True

    def play(self, runner: Runner) -> Any:
        """See ``Study``."""
        if not self.to_play:
            return []
        with runner, StudyProgress(self.design.deals, at_most=True) as progress:
            plays = self.player(runner)
            return plans(self.to_play, self.design, plays, self.size, progress=progress.update)

    def finish(self, found: Any) -> Json:
        """See ``Study``."""
        return power_json(self.base, self.design, found, self.size, self.without)

    def render(self, found: Any, record: Json) -> Rendering:
        """See ``Study``."""
        del record
        needed: list[PowerPlan] = found
        others = [*(r.compiled for r in self.to_play), *(f.compiled for f in self.without)]
        return Rendering(
            blocks=lambda _: power_blocks(self.base, self.design, needed, self.size, self.without),
            rows=lambda: power_csv(needed),
            compiled=[self.base, *(c for c in others if c is not None)],
        )


def _forecast(
    progress: StudyProgress, design: Question, drilling: Drilling, where: Placement, usual: str
) -> Forecast:
    """Reports the expected duration to ``progress``, with the drill-down that runs beside and after
    the play.

    What is left is work for the processor; the clock takes as much longer or shorter as it did so
    far.
    """
    began, before = time.monotonic(), time.process_time()

    def narrate(tables: Sequence[Sequence[AlternativeRun]], done: int, work: int) -> None:
        seconds = time.monotonic() - began
        played = time.process_time() - before if where.is_here(usual) else seconds * where.workers
        each = seconds / (played + drilling.spent)
        more = sum(further(pairs, done, design) for pairs in tables)
        progress.expect(seconds + each * (played / work * more + drilling.left))

    return narrate


def _asked(
    ref: str, other: str | None, readings: Repeated, sets: tuple[str, ...]
) -> tuple[Compiled, tuple[Alternative, ...]]:
    """The rule set in question and its alternatives: readings of one or all points, or another rule
    set."""
    base = _first(ref, readings, sets)
    if base.kind != TRICKS:
        raise _nobody_paid(base, ref)
    names = {p.id for doc in base.chain for p in doc.points}
    if other is None or other in names:
        chosen, by_hand = refinements(readings, sets)
        return alternatives_of(ref, chosen, by_hand, other)
    profile = parse_reference(other).profile
    if not is_path(profile) and profile not in resources.shipped_profiles():
        raise UsageError.of(
            "neither-point-nor-rule-set",
            did_you_mean(other, [*names, *resources.shipped_profiles()]),
            other=other,
            ref=ref,
            command=Command("show", (ref,)),
        )
    first, second = compile_all([ref, other], readings, sets)
    check_comparable([first, second])
    plan([first, second], deals=1, sessions=None, seed=0, bots=("steady",))
    return first, (Alternative(point=None, reading=None, compiled=second),)


def _nobody_paid(base: Compiled, ref: str) -> UsageError:
    return UsageError.of(
        "nobody-paid",
        profile=base.identity.profile,
        article=KINDS[base.kind].article,
        command=Command("compare", (ref,)),
    )


def _show_shipped(base: Compiled, point: str | None) -> None:
    """Show on stderr what the shipped study found on a point, at once: playing takes a while."""
    for line in shipped_lines(base, point or "") if caller() is None else ():
        click.echo(line, err=True)


def _to_search(
    finder: Any, ref: str, words: str, readings: Repeated, sets: tuple[str, ...]
) -> Compiled | None:
    """The rule set in which words are looked up; None where they are the id of a point, name a rule
    set or nothing."""
    base = _first(ref, readings, sets)
    names = {p.id for doc in base.chain for p in doc.points}
    profile = parse_reference(words).profile
    is_known = words in names or is_path(profile) or profile in resources.shipped_profiles()
    return None if is_known or base.kind != TRICKS or not finder.find(words, base).hits else base


def _title(base: Compiled, *, every: bool, other: str | None) -> str:
    """What a report, and the citation of a deposit, is called."""
    rules = base.identity.reference
    if every:
        return f"Which readings of {rules} matter"
    is_point = any(state.point.id == other for state in base.points)
    return (
        f"Whether it matters in {rules} how {other} is read"
        if is_point
        else f"Whether {other} differs from {rules}"
    )


def _first(ref: str, readings: Repeated, sets: Repeated) -> Compiled:
    """The rule set in question, with what is chosen by hand but for another."""
    mine = (
        [r for r in readings if not r.startswith("2:")],
        [s for s in sets if not s.startswith("2:")],
    )
    return compile_all([ref], *mine)[0]


def _drill_down(found: Matters, drilling: Drilling, runner: Runner) -> tuple[Matters, Examples]:
    """The drill-down at every finding, and the verdicts after it; interrupted, at those that were
    looked at by then."""
    told: Examples = {}
    findings = list(found.findings)
    if found.interrupted:
        return found, told
    for finding in findings:
        drilling.found(finding)
    try:
        for i, finding in enumerate(findings):
            with runner.stopping.unit():
                told[i] = drilling.at(finding)
            findings[i] = settled(finding, told[i])
    except KeyboardInterrupt:
        drilling.close()
        found = replace(found, interrupted=True)
    return replace(found, findings=tuple(findings)), told


def sessions_of(pair: AlternativeRun, design: Question) -> int:
    """After about how many sessions in all the answer on an alternative, not certain yet, will
    be."""
    matched = pair.matched
    until = trials_for(design.precision, design.alpha) / max(matched.trials, 1) * matched.sessions
    if not matched.diverged:
        return ceil(until)
    waited = [
        (c, one) for _, c, one in pair.moving() if design.seats or c not in seats(design.players)
    ]
    return max(
        (_known_after(one, column, design) for column, one in waited), default=matched.sessions + 1
    )


def _known_after(one: PayeeSums, column: str, design: Question) -> int:
    """After how many sessions there is a verdict on an effect, or its interval is narrow enough."""
    alpha, interest = design.payment_alpha, design.interest_in(column)
    if verdict_on(one, column, design) != UNDECIDED:
        return one.sessions
    # the mean still moves by about its standard error, mostly away from where no verdict is near
    off, error = abs(float(one.mean)) - interest, sqrt(one.spread) / one.sessions
    enough = max(design.within_in(column), sqrt(off * off + error * error))
    return (
        max(one.sessions + 1, one.sessions_for(enough, alpha))
        if one.bounds(alpha).half > enough
        else one.sessions
    )


def further(pairs: Iterable[AlternativeRun], done: int, design: Question) -> int:
    """About how many more sessions will be played after ``done``, counted under every rule set that
    plays them."""
    ends = [sessions_of(pair, design) for pair in pairs]
    played, before = 0, done
    for upto in looks(design.sessions):
        if upto <= done:
            continue
        # an alternative goes on to the first look at which it is certain
        live = sum(1 for end in ends if end > before or before == done)
        if not live:
            break
        played += (upto - before) * (1 + live)
        before = upto
    return played
