"""What may be done now, and of all else why not: the reason, the rule and the passage that says
so."""

from collections.abc import Iterator

from quadrille_core.cards import PACK, SUITS, Card, Suit, format_card
from quadrille_core.engine.actions import Action, BidSpec, not_none
from quadrille_core.engine.forcing import CardRuling, follow
from quadrille_core.engine.table import Deal
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled

COMMON = "the common duty to follow suit"


@frozen
class Ruling:
    """Whether an action may be taken now; ``reason``, ``rule`` and ``source`` say why not, or why
    it must be."""

    action: Action
    legal: bool
    reason: str
    rule: str
    source: str
    forced: bool = False


def of_cards(compiled: Compiled, deal: Deal) -> tuple[Ruling, ...]:
    """Every card of the hand in turn, as ``quadrille play --hand`` says; empty where no card is to
    be played."""
    if deal.phase != "play" or deal.turn is None:
        return ()
    hand = tuple(deal.hands[deal.turn])
    rulings = follow(deal.rules.forcing, not_none(deal.trump)).explain(hand, tuple(deal.trick))
    return tuple(of_card(compiled, r) for r in rulings)


def of_card(compiled: Compiled, r: CardRuling) -> Ruling:
    """What the engine finds of one card, with its source."""
    return Ruling(
        Action("play", card=r.card), r.legal, r.reason, r.rule, _source(compiled, r.rule), r.forced
    )


def _source(compiled: Compiled, rule: str) -> str:
    return (compiled.source_of(rule) or (COMMON if rule == "play" else "")) if rule else ""


def of_action(compiled: Compiled, deal: Deal, action: Action) -> Ruling:
    """Whether this may be done now, and why not."""
    if action.kind == "play":
        for ruling in of_cards(compiled, deal):
            if ruling.action == action:
                return ruling
    no = deal.refusal(action)
    if no is None:
        return Ruling(action, True, "", "", "")
    source = _source(compiled, no.rule) if no.rule != "play" else ""
    return Ruling(action, False, no.reason, no.rule, source)


def refused(compiled: Compiled, deal: Deal) -> tuple[Ruling, ...]:
    """What might be thought of now and may not be done: cards, bids, trumps, cards to call or
    give."""
    if deal.phase == "play":
        return tuple(r for r in of_cards(compiled, deal) if not r.legal)
    return tuple(r for r in (of_action(compiled, deal, a) for a in _thinkable(deal)) if not r.legal)


def _thinkable(deal: Deal) -> Iterator[Action]:
    if deal.phase == "auction":
        for name in deal.rules.bids.names():
            bid = deal.rules.bids.of(name)
            if deal.rules.is_played(bid) and bid.made == "in_turn":
                yield Action("bid", bid=BidSpec(name))
    elif deal.declaration is not None and deal.phase == "declare":
        step = deal.declaration.step()
        if step == "trump":
            yield from (Action("trump", suit=Suit(n)) for n in range(len(SUITS)))
        elif step == "call":
            yield from (Action("call", card=c) for c in PACK if format_card(c)[1] in "KQ")
        elif step == "give":
            yield from (Action("give", card=Card(c)) for c in deal.hands[not_none(deal.turn)])
