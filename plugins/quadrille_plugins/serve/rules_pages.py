"""The first page, and those of a rule set: its rulebook, its sheet, its rules with their
sources."""

from urllib.parse import urlencode

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quadrille_core.errors import UsageError
from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import Compiled
from quadrille_plugins.lookup.rules_report import show_blocks
from quadrille_plugins.serve.named import shipped, text_sent
from quadrille_plugins.serve.pages import OfRuleSets, kept_for


class RulesPages(OfRuleSets):
    """Pages about rule sets."""

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/", self.first),
            Route("/rules", self.every),
            Route("/house", self.pages.writes(self.house), methods=["POST"]),
            Route("/rules/{name}", self.rulebook),
            Route("/rules/{name}/sheet", self.rulebook),
            Route("/rules/{name}/sources", self.sources),
            Route("/rules/{name}/readings", self.readings),
            Route("/rulebook.css", rulebook_style),
        ]

    def first(self, request: Request) -> Response:
        """Where to begin, by what the visitor wants."""
        return self.pages.page(request, "first.html")

    def every(self, request: Request) -> Response:
        """The rule sets, one by one."""
        found = shipped()
        return self.pages.page(
            request,
            "rules.html",
            games=[one for one in found if one.tricks],
            patiences=[one for one in found if not one.tricks],
            sent=self.rule_sets.sent(),
        )

    def house(self, _: Request, form: FormData) -> Response:
        """Take a file of house rules, or its text, and go to its page."""
        text = text_sent(form)
        if not text.strip():
            raise UsageError.of("no-file-chosen")
        sent, game = self.rule_sets.send(text), form.get("game")
        return RedirectResponse(
            f"/play?{urlencode({'game': game})}" if game else f"/rules/{sent}", 303
        )

    def rulebook(self, request: Request) -> Response:
        """The rulebook, or one page of it for the table; where a kind of game has none, its
        rules."""
        compiled, common = self.rule_sets.named(request)
        short = request.url.path.endswith("/sheet")
        against = "" if short else request.query_params.get("against", "")
        other = self.rule_sets.compile(against) if against else None
        if other is not None and other.kind != compiled.kind:
            raise UsageError.of("two-games-compared")
        try:
            body = body_of(compiled, other, short=short)
        except UsageError:
            if short or compiled.kind == TRICKS:
                raise
            return self.pages.page(request, "sources.html", blocks=show_blocks(compiled), **common)
        games = self.rule_sets.games(tricks=common["tricks"])
        return self.pages.page(
            request,
            "rulebook.html",
            body=body,
            short=short,
            games=games,
            against=against,
            **common,
        )

    def sources(self, request: Request) -> Response:
        """Every rule with its source."""
        compiled, common = self.rule_sets.named(request)
        everything = request.query_params.get("all") == "yes"
        return self.pages.page(
            request, "sources.html", blocks=show_blocks(compiled, everything=everything), **common
        )

    def readings(self, request: Request) -> Response:
        """The points in dispute: what each text says, and which reading to follow."""
        compiled, common = self.rule_sets.named(request)
        return self.pages.page(request, "readings.html", states=compiled.points, **common)


def body_of(made: Compiled, other: Compiled | None = None, *, short: bool = False) -> Markup:
    """The rulebook, in which is marked what differs from other rules, or its sheet: what stands in
    the body of that document."""
    from quadrille_plugins.rulebook.html import as_html
    from quadrille_plugins.rulebook.page import rulebook, sheet

    _, _, rest = as_html(sheet(made) if short else rulebook(made, other)).partition("<body")
    inside = rest.partition(">")[2].rpartition("</body>")[0]
    return Markup(inside)  # noqa: S704 - as_html escapes all that comes from data


def rulebook_style(_: Request) -> Response:
    """The style sheet of rulebooks."""
    from quadrille_plugins.rulebook.html import STYLE

    return Response(STYLE, media_type="text/css", headers=kept_for(300))
