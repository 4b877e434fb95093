"""``quadrille discriminate``: which readings survive what books say happened."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from quadrille_core import resources
from quadrille_core.errors import Problem, ProfileError, QuadrilleError, UsageError
from quadrille_core.profile import LocatedMap, Node, place_at
from quadrille_core.ruleset import compile_reference
from quadrille_plugins.discriminate.configurations import ConfigurationSpace
from quadrille_plugins.discriminate.evidence import header, load_evidence, read_evidence
from quadrille_plugins.discriminate.next_record import passages
from quadrille_plugins.discriminate.report import (
    discrimination_blocks,
    discrimination_prose,
    discrimination_rows,
    discrimination_to_json,
    pictures_of,
)
from quadrille_plugins.discriminate.study import Discrimination
from quadrille_plugins.output.commands import format_option, refine_options
from quadrille_plugins.studies.options import finish, refinements, study_options


def faults_of_evidence(root: Node) -> Sequence[Problem]:
    """What is wrong with a file of evidence: the rules that it names, and each piece under them."""
    try:
        named = root.get("rules") if isinstance(root, LocatedMap) else None
        compile_reference(str(named.to_plain()) if named else "")
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
    by_hand: Mapping[str, Any],
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
@study_options()
@format_option
@refine_options
def discriminate_command(
    evidence: str, suggestions: int, fmt: str, readings: tuple[str, ...], sets: tuple[str, ...]
) -> int:
    """Hold EVIDENCE against every configuration of readings: what survives, what excludes the rest,
    what would decide.

    EVIDENCE is a YAML file, or the name of evidence that is shipped. --reading settles a point
    beforehand. The exit status is 1 when no configuration survives.
    """
    root, shipped = load_evidence(evidence), resources.evidence()
    reference, in_file, points = header(root)
    chosen, by_hand = refinements(readings, sets)
    try:
        if points is not None:
            points = tuple(point for point in points if point not in chosen)
    except (UsageError, ProfileError) as e:
        raise e.placed(place_at(root, ("rules",))) from None
    space = _space(root, reference, points, {**in_file, **chosen}, by_hand)
    weighed = read_evidence(
        root, evidence, space.compiled.game, space.compiled.kind, space.compiled.sources
    )
    found = Discrimination(space, weighed)
    told = passages(space, found.survivors, most=suggestions) if suggestions else ()
    data = discrimination_to_json(found, told)
    finish(
        [space.compiled],
        data,
        fmt=fmt,
        blocks=lambda details: discrimination_blocks(found, data, details=details),
        rows=lambda: discrimination_rows(data),
        pictures=lambda: pictures_of(data),
        title=weighed.title or evidence,
        found=lambda: discrimination_prose(data),
        files=[] if evidence in shipped else [evidence],
    )
    return 0 if found.remaining else 1
