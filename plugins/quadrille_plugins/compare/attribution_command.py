"""``quadrille compare A B --attribute``: which of the rules that differ carry the difference."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import Final

from quadrille_core.errors import UsageError
from quadrille_plugins.compare.attribution import (
    Attributed,
    Attributing,
    Attribution,
    Drawing,
    by_player,
    heaviest,
    over_half,
    summed,
)
from quadrille_plugins.compare.attribution_report import (
    attribution_blocks,
    attribution_csv,
    attribution_json,
    attribution_pictures,
    attribution_sentence,
)
from quadrille_plugins.compare.grouping import (
    ALL_UP_TO,
    MOST_GROUPS,
    Group,
    Mixer,
    blocks_of,
    coherent,
    grouped,
    natural,
    split,
    tried,
)
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.shell.options import Repeated, check_comparable, compile_all, typed_options
from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies.answers import by_readable
from quadrille_plugins.studies.design import FAST, READABLE, Design, as_typed, plan
from quadrille_plugins.studies.engines import WORTH_COMPILING, choose_engine, engine_for
from quadrille_plugins.studies.family import tables_asked
from quadrille_plugins.studies.free_losses import warnings_for
from quadrille_plugins.studies.options import one_extent
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import block_size, in_blocks
from quadrille_plugins.studies.study import Rendering, Study

WORK: Final = {FAST: 2_500_000, READABLE: 40_000}
"""Deals by default, each counted under every coalition that its session is played under."""
FEWEST_SESSIONS: Final = {FAST: 1600, READABLE: 40}
PILOT: Final = 100
"""Sessions that show which group carries over half; as many are played before any is split."""
ASKED: Final = 1600
"""Sessions that the other players of a family play, at most, where no number is fixed."""
CHEAP: Final = 4
"""Groups of which all coalitions are no more than those of one scheme."""


def attribute_difference(
    refs: Repeated,
    attribute: bool,
    group: str | None,
    exact: bool,
    deals: int | None,
    sessions: int | None,
    seed: int,
    players: str,
    engine: str,
    readings: Repeated,
    sets: Repeated,
) -> "AttributionStudy":
    """Plan to attribute the difference of two rule sets to groups of rules; ``attribute`` is what a
    manifest names the mode by."""
    del attribute
    if len(refs) != 2:
        raise UsageError.of("attribution-of-two-rule-sets")
    compiled = compile_all(refs, readings, sets)
    check_comparable(compiled)
    one_extent(deals, sessions)
    first, second = compiled
    mixer = Mixer(first, second)
    _ = first.ruleset, second.ruleset  # a patience is refused in its own words
    groups = groups_of(mixer, group)
    if exact and len(groups) > ALL_UP_TO:
        raise UsageError.of("too-many-groups-for-exact", groups=len(groups), most=ALL_UP_TO)
    every = exact or len(groups) <= CHEAP
    asked = any(option.name == "players" for option in typed_options())
    bots, *others = tables_asked(players)
    laid = partial(plan, compiled, seed=seed, bots=bots)
    one = laid(deals=None, sessions=1)
    each = one.length * (1 << len(groups) if every else 3 * len(groups))
    chosen = choose_engine(engine, [c.ruleset for c in compiled], one.bots, WORTH_COMPILING)
    if not (deals or sessions):
        design = laid(deals=None, sessions=max(FEWEST_SESSIONS[chosen], WORK[chosen] // each))
    else:
        design = laid(deals=deals, sessions=sessions)
    if asked and chosen == FAST:
        design = replace(design, others=tuple(other * len(design.bots) for other in others))
    return AttributionStudy(
        compiled=compiled,
        title="A difference attributed",
        resolved={
            "deals": None if sessions is not None else design.deals,
            "players": players if design.others else as_typed(design.bots),
        },
        bots=design.bots,
        deals=design.deals,
        asked=deals,
        warnings=warnings_for(first, [second]),
        design=design,
        engine=engine,
        chosen=chosen,
        mixer=mixer,
        groups=groups,
        exact=every,
        may_split=group is None and not exact,
        most_asked=len(design.lengths) if deals or sessions else ASKED,
        last=by_readable(
            [bots, *(others if asked else ())], [c.ruleset for c in compiled], design.bots
        )
        if chosen == READABLE
        else "",
    )


def groups_of(mixer: Mixer, file: str | None) -> list[Group]:
    """The groups of a file, or those that can be switched alone; raises UsageError."""
    found = natural(mixer.first, mixer.second)
    if not found:
        raise UsageError.of("nothing-to-attribute")
    found = coherent(mixer, found)
    found = found if file is None else grouped(found, Path(file))
    if len(found) > MOST_GROUPS:
        raise UsageError.of("too-many-groups", groups=len(found), most=MOST_GROUPS)
    for coalition in tried(len(found)) if file is not None else ():
        mixer.rules(found, coalition)
    return found


@dataclass(kw_only=True)
class AttributionStudy(Study[Attribution]):
    """A difference attributed to groups of rules."""

    design: Design
    engine: str
    """As asked; ``chosen`` is the one that plays."""
    chosen: str
    mixer: Mixer
    groups: Sequence[Group]
    exact: bool
    may_split: bool
    last: str
    most_asked: int
    """Sessions that the other players of a family play, at most."""
    apart: list[str] = field(default_factory=list)

    def play(self, runner: Runner) -> Attribution:
        """See ``Study``."""
        ready_players(self.design.bots)
        finer = {n: some for n in range(len(self.groups)) if len(some := self._split(n)) > 1}
        if finer and len(self.design.lengths) >= PILOT:
            first = replace(self.design, lengths=self.design.lengths[:PILOT])
            pilot, _, _ = self._played(first, runner)
            for n in over_half(pilot):
                if n in finer and not pilot.interrupted:
                    self.apart.append(self.groups[n].name)
                    self.groups, self.exact = self._split(n), False
                    break
            if pilot.interrupted:
                return pilot
        found, sums, work = self._played(self.design, runner)
        if not found.design.others or found.interrupted or work.engine != FAST:
            return found
        return self._by_all(found, sums, work, runner)

    def _by_all(
        self, found: Attribution, sums: Attributed, work: Attributing, runner: Runner
    ) -> Attribution:
        """The heaviest groups by every other player of the family too, on some of the same
        sessions under some of the same rule sets."""
        design, picked = self.design, heaviest(found)
        asked = [by_player(sums, design, design.bots[0], picked)]
        some = replace(design, lengths=design.lengths[: self.most_asked])
        drawing = replace(work.drawing, picked=picked, exact=False, blocks=())
        for bots in design.others:
            one = work.by(bots, drawing, drawing.coalitions(len(some.lengths)))
            sums = Attributed()
            try:
                stopped = self._add_up(one, some, sums, runner)
            except KeyboardInterrupt:
                stopped = True
            if stopped or sums.sessions < len(some.lengths):
                return replace(found, heaviest=picked, family=tuple(asked), interrupted=True)
            asked.append(by_player(sums, design, bots[0], picked))
        return replace(found, heaviest=picked, family=tuple(asked))

    def _split(self, n: int) -> list[Group]:
        """The groups with one of them split; nothing where it cannot be."""
        found = split(self.mixer, self.groups, n) if self.may_split else []
        return found if len(found) > len(self.groups) else []

    def _played(
        self, design: Design, runner: Runner
    ) -> tuple[Attribution, Attributed, Attributing]:
        """What the first player shows, from which sums, and how these were played."""
        groups, many = self.groups, len(design.lengths)
        blocks = blocks_of(groups)
        drawing = Drawing.of(
            design.seed, len(groups), many, exact=self.exact, blocks=tuple(blocks.values())
        )
        coalitions = drawing.coalitions(many)
        rulesets = [
            self.mixer.rules(groups, frozenset(n for n in range(len(groups)) if c >> n & 1))
            for c in coalitions
        ]
        chosen, tables = self.chosen, None
        if chosen == FAST:
            chosen, tables = engine_for(self.engine, rulesets, design.bots, WORTH_COMPILING)
        work = Attributing(
            tuple(rulesets),
            tuple(coalitions),
            drawing,
            design.bots,
            design.seed,
            chosen,
            [] if tables is None else [tables],
        )
        found = Attributed()
        stopped = self._add_up(work, design, found, runner)
        attribution = summed(
            found,
            replace(design, lengths=design.lengths[: found.sessions]),
            [*blocks],
            compiled=self.compiled,
            engine=chosen,
            drawing=drawing,
            rule_sets=len(coalitions),
            groups=groups,
            split=tuple(self.apart),
            interrupted=stopped,
        )
        return attribution, found, work

    def _add_up(self, work: Attributing, design: Design, found: Attributed, runner: Runner) -> bool:
        """Play a design into sums; whether the user interrupted it."""
        drawing, slow = work.drawing, work.engine != FAST
        each = len(drawing.scheme(0).coalitions)
        size = block_size(len(design.lengths), design.length, each, slow=slow)
        size = ceil(runner.size(size) / drawing.cluster) * drawing.cluster

        def take(block: Attributed) -> int:
            found.merge(block)
            return found.effects.deals

        with StudyProgress(design.deals) as progress:
            tasks = partial(in_blocks, design.lengths, size)
            return runner.add_up(work, tasks, take, design.deals, progress.update)

    def finish(self, found: Attribution) -> Json:
        """See ``Study``."""
        return attribution_json(found)

    def render(self, found: Attribution, record: Json) -> Rendering:
        """See ``Study``."""
        return Rendering(
            blocks=lambda details: attribution_blocks(found, details=details),
            rows=lambda: attribution_csv(found),
            answers=lambda: [attribution_sentence(found)],
            pictures=lambda: attribution_pictures(record),
            reached=f"the {found.design.deals} deals that were finished"
            if found.interrupted
            else "",
            last=self.last,
        )
