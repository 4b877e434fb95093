"""What the kernel remembers, and what it says: a deal under way, a settlement, a session; one
layout for each.

Seats count from the eldest hand; -1 stands where a seat, a bid or a suit may be missing.  Amounts
are in parts of a counter.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from numba import from_dtype, types

from quadrille_core.engine.deal_record import TAPED, DealRecord, SessionSums
from quadrille_plugins.kernel.record import (
    CHANGE,
    INT,
    MEASURE,
    MOST_FACTS,
    ROW,
    RULES,
    TRAIT,
    WORD,
    Layout,
    ints,
    layout,
)
from quadrille_plugins.kernel.words import BASES, PARTIES

LIMIT: Final = 2**31
"""Amounts from here on are not worked with: what would need one is settled by the readable
engine."""

OF_HAND: Final = layout(ints("scored score[45] matadors[5]"))
"""What is known of a hand while bids are made.  ``scored`` has a bit for each way of playing and
trump whose score stands at ``score[5 * way + trump]``, and one above them when ``matadors`` tells
those under each trump."""
DEAL: Final = layout(
    {
        **ints(
            "pool favourite times beasts hombre spec bid trump called holder ally surrendered "
            "given forced public"
        ),
        **ints(
            "invited vole made_premiers asked redealt straight vole_waits leader tricks_done "
            "held held_against"
        ),
        **ints("hombre_void"),
        **ints(
            "cleared order_cleared[5] event event_end blocked won[5] standing standing_spec out "
            "resting last[5]"
        ),
        **ints("spoken named bank[5]"),
        **dict.fromkeys(("hands", "dealt", "trick", "streams"), (WORD, (5,))),
        **dict.fromkeys(("pack", "played", "called_bit"), WORD),
        "known": (OF_HAND, (5,)),
        **ints("tape room leads[5] first_taker last_taker"),
        "taken": (WORD, (5,)),
        **ints("turn falls_on expecting call_count gift_count calls[4] holders[4]"),
    }
)
"""A deal while it is played.  Hands stand in the home order until trumps are known, then under the
trump (see ``tabulate``).  ``cleared`` counts the seats that could not follow the called suit, told
in ``order_cleared``. ``blocked``: the deal cannot be told here, and the readable engine must play
it.  ``bank`` is what each chair holds, ``named`` the trumps that the standing bid named unasked:
the suit and 1, or 0.  ``leads``, ``taken`` and the takers are kept where plugins' payments ask for
them.  ``tape`` is the address of the events, ``room`` of the words that the player works in, if it
wants any.  ``streams`` is the state of each seat's stream of randomness, where the
player draws; ``turn`` the chair of the eldest, where the player asks for it.  Where a plugin says
on whom a bid falls when all pass: who that is, and a bit for each who may expect it.  Where several
cards are asked for, ``called``, ``holder`` and ``surrendered`` are of the first; ``calls`` and
``holders`` have all."""
RESULT: Final = layout(
    {
        **ints(
            "pool bid trump hombre ally surrendered matadors against premiers vole claims times "
            "beasts favourite tricks[5]"
        ),
        "facts": (INT, (MOST_FACTS, 5)),
        "also_surrendered": INT,
    }
)
"""A deal's result, as ``engine.result.Result`` has it; ``trump`` is 4 where no suit is trumps.
``facts`` are those that the record of the rules wants ``recorded``, by seat; ``also_surrendered``
who gave up further cards, as ``shares`` has seats."""

TRANSFER: Final = layout(ints("source target amount why"))
LINE: Final = layout(ints("key source target amount why"))
"""A line of payments that are changed: its ``key`` is the number of the payment that was ordered,
and ``MOST_TRANSFERS`` more for each place that it stands further behind."""
MOST_TRANSFERS: Final = 120
"""More than any deal can cause: eight items with six payments at most, the pools, and stakes raised
or made good."""
OUT: Final = layout(
    {
        **ints(
            "outcome vole frozen beast pool_taken pool_after inexact written times facts "
            "net[9] count"
        ),
        "transfers": (TRANSFER, (MOST_TRANSFERS,)),
        "bases": (INT, (BASES + 2 * MOST_FACTS,)),
        "parties": (INT, (PARTIES + MOST_FACTS,)),
        "measured": (INT, (MOST_FACTS,)),
        **ints(f"over[5] line_count marks[{MOST_TRANSFERS}]"),
        "lines": (LINE, (MOST_TRANSFERS,)),
    }
)
"""A settlement, as ``engine.result.Settlement`` has it.  ``inexact``: the amounts cannot be told in
these parts of a counter, and nothing else means anything.  ``times`` is how often the game counts,
the favourite suit included. ``facts`` are what rows ask for, ``bases`` what their amounts are
multiples of, ``parties`` who pays (``shares``); from ``over`` on: what ``changes`` works in.
``net`` is by seat, and from behind by account, as ``engine.result`` numbers those that are
nobody's."""
CARRY: Final = layout(
    ints(
        "pool losses standing waits wait[1024] deals games[5] solos[5] games_won[5] games_lost[5] "
        "last_game[5]"
    )
)
"""What one deal leaves to the next, as ``engine.carry.Carry`` has it: the beasts that wait stand
largest first.  From ``deals`` on, by chair, where the rules ask for facts of the session."""

MOST_EVENTS: Final = 256
TAPE_OF_DEAL: Final = MOST_EVENTS + TAPED * MOST_TRANSFERS
"""Room on the tape that a deal never exceeds."""


def _layout_of(record: type[DealRecord | SessionSums]) -> Layout:
    """The layout of what the readable engine has as objects."""
    places = {f.name: f.metadata.get("places") for f in fields(record)}
    return layout({name: (INT, (many,)) if many else INT for name, many in places.items()})


PLAYED: Final = _layout_of(DealRecord)
SUMS: Final = _layout_of(SessionSums)
SCRATCH: Final = layout(
    {"deal": DEAL, "result": RESULT, "out": OUT, "carry": CARRY, "pack": (WORD, (40,))}
)
"""What sessions are played in."""

_LAYOUTS: Final[dict[str, Layout]] = {
    "rules": RULES,
    "deal": DEAL,
    "result": RESULT,
    "out": OUT,
    "carry": CARRY,
    "played": PLAYED,
    "sums": SUMS,
    "scratch": SCRATCH,
    "known": OF_HAND,
    "row": ROW,
    "measure": MEASURE,
    "trait": TRAIT,
    "change": CHANGE,
}
_TYPES: Final[dict[str, Any]] = {
    **vars(types),
    **{name: from_dtype(of) for name, of in _LAYOUTS.items()},
}


def name_type(name: str, of: Layout) -> None:
    """Let signatures name a record of this layout."""
    _TYPES[name] = from_dtype(of)


def name_tuple(name: str, of: Sequence[Any]) -> str:
    """The name by which signatures name a tuple of these types: this one."""
    _TYPES[name] = types.BaseTuple.from_types(of)
    return name


def signature_of(given: Any) -> Any:
    """A signature as Numba has it, of a text in which records are named too."""
    return eval(given, _TYPES) if isinstance(given, str) else given  # noqa: S307 - as Numba reads one
