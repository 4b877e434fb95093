"""Help for the lines at the top of a file of rules: what it is called, and what it starts from."""

import re
from typing import Final

from quadrille_core import resources
from quadrille_core.errors import Command, DidYouMean, Edit, Hint, Phrase, Problem, Replace
from quadrille_core.profile.located import LocatedMap, Node

_AT_THE_TOP: Final = {
    **dict.fromkeys(("from", "parent", "base", "like"), "extends"),
    "name": "title",
    "witness": "default_witness",
}
"""Keys that are typed at the top, and those that they stand for."""
_MISSING: Final = {"title": "title: Rules of our table", "id": "id: our-rules"}


def help_of_head(problem: Problem, root: Node | None) -> Hint | None:
    """What to type at the top; None where the error is of something else."""
    key = problem.data.get("key")
    match problem.variant, problem.data.get("path"):
        case "unknown-key", () if key in _AT_THE_TOP:
            return DidYouMean(key, (_AT_THE_TOP[key],))
        case "missing-key", () if key in _MISSING:
            return Edit("add", lines=(_MISSING[key],))
        case "profile", ("extends",):
            return _parent_named(problem.data["value"], root)
    return None


def _parent_named(text: str, root: Node | None) -> Hint:
    """How the shipped profile that is meant is written: by its id alone, and its witness below
    it."""
    typed, _, witness = text.partition("@")
    shipped = resources.shipped_profiles()
    name = "-".join(re.findall(r"[^\W_]+", typed.lower()))
    if name not in shipped:
        alike = [
            one
            for one in shipped
            if f"-{one}-" in f"-{name}-" or (one.startswith(f"{name}-") and name)
        ]
        if len(alike) != 1:
            return Phrase("shipped-are-listed", {"profiles": Command("list")})
        name = alike[0]
    has_witness = isinstance(root, LocatedMap) and "default_witness" in root.entries
    if witness and not has_witness:
        return Replace(name, "write-and-below", below=f"default_witness: {witness}")
    return Replace(name, "write-code")
