"""Bits of 64-bit words, and words of memory, as single machine instructions.

Everything works on ``uint64`` and none of it can fail.  ``popcount``, ``ctz``, ``clz``, ``mulhi``,
``pdep`` and ``pext`` are intrinsics, for code compiled by Numba only; Python cannot call them.
``ctz``, ``lowest``, ``clz`` and ``highest`` are undefined at zero.
"""

from typing import Final

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic

from quadrille_plugins.kernel.compiled import compiled

U: Final = np.uint64
ZERO: Final = U(0)
ONE: Final = U(1)
ALL_BITS: Final = U(0xFFFFFFFFFFFFFFFF)

_WORD: Final = ir.IntType(64)


def has_bmi2() -> bool:
    """Whether the processor that Numba compiles for deposits and extracts bits in one
    instruction."""
    features = getattr(config, "CPU_FEATURES", None)
    if features or getattr(config, "CPU_NAME", None):
        return "+bmi2" in (features or "")
    return bool(binding.get_host_cpu_features().get("bmi2", False))


BMI2: Final = has_bmi2()


@intrinsic
def copy(typing, target, source):
    """Write one record over another of the same layout."""

    def gen(context, builder, signature, args):
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.raw_memcpy(builder, *args, size, 1)
        return context.get_dummy_value()

    return types.void(target, source), gen


@intrinsic
def popcount(typing, x):
    """How many bits are set."""

    def gen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), gen


@intrinsic
def count(typing, x):
    """How many bits are set, as a signed integer."""

    def gen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.uint64), gen


@intrinsic
def ctz(typing, x):
    """The place of the lowest bit set."""

    def gen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), gen


@intrinsic
def lowest(typing, x):
    """The place of the lowest bit set, as a signed integer."""

    def gen(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), gen


@intrinsic
def clz(typing, x):
    """How many zeros stand above the highest bit set."""

    def gen(context, builder, signature, args):
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), gen


@intrinsic
def highest(typing, x):
    """The place of the highest bit set, as a signed integer."""

    def gen(context, builder, signature, args):
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.xor(zeros, ir.Constant(_WORD, 63))

    return types.int64(types.uint64), gen


@intrinsic
def mulhi(typing, x, n):
    """The high half of the product: a draw from 0 … n-1 when ``x`` is a random word."""

    def gen(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), _WORD)

    return types.uint64(types.uint64, types.uint64), gen


@intrinsic
def load(typing, base, place):
    """Word ``place`` of the memory at address ``base``."""

    def gen(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], _WORD.as_pointer())
        return builder.load(builder.gep(pointer, [args[1]]))

    return types.uint64(types.int64, types.int64), gen


@intrinsic
def store(typing, base, place, value):
    """Write word ``place`` of the memory at address ``base``."""

    def gen(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], _WORD.as_pointer())
        builder.store(args[2], builder.gep(pointer, [args[1]]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.uint64), gen


@intrinsic
def prefetch(typing, base, place):
    """Have word ``place`` of the memory at address ``base`` brought near, as it will soon be
    read."""

    def gen(context, builder, signature, args):
        small, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        word = builder.gep(builder.inttoptr(args[0], _WORD.as_pointer()), [args[1]])
        kind = ir.FunctionType(ir.VoidType(), [byte, small, small, small])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [builder.bitcast(word, byte), small(0), small(3), small(1)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), gen


def _bmi2(name: str):
    @intrinsic
    def operation(typing, x, mask):
        def gen(context, builder, signature, args):
            kind = ir.FunctionType(_WORD, [_WORD, _WORD])
            return builder.call(
                builder.module.declare_intrinsic(f"llvm.x86.bmi.{name}.64", (), kind), args
            )

        return types.uint64(types.uint64, types.uint64), gen

    return operation


@compiled("uint64(uint64, uint64)", cache=True)
def pext_by_loop(x, mask):
    """The bits of ``x`` that the mask names, closed up: ``pext`` where the processor has none."""
    out, bit = ZERO, ONE
    while mask:
        low = mask & (~mask + ONE)
        if x & low:
            out |= bit
        bit <<= ONE
        mask ^= low
    return out


@compiled("uint64(uint64, uint64)", cache=True)
def pdep_by_loop(x, mask):
    """Deposit the low bits of ``x`` at the mask's bits: ``pdep`` for processors without it."""
    out = ZERO
    while mask:
        low = mask & (~mask + ONE)
        if x & ONE:
            out |= low
        x >>= ONE
        mask ^= low
    return out


if BMI2:
    pdep = _bmi2("pdep")
    pext = _bmi2("pext")
else:
    pdep, pext = pdep_by_loop, pext_by_loop


@compiled("uint64(uint64)", cache=True)
def low_bit(x):
    """The lowest bit set, as a mask; 0 of 0."""
    return x & (~x + ONE)


@compiled("uint64(uint64)", cache=True)
def high_bit(x):
    """The highest bit set, as a mask; ``x`` is not 0."""
    return U(0x8000000000000000) >> clz(x)


@compiled("uint64(uint64)", cache=True)
def mix(z):
    """SplitMix64's finaliser, as ``quadrille_core.stream`` has it."""
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))
