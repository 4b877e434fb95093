"""The server's two applications: the desk of this machine, and the ledger of one table."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Route

from quadrille_plugins.serve.apparatus_pages import ApparatusPages
from quadrille_plugins.serve.explain_pages import ExplainPages
from quadrille_plugins.serve.house_pages import HousePages
from quadrille_plugins.serve.named import RuleSets
from quadrille_plugins.serve.pages import EVERYWHERE, Pages
from quadrille_plugins.serve.play_pages import PlayPages
from quadrille_plugins.serve.rules_pages import RulesPages, rulebook_style
from quadrille_plugins.serve.settle_pages import SettlePages
from quadrille_plugins.serve.study_pages import StudyPages
from quadrille_plugins.serve.study_queue import StudyQueue
from quadrille_plugins.serve.table_access import Link
from quadrille_plugins.serve.tables_pages import NOTHING, Proposed, Tables, TablesPages
from quadrille_plugins.serve.trust import Guard
from quadrille_plugins.serve.visitors import Visitors


def desk(
    hosts: Iterable[str],
    secret: bytes,
    *,
    cookie: str = "quadrille",
    plugins: Sequence[str] = (),
    tables: Tables | None = None,
) -> Guard:
    """Rulebooks and settlements for who sits at this machine; ``hosts`` are the names it answers
    to, ``plugins`` what its pages may name besides those that are shipped, ``tables`` the ledgers
    that it may serve to phones."""
    pages = Pages(Visitors(secret, cookie))
    rule_sets = RuleSets(plugins)
    routes = [
        *RulesPages(pages, rule_sets).routes(),
        *HousePages(pages, rule_sets).routes(),
        *TablesPages(pages, rule_sets, tables).routes(),
        *SettlePages(pages, rule_sets).routes(),
        *PlayPages(pages, rule_sets).routes(),
        *ApparatusPages(pages, rule_sets).routes(),
        *ExplainPages(pages).routes(),
        *StudyPages(pages, rule_sets, StudyQueue()).routes(),
        *EVERYWHERE,
    ]
    app = Starlette(routes=routes, exception_handlers=pages.handlers())
    return Guard(app, hosts=hosts, refuse=pages.refuse)


def at_table(
    hosts: Iterable[str],
    file: Path,
    link: Link,
    *,
    local: bool,
    cookie: str = "quadrille-table",
    plugins: Sequence[str] = (),
    made: Proposed = NOTHING,
) -> Guard:
    """The ledger in ``file`` for who has opened its link; ``local`` where no other machine can
    reach it; ``made`` what it is begun by."""
    from quadrille_plugins.serve.begin_pages import BEGIN, BeginPages
    from quadrille_plugins.serve.evening_pages import EveningPages
    from quadrille_plugins.serve.table_access import LinkPages, Members
    from quadrille_plugins.serve.table_pages import TablePages

    pages = Pages(Visitors(link.secret, cookie), at_table=True)
    rule_sets = RuleSets(plugins)
    beginning = BeginPages(pages, file, rule_sets, made)
    routes = [
        *beginning.routes(),
        *HousePages(pages, rule_sets, before=BEGIN, over=beginning.begun).routes(),
        *TablePages(pages, file).routes(),
        *EveningPages(pages, file).routes(),
        *LinkPages(pages, file, link, local=local).routes(),
        Route("/rulebook.css", rulebook_style),
        *EVERYWHERE,
    ]
    app = Starlette(routes=routes, exception_handlers=pages.handlers())

    def before_all() -> str:
        return "" if beginning.begun() else BEGIN

    return Guard(Members(app, pages, before_all), hosts=hosts, refuse=pages.refuse)
