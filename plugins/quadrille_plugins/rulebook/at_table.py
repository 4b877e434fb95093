"""The sections on who plays, how the cards rank, how they are dealt, and what is staked."""

from collections.abc import Iterator
from functools import partial
from itertools import permutations

from quadrille_plugins.rulebook.book import Draft, Part, Reader, Row, draft
from quadrille_plugins.rulebook.words import (
    antes,
    coin,
    counters,
    fraction,
    number,
    quantity,
    titles,
)
from quadrille_plugins.shell.values import capital, listed

# --- the game in short ------------------------------------------------------------------------


def aim(r: Reader) -> str:
    """What the game is about."""
    prize = "" if r.points() else f" {_prize(r)}"
    with_ally = "alone or with an ally" if r.allied() else "alone"
    bids = [b for b in r.played() if r.of(b, "goal") == "at_least"]
    fewest = min((r.of(b, "tricks") for b in bids), default=0)
    tricks = (
        f"win at least {number(fewest)} of the {number(r.knows('table.hand_cards'))} tricks"
        if bids
        else "win"
    )
    return (
        f"In each deal the Hombre plays, {with_ally}, against the others, and in most games "
        f"undertakes to {tricks}. An auction decides who is the Hombre, and which game is "
        f"played.{prize}"
    )


def _prize(r: Reader) -> str:
    """What is won: the pool, or a fixed draw from it."""
    drawing = [b for b in r.played() if r.of(b, "draws")]
    besides = "may be paid by the others besides"
    if not drawing:
        return f"Whoever wins the game takes the pool, and {besides}."
    if len(drawing) == len(r.played()):
        return (
            f"Whoever wins the game draws a fixed number of counters from the pool, and {besides}."
        )
    return (
        f"Whoever wins the game takes the pool, or in {titles(r, drawing, 'or')} a fixed number "
        f"of counters from it, and {besides}."
    )


def in_short(r: Reader) -> Iterator[Draft]:
    """The game in two or three sentences."""
    yield draft("aim", aim)


# --- players ----------------------------------------------------------------------------------


def seats(r: Reader) -> str:
    """How many play, with what pack and how many cards."""
    players, cards = r("table.players"), r("table.hand_cards")
    return (
        f"{capital(number(players))} play, each for themselves, though two may be partners for a "
        "single deal. The pack has forty cards: an ordinary pack without its eights, nines and "
        f"tens. It is dealt out whole, {number(cards)} cards to each player, so that a deal has "
        f"{number(cards)} tricks."
    )


def session(r: Reader) -> str:
    """How long one plays."""
    deals, multiple = r("table.session_deals"), r("table.session_multiple")
    text = f"A session lasts {quantity(deals, 'deal', 'deals')}"
    if multiple == 1:
        return f"{text}."
    return f"{text}. You may agree on another length, if it is a multiple of {number(multiple)}."


def purse(r: Reader) -> str:
    """What each player begins with."""
    if r("score.kept") == "points":
        return "Nobody pays anybody: points are written down, and each player begins with " + (
            f"{number(r('table.purse'))}." if r("table.purse") else "none."
        )
    coins = r("table.coins") or []
    if not r("table.purse") and not coins:
        return "Nobody begins with anything."
    text = f"Each player begins with {quantity(r('table.purse'), *coin(r))}"
    if len(coins) == 1 and (coins[0]["worth"] != 1 or coins[0]["each"] != r("table.purse")):
        only = coins[0]
        return (
            f"{text}, in {quantity(only['each'], only['one'], only['many'])} worth "
            f"{number(only['worth'])} each."
        )
    if len(coins) < 2:
        return f"{text}."
    kinds = [
        f"{quantity(c['each'], c['one'], c['many'])} worth {number(c['worth'])} each" for c in coins
    ]
    return f"{text}: {listed(kinds)}."


