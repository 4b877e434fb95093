"""``quadrille compare``: the main job."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, ClassVar

import click

from quadrille_core import resources
from quadrille_core.errors import Command, UsageError
from quadrille_core.kinds import KINDS
from quadrille_core.rules import RuleSet
from quadrille_plugins.compare.effects_report import headline
from quadrille_plugins.compare.power_report import power_blocks, power_csv, power_json
from quadrille_plugins.compare.report import comparison_blocks, comparison_csv, comparison_json
from quadrille_plugins.compare.study import Comparison, compare
from quadrille_plugins.deal.options import FAMILY, in_one_spelling
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.shell.commands import wanting
from quadrille_plugins.shell.options import (
    Repeated,
    check_comparable,
    compile_all,
    format_option,
    refine_options,
    run_mode,
    seed_option,
)
from quadrille_plugins.shell.terminal import filled
from quadrille_plugins.shell.values import Json
from quadrille_plugins.shell.writing import check_folder
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.answers import by_readable
from quadrille_plugins.studies.deal_table import check_form, listed
from quadrille_plugins.studies.design import AUTO, FAST, READABLE, Design, as_typed, plan
from quadrille_plugins.studies.engines import UNCOMPILED_SESSIONS, WORTH_COMPILING, engine_for
from quadrille_plugins.studies.family import family_option, tables_asked
from quadrille_plugins.studies.fast import blocked_by
from quadrille_plugins.studies.free_losses import warnings_for
from quadrille_plugins.studies.looks import MOST_SESSIONS
from quadrille_plugins.studies.options import (
    counters,
    engine_option,
    is_kept,
    one_extent,
    refuse_with_power,
    sessions_option,
    smallest_option,
    study_options,
    table_option,
)
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering, Study
from quadrille_plugins.studies.study_pictures import comparison_pictures

DEFAULT_OPEN_DEALS = 100
PILOT_DEALS = 20_000
"""Deals of the pilot from which ``--power`` takes the variance, unless others are asked for."""

STEADY = "steady"
"""Whoever plays by default where a manifest says so; with all cards open nobody does."""
MOST_RULE_SETS = 26
"""Each is named by a letter."""


@click.command("compare")
@click.argument("refs", nargs=-1, required=True, metavar="REF REF [REF…]")
@click.option(
    "--deals",
    type=click.IntRange(1, 100_000_000),
    help="A fixed number of deals to play, laid out in sessions.  [default: as many as decide "
    f"the answer; {DEFAULT_OPEN_DEALS} with --double-dummy, 240 with --bots, and 10000 games of "
    "a patience]",
)
@sessions_option
@click.option(
    "--at-most",
    "at_most",
    type=click.IntRange(1, 10**8),
    metavar="DEALS",
    help="Where no number is fixed, leave off undecided after this number of deals.  [default, "
    f"in sessions: {MOST_SESSIONS[FAST]} by the fast engine, {MOST_SESSIONS[READABLE]} by the "
    "readable one]",
)
@click.option(
    "--seats",
    is_flag=True,
    help="Play on until the effect on every seat is decided as well; with one REF, whether a seat "
    "earns more than another.",
)
@seed_option
@family_option
@engine_option
@click.option(
    "--double-dummy",
    "double_dummy",
    is_flag=True,
    help="No bots: par of each deal when all cards are seen, under each rule set.",
)
@click.option(
    "--decompose",
    is_flag=True,
    help="Also replay every deal from the same state: what of an effect is direct, and what is "
    "carried.",
)
@click.option(
    "--attribute",
    is_flag=True,
    help="Which of the rules that differ carry the difference: Shapley values of groups of rules, "
    "by one player (steady unless another is named).",
)
@click.option(
    "--group",
    type=click.Path(),
    metavar="FILE.yaml",
    help="With --attribute: groups of your own, each a name and a list of rules or of what stands "
    "above them.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="With --attribute: every coalition of at most eight groups on each session, instead of "
    "random orders.",
)
@click.option(
    "--bots",
    metavar="BOT,BOT[,BOT…]",
    callback=in_one_spelling,
    help="Rank these bots under one rule set instead; BOT:PARAMETER=VALUE says how one plays.",
)
@click.option(
    "--length",
    type=click.IntRange(1, 1000),
    help="With --bots: deals of a session.  [default: what the rules say]",
)
@smallest_option
@click.option(
    "--power",
    callback=counters,
    metavar="X",
    help="Plan only: from a pilot of --deals, how many deals show an effect of X counters a "
    "session.",
)
@click.option(
    "--examples", type=click.IntRange(0, 50), default=5, show_default=True, help="Examples to show."
)
@click.option(
    "--save",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder to write the examples to, as records; of a patience also lost games that were "
    "looked for.",
)
@table_option
@study_options(inputs=("group",))
@format_option
@refine_options
def compare_command(bots: str | None, attribute: bool, **given: Any) -> Study[Any]:
    """Play the same deals under each rule set: what differs, how often, and who pays.

    The first REF is compared with each of the others.  Whole sessions are played, for the pool
    carries over from deal to deal, until it is decided whether each role wins or loses more than
    --smallest.  Of a patience the same shuffles are played, and the odds of winning estimated; one
    REF alone is then compared under each of its readings.  With --double-dummy every deal stands by
    itself and is solved instead of played.

    With --seats and one REF it is asked whether a seat earns more than another under it.

    With --attribute the difference of two REFs becomes a sum over groups of the rules that differ.

    With --bots, bots are ranked under one REF: every two play the same deals twice, changing chairs
    in between, so that each plays every hand once against the other, and neither cards nor seats
    favour one of them.  An interval wants six sessions; shorter sessions (--length) give more of
    them for as many deals.
    """
    if bots is not None:
        from quadrille_plugins.compare.tournament_command import rank_bots

        ranked: Study[Any] = run_mode(rank_bots, "--bots")
        return ranked
    if attribute:
        from quadrille_plugins.compare.attribution_command import attribute_difference

        carried: Study[Any] = run_mode(attribute_difference, "--attribute")
        return carried
    if given["seats"] and len(given["refs"]) == 1:
        from quadrille_plugins.compare.seats_command import fairness_of_seats

        seated: Study[Any] = run_mode(fairness_of_seats, "--seats")
        return seated
    compared: Study[Any] = run_mode(compare_rule_sets)
    return compared


def compare_rule_sets(
    refs: Repeated,
    deals: int | None,
    sessions: int | None,
    at_most: int | None,
    seats: bool,
    seed: int,
    players: str,
    engine: str,
    double_dummy: bool,
    decompose: bool,
    smallest: Fraction,
    power: Fraction | None,
    examples: int,
    save: Path | None,
    table: Path | None,
    readings: Repeated,
    sets: Repeated,
) -> Study[Any]:
    """Plan to compare the first rule set with each of the others."""
    if power is not None:
        refuse_with_power("table", "decompose", "smallest", "at_most", "seats")
    compiled = compile_all(refs, readings, sets)
    check_comparable(compiled)
    check_folder(save)
    other = KINDS[compiled[0].kind].compare
    if other is not None and len(refs) <= MOST_RULE_SETS:
        given = {"examples": examples, "readings": readings, "sets": sets, "save": save}
        odds: Study[Any] = other(refs, compiled, games=deals, seed=seed, **given)
        return odds
    _check_number(refs)
    if double_dummy:
        plays = sessions or at_most or seats or decompose or power is not None or table is not None
        if plays or engine != AUTO or players not in (FAMILY, STEADY):
            _refuse_with_double_dummy(table)
        with wanting("compare"):
            from quadrille_plugins.compare.double_dummy_command import OpenStudy
        many = deals or DEFAULT_OPEN_DEALS
        return OpenStudy.of(compiled, deals=many, seed=seed, examples=examples, save=save)
    if table is not None:
        check_form(table)
    one_extent(deals, sessions)
    fixed = deals is not None or sessions is not None or power is not None
    if fixed:
        refuse_when_fixed(at_most, seats=seats)
    settings: dict[str, Any] = {
        "compiled": compiled,
        "title": "Rule sets compared",
        "laid": partial(plan, compiled, seed=seed, smallest=smallest, decompose=decompose),
        "members": tables_asked(players),
        "fixed": fixed,
        "sessions": sessions,
        "at_most": at_most,
        "until": "seats" if seats else "roles",
        "examples": examples,
        "table": table,
        "save": save,
        "players": players,
        "engine": engine,
        "asked": deals,
    }
    if power is not None:
        return PowerStudy(size=float(power), **settings)
    return ComparisonStudy(**settings)


def _check_number(refs: Sequence[str]) -> None:
    """Raise UsageError for too few rule sets, or too many."""
    if len(refs) < 2:
        raise UsageError.of(
            "comparison-needs-two-rule-sets",
            compare=Command("compare", tuple(resources.examples())),
        )
    if len(refs) > MOST_RULE_SETS:
        raise UsageError.of("too-many-rule-sets")


def _refuse_with_double_dummy(table: Path | None) -> None:
    if table is not None:
        raise UsageError.of("table-with-double-dummy")
    raise UsageError.of("double-dummy-without-bots")


def refuse_when_fixed(at_most: int | None, *, seats: bool) -> None:
    """Raise UsageError for an option that does nothing where the number of deals is fixed."""
    if at_most is None and not seats:
        return
    which = "--at-most" if at_most is not None else "--seats"
    raise UsageError.of("number-of-deals-is-fixed", which=which)


@dataclass(kw_only=True)
class ComparisonStudy(Study[Comparison]):
    """A comparison by play; how much is played depends on the engine where it is not fixed."""

    laid: Callable[..., Design]
    members: Sequence[tuple[str, ...]]
    fixed: bool
    sessions: int | None
    at_most: int | None
    until: Any
    engine: str
    """As asked; ``chosen`` is the one that plays."""
    examples: int
    table: Path | None
    players: str
    design: Design = field(init=False)
    chosen: str = field(init=False)
    tables: fast.Tables | None = field(init=False)
    goes_on: bool = field(init=False)
    """Whether the fast engine is compiled and goes on where the readable one has not decided."""

    def __post_init__(self) -> None:
        """Settle the engine, and what it plays."""
        # what takes long enough to be kept in a folder is worth compiling
        kept = is_kept()
        first = self.by(FAST if kept else READABLE, None if kept else UNCOMPILED_SESSIONS)
        self.chosen, self.tables = self.loaded(self.engine, first)
        design = self.by(self.chosen)
        self.goes_on = (
            (self.chosen, self.engine) == (READABLE, AUTO)
            and blocked_by(self.rulesets, first.bots) is None
            and len(design.lengths) > len(first.lengths)
        )
        self.design = first if self.goes_on else design
        self.deals = self.design.deals
        self.resolved["deals"] = self.deals if self.fixed and self.sessions is None else None
        self.warnings = warnings_for(self.compiled[0], self.compiled[1:])
        self.settle()

    @property
    def rulesets(self) -> list[RuleSet]:
        """Those compared."""
        return [c.ruleset for c in self.compiled]

    def by(self, engine: str, most: int | None = None) -> Design:
        """The design by that engine: the deals that are fixed, or at most this number of sessions,
        else its own most.

        The readable engine asks the first member of a family alone, as does a plan.
        """
        first, *others = self.members
        if self.fixed:
            deals = self.asked or (None if self.sessions is not None else PILOT_DEALS)
            one = self.laid(deals=deals, sessions=self.sessions, bots=first)
        else:
            one = self.laid(deals=None, sessions=1, bots=first)
            many = MOST_SESSIONS[engine]
            if self.at_most is not None:
                many = ceil(Fraction(self.at_most, one.length))
            many = many if most is None else min(many, most)
            one = replace(one, lengths=one.lengths * many, until=self.until)
        if self.is_plan or engine != FAST:
            return one
        return replace(one, others=tuple(bots * len(one.bots) for bots in others))

    def loaded(self, asked: str, design: Design, work: int = 0) -> tuple[str, fast.Tables | None]:
        """The engine that plays a design, with the rule sets as the fast one reads them."""
        work = max(work, design.deals * len(self.compiled))
        return engine_for(asked, self.rulesets, design.bots, work)

    def settle(self) -> None:
        """Note the parameters as the engine settles them: who is asked, and the most deals."""
        design = self.design
        self.bots = design.bots
        self.resolved["players"] = self.players if design.others else as_typed(design.bots)
        self.resolved["at_most"] = None if design.until is None else design.deals

    def play(self, runner: Runner) -> Comparison:
        """See ``Study``."""
        found = self._played(runner)
        if self.goes_on and not (found.decided or found.interrupted):
            told = f"not decided after {self.design.deals} deals: going on"
            click.echo(filled(told), err=True)
            self.chosen, self.tables = self.loaded(AUTO, self.design, WORTH_COMPILING)
            self.design = self.by(self.chosen)
            self.settle()
            found = self._played(runner)
        return found

    def _played(self, runner: Runner) -> Comparison:
        design = self.design
        ready_players(design.bots)
        with (
            listed(self.compiled, design.seed, self.table) as listing,
            StudyProgress(design.deals, at_most=not self.fixed) as progress,
        ):
            found = compare(
                self.compiled,
                design,
                progress=progress.update,
                examples=self.examples,
                engine=self.chosen,
                tables=self.tables,
                listing=listing,
                runner=runner,
            )
            if listing is not None and found.interrupted:
                listing.drop()
        return found

    def finish(self, found: Comparison) -> Json:
        """See ``Study``."""
        return comparison_json(found)

    def render(self, found: Comparison, record: Json) -> Rendering:
        """See ``Study``."""
        return Rendering(
            blocks=lambda details: comparison_blocks(found, details=details),
            rows=lambda: comparison_csv(found),
            answers=lambda: [headline(found, pair) for pair in found.pairs],
            pictures=lambda: comparison_pictures(record),
            records=lambda: _records(found),
            reached=reached(found),
            last=self._last(found),
        )

    def _last(self, found: Comparison) -> str:
        if found.engine != READABLE or self.fixed:
            return ""
        return by_readable(self.members, self.rulesets, found.design.bots)


@dataclass(kw_only=True)
class PowerStudy(ComparisonStudy):
    """How many deals a comparison needs, from a pilot."""

    size: float
    is_plan: ClassVar[bool] = True

    def finish(self, found: Comparison) -> Json:
        """See ``Study``."""
        return power_json(found, self.size)

    def render(self, found: Comparison, record: Json) -> Rendering:
        """See ``Study``."""
        del record
        return Rendering(
            blocks=lambda _: power_blocks(found, self.size),
            rows=lambda: power_csv(found, self.size),
            records=lambda: _records(found),
            reached=reached(found),
        )


def reached(found: Comparison) -> str:
    """How far an interrupted comparison came."""
    return f"the {found.design.deals} deals that were finished" if found.interrupted else ""


def _records(found: Comparison) -> Iterator[tuple[str, str]]:
    """Both records of every example."""
    for pair in found.pairs:
        for t in pair.examples:
            for index, record in zip((pair.first, pair.second), t.records, strict=True):
                name = f"session{t.session}-deal{t.deal}-{index + 1}.json"
                yield name, json.dumps(record, ensure_ascii=False, indent=2) + "\n"
