"""Irregularities reported of a deal that nobody played: dealt again, or passed by all.

There is no Hombre and no ending, so a payment that asks how a game ended, or what was bid, is not
due; one that names somebody, or counts something, whom only a game would show cannot be made.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from quadrille_core.cards import NO_TRUMP
from quadrille_core.engine.amounts import Entries, unit_of
from quadrille_core.engine.case import Case
from quadrille_core.engine.result import Result, Transfer
from quadrille_core.engine.terms import in_points
from quadrille_core.plugin_rules import Change, Conditional, PaymentRow
from quadrille_core.rules import Rules

_KNOWN: Final = ("offender", "others", "all", "pool", "dealer", "eldest")
"""Who can pay or be paid where nobody played."""
_SAID: Final = {"receiver": "to"}
_NO_GAME: Final = ("", "", frozenset[str]())
"""The ending, the contract and the trumps, of which no condition is met."""


class _Unplayed(Case):
    """A deal without a game, of which incidents were reported."""

    def __init__(self, rules: Rules, result: Result, unit: Fraction) -> None:
        self.rules, self.result, self.unit = rules, result, unit
        self.times, self.ledger = result.multiplier, Entries()

    def of_rows(self, *, by_suit: bool = True) -> tuple[str, str, frozenset[str]]:
        del by_suit
        return _NO_GAME

    def rows(self, *, by_suit: bool) -> Iterator[PaymentRow]:
        del by_suit
        return (row for row in self.rules.own.rows(*_NO_GAME) if row.incident)

    def meets(self, row: Conditional) -> bool:
        return not row.facts

    def who(self, party: str) -> list[int]:
        return super().who(party) if party in _KNOWN else []


def fines(
    rules: Rules,
    players: tuple[str, ...],
    incidents: tuple[tuple[str, int], ...],
    *,
    staked: Fraction,
    held: Fraction,
    times: int,
) -> tuple[Transfer, ...]:
    """What these incidents cost; ``staked`` is the pool that a unit is measured by, ``held`` what
    it can pay, ``times`` how often a game would have counted."""
    result = Result(
        players=players,
        pool=held,
        contract="",
        trump=NO_TRUMP,
        hombre=0,
        tricks=(0,) * len(players),
        multiplier=times,
        incidents=incidents,
    )
    case = _Unplayed(rules, result, unit_of(rules.stakes, staked))
    case.settle_rows(by_suit=True)
    return tuple(case.ledger.transfers)


def fined(rules: Rules, incident: str) -> list[PaymentRow]:
    """The payments of an incident that ask for no game; none where nobody is paid anything."""
    rows = () if in_points(rules) else rules.own.rows(*_NO_GAME)
    return [row for row in rows if row.incident == incident and rules.own.amount(row.amount)]


def paid_without_game(rules: Rules, incident: str) -> bool:
    """Whether an incident may be reported of a deal that nobody played."""
    rows = fined(rules, incident)
    return bool(rows) and not any(asks for row in rows for asks in asks_for_game(rules, row))


def asks_for_game(rules: Rules, row: PaymentRow) -> Iterator[tuple[str, str]]:
    """Whom or what a payment, or a change of it, names that only a game shows: the leaf that it
    cites, and its field and value."""
    who = [(row.leaf, name, str(getattr(row, name))) for name in ("payer", "payee")]
    if row.per:
        yield row.leaf, f"per {row.per}"
    asking: list[Conditional] = [row]
    due = list(rules.own.changes(Change, *_NO_GAME))
    for change in rules.own.changing(row):
        if change not in due:
            continue
        asking.append(change)
        named = {
            name: str(getattr(change, name, "")) for name in ("payer", "payee", "by", "receiver")
        }
        who += [(change.leaf, _SAID.get(name, name), p) for name, p in named.items() if p]
    yield from ((leaf, f"{name} {party}") for leaf, name, party in who if party not in _KNOWN)
    yield from ((one.leaf, f"facts {f.measure}") for one in asking for f in one.facts)
