"""Where two plays of the same cards diverge, in words, and the deals that are shown for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from quadrille_core.engine.result import Settlement
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_plugins.deal.record import to_record
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.settle.result_file import account_name
from quadrille_plugins.studies.direct import SessionState, play_from


@frozen
class Divergence:
    """Where one deal first differs under two rule sets: the stage, and the two events in words."""

    stage: str
    first: str
    second: str


@dataclass(slots=True)
class Example:
    """An example deal in which two rule sets pay differently, with both records."""

    session: int
    deal: int
    weight: Fraction
    """The payment difference, summed over the players."""
    divergence: Divergence
    records: tuple[dict[str, Any], dict[str, Any]]

    def order(self) -> tuple[Fraction, int, int]:
        """The sort key: the largest payment difference first."""
        return -self.weight, self.session, self.deal


def payment_difference(a: PlayedDeal, b: PlayedDeal) -> Fraction:
    """The sum over players of the absolute differences of what they gain in two plays of a deal,
    antes included."""
    nets = ([x - y for x, y in zip(p.net_of_chair, p.antes, strict=True)] for p in (a, b))
    return sum((abs(x - y) for x, y in zip(*nets, strict=True)), Fraction(0))


def in_common(mine: Sequence[Any], theirs: Sequence[Any]) -> int:
    """How many items two lists have in common before the first that differs, or before one of them
    ends."""
    pairs = enumerate(zip(mine, theirs, strict=False))
    return next((n for n, (x, y) in pairs if x != y), min(len(mine), len(theirs)))


def first_difference(a: PlayedDeal, b: PlayedDeal) -> Divergence | None:
    """Where two plays of the same cards first differ: an event, else a payment; None when
    nowhere."""
    events = a.deal.events, b.deal.events
    at = in_common(*events)
    if at < min(map(len, events)):
        x, y = (e[at] for e in events)
        return Divergence("play" if "play" in (x.stage, y.stage) else "auction", x.text(), y.text())
    if at < max(map(len, events)):
        return Divergence(
            "play", *(e[at].text() if at < len(e) else "the deal is over" for e in events)
        )
    paid = [paid_texts(p.settlement, p.setup.players) for p in (a, b)]
    at = in_common(*paid)
    if at < max(map(len, paid)):
        return Divergence(
            "settlement", *(p[at] if at < len(p) else "no further payment" for p in paid)
        )
    return None


def paid_texts(settlement: Settlement | None, players: Sequence[str]) -> list[str]:
    """The payments of a deal in words, without what they are for: that may be named differently by
    other rules."""
    if settlement is None:
        return []
    return [
        f"{account_in_words(t.source, players)} pays {account_in_words(t.target, players)} "
        f"{t.amount}"
        for t in settlement.transfers
    ]


def account_in_words(seat: int, players: Sequence[str]) -> str:
    """A player by name, or an account that is nobody's."""
    return players[seat] if seat >= 0 else f"the {account_name(seat, tuple(players))}"


def example_of(
    divergence: Divergence, a: PlayedDeal, b: PlayedDeal, session: int, deal: int
) -> Example:
    """A deal that diverges, with its records under both rule sets, antes counted in its weight."""
    records = to_record(a.deal, a.settlement), to_record(b.deal, b.settlement)
    return Example(session, deal, payment_difference(a, b), divergence, records)


def replay_example(
    rulesets: Sequence[RuleSet],
    states: Sequence[SessionState],
    bots: Sequence[str],
    seed: int,
    session: int,
    deal: int,
) -> Example:
    """Replay one deal of a session under two rule sets, as an example of their divergence.

    Raises RuntimeError when they do not: whoever asks has seen them part.
    """
    a, b = (
        play_from(ruleset, state, bots, seed=seed, session=session, deal=deal)
        for ruleset, state in zip(rulesets, states, strict=True)
    )
    divergence = first_difference(a, b)
    if divergence is None:
        raise RuntimeError(
            f"deal {deal} of session {session} does not diverge when it is played again"
        )
    nets = zip(a.net_of_chair, b.net_of_chair, strict=True)
    weight = sum((abs(x - y) for x, y in nets), Fraction(0))
    return replace(example_of(divergence, a, b, session, deal), weight=weight)
