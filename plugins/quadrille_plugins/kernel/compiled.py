"""Functions compiled for one signature each, when they are first called for.

Numba compiles, or loads from where compiled code is kept, whatever has a signature as soon as it is
read.  Here a command loads the few functions that Python calls.  Each holds the code of all it
reaches, some two hundred functions, which are compiled to intermediate code and no further
(``kernel.libraries``).
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any, Final

from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.extending import typeof_impl

from quadrille_plugins.kernel.cache import choose
from quadrille_plugins.kernel.kept import Kept
from quadrille_plugins.kernel.libraries import (
    IntermediateCompiler,
    IntermediateDispatcher,
    LinkedCompiler,
)
from quadrille_plugins.kernel.state import signature_of

_BLAS: Final = "scipy.linalg.cython_blas"


def _without_blas() -> None:
    """Let Numba begin without SciPy's linear algebra, whose loading takes a fifth of a second.

    Numba looks for it as soon as anything is compiled, though it uses it for products of matrices
    alone, and looks for it once more when it compiles one.
    """
    if _BLAS in sys.modules:
        return
    sys.modules[_BLAS] = None  # type: ignore[assignment]  # as Python notes a module that is not to be had
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[_BLAS]


_without_blas()

_OF_ITS_OWN: Final[dict[str, Any]] = {
    "nopython": True,
    "boundscheck": None,
    "_nrt": True,
    "fastmath": False,
    "error_model": "python",
    "forceinline": False,
}
"""What Numba would otherwise take over from the function in whose course it compiles this one."""


class CompiledFunction:
    """A function that is compiled when Python calls it, or when one that calls it is compiled."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Any,
        of: str,
        options: dict[str, Any],
        *,
        is_way_in: bool,
    ) -> None:
        if of:  # the same function for several players is as many, for Numba and in what is kept
            function.__qualname__ = f"{of}.{function.__name__}"
        update_wrapper(self, function)
        self._function, self._signature, self._options = function, signature, options
        self._linked: Any = None
        self._intermediate: Any = None
        self.is_way_in = is_way_in
        """Whether the product calls it from Python."""
        self.player: Any = None
        """Whom a way in to sessions plays (``slot.CompiledPlayer``)."""

    def load(self) -> Any:
        """Numba's function for Python to call, compiled for the one signature or loaded; for no
        other."""
        if self._linked is None:
            with (
                global_compiler_lock
            ):  # Numba's own: a second lock could be waited for in the other order
                if self._linked is None:
                    self._linked = self._compile_linked()
        return self._linked

    def intermediate(self) -> Any:
        """Numba's function for compiled ones to call; its code goes into theirs."""
        with global_compiler_lock:
            if self._intermediate is None:
                self._compile_intermediate()
        return self._intermediate

    @property
    def is_loaded(self) -> bool:
        """Whether Python can call it without waiting."""
        return self._linked is not None

    @property
    def is_intermediate(self) -> bool:
        """Whether compiled functions can call it without waiting."""
        return self._intermediate is not None

    @property
    def size(self) -> int:
        """Bytes of Python's bytecode, by which the work of compiling it is judged."""
        return len(self._function.__code__.co_code)

    def reached(self) -> set["CompiledFunction"]:
        """The function and all compiled ones below it."""
        found: set[CompiledFunction] = set()
        waiting = [self]
        while waiting:
            function = waiting.pop()
            if function not in found:
                found.add(function)
                waiting += function._called()
        return found

    def _called(self) -> list["CompiledFunction"]:
        """The compiled functions that it names, global or from the function around it."""
        code, known = self._function.__code__, self._function.__globals__
        named = [known.get(name) for name in code.co_names]
        named += [cell.cell_contents for cell in self._function.__closure__ or ()]
        return [found for found in named if isinstance(found, CompiledFunction)]

    def _compile_linked(self) -> Any:
        _announce()
        made = self._numba_function(CPUDispatcher, LinkedCompiler)
        if self._options.get("cache"):
            made._cache = Kept(self._function, choose())
        before, self._intermediate = self._intermediate, made  # where the function calls itself
        try:
            _compile(made, self._signature)
        finally:
            self._intermediate = before
        return made

    def _compile_intermediate(self) -> None:
        _announce()
        # known before it compiles, for a function that calls itself
        self._intermediate = self._numba_function(IntermediateDispatcher, IntermediateCompiler)
        try:
            _compile(self._intermediate, self._signature)
        except BaseException:
            self._intermediate = None
            raise

    def _numba_function(self, kind: Any, compiler: Any) -> Any:
        options = {k: v for k, v in self._options.items() if k != "cache"}
        return kind(self._function, targetoptions=_OF_ITS_OWN | options, pipeline_class=compiler)

    def __call__(self, *arguments: Any) -> Any:  # noqa: D102
        return self.load()(*arguments)


_listeners: Final[list[Callable[[], object]]] = []


@contextmanager
def announced_to(listener: Callable[[], object]) -> Iterator[None]:
    """Call this before each function that is compiled or loaded in the course."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def _announce() -> None:
    for listener in _listeners:
        listener()


def _compile(dispatcher: Any, signature: Any) -> None:
    """Compile Numba's function for this signature alone."""
    dispatcher.compile(signature_of(signature))
    dispatcher.disable_compile()


@typeof_impl.register(CompiledFunction)
def _of_numba(function: CompiledFunction, _context: Any) -> types.Dispatcher:
    """What Numba takes it for in a function that it compiles."""
    return types.Dispatcher(function.intermediate())


Decorator = Callable[[Callable[..., Any]], CompiledFunction]


def compiled(signature: Any, of: str = "", **options: Any) -> Decorator:
    """Declare a function that compiled ones call; tests may call it too.

    ``of`` tells apart the functions that come of one and the same by what they close over: whose it
    is.
    """
    return lambda function: CompiledFunction(function, signature, of, options, is_way_in=False)


def way_in(signature: Any, of: str = "", **options: Any) -> Decorator:
    """Declare a function that the product calls from Python: made ready before work begins
    (``load_ways_in``)."""
    return lambda function: CompiledFunction(function, signature, of, options, is_way_in=True)


def ways_in_of(module: Any) -> list[CompiledFunction]:
    """What the product calls of a module of the kernel."""
    return [f for f in vars(module).values() if isinstance(f, CompiledFunction) and f.is_way_in]


def load_ways_in(module: Any) -> None:
    """Compile or load what the product calls of a module of the kernel."""
    for function in ways_in_of(module):
        function.load()
