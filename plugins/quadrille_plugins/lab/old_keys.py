"""Keys of results and parameters that have been renamed: manifests with the old ones are still read."""

from collections.abc import Mapping
from typing import Any, Final

RESULTS: Final[Mapping[str, Mapping[str, str]]] = {
    "compare": {"paired.examples.parts_in": "diverges_in"},
    "discriminate": {"combinations": "configurations", "pieces.combinations": "configurations"},
    "matters": {
        "design.rivals": "alternatives",
        "findings.cost.rarer": "tenth_of_precision",
        "findings.example.parts_in": "diverges_in",
        "findings.standings_lost": "states_lost",
        "findings.where.drawn": "sampled",
    },
    "rank": {
        "design.all_combinations": "all_configurations",
        "design.backgrounds": "sampled_configurations",
        "design.combinations": "configurations",
        "points.backgrounds": "sampled_configurations",
        "refused.backgrounds": "sampled_configurations",
    },
}
"""By study the present name of each old key; a key is named by those that lead to it, lists left out."""
PARAMETERS: Final[Mapping[str, Mapping[str, str]]] = {"rank": {"backgrounds": "configurations"}}
"""By study the present name of each old parameter."""


def with_present_keys(value: Any, names: Mapping[str, str], path: str = "") -> Any:
    """A plain value with the present name of each old key; the order of keys stays."""
    if isinstance(value, dict):
        return {names.get(path + k, k): with_present_keys(v, names, f"{path}{k}.") for k, v in value.items()}
    return [with_present_keys(v, names, path) for v in value] if isinstance(value, list) else value
