"""Rules that play, settlement and the check of results share, each read here only."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from quadrille_core.cards import NO_TRUMP, SUITS, Card, Suit, is_red
from quadrille_core.engine.ranking import trumps, unbroken_matadors
from quadrille_core.engine.result import POOL, Transfer
from quadrille_core.plugin_rules import PaymentRow
from quadrille_core.rules import Bid, Payments, Rules, VoleLevel


def most_matadors(payments: Payments, trump: Suit) -> int:
    """How many top trumps count for payment: three, four, all there are, or without trumps the two
    aces."""
    if trump == NO_TRUMP:
        return 2
    known = 4 if is_red(trump) or payments.matadors_four_in_black else 3
    return len(trumps(trump)) if known == 4 and payments.matadors_past_four != "not_paid" else known


def pays_adversaries_matadors(payments: Payments) -> bool:
    """Whether anybody is paid for the adversaries' matadors."""
    return payments.adversaries_matadors != "not_paid"


def matadors_held(
    rules: Rules, hands: Sequence[Sequence[Card]], hombre: int, ally: int | None, trump: Suit
) -> tuple[int, int]:
    """The unbroken top trumps counted to Hombre's side, and to the adversaries, given these
    hands."""
    if trump == NO_TRUMP:
        return 0, 0
    pay, side = rules.payments, (hombre,) if ally is None else (hombre, ally)

    def count(holders: Sequence[int]) -> int:
        held = unbroken_matadors({c for s in holders for c in hands[s]}, trump)
        return min(held, most_matadors(pay, trump))

    others = [s for s in range(len(hands)) if s not in side and pays_adversaries_matadors(pay)]
    return count(side if pay.matadors_held_by == "side" else (hombre,)), count(others)


def plain_solo(rules: Rules) -> tuple[str, Bid] | None:
    """The lowest bid that is a solo and nothing else."""
    for name, bid in rules.ladder():
        if (bid.goal, bid.partner, bid.trump, bid.exchange, bid.is_vole) == (
            "at_least",
            "none",
            "suit",
            False,
            False,
        ):
            return name, bid
    return None


def plain_alliance(rules: Rules) -> tuple[str, Bid] | None:
    """The lowest bid for which Hombre names trumps and then calls an ally."""
    for name, bid in rules.ladder():
        named_first = bid.trump_by != "ally" and bid.trump_when == "before_call"
        if bid.partner == "called" and bid.trump == "suit" and named_first:
            return name, bid
    return None


def cards_exchanged(bid: Bid) -> int:
    """How many cards are called at this bid and handed over in exchange."""
    return bid.cards_asked if bid.exchange else 0


def asks_several(rules: Rules) -> Bid | None:
    """A bid that is played here and asks for several cards."""
    bids = (bid for _, bid in rules.bids.items() if rules.is_played(bid))
    return next((bid for bid in bids if cards_exchanged(bid) > 1), None)


def vole_level(bid: Bid, said: VoleLevel) -> VoleLevel:
    """How the vole is played for: a bid that is itself a vole announces it without another word."""
    return "announced" if bid.is_vole and said == "none" else said


def may_announce_vole(rules: Rules, bid: Bid) -> bool:
    """Whether Hombre may announce the vole at this bid after the auction, before the first lead."""
    return (
        rules.vole.announced_until == "first_lead"
        and bid.vole_before_lead
        and bid.goal == "at_least"
    )


def earns_premiers(rules: Rules, bid: Bid, hombre: int, winners: Sequence[int]) -> bool:
    """Whether Hombre's side, having won the first tricks, is paid for them; ``winners`` are those
    who took them."""
    return bid.premiers and (
        not first_tricks_are_hombres(rules) or all(w == hombre for w in winners)
    )


def may_stop(rules: Rules, bid: Bid, made: int) -> bool:
    """Whether a side with premiers may end the play instead of playing for the vole: once its game
    is won."""
    return rules.premiers.claim and made >= bid.tricks


def first_tricks_are_hombres(rules: Rules) -> bool:
    """Whether Hombre must win the first tricks themselves, an ally's being none of them."""
    return rules.payments.premiers_won_by == "hombre"


