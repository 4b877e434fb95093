"""Lost games that cost their bidder nothing, found by settling every kind of loss, and the readings
that close them.

Bots and a solver that see such a door go through it: they bid, throw the deal away and gain by it,
and a study then measures the door.  No cards are looked at, and no bid is known by its name: each
contract that the rules have is settled, alone and allied, plain and in favourite, with and without
the vole, at the smallest pools, for every way to lose it.  What a loss pays (matadors, premiers)
only makes it dearer, so that results without either are enough; of facts that plugins count nobody
has any that need not be had.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import click

from quadrille_core import vocabulary
from quadrille_core.cards import NO_TRUMP, SUITS, Suit, format_suit
from quadrille_core.engine.amounts import counts_beasts, table_stake
from quadrille_core.engine.case import verdict
from quadrille_core.engine.deal import names
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import in_points, may_announce_vole
from quadrille_core.frozen import frozen
from quadrille_core.kinds import TRICKS
from quadrille_core.rules import Bid, GameRules, Rules, RuleSet, VoleLevel
from quadrille_core.ruleset import Compiled
from quadrille_plugins.settle.consulted import touches, trace, with_leaves
from quadrille_plugins.settle.possible import impossible, least_facts
from quadrille_plugins.shell.terminal import filled
from quadrille_plugins.shell.values import Json

_COSTS: Final = ("loss", "vole", "multiplier", "payments", "stakes")
"""The blocks of rules that say what a lost game costs."""
MOST_KNOWN: Final = 512
KNOWN: "dict[str, tuple[FreeLoss, ...]]" = {}
_BLOCKS: Final = (
    *_COSTS,
    "table",
    "bids",
    "exchange",
    "favourite",
    "score",
    "auction",
    "premiers",
    "own",
)
"""All that settling a loss may read."""


@frozen
class FreeLoss:
    """One lost game after which the bidder is no poorer: ``net`` is 0 or more, antes excluded."""

    result: Result
    title: str
    """The contract's name in print."""
    outcome: str
    frozen: bool
    """Whether a vole was announced and missed, and the stake left standing."""
    alone: bool
    """Whether the bid is for allies and Hombre called a card of their own."""
    net: Fraction

    @property
    def kind(self) -> tuple[str, str, bool, bool, str]:
        """What it is an example of."""
        return self.result.contract, self.outcome, self.frozen, self.alone, self.result.vole

    def text(self) -> str:
        """The loss in one line."""
        result = self.result
        suit = "no trump" if result.trump == NO_TRUMP else format_suit(result.trump)
        return (
            f"{self.title} in {suit}, vole {result.vole}, {result.side_tricks()} tricks "
            f"({self.outcome}), pool {result.pool}: Hombre "
            f"{'alone with their own king ' * self.alone}+{self.net}"
        )

    def to_json(self) -> Json:
        """The loss as data; amounts as everywhere."""
        result = self.result
        return {
            "contract": result.contract,
            "alone": self.alone,
            "vole": result.vole,
            "trump": None if result.trump == NO_TRUMP else format_suit(result.trump),
            "pool": vocabulary.plain_amount(result.pool),
            "tricks": result.side_tricks(),
            "outcome": self.outcome,
            "frozen": self.frozen,
            "net": vocabulary.plain_amount(self.net),
        }


@frozen
class FreeLosses:
    """The free losses of one rule set, each with what closes it."""

    rules: str
    """The rule set, as outputs name it."""
    losses: tuple[FreeLoss, ...]
    closed_by: tuple[tuple[str, ...], ...]
    """For each loss the single options that would make it cost something, as they are typed."""

    def text(self) -> str:
        """The warning: what is free, and what to type."""
        options = self.closed_by[0]
        mend = f"It costs something by {options[0]}." if options else "No single option mends it."
        number = "1 kind" if len(self.losses) == 1 else f"{len(self.losses)} kinds"
        return (
            f"under {self.rules} a lost game can cost its bidder nothing ({number} "
            f"of loss), and players who see it will use it. An example: {self.losses[0].text()}. "
            f"{mend}"
        )

    def to_json(self) -> Json:
        """The same as data."""
        pairs = zip(self.losses, self.closed_by, strict=True)
        return {
            "rules": self.rules,
            "losses": [{**loss.to_json(), "closed_by": list(by)} for loss, by in pairs],
        }


