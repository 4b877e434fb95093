"""Events as numbers, so that the kernel can say what happened and two deals can be compared event
by event.

An event is ``kind | (seat + 1) << 5 | play << 8 | what << 9``; ``what`` is a card, a suit, a bid as
it was spoken or a number from ``tabulate.Names``.  A trick's cards are not told again: the plays
before it did.
"""

from collections.abc import Sequence
from typing import Final

from quadrille_core.engine.actions import BidSpec, Event, EventKind
from quadrille_core.rules import VoleLevel
from quadrille_plugins.kernel.record import number_of
from quadrille_plugins.kernel.tabulate import Names

ENDINGS: Final = ("redeal", "the game is claimed", "the game is lost", "all tricks are played")
REDEAL, IS_CLAIMED, IS_LOST, ALL_PLAYED = range(len(ENDINGS))
ALONE: Final = 1
"""What an event ALLY says when Hombre called their own card."""
WHOLE_HAND: Final = 1 << 40
"""Beside the mask of a hand that was shown whole."""


def _bid(spec: BidSpec, names: Names) -> int:
    return (
        names.of(("bid", spec.bid)) * 8 + int(spec.favourite) * 4 + number_of(VoleLevel, spec.vole)
    )


def code(event: Event, names: Names) -> int:
    """An event of the readable engine as the kernel's number."""
    what = 0
    if event.bid is not None:
        what = _bid(event.bid, names) * 8 + (0 if event.suit is None else int(event.suit) + 1)
    elif event.kind == "shows":
        # a hand has eight cards at least, and no bid needs so many
        whole = len(event.cards) >= 8
        what = (
            WHOLE_HAND | sum(1 << c for c in event.cards)
            if whole
            else names.of(("cards", event.cards))
        )
    elif event.kind in ("call", "play"):
        what = int(event.cards[0])
    elif event.kind == "exchange":
        what = int(event.cards[0]) | int(event.cards[1]) << 6 | (event.other or 0) << 12
    elif event.suit is not None:
        what = int(event.suit)
    elif event.kind == "end":
        what = ENDINGS.index(event.note)
    elif event.kind == "ally":
        what = ALONE if event.note else 0
    seat = 0 if event.seat is None else event.seat + 1
    return (
        number_of(EventKind, event.kind) | seat << 5 | int(event.stage == "play") << 8 | what << 9
    )


def codes(events: Sequence[Event], names: Names) -> list[int]:
    """A whole deal's events."""
    return [code(e, names) for e in events]
