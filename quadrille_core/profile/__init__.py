"""Profiles as users write them: strict YAML, located values, the schema, and the records of a
loaded profile.

Nothing imported here imports jsonschema; ``validate`` and its kin do so when they are called.
"""

from quadrille_core.profile.document import (
    check_profile,
    load_bibliography,
    load_profile,
    parse_profile,
)
from quadrille_core.profile.document import faults_of as validate
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Node, place_at
from quadrille_core.profile.records import Citation
from quadrille_core.profile.yaml_strict import RECORD_LIMITS, Limits, load_file, load_text

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
