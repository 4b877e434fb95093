"""A bid for allies that is played without one."""

from quadrille_core.rules import Bid

OWN_KING = "called her own king"
"""How JSON and CSV say it, which stay as they are."""
ALONE_WORDS = ", who called their own king"


def may_be_alone(bid: Bid) -> bool:
    """Whether Hombre may play a bid for allies without one."""
    own = bid.call.own_card != "never" or bid.call.fallback == "own_king"
    # their own card cannot be handed to them, nor can its holder then name trumps for them
    return own and not bid.exchange and bid.trump_by != "ally"


def alone_words(bid: Bid, ally: int | None) -> str:
    """What to add to Hombre's name where a bid for allies was played alone; empty elsewhere."""
    return ALONE_WORDS if played_alone(bid, ally) else ""


def played_alone(bid: Bid, ally: int | None) -> bool:
    """Whether a bid for allies was played without one."""
    return bid.partner == "called" and ally is None
