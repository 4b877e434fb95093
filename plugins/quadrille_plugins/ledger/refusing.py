"""What a command on a ledger names and must be there: a deal, who sits on a chair, a reason, a
session not yet over."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from quadrille_core.errors import LedgerError, Option, Problem, UsageError
from quadrille_core.rules import Rules
from quadrille_plugins.ledger.journal import DealRow, Fact, Journal, Seating
from quadrille_plugins.settle.answers import player_named
from quadrille_plugins.settle.fund import fund_rules
from quadrille_plugins.settle.player_names import composed, likeness, name_fault

_LONGEST_NOTE: Final = 200
_WORDS: Final = {"box": "the box of counters", "each": "each other player"}
"""What a ledger means by words that are otherwise no names of accounts."""


def check_note(fact: Fact) -> None:
    """Raise UsageError for a reason that is too long, or more than a line."""
    if len(fact.note) > _LONGEST_NOTE or not fact.note.isprintable():
        raise UsageError.of("reason-too-long", longest_note=_LONGEST_NOTE)


def one_of(journal: Journal, name: str, accounts: Sequence[int]) -> int:
    """The one of these accounts that is called so, in any case, or whose name begins so.

    Raises UsageError when none, or several, are.
    """
    names = journal.names_of(accounts)
    return accounts[names.index(player_named(composed(name), names))]


def seated_as(journal: Journal, row: DealRow, names: Sequence[str], dealer: str | None) -> DealRow:
    """The deal as those of these names played it, in the order of play, and that one dealt it.

    Whoever should have dealt it still does, or who plays on that chair; else the last of those
    named.  Who deals and is not among those who play sits out, and the first of them is eldest.
    Raises UsageError where they are not as many, one of them twice, or nobody that has ever sat
    here.
    """
    seating, (chair, deals) = row.seating, row.dealer
    chairs = {a: c for c, a in journal.round if a is not None} | {a: c for c, a in seating}
    if names:
        accounts = [one_of(journal, name, journal.players()) for name in names]
        if len(set(accounts)) != len(accounts) or len(accounts) != len(seating):
            raise UsageError.of("not-so-many-play", wanted=len(seating), names=list(names))
        own = {account: chairs[account] for account in accounts if account in chairs}
        free = [c for c, _ in seating if c not in own.values()]
        seating = tuple((own[a] if a in own else free.pop(0), a) for a in accounts)
        if deals not in accounts and not row.out:
            deals = next((a for c, a in seating if c == chair), accounts[-1])
    plays = [a for _, a in seating]
    if dealer is not None:
        deals = one_of(journal, dealer, [*dict.fromkeys((*plays, *journal.seated()))])
    if deals in plays:
        at = plays.index(deals) + 1
        return replace(row, seating=(*seating[at:], *seating[:at]), out=())
    chair = chairs.get(deals, chair)
    seating = seating if names else turned(journal, seating, chair, 0)
    return replace(row, seating=seating, out=((chair, deals),))


def turned(journal: Journal, seating: Seating, chair: int, plays: int = 1) -> Seating:
    """The same players, the one on that chair last, or who has the next chair of them; the latter
    first, where whoever deals does not play (``plays`` is 0)."""
    chairs, played = [c for c, _ in journal.round], [c for c, _ in seating]
    at = chairs.index(chair)
    at = plays + played.index(next(c for c in (*chairs[at:], *chairs[:at]) if c in played))
    return (*seating[at:], *seating[:at])


def row_of(journal: Journal, number: int) -> DealRow:
    """The record of a deal as it holds; raises UsageError where there is no such deal."""
    if number not in journal.deals:
        count = journal.count
        variant = "no-deal-of-that-number" if count else "no-deal-recorded"
        raise UsageError.of(variant, number=number, count=count)
    return journal.deals[number]


def refuse_when_ended(journal: Journal, path: Path) -> None:
    """Raise LedgerError once the session has ended: an end stays, since payments may have been made
    by it."""
    if journal.ended:
        raise LedgerError.of("session-ended", place=path)


def refuse_when_empty(journal: Journal) -> None:
    """Raise LedgerError where fewer sit at the table than the rules want."""
    if (sit := len(journal.seated())) < journal.wanted:
        raise LedgerError.of("chair-empty", sit=sit, wanted=journal.wanted)


def refuse_when_over(journal: Journal) -> None:
    """Raise LedgerError where somebody could not pay, and the rules end the session by that."""
    if poor := journal.cannot_pay():
        names = " and ".join(journal.names_of(poor))
        raise LedgerError.of("could-not-pay", names=names, count=journal.count)


def refuse_fund(rules: Rules) -> None:
    """Raise UsageError for rules that draw on a fund beside the pool: a ledger keeps none."""
    if drawn := tuple(fund_rules(rules)):
        options = tuple(Option("set", f"{path}=0") for path in drawn)
        raise UsageError.of("rules-draw-on-fund", drawn=drawn[0], options=options)


def check_name(name: str, others: Iterable[str]) -> None:
    """Raise UsageError for a name that no player may bear at this table."""
    fault = name_fault(name)
    if fault is None and (meant := _WORDS.get(name.lower())):
        fault = Problem("Q207", "name-means-another", {"name": name, "meant": meant})
    if fault is None and name[0] in "=+-@":
        fault = Problem("Q207", "name-as-formula", {"name": name})
    if fault:
        raise UsageError(fault)
    for other in others:
        if likeness(other) == likeness(name):
            raise UsageError.of("name-taken", name=name)
