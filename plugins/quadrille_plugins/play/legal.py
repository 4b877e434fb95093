"""``quadrille play --hand`` and ``--auction``: which cards may be played, and what may be said."""

import re
from collections.abc import Sequence
from typing import Final

from quadrille_core.cards import (
    NO_TRUMP,
    Suit,
    format_cards,
    format_suit,
    parse_card,
    parse_cards,
    parse_suit,
)
from quadrille_core.engine.actions import Action
from quadrille_core.engine.forcing import follow
from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.resources import examples
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.judging import Ruling, of_action, of_card, refused
from quadrille_plugins.play.position import Position, bid_of, heard, position
from quadrille_plugins.settle.answers import suit_named
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.options import Repeated, compile_all
from quadrille_plugins.shell.values import identity_text, identity_to_plain, plainly, with_signs

CARD: Final = (Option("hand", "SA H7 C3"), Option("trump", "hearts"))
BID: Final = (Option("auction", "pass, …"), Option("bid", "solo"))


def _compiled(ref: str | None, readings: Repeated, sets: Repeated) -> Compiled:
    if ref is None:
        card, bid = (Command("play", (examples()[0],), asked) for asked in (CARD, BID))
        raise UsageError.of("no-rules-to-ask", card=card, bid=bid)
    return compile_all([ref], readings, sets)[0]


