"""A position as a page shows it: what the human seat may see, its cards with why some are refused,
and the moves."""

from dataclasses import dataclass
from typing import Any

from quadrille_core.cards import (
    SUITS,
    Card,
    format_card,
    rank,
    sign_card,
    suit,
)
from quadrille_core.engine.actions import Action
from quadrille_core.report.blocks import Block, Table
from quadrille_plugins.deal.judging import Ruling, of_action, of_cards, refused
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.output.values import amount
from quadrille_plugins.play.drawing import (
    by_suit,
    contract_text,
    led_by,
    place_of,
    suit_text,
    words_of,
)
from quadrille_plugins.play.game import Game
from quadrille_plugins.settle.blocks import settlement_blocks

COURTS = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A card: how it is written, its name in words, and where it is one's own why it may not be
    played."""

    id: str
    name: str
    do: str = ""
    """What to do to play it; empty where it is refused or no card is to be played."""
    ruling: Ruling | None = None
    who: str = ""


def card_of(card: Card, *, who: str = "", do: str = "", ruling: Ruling | None = None) -> Shown:
    """A card to be shown."""
    word = rank(card)
    return Shown(
        format_card(card), f"{COURTS.get(word, word)} of {SUITS[suit(card)]}", do, ruling, who
    )


def table_of(game: Game) -> dict[str, Any]:
    """Everything a page shows of a position."""
    deal, view = game.deal, view_of(game.deal, game.seat)
    mine = game.mine
    legal = deal.legal() if mine else ()
    cards = _hand(game, mine=mine)
    moves = _moves(game, view)
    held = {c.do for c in cards if c.do}
    return {
        "seats": _seats(game, view),
        "pool": amount(view.pool),
        "times": view.multiplier,
        "favourite": "" if view.favourite is None else suit_text(view.favourite),
        "contract": contract_text(view),
        "trick": [card_of(c, who=who) for who, c in led_by(view, view.leader, view.trick)],
        "trick_number": len(view.tricks) + 1,
        "leader": view.players[view.leader],
        "last": _last(view),
        "hand": cards,
        "choices": [(str(a), a) for a in legal if str(a) not in held],
        "refused": _together(refused(game.compiled, deal)) if mine else [],
        "mine": mine,
        "over": deal.over,
        "phase": deal.phase,
        "moves": moves,
        "since": moves[_last_own(game) :],
        "count": len(game.actions),
        "can_undo": any(seat == game.seat for seat, _ in deal.actions),
        "players": view.players,
        "seat": game.seat,
    }


def _together(rulings: tuple[Ruling, ...]) -> list[tuple[str, Ruling]]:
    """What is refused for the same reason by the same rule, told once with all that it refuses."""
    groups: dict[tuple[str, str, str, str], list[Ruling]] = {}
    for r in rulings:
        groups.setdefault((r.action.kind, r.reason, r.rule, r.source), []).append(r)
    return [(", ".join(_said(r.action) for r in those), those[0]) for those in groups.values()]


def _last_own(game: Game) -> int:
    """How many actions there were with the human's last."""
    return max(
        (n for n, (seat, _) in enumerate(game.deal.actions, 1) if seat == game.seat), default=0
    )


def _hand(game: Game, *, mine: bool) -> list[Shown]:
    """The human's cards suit by suit, trumps first once they are named."""
    deal = game.deal
    cards = [card for group in by_suit(game) for card in group]
    if not mine:
        return [card_of(c) for c in cards]
    rulings = {r.action.card: r for r in of_cards(game.compiled, deal)}
    legal = {a.card: str(a) for a in deal.legal() if a.kind in ("play", "give")}
    giving = any(a.kind == "give" for a in deal.legal())
    shown = []
    for card in cards:
        ruling = rulings.get(card)
        if giving and card not in legal:
            ruling = of_action(game.compiled, deal, Action("give", card=card))
        shown.append(card_of(card, do=legal.get(card, ""), ruling=ruling))
    return shown


def _seats(game: Game, view: View) -> list[dict[str, Any]]:
    exposed = dict(view.exposed)
    roles = {view.hombre: "Hombre", view.ally: "ally"} if view.hombre is not None else {}
    return [
        {
            "name": name,
            "you": seat == game.seat,
            "tricks": view.won[seat],
            "balance": amount(game.balances[seat], sign=True),
            "place": place_of(view, seat),
            "role": roles.get(seat, ""),
            "turn": seat == view.turn,
            "cards": [card_of(c) for c in exposed.get(seat, ())],
        }
        for seat, name in enumerate(view.players)
    ]


def _last(view: View) -> dict[str, Any] | None:
    if not view.tricks:
        return None
    last = view.tricks[-1]
    cards = [card_of(c, who=who) for who, c in led_by(view, last.leader, last.cards)]
    return {"winner": view.players[last.winner], "cards": cards}


def _moves(game: Game, view: View) -> list[dict[str, Any]]:
    """Every action with the number of actions up to it; what the seat may not know is not said."""
    found = []
    for number, (seat, action) in enumerate(game.deal.actions, 1):
        hidden = action.kind == "give" and view.given is None and not game.deal.over
        said = "gives a card in exchange" if hidden else _said(action)
        found.append(
            {"at": number, "who": "you" if seat == game.seat else view.players[seat], "text": said}
        )
    return found


def _said(action: Action) -> str:
    if action.kind == "play" and action.card is not None:
        return sign_card(action.card)
    return words_of(action)


def ending(game: Game) -> dict[str, Any]:
    """The settlement of a deal that is over, and all its hands."""
    result, settlement = game.deal.result(), game.settlement
    blocks: list[Block] = []
    if result is not None and settlement is not None:
        found = settlement_blocks(game.compiled, result, settlement)
        net = next(b for b in found if isinstance(b, Table) and "net" in b.columns)
        blocks = [found[0], net, *(b for b in found[1:] if b is not net)]
    return {
        "blocks": blocks,
        "balances": [
            (n, amount(b, sign=True))
            for n, b in zip(game.setup.players, game.balances_after, strict=True)
        ],
        "hands": [
            (name, [card_of(c) for c in sorted(hand)])
            for name, hand in zip(game.setup.players, game.setup.hands, strict=True)
        ],
    }
