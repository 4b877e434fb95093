"""The sections on a patience: what is built, the stock and the heap, and the end."""

from collections.abc import Sequence

from quadrille_plugins.output.values import listed
from quadrille_plugins.rulebook.book import Head, Reader, Texts
from quadrille_plugins.rulebook.words import RANKS, number, times


def _many(ranks: Sequence[str]) -> str:
    """Those ranks in the plural: ``aces and sixes``."""
    return listed(f"{RANKS[one]}{'es' if one == '6' else 's'}" for one in ranks)


def one_player(r: Reader) -> Texts:
    """What is built."""
    yield Head("cards")
    packs = r("stock.packs")
    pack = (
        "one pack of fifty-two cards"
        if packs == 1
        else f"{number(packs)} packs of fifty-two cards, shuffled together"
    )
    yield (
        "cards",
        (
            f"This is a patience, a game for one player, with {pack}. You try to build all the "
            "cards on their piles."
        ),
    )
    yield Head("builds")
    built = r("foundations.builds")
    rows = [listed(RANKS[rank] for rank in build) for build in built]
    yield (
        "builds",
        (
            f"Cards are built by suit, one upon another, in these orders: {'; or '.join(rows)}. "
            f"There are {number(len(rows) * 4 * packs)} piles, one for each order, suit and pack."
        ),
    )
    begin = f"The {_many([build[0] for build in built])} begin the piles."
    yield (
        "bases",
        {
            "laid_out_first": f"{begin} Take them out and lay them on the table before you "
            "shuffle.",
            "as_they_appear": f"{begin} Lay each on the table when it appears.",
        }[r("foundations.bases")],
    )
    ranks = r("foundations.adornment")
    if ranks:
        when = {
            "laid_out_first": "Take them out, too, before you shuffle.",
            "as_they_appear": "Lay each there when it appears.",
        }[r("foundations.adornment_laid")]
        yield (
            "adornment",
            f"The {_many(ranks)} only adorn the table, and nothing is built on them. {when}",
        )


def stock_and_heap(r: Reader) -> Texts:
    """How the cards are turned."""
    yield Head("turning")
    yield (
        "turning",
        (
            "The shuffled cards are the stock, face down. Turn them up one at a time. A card that "
            "fits on a pile must be built at once; one that does not is laid face up on the heap."
        ),
    )
    yield (
        "top",
        {
            "always": "The top card of the heap, too, must be built whenever it fits.",
            "never": "A card on the heap may not be built until the heap has become the stock "
            "again.",
        }[r("heap.top")],
    )
    yield Head("turns")
    often = r("heap.turns")
    if often:
        how = {
            "turned_over": "turned over, so that the card laid on it first is turned up first "
            "again",
            "picked_up": "dealt from its top, so that the card laid on it last is turned up first",
            "shuffled": "shuffled",
        }[r("heap.gathered")]
        yield (
            "turns",
            (
                f"When the stock has run out the heap becomes the stock again, {times(often)} at "
                f"most. It is {how}."
            ),
        )
    else:
        yield "turns", "When the stock has run out the game is over: the heap is not used again."
    adorns = " or adorns the table" if r.knows("foundations.adornment") else ""
    yield (
        "end",
        (
            f"You win when every card lies on its pile{adorns}, and lose when the stock has run "
            "out for the last time before that."
        ),
    )
