"""``quadrille discriminate``: which readings survive what books say happened."""

import click

from quadrille_core import resources
from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.profile import place_at
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
    """Hold EVIDENCE against every configuration of readings: what survives, what excludes the rest, what would decide.

    EVIDENCE is a YAML file, or the name of evidence that is shipped. --reading settles a point beforehand. The exit
    status is 1 when no configuration survives.
    """
    root, shipped = load_evidence(evidence), resources.evidence()
    reference, in_file, points = header(root)
    chosen, by_hand = refinements(readings, sets)
    try:
        if points is not None:
            points = tuple(point for point in points if point not in chosen)
        space = ConfigurationSpace(reference, points=points, readings={**in_file, **chosen}, settings=by_hand)
    except (UsageError, ProfileError) as e:
        here = place_at(root, ("rules",))
        raise e.placed(here) from None
    weighed = read_evidence(root, evidence, space.compiled.game, space.compiled.kind, space.compiled.sources)
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
