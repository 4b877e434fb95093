"""What the laws order in an incident of a session, as an entry by hand."""

from collections.abc import Sequence

from quadrille_core.engine.amounts import counts_beasts
from quadrille_core.engine.carry import multiplier_of, staked
from quadrille_core.engine.terms import counts_losses
from quadrille_core.errors import QuadrilleError, UsageError
from quadrille_core.profile import Node
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.hand import entry_of, transfer
from quadrille_plugins.ledger.incident import read_incident
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.judge import Judgement, Ruling, judge
from quadrille_plugins.ledger.laws import (
    Laws,
    TextChoice,
    incidents_of,
    sheets_of,
    speaking,
)
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.settle.result_file import account_name
from quadrille_plugins.shell.options import compile_all


def ordered(ledger: Ledger, incident: Node, law: str | None, text: TextChoice) -> Fact:
    """What the laws of the rules in force order in an incident before the next deal is recorded, as
    an entry; its words stay as they were said.

    The ledger tells players, pool, multiplier and beasts where the incident does not.  Raises
    ResultError for an incident that cannot be ruled on as it is told, UsageError where no law, or
    none of that name, speaks of it, and where two that differ do.
    """
    table, sheets = ledger.start_by_law(), _sheets(ledger)
    known = incidents_of(sheets)
    case = read_incident(incident, known, table.rules.table.players, _told(table))
    laws = speaking(sheets, case.incident)
    rulings = _chosen(judge(laws, case, table.rules, text), law)
    transfers = [
        transfer(
            account_name(t.source, case.players),
            account_name(t.target, case.players),
            t.amount,
            t.reason,
            rule=t.rule,
            source=laws.cite(ruling.law.number),
        )
        for ruling in rulings
        for t in ruling.transfers
    ]
    by = "" if case.by is None else case.players[case.by]
    labels = " and ".join(ruling.law.label for ruling in rulings)
    words = [
        f"{ruling.law.label}: {'or ' if order.alternative else ''}{order.text}"
        for ruling in rulings
        for order in ruling.orders
    ]
    return entry_of(transfers, f"{labels}: {laws.incidents[case.incident]}", by, words)


def known_incidents(ledger: Ledger) -> dict[str, str]:
    """The incidents that the laws of the rules in force know, each in words."""
    return incidents_of(_sheets(ledger))


def _sheets(ledger: Ledger) -> list[Laws]:
    """The laws of the rules in force; those that are lent alone, where their profile is here no
    more."""
    ref, readings, sets = ledger.rules_named()
    frozen = ledger.rules_in_force()
    try:
        compiled = compile_all([ref], readings, sets)[0]
    except QuadrilleError:
        compiled = None
    return sheets_of(compiled, frozen.rules, frozen.source_of)


def _told(table: Table) -> dict[str, object]:
    """What the ledger knows of an incident: the pool with the antes of the deal in it."""
    rules, carry = table.rules, table.start.carry
    told: dict[str, object] = {
        "players": list(table.start.names),
        "pool": plain_amount(staked(rules, carry)),
    }
    if counts_losses(rules):
        told["multiplier"] = multiplier_of(rules, carry)
    if counts_beasts(rules):
        told["beasts"] = carry.beasts
    return told


def _chosen(verdict: Judgement, law: str | None) -> Sequence[Ruling]:
    """The rulings to enter; raises UsageError where there are none, or two that both pay and speak
    of the same."""
    rulings = verdict.rulings
    labels = [ruling.law.label for ruling in rulings]
    if law is not None:
        rulings = tuple(r for r in rulings if r.law.label.lower() == law.strip().lower())
    if not rulings:
        raise UsageError.of("no-such-law-here" if labels else "no-law-here", labels=labels)
    paying = {ruling.law.number for ruling in rulings if ruling.transfers}
    if law is None and any(paying >= set(pair) for pair in verdict.overlaps()):
        raise UsageError.of("several-laws-pay", labels=labels)
    return rulings
