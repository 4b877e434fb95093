"""Both engines held together: the records of deals field by field, event by event and payment by
payment, and the sums of their sessions."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

from quadrille_core.engine.deal_record import TAPED, DealRecord, SessionSums
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.players import seated
from quadrille_plugins.studies.fast import Arrays, InexactError, Workspace, blocked_by, tabulate
from quadrille_plugins.studies.sessions import Held, Readable

AMOUNTS: Final = ("pool", "net", "moved")
LONGEST: Final = 500
"""Deals of a session, at most, of which both engines hold every record at once."""


@frozen
class Equality:
    """What came of playing deals by both engines; true where they played and nothing differed."""

    deals: int = 0
    """Deals that were played alike."""
    transfers: int = 0
    """Payments made in them."""
    difference: str = ""
    """The first difference: which deal of which session, which field, and both values."""
    blocked: str = ""
    """Why the fast engine does not play this, so that there is nothing to compare."""
    sessions_left: int = 0
    """Sessions that the fast engine gave back, since it cannot tell their amounts exactly."""

    def __bool__(self) -> bool:
        """Whether something was compared, and nothing differed."""
        return bool(self.deals) and not (self.difference or self.blocked)


def same_by_both_engines(
    rules: Compiled | RuleSet,
    *,
    deals: int = 500,
    seed: int = 1,
    players: str | Sequence[str] = "steady",
    session: int = 0,
    progress: Callable[[int], object] = lambda _: None,
) -> Equality:
    """Play N deals by both engines, in sessions of at most 500 from ``session`` on, and stop at the
    first difference.

    ``players`` are bots as ``--players`` takes them, one for all seats or one for each.
    ``progress`` is told after each session how many deals are done.
    """
    ruleset = rules.ruleset if isinstance(rules, Compiled) else rules
    named = [players] if isinstance(players, str) else players
    bots = seated(named, ruleset.rules.table.players)
    if blocked := blocked_by([ruleset], bots):
        return Equality(blocked=blocked)
    try:
        (arrays,), _ = tabulate([ruleset], bots)
    except InexactError as e:
        return Equality(blocked=str(e))
    room, done, transfers, left = Workspace(1, min(deals, LONGEST)), 0, 0, 0
    for number, first in enumerate(range(0, deals, LONGEST)):
        many, where = min(LONGEST, deals - first), session + number
        told = arrays.play(seed, where, [many], room, 0)
        if told.inexact[0]:
            left += 1
            continue
        wanted = Readable(ruleset, bots, arrays.names).play(seed, where, [many], None, 0)
        if found := first_difference(wanted, told, arrays):
            found = f"seed {seed}, session {where}, {found}"
            return Equality(done, transfers, difference=found, sessions_left=left)
        done += len(wanted.records[0])
        transfers += sum(record.transfers for record in wanted.records[0])
        progress(done)
    return Equality(done, transfers, sessions_left=left)


def first_difference(wanted: Held, told: Held, arrays: Arrays) -> str:
    """Where a session's records and sums by the kernel are not those of the readable engine; empty
    where nowhere."""
    (mine, tape), (theirs, other) = wanted.deals(0), told.deals(0)
    if len(mine) != len(theirs):
        return f"{len(mine)} deals by the readable engine, {len(theirs)} by the fast one"
    for number, (a, b) in enumerate(zip(mine, theirs, strict=True)):
        found = differing(as_told(a, tape), as_told(b, other, arrays))
        if found:
            return f"deal {number}, {found}"
    sums = [
        _summed(held.session_sums()[0], arrays.ruleset, scale)
        for held, scale in ((wanted, 1), (told, arrays.scale))
    ]
    found = differing(*sums)
    return found and f"the sums, {found}"


def as_told(
    record: DealRecord, tape: Sequence[Any], arrays: Arrays | None = None
) -> dict[str, Any]:
    """A record by field, with its events and payments; of the kernel's, amounts in counters and
    rules by their paths."""
    scale = 1 if arrays is None else arrays.scale
    fields = {name: getattr(record, name) for name in DealRecord.__slots__}
    for name in AMOUNTS:
        fields[name] = _in_counters(fields[name], scale)
    paid = [tape[at : at + TAPED] for at in range(*_span(record, "transfers", TAPED), TAPED)]
    fields["transfers"] = [
        (by, to, Fraction(much) / scale, _rule(why, arrays)) for by, to, much, why in paid
    ]
    fields["events"] = tape[slice(*_span(record, "events", 1))]
    return {name: value for name, value in fields.items() if not name.endswith("_at")}


def _rule(why: Any, arrays: Arrays | None) -> Any:
    if arrays is None:
        return why
    from quadrille_plugins.kernel.tabulate import decode

    return decode(arrays.ruleset.rules, why)


def _span(record: DealRecord, name: str, places: int) -> tuple[int, int]:
    at = getattr(record, f"{name}_at")
    return at, at + places * getattr(record, name)


def _in_counters(amounts: Any, scale: int) -> Any:
    """An amount, or several, in counters."""
    if isinstance(amounts, list):
        return [Fraction(amount) / scale for amount in amounts]
    return Fraction(amounts) / scale


def _summed(sums: SessionSums, ruleset: RuleSet, scale: int) -> dict[str, Any]:
    """A session's sums by field, in counters."""
    fields = {name: getattr(sums, name) for name in SessionSums.__slots__}
    for name in ("pool_before", "moved"):
        fields[name] = _in_counters(fields[name], scale)
    fields["endings"] = sums.endings[: 3 * len(ruleset.rules.bids.rows)]
    fields["low"] = [Fraction(sums.square(place)) / scale**2 for place in range(len(sums.low))]
    del fields["high"]  # the squares stand under ``low``
    return fields


def differing(wanted: dict[str, Any], told: dict[str, Any]) -> str:
    """The first field that differs, with both values: of a list, where it first does."""
    name = next((name for name, value in wanted.items() if value != told[name]), "")
    if not name:
        return ""
    a, b, place = wanted[name], told[name], name
    if isinstance(a, list) and isinstance(b, list):
        both = enumerate(zip(a, b, strict=False))
        at = next((n for n, (x, y) in both if x != y), min(len(a), len(b)))
        a, b, place = _at(a, at), _at(b, at), f"{name}[{at}]"
    return f"{place}: {_shown(a)} by the readable engine, {_shown(b)} by the fast one"


def _at(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _shown(value: Any) -> str:
    """A value as a person reads it."""
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_shown, value))})"
    return "nothing" if value is None else str(value)
