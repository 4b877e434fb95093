"""The certified state of a session and of each deal, in and out of JSON.

A ``DealTally`` is of one deal, a ``Standing`` of the whole session.  Both follow from the records
and entries before them; they are kept so that the next deal need not derive ten thousand others.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Protocol

from quadrille_core.engine.carry import START, Carry
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.schema import BOX, POOL, VOLE_POOL

ZERO: Final = Fraction(0)
REFILL: Final = "table.purse_empty"
"""The rule by which the box gives out another purse."""
PURSES: Final = ("table.purse", REFILL)
"""Rules by which the box gives out counters, and takes them back when a deal is reversed; no other
touches it."""
TAKEN_BY: Final = ("payments.pool_to", "loss.codille_pool")
"""Rules by which the pool is taken."""
BEASTS: Final = ("loss.remise_adds", "loss.codille_adds", "loss.beast_size")
"""Rules by which a beast is put into the pool."""


@dataclass(frozen=True, slots=True)
class Movement:
    """Counters moved from one account to another, with reason and rule."""

    payer: int
    payee: int
    amount: Fraction
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class DealTally:
    """The outcome of one deal in the ledger, and the state it left."""

    record: int
    """The row of the record."""
    net: Mapping[int, Fraction] = field(default_factory=dict)
    """What each account gained; what the box gave out is not counted."""
    given: Mapping[int, Fraction] = field(default_factory=dict)
    """What the box gave out to each with the deal."""
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

    def held_by(self, account: int) -> Fraction:
        """By how much an account grew, what the box gave out counted."""
        return self.net.get(account, ZERO) + self.given.get(account, ZERO)


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
        if BOX in (m.payer, m.payee):
            player, sign = (m.payee, 1) if m.payer == BOX else (m.payer, -1)
            given[player] = given.get(player, ZERO) + sign * m.amount
            continue
        net[m.payer] = net.get(m.payer, ZERO) - m.amount
        net[m.payee] = net.get(m.payee, ZERO) + m.amount
    stood, beasts = before.stood, before.beasts
    if any(m.payer == POOL and m.rule in TAKEN_BY for m in movements):
        stood, beasts = 0, 0
    beasts += any(m.payee == POOL and m.rule in BEASTS for m in movements)
    pool = before.pool + net.get(POOL, ZERO)
    if movements:
        stood = stood + 1 if pool else 0
    carry = replace(carry, pool=pool - sum(carry.waiting, ZERO))
    return DealTally(record, net, given, pool, stood, beasts, bool(movements), carry)


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a session after a transaction."""

    deals: int
    """How many deals have been recorded."""
    last: DealTally
    """The tally of the last deal."""
    balances: Mapping[int, Fraction]
    """What every account holds; the box holds less than nothing by what it has given out."""
    purses: Mapping[int, Fraction]
    """What each player was given from the box."""
    favourite: str | None
    """The favourite suit that the deals so far have fixed for the session, in a word."""

    def faults(self) -> list[str]:
        """What is wrong with the sums, in words; empty when they balance."""
        found = []
        given = sum(self.purses.values(), ZERO)
        held = sum((amount for account, amount in self.balances.items() if account != BOX), ZERO)
        if held != given:
            found.append(f"players and pools hold {held} counters, and {given} were given out")
        if between := self.balances.get(VOLE_POOL, ZERO):
            found.append(f"the vole pool holds {between} counters between two deals")
        if (pool := self.balances.get(POOL, ZERO)) < 0:
            found.append(f"the pool holds {pool} counters")
        return found


class Moved(Protocol):
    """An entry reduced to its movement."""

    @property
    def movement(self) -> Movement:
        """The counters that it moves."""


def moved_on(
    balances: Mapping[int, Fraction],
    purses: Mapping[int, Fraction],
    entries: Iterable[Moved],
    players: Iterable[int],
) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Balances and purses once ``entries`` are entered; ``players`` are those who may have
    purses."""
    held, given = dict(balances), {**dict.fromkeys(players, ZERO), **purses}
    for entry in entries:
        m = entry.movement
        held[m.payer] = held.get(m.payer, ZERO) - m.amount
        held[m.payee] = held.get(m.payee, ZERO) + m.amount
        if m.rule in PURSES:
            if m.payer == BOX and m.payee in given:
                given[m.payee] += m.amount
            if m.payee == BOX and m.payer in given:
                given[m.payer] -= m.amount
    return held, given


# --- in the file -------------------------------------------------------------------------------


def write_tally(tally: DealTally) -> str:
    """A deal's tally as stored; its record has a column of its own."""
    return _json(_tally_plain(tally))


