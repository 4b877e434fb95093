"""What changes an evening beside its deals, on a phone: entries by hand and by law, people, the
order of deals, the rules, and a session that ended too early."""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from quadrille_core.errors import QuadrilleError, UsageError
from quadrille_core.profile import load_text
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import matches
from quadrille_plugins.house_rules.idle import idle_among
from quadrille_plugins.ledger.by_law import known_incidents, ordered
from quadrille_plugins.ledger.hand import by_hand
from quadrille_plugins.ledger.history_report import history_blocks
from quadrille_plugins.ledger.incident import FACTS
from quadrille_plugins.ledger.journal import Fact, Journal
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.lookup.rule_page import plain
from quadrille_plugins.serve.forms import Choice, whole
from quadrille_plugins.serve.house_form import LONGEST_VALUE, TOPICS, answers, asked, said
from quadrille_plugins.serve.pages import shown
from quadrille_plugins.serve.rules_pages import body_of
from quadrille_plugins.serve.table_pages import LAST_ACT, TablePages
from quadrille_plugins.shell.options import compile_all

EVENING: Final = "/evening"
_ASKS: Final = ("incident-lacks", "incident-lacks-fact")
"""Problems that ask for one more fact."""
_YES: Final = {"yes": True, "no": False}


class EveningPages(TablePages):
    """The page *Change the evening*, and the rulebook of the evening."""

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route("/rulebook", self.rulebook),
            Route(EVENING, self.evening),
            Route(f"{EVENING}/record", self.pages.writes(self.change), methods=["POST"]),
        ]

    def evening(self, request: Request) -> Response:
        """A form for each change, folded, and every command so far; of an incident that was chosen
        what a law must know."""
        given = request.query_params
        if rule := given.get("rule"):
            return self._evening(request, {"what": "rules", "rule": rule})
        if not (incident := given.get("incident")):
            return self._evening(request, {})
        try:
            with Ledger(self.file) as ledger:
                _order(ledger, told := {"what": "ruling", "incident": incident})
        except QuadrilleError as e:
            return self._evening(request, told, e)
        return self._evening(request, told)

    def _evening(
        self, request: Request, given: Mapping[str, str], error: QuadrilleError | None = None
    ) -> Response:
        with Ledger(self.file) as ledger:
            journal = ledger.journal()
            incidents = {} if journal.ended else known_incidents(ledger)
        found = error.problems if error else ()
        lacks = {str(p.data["key"]): shown(p) for p in found if p.variant in _ASKS}
        stale = error is not None and any(p.code == "Q912" for p in error.problems)
        return self._page(
            request,
            "evening.html",
            journal,
            status=409 if stale else 422 if error and request.method == "POST" else 200,
            problems=[replace(p, place=None) for p in found if p.variant not in _ASKS],
            lacks=lacks,
            given=given,
            seated=[(journal.accounts[a],) * 2 for a in journal.seated()],
            everybody=[(journal.accounts[a],) * 2 for a in journal.players()],
            deals=[(n, f"{n}: {row.outcome}") for n, row in journal.deals.items()],
            numbers=[(n, n) for n in journal.deals],
            incidents=incidents,
            asked={"by", *lacks, *given},
            facts=FACTS,
            rules_now=[] if journal.ended else rules_now(journal),
            rule=rule_to_change(journal, given.get("rule", "")),
            history=history_blocks(journal),
            new_key=lambda: secrets.token_hex(16),
        )

    def rulebook(self, request: Request) -> Response:
        """The rulebook of the next deal, or with ``sheet`` one page of it."""
        with Ledger(self.file) as ledger:
            made, _ = _compiled(ledger)
        short = "sheet" in request.query_params
        body = body_of(made, short=short)
        return self.pages.page(request, "house_text.html", body=body, short=short, title=made.title)

    def change(self, request: Request, form: FormData) -> Response:
        """Make one change."""
        given = {
            key: text.strip()[:LONGEST_VALUE] for key, text in form.items() if isinstance(text, str)
        }
        try:
            what = _CHANGES.get(given.get("what", ""))
            if what is None:
                raise UsageError.of("no-such-change")
            if "several" in given:
                given["value"] = f"[{', '.join(map(str, form.getlist('value')))}]"
            last = whole(given.get(LAST_ACT), LAST_ACT)
            return self._written(
                form, lambda ledger, key: what(ledger, given, {"last_act": last, "key": key})
            )
        except QuadrilleError as e:
            return self._evening(request, given, e)


