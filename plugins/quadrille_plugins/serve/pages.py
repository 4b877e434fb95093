"""What every page has: templates, the cookie and the word of its forms, and the page that says what
is wrong."""

from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from quadrille_core import __version__
from quadrille_core.errors import LedgerError, Problem, QuadrilleError, ResultError, UnreadableError
from quadrille_core.frozen import frozen
from quadrille_plugins.lookup.glossary import terms_in
from quadrille_plugins.lookup.meanings import titled
from quadrille_plugins.serve.hints import PAGE
from quadrille_plugins.serve.named import NoSuchRulesError, RuleSets, extending
from quadrille_plugins.serve.study_queue import BusyError
from quadrille_plugins.serve.trust import KEY, MOST_BYTES, App, Scope, without_paths
from quadrille_plugins.serve.visitors import FIELD, NotKnownError, StaleFormError, Visitors
from quadrille_plugins.shell.shipped_effects import share_text, signed_text
from quadrille_plugins.shell.values import many, with_signs

_HERE: Final = Path(__file__).resolve().parent
STYLE: Final = _HERE / "static" / "style.css"
ICON: Final = _HERE / "static" / "icon.svg"
SCRIPT: Final = _HERE / "static" / "script.js"
MOST_FIELDS: Final = 300
MOST_FILES: Final = 1
Writer = Callable[[Request, FormData], Response]


class Pages:
    """Renders pages."""

    def __init__(self, visitors: Visitors, *, at_table: bool = False) -> None:
        """``at_table`` leaves out the links to all but the ledger."""
        self.visitors = visitors
        self._env = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._env.globals.update(version=__version__, at_table=at_table, field=FIELD)
        self._env.filters.update(
            many=many,
            signs=with_signs,
            share=share_text,
            signed=signed_text,
            titled=titled,
            shown=shown,
            terms=terms_in,
        )

    def page(
        self, request: Request, template: str, *, status: int = 200, **context: Any
    ) -> HTMLResponse:
        """A page made of a template; a browser without a cookie gets one, unless it must open a
        link first."""
        cookie = self.visitors.of(request)
        fresh = None if cookie or self._env.globals["at_table"] else self.visitors.new()
        held = cookie or fresh
        text = self._env.get_template(template).render(
            word=self.visitors.word(held) if held else "", query=request.url.query, **context
        )
        response = HTMLResponse(text, status)
        if fresh:
            self.visitors.put(response, fresh)
        return response

    def problem(
        self, request: Request, status: int, problems: Sequence[Problem], **context: Any
    ) -> HTMLResponse:
        """The page that says what is wrong, where, and how to mend it."""
        return self.page(request, "problem.html", status=status, problems=problems, **context)

    def refuse(self, scope: Scope, status: int, problem: Problem) -> App:
        """The answer to a request that may reach no page (``trust.Guard``)."""
        text = self._env.get_template("problem.html").render(problems=[problem], word="", query="")
        response = HTMLResponse(text if scope["method"] != "HEAD" else "", status)
        if status in (408, 413):
            response.headers["connection"] = "close"
        return response

    def writes(self, handler: Writer) -> Callable[[Request], Awaitable[Response]]:
        """A page that takes a form of this browser: read, checked and handed on."""

        @wraps(handler)
        async def write(request: Request) -> Response:
            async with request.form(
                max_files=MOST_FILES, max_fields=MOST_FIELDS, max_part_size=MOST_BYTES
            ) as form:
                self.visitors.check(request, form.get(FIELD))
                return await run_in_threadpool(handler, request, form)

        return write

    def handlers(self) -> dict[Any, Any]:
        """What Starlette calls for errors that are meant for users."""

        def expected(request: Request, error: Exception) -> Response:
            assert isinstance(error, QuadrilleError)  # noqa: S101 - it is registered for these
            bases = (str(p.data["profile"]) for p in error.problems if p.variant == "abstract")
            base, path = next(bases, ""), request.url.path
            at = path.partition(f"/{base}")[0] or f"/{path.split('/')[1]}"
            return self.problem(
                request,
                status_of(error),
                error.problems,
                busy=isinstance(error, BusyError),
                instead=extending(base),
                at=at,
            )

        def http(request: Request, error: Exception) -> Response:
            assert isinstance(error, HTTPException)  # noqa: S101 - likewise
            problem = Problem("Q806", _HTTP.get(error.status_code, "unreadable-form"))
            return self.problem(request, error.status_code, [problem])

        def fault(request: Request, _: Exception) -> Response:  # which the guard notes
            return self.problem(request, 500, [Problem("Q999", "page-failed")])

        return {QuadrilleError: expected, HTTPException: http, Exception: fault}


@frozen
class OfRuleSets:
    """Pages that name rule sets."""

    pages: Pages
    rule_sets: RuleSets


_HTTP: Final = {404: "no-such-page", 405: "page-asked-for-otherwise"}
"""What is wrong with a request, by the status of its answer."""


DAY: Final = 86400
"""In seconds."""
SVG: Final = "image/svg+xml"


def kept_for(seconds: int) -> dict[str, str]:
    """The header by which a browser may keep an answer so long."""
    return {"cache-control": f"max-age={seconds}"}


_STATUS: Final = {
    NotKnownError: 403,
    StaleFormError: 403,
    NoSuchRulesError: 404,
    BusyError: 503,
    ResultError: 422,
    UnreadableError: 503,  # not the visitor's fault: the ledger is gone, or damaged
    LedgerError: 409,
}


def status_of(error: QuadrilleError) -> int:
    """The status of the page that shows an error."""
    if {p.code for p in error.problems} & {"Q904", "Q908"}:
        return 503
    return next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)


def shown(problem: Problem) -> dict[str, str]:
    """A fault as a page shows it: nothing in it names a folder of this machine."""
    place = problem.place
    where = f"line {place.line}, column {place.col}" if place is not None and place.line else ""
    key = place.path.removeprefix(KEY) if place is not None and place.path.startswith(KEY) else ""
    return {
        "code": problem.code,
        "message": without_paths(PAGE.message(problem)),
        "where": where,
        "line": place.text if place is not None and place.line else "",
        "key": key.split(".")[0],
        "help": without_paths(PAGE.help(problem)),
    }


def style(_: Request) -> Response:
    """The style sheet."""
    return Response(STYLE.read_text("utf-8"), media_type="text/css", headers=kept_for(300))


def icon(_: Request) -> Response:
    """The picture of the tab, without which browsers ask for one that is not there."""
    return Response(ICON.read_text("utf-8"), media_type=SVG, headers=kept_for(DAY))


def script(request: Request) -> Response:
    """The script, which browsers keep; asked whether it has changed, the server says so by its
    digest alone."""
    text = SCRIPT.read_bytes()
    tag = f'"{sha256(text).hexdigest()[:32]}"'
    headers = kept_for(300) | {"etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(text, media_type="text/javascript", headers=headers)


EVERYWHERE: Final = (
    Route("/script.js", script),
    Route("/style.css", style),
    Route("/icon.svg", icon),
)
"""What every page fetches."""
