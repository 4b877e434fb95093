"""Studies on the command line: kept, resumed, enlarged, interrupted, and run again."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from functools import partialmethod
from pathlib import Path

import pytest
from quadrille_plugins.compare import study
from quadrille_plugins.compare.report import comparison_json
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.design import plan
from quadrille_plugins.studies.runner import tasks
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.sessions import Readable

from quadrille_core.ruleset import compile_reference

COMPARE = (
    "compare",
    "quanti-1822",
    "mediateur-1752",
    "--set",
    "table.session_deals=4",
    "--engine",
    "readable",
)
STUDIES = {
    "compare": (*COMPARE, "--deals", "24"),
    "compare with a table": (*COMPARE, "--deals", "24"),
    "compare, decomposed": (*COMPARE, "--deals", "12", "--decompose"),
    "matters": (
        "matters",
        "quanti-1822",
        "remise_pays",
        "--deals",
        "120",
        "--engine",
        "readable",
        "--set",
        "table.session_deals=4",
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
        "--engine",
        "readable",
        "--set",
        "table.session_deals=4",
    ),
    "tournament": (
        "compare",
        "--bots",
        "steady,random",
        "quadrille-modern",
        "--deals",
        "16",
        "--length",
        "4",
    ),
    "patience": ("compare", "captive-queens", "--deals", "600"),
}


def table(name: str, path: Path) -> list[str]:
    return ["--table", str(path)] if "table" in name else []


@pytest.mark.slow
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_resumed_ends_in_the_same_bytes(name, tmp_path, capsys):
    """With blocks missing and blocks damaged; and as it ends without a folder."""
    line = [*STUDIES[name], "--format", "json"]
    assert run([*line, "--workers", "1", *table(name, tmp_path / "a.csv")]) == 0
    whole = capsys.readouterr().out
    kept = tmp_path / "kept"
    assert (
        run([*line, "--workers", "2", "--study", str(kept), *table(name, tmp_path / "b.csv")]) == 0
    )
    assert capsys.readouterr().out == whole
    manifest, blocks = (
        (kept / "manifest.json").read_bytes(),
        sorted((kept / "blocks").glob("*.json")),
    )
    assert json.loads(manifest)["results"] == json.loads((kept / "results.json").read_text())
    assert len(blocks) > 2
    blocks[1].unlink()
    blocks[2].write_bytes(blocks[2].read_bytes()[:-3])
    (kept / "manifest.json").unlink()
    line += ["--workers", "1", "--study", str(kept), "--resume", *table(name, tmp_path / "c.csv")]
    assert run(line) == 0
    found = capsys.readouterr()
    assert found.out == whole
    assert f"{len(blocks) - 1} blocks are there" in found.err
    assert "blocks that were damaged, and played again: 2" in found.err
    assert (kept / "manifest.json").read_bytes() == manifest
    if "table" in name:
        assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
        assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "c.csv").read_bytes()


def test_the_size_of_blocks_and_who_plays_them_change_no_byte(monkeypatch):
    """By either engine: sums are exact, and added up in order."""
    compiled = [compile_reference(r) for r in ("quanti-1822", "mediateur-1752")]
    pytest.importorskip("numba")
    design = plan(compiled, deals=1200, sessions=None, seed=3, bots=("steady",))
    seen = set()
    for most in (40, 400, 80_000):
        monkeypatch.setattr(tasks, "MOST_WORK", 2 * most)
        monkeypatch.setattr(tasks, "FEWEST_WORK", most)
        for where in (Placement(1), Placement(2), Placement(2, "processes")):
            found = study.compare(compiled, design, engine="fast", runner=Runner(where))
            seen.add(json.dumps(comparison_json(found)))
    monkeypatch.setattr(fast, "BLOCK_DEALS", 120)  # what a thread plays before it adds up
    seen.add(
        json.dumps(
            comparison_json(
                study.compare(compiled, design, engine="fast", runner=Runner(Placement(1)))
            )
        )
    )
    assert len(seen) == 1


# --- interrupted ----------------------------------------------------------------------------------

LONG = {
    "compare": (*COMPARE, "--deals", "400000"),
    "compare, fast": (
        "compare",
        "quanti-1822",
        "mediateur-1752",
        "--deals",
        "90000000",
        "--engine",
        "fast",
    ),
    "matters": (
        "matters",
        "quanti-1822",
        "remise_pays",
        "--deals",
        "400000",
        "--engine",
        "readable",
        "--within",
        "1/1000",
        "--smallest",
        "1/100",
    ),
    "rank": (
        "rank",
        "quanti-1822",
        "--points",
        "codille_items,ante,remise_pays",
        "--deals",
        "40",
        "--configurations",
        "400",
        "--engine",
        "readable",
    ),
    "tournament": (
        "compare",
        "--bots",
        "steady,random",
        "quadrille-modern",
        "--deals",
        "400000",
        "--length",
        "4",
    ),
    "patience": ("compare", "captive-queens", "--deals", "1000000"),
}


def begun(line: list[str], kept: Path, blocks: int) -> "subprocess.Popen[str]":
    """A study under way of which so many blocks are finished."""
    running = subprocess.Popen(
        [sys.executable, "-m", "quadrille_core", *line, "--study", str(kept)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=Path(__file__).parents[2],
    )
    until = time.monotonic() + 120
    while (
        running.poll() is None
        and len(list(kept.glob("blocks/*.json"))) < blocks
        and time.monotonic() < until
    ):
        time.sleep(0.05)
    return running


def units(kept: Path, number: int) -> int:
    """How much of a study a block that is kept has: sessions, numbered units, or configurations."""
    what, *rest = json.loads((kept / "blocks" / f"{number:06d}.json").read_text())["block"]["task"]
    return (
        len(what)
        if isinstance(what, list)
        else rest[0]
        if isinstance(rest[0], int)
        else len(rest[0])
    )


def ended(running: "subprocess.Popen[str]", number: int, *, group: bool) -> tuple[str, str, float]:
    """What a study says that is sent a signal, and after how many seconds; nothing of it is
    left."""
    began = time.monotonic()
    try:
        (os.killpg if group else os.kill)(running.pid, number)
        out, err = running.communicate(timeout=90)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
    return out, err, time.monotonic() - began


SLOW = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in LONG
    if name not in ("tournament", "compare, fast")
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tournament", "compare, fast", *SLOW])
def test_ctrl_c_reports_what_is_finished_says_how_to_go_on_and_leaves_no_worker(name, tmp_path):
    """A terminal sends it to all processes; the command that is printed goes on, and the manifest
    is run again."""
    if "fast" in name:
        pytest.importorskip("numba")
    line = [*LONG[name], "--workers", "2", "--format", "csv"]
    running = begun(line, tmp_path / "kept", 40 if name == "rank" else 3)
    out, err, seconds = ended(running, signal.SIGINT, group=True)
    assert running.returncode == 130, err
    assert "interrupted: reporting" in err
    assert "Traceback" not in err
    assert len(out.splitlines()) > 1
    assert seconds < 60, "the whole study was waited for"  # about two where nothing else runs
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)
    go_on = re.search("go on from there: (.*)", err)
    assert go_on is not None
    assert shlex.split(go_on[1])[1:] == [*line, "--study", str(tmp_path / "kept"), "--resume"]
    manifest = tmp_path / "kept" / "manifest.json"
    told = json.loads(manifest.read_text())
    assert told["finished"] is False
    kept = sorted(int(p.stem) for p in (tmp_path / "kept" / "blocks").glob("*.json"))
    assert len(kept) >= 3
    # a later block may be kept before an earlier one: those in a row from the first are counted
    in_a_row = next((n for n, number in enumerate(kept) if n != number), len(kept))
    assert told["stopped_after"] == sum(
        units(tmp_path / "kept", number) for number in range(in_a_row)
    )
    if name != "compare, fast":  # which has played a million deals by now
        assert run(["rerun", str(manifest), "--workers", "2"]) == 0


@pytest.mark.slow
def test_interrupted_with_nothing_to_report_it_says_how_to_go_on_all_the_same(tmp_path):
    """``rank`` reports whole configurations, and the first of all points takes a while."""
    running = begun(
        ["rank", "quanti-1822", "--deals", "40", "--engine", "readable"], tmp_path / "kept", 1
    )
    _, err, _ = ended(running, signal.SIGINT, group=False)
    assert running.returncode == 130
    assert "go on from there: quadrille rank quanti-1822" in err
    assert "interrupted: reporting" not in err


@pytest.mark.slow
def test_sigterm_and_sighup_act_as_ctrl_c(tmp_path):
    """With the exit status of the signal."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        running = begun([*LONG["tournament"], "--workers", "2"], tmp_path / str(int(number)), 2)
        _, err, _ = ended(running, number, group=False)
        assert running.returncode == 128 + number
        assert "interrupted: reporting" in err