def free_losses_of(game: GameRules[Any]) -> tuple[FreeLoss, ...]:
    """The free losses of a rule set, remembered by its digest; none for a patience."""
    if not isinstance(game, RuleSet):
        return ()
    if game.identity.digest not in KNOWN:
        if len(KNOWN) >= MOST_KNOWN:
            KNOWN.clear()
        KNOWN[game.identity.digest] = free_losses(game.rules)
    return KNOWN[game.identity.digest]


def warning_of(compiled: Compiled) -> FreeLosses | None:
    """The free losses of a compiled rule set with what closes them; None where every loss costs
    something."""
    losses = free_losses_of(compiled.game)
    if not losses:
        return None
    closing = Closing(compiled)
    return FreeLosses(_name(compiled), losses, tuple(closing.options(loss) for loss in losses))


def warnings_of(base: Compiled, alternatives: Iterable[Compiled]) -> list[FreeLosses]:
    """Every warning about a rule set and its alternatives, each once.

    An alternative is settled only where it differs in what a loss may cost.
    """
    found, named = [], set()
    for compiled in (base, *alternatives):
        if compiled.kind != TRICKS or compiled.identity.digest in named:
            continue
        named.add(compiled.identity.digest)
        if compiled is base or _may_differ(compiled.rules, base.ruleset.rules):
            warning = warning_of(compiled)
            found += [] if warning is None else [warning]
    return found


@frozen
class OpenedBy:
    """Single readings by which a lost game costs its bidder nothing, though it does cost something
    as rules stand."""

    rules: str
    readings: tuple[str, ...]
    """Each as POINT=READING."""

    def text(self) -> str:
        """The warning."""
        return (
            f"with {self.rules} a lost game can cost its bidder nothing by "
            f"{', '.join(self.readings)}; configurations with such a reading measure that too."
        )

    def to_json(self) -> Json:
        """The same as data."""
        return {"rules": self.rules, "opened_by": list(self.readings)}


def opened_by(compiled: Compiled, points: Container[str]) -> OpenedBy | None:
    """The readings of these points that alone open a free loss; None where none does, or one is
    open already.

    A study of all readings has many: each is tried at two pools and outside the favourite suit
    only, and only where it sets what a loss costs or who may play alone.
    """
    if free_losses_of(compiled.game):
        return None
    closing, found = Closing(compiled), []
    for state in compiled.points:
        for reading in state.point.readings if state.point.id in points else ():
            sets = {path: value for path, value, _ in reading.sets}
            if not any(path.split(".")[0] in _COSTS or path.endswith(".own_card") for path in sets):
                continue
            changed = closing.changed(sets)
            if (
                changed is not None
                and _may_differ(changed, closing.rules)
                and free_losses(changed, brief=True)
            ):
                found.append(f"{state.point.id}={reading.id}")
    return OpenedBy(_name(compiled), tuple(found)) if found else None


def _may_differ(rules: Rules, other: Rules) -> bool:
    """Whether two rule sets differ in anything that settling a loss may read."""
    return any(getattr(rules, block) != getattr(other, block) for block in _BLOCKS)


def free_losses(
    rules: Rules, contracts: Container[str] | None = None, *, brief: bool = False
) -> tuple[FreeLoss, ...]:
    """The cheapest free loss of each kind: one for each contract (or of these alone), outcome, and
    way to play it.

    ``brief``: at two pools, outside the favourite suit, and with the vole only where the bid is
    one.
    """
    found: dict[tuple[Any, ...], FreeLoss] = {}
    for name, bid in rules.bids.items():
        if rules.is_played(bid) and (contracts is None or name in contracts):
            for result in _losses(rules, name, bid, brief=brief):
                loss = free_loss(rules, result)
                better = loss is not None and (
                    loss.kind not in found or loss.net > found[loss.kind].net
                )
                if loss is not None and better and not impossible(rules, result):
                    found[loss.kind] = loss
    return tuple(found.values())


def free_loss(rules: Rules, result: Result) -> FreeLoss | None:
    """The loss, if it costs Hombre nothing."""
    settlement = settle(rules, result)
    net = settlement.net[result.hombre]
    if net < 0 or settlement.outcome == "won":
        return None
    bid = rules.bids.of(result.contract)
    alone = bid.partner == "called" and result.ally is None
    return FreeLoss(result, bid.title, settlement.outcome, settlement.frozen, alone, net)


