"""Whether ``steady`` plays for the vole: ``bots.steady._vole``."""

from numba import int64

from quadrille_plugins.fast import layout as money
from quadrille_plugins.fast import memory as at_deal
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import spec_at
from quadrille_plugins.fast.compiled import compiled
from quadrille_plugins.fast.shares import OPTIONS
from quadrille_plugins.fast.slot import ASK, GO, STOP
from quadrille_plugins.players.kernel_steady_bids import MIND
from quadrille_plugins.players.kernel_steady_cards import alone, unsure
from quadrille_plugins.players.kernel_steady_values import ALLY, HOMBRE, settle_for, worth

CHANCE_ALONE, CHANCE_ALLIED = (15, 1, 1, 0, 0), (15, 4, 2, 1, 1)
"""``steady.VOLE_OF_16`` and ``VOLE_OF_16_ALLIED``; a test holds them together."""


@compiled("int64(int64[::1], int64[::1], int64[::1], int64, int64, boolean, int64, int64[::1], int64[::1])", **OPTIONS)
def _worth(rules, money_rules, deal, level, chance, allied, part, result, out):
    """What playing for the vole so is worth, in sixteenths: all the tricks at that chance, or all but one."""
    block, size, total = deal[at_deal.BID], rules[at.HAND], int64(0)
    favoured, premiers = deal[at_deal.TRUMP] == deal[at_deal.FAVOURITE], rules[block + at.PAYS_PREMIERS] != 0
    for made in range(2):
        exact = settle_for(
            rules, money_rules, result, out, deal[at_deal.SPEC], size - 1 + made, favoured, deal[at_deal.POOL],
            int64(0), level, premiers, not allied,
        )  # fmt: skip
        deal[at_deal.BLOCKED] |= not exact
        total += (chance if made else 16 - chance) * worth(rules, out, part, allied)
    return total


@compiled(f"boolean(int64[::1], int64[::1], {MIND}, int64[::1], uint64[::1], int64, int64[::1], int64[::1])", **OPTIONS)
def pays(rules, money_rules, mind, deal, hands, seat, result, out):
    """Whether playing for the vole is worth more to this seat than stopping."""
    hand = hands[at_deal.HANDS + seat]
    unseen = hands[at_deal.PACK] & ~(hand | hands[at_deal.PLAYED])
    block = deal[at_deal.BID]
    allied = rules[block + at.CALLED] != 0 and alone(rules, deal, seat) != 1
    doubtful = min(unsure(hand, unseen), int64(4))
    chance = int64(CHANCE_ALLIED[doubtful]) if allied else int64(CHANCE_ALONE[doubtful])
    part = int64(HOMBRE) if seat == deal[at_deal.HOMBRE] else int64(ALLY)
    said = rules[spec_at(rules, deal[at_deal.SPEC]) + at.SPEC_VOLE]
    favoured, premiers = deal[at_deal.TRUMP] == deal[at_deal.FAVOURITE], rules[block + at.PAYS_PREMIERS] != 0
    going = _worth(rules, money_rules, deal, int64(money.UNDERTAKEN), chance, allied, part, result, out)
    exact = settle_for(
        rules, money_rules, result, out, deal[at_deal.SPEC], deal[at_deal.TRICKS_DONE], favoured, deal[at_deal.POOL],
        int64(0), said, premiers, not allied,
    )  # fmt: skip
    deal[at_deal.BLOCKED] |= not exact
    return going > 16 * worth(rules, out, part, allied)


@compiled(
    f"int64(int64[::1], int64[::1], {MIND}, int64[::1], uint64[::1], int64, int64, int64[::1], int64[::1])", **OPTIONS
)
def announce(rules, money_rules, mind, deal, hands, seat, choices, result, out):
    """To announce the vole before the first lead where that pays: with every card sure to win."""
    block, hand = deal[at_deal.BID], hands[at_deal.HANDS + seat]
    if unsure(hand, hands[at_deal.PACK] & ~hand):
        return int64(STOP)
    allied = rules[block + at.CALLED] != 0 and alone(rules, deal, seat) != 1
    chance, part, later = int64(CHANCE_ALONE[0]), int64(HOMBRE), int64(money.NO_VOLE)
    if rules[block + at.MAY_UNDERTAKE]:
        later = int64(money.UNDERTAKEN)
    at_once = _worth(rules, money_rules, deal, int64(money.ANNOUNCED), chance, allied, part, result, out)
    pays = at_once > _worth(rules, money_rules, deal, later, chance, allied, part, result, out)
    return int64(GO if pays else STOP)


@compiled(
    f"int64(int64[::1], int64[::1], {MIND}, int64[::1], uint64[::1], int64, int64, int64[::1], int64[::1])", **OPTIONS
)
def decide(rules, money_rules, mind, deal, hands, seat, choices, result, out):
    """To play for the vole where that pays; to ask the ally where she must."""
    if not pays(rules, money_rules, mind, deal, hands, seat, result, out):
        return int64(STOP)
    return int64(GO if choices & GO else ASK)
