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
from quadrille_core.vocabulary import matches
from quadrille_plugins.ledger.by_law import known_incidents, ordered
from quadrille_plugins.ledger.hand import by_hand
from quadrille_plugins.ledger.history_report import history_blocks
from quadrille_plugins.ledger.incident import FACTS
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.lookup.rule_page import plain
from quadrille_plugins.serve.forms import Choice, whole
from quadrille_plugins.serve.house_form import LONGEST_VALUE, TOPICS, answers, asked, is_asked, said
from quadrille_plugins.serve.pages import shown
from quadrille_plugins.serve.table_pages import LAST_ACT, TablePages
from quadrille_plugins.shell.options import compile_all

EVENING: Final = "/evening"
_PERSONS: Final = (("by", "Who did it"), ("hombre", "Hombre"), ("ally", "The ally"))
_ASKS: Final = ("incident-lacks", "incident-lacks-fact")
"""Problems that ask for one more fact."""
_YES: Final = {"yes": True, "no": False}


class EveningPages(TablePages):
    """The page *Change the evening*."""

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route(EVENING, self.evening),
            Route(f"{EVENING}/record", self.pages.writes(self.change), methods=["POST"]),
        ]

    def evening(self, request: Request) -> Response:
        """A form for each change, folded, and every command so far."""
        rule = request.query_params.get("rule", "")
        return self._evening(request, {"what": "rules", "rule": rule} if rule else {})

    def _evening(
        self, request: Request, given: Mapping[str, str], error: QuadrilleError | None = None
    ) -> Response:
        with Ledger(self.file) as ledger:
            journal = ledger.journal()
            incidents = {} if journal.ended else known_incidents(ledger)
        found = error.problems if error else ()
        asked = {str(p.data["key"]) for p in found if p.variant in _ASKS} | given.keys()
        stale = error is not None and any(p.code == "Q912" for p in error.problems)
        return self._page(
            request,
            "evening.html",
            journal,
            status=409 if stale else 422 if error else 200,
            problems=[shown(replace(p, place=None)) for p in found],
            given=given,
            seated=[(journal.accounts[a],) * 2 for a in journal.seated()],
            everybody=[(journal.accounts[a],) * 2 for a in journal.players()],
            deals=[(n, f"{n}: {row.outcome}") for n, row in journal.deals.items()],
            numbers=[(n, n) for n in journal.deals],
            incidents=incidents,
            persons=[one for one in _PERSONS if one[0] == "by" or one[0] in asked],
            facts=[(name, says) for name, says in FACTS.items() if name in asked],
            card="card" in asked,
            rules_now=[] if journal.ended else rules_now(journal),
            rule=rule_to_change(journal, given.get("rule", "")),
            history=history_blocks(journal),
            new_key=lambda: secrets.token_hex(16),
        )

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
            return self._written(form, lambda ledger, key: what(ledger, given, last, key))
        except QuadrilleError as e:
            return self._evening(request, given, e)


def rules_now(journal: Journal) -> list[tuple[str, list[Choice]]]:
    """Every rule by its topic: its path, what it asks and what it is; those of no topic last."""
    left = {p: value for p, value in journal.leaves.items() if is_asked(p, journal.leaves)}
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
    kind, choices = answers(path, value)
    now = value if kind == "several" else [plain(value)]
    asks = _asked(journal, path)
    return {"path": path, "asks": asks, "kind": kind, "choices": choices, "now": now}


def _asked(journal: Journal, path: str) -> str:
    return asked(path, lambda bid: str(journal.rule(f"bids.{bid}.title") or bid))


def _enter(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    ends = (given.get("from", ""), given.get("to", ""), given.get("amount", ""))
    loan = given.get("loan") == "yes"
    fact = by_hand(ledger.journal(), *ends, given.get("reason", ""), loan=loan)
    ledger.record(fact, last_act=last, key=key)


def _rule(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    told: dict[str, Any] = {
        name: value
        for name in ("incident", "card", *dict(_PERSONS))
        if (value := given.get(name, ""))
    }
    told |= {name: _YES[said] for name in FACTS if (said := given.get(name, "")) in _YES}
    law = given.get("law") or None
    fact = ordered(ledger, load_text(json.dumps(told).encode(), "the form"), law, "emended")
    ledger.record(fact, last_act=last, key=key)


def _rename(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    names = given.get("old", ""), given.get("new", "")
    ledger.rename(names, *([names[::-1]] if "both" in given else []), last_act=last, key=key)


def _exchange(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    ledger.exchange(given.get("one", ""), given.get("other", ""), last_act=last, key=key)


def _leave(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    ledger.leave(given.get("old", ""), last_act=last, key=key)


def _join(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    ledger.join(given.get("new", ""), last_act=last, key=key)


def _move(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    number, to = (whole(given.get(end, ""), end) for end in ("number", "place"))
    ledger.move(number, to, last_act=last, key=key)


def _rules(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    ref, readings, sets = ledger.rules_named()
    compiled = compile_all(
        [ref], readings, [*sets, f"{given.get('rule', '')}={given.get('value', '')}"]
    )
    ledger.change_rules(compiled[0], ref, last_act=last, key=key)


def _reopen(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    del given
    ledger.reopen(last_act=last, key=key)


_CHANGES: Final[dict[str, Callable[[Ledger, Mapping[str, str], int, str], None]]] = {
    "enter": _enter,
    "ruling": _rule,
    "rename": _rename,
    "exchange": _exchange,
    "leave": _leave,
    "join": _join,
    "move": _move,
    "rules": _rules,
    "reopen": _reopen,
}