def judge_said(
    ref: str | None,
    hand: str | None,
    trump: str | None,
    auction: str | None,
    bid: str | None,
    call: str | None,
    give: str | None,
    favourite: str | None,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """What may be said in an auction, or declared after it."""
    compiled = _compiled(ref, readings, sets)
    asks = [
        *([bid_of(compiled.rules, bid)] if bid is not None else ()),
        *([Action("trump", suit=parse_suit(suit_named(trump)))] if trump is not None else ()),
        *([Action("call", card=parse_card(call))] if call is not None else ()),
        *([Action("give", card=parse_card(give))] if give is not None else ()),
    ]
    if len(asks) > 1:
        raise UsageError.of("two-questions-asked", asks=tuple(Option(a.kind) for a in asks))
    asked = asks[0] if asks else None
    found = position(
        compiled,
        heard(compiled.rules, auction or ""),
        asked,
        hand=None if hand is None else parse_cards(hand),
        favourite=None if favourite is None else parse_suit(suit_named(favourite)),
    )
    deal = found.deal
    if deal.turn is None:
        raise UsageError.of("nothing-after-all-pass")
    if deal.phase not in ("auction", "declare"):
        raise UsageError.of("auction-over")
    if (
        asked is None
        and hand is None
        and deal.declaration is not None
        and deal.declaration.step() != "trump"
    ):
        raise UsageError.of("call-depends-on-hand", hands=len(deal.setup.hands[0]))
    if asked is not None:
        rulings: tuple[Ruling, ...] = (of_action(compiled, deal, asked),)
    else:
        may = tuple(of_action(compiled, deal, a) for a in deal.legal())
        rulings = (*may, *refused(compiled, deal))
    turn = deal.setup.players[deal.turn]
    return Answer(
        blocks=lambda: _said_blocks(compiled, found, turn, rulings),
        data=lambda: {
            "rules": identity_to_plain(compiled.identity),
            "auction": [
                {"player": deal.setup.players[seat], "action": str(a)} for seat, a in deal.actions
            ],
            "turn": turn,
            "supposed": list(found.supposed),
            "legal": [str(r.action) for r in rulings if r.legal],
            "actions": [{"action": str(r.action), **plainly(r, *_SAID)} for r in rulings],
        },
        rows=lambda: (
            ("action", "legal", "reason", "rule"),
            [(str(r.action), r.legal, r.reason, r.rule) for r in rulings],
        ),
    )


def judge_cards(
    ref: str | None,
    hand: str,
    trick: str,
    trump: str | None,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Which cards of a hand may be played."""
    compiled = _compiled(ref, readings, sets)
    table = compiled.rules.table
    if trump is None:
        such = Command("play", ("REF",), CARD)
        raise UsageError.of("missing-option", such, option=Option("trump"))
    trumps = NO_TRUMP if trump.lower() == "none" else parse_suit(suit_named(trump))
    held, played = parse_cards(_by_name(hand, trumps)), parse_cards(_by_name(trick, trumps))
    if not 0 < len(held) <= table.hand_cards:
        raise UsageError.of("hand-of-no-such-size", hand_cards=table.hand_cards, held=len(held))
    if len(played) >= table.players:
        raise UsageError.of("trick-too-long", players=table.players - 1, played=len(played))
    if both := set(held) & set(played):
        raise UsageError.of("card-in-hand-and-on-table", both=format_cards(sorted(both)))
    rulings = tuple(
        of_card(compiled, r) for r in follow(compiled.rules.forcing, trumps).explain(held, played)
    )
    named = [(str(r.action).partition(" ")[2], r) for r in rulings]

    def blocks() -> list[Block]:
        verdicts = ["forced" if r.forced else "may be played" if r.legal else "no" for r in rulings]
        return [
            Text(identity_text(compiled.identity)),
            _table(("card", "", "why", "rule"), named, verdicts),
            Text(_sources(rulings)),
        ]

    return Answer(
        blocks=blocks,
        data=lambda: {
            "rules": identity_to_plain(compiled.identity),
            "legal": [card for card, r in named if r.legal],
            "cards": [
                {"card": card, "forced": r.forced, **plainly(r, *_SAID)} for card, r in named
            ],
        },
        rows=lambda: (
            ("card", "legal", "forced", "reason", "rule"),
            [(card, r.legal, r.forced, r.reason, r.rule) for card, r in named],
        ),
    )


_SAID: Final = ("legal", "reason", "rule", "source")
"""What is said of each card or action."""


def _table(
    columns: Repeated, named: Sequence[tuple[str, Ruling]], verdicts: Sequence[str]
) -> Table:
    rows = tuple(
        (with_signs(name), verdict, with_signs(r.reason) or "–", r.rule or "–")
        for (name, r), verdict in zip(named, verdicts, strict=True)
    )
    return Table("", columns, rows)


def _by_name(cards: str, trumps: Suit) -> str:
    """The cards with those that are called by a name, such as manille, as these trumps have
    them."""
    named = {"spadille": "SA", "basto": "CA"}
    if trumps != NO_TRUMP:
        letter, is_red = (
            format_suit(trumps)[0].upper(),
            format_suit(trumps) in ("hearts", "diamonds"),
        )
        named |= {"manille": f"{letter}{'7' if is_red else '2'}"} | (
            {"ponto": f"{letter}A"} if is_red else {}
        )
    return re.sub(r"[A-Za-z]{3,}", lambda word: named.get(word[0].lower(), word[0]), cards)


def _sources(rulings: Sequence[Ruling]) -> str:
    """The rules that were cited, each with its source, one to a line."""
    return "\n".join(dict.fromkeys(f"{r.rule}: {r.source}" for r in rulings if r.source))


def _said_blocks(
    compiled: Compiled, found: Position, turn: str, rulings: Sequence[Ruling]
) -> list[Block]:
    spoken = "; ".join(e.text() for e in found.deal.events if e.kind != "deal")
    before = with_signs(f"After “{spoken}”: " if spoken else "To open: ")
    blocks: list[Block] = [Text(identity_text(compiled.identity))]
    if len(rulings) == 1:
        r = rulings[0]
        why = "" if r.legal else f", for {r.reason} ({r.rule})"
        blocks.append(
            Text(
                with_signs(
                    f"{before}{turn} {'may' if r.legal else 'may not'} {_do(r.action)}{why}."
                )
            )
        )
    else:
        blocks.append(Text(f"{before}{turn} may say:"))
        verdicts = ["yes" if r.legal else "no" for r in rulings]
        named = [(str(r.action), r) for r in rulings]
        blocks.append(_table(("say", "", "why not", "rule"), named, verdicts))
    if found.supposed:
        blocks.append(
            Text(
                with_signs(
                    f"Taken for granted: {'; '.join(found.supposed)} (--hand says otherwise)."
                )
            )
        )
    if cited := _sources(rulings):
        blocks.append(Text(cited))
    return blocks


def _do(action: Action) -> str:
    """What the action is in a sentence: ``bid solo``, ``name hearts trumps``."""
    named = str(action).partition(" ")[2]
    return f"name {named} trumps" if action.kind == "trump" else str(action)
