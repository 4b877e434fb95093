"""One deal under two rule sets in lockstep: the same cards and the same actions on both tables.

What two rule sets say of a deal is compared without any player's habits: as long as the same
actions have been taken on both tables, they are at the same *point* of the deal, and at every point
it can be asked whether the rules tell the two tables different things.  There are three ways in
which they may:

* ``options``: whoever is in turn may do something on one table that they may not do on the other;
* ``events``: the same action has had other consequences (another takes the trick, another is in
  turn);
* ``payments``: the deal has come to the same end, and what is paid for it, or carried to the next
  deal, differs.

After differing options the tables may go on side by side, if what is done next is allowed on both;
after differing events they cannot.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal, TypeVar

from quadrille_core import vocabulary
from quadrille_core.cards import Suit
from quadrille_core.engine.actions import Action
from quadrille_core.engine.amounts import counts_beasts, table_stake
from quadrille_core.engine.carry import (
    Carry,
    antes_of,
    carried,
    multiplier_of,
    refills_of,
    session_over,
)
from quadrille_core.engine.deal import DealSetup, Hands, names
from quadrille_core.engine.past import Facts
from quadrille_core.engine.result import Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.engine.terms import times_counted
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules, RuleSet
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.shell.values import grouped
from quadrille_plugins.studies.observe import Divergence, in_common, paid_texts

T = TypeVar("T")
Where = Literal[
    "antes", "auction", "declaration", "play", "vole", "settlement", "next deal", "purses"
]
"""Where in a deal: ``vole`` is the decision after premiers, ``next deal`` what is carried to it."""

Kind = Literal["options", "events", "payments"]

_WHERE: Final[dict[str, Where]] = {
    "auction": "auction",
    "declare": "declaration",
    "play": "play",
    "vole": "vole",
}

Choose = Callable[[Deal], Action | None]
"""What is done next, asked of the first table; None to leave off."""


@frozen
class Contrast:
    """A point of a deal at which the two rule sets differ.

    ``index`` counts the actions before it.  ``only`` has what only the first, and only the second,
    rule set has there: the spelling of each action that only one allows, or what happened or is
    paid on one table only.
    """

    index: int
    where: Where
    kind: Kind
    seat: int | None
    only: tuple[tuple[str, ...], tuple[str, ...]]


@frozen
class MatchedStart:
    """A matched start: cards and session state before a deal, independent of any rule set.

    ``beyond`` is what the pool holds besides this deal's antes; ``multiplier`` and ``beasts`` count
    only under rules that know of them; ``favourite`` is the suit drawn, where the rules neither fix
    one nor do without.
    """

    hands: Hands
    beyond: Fraction = Fraction(0)
    multiplier: int = 1
    beasts: int = 0
    favourite: Suit | None = None
    players: tuple[str, ...] = ()
    before: Facts = ()
    """The facts of the session, where they are known; else the deal is the first of one."""

    def setup(self, rules: Rules) -> DealSetup:
        """The deal as these rules have it."""
        match rules.favourite.source:
            case "none":
                favourite = None
            case "fixed":
                favourite = rules.favourite.suit
            case _:
                favourite = self.favourite
        return DealSetup(
            hands=self.hands,
            pool=self.beyond + table_stake(rules),
            multiplier=times_counted(rules, self.multiplier),
            beasts=self.beasts if counts_beasts(rules) else 0,
            favourite=favourite,
            players=self.players or names(len(self.hands)),
            before=self.before if rules.own.session_facts() else (),
        )


def opening_of(rules: Rules, setup: DealSetup) -> MatchedStart:
    """The matched start of a deal that was dealt under these rules.

    Where they do not count beasts, a pool that holds more than the antes is taken to hold one.
    """
    beyond = setup.pool - table_stake(rules)
    return MatchedStart(
        hands=setup.hands,
        beyond=beyond,
        multiplier=setup.multiplier,
        beasts=setup.beasts if counts_beasts(rules) else int(beyond > 0),
        favourite=setup.favourite,
        players=setup.players,
        before=setup.before,
    )


@dataclass(frozen=True)
class Couple:
    """Two rule sets for the same number of players: the one in use and its alternative."""

    first: RuleSet
    second: RuleSet

    @cached_property
    def values(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Every leaf of each by its path, as plain values."""
        return vocabulary.dump(self.first.rules), vocabulary.dump(self.second.rules)

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The paths of the leaves that differ, names in print left out."""
        a, b = self.values
        missing = object()
        return tuple(
            p
            for p in dict.fromkeys((*a, *b))
            if a.get(p, missing) != b.get(p, missing) and not p.endswith(".title")
        )

    @property
    def sets(self) -> tuple[RuleSet, RuleSet]:
        """Both."""
        return self.first, self.second

    @property
    def rules(self) -> tuple[Rules, Rules]:
        """The rules of both."""
        return self.first.rules, self.second.rules

    def turned(self) -> "Couple":
        """The pair with the alternative first."""
        return Couple(self.second, self.first)


@dataclass(slots=True)
class PairedRun:
    """How far two tables went in lockstep, and every point at which the rules differed."""

    opening: MatchedStart
    deals: tuple[Deal, Deal]
    places: list[Contrast] = field(default_factory=list)
    settled: tuple[Settlement | None, Settlement | None] = (None, None)

    @property
    def script(self) -> tuple[Action, ...]:
        """The actions taken on both tables."""
        shared = zip(self.deals[0].actions, self.deals[1].actions, strict=False)
        return tuple(a for (_, a), (_, b) in shared if a == b)

    @property
    def over(self) -> bool:
        """Whether both reached the end in lockstep."""
        return all(deal.over for deal in self.deals)


def side_by_side(
    couple: Couple, opening: MatchedStart, choose: Choose, *, until_first: bool = False
) -> PairedRun:
    """Play a deal on both tables with the same actions, as far as both rule sets allow.

    ``choose`` is asked before every action; the walk ends where the action is not allowed on both
    tables, where it is None, where events diverge, or at the end of the deal; with ``until_first``,
    at the first place.
    """
    rules = couple.rules
    a = Deal(couple.first, opening.setup(rules[0]))
    b = Deal(couple.second, opening.setup(rules[1]))
    walk = PairedRun(opening, (a, b))
    walk.places.extend(_antes(rules, len(opening.hands)))
    seen, where, seat = 0, _WHERE["auction"], 0
    while not (until_first and walk.places):
        place = _events(a, b, seen, where, seat) or _turns(a, b, where, seat)
        if place is not None:
            walk.places.append(place)
            return walk
        if a.turn is None:
            break
        seen, where, seat = len(a.events), _WHERE[a.phase], a.turn
        mine, theirs = a.legal(), b.legal()
        if mine != theirs and set(mine) != set(theirs):
            only = (
                tuple(str(x) for x in mine if x not in theirs),
                tuple(str(x) for x in theirs if x not in mine),
            )
            walk.places.append(Contrast(len(a.actions), where, "options", seat, only))
            if until_first:
                return walk
        action = choose(a)
        if action is None or action not in mine or action not in theirs:
            return walk
        a.apply(action)
        b.apply(action)
    if walk.over:
        walk.settled = settled_of(rules[0], a), settled_of(rules[1], b)
        walk.places.extend(_payments(walk, rules))
    return walk


def alone(ruleset: RuleSet, opening: MatchedStart, choose: Choose) -> None:
    """Play a deal on one table, reading every rule that ``side_by_side`` reads: for a dependency
    trace."""
    rules = ruleset.rules
    deal = Deal(ruleset, opening.setup(rules))
    antes_of(rules, range(len(opening.hands)))
    while not deal.over:
        legal, action = deal.legal(), choose(deal)
        if action is None or action not in legal:
            return
        deal.apply(action)
    _carried(rules, opening, deal.setup, settled_of(rules, deal))


_ALL_SAID: Final = {
    "pass": "pass",
    "invite": "invite the ally to name trumps",
    "claim": "claim the game",
    "ask": "ask about the vole",
    "yes": "agree to the vole",
    "no": "not play for the vole",
    "vole": "undertake the vole",
}
_SAID: Final = {
    "bid": "bid {}",
    "name": "name {} trumps without asking leave",
    "trump": "name {} trumps",
    "call": "call {}",
    "give": "give up {}",
    "play": "play {}",
}


def in_words(actions: Sequence[Action]) -> str:
    """What one may do, as alternatives: ``pass or bid solo``, ``play SA or CA``."""
    things = grouped((action.kind, str(action).partition(" ")[2]) for action in actions)
    told = [
        _ALL_SAID.get(kind) or _SAID[kind].format(_alternatives(what))
        for kind, what in things.items()
    ]
    return " or ".join(told)


def _alternatives(things: Sequence[str]) -> str:
    """``SA or CA``; of many only the first three, and how many more there are."""
    if len(things) <= 4:
        return " or ".join(things)
    return ", ".join(things[:3]) + f" or one of {len(things) - 3} others"


def along(script: Sequence[Action]) -> Choose:
    """A choice function that follows a script to its end."""

    def choose(deal: Deal) -> Action | None:
        number = len(deal.actions)
        return script[number] if number < len(script) else None

    return choose


def settled_of(rules: Rules, deal: Deal) -> Settlement | None:
    """The settlement of a deal that is over; None where the cards were redealt."""
    result = deal.result()
    return None if result is None else settle(rules, result)


def paid_apart(places: Sequence[Contrast]) -> Divergence | None:
    """The first place at which only the payments differ, as where a deal diverges; None where there
    is none."""
    place = next((p for p in places if p.kind == "payments"), None)
    return (
        None
        if place is None
        else Divergence(place.where, *("; ".join(only) or "nothing" for only in place.only))
    )


# --- the ways in which rules differ --------------------------------------------------------------


def _antes(rules: tuple[Rules, Rules], players: int) -> list[Contrast]:
    seats = range(players)
    one, other = (antes_of(r, seats) for r in rules)
    if one == other:
        return []
    called = names(players)

    def told(antes: Sequence[Fraction]) -> tuple[str, ...]:
        return tuple(f"{called[s]} stakes {antes[s]}" for s in seats if one[s] != other[s])

    return [Contrast(0, "antes", "payments", None, (told(one), told(other)))]


def _events(a: Deal, b: Deal, seen: int, where: Where, seat: int) -> Contrast | None:
    """The first point from event ``seen`` on at which the tables' events differ."""
    mine, theirs = a.events[seen:], b.events[seen:]
    if mine == theirs:
        return None
    same = in_common(mine, theirs)
    only = tuple(e.text() for e in mine[same:]), tuple(e.text() for e in theirs[same:])
    return Contrast(len(a.actions), where, "events", seat, only)


