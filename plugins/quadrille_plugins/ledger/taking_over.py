"""What a new ledger takes over of another: rules, players, pool and balances."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from quadrille_core.engine.terms import in_points
from quadrille_core.frozen import frozen
from quadrille_plugins.ledger.frozen import FrozenRules
from quadrille_plugins.ledger.hand import entry_of, transfer
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.standing import TAKEN_OVER


@frozen
class Former:
    """What another ledger leaves; nothing is written in it."""

    name: str
    certified: str
    """The hash of its last standing."""
    columns: Mapping[str, str]
    """The columns of a session that hold its rules."""
    frozen: FrozenRules
    players: tuple[str, ...]
    """Who sits at its table, in the order of play."""
    dealer: str
    """Who would deal next there."""
    net: Mapping[str, Fraction]
    """What everybody has won or lost there, who has left too; nothing once it was settled."""
    pool: Fraction
    carry: Mapping[str, Any]
    coins: str
    """How amounts are told there."""

    def fact(self) -> Fact:
        """Pool and balances as an entry by hand: who lost pays into the pool, and it pays who
        won.

        The pool of a session that was settled was paid for: whoever keeps its counters owes them.
        """
        source = f"{self.name}, {self.certified[:12]}"
        net = {**self.net}
        kept = self.pool + sum(net.values(), Fraction(0))
        if kept and not self.in_points:
            net[f"kept from {self.name}"[:64]] = -kept
        carry = {"carry": dict(self.carry)}
        clearing = "score" if self.in_points else "pool"

        def moves() -> Iterator[dict[str, Any]]:
            for name, amount in sorted(net.items(), key=lambda one: one[1]):
                ends = (name, clearing) if amount < 0 else (clearing, name)
                if amount:
                    yield transfer(*ends, abs(amount), TAKEN_OVER, rule=TAKEN_OVER, source=source)

        fact = entry_of([*moves()], f"taken over from {self.name}")
        return Fact("entry", {**fact.data, **carry}, fact.note)

    @property
    def in_points(self) -> bool:
        """Whether points are written down there."""
        return in_points(self.frozen.rules)

    def others(self, players: Sequence[str]) -> list[str]:
        """Who has an account and does not sit down at once."""
        told = (t[end] for t in self.fact().data["transfers"] for end in ("from", "to"))
        return [name for name in dict.fromkeys(told) if name not in (*players, "pool", "score")]
