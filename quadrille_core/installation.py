"""How the program was installed, and the command that installs it again with an extra.

The index that pip asks by default is never proposed: a distribution there that bears the name may
be anybody's.
"""

import json
import os
import shlex
import shutil
import sys
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from quadrille_core import DISTRIBUTION


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
