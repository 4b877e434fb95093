"""Replays matched starts that diverge: where exactly they do, and the simplest of them as an
example."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quadrille_core.engine.deal_record import STANDS
from quadrille_core.engine.table import Deal
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.studies.direct import SessionState, play_from
from quadrille_plugins.studies.observe import (
    Divergence,
    Example,
    example_of,
    first_difference,
    in_common,
)
from quadrille_plugins.studies.sessions import SampledDeal

STAKED: Final = "what is put into the pool"
ALLOWED: Final = {"auction": "what may be bid or named", "play": "which cards are legal"}
CHOSEN: Final = {"auction": "what the bots bid or name", "play": "which cards the bots choose"}
FOLLOWS: Final = {"auction": "what comes of the bids", "play": "what comes of the cards"}
TRICK: Final = "who wins the trick"
PAYS: Final = "who pays whom"
AMOUNT: Final = "how much is paid"
LEFT: Final = "what is left to the next deal"


@frozen
class DivergentDeal:
    """One divergent deal with both records, and a word for where it diverges."""

    example_deal: Example
    where: str


@frozen
class Divergences:
    """A random sample of the deals that diverge: how many diverge where, the commonest first."""

    counts: tuple[tuple[str, int], ...]
    example: DivergentDeal
    """The plainest: the shortest, and of equals the one that diverges latest."""
    payments: DivergentDeal | None = None
    """The plainest that is played alike and paid otherwise; None where the sample has none."""
    first: tuple[DivergentDeal, ...] = ()
    """The first of the sample, as many as were asked for."""

    @property
    def shown(self) -> DivergentDeal:
        """The example for a reader: payments alone show what a rule does better than another course
        of the play."""
        return self.payments or self.example

    @property
    def deals(self) -> int:
        """How many deals the sample has."""
        return sum(n for _, n in self.counts)


class Again:
    """Replays deals of one rule set from a session state, each once for all its alternatives.

    What anybody holds besides the pool is left out.
    """

    MOST: Final = 400
    """Deals that are kept."""

    def __init__(self, ruleset: RuleSet, bots: Sequence[str], seed: int) -> None:
        """``bots`` are by chair."""
        self._ruleset, self._bots, self._seed = ruleset, bots, seed
        self._known: dict[tuple[SessionState, int, int], PlayedDeal] = {}

    def __call__(self, state: SessionState, session: int, deal: int) -> PlayedDeal:
        """The deal, played to its end."""
        key = state, session, deal
        if key not in self._known:
            if len(self._known) >= self.MOST:
                self._known.clear()
            self._known[key] = self.under(self._ruleset, *key)
        return self._known[key]

    def under(self, ruleset: RuleSet, state: SessionState, session: int, deal: int) -> PlayedDeal:
        """The same players at that deal under another rule set; not kept."""
        return play_from(ruleset, state, self._bots, seed=self._seed, session=session, deal=deal)


def where(
    first: Again, second: RuleSet, sampled: Sequence[SampledDeal], *, keep: int = 0
) -> Divergences:
    """Replay these deals, at least one, under both rule sets; ``keep`` of them are returned as
    examples."""
    found = list(_found(first, second, sampled))
    plainest = sorted(
        found, key=lambda f: (f.events, -f.matched, f.sampled.session, f.sampled.deal)
    )
    return Divergences(
        counts=tuple(Counter(f.where for f in found).most_common()),
        example=plainest[0].told(),
        payments=next((f.told() for f in plainest if f.stage == "settlement"), None),
        first=tuple(f.told() for f in found[:keep]),
    )


def stage_of(
    a: PlayedDeal, b: PlayedDeal, after: tuple[PlayedDeal | None, PlayedDeal | None]
) -> str | None:
    """The stage at which two plays of one deal first diverge, given the next deals ``after`` them;
    else None."""
    if not is_matched(a, b) or _antes_by_seat(a) != _antes_by_seat(b):
        return "stakes"
    divergence = first_difference(a, b)
    if divergence is not None:
        return divergence.stage
    one, other = after
    if (one is None) != (other is None):
        return "carrying"
    return (
        "carrying" if one is not None and other is not None and not is_matched(one, other) else None
    )


def is_matched(a: PlayedDeal, b: PlayedDeal) -> bool:
    """Whether two deals begin with the same pool, times, beasts and, where earlier deals decide it,
    favourite suit."""
    one, other = state_before(a), state_before(b)
    if not all(STANDS["first_trumps_favoured"](p.deal.rules) for p in (a, b)):
        one, other = (replace(s, favourite=None) for s in (one, other))
    if not all(p.deal.rules.own.session_facts() for p in (a, b)):
        one, other = (replace(s, before=()) for s in (one, other))
    return one == other


def state_before(played: PlayedDeal) -> SessionState:
    """The session state before a deal."""
    s = played.setup
    return SessionState(
        pool=s.pool,
        multiplier=s.multiplier,
        beasts=s.beasts,
        favourite=s.favourite,
        before=s.before,
    )


def _antes_by_seat(played: PlayedDeal) -> tuple[Fraction, ...]:
    return tuple(played.antes[chair] for chair in played.chair_of_seat)


@frozen
class _Found:
    """A deal played under both rule sets; ``matched`` counts the events before it diverges,
    ``events`` all."""

    sampled: SampledDeal
    a: PlayedDeal
    b: PlayedDeal
    stage: str
    matched: int

    @property
    def events(self) -> int:
        """Under whichever rule set has more."""
        return max(len(self.a.deal.events), len(self.b.deal.events))

    @property
    def where(self) -> str:
        """Where it diverges in a word."""
        return _where(self.stage, self.a, self.b, self.matched)

    def told(self) -> DivergentDeal:
        """The deal with both records."""
        divergence = _divergence(self.stage, self.a, self.b)
        return DivergentDeal(
            example_deal=example_of(
                divergence, self.a, self.b, self.sampled.session, self.sampled.deal
            ),
            where=self.where,
        )


def _found(first: Again, second: RuleSet, sampled: Sequence[SampledDeal]) -> Iterator[_Found]:
    for one in sampled:
        a = first(one.states[0], one.session, one.deal)
        b = first.under(second, one.states[1], one.session, one.deal)
        yield _Found(
            one,
            a,
            b,
            stage_of(a, b, (None, None)) or "carrying",
            in_common(a.deal.events, b.deal.events),
        )


def _divergence(stage: str, a: PlayedDeal, b: PlayedDeal) -> Divergence:
    if stage == "stakes":
        return Divergence(stage, *(f"{_antes(p)}; the pool is {p.setup.pool}" for p in (a, b)))
    return first_difference(a, b) or Divergence(
        stage, "the deal goes alike", "the deal goes alike, and the next begins otherwise"
    )


def _antes(played: PlayedDeal) -> str:
    put = [
        (played.setup.players[seat], played.antes[chair])
        for seat, chair in enumerate(played.chair_of_seat)
    ]
    return (
        ", ".join(f"{who} puts {amount}" for who, amount in put if amount) or "nobody puts anything"
    )


def _where(stage: str, a: PlayedDeal, b: PlayedDeal, matched: int) -> str:
    if stage == "stakes":
        return STAKED
    if stage == "carrying":
        return LEFT
    if stage == "settlement":
        return PAYS if _ways(a) != _ways(b) else AMOUNT
    return _step(stage, a.deal, b.deal, matched)


def _ways(played: PlayedDeal) -> set[tuple[int, int]]:
    """Who pays whom, without amounts."""
    return (
        {(t.source, t.target) for t in played.settlement.transfers} if played.settlement else set()
    )


def _step(stage: str, a: Deal, b: Deal, matched: int) -> str:
    """The first cause of different events: an action allowed under one only, a choice, or a
    consequence."""
    again = [Deal(one.ruleset, one.setup) for one in (a, b)]
    for (seat, mine), (other, theirs) in zip(a.actions, b.actions, strict=False):
        if seat != other:
            return FOLLOWS[stage]
        if mine != theirs:
            both = [mine in again[1].legal(), theirs in again[0].legal()]
            return CHOSEN[stage] if all(both) else ALLOWED[stage]
        for deal in again:
            deal.apply(mine)
        if min(len(deal.events) for deal in again) > matched:
            break
        if len(again[0].events) != len(again[1].events):
            break
    event = next((d.events[matched] for d in (a, b) if len(d.events) > matched), None)
    return TRICK if event is not None and event.kind == "trick" else FOLLOWS[stage]
