"""``quadrille check``: every error of every profile in one pass."""

from pathlib import Path

import click

from quadrille_core.errors import Problem
from quadrille_core.features import first_answer
from quadrille_core.frozen import frozen
from quadrille_core.hookspecs import Mended
from quadrille_plugins.check.problems import problems_of
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Text
from quadrille_plugins.shell.options import A_PATH, format_option
from quadrille_plugins.shell.wrapping import filled


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=A_PATH)
@click.option(
    "--fix", is_flag=True, help="Mend first what leaves no doubt; comments and the rest stay."
)
@click.option(
    "--diff", is_flag=True, help="Only show what --fix would change; status 1 if anything."
)
@click.option(
    "--notes",
    is_flag=True,
    help="As JSON, list each file with its errors and notes; as CSV, give notes a row too.",
)
@format_option
def check_command(files: tuple[Path, ...], fix: bool, diff: bool, notes: bool) -> Answer:
    """Check profile FILES: syntax, schema, inheritance, plugins, and the rules under every witness.

    A lost game that costs its bidder nothing, a ladder whose premium falls, and a rule that cannot
    act are named on stderr; none is an error. With --notes they stand in JSON and CSV too.

    Exit status: 0 without errors, 1 with findings, 2 when a file cannot be read.
    """
    if fix or diff:
        mend = first_answer("quadrille_fix")
        changes: list[tuple[Path, Mended]] = []
        # a file can be mended once those that it extends are
        for _ in files[:1] if diff else files:
            more = [(path, mend(path, write=not diff)) for path in files] if mend else []
            changes += more
            if not any(change.diff for _, change in more):
                break
        if diff:
            told = "".join(change.diff for _, change in changes)
            return Answer.of_text(told, {"differs": bool(told)}, status=1 if told else 0)
        for path, change in changes:
            for number, line in change.lines:
                click.echo("\n".join(filled(f"{path}: mended, line {number}: {line}")), err=True)
    found: list[Problem] = []
    each: list[_Checked] = []
    readable = True
    for path in files:
        problems, ok, warnings = problems_of(path)
        one = _Checked(path, problems, list(dict.fromkeys(warnings)))
        for note in one.notes:
            click.echo("\n".join(filled(f"{path}: {note}")), err=True)
        readable &= ok
        each.append(one)
        found += [p for p in problems if p not in found]

    def text() -> str:
        clean = sum(not one.problems for one in each)
        count = f"{len(found)} error{'' if len(found) == 1 else 's'}" if found else "no errors"
        without = f"{clean} without errors, " if found and clean else ""
        checked = f"{len(files)} file{'' if len(files) == 1 else 's'} checked"
        return "\n".join([*(problem.render() for problem in found), f"{checked}, {without}{count}"])

    noted = each if notes else []
    return Answer(
        blocks=lambda: [Text(text())],
        texts={"table": lambda: text() + "\n"},  # as wide as it is: a block would be broken
        data=lambda: (
            {"files": [one.to_plain() for one in each]} if notes else [p.as_dict() for p in found]
        ),
        rows=lambda: (
            ("path", "line", "col", "code", "message", "help"),
            [
                *((p.path, p.line, p.col, p.code, p.message, p.help) for p in found),
                *((str(one.path), 0, 0, "", note, "") for one in noted for note in one.notes),
            ],
        ),
        status=2 if not readable else 1 if found else 0,
    )


@frozen
class _Checked:
    """What was found in one file: its errors, and what is no error and was said besides."""

    path: Path
    problems: list[Problem]
    notes: list[str]

    def to_plain(self) -> dict[str, object]:
        return {
            "path": str(self.path),
            "errors": [p.as_dict() for p in self.problems],
            "notes": self.notes,
        }
