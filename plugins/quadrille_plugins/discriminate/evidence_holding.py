"""Compares printed odds of a partner's holding before play with the exact odds.

The asker sees one hand and none of the others, and names some cards that are not in it, nor is a
called card one of them.  The cards not seen are then as
likely to lie one way as another; the chance that another player has at least one of those named is
the share of that player's possible hands that are not made of the other unseen cards alone.  Of a
partner who is called it is known, even where it is not known who it is, that the called card is
held: one card less is then open of that hand, and one card less unseen.

Odds in print are round.  They are taken to be right if no odds told in numbers as small are nearer:
5 to 4 in numbers up to five, beside even odds (1 to 1) and 4 to 3.  Nearness is of shares, so that
it makes no difference whether odds are told for a thing or against it.  The file may state a margin
of its own instead.
"""

from fractions import Fraction
from math import comb
from typing import Any, Final

from quadrille_core.frozen import frozen
from quadrille_core.rules import GameRules
from quadrille_plugins.discriminate.evidence_pieces import Answer, Piece

CALLED: Final = "called_card"
"""What is known of the partner's hand: the called card is in it."""

Ratio = tuple[int, int]
"""Odds, for and against; 1 to 0 is certainty, 0 to 1 no chance."""


def chance(players: int, hand_cards: int, named: int, *, known: int = 0) -> Fraction | None:
    """The chance that another player holds one of N named cards; None when N cannot be named.

    All cards are dealt.  ``known``: cards of that player's hand that are known, none of them among
    the named.
    """
    unseen, unknown = (players - 1) * hand_cards - known, hand_cards - known
    if named > unseen:
        return None
    return 1 - Fraction(comb(unseen - named, unknown), comb(unseen, unknown))


def share_of(odds: Ratio) -> Fraction:
    """The share of all cases that are cases for."""
    return Fraction(odds[0], sum(odds))


def around(share: Fraction, most: int) -> tuple[Ratio, Ratio]:
    """The odds in numbers up to ``most``, in lowest terms, at or next below a share, and next above
    it.

    Of a share of 1 they are the last before certainty, and certainty.  Between two that are
    neighbours, none has smaller numbers than the sums of theirs (Stern and Brocot).
    """
    below, above = (0, 1), (1, 0)
    favourable, adverse = share.numerator, share.denominator - share.numerator
    while True:
        between = below[0] + above[0], below[1] + above[1]
        if max(between) > most:
            return below, above
        if between[0] * adverse <= between[1] * favourable:
            below = between
        else:
            above = between


def nearest(share: Fraction, printed: Ratio) -> Ratio:
    """The odds nearest to a share among those in numbers up to the printed ones; the printed, if
    none is nearer."""
    return min(
        (printed, *around(share, max(printed))), key=lambda odds: abs(share - share_of(odds))
    )


def span(printed: Ratio) -> tuple[Fraction, Fraction]:
    """The shares to which no odds in numbers as small are nearer than the printed: from and up to,
    both included."""
    share, most = share_of(printed), max(printed)
    above = share_of(around(share, most)[1])
    below = 1 - share_of(around(1 - share, most)[1])  # odds against are odds for, turned round
    return (below + share) / 2, (share + above) / 2


def odds_text(odds: Ratio) -> str:
    """Odds in words."""
    return "certainty" if not odds[1] else "no chance" if not odds[0] else f"{odds[0]} to {odds[1]}"


@frozen
class HoldingPiece(Piece):
    """The odds that the partner holds one of N named cards, none of them the asker's."""

    one_of: int
    printed: Ratio
    knowing: str
    """``nothing`` of the partner's hand, or that the ``called_card`` is in it."""
    within: Fraction | None = None
    """How far the shares may differ; None for the nearest odds in numbers as small."""

    def _asked(self, game: GameRules[Any]) -> Answer:
        rules, known = game.rules, int(self.knowing == CALLED)
        if known and not any(
            b.partner == "called" and rules.is_played(b) for _, b in rules.bids.items()
        ):
            return Answer("refused", "no contract that is played here has a partner who is called")
        share = chance(rules.table.players, rules.table.hand_cards, self.one_of, known=known)
        if share is None:
            return Answer(
                "refused", f"{self.one_of} cards cannot be named: the asker does not see so many"
            )
        exact = odds_text((share.numerator, share.denominator - share.numerator))
        told = f"the odds are {exact}" if share < 1 else "it is certain"
        printed, stands = odds_text(self.printed), share_of(self.printed)
        if self.within is not None:
            chances = f"a chance of {share} beside {stands} for {printed}"
            if abs(share - stands) <= self.within:
                return Answer("holds", f"{told}, {chances}: at most {self.within} apart")
            return Answer("fails", f"{told}, {chances}: more than {self.within} apart")
        nearer = nearest(share, self.printed)
        margin = min(abs(share - end) for end in span(self.printed))
        if nearer == self.printed:
            fit = f"no odds in numbers up to {max(nearer)} are nearer than {printed}"
            return Answer("holds", f"{told}, and {fit}, with a share of {margin} to spare")
        return Answer(
            "fails",
            f"{told}, nearer to {odds_text(nearer)} than to {printed}, missed by a share of "
            f"{margin}",
        )
