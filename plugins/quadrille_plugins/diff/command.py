"""``quadrille diff``: the rules in which two rule sets differ."""

import click

from quadrille_plugins.diff.differences import (
    diff_blocks,
    difference_cells,
    differences_json,
    rules_difference,
)
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_block
from quadrille_plugins.shell.options import (
    check_comparable,
    compile_all,
    format_option,
    refine_options,
)
from quadrille_plugins.shell.values import ruleset_json


@click.command("diff")
@click.argument("ref_1")
@click.argument("ref_2")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also list the rules of bids that only one of them has.",
)
@format_option
@refine_options
def diff_command(
    ref_1: str,
    ref_2: str,
    everything: bool,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> Answer:
    """Show the rules in which REF_1 and REF_2 differ, each side with its source; exit 1 when some
    do.

    A bid that only one of them has takes one line; JSON and CSV list all its rules.
    """
    first, second = compile_all([ref_1, ref_2], readings, sets)
    check_comparable([first, second])
    found = rules_difference(first, second)
    return Answer(
        blocks=lambda: [
            *diff_blocks(first, second, found, everything=everything),
            cite_block("diff", [first, second]),
        ],
        data=lambda: {
            "rules": [ruleset_json(first), ruleset_json(second)],
            "differences": differences_json(found),
        },
        rows=lambda: (
            ("path", "value_1", "value_2", "source_1", "source_2"),
            [difference_cells(d) for d in found],
        ),
        status=1 if found else 0,
    )
