"""A result settled in points: each item once to Hombre and as much to the ally, and no pool, nor
one for the vole."""

from fractions import Fraction

from quadrille_core.engine.case import Case
from quadrille_core.engine.result import SCORE


class PointsCase(Case):
    """One result whose points are written to the scores of those who won or lost, and to nobody
    else's."""

    def credit(self, amount: Fraction, reason: str, rule: str) -> None:
        """Points to Hombre, and as many to the ally."""
        for seat in self.result.side():
            self.pay(SCORE, seat, amount, reason, rule)

    def debit(self, seats: tuple[int, ...], amount: Fraction, reason: str, rule: str) -> None:
        """As many points from each of these."""
        for seat in seats:
            self.pay(seat, SCORE, amount, reason, rule)

    def win(self) -> None:
        """The points of the game, and of every item."""
        self.credit(self.rules.score.won, "game won", "score.won")
        for item in self.paid_items():
            self.credit(item.amount, item.reason, item.rule)

    def lose(self) -> None:
        """What the lost game and its items cost those who bear it."""
        rules, outcome, bearers = self.rules, self.how.outcome, self.bearers()
        remise = outcome == "remise"
        over = 1 if remise else rules.loss.codille_items_times
        self.debit(
            bearers,
            rules.score.remise if remise else rules.score.codille,
            outcome,
            f"score.{outcome}",
        )
        listed = self.lost_items()
        for item in self.items():
            if item.kind in listed:
                self.debit(bearers, over * item.amount, f"{item.reason} lost", item.rule)

    def raise_stake(self) -> None:
        """Nothing: nobody stakes."""

    def reward_adversaries(self) -> None:
        """Nothing: no score of theirs is written."""

    def settle_fund(self) -> None:
        """Nothing: there is no fund, and nobody is paid."""

    def settle_rows(self, *, by_suit: bool) -> None:
        """Nothing: the compiler refuses payments where nobody pays anybody."""

    def settle_vole_pool(self) -> None:
        """What each would have staked for the vole is what the vole is worth."""
        self.write_vole(*self.vole_stake())

    def settle_vole_premium(self) -> None:
        """The vole's premium as points."""
        level, premium = self.level, self.vole_premium()
        rule = f"{self.prefix}.vole_premium.{level}.{self.result.contract}"
        if self.how.vole == "won":
            if not self.lapses("vole", premium, f"vole {level}"):
                self.write_vole(premium, rule)
        elif self.failed_premium_due():
            self.write_vole(*self.vole_price())

    def write_vole(self, amount: Fraction, rule: str) -> None:
        """The vole's points to those who made it, or from those who answer for it."""
        if self.how.vole == "won":
            self.credit(amount, f"vole {self.level}", rule)
        else:
            losers = self.vole_losers() if self.level == "undertaken" else self.bearers()
            self.debit(losers, amount, f"vole {self.level} lost", rule)
