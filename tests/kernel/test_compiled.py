"""Compiled functions: compiled when they are first called for, for their one signature, and alike
whoever calls."""

import ast
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("numba")

import quadrille_plugins
from quadrille_plugins.deal.players import BOTS
from quadrille_plugins.kernel.compiled import CompiledFunction, compiled, load_ways_in, way_in


def _squared(n):
    """The square."""
    return n * n


def _fresh(**options):
    return compiled("int64(int64)", **options)(_squared)


def test_nothing_is_compiled_before_it_is_called_for():
    square = _fresh()
    assert square._linked is square._intermediate is None
    assert square.__doc__ == "The square."
    assert square(7) == 49
    assert len(square.load().signatures) == 1


def test_what_another_calls_is_compiled_with_it_for_its_own_signature_alone():
    square = _fresh()

    @compiled("float64(int64)")
    def half(n):
        return square(n) / 2

    assert half(3) == 4.5
    assert square._linked is None
    assert square.intermediate().signatures == [half.load().signatures[0][:1]]
    with pytest.raises(TypeError, match="No matching definition"):
        square("seven")


def test_a_function_called_by_one_that_is_inlined_is_not_inlined_by_that():
    inner = _fresh()

    @compiled("int64(int64)", forceinline=True, error_model="numpy", _nrt=False)
    def outer(n):
        return inner(n) + 1

    assert outer(2) == 5
    (made,) = inner.intermediate().overloads.values()
    assert "alwaysinline" not in made.library.get_llvm_str()
    assert inner.intermediate().targetoptions["error_model"] == "python"


def test_what_compiled_functions_call_is_linked_but_never_emitted_by_itself():
    """Machine code is made for what Python calls: one unit, which holds what it reaches over any
    number of calls."""
    square = _fresh()

    @compiled("int64(int64)")
    def fourth(n):
        return square(square(n))

    @compiled("int64(int64)")
    def both(n):
        return fourth(n) + square(n)

    assert both(3) == 90
    for inner in (square, fourth):
        assert inner._linked is None
        (made,) = inner._intermediate.overloads.values()
        (symbol,) = [f.name for f in made.library.get_defined_functions()]
        assert not made.library.codegen._engine.is_symbol_defined(
            made.fndesc.llvm_cpython_wrapper_name
        )
        assert symbol == made.fndesc.llvm_func_name


def test_a_function_may_be_called_by_python_and_by_compiled_ones():
    square = _fresh()
    assert square(3) == 9

    @compiled("int64(int64)")
    def after(n):
        return square(n) + 1

    assert (after(3), square(4)) == (10, 16)


def test_an_error_raised_within_reaches_python():
    @compiled("int64(int64)")
    def refusing(n):
        if n < 0:
            raise ValueError("negative")
        return n

    @compiled("int64(int64)")
    def outer(n):
        return refusing(n)

    assert outer(1) == 1
    with pytest.raises(ValueError, match="negative"):
        outer(-1)


def test_a_function_may_call_itself():
    @compiled("int64(int64)")
    def factorial(n):
        return n * factorial(n - 1) if n > 1 else n * n

    @compiled("int64(int64)")
    def after(n):
        return factorial(n) + 1

    assert factorial(5) == 120
    assert after(5) == 121


def test_what_does_not_compile_says_so_each_time_and_never_compiles_for_other_types():
    @compiled("int64(int64)")
    def broken(n):
        return n.nothing

    for _ in range(2):
        with pytest.raises(Exception, match="nothing"):
            broken(1)
    assert broken._linked is broken._intermediate is None


PAIR = """
from numba.core import event
from quadrille_plugins.kernel.compiled import compiled

@compiled("int64()", cache=True)
def one():
    return 1

@compiled("int64()", cache=True)
def two():
    return 2

def asking(of, inner):
    @compiled("int64()", of, cache=True)
    def asked():
        return 10 * inner()
    return asked

class Counting(event.Listener):
    times = 0
    def on_start(self, event): Counting.times += 1
    def on_end(self, event): pass

event.register("numba:compile", Counting())
asked = {"a": asking("a", one), "b": asking("b", two)}
"""


def test_what_one_function_makes_for_two_players_is_kept_for_each_and_found_again(tmp_path):
    """In a process that loads the code of one and compiles that of the other, neither is taken for
    the other."""
    (tmp_path / "pair.py").write_text(PAIR)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    told = []
    for names in ("a", "ab", "ba"):
        program = (
            f"import pair; print([pair.asked[n]() for n in {names!r}], pair.Counting.times > 0)"
        )
        line = [sys.executable, "-c", program]
        told.append(
            subprocess.run(
                line, env=environment, capture_output=True, text=True, check=True
            ).stdout.strip()
        )
    assert told == ["[10] True", "[10, 20] True", "[20, 10] False"]


def test_threads_that_call_at_once_get_one_compiled_function():
    square = _fresh()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: (square(n), id(square.load())), range(8)))
    assert [n for n, _ in found] == [n * n for n in range(8)]
    assert len({dispatcher for _, dispatcher in found}) == 1


def test_only_the_ways_in_of_a_module_are_made_ready():
    class Module:
        within = _fresh()
        way = way_in("int64(int64)")(_squared)

    load_ways_in(Module)
    assert Module.within._linked is None
    assert Module.way._linked is not None


@pytest.mark.slow
def test_every_compiled_function_that_the_product_calls_is_a_way_in():
    folder = Path(quadrille_plugins.__file__).parent
    called = {
        import_module(p.compiled).play_sessions for p in BOTS.values() if p.compiled is not None
    }
    for path in folder.glob("*/*.py"):
        text = path.read_text()
        compiled_itself = (
            "\nfrom numba import" in text or "from quadrille_plugins.kernel.compiled import" in text
        )
        if compiled_itself and path != folder / "solver" / "solve.py":
            continue
        tree = ast.parse(text)
        here = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "quadrille_plugins."
            ):
                for name in node.names:
                    if find_spec(
                        node.module
                    ).submodule_search_locations:  # a package: a module of it, or a name
                        import_module(f"{node.module}.{name.name}") if name.name.islower() else None
                    here[name.asname or name.name] = getattr(import_module(node.module), name.name)
        reached = [
            getattr(here[node.value.id], node.attr, None)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in here
        ]
        called.update(f for f in (*here.values(), *reached) if isinstance(f, CompiledFunction))
    assert {f.__name__ for f in called} >= {"search", "fill_values", "decide", "play_sessions"}
    assert [f.__name__ for f in called if not f.is_way_in] == []


def test_linear_algebra_is_loaded_by_who_needs_it_alone():
    told = subprocess.run(
        [sys.executable, "-c", _PRODUCT], capture_output=True, text=True, check=True
    ).stdout
    assert told.split() == ["49", "False", "11.0", "True"]


_PRODUCT = """
import sys
import numba, numpy
from quadrille_plugins.kernel.compiled import compiled
print(compiled("int64(int64)")(lambda n: n * n)(7), "scipy.linalg" in sys.modules)
of_another = numba.njit(lambda a, b: a.dot(b))  # as in a plugin
print(of_another(numpy.array([1.0, 2.0]), numpy.array([3.0, 4.0])), "scipy.linalg" in sys.modules)
"""
