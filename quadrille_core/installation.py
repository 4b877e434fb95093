"""Which program this is, how it was installed, and the command that installs it again with an
extra.

The index that pip asks by default is never proposed: a distribution there that bears the name may
be anybody's.
"""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from quadrille_core import DISTRIBUTION, PROJECT, __version__


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
    """The SHA-256 of all Python files, and of measured tables, of the packages that the
    distribution's features lie in, by their names."""
    try:
        names = {
            e.module.partition(".")[0] for e in metadata.distribution(DISTRIBUTION).entry_points
        }
    except metadata.PackageNotFoundError:
        names = set()
    specs = [
        spec for name in sorted({*names, __package__}) if (spec := find_spec(name)) is not None
    ]
    folders = [Path(place) for spec in specs for place in spec.submodule_search_locations or ()]
    return files_digest(
        (p.relative_to(f.parent).as_posix(), p)
        for f in folders
        for p in sorted((*f.rglob("*.py"), *f.rglob("*_measured.json")))
    )


def files_digest(files: Iterable[tuple[str, Path]]) -> str:
    """The SHA-256 of files by their names."""
    found = sha256()
    for name, place in files:
        found.update(f"{name}\0{sha256(place.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


def install_hint(extra: str = "") -> str:
    """The command that installs this program again, with ``extra`` if one is named.

    It names the checkout, or the wheel or folder, that pip was given (PEP 610).  Where that is not
    recorded or no longer there, the hint is a sentence and no command.
    """
    found = _installed_from()
    if found is None:
        what = f"the extra {extra!r} of {DISTRIBUTION}" if extra else f"{DISTRIBUTION} again"
        return f"install {what} from the checkout or wheel that it was installed from"
    place, editable = found
    target = shlex.quote(f"{place}[{extra}]" if extra else place)
    return f"{tool('pip')} install {'-e ' * editable}{target}"


def tool(name: str) -> str:
    """What to type for ``pip`` or ``pytest``: the name where that is the running interpreter's,
    else ``PYTHON -m``."""
    found = shutil.which(name)
    if found is not None and os.path.dirname(found) == os.path.dirname(sys.executable):
        return name
    return f"{shlex.quote(sys.executable or 'python3')} -m {name}"


def _installed_from() -> tuple[str, bool] | None:
    """The path that pip was given, and whether the installation is editable; None where that is
    unknown or gone."""
    try:
        text = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
        said = json.loads(text or "{}")
        address = urlsplit(said["url"])
        editable = bool(said.get("dir_info", {}).get("editable"))
    except (metadata.PackageNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return None
    if address.scheme != "file" or address.netloc not in ("", "localhost"):
        return None
    place = unquote(address.path)
    return (place, editable) if place.isprintable() and Path(place).exists() else None
