"""Profiles as users write them: strict YAML, located values, the schema, and the records of a
loaded profile.

Nothing imported here imports jsonschema; ``validate`` and its kin do so when they are called.
"""

from quadrille_core.errors import Problem
from quadrille_core.profile.document import load_bibliography, load_profile, parse_profile
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node, place_at
from quadrille_core.profile.records import Citation
from quadrille_core.profile.yaml_strict import RECORD_LIMITS, Limits, load_file, load_text


def check_profile(root: Node) -> list[Problem]:
    """Every fault of a profile that shows without its parents and plugins: its shape, paths and
    values."""
    from quadrille_core.profile import paths

    return paths.check_profile(root)


def validate(root: Node, kind: str | None = "profile") -> list[Problem]:
    """Every fault of a file's shape: a profile, bibliography, result or record; None takes it at
    its word."""
    from quadrille_core.profile import validation

    return validation.validate(root, kind)


__all__ = [
    "RECORD_LIMITS",
    "Citation",
    "Limits",
    "Located",
    "LocatedList",
    "LocatedMap",
    "Node",
    "check_profile",
    "load_bibliography",
    "load_file",
    "load_profile",
    "load_text",
    "parse_profile",
    "place_at",
    "validate",
]
