"""What a file is, by what it says and by its keys, and what is wrong with one that is no
profile."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from quadrille_core.errors import Problem
from quadrille_core.features import ask
from quadrille_core.profile import validate
from quadrille_core.profile.located import Located, LocatedMap, Node
from quadrille_core.profile.schema import kinds, word_of

_OF_A_RESULT: Final = frozenset(("contract", "hombre", "players", "pool", "tricks"))
"""Keys of which a result has two at least, and a profile none: a result need not say what it is."""


def other_kind(root: Node | None) -> str | None:
    """The kind of a file that is no profile; None of a profile, and of what says nothing that is
    known."""
    if not isinstance(root, LocatedMap):
        return None
    said = root.get("kind")
    if said is None:
        return "result" if len(_OF_A_RESULT & root.entries.keys()) > 1 else None
    word = said.value if isinstance(said, Located) else None
    known = {word_of(name): name for name in kinds()}
    return known[word] if isinstance(word, str) and word in known and word != "profile" else None


def faults_of(root: Node, kind: str) -> list[Problem]:
    """The faults of a file's shape, and at other places those of what it says under the rules that
    it names."""
    shape = validate(root, kind)
    lines = {problem.line for problem in shape}
    further = (p for faults in _beyond_shape(kind) for p in faults(root))
    found = [*shape, *(p for p in further if p.line not in lines)]
    return sorted(dict.fromkeys(found), key=lambda p: (p.line, p.col))


def _beyond_shape(kind: str) -> Iterable[Callable[[Any], Iterable[Problem]]]:
    return (
        one.faults
        for _, several in ask("quadrille_files")
        for one in several
        if one.name == kind and one.faults
    )
