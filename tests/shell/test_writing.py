"""Files that a command writes: what must not be replaced is refused before the work, and a study
outlives them."""

import errno
import fcntl
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from quadrille_plugins.shell import files as shell_files
from quadrille_plugins.shell import writing
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import study as study_module
from quadrille_plugins.studies.deal_table import DealTable, Writer

from quadrille_core import resources
from quadrille_core.errors import UnwrittenError, UsageError
from quadrille_core.ruleset import compile_reference

PLAY = ("--deals", "8", "--set", "table.session_deals=8", "--engine", "readable", "--workers", "1")
COMPARE = ("compare", "quanti-1822", "mediateur-1752", *PLAY)
DISCRIMINATE = ("discriminate", "ev.yaml", "--next", "0")
HOUSE = "kind: profile\nid: {}\ntitle: Mine\nextends: {}\n"
SQLITE = b"SQLite format 3\0" + bytes(84)


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """An own profile, one that it extends, and evidence, in the folder that the commands run in."""
    monkeypatch.chdir(tmp_path)
    Path("parent.yaml").write_text(HOUSE.format("parent", "quanti-1822"))
    Path("mine.yaml").write_text(HOUSE.format("mine", "./parent.yaml"))
    shutil.copy(resources.evidence()["hoyle-odds"], "ev.yaml")
    return tmp_path


@pytest.fixture
def idle(monkeypatch) -> None:
    """No work is done: whoever gets that far has not been refused before it."""
    for name in ("compare.compare", "matters.matters", "rank.rank", "discriminate.Discrimination"):
        feature, _, work = name.partition(".")
        monkeypatch.setattr(
            f"quadrille_plugins.{feature}.command.{work}", lambda *_, **__: pytest.fail("it worked")
        )
    monkeypatch.setattr(
        "quadrille_plugins.compare.tournament_command.hold",
        lambda *_, **__: pytest.fail("it worked"),
    )
    monkeypatch.setattr(
        "quadrille_plugins.apparatus.command.apparatus_of", lambda *_: pytest.fail("it worked")
    )