def rules_now(journal: Journal) -> list[tuple[str, list[Choice]]]:
    """Every rule by its topic: its path, what it asks and what it is; those of no topic last."""
    stopped = idle_among(journal.leaves)
    left = {p: value for p, value in journal.leaves.items() if p not in stopped}
    found = []
    for topic, patterns in (*TOPICS.items(), ("What else there is", ())):
        paths = [p for p in left if not patterns or any(matches(one, p) for one in patterns)]
        rules = [(path, left.pop(path)) for path in paths]
        found.append((topic, [Choice(p, f"{_asked(journal, p)} {said(p, v)}") for p, v in rules]))
    return found


def rule_to_change(journal: Journal, path: str) -> dict[str, Any] | None:
    """A rule that is to be changed: what it asks, how, what may be chosen and what is; None for no
    rule of these."""
    if path not in journal.leaves:
        return None
    value = journal.leaves[path]
    kind, choices = answers(path, value, journal.leaves)
    now = value if kind == "several" else [plain(value)]
    asks = _asked(journal, path)
    return {"path": path, "asks": asks, "kind": kind, "choices": choices, "now": now}


def _asked(journal: Journal, path: str) -> str:
    return asked(path, lambda bid: str(journal.rule(f"bids.{bid}.title") or bid))


def _enter(ledger: Ledger, given: Mapping[str, str], more: Any) -> None:
    told = (given.get(key, "") for key in ("from", "to", "amount", "reason"))
    fact = by_hand(ledger.journal(), *told, loan=given.get("loan") == "yes")
    ledger.record(fact, **more)


def _order(ledger: Ledger, given: Mapping[str, str]) -> Fact:
    told: dict[str, Any] = {
        name: value
        for name in ("incident", "card", "by", "hombre", "ally")
        if (value := given.get(name, ""))
    }
    told |= {name: _YES[said] for name in FACTS if (said := given.get(name, "")) in _YES}
    law = given.get("law") or None
    return ordered(ledger, load_text(json.dumps(told).encode(), "the form"), law, "emended")


def _rule(ledger: Ledger, given: Mapping[str, str], more: Any) -> None:
    ledger.record(_order(ledger, given), **more)


def _compiled(ledger: Ledger, *more: str) -> tuple[Compiled, str]:
    """The rules of the next deal, with settings ``PATH=VALUE``, and how they are named."""
    ref, readings, sets = ledger.rules_named()
    return compile_all([ref], readings, [*sets, *more])[0], ref


def _rules(ledger: Ledger, given: Mapping[str, str], more: Any) -> None:
    rule = f"{given.get('rule', '')}={given.get('value', '')}"
    ledger.change_rules(*_compiled(ledger, rule), **more)


def _move(ledger: Ledger, given: Mapping[str, str], more: Any) -> None:
    ledger.move(*(whole(given.get(end, ""), end) for end in ("number", "place")), **more)


_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "rename": ("old", "new"),
    "exchange": ("one", "other"),
    "leave": ("old",),
    "join": ("new",),
    "reopen": (),
}
"""Changes that take names alone, called as what makes them in the ledger; and their fields."""


def _named(ledger: Ledger, given: Mapping[str, str], more: Any) -> None:
    what = given["what"]
    getattr(ledger, what)(*(given.get(name, "") for name in _NAMES[what]), **more)


_CHANGES: Final[dict[str, Callable[[Ledger, Mapping[str, str], Any], None]]] = {
    "enter": _enter,
    "ruling": _rule,
    "move": _move,
    "rules": _rules,
    **dict.fromkeys(_NAMES, _named),
}
