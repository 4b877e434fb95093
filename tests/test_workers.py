"""Work shared out among processes: in order, none of it lost, and Ctrl-C ends it at once, whoever hears it."""

import os
import signal
import subprocess
import sys
import threading
import time
from itertools import count
from pathlib import Path

import pytest

from quadrille_core.ruleset import compile_reference
from quadrille_core.study import compare as study
from quadrille_core.study.workers import in_order, undisturbed

_given = 0


def receive(number):
    global _given  # noqa: PLW0603 - what a worker is given once
    _given = number


def multiplied(number):
    return number * _given


def slow(number):
    time.sleep(60 if number else 0)
    return b"much" * 100_000


def test_results_come_in_the_order_of_the_jobs_and_jobs_are_taken_as_they_are_wanted():
    taken = []

    def jobs():
        for n in count():
            taken.append(n)
            yield (n,)

    found = in_order(multiplied, jobs(), 2, receive, (7,))
    assert [next(found) for _ in range(50)] == [7 * n for n in range(50)]
    assert len(taken) < 70
    found.close()


def test_an_error_of_a_worker_is_the_caller_s():
    with pytest.raises(TypeError):
        list(in_order(multiplied, [(1,), (None,)], 2))


def test_whoever_stops_listening_ends_the_workers_at_once():
    """And no thread of theirs is left: one that still closes its pipe at exit breaks the interpreter's own end."""
    others = set(threading.enumerate())
    found, began = in_order(slow, ((n,) for n in range(9)), 2), time.monotonic()
    next(found)
    found.close()
    assert set(threading.enumerate()) <= others
    assert time.monotonic() - began < 30


def test_an_interruption_is_heard_when_the_block_is_done():
    done = []

    def block():
        with undisturbed():
            os.kill(os.getpid(), signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        block()
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_in_another_thread_there_is_nothing_to_hear():
    done = []

    def block():
        with undisturbed():
            done.append(1)

    thread = threading.Thread(target=block)
    thread.start()
    thread.join()
    assert done == [1]


@pytest.mark.parametrize(
    "line",
    [
        ("tournament", "quadrille-modern", "--deals", "400000", "--length", "4"),
        ("compare", "quanti-1822", "quadrille-modern", "--deals", "400000", "--engine", "readable"),
        ("compare", "captive-queens", "--deals", "1000000"),
    ],
    ids=lambda line: " ".join(line[:2]),
)
def test_ctrl_c_in_a_terminal_ends_the_command_and_all_its_workers_with_a_report(line):
    """A terminal sends it to all of them: some are waiting for work then, some are at it."""
    program = (
        "import sys, quadrille_core.study.workers as w\n"
        "from quadrille_core.cli.main import main\n"
        "heard, taken = w.in_order, []\n"
        "def in_order(*a):\n"
        "    for one in heard(*a):\n"
        "        yield one\n"
        "        taken.append(1)\n"
        "        if len(taken) == 20:\n"
        "            print('under way', file=sys.stderr, flush=True)\n"
        "for name in ('compare', 'tournament', 'patience'):\n"
        "    vars(__import__(f'quadrille_core.study.{name}', fromlist=['x']))['in_order'] = in_order\n"
        "main()\n"
    )
    command = [sys.executable, "-c", program, *line, "--workers", "3", "--format", "csv"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        cwd=Path(__file__).parents[1],
    ) as running:  # fmt: skip
        try:
            said = iter(running.stderr.readline, "under way\n")
            assert not any("Traceback" in s for s in said)
            os.killpg(running.pid, signal.SIGINT)
            out, err = running.communicate(timeout=90)
        finally:
            if running.poll() is None:
                os.killpg(running.pid, signal.SIGKILL)
    assert running.returncode == 130
    assert "interrupted: reporting the" in err
    assert "Traceback" not in err
    assert len(out.splitlines()) > 2
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)


def test_interrupted_again_before_it_has_summed_up_it_reports_nothing(monkeypatch):
    """Half a sum would look like a result."""
    pytest.importorskip("numba")
    compiled = [compile_reference(r) for r in ("quanti-1822", "quadrille-modern")]
    design = study.plan(compiled, deals=4000, sessions=None, seed=2, bots=("steady",))

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(study, "retell", stop)
    with pytest.raises(KeyboardInterrupt):
        study.compare(compiled, design, engine="fast", progress=stop)
