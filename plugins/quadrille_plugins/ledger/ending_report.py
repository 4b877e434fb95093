"""The end of a session as tables, JSON and CSV rows."""

from typing import Any, Final

from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.ending import Ending
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.report import Rows, column_of, in_columns, payments_data
from quadrille_plugins.shell.blocks import Block, Table, Text

NO_SOURCE: Final = "no source says what is done with a pool in the end"
POOL_AT_THE_END: Final = (
    "No source says what becomes of a pool left standing when a session ends.\n"
    "It stays for those who play on: what is paid to it is put by for them."
)


def ending_blocks(journal: Journal, ending: Ending) -> list[Block]:
    """How a session is settled: what each has won or lost, and who pays whom."""
    coins = journal.coins
    nets = tuple((journal.accounts[a], coins.text(v, sign=True)) for a, v in ending.net.items())
    blocks: list[Block] = [Table("", ("player", "won or lost"), nets, frozenset({"won or lost"}))]
    if most := who_has_most(journal, ending):
        first = _names(journal, most)
        blocks.append(Text(f"{first} {'has' if len(most) == 1 else 'have'} most."))
    if ending.shared:
        blocks.append(Text(_shared_text(journal, ending)))
    elif ending.pool:
        blocks.append(Text(_standing_text(journal, ending)))
    if unequal := multiple_text(journal):
        blocks.append(Text(unequal))
    if not ending.payments:
        return [*blocks, *payment_blocks(journal, ending)]
    blocks += payment_blocks(journal, ending)
    paid = len(ending.payments)
    count = "one payment settles" if paid == 1 else f"{paid} payments settle"
    fewer = "; fewer cannot" if ending.fewest else ""
    return [*blocks, Text(f"{count[0].upper()}{count[1:]} everything{fewer}.")]


def payment_blocks(journal: Journal, ending: Ending) -> list[Block]:
    """Who pays whom in the end."""
    if not ending.payments:
        settled = (
            "Points are written down, and nobody pays anybody."
            if journal.in_points
            else "Nobody owes anything."
        )
        return [Text(settled)]
    column, text = column_of(journal), journal.coins.text
    paid = tuple((journal.accounts[a], journal.accounts[b], text(v)) for a, b, v in ending.payments)
    return [Table("", ("from", "to", column), paid, frozenset({column}))]


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
    if stand == deals:
        count = "One deal was recorded" if deals == 1 else f"{deals} deals were recorded"
    else:
        count = f"Of {deals} deals recorded {stand} count{'s' * (stand == 1)}"
    return f"{count}, and these rules want a multiple of {multiple}."


def _names(journal: Journal, accounts: list[int]) -> str:
    *others, last = (journal.accounts[a] for a in accounts)
    return f"{', '.join(others)} and {last}" if others else last


def _standing_text(journal: Journal, ending: Ending) -> str:
    """What happens to an undivided pool: left as it is, or too small to divide."""
    held = f"The pool holds {journal.coins.text(ending.pool)}"
    if ending.split:
        held += (
            f": too little for a counter to each of {len(journal.seated())}, and by "
            "stakes.odd_counters what will not divide is nobody's"
        )
    return f"{held}.\n{POOL_AT_THE_END}"


def _shared_text(journal: Journal, ending: Ending) -> str:
    """Who got how much of the pool that was shared, and what would not divide."""
    coins, parts = journal.coins, ending.shared
    seated = journal.seated()
    if len({parts.get(a) for a in seated}) == 1:
        shares = f"{coins.text(parts[seated[0]])} to each"
    else:
        shares = ", ".join(
            f"{coins.text(parts[a])} to {journal.accounts[a]}" for a in seated if a in parts
        )
    text = f"The pool is shared among those seated, {shares}; {NO_SOURCE}."
    if ending.pool:
        text += (
            f"\nWhat would not divide stays in it for those who play on: {coins.text(ending.pool)}."
        )
    return text


def who_has_most(journal: Journal, ending: Ending) -> list[int]:
    """Who has won most, where a deal was recorded; several who have as much."""
    players = {a: v for a, v in ending.net.items() if a in journal.players()}
    best = max(players.values())
    return [a for a, v in players.items() if v == best and journal.deals]


def ending_data(journal: Journal, ending: Ending) -> dict[str, Any]:
    """How a session is settled, as data; ``net`` has the pool in it when it is left standing."""
    return {
        "net": {journal.accounts[a]: plain_amount(v) for a, v in ending.net.items()},
        "most": [journal.accounts[a] for a in who_has_most(journal, ending)],
        "pool": {
            "left": plain_amount(ending.pool),
            "shared": {journal.accounts[a]: plain_amount(v) for a, v in ending.shared.items()},
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
