"""The server's two applications: the desk of this machine, and the ledger of one table."""

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from quadrille_plugins.serve.link import Link
from quadrille_plugins.serve.named import RuleSets
from quadrille_plugins.serve.pages import Pages, icon, script, style
from quadrille_plugins.serve.rules_pages import RulesPages
from quadrille_plugins.serve.study_queue import StudyQueue
from quadrille_plugins.serve.trust import Guard
from quadrille_plugins.serve.visitors import Visitors

SOON: Final = (
    "quadrille_plugins.rulebook.html",
    "quadrille_plugins.serve.settle_pages",
    "quadrille_plugins.serve.play_pages",
)
"""Modules that the first page does not need, and the next one does."""


def desk(hosts: Iterable[str], secret: bytes, *, cookie: str = "quadrille") -> Guard:
    """Rulebooks and settlements for who sits at this machine; ``hosts`` are the names it answers
    to."""
    pages = Pages(Visitors(secret, cookie))
    rule_sets = RuleSets()

    settling = later(SOON[1], "SettlePages", pages, rule_sets)
    playing = later(SOON[2], "PlayPages", pages, rule_sets)
    routes = [
        *RulesPages(pages, rule_sets).routes(),
        Route("/settle", settling("choose")),
        Route("/settle/{name}", settling("desk")),
        Route("/play", playing("choose")),
        Route("/play/{name}", playing("play")),
        Route("/play/{name}/position", pages.writes(playing("position")), methods=["POST"]),
        Route("/play/{name}/review", playing("review")),
        Route("/cards/{card}.svg", playing("face")),
        *study_routes(pages, rule_sets),
        Route("/script.js", script),
        Route("/style.css", style),
        Route("/icon.svg", icon),
    ]
    app = Starlette(routes=routes, exception_handlers=pages.handlers())
    return Guard(app, hosts=hosts, refuse=pages.refuse)


def study_routes(pages: Pages, rule_sets: RuleSets) -> list[Route]:
    """The pages of disputed points, of rules, and of studies."""
    here = "quadrille_plugins.serve"
    points = later(f"{here}.apparatus_pages", "ApparatusPages", pages, rule_sets)
    rules = later(f"{here}.explain_pages", "ExplainPages", pages)
    studies = later(f"{here}.study_pages", "StudyPages", pages, rule_sets, StudyQueue())
    return [
        Route("/apparatus", points("choose")),
        Route("/apparatus/{name}", points("points")),
        Route("/apparatus/{name}/{point}", points("point")),
        Route("/explain", rules("rules")),
        Route("/explain/{pattern}", rules("rule")),
        Route("/studies", studies("studies")),
        Route("/studies/matters", studies("matters")),
        Route("/studies/shipped", studies("shipped")),
        Route("/studies/ask", pages.writes(studies("ask")), methods=["POST"]),
        Route("/studies/{id}", studies("study")),
        Route("/studies/{id}/cancel", pages.writes(studies("cancel")), methods=["POST"]),
        Route("/studies/{id}/{what}", studies("download")),
        Route("/pictures/{digest}.svg", studies("picture")),
    ]


def later(module: str, name: str, *arguments: Any) -> Callable[[str], Callable[..., Response]]:
    """Makes handlers of a class of pages by the names of its methods; it is imported when one is
    first asked for."""

    @cache
    def made() -> Any:
        return getattr(import_module(module), name)(*arguments)

    def by(method: str) -> Callable[..., Response]:
        def asked(*given: Any) -> Response:
            answer: Response = getattr(made(), method)(*given)
            return answer

        return asked

    return by


def at_table(
    hosts: Iterable[str], file: Path, link: Link, *, local: bool, cookie: str = "quadrille-table"
) -> Guard:
    """The ledger in ``file`` for who has opened its link; ``local`` where no other machine can
    reach it."""
    from quadrille_plugins.serve.begin_pages import BEGIN, BeginPages
    from quadrille_plugins.serve.table_access import LinkPages, Members
    from quadrille_plugins.serve.table_pages import TablePages

    pages = Pages(Visitors(link.secret, cookie), at_table=True)
    beginning = BeginPages(pages, file)
    routes = [
        *beginning.routes(),
        *TablePages(pages, file).routes(),
        *LinkPages(pages, link, local=local).routes(),
        Route("/style.css", style),
        Route("/icon.svg", icon),
    ]
    app = Starlette(routes=routes, exception_handlers=pages.handlers())

    def before_all() -> str:
        return "" if beginning.begun() else BEGIN

    return Guard(Members(app, pages, before_all), hosts=hosts, refuse=pages.refuse)
