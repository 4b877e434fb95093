"""All that a bot in the fast engine needs: what this module holds is kept, and the rest of the
kernel is not.

A bot's compiled module holds ``policy_of(rules, record)``, the arrays that it plays by under these
rules (given also the value of each parameter that it declares, by name), and a function for each
decision, marked by ``decides``::

    POLICY = "UniTuple(int64[::1], 1)"

    def policy_of(rules, record):
        return (numpy.zeros(1, numpy.int64),)

    @decides(POLICY)
    def card(rules, policy, deal, seat, played, cards, best, winner, behind):
        return first_in_pack(rules, deal.trump, cards)

    ...
    play_sessions, replay_sessions = playing(__name__, POLICY, bid=bid, ..., card=card)

``slot.CompiledPlayer`` says what each decision is asked and answers, and ``FIELDS`` what may be
read of the deal and the rules.  A card is a bit: of the home order until trumps are known
(``home_bit``), then of the order under them (``card_of``).  The functions see every hand; a bot
that reads more than its ``View`` would is not equal to its readable half.
"""

from collections.abc import Callable
from typing import Any, Final

from quadrille_core.cards import BASTO, SPADILLE
from quadrille_plugins.kernel.auction import (
    bid_at,
    home_bit,
    home_card,
    may_bid,
    named_unasked,
)
from quadrille_plugins.kernel.bits import (
    ONE,
    ZERO,
    U,
    count,
    high_bit,
    highest,
    low_bit,
    lowest,
)
from quadrille_plugins.kernel.cards import TRUMPS, card_of, first_in_pack, lane, lane_of, strength
from quadrille_plugins.kernel.compiled import CompiledFunction, compiled
from quadrille_plugins.kernel.declare import callable_cards, called_cards, may_invite, may_name
from quadrille_plugins.kernel.draws import below
from quadrille_plugins.kernel.session import SessionKernel, sessions_of
from quadrille_plugins.kernel.shares import INLINED, OPTIONS
from quadrille_plugins.kernel.slot import ASK, DECISIONS, GO, PASS, STOP, CompiledPlayer
from quadrille_plugins.kernel.table import table_of
from quadrille_plugins.kernel.words import GOAL, MADE, PARTNER, TRUMP

__all__ = [
    "ASK",
    "BASTO",
    "FIELDS",
    "GO",
    "GOAL",
    "INLINED",
    "MADE",
    "ONE",
    "OPTIONS",
    "PARTNER",
    "PASS",
    "SPADILLE",
    "STOP",
    "TRUMP",
    "TRUMPS",
    "ZERO",
    "U",
    "below",
    "bid_at",
    "callable_cards",
    "called_cards",
    "card_of",
    "compiled",
    "count",
    "decides",
    "first_in_pack",
    "high_bit",
    "highest",
    "home_bit",
    "home_card",
    "lane",
    "lane_of",
    "low_bit",
    "lowest",
    "may_bid",
    "may_invite",
    "may_name",
    "named_unasked",
    "playing",
    "strength",
]

FIELDS: Final = {
    "deal": {
        "hands": "the cards held, by seat",
        "trick": "the cards of the trick being played, by seat",
        "played": "all cards that have been played",
        "leader": "who leads the trick",
        "tricks_done": "tricks that are over",
        "won": "tricks made, by seat",
        "hombre": "the Hombre's seat, or -1",
        "trump": "the trumps, 0 to 3, 4 for none, -1 before they are named",
        "favourite": "the favourite suit, or -1",
        "called": "the card called, of several the first, as a number of the pack, or -1",
        "pool": "the pool, in parts of a counter (`rules.scale`)",
        "standing": "whose bid stands, or -1",
        "standing_spec": "the bid that stands, as a number of a spoken bid",
        "spoken": "a bit for each seat that has spoken",
    },
    "rules": {
        "ladder": "how many bids may be spoken: they have the numbers below it",
        "scale": "the parts of a counter",
        "bids": "the bids by `bid_at(rules, spec)`, each with the fields of `Bid`",
        "order": "by trumps: `order[trump].bit_of[card]` is the bit of a card of the pack",
        "specs": "spoken bids: `bid`, `favourite`, `vole`",
        "table": "`players`, `hand_cards` and the other rules of the table",
    },
}
"""What may be read of the deal and of the rules, and what it is."""

Decorator = Callable[[Callable[..., Any]], CompiledFunction]


def decides(policy: str, **options: Any) -> Decorator:
    """Compile a decision, which its name says, for a bot whose policy is of this type."""

    def made(function: Callable[..., Any]) -> CompiledFunction:
        name = function.__name__
        if name not in DECISIONS:
            raise TypeError(f"{name}() is no decision of a bot: {', '.join(DECISIONS)}")
        answers, asked = DECISIONS[name]
        given = ", ".join(filter(None, ("rules", policy, "deal", asked)))
        return compiled(f"{answers}({given})", **OPTIONS, **options)(function)

    return made


def playing(module: str, policy: str, *, draws: bool = False, **decisions: Any) -> SessionKernel:
    """The ``play_sessions`` and ``replay_sessions`` of a bot, built of its decisions.

    ``draws`` says whether it calls ``below``.  Without ``announce``, ``decide`` is asked.
    """
    if "decide" in decisions:
        decisions = {"announce": decisions["decide"], **decisions}
    if missing := [name for name in DECISIONS if name not in decisions]:
        raise TypeError(f"the bot of {module} does not decide {', '.join(missing)}")
    player = CompiledPlayer(module=module, policy=policy, draws=draws, **dict[str, Any](decisions))
    return sessions_of(player, table_of(player))
