"""Play with open cards by trying everything: once in the readable engine's words, once compiled,
neither clever."""

from functools import cache

from numba import int64, njit
from quadrille_plugins.kernel.bits import ZERO, low_bit
from quadrille_plugins.kernel.follow import TRUMP, lane_of, legal_after

from quadrille_core.engine.forcing import follow
from quadrille_core.engine.ranking import trick_winner


def readable(position):
    """The tricks that the side makes, by the engine's own rules of following and winning."""
    rule, seats = follow(position.forcing, position.trump), len(position.hands)

    @cache
    def value(hands, leader, trick):
        turn = (leader + len(trick)) % seats
        if not hands[turn]:
            return 0
        found = []
        for card in rule.legal(hands[turn], trick):
            left = tuple(tuple(c for c in h if c != card) for h in hands)
            played = (*trick, card)
            if len(played) < seats:
                found.append(value(left, leader, played))
            else:
                winner = (leader + trick_winner(position.order, played, position.trump)) % seats
                found.append((position.side >> winner & 1) + value(left, winner, ()))
        most = bool(position.side >> turn & 1) == (position.objective == "most")
        return max(found) if most else min(found)

    return value(position.hands, position.leader, position.trick)


# not kept on disk: Numba would keep it though the kernel's functions in it have changed
@njit(
    "int64(uint64[::1], uint64[::1], int64, int64, int64, uint64[:, ::1], int64, int64, int64, "
    "int64, int64)"
)
def compiled(row, hands, seats, leader, place, tricks, side, fewest, number, low, high):
    """The same between the bounds, with cards as words of lanes; ``tricks[number]`` is the trick so
    far."""
    turn = (leader + place) % seats
    free = legal_after(row, hands[turn], tricks[number], place)
    if free == ZERO:
        return int64(0)
    most = (side >> turn & 1) != fewest
    best = int64(-1) if most else int64(99)
    while free:
        card = low_bit(free)
        free ^= card
        hands[turn] ^= card
        tricks[number, place] = card
        if place + 1 < seats:
            v = compiled(
                row, hands, seats, leader, place + 1, tricks, side, fewest, number, low, high
            )
        else:
            cover = lane_of(tricks[number, 0]) | TRUMP
            winner = 0
            for k in range(1, seats):
                if tricks[number, k] & cover > tricks[number, winner]:
                    winner = k
            winner = (leader + winner) % seats
            won = side >> winner & 1
            v = won + compiled(
                row,
                hands,
                seats,
                winner,
                int64(0),
                tricks,
                side,
                fewest,
                number + 1,
                low - won,
                high - won,
            )
        hands[turn] ^= card
        if most:
            best = max(best, v)
            low = max(low, v)
        else:
            best = min(best, v)
            high = min(high, v)
        if low >= high:
            break
    return best
