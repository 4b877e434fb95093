"""One plain sentence on what happens in a divergent deal.

The words come from the deal's own events and payments, from the engine's reasons for what it
refuses, and from the titles of the readings; nothing is known here of any rule or variant.
"""

from collections.abc import Mapping, Sequence

from quadrille_core.cards import format_cards, format_suit
from quadrille_core.engine.actions import Action, parse_action
from quadrille_core.engine.result import ODD, Settlement, Transfer
from quadrille_core.engine.table import Deal
from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import Compiled
from quadrille_plugins.settle.payments import Payment, group_payments
from quadrille_plugins.shell.values import listed
from quadrille_plugins.studies.lockstep import Contrast, in_words, sides
from quadrille_plugins.studies.observe import account_in_words

_NUMBERS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def called(pair: tuple[Compiled, Compiled]) -> tuple[str, str]:
    """How two rule sets are called beside one another.

    By the reading, where they differ in one point alone; else by what names them, where that
    differs; else by all the readings, or by the rule, in which they differ.
    """
    mine, theirs = ({p.point.id: p.reading for p in c.points} for c in pair)
    points = [p for p in mine if p in theirs and mine[p].id != theirs[p].id]
    names = pair[0].identity.reference, pair[1].identity.reference
    if (
        points
        and (len(points) == 1 or names[0] == names[1])
        and pair[0].identity.profile == pair[1].identity.profile
    ):
        return _readings(mine, points), _readings(theirs, points)
    if names[0] != names[1]:
        return names
    paths = [
        p
        for p in pair[0].origins
        if p in pair[1].origins and pair[0].value_of(p) != pair[1].value_of(p)
    ]
    if len(paths) == 1:
        return (
            f"{paths[0]} {pair[0].value_of(paths[0])}",
            f"{paths[0]} {pair[1].value_of(paths[0])}",
        )
    return "the first rules", "the second rules"


def _readings(readings: Mapping[str, ReadingDoc], points: Sequence[str]) -> str:
    """The readings of these points: one by its title or name alone, several each with its point."""

    def title(point: str) -> str:
        return f"“{readings[point].title or readings[point].id.replace('_', ' ')}”"

    if len(points) == 1:
        return title(points[0])
    return ", ".join(f"{point.replace('_', ' ')} {title(point)}" for point in points)


def sentence_of(
    pair: tuple[Compiled, Compiled],
    place: Contrast,
    deals: tuple[Deal, Deal],
    settled: tuple[Settlement | None, Settlement | None],
) -> str:
    """What happens, and what each of the two makes of it; the deals have gone on to their end."""
    names = called(pair)
    before = _before(pair[0], deals[0], place)
    if place.kind == "options":
        sides = _options(pair, place, deals)
    elif place.where == "settlement":
        sides = _ended(_paid(deals[0].setup.players, settled), settled)
    else:
        sides = tuple("; ".join(only) or "nothing of the kind" for only in place.only)  # type: ignore[assignment]
    told = f"{before}: under {names[0]} {sides[0]}; under {names[1]} {sides[1]}."
    if place.where != "settlement" and all(settled) and _net(settled[0]) != _net(settled[1]):
        ends = [_net_words(s, deals[0].setup.players) for s in settled if s is not None]
        told += f" Played on, it ends with {ends[0]} under the one and {ends[1]} under the other."
    return told[0].upper() + told[1:]


# --- what went before -----------------------------------------------------------------------------


def _before(compiled: Compiled, deal: Deal, place: Contrast) -> str:
    """What has happened up to the place: the standing, what was said, and the trick or the
    outcome."""
    if place.where == "antes":
        return "before the deal"
    again = _up_to(place, compiled, deal)
    setup, parts = deal.setup, []
    parts.append(f"with {setup.pool} in the pool")
    if setup.favourite is not None:
        parts.append(f"{format_suit(setup.favourite)} being favourite")
    if setup.multiplier > 1:
        parts.append(f"the deal counting {setup.multiplier} times")
    said = _said(again)
    if said:
        parts.append(said)
    if place.where in ("settlement", "next deal", "purses"):
        parts.append(_outcome(again))
    elif place.where in ("play", "vole"):
        parts.append(_trick(again, place))
    return ", ".join(parts)


def _up_to(place: Contrast, compiled: Compiled, deal: Deal) -> Deal:
    """The deal as far as the place."""
    again = Deal(compiled.ruleset, deal.setup)
    for _, action in deal.actions[: place.index]:
        again.apply(action)
    return again


def _said(deal: Deal) -> str:
    """The bidding and declaration before the first card; passes are only mentioned when there is
    nothing else."""
    events = [e for e in deal.events if e.kind not in ("deal", "pass", "play", "trick", "end")]
    told = [e.text() for e in events if e.stage == "auction"]
    passes = sum(e.kind == "pass" for e in deal.events)
    if not told and passes:
        return (
            "all having passed"
            if passes == len(deal.hands)
            else f"after {_count(passes, 'pass', 'passes')}"
        )
    return ", ".join(told)


