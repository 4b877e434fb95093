"""``quadrille rank``: which disputed points matter most."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import click

from quadrille_core.errors import Option, UsageError
from quadrille_core.rules import RuleSet
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.deal.players import spelt
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.rank.data import rank_csv, rank_json
from quadrille_plugins.rank.effects import MEASURES, SMALLEST
from quadrille_plugins.rank.pictures import pictures_of
from quadrille_plugins.rank.play import Crew, Lineup
from quadrille_plugins.rank.report import UNITS, rank_blocks, rank_sentence
from quadrille_plugins.rank.run import FIRST, RankingPlan
from quadrille_plugins.rank.space import Space, space_of
from quadrille_plugins.rank.study import FEW, Ranking, rank
from quadrille_plugins.shell.options import Repeated, format_option, refine_options, seed_option
from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies.answers import by_readable
from quadrille_plugins.studies.design import FAST, READABLE, Design, as_typed, plan
from quadrille_plugins.studies.engines import choose_engine, played_by
from quadrille_plugins.studies.family import family_option, tables_asked
from quadrille_plugins.studies.fast import blocked_by
from quadrille_plugins.studies.free_losses import warnings_for
from quadrille_plugins.studies.options import (
    counters,
    engine_option,
    one_extent,
    refinements,
    sessions_option,
    study_options,
)
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering, Study

DEFAULT_DEALS: Final = {FAST: 2000, READABLE: 40}
DEFAULT_CONFIGURATIONS: Final = {FAST: 8, READABLE: 2}
HELD: Final = "held"
"""Who else plays: the same bot, holding to the values of the rule set named."""
FEWER: Final = 10
"""By how much fewer deals other bots play: most of them are slow."""
PLAYED_BY_OTHERS: Final = FIRST + 1
"""Blocks of sessions that other players play at most."""
MOST_COMBINATIONS: Final = 20_000
LARGEST: Final = 10**12
"""The largest and, inverted, the least effect of interest that may be asked for."""


def _smallest(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """As ``counters``, within what a floating-point number can be compared with."""
    found = counters(ctx, param, value)
    if found is not None and not Fraction(1, LARGEST) <= found <= LARGEST:
        raise UsageError.of(
            "number-out-of-bounds", option=Option(param.name or ""), text=value or ""
        )
    return found


@click.command("rank")
@click.argument("ref")
@click.option("--points", metavar="A,B,…", help="The points to rank.  [default: all that are open]")
@click.option(
    "--measure",
    type=click.Choice(MEASURES),
    default=MEASURES[0],
    show_default=True,
    help="What to rank by; all are reported.",
)
@click.option(
    "--smallest",
    callback=_smallest,
    metavar="X",
    help="The smallest effect of interest, in the unit of --measure ("
    + ", ".join(f"{m}: {UNITS[m]}" for m in MEASURES)
    + ").  [default: "
    + ", ".join(f"{m} {SMALLEST[m]:g}" for m in MEASURES)
    + "]",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 100_000_000),
    help="Deals to play under each configuration, laid out in sessions.  "
    f"[default: {DEFAULT_DEALS[FAST]} by the fast engine, {DEFAULT_DEALS[READABLE]} by the "
    "readable one]",
)
@sessions_option
@click.option(
    "--configurations",
    "--backgrounds",
    "configurations",
    type=click.IntRange(1, 100_000),
    help=f"Configurations to sample at most: from {FIRST} on, points shown to be smaller are no "
    f"longer switched.  [default: all where there are at most {FEW}, else "
    f"{DEFAULT_CONFIGURATIONS[FAST]} by the fast engine, {DEFAULT_CONFIGURATIONS[READABLE]} by "
    "the readable one]",
)
@click.option(
    "--exact", is_flag=True, help=f"Take all configurations, though there are more than {FEW}."
)
@seed_option
@family_option
@click.option(
    "--also",
    default="",
    metavar="BOT[,BOT…]",
    help=f"Whose order to compare: `{HELD}` (steady, bidding as if the rules were still those "
    f"named), or other bots, who play a {FEWER}th of the deals; random bots begin every deal "
    "with a new pool.",
)
@engine_option
@study_options()
@format_option
@refine_options
def rank_command(
    ref: str,
    points: str | None,
    measure: str,
    smallest: Fraction | None,
    deals: int | None,
    sessions: int | None,
    configurations: int | None,
    exact: bool,
    seed: int,
    players: str,
    also: str,
    engine: str,
    readings: Repeated,
    sets: Repeated,
) -> "RankStudy":
    """Rank the disputed points of a rule set by the total effect of their readings.

    Every point is switched through its readings on the same deals, the others held: in all valid
    configurations of the others where they are few, else in a random sample of them, each on deals
    of its own.  Of every point it says how large its effect is, whether that is more than the
    smallest effect of interest, its place with an interval, and how far it depends on how the
    others are read.  The fast engine asks a family of players, each on the same deals: a verdict
    holds where all agree.
    """
    space = space_of(ref, *refinements(readings, sets), _points(points))
    one_extent(deals, sessions)
    _check_exact(space, configurations, exact=exact)
    members = tables_asked(players)
    take_all = exact or (configurations is None and space.many <= FEW)

    def planned(engine: str) -> tuple[int, int, Design]:
        """The samples, the configurations and the deals: how many by default depends on the
        engine."""
        many = DEFAULT_CONFIGURATIONS[engine] if configurations is None else configurations
        combinations = (many + 1) * (2 + sum(space.sizes) - len(space.sizes))
        wanted = deals if deals or sessions else DEFAULT_DEALS[engine]
        design = plan([space.base], deals=wanted, sessions=sessions, seed=seed, bots=members[0])
        return many, space.many if take_all else combinations, design

    _, combinations, design = planned(READABLE)
    work = design.deals * combinations
    if not (deals or sessions):
        # what the readable engine plays by default is too little for an interval: it is no reason
        # not to compile
        _, as_many, faster = planned(FAST)
        work = max(work, faster.deals * as_many)
    chosen = choose_engine(engine, [space.base.ruleset], design.bots, work)
    many, combinations, design = planned(chosen)
    asked_of = members if chosen == FAST else members[:1]
    lineups = _players(space, design, chosen, asked_of, also, since=0 if take_all else 1)
    question = RankingPlan(
        seed=seed,
        sample_size=many,
        exact=take_all,
        measure=measure,
        deals=lineups[0].design.deals,
        smallest={**SMALLEST, **({measure: float(smallest)} if smallest is not None else {})},
        limits=tuple(p.blocks for p in lineups),
        costs=tuple(p.cost / lineups[0].cost for p in lineups),
        family=tuple(p.name for p in lineups[: len(asked_of)]),
    )
    return RankStudy(
        compiled=[space.base],
        title="Disputed points ranked",
        resolved={
            "deals": None if sessions is not None else design.deals,
            "configurations": None if take_all else many,
            "players": players if len(asked_of) > 1 else as_typed(design.bots),
            "also": ",".join(p.name for p in lineups[len(asked_of) :]),
        },
        bots=design.bots,
        deals=design.deals,
        asked=deals,
        warnings=warnings_for(space.base, points=space.names),
        space=space,
        plan=question,
        lineups=lineups,
        combinations=combinations,
        last=by_readable(members, [space.base.ruleset], design.bots)
        if chosen == READABLE and len(members) > 1
        else "",
    )


@dataclass(kw_only=True)
class RankStudy(Study[Ranking]):
    """A ranking of disputed points."""

    space: Space
    plan: RankingPlan
    lineups: tuple[Lineup, ...]
    combinations: int
    last: str
    """The last line, where the readable engine asks one player of several."""

    def play(self, runner: Runner) -> Ranking:
        """See ``Study``."""
        fast_ones = [p for p in self.lineups if p.engine == FAST]
        modules = dict.fromkeys(m for p in fast_ones for m in played_by(p.design.bots))
        if modules:
            ready(*modules)
        for player in self.lineups:
            ready_players(player.design.bots)
        at_most = not self.plan.exact and self.plan.sample_size > FIRST
        with (
            Crew(self.space, self.lineups, runner=runner) as crew,
            StudyProgress(self.combinations, "configurations", at_most=at_most) as progress,
        ):
            return rank(self.space, self.plan, crew, progress.update, progress.expect)

    def finish(self, found: Ranking) -> Json:
        """See ``Study``."""
        return rank_json(found, self.lineups)

    def render(self, found: Ranking, record: Json) -> Rendering:
        """See ``Study``."""
        many = found.sample_size
        return Rendering(
            blocks=lambda details: rank_blocks(found, self.lineups, details=details),
            rows=lambda: rank_csv(found, self.lineups),
            answers=lambda: [rank_sentence(found)],
            pictures=lambda: pictures_of(record),
            reached=f"the {many} configurations that were finished" if found.interrupted else "",
            last=self.last,
        )


def _points(text: str | None) -> list[str] | None:
    """The points named, if any are; raises UsageError for an empty list."""
    wanted = [p.strip() for p in text.split(",") if p.strip()] if text is not None else None
    if wanted == []:
        raise UsageError.of("points-names-no-point")
    return wanted


def _check_exact(space: Space, configurations: int | None, *, exact: bool) -> None:
    """Raise UsageError where all configurations cannot be taken."""
    if exact and configurations is not None:
        raise UsageError.of("exact-and-configurations")
    if exact and space.many > MOST_COMBINATIONS:
        raise UsageError.of("too-many-for-exact", many=space.many)


def _players(
    space: Space,
    design: Design,
    engine: str,
    members: Sequence[Sequence[str]],
    also: str,
    *,
    since: int,
) -> tuple[Lineup, ...]:
    """Every player whose order is compared, those asked first; all but the first play from block
    ``since`` on.

    Raises UsageError for an unknown bot, or one that cannot hold values.
    """
    base: RuleSet = space.base.ruleset

    def fit_for(design: Design) -> str:
        return FAST if engine == FAST and blocked_by([base], design.bots) is None else READABLE

    found = [Lineup(",".join(dict.fromkeys(design.bots)), design, engine)]
    for bots in members[1:]:
        other = replace(design, bots=tuple(bots) * design.players)
        found.append(Lineup(bots[0], other, fit_for(other), since=since))
    names = [n.strip() for n in also.split(",") if n.strip()]
    for name in dict.fromkeys(n if n == HELD else spelt(n, also=(HELD,)) for n in names):
        if name == HELD:
            if set(design.bots) != {"steady"}:
                raise UsageError.of("held-player-named-again", held=HELD, HELD=HELD)
            blocked = blocked_by([base], design.bots)
            if blocked is not None:
                raise UsageError.of("held-wants-fast-engine", held=HELD, blocked=blocked, HELD=HELD)
            found.append(
                Lineup(name, design, FAST, held=True, blocks=PLAYED_BY_OTHERS, since=since)
            )
            continue
        lengths = design.lengths[: max(1, len(design.lengths) // FEWER)]
        fewer = Design(seed=design.seed, lengths=lengths, bots=(name,) * design.players)
        found.append(Lineup(name, fewer, fit_for(fewer), blocks=PLAYED_BY_OTHERS, since=since))
    return tuple(found)
