"""The runner: blocks in order, none lost and none changed, whoever plays them and whoever dies."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.compare.blocks import Comparing
from quadrille_plugins.compare.double_dummy import Solving
from quadrille_plugins.compare.tournament import Meeting
from quadrille_plugins.matters.matched_play import PlayingMatched
from quadrille_plugins.patience.study import Playing
from quadrille_plugins.rank.play import Configuring
from quadrille_plugins.shell import stopping
from quadrille_plugins.studies.runner import plain, run
from quadrille_plugins.studies.runner.executors import (
    PROCESSES,
    THREADS,
    Placement,
    ProcessPool,
    parse_executor,
    watch_parent,
)
from quadrille_plugins.studies.runner.folder import FolderError, StudyFolder
from quadrille_plugins.studies.runner.plain import DamagedError, from_plain, to_plain
from quadrille_plugins.studies.runner.run import Alone, BlockError, Runner
from quadrille_plugins.studies.runner.stopping import Stopping
from quadrille_plugins.studies.runner.tasks import MOST_WORK, block_size, in_blocks
from support.adding import TASKS, NumberAdder, NumberSums

from quadrille_core.cards import Suit
from quadrille_core.errors import UsageError

WHOLE = [NumberSums(3 * n + 3, Fraction(3 * n + 3, 2)) for n in range(0, 30, 3)]
PLAN = {"command": "add", "rules": [1, 2]}


def folder(path: Path, *, resume: bool = False, plan: Any = PLAN) -> StudyFolder:
    return StudyFolder(path / "study", plan, {"deals": 30}, resume=resume)


def blocks(path: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted((path / "study" / "blocks").iterdir())}


# --- in order -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("workers", "kind"), [(1, None), (2, None), (2, THREADS)])
def test_blocks_come_in_the_order_of_the_tasks(workers, kind):
    """Whoever plays them, and no process or thread is left."""
    before = set(threading.enumerate())
    with Runner(Placement(workers, kind)) as runner:
        assert list(runner.run(NumberAdder(), TASKS)) == WHOLE
        assert runner.done == 30
    assert set(threading.enumerate()) <= before


def test_at_most_four_blocks_a_worker_are_under_way():
    """Tasks are taken as they are needed."""
    taken = []

    def tasks():
        for task in TASKS:
            taken.append(task)
            yield task

    with Runner(Placement(2)) as runner:
        found = runner.run(NumberAdder(), tasks())
        next(found)
        assert len(taken) <= 8
        found.close()


def test_an_error_of_a_block_is_the_caller_s():
    """It is raised once, and no block is played again for it."""
    for workers in (1, 2):
        with Runner(Placement(workers)) as runner, pytest.raises(ZeroDivisionError):
            list(runner.run(NumberAdder(((4, "fail"),)), TASKS))


def test_blocks_depend_on_the_design_alone():
    """The size of a block knows nothing of workers, and is bounded however much there is to
    play."""
    for sessions in (1, 2, 25, 1000, 10**6):
        for rule_sets in (2, 26):
            assert 1 <= block_size(sessions, 40, rule_sets, slow=True) <= 4
            size = block_size(sessions, 40, rule_sets, slow=False)
            assert 1 <= size <= max(1, MOST_WORK // (40 * rule_sets))
            laid = list(in_blocks([40] * min(sessions, 1000), size))
            assert sum(t.units for t in laid) == min(sessions, 1000)
            assert [t.first for t in laid] == list(range(0, min(sessions, 1000), size))


class Finished:
    """Workers that have finished every block at once but the one of that number; a signal comes
    with the first."""

    most = 8

    def __init__(self, runner: Runner, late: int) -> None:
        self.runner, self.late, self.play, self.begun = runner, late, NumberAdder().ready(), 0

    def submit(self, task):
        future, number, self.begun = Future(), self.begun, self.begun + 1
        if number != self.late:
            future.set_result(self.play(task))
        return future

    def outcome(self, future):
        self.runner.stopping.ask()
        return future.result(0)

    def stop(self):
        pass


@pytest.mark.parametrize("late", [1, 3])
def test_every_finished_block_is_kept_and_those_in_a_row_from_the_first_are_counted(
    late, tmp_path, monkeypatch
):
    """Interrupted in the middle: later ones that came before an earlier one are kept for when the
    study goes on."""
    with folder(tmp_path) as kept, Runner(Placement(2), kept) as runner:
        monkeypatch.setattr(run, "pool_of", lambda *_: Finished(runner, late))
        found = []
        with pytest.raises(stopping.Stopped):
            found.extend(runner.run(NumberAdder(), TASKS))
    assert runner.done == sum(task.units for task in TASKS[:late])
    assert list(blocks(tmp_path)) == [f"{n:06d}.json" for n in range(8) if n != late]


# --- written and read -----------------------------------------------------------------------------


WORKS = (Comparing, PlayingMatched, Meeting, Configuring, Playing, Solving)


@pytest.mark.parametrize("work", WORKS, ids=lambda w: w.__name__)
def test_what_every_study_s_blocks_come_to_can_be_written(work):
    """A study must not find out after hours that it cannot be kept."""
    plain.check(work.task)
    plain.check(work.result)


VALUES = [
    (int, 10**30),
    (Fraction, Fraction(-7, 3)),
    (Fraction, Fraction(4)),
    (Counter[tuple[str, str]], Counter({("b", "a"): 2, ("a", "c"): 1})),
    (dict[str, list[bool]], {"z": [True], "a": []}),
    (tuple[int | None, ...], (1, None)),
    (tuple[str, int], ("a", 1)),
    (NumberSums, NumberSums(1, Fraction(1, 2), Suit(3))),
]


@pytest.mark.parametrize(("kind", "value"), VALUES, ids=str)
def test_a_value_written_and_read_is_the_same(kind, value):
    """And its text does not depend on the order in which it was made."""
    text = json.dumps(to_plain(kind, value))
    assert from_plain(kind, json.loads(text)) == value
    if isinstance(value, dict):
        turned = type(value)(dict(reversed(value.items())))
        assert json.dumps(to_plain(kind, turned)) == text


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (int, True),
        (int, 1.0),
        (int, "1"),
        (Fraction, "1/0"),
        (Fraction, "x"),
        (Fraction, 0.5),
        (NumberSums, [1]),
        (NumberSums, {"total": 1}),
        (tuple[str, int], ["a"]),
        (list[int], None),
        (dict[str, int], [["a"]]),
        (bool, 1),
    ],
)
def test_a_text_that_is_no_such_value_is_damaged(kind, wrong):
    """Of whatever kind it is, no other error comes of it."""
    with pytest.raises(DamagedError):
        from_plain(kind, wrong)


# --- the folder -----------------------------------------------------------------------------------


def test_a_study_goes_on_at_the_first_block_that_is_missing_or_damaged(tmp_path):
    """It ends in the same bytes, and plays those blocks alone."""
    with folder(tmp_path) as kept, Runner(Placement(2), kept) as runner:
        assert list(runner.run(NumberAdder(), TASKS)) == WHOLE
    whole, place = blocks(tmp_path), tmp_path / "study" / "blocks"
    assert len(whole) == len(TASKS)
    (place / "000002.json").unlink()
    (place / "000004.json").write_bytes(whole["000004.json"][:-9])
    (place / "000005.json").write_bytes(
        whole["000005.json"].replace(b'"result":[48', b'"result":[49')
    )
    (place / "000006.json").write_bytes(whole["000007.json"])
    (place / "000008.json").write_bytes(b"\x80\x04\x95cos\nsystem\n")
    with folder(tmp_path, resume=True) as kept, Runner(Placement(1), kept) as runner:
        assert list(runner.run(NumberAdder(), TASKS)) == WHOLE
        assert (kept.found, kept.read_back, kept.damaged) == (9, 5, [4, 5, 6, 8])
    assert blocks(tmp_path) == whole


def test_finished_blocks_are_kept_though_an_earlier_one_is_not_finished(tmp_path):
    """A study that is interrupted loses the blocks under way alone."""
    with (
        folder(tmp_path) as kept,
        Runner(Placement(2), kept) as runner,
        pytest.raises(ZeroDivisionError),
    ):
        list(runner.run(NumberAdder(((10, "fail"),)), TASKS))
    assert {"000000.json", "000001.json", "000002.json"} <= set(blocks(tmp_path))


def test_a_study_is_enlarged_with_the_blocks_that_are_there(tmp_path):
    """Of one that ended within a block that block is played again, and no other."""
    with folder(tmp_path) as kept, Runner(Placement(1), kept) as runner:
        assert kept.size(3) == 3
        list(runner.run(NumberAdder(), in_blocks([1] * 10, 3)))
    with folder(tmp_path, resume=True) as kept, Runner(Placement(1), kept) as runner:
        assert kept.size(5) == 3
        assert list(runner.run(NumberAdder(), TASKS)) == WHOLE
        assert (kept.read_back, kept.damaged) == (3, [])


def test_a_folder_of_another_study_is_refused_and_says_what_differs(tmp_path):
    """As is one that holds a study already, or something else."""
    folder(tmp_path).close()
    with pytest.raises(FolderError, match="holds a study") as e:
        folder(tmp_path)
    assert "--resume" in e.value.problems[0].help
    with pytest.raises(FolderError, match=r"another study: rules\[1\] is 2 there, 3 here"):
        folder(tmp_path, resume=True, plan={**PLAN, "rules": [1, 3]})
    for text in ("", "[]", "[" * 100_000, '{"kind": "manifest"}', '{"kind": "study", "form": 2}'):
        (tmp_path / "study" / "study.json").write_text(text)
        with pytest.raises(FolderError):
            folder(tmp_path, resume=True)


def test_two_processes_do_not_work_in_one_folder(tmp_path):
    """The second is refused; once the first has ended, however it did, it may go on."""
    with folder(tmp_path), pytest.raises(FolderError, match="another process"):
        folder(tmp_path, resume=True)
    folder(tmp_path, resume=True).close()


# --- stopping -------------------------------------------------------------------------------------


def test_a_signal_stops_a_study_before_the_next_block_and_no_block_is_half_counted():
    """What was handed out is counted, and nothing else; the second signal is answered at once."""
    seen = []

    def interrupted(times):
        for found in runner.run(NumberAdder(), TASKS):
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
            seen.append(found)

    with Runner() as runner, pytest.raises(KeyboardInterrupt):
        interrupted(1)
    assert seen == WHOLE[:1]
    assert runner.done == 3
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with Runner() as runner, pytest.raises(KeyboardInterrupt):
        interrupted(2)
    assert seen == WHOLE[:1]


@pytest.mark.slow
def test_a_signal_is_answered_at_once_where_a_block_is_waited_for():
    """Though the block takes a minute."""
    for workers in (1, 2):
        threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        began = time.monotonic()
        with Runner(Placement(workers)) as runner, pytest.raises(KeyboardInterrupt):
            list(runner.run(NumberAdder(((0, "sleep"),)), TASKS))
        assert time.monotonic() - began < 45, "the block was waited for"


def collect(runner, seen):
    for found in runner.run(NumberAdder(), TASKS):
        seen.append(found.total)


@pytest.mark.parametrize("units", range(1, 30))
def test_an_interrupted_study_run_again_stops_where_it_had_stopped(units):
    """Within a block too; and it is not taken for finished where it had stopped before the end."""
    seen = []
    with Runner(stopping=Stopping(units)) as runner, pytest.raises(KeyboardInterrupt):
        collect(runner, seen)
    assert sum(seen) == sum(range(units))
    assert runner.done == units


def test_a_study_that_was_interrupted_once_all_blocks_were_played_takes_them_all():
    """What stopped it then came after them."""
    with Runner(stopping=Stopping(30)) as runner:
        assert list(runner.run(NumberAdder(), TASKS)) == WHOLE
        with pytest.raises(KeyboardInterrupt), runner.stopping.unit():
            pytest.fail("it was interrupted before this")


# --- dying ----------------------------------------------------------------------------------------


def test_the_block_of_a_dead_worker_is_played_again(tmp_path):
    """Twice, and nothing is lost."""
    work = NumberAdder(((4, "die"), (16, "die")), str(tmp_path))
    with Runner(Placement(2, PROCESSES)) as runner:
        assert list(runner.run(work, TASKS)) == WHOLE
    assert len(os.listdir(tmp_path)) == 2


def test_a_block_that_keeps_ending_its_workers_is_named_with_the_command_that_plays_it():
    """And none of its neighbours."""
    again = "quadrille add --block={block}"
    with Runner(Placement(2, PROCESSES), again=again) as runner, pytest.raises(BlockError) as e:
        list(runner.run(NumberAdder(((13, "die"),)), TASKS))
    (problem,) = e.value.problems
    assert problem.message.startswith("block 4 (sessions 12 to 14) ended its worker 3 times")
    assert "quadrille add --block=4" in problem.help


def test_one_block_can_be_played_alone():
    """Of tasks that depend on no result, without those before it."""
    told = []
    with Runner(alone=Alone(4, told.append)) as runner, pytest.raises(stopping.Done):
        list(runner.run(NumberAdder(((4, "fail"),)), TASKS, independent=True))
    assert told[0].startswith("block 4 (sessions 12 to 14): played in 0.0 s, SHA-256 ")


PARENT = """
import sys, time
sys.path[:0] = {path!r}
from support.adding import NumberAdder, TASKS
from quadrille_plugins.studies.runner.executors import ProcessPool
pool = ProcessPool(NumberAdder(((0, "sleep"), (3, "sleep"))), 2)
first = [pool.submit(t) for t in TASKS[:2]]
while len(pool.processes()) < 2:
    time.sleep(0.05)
