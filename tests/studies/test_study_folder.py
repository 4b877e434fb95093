"""A study folder from anywhere: nothing in it is followed, waited for, written over or believed
that no study wrote."""

import errno
import json
import os
import random
import re
from hashlib import sha256
from pathlib import Path

import pytest
from quadrille_plugins.shell.main import run
from quadrille_plugins.shell.writing import write_whole
from quadrille_plugins.studies.runner import tasks
from quadrille_plugins.studies.runner.executors import LostError
from quadrille_plugins.studies.runner.run import Runner, Under

from quadrille_core.errors import UnwrittenError

LINE = (
    "compare",
    "quanti-1822",
    "mediateur-1752",
    "--set",
    "table.session_deals=4",
    "--deals",
    "24",
    "--workers",
    "1",
    "--engine",
    "readable",
    "--format",
    "json",
)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """The folder in which the test's files are, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def begun(name: str = "S", *more: str, line: tuple[str, ...] = LINE) -> Path:
    assert run([*line, "--study", name, *more]) == 0
    return Path(name)


def resumed(name: str = "S", *more: str, line: tuple[str, ...] = LINE) -> int:
    return run([*line, "--study", name, "--resume", *more])


def forge(block: Path, change) -> None:
    """Change what a block holds, and its SHA-256 as well."""
    plain = json.loads(block.read_bytes())["block"]
    change(plain)
    body = json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()
    block.write_bytes(b'{"sha256":"%s","block":%s}\n' % (sha256(body).hexdigest().encode(), body))


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rows_that_no_table_has_are_played_again(capsys):
    """Texts, words and sessions of elsewhere: a right SHA-256 says nothing of who wrote them. What
    is kept serves every form."""
    begun("S", "--table", "a.csv")
    assert run([*LINE, "--table", "a.jsonl"]) == 0
    place = Path("S/blocks/000001.rows")
    lines = [json.loads(line) for line in place.read_text().splitlines()]
    row = lines[0][0]
    wrong = [
        ["=HYPERLINK(1)\x1b[2J,evil\n"],
        [7],
        [row],
        [[["=1+1", *row[1:]]]],
        [[[True, *row[1:]]]],
        [[row[:-1]]],
        [[[*row, 0]]],
        [[[row[0], row[1], 2, *row[3:]]]],
        [[[*row[:4], -1, *row[5:]]]],
        [*lines, lines[0]],
        [[[row[0] - 1, *row[1:]]]],
    ]
    for rows in wrong:
        text = "".join(json.dumps(row) + "\n" for row in rows).encode()
        place.write_bytes(text)
        forge(
            place.with_suffix(".json"),
            lambda b, t=text: b.update(rows=sha256(t).hexdigest()),
        )
        assert resumed("S", "--table", "b.csv") == 0
        assert "damaged, and played again: 1\n" in capsys.readouterr().err
        assert resumed("S", "--table", "b.jsonl") == 0
        assert "played again" not in capsys.readouterr().err
        for form in ("csv", "jsonl"):
            assert Path(f"a.{form}").read_bytes() == Path(f"b.{form}").read_bytes()


# --- engines --------------------------------------------------------------------------------------

ENGINES = {
    "compare": (
        "compare",
        "quanti-1822",
        "mediateur-1752",
        "--set",
        "table.session_deals=4",
        "--deals",
        "160",
        "--players",
        "steady",
    ),
    "matters": (
        "matters",
        "quanti-1822",
        "remise_pays",
        "--deals",
        "120",
        "--set",
        "table.session_deals=4",
        "--players",
        "steady",
    ),
    "rank": (
        "rank",
        "quanti-1822",
        "--points",
        "codille_items,ante",
        "--deals",
        "8",
        "--configurations",
        "2",
        "--set",
        "table.session_deals=4",
        "--players",
        "steady",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["compare", "matters", "rank"])
def test_a_study_goes_on_by_the_other_engine_to_the_same_bytes(name, monkeypatch):
    """In both directions: also the examples, which the readable engine tells of what the kernel has
    played."""
    pytest.importorskip("numba")
    monkeypatch.setattr(tasks, "FEWEST_WORK", 64)
    line = (*ENGINES[name], "--workers", "1", "--format", "json")
    results = set()
    for first, second in (("fast", "readable"), ("readable", "fast")):
        begun(first, "--engine", first, line=line)
        results.add(Path(first, "results.json").read_bytes())
        for block in sorted(Path(first, "blocks").glob("*.json"))[::2]:
            block.unlink()
        assert resumed(first, "--engine", second, line=line) == 0
        results.add(Path(first, "results.json").read_bytes())
    assert len(results) == 1


# --- other people's files -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["results.json", "manifest.json", "lock", "blocks", "blocks/mine.txt", "study.json"]
)
def test_a_new_study_writes_over_no_file_that_is_not_its_own(name, capsys):
    """The folder holds a file of that name and no study: it is refused, and nothing is changed or
    made."""
    for more in ((), ("--resume",)):
        place = Path("P", name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("precious")
        assert run([*LINE, "--study", "P", *more]) == 2
        assert "Q805" in capsys.readouterr().err
        assert place.read_text() == "precious"
        assert [p for p in Path("P").rglob("*") if p.is_file() and p.name != "lock"] in (
            [place],
            [],
        )


def test_a_folder_without_a_name_is_no_study_folder(here, capsys):
    """It is not taken for the current one, which can be named."""
    for line in (["--study", ""], ["--study="]):
        assert run([*LINE, *line]) == 2
        assert "--study names no folder" in capsys.readouterr().err
    assert list(here.iterdir()) == []


def test_a_study_that_was_killed_before_it_wrote_anything_can_begin_again():
    """It leaves an empty lock and a folder without blocks."""
    Path("S/blocks").mkdir(parents=True)
    Path("S/lock").touch()
    assert resumed() == 0


NAMES = (
    "study.json",
    "lock",
    "results.json",
    "manifest.json",
    "blocks/000000.json",
    "blocks/000009.rows",
)


@pytest.mark.parametrize("name", [*NAMES, "blocks"])
def test_no_link_in_a_study_folder_is_followed(name, here, capsys):
    """It is refused with the link's name, and what it points to stays as it is, or does not come to
    be."""
    place, elsewhere = begun() / name, here / "elsewhere"
    target = elsewhere / "victim"
    elsewhere.mkdir()
    if name == "blocks":
        place.rename("S/away")
        place.symlink_to(elsewhere)
    else:
        place.unlink(missing_ok=True)
        place.symlink_to(target)
    for content in (None, "precious"):
        if content is not None:
            target.write_text(content)
        assert resumed() == 2
        err = capsys.readouterr().err
        assert "Q805" in err
        assert f"S/{name}" in err
        assert [p.read_text() for p in elsewhere.iterdir()] == (
            [] if content is None else [content]
        )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
@pytest.mark.parametrize("name", NAMES)
def test_no_pipe_in_a_study_folder_is_waited_for(name, capsys):
    """It is refused at once."""
    place = begun() / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    assert resumed() == 2
    assert "is no regular file" in capsys.readouterr().err


def test_a_link_that_comes_to_lie_in_the_folder_later_is_not_followed(here):
    """The writing itself looks once more."""
    folder = begun()
    (folder / "results.json").unlink()
    (folder / "results.json").symlink_to(here / "victim")
    with pytest.raises(UnwrittenError, match="link"):
        write_whole(folder / "results.json", "x", study=True)
    assert not (here / "victim").exists()


def test_no_output_replaces_a_file_of_a_study(capsys):
    """Of this study or another, begun or about to begin; a folder within it stays free for what one
    likes."""
    folder = begun()
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    for more in (
        ("--manifest", "S/study.json"),
        ("--manifest", "S/lock"),
        ("--manifest", "S/blocks/000000.json"),
        ("--table", "S/blocks/new.csv"),
        ("--manifest", "S/results.json"),
        ("--save", "S"),
        ("--save", "S/blocks"),
    ):
        assert run([*LINE, *more]) == 2, more
        assert "where a study keeps its files" in capsys.readouterr().err
        assert resumed("S", *more) == 2
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
    for more in (("--manifest", "N/results.json"), ("--save", "N")):
        Path("N").mkdir(exist_ok=True)
        assert run([*LINE, "--study", "N", *more]) == 2
        assert "where a study keeps its files" in capsys.readouterr().err
    assert list(Path("N").iterdir()) == []
    Path("S/mine").mkdir()
    assert resumed("S", "--manifest", "S/mine/manifest.json") == 0


# --- made-up blocks -------------------------------------------------------------------------------


def mutated(value, chance):
    """Another value of that kind."""
    if isinstance(value, bool) or value is None:
        return chance.choice([0, "", []])
    if isinstance(value, int):
        return chance.choice([-1, 10**30, 0, -(10**40), 7])
    if isinstance(value, str):
        return chance.choice(["\x1b[2J\n", "", "1/3", "x" * 50])
    if isinstance(value, list):
        return chance.choice([[], value + value, value[:-1], value[::-1]])
    return 0


def places(value, path=()):
    yield path
    for at, one in enumerate(value) if isinstance(value, list) else ():
        yield from places(one, (*path, at))


MADE_UP = {
    "compare": LINE,
    "tournament": (
        "compare",
        "--bots",
        "steady,random",
        "quadrille-modern",
        "--deals",
        "8",
        "--length",
        "4",
        "--workers",
        "1",
    ),
    "patience": ("compare", "captive-queens", "--deals", "300", "--workers", "1"),
    "matters": (*ENGINES["matters"], "--engine", "readable", "--workers", "1"),
    "rank": (*ENGINES["rank"], "--engine", "readable", "--workers", "1"),
}
SLOW = ("matters", "patience", "rank")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n in SLOW)) for n in MADE_UP]
)
def test_a_block_of_made_up_numbers_is_no_fault_of_the_program(name, capsys):
    """It is played again, refused by name, or believed; there is no traceback, and no other
    status."""
    chance, line = random.Random(13), MADE_UP[name]
    block = begun(line=line) / "blocks" / "000000.json"
    whole = block.read_bytes()
    seen = set()
    for _ in range(12):

        def change(plain):
            for _ in range(chance.choice([1, 5])):
                path = chance.choice([p for p in places(plain["result"]) if p])
                at = plain["result"]
                for step in path[:-1]:
                    at = at[step]
                at[path[-1]] = mutated(at[path[-1]], chance)

        block.write_bytes(whole)
        forge(block, change)
        capsys.readouterr()
        status = resumed(line=line)
        err = capsys.readouterr().err
        assert status in (0, 2), err
        assert "Q999" not in err
        if status:
            assert re.search(r"Q805 .* not what this study plays .*\nhelp: remove S/blocks", err), (
                err
            )
        seen.add((status, "damaged" in err))
    assert (0, True) in seen


def test_a_block_that_cannot_be_added_up_is_named(monkeypatch, capsys):
    """With what to remove; a fault while blocks are played is still the program's."""
    from quadrille_plugins.compare.blocks import Compared

    merge, seen = Compared.merge, []

    def failing(self, other, examples):
        seen.append(other)
        if len(seen) == 3:
            raise KeyError("no such thing")
        merge(self, other, examples)

    begun()
    capsys.readouterr()
    with monkeypatch.context() as m:
        m.setattr(Compared, "merge", failing)
        assert resumed() == 2
    err = capsys.readouterr().err
    assert "Q805 block 2 of S is not what this study plays (KeyError: 'no such thing')" in err
    assert "remove S/blocks/000002.json, and resume" in err
    Path("S/blocks/000004.json").unlink()
    with monkeypatch.context() as m:
        m.setattr("quadrille_plugins.studies.sessions.Readable.play", lambda *a: 1 / 0)
        assert resumed() == 70


