"""Deals that begin alike and part, told again: where exactly they part, and the plainest of them as an example."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from quadrille_core.engine.record import to_record
from quadrille_core.engine.session import PlayedDeal
from quadrille_core.engine.table import Deal
from quadrille_core.rules import RuleSet
from quadrille_core.study.alike import Drawn, stage_of
from quadrille_core.study.observe import Parting, Telling, moved_otherwise, part, play_again

STAKED: Final = "what is put into the pool"
ALLOWED: Final = {"auction": "what may be bid or named", "play": "which cards are legal"}
CHOSEN: Final = {"auction": "what the bots bid or name", "play": "which cards the bots choose"}
FOLLOWS: Final = {"auction": "what comes of the bids", "play": "what comes of the cards"}
TRICK: Final = "who wins the trick"
PAYS: Final = "who pays whom"
AMOUNT: Final = "how much is paid"
LEFT: Final = "what is left to the next deal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One deal that parts, with both records, and where it does in a word."""

    telling: Telling
    where: str
    alike: int
    """Events before it parts."""
    events: int
    """Events in all, under whichever rule set has more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Deals drawn by lot from those that part: how many part where, the commonest first, and the deals by lot."""

    counts: tuple[tuple[str, int], ...]
    all: tuple[Told, ...]

    @property
    def example(self) -> Told:
        """The plainest: the shortest, and of equals the one that parts latest."""
        return min(self.all, key=lambda t: (t.events, -t.alike, t.telling.session, t.telling.deal))


def where(rulesets: tuple[RuleSet, RuleSet], drawn: Sequence[Drawn], bots: Sequence[str], seed: int) -> Where:
    """Play these deals again, at least one."""
    told = tuple(_told(rulesets, drawn, bots, seed))
    return Where(counts=tuple(Counter(t.where for t in told).most_common()), all=told)


def _told(rulesets: tuple[RuleSet, RuleSet], drawn: Sequence[Drawn], bots: Sequence[str], seed: int) -> Iterator[Told]:
    for one in drawn:
        a, b = play_again(rulesets, one.standings, bots, seed, one.session, one.deal)
        stage = stage_of(a, b, (None, None)) or "carrying"
        alike = _events_alike(a.deal, b.deal)
        records = (to_record(a.deal, a.settlement), to_record(b.deal, b.settlement))
        yield Told(
            telling=Telling(one.session, one.deal, moved_otherwise(a, b), _parting(stage, a, b), records),
            where=_where(stage, a, b, alike),
            alike=alike,
            events=max(len(a.deal.events), len(b.deal.events)),
        )


def _parting(stage: str, a: PlayedDeal, b: PlayedDeal) -> Parting:
    if stage == "stakes":
        return Parting(stage, *(f"{_antes(p)}; the pool is {p.setup.pool}" for p in (a, b)))
    return part(a, b) or Parting(stage, "the deal goes alike", "the deal goes alike, and the next begins otherwise")


def _antes(played: PlayedDeal) -> str:
    put = [(played.setup.players[seat], played.antes[chair]) for seat, chair in enumerate(played.chair_of_seat)]
    return ", ".join(f"{who} puts {amount}" for who, amount in put if amount) or "nobody puts anything"


def _events_alike(a: Deal, b: Deal) -> int:
    for number, (x, y) in enumerate(zip(a.events, b.events, strict=False)):
        if x != y:
            return number
    return min(len(a.events), len(b.events))


def _where(stage: str, a: PlayedDeal, b: PlayedDeal, alike: int) -> str:
    if stage == "stakes":
        return STAKED
    if stage == "carrying":
        return LEFT
    if stage == "settlement":
        return PAYS if _ways(a) != _ways(b) else AMOUNT
    return _step(stage, a.deal, b.deal, alike)


def _ways(played: PlayedDeal) -> set[tuple[int, int]]:
    """Who pays whom, whatever the amount."""
    return {(t.source, t.target) for t in played.settlement.transfers} if played.settlement else set()


def _step(stage: str, a: Deal, b: Deal, alike: int) -> str:
    """What first leads to other events: something that is allowed under one alone, a choice, or what follows."""
    again = [Deal(one.ruleset, one.setup) for one in (a, b)]
    for (seat, mine), (other, theirs) in zip(a.actions, b.actions, strict=False):
        if seat != other:
            return FOLLOWS[stage]
        if mine != theirs:
            both = [mine in again[1].legal(), theirs in again[0].legal()]
            return CHOSEN[stage] if all(both) else ALLOWED[stage]
        for deal in again:
            deal.apply(mine)
        if min(len(deal.events) for deal in again) > alike:
            break
        if len(again[0].events) != len(again[1].events):
            break
    event = next((d.events[alike] for d in (a, b) if len(d.events) > alike), None)
    return TRICK if event is not None and event.kind == "trick" else FOLLOWS[stage]