def times_counted(rules: Rules, multiplier: int) -> int:
    """How many times the deal counts, given how many were lost in a row: once where these are not
    counted."""
    return multiplier if counts_losses(rules) else 1


def counts_losses(rules: Rules) -> bool:
    """Whether games lost in a row are counted."""
    return rules.multiplier.after_losses == "counted"


def in_points(rules: Rules) -> bool:
    """Whether points are written instead of counters paid."""
    return rules.score.kept == "points"


def fixed_favourite(rules: Rules) -> Suit | None:
    """The favourite suit, where the rules name it."""
    return rules.favourite.suit if rules.favourite.source == "fixed" else None


def asks_favourite(rules: Rules, bid: Bid) -> bool:
    """Whether a result has to name the favourite suit, since it was drawn and this game pays by
    it."""
    pays = bool(rules.payments.in_favourite) or rules.favourite.doubles == "game"
    return pays and bid.trump == "suit" and rules.favourite.source.startswith("drawn")


def has_favourite(rules: Rules) -> bool:
    """Whether a suit is favourite at all."""
    return rules.favourite.source != "none"


def first_leader(rules: Rules, hombre: int) -> int:
    """The seat that leads to the first trick."""
    return hombre if rules.play.first_lead == "hombre" else 0


def premiers_follow(
    rules: Rules, bid: Bid, side_tricks: int, hombre_tricks: int, played: int
) -> bool | None:
    """Whether premiers follow from the tricks made; None when the tricks do not decide it."""
    whose = side_tricks if rules.payments.premiers_won_by == "side" else hombre_tricks
    if not bid.premiers or whose < rules.premiers.tricks:
        return False
    return True if whose == played else None


def parties(seats: int, hombre: int | None, ally: int | None) -> dict[str, list[int]]:
    """Who is of which party of a deal; nobody of one that is not known."""
    side = {hombre, ally}
    return {
        "hombre": [] if hombre is None else [hombre],
        "ally": [] if ally is None else [ally],
        "side": [s for s in range(seats) if s in side],
        "adversaries": [s for s in range(seats) if s not in side],
        "all": [*range(seats)],
        "pool": [POOL],
    }


def row_transfers(
    rules: Rules,
    row: PaymentRow,
    seats: int,
    *,
    unit: Fraction,
    times: int,
    hombre: int | None,
    ally: int | None,
    by: int | None,
    many: Callable[[int, int], int] = lambda payer, payee: 1,
    with_fact: Callable[[str], list[int]] | None = None,
) -> Iterator[Transfer]:
    """The payments of one row, payer by payer; ``by`` is the offender, ``unit`` what a unit is
    worth, ``many`` how much a payer and a payee have of what it is paid per; ``with_fact`` tells
    who has any of a fact of seats."""
    known = parties(seats, hombre, ally)
    known["offender"] = [] if by is None else [by]
    known["others"] = [s for s in range(seats) if s != by]
    amount = (
        rules.own.amount(row.amount)
        * (unit if row.unit == "units" else 1)
        * (times if row.counted else 1)
    )
    for name in (row.payer, row.payee):
        if name not in known:
            known[name] = with_fact(name) if with_fact else []
    for source in known[row.payer]:
        for target in known[row.payee]:
            due = amount * many(source, target)
            if due and source != target:
                yield Transfer(source, target, due, row.reason, row.amount)


def named_trumps(suit: Suit, favourite: Suit | None) -> set[str]:
    """The words for these trumps: the suit, and ``favourite`` where it is that; none without
    trumps."""
    return {*SUITS[suit : suit + 1]} | ({"favourite"} if suit == favourite else set())


def trump_limit(rules: Rules, bid: str, suit: Suit, favourite: Suit | None) -> str | None:
    """The leaf of a plugin by which a suit may not be named trumps at a bid; None where it may."""
    named = named_trumps(suit, favourite)
    return next(
        (limit.rule for limit in rules.own.limits(bid) if named.isdisjoint(limit.suits)), None
    )
