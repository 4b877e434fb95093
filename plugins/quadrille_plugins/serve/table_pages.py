"""The ledger of one table on a phone: the standing, one screen a deal, corrections, settling up.

Whatever is written carries the key of its form, which the ledger keeps with it: a form that is sent
again is answered as it was the first time, and records nothing.
"""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quadrille_core.errors import LedgerError, Problem, QuadrilleError, ResultError, UsageError
from quadrille_plugins.ledger import ending_report, report
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.asking import PASSED, VOID
from quadrille_plugins.ledger.coins import BOTH, PLAIN
from quadrille_plugins.ledger.deriving import derive
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.notes import KEY, SentBeforeError
from quadrille_plugins.ledger.refusing import row_of
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.serve.forms import (
    SHARES,
    Given,
    filled,
    ledger_fact,
    ledger_fields,
    place_of,
    player_of,
    shares,
    told_incidents,
    typed,
    was_sent,
    whole,
)
from quadrille_plugins.serve.pages import Pages, shown
from quadrille_plugins.shell.blocks import Block

FORM_KEY: Final = "form_key"
_UNSAID: Final = {
    "matadors": ["0"],
    "adversary_matadors": ["0"],
    "vole": ["none"],
    "dealer": [""],
}
"""What holds where nothing is said, as the form shows it."""
LAST_ACT: Final = "last_act"
"""The field of a form that says which command was the last when its page was made."""


class DealNumber(IntegerConvertor):
    """The number of a deal in an address."""

    regex = "[0-9]{1,9}"


register_url_convertor("deal", DealNumber())


