"""Numbered notes: which source says so, what was filled in where it is silent, what is a rule of
the house."""

import re
from collections.abc import Iterable
from typing import Final

from quadrille_core.profile.records import FILLED
from quadrille_core.ruleset import Compiled, Origin

NOTES_KEY: Final = (
    "A note names who states the rule, and where. “Inferred”: it follows from what is said "
    "there. “Conjecture”: no text says so. “Filled”: the text named does not have the rule, and "
    "the reason for the choice is given."
)
"""What stands above the notes."""
_ABSENT: Final = {
    "silent": "is silent",
    "unseen": "was not read",
    "inapplicable": "has no such rule",
}


def note(compiled: Compiled, paths: Iterable[str]) -> str:
    """What the origins of these rules come to, in a line: each head with its places or reasons."""
    found: dict[str, dict[str, str]] = {}
    wanted = frozenset(paths)
    for path, origin in compiled.origins.items():
        if path not in wanted or origin.link.setter == "vocabulary":
            continue
        if not origin.link.citations:
            found.setdefault(_house(origin), {})
        for cite in origin.link.citations:
            why = (cite.filled or cite.note or origin.link.reason).strip().rstrip(".")
            if cite.status in FILLED:
                where = f" where {cite.source} {_ABSENT[cite.status]}" if cite.source else ""
                head, said = f"filled{where}: ", why
            elif cite.status == "house":
                head, said = _house(origin), ""
            elif cite.status == "conjecture":
                where = f" from {cite.source}: {cite.at}" if cite.source else ""
                head, said = f"conjecture{where}: ", why
            else:
                inferred = "" if cite.status == "attested" else "inferred from "
                head, said = f"{inferred}{cite.source}: ", cite.at
            places = found.setdefault(head, {})
            for one in filter(None, said.split("; ")):
                places.setdefault(one.casefold(), one)
    parts = [
        f"{head.removesuffix(': ')}{': ' * bool(said)}{', '.join(said.values())}"
        for head, said in found.items()
    ]
    return re.sub(r"\bL(\d+)\b", r"law \1", "; ".join(parts))


def _house(origin: Origin) -> str:
    link = origin.link
    if link.setter == "setting":
        return "set by hand"
    plugin = "by the plugin" if link.setter == "plugin" else "of"
    return f"house rule {plugin} {link.name}"
