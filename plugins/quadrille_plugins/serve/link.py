"""The link of a table: a token of 128 bits beside the ledger, so that phones that knew it go on
after a restart."""

import hashlib
import json
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quadrille_core.errors import Place, Problem, UnreadableError, UnwrittenError

SUFFIX: Final = ".link"
_TOKEN: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Link:
    """What a table's link is made of."""

    token: str
    port: int
    """The port that was used last, which the link names; 0 where it is not known yet."""

    @property
    def secret(self) -> bytes:
        """What cookies and the words of forms are made from."""
        return hashlib.sha256(f"quadrille pages {self.token}".encode()).digest()


def link_of(ledger: Path, *, anew: bool = False) -> Link:
    """The link of a ledger, as it is kept beside it; a new one where there is none, or ``anew``.

    Raises UnreadableError for a file that holds no link.
    """
    path = file_of(ledger)
    if anew or not path.exists():
        return Link(secrets.token_hex(16), 0)
    try:
        data = json.loads(path.read_text("utf-8")[:1000])
        token, port = data["token"], data["port"]
        if not (
            isinstance(token, str)
            and _TOKEN.fullmatch(token)
            and isinstance(port, int)
            and 0 <= port < 65536
        ):
            raise ValueError("no link")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        problem = Problem("Q806", "file-holds-no-link", place=Place(str(path)))
        raise UnreadableError(problem) from None
    return Link(token, port)


def keep(ledger: Path, link: Link) -> None:
    """Write the link beside the ledger, for its owner alone; raises UnwrittenError."""
    path = file_of(ledger)
    new = path.with_name(path.name + f".{secrets.token_hex(4)}")
    try:
        with open(
            os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            json.dump({"token": link.token, "port": link.port}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as e:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise UnwrittenError.of(
            "link-of-table-cannot-written", place=Place(str(path)), text=e.strerror or e
        ) from None


def file_of(ledger: Path) -> Path:
    """Where the link of a ledger is kept."""
    return ledger.with_name(ledger.name + SUFFIX)
