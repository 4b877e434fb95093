"""Listening: a socket, the names it is known by, and the loop that answers."""

import asyncio
import ipaddress
import re
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import anyio.to_thread
import click
import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from quadrille_core.errors import UsageError
from quadrille_core.registry import Registry
from quadrille_plugins.serve.app import at_table, desk
from quadrille_plugins.serve.reaching import AUTO, addresses, for_phones
from quadrille_plugins.serve.table_access import Link, address_of, in_terminal, keep, link_of
from quadrille_plugins.serve.tables_pages import NOTHING, Proposed, Tables
from quadrille_plugins.serve.trust import Guard
from quadrille_plugins.shell.writing import check_folder

LOCAL: Final = "127.0.0.1"
UNENCRYPTED: Final = (
    "The connection is not encrypted (HTTP): others in the same network can "
    "read what is sent, and with it the link."
)
MOST_AT_ONCE: Final = 240
"""Connections that are answered at a time; more are told to come again."""
MOST_THREADS: Final = 8
"""Pages that are made at a time; more wait, and are not begun once nobody waits for them."""
_NAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?")


def serve_desk(
    port: int, names: Sequence[str], plugins: Sequence[str], tables: Path | None, opens: bool
) -> None:
    """Answer for this machine until the user ends it; raises UsageError where the address cannot be
    had, or a plugin or the folder of tables cannot."""
    address_named(LOCAL, names)
    _require(plugins)
    check_folder(tables)
    bound = listen(LOCAL, port)
    port = bound.getsockname()[1]
    address = f"http://{LOCAL}:{port}/"
    hosts, cookie = hosts_of(LOCAL, port, names), f"quadrille-{port}"
    served = Tables(tables, partial(_beside, names, plugins)) if tables is not None else None
    secret = secrets.token_bytes(32)
    app = desk(hosts, secret, cookie=cookie, plugins=plugins, tables=served)
    click.echo(f"The pages are at {address} for this machine alone. Ctrl-C ends it.")
    run(app, bound, address if opens else "")


def _require(plugins: Sequence[str]) -> None:
    """Raise UsageError where one of these cannot be had."""
    registry = Registry()
    for name in plugins:
        registry.load(name)
    if registry.problems:
        raise UsageError(registry.problems)


def serve_table(
    port: int,
    table: Path,
    host: str | None,
    names: Sequence[str],
    plugins: Sequence[str],
    new_link: bool,
    opens: bool,
) -> None:
    """Answer for one ledger; raises UsageError as ``serve_desk`` does, and for what is no
    ledger."""
    link = _link(table, anew=new_link)
    _require(plugins)
    bound, app, address = _table(table, link, host or LOCAL, port, names, plugins)
    local = ipaddress.ip_address(bound.getsockname()[0]).is_loopback
    there = "is" if table.exists() else "is not there yet; its first page begins it,"
    click.echo(f"The ledger {table.name} {there} at\n{address}")
    if local:
        ways = for_phones(str(table)) or ["(no network of this machine was found)"]
        click.echo("\n  ".join(["No phone can open it. For phones, start it so instead:", *ways]))
    else:
        if sys.stdout.isatty():
            click.echo(in_terminal(address), nl=False)
        click.echo("Phones in the same network open it: scan it, or type it.")
        click.echo(UNENCRYPTED)
    click.echo("This link opens this ledger, and nothing else. Ctrl-C ends it.")
    run(app, bound, address if opens else "")


def _link(table: Path, *, anew: bool = False) -> Link:
    """The link of a ledger that is there or may be begun; raises UsageError and as opening does."""
    from quadrille_plugins.ledger.service import Ledger

    if table.exists():
        with Ledger(table):  # what is no ledger is said at once
            pass
    elif not table.parent.is_dir():
        raise UsageError.of("no-folder-for-ledger", parent=table.parent)
    return link_of(table, anew=anew)


