"""The numbers of the vocabulary's words, and of the leaves by which payments are made, as the
kernel reads them.

Each comes from the vocabulary (``record``); a word that another leaf is to be compared with needs
its line here alone.
"""

from typing import Final, Literal

from quadrille_core.engine.actions import EventKind
from quadrille_core.engine.deal_record import Ending, VoleEnding
from quadrille_core.rules import PayItem, VoleLevel
from quadrille_plugins.kernel.record import bits, handle, words

EVENT: Final = words(EventKind)
LEVEL: Final = words(VoleLevel)
"""How the vole was played for."""
PAY: Final = bits(PayItem)
"""The bit of each item in a list of them."""
OUTCOME: Final = words(Ending)
VOLES: Final = words(VoleEnding)
"""What became of the vole."""

WHEN_EMPTY: Final = words("table.purse_empty")
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
LOST_AS: Final = words("bids.*.lost_as")
BORNE: Final = words("bids.*.loss_borne")
FIRST_LEAD: Final = words("play.first_lead")
FORCED_BY: Final = words("forcing.forced_by")
AMONG: Final = words("forcing.among_several")
CONSULTATION: Final = words("vole.consultation")
KNOWN: Final = words("vole.ally_known")
FAILED: Final = words("vole.announced_failed")
BELOW_GAME: Final = words("vole.announced_below_game")
SOURCE: Final = words("favourite.source")
DOUBLES: Final = words("favourite.doubles")
ODD_HALF: Final = words("payments.odd_half")
HELD_BY: Final = words("payments.matadors_held_by")
AGAINST: Final = words("payments.adversaries_matadors")
WON_BY: Final = words("payments.premiers_won_by")
COUNTED: Final = words("payments.matadors_counted")
INDIVISIBLE: Final = words("loss.codille_indivisible")
BEASTS: Final = words("loss.beasts")
BEAST_SIZE: Final = words("loss.beast_size")
DEVOLE: Final = words("loss.devole")
LOSSES: Final = words("multiplier.after_losses")

ODD_COUNTERS: Final = handle("stakes.odd_counters")
"""Why an odd counter is paid."""

# --- payments as rows

FACT: Final = bits(
    Literal[
        "won", "remise", "codille", "frozen", "repeated", "favoured", "allied", "shared",
        "three", "four", "against_three", "against_four", "premiers",
        "undertaken", "announced", "revealed", "vole_won", "vole_lost", "failed", "devole",
        "spades", "hearts", "clubs", "diamonds",
    ]
)  # fmt: skip
"""What a row may want to be the case.  The first three are of a game that is not ``frozen``;
``repeated``: it counts more than once; ``shared``: allies bear the loss together; ``failed``: a
vole undertaken and lost; ``devole``: no trick was made by whoever that is measured on.  The last
four are the trump suit, in the order of ``cards.SUITS``."""
OF_SUIT: Final = FACT.SPADES | FACT.HEARTS | FACT.CLUBS | FACT.DIAMONDS
UNCLAIMED: Final = len(FACT)
"""From this bit on: the items that had to be claimed and were not."""
PARTY: Final = words(
    Literal[
        "all", "others", "adversaries", "hombre", "allies", "side", "bearers", "twice", "ally",
        "pool", "vole_pool", "score", "fund", "giver",
    ]
)  # fmt: skip
"""``giver``: who gave up the called card; ``others``: all but Hombre; ``side``: Hombre and the ally
in the order of seats, ``allies`` Hombre first; ``twice``: Hombre twice."""
VERB: Final = words(Literal["each", "paired", "halved", "divide", "sweep", "spread"])
"""Each of the one pays each of the other; one by one; halved between two; a pool divided; divided
if the rules of a codille let it; what a stake lacks, from all of the one in equal parts to all of
the other."""
VERBS: Final = len(VERB)
"""From here on: each of the one pays each of the other by the payer's own number, or the payee's,
of each measure by turns."""
BASIS: Final = words(
    Literal["counter", "unit", "stake", "laid", "taken", "beast", "staked", "further", "against"]
)
"""What an amount is a multiple of.  ``laid``: the stake before it is raised; ``taken``: what was
taken out of the pool; ``staked``: what is in the vole's; ``further``, ``against``: a unit for each
matador past the fourth, of Hombre's side and of the adversaries."""
BASES, PARTIES = len(BASIS), len(PARTY)
"""From these on: what each measure comes to, in counters and in units by turns; who has any."""
COUNT: Final = words(Literal["never", "times", "unless_raised"])
"""Whether a payment counts as often as the game does."""