def _losses(rules: Rules, name: str, bid: Bid, *, brief: bool = False) -> Iterator[Result]:
    """Every kind of loss of one bid: without matadors and premiers, Hombre being the eldest."""
    players = names(rules.table.players)
    plain = Result(
        players=players,
        pool=Fraction(0),
        contract=name,
        trump=NO_TRUMP,
        hombre=0,
        tricks=(0,) * len(players),
        surrendered=1 if bid.exchange else None,
    )
    levels, suits, pools = tuple(_levels(rules, bid)), tuple(_trumps(rules, bid)), _pools(rules)
    if brief:
        levels, suits, pools = levels[:1], suits[:1], pools[:3:2]
    for ally in (None, len(players) - 1) if bid.partner == "called" else (None,):
        for level in levels:
            for tricks in _tricks(rules, replace(plain, ally=ally, vole=level)):
                for trump, favourite in suits:
                    for pool in pools:
                        yield replace(
                            plain,
                            ally=ally,
                            vole=level,
                            tricks=tricks,
                            trump=trump,
                            favourite=favourite,
                            pool=pool,
                            facts=least_facts(rules, tricks, trump) if rules.own.records else (),
                        )


def _levels(rules: Rules, bid: Bid) -> Iterator[VoleLevel]:
    if bid.is_vole:
        yield "announced"
        return
    yield "none"
    if bid.vole_with_bid != "none" or may_announce_vole(rules, bid):
        yield "announced"
    if bid.vole_with_bid == "announced_or_revealed":
        yield "revealed"
    if bid.may_undertake_vole and bid.tricks > rules.premiers.tricks:
        yield "undertaken"


def _tricks(rules: Rules, result: Result) -> Iterator[tuple[int, ...]]:
    """Tricks by seat for each way to lose: the outcome, and whether Hombre made their share of
    them."""
    hand, met = rules.table.hand_cards, set()
    for made in range(hand, -1, -1):
        for own in dict.fromkeys((made, 0)) if result.ally is not None else (made,):
            tricks = [0] * len(result.players)
            tricks[1 if result.ally != 1 else 2] = hand - made
            if result.ally is not None:
                tricks[result.ally] = made - own
            tricks[0] = own
            how = verdict(rules, replace(result, tricks=tuple(tricks)))
            kind = (how.outcome, how.frozen, own == made)
            if how.outcome != "won" and kind not in met:
                met.add(kind)
                yield tuple(tricks)


def _trumps(rules: Rules, bid: Bid) -> Iterator[tuple[Suit, Suit | None]]:
    """Trumps and the favourite suit: another suit, and the favourite where there is one; every suit
    where it counts."""
    if bid.trump == "none":
        yield NO_TRUMP, rules.favourite.suit
        return
    favourite = None if rules.favourite.source == "none" else rules.favourite.suit
    if favourite is None and rules.favourite.source != "none":
        favourite = Suit(1)
    if rules.own.pays_by_trumps():
        yield from ((Suit(suit), favourite) for suit in range(len(SUITS)))
    elif favourite is None:
        yield Suit(0), None
    else:
        yield Suit((favourite + 1) % 4), favourite
        yield favourite, favourite


def _pools(rules: Rules) -> tuple[Fraction, ...]:
    """Test pools: the smallest, the smallest that adversaries share, and those left by a beast of
    its own size."""
    if in_points(rules):
        return (Fraction(0),)
    basic, most = table_stake(rules), rules.table.players - 1
    # as many in a row as there may be adversaries leave every remainder when they are shared
    stakes = [
        n
        for first in (1, rules.loss.codille_shared_from)
        for n in range(max(1, first), first + most)
    ]
    pools = [n * basic for n in stakes]
    if counts_beasts(rules):
        pools += [n * basic + rules.loss.beast_first for n in range(1, most + 1)]
    return tuple(Fraction(n) for n in dict.fromkeys(pools))