def empty_purse(r: Reader) -> str:
    """What happens to a player who runs out."""
    if r.points():
        then = r("table.purse_empty")
        return "" if then == "debt" else _EMPTY[then]
    return _EMPTY[r("table.purse_empty")]


_EMPTY = {
    "debt": "A player who runs out plays on in debt, which is settled when the session ends.",
    "refill": "A player who runs out takes another purse from the box, or as many as it takes, "
    "and plays on.",
    "session_ends": "As soon as a deal leaves a player with less than nothing, the session is "
    "over.",
}


def players(r: Reader) -> Iterator[Draft]:
    """Who plays, and with what."""
    yield draft("players", seats, session)
    yield draft("counters", purse, empty_purse)


# --- cards ------------------------------------------------------------------------------------


def top_trumps(r: Reader) -> str:
    """The three matadors."""
    del r
    return (
        "Two cards are trumps whichever suit is named: Spadille, the ace of spades, which is the "
        "highest of all, and Basto, the ace of clubs, which is the third. Between them stands "
        "Manille: the two of trumps when they are black, the seven when they are red. These "
        "three are the matadors."
    )


def other_trumps(r: Reader) -> str:
    """The trumps below the matadors."""
    del r
    return (
        "Below them, black trumps rank king, queen, knave, seven, six, five, four, three. Red "
        "trumps rank ace, king, queen, knave, two, three, four, five, six: the small red cards "
        "run upside down."
    )


def ponto(r: Reader) -> str:
    """The fourth trump by name."""
    if r("cards.black_ponto") == "king":
        return "The fourth trump is called ponto: the ace of a red suit, the king of a black one."
    return "The ace of red trumps, the fourth, is called ponto."


def plain_suits(r: Reader) -> str:
    """The order of the suits that are not trumps."""
    red = {
        "top": "ace, king, queen, knave, two, three, four, five, six, seven, the ace being the "
        "highest",
        "below_knave": "king, queen, knave, ace, two, three, four, five, six, seven, the ace "
        "coming after the knave",
    }[r("cards.red_plain_ace")]
    return (
        "In a plain suit, one that is not trumps, the black cards rank king, queen, knave, "
        f"seven, six, five, four, three, two (the aces of spades and clubs do not belong to "
        f"their suits). The red cards rank {red}."
    )


def no_trumps(r: Reader) -> str:
    """The order where no suit is trumps."""
    bids = r.with_("trump", "none")
    if not bids:
        return ""
    names = listed((r.title(b) for b in bids), "or")
    for bid in bids:
        r.bid(bid, "trump")
    return (
        f"Where no suit is trumps, in {names}, the two black aces alone are a suit of trumps "
        "of two cards."
    )


_ORDERS = {
    "black trumps": "♠A 2 ♣A K Q J 7 6 5 4 3",
    "red trumps": "♠A 7 ♣A A K Q J 2 3 4 5 6",
    "black plain suit": "K Q J 7 6 5 4 3 2",
    "red plain suit": "",
}


def order_row(kind: str, r: Reader) -> Row:
    """The cards of a kind of suit in order."""
    red = {"top": "A K Q J 2 3 4 5 6 7", "below_knave": "K Q J A 2 3 4 5 6 7"}
    return Row((kind, _ORDERS[kind] or red[r("cards.red_plain_ace")]))


def ranking(r: Reader) -> Iterator[Draft]:
    """How the cards rank."""
    if r.with_("trump", "suit"):
        yield draft("trumps", top_trumps, other_trumps, ponto)
    yield draft("plain", plain_suits, no_trumps)
    yield order(r, "The cards of each suit, the highest first")


def order(r: Reader, head: str, only: str = "") -> Draft:
    """The cards in order, of each kind of suit or ``only`` of those of one colour."""
    kinds = [k for k in _ORDERS if only in k and (r.with_("trump", "suit") or "plain" in k)]
    rows: list[Part] = [partial(order_row, k) for k in kinds]
    return draft("order", *rows, head=head, columns=("suit", "cards"))


