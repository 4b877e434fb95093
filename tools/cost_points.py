"""Write which points of the shipped rule sets decide what a lost game costs:
``python tools/cost_points.py``."""

import json
import sys

from quadrille_plugins.lookup.cost_points import FILE, deciding_anew, key_of
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.lookup.glossary import glossary

from quadrille_core.ruleset import Compiled, compile_reference


def rule_sets() -> list[Compiled]:
    """The shipped rule sets, as they are and under each of their witnesses."""
    found = shipped()
    witnessed = [
        compile_reference(f"{name}@{witness}")
        for name, c in found.items()
        for witness in c.witnesses
    ]
    return [*found.values(), *witnessed]


def answers(which: list[Compiled]) -> dict[str, list[str]]:
    """The points that decide, by ``key_of``: found by settling."""
    cases = [term.costs.result for term in glossary().values() if term.costs is not None]
    return {key_of(c, case): list(deciding_anew(c, case)) for c in which for case in cases}


if __name__ == "__main__":
    lines = (
        f"  {json.dumps(key)}: {json.dumps(points)}"
        for key, points in sorted(answers(rule_sets()).items())
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    sys.stdout.write(f"{FILE.name}: written\n")
