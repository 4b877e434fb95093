"""What plugins make of payments: factors first, then redirects, then caps, the lowest first.

No order of the plugins pays otherwise: factors of one payment multiply, and what they come to is
rounded once; redirects that concern one payment say the same, or the rules are refused.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Final

from quadrille_core.engine.amounts import ZERO, Shares, share
from quadrille_core.engine.result import POOL, Result, Transfer
from quadrille_core.plugin_rules import Cap, Change, Factor, Redirect
from quadrille_core.rules import Rules


@dataclass(slots=True)
class Paid:
    """A payment as it was ordered, and the lines on which it is made, each with its place: 0, or
    behind all others of the places before."""

    ordered: Transfer
    lines: list[tuple[int, Transfer]]

    def is_between(self) -> bool:
        """Whether a player pays a player."""
        return min(self.ordered.source, self.ordered.target) >= 0


class Changes:
    """The payments of a deal, while plugins change them; ``who`` tells the seats of a party."""

    def __init__(
        self,
        rules: Rules,
        result: Result,
        ordered: Sequence[Transfer],
        who: Callable[[str], Sequence[int]],
    ) -> None:
        self._rules, self._result, self._who = rules, result, who
        self._paid: Final = [Paid(t, [(0, t)]) for t in ordered]
        self._given_back: list[Transfer] = []

    def make(self, changes: Sequence[Change]) -> list[Transfer]:
        """The payments with all these changes."""
        factors = [c for c in changes if isinstance(c, Factor)]
        for paid in self._paid if factors else ():
            self._multiply(paid, factors)
        redirects = [c for c in changes if isinstance(c, Redirect)]
        for paid in self._paid if redirects else ():
            # those that concern one payment say the same (``plugin_rules.clashes``)
            if redirect := next((r for r in redirects if self._is_meant(paid, r)), None):
                self._redirect(paid, redirect)
        caps = [(self._rules.own.amount(c.most), c.of, c) for c in changes if isinstance(c, Cap)]
        left = self._lines() if caps else []
        for most, _, cap in sorted(caps, key=lambda one: one[:2]):
            left = self._cap(cap, most, left)
        return [*(t for t, _ in self._lines()), *self._given_back]

    def _lines(self) -> list[tuple[Transfer, str]]:
        """Every line with the rule that ordered its payment."""
        told = [(place, t, one.ordered.rule) for one in self._paid for place, t in one.lines]
        return [(t, rule) for _, t, rule in sorted(told, key=lambda line: line[0])]

    def _multiply(self, paid: Paid, factors: Sequence[Factor]) -> None:
        """What is paid further stands on a line of its own; what is less, alone on a new one."""
        amount = shown = paid.ordered.amount
        in_parts = False
        for place, factor in enumerate(factors, 1):
            if not (paid.is_between() and self._meets(paid.ordered, factor)):
                continue
            times = self._rules.own.amount(factor.factor)
            amount, in_parts = amount * times, in_parts or times.denominator > 1
            due = amount
            if in_parts and due.denominator > 1 and self._rules.stakes.odd_counters != "exact":
                due = Fraction(floor(amount))
            line = replace(paid.ordered, reason=factor.reason, rule=factor.factor)
            if due < shown:
                paid.lines = [(0, replace(line, amount=due))] if due else []
            elif due > shown:
                paid.lines.append((place, replace(line, amount=due - shown)))
            shown = due

    def _meets(self, t: Transfer, factor: Factor) -> bool:
        ends = ((factor.payer, t.source), (factor.payee, t.target))
        is_theirs = all(seat in self._who(party) for party, seat in ends if party)
        return factor.concerns(t.rule) and is_theirs

    def _is_meant(self, paid: Paid, redirect: Redirect) -> bool:
        t = paid.ordered
        is_meant = t.source == POOL and t.target >= 0 if redirect.from_pool else paid.is_between()
        return is_meant and redirect.concerns(t.rule)

    def _redirect(self, paid: Paid, redirect: Redirect) -> None:
        """Have others pay or be paid; where there is nobody of that party, it stays as it was."""
        source, target = paid.ordered.source, paid.ordered.target
        payers = self._who(redirect.by) if redirect.by else [source]
        payees = self._who(redirect.receiver) if redirect.receiver else [target]
        if not (payers and payees):
            return
        amount, paid.lines = sum((line.amount for _, line in paid.lines), ZERO), []
        paying = self._shares(payers, amount)
        for payer in payers:
            part = paying.of(payer)
            if payer == POOL != source:  # which pays in turn, as long as it holds anything
                part = max(ZERO, min(part, self._held()))
            paid_to = self._shares(payees, part)
            for payee, due in [*((s, paid_to.of(s)) for s in payees), (POOL, paid_to.left)]:
                if due and payer != payee:
                    line = Transfer(payer, payee, due, redirect.reason, redirect.leaf)
                    paid.lines.append((0, line))

    def _held(self) -> Fraction:
        """What the pool holds by now."""
        lines = [t for t, _ in self._lines()]
        came = sum((t.amount for t in lines if t.target == POOL), self._result.pool)
        return came - sum((t.amount for t in lines if t.source == POOL), ZERO)

    def _shares(self, seats: Sequence[int], amount: Fraction) -> Shares:
        if len(seats) == 1:
            return Shares(amount, (), ZERO)
        stakes = self._rules.stakes
        hombre = next(iter(self._who("hombre")), None)  # nobody of a deal that was not played
        return share(lambda: stakes.odd_counters, seats, amount, hombre)

    def _cap(
        self, cap: Cap, most: Fraction, left: list[tuple[Transfer, str]]
    ) -> list[tuple[Transfer, str]]:
        """Give back what somebody pays the others beyond the most, of the last payment first;
        returns what is left of the payments."""
        over = dict.fromkeys(range(len(self._result.players)), -most)
        is_concerned = [min(t.source, t.target) >= 0 and cap.concerns(rule) for t, rule in left]
        for (t, _), counts in zip(left, is_concerned, strict=True):
            if counts:
                over[t.source] += t.amount
        kept = []
        for (t, rule), counts in zip(left[::-1], is_concerned[::-1], strict=True):
            back = max(ZERO, min(over[t.source], t.amount)) if counts else ZERO
            if back:
                over[t.source] -= back
                self._given_back.append(Transfer(t.target, t.source, back, cap.reason, cap.most))
            kept.append((replace(t, amount=t.amount - back), rule))
        return kept[::-1]
