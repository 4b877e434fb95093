"""Evidence of a series: the beasts that a text prints one after the other, from the first deal of a
session."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from quadrille_core.cards import SUITS
from quadrille_core.engine.carry import START, carried, staked
from quadrille_core.engine.result import POOL
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import plain_solo
from quadrille_core.errors import ResultError
from quadrille_core.rules import GameRules, Rules
from quadrille_core.vocabulary import parse_amount, plain_amount
from quadrille_plugins.discriminate.evidence_pieces import has_favourite
from quadrille_plugins.settle.result_file import read_result


def _lost(rules: Rules, outcome: str, pool: Fraction) -> dict[str, Any]:
    """A solo lost by as little as that outcome allows; raises ResultError where nobody can play
    alone."""
    found = plain_solo(rules)
    if found is None:
        raise ResultError.of("nobody-loses-alone")
    name, bid = found
    made = bid.tricks - (1 if outcome == "remise" else rules.loss.remise_short + 1)
    favourite = rules.favourite.suit if rules.favourite.suit is not None else 0
    players = [f"P{number}" for number in range(1, rules.table.players + 1)]
    data: dict[str, Any] = {
        "players": players,
        "pool": str(pool),
        "contract": name,
        "trump": next(suit for number, suit in enumerate(SUITS) if number != favourite),
        "hombre": players[0],
        "tricks": {players[0]: made, players[1]: rules.table.hand_cards - made},
    }
    return data | ({"favourite": SUITS[favourite]} if has_favourite(rules) else {})


def contradicted(game: GameRules[Any], piece: Mapping[str, Any]) -> str:
    """How the beasts of a session that begins with these losses differ from the printed; empty
    where they do not.

    Raises ResultError where such a session cannot happen.
    """
    rules, carry = game.rules, START
    for number, (outcome, size) in enumerate(zip(piece["lost"], piece["sizes"], strict=True), 1):
        settlement = settle(rules, read_result(_lost(rules, outcome, staked(rules, carry)), rules))
        if settlement.outcome != outcome:
            return f"game {number} is {settlement.outcome}, not {outcome}"
        put = sum((t.amount for t in settlement.transfers if t.target == POOL), Fraction(0))
        if size is not None and put != parse_amount(size):
            return f"beast {number} is {plain_amount(put)}, not {plain_amount(parse_amount(size))}"
        carry = carried(rules, carry, settlement)
    return ""
