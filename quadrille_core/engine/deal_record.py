"""The record of a played deal, as both engines give it, and the sums of a session's records.

The readable engine defines what stands in a record (``studies.sessions.Readable``); the kernel
writes the same into arrays of the same layout (``state.PLAYED``, ``state.SUMS``).  Everything that
is counted, compared or listed of played deals reads records, by the functions of ``counting``.

Units
    Seats count from the eldest hand, 0; a row by seat has five places, the last of which is unused
    by four players.  -1 stands where a seat, a bid or a suit is missing.  Amounts are exact: the
    readable engine's are counters, the kernel's whole parts of a counter, of which the rule sets
    that are compared have the same number.
Tape
    The events and the payments of a session stand on its tape, a row of numbers, in which each
    record has its place.  An event is ``kind | (seat + 1) << 5 | play << 8 | what << 9``; ``what``
    is a card, a suit, a bid as it was spoken or a number from ``Names``; a trick's cards are not
    told again, since the plays before it did.  A payment has ``TAPED`` places: who pays, who is
    paid (``engine.result`` numbers the accounts that are nobody's), the amount, and its rule, a
    path, in the kernel the number that ``tabulate.decode`` reads.
Errors
    The kernel gives no record of a session that it cannot tell exactly; its sums say ``blocked``,
    and the readable engine plays it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Literal, get_args

from quadrille_core.engine.actions import BidSpec, Event, EventKind
from quadrille_core.engine.amounts import counts_beasts
from quadrille_core.engine.terms import counts_losses
from quadrille_core.rules import Rules, VoleLevel

Amount = int | Fraction
Ending = Literal["won", "remise", "codille", "redealt"]
VoleEnding = Literal["none", "won", "lost"]
ENDINGS: Final = get_args(Ending)
WON, REMISE, CODILLE, REDEALT = range(len(ENDINGS))
VOLES: Final = get_args(VoleEnding)
SEATS: Final = 5
"""Places of a row by seat."""
MOST_BIDS: Final = 32
"""Rules with more bids are played by the readable engine."""
TAPED: Final = 4


def _row(places: int) -> Any:
    return field(default_factory=lambda: [0] * places, metadata={"places": places})


@dataclass(slots=True)
class DealRecord:
    """One deal, played and settled; the order of its fields is that of the kernel's."""

    pool: Amount = 0
    """Before the deal, antes in."""
    times: int = 1
    """How many times the deal counts."""
    beasts: int = 0
    """Those that stand, where the rules count them."""
    favourite: int = -1
    """The favourite suit."""
    first_trumps: int = -1
    """Those of the session's first deal that had any, before this one."""
    lying: int = 0
    """Beasts that nobody has won yet, before the deal, whether or not the rules count them."""
    waiting: int = 0
    """Beasts put apart, before the deal."""
    events_at: int = 0
    """Where the events begin on the tape."""
    events: int = 0
    """How many there are."""
    transfers_at: int = 0
    transfers: int = 0
    outcome: int = REDEALT
    """Its place in ``ENDINGS``; where the cards were redealt, what follows says nothing."""
    vole: int = 0
    """What became of it: its place in ``VOLES``."""
    bid: int = -1
    """The place of the contract among the bids of the rules."""
    trump: int = -1
    """4 where there are none."""
    hombre: int = -1
    ally: int = -1
    matadors: int = 0
    """Those that the rules count of Hombre's side."""
    premiers: int = 0
    """Whether it made them in a game that pays them: 1 if so."""
    tricks: list[int] = _row(SEATS)
    """By seat."""
    net: list[Amount] = _row(SEATS)
    """What each seat got by the settlement, less what it paid; antes excluded."""
    moved: list[Amount] = _row(4)
    """The same of the pool, the vole's pool, the score and the fund."""

    @property
    def state(self) -> tuple[Amount, int, int, int]:
        """The pool, the times, the beasts and the favourite suit that it began with."""
        return self.pool, self.times, self.beasts, self.favourite

    @property
    def pool_after(self) -> Amount:
        """The pool once all is paid, before beasts are put apart."""
        return self.pool + self.moved[0]


@dataclass(slots=True)
class SessionSums:
    """The sums of a session's records under one rule set (``counting.count``)."""

    deals: int = 0
    pool_before: Amount = 0
    blocked: int = 0
    """Whether the session was not told exactly, and nothing else said of it means anything."""
    redealt: int = 0
    voles: list[int] = _row(2)
    """Those won, and those lost."""
    moved: list[Amount] = _row(14)
    """By column of ``studies.accounts``, with ``SEATS`` seats: what each seat's counters moved by,
    antes included; from ROLES what Hombre, the ally and the adversaries were paid; from ACCOUNTS
    the antes of deals redealt and of deals played, as players lose them, then what the pool (antes
    included), the vole's pool, the score and the fund got, less what they gave."""
    role_counts: list[int] = _row(3)
    """By how many each of the roles was played."""
    low: list[Amount] = _row(8)
    """The squares of what seats and roles got deal by deal: what is left over by ``HIGH``."""
    high: list[int] = _row(8)
    """How often ``HIGH`` goes into them."""
    endings: list[int] = _row(3 * MOST_BIDS)
    """Deals by bid, and for each by outcome."""

    def square(self, place: int) -> Amount:
        """The squares of a seat or role, summed."""
        return self.low[place] + self.high[place] * HIGH


ROLES, ACCOUNTS = SEATS, SEATS + 3
HIGH: Final = 1 << 31
STANDS: Final[dict[str, Callable[[Rules], bool]]] = {
    "counts_beasts": counts_beasts,
    "counts_losses": counts_losses,
    "beasts_wait": lambda rules: rules.loss.beasts == "wait",
    "first_trumps_favoured": lambda rules: rules.favourite.source == "first_trumps",
}
"""What of a session's state rules can hold."""


# --- events


DEAL_ENDS: Final = ("redeal", "the game is claimed", "the game is lost", "all tricks are played")
REDEAL, IS_CLAIMED, IS_LOST, ALL_PLAYED = range(len(DEAL_ENDS))
ALONE: Final = 1
"""What an event ALLY says when Hombre called their own card."""
WHOLE_HAND: Final = 1 << 40
"""Beside the mask of a hand that was shown whole."""


class Names:
    """Numbers for bids and for cards shown, the same in all the rule sets that are to be compared
    event by event."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}

    def of(self, what: object) -> int:
        """The number of a bid's name or of a tuple of cards."""
        return self._numbers.setdefault(what, len(self._numbers))


def _bid(spec: BidSpec, names: Names) -> int:
    level = get_args(VoleLevel).index(spec.vole)
    return names.of(("bid", spec.bid)) * 8 + int(spec.favourite) * 4 + level


def code(event: Event, names: Names) -> int:
    """An event of the readable engine as a number."""
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
        what = DEAL_ENDS.index(event.note)
    elif event.kind == "ally":
        what = ALONE if event.note else 0
    seat = 0 if event.seat is None else event.seat + 1
    return _KINDS[event.kind] | seat << 5 | int(event.stage == "play") << 8 | what << 9


_KINDS: Final = {kind: number for number, kind in enumerate(get_args(EventKind))}


def codes(events: Iterable[Event], names: Names) -> list[int]:
    """A whole deal's events."""
    return [code(e, names) for e in events]
