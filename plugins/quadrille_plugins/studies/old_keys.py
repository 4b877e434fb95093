"""What results and parameters had in older manifests, which are still read: other names of keys, and sentences."""

from collections.abc import Mapping
from typing import Any, Final

from quadrille_plugins.studies.accounts import ANTES

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


MARK: Final[Mapping[str, str]] = {"compare": "until", "rank": "near"}
"""By study a key that tells its present manifests from those made before ``LATER`` came."""
FORMER: Final[Mapping[str, str]] = {"matters": "deals_for_a_verdict"}
"""By study a key that only manifests made before have."""
LATER: Final[Mapping[str, frozenset[str]]] = {
    "compare": frozenset(
        {
            "design.until", "design.decided", "design.family",
            "paired.matched_starts", "paired.verdicts", "paired.family",
        }
    ),
    "rank": frozenset({"design.family"}),
}  # fmt: skip
"""By study the keys that manifests have had since then."""
RESTATED: Final = frozenset(
    {"deals_needed", "configurations_needed", "at_least", "near", "deals_for_a_verdict", "findings.cost.verdicts"}
)
"""Keys of forecasts, once a number of deals, now a range."""
OF_THE_RULES: Final = frozenset({"answer", "low", "high", "deals_for_an_interval"})
"""Of a column in which nothing can differ by the rules: it was estimated once."""


def comparable(command: str, then: Any, now: Any) -> tuple[Any, Any]:
    """Results of an older manifest and of today, without what was added or said in another way since."""
    former, design = FORMER.get(command, ""), then.get("design", {})
    # with all cards open nothing was added, and nothing where bots were ranked
    played = command != "compare" or ("pool_reset_each_deal" in design and "paired" in then)
    marked = command in MARK and played and not _has_key(then, MARK[command])
    is_older = marked or (former and _has_key(then, former))
    return _as_before(then, now, LATER.get(command, frozenset())) if is_older else (then, now)


def _has_key(value: Any, key: str) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (isinstance(value, dict) and key in value) or any(_has_key(part, key) for part in parts)


def _as_before(then: Any, now: Any, later: frozenset[str], path: str = "") -> tuple[Any, Any]:
    if isinstance(then, dict) and isinstance(now, dict):
        left = RESTATED | (OF_THE_RULES if now.get("answer") == "identical" else frozenset())
        left |= {k for k in now if path + k in later} | {k for k in then if path + k in RESTATED}
        if path.startswith("paired.difference.") and path.split(".")[-2] in ANTES:
            left |= OF_THE_RULES
        then, now = ({k: v for k, v in one.items() if k not in left} for one in (then, now))
        for key in then.keys() & now.keys():
            then[key], now[key] = _as_before(then[key], now[key], later, f"{path}{key}.")
        for said in ("answer", "verdict"):
            if (then.get(said), now.get(said)) == ("undecided", "near"):
                now[said] = "undecided"
    elif isinstance(then, list) and isinstance(now, list):
        pairs = [_as_before(a, b, later, path) for a, b in zip(then, now, strict=False)]
        more = min(len(then), len(now))
        return [a for a, _ in pairs] + then[more:], [b for _, b in pairs] + now[more:]
    return then, now


def with_present_command(manifest: dict[str, Any]) -> dict[str, Any]:
    """A manifest of the former command ``tournament`` as one of ``compare``, which ranks bots now."""
    if manifest["command"] != "tournament":
        return manifest
    parameters = dict(manifest["parameters"])
    refs = {"refs": [parameters.pop("ref")]} if "ref" in parameters else {}
    return {**manifest, "command": "compare", "parameters": {**refs, **parameters}}


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