def device(path: Path, minor: int) -> Path:
    """A device made for the test, never one of the machine's own; skips where none may be made or
    used."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, minor))
        path.open("wb").close()
    except (AttributeError, PermissionError) as e:
        pytest.skip(f"devices cannot be made here: {e}")
    return path


def null(path: Path) -> Path:
    """A device that swallows what it is given."""
    return device(path, 3)


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def without_room(monkeypatch, *full: str) -> None:
    """Make every write to a file beside these fail as on a full disk: ``os.write`` by whatever way
    it is reached."""
    replace = os.replace

    def refuse(old, new, **more):
        if Path(new).name in full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(old, new, **more)

    monkeypatch.setattr(os, "replace", refuse)


# --- what is no regular file ----------------------------------------------------------------------


def test_a_device_is_written_to_and_stays_a_device(here):
    null(here / "null")
    assert run(["apparatus", "quanti-1822", "--output", "null"]) == 0
    assert run([*COMPARE, "--manifest", "null"]) == 0
    assert stat.S_ISCHR(os.stat("null").st_mode)
    assert names(here) == ["ev.yaml", "mine.yaml", "null", "parent.yaml"]


def test_a_device_that_is_full_is_named_after_the_result(here, capsys):
    device_full = device(here / "full", 7)
    assert run([*COMPARE, "--manifest", "full", "--table", "t.csv"]) == 3
    out, err = capsys.readouterr()
    assert "8 deals" in out
    assert "full: Q803" in err
    assert "No space left" in err
    assert stat.S_ISCHR(device_full.stat().st_mode)
    assert Path("t.csv").is_file()


@pytest.mark.parametrize("option", ["--manifest", "--table"])
def test_a_pipe_that_is_read_gets_the_whole_and_stays_a_pipe(option, here):
    os.mkfifo("pipe.csv")
    reader = os.open("pipe.csv", os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 1 << 20)  # it is read only when the command is done
    try:
        assert run([*COMPARE, option, "pipe.csv"]) == 0
        got = os.read(reader, 1 << 20)
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(os.stat("pipe.csv").st_mode)
    assert run([*COMPARE, option, "file.csv"]) == 0
    assert got == Path("file.csv").read_bytes()


def test_a_pipe_that_nobody_reads_is_refused_before_the_work(here, idle, capsys):
    os.mkfifo("pipe.csv")
    for option in ("--manifest", "--table"):
        assert run([*COMPARE, option, "pipe.csv"]) == 2
        assert "pipe.csv: Q803 nobody reads from this pipe" in capsys.readouterr().err
    assert run(["apparatus", "quanti-1822", "--output", "pipe.csv"]) == 2
    assert stat.S_ISFIFO(os.stat("pipe.csv").st_mode)


def test_a_socket_and_a_directory_are_refused_before_the_work(here, idle, capsys):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for target in ("socket", "."):
            assert run([*COMPARE, "--manifest", target]) == 2
            assert run(["apparatus", "quanti-1822", "--output", target]) == 2
        assert stat.S_ISSOCK(os.stat("socket").st_mode)
    assert "socket: Q803 this is a socket" in capsys.readouterr().err


@pytest.mark.parametrize("into", ["pipe", "file"])
def test_standard_output_can_be_named_and_follows_what_is_printed(into, here):
    line = [
        sys.executable,
        "-P",
        "-m",
        "quadrille_core",
        *COMPARE,
        "--format",
        "json",
        "--manifest",
        "/dev/stdout",
    ]
    if into == "pipe":
        out = subprocess.run(line, capture_output=True, check=True).stdout.decode()
    else:
        with Path("out").open("wb") as file:
            subprocess.run(line, stdout=file, check=True)
        out = Path("out").read_text()
    result, end = json.JSONDecoder().raw_decode(out)
    manifest = json.loads(out[end:])
    assert result["design"]["deals"] == manifest["results"]["design"]["deals"] == 8


# --- what the command reads, and ledgers ----------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "victim"),
    [
        (("compare", "mine.yaml", "quanti-1822", *PLAY, "--manifest", "mine.yaml"), "mine.yaml"),
        (
            ("compare", "mine.yaml", "quanti-1822", *PLAY, "--manifest", "./parent.yaml"),
            "parent.yaml",
        ),
        (("compare", "mine.yaml", "quanti-1822", *PLAY, "--manifest", "link"), "mine.yaml"),
        (("compare", "mine.yaml", "quanti-1822", *PLAY, "--manifest", "hard"), "mine.yaml"),
        (("matters", "mine.yaml", "ante", *PLAY[:2], "--manifest", "mine.yaml"), "mine.yaml"),
        (("rank", "mine.yaml", "--points", "ante", "--manifest", "parent.yaml"), "parent.yaml"),
        (
            ("compare", "--bots", "steady,random", "mine.yaml", "--manifest", "mine.yaml"),
            "mine.yaml",
        ),
        ((*DISCRIMINATE, "--manifest", "ev.yaml"), "ev.yaml"),
        (("apparatus", "mine.yaml", "--output", "mine.yaml"), "mine.yaml"),
        (("apparatus", "mine.yaml", "--format", "json", "--output", "parent.yaml"), "parent.yaml"),
    ],
)
def test_a_file_that_the_command_reads_is_refused_before_the_work(line, victim, here, idle, capsys):
    Path("link").symlink_to("mine.yaml")
    os.link("mine.yaml", "hard")
    before, listed = Path(victim).read_bytes(), names(here)
    assert run(list(line)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{line[-2]} would replace this file, which the command reads" in err
    assert "help: name another file" in err
    assert (Path(victim).read_bytes(), names(here)) == (before, listed)


def test_the_file_of_a_plugin_in_use_is_refused(here, monkeypatch, capsys):
    Path("added.py").write_text("from quadrille_core.hookspecs import About\n")
    info = here / "added-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[quadrille]\nadded = added\n")
    monkeypatch.syspath_prepend(str(here))
    before = Path("added.py").read_bytes()
    assert run(["apparatus", "quanti-1822+added", "--output", "added.py"]) == 2
    assert "--output would replace this file, which the command reads" in capsys.readouterr().err
    assert Path("added.py").read_bytes() == before


def test_a_ledger_is_refused_whatever_its_name(here, idle, capsys):
    players = [word for name in "ABCD" for word in ("--player", name)]
    assert run(["session", "start", "thursday.ledger", "--rules", "quanti-1822", *players]) == 0
    Path("thursday.ledger-wal").touch()
    Path("other").write_bytes(SQLITE)
    before = Path("thursday.ledger").read_bytes()
    for target in ("thursday.ledger", "other", "thursday.ledger-wal", "thursday.ledger-shm"):
        assert run([*COMPARE, "--manifest", target]) == 2
        assert f"{target}: Q803 this is" in capsys.readouterr().err
    assert Path("thursday.ledger").read_bytes() == before
    assert run(["new", "mine.yaml", "--force"]) == 0
    shutil.copy("thursday.ledger", "thursday.yaml")
    assert run(["new", "thursday.yaml", "--force"]) == 2


@pytest.mark.parametrize(
    "other",
    ["./out.csv", "sub/../out.csv", "link", "dangling"],
    ids=["path", "dots", "link", "dangling"],
)
def test_two_options_that_name_one_file_are_refused(other, here, idle, capsys):
    Path("sub").mkdir()
    Path("link").symlink_to("out.csv")
    Path("dangling").symlink_to("link")
    assert run([*COMPARE, "--table", "out.csv", "--manifest", other]) == 2
    assert "--table and --manifest both write" in capsys.readouterr().err


def test_a_file_of_a_folder_is_no_more_replaced_than_one_that_an_option_names(here):
    with shell_files.command() as files:
        writing.claim(Path("m.json"), "--manifest")
        resources.note_read("mine.yaml")
        for name in ("m.json", "mine.yaml", "free.json"):
            with writing.noting_unwritten():
                writing.write_in(here, name, "ours")
    assert [(p.place.path, p.message) for p in files.unwritten] == [
        (str(here / "m.json"), "--manifest writes this file"),
        (str(here / "mine.yaml"), "the command reads this file"),
    ]
    assert names(here) == ["ev.yaml", "free.json", "mine.yaml", "parent.yaml"]
    assert "extends" in Path("mine.yaml").read_text()


# --- how a file is written ------------------------------------------------------------------------


def test_a_link_stays_and_its_target_is_replaced(here):
    Path("sub").mkdir()
    Path("sub/real").write_text("old")
    Path("link").symlink_to("sub/real")
    Path("new").symlink_to("sub/made")
    for name in ("link", "new"):
        writing.write_whole(Path(name), "ours")
        assert Path(name).is_symlink()
    assert Path("sub/real").read_text() == Path("sub/made").read_text() == "ours"
    assert names(here / "sub") == ["made", "real"]


def test_the_mode_is_kept_and_a_new_file_has_the_users(here):
    Path("secret").write_text("old")
    os.chmod("secret", 0o640)
    before = os.umask(0o027)
    try:
        writing.write_whole(Path("secret"), "ours")
        writing.write_whole(Path("fresh"), "ours")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(os.stat(n).st_mode) for n in ("secret", "fresh")] == [0o640, 0o640]
    os.chmod("secret", 0o705)
    writing.write_whole(Path("secret"), "ours")
    assert stat.S_IMODE(os.stat("secret").st_mode) == 0o705


def test_temporary_names_are_random_and_never_follow_what_lies_there(here, monkeypatch):
    seen = []
    opened = os.open

    def noting(path, flags, *more, **named):
        if flags & os.O_CREAT:
            seen.append((Path(path).name, flags))
        return opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", noting)
    for _ in range(3):
        writing.write_whole(Path("out"), "ours")
    assert len({name for name, _ in seen}) == len(seen) >= 3
    assert all(flags & os.O_EXCL and flags & os.O_NOFOLLOW for _, flags in seen)
    assert names(here) == ["ev.yaml", "mine.yaml", "out", "parent.yaml"]


def test_file_and_folder_are_on_the_disk_when_it_is_written(here, monkeypatch):
    synced = []
    sync = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda fd: (synced.append(stat.S_IFMT(os.fstat(fd).st_mode)), sync(fd))[1]
    )
    writing.write_whole(Path("out"), "ours")
    assert synced == [stat.S_IFREG, stat.S_IFDIR]


def test_what_was_put_in_its_place_meanwhile_is_not_replaced(here):
    new = writing.open_new(Path("out"))
    new.stream.write(b"ours")
    os.mkfifo("out")
    with pytest.raises(UnwrittenError, match="pipe"):
        new.commit()
    assert stat.S_ISFIFO(os.stat("out").st_mode)
    assert names(here) == ["ev.yaml", "mine.yaml", "out", "parent.yaml"]


def test_a_long_name_can_be_written(here):
    name = "n" * 255
    writing.write_whole(Path(name), "ours")
    assert Path(name).read_text() == "ours"


@pytest.mark.parametrize("name", ["no/folder", "mine.yaml/file", "n" * 256])
def test_what_cannot_be_a_file_is_refused_before_the_work(name, here, idle, capsys):
    assert run(["apparatus", "quanti-1822", "--output", name]) == 2
    assert "Q803 cannot write" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", ".", "/"])
@pytest.mark.parametrize(
    "line",
    [
        ("serve", "--starter"),
        ("session", "start", "--rules", "quanti-1822", "--players", "A,B,C,D"),
        ("new",),
        ("new", "--measure", "solo"),
        ("rulebook", "quanti-1822", "--output"),
    ],
)
def test_a_folder_where_a_file_is_to_be_made_is_refused(line, name, here):
    """Also by the commands that read the file's ending, or name others after it."""
    before = sorted(here.iterdir())
    assert run([*line, name]) == 2
    assert sorted(here.iterdir()) == before


