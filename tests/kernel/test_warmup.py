"""What is compiled once, what is said before, and that everything works where there is nothing to
compile with."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from quadrille_plugins.deal.players import BOTS
from quadrille_plugins.kernel import ready as ready_words
from quadrille_plugins.shell.main import run

from quadrille_core.installation import install_hint

WITHOUT = """
import json, sys
sys.modules.update(numba=None, llvmlite=None, numpy=None)
from quadrille_plugins.shell.main import run
for line in json.loads(sys.argv[1]):
    print("status", run(line), *line[:1], flush=True)
"""
LATE = """
import json, sys
from quadrille_plugins.kernel import ready as warmup
from quadrille_plugins.shell.main import run
warmup.ready()
from quadrille_plugins.kernel import compiled
load, make = compiled.load_ways_in, compiled.CompiledFunction._compile_linked
loading, late = [], []
def loads(module):
    loading.append(module)
    load(module)
    loading.pop()
def makes(function):
    if not loading:
        late.append(function.__name__)
    return make(function)
compiled.load_ways_in, compiled.CompiledFunction._compile_linked = loads, makes
kernel = [m for name, m in sys.modules.items() if name.startswith("quadrille_plugins.")]
for line in json.loads(sys.argv[1]):
    for function in (f for m in kernel for f in vars(m).values() if isinstance(f, compiled.CompiledFunction)):
        function._linked = function._intermediate = None
    late.clear()
    print("status", run(line), line[0], *late, flush=True)
