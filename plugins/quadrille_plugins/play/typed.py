"""What a player types: the number of an action, its spelling, or only its card, suit or bid."""

from quadrille_core.engine.actions import Action, parse_action
from quadrille_core.errors import NotationError
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
    try:
        return parse_action(text)
    except NotationError:
        for kind in kinds:
            if kind == "bid" and text.partition("+")[0] not in game.deal.rules.bids.names():
                continue
            try:
                return parse_action(f"{kind} {text}")
            except NotationError:
                continue
        raise
