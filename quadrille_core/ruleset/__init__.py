"""Compiling profiles, readings and plugins into one immutable rule set, with its provenance."""

from quadrille_core.ruleset.compile import (
    ClosedPoint,
    Compiled,
    PointState,
    check_chain,
    compile_chain,
    compile_reference,
    game_of_chain,
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
    "check_chain",
    "compile_chain",
    "compile_reference",
    "digest",
    "game_of_chain",
    "load_chain",
    "parse_reference",
]
