"""The numbers of the vocabulary's words, and of the leaves by which payments are made, as the kernel reads them.

Each comes from the vocabulary (``record``); a word that another leaf is to be compared with needs its line here alone.
"""

from typing import Final, Literal

from quadrille_core.engine.actions import EventKind
from quadrille_core.rules import PayItem, VoleLevel
from quadrille_plugins.fast.record import bits, handle, words

EVENT: Final = words(EventKind)
LEVEL: Final = words(VoleLevel)
"""How the vole was played for."""
PAY: Final = bits(PayItem)
"""The bit of each item in a list of them."""
OUTCOME: Final = words(Literal["won", "remise", "codille", "redealt"])
VOLES: Final = words(Literal["none", "won", "lost"])
"""What became of the vole."""

WHEN_EMPTY: Final = words("table.purse_empty")
ANTE_BY: Final = words("stakes.ante_by")
UNIT_OF: Final = words("stakes.unit_of")
ROUNDING: Final = words("stakes.unit_rounding")
ODD: Final = words("stakes.odd_counters")
ELDER: Final = words("auction.elder_may_raise")
MADE: Final = words("bids.*.made")
SHOWS: Final = words("bids.*.shows")
GOAL: Final = words("bids.*.goal")
TRUMP: Final = words("bids.*.trump")
TRUMP_BY: Final = words("bids.*.trump_by")
TRUMP_WHEN: Final = words("bids.*.trump_when")
PARTNER: Final = words("bids.*.partner")
ALLY_KNOWN: Final = words("bids.*.ally_known")
QUEEN: Final = words("bids.*.call.queen_when")
OWN_CARD: Final = words("bids.*.call.own_card")
TRUMP_SUIT: Final = words("bids.*.call.trump_suit")
FALLBACK: Final = words("bids.*.call.fallback")
MATADORS: Final = words("bids.*.matadors")
LOST_AS: Final = words("bids.*.lost_as")
BORNE: Final = words("bids.*.loss_borne")
PENALTY: Final = words("bids.*.pool_penalty")
FIRST_LEAD: Final = words("play.first_lead")
FORCED_BY: Final = words("forcing.forced_by")
AMONG: Final = words("forcing.among_several")
CONSULTATION: Final = words("vole.consultation")
KNOWN: Final = words("vole.ally_known")
STAKE_IN: Final = words("vole.stake_in")
FAILED_PAID: Final = words("vole.undertaken_failed_paid")
FAILED_BORNE: Final = words("vole.undertaken_failed_borne")
FAILED: Final = words("vole.announced_failed")
BELOW_GAME: Final = words("vole.announced_below_game")
SOURCE: Final = words("favourite.source")
DOUBLES: Final = words("favourite.doubles")
ODD_HALF: Final = words("payments.odd_half")
ALLIES_PAID: Final = words("payments.allies_paid")
POOL_TO: Final = words("payments.pool_to")
HELD_BY: Final = words("payments.matadors_held_by")
AGAINST: Final = words("payments.adversaries_matadors")
WON_BY: Final = words("payments.premiers_won_by")
COUNTED: Final = words("payments.matadors_counted")
CODILLE_POOL: Final = words("loss.codille_pool")
INDIVISIBLE: Final = words("loss.codille_indivisible")
BASE: Final = words("loss.codille_base")
BEASTS: Final = words("loss.beasts")
BEAST_SIZE: Final = words("loss.beast_size")
ALLIES_PAY: Final = words("loss.allies_pay")
LOSSES: Final = words("multiplier.after_losses")
STAKE: Final = words("multiplier.stake")
KEPT: Final = words("score.kept")

# --- why a transfer is made

POOL_TAKEN: Final = handle("payments.pool_to")
ODD_COUNTERS: Final = handle("stakes.odd_counters")
REMISE_ADDS: Final = handle("loss.remise_adds")
CODILLE_ADDS: Final = handle("loss.codille_adds")
BEAST: Final = handle("loss.beast_size")
STAKE_RULE: Final = handle("multiplier.stake")
POOL_SHARED: Final = handle("loss.codille_pool")
SCORE_WON: Final = handle("score.won")
SCORE_REMISE: Final = handle("score.remise")
SCORE_CODILLE: Final = handle("score.codille")
PREMIUM: Final = handle("payments.premium.*")
THREE: Final = handle("payments.matadors.three")
FOUR: Final = handle("payments.matadors.four")
PREMIERS: Final = handle("payments.premiers")
VOLE_STAKE: Final = handle("payments.vole_stake.undertaken.*")
VOLE_PREMIUM: Final = handle("payments.vole_premium.undertaken.*")
IN_FAVOURITE: Final = handle("payments.in_favourite.premium.*") - PREMIUM
"""How far from each amount the same in favourite is: both tables have their leaves in one order."""
