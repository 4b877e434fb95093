"""What ``steady`` sees in a hand before the play: small integers, one list for each way of playing.

A way of playing (*mode*) is ``alone`` (alone, with trumps), ``ally`` (with an ally, with trumps),
``blind`` (with an ally who is still to name trumps), ``bare`` (alone without trumps) and ``none``
(for no trick).  The features are weighted into a *score* in hundredths of a trick, and the score's
bucket names a row of measured distributions of tricks (``steady_measured``).
"""

from typing import Final, Literal

from quadrille_core.cards import BASTO, SPADILLE
from quadrille_plugins.players.steady_play import BIT, TrumpOrder

Mode = Literal["alone", "ally", "blind", "bare", "none"]
MODES: Final[tuple[Mode, ...]] = ("alone", "ally", "blind", "bare", "none")

BUCKETS: Final = 24
BUCKET_WIDTH: Final = 40


def bucket_of(score: int) -> int:
    """The row of the table that a score falls in."""
    return min(max(score // BUCKET_WIDTH, 0), BUCKETS - 1)


def trump_features(hand: int, order: TrumpOrder) -> tuple[int, ...]:
    """Features of a hand (a mask) with this trump suit: top trumps, length, side cards, short
    suits, certain tricks."""
    trumps = hand & order.of_suit[order.trump]
    tops = [0] * 6
    for place, card in enumerate(order.down[order.trump][:6]):
        if trumps & BIT[card]:
            tops[place] = 1
    length = trumps.bit_count()
    sure, drawn = sure_trumps(trumps, order)
    kings = queens_guarded = queens_with = knaves = voids = singles = 0
    for suit in range(4):
        if suit == order.trump:
            continue
        held = hand & order.of_suit[suit]
        count = held.bit_count()
        first, second, third = order.down[suit][:3]
        if not count:
            voids += 1
            continue
        has_first, has_second = bool(held & BIT[first]), bool(held & BIT[second])
        kings += has_first
        if has_second and has_first:
            queens_with += 1
        elif has_second and count > 1:
            queens_guarded += 1
        if held & BIT[third] and count > 2:
            knaves += 1
        if count == 1 and not has_first:
            singles += 1
    return (
        1,
        *tops,
        length - sum(tops),
        max(0, length - 4),
        kings,
        queens_guarded,
        queens_with,
        knaves,
        voids,
        singles,
        sure,
        drawn,
    )


def sure_trumps(trumps: int, order: TrumpOrder) -> tuple[int, int]:
    """The certain trump tricks, and those that follow when they draw the others' trumps, evenly
    split between two."""
    down = order.down[order.trump]
    sure = next((n for n, card in enumerate(down) if not trumps & BIT[card]), len(down))
    length = trumps.bit_count()
    return sure, length - sure if 2 * sure >= len(down) - length else 0


def bare_features(hand: int, order: TrumpOrder) -> tuple[int, ...]:
    """Features of a hand without a trump suit: the black aces, top cards, and long suits headed by
    them."""
    kings = queens_guarded = queens_with = knaves = long_cards = runs = 0
    for suit in range(4):
        held = hand & order.of_suit[suit]
        count = held.bit_count()
        first, second, third = order.down[suit][:3]
        has_first, has_second, has_third = (bool(held & BIT[c]) for c in (first, second, third))
        kings += has_first
        if has_second:
            if has_first:
                queens_with += 1
            elif count > 1:
                queens_guarded += 1
        if has_third and count > 2:
            knaves += 1
        if has_first and count > 3:
            long_cards += count - 3
        if has_first and has_second and has_third:
            runs += count - 3
    spadille, basto = bool(hand & BIT[SPADILLE]), bool(hand & BIT[BASTO])
    return (1, spadille, basto, kings, queens_guarded, queens_with, knaves, long_cards, runs)


def none_features(hand: int, order: TrumpOrder) -> tuple[int, ...]:
    """Features of a hand that is to make no trick: how far its cards stand above safe ones."""
    spadille, basto = bool(hand & BIT[SPADILLE]), bool(hand & BIT[BASTO])
    danger = worst = bare_high = voids = 0
    for suit in range(4):
        held = hand & order.of_suit[suit]
        if not held:
            voids += 1
            continue
        here = place = 0
        for card in reversed(order.down[suit]):
            if held & BIT[card]:
                rank = order.lower[card].bit_count()
                # With the k-th lowest card no higher than the (2k+1)-th of the suit, others must
                # beat it.
                here += max(0, rank - 2 * place - 1)
                if place == 0 and rank > 2:
                    bare_high += rank - 2
                place += 1
        danger += here
        worst = max(worst, here)
    return (1, spadille, basto, danger, worst, bare_high, voids, min(danger, 4))
