"""A position as a page shows it: what the human seat may see, set out as a table seen from that
seat, its cards with why some are refused, and the moves."""

from collections.abc import Sequence
from typing import Any, Final

from quadrille_core.cards import COURTS, SUIT_SIGNS, SUITS, Card, rank, suit
from quadrille_core.engine.actions import Action
from quadrille_core.engine.ranking import ranking
from quadrille_plugins.deal.judging import Ruling, refused
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.play.drawing import by_suit, said, suit_text
from quadrille_plugins.play.game import Game
from quadrille_plugins.serve.play_bids import offers
from quadrille_plugins.shell.values import grouped


def card_name(card: Card) -> str:
    """The name of a card in words."""
    word = rank(card)
    return f"{COURTS.get(word, word)} of {SUITS[suit(card)]}"


def table_of(game: Game) -> dict[str, Any]:
    """Everything a page shows of a position."""
    deal, view = game.deal, view_of(game.deal, game.seat)
    legal, no = (deal.legal(), refused(game.compiled, deal)) if game.mine else ((), ())
    hand = _hand(game, legal, no)
    played = {do for _, do, _, _ in hand}
    offered = offers(game, legal)
    bids = {way.action for offer in offered for way in offer.ways}
    own = [n for n, (seat, _) in enumerate(deal.actions, 1) if seat == game.seat]
    moves = [(n, who, text) for n, (who, text) in enumerate(_moves(game, view), 1)]
    since = max(own, default=0)
    return {
        "view": view,
        "over": deal.over,
        "mine": game.mine,
        "asked": _asked(legal),
        "seats": _seats(game, view),
        "trick": _placed(view, view.leader, view.trick),
        "last": _last(game, view, since),
        "made": _made(view),
        "hand": hand,
        "offers": offered,
        "choices": [a for a in legal if str(a) not in played and a not in bids],
        "refused": _together(game, no),
        "moves": moves,
        "since": moves[since:],
        "can_undo": bool(own),
    }


_ASKED: Final = ("play", "give", "call", "trump", "bid", "name", "pass")
"""What a turn may be for, the first that fits; any other is whether to play for the vole."""


def _asked(legal: Sequence[Action]) -> str:
    kinds = {a.kind for a in legal}
    found = next((kind for kind in _ASKED if kind in kinds), "vole" if kinds else "")
    return "bid" if found in ("name", "pass") else found


def _seats(game: Game, view: View) -> list[dict[str, Any]]:
    """The seats in turn from the human's on, who sits on their right."""
    spoken = dict(view.auction) if view.phase == "auction" else {}
    shown = dict(view.exposed)
    n = len(view.players)
    return [
        {
            "at": step,
            "seat": seat,
            "name": view.players[seat],
            "said": said(view.rules, spoken[seat]) if seat in spoken else "",
            "balance": game.balances[seat],
            "shows": shown.get(seat, ()),
        }
        for step, seat in enumerate((view.seat + step) % n for step in range(n))
    ]


def _placed(view: View, leader: int, cards: Sequence[Card]) -> list[dict[str, Any]]:
    """The cards of a trick in the order played: where each lies, who led, and which wins."""
    if not cards or view.trump is None:
        return []
    n, best = len(view.players), ranking(view.rules.cards, view.trump).winner(cards)
    seats = [(leader + place) % n for place in range(len(cards))]
    return [
        {
            "at": (seat - view.seat) % n,
            "who": "you" if seat == view.seat else view.players[seat],
            "card": card,
            "led": place == 0,
            "best": place == best,
        }
        for place, (seat, card) in enumerate(zip(seats, cards, strict=True))
    ]


def _last(game: Game, view: View, since: int) -> dict[str, Any] | None:
    """The trick taken last; ``fresh`` while the human has done nothing since it was."""
    if not view.tricks:
        return None
    leader, cards, winner = view.tricks[-1]
    plays = [n for n, (_, a) in enumerate(game.deal.actions, 1) if a.kind == "play"]
    return {
        "cards": _placed(view, leader, cards),
        "who": "you" if winner == view.seat else view.players[winner],
        "at": (winner - view.seat) % len(view.players),
        "fresh": since <= plays[-len(view.trick) - 1],
    }


def _made(view: View) -> dict[str, Any] | None:
    """How many tricks Hombre's side has, as far as the seat knows it, and what it undertook."""
    if view.hombre is None or view.bid is None:
        return None
    known = {view.hombre} if view.ally is None else {view.hombre, view.ally}
    goal = {"at_least": view.bid.tricks, "all": view.rules.table.hand_cards, "none": 0}
    return {
        "made": sum(view.won[seat] for seat in known),
        "goal": goal[view.bid.goal] if view.vole == "none" else view.rules.table.hand_cards,
        "hidden": view.bid.partner == "called" and view.ally is None and view.alone is None,
    }


def _together(game: Game, rulings: tuple[Ruling, ...]) -> list[tuple[str, Ruling]]:
    """What is refused for the same reason by the same rule, told once with all that it refuses."""
    groups = grouped(((r.action.kind, r.reason, r.rule, r.source), r) for r in rulings)
    rules = game.deal.rules
    return [
        (", ".join(said(rules, r.action) for r in those), those[0]) for those in groups.values()
    ]


def _hand(
    game: Game, may: Sequence[Action], no: Sequence[Ruling]
) -> list[tuple[Card, str, Ruling | None, bool]]:
    """The human's cards suit by suit, each with what to do to play it, empty where it is refused,
    with the ruling against it, and whether it is a trump."""
    deal, cards = game.deal, [card for group in by_suit(game) for card in group]
    trumps = set() if deal.trump is None else set(ranking(deal.rules.cards, deal.trump).trumps)
    legal = {a.card: str(a) for a in may if a.kind in ("play", "give")}
    rulings = {r.action.card: r for r in no if r.action.kind in ("play", "give")}
    return [(card, legal.get(card, ""), rulings.get(card), card in trumps) for card in cards]


def _moves(game: Game, view: View) -> list[tuple[str, str]]:
    """Every action and who took it; what the seat may not know is not said."""
    shown = None if game.deal.over else view.gifts
    return [
        (
            "you" if seat == game.seat else view.players[seat],
            "gives a card in exchange"
            if action.kind == "give" and shown is not None and action.card not in shown
            else said(view.rules, action),
        )
        for seat, action in game.deal.actions
    ]


def trump_said(view: View) -> str:
    """Trumps by sign and name; empty before they are named."""
    if view.trump is None:
        return ""
    return suit_text(view.trump) if view.trump < len(SUIT_SIGNS) else "none but ♠A and ♣A"