class TablePages:
    """The pages of a ledger."""

    def __init__(self, pages: Pages, file: Path) -> None:
        self.pages, self.file = pages, file
        self._writing = (
            threading.Lock()
        )  # of this process; others are kept out by the ledger itself

    def routes(self) -> list[Route]:
        """The addresses."""
        writes = self.pages.writes
        return [
            Route("/", self.standing),
            Route("/deals.csv", self.sheet),
            Route("/next", self.next),
            Route("/record", writes(self.record), methods=["POST"]),
            Route("/deal/{number:deal}", self.deal),
            Route("/deal/{number:deal}/correct", self.correction),
            Route("/deal/{number:deal}/record", writes(self.correct), methods=["POST"]),
            Route("/deal/{number:deal}/reverse", writes(self.reverse), methods=["POST"]),
            Route("/undo", writes(self.undo), methods=["POST"]),
            Route("/end", self.ending),
            Route("/end/record", writes(self.end), methods=["POST"]),
        ]

    # Reading.

    def standing(self, request: Request) -> Response:
        """Who holds what, the pool, what comes next, every deal in a line."""
        with Ledger(self.file) as ledger:
            journal = told(ledger)
        return self._page(
            request,
            "table.html",
            journal,
            blocks=report.standing_blocks(journal),
            deals=_deals(journal),
        )

    def sheet(self, _: Request) -> Response:
        """Every deal, for a spreadsheet."""
        with Ledger(self.file) as ledger:
            text = report.sheet_text(ledger.journal())
        text = f"\ufeff{text}"  # without the mark some take UTF-8 for another encoding
        headers = {"content-disposition": 'attachment; filename="deals.csv"'}
        return Response(text, media_type="text/csv", headers=headers)

    def deal(self, request: Request) -> Response:
        """One deal with every payment, and what was recorded of it before."""
        number = request.path_params["number"]
        with Ledger(self.file) as ledger:
            journal = told(ledger)
            row = row_of(journal, number)
            settlement = ledger.settled(number)
        dealer = journal.dealer_of(row)
        return self._page(
            request,
            "deal.html",
            journal,
            number=number,
            blocks=report.deal_blocks(journal, number, settlement),
            net=report.net_block(journal, journal.movements_of(number), entry=not dealer),
            itemised=report.itemised_blocks(journal, number)[1:],
            row=row,
            orders=report.order_blocks(row),
            dealer=dealer,
            note=journal.note_of(number),
            before=len(journal.records_of(number)) - 1,
        )

    def next(self, request: Request) -> Response:
        """The form of the next deal; once it is filled in, what the deal comes to.

        A form that was opened for a deal that somebody else has recorded since is answered with
        both.
        """
        given = request.query_params
        meant = whole(given.get("deal"), "deal") if given.get("deal") else 0
        page = self._conflict(request, given, meant) if was_sent(given) and meant else None
        return page or self._next(request, given)

    def _next(self, request: Request, given: Given, *, changed: bool = False) -> Response:
        with Ledger(self.file) as ledger:
            journal = told(ledger)
            if journal.ended:
                return self._page(request, "ended.html", journal)
            before = _before(given)
            due, table = _tables(ledger, given, before=before)
        return self._asked(
            request,
            journal,
            due,
            table,
            given,
            {},
            changed=changed,
            was="",
            before=before,
            number=before or journal.next_deal,
        )

    def correction(self, request: Request) -> Response:
        """The form of a deal as it is recorded; once it is changed, what the deal comes to then."""
        number, given = request.path_params["number"], request.query_params
        with Ledger(self.file) as ledger:
            journal = told(ledger)
            row = row_of(journal, number)
            if journal.ended:
                return self._page(request, "ended.html", journal)
            due, table = _tables(ledger, given, number)
        fact, at_first = row.fact, {"reason": [row.fact.note]}
        if fact.kind == "result":
            at_first = filled(fact.data, due)
        elif fact.kind != "reversed":
            at_first |= told_incidents(fact.data, due)
            at_first["contract"] = [PASSED if fact.kind == "passed" else VOID]
        was = given.get("was") or str(row.id)
        return self._asked(
            request, journal, due, table, given, at_first, number=number, was=was, before=None
        )

    def ending(self, request: Request) -> Response:
        """The fewest payments that settle everything; nothing is recorded by looking."""
        return self._ending(request, request.query_params.get("split"))

    def _ending(self, request: Request, split: str | None, *, changed: bool = False) -> Response:
        """``split`` is what is to be done with the pool, None where nobody has said: nobody is then
        billed for it."""
        with Ledger(self.file) as ledger:
            journal = told(ledger)
            ending = ledger.ending(split_pool=split == "yes")
        open_pool = bool(ending.pool) and split not in ("yes", "no") and not journal.ended
        return self._page(
            request,
            "end.html",
            journal,
            status=409 if changed else 200,
            changed=changed,
            blocks=ending_report.ending_blocks(journal, ending, paid=not open_pool),
            pool=journal.coins.text(ending.pool) if open_pool else "",
            split="yes" if ending.split else "no",
        )

    def _asked(
        self,
        request: Request,
        journal: Journal,
        due: Table,
        table: Table,
        given: Given,
        at_first: Mapping[str, list[str]],
        *,
        changed: bool = False,
        **context: Any,
    ) -> Response:
        """The form of a deal, with what a filled one comes to, or what is wrong with it.

        ``due`` is the deal as who should have dealt it, ``table`` as who did; ``at_first`` is what
        an empty form says.
        """
        fields = ledger_fields(due, recorded=bool(at_first))
        problems: list[dict[str, str]] = []
        shared = {f.name for f in fields if f.kept and (at_first.get(f.name) or given.get(f.name))}
        blocks, names = list[Block](), table.start.names
        net = report.net_block(journal, ())
        if was_sent(given):
            try:
                fact = ledger_fact(given, table)
                derived = derive(table.rules, table.start, fact, place_of)
                blocks = report.derived_blocks(journal, names, fact, derived)
                net = report.net_block(journal, derived.movements)
            except (ResultError, UsageError) as e:
                wanted = shares(e, given, table)
                found = [_at_field(p, wanted) for p in e.problems]
                # without a contract nothing else is asked
                problems = [p for p in found if p["key"] == "contract"] or found
                shared.update(wanted)
        fields = [f for f in fields if not f.kept or f.name in shared]
        asked = [f.name for f in fields]
        problems.sort(key=lambda p: asked.index(p["key"]) if p["key"] in asked else -1)
        return self._page(
            request,
            "ask.html",
            journal,
            status=409 if changed else 422 if problems else 200,
            fields=fields,
            typed=typed(given, fields) if was_sent(given) else {**_UNSAID, **at_first},
            problems=problems,
            changed=changed,
            dealer=table.dealer,
            names=names,
            blocks=blocks,
            net=net,
            **context,
        )

    def _page(
        self,
        request: Request,
        template: str,
        journal: Journal,
        *,
        status: int = 200,
        **context: Any,
    ) -> Response:
        """A page of the ledger; each has the next deal, and a fresh key for a form."""
        return self.pages.page(
            request,
            template,
            status=status,
            rules=report.rules_text(journal),
            ended=journal.ended,
            recorded=request.query_params.get("done") == "yes",
            next_deal=journal.next_deal,
            act_field=LAST_ACT,
            last_act=journal.transactions[-1].id,
            key_field=FORM_KEY,
            key=secrets.token_hex(16),
            **context,
        )

    # Writing.

    def record(self, request: Request, form: FormData) -> Response:
        """Record the next deal."""
        number = whole(form.get("deal"), "deal")

        def write(ledger: Ledger, key: str) -> None:
            before = _before(form)
            due, table = _tables(ledger, form, before=before)
            ledger.record(
                ledger_fact(form, table),
                dealer=_dealer(form, due),
                before=before,
                number=None if before else number,
                place=place_of,
                last_act=whole(form.get(LAST_ACT), LAST_ACT),
                key=key,
            )

        try:
            return self._written(form, write)
        except QuadrilleError as e:
            conflict = self._conflict(request, form, number)
            if conflict or is_stale(e):  # what was looked at is not what would be recorded now
                return conflict or self._next(request, form, changed=True)
            raise

    def correct(self, request: Request, form: FormData) -> Response:
        """Record a deal differently."""
        number: int = request.path_params["number"]

        def write(ledger: Ledger, key: str) -> None:
            due, table = _tables(ledger, form, number)
            was, dealer = whole(form.get("was"), "was"), _dealer(form, due)
            fact = ledger_fact(form, table)
            ledger.correct(number, fact, dealer=dealer, was=was, place=place_of, key=key)

        try:
            return self._written(form, write)
        except LedgerError as e:
            if is_stale(e) and (page := self._conflict(request, form, number, correcting=True)):
                return page
            raise

    def reverse(self, request: Request, form: FormData) -> Response:
        """Take a deal back."""
        number, was = request.path_params["number"], whole(form.get("was"), "was")
        return self._written(form, lambda ledger, key: ledger.reverse(number, was=was, key=key))

    def undo(self, _: Request, form: FormData) -> Response:
        """Take back the last entry."""
        last = whole(form.get(LAST_ACT), LAST_ACT)
        return self._written(form, lambda ledger, key: ledger.undo(last_act=last, key=key))

    def end(self, request: Request, form: FormData) -> Response:
        """Settle up, and end the session; asked again, it has ended."""
        last, split = whole(form.get(LAST_ACT), LAST_ACT), form.get("split")

        def write(ledger: Ledger, _: str) -> None:  # without a key: a session ends once
            if not ledger.journal().ended:
                ledger.end(split_pool=split == "yes", last_act=last)

        try:
            return self._written(form, write, at="/end")
        except LedgerError as e:
            if is_stale(e):  # what was looked at is not what would be settled now
                return self._ending(request, str(split), changed=True)
            raise

    def _written(
        self,
        form: FormData,
        write: Callable[[Ledger, str], object],
        at: str = "",
    ) -> Response:
        """Record what a form says, once: the answer to the same form is always the same."""
        key = form.get(FORM_KEY)
        if not isinstance(key, str) or not KEY.fullmatch(key):
            raise UsageError.of("form-without-key")
        with self._writing, Ledger(self.file) as ledger:
            number = ledger.deal_sent(key)
            if number is None:
                with suppress(SentBeforeError):  # another process was quicker
                    write(ledger, key)
                number = ledger.deal_sent(key) or 0
        done = f"/deal/{number}?done=yes" if number else "/?done=yes"
        return RedirectResponse(at or done, 303)

    def _conflict(
        self, request: Request, form: Given, number: int, *, correcting: bool = False
    ) -> Response | None:
        """Both entries side by side, where another was recorded in the meantime; None where none
        was."""
        with Ledger(self.file) as ledger:
            journal = told(ledger)
            if number not in journal.deals or journal.ended or form.get("before"):
                return None
            due, table = _tables(ledger, form, number)
        row, fields = journal.deals[number], ledger_fields(due, recorded=True)
        try:
            mine = derive(table.rules, table.start, ledger_fact(form, table)).outcome
        except (ResultError, UsageError):
            mine = ""
        return self._page(
            request,
            "conflict.html",
            journal,
            status=409,
            number=number,
            blocks=report.deal_blocks(journal, number),
            mine=mine,
            same=mine == row.outcome,
            correcting=correcting,
            sent=[(f.name, value) for f in fields for value in typed(form, fields)[f.name]],
            was=row.id,
        )


