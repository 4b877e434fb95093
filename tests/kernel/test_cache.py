"""The folder of compiled code: whose it is, what is believed of it, and what becomes of it when it
is damaged."""

import os
import pickle
import random
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")
import damage_cache
from quadrille_plugins.kernel import cache

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid"), reason="owners of files as POSIX has them"
)

SMALL = """
import sys
from quadrille_plugins.kernel import bits, cache
said = []
cache.listen(said.append)
functions = [f for f in vars(bits).values() if type(f).__name__ == "CompiledFunction"]
values = [n * 0x9E3779B97F4A7C15 % 2**64 for n in range(1, 40)]
answers = []
import numpy
for f in functions:
    many = f._function.__code__.co_argcount
    answers.append((f.__name__, [int(f(*map(numpy.uint64, (v, v % 61)[:many]))) for v in values]))
print(cache.choose())
print(answers)
for text in said:
    print("SAID", text)
"""
"""Compiles or loads a few small functions, and says where, what they answer and what was said."""


def small(**environment: str) -> tuple[Path, str, list[str]]:
    """Where the small functions are kept, what they answer, and what was said."""
    kept_out = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    inherited = {k: v for k, v in os.environ.items() if k not in kept_out}
    done = subprocess.run(
        [sys.executable, "-c", SMALL],
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    where, answers, *said = done.stdout.splitlines()
    return Path(where), answers, [line.removeprefix("SAID ") for line in said]


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A folder with the code of the small functions, and what these answer."""
    folder = tmp_path_factory.mktemp("cache")
    where, answers, said = small(NUMBA_CACHE_DIR=str(folder))
    assert not said
    assert where.parent == folder
    assert len(list(where.glob("*.code"))) > 4
    return where, answers


KINDS = (*damage_cache.DAMAGES, "a folder", "a link", "another's", "open to others", "planted")


class Chosen(random.Random):
    """Chooses these ways of damaging, one after the other."""

    def __init__(self, kinds):
        super().__init__(1)
        self.kinds = iter(kinds)

    def choice(self, of):
        return next(self.kinds) if "planted" in of else super().choice(of)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kinds", [KINDS[:4], KINDS[4:8], KINDS[8:]], ids=["bytes", "more", "files"]
)
def test_damaged_code_is_compiled_anew(kinds, warm, tmp_path):
    """An empty file, flipped bits, a pickle of somebody: thrown away, said once, and the answers
    are right."""
    where, answers = warm
    copy = damage_cache.copied(where, tmp_path)
    entries = sorted(copy.glob("*.code"))
    assert len(entries) > len(kinds)
    chosen = Chosen(kinds)
    for path in entries[: len(kinds)]:
        damage_cache.damage(path, entries[len(kinds) :], chosen, tmp_path / "witness")
    said = f"compiled code in {copy} is damaged, or not what was kept there: it is compiled anew"
    assert small(NUMBA_CACHE_DIR=str(tmp_path)) == (copy, answers, [said])
    assert small(NUMBA_CACHE_DIR=str(tmp_path)) == (copy, answers, [])
    assert not (tmp_path / "witness").exists()


def test_the_witness_of_a_planted_pickle_would_speak(tmp_path):
    """What the attacks plant does run where it is unpickled; that it did not is no accident."""
    witness = tmp_path / "witness"
    pickle.loads(pickle.dumps(damage_cache.Planted(witness)))  # noqa: S301 - made here
    assert witness.exists()


def test_code_is_kept_for_its_owner_alone(warm):
    """Folder and files may be read and written by nobody else, whatever the mask."""
    where, _ = warm
    assert stat.S_IMODE(where.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in where.glob("*.code")} == {0o600}


@pytest.mark.parametrize("mode", [0o777, 0o720])
def test_a_folder_that_others_may_write_in_is_not_used(mode, warm, tmp_path):
    """Its files are neither read nor written; a folder of the process's own takes its place, and is
    removed."""
    where, answers = warm
    copy = damage_cache.copied(where, tmp_path)
    for path in copy.glob("*.code"):
        path.unlink()
        path.write_bytes(b"untouched")
    copy.chmod(mode)
    used, told, said = small(NUMBA_CACHE_DIR=str(tmp_path))
    assert told == answers
    assert len(said) == 1
    assert f"{copy} can be written by others" in said[0]
    assert used != copy
    assert not used.parent.exists()
    assert {path.read_bytes() for path in copy.glob("*.code")} == {b"untouched"}


@pytest.mark.slow
def test_a_folder_that_others_may_rename_is_not_used(warm, tmp_path):
    """Who may write in a folder above can put another in its place; not where it is sticky, as /tmp
    is."""
    where, answers = warm
    damage_cache.copied(where, tmp_path / "open")
    (tmp_path / "open").chmod(0o777)
    used, told, said = small(NUMBA_CACHE_DIR=str(tmp_path / "open"))
    assert told == answers
    assert f"{tmp_path / 'open'}, in which it lies, can be written by others" in said[0]
    assert used.parent != tmp_path / "open"
    (tmp_path / "open").chmod(0o1777)
    assert small(NUMBA_CACHE_DIR=str(tmp_path / "open")) == (
        tmp_path / "open" / where.name,
        answers,
        [],
    )


@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() != 0, reason="only root gives files away"
)
def test_another_users_folder_is_not_used(warm, tmp_path):
    where, _ = warm
    copy = damage_cache.copied(where, tmp_path)
    os.chown(copy, 12345, -1)
    assert cache.distrusted(copy) == f"{copy} belongs to another user"
    os.chown(copy, 0, -1)
    assert cache.distrusted(copy) == ""
    os.chown(tmp_path, 12345, -1)
    assert "belongs to another user" in cache.distrusted(copy)


@pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() != 0, reason="only root gives files away"
)
def test_another_users_file_is_not_believed(warm, tmp_path):
    """A file that was put there while the folder stood open is no code of ours."""
    where, answers = warm
    copy = damage_cache.copied(where, tmp_path)
    path = sorted(copy.glob("*.code"))[0]
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data)
    os.chown(path, 12345, -1)
    _, told, said = small(NUMBA_CACHE_DIR=str(tmp_path))
    assert told == answers
    assert len(said) == 1
    assert path.stat().st_uid == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment", [{"HOME": "{}/file/home"}, {"HOME": "relative"}, {"XDG_CACHE_HOME": "{}/file"}]
)
def test_without_a_home_to_write_in_there_is_a_folder_for_the_process(environment, warm, tmp_path):
    """Said once, and nothing of it is left."""
    (tmp_path / "file").touch()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    filled = {k: v.format(tmp_path) for k, v in environment.items()}
    used, told, said = small(TMPDIR=str(temporary), **filled)
    assert told == warm[1]
    assert len(said) == 1
    assert said[0].startswith("what is compiled is kept for this process alone: ")
    assert used.is_relative_to(temporary)
    assert not list(temporary.iterdir())


def test_processes_that_are_started_use_the_folder_of_the_first(tmp_path, warm):
    """A worker neither compiles everything by itself nor removes what is not its own."""
    code = (
        "import os, subprocess, sys\n"
        "from quadrille_plugins.kernel import bits, cache\nCACHE = cache.choose()\n"
        "inner = 'from quadrille_plugins.kernel import cache; print(cache.choose(), "
        "len(cache._notes))'\ntold = subprocess.run([sys.executable, '-c', inner], "
        "capture_output=True, text=True).stdout.split()\nassert told == [str(CACHE), '0'], told\n"
        "if os.fork() == 0:\n"
        "    sys.exit()\n"
        "os.wait()\n"
        "assert CACHE.is_dir()\n"
    )
    (tmp_path / "file").touch()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, check=True)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.slow
def test_a_full_disk_names_the_folder_and_the_work_goes_on(tmp_path, monkeypatch):
    """What cannot be kept is compiled each time; the answers are right, and no half of a file is
    left."""
    code = (
        "import os\n"
        "from quadrille_plugins.kernel import kept\n"
        "def full(*_):\n"
        "    raise OSError(28, os.strerror(28))\n"
        "kept.os.fdopen = full\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + SMALL],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    where, _, *said = done.stdout.splitlines()
    assert said == [f"SAID compiled code cannot be kept in {where}: No space left on device"]
    assert not list(Path(where).iterdir())


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux", reason="a file system of a megabyte as Linux mounts it"
)
def test_a_disk_that_is_really_full(tmp_path, warm):
    folder = tmp_path / "small"
    folder.mkdir(mode=0o700)
    mounting = ["mount", "-t", "tmpfs", "-o", "size=24k,mode=700", "tmpfs", str(folder)]
    if (
        not shutil.which("mount")
        or subprocess.run(mounting, capture_output=True, check=False).returncode
    ):
        pytest.skip("nothing can be mounted here")
    try:
        where, answers, said = small(NUMBA_CACHE_DIR=str(folder))
        assert answers == warm[1]
        assert said == [f"compiled code cannot be kept in {where}: No space left on device"]
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_two_processes_may_compile_at_once(tmp_path, warm):
    """Each file is written under a name of its own first; who comes later replaces it by the
    same."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    pair = [
        subprocess.Popen(
            [sys.executable, "-c", SMALL], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    told = [process.communicate()[0].splitlines() for process in pair]
    assert [process.returncode for process in pair] == [0, 0]
    assert [answers for _, answers in told] == [warm[1]] * 2
    assert {path.suffix for path in Path(told[0][0]).iterdir()} == {".code"}


# --- what the folder's name stands for -----------------------------------------------------------

FROZEN = (
    "quadrille_core.vocabulary",
    "quadrille_core.rules",
    "quadrille_core.engine.actions",
    "quadrille_core.cards",
    "quadrille_plugins.kernel.record",
    "quadrille_plugins.kernel.state",
    "quadrille_plugins.players.steady_features",
    "quadrille_plugins.players.kernel_steady_values",
    "quadrille_plugins.players.kernel_random",
    "quadrille_plugins.seer.kernel_play",
    "quadrille_plugins.solver.search",
)


@pytest.mark.parametrize("name", FROZEN)
def test_code_is_kept_apart_for_each_state_of_whatever_its_constants_come_from(
    name, tmp_path, monkeypatch
):
    """Words, rules, the kernel, every player and the solver: a number changed there is another
    folder."""
    here, real = cache.digest(), cache._file_of
    changed = tmp_path / "changed.py"
    changed.write_bytes(real(name).read_bytes() + b"\nANOTHER = 1\n")
    monkeypatch.setattr(cache, "_file_of", lambda asked: changed if asked == name else real(asked))
    assert cache.digest() != here


STRANGER = {
    "stranger/__init__.py": """
from quadrille_core.hookspecs import Player, hookimpl

@hookimpl
def quadrille_players():
    return {"stranger": Player(make=object, compiled="stranger.bots.kernel")}
""",
    "stranger/bots/__init__.py": "",
    "stranger/bots/kernel.py": """
from quadrille_plugins.kernel.compiled import compiled
from ..words import (
    YES as WORD,  # as the rules have it
)
from .. import more
import stranger_alone, stranger_beside as beside
MORE, ALONE, BESIDE = more.MORE, stranger_alone.ALONE, beside.BESIDE

@compiled("int64()", cache=True)
def answer():
    return 1000 * WORD + 100 * MORE + 10 * ALONE + BESIDE
""",
    "stranger/words.py": "YES = 1\n",
    "stranger/more.py": "MORE = 1\n",
    "stranger_alone.py": "ALONE = 1\n",
    "stranger_beside/__init__.py": "from stranger_beside.within import BESIDE\n",
    "stranger_beside/within.py": "BESIDE = 1\n",
    "stranger-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n",
    "stranger-1.0.dist-info/entry_points.txt": "[quadrille.features]\nstranger = stranger\n",
}
"""A distribution with a player, whose compiled function takes words from modules all around."""
ANSWER = (
    "from quadrille_plugins.kernel import cache; "
    "from stranger.bots.kernel import answer; print(answer(), cache.digest())"
)


@pytest.mark.slow
def test_a_strangers_word_that_is_renumbered_is_answered_by_its_new_number_though_all_is_warm(
    tmp_path,
):
    """What was compiled with the old number is not found again; and back at the old one it is."""
    place = tmp_path / "site"
    for name, text in STRANGER.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "kept"),
        "PYTHONPATH": str(place),
    }

    def told():
        line = [sys.executable, "-B", "-c", ANSWER]
        answer, digest = subprocess.run(
            line, env=environment, capture_output=True, text=True, check=True
        ).stdout.split()
        return int(answer), digest

    first = told()
    assert first[0] == 1111
    folders = {first[1]}
    wanted = 1111
    for name, worth in (
        ("stranger/words", 1000),
        ("stranger/more", 100),
        ("stranger_alone", 10),
        ("stranger_beside/within", 1),
    ):
        path = place / f"{name}.py"
        path.write_text(path.read_text().replace("= 1", "= 2"))
        wanted += worth
        answer, digest = told()
        assert answer == wanted, name
        assert digest not in folders
        folders.add(digest)
    kept = list((tmp_path / "kept").glob("*/*.code"))
    assert told()[0] == 2222
    assert list((tmp_path / "kept").glob("*/*.code")) == kept
    assert len(kept) == 5


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX owners")
@pytest.mark.parametrize(
    ("uid_map", "trusted"),
    [
        ("         0          0 4294967295\n", False),
        ("0 100000 65536\n", True),
        ("0 1000 1\n", True),
        (None, False),
    ],
)
def test_the_overflow_user_is_trusted_in_a_user_namespace_alone(
    tmp_path, monkeypatch, uid_map, trusted
):
    """Outside of one that user is ``nobody``, as whom services run; inside, it stands for the
    owners outside."""
    told, number = tmp_path / "uid_map", tmp_path / "overflowuid"
    number.write_text("65534\n")
    if uid_map is not None:
        told.write_text(uid_map)
    monkeypatch.setattr(cache, "_UID_MAP", told)
    monkeypatch.setattr(cache, "_OVERFLOW", number)
    above = tmp_path / "above"
    folder = above / "folder"
    folder.mkdir(parents=True, mode=0o700)
    real = Path.stat

    def stat(path, **named):
        found = list(real(path, **named))
        if path.name == "above":
            found[4] = 65534
        return os.stat_result(found)

    monkeypatch.setattr(cache, "_open_to_others", lambda found: False)
    monkeypatch.setattr(Path, "stat", stat)
    assert ("belongs to another user" in cache.distrusted(folder)) is not trusted
