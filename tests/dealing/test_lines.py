"""``replay`` of a file of JSON lines: it says what the file is, and replays the record of a
line."""

import json
import shlex
import subprocess
import sys

import pytest

import quadrille_core as q

MANY = 90
"""Deals whose records take more than the 256 KiB that one record may."""


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export") / "played"
    q.run(
        "deal",
        "quanti-1822",
        out=folder,
        deals=MANY,
        form="jsonl",
        players="random",
        workers=1,
        engine="readable",
    )
    return folder / "records-1.jsonl"


@pytest.fixture
def few(exported, tmp_path):
    path = tmp_path / "a few.jsonl"
    path.write_text(
        "".join(exported.read_text("utf-8").splitlines(keepends=True)[:3]), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize("name", ["exported", "few"])
def test_a_file_of_records_is_refused_with_what_to_type(name, request, quadrille):
    """It said that no file of ours is so large, or that text stands outside the document; what it
    says now works."""
    path = request.getfixturevalue(name)
    status, _, err = quadrille("deal", "--replay", str(path))
    assert status == 2
    assert "Q110 this is a file of records, one a line (JSON lines)" in err
    typed = shlex.split(err.partition("quadrille deal --replay ")[2])
    status, out, err = quadrille("deal", "--replay", *typed, "--format", "json")
    assert (status, err) == (0, "")
    first = json.loads(path.read_text("utf-8").partition("\n")[0])
    assert json.loads(out)["record"]["actions"] == first["actions"]


@pytest.mark.parametrize("number", [1, 2, MANY])
def test_the_record_of_a_line_is_replayed(number, exported):
    """The line of that number, from a file and from Python."""
    record = json.loads(exported.read_text("utf-8").splitlines()[number - 1])
    found = q.run("deal", replay=exported, line=number).to_dict()
    assert found["record"]["actions"] == record["actions"]
    assert (found["divergence"], found["differing"]) == (None, [])


def test_standard_input_is_read_by_lines_too(exported):
    """A pipe of many records is refused, with --line it replays one, and `head -1` gives a record of
    its own."""

    def piped(text, *args):
        code = "from quadrille_plugins.shell.main import main; main()"
        line = [sys.executable, "-c", code, "deal", "--replay", "-", *args]
        done = subprocess.run(
            line, check=False, input=text, capture_output=True, text=True, encoding="utf-8"
        )
        return done.returncode, done.stdout, done.stderr

    text = exported.read_text("utf-8")
    assert piped(text)[0] == 2
    assert piped(text, "--line", "1")[:2] == piped(text.partition("\n")[0] + "\n")[:2]
    assert piped(text, "--line", "1")[0] == 0


def test_a_line_that_is_not_there_is_named(few, quadrille):
    """It says how many lines there are."""
    status, _, err = quadrille("deal", "--replay", str(few), "--line", "4")
    assert status == 2
    assert "has 3 lines, and no line 4" in err
    assert "help: the last is --line 3" in err


def test_a_fault_in_a_line_is_placed_in_that_line(few, quadrille):
    """The other lines are not read as records."""
    lines = few.read_text("utf-8").splitlines()
    few.write_text(
        "\n".join([lines[0], lines[1].replace('"kind":"deal"', '"kind":"fish"'), lines[2]]), "utf-8"
    )
    assert quadrille("deal", "--replay", str(few), "--line", "3")[0] == 0
    status, _, err = quadrille("deal", "--replay", str(few), "--line", "2")
    assert (status, "a few.jsonl (line 2):1:" in err, "fish" in err) == (1, True, True)


def test_a_record_of_several_lines_stays_one_record(few, quadrille, write):
    """What `deal` writes is no file of lines, and neither is a mapping in YAML."""
    record = json.loads(few.read_text("utf-8").partition("\n")[0])
    assert quadrille("deal", "--replay", write(json.dumps(record, indent=2), "deal.json"))[0] == 0
    assert quadrille("deal", "--replay", write(json.dumps(record) + "\n\n", "deal.json"))[0] == 0


@pytest.mark.parametrize("text", ["x" * 300_000, "x" * 300_000 + "\n" + "y" * 300_000])
def test_a_file_that_is_too_large_and_no_file_of_records_is_refused_as_that(text, quadrille, write):
    """The message speaks of profiles, results and records, which is true of them."""
    status, _, err = quadrille("deal", "--replay", write(text, "big.txt"))
    assert status == 2
    assert (
        "Q102 the file is larger than 256 KiB\nhelp: no profile, result or record takes so much"
        in err
    )
    assert "Q102" in quadrille("deal", "--replay", write(text, "big.txt"), "--line", "2")[2]


def test_a_folder_and_no_file_are_refused_as_before(tmp_path, quadrille):
    """--line opens no more than replay does."""
    for path, said in (
        (tmp_path, "this is a directory"),
        (tmp_path / "none", "there is no such file"),
    ):
        for more in ((), ("--line", "1")):
            assert said in quadrille("deal", "--replay", str(path), *more)[2]
