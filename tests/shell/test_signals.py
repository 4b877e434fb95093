"""A signal ends a command with its status and one word, whatever is being loaded, and leaves
nothing behind."""

import os
import signal
import subprocess
import sys

import pytest
from quadrille_plugins.shell import stopping

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")

WHILE_LOADING = """
import signal, sys
name, number = sys.argv.pop(1), int(sys.argv.pop(1))
def hook(event, arguments, sent=[]):
    if event == "import" and arguments[0] == name and not sent:
        sent.append(name)
        signal.raise_signal(number)
sys.addaudithook(hook)
from quadrille_plugins.shell.begin import main
main()
"""
SWALLOWING = """
import signal, time
try:
    signal.raise_signal(signal.SIGTERM)
    time.sleep(0.05)
except BaseException:
    print("swallowed", flush=True)
print("loaded", flush=True)
"""
LOADS_IT = """
import time
from quadrille_plugins.shell import stopping
stopping.listen()
try:
    import swallowing
    time.sleep(300)
except stopping.Stopped:
    print("stopped", stopping.status(), flush=True)
"""
COMPARE = [
    "compare",
    "quanti-1822",
    "quanti-1822@wikipedia",
    "--deals",
    "20000",
    "--workers",
    "1",
    "--engine",
    "fast",
]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "module",
    [
        "click",
        "quadrille_plugins.shell.options",
        "numpy",
        "numpy.linalg",
        "numba",
        "llvmlite",
        "quadrille_plugins.kernel.cache",
    ],
)
def test_a_signal_while_a_module_is_loaded_ends_the_command_without_a_traceback(module, number):
    """Libraries in C take an exception for a broken installation, and a module half loaded lacks
    what an end needs."""
    pytest.importorskip("numba")
    line = [sys.executable, "-c", WHILE_LOADING, module, str(int(number)), *COMPARE]
    environment = {**os.environ, "QUADRILLE_DEBUG": "1"}
    done = subprocess.run(
        line, capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (128 + number, "", "interrupted")


def loading(folder, module):
    """A process that loads this module, after its end."""
    (folder / "swallowing.py").write_text(module)
    return subprocess.run(
        [sys.executable, "-c", LOADS_IT],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
        timeout=60,
        check=False,
    )


def test_a_signal_is_put_off_while_a_module_is_loaded_and_not_lost(tmp_path):
    """Were it lost, the process would sleep until its time is out."""
    done = loading(tmp_path, SWALLOWING)
    assert done.stdout == "loaded\nstopped 143\n", done.stderr


def test_a_module_that_never_has_done_loading_can_be_interrupted(tmp_path):
    """As a plugin's may not: the signal is put off for a second at most."""
    endless = "import signal, time\nsignal.raise_signal(signal.SIGINT)\ntime.sleep(300)\n"
    done = loading(tmp_path, endless)
    assert done.stdout == "stopped 130\n", done.stderr
    assert stopping.LONGEST <= 1


def test_who_leaves_at_once_removes_the_compiled_code_of_this_process_alone(tmp_path, monkeypatch):
    """Where no folder can be trusted it is in a temporary one, which nobody else would ever
    remove."""
    cache = pytest.importorskip("quadrille_plugins.kernel.cache")
    from quadrille_plugins.shell import main

    folder = tmp_path / "kernel"
    folder.mkdir()
    (folder / "function.code").write_bytes(b"code")
    monkeypatch.setattr(cache, "_temporary", [(folder, os.getpid())])
    left = []
    monkeypatch.setattr(os, "_exit", left.append)
    main._leave(130)
    assert left == [130]
    assert not folder.exists()