def _turns(a: Deal, b: Deal, where: Where, seat: int) -> Contrast | None:
    """Where the events agree, but the next player or decision differs."""
    if (a.turn, a.phase) == (b.turn, b.phase):
        return None

    def told(deal: Deal) -> tuple[str, ...]:
        if deal.turn is None:
            return ("the deal is over",)
        who, may = deal.setup.players[deal.turn], deal.legal()
        return (f"it is {who}'s turn, who may {in_words(may)}",)

    return Contrast(len(a.actions), where, "events", seat, (told(a), told(b)))


def _payments(walk: PairedRun, rules: tuple[Rules, Rules]) -> list[Contrast]:
    index, players = len(walk.deals[0].actions), walk.deals[0].setup.players
    found = []
    mine, theirs = (paid_texts(s, players) for s in walk.settled)
    if mine != theirs:
        found.append(Contrast(index, "settlement", "payments", None, sides(mine, theirs)))
    mine, theirs = (
        _carried(r, walk.opening, d.setup, s)
        for r, d, s in zip(rules, walk.deals, walk.settled, strict=True)
    )
    if mine != theirs and not found:
        found.append(Contrast(index, "next deal", "payments", None, sides(mine, theirs)))
    return found


def _carried(
    rules: Rules, opening: MatchedStart, setup: DealSetup, settlement: Settlement | None
) -> list[str]:
    """What the deal leaves to the next, in words.

    How great the beasts are that wait already no scene tells; all are taken to lie in the pool.
    """
    before = Carry(pool=opening.beyond, losses=setup.multiplier - 1, standing=setup.beasts)
    after = carried(rules, before, settlement)
    told = [
        f"the pool keeps {after.pool}",
        f"the next deal counts {_times(multiplier_of(rules, after))}",
    ]
    return told + [f"a beast of {w} waits" for w in after.waiting]


