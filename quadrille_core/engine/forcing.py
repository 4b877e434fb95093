"""Following suit, and when a matador may be withheld from a trump lead.

``_withholdable`` is the one definition of the privilege; everything else follows from it.  The
*reference* card is what the privilege is judged by: the card led, or, where a matador is forced by
a superior one *played* at any point of the trick, the highest matador so far.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from quadrille_core.cards import NO_TRUMP, PACK, SUITS, Card, Suit, format_card, format_cards
from quadrille_core.engine.ranking import effective_suits, matadors, trumps
from quadrille_core.frozen import frozen
from quadrille_core.rules import Forcing, WithholdCell

_Cells = dict[tuple[Suit, Card, Card], bool]


@frozen
class CardRuling:
    """Whether one card may be played here, and why.

    ``forced``: it must be played, and no other card of the hand may be.
    ``rule``: the rule path that decides; ``play`` where it is the common duty to follow suit.
    """

    card: Card
    legal: bool
    reason: str
    rule: str
    forced: bool = False


@cache
def _cells(exceptions: tuple[WithholdCell, ...]) -> _Cells:
    return {(e.trump, e.after, e.card): e.allowed for e in exceptions}


def privileged(forcing: Forcing, trump: Suit) -> tuple[Card, ...]:
    """The matadors that have the privilege of being withheld at all, highest first."""
    if forcing.renege == "barred" or (trump == NO_TRUMP and forcing.at_no_trump == "ordinary"):
        return ()
    return matadors(trump)


def _withholdable(
    forcing: Forcing, cells: _Cells, trump: Suit, after: Card, card: Card
) -> tuple[bool, str]:
    """Whether the trump may be withheld, and the rule that decides it.

    An ordinary trump may not; a matador may unless ``after``, the reference card, is a matador
    superior to it; the cells of ``forcing.exceptions`` decide otherwise case by case.
    Where no suit is trumps a single leaf says whether the black aces have the privilege at all, and
    nothing else can come to bear: one of them is led, so there is no third to be forced by a card
    played later.
    """
    decided = cells.get((trump, after, card))
    if decided is not None:
        return decided, "forcing.exceptions"
    highest = matadors(trump)
    if card not in highest:
        return False, "play"
    if forcing.renege == "barred":
        return False, "forcing.renege"
    if trump == NO_TRUMP and forcing.at_no_trump == "ordinary":
        return False, "forcing.at_no_trump"
    rule = "forcing.at_no_trump" if trump == NO_TRUMP else "forcing.forced_by"
    return after not in highest[: highest.index(card)], rule


class Follow:
    """Which cards may be played to a trick, under one forcing rule and one trump; see
    ``follow``."""

    __slots__ = (
        "_among",
        "_by_led",
        "_matadors",
        "_obliging",
        "_privileged",
        "_suits",
        "forcing",
        "trump",
    )

    def __init__(self, forcing: Forcing, trump: Suit) -> None:
        self.forcing: Final = forcing
        self.trump: Final = trump
        self._suits: Final = effective_suits(trump)
        self._matadors: Final = matadors(trump)
        self._privileged: Final = frozenset(privileged(forcing, trump))
        self._by_led: Final = forcing.forced_by == "led"
        self._among: Final = forcing.among_several
        cells = _cells(forcing.exceptions)
        self._obliging: Final = tuple(
            frozenset(
                c for c in trumps(trump) if not _withholdable(forcing, cells, trump, after, c)[0]
            )
            for after in PACK
        )

    def reference(self, trick: Sequence[Card]) -> Card:
        """The card that the privilege is judged by: the one led, or the highest matador played."""
        if not self._by_led:
            for matador in self._matadors:
                if matador in trick:
                    return matador
        return trick[0]

    def bound(self, after: Card) -> frozenset[Card]:
        """The trumps that may not be withheld from a trump lead, judged by the reference card
        ``after``."""
        return self._obliging[after]

    def obliging(self, hand: Sequence[Card], trick: Sequence[Card]) -> tuple[Card, ...]:
        """The trumps in hand that may not be withheld from this trump lead."""
        bound = self._obliging[self.reference(trick)]
        return tuple(c for c in hand if c in bound)

    def legal(self, hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of the hand that may be played to the trick so far, in the hand's order."""
        if not trick:
            return hand
        suits = self._suits
        led = suits[trick[0]]
        same = tuple(c for c in hand if suits[c] == led)
        if not same:
            return hand
        if led != self.trump:
            return same
        forced = self.obliging(same, trick)
        if not forced:
            return hand
        if len(forced) == len(same) or self._among == "any_trump":
            return same
        if any(c not in self._privileged for c in forced):
            return same
        return hand if self._among == "alternative_excuses" else forced

    # --- the same in words -----------------------------------------------------------------------

    def explain(self, hand: tuple[Card, ...], trick: Sequence[Card]) -> tuple[CardRuling, ...]:
        """Every card of the hand with its ruling, in the hand's order."""
        if not trick:
            return tuple(
                CardRuling(c, True, "on lead, any card may be played", "play") for c in hand
            )
        led = self._suits[trick[0]]
        same = tuple(c for c in hand if self._suits[c] == led)
        name = "trumps" if led == self.trump else SUITS[led]
        if not same:
            return tuple(
                CardRuling(c, True, f"any card may be played: no {name} in hand", "play")
                for c in hand
            )
        if led == self.trump:
            return self._explain_trump_lead(hand, trick, same)
        must = f"{name} were led and must be followed: {format_cards(same)} in hand"
        return tuple(
            CardRuling(c, True, f"it follows the {name} led", "play", len(same) == 1)
            if c in same
            else CardRuling(c, False, must, "play")
            for c in hand
        )

    def _explain_trump_lead(
        self, hand: tuple[Card, ...], trick: Sequence[Card], same: tuple[Card, ...]
    ) -> tuple[CardRuling, ...]:
        bound = self.obliging(same, trick)
        legal = self.legal(hand, trick)
        after = self.reference(trick)
        # a free matador beside the bound ones, and no ordinary trump that obliges the player anyhow
        several = 0 < len(bound) < len(same) and all(c in self._privileged for c in bound)
        rulings = []
        for card in hand:
            if card in same:
                reason, rule = self._trump_ruling(card, after, bound, legal, several)
                forced = card in bound and legal == (card,)
                rulings.append(CardRuling(card, card in legal, reason, rule, forced))
            elif card in legal:
                why = (
                    f"{self._free(same, bound)} excuses the others"
                    if several
                    else "no trump in hand is forced"
                )
                rule = "forcing.among_several" if several else self._deciding(same, after)
                rulings.append(CardRuling(card, True, f"trumps were led, but {why}", rule))
            else:
                rule = "forcing.among_several" if several else self._deciding(bound, after)
                verb = "obliges" if len(bound) == 1 else "oblige"
                reason = (
                    f"trumps were led, and {format_cards(bound)} {verb} the player to play a trump"
                )
                rulings.append(CardRuling(card, False, reason, rule))
        return tuple(rulings)

    def _decided(self, after: Card, card: Card) -> tuple[bool, str]:
        return _withholdable(self.forcing, _cells(self.forcing.exceptions), self.trump, after, card)

    def _deciding(self, cards: tuple[Card, ...], after: Card) -> str:
        """The rule that decides for all these cards: one on any hand before one on a matador."""
        rules = [self._decided(after, c)[1] for c in cards]
        return next((r for r in ("play", "forcing.exceptions") if r in rules), rules[0])

    def _free(self, same: tuple[Card, ...], forced: tuple[Card, ...]) -> str:
        return format_cards(c for c in same if c not in forced)

    def _trump_ruling(
        self,
        card: Card,
        after: Card,
        bound: tuple[Card, ...],
        legal: tuple[Card, ...],
        several: bool,
    ) -> tuple[str, str]:
        """Why a trump may be played to a trump lead or not, and the rule that decides it."""
        among = "forcing.among_several"
        if card not in legal:
            return f"{format_cards(bound)} is forced and must itself be played", among
        free, rule = self._decided(after, card)
        how = "led" if self._by_led else "played"
        by_matador = rule == "forcing.forced_by" or (
            rule == "forcing.at_no_trump" and self.forcing.at_no_trump != "ordinary"
        )
        if rule == "forcing.exceptions":
            may = "may" if free else "may not"
            reason = f"after {format_card(after)} it {may} be withheld, by a rule for this case"
        elif not by_matador:
            reason = _NO_PRIVILEGE[rule]
        elif free:
            reason = f"a matador may be played or withheld: no superior matador was {how}"
        else:
            reason = f"the superior matador {format_card(after)} was {how}"
        excused = card in bound and self._among == "alternative_excuses"
        chosen = by_matador and (not free or self._among == "any_trump")
        return reason, among if several and (excused or chosen) else rule


_NO_PRIVILEGE: Final = {
    "play": "an ordinary trump may not be withheld from a trump lead",
    "forcing.renege": "under these rules a matador must follow like any trump",
    "forcing.at_no_trump": "without a trump suit the black aces must follow like any suit",
}


@cache
def follow(forcing: Forcing, trump: Suit) -> Follow:
    """The tables of following suit under one forcing rule and one trump."""
    return Follow(forcing, trump)
