"""``quadrille check``: every error of every profile in one pass."""

from pathlib import Path

import click

from quadrille_core.cli.capture import captured
from quadrille_core.errors import Problem
from quadrille_core.features import ask
from quadrille_core.report.blocks import Text
from quadrille_plugins.check.problems import problems_of
from quadrille_plugins.writing.commands import emit, emit_text, format_option
from quadrille_plugins.writing.wrapping import filled


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--fix", is_flag=True, help="Mend first what leaves no doubt; comments and the rest stay.")
@click.option("--diff", is_flag=True, help="Only show what --fix would change; status 1 if anything.")
@format_option
def check_command(files: tuple[Path, ...], fix: bool, diff: bool, fmt: str) -> int:
    """Check profile FILES: syntax, schema, inheritance, plugins, and the rules under every witness.

    A lost game that costs its bidder nothing, and a rule that cannot act, are named on stderr; neither is an error.

    Exit status: 0 without errors, 1 with findings, 2 when a file cannot be read.
    """
    if fix or diff:
        mend = next((answer for _, answer in ask("quadrille_fix") if answer is not None), None)
        changes = [mend(path, write=not diff) for path in files] if mend else []
        for _ in files[1:] if mend and not diff else ():
            if mend and any(changes):  # a file can be mended once those that it extends are
                changes = [mend(path, write=True) for path in files]
        if diff:
            emit_text("".join(changes), {"differs": any(changes)})
            return 1 if any(changes) else 0
    found: list[Problem] = []
    readable, clean = True, 0
    for path in files:
        problems, ok, warnings = problems_of(path)
        for warning in dict.fromkeys(warnings):
            click.echo("\n".join(filled(f"{path}: {warning}")), err=True)
        readable &= ok
        clean += not problems
        found += [p for p in problems if p not in found]

    lines = [problem.render() for problem in found]
    if fmt == "table":
        count = f"{len(found)} error{'' if len(found) == 1 else 's'}" if found else "no errors"
        without = f"{clean} without errors, " if found and clean else ""
        lines.append(f"{len(files)} file{'' if len(files) == 1 else 's'} checked, {without}{count}")
    if fmt == "table" and captured() is None:
        click.echo("\n".join(lines))  # as wide as they are: a block would be broken
    else:
        emit(
            fmt,
            blocks=lambda: [Text("\n".join(lines))],
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
