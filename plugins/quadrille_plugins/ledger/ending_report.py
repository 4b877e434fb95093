"""The end of a session as tables, JSON and CSV rows."""

from typing import Any, Final

from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.ending import Ending
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.report import Rows, column_of, in_columns, payments_data, worded
from quadrille_plugins.ledger.words import account, word
from quadrille_plugins.shell.blocks import Block, Table, Text

NO_SOURCE: Final = "no source says what is done with a pool in the end"


def ending_blocks(journal: Journal, ending: Ending, *, paid: bool = True) -> list[Block]:
    """How a session is settled: what each has won or lost, and who pays whom if it is to be
    ``paid`` so."""
    coins = journal.coins
    nets = ((_called(journal)[a], coins.text(v, sign=True)) for a, v in ending.net.items())
    blocks: list[Block] = [worded(("player", "won-or-lost"), nets)]
    if most := who_has_most(journal, ending):
        blocks.append(Text(word("most", len(most), names=_names(journal, most))))
    if ending.shared:
        blocks.append(Text(_shared_text(journal, ending)))
    elif ending.pool and paid:
        blocks.append(Text(_standing_text(journal, ending)))
    if unequal := multiple_text(journal):
        blocks.append(Text(unequal))
    if not paid:
        return blocks
    blocks += payment_blocks(journal, ending)
    if not ending.payments:
        return blocks
    fewest = word("fewest") if ending.fewest else ""
    return [*blocks, Text(f"{word('payments', len(ending.payments))}{fewest}.")]


def payment_blocks(journal: Journal, ending: Ending) -> list[Block]:
    """Who pays whom in the end."""
    if not ending.payments:
        return [Text(word("nobody-pays" if journal.in_points else "nobody-owes"))]
    ends = word("from"), word("to"), column_of(journal)
    names, text = _called(journal), journal.coins.text
    payments = tuple((names[a], names[b], text(v)) for a, b, v in ending.payments)
    return [Table("", ends, payments, frozenset(ends[2:]))]


def _called(journal: Journal) -> dict[int, str]:
    return {a: account(name) for a, name in journal.accounts.items()}


def multiple_text(journal: Journal) -> str:
    """That the number of deals does not give every player equally many turns, which the rules
    want; empty where it does."""
    multiple, deals = journal.rule("table.session_multiple"), journal.count
    entries = sum(map(journal.is_entry, journal.deals))
    deals -= entries
    stand = sum(
        row.fact.kind not in ("void", "reversed", "entry") for row in journal.deals.values()
    )
    if not (isinstance(multiple, int) and multiple > 1 and stand % multiple):
        return ""
    told = word("deals", deals)
    if stand != deals:
        told = word("deals-that-count", stand, deals=deals)
    return word("multiple", deals=told, multiple=multiple)


def _names(journal: Journal, accounts: list[int]) -> str:
    *others, last = journal.names_of(accounts)
    return word("and").join([", ".join(others), last]) if others else last


def _standing_text(journal: Journal, ending: Ending) -> str:
    """What happens to an undivided pool: left as it is, or too small to divide."""
    held = word("pool-left", amount=journal.coins.text(ending.pool))
    if ending.split:
        held += word("pool-too-small", chairs=len(journal.seated()))
    return f"{held}.\n{word('pool-stays')}"


def _shared_text(journal: Journal, ending: Ending) -> str:
    """Who got how much of the pool that was shared, and what would not divide."""
    coins, parts = journal.coins, ending.shared
    seated = journal.seated()
    if len({parts.get(a) for a in seated}) == 1:
        shares = word("to-each", amount=coins.text(parts[seated[0]]))
    else:
        shares = ", ".join(
            word("to-one", amount=coins.text(parts[a]), name=journal.accounts[a])
            for a in seated
            if a in parts
        )
    text = word("shared", shares=shares)
    if ending.pool:
        text += word("not-divided", amount=coins.text(ending.pool))
    return text


def who_has_most(journal: Journal, ending: Ending) -> list[int]:
    """Who has won most, where a deal was recorded; several who have as much."""
    players = {a: v for a, v in ending.net.items() if a in journal.players()}
    best = max(players.values())
    return [a for a, v in players.items() if v == best and journal.deals]


def ending_data(journal: Journal, ending: Ending) -> dict[str, Any]:
    """How a session is settled, as data; ``net`` has the pool in it when it is left standing."""
    return {
        "net": journal.by_name(ending.net),
        "most": journal.names_of(who_has_most(journal, ending)),
        "pool": {
            "left": plain_amount(ending.pool),
            "shared": journal.by_name(ending.shared),
            "to_be_shared": ending.split,
            "source": NO_SOURCE,
        },
        "payments": payments_data(journal, ending.payments),
        "fewest": ending.fewest,
        "ended": journal.ended,
    }


def ending_rows(journal: Journal, ending: Ending) -> Rows:
    """The last payments."""
    return in_columns(("from", "to", "amount"), payments_data(journal, ending.payments))
