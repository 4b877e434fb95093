"""Who may see a table: whoever has opened its link, a token of 128 bits beside the ledger, so that
phones that knew it go on after a restart.  The link is shown as text and as a QR code."""

import hashlib
import hmac
import io
import json
import os
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quadrille_core.errors import Problem, UnreadableError, UnwrittenError
from quadrille_core.frozen import frozen
from quadrille_plugins.serve.pages import Pages
from quadrille_plugins.serve.reaching import for_phones
from quadrille_plugins.serve.trust import App, Receive, Scope, Send
from quadrille_plugins.serve.visitors import NotKnownError

SUFFIX: Final = ".link"
_TOKEN: Final = re.compile(r"[0-9a-f]{32}")


@frozen
class Link:
    """What a table's link is made of."""

    token: str
    port: int
    """The port that was used last, which the link names; 0 where it is not known yet."""

    @property
    def secret(self) -> bytes:
        """What cookies and the words of forms are made from."""
        return hashlib.sha256(f"quadrille pages {self.token}".encode()).digest()


DAYS: Final = 30
"""How long a browser that has opened the link is known."""
FREE: Final = ("/style.css", "/rulebook.css", "/script.js", "/icon.svg")
"""Addresses that need no cookie; and there is the link itself."""


@frozen
class Members:
    """Lets through who has opened the link."""

    app: App
    pages: Pages
    before_all: Callable[[], str]
    """The address that must be seen before any other; empty where there is none."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = scope["path"]
        if scope["type"] == "lifespan" or path in FREE or path.startswith("/open/"):
            await self.app(scope, receive, send)
        elif self.pages.visitors.of(Request(scope)) is None:
            problem = Problem("Q807", "link-wanted")
            await self.pages.refuse(scope, 403, problem)(scope, receive, send)
        elif (first := self.before_all()) and not path.startswith(first):
            await RedirectResponse(first, 303)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


@frozen
class LinkPages:
    """The link opened, and the link shown."""

    pages: Pages
    file: Path
    """The ledger."""
    link: Link
    local: bool
    """Whether no other machine can reach its pages."""

    def routes(self) -> list[Route]:
        """The addresses."""
        return [Route("/open/{token}", self.open), Route("/link", self.show)]

    def open(self, request: Request) -> Response:
        """Exchange the token of the link for a cookie."""
        token = request.path_params["token"]
        if not (token.isascii() and hmac.compare_digest(token, self.link.token)):
            raise NotKnownError.of("link-of-another-table")
        visitors = self.pages.visitors
        response = self.pages.page(request, "opened.html")
        # a cookie that came by a link from elsewhere is not sent at once: the next page asks for it
        visitors.put(response, visitors.of(request) or visitors.new(), days=DAYS)
        response.headers["referrer-policy"] = "no-referrer"
        return response

    def show(self, request: Request) -> Response:
        """The link, for another phone at the table."""
        address = address_of(f"http://{request.headers['host']}", self.link)
        ways = for_phones(self.file.name) if self.local else []
        qr = None if self.local else drawn(address)
        return self.pages.page(
            request, "link.html", address=address, qr=qr, local=self.local, ways=ways
        )


def address_of(server: str, link: Link) -> str:
    """The link of a table."""
    return f"{server}/open/{link.token}"


def drawn(text: str) -> Markup:
    """A text as QR code, an SVG without styles."""
    svg = segno.make(text, error="m").svg_inline(
        scale=5, border=4, title="QR code of the link", omitsize=True
    )
    return Markup(svg)  # noqa: S704 - segno escapes; there is nothing of others in it


def in_terminal(text: str) -> str:
    """A text as QR code, in half blocks."""
    out = io.StringIO()
    segno.make(text, error="l").terminal(out, compact=True)
    return out.getvalue()


# --- the link -----------------------------------------------------------------------------------


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
        raise UnreadableError.of("file-holds-no-link", place=path) from None
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
        raise UnwrittenError.of("link-not-written", place=path, text=e.strerror or e) from None


def file_of(ledger: Path) -> Path:
    """Where the link of a ledger is kept."""
    return ledger.with_name(ledger.name + SUFFIX)
