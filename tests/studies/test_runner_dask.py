"""Studies on a Dask cluster, really begun on this machine: the same bytes, whoever dies; and who is
refused."""

import json
import os
import signal
import sys
from pathlib import Path

import kill_studies
import pytest
from quadrille_plugins.compare import study
from quadrille_plugins.compare.report import comparison_json
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.design import plan
from quadrille_plugins.studies.runner import cluster
from quadrille_plugins.studies.runner.cluster import WorkersError
from quadrille_plugins.studies.runner.executors import DASK, THREADS, Placement
from quadrille_plugins.studies.runner.run import BlockError, Runner
from support.adding import TASKS, NumberAdder

from quadrille_core import __version__
from quadrille_core.ruleset import compile_reference

DASK_IS_THERE = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of other people's code, in threads of its own
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc who the workers are"),
]


@pytest.mark.slow
def test_a_study_on_a_cluster_of_which_a_worker_is_killed_ends_in_the_same_bytes_as_in_threads():
    """The block that it was at is played by another."""
    settings = {"table.session_deals": 4}
    compiled = [compile_reference(r, settings=settings) for r in ("quanti-1822", "mediateur-1752")]
    design = plan(compiled, deals=80, sessions=None, seed=2, bots=("steady",))
    killed = []

    def kill(done, total, seconds):
        if done >= 12 and not killed:
            players = [p for p in kill_studies.workers(os.getpid()) if b"spawn_main" in cmdline(p)]
            killed.append(players[-1])
            os.kill(players[-1], signal.SIGKILL)

    there = study.compare(compiled, design, progress=kill, runner=Runner(Placement(2, DASK)))
    here = study.compare(compiled, design, runner=Runner(Placement(2, THREADS)))
    assert killed
    assert json.dumps(comparison_json(there)) == json.dumps(comparison_json(here))
    assert kill_studies.workers(os.getpid()) == []


def cmdline(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


@pytest.mark.slow
def test_a_block_that_keeps_ending_workers_is_named():
    """With the command that plays it alone."""
    again = "quadrille add --block={block}"
    with (
        Runner(Placement(2, DASK), again=again) as runner,
        pytest.raises(BlockError, match=r"block 4 \(sessions 12") as e,
    ):
        list(runner.run(NumberAdder(((13, "die"),)), TASKS))
    assert "quadrille add --block=4" in e.value.problems[0].help


@pytest.mark.slow
def test_a_worker_with_another_release_is_named_and_refused(monkeypatch):
    """Before any block is played."""
    monkeypatch.setattr(cluster, "__version__", "9.9")
    said = (
        rf"the worker tcp://127.0.0.1:\d+: quadrille {__version__} is installed there, and 9.9 here"
    )
    with Runner(Placement(1, DASK)) as runner, pytest.raises(WorkersError, match=said):
        list(runner.run(NumberAdder(), TASKS))


def test_what_differs_on_a_worker_is_said():
    """The release, the program's files, or a plugin's."""
    sent = cluster.Sent(b"", "1.0", {"quadrille": "a", "plugin casco": "b"}, alone=True)
    assert sent.fault(("1.0", {"quadrille": "a", "plugin casco": "b"})) == ""
    assert "quadrille 1.1 is installed there" in sent.fault(("1.1", {}))
    assert sent.fault(("1.0", {"quadrille": "x"})).startswith(
        "the files of quadrille are not those"
    )
    assert sent.fault(("1.0", {"quadrille": "a", "plugin casco": ""})).startswith(
        "the files of plugin casco are not"
    )


def test_a_scheduler_that_is_not_there_is_said(capsys, monkeypatch):
    """Status 2, and where to read on."""
    monkeypatch.setattr(cluster, "START", 1)
    line = ("compare", "quanti-1822", "mediateur-1752", "--deals", "8", "--engine", "readable")
    assert run([*line, "--executor", "dask:tcp://127.0.0.1:9"]) == 2
    said = capsys.readouterr().err
    assert "Q804 no workers at tcp://127.0.0.1:9" in said
    assert "docs/clusters.md" in said
