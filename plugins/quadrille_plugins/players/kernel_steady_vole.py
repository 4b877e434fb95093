"""Whether ``steady`` plays for the vole: ``players.steady._vole``."""

from numba import int64

from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.slot import ASK, GO, STOP
from quadrille_plugins.kernel.words import LEVEL, PARTNER
from quadrille_plugins.players.kernel_steady_bids import POLICY
from quadrille_plugins.players.kernel_steady_cards import alone, unsure
from quadrille_plugins.players.kernel_steady_values import ALLY, HOMBRE, settle_for, worth

CHANCE_ALONE, CHANCE_ALLIED = (15, 1, 1, 0, 0), (15, 4, 2, 1, 1)
"""``steady.VOLE_OF_16`` and ``VOLE_OF_16_ALLIED``; a test holds them together."""


@compiled("int64(rules, deal, int64, int64, boolean, int64, result, out)", **OPTIONS)
def _worth(rules, deal, level, chance, allied, part, result, out):
    """What playing for the vole so is worth, in sixteenths: all the tricks at that chance, or all
    but one."""
    block, size, total = deal.bid, rules.table.hand_cards, int64(0)
    favoured, premiers = deal.trump == deal.favourite, rules.bids[block].premiers != 0
    for made in range(2):
        exact = settle_for(
            rules,
            result,
            out,
            deal.spec,
            size - 1 + made,
            favoured,
            deal.pool,
            int64(0),
            level,
            premiers,
            not allied,
        )
        deal.blocked |= not exact
        total += (chance if made else 16 - chance) * worth(rules, out, part, allied)
    return total


@compiled(f"boolean(rules, {POLICY}, deal, int64, result, out)", **OPTIONS)
def pays(rules, policy, deal, seat, result, out):
    """Whether playing for the vole is worth more to this seat than stopping."""
    hand = deal.hands[seat]
    unseen = deal.pack & ~(hand | deal.played)
    block = deal.bid
    allied = rules.bids[block].partner == PARTNER.CALLED and alone(rules, deal, seat) != 1
    doubtful = min(unsure(hand, unseen), int64(4))
    chance = int64(CHANCE_ALLIED[doubtful]) if allied else int64(CHANCE_ALONE[doubtful])
    part = int64(HOMBRE) if seat == deal.hombre else int64(ALLY)
    said = rules.specs[deal.spec].vole
    favoured, premiers = deal.trump == deal.favourite, rules.bids[block].premiers != 0
    going = _worth(rules, deal, int64(LEVEL.UNDERTAKEN), chance, allied, part, result, out)
    exact = settle_for(
        rules,
        result,
        out,
        deal.spec,
        max(deal.tricks_done, int64(rules.bids[block].tricks)),
        favoured,
        deal.pool,
        int64(0),
        said,
        premiers,
        not allied,
    )
    deal.blocked |= not exact
    return going > 16 * worth(rules, out, part, allied)


@compiled(f"int64(rules, {POLICY}, deal, int64, int64, result, out)", **OPTIONS)
def announce(rules, policy, deal, seat, choices, result, out):
    """To announce the vole before the first lead where that pays: with every card sure to win."""
    block, hand = deal.bid, deal.hands[seat]
    if unsure(hand, deal.pack & ~hand):
        return int64(STOP)
    allied = rules.bids[block].partner == PARTNER.CALLED and alone(rules, deal, seat) != 1
    chance, part, later = int64(CHANCE_ALONE[0]), int64(HOMBRE), int64(LEVEL.NONE)
    if rules.bids[block].may_undertake_vole:
        later = int64(LEVEL.UNDERTAKEN)
    at_once = _worth(rules, deal, int64(LEVEL.ANNOUNCED), chance, allied, part, result, out)
    pays = at_once > _worth(rules, deal, later, chance, allied, part, result, out)
    return int64(GO if pays else STOP)


@compiled(f"int64(rules, {POLICY}, deal, int64, int64, result, out)", **OPTIONS)
def decide(rules, policy, deal, seat, choices, result, out):
    """To play for the vole where that pays; to ask the ally where they must."""
    if not pays(rules, policy, deal, seat, result, out):
        return int64(STOP)
    return int64(GO if choices & GO else ASK)
