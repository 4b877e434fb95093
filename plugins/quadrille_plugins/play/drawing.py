"""A game in plain text, at most 80 columns wide: what the human seat may see, and nothing else."""

from textwrap import fill

from quadrille_core.cards import SUIT_SIGNS, Card, Suit, format_suit, sign_card, suit
from quadrille_core.engine.actions import Action, Event
from quadrille_core.engine.ranking import ranking
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.output.values import amount, with_signs
from quadrille_plugins.play.game import Game

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
    if event.kind == "exchange" and view.given is None:
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
        head += f", favourite {SUIT_SIGNS[view.favourite]} {format_suit(view.favourite)}"
    lines = ["─" * 60, head]
    if view.contract is not None and view.hombre is not None:
        named = ""
        if view.trump is not None:
            named = (
                ", no trumps" if view.trump >= len(SUIT_SIGNS) else f", trumps {_suit(view.trump)}"
            )
        called = "" if view.called is None else f", {sign_card(view.called)} called"
        ally = "" if view.ally is None else f", with {view.players[view.ally]}"
        lines.append(f"{view.contract} by {view.players[view.hombre]}{ally}{named}{called}")
    shown = dict(view.exposed)
    for seat, name in enumerate(view.players):
        words = [f"{view.won[seat]} tricks", amount(game.balances[seat], sign=True)]
        words += (
            ["eldest hand"] if seat == 0 else ["dealer"] if seat == len(view.players) - 1 else []
        )
        words += (
            ["you"]
            if seat == view.seat
            else [f"holds {_row(shown[seat])}"]
            if seat in shown
            else []
        )
        lines.append(f"  {name}: {', '.join(words)}")
    if view.trick:
        seats = [(view.leader + n) % len(view.players) for n in range(len(view.trick))]
        cards = "   ".join(
            f"{view.players[s]} {sign_card(c)}" for s, c in zip(seats, view.trick, strict=True)
        )
        lines.append(f"trick {len(view.tricks) + 1}: {cards}")
    elif view.phase == "play":
        lines.append(f"trick {len(view.tricks) + 1}: {view.players[view.leader]} leads")
    return [*lines, f"your hand: {hand(game)}"]


def _suit(of: Suit) -> str:
    return f"{SUIT_SIGNS[of]} {format_suit(of)}"


def _row(cards: tuple[Card, ...]) -> str:
    return " ".join(sign_card(c) for c in cards)


def hand(game: Game) -> str:
    """The human's cards, suit by suit; once trumps are named in their order of strength, trumps
    first."""
    deal = game.deal
    cards = deal.hands[game.seat]
    if deal.trump is None:
        groups = [
            (of, [c for c in cards if suit(c) == of])
            for of in dict.fromkeys(suit(c) for c in cards)
        ]
    else:
        order = ranking(deal.rules.cards, deal.trump)
        suits = sorted({order.suits[c] for c in cards}, key=lambda s: (s != deal.trump, s))
        strong = sorted(cards, key=order.strength.__getitem__, reverse=True)
        groups = [(of, [c for c in strong if order.suits[c] == of]) for of in suits]
    return "   ".join(_row(tuple(group)) for _, group in groups)


def choices(actions: tuple[Action, ...]) -> str:
    """The legal actions, numbered, several to a line."""
    lines, line = [], ""
    for number, action in enumerate(actions, 1):
        one = f"{number} {with_signs(str(action))}"
        if line and len(line) + len(one) + 3 > WIDTH:
            lines.append(line)
            line = ""
        line = f"{line}   {one}" if line else one
    return "\n".join([*lines, line])
