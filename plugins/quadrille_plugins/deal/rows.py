"""A deal as a table: one row for each event."""

from collections.abc import Iterator
from typing import Final

from quadrille_core.cards import format_card, format_cards, format_suit, rank, suit
from quadrille_core.engine.table import Deal

COLUMNS: Final = (
    "event",
    "number",
    "stage",
    "kind",
    "seat",
    "player",
    "bid",
    "trick",
    "card",
    "suit",
    "rank",
    "cards",
    "dealt",
)
"""The columns of a deal's table; ``docs/deal.md`` says what each holds."""

Row = tuple[object, ...]


def event_rows(deal: Deal) -> tuple[tuple[str, ...], list[Row]]:
    """The columns, and a row for each event of the deal in order; a cell that has nothing is
    empty."""
    return COLUMNS, list(_rows(deal))


def _rows(deal: Deal) -> Iterator[Row]:
    trick = 1
    for number, event in enumerate(deal.events):
        card = event.cards[0] if event.kind in ("play", "call", "exchange") else None
        named = event.suit if card is None else suit(card)
        yield (
            event.text(),
            number,
            event.stage,
            event.kind,
            "" if event.seat is None else event.seat,
            "" if event.seat is None else deal.setup.players[event.seat],
            "" if event.bid is None else str(event.bid),
            trick if event.kind in ("play", "trick") else "",
            "" if card is None else format_card(card),
            "" if named is None else format_suit(named),
            "" if card is None else rank(card),
            format_cards(event.cards) if event.kind in ("trick", "shows", "exchange") else "",
            "" if event.seat is None else format_cards(deal.setup.hands[event.seat]),
        )
        trick += event.kind == "trick"