"""
RESULT = """rules: quanti-1822
players: [A, B, C, D]
pool: 12
contract: solo
trump: hearts
hombre: A
tricks: {A: 6, B: 2, D: 2}
matadors: 3
premiers: true
vole: none
"""


@pytest.mark.slow
def test_all_that_needs_no_numba_works_without_it(tmp_path):
    result = tmp_path / "result.yaml"
    result.write_text(RESULT)
    pair = ["quanti-1822", "mediateur-1752"]
    lines = [
        ["compare", *pair, "--deals", "40", "--workers", "1"],
        ["compare", "royal-quadrille", "--deals", "20", "--workers", "1"],
        ["settle", str(result)],
        ["play", "quanti-1822", "--hand", "CA H2 S3", "--trick", "SA", "--trump", "diamonds"],
        ["deal", "quanti-1822"],
        ["show", "quanti-1822"],
        ["explain", "quanti-1822", "payments.premium.solo"],
        ["diff", *pair],
        ["list"],
        ["session", "ruling", "--laws", "quadrille-laws"],
        ["compare", *pair, "--deals", "40", "--engine", "fast"],
        ["deal", "--solve", "quanti-1822", "--seed", "1"],
        ["--warmup"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(lines)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    told = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("status ")]
    assert [name for _, name in told] == [line[0] for line in lines], done.stderr
    wanted = ["1" if name == "diff" else "0" for _, name in told[:-3]] + ["2"] * 3
    assert [status for status, _ in told] == wanted, (told, done.stderr)
    assert done.stderr.count(install_hint("fast")) == 3
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_nothing_is_compiled_or_loaded_in_the_middle_of_work():
    pytest.importorskip("numba")
    pair = ["quanti-1822", "mediateur-1752"]
    lines = [
        ["deal", "quanti-1822", "--players", "seer,steady,steady,steady"],
        ["compare", *pair, "--deals", "40", "--engine", "fast", "--workers", "1"],
        ["compare", *pair, "--deals", "2", "--double-dummy", "--workers", "1"],
        ["deal", "--solve", "quanti-1822", "--seed", "1", "--player", "A", "--bid", "solo"],
        ["matters", "quanti-1822", "ante", "--deals", "400", "--engine", "fast", "--workers", "1"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", LATE, json.dumps(lines)], capture_output=True, text=True, check=False
    )
    told = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("status ")]
    assert told == [["0", line[0]] for line in lines], done.stderr


def test_code_for_another_processor_is_kept_apart(monkeypatch):
    pytest.importorskip("numba")
    import numba
    from quadrille_plugins.kernel import cache

    here = cache.digest()
    monkeypatch.setattr(numba.config, "CPU_NAME", "generic")
    assert cache.digest() != here


def test_a_cold_cache_is_said_once_and_then_found(tmp_path, monkeypatch, capsys):
    cache = pytest.importorskip("quadrille_plugins.kernel.cache")
    monkeypatch.setattr(cache, "choose", lambda: tmp_path)
    assert run(["--warmup"]) == 0
    cold = capsys.readouterr()
    assert cold.err.splitlines()[0] == ready_words.COLD
    assert "solver: compiled in" in cold.out
    assert str(tmp_path) in cold.out
    assert run(["--warmup"]) == 0
    warm = capsys.readouterr()
    assert not warm.err
    assert "found compiled" in warm.out
    assert str(tmp_path) in warm.out


def test_what_a_command_calls_is_compiled_and_no_more(tmp_path, monkeypatch, capsys):
    """Each module is noted by itself; ``quadrille --warmup`` compiles all but the players that it
    leaves out."""
    pytest.importorskip("numba")
    from quadrille_plugins.kernel import cache, ready

    loaded = []
    monkeypatch.setattr(ready, "compiled_mark", lambda: tmp_path)
    monkeypatch.setattr(
        "quadrille_plugins.kernel.compiled.load_ways_in",
        lambda module: loaded.append(module.__name__),
    )
    steady, player = BOTS["steady"].compiled, BOTS["random"].compiled
    for asked, wanted, said in (
        ([steady], [steady], [ready.COLD]),
        ([steady], [steady], []),
        ([], cache.ways_in(), [ready.COLD]),
        ([], cache.ways_in(), []),
        ([player], [player], [ready.COLD]),
    ):
        assert ready.is_compiled(*asked) is not bool(said)
        loaded.clear()
        assert ready.ready(*asked) is not bool(said)
        assert (loaded, capsys.readouterr().err.splitlines()) == (list(wanted), said)
    assert steady in cache.ways_in()
    assert player not in cache.ways_in()


class Function:
    """What a forecast asks of a compiled function."""

    def __init__(self, size, *below):
        self.size, self.below = size, below
        self.is_loaded = self.is_intermediate = False

    def reached(self):
        return {self}.union(*(g.reached() for g in self.below))


@pytest.mark.parametrize("speed", [1.0, 0.5])
@pytest.mark.parametrize("linking", [0.2, 0.4, 0.8])
def test_a_forecast_of_compiling_is_true_within_a_factor_of_two(speed, linking, capsys):
    """On a slower machine too, and where linking costs half of what is thought, or twice."""
    small = [Function(size) for size in (400, 100, 900, 300) * 20]
    ways_in = [Function(500, *small[:10]), Function(900, *small), Function(900, *small[5:])]
    now = 0.0
    forecast = ready_words.CompilingForecast(ways_in, lambda: now)
    rate = 6000 * speed
    told_at = None
    for way in ways_in:
        for one in way.below:
            if not one.is_intermediate:
                forecast.look()
                told_at = now if told_at is None and forecast.forecast is not None else told_at
                now += one.size / rate
                one.is_intermediate = True
        now += (way.size + linking * sum(one.size for one in way.reached())) / rate
        way.is_loaded = True
    assert forecast.forecast is not None
    assert told_at is not None
    assert 0.5 < (now - told_at) / forecast.forecast < 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_compiling_of_a_few_seconds_is_not_forecast(capsys):
    now = 0.0
    first, second = Function(800), Function(100)
    forecast = ready_words.CompilingForecast([first, second], lambda: now)
    forecast.look()
    now, first.is_loaded = 4.0, True
    forecast.look()
    assert not capsys.readouterr().err


def test_another_interpreter_or_library_is_compiled_for_by_itself(monkeypatch):
    """What is compiled is kept by what it was compiled with, and by no place: installations of the
    same share it."""
    pytest.importorskip("numba")
    from quadrille_plugins.kernel import cache

    here = cache.digest()
    monkeypatch.setattr(cache.numpy, "__version__", "0")
    assert cache.digest() != here


def test_a_comparison_says_before_it_compiles(tmp_path, monkeypatch, capsys):
    cache = pytest.importorskip("quadrille_plugins.kernel.cache")
    monkeypatch.setattr(cache, "choose", lambda: tmp_path)
    line = [
        "compare",
        "quanti-1822",
        "mediateur-1752",
        "--deals",
        "40",
        "--workers",
        "1",
        "--engine",
    ]
    assert run([*line, "readable"]) == 0
    assert ready_words.COLD not in capsys.readouterr().err
    for expected in (1, 0):
        assert run([*line, "fast"]) == 0
        assert capsys.readouterr().err.count(ready_words.COLD) == expected


def test_solving_says_before_it_compiles(tmp_path, monkeypatch, capsys):
    cache = pytest.importorskip("quadrille_plugins.kernel.cache")
    monkeypatch.setattr(cache, "choose", lambda: tmp_path)
    for expected in (1, 0):
        assert (
            run(["deal", "--solve", "quanti-1822", "--seed", "1", "--player", "A", "--bid", "solo"])
            == 0
        )
        assert capsys.readouterr().err.count(ready_words.COLD) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(
    "later", [0.0, *(pytest.param(s, marks=pytest.mark.slow) for s in (0.7, 2.0, 4.0))]
)
def test_compiling_can_be_interrupted_without_a_traceback(tmp_path, later):
    pytest.importorskip("numba")
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "quadrille_core", "--warmup"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().strip() == ready_words.COLD
        time.sleep(later)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "interrupted"


def test_the_option_is_listed(quadrille):
    assert "--warmup" in quadrille("--help")[1]
