"""What stands before every page: hosts and origins, sizes and times, the headers of each answer,
the last resort.

A request that is refused here reaches no page.  An answer never shows a traceback, nor a path of
this machine.
"""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final

import anyio

from quadrille_core.errors import Problem

MOST_BYTES: Final = 128 * 1024
"""The longest body of a request: a file of house rules is at most half of it."""
LONGEST_ADDRESS: Final = 8 * 1024
"""The longest path with its query."""
BODY_SECONDS: Final = 10.0
"""How long the body of a request may take to come."""
PAGE_SECONDS: Final = 30.0
"""How long a page may take."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src "
    "'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a browser may fetch for a page: script, style sheet and pictures from this server, where the
one script may ask for pages. No script that stands in a page runs, and ``nosniff`` keeps what
visitors have sent from running as one."""
HEADERS: Final = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
)
KEY: Final = "form field "
"""Before the key of a result, in the place of a fault: which field of the form it is in."""
FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
_PATH: Final = re.compile(
    r"(?<![\w/.:<])(?:[A-Za-z]:)?[/\\](?:[^\s/\\'\"<>:;,()]+[/\\])+([^\s/\\'\"<>:;,()]*)"
)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Refuse = Callable[[Scope, int, Problem], App]
"""The answer that refuses a request, with a status and what is wrong."""


def without_paths(text: str) -> str:
    """The text with every path of a machine cut to the name of the file."""
    return _PATH.sub(lambda m: m[1] or "a folder", text)


class Guard:
    """Lets through what may reach the pages, and answers the rest with ``refuse``."""

    def __init__(self, app: App, *, hosts: Iterable[str], refuse: Refuse) -> None:
        """``hosts`` are the names, with their ports, under which this server is known."""
        self.app, self.hosts, self.refuse = app, frozenset(h.lower() for h in hosts), refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        guarded = _Sender(send)
        page = asyncio.ensure_future(self._answer(scope, receive, guarded))
        page.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            # a page runs in a thread, which nothing can stop: it is no longer waited for, and what
            # it says is not sent
            await asyncio.wait_for(asyncio.shield(page), PAGE_SECONDS)
        except TimeoutError:
            problem = Problem("Q806", "page-too-slow", {"page_seconds": PAGE_SECONDS})
            await self._last_resort(scope, receive, guarded, 503, problem)
        except Exception as e:  # the last resort: whatever no page has foreseen
            sys.stderr.write(
                f"Q999 internal error at {scope['path'][:100]!r}: {type(e).__name__}\n"
            )
            problem = Problem("Q999", "page-failed")
            await self._last_resort(scope, receive, guarded, 500, problem)

    async def _last_resort(
        self, scope: Scope, receive: Receive, send: "_Sender", status: int, problem: Problem
    ) -> None:
        if not send.started:
            await self.refuse(scope, status, problem)(scope, receive, send.instead())

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]
        ]
        refused = self._fault(scope, headers)
        body = b""
        if refused is None and scope["method"] == "POST":
            body_or_fault = await _whole(receive)
            if isinstance(body_or_fault, bytes):
                body = body_or_fault
            else:
                refused = body_or_fault
        app = self.app if refused is None else self.refuse(scope, *refused)
        with anyio.CancelScope() as wanted:
            gone = asyncio.ensure_future(_when_gone(receive, wanted.cancel))
            try:
                # what still waits for a thread then is not begun, what runs in one runs to its end
                await app(scope, _replay(body), send)
            finally:
                gone.cancel()

    def _fault(self, scope: Scope, headers: list[tuple[str, str]]) -> tuple[int, Problem] | None:
        """Why a request may not reach the pages, by its first lines alone."""

        def of(name: str) -> list[str]:
            return [value for known, value in headers if known == name]

        hosts = of("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return 421, Problem("Q806", "not-this-server")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, Problem("Q806", "no-such-method")
        if len(scope["path"]) + len(scope.get("query_string", b"")) > LONGEST_ADDRESS:
            return 414, Problem("Q806", "address-too-long")
        if scope["method"] != "POST":
            return None
        origins = [*of("origin")]
        site = of("sec-fetch-site")
        if origins != [f"{scope.get('scheme', 'http')}://{hosts[0]}"] or (
            site and site != ["same-origin"]
        ):
            return 403, Problem("Q806", "form-from-elsewhere")
        kinds = of("content-type")
        if len(kinds) != 1 or not _is_form(kinds[0]):
            return 415, Problem("Q806", "no-form")
        lengths = of("content-length")
        if lengths and not (
            lengths[0].isascii() and lengths[0].isdigit() and int(lengths[0][:12]) <= MOST_BYTES
        ):
            return 413, _too_long()
        return None


def _is_form(kind: str) -> bool:
    """Whether this is the kind of a form as browsers send it: in UTF-8, for any other charset names
    a codec to run."""
    name, *more = kind.lower().split(";")
    said = [
        value.strip().strip('"')
        for key, _, value in (one.partition("=") for one in more)
        if "charset" in key
    ]
    return name.strip() in FORMS and all(charset == "utf-8" for charset in said)


def _too_long() -> Problem:
    return Problem("Q806", "request-too-long", {"most_bytes": MOST_BYTES // 1024})


async def _whole(receive: Receive) -> bytes | tuple[int, Problem]:
    """The whole body, or why it is refused."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return 400, Problem("Q806", "form-cut-short")
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > MOST_BYTES:
                    return 413, _too_long()
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        return 408, Problem("Q806", "form-too-slow")


async def _when_gone(receive: Receive, do: Callable[[], None]) -> None:
    """Do this as soon as the client has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass
    do()


def _replay(body: bytes) -> Receive:
    given = False

    async def receive() -> Message:
        nonlocal given
        if given:
            return {"type": "http.disconnect"}
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


class _Sender:
    """Sends an answer with the headers that every answer has."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = self._given_up = False

    def instead(self) -> "_Sender":
        """Another sender; this one sends nothing any more."""
        self._given_up = True
        return _Sender(self._send)

    async def __call__(self, message: Message) -> None:
        if self._given_up:
            return
        if message["type"] == "http.response.start":
            self.started = True
            known = {name for name, _ in message["headers"]}
            more = [(n.encode(), v.encode()) for n, v in HEADERS if n.encode() not in known]
            if b"cache-control" not in known:
                more.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*message["headers"], *more]}
        await self._send(message)
