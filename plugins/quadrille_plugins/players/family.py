"""What may be said of ``steady`` (``steady:boldness=+3``), and the family of players who differ in
one such thing."""

from collections.abc import Mapping
from typing import Final, get_args

from quadrille_core.hookspecs import PlayerParameter
from quadrille_plugins.players.steady_manner import BOLDEST, USUAL, Calls, Covers, Leads

PARAMETERS: Final[Mapping[str, PlayerParameter]] = {
    "boldness": PlayerParameter(
        doc="Counters added to what every bid is worth when it is held against passing.",
        manner="how boldly one bids",
        default=USUAL.boldness,
        choices=range(-BOLDEST, BOLDEST + 1),
    ),
    "calls": PlayerParameter(
        doc="Of which suit it calls a king: one card held, then two or more, then none (short), "
        "the fewest (void), or the most (long).",
        manner="which king is called",
        default=USUAL.calls,
        choices=get_args(Calls),
    ),
    "leads": PlayerParameter(
        doc="How Hombre's side leads: it draws trumps, by length too (trumps) or with the best "
        "alone (best), or cashes what is good in other suits before, but at a vole (kings).",
        manner="how the Hombre's side leads",
        default=USUAL.leads,
        choices=get_args(Leads),
    ),
    "covers": PlayerParameter(
        doc="When it tries to win a trick with a card that little can beat: last hand but one "
        "(late), or at any place (always).",
        manner="when a trick is tried for",
        default=USUAL.covers,
        choices=get_args(Covers),
    ),
}
FAMILY: Final = (
    "steady",
    "steady:boldness=-6",
    "steady:boldness=-3",
    "steady:boldness=+3",
    "steady:boldness=+6",
    "steady:calls=void",
    "steady:calls=long",
    "steady:leads=best",
    "steady:leads=kings",
    "steady:covers=always",
)
"""``steady`` and those who differ from it in one parameter and lose little by it, as
docs/players.md shows."""
