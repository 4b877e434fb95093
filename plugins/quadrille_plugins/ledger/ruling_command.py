"""``quadrille session ruling``: what the laws order in an irregularity, who pays whom, and which
law says so."""

from fractions import Fraction
from typing import Any

import click

from quadrille_core.cards import format_card
from quadrille_core.engine.result import POOL, Transfer
from quadrille_core.errors import UsageError
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.incident import IncidentReport, read_incident
from quadrille_plugins.ledger.judge import Judgement, Ruling, judge
from quadrille_plugins.ledger.law_kept import kept_laws
from quadrille_plugins.ledger.laws import (
    Laws,
    TextChoice,
    followed,
    incidents_of,
    sheets_of,
    speaking,
)
from quadrille_plugins.ledger.laws_report import COLUMNS, law_blocks, law_rows, laws_json
from quadrille_plugins.settle.blocks import payments_of
from quadrille_plugins.settle.payments import cited_payments, table_groups
from quadrille_plugins.settle.result_file import account_name
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.options import (
    Repeated,
    compile_all,
    format_option,
    read_input,
    refine_options,
)
from quadrille_plugins.shell.values import identity_text, identity_to_plain, plainly, with_signs

text_option = click.option(
    "--text",
    type=click.Choice(["emended", "literal"]),
    default="emended",
    show_default=True,
    help="Read the laws that are corrupt in print as emended, or to the letter.",
)


