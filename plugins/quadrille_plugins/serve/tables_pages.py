"""Tables opened from the desk: ledgers in one folder, each served to phones until the desk ends."""

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quadrille_core.errors import QuadrilleError, UsageError
from quadrille_core.frozen import frozen
from quadrille_plugins.serve.house_form import file_text, read
from quadrille_plugins.serve.pages import OfRuleSets, status_of
from quadrille_plugins.serve.reaching import for_phones
from quadrille_plugins.serve.table_access import drawn

TABLES: Final = "/tables"
ENDING: Final = ".ledger"
MOST_OPEN: Final = 8
"""Tables that are open at a time."""
MOST_LISTED: Final = 50
_NAME: Final = re.compile(r"\w[\w -]{0,59}")


@frozen
class Proposed:
    """What a new ledger is to be begun by: house rules (title and text), and the ledger whose pool
    and balances it takes over."""

    title: str = ""
    text: str = ""
    former: Path | None = None


NOTHING: Final = Proposed()


@dataclass(slots=True)
class Tables:
    """The ledgers of one folder, and those that are open."""

    folder: Path
    serve: Callable[[Path, Proposed], str]
    """Serves a ledger beside the desk; returns its link."""
    links: dict[str, str] = field(default_factory=dict)
    """The links of the tables that are open, by the names of their ledgers."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def names(self) -> list[str]:
        """The ledgers in the folder, the one changed last first."""
        found = [f for f in self.folder.glob(f"*{ENDING}") if _NAME.fullmatch(f.stem)]
        found.sort(key=lambda f: f.stat().st_mtime, reverse=True)
        return [f.stem for f in found[:MOST_LISTED]]

    def file(self, name: str) -> Path:
        """The ledger of that name; raises UsageError for a name that is none."""
        if not _NAME.fullmatch(name):
            raise UsageError.of("no-name-of-ledger", name=name)
        return self.folder / f"{name}{ENDING}"

    def open(self, name: str, made: Proposed) -> None:
        """Serve a ledger, if it is not served already; raises UsageError for a name that is none,
        or that cannot be begun any more, for too many tables, and as serving does."""
        file = self.file(name)
        if made.former and not made.former.exists():
            raise UsageError.of("no-name-of-ledger", name=made.former.stem)
        with self.lock:
            if made != NOTHING and (file.exists() or name in self.links):
                raise UsageError.of("other-name-wanted", file=file.name)
            if name not in self.links:
                if len(self.links) >= MOST_OPEN:
                    raise UsageError.of("too-many-tables", most=MOST_OPEN)
                self.links[name] = self.serve(file, made)


@frozen
class TablesPages(OfRuleSets):
    """The page that opens tables."""

    tables: Tables | None
    """Without them it says by which command a table is served."""

    def routes(self) -> list[Route]:
        """The addresses."""
        write = self.pages.writes(self.open)
        return [Route(TABLES, self.show), Route(f"{TABLES}/open", write, methods=["POST"])]

    def show(
        self,
        request: Request,
        given: Mapping[str, str] = MappingProxyType({}),
        error: QuadrilleError | None = None,
    ) -> Response:
        """The tables that are open, with their links, and those that may be; with what was typed
        and is wrong."""
        house = request.query_params.get("house")
        title, text = given.get("title", ""), given.get("text", "")
        if house and self.tables is not None:
            state, base = read(house, request.query_params, self.rule_sets.compile)
            title, text = state.title, file_text(state, base, self.rule_sets.plugins())
            self.rule_sets.read(text)
        links = self.tables.links if self.tables else {}
        return self.pages.page(
            request,
            "tables.html",
            status=status_of(error) if error else 200,
            problems=error.problems if error else (),
            given=given,
            open=[(name, link, drawn(link)) for name, link in reversed(links.items())],
            names=self.tables.names() if self.tables else [],
            links=links,
            made=Proposed(title, text),
            ways=[] if self.tables else for_phones(f"evening{ENDING}"),
        )

    def open(self, request: Request, form: FormData) -> Response:
        """Serve a ledger that there is, or one that its first page begins."""
        given = {key: str(value) for key, value in form.items()}
        if self.tables is None:
            raise UsageError.of("no-folder-of-tables")
        if text := given.get("text", ""):
            self.rule_sets.read(text)
        name, before = given.get("name"), given.get("former")
        try:
            former = self.tables.file(before) if before else None
            made = NOTHING if name else Proposed(given.get("title", "")[:80], text, former)
            self.tables.open(name or given.get("new", "").strip(), made)
        except QuadrilleError as e:
            return self.show(request, given, e)
        return RedirectResponse(TABLES, 303)
