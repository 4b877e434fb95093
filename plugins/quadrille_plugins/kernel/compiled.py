"""Functions compiled for one signature each, when they are first called for.

Numba compiles, or loads from where compiled code is kept, whatever has a signature as soon as it is read.  Compiled
code of a function holds that of all it calls; so a command needs the few functions that Python calls and none of the
two hundred within them, whose loading took as long as playing 200,000 deals.
"""

import sys
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Final

from numba import njit, types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import typeof_impl

from quadrille_plugins.kernel.cache import choose
from quadrille_plugins.kernel.kept import Kept
from quadrille_plugins.kernel.state import signature_of

_BLAS: Final = "scipy.linalg.cython_blas"


def _without_blas() -> None:
    """Let Numba begin without SciPy's linear algebra, whose loading takes a fifth of a second.

    Numba looks for it as soon as anything is compiled, though it uses it for products of matrices alone, and looks for
    it once more when it compiles one.
    """
    if _BLAS in sys.modules:
        return
    sys.modules[_BLAS] = None  # type: ignore[assignment]  # as Python notes a module that is not to be had
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[_BLAS]


_without_blas()

_OF_ITS_OWN: Final[dict[str, Any]] = {"_nrt": True, "fastmath": False, "error_model": "python", "forceinline": False}
"""What Numba would otherwise take over from the function in whose course it compiles this one."""


class CompiledFunction:
    """A function that is compiled when Python calls it, or when one that calls it is compiled."""

    def __init__(
        self, function: Callable[..., Any], signature: Any, of: str, options: dict[str, Any], *, is_way_in: bool
    ) -> None:
        if of:  # the same function for several players is as many, for Numba and in what is kept
            function.__qualname__ = f"{of}.{function.__name__}"
        update_wrapper(self, function)
        self._function, self._signature, self._options = function, signature, options
        self._dispatcher: Any = None
        self._is_ready = False
        self.is_way_in = is_way_in
        """Whether the product calls it from Python."""

    def load(self) -> Any:
        """Numba's function, compiled for the one signature or loaded; it can be compiled for no other."""
        if not self._is_ready:
            with global_compiler_lock:  # Numba's own: a second lock could be waited for in the other order
                if self._dispatcher is None:
                    self._compile()
        return self._dispatcher

    def _compile(self) -> None:
        # known before it compiles, for a function that calls itself
        options = {k: v for k, v in self._options.items() if k != "cache"}
        self._dispatcher = njit(**_OF_ITS_OWN | options)(self._function)
        if self._options.get("cache"):
            self._dispatcher._cache = Kept(self._function, choose())
        try:
            self._dispatcher.compile(signature_of(self._signature))
            self._dispatcher.disable_compile()
            self._is_ready = True
        except BaseException:
            self._dispatcher = None
            raise

    def __call__(self, *arguments: Any) -> Any:  # noqa: D102
        return self.load()(*arguments)


@typeof_impl.register(CompiledFunction)
def _of_numba(function: CompiledFunction, _context: Any) -> types.Dispatcher:
    """What Numba takes it for in a function that it compiles."""
    return types.Dispatcher(function.load())


Decorator = Callable[[Callable[..., Any]], CompiledFunction]


def compiled(signature: Any, of: str = "", **options: Any) -> Decorator:
    """Declare a function that compiled ones call; tests may call it too.

    ``of`` tells apart the functions that come of one and the same by what they close over: whose it is.
    """
    return lambda function: CompiledFunction(function, signature, of, options, is_way_in=False)


def way_in(signature: Any, of: str = "", **options: Any) -> Decorator:
    """Declare a function that the product calls from Python: made ready before work begins (``load_ways_in``)."""
    return lambda function: CompiledFunction(function, signature, of, options, is_way_in=True)


def load_ways_in(module: Any) -> None:
    """Compile or load what the product calls of a module of the kernel."""
    for found in vars(module).values():
        if isinstance(found, CompiledFunction) and found.is_way_in:
            found.load()
