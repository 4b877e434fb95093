"""The sections on who plays, how the cards rank, how they are dealt, and what is staked."""

from typing import Any, Final

from quadrille_plugins.output.values import listed
from quadrille_plugins.rulebook.book import Head, Reader, Texts
from quadrille_plugins.rulebook.words import (
    capital,
    coin,
    counters,
    number,
    part,
    quantity,
    titles,
)


def in_short(r: Reader) -> Texts:
    """The game in two sentences."""
    yield Head("aim")
    how = "alone or with an ally" if r.allied else "alone"
    yield (
        "aim",
        (
            f"In each deal the Hombre plays, {how}, against the others. An auction decides who is "
            "the Hombre, and which game is played."
        ),
    )


# --- players ----------------------------------------------------------------------------------


def players(r: Reader) -> Texts:
    """Who plays, and with what."""
    yield Head("players")
    hand = number(r("table.hand_cards"))
    yield (
        "seats",
        (
            f"{capital(number(r('table.players')))} play, each for themselves, though two may be "
            "partners for a single deal. The pack has forty cards: an ordinary pack without its "
            f"eights, nines and tens. It is dealt out whole, {hand} cards to each player, so that "
            f"a deal has {hand} tricks."
        ),
    )
    multiple = r("table.session_multiple")
    agreed = f" You may agree on another length, if it is a multiple of {number(multiple)}."
    yield (
        "session",
        f"A session lasts {quantity(r('table.session_deals'), 'deal', 'deals')}."
        + agreed * (multiple > 1),
    )
    yield Head("counters")
    yield "purse", _purse(r, r("table.purse"), r("table.coins") or [])
    empty = r("table.purse_empty")
    yield "empty_purse", "" if r.points and empty == "debt" else _EMPTY[empty]


_EMPTY: Final = {
    "debt": "A player who runs out plays on in debt, which is settled when the session ends.",
    "refill": "A player who runs out takes another purse from the box, or as many as it takes, "
    "and plays on.",
    "session_ends": "As soon as a deal leaves a player with less than nothing, the session is "
    "over.",
}


def _purse(r: Reader, purse: int, coins: list[Any]) -> str:
    if r("score.kept") == "points":
        begins = number(purse) if purse else "none"
        return (
            f"Nobody pays anybody: points are written down, and each player begins with {begins}."
        )
    if not purse and not coins:
        return "Nobody begins with anything."
    kinds = listed(
        f"{quantity(c['each'], c['one'], c['many'])} worth {number(c['worth'])} each" for c in coins
    )
    text = f"Each player begins with {quantity(purse, *coin(r))}"
    return f"{text}: {kinds}." if kinds else f"{text}."


# --- cards ------------------------------------------------------------------------------------


def ranking(r: Reader) -> Texts:
    """How the cards rank."""
    if r.with_("trump", "suit"):
        yield Head("trumps")
        yield (
            "top_trumps",
            (
                "Two cards are trumps whichever suit is named: Spadille, the ace of spades, which "
                "is the highest of all, and Basto, the ace of clubs, which is the third. Between "
                "them stands Manille: the two of trumps when they are black, the seven when they "
                "are red. These three are the matadors."
            ),
        )
        yield (
            "ponto",
            {
                "king": "The fourth trump is called ponto: the ace of a red suit, the king of a "
                "black one.",
                "none": "The ace of red trumps, the fourth, is called ponto.",
            }[r("cards.black_ponto")],
        )
    yield Head("plain")
    yield (
        "plain_suits",
        (
            "The small red cards run upside down. The aces of spades and clubs do not belong to "
            "their suits."
        ),
    )
    if bids := [b for b in r.played if r.bid(b, "trump") == "none"]:
        yield (
            "no_trumps",
            (
                f"Where no suit is trumps, in {titles(r, bids, 'or')}, the two black aces alone "
                "are a suit of trumps of two cards."
            ),
        )
    yield Head("order", "The cards of each suit, the highest first", ("suit", "cards"))
    if r.with_("trump", "suit"):
        yield "black", ("black trumps", "♠A 2 ♣A K Q J 7 6 5 4 3")
        yield "red", ("red trumps", "♠A 7 ♣A A K Q J 2 3 4 5 6")
    yield "black_plain", ("black plain suit", "K Q J 7 6 5 4 3 2")
    red = {"top": "A K Q J 2 3 4 5 6 7", "below_knave": "K Q J A 2 3 4 5 6 7"}
    yield "red_plain", ("red plain suit", red[r("cards.red_plain_ace")])


# --- deal and stakes --------------------------------------------------------------------------


def dealing(r: Reader) -> Texts:
    """How the cards are dealt and what is staked."""
    yield Head("deal")
    packets = sorted({tuple(one) for one in r("deal.packets")})
    kinds = [listed(number(n) for n in one) for one in packets]
    pleases = ", as the dealer pleases" if len(kinds) > 1 else ""
    yield (
        "packets",
        (
            f"The dealer deals to the right, in packets of {'; or of '.join(kinds)}{pleases}, "
            "beginning with the eldest hand. The deal and every turn pass to the right."
        ),
    )
    yield Head("stake")
    yield "ante", _ante(r)
    yield (
        "leftover",
        ""
        if r.points
        else "Whatever an earlier deal has left there stays and is played for as well. All of it "
        "together is the stake.",
    )
    yield Head("unit")
    yield "unit", _unit(r)
    if not r.points:
        yield (
            "odd",
            f"Where a pool or a penalty does not divide evenly, {_ODD[r('stakes.odd_counters')]}.",
        )


def _ante(r: Reader) -> str:
    ante, more = r("stakes.ante"), r("stakes.dealer_adds")
    if not (ante or more):
        return ""
    if r("stakes.ante_by") == "dealer" or not ante:
        return f"Before each deal the dealer alone puts {counters(r, ante + more)} into the pool."
    besides = f", and the dealer {counters(r, more)} besides" if more else ""
    return f"Before each deal every player puts {counters(r, ante)} into the pool{besides}."


_ROUNDING: Final = {
    "exact": "the fraction counts too",
    "down": "the fraction is dropped",
    "up": "it is rounded up",
    "nearest": "it is rounded to the nearest, and a half upwards",
}
_ODD: Final = {
    "exact": "fractions of a counter are reckoned",
    "hombre": "the Hombre takes, or pays, the odd counters. If the Hombre has no part in it, "
    "those who do take or pay one odd counter each, beginning with the one who sits first from "
    "the eldest hand on",
    "eldest": "those who share it take or pay one odd counter each, beginning with the one who "
    "sits first from the eldest hand on",
    "pool": "the odd counters stay in the pool, or are not paid",
}


def _unit(r: Reader) -> str:
    """What payments are reckoned in."""
    reckoned = "Payments between players are reckoned in units. A unit is"
    size = r.amount("stakes.unit")
    if r("stakes.unit_of") == "stake":
        share = (
            "as much as the stake"
            if size == 1
            else f"{part(size)} the stake"
            if size < 1
            else f"{quantity(size, 'time', 'times')} the stake"
        )
        then = _ROUNDING[r("stakes.unit_rounding")]
        return (
            f"{reckoned} {share} of the deal, and more when that has grown. If that is not a whole "
            f"number of counters, {then}."
        )
    if size.denominator > 1:
        r("stakes.unit_rounding")
    if r.points:
        return ""
    if size == 1:
        return "What the players pay each other is the same whatever the pool holds."
    return f"{reckoned} {counters(r, size)}, whatever the pool holds."