def _trick(deal: Deal, place: Contrast) -> str:
    """The trick in which they diverge."""
    cards = deal.trick
    if place.kind == "events" and not cards and deal.tricks:
        leader = deal.setup.players[deal.tricks[-1].leader]
        return f"in the {_NUMBERS[len(deal.tricks) - 1]} trick, which {leader} leads to"
    number = _NUMBERS[min(len(deal.tricks), len(_NUMBERS) - 1)]
    if not cards:
        made = {deal.setup.players[s]: n for s, n in enumerate(deal.won) if n}
        won = ", ".join(f"{p} has made {n}" for p, n in made.items())
        return f"before the {number} trick" + (f", when {won}" if won else "")
    players, seats = deal.setup.players, len(deal.hands)
    plays = [
        f"{players[(deal.leader + n) % seats]} plays {format_cards([c])}"
        for n, c in enumerate(cards)
    ]
    return f"to the {number} trick " + ", ".join(plays)


def _outcome(deal: Deal) -> str:
    result, players = deal.result(), deal.setup.players
    if result is None:
        return "the cards being dealt again"
    made = [f"{players[s]} {n}" for s, n in enumerate(result.tricks) if n]
    whose = [players[s] for s in result.side()]
    side = f"{whose[0]} with {whose[1]}" if len(whose) == 2 else f"{whose[0]} alone"
    ended = next((e.note for e in reversed(deal.events) if e.kind == "end"), "")
    return f"{side} as Hombre, tricks made by {', '.join(made)}" + (
        f" when {ended}" if "claim" in ended else ""
    )


# --- what each makes of it ------------------------------------------------------------------------


def _options(
    pair: tuple[Compiled, Compiled], place: Contrast, deals: tuple[Deal, Deal]
) -> tuple[str, str]:
    """What each lets the player do that the other does not, and why one does not where it allows
    nothing instead."""
    again = [_up_to(place, compiled, deal) for compiled, deal in zip(pair, deals, strict=True)]
    who = deals[0].setup.players[place.seat or 0]
    holds = format_cards(sorted(again[0].hands[place.seat or 0]))
    sides = []
    for number, (mine, theirs) in enumerate((place.only, place.only[::-1])):
        if mine:  # and what the other has then needs no reason against it
            sides.append(f"may {_words(mine)}")
            continue
        left = again[number].legal()
        may = (
            f"may only {in_words(left)}" if len(left) < len(theirs) else f"may not {_words(theirs)}"
        )
        sides.append(f"{may}: {_reason(again[number], parse_action(theirs[0]))}")
    return f"{who}, who holds {holds}, {sides[0]}", f"they {sides[1]}"


def _words(spelt: Sequence[str]) -> str:
    return in_words([parse_action(text) for text in spelt])


def _reason(deal: Deal, action: Action) -> str:
    """Why the deal refuses an action, without the rule's path."""
    refusal = deal.refusal(action)
    return "" if refusal is None else refusal.reason


def _paid(
    players: Sequence[str], settled: tuple[Settlement | None, Settlement | None]
) -> tuple[str, str]:
    """What is paid on one table only."""
    one, other = (() if s is None else s.transfers for s in settled)
    mine, theirs = sides(one, other, _move)
    return _transfers(players, mine), _transfers(players, theirs)


def _ended(
    sides: tuple[str, str], settled: tuple[Settlement | None, Settlement | None]
) -> tuple[str, str]:
    """With how the game counts as ended, where the two differ about that."""
    ends = [
        "" if s is None else s.outcome + (", the pool left standing," if s.frozen else "")
        for s in settled
    ]
    if ends[0] == ends[1]:
        return sides
    return f"it is {_a(ends[0])} and {sides[0]}", f"it is {_a(ends[1])} and {sides[1]}"


def _a(outcome: str) -> str:
    return outcome if outcome.startswith("won") else f"a {outcome}"


def _move(transfer: Transfer) -> tuple[object, ...]:
    return transfer.source, transfer.target, transfer.amount


def _transfers(players: Sequence[str], transfers: Sequence[Transfer]) -> str:
    """Payments in words, equal ones together: ``B, C and D each pay A 4 (solo premium)``."""
    if not transfers:
        return "nothing of that is paid"

    def name(seat: int) -> str:
        return account_in_words(seat, players)

    told = []
    named = (Payment(name(t.source), name(t.target), t.amount, t.reason, t.rule) for t in transfers)
    for one in group_payments(named):
        verb = "pays" if len(one.payers) == 1 else "each pay"
        each = " each" if len(one.payees) > 1 else ""
        why = "" if one.rule == ODD else f" ({one.reason})"
        told.append(f"{listed(one.payers)} {verb} {listed(one.payees)} {one.amount}{each}{why}")
    return ", ".join(told)


def _count(number: int, one: str, many: str) -> str:
    return f"one {one}" if number == 1 else f"{number} {many}"


def _net(settlement: Settlement | None) -> object:
    return None if settlement is None else settlement.net


def _net_words(settlement: Settlement, players: Sequence[str]) -> str:
    parts = [
        f"{p} {'+' if n > 0 else '−' if n < 0 else ''}{abs(n)}"
        for p, n in zip(players, settlement.net, strict=True)
    ]
    return ", ".join(parts)