def read_tally(record: int, text: str) -> DealTally:
    """A tally out of the ledger; raises ValueError, KeyError or TypeError for a text that is
    none."""
    return _tally(record, json.loads(text))


def read_gains(texts: Sequence[str]) -> list[tuple[dict[int, int | str], int | str]]:
    """What each account gained and the pool after it, of many tallies at once, each amount as JSON
    gives it.

    Raises as ``read_tally`` does.
    """
    many = json.loads(f"[{','.join(texts)}]")
    if len(many) != len(texts):
        raise ValueError("tallies")
    for data in many:
        for amount in (data["pool"], *data["net"].values()):
            if type(amount) is not int:  # as nearly all are
                _amount(amount)
    return [
        ({int(account): amount for account, amount in data["net"].items()}, data["pool"])
        for data in many
    ]


def write_standing(standing: Standing) -> str:
    """A standing as the ledger keeps it."""
    return _json(
        {
            "deals": standing.deals,
            "record": standing.last.record,
            "last": _tally_plain(standing.last),
            "balances": _amounts_plain(standing.balances),
            "purses": _amounts_plain(standing.purses),
            "favourite": standing.favourite,
        }
    )


def read_standing(text: str) -> Standing:
    """A standing out of the ledger; raises ValueError, KeyError or TypeError for a text that is
    none."""
    data = json.loads(text)
    favourite = data["favourite"]
    if not (favourite is None or favourite in ("spades", "hearts", "clubs", "diamonds")):
        raise ValueError("a favourite suit")
    last = _tally(_count(data["record"]), data["last"])
    return Standing(
        _count(data["deals"]), last, _amounts(data["balances"]), _amounts(data["purses"]), favourite
    )


def _tally_plain(tally: DealTally) -> dict[str, Any]:
    carry = tally.carry
    kept: dict[str, Any] = {
        "net": _amounts_plain(tally.net),
        "pool": plain_amount(tally.pool),
        "stood": tally.stood,
        "beasts": tally.beasts,
        "moved": tally.moved,
        "carry": {
            "losses": carry.losses,
            "standing": carry.standing,
            "waiting": [plain_amount(a) for a in carry.waiting],
        },
    }
    return kept | ({"given": _amounts_plain(tally.given)} if tally.given else {})


def _tally(record: int, data: Mapping[str, Any]) -> DealTally:
    pool, kept = _amount(data["pool"]), data["carry"]
    waiting = tuple(_amount(a) for a in kept["waiting"])
    carry = _carry(pool, _count(kept["losses"]), _count(kept["standing"]), waiting)
    net, given = _amounts(data["net"]), _amounts(data.get("given", {}))
    return DealTally(
        record,
        net,
        given,
        pool,
        _count(data["stood"]),
        _count(data["beasts"]),
        bool(data["moved"]),
        carry,
    )


@lru_cache(4096)
def _carry(pool: Fraction, losses: int, standing: int, waiting: tuple[Fraction, ...]) -> Carry:
    return Carry(
        pool=pool - sum(waiting, ZERO) if waiting else pool,
        losses=losses,
        standing=standing,
        waiting=waiting,
    )


def _amounts_plain(amounts: Mapping[int, Fraction]) -> dict[str, int | str]:
    return {str(account): plain_amount(amount) for account, amount in sorted(amounts.items())}


def _amounts(data: Mapping[str, Any]) -> dict[int, Fraction]:
    return {int(account): _amount(amount) for account, amount in data.items()} if data else {}


@lru_cache(4096)
def _amount(value: object) -> Fraction:
    if isinstance(value, str):
        above, _, below = value.partition("/")
        return Fraction(int(above), int(below))
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("an amount")
    return Fraction(value)


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("a count")
    return value


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