def _times(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def sides(
    mine: Sequence[T], theirs: Sequence[T], key: Callable[[T], object] = lambda one: one
) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """What only one of two lists has by its key, repetitions counted; all where they differ in the
    order alone."""
    rest, only = list(theirs), []
    for one in mine:
        same = next((n for n, other in enumerate(rest) if key(other) == key(one)), None)
        if same is None:
            only.append(one)
        else:
            del rest[same]
    return (tuple(only), tuple(rest)) if only or rest else (tuple(mine), tuple(theirs))


def purses(couple: Couple, played: PlayedDeal) -> list[Contrast]:
    """Where the rules differ about a player with a negative balance after this deal of a
    session."""
    mine, theirs = (refilled(rules, played) for rules in couple.rules)
    if mine == theirs:
        return []
    return [Contrast(len(played.deal.actions), "purses", "payments", None, sides(mine, theirs))]


def refilled(rules: Rules, played: PlayedDeal) -> list[str]:
    """What these rules do about players who have less than nothing after the deal, in words."""
    held = [h - r for h, r in zip(played.holdings, played.refills, strict=True)]
    refills = refills_of(rules, held)
    chairs = [f"chair {c + 1} gets {r} from the box" for c, r in enumerate(refills) if r]
    after = [h + r for h, r in zip(held, refills, strict=True)]
    return [*chairs, "the session ends"] if session_over(rules, after) else chairs
