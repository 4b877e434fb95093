"""The sections on a patience: what is built, the stock and the heap, and the end."""

from collections.abc import Iterator, Sequence

from quadrille_plugins.rulebook.book import Draft, Reader, draft
from quadrille_plugins.rulebook.words import number, rank_word, times
from quadrille_plugins.shell.values import listed


def _many(ranks: Sequence[str]) -> str:
    """Those ranks in the plural: ``aces and sixes``."""
    return listed(f"{one}{'es' if one.endswith('x') else 's'}" for one in map(rank_word, ranks))


def cards(r: Reader) -> str:
    """With what one plays, and what for."""
    packs = r("stock.packs")
    pack = (
        "one pack of fifty-two cards"
        if packs == 1
        else f"{number(packs)} packs of fifty-two cards, shuffled together"
    )
    return (
        f"This is a patience, a game for one player, with {pack}. You try to build all the "
        "cards on their piles."
    )


def builds(r: Reader) -> str:
    """The sequences that are built."""
    rows = [", ".join(map(rank_word, build)) for build in r("foundations.builds")]
    piles = number(len(rows) * 4 * r.knows("stock.packs"))
    rows = [
        row if ", " not in row else f"{row.rpartition(', ')[0]} and {row.rpartition(', ')[2]}"
        for row in rows
    ]
    each = "" if r.knows("stock.packs") == 1 else ", for each pack"
    text = (
        f"Cards are built by suit, one upon another, in "
        f"{'this order' if len(rows) == 1 else 'these orders'}: "
    )
    return (
        f"{text}{'; or '.join(rows)}. Each suit has {_some(len(rows))}{each}, so that there "
        f"are {piles} piles."
    )


def _some(orders: int) -> str:
    return "one pile" if orders == 1 else f"a pile for each of these {number(orders)} orders"


def bases(r: Reader) -> str:
    """When the piles begin."""
    which = _many([build[0] for build in r.knows("foundations.builds")])
    if r("foundations.bases") == "laid_out_first":
        return (
            f"The {which} begin the piles. Take them out and lay them on the table before you "
            "shuffle."
        )
    return f"The {which} begin the piles. Lay each on the table when it appears."


def adornment(r: Reader) -> str:
    """Cards that only adorn the table."""
    ranks = r("foundations.adornment")
    if not ranks:
        return ""
    when = {
        "laid_out_first": "Take them out, too, before you shuffle.",
        "as_they_appear": "Lay each there when it appears.",
    }[r("foundations.adornment_laid")]
    return f"The {_many(ranks)} only adorn the table, and nothing is built on them. {when}"


def turning(r: Reader) -> str:
    """How cards are turned and built."""
    del r
    return (
        "The shuffled cards are the stock, face down. Turn them up one at a time. A card that "
        "fits on a pile must be built at once; one that does not is laid face up on the heap."
    )


def top(r: Reader) -> str:
    """Whether the heap's top card may be built."""
    if r("heap.top") == "always":
        return "The top card of the heap, too, must be built whenever it fits."
    return "A card on the heap may not be built until the heap has become the stock again."


def turns(r: Reader) -> str:
    """How often the heap is used again, and how."""
    often = r("heap.turns")
    if not often:
        return "When the stock has run out the game is over: the heap is not used again."
    how = {
        "turned_over": "turned over, so that the card laid on it first is turned up first again",
        "picked_up": "dealt from its top, so that the card laid on it last is turned up first",
        "shuffled": "shuffled",
    }[r("heap.gathered")]
    return (
        f"When the stock has run out the heap becomes the stock again, {times(often)} at "
        f"most. It is {how}."
    )


def end(r: Reader) -> str:
    """When it is won."""
    last = "" if not r.knows("heap.turns") else " for the last time"
    laid = (
        "lies on its pile or adorns the table"
        if r.knows("foundations.adornment")
        else "lies on its pile"
    )
    return f"You win when every card {laid}, and lose when the stock has run out{last} before that."


def one_player(r: Reader) -> Iterator[Draft]:
    """What is built."""
    yield draft("cards", cards)
    yield draft("builds", builds, bases, adornment)


def stock_and_heap(r: Reader) -> Iterator[Draft]:
    """How the cards are turned."""
    yield draft("turning", turning, top)
    yield draft("turns", turns, end)
