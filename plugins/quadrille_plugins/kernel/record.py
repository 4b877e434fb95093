"""The compiled form of a rule set: one record whose layout, and the numbers of all words, come from
the vocabulary.

Every leaf that can be a number stands at its own path (``rules.bids[i].goal``,
``rules.play.claim_won``): a word of a choice by its place among the words, a card or a suit by its
number and -1 for none, a list as one bit for each item, an amount in whole parts (``tabulate``).
What can not (names in print, packets, coins) is left out.  ``MORE`` has what the engines work out
of the leaves.  So a leaf, a word or a block that is added to the vocabulary can be read in the
kernel at once, and nothing here is numbered by hand.
"""

from collections import namedtuple
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

import numpy as np

from quadrille_core.cards import Card, Suit
from quadrille_core.engine.deal_record import MOST_BIDS, STANDS
from quadrille_core.rules import Bid, PerBid, Rules, VoleLevel
from quadrille_core.vocabulary import hints_of, leaves

INT: Final = np.dtype(np.int64)
WORD: Final = np.dtype(np.uint64)
Layout = np.dtype[Any]


def layout(names: Mapping[str, Any]) -> Layout:
    """A record's layout: by name a type, or a type and a shape, as NumPy takes it; each number has
    eight bytes."""
    return np.dtype(
        [(name, *(of if isinstance(of, tuple) else (of,))) for name, of in names.items()],
        align=True,
    )


def ints(names: str) -> dict[str, Any]:
    """Fields that are numbers, by their names: ``hands[5]`` is five of them."""
    found: dict[str, Any] = {}
    for field in names.split():
        name, _, many = field.partition("[")
        found[name] = (INT, (int(many[:-1]),)) if many else INT
    return found


ORDER: Final = layout(
    {
        "bit_of": (WORD, (40,)),
        "obliging": (WORD, (64,)),
        "trump_lane": (WORD, (1024,)),
        **dict.fromkeys(("plain", "privileged", "matadors", "basto_shift"), WORD),
        **ints("strength_off card_at[64] first_red[1024]"),
    }
)
"""The cards under a trump.  ``bit_of``: each card of the pack as a bit of the lanes.  ``card_at``:
the card at each bit.  ``obliging``: the trumps that may not be withheld after the card at each bit.
 ``trump_lane``: for each holding in the trump suit's home lane, its trumps.  ``first_red``: for
 each holding in a plain red lane, the place of the card that
comes first in the pack."""
SPEC: Final = layout(ints("bid favourite vole level"))
"""A bid as it is spoken; equal levels neither overcall the other."""
MOST_SPECS: Final = 2 * len(get_args(VoleLevel)) * MOST_BIDS
ROW: Final = layout(ints("need bar verb outer inner turned basis amount count spared kind why"))
"""A payment, due where the facts have all bits of ``need`` and none of ``bar`` (``words.FACT``).
``outer`` and ``inner`` are parties; the outer pays the inner, or where it is ``turned`` the inner
the outer.  ``amount`` is in ``parts`` of the ``basis``, paid as often as ``count`` says.
``spared``: whoever gave up the called card has no part. ``kind``: the item, if a claim may want
it."""
MOST_ROWS: Final = 1024
LARGEST: Final = 2**28
"""No constant of the rules may be so large: what is multiplied by it stays far within 64 bits."""
MOST_FACTS: Final = 16
"""Facts to be noted, measures and conditions, that a record has room for."""
NOTED: Final = layout({**ints("how"), "cards": (WORD, (5,))})
"""A fact of seats to be noted (``measures.HOW``); the cards are bits under each trump."""
MEASURE: Final = layout(ints("source index party"))
"""How much there is of a fact (``measures.SOURCE``), of which noted one, and whose."""
CONDITION: Final = layout(ints("bar either"))
"""A condition of plugins' payments: none of the facts ``bar``, one of ``either`` if there are any,
and its tests."""
TEST: Final = layout(ints("measure low high condition"))
MOST_THROWS: Final = 4
THROW: Final = layout({**ints("count low[4] high[4]"), "cards": (WORD, (MOST_THROWS,))})
"""A hand to be thrown in: cards as bits of the home order, and how many of them there may be."""
TRAIT: Final = layout({**ints("how low high"), "cards": WORD})
"""What a hand is like, or by a fact of the session (``measures.HOW``) its player: cards as bits of
the home order, and how many there may be."""
MOST_CHANGES: Final = 16
CHANGE: Final = layout(ints("kind condition payer payee times through from_pool why"))
"""A change of payments (``plugin_rules.Change``), due under a condition; the parties are -1 for
anybody's.  A factor is so many ``times`` ``through`` a number; a cap is ``times`` parts of a
counter."""
WHY_BID: Final = 16
"""Above so many bits the number of a payment's rule has that of a bid, below them that of a
leaf."""

