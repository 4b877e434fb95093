"""A game in plain text, at most 80 columns wide: what the human seat may see, and nothing else."""

from collections.abc import Iterable
from itertools import groupby
from textwrap import fill
from typing import Final

from quadrille_core.cards import NO_TRUMP, SUIT_SIGNS, Card, Suit, format_suit, sign_card, suit
from quadrille_core.engine.actions import Action, BidSpec, Event
from quadrille_core.engine.ranking import ranking
from quadrille_core.rules import Rules
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.play.game import Game
from quadrille_plugins.shell.values import amount, with_signs

WIDTH = 80
COLOURS = ("1", "1;31", "1;32", "1;34")
"""Of spades, hearts, clubs and diamonds: the four-colour pack in ANSI's numbers."""


def coloured(text: str) -> str:
    """The text with each suit sign in the colour of its suit, for a terminal that has colours."""
    for sign, colour in zip(SUIT_SIGNS, COLOURS, strict=True):
        text = text.replace(sign, f"\x1b[{colour}m{sign}\x1b[0m")
    return text


def said_since(game: Game, since: int) -> str:
    """What has happened from event number ``since`` on, as the human seat hears it."""
    view = view_of(game.deal, game.seat)
    return "\n".join(
        fill(text, WIDTH)
        for e in game.deal.events[since:]
        if e.kind != "deal" and (text := _heard(e, view))
    )


def _heard(event: Event, view: View) -> str:
    if event.kind == "premiers" and not view.premiers:
        return ""  # it would betray a hidden ally
    if event.kind == "exchange" and event.cards[1] not in view.gifts:
        return with_signs(event.text().rpartition(" for ")[0] + " for a card of the hand")
    return with_signs(event.text())


def table(game: Game) -> str:
    """The table as the human seat sees it: who has what, the contract, the trick and the hand."""
    view = view_of(game.deal, game.seat)
    return "\n".join(
        fill(line, WIDTH) if len(line) > WIDTH else line for line in _lines(game, view)
    )


def _lines(game: Game, view: View) -> list[str]:
    head = f"pool {amount(view.pool)}"
    if view.multiplier > 1:
        head += f", the deal counts {view.multiplier} times"
    if view.favourite is not None:
        head += f", favourite {suit_text(view.favourite)}"
    lines = ["─" * 60, head]
    if view.contract is not None:
        lines.append(contract_text(view))
    shown = dict(view.exposed)
    for seat, name in enumerate(view.players):
        words = [f"{view.won[seat]} tricks", amount(game.balances[seat], sign=True)]
        words += [place] if (place := place_of(view, seat)) else []
        if seat == view.seat:
            words.append("you")
        elif seat in shown:
            words.append(f"holds {row(shown[seat])}")
        lines.append(f"  {name}: {', '.join(words)}")
    if view.trick:
        led = led_by(view, view.leader, view.trick)
        cards = "   ".join(f"{name} {sign_card(c)}" for name, c in led)
        lines.append(f"trick {len(view.tricks) + 1}: {cards}")
    elif view.phase == "play":
        lines.append(f"trick {len(view.tricks) + 1}: {view.players[view.leader]} leads")
    return [*lines, f"your hand: {'   '.join(map(row, by_suit(game)))}"]


def contract_text(view: View) -> str:
    """What is played, by whom, with which trumps and which card called; empty before that is
    said."""
    if view.contract is None or view.hombre is None:
        return ""
    parts = [f"{bid_said(view.rules, view.contract)} by {view.players[view.hombre]}"]
    if view.ally is not None:
        parts.append(f"with {view.players[view.ally]}")
    if view.trump is not None:
        named = view.trump < len(SUIT_SIGNS)
        parts.append(f"trumps {suit_text(view.trump)}" if named else "no trumps")
    if view.called is not None:
        parts.append(f"{' and '.join(map(sign_card, view.calls))} called")
    return ", ".join(parts)


def said(rules: Rules, action: Action) -> str:
    """An action in words, a bid by its name in print: ``Solo in favourite``."""
    if action.bid is not None:
        return bid_said(rules, action.bid)
    if action.suit is not None:
        named = "no trumps" if action.suit == NO_TRUMP else f"{suit_text(action.suit)} as trumps"
        return f"alone, {named}" if action.kind == "name" else named
    return _SAID.get(action.kind) or with_signs(str(action)).removeprefix("play ")


_SAID: Final = {
    "invite": "the ally shall name trumps",
    "claim": "end the play here",
    "ask": "ask the ally: play for the vole?",
    "yes": "yes, play for the vole",
    "no": "no vole",
    "vole": "play for the vole",
}


def bid_said(rules: Rules, spec: BidSpec) -> str:
    """A bid by its name in print, and in which way it is made."""
    return ", vole ".join(
        [
            rules.bids.of(spec.bid).title + " in favourite" * spec.favourite,
            *([spec.vole] if spec.vole != "none" else []),
        ]
    )


def suit_text(of: Suit) -> str:
    """A suit by sign and name."""
    return f"{SUIT_SIGNS[of]} {format_suit(of)}"


def place_of(view: View, seat: int) -> str:
    """What a seat is called that has a name: the eldest hand, or the dealer."""
    return {0: "eldest hand", len(view.players) - 1: "dealer"}.get(seat, "")


def led_by(view: View, leader: int, cards: tuple[Card, ...]) -> list[tuple[str, Card]]:
    """The cards of a trick, each with who played it."""
    names = (*view.players[leader:], *view.players[:leader])
    return list(zip(names, cards, strict=False))


def row(cards: Iterable[Card]) -> str:
    """Cards by their signs, side by side."""
    return " ".join(sign_card(c) for c in cards)


def by_suit(game: Game) -> list[list[Card]]:
    """The human's cards, suit by suit; once trumps are named in their order of strength, trumps
    first."""
    deal = game.deal
    if deal.trump is None:
        return [list(cards) for _, cards in groupby(sorted(deal.hands[game.seat], key=suit), suit)]
    order = ranking(deal.rules.cards, deal.trump)

    def place(card: Card) -> tuple[bool, Suit]:
        return order.suits[card] != deal.trump, order.suits[card]

    cards = sorted(deal.hands[game.seat], key=lambda c: (place(c), -order.strength[c]))
    return [list(those) for _, those in groupby(cards, place)]


def choices(actions: tuple[Action, ...]) -> str:
    """The legal actions, numbered, several to a line."""
    named = (f"{n} {with_signs(str(a))}".replace(" ", "\xa0") for n, a in enumerate(actions, 1))
    return fill("   ".join(named), WIDTH, break_on_hyphens=False).replace("\xa0", " ")
