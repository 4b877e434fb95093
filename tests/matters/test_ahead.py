"""What other processes do in the meantime comes to what this one would have come to."""

import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from quadrille_plugins.matters.ahead import Ahead

HERE = os.getpid()


@pytest.fixture
def ahead():
    """Makes one that is closed at the end."""
    made = []

    def make(work, workers=1):
        made.append(Ahead(work, workers))
        return made[-1]

    yield make
    for one in made:
        one.close()


def _third(number, more=0):
    return os.getpid(), Fraction(number, 3) + more


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_any_order_and_from_elsewhere(ahead, workers):
    """What was not begun is worked out here, and what was is worked out once."""
    here = ahead(_third, workers)
    for number in range(5):
        here.begin(number, 1)
        here.begin(number, 7)
    assert [here(n, 1)[1] for n in (4, 2, 0, 3, 1)] == [Fraction(n, 3) + 1 for n in (4, 2, 0, 3, 1)]
    assert here(9, 2) == (HERE, 5)
    assert HERE not in {here(n, 1)[0] for n in range(5)}


def test_what_is_urgent_comes_before_what_waits(ahead):
    """One process, kept busy by the first job, does the last one begun next."""
    began = time.monotonic()

    def work(number):
        time.sleep(0.2 if number == 0 else 0)
        return time.monotonic() - began

    here = ahead(work)
    here.begin(0)
    time.sleep(0.05)
    for number in (1, 2):
        here.begin(number)
    here.begin(3, urgent=True)
    assert here(0) < here(3) < here(1) < here(2)


def _dies_elsewhere(number):
    if number == 1 and os.getpid() != HERE:
        os._exit(1)
    return number


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_lost_process_leaves_is_done_here_or_by_another(ahead, workers):
    """A process that is killed costs time and no result."""
    here = ahead(_dies_elsewhere, workers)
    for number in range(4):
        here.begin(number)
    assert [here(n) for n in range(4)] == [0, 1, 2, 3]


def _fails(number):
    raise ValueError(f"no result for {number}")


def test_an_error_is_raised_where_the_result_is_asked_for(ahead):
    """It is the very error that the work raises."""
    here = ahead(_fails)
    here.begin(0)
    with pytest.raises(ValueError, match="no result for 0"):
        here(0)


def test_closed_it_works_here(ahead):
    """Nothing waits for a process that was ended."""
    here = ahead(_third)
    here.begin(1)
    here.close()
    here.close()
    assert here(1, 0)[1] == Fraction(1, 3)
    here.begin(2)
    assert here(2) == (HERE, Fraction(2, 3))


def test_what_is_left_is_judged_by_what_was_done(ahead):
    """Nothing is said before the first job is done; then as many times its processor seconds as
    jobs are left."""

    def work(number):
        began = time.process_time()
        while time.process_time() < began + (0.1 if number < 2 else 5):
            pass

    here = ahead(work)
    assert here.left() == 0
    for number in range(4):
        here.begin(number)
    here(1)
    assert 0.1 <= here.spent < 0.3
    assert 0.2 <= here.left() < 1
    assert here.left(20) >= 2.2


ORPHANS = """
import os, sys, time
from quadrille_plugins.matters.ahead import Ahead
ahead = Ahead(lambda n: os.getpid(), 2)
for n in range(4):
    ahead.begin(n)
print(*{ahead(n) for n in range(4)}, *(p.pid for p in ahead._processes), flush=True)
time.sleep(60)
"""


def test_no_process_outlives_the_one_it_works_for():
    """The first process is killed and cannot end them."""
    folder = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", ORPHANS], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as first:
        workers = [int(pid) for pid in first.stdout.readline().split()]
        assert len(set(workers)) == 2
        first.send_signal(signal.SIGKILL)
        first.wait()
        until = time.monotonic() + 5
        while any(_runs(pid) for pid in workers) and time.monotonic() < until:
            time.sleep(0.02)
        assert not any(_runs(pid) for pid in workers)


def _runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
