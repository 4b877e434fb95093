"""What a player types: the number of an action, its spelling, or only its card, suit or bid."""

import re
from contextlib import suppress

from quadrille_core.engine.actions import Action, parse_action, parse_bid
from quadrille_core.errors import NotationError
from quadrille_core.profile.naming import meant, titles_of
from quadrille_plugins.play.game import Game


def understood(game: Game, text: str) -> Action:
    """The action that was typed: its number, its spelling, or only the card, suit or bid; raises
    NotationError."""
    legal = game.deal.legal()
    if text.isascii() and text.isdigit():
        if not 1 <= int(text[:6]) <= len(legal):
            raise NotationError.of("no-choice", text=text[:6], legal=len(legal))
        return legal[int(text) - 1]
    kinds = dict.fromkeys(
        [a.kind for a in legal if a.card is not None or a.suit is not None or a.bid is not None]
    )
    for action in legal:
        if text.lower() in (str(action), str(action).partition(" ")[2]):
            return action
    rules, spoken = game.deal.rules, {a.bid.bid for a in legal if a.bid is not None}
    ways = [text, *(f"{kind} {text}" for kind in kinds)]
    if not spoken.isdisjoint(meant(re.split("[+,]", text)[0], titles_of(rules))):
        ways.insert(0, f"bid {text}")  # a bid may be called as some action is
    for way in ways:
        with suppress(NotationError):
            return parse_action(way, rules)
    if spoken:
        try:
            return Action("bid", bid=parse_bid(text, rules, begins=True))
        except NotationError as error:
            if not error.problems[0].hint and error.problems[0].variant != "several-bids-meant":
                return parse_action(text, rules)
            raise
    return parse_action(text, rules)
