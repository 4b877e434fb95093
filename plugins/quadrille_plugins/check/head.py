"""Help for the lines at the top of a file of rules: what it is called, and what it starts from."""

import re
from typing import Final

from quadrille_core import resources
from quadrille_core.errors import Problem
from quadrille_core.profile.located import LocatedMap, Node

_NO_PROFILE: Final = re.compile(r"extends: '([^']+)' names no profile")
_AT_THE_TOP: Final = {
    **{f"'{key}' is no key": "extends" for key in ("from", "parent", "base", "like")},
    "'name' is no key": "title",
    "'witness' is no key": "default_witness",
}
"""Keys that are typed at the top, and those that they stand for."""
_MISSING: Final = {
    "the file has no title": "title: Rules of our table",
    "the file has no id": "id: our-rules",
}


def help_of_head(problem: Problem, root: Node | None) -> str:
    """What to type at the top; empty where the error is of something else."""
    if (key := _AT_THE_TOP.get(problem.message)) is not None:
        return f"did you mean {key}?"
    if (line := _MISSING.get(problem.message)) is not None:
        return f"add `{line}`"
    found = _NO_PROFILE.fullmatch(problem.message)
    return _parent_named(found[1], root) if problem.code == "Q207" and found is not None else ""


def _parent_named(text: str, root: Node | None) -> str:
    """How the shipped profile that is meant is written: by its id alone, and its witness below it."""
    typed, _, witness = text.partition("@")
    shipped = resources.shipped_profiles()
    name = "-".join(re.findall(r"[^\W_]+", typed.lower()))
    if name not in shipped:
        alike = [one for one in shipped if f"-{one}-" in f"-{name}-" or (one.startswith(f"{name}-") and name)]
        if len(alike) != 1:
            return "`quadrille list` lists those that are shipped; a file of your own is named by its path"
        name = alike[0]
    has_witness = isinstance(root, LocatedMap) and "default_witness" in root.entries
    return f"write `{name}`" + (f", and `default_witness: {witness}` below it" if witness and not has_witness else "")
