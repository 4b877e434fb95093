"""Rules that cannot act, and those of a parent to which a child leaves no occasion."""

from collections.abc import Collection, Mapping
from typing import Any

from quadrille_core.features import ask
from quadrille_core.ruleset import Compiled


def idle_rules(compiled: Any) -> dict[str, str]:
    """The rules of a rule set that cannot act, by path, and why."""
    return {
        path: why
        for _, told in ask("quadrille_notes", compiled=compiled)
        for path, why in told.items()
    }


def stopped_rules(
    parent: Compiled, child: Compiled, own: Collection[str]
) -> Mapping[str, list[str]]:
    """The rules of the parent that act there and not in the child, by the reason; those the child
    sets are left out.

    Those of a bid that is not played are left out too: that is what the child says.
    """
    before = idle_rules(parent)
    gone = {
        p.split(".")[1]
        for p, origin in child.origins.items()
        if p.endswith(".made") and origin.value == "never"
    }
    found: dict[str, list[str]] = {}
    for path, why in idle_rules(child).items():
        is_new = path not in own and path not in before and path in parent.origins
        if is_new and gone.isdisjoint(path.split(".")):
            found.setdefault(why, []).append(path)
    return found
