"""The end of a deal as a page shows it: why the play ended, the settlement in words, and who pays
whom as a picture between the seats."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import hypot
from typing import Any, Final

from quadrille_core.engine.amounts import unit_of
from quadrille_core.engine.result import Result, Settlement
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules
from quadrille_plugins.play.game import Game, before
from quadrille_plugins.serve.settle_pages import settled
from quadrille_plugins.settle.blocks import payments_of
from quadrille_plugins.settle.payments import group_payments, named, table_groups
from quadrille_plugins.settle.result_file import account_name
from quadrille_plugins.shell.values import amount

SEATS: Final = {
    4: ((180, 255), (310, 145), (180, 35), (50, 145)),
    5: ((180, 255), (310, 165), (262, 35), (98, 35), (50, 165)),
}
"""Where the seats are in the picture, the human's at the bottom and the next on its right."""
MIDDLE: Final = (180, 145)
ROOM: Final = 42
"""How far from the middle of a seat an arrow ends."""
APART: Final = (60, -40)
"""From one account in the middle to the next, so that no line to one runs over another."""
CLOSE: Final = 30
BEND: Final = 90
"""A line between seats that passes the middle so close is bent so far."""


@frozen
class Arrow:
    """A payment in the picture: its path, where its amount stands, and who pays whom."""

    path: str
    x: int
    y: int
    much: Fraction
    payer: str
    payee: str


def ending(game: Game) -> dict[str, Any]:
    """The settlement of a deal that is over, and all its hands; no blocks where all passed."""
    result, settlement = game.deal.result(), game.settlement
    names, n = game.setup.players, len(game.setup.players)
    found: dict[str, Any] = {
        "blocks": [],
        "balances": list(zip(names, game.balances_after, strict=True)),
        "hands": list(zip(names, map(sorted, game.setup.hands), strict=True)),
    }
    if result is None or settlement is None:
        return found
    places = [SEATS[n][(seat - game.seat) % n] for seat in range(n)]
    return {
        **found,
        "blocks": settled(game.compiled, result, settlement)[1],
        "ended": ended_by(game),
        "net": settlement.net[game.seat],
        "pool": settlement.pool_after,
        "largest": largest(game.deal.rules, result, settlement),
        "arrows": arrows(settlement, names, places),
        "pots": [(name, *where) for name, where in _pots(settlement, names).values()],
        "seats": [(name, *places[seat], settlement.net[seat]) for seat, name in enumerate(names)],
    }


def ended_by(game: Game) -> str:
    """The leaf by which the play ended before its last trick; empty where all were played."""
    deal, last = game.deal, before(game, len(game.actions) - 1).deal
    if len(deal.tricks) == deal.rules.table.hand_cards:
        return ""
    if game.actions[-1].kind == "play":
        return "bids.*.ends_when_lost"
    return "premiers.claim" if last.phase == "vole" else "play.claim_won"


def largest(rules: Rules, result: Result, settlement: Settlement) -> list[tuple[str, ...]]:
    """The three payments that move most, alike ones together: from, to, counters, for what, and
    where a unit is no counter how many of them that is."""
    names, unit = result.players, unit_of(rules.stakes, result.pool)
    groups = table_groups(names, [names[s] for s in result.side()])
    paid = group_payments(payments_of(settlement.transfers, names))
    paid.sort(key=lambda p: -p.amount * len(p.payers) * len(p.payees))
    found: list[tuple[str, ...]] = []
    for p in paid[:3]:
        of_table = p.rule.startswith("payments.") and {*p.payers, *p.payees} <= {*names}
        units = amount(p.amount / unit) if of_table and unit not in (0, 1) else ""
        who = named(p.payers, p.payees, groups), named(p.payees, p.payers, groups)
        found.append((*who, amount(p.amount), p.reason, units and f"{units} × {amount(unit)}"))
    return found


def _pots(settlement: Settlement, names: tuple[str, ...]) -> dict[int, tuple[str, tuple[int, int]]]:
    """The accounts in the middle that take or give something, from the lower left up."""
    found = {t for one in settlement.transfers for t in (one.source, one.target) if t < 0}
    half, (dx, dy) = (len(found) - 1) / 2, APART
    return {
        account: (
            account_name(account, names),
            (round(MIDDLE[0] + dx * (n - half)), round(MIDDLE[1] + dy * (n - half))),
        )
        for n, account in enumerate(sorted(found, reverse=True))
    }


def arrows(
    settlement: Settlement, names: tuple[str, ...], places: Sequence[tuple[int, int]]
) -> list[Arrow]:
    """One arrow for each two between whom anything is left to pay, all their payments together."""
    due: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for t in settlement.transfers:
        due[t.source, t.target] += t.amount
        due[t.target, t.source] -= t.amount
    pots = _pots(settlement, names)
    where = {**dict(enumerate(places)), **{a: at for a, (_, at) in pots.items()}}
    found = []
    for (payer, payee), much in due.items():
        if much > 0:
            room = BEND + APART[0] * (len(pots) - 1) if min(payer, payee) >= 0 else 0
            path, x, y = _path(where[payer], where[payee], room)
            both = (account_name(payer, names), account_name(payee, names))
            found.append(Arrow(path, x, y, much, *both))
    return found


def _path(start: tuple[int, int], end: tuple[int, int], aside: int) -> tuple[str, int, int]:
    """A line from one place to the other, bent so far aside where it would cross the middle, and a
    point on it where its amount stands clear of those of other lines."""
    (x1, y1), (x2, y2) = start, end
    long = hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / long, (y2 - y1) / long
    room = min(ROOM, long / 3)
    x1, y1 = round(x1 + ux * room), round(y1 + uy * room * 0.6)
    x2, y2 = round(x2 - ux * room), round(y2 - uy * room * 0.6)
    beside = (MIDDLE[0] - x1) * uy - (MIDDLE[1] - y1) * ux
    bend = 0 if abs(beside) > CLOSE else aside if beside <= 0 else -aside
    mx, my = round((x1 + x2) / 2 + uy * bend), round((y1 + y2) / 2 - ux * bend)
    t = 0.3 if bend else 0.6
    x, y = (
        round(a * (1 - t) ** 2 + b * 2 * t * (1 - t) + c * t**2)
        for a, b, c in ((x1, mx, x2), (y1, my, y2))
    )
    return f"M{x1} {y1}Q{mx} {my} {x2} {y2}", x, y
