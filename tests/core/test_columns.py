"""Eighty columns are enough: for what the pages show, and for every error in a terminal of that
width."""

import io
import re

import documents
import pytest
from quadrille_plugins.shell.blocks import Table, print_blocks
from quadrille_plugins.shell.terminal import filled
from support.broken import BROKEN
from support.data import of_yaml

from quadrille_core.errors import Place, Problem

CASES = of_yaml(BROKEN / "expected.yaml")
COPIED = re.compile(r"^help: quadrille |^ *\d* \| |`[^`]*`")
"""What is copied or stands in a file: commands, and the file's own lines."""


ERROR = re.compile(r"(\S+: )?Q\d{3} |help: |warning: ")
"""What a terminal breaks at its width, and a page shows as a program reads it."""
DATA = re.compile(r"^cat |--format (json|csv|yaml|nexus|tei|md|html|bibtex|csl)\b")
"""Commands that print data or a file."""
ALLOWED = {
    "new": r"^wrote \S+; try `",  # commands to copy
    "check": r"^\S+: note: ",  # a line for each note of a file, as of a linter
}
"""By command, other lines that may be wider."""


def test_what_the_pages_show_stands_in_80_columns():
    """Tables, answers and reports; errors are broken where a terminal shows them, and data
    never."""
    found = []
    for path in documents.DOCUMENTS:
        for command, shown in documents.commands(path.read_text("utf-8")):
            allowed = re.compile(ALLOWED.get(command.split()[1], "(?!)"))
            wide = [
                line for line in shown.splitlines() if len(line) > 80 and not DATA.search(command)
            ]
            found += [
                f"{path.name}: {w}" for w in wide if not (ERROR.match(w) or allowed.search(w))
            ]
    assert found == []


def test_no_error_of_a_broken_file_is_wider_than_the_terminal(monkeypatch):
    """A line of help with every profile took 321 columns; only commands and lines of files may go
    beyond."""
    monkeypatch.setenv("COLUMNS", "80")
    for case in CASES:
        for p in case["problems"]:
            words = {"words": p["message"], "help": p["help"]}
            place = Place(case["file"], p["line"], p["col"])
            problem = Problem(p["code"], "own-words-and-help", words, place)
            text = filled(problem.render())
            assert text.split() == problem.render().split(), "no word is lost or broken"
            wide = [line for line in text.split("\n") if len(line) > 80]
            assert [line for line in wide if not COPIED.search(line)] == []


def test_an_error_stays_one_line_for_a_program(monkeypatch):
    """Scripts read ``file:line:col: CODE message`` line by line, where no terminal says how wide it
    is."""
    monkeypatch.delenv("COLUMNS", raising=False)
    words = {"words": "no profile " * 20}
    long = Problem("Q306", "own-words", words, Place("a.yaml", 1, 1)).render()
    assert filled(long) == long


@pytest.mark.parametrize(
    "args",
    [
        ("explain", "a", "b", "c"),
        ("explain", "quanti-1822", "bid:nemo"),
        ("diff", "quanti-1822", "nobody"),
    ],
)
def test_an_error_of_a_command_is_broken_between_words_at_the_width(quadrille, monkeypatch, args):
    """They were the widest met."""
    monkeypatch.setenv("COLUMNS", "80")
    _, _, err = quadrille(*args)
    assert err
    assert max(map(len, err.splitlines())) <= 80


def test_a_command_to_copy_is_never_broken(monkeypatch):
    """It would not run."""
    monkeypatch.setenv("COLUMNS", "40")
    command = "`quadrille show quanti-1822 --reading unit=fixed --reading ponto=red_only`"
    assert command in filled(f"Q802 a message\nhelp: to see what these readings do, type {command}")
    bare = f"help: {command.strip('`')}"
    assert filled(bare) == bare
    assert f"\n    {command.strip('`')};\n    or" in filled(
        f"{bare.replace('help', 'help: such as')}; or with another reading"
    )


def test_a_table_breaks_no_word_where_all_words_fit(monkeypatch):
    """Headers and cells were cut inside words, and an id of a point in the middle, with blanks left
    over elsewhere."""
    monkeypatch.setenv("COLUMNS", "60")
    cells = ("vole_at_mediateur_and_casco", "one word after another", "and words " * 9)
    out = io.StringIO()
    print_blocks([Table("", ("point", "reading in use", "alternatives"), (cells,))], out)
    assert set(cells[0].split()) | set(cells[1].split()) | {"alternatives", "words"} <= set(
        out.getvalue().split()
    )
    assert max(map(len, out.getvalue().splitlines())) <= 60


def test_a_word_that_does_not_fit_is_broken_within_its_path_and_a_number_never(monkeypatch):
    """It was cut within a word: payments.matado, rs_four_in_black."""
    monkeypatch.setenv("COLUMNS", "60")
    path, number = "payments.matadors_four_in_black", "+1.123456 ± 0.123456".replace(" ", "\xa0")
    out, heads = io.StringIO(), (path, *"abc")
    print_blocks([Table("", heads, ((path, number, "+12345.5", "+12345.5"),))], out)
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= 60
    parts = ["payments.", "matadors_", "four_", "in_", "black"]
    for below in (lines[: lines.index("─" * 60)], lines[lines.index("─" * 60) :]):
        first = [line.split(" ")[0] for line in below if line[:1].isalpha()]
        assert "".join(first) == path
        assert all(any(one.endswith(part) for part in parts) for one in first)
    assert number in out.getvalue()


@pytest.mark.parametrize("profile", ["quanti-1822@parlett", "mediateur-1752", "hoyle-improved"])
def test_show_breaks_no_id(quadrille, monkeypatch, profile):
    """``vole_at_mediateur_and_casco`` took two lines: it could be neither copied nor found."""
    from quadrille_core.ruleset import compile_reference

    monkeypatch.setenv("COLUMNS", "80")
    out = quadrille("show", profile)[1]
    assert {s.point.id for s in compile_reference(profile).points} <= set(out.split())
