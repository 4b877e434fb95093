"""Where the shipped profiles and schemas lie: inside an installed wheel, or in a checkout beside
the core.

The only module that knows the folders.  A wheel carries them in ``quadrille_core/_shipped``; an
editable install has no such folder and uses ``variants/`` and ``schemas/`` of its checkout.
Whoever reads a file, there or elsewhere, notes it here.
"""

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from os import PathLike
from pathlib import Path

from quadrille_core.errors import UnreadableError

_HERE = Path(__file__).resolve().parent


@cache
def _folder(name: str) -> Path:
    for candidate in (_HERE / "_shipped" / name, _HERE.parent / name):
        if candidate.is_dir():
            return candidate
    raise UnreadableError.of(
        "shipped-not-found", name=name, here=_HERE / "_shipped", parent=_HERE.parent
    )


def variants() -> Path:
    """The folder of shipped profiles (``ID.yaml``); raises UnreadableError when it is missing."""
    return _folder("variants")


def schemas() -> Path:
    """The folder of JSON Schemas; raises UnreadableError when it is missing."""
    return _folder("schemas")


def shipped_profiles() -> dict[str, Path]:
    """Every shipped profile by its identifier, in alphabetical order."""
    others = (bibliography(), glossary())
    return {p.stem: p for p in sorted(variants().glob("*.yaml")) if p not in others}


def examples() -> tuple[str, str]:
    """Two shipped profiles for help texts to show, of those that ``examples.txt`` beside them
    names, else the first.

    Raises UnreadableError when there are not two.
    """
    shipped, listed = shipped_profiles(), variants() / "examples.txt"
    lines = listed.read_text("utf-8").splitlines() if listed.is_file() else []
    found = list(dict.fromkeys([*(line for line in lines if line in shipped), *shipped]))
    if len(found) < 2:
        raise UnreadableError.of("no-two-profiles", variants=variants())
    return found[0], found[1]


def laws() -> dict[str, Path]:
    """Every shipped code of laws, by the identifier of its source."""
    return {p.stem: p for p in sorted((variants() / "laws").glob("*.yaml"))}


def evidence() -> dict[str, Path]:
    """Every shipped file of evidence by its name."""
    return {p.stem: p for p in sorted((variants() / "evidence").glob("*.yaml"))}


def stamp(path: Path) -> tuple[int, int]:
    """A file's modification time in nanoseconds and its size: the key under which what is read from
    it is cached."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def bibliography() -> Path:
    """The bibliography that all shipped profiles share."""
    return variants() / "bibliography.yaml"


def glossary() -> Path:
    """The words of the game and of the studies, with other names of bids."""
    return variants() / "glossary.yaml"


reader: ContextVar[Callable[[str | PathLike[str]], object] | None] = ContextVar(
    "reader", default=None
)
"""What is told of every file that is read, such as that an option is to write it."""


def note_read(path: str | PathLike[str]) -> None:
    """Note that a file is read; raises UsageError where that must not be."""
    noting = reader.get()
    if noting is not None:
        noting(path)
