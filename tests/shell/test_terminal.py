"""Output outside UTF-8, and foreign texts on a terminal."""

import json
import os
import pickle
import subprocess
import sys

import pytest
from quadrille_plugins.settle.player_names import name_fault
from quadrille_plugins.shell.main import run
from quadrille_plugins.shell.terminal import spelled_out
from support.data import cases

from quadrille_core.errors import Place, Problem, Replace, UsageError
from quadrille_core.harmless import INVISIBLE, one_line, safe
from quadrille_core.profile import load_text
from quadrille_core.profile.yaml_strict import FaultyTreeError

NARROW = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
"""Settings of a terminal that does not take every character."""
RESULT = """\
rules: quanti-1822@parlett
players: [José, B, C, D]
pool: 12
contract: solo
trump: hearts
hombre: José
tricks: {José: 6, B: 2, D: 2}
matadors: 3
premiers: true
"""
COMMANDS = [
    "--help",
    "list",
    "list plugins",
    "show quanti-1822",
    "show quanti-1822 --format yaml",
    "show quanti-1822 --format csv",
    "show quadrille-laws --laws",
    "check no-such-file.yaml",
    "check result.yaml",
    "explain quanti-1822 stakes.unit",
    "apparatus mediateur-1752",
    "apparatus mediateur-1752 --format bibtex",
    "apparatus mediateur-1752 --format csl",
    "diff quanti-1822 mediateur-1752",
    "compare quanti-1822@parlett quanti-1822@wikipedia --deals 4 --engine readable --workers 1",
    "compare royal-quadrille captive-queens --deals 3 --workers 1",
    "matters quanti-1822 --help",
    "settle result.yaml",
    "settle result.yaml --format csv",
    "play quanti-1822 --hand 'SA H7' --trump hearts",
    "deal mediateur-1752",
    "deal royal-quadrille",
    "discriminate hoyle-odds --next 0",
    "compare quanti-1822 --bots random,steady --deals 4 --workers 1",
    "session start game.ledger --rules quanti-1822 --player Zoe --player B --player C --player D",
    "session deal game.ledger dealt.yaml",
    "session show game.ledger",
    "session end game.ledger --split-pool",
    "session export game.ledger",
    "new new.yaml --from mediateur-1752",
]


def run_in(settings, folder, commands):
    """Each command's exit status, output and errors as bytes, all run by one fresh interpreter in
    that folder."""
    code = (
        "import json, os, shlex, sys\n"
        "from quadrille_plugins.shell.main import run\n"
        "for command in json.load(open(sys.argv[1])):\n"
        "    status = run(shlex.split(command))\n"
        "    sys.stdout.flush(); sys.stderr.flush()\n"
        "    os.write(1, b'\\0status %d\\0' % status)\n"
    )
    (folder / "commands.json").write_text(json.dumps(commands))
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LC_", "LANG"))
    }
    return subprocess.run(
        [sys.executable, "-c", code, "commands.json"],
        cwd=folder,
        env=environment | {"COLUMNS": "100"} | settings,
        capture_output=True,
        check=False,
    )


@pytest.fixture(scope="module")
def in_utf8(tmp_path_factory):
    """The exit statuses of the commands where every character can be written."""
    folder = tmp_path_factory.mktemp("utf8")
    _write_files(folder)
    return _statuses(run_in({"PYTHONUTF8": "1"}, folder, COMMANDS).stdout)


def _write_files(folder):
    (folder / "result.yaml").write_text(RESULT, "utf-8")
    dealt = RESULT.replace("José", "Zoe").splitlines(keepends=True)[3:]
    (folder / "dealt.yaml").write_text("".join(dealt), "utf-8")