# --- deal and stakes --------------------------------------------------------------------------


def packets(r: Reader) -> str:
    """How the cards are dealt."""
    found = sorted({tuple(one) for one in r("deal.packets")})
    kinds = [listed(number(n) for n in one) for one in found]
    if len(kinds) == 1:
        how = f"in packets of {kinds[0]}"
    elif found == sorted(set(permutations(found[0]))):
        how = f"in packets of {kinds[0]}, in any order the dealer likes"
    else:
        how = f"in packets of {'; or of '.join(kinds)}, as the dealer pleases"
    return (
        f"The dealer deals to the right, {how}, beginning with the eldest hand. The deal and "
        "every turn pass to the right."
    )


def ante(r: Reader) -> str:
    """What is staked before the deal."""
    amount, more = r("stakes.ante"), r("stakes.dealer_adds")
    if not (amount or more):
        return ""
    if r("stakes.ante_by") == "dealer" or not amount:
        return f"Before each deal the dealer alone puts {counters(r, amount + more)} into the pool."
    besides = f", and the dealer {counters(r, more)} besides" if more else ""
    return f"Before each deal every player puts {counters(r, amount)} into the pool{besides}."


def leftover(r: Reader) -> str:
    """What becomes of a stake that nobody won."""
    if r.points():
        return ""
    return (
        "Whatever an earlier deal has left there stays and is played for as well. All of it "
        "together is the stake."
    )


def unit(r: Reader) -> str:
    """What payments are reckoned in."""
    if r("stakes.unit_of") == "stake":
        rounding = {
            "exact": "If that is not a whole number of counters, the fraction counts too",
            "down": "If that is not a whole number of counters, the fraction is dropped",
            "up": "If that is not a whole number of counters, it is rounded up",
            "nearest": "If that is not a whole number of counters, it is rounded to the nearest, "
            "and a half upwards",
        }[r("stakes.unit_rounding")]
        share = r.amount("stakes.unit")
        if share == 1:
            return (
                "Payments between players are reckoned in units. A unit is as much as the "
                "stake of the deal."
            )
        of = (
            f"{fraction(share)} of the stake"
            if share < 1
            else f"{quantity(share, 'time', 'times')} the stake"
        )
        text = f"Payments between players are reckoned in units. A unit is {of} of the deal"
        base = antes(r)
        if base and (share * base).denominator == 1:
            text += (
                f": {counters(r, share * base)} while the stake is {counters(r, base)}, and "
                "more when it has grown"
            )
        return f"{text}. {rounding}."
    size = r.amount("stakes.unit")
    if size.denominator > 1:
        r("stakes.unit_rounding")
    if r.points():
        return ""
    if size == 1:
        return "What the players pay each other is the same whatever the pool holds."
    return (
        f"Payments between players are reckoned in units. A unit is {counters(r, size)}, "
        "whatever the pool holds."
    )


def odd(r: Reader) -> str:
    """Counters that cannot be divided."""
    if r.points():
        return ""
    return {
        "exact": "Where a pool or a penalty does not divide evenly, fractions of a counter are "
        "reckoned.",
        "hombre": "Where a pool or a penalty does not divide evenly, the Hombre takes, or pays, "
        "the odd counters. If the Hombre has no part in it, those who do take or pay one odd "
        "counter each, beginning with the one who sits first from the eldest hand on.",
        "eldest": "Where a pool or a penalty does not divide evenly, those who share it take or "
        "pay one odd counter each, beginning with the one who sits first from the eldest hand on.",
        "pool": "Where a pool or a penalty does not divide evenly, the odd counters stay in the "
        "pool, or are not paid.",
    }[r("stakes.odd_counters")]


def dealing(r: Reader) -> Iterator[Draft]:
    """How the cards are dealt and what is staked."""
    yield draft("deal", packets)
    yield draft("stake", ante, leftover)
    yield draft("unit", unit, odd)
