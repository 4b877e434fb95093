"""Rules that the table, settlement and the check of results must read alike: each is read here and nowhere else."""

from collections.abc import Sequence

from quadrille_core.cards import NO_TRUMP, Card, Suit, is_red
from quadrille_core.engine.ranking import unbroken_matadors
from quadrille_core.rules import Bid, Payments, Rules, VoleLevel


def most_matadors(payments: Payments, trump: Suit) -> int:
    """How many top trumps count for payment: four, three in black where the rules know no more, or the two aces."""
    if trump == NO_TRUMP:
        return 2
    return 4 if is_red(trump) or payments.matadors_four_in_black else 3


def matadors_held(
    rules: Rules, hands: Sequence[Sequence[Card]], hombre: int, ally: int | None, trump: Suit
) -> tuple[int, int]:
    """The unbroken top trumps that are counted to Hombre's side, and to the adversaries, if they held these hands."""
    if trump == NO_TRUMP:
        return 0, 0
    pay, side = rules.payments, (hombre,) if ally is None else (hombre, ally)

    def count(holders: Sequence[int]) -> int:
        held = unbroken_matadors({c for s in holders for c in hands[s]}, trump)
        return min(held, most_matadors(pay, trump))

    others = [s for s in range(len(hands)) if s not in side and pay.adversaries_matadors != "not_paid"]
    return count(side if pay.matadors_held_by == "side" else (hombre,)), count(others)


def plain_solo(rules: Rules) -> tuple[str, Bid] | None:
    """The lowest bid that is a solo and nothing else."""
    for name, bid in rules.ladder():
        if (bid.goal, bid.partner, bid.trump, bid.exchange, bid.is_vole) == ("at_least", "none", "suit", False, False):
            return name, bid
    return None


def plain_alliance(rules: Rules) -> tuple[str, Bid] | None:
    """The lowest bid for which Hombre names trumps and then calls an ally."""
    for name, bid in rules.ladder():
        named_first = bid.trump_by != "ally" and bid.trump_when == "before_call"
        if bid.partner == "called" and bid.trump == "suit" and named_first:
            return name, bid
    return None


OWN_KING = "called her own king"
"""Why a bid for allies is played without one."""


def alone_words(bid: Bid, ally: int | None) -> str:
    """What to add to Hombre's name where a bid for allies was played alone; empty elsewhere."""
    return f", who {OWN_KING}" if played_alone(bid, ally) else ""


def played_alone(bid: Bid, ally: int | None) -> bool:
    """Whether a bid for allies was played without one."""
    return bid.partner == "called" and ally is None


def vole_level(bid: Bid, said: VoleLevel) -> VoleLevel:
    """How the vole is played for: a bid that is itself a vole announces it without another word."""
    return "announced" if bid.is_vole and said == "none" else said


def may_announce_vole(rules: Rules, bid: Bid) -> bool:
    """Whether Hombre may announce the vole at this bid after the auction, before the first lead."""
    return rules.vole.announced_until == "first_lead" and bid.vole_before_lead and bid.goal == "at_least"


def earns_premiers(rules: Rules, bid: Bid, hombre: int, winners: Sequence[int]) -> bool:
    """Whether Hombre's side, having won the first tricks, is paid for them; ``winners`` are those who took them."""
    if not bid.premiers:
        return False
    return rules.payments.premiers_won_by == "side" or all(w == hombre for w in winners)


def premiers_follow(rules: Rules, bid: Bid, side_tricks: int, hombre_tricks: int, played: int) -> bool | None:
    """Whether premiers were earned, as far as the tricks made tell of those played; None where they do not."""
    whose = side_tricks if rules.payments.premiers_won_by == "side" else hombre_tricks
    if not bid.premiers or whose < rules.premiers.tricks:
        return False
    return True if whose == played else None