def _statuses(output):
    return [
        int(part.removeprefix(b"status "))
        for part in output.split(b"\0")
        if part.startswith(b"status ")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", NARROW)
def test_every_command_does_in_a_narrow_encoding_what_it_does_in_utf8(name, in_utf8, tmp_path):
    """No command fails for want of a character, and every byte that it writes is of the
    encoding."""
    _write_files(tmp_path)
    done = run_in(NARROW[name], tmp_path, COMMANDS)
    assert _statuses(done.stdout) == in_utf8
    assert len(in_utf8) == len(COMMANDS)
    assert [c for c, status in zip(COMMANDS, in_utf8, strict=True) if status not in (0, 1)] == [
        COMMANDS[7]
    ]
    encoding = "cp1252" if name == "cp1252" else "ascii"
    assert b"Q999" not in done.stderr
    assert "?" * 3 not in done.stdout.decode(encoding) + done.stderr.decode(encoding)


def test_what_has_been_committed_is_reported_as_done(tmp_path):
    """A deal that the ledger keeps is not followed by an error for want of a character (it was,
    with status 1)."""
    _write_files(tmp_path)
    start = (
        "session start game.ledger --rules quanti-1822 --player Zoe --player B --player C "
        "--player D"
    )
    done = run_in(
        {"PYTHONIOENCODING": "ascii"}, tmp_path, [start, "session deal game.ledger dealt.yaml"]
    )
    assert _statuses(done.stdout) == [0, 0]
    assert b"Deal 1" in done.stdout


def test_typography_and_accents_are_spelled_in_ascii(tmp_path):
    """Signs become what one types for them: suit letters, hyphens, arrows."""
    _write_files(tmp_path)
    done = run_in({"PYTHONIOENCODING": "ascii"}, tmp_path, ["settle result.yaml", "list"])
    for spelled in (b"Jose", b"Mediateur", b"-----"):
        assert spelled in done.stdout
    for escaped in (b"\\u", b"\\x"):
        assert escaped not in done.stdout


WICKED = "evil\x1b[2J\n\x07\x9b1m\x7f\u202e\u200bok.yaml"


def test_a_file_name_moves_no_cursor_and_makes_no_line(tmp_path, capsys, monkeypatch):
    """Escape sequences, line breaks, marks of direction and characters without width are shown, not
    obeyed."""
    monkeypatch.chdir(tmp_path)
    name = WICKED.replace("/", "")
    (tmp_path / name).write_text("players: [")
    for arguments in (
        ["check", name],
        ["check", name + "x"],
        ["settle", name],
        ["deal", "--replay", name + "x"],
        ["session", "show", name + "x"],
        ["discriminate", name],
        ["rerun", name],
        ["new", name, "--from", "quanti-1822"],
        ["show", name],
    ):
        run(arguments)
        out, err = capsys.readouterr()
        said = out + err
        assert safe(said) == said, arguments
        assert "evil\\x1b[2J" in said, arguments
        assert not any(line.startswith(("ok.yaml", "\\x07")) for line in said.splitlines()), (
            arguments
        )


@cases("terminal")
def test_arguments_come_back_escaped(arguments, capsys, tmp_path, monkeypatch):
    """Messages quote what was typed; a terminal must not obey the quotation, the usage errors of
    click among them."""
    monkeypatch.chdir(tmp_path)
    assert run(arguments) in (1, 2)
    out, err = capsys.readouterr()
    assert safe(out + err) == out + err


def test_one_line_escapes_breaks_and_bytes_that_are_no_text():
    assert one_line("a\nb\tc\udcff\u202e") == "a\\nb\\tc\\xff\\u202e"
    assert safe("a\nb\tc\udcff\u202e") == "a\nb\tc\\xff\\u202e"


@pytest.mark.parametrize(
    "char", ["\u200b", "\u200f", "\u061c", "\u2060", "\u00ad", "\u3164", "\U000e0041", "\u202e"]
)
@pytest.mark.parametrize("text", ["title: a{}b", 'title: "a{}b"', "ti{}tle: a"])
def test_invisible_characters_are_refused_in_files(char, text):
    """What cannot be seen may not stand in a file: two names that look the same are then the
    same."""
    with pytest.raises(Exception, match="Q114"):
        load_text(text.format(char), "x.yaml")
    with pytest.raises(Exception, match="Q114"):
        load_text(f'title: "a\\U{ord(char):08X}b"', "x.yaml")


def test_the_class_of_invisible_characters_holds_what_it_says():
    import re
    import unicodedata

    found = re.findall(f"[{INVISIBLE}]", "".join(map(chr, range(0x110000))))
    missing = {chr(n) for n in range(0x110000) if unicodedata.category(chr(n)) == "Cf"} - set(found)
    # signs that enclose digits in Arabic and Syriac, and marks of notation, are visible or change
    # what is
    assert {unicodedata.name(c).split()[0] for c in missing} <= {
        "ARABIC",
        "SYRIAC",
        "KAITHI",
        "EGYPTIAN",
    }


@cases("terminal")
def test_what_unicode_says_is_not_drawn_is_escaped_wherever_it_stands(first, last):
    """The property Default_Ignorable_Code_Point, whole: fillers and variation selectors make names
    look alike."""
    for number in range(first, last + 1):
        char = chr(number)
        assert char not in safe(f"a{char}b"), hex(number)
        assert one_line(f"a{char}b").isascii()
        assert name_fault(f"A{char}B") is not None


def test_an_error_crosses_to_another_process_whole():
    """Errors are made from different things; all cross by their problems (one could not be made
    again at all)."""
    told = {"value": "0.5"}
    problem = Problem("Q116", "floating-point", told, Place("a.yaml", 1, 2, "x"), Replace("1/2"))
    for error in (UsageError.of("own-words", words="x"), FaultyTreeError([problem], None)):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
        assert type(again) is type(error)
        assert again.problems == error.problems
        placed = again.placed(Place("b.yaml"))
        assert [p.place for p in placed.problems] == [
            p.place or Place("b.yaml") for p in error.problems
        ]


@pytest.mark.parametrize(
    "name", ["A\u200bB", "\u3164", "A\u202eB", "A\x1b[2J", "A\nB", "\U000e0041"]
)
def test_a_name_that_cannot_be_seen_for_what_it_is_is_no_players(name):
    assert name_fault(name) is not None


def test_nothing_is_written_past_what_escapes(capsys):
    """A stream that is set up so has no buffer beneath; click would take it on a Windows
    console."""
    with spelled_out():
        assert not hasattr(sys.stdout, "buffer")
        assert not hasattr(sys.stderr, "buffer")


def test_a_closed_standard_output_is_no_internal_error(tmp_path):
    """Status 2, or 0 where nothing is to be printed, and no traceback."""
    line = [sys.executable, "-m", "quadrille_core", "list"]
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *line], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Q802" in done.stderr
    assert b"Q999" not in done.stderr