def _table(
    table: Path,
    link: Link,
    host: str,
    port: int,
    names: Sequence[str],
    plugins: Sequence[str],
    made: Proposed = NOTHING,
) -> tuple[socket.socket, Guard, str]:
    """A socket, what answers there for a ledger, and its link; raises UsageError where the address
    cannot be had."""
    if host == AUTO and not (found := addresses()):
        raise UsageError.of("no-address-found")
    host = address_named(found[0] if host == AUTO else host, names)
    bound = listen(host, port or link.port)
    port = bound.getsockname()[1]
    link = replace(link, port=port)
    keep(table, link)
    app = at_table(
        hosts_of(host, port, names),
        table,
        link,
        local=ipaddress.ip_address(host).is_loopback,
        cookie=f"quadrille-table-{port}",
        plugins=plugins,
        made=made,
    )
    server = f"http://{_in_address(names[0] if names else host)}:{port}"
    return bound, app, address_of(server, link)


def _beside(names: Sequence[str], plugins: Sequence[str], table: Path, made: Proposed) -> str:
    """Serve a ledger to phones as long as the desk is served; returns its link."""
    bound, app, address = _table(table, _link(table), AUTO, 0, names, plugins, made)
    server = server_of(app)
    threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True).start()
    click.echo(f"The ledger {table.name} is at {address}")
    return address


def address_named(host: str, names: Sequence[str]) -> str:
    """The address to listen on; raises UsageError for what is none, and for all addresses without a
    name."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise UsageError.of("no-such-address", host=host) from None
    for name in names:
        if not _is_name(name):
            raise UsageError.of("no-name-of-machine", name=name)
    if address.is_unspecified and not names:
        raise UsageError.of("every-address-without-name", host=host)
    return host


def _is_name(name: str) -> bool:
    """Whether this is the name of a machine or an IP address, and nothing besides."""
    if _NAME.fullmatch(name):
        return True
    try:
        return "%" not in str(ipaddress.ip_address(name))
    except ValueError:
        return False


def _in_address(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def listen(host: str, port: int) -> socket.socket:
    """A socket at that address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let another program listen at the same address
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(MOST_AT_ONCE)
    except OSError as e:
        bound.close()
        variant = "port-not-to-be-had" if port else "address-not-to-be-had"
        why = e.strerror or e
        raise UsageError.of(variant, host=host, port=port, why=why) from None
    return bound


def hosts_of(host: str, port: int, names: Sequence[str]) -> set[str]:
    """The names by which a browser may ask for these pages, each with the port."""
    known = {host, *names}
    if ipaddress.ip_address(host).is_loopback:
        known |= {"localhost", LOCAL, "::1"}
    found = {_in_address(name) for name in known}
    return {f"{name}:{port}" for name in found} | (found if port == 80 else set())


def server_of(app: Guard) -> uvicorn.Server:
    """What answers requests, with the limits of these pages."""
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http=Impatient,
        loop="asyncio",
        limit_concurrency=MOST_AT_ONCE,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=32 * 1024,
    )
    return _Server(config)


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, with so many threads."""
        anyio.to_thread.current_default_thread_limiter().total_tokens = MOST_THREADS
        await super().startup(sockets)


def run(app: Guard, bound: socket.socket, opened: str) -> None:
    """Answer requests on a socket until the user ends it."""
    server = server_of(app)
    if opened:
        webbrowser.open(opened)  # the socket listens already: the page waits for the loop
    server.run(sockets=[bound])


FIRST_LINES_SECONDS: Final = 10.0
"""How long the first lines of a request may take to come, from the first byte or from the
connection."""


class Impatient(H11Protocol):
    """HTTP as uvicorn speaks it, one request at a time.

    Uvicorn itself waits without end for a request that does not come or is not whole; and while
    requests stand behind the one in hand, it does not hear that their client has hung up.
    """

    _waits: asyncio.TimerHandle | None = None
    _pushed = False
    """Whether a request came before the last was answered: that answer ends the connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on waiting, unless a request has come."""
        if self._pushed:
            return
        super().data_received(data)
        if self.conn.their_state is h11.DONE and self.conn.trailing_data[0]:
            self._pushed, self.cycle.keep_alive = True, False
            self.flow.resume_reading()
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._waits is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waits = self.loop.call_later(FIRST_LINES_SECONDS, self.timeout_keep_alive_handler)

    def _stop(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None
