"""Which program plays: the SHA-256 of this program's files, and of those of the plugins that shaped
the rules."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from quadrille_core.features import installed
from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.program import files_digest, program_digest

PROGRAM = "quadrille"


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
        return files_digest([(place.name, place)])
    return files_digest(
        (p.relative_to(place.parent).as_posix(), p) for p in sorted(place.parent.rglob("*.py"))
    )


def plugins_of(compiled: Sequence[Compiled]) -> list[str]:
    """The plugins that shaped these rule sets."""
    return sorted({plugin.name for c in compiled for plugin in c.identity.plugins})


def digests_of(plugins: Iterable[str]) -> dict[str, str]:
    """The digests of the program's own files and of these plugins'."""
    return {
        PROGRAM: program_digest(),
        **{f"plugin {name}": plugin_digest(name) for name in plugins},
    }


def code_digests(compiled: Sequence[Compiled]) -> dict[str, str]:
    """The same for the plugins that shaped these rule sets, and of what they ship of their bids."""
    owns = [getattr(c.game.rules, "own", None) for c in compiled]
    files = {f"measured {f.plugin} {f.bid}": f.content for own in owns if own for f in own.measured}
    measured = {name: sha256(content).hexdigest() for name, content in files.items()}
    return {**digests_of(plugins_of(compiled)), **measured}
