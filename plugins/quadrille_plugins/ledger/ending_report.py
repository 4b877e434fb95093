"""The end of a session told to people, as JSON data, and as rows for CSV."""

from typing import Any, Final

from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.books import Book
from quadrille_plugins.ledger.ending import Ending
from quadrille_plugins.ledger.report import Rows, column_of, in_columns, payments_data

NO_SOURCE: Final = "no source says what is done with a pool in the end"
POOL_AT_THE_END: Final = "No source says what becomes of a pool left standing when a session ends."
IT_STAYS: Final = "It stays for those who play on: what is paid to it is put by for them"


def ending_blocks(book: Book, ending: Ending) -> list[Block]:
    """How a session is settled: what each has won or lost, and who pays whom."""
    coins = book.coins
    nets = tuple((book.accounts[a], coins.text(v, sign=True)) for a, v in ending.net.items())
    paid = tuple((book.accounts[a], book.accounts[b], coins.text(v)) for a, b, v in ending.payments)
    column = column_of(book)
    blocks: list[Block] = [Table("", ("player", "won or lost"), nets, frozenset({"won or lost"}))]
    if most := who_has_most(book, ending):
        first = _names(book, most)
        blocks.append(Text(f"{first} {'has' if len(most) == 1 else 'have'} most."))
    if ending.shared:
        blocks.append(Text(_shared_text(book, ending)))
    elif ending.pool:
        blocks.append(Text(_standing_text(book, ending)))
    multiple = book.rule("table.session_multiple")
    if isinstance(multiple, int) and multiple > 1 and book.standing.deals % multiple:
        count = "One deal was" if book.standing.deals == 1 else f"{book.standing.deals} deals were"
        blocks.append(Text(f"{count} recorded, and these rules want a multiple of {multiple}."))
    if not paid:
        settled = "Points are written down, and nobody pays anybody." if book.in_points else "Nobody owes anything."
        return [*blocks, Text(settled)]
    blocks.append(Table("", ("from", "to", column), paid, frozenset({column})))
    count = "one payment settles" if len(paid) == 1 else f"{len(paid)} payments settle"
    fewer = "; fewer cannot" if ending.fewest else ""
    return [*blocks, Text(f"{count[0].upper()}{count[1:]} everything{fewer}.")]


def _names(book: Book, accounts: list[int]) -> str:
    *others, last = (book.accounts[a] for a in accounts)
    return f"{', '.join(others)} and {last}" if others else last


def _standing_text(book: Book, ending: Ending) -> str:
    """What becomes of a pool that nobody gets a part of: left as it is, or too small for a part to each."""
    lines = [f"The pool holds {book.coins.text(ending.pool)}.", POOL_AT_THE_END]
    if ending.split:
        seats = len(book.seated(book.next_deal))
        lines[0] = (
            f"The pool holds {book.coins.text(ending.pool)}: too little for a counter to each of {seats}, "
            f"and by stakes.odd_counters what will not divide is nobody's."
        )
    return "\n".join(
        [*lines, f"{IT_STAYS}." if ending.split or book.ended else f"{IT_STAYS}; --split-pool shares it instead."]
    )


def _shared_text(book: Book, ending: Ending) -> str:
    """Who got how much of the pool that was shared, and what would not divide."""
    coins, parts = book.coins, ending.shared
    seated = book.seated(book.next_deal)
    if len({parts.get(a) for a in seated}) == 1:
        told = f"{coins.text(parts[seated[0]])} to each"
    else:
        told = ", ".join(f"{coins.text(parts[a])} to {book.accounts[a]}" for a in seated if a in parts)
    text = f"The pool is shared among those seated, {told}; {NO_SOURCE}."
    if ending.pool:
        text += f"\nWhat would not divide stays in it for those who play on: {coins.text(ending.pool)}."
    return text


def who_has_most(book: Book, ending: Ending) -> list[int]:
    """Who has won most, where a deal was recorded; several who have as much."""
    players = {a: v for a, v in ending.net.items() if a in book.players()}
    best = max(players.values())
    return [a for a, v in players.items() if v == best and book.deals]


def ending_data(book: Book, ending: Ending) -> dict[str, Any]:
    """How a session is settled, as data; ``net`` has the pool in it when it is left standing."""
    return {
        "net": {book.accounts[a]: plain_amount(v) for a, v in ending.net.items()},
        "most": [book.accounts[a] for a in who_has_most(book, ending)],
        "pool": {
            "left": plain_amount(ending.pool),
            "shared": {book.accounts[a]: plain_amount(v) for a, v in ending.shared.items()},
            "to_be_shared": ending.split,
            "source": NO_SOURCE,
        },
        "payments": payments_data(book, ending.payments),
        "fewest": ending.fewest,
        "ended": book.ended,
    }


def ending_rows(book: Book, ending: Ending) -> Rows:
    """The last payments."""
    return in_columns(("from", "to", "amount"), payments_data(book, ending.payments))