def test_what_is_read_only_is_refused_root_too_and_the_folder_is_told_from_the_file():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "out")
        path.write_text("old")
        path.chmod(0o666)
        Path(folder).chmod(0o555)
        other = Path(folder, "kept")
        other.write_text("old")
        other.chmod(0o444)
        with pytest.raises(
            UsageError, match="its folder may not be written in, though the file may"
        ):
            writing.claim(path, "--manifest")
        with pytest.raises(UsageError, match="cannot write"):
            writing.claim(other, "--manifest")
        with pytest.raises(UsageError, match="cannot write"):
            writing.claim(Path(folder, "new"), "--manifest")
        Path(folder).chmod(0o755)
        assert path.read_text() == "old"


def test_a_folder_that_refuses_is_told_before_the_work(here, idle, monkeypatch, capsys):
    Path("out").write_text("old")
    opened = os.open

    def refusing(path, flags, *more, **named):
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", refusing)
    assert run([*COMPARE, "--manifest", "out"]) == 2
    assert "its folder may not be written in, though the file may" in " ".join(
        capsys.readouterr().err.split()
    )


# --- a study is not lost with its files -----------------------------------------------------------


def test_the_result_is_printed_and_the_other_files_written_when_one_fails(
    here, monkeypatch, capsys
):
    pytest.importorskip("altair")
    assert run([*COMPARE]) == 0
    plain = capsys.readouterr().out
    without_room(monkeypatch, "m.json")
    line = [
        "--manifest",
        "m.json",
        "--table",
        "t.csv",
        "--report",
        "r.html",
        "--pictures",
        "p",
        "--save",
        "s",
    ]
    assert run([*COMPARE, *line]) == 3
    out, err = capsys.readouterr()
    assert out == plain
    assert "m.json: Q803 cannot write this file: No space left on device" in err
    assert names(here) == ["ev.yaml", "mine.yaml", "p", "parent.yaml", "r.html", "s", "t.csv"]
    assert names(here / "p")
    assert names(here / "s")