time.sleep(1)
print(*pool.processes(), flush=True)
time.sleep(60)
"""


def gone(process: int) -> bool:
    """Whether a process has ended, whether or not anybody has asked how."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return True


def eventually(what: Callable[[], bool], seconds: float = 20) -> bool:
    until = time.monotonic() + seconds
    while not what() and time.monotonic() < until:
        time.sleep(0.05)
    return what()


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_workers_die_with_their_parent():
    """Though it was killed, and they were in the middle of a block."""
    program = PARENT.format(path=[str(Path(__file__).parents[1]), str(Path(__file__).parents[2])])
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as running:
        processes = [int(word) for word in running.stdout.readline().split()]
        assert len(processes) == 2
        assert not any(map(gone, processes))
        running.kill()
    assert eventually(lambda: all(map(gone, processes)))


WATCHED = """
import multiprocessing, os, sys, time
from quadrille_plugins.studies.runner.executors import watch_parent
def child():
    watch_parent()
    time.sleep(60)
process = multiprocessing.get_context("fork").Process(target=child)
process.start()
print(process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_where_the_kernel_cannot_end_them_a_thread_watches_the_parent():
    """As on macOS."""
    with subprocess.Popen(
        [sys.executable, "-c", WATCHED], stdout=subprocess.PIPE, text=True
    ) as running:
        process = int(running.stdout.readline())
        time.sleep(0.5)
        assert not gone(process)
        running.kill()
    assert eventually(lambda: gone(process))


def test_a_process_without_a_parent_watches_none():
    """The study itself has no parent to watch."""
    assert watch_parent() is None


def test_stopping_ends_workers_in_the_middle_of_a_block():
    """At once, and no thread is left that would wait for them."""
    before = set(threading.enumerate())
    pool = ProcessPool(NumberAdder(((0, "sleep"), (3, "sleep"))), 2)
    for task in TASKS[:2]:
        pool.submit(task)
    began = time.monotonic()
    pool.stop()
    assert time.monotonic() - began < 45, "the blocks were waited for"
    assert set(threading.enumerate()) <= before


# --- who plays ------------------------------------------------------------------------------------


def test_an_executor_is_named_in_a_word():
    """With an address where there is a cluster."""
    assert parse_executor("threads", 2) == Placement(2, "threads", None)
    assert parse_executor("dask", 2) == Placement(2, "dask", None)
    assert parse_executor("dask:tcp://10.0.0.1:8786", 2) == Placement(
        2, "dask", "tcp://10.0.0.1:8786"
    )
    for wrong in ("", "thread", "processes:2", "dask:"):
        with pytest.raises(UsageError, match="there is no executor"):
            parse_executor(wrong, 2)
