"""``quadrille diff``: the rules in which two rule sets differ."""

from pathlib import Path

import click

from quadrille_core.features import first_answer
from quadrille_core.ruleset import Compiled
from quadrille_plugins.diff.carried import GROUPED, read_carried
from quadrille_plugins.diff.differences import (
    Part,
    diff_blocks,
    difference_cells,
    differences_json,
    rules_difference,
)
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_block
from quadrille_plugins.shell.commands import missing
from quadrille_plugins.shell.options import (
    A_PATH,
    Repeated,
    check_comparable,
    compile_all,
    format_option,
    joined,
    refine_options,
)
from quadrille_plugins.shell.values import ruleset_json


@click.command("diff")
@click.argument("ref_1")
@click.argument("ref_2")
@click.argument("words", nargs=-1, metavar="[WORD]…", callback=joined)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also list the rules of bids that only one of them has.",
)
@click.option(
    "--by",
    type=A_PATH,
    metavar="FILE",
    help="List the rules by the groups that carry the difference, the heaviest first: FILE is the "
    "manifest, or the JSON, of `compare REF_1 REF_2 --attribute`.",
)
@format_option
@refine_options
def diff_command(
    ref_1: str,
    ref_2: str,
    words: str | None,
    everything: bool,
    by: Path | None,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Show the rules in which REF_1 and REF_2 differ, each side with its source; exit 1 when some
    do.

    A bid that only one of them has takes one line; JSON and CSV list all its rules.  WORD keeps the
    rules that it names, as a rule or bid, or by a point that decides them.
    """
    first, second = compile_all([ref_1, ref_2], readings, sets)
    check_comparable([first, second])
    found = rules_difference(first, second)
    if words is not None:
        paths = _named(words, first, second)
        found = tuple(d for d in found if d.path in paths)
    carried = None if by is None else read_carried(by, first, second)
    parts = [Part("", found)] if carried is None else carried.parts(found)
    return Answer(
        blocks=lambda: [
            *diff_blocks(
                first,
                second,
                parts,
                everything=everything,
                words=words,
                told="" if carried is None else carried.told(),
            ),
            cite_block(f"diff {words or ''}".rstrip(), [first, second]),
        ],
        data=lambda: {
            "rules": [ruleset_json(first), ruleset_json(second)],
            **({} if words is None else {"words": words}),
            **({} if carried is None else {"by": carried.to_json()}),
            "differences": differences_json([d for part in parts for d in part.rules]),
        },
        rows=lambda: (
            (
                *("path", "value_1", "value_2", "source_1", "source_2"),
                *(() if carried is None else GROUPED),
            ),
            [(*difference_cells(d), *part.cells) for part in parts for d in part.rules],
        ),
        status=1 if found else 0,
    )


def _named(words: str, first: Compiled, second: Compiled) -> frozenset[str]:
    """The rules that the words name on either side; raises UsageError where they name none."""
    finder = first_answer("quadrille_finder")
    if finder is None:
        raise missing("explain")
    paths: frozenset[str] = finder.rules_of(words, (first, second))
    if not paths:
        raise finder.nothing(words, first, finder.find(words, first))
    return paths
