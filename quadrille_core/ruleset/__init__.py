"""Compiling profiles, readings and plugins into one immutable rule set, with its provenance."""

from quadrille_core.ruleset.compile import (
    ClosedPoint,
    Compiled,
    PointState,
    compile_chain,
    compile_reference,
)
from quadrille_core.ruleset.merge import digest
from quadrille_core.ruleset.provenance import Link, Origin
from quadrille_core.ruleset.reference import Reference, load_chain, parse_reference

__all__ = [
    "ClosedPoint",
    "Compiled",
    "Link",
    "Origin",
    "PointState",
    "Reference",
    "compile_chain",
    "compile_reference",
    "digest",
    "load_chain",
    "parse_reference",
]