@pytest.mark.parametrize("full", ["t.csv", "m.json", "s"])
def test_each_side_file_can_fail_by_itself(full, here, monkeypatch, capsys):
    run([*COMPARE, "--save", "first"])
    plain = capsys.readouterr().out
    without_room(monkeypatch, full, *(names(here / "first") if full == "s" else ()))
    assert run([*COMPARE, "--manifest", "m.json", "--table", "t.csv", "--save", "s"]) == 3
    out, err = capsys.readouterr()
    assert out == plain
    assert "Q803" in err
    left = {"m.json", "t.csv", "s"} - {full if full != "s" else "m.json"}
    assert left <= set(names(here))
    assert bool(names(here / "s")) == (full != "s")
    assert full == "s" or full not in names(here)


def test_of_many_files_that_fail_the_first_are_named(here, monkeypatch, capsys):
    monkeypatch.setattr(
        os, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full"))
    )
    monkeypatch.setattr("quadrille_plugins.shell.main.MOST_UNWRITTEN", 4)
    assert run([*COMPARE, "--save", "s"]) == 3
    err = capsys.readouterr().err
    assert err.count("cannot write this file: full") == 4
    assert "and 2 more files cannot be written" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        (
            "matters",
            "quanti-1822",
            "ante",
            "--deals",
            "40",
            "--engine",
            "readable",
            "--workers",
            "1",
        ),
        (
            "rank",
            "quanti-1822",
            "--points",
            "ante",
            "--sessions",
            "1",
            "--engine",
            "readable",
            "--workers",
            "1",
        ),
        (
            "compare",
            "--bots",
            "steady,random",
            "quanti-1822",
            "--deals",
            "8",
            "--length",
            "4",
            "--workers",
            "1",
        ),
        ("compare", "captive-queens", "--deals", "20", "--workers", "1"),
        DISCRIMINATE,
    ],
    ids=lambda line: line[0],
)
def test_no_study_is_lost_with_its_manifest(line, here, monkeypatch, capsys):
    assert run(list(line)) == 0
    plain = capsys.readouterr().out
    without_room(monkeypatch, "m.json")
    assert run([*line, "--manifest", "m.json"]) == 3
    out, err = capsys.readouterr()
    assert out == plain
    assert "m.json: Q803" in err


