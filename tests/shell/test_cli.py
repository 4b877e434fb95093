"""The command line as users and their scripts meet it: formats, exit codes, messages, weight."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.data import of_yaml

HERE = Path(__file__).parents[1]
WORKED = of_yaml(HERE / "data" / "worked.yaml")["cases"]
SOLO = WORKED[0]["result"]


def test_every_command_has_help_that_names_its_formats(quadrille):
    for name in ("check", "deal", "diff", "explain", "list", "new", "play", "settle", "show"):
        status, out, _ = quadrille(name, "--help")
        assert status == 0
        assert ("--format" in out) == (name != "new"), name


@pytest.mark.parametrize("what", ["profiles", "plugins"])
def test_lists_come_as_table_json_and_csv(what, quadrille):
    table, data, rows = (
        quadrille("list", what, "--format", f)[1] for f in ("table", "json", "csv")
    )
    names = [next(iter(d.values())) for d in json.loads(data)]
    assert names == [next(iter(r.values())) for r in csv.DictReader(io.StringIO(rows))]
    assert all(n in table for n in names)


@pytest.mark.parametrize("stream", ["<&-", ">&-", ">/dev/full"])
def test_closed_or_full_streams_give_no_traceback(stream, write):
    path = write(SOLO)
    for args in (f"settle {path}", f"settle {path} --format json", "settle -", "--help", "list"):
        done = subprocess.run(
            ["bash", "-c", f"{sys.executable} -m quadrille_core {args} {stream} 2>&1 >&2 | cat"],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert "Traceback" not in done.stdout + done.stderr, (args, done.stdout + done.stderr)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc whether it waits")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_is_printed_is_whole_though_the_command_is_stopped_in_the_midst(unbuffered):
    """Ctrl-Z and ``fg`` cut a write short; Python itself, told to have no buffer, loses what was
    not yet written."""
    line = [sys.executable, "-m", "quadrille_core", "show", "quanti-1822", "--format", "json"]
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(line, stdout=subprocess.PIPE, env=env) as running:
        assert running.stdout is not None
        seen, until = [""], time.monotonic() + 60
        while (
            time.monotonic() < until and len(seen) < 5
        ):  # it waits for its reader: it sleeps, and its time stands still
            state, used = (
                Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()[:12:11]
            )
            seen = [*seen, used] if state == "S" and used == seen[-1] else [used]
            time.sleep(0.05)
        running.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, running.pid, os.WSTOPPED)
        running.send_signal(signal.SIGCONT)
        json.loads(running.stdout.read())
    assert running.returncode == 0


def python(code: str, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **env},
    )
    return done.stdout


def test_help_and_settle_import_nothing_heavy(write):
    heavy = ("jsonschema", "numpy", "rich", "scipy")
    path = write(SOLO)
    for args in (["--help"], ["settle", path, "--format", "json"]):
        code = f"import sys; from quadrille_plugins.shell.main import run; run({args!r}); "
        code += f"print([m for m in {heavy!r} if m in sys.modules])"
        assert python(code).splitlines()[-1] == "[]"


def test_no_colour_and_no_control_characters_off_a_terminal(quadrille):
    for args in (("list",), ("show", "quanti-1822"), ("explain", "quanti-1822", "payments")):
        assert "\x1b" not in quadrille(*args)[1]


def test_an_unknown_command_or_option_is_misuse(quadrille):
    assert quadrille("settel")[0] == 2
    assert "did you mean settle?" in quadrille("settel")[2]
    assert "help: `quadrille --help` lists the commands" in quadrille("frobnicate")[2]
    assert quadrille("show", "quanti-1822", "--forma", "json")[0] == 2
    assert quadrille("show", "quanti-1822", "--set", "payments")[0] == 2
