"""``quadrille check``: every error of every profile in one pass."""

from pathlib import Path

import click

from quadrille_core.cli.options import emit, format_option
from quadrille_core.errors import Problem, QuadrilleError, UnreadableError
from quadrille_core.features import ask
from quadrille_core.ruleset import Reference, compile_chain, load_chain

MOST_POINTS = 40
"""Points of one file, and readings of one point, that are tried one by one."""


def problems_of(path: Path) -> tuple[list[Problem], bool, list[str]]:
    """Every fault of one profile file and of the rules it makes, and whether it could be read at all.

    Besides, under which of its witnesses a lost game costs its bidder nothing.
    """
    warnings: list[str] = []
    try:
        name = str(path)
        chain = load_chain(name if "/" in name else f"./{name}")
        leaf = chain[-1]
        witnesses = [None, *(w.id for doc in chain for w in doc.witnesses)]
        found: list[Problem] = []
        choices: list[tuple[str | None, dict[str, str]]] = [(w, {}) for w in dict.fromkeys(witnesses)]
        choices += [(None, {p.id: r.id}) for p in leaf.points[:MOST_POINTS] for r in p.readings[:MOST_POINTS]]
        for witness, readings in choices:
            if found and readings:
                break  # what the default already shows would come again with every reading
            try:
                compiled = compile_chain(chain, Reference(leaf.id, witness), readings=readings, settings={})
                if not readings and not leaf.abstract:
                    warnings += [w for _, told in ask("quadrille_warnings", compiled=compiled) for w in told]
            except UnreadableError:
                raise
            except QuadrilleError as e:
                found += [p for p in e.problems if p not in found and not (leaf.abstract and p.code == "Q305")]
    except UnreadableError as e:
        return list(e.problems), False, []
    except QuadrilleError as e:
        return list(e.problems), True, []
    return found, True, warnings


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@format_option
def check_command(files: tuple[Path, ...], fmt: str) -> int:
    """Check profile FILES: syntax, schema, inheritance, plugins, and the rules under every witness.

    A rule set under which a lost game costs its bidder nothing is named on stderr; that is no fault.

    Exit status: 0 when all is clean, 1 with findings, 2 when a file cannot be read.
    """
    found: list[Problem] = []
    readable = True
    clean = 0
    for path in files:
        problems, ok, warnings = problems_of(path)
        for warning in warnings:
            click.echo(f"{path}: warning: {warning}", err=True)
        readable &= ok
        clean += not problems
        found += [p for p in problems if p not in found]

    if fmt == "table":
        for problem in found:
            click.echo(problem.render())
        count = f"{len(found)} error{'' if len(found) == 1 else 's'}" if found else "no errors"
        click.echo(
            f"{len(files)} file{'' if len(files) == 1 else 's'} checked, {f'{clean} clean, ' if found else ''}{count}"
        )
    else:
        emit(
            fmt,
            blocks=list,
            data=lambda: [p.as_dict() for p in found],
            rows=lambda: (
                ("path", "line", "col", "code", "message", "help"),
                [
                    (
                        p.place.path if p.place else "",
                        p.place.line if p.place else 0,
                        p.place.col if p.place else 0,
                        p.code,
                        p.message,
                        p.help,
                    )
                    for p in found
                ],
            ),
        )
    return 2 if not readable else 1 if found else 0