def _deals(journal: Journal) -> list[tuple[object, object, object, object, list[str]]]:
    """Every deal, the last first: number, dealer, outcome, note, and what each has won or lost by
    it."""
    columns, rows = report.session_rows(journal)
    found = []
    for number, dealer, outcome, note, *moved, _ in reversed(rows):
        pairs = zip(columns[4:-1], moved, strict=True)
        each = [f"{name} {PLAIN.text(Fraction(str(n)), sign=True)}" for name, n in pairs if n]
        found.append((number, dealer, outcome, note, each))
    return found


def _tables(
    ledger: Ledger, given: Given, number: int | None = None, before: int | None = None
) -> tuple[Table, Table]:
    """A deal as who should have dealt it, and as who is said to have."""
    due = ledger.table(None, number, before=before)
    dealer = _dealer(given, due)
    return due, ledger.table(dealer, number, before=before) if dealer else due


def _dealer(given: Given, due: Table) -> str | None:
    """Who is said to have dealt; None where nobody is, or who should have."""
    chosen = given.get("dealer")
    name = player_of(chosen, due) if isinstance(chosen, str) and chosen else due.dealer
    return None if name == due.dealer else name


def _at_field(problem: Problem, wanted: Sequence[str]) -> dict[str, str]:
    """A fault as the page shows it, at the field of the form that can mend it: of the ``wanted``
    tricks, where it is they."""
    found = shown(problem)
    if problem.variant in SHARES and wanted:
        return {**found, "key": wanted[0]}
    return {**found, "key": "side"} if found["key"] == "tricks" else found


def _before(given: Given) -> int | None:
    """The deal before which a forgotten one is inserted; None where it is the next."""
    return whole(given["before"], "before", 1) if given.get("before") else None


def is_stale(error: QuadrilleError) -> bool:
    """Whether a form was refused for having seen the ledger as it no longer is."""
    return any(p.code == "Q912" for p in error.problems)


def told(ledger: Ledger) -> Journal:
    """The journal, with plain counters beside its coins."""
    journal = ledger.journal()
    if journal.session["coins"] == "plain":
        return journal
    return replace(journal, session={**journal.session, "coins": BOTH})
