"""What results and parameters had in older manifests, which are still read: other names of keys, and sentences."""

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

SENTENCES: Final[Mapping[str, frozenset[str]]] = {
    "compare": frozenset({"paired.answer", "paired.share_payments_differ"}),
    "matters": frozenset({"findings.answer", "findings.example_of_payments"}),
}
"""By study the keys that a manifest leaves out: sentences that say what its numbers say, for wording is no result, and
keys that came later, so that older manifests are still repeated to the byte."""


def without_sentences(command: str, results: Any) -> Any:
    """The results of a study as a manifest keeps them: all but sentences made of the same numbers."""
    return _without(results, SENTENCES.get(command, frozenset()))


def _without(value: Any, paths: frozenset[str], path: str = "") -> Any:
    if isinstance(value, dict):
        return {k: _without(v, paths, f"{path}{k}.") for k, v in value.items() if path + k not in paths}
    return [_without(v, paths, path) for v in value] if isinstance(value, list) else value


def with_present_keys(value: Any, names: Mapping[str, str], path: str = "") -> Any:
    """A plain value with the present name of each old key; the order of keys stays."""
    if isinstance(value, dict):
        return {names.get(path + k, k): with_present_keys(v, names, f"{path}{k}.") for k, v in value.items()}
    return [with_present_keys(v, names, path) for v in value] if isinstance(value, list) else value
