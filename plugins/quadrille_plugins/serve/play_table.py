"""A position as a page shows it: what the human seat may see, its cards with why some are refused,
and the moves."""

from typing import Any

from quadrille_core.cards import COURTS, SUITS, Card, rank, suit
from quadrille_core.engine.actions import Action
from quadrille_plugins.deal.judging import Ruling, of_action, of_cards, refused
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.play.drawing import by_suit, words_of
from quadrille_plugins.play.game import Game
from quadrille_plugins.serve.settle_pages import settled
from quadrille_plugins.shell.blocks import Block


def card_name(card: Card) -> str:
    """The name of a card in words."""
    word = rank(card)
    return f"{COURTS.get(word, word)} of {SUITS[suit(card)]}"


def table_of(game: Game) -> dict[str, Any]:
    """Everything a page shows of a position."""
    deal, view, hand = game.deal, view_of(game.deal, game.seat), _hand(game)
    legal = deal.legal() if game.mine else ()
    played = {do for _, do, _ in hand}
    moves = [(n, who, text) for n, (who, text) in enumerate(_moves(game, view), 1)]
    own = [n for n, (seat, _) in enumerate(deal.actions, 1) if seat == game.seat]
    return {
        "view": view,
        "over": deal.over,
        "mine": game.mine,
        "balances": game.balances,
        "exposed": dict(view.exposed),
        "hand": hand,
        "choices": [a for a in legal if str(a) not in played],
        "refused": _together(refused(game.compiled, deal)) if game.mine else [],
        "moves": moves,
        "since": moves[max(own, default=0) :],
        "can_undo": bool(own),
    }


def _together(rulings: tuple[Ruling, ...]) -> list[tuple[str, Ruling]]:
    """What is refused for the same reason by the same rule, told once with all that it refuses."""
    groups: dict[tuple[str, str, str, str], list[Ruling]] = {}
    for r in rulings:
        groups.setdefault((r.action.kind, r.reason, r.rule, r.source), []).append(r)
    return [(", ".join(_said(r.action) for r in those), those[0]) for those in groups.values()]


def _hand(game: Game) -> list[tuple[Card, str, Ruling | None]]:
    """The human's cards suit by suit, each with what to do to play it, empty where it is refused,
    and with the ruling on it."""
    deal, cards = game.deal, [card for group in by_suit(game) for card in group]
    if not game.mine:
        return [(card, "", None) for card in cards]
    rulings = {r.action.card: r for r in of_cards(game.compiled, deal)}
    legal = {a.card: str(a) for a in deal.legal() if a.kind in ("play", "give")}
    if any(a.kind == "give" for a in deal.legal()):
        for card in cards:
            if card not in legal:
                rulings[card] = of_action(game.compiled, deal, Action("give", card=card))
    return [(card, legal.get(card, ""), rulings.get(card)) for card in cards]


def _moves(game: Game, view: View) -> list[tuple[str, str]]:
    """Every action and who took it; what the seat may not know is not said."""
    shown = None if game.deal.over else view.gifts
    return [
        (
            "you" if seat == game.seat else view.players[seat],
            "gives a card in exchange"
            if action.kind == "give" and shown is not None and action.card not in shown
            else _said(action),
        )
        for seat, action in game.deal.actions
    ]


def _said(action: Action) -> str:
    return words_of(action).removeprefix("play ")


def ending(game: Game) -> dict[str, Any]:
    """The settlement of a deal that is over, and all its hands."""
    result, settlement = game.deal.result(), game.settlement
    blocks: list[Block] = []
    if result is not None and settlement is not None:
        blocks = settled(game.compiled, result, settlement)[1]
    return {
        "blocks": blocks,
        "balances": list(zip(game.setup.players, game.balances_after, strict=True)),
        "hands": list(zip(game.setup.players, map(sorted, game.setup.hands), strict=True)),
    }