def warnings_for(
    base: Compiled, alternatives: Iterable[Compiled] = (), *, points: Collection[str] = ()
) -> Sequence[FreeLosses | OpenedBy]:
    """What a study of these rules is to warn of.

    ``points`` are those of which it varies every reading.
    """
    warnings: list[FreeLosses | OpenedBy] = [*warnings_of(base, alternatives)]
    if points and (opened := opened_by(base, points)) is not None:
        warnings.append(opened)
    return warnings


def warn_of_free_losses(base: Compiled) -> None:
    """Warn on stderr of the free losses of a rule set; the exit stays as it is."""
    for warning in warnings_of(base, ()):
        click.echo(filled(f"warning: {warning.text()}"), err=True)


# --- what closes them


class Closing:
    """The alternatives of one rule set that make a free loss cost something, each tested
    separately."""

    def __init__(self, compiled: Compiled) -> None:
        self.rules, self.points = compiled.rules, compiled.points
        self.values = vocabulary.dump(self.rules)
        self.chosen = {s.point.id for s in compiled.points if s.reading.id != s.point.default}
        self.built: dict[str, Rules | None] = {}

    def options(self, loss: FreeLoss) -> tuple[str, ...]:
        """Readings that close it, those of points not at their default first; single rules where no
        reading does."""
        read = _read(self.rules, loss)
        closing = [(o, s) for o, s in self._readings(read) if self._closes(o, s, loss)]
        if not closing:
            closing = [(o, s) for o, s in self._rules(read) if self._closes(o, s, loss)]
        return tuple(o for o, _ in sorted(closing, key=lambda c: self._order(*c)))

    def _order(self, option: str, sets: Json) -> tuple[bool, bool]:
        """What opened the door comes before what else would close it, and payments before what may
        be played."""
        point = option.split()[1].split("=", maxsplit=1)[0]
        return point not in self.chosen, not all(path.split(".")[0] in _COSTS for path in sets)

    def _readings(self, read: set[str]) -> Iterator[tuple[str, Json]]:
        """The other readings of every point that bears on the loss."""
        for state in self.points:
            for reading in state.point.readings:
                sets = {path: value for path, value, _ in reading.sets}
                if reading.id != state.reading.id and any(
                    touches(read, path, comes_and_goes=True) for path in sets
                ):
                    yield f"--reading {state.point.id}={reading.id}", sets

    def _rules(self, read: set[str]) -> Iterator[tuple[str, Json]]:
        """The other words of every rule that says what the loss costs, and 1 where it says 0."""
        for path in sorted(p for p in read & self.values.keys() if p.split(".")[0] in _COSTS):
            others: list[Any] = [
                word for word in vocabulary.leaf_at(path).choices() if word != self.values[path]
            ]
            if isinstance(self.values[path], bool):
                others = [not self.values[path]]
            elif self.values[path] == 0:
                others = [1]
            for other in others:
                yield f"--set {path}={str(other).lower()}", {path: other}

    def changed(self, sets: Json) -> Rules | None:
        """The rules with these leaves changed; None where they cannot be, since a bid or a table
        would be missing."""
        if not sets.keys() <= self.values.keys():
            return None
        if any(vocabulary.kind_of(path) is None for path in sets):  # a plugin's own
            return vocabulary.build({**self.values, **sets})
        typed = {
            path: vocabulary.to_typed(vocabulary.leaf_at(path), value)
            for path, value in sets.items()
        }
        return with_leaves(self.rules, typed)

    def _closes(self, option: str, sets: Json, loss: FreeLoss) -> bool:
        if option not in self.built:
            self.built[option] = self.changed(sets)
        changed = self.built[option]
        if changed is None or loss.result.contract not in changed.bids.names():
            return False
        if not impossible(changed, loss.result) and free_loss(changed, loss.result) is not None:
            return False
        return not any(
            other.kind == loss.kind for other in free_losses(changed, {loss.result.contract})
        )


def _read(rules: Rules, loss: FreeLoss) -> set[str]:
    """The rules that settling it reads."""
    stand_in, read = trace(rules)
    impossible(stand_in, loss.result)
    settle(stand_in, loss.result)
    return read


def _name(compiled: Compiled) -> str:
    identity = compiled.identity
    chosen = [f"{p}={r}" for p, r in identity.readings] + [f"{p}={v}" for p, v in identity.settings]
    return identity.reference + (f" ({', '.join(chosen)})" if chosen else "")