def test_what_is_ignored_at_the_start_stays_ignored(tmp_path):
    """As nohup has it."""
    line = [
        "compare",
        "--bots",
        "steady,random",
        "quadrille-modern",
        "--deals",
        "40",
        "--length",
        "4",
        "--workers",
        "1",
    ]
    program = (
        "import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from quadrille_plugins.shell.main import main; main(sys.argv[1:])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, *line, "--study", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    ) as running:
        until = time.monotonic() + 60
        while not list(tmp_path.glob("blocks/*.json")) and time.monotonic() < until:
            time.sleep(0.05)
        running.send_signal(signal.SIGHUP)
        assert running.wait(90) == 0


def test_an_interrupted_study_is_run_again_as_far_as_it_had_come(tmp_path, monkeypatch, capsys):
    """It finds the same to the byte; a rerun that is itself interrupted says so."""
    play = Readable.play

    def stopping(self, seed, first, *more, at=3):
        if first == at:
            raise KeyboardInterrupt
        return play(self, seed, first, *more)

    path = tmp_path / "m.json"
    with monkeypatch.context() as m:
        m.setattr(Readable, "play", stopping)
        assert run([*COMPARE, "--deals", "24", "--workers", "1", "--manifest", str(path)]) == 130
    assert "with --study FOLDER a study can be resumed" in capsys.readouterr().err
    manifest = json.loads(path.read_text())
    assert (manifest["finished"], manifest["stopped_after"]) == (False, 3)
    assert manifest["parameters"]["deals"] == 24
    assert manifest["results"]["design"]["deals"] == 12
    assert run(["rerun", str(path)]) == 0
    assert run(["rerun", str(path), "--workers", "2"]) == 0
    capsys.readouterr()
    with monkeypatch.context() as m:
        m.setattr(Readable, "play", partialmethod(stopping, at=2))
        assert run(["rerun", str(path)]) == 130


# --- killed ---------------------------------------------------------------------------------------


def test_one_block_is_played_alone_from_the_command_line(tmp_path, capsys):
    """As the message of a block that keeps ending workers says; the rest of the study is not
    played."""
    line = [*COMPARE, "--deals", "24", "--workers", "1", "--study", str(tmp_path / "kept")]
    assert run([*line, "--block", "4"]) == 0
    assert re.match(
        r"block 4 \(session 4\): played in [0-9.]+ s, SHA-256 [0-9a-f]{64}\n",
        capsys.readouterr().out,
    )
    assert [p.name for p in (tmp_path / "kept" / "blocks").iterdir()] == ["000004.json"]


def test_an_executor_there_is_not_is_refused(capsys):
    """With those there are."""
    assert run([*COMPARE, "--deals", "8", "--executor", "cloud"]) == 2
    assert "threads, processes, dask" in capsys.readouterr().err
