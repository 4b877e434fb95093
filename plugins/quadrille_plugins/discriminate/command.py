"""``quadrille discriminate``: which readings survive what books say happened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click

from quadrille_core import resources
from quadrille_core.errors import Problem, ProfileError, QuadrilleError, UsageError
from quadrille_core.profile import LocatedMap, Node, place_at
from quadrille_core.ruleset import compile_reference
from quadrille_plugins.discriminate.configurations import ConfigurationSpace
from quadrille_plugins.discriminate.evidence import Evidence, header, load_evidence, read_evidence
from quadrille_plugins.discriminate.next_record import Passage, passages
from quadrille_plugins.discriminate.report import (
    answer,
    discrimination_blocks,
    discrimination_rows,
    discrimination_to_json,
    pictures_of,
)
from quadrille_plugins.discriminate.study import Discrimination
from quadrille_plugins.shell.options import format_option, refine_options
from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies.options import refinements, study_options
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering, Study


def faults_of_evidence(root: Node) -> Sequence[Problem]:
    """What is wrong with a file of evidence: the rules that it names, and each piece under them."""
    named = root.get("rules") if isinstance(root, LocatedMap) else None
    if named is None:
        return ()  # its shape says so
    try:
        compile_reference(str(named.to_plain()))
    except QuadrilleError as e:
        return e.placed(place_at(root, ("rules",))).problems
    try:
        reference, in_file, points = header(root)
        space = _space(root, reference, points, in_file, {})
        read_evidence(root, "", space.compiled.game, space.compiled.kind, space.compiled.sources)
    except QuadrilleError as e:
        return e.problems
    return ()


def _space(
    root: Node,
    reference: str,
    points: tuple[str, ...] | None,
    chosen: Mapping[str, str],
    by_hand: Json,
) -> ConfigurationSpace:
    """The configurations that a file of evidence is held against; what it names wrongly is shown in
    the file."""
    try:
        return ConfigurationSpace(reference, points=points, readings=chosen, settings=by_hand)
    except (UsageError, ProfileError) as e:
        raise e.placed(place_at(root, ("rules",))) from None


@click.command("discriminate")
@click.argument("evidence", metavar="EVIDENCE")
@click.option(
    "--next",
    "suggestions",
    type=click.IntRange(0, 20),
    default=3,
    show_default=True,
    help="How many passages to suggest that would decide among what survives.",
)
@study_options(plays=False)
@format_option
@refine_options
def discriminate_command(
    evidence: str, suggestions: int, readings: tuple[str, ...], sets: tuple[str, ...]
) -> "DiscriminateStudy":
    """Hold EVIDENCE against every configuration of readings: what survives, what excludes the rest,
    what would decide.

    EVIDENCE is a YAML file, or the name of evidence that is shipped. --reading settles a point
    beforehand. The exit status is 1 when no configuration survives.
    """
    root, shipped = load_evidence(evidence), resources.evidence()
    reference, in_file, points = header(root)
    chosen, by_hand = refinements(readings, sets)
    if points is not None:
        points = tuple(point for point in points if point not in chosen)
    space = _space(root, reference, points, {**in_file, **chosen}, by_hand)
    weighed = read_evidence(
        root, evidence, space.compiled.game, space.compiled.kind, space.compiled.sources
    )
    return DiscriminateStudy(
        compiled=[space.compiled],
        title=weighed.title or evidence,
        files=[] if evidence in shipped else [evidence],
        space=space,
        evidence=weighed,
        suggestions=suggestions,
    )


@dataclass(kw_only=True)
class DiscriminateStudy(Study[tuple[Discrimination, Sequence[Passage]]]):
    """Evidence held against every configuration; nothing is played."""

    space: ConfigurationSpace
    evidence: Evidence
    suggestions: int

    def play(self, runner: Runner) -> tuple[Discrimination, Sequence[Passage]]:
        """See ``Study``."""
        del runner
        found = Discrimination(self.space, self.evidence)
        most = self.suggestions
        return found, passages(self.space, found.survivors, most=most) if most else ()

    def finish(self, found: tuple[Discrimination, Sequence[Passage]]) -> Json:
        """See ``Study``."""
        return discrimination_to_json(*found)

    def render(self, found: tuple[Discrimination, Sequence[Passage]], record: Json) -> Rendering:
        """See ``Study``."""
        data = dict(record)
        return Rendering(
            blocks=lambda details: discrimination_blocks(found[0], data, details=details),
            rows=lambda: discrimination_rows(data),
            answers=lambda: [answer(data)],
            pictures=lambda: pictures_of(data),
            status=0 if found[0].remaining else 1,
        )
