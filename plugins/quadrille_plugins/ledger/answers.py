"""A deal's result from single answers, as options and the prompt give them, completed where nothing
depends on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quadrille_core.cards import NO_TRUMP, parse_suit
from quadrille_core.engine.settle import due
from quadrille_core.engine.terms import most_matadors, pays_adversaries_matadors
from quadrille_core.engine.unplayed import paid_without_game
from quadrille_core.errors import PlaceAt, nowhere
from quadrille_core.plugin_rules import PaymentRow
from quadrille_core.rules import Bid, Rules
from quadrille_plugins.ledger.deriving import DealStart, Derived, derive, result_of
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.settle.answers import completed
from quadrille_plugins.settle.possible import vole_levels
from quadrille_plugins.settle.result_file import bid_of


@dataclass(frozen=True)
class Table:
    """The rules of a session and what the deal starts from: all that a result depends on besides
    itself."""

    rules: Rules
    start: DealStart

    @property
    def dealer(self) -> str:
        """Who deals."""
        return self.start.out or self.start.names[-1]

    def derive(self, data: Mapping[str, Any], place: PlaceAt = nowhere) -> Derived:
        """What a complete result comes to; raises ResultError with every fault."""
        return derive(self.rules, self.start, Fact("result", data), place)

    def bid(self, data: Mapping[str, Any]) -> Bid | None:
        """The contract's bid; None for a word that is no contract."""
        return bid_of(self.rules, data.get("contract"))

    def completed(
        self,
        data: Mapping[str, Any],
        *,
        such: str = "--tricks {}=4 --tricks {}=2",
        place: PlaceAt = nowhere,
    ) -> dict[str, Any]:
        """The result with the tricks that were left out, where nothing paid depends on who made
        them.

        A number without a name is what Hombre's side made.  Raises ResultError where the payments
        depend on how that side shared its tricks, telling by ``such`` how to say it, and for every
        result that cannot have been.
        """
        return completed(
            data,
            self.start.names,
            self.rules.table.hand_cards,
            lambda whole: comes_to(self.derive(whole, place)),
            such,
        )

    # What may be answered.

    def contracts(self) -> list[str]:
        """The contracts that are played at this table, the lowest first."""
        bids = self.rules.bids
        return [n for n in bids.names() if self.rules.is_played(bids.of(n))]

    def may_be_passed(self) -> bool:
        """Whether a deal that all passed is dealt anew."""
        return self.rules.is_dealt_anew()

    def choices(self, key: str, data: Mapping[str, Any]) -> list[Any]:
        """The answers that one of the later questions may get; the first is what holds where
        nothing is said."""
        bid = self.bid(data)
        if bid is None:
            return []
        if key in ("matadors", "adversary_matadors"):
            if key == "adversary_matadors" and not pays_adversaries_matadors(self.rules.payments):
                return [0]
            trump = NO_TRUMP if data.get("trump") is None else parse_suit(data["trump"])
            return list(range(most_matadors(self.rules.payments, trump) + 1))
        if key == "premiers":
            return [False, True]
        return list(vole_levels(self.rules, bid))

    def incidents(self, *, played: bool) -> list[str]:
        """The irregularities that cost something under these rules, or do so where nobody
        played."""
        rows = (
            row
            for row in self.rules.own.all(PaymentRow)
            if row.incident and self.rules.own.in_force(row)
        )
        found = list(dict.fromkeys(row.incident for row in rows))
        return found if played else [name for name in found if paid_without_game(self.rules, name)]

    def to_claim(self, data: Mapping[str, Any]) -> list[str]:
        """What Hombre's side has earned here, and lost unless it was claimed in time."""
        bid = self.bid(data)
        if bid is None or not bid.claimed:
            return []
        return [
            item
            for item in due(self.rules, result_of(self.rules, self.start, data))
            if item in bid.claimed
        ]


def comes_to(derived: Derived) -> object:
    """What of a deal's outcome anyone would notice."""
    return derived.outcome, derived.movements, derived.carry