# --- the command that plays one block -------------------------------------------------------------


def test_a_command_line_with_braces_can_be_told_again():
    """``house{x}.yaml`` is a name like any other."""
    runner = Runner(again="quadrille compare 'house{x}.yaml' '{' --block={block}")
    problem = runner._given_up(Under(4, "sessions 1 to 2", None), LostError("died")).problems[0]
    assert problem.help == "see what it does: quadrille compare 'house{x}.yaml' '{' --block=4"


# --- a full disk ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["000000.json", "000003.json", "results.json"])
def test_a_full_disk_costs_nothing_that_is_finished(name, monkeypatch, capsys):
    """What is finished is reported, the file is named, and how to go on: status 3, as with every
    file not written."""
    replace = os.replace

    def full(source, place):
        if str(place).endswith(name):
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, place)

    with monkeypatch.context() as m:
        m.setattr(os, "replace", full)
        assert run([*LINE, "--study", "S"]) == 3
    out, err = capsys.readouterr()
    deals = {"000000.json": 4, "000003.json": 16, "results.json": 24}[name]
    assert json.loads(out)["design"]["deals"] == deals
    assert f"{name}: " in err
    assert "No space left on device" in err
    if name != "results.json":
        assert f"interrupted: reporting the {deals} deals that were finished" in err
        assert "go on from there: quadrille compare" in err
        manifest = json.loads(Path("S/manifest.json").read_text())
        assert (manifest["finished"], manifest["stopped_after"]) == (False, deals // 4)
    assert resumed() == 0
    whole = capsys.readouterr().out
    assert run(LINE) == 0
    assert capsys.readouterr().out == whole


@pytest.mark.parametrize(
    "line",
    [
        ("quanti-1822", "quadrille-modern", "--deals", "1000000", "--engine", "readable"),
        ("quanti-1822", "quadrille-modern", "--deals", "1000000", "--double-dummy"),
        ("captive-queens", "--deals", "1000000"),
    ],
)
def test_a_folder_that_cannot_be_written_is_told_before_anything_is_played(
    line, quadrille, tmp_path
):
    if "--double-dummy" in line:
        pytest.importorskip("numba")
    (tmp_path / "file").write_text("")
    code, out, err = quadrille("compare", *line, "--save", str(tmp_path / "file" / "folder"))
    assert (code, out) == (2, "")
    assert "cannot write in the folder" in err
