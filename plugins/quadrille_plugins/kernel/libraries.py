"""Two forms of a compiled function: intermediate code for compiled callers, machine code for
Python.

Numba optimises each function with all that it calls, makes machine code of it, and links the result
into its callers, where it is optimised again.  Here a function that compiled ones call stays as it
was lowered, in LLVM's intermediate form.  One that Python calls is linked with everything it
reaches, once, then optimised and emitted.
"""

from collections.abc import Sequence
from typing import Any, Final

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher

_ENVIRONMENT: Final = "_ZN08NumbaEnv"
"""How the variables begin that hold a function's environment."""


class _Unoptimised(JITCodeLibrary):
    def add_llvm_module(self, module: Any) -> None:
        """Add a module without the passes over single functions, which the linked unit runs
        anyway."""
        self._final_module.link_in(module)


class IntermediateLibrary(_Unoptimised):
    """The intermediate code of one function, and the libraries of those it calls."""

    def finalize(self) -> None:
        """Close the library; nothing is linked or emitted."""
        self._raise_if_finalized()
        self._finalized = True

    def own_module(self) -> Any:
        """The code of this function alone."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The code with all that it reaches: Numba's own libraries, such as a stranger's, link no
        further."""
        whole = self.own_module().clone()
        for library in _reached(self._linking_libraries):
            whole.link_in(_own_module(library), preserve=True)
        return whole


class LinkedLibrary(_Unoptimised):
    """The machine code of one function and everything it reaches."""

    def finalize(self) -> None:
        """Link each library once, then optimise and emit."""
        direct, self._linking_libraries = self._linking_libraries, []
        for library in _reached(direct):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(_own_module(library), preserve=True)
        super().finalize()
        self._linking_libraries = direct

    def _optimize_final_module(self) -> None:
        """Optimise with every function but this one known to be called here alone, so that more is
        inlined."""
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            environment = (
                lookup_environment(variable.name)
                if variable.name.startswith(_ENVIRONMENT)
                else None
            )
            if environment is not None:
                self.codegen.set_env(variable.name, environment)


def _own_module(library: Any) -> Any:
    return (
        library.own_module()
        if isinstance(library, IntermediateLibrary)
        else library._get_module_for_linking()
    )


def _reached(libraries: Sequence[Any]) -> list[Any]:
    """These libraries and those they link, each once."""
    found: dict[Any, None] = {}
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            waiting += library._linking_libraries
    return list(found)


class _Types(tuple[Any, ...]):
    """Types of arguments that print briefly: Numba prints them for every pass, with each field of a
    record."""

    def __repr__(self) -> str:
        return f"({len(self)} types)"

    __str__ = __repr__


class IntermediateCompiler(Compiler):
    """Compiles a function to intermediate code."""

    def __init__(self, typing: Any, target: Any, _library: Any, types: Any, *rest: Any) -> None:
        library = IntermediateLibrary(target.codegen(), "intermediate")
        super().__init__(typing, target, library, _Types(types), *rest)
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True


class LinkedCompiler(Compiler):
    """Compiles a function to machine code that Python calls."""

    def __init__(self, typing: Any, target: Any, _library: Any, types: Any, *rest: Any) -> None:
        library = LinkedLibrary(target.codegen(), "linked")
        library.enable_object_caching()
        super().__init__(typing, target, library, _Types(types), *rest)
        self.state.flags.no_cfunc_wrapper = True


class IntermediateDispatcher(CPUDispatcher):
    """A function as compiled ones call it."""

    def add_overload(self, result: Any) -> None:
        """Let callers find the code by a key of its own; there is no function that Python could
        call."""
        result = result._replace(entry_point=object())
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result