def test_a_disk_that_is_full_in_the_middle_of_a_table_ends_only_the_table(here):
    """A limit of the system's own on the size of files stands in for the disk."""
    script = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "from quadrille_plugins.shell.main import main\n"
        "main(sys.argv[1:])\n"
    )
    line = [sys.executable, "-c", script, *COMPARE, "--table", "t.csv"]
    found = subprocess.run(line, capture_output=True, text=True, check=False)
    assert found.returncode == 3, found.stderr
    assert "8 deals" in found.stdout
    assert "t.csv: Q803 cannot write this file: File too large" in found.stderr
    assert names(here) == ["ev.yaml", "mine.yaml", "parent.yaml"]


def test_a_disk_of_its_own_that_is_full_is_told(here):
    """A real file system too small for the table; skips where none may be mounted."""
    disk = here / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(disk)], check=False
    )
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        line = [
            sys.executable,
            "-P",
            "-m",
            "quadrille_core",
            *COMPARE,
            "--table",
            "disk/t.jsonl",
            "--manifest",
            "m.json",
        ]
        found = subprocess.run(line, capture_output=True, text=True, check=False)
        assert names(disk) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert found.returncode == 3, found.stderr
    assert "8 deals" in found.stdout
    assert "disk/t.jsonl: Q803 cannot write this file: No space left on device" in found.stderr
    assert Path("m.json").is_file()


def test_a_reader_that_goes_away_costs_no_file(here):
    line = f"{sys.executable} -P -m quadrille_core {' '.join(COMPARE)} --manifest m.json | true"
    subprocess.run(["bash", "-c", line], check=True)
    assert json.loads(Path("m.json").read_text())["finished"] is True


def test_nothing_is_left_of_a_table_whose_writer_is_interrupted(here):
    def interrupted():
        table = DealTable([compile_reference("quanti-1822")], 1, ".csv")
        with Writer(Path("t.csv"), table) as writer:
            writer.write([[[0] * table.cells]])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert names(here) == ["ev.yaml", "mine.yaml", "parent.yaml"]


def test_an_input_that_is_gone_at_the_end_costs_only_what_needs_it(here, monkeypatch, capsys):
    made = study_module.make_manifest

    def gone(**told):
        Path("mine.yaml").unlink()
        return made(**told)

    monkeypatch.setattr(study_module, "make_manifest", gone)
    assert (
        run(
            [
                "compare",
                "mine.yaml",
                "quanti-1822",
                *PLAY,
                "--manifest",
                "m.json",
                "--table",
                "t.csv",
            ]
        )
        == 3
    )
    out, err = capsys.readouterr()
    assert "8 deals" in out
    assert "there is no such file" in err
    assert names(here) == ["ev.yaml", "parent.yaml", "t.csv"]
