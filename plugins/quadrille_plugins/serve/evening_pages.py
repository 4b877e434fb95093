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
from quadrille_plugins.ledger.by_law import known_incidents, ordered
from quadrille_plugins.ledger.hand import by_hand
from quadrille_plugins.ledger.history import history_blocks
from quadrille_plugins.ledger.incident import FACTS
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.serve.forms import LONGEST, whole
from quadrille_plugins.serve.house_form import choices_of, in_words
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
        return self._evening(request, {})

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
            rules_now=[] if journal.ended else in_words(journal.leaves),
            values=choices_of(given.get("rule", "")),
            history=history_blocks(journal),
            new_key=lambda: secrets.token_hex(16),
        )

    def change(self, request: Request, form: FormData) -> Response:
        """Make one change."""
        given = {key: text.strip()[:LONGEST] for key, text in form.items() if isinstance(text, str)}
        asks = given.get("what") == "rules" and not given.get("value")
        if asks and choices_of(given.get("rule", "")):
            return self._evening(request, given)
        try:
            what = _CHANGES.get(given.get("what", ""))
            if what is None:
                raise UsageError.of("no-such-change")
            last = whole(given.get(LAST_ACT), LAST_ACT)
            return self._written(form, lambda ledger, key: what(ledger, given, last, key))
        except QuadrilleError as e:
            return self._evening(request, given, e)


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
    fact, _ = ordered(ledger, load_text(json.dumps(told).encode(), "the form"), law, "emended")
    ledger.record(fact, last_act=last, key=key)


def _rename(ledger: Ledger, given: Mapping[str, str], last: int, key: str) -> None:
    ledger.rename(given.get("old", ""), given.get("new", ""), last_act=last, key=key)


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
