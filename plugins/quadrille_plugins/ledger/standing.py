"""What a deal comes to, by its movements of counters and what it leaves to the next.

What the rules remember from deal to deal (losses, beasts that wait) is kept in the file; all else
follows from the entries.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from quadrille_core.engine.carry import START, Carry
from quadrille_core.engine.past import Deeds, Past
from quadrille_core.frozen import frozen
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.schema import BOX, POOL

ZERO: Final = Fraction(0)
REFILL: Final = "table.purse_empty"
"""The rule by which the box gives out another purse."""
LOAN: Final = "loan"
"""What stands for the rule of a loan: what was lent is held, and neither won nor lost."""
BY_HAND: Final = "by hand"
"""What stands for the rule of an entry that no rule asks for."""
TAKEN_OVER: Final = "taken over"
"""The same of what another ledger left."""
PURSES: Final = ("table.purse", REFILL, LOAN)
"""Rules by which somebody holds counters that are not won: the box gives them out, and takes them
back when a deal is reversed, or another player lends them; no other rule touches the box."""
TAKEN_BY: Final = ("payments.pool_to", "loss.codille_pool")
"""Rules by which the pool is taken."""
BEASTS: Final = ("loss.remise_adds", "loss.codille_adds", "loss.beast_size")
"""Rules by which a beast is put into the pool."""


@frozen
class Movement:
    """Counters moved from one account to another, with reason and rule."""

    payer: int
    payee: int
    amount: Fraction
    reason: str
    rule: str


@frozen
class DealTally:
    """The outcome of one deal in the ledger, and the state it left."""

    record: int
    """The row of the record."""
    net: Mapping[int, Fraction] = field(default_factory=dict)
    """What each account gained; what the box gave out is not counted."""
    given: Mapping[int, Fraction] = field(default_factory=dict)
    """What the box gave out to each with the deal, and what was lent."""
    pool: Fraction = ZERO
    """What the pool held after it."""
    stood: int = 0
    """How many deals the pool has been left standing, this one counted; 0 when it is empty or was
    never touched."""
    beasts: int = 0
    """How many beasts were put into the pool since it was last taken."""
    moved: bool = False
    """Whether anything moved by it."""
    carry: Carry = START
    """What it left to the next deal."""


NOTHING: Final = DealTally(0)
"""What stands before the first deal."""


def tally(
    record: int, before: DealTally, movements: Iterable[Movement], carry: Carry = START
) -> DealTally:
    """The tally of a deal by its movements; ``carry`` is what it left to the next, but for the
    pool."""
    movements = tuple(movements)
    net: dict[int, Fraction] = {}
    given: dict[int, Fraction] = {}
    for m in movements:
        moved = given if m.rule == LOAN or BOX in (m.payer, m.payee) else net
        for account, amount in ((m.payer, -m.amount), (m.payee, m.amount)):
            if account != BOX:
                moved[account] = moved.get(account, ZERO) + amount
    stood, beasts = before.stood, before.beasts
    if any(m.payer == POOL and m.rule in TAKEN_BY for m in movements):
        stood, beasts = 0, 0
    beasts += any(m.payee == POOL and m.rule in BEASTS for m in movements)
    pool = before.pool + net.get(POOL, ZERO)
    aside = pool == before.pool and all(m.rule in (LOAN, BY_HAND) for m in movements)
    if movements and not aside:
        stood = stood + 1 if pool else 0
    carry = replace(carry, pool=pool - sum(carry.waiting, ZERO))
    return DealTally(record, net, given, pool, stood, beasts, bool(movements) and not aside, carry)


def write_carry(carry: Carry) -> str:
    """What a deal left to the next, as stored; the pool apart, which follows from the entries."""
    return json.dumps({"carry": carry_to_plain(carry)}, separators=(",", ":"))


def carry_to_plain(carry: Carry) -> dict[str, Any]:
    """The same as data."""
    kept: dict[str, Any] = {
        "losses": carry.losses,
        "standing": carry.standing,
        "waiting": [plain_amount(a) for a in carry.waiting],
    }
    if carry.past != START.past:
        kept["past"] = [carry.past.deals, dict(carry.past.deeds)]
    return kept


def read_carry(text: str) -> Carry:
    """The same out of the ledger; raises ValueError, KeyError or TypeError for a text that is
    none."""
    kept = json.loads(text)["carry"]
    deals, deeds = kept.get("past", (0, {}))
    for count in (kept["losses"], kept["standing"], deals, *chain.from_iterable(deeds.values())):
        if type(count) is not int or count < 0:
            raise ValueError("a count")
    waiting = tuple(Fraction(amount) for amount in kept["waiting"])
    past = Past(deals, tuple((name, Deeds(*did)) for name, did in deeds.items()))
    return replace(
        START, losses=kept["losses"], standing=kept["standing"], waiting=waiting, past=past
    )
