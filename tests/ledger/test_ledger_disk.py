"""Disks that are full, file systems without links, and copies: a ledger is sound, or is not
there."""

import errno
import os
import random
import resource
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from quadrille_plugins.ledger.service import Ledger
from support.ledger import LOST, NAMES, QUANTI, SOLO, holdings, random_result, result

from quadrille_core.errors import LedgerError, QuadrilleError

START = ["--rules", QUANTI, *(w for n in NAMES for w in ("--player", n))]


def small_disk(folder: Path, kib: int) -> bool:
    """Mount a disk of that size on a folder; False where that is not permitted."""
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("mount"):
        return False
    args = ["mount", "-t", "tmpfs", "-o", f"size={kib}k", "none", str(folder)]
    return subprocess.run(args, capture_output=True, check=False).returncode == 0


@contextmanager
def disk(folder: Path, kib: int):
    if not small_disk(folder, kib):
        pytest.skip("a disk of a given size needs the right to mount one")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def files_of_at_most(size: int):
    """Let no file grow beyond that many bytes: every write beyond fails, as on a full disk."""
    import signal

    known = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, known)


def check_start(quadrille, folder: Path) -> bool:
    """Begin a ledger there; whether there is one, which then is sound; without one nothing is
    left."""
    status, _, err = quadrille("start", folder / "t.ledger", *START)
    if status == 0:
        assert sum(holdings(folder / "t.ledger").values()) == 2800
    else:
        assert (status, "Q908" in err) == (1, True), err
        assert list(folder.iterdir()) == []
    return status == 0


def test_started_where_files_may_not_grow_there_is_a_sound_ledger_or_none(tmp_path, quadrille):
    """The same without a disk of its own: 20 bounds for the size of any file."""
    made = []
    for pages in range(1, 60, 3):
        folder = tmp_path / f"limit{pages}"
        folder.mkdir()
        with files_of_at_most(4096 * pages):
            made.append(check_start(quadrille, folder))
    assert made == sorted(made)
    assert {False, True} == set(made)


def fill_up(path: Path) -> int:
    """Record deals until the disk refuses; how many were acknowledged."""
    rng, acknowledged = random.Random(1), 0
    with Ledger(path) as ledger:
        while acknowledged < 5000:
            try:
                ledger.record(result(random_result(rng)))
            except LedgerError as e:
                assert e.problems[0].code == "Q908"
                break
            acknowledged += 1
    assert acknowledged < 5000
    return acknowledged


def test_a_disk_that_fills_up_takes_no_acknowledged_deal(tmp_path, quadrille):
    """The refused deal leaves no trace; with room again the session goes on."""
    with disk(tmp_path / "disk", 400) as folder:
        assert quadrille("start", folder / "t.ledger", *START)[0] == 0
        deals = fill_up(folder / "t.ledger")
        assert deals
        with Ledger(folder / "t.ledger") as ledger:
            assert ledger.verify().count == deals
        shutil.copy(folder / "t.ledger", tmp_path / "t.ledger")
    with Ledger(tmp_path / "t.ledger") as ledger:
        assert ledger.record(result(SOLO)) == deals + 1


def test_a_file_that_may_not_grow_takes_no_acknowledged_deal(begin):
    path = begin()
    with files_of_at_most(path.stat().st_size + 40_000):
        deals = fill_up(path)
    with Ledger(path) as ledger:
        assert ledger.verify().count == deals
        assert ledger.record(result(SOLO)) == deals + 1


# --- names on the disk ------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["missing", "EPERM", "EOPNOTSUPP", "ENOSYS"])
def test_a_file_system_without_links_gets_its_ledger_and_loses_no_other(
    tmp_path, quadrille, monkeypatch, how
):
    """The name is claimed first, so that a file made meanwhile is never replaced."""
    if how == "missing":
        monkeypatch.delattr(os, "link")
    else:

        def link(*_: object, **__: object) -> None:
            raise OSError(getattr(errno, how), how)

        monkeypatch.setattr(os, "link", link)
    assert quadrille("start", "t.ledger", *START)[0] == 0
    assert sum(holdings(tmp_path / "t.ledger").values()) == 2800
    assert quadrille("start", "t.ledger", *START)[0] == 2
    from quadrille_plugins.ledger import store

    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / "ours").write_text("ours")
    with pytest.raises(QuadrilleError, match="exists already"):
        store.name_it(tmp_path / "ours", tmp_path / "theirs")
    assert (tmp_path / "theirs").read_text() == "theirs"


def test_a_rename_that_fails_leaves_no_empty_file(tmp_path, quadrille, monkeypatch):
    monkeypatch.delattr(os, "link")

    def replace(*_: object) -> None:
        raise OSError(errno.EIO, "no")

    monkeypatch.setattr(Path, "replace", replace)
    assert quadrille("start", "t.ledger", *START)[0] == 1
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_that_cannot_be_read_back_never_gets_its_name(tmp_path, quadrille, monkeypatch):
    """A disk that says it has written and has not: the file is looked over once more before it is
    named."""
    from quadrille_plugins.ledger import store

    def sync(file: Path) -> None:
        whole = file.read_bytes()
        file.write_bytes(whole[:8192] + bytes(len(whole) - 8192))

    monkeypatch.setattr(store, "_sync", sync)
    status, _, err = quadrille("start", "t.ledger", *START)
    assert (status, "cannot be read back" in err) == (1, True), err
    assert list(tmp_path.iterdir()) == []


# --- copies -----------------------------------------------------------------------------------


def test_a_copy_of_the_file_alone_has_every_acknowledged_deal(begin, tmp_path):
    """Taken between two commands of an open session, or after them: nothing waits in another
    file."""
    path = begin()
    with Ledger(path) as ledger:
        for number in range(1, 8):
            ledger.record(result(LOST if number % 3 else SOLO))
            copy = tmp_path / f"copy{number}"
            shutil.copy(path, copy)
            assert [p.name for p in path.parent.glob(f"{path.name}?*")] == []
            with Ledger(copy) as copied:
                assert copied.verify().count == number
                assert copied.record(result(SOLO)) == number + 1


def test_a_copy_torn_while_a_command_wrote_is_noticed(begin, tmp_path):
    """Some pages as they were before the command and some as they are after: every mixture is
    refused."""
    path = begin()
    with Ledger(path) as ledger:
        for _ in range(6):
            ledger.record(result(LOST))
    before = path.read_bytes()
    with Ledger(path) as ledger:
        ledger.record(result(SOLO))
    after = path.read_bytes()
    before += bytes(len(after) - len(before))
    changed = [
        at for at in range(0, len(after), 4096) if before[at : at + 4096] != after[at : at + 4096]
    ]
    assert len(changed) > 3
    rng, refused = random.Random(2), 0
    for n in range(60):
        old = set(rng.sample(changed[1:], rng.randint(1, len(changed) - 2)))
        torn = b"".join(
            (before if at in old else after)[at : at + 4096] for at in range(0, len(after), 4096)
        )
        (copy := tmp_path / f"torn{n}").write_bytes(torn)
        try:
            with Ledger(copy) as ledger:
                ledger.journal()
        except QuadrilleError as e:
            refused += e.problems[0].code == "Q903"
    assert refused == 60