@click.command("ruling", short_help="What the laws order in an irregularity.")
@click.argument("ref")
@click.argument("incident", required=False)
@click.option("--laws", "listing", is_flag=True, help="List all the laws with their kinds instead.")
@text_option
@format_option
@refine_options
def ruling_command(
    ref: str,
    incident: str | None,
    listing: bool,
    text: TextChoice,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Say what the laws order in the INCIDENT told in a file (`-` reads standard input), played
    under REF.

    A file that does not tell what a law must know is asked for it by name.
    """
    if listing == (incident is not None):
        raise UsageError.of("ruling-or-laws")
    compiled = compile_all([ref], readings, sets)[0]
    rules = compiled.rules
    sheets = sheets_of(compiled, rules, compiled.source_of)
    if incident is None:
        return _list(compiled, sheets[0], text)
    case = read_incident(read_input(incident), incidents_of(sheets), rules.table.players)
    laws = speaking(sheets, case.incident)
    verdict = judge(laws, case, rules, text)
    return Answer(
        blocks=lambda: _blocks(compiled, laws, case, verdict, text),
        data=lambda: _data(compiled, laws, case, verdict, text),
        rows=lambda: (_COLUMNS, _rows(laws, case, verdict, text)),
    )


def _borrowed(compiled: Compiled, laws: Laws) -> bool:
    """Whether the rules follow another source, which prints no such laws."""
    return laws.source not in followed(compiled)


def _head(compiled: Compiled, laws: Laws, incident: str = "") -> list[Block]:
    """What the answer is about and by whose laws; the first line says it where those are lent."""
    told = [Text(f"Incident: {incident}", strong=True)] if incident else []
    name = identity_text(compiled.identity)
    if not _borrowed(compiled, laws):
        return [*told, Text(f"{name}\nlaws of {laws.source}")]
    text = f"borrowed from {laws.source}: the source of these rules has no such law that we know"
    return [Text(text, strong=True), *told, Text(name)]


def _laws_json(compiled: Compiled, laws: Laws, text: TextChoice) -> dict[str, object]:
    return {"source": laws.source, "text": text, "borrowed": _borrowed(compiled, laws)}


def _list(compiled: Compiled, laws: Laws, text: TextChoice) -> Answer:
    kept = kept_laws(compiled, laws.source)

    def data() -> Any:
        head = _laws_json(compiled, laws, text)
        return {
            "rules": identity_to_plain(compiled.identity),
            "laws": head,
            "list": laws_json(laws, text, kept),
        }

    return Answer(
        blocks=lambda: [*_head(compiled, laws), *law_blocks(laws, text, kept)],
        data=data,
        rows=lambda: (COLUMNS, law_rows(laws, text, kept)),
    )


def _joined(ruling: Ruling) -> str:
    return "\n".join(("or " if o.alternative else "") + o.text for o in ruling.orders)


def _blocks(
    compiled: Compiled, laws: Laws, case: IncidentReport, verdict: Judgement, text: TextChoice
) -> list[Block]:
    blocks = _head(compiled, laws, laws.incidents[case.incident])
    if verdict.rulings:
        rows = tuple(
            (r.law.label, with_signs(_joined(r)), r.law.reading(text), laws.cite(r.law.number))
            for r in verdict.rulings
        )
        blocks.append(Table("", ("law", "orders", "reading", "source"), rows))
    else:
        blocks.append(Text("No law speaks of it."))
    if paid := _paid(laws, verdict):
        cites = {
            t.rule: dict.fromkeys(cite for other, cite in paid if other.rule == t.rule)
            for t, _ in paid
        }
        payments = payments_of([t for t, _ in paid], case.players)
        groups = table_groups(case.players)
        blocks += cited_payments(
            payments, "counters", lambda rule: "; ".join(cites[rule]), groups=groups
        )
    notes = [
        f"Laws {a} and {b} both speak of it; where they differ, the table must choose."
        for a, b in verdict.overlaps()
    ]
    for ruling in verdict.rulings:
        notes += [
            f"{ruling.law.label}: {note}" for note in (ruling.note, ruling.law.corrupt) if note
        ]
    notes += [f"{i.law.label} does not apply ({i.because})." for i in verdict.idle]
    return [*blocks, Text("\n".join(notes))] if notes else blocks


def _paid(laws: Laws, verdict: Judgement) -> list[tuple[Transfer, str]]:
    return [(t, laws.cite(r.law.number)) for r in verdict.rulings for t in r.transfers]


def _transfer(t: Transfer, case: IncidentReport, cite: str) -> dict[str, object]:
    return {
        "from": account_name(t.source, case.players),
        "to": account_name(t.target, case.players),
        **plainly(t, "amount", "reason", "rule"),
        "source": cite,
    }


def _balance(account: int, paid: list[tuple[Transfer, str]]) -> Fraction:
    return sum(
        (t.amount * ((t.target == account) - (t.source == account)) for t, _ in paid), Fraction(0)
    )


def _data(
    compiled: Compiled, laws: Laws, case: IncidentReport, verdict: Judgement, text: TextChoice
) -> dict[str, object]:
    card = None if case.card is None else format_card(case.card)
    named = case.players
    paid = _paid(laws, verdict)
    *net, added = (_balance(s, paid) for s in (*range(len(named)), POOL))
    return {
        "rules": identity_to_plain(compiled.identity),
        "laws": _laws_json(compiled, laws, text),
        "incident": case.incident,
        "rulings": [
            {
                "law": r.law.number,
                "kind": r.law.kind,
                "reading": r.law.reading(text),
                "says": r.law.says(text),
                "orders": [
                    {
                        "order": o.order,
                        "alternative": o.alternative,
                        "who": [named[s] for s in o.who],
                        "whom": [named[s] for s in o.whom],
                        "card": card
                        if o.order in ("card_may_be_called", "must_play_card")
                        else None,
                        "text": o.text,
                    }
                    for o in r.orders
                ],
                "transfers": [_transfer(t, case, laws.cite(r.law.number)) for t in r.transfers],
                "note": r.note,
                "source": laws.cite(r.law.number),
            }
            for r in verdict.rulings
        ],
        "overlaps": [list(pair) for pair in verdict.overlaps()],
        "silent": [{"law": i.law.number, "because": i.because} for i in verdict.idle],
        "transfers": [_transfer(t, case, cite) for t, cite in paid],
        "net": {p: plain_amount(n) for p, n in zip(named, net, strict=True)},
        "pool": None
        if case.pool is None
        else {"before": plain_amount(case.pool), "after": plain_amount(case.pool + added)},
    }


_COLUMNS = ("law", "order", "text", "reading", "source", "from", "to", "amount", "reason", "rule")


def _rows(
    laws: Laws, case: IncidentReport, verdict: Judgement, text: TextChoice
) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for ruling in verdict.rulings:
        head = (ruling.law.label, ruling.law.reading(text), laws.cite(ruling.law.number))
        for order in ruling.orders:
            paid = ruling.transfers if order.order in ("beast", "pay") else ()
            moved = [tuple(_transfer(t, case, "").values())[:5] for t in paid] or [("",) * 5]
            rows += [(head[0], order.order, order.text, *head[1:], *cells) for cells in moved]
    return rows or [("", "", "no law speaks of it", "", "", "", "", "", "", "")]
