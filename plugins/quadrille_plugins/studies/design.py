"""How a study plays deals: sessions, bots and engines, and how far it has come."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import Any, Final, Literal

from quadrille_core.engine.deal import NUMBERS
from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.players import begins_anew
from quadrille_plugins.studies.equivalence import SMALLEST, smallest_for
from quadrille_plugins.studies.intervals import Estimate

PATIENCE: Final = 60.0
"""Seconds after which a study should have said that it will take longer."""


AUTO, READABLE, FAST = ENGINES = ("auto", "readable", "fast")


Until = Literal["roles", "seats"]
"""A verdict on the Hombre, the ally and the adversaries, or on every seat as well."""

Progress = Callable[[int, int, float], None]
"""Called with deals done, deals in all, and seconds since the start."""


@frozen
class Design:
    """How a comparison is made; with the rule sets' digests it determines every number."""

    seed: int
    lengths: tuple[int, ...]
    """Deals of each session."""
    bots: tuple[str, ...]
    """By chair."""
    smallest: Fraction = SMALLEST
    """The smallest effect of interest, in counters a seat and session of
    ``equivalence.OF_DEALS``."""
    decompose: bool = False
    """Whether deals are replayed for the direct effects."""
    until: Until | None = None
    """What play goes on for, look by look (``studies.looks``), ``lengths`` being the most; None for
    a fixed number."""
    others: tuple[tuple[str, ...], ...] = ()
    """The bots of the other members of a family, where one is asked; the error is divided among
    all."""

    @property
    def holds_together(self) -> bool:
        """Whether all intervals hold together; else each by itself."""
        return self.until is not None or bool(self.others)

    @property
    def length(self) -> int:
        """Deals of a whole session, the unit of reported effects."""
        return max(self.lengths)

    @property
    def interest(self) -> Fraction:
        """The smallest effect of interest on a seat, in counters a session."""
        return smallest_for(self.smallest, self.length)

    @property
    def interest_of_sums(self) -> Fraction:
        """The same of roles and accounts, which are sums over players."""
        return self.interest * self.players

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.bots)

    @property
    def anew(self) -> bool:
        """Whether every deal begins as a session does."""
        return begins_anew(self.bots)

    @property
    def deals(self) -> int:
        """Deals in all."""
        return sum(self.lengths)

    def to_json(self) -> dict[str, Any]:
        """What was played, as data."""
        return {
            "deals": self.deals,
            "sessions": len(self.lengths),
            "seed": self.seed,
            "bots": list(self.bots),
        }


@frozen
class Share:
    """How often something happened: the count, and the estimate of its share with an interval."""

    name: str
    count: int
    share: Estimate


def as_typed(bots: Sequence[str]) -> str:
    """Who plays, as ``--players`` names them."""
    return ",".join(bots if len(set(bots)) > 1 else bots[:1])


def seats_of(compiled: Sequence[Compiled]) -> int:
    """How many play; raises UsageError unless as many do under each rule set."""
    tables = [c.rules.table for c in compiled]
    players = tables[0].players
    for c, table in zip(compiled[1:], tables[1:], strict=True):
        if table.players != players:
            one, other = compiled[0].ruleset.identity.profile, c.ruleset.identity.profile
            raise UsageError.of(
                "rule-sets-seat-differently",
                one=one,
                numbers=NUMBERS[players],
                other=other,
                numbers2=NUMBERS[table.players],
            )
    return players


def laid_out(deals: int, length: int, multiple: int) -> tuple[int, ...]:
    """N deals in sessions of a length; the last may be short, rounded up to a multiple."""
    rest = (ceil(deals % length / multiple) * multiple,) if deals % length else ()
    return (length,) * (deals // length) + rest


def plan(
    compiled: Sequence[Compiled],
    *,
    deals: int | None,
    sessions: int | None,
    seed: int,
    bots: Sequence[str],
    smallest: Fraction = SMALLEST,
    decompose: bool = False,
) -> Design:
    """Lay deals out in sessions as long as the rules say; raises UsageError where they cannot
    agree.

    A number of deals is rounded up to what the rules let a session hold; the last session may be
    short.
    """
    players, tables = seats_of(compiled), [c.rules.table for c in compiled]
    length, multiple = tables[0].session_deals, tables[0].session_multiple
    for c, table in zip(compiled[1:], tables[1:], strict=True):
        if table.session_deals % length and length % table.session_deals:
            raise UsageError.of(
                "sessions-of-different-lengths",
                length=length,
                profile=compiled[0].ruleset.identity.profile,
                session_deals=table.session_deals,
                profile2=c.ruleset.identity.profile,
            )
        length, multiple = max(length, table.session_deals), lcm(multiple, table.session_multiple)
    lengths = (
        (length,) * sessions if sessions is not None else laid_out(deals or 0, length, multiple)
    )
    if not lengths:
        raise UsageError.of("no-deals-to-compare")
    chosen = tuple(bots) * players if len(bots) == 1 else tuple(bots)
    if len(chosen) != players:
        raise UsageError.of("other-number-of-players-named", chosen=len(chosen), players=players)
    return Design(seed=seed, lengths=lengths, bots=chosen, smallest=smallest, decompose=decompose)