MORE: Final[dict[type, dict[str, Any]]] = {
    Bid: {**ints("name shown binds may_announce first_row end_row"), "wanted": WORD},
    Rules: {
        **ints("scale unfit parts unit_parts antes[5] basic_stake pool_step"),
        **dict.fromkeys(STANDS, INT),
        **ints("most_matadors[5] bid_count spec_count ladder forced_spec returns_with solo"),
        **ints("first_spec unasked[4]"),
        "rows": (ROW, (MOST_ROWS,)),
        "specs": (SPEC, (MOST_SPECS,)),
        "order": (ORDER, (5,)),
        **ints("recorded_count measure_count condition_count test_count throw_count asks_session"),
        "recorded": (NOTED, (MOST_FACTS,)),
        "measures": (MEASURE, (MOST_FACTS,)),
        "conditions": (CONDITION, (MOST_FACTS,)),
        "tests": (TEST, (2 * MOST_FACTS,)),
        "throws": (THROW, (MOST_THROWS,)),
        **ints(f"barred[{MOST_BIDS}] unnamed[{MOST_SPECS}] falls trait_count"),
        "traits": (TRAIT, (MOST_THROWS,)),
        "most_of": TRAIT,
        "change_count": INT,
        "changes": (CHANGE, (MOST_CHANGES,)),
        "changed": (INT, (MOST_ROWS,)),
    },
}
"""What a block of the record has besides its leaves, as ``tabulate`` fills it.

A bid: ``name`` and ``shown``, numbers of its name and of the cards that it shows, common to all
rule sets of a comparison; ``wanted``, the cards needed as bits of the home order; whether a plain
bid ``binds``; its ``rows`` from ``first_row`` up to ``end_row``.  The rules: a counter has
``scale`` parts, an amount of the tables and rows ``parts``, and a unit is ``stakes.unit`` through
``unit_parts``; ``unfit``: nothing can be settled by these numbers.  The first ``ladder`` of
``specs`` are made in turn, lowest first; ``first_spec`` is the lowest bid's plainest; ``unasked``
what naming trumps unasked stands for: the solo, the same in favourite, the alliance, the same in
favourite.  -1 stands where there is none.  What plugins limit: of each bid the suits that are
``barred``, one bit each, and behind them those barred as the favourite suit too; of each spec a bit
for each favourite suit, that of none first, by which no suit is left to be named.  ``falls``: on
whom a bid falls when all pass, as ``measures.FALLS`` has it; by hands on whoever has all ``traits``
and most of ``most_of``, of which there are ``high`` in all.  ``changed``: of each row the changes
that may concern it, one bit each."""


def _unwrapped(hint: Any) -> Any:
    if get_origin(hint) in (Union, UnionType):
        return next(a for a in get_args(hint) if a is not type(None))
    return hint


def _field(hint: Any) -> Any:
    """The type of a leaf or block in a record; None for what is no number."""
    hint = _unwrapped(hint)
    if get_origin(hint) is PerBid:
        return _field(get_args(hint)[0]), (MOST_BIDS,)
    if is_dataclass(hint) and isinstance(hint, type):
        return block(hint)
    if get_origin(hint) is tuple:
        item = get_args(hint)[0]
        return INT if item is Card or get_origin(item) is Literal else None
    return INT if hint in (bool, int, Fraction, Card, Suit) or get_origin(hint) is Literal else None


@cache
def block(of: type) -> Layout:
    """The layout of a block of the vocabulary."""
    found = {f.name: _field(hints_of(of)[f.name]) for f in fields(of) if "own" not in f.metadata}
    return layout(
        {name: kind for name, kind in found.items() if kind is not None} | MORE.get(of, {})
    )


RULES: Final = block(Rules)
PATHS: Final = tuple(pattern for pattern, leaf in leaves().items() if _field(leaf.type) is not None)


def handle(pattern: str) -> int:
    """The number by which the kernel tells why it pays: that of a leaf."""
    return PATHS.index(pattern)


def words(of: Any) -> Any:
    """The numbers of a leaf's words, or of those of a type, by name:
    ``words("bids.*.goal").AT_LEAST``."""
    known = leaves()[of].choices() if isinstance(of, str) else get_args(of)
    return namedtuple("Words", [word.upper() for word in known])(*range(len(known)))


def bits(of: Any) -> Any:
    """The bit of each word of a type in a list of them, by name."""
    known = words(of)
    return type(known)(*(1 << number for number in known))


def number_of(hint: Any, value: Any) -> int:
    """A leaf's value that is no amount as it stands in the record."""
    if not isinstance(value, (str, tuple)):
        return -1 if value is None else int(value)
    words = get_args(_unwrapped(hint))
    return (
        words.index(value)
        if isinstance(value, str)
        else sum(1 << number_of(words[0], item) for item in value)
    )


CHANGES: Final = words(Literal["factor", "redirect", "cap"])
"""The kinds of changes, in the order in which they are made."""
