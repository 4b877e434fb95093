"""Which program plays: the SHA-256 of this program's files, and of those of the plugins that shaped the rules."""

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import quadrille_core
import quadrille_plugins
from quadrille_core.features import installed
from quadrille_core.ruleset import Compiled

PROGRAM = "quadrille"


@cache
def program_digest() -> str:
    """The SHA-256 of all files of this program's code, the core's and the slices', by their names."""
    folders = [Path(package.__path__[0]) for package in (quadrille_core, quadrille_plugins)]
    return _digest_of((p.relative_to(f.parent).as_posix(), p) for f in folders for p in sorted(f.rglob("*.py")))


def plugin_digest(name: str) -> str:
    """The SHA-256 of the files of a plugin's module or package; empty where it is not installed."""
    providers = installed().get(name, ())
    if len(providers) != 1:
        return ""
    spec = find_spec(providers[0].entry.module)
    if spec is None or spec.origin is None:
        return ""
    place = Path(spec.origin)
    if spec.submodule_search_locations is None:
        return _digest_of([(place.name, place)])
    return _digest_of((p.relative_to(place.parent).as_posix(), p) for p in sorted(place.parent.rglob("*.py")))


def _digest_of(files: Iterable[tuple[str, Path]]) -> str:
    found = sha256()
    for name, place in files:
        found.update(f"{name}\0{sha256(place.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


def plugins_of(compiled: Sequence[Compiled]) -> list[str]:
    """The plugins that shaped these rule sets."""
    return sorted({plugin.name for c in compiled for plugin in c.identity.plugins})


def digests_of(plugins: Iterable[str]) -> dict[str, str]:
    """The digests of the program's own files and of these plugins'."""
    return {PROGRAM: program_digest(), **{f"plugin {name}": plugin_digest(name) for name in plugins}}


def code_digests(compiled: Sequence[Compiled]) -> dict[str, str]:
    """The same for the plugins that shaped these rule sets."""
    return digests_of(plugins_of(compiled))
