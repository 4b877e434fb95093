"""What changes an evening beside its deals, on a phone: entries by hand and by law, people, the
order of deals, the rules, and a session that ended too early."""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quadrille_core.errors import QuadrilleError, UsageError
from quadrille_core.profile import load_text
from quadrille_core.profile.yaml_strict import decoded
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import matches
from quadrille_plugins.house_rules.idle import idle_among
from quadrille_plugins.ledger.by_law import known_incidents, ordered
from quadrille_plugins.ledger.hand import by_hand
from quadrille_plugins.ledger.history_report import history_blocks
from quadrille_plugins.ledger.incident import FACTS
from quadrille_plugins.ledger.journal import Fact, Journal
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.ledger.spreadsheet import COLUMNS, MOST_BYTES, deals_of
from quadrille_plugins.lookup.rule_page import plain
from quadrille_plugins.serve.forms import Choice, whole
from quadrille_plugins.serve.house_form import LONGEST_VALUE, TOPICS, answers, asked, said
from quadrille_plugins.serve.named import text_sent
from quadrille_plugins.serve.pages import shown
from quadrille_plugins.serve.rules_pages import body_of
from quadrille_plugins.serve.table_pages import LAST_ACT, TablePages, is_stale
from quadrille_plugins.shell.options import compile_all

EVENING: Final = "/evening"
_ASKS: Final = ("incident-lacks", "incident-lacks-fact")
"""Problems that ask for one more fact."""
_TOLD: Final = ("incident", "card", "by", "hombre", "ally", *FACTS)
"""What may be told of what happened."""
_CHOSEN: Final = {"rule": "rules", "incident": "ruling"}
"""What is chosen before its form is shown, and the form."""
_YES: Final = {"yes": True, "no": False}


class EveningPages(TablePages):
    """The page *Change the evening*, and the rulebook of the evening."""

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/rulebook", self.rulebook),
            Route(EVENING, self.evening),
            Route(f"{EVENING}/record", self.pages.writes(self.change), methods=["POST"]),
        ]

    def evening(self, request: Request) -> Response:
        """A form for each change, folded, and every command so far; of an incident that was chosen
        what a law must know."""
        given = dict(request.query_params)
        given["what"] = next((_CHOSEN[n] for n in given if n in _CHOSEN), given.get("what", ""))
        if "incident" not in given:
            return self._evening(request, given)
        try:
            with Ledger(self.file) as ledger:
                _order(ledger, "", *(given.get(name, "") for name in _TOLD))
        except QuadrilleError as e:
            return self._evening(request, given, e)
        return self._evening(request, given)

    def _evening(
        self, request: Request, given: Mapping[str, str], error: QuadrilleError | None = None
    ) -> Response:
        with Ledger(self.file) as ledger:
            journal = ledger.journal()
            incidents = {} if journal.ended else known_incidents(ledger)
        found, what = error.problems if error else (), given.get("what", "")
        lacks = {str(p.data["key"]): shown(p) for p in found if p.variant in _ASKS}
        return self._page(
            request,
            "evening.html",
            journal,
            status=(409 if is_stale(error) else 422) if error and request.method == "POST" else 200,
            problems=[replace(p, place=None) for p in found if p.variant not in _ASKS],
            apart=what not in _CHANGES or (what == "reopen") != journal.ended,
            lacks=lacks,
            given=given,
            seated=journal.names_of(journal.seated()),
            everybody=journal.names_of(journal.players()),
            deals=[(n, f"{n}: {row.outcome}") for n, row in journal.deals.items()],
            incidents=incidents,
            asked={"by", *lacks, *given},
            facts=FACTS,
            rules_now=[] if journal.ended else rules_now(journal),
            rule=rule_to_change(journal, given.get("rule", "")),
            columns=COLUMNS,
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
            if given.get("what") not in _CHANGES:
                raise UsageError.of("no-such-change")
            what, fields = _CHANGES[given["what"]]
            if "several" in given:
                given["value"] = f"[{', '.join(map(str, form.getlist('value')))}]"
            if sent := text_sent(form):
                given["text"] = decoded(sent, "the file", MOST_BYTES)
            told = [given.get(name, "") for name in fields]
            last = whole(given.get(LAST_ACT), LAST_ACT)
            return self._written(
                form,
                lambda ledger, key: what(ledger, *told, last_act=last, key=key),
                "/?done=yes" if what is _deals else "",
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


def _enter(
    ledger: Ledger, payer: str, payee: str, amount: str, reason: str, loan: str, **stamp: Any
) -> None:
    fact = by_hand(ledger.journal(), payer, payee, amount, reason, loan=loan == "yes")
    ledger.record(fact, **stamp)


def _order(ledger: Ledger, law: str, *said: str) -> Fact:
    told = {
        name: _YES.get(value, value) if name in FACTS else value
        for name, value in zip(_TOLD, said, strict=True)
        if value
    }
    return ordered(ledger, load_text(json.dumps(told).encode(), "the form"), law or None, "emended")


def _rule(ledger: Ledger, law: str, *said: str, **stamp: Any) -> None:
    ledger.record(_order(ledger, law, *said), **stamp)


def _deals(ledger: Ledger, text: str, **stamp: Any) -> None:
    ledger.record_all(deals_of(Path("the file"), text.encode()), **stamp)


def _rename(ledger: Ledger, old: str, new: str, both: str, **stamp: Any) -> None:
    ledger.rename((old, new), *([(new, old)] if both else []), **stamp)


def _leave(ledger: Ledger, old: str, new: str, **stamp: Any) -> None:
    if new:
        ledger.substitute(old, new, **stamp)
    else:
        ledger.leave(old, **stamp)


def _move(ledger: Ledger, number: str, place: str, **stamp: Any) -> None:
    ledger.move(whole(number, "number"), whole(place, "place"), **stamp)


def _compiled(ledger: Ledger, *more: str) -> tuple[Compiled, str]:
    """The rules of the next deal, with settings ``PATH=VALUE``, and how they are named."""
    ref, readings, sets = ledger.rules_named()
    return compile_all([ref], readings, [*sets, *more])[0], ref


def _rules(ledger: Ledger, rule: str, value: str, **stamp: Any) -> None:
    ledger.change_rules(*_compiled(ledger, f"{rule}={value}"), **stamp)


_CHANGES: Final[dict[str, tuple[Callable[..., object], tuple[str, ...]]]] = {
    "enter": (_enter, ("from", "to", "amount", "reason", "loan")),
    "ruling": (_rule, ("law", *_TOLD)),
    "deals": (_deals, ("text",)),
    "rename": (_rename, ("old", "new", "both")),
    "exchange": (Ledger.exchange, ("one", "other")),
    "leave": (_leave, ("old", "new")),
    "join": (Ledger.join, ("new",)),
    "move": (_move, ("number", "place")),
    "rules": (_rules, ("rule", "value")),
    "reopen": (Ledger.reopen, ()),
}
"""What each form changes, and its fields."""
