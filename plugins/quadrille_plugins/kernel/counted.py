"""The functions of ``counting``, compiled for the kernel's arrays."""

from types import FunctionType

from quadrille_plugins.kernel import counting
from quadrille_plugins.kernel.compiled import CompiledFunction, compiled, way_in
from quadrille_plugins.kernel.shares import OPTIONS

count: CompiledFunction
count_lost: CompiledFunction
_AROUND = dict(vars(counting))
"""What a function finds by name: of the others those compiled."""
for _name, (_signature, _is_way_in) in counting.SIGNATURES.items():
    _written = FunctionType(getattr(counting, _name).__code__, _AROUND, _name)
    _AROUND[_name] = (way_in if _is_way_in else compiled)(_signature, **OPTIONS)(_written)
    globals()[_name] = _AROUND[_name]
