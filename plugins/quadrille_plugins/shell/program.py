"""Which program this is: its name, its version and the digest of its files."""

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from quadrille_core import PROJECT, __version__

PACKAGES = "quadrille_core", "quadrille_plugins"
"""The core, and the features that come with it."""


def program() -> dict[str, str]:
    """What made a manifest or a record: the name, the version, and the first twelve digits of
    ``program_digest``."""
    return {"name": PROJECT, "version": __version__, "digest": program_digest()[:12]}


def program_text(made_by: Mapping[str, str] | None = None) -> str:
    """A program as ``quadrille 0.2.0 (0123456789ab)``; this one where none is given."""
    found = program() if made_by is None else made_by
    digest = f" ({found['digest']})" if "digest" in found else ""
    return f"{found['name']} {found['version']}{digest}"


@cache
def program_digest() -> str:
    """The SHA-256 of all files of the core and of the features that come with it, by their names:
    code, messages, tables and pages.

    Profiles are left out: what is played of them is in the digest of a rule set.
    """
    specs = [spec for name in PACKAGES if (spec := find_spec(name)) is not None]
    folders = [Path(place) for spec in specs for place in spec.submodule_search_locations or ()]
    return files_digest(
        (p.relative_to(f.parent).as_posix(), p)
        for f in folders
        for p in sorted(f.rglob("*"))
        if p.is_file() and not _elsewhere(p.relative_to(f))
    )


def _elsewhere(path: Path) -> bool:
    """Whether a file is a cache, hidden, or in the folder of profiles that a wheel alone has."""
    return any(part in ("__pycache__", "_shipped") or part.startswith(".") for part in path.parts)


def files_digest(files: Iterable[tuple[str, Path]]) -> str:
    """The SHA-256 of files by their names."""
    found = sha256()
    for name, place in files:
        found.update(f"{name}\0{sha256(place.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()
