"""How the pages are reached: the addresses of this machine, and a file that a double click
opens."""

import ipaddress
import os
import re
import shlex
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import UsageError
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.writing import claim, write_whole

AUTO: Final = "auto"
"""As an address to listen on: the first of those by which phones reach this machine."""
ANYWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of nobody: the way to them begins at this machine's own."""


def addresses() -> list[str]:
    """The addresses of this machine in its networks, the likeliest first; nothing is sent.

    Those of IPv6 are told where there are no others.
    """
    found = []
    for family, nobody in ANYWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((nobody, 9))
            found.append(str(asked.getsockname()[0]))
    with suppress(OSError):
        found += [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None)]
    reached = [one for one in dict.fromkeys(found) if _is_reached(one)]
    return [one for one in reached if ":" not in one] or reached


def _is_reached(address: str) -> bool:
    try:
        read = ipaddress.ip_address(address)
    except ValueError:
        return False  # such as one that names its interface
    return not (read.is_loopback or read.is_link_local or read.is_unspecified)


def for_phones(table: str) -> list[str]:
    """The commands by which phones reach a ledger, one for each address of this machine."""
    return [f"quadrille serve --table {shlex.quote(table)} --host {a}" for a in addresses()]


# --- a file that a double click opens ---------------------------------------------------------


def _desktop(folder: Path, words: Sequence[str], name: str) -> str:
    """For the desktops of Linux; the terminal shows the link, and closing it ends the pages."""
    # quoted as Exec is, then as every value of the file is
    line = " ".join('"' + re.sub(r'(["`$\\])', r"\\\1", word) + '"' for word in words)
    line = line.replace("\\", "\\\\").replace("%", "%%")
    path = str(folder).replace("\\", "\\\\")
    return (
        f"[Desktop Entry]\nType=Application\nName={name}\nComment=Quadrille in the browser\n"
        f"Exec={line}\nPath={path}\nTerminal=true\n"
    )


def _command(folder: Path, words: Sequence[str], name: str) -> str:
    """For macOS, whose Terminal opens it; any shell runs it."""
    del name
    return f"#!/bin/sh\ncd {shlex.quote(str(folder))} && exec {shlex.join(words)}\n"


def _batch(folder: Path, words: Sequence[str], name: str) -> str:
    """For Windows; the window stays when the pages could not begin."""
    line = " ".join(f'"{word}"' for word in words)
    text = f'@title {name}\n@chcp 65001 >nul\n@cd /d "{folder}"\n@{line} || pause\n'
    return text.replace("%", "%%")


STARTERS: Final[Mapping[str, tuple[str, Callable[[Path, Sequence[str], str], str]]]] = {
    "linux": (".desktop", _desktop),
    "darwin": (".command", _command),
    "win32": (".bat", _batch),
}
"""By ``sys.platform``: how the name of a starter ends, and what stands in it."""


def write_starter(
    starter: Path,
    port: int,
    table: Path | None,
    tables: Path | None,
    host: str | None,
    names: Sequence[str],
    plugins: Sequence[str],
) -> Answer:
    """Write the file that starts these pages and opens them; raises UsageError where it is there,
    or cannot be written."""
    ending, made = STARTERS.get(sys.platform, STARTERS["linux"])
    file = starter if starter.suffix == ending else Path(f"{starter}{ending}")
    if file.exists() or not starter.name:
        raise UsageError.of("other-name-wanted", file=file)
    folders = {"table": table and table.resolve(), "tables": tables and tables.resolve()}
    given: dict[str, Any] = {"port": port or None, **folders, "host": host}
    words = [os.path.abspath(sys.executable), "-m", "quadrille_core", "serve", "--open"]
    for option, value in given.items():
        words += [f"--{option}", str(value)] if value is not None else []
    for option, several in (("allow-host", names), ("plugin", plugins)):
        words += [word for one in several for word in (f"--{option}", one)]
    if not all(map(str.isprintable, (file.stem, *words))):
        raise UsageError.of("starter-unprintable")
    claim(file, "--starter")
    folder = table.resolve().parent if table else Path.home()
    write_whole(file, made(folder, words, file.stem))
    if os.name == "posix":
        file.chmod(0o755)
    return Answer.of_text(f"wrote {file}; a double click opens the pages", {"file": str(file)})
