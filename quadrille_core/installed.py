"""What is installed: entry points, found without importing anything."""

import os
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from typing import Final

PROJECT: Final = "quadrille"
"""The pluggy project and the entry-point group of plugins."""


@dataclass(frozen=True, slots=True)
class Installed:
    """An entry point: its name, the distribution it comes from, its version."""

    name: str
    package: str
    version: str
    entry: metadata.EntryPoint


def installed(group: str = PROJECT) -> dict[str, tuple[Installed, ...]]:
    """Every entry of a group that is installed, by name: of plugins, unless another group is asked for.

    A name that several distributions provide has several entries.  Nothing is imported.
    """
    # a compilation asks anew, and papers of all that is installed are many files
    return dict(_installed(group, tuple((path, _changed(path)) for path in sys.path)))


def _changed(folder: str) -> int:
    """When something was last put into a folder of modules, or taken out of it."""
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=2)
def _installed(group: str, folders: tuple[tuple[str, int], ...]) -> dict[str, tuple[Installed, ...]]:
    """What is installed in these folders, as they were last changed."""
    del folders  # metadata asks sys.path itself
    found: dict[str, list[Installed]] = {}
    said: dict[int, tuple[str, str]] = {}  # of each distribution, which reads its papers anew whenever it is asked
    entries = list(metadata.entry_points(group=group))
    for entry in entries:
        dist = entry.dist
        if id(dist) not in said:
            said[id(dist)] = (dist.name, dist.version) if dist is not None else ("unknown", "unknown")
        name, version = said[id(dist)]
        one = Installed(entry.name, name, version, entry)
        others = found.setdefault(entry.name, [])
        # one distribution may stand on the path twice, as an editable install beside its checkout does
        if all((o.package, o.entry.value) != (name, entry.value) for o in others):
            others.append(one)
    return {name: tuple(sorted(found[name], key=lambda o: o.package)) for name in sorted(found)}


def brief(e: BaseException) -> str:
    """The first line of what went wrong, with its type, at most 200 characters."""
    text = str(e).strip().splitlines()
    return f"{type(e).__name__}: {text[0] if text else 'no message'}"[:200]
