"""Running what the documents show.

In a document, a block of ``console`` holds commands after ``$`` with the output that follows them;
a block headed by ``<!-- file: NAME -->`` is a file that the commands of the same document find in
their folder.  A block of ``pycon`` holds Python after ``>>>`` and ``...``, with what it prints; all
of a document share their names.  ``python tools/documents.py`` writes the outputs anew; the tests
compare them to the letter. A line of three dots stands for lines left out.  Below
``<!-- nothing compiled yet -->`` a block shows what a fresh machine prints; the others, what is
printed after ``quadrille --warmup``.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

COLD: Final = "<!-- nothing compiled yet -->"
ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(p for p in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
_OF_THE_MACHINE = re.compile(r"^this .* min.*; Ctrl-C reports what is done.*\n", re.MULTILINE)
_FILE = re.compile(
    r"<!-- file: (?P<name>\S+) -->\n+```\w*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_PYTHON = re.compile(r"^```pycon\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"^```console\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Every command of a document with the output shown after it."""
    for block in _CONSOLE.finditer(text):
        for part in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def on_a_fresh_machine(text: str) -> set[str]:
    """The commands of a document that show what is printed where nothing is compiled yet."""
    blocks = re.findall(
        f"^{re.escape(COLD)}\n(```console\n.*?^```$)", text, re.MULTILINE | re.DOTALL
    )
    return {command for block in blocks for command, _ in commands(block)}


def told_below(page: str, heading: str) -> list[str]:
    """The words in code that begin the rows of the tables below a heading of a page of docs/."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    heads = (line.split("|")[1] for line in part.splitlines() if line.startswith("| `"))
    return [word for head in heads for word in re.findall("`([^`]+)`", head)]


def told_as_csv(page: str) -> set[str]:
    """Columns and sections, as a page tells of them."""
    return {*told_below(page, "As CSV")}


def told_as_json(page: str) -> list[str]:
    """Keys, as a page tells of them."""
    return told_below(page, "As JSON")


def examples(text: str) -> Iterator[tuple[str, str]]:
    """Every Python statement of a document with the output shown after it."""
    for block in _PYTHON.finditer(text):
        for one in doctest.DocTestParser().get_examples(block["text"]):
            yield one.source, "" if one.want == "\n" else one.want


def _one_program() -> Any:
    """The digest of the program is another after every change: the documents show zeros."""
    from quadrille_plugins.shell import program

    return patch.object(program, "program_digest", lambda: "0" * 64)


def run_python(source: str, names: dict[str, Any]) -> str:
    """What a statement prints, as the interpreter does, on either stream; an expression's value is
    shown."""
    out = io.StringIO()
    columns = os.environ.pop("COLUMNS", None)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), _one_program():
            exec(compile(source, "<document>", "single"), names)  # noqa: S102
    finally:
        if columns is not None:
            os.environ["COLUMNS"] = columns
    lines = out.getvalue().splitlines()
    return "".join(f"{line.rstrip() or '<BLANKLINE>'}\n" for line in lines)


def files(text: str) -> dict[str, str]:
    """The files that a document shows."""
    return {m["name"]: m["text"] for m in _FILE.finditer(text)}


@cache
def warm() -> None:
    """Compile the fast engine if it is not: the documents show what studies print after
    ``quadrille --warmup``."""
    from quadrille_plugins.kernel.ready import is_compiled, ready

    if find_spec("numba") is not None and not is_compiled():
        with contextlib.redirect_stderr(io.StringIO()):
            ready()


def _dated() -> str:
    """The date of every output shown, so that it is the same on another day."""
    return os.environ.setdefault("SOURCE_DATE_EPOCH", "1767225600")


def run(command: str, *, cold: bool = False) -> str:
    """What a ``quadrille`` command prints, on either stream, in the present folder; ``cold``:
    nothing compiled."""
    from quadrille_plugins.shell.main import run as run_cli
    from quadrille_plugins.studies import engines

    if not cold:
        warm()
    _dated()
    program, *args = shlex.split(command)
    if program == "cat":
        return Path(args[0]).read_text()
    assert program == "quadrille", command
    out = io.StringIO()
    columns = os.environ.pop("COLUMNS", None)  # test runners set it, and reports heed it
    path = os.environ.get("PATH", os.defpath)
    # as in an activated environment: otherwise what is proposed names the interpreter of this
    # machine
    os.environ["PATH"] = os.pathsep.join((os.path.dirname(sys.executable), path))
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
            _one_program(),
            patch.object(
                engines, "is_compiled", (lambda *_: False) if cold else engines.is_compiled
            ),
        ):
            run_cli(args)
    finally:
        os.environ["PATH"] = path
        if columns is not None:
            os.environ["COLUMNS"] = columns
    return _OF_THE_MACHINE.sub("", out.getvalue())


@contextlib.contextmanager
def folder_of(text: str) -> Iterator[None]:
    """Stand in a folder that holds the document's files, for its commands to find and its Python to
    import."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.path.insert(0, folder)
        try:
            for name, content in files(text).items():
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(content)
            yield
        finally:
            sys.path.remove(folder)
            for name in files(text):
                sys.modules.pop(name.removesuffix(".py"), None)
            os.chdir(before)


def agrees(shown: str, printed: str) -> bool:
    """Whether an output is as shown; three dots on a line of their own stand for any lines."""
    pieces = re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)
    pattern = r"(?:.*\n)*?".join(re.escape(p) for p in pieces)
    return re.fullmatch(pattern, printed) is not None


def rewritten(path: Path) -> str:
    """A document with its outputs as they are now, but for those that leave lines out."""
    text = path.read_text()
    fresh = on_a_fresh_machine(text)
    with folder_of(text):

        def block(match: re.Match[str]) -> str:
            parts = ["```console\n"]
            for command, shown in commands(match[0]):
                printed = run(command, cold=command in fresh)
                parts.append(
                    f"$ {command}\n{shown if agrees(shown, printed) else _shortened(shown, printed)}"
                )
            return "".join(parts) + "```"

        names: dict[str, Any] = {"__name__": "__document__"}

        def python(match: re.Match[str]) -> str:
            parts = ["```pycon\n"]
            for source, shown in examples(match[0]):
                printed = run_python(source, names)
                first, *more = source.splitlines(keepends=True)
                parts.append("".join([f">>> {first}", *(f"... {line}" for line in more)]))
                parts.append(shown if agrees(shown, printed) else _shortened(shown, printed))
            return "".join(parts) + "```"

        return _PYTHON.sub(python, _CONSOLE.sub(block, text))


def _shortened(shown: str, printed: str) -> str:
    """The output with as many lines at its head as were shown before the dots, and none after."""
    head, dots, _ = shown.partition("...\n")
    if not dots:
        return printed
    return "".join(printed.splitlines(keepends=True)[: max(1, head.count("\n"))]) + "...\n"


if __name__ == "__main__":
    for document in [Path(a).resolve() for a in sys.argv[1:]] or DOCUMENTS:
        document.write_text(rewritten(document))
