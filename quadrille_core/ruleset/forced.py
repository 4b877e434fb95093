"""The bid that falls on somebody when all pass: by a card or by a record of a plugin; its title."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from quadrille_core.cards import COURTS, SUIT_LETTERS, SUITS
from quadrille_core.ruleset.merge import Merge

FORCED_ON: Final = "{forced_on}"
"""In a bid's title: the card that forces it; ``Game`` where no card does."""
_CARDS: Final = {"SA": "Spadille", "CA": "Basto", None: "Game"}


def in_force(
    merge: Merge, bid: str, kind: str = "forced_bids"
) -> list[tuple[str, Mapping[str, Any]]]:
    """The records that say on whom a bid falls, or others of a bid, each with the path of its
    list."""
    lists = [path for path in merge.chains if path.endswith(f".{kind}") and path.count(".") == 1]
    return [
        (path, row)
        for path in lists
        for row in merge.get(path)
        if row["bid"] == bid and merge.get(row["rule"])
    ]


def settle_forced(merge: Merge) -> None:
    """Have no card force a bid of which a record says on whom it falls, and titles name the card
    that does."""
    for bid in merge.bids():
        card, title = f"bids.{bid}.forced_on", f"bids.{bid}.title"
        for path, row in in_force(merge, bid)[:1]:
            merge.put(card, replace(merge.chains[path][-1], value=None, reason=row["reason"]))
        links = merge.chains.get(title, [])
        if any(FORCED_ON in link.value for link in links):
            name = card_in_words(merge.get(card))
            links[:] = [replace(x, value=x.value.replace(FORCED_ON, name)) for x in links]


def card_in_words(card: str | None) -> str:
    """A card such as ``SA`` as a bid that it forces is called by it; *Game* for none."""
    if card is None or card in _CARDS:
        return _CARDS[card]
    return f"{COURTS.get(card[1:], card[1:])} of {SUITS[SUIT_LETTERS.index(card[0])]}"
