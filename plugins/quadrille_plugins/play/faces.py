"""The cards as SVG: our own faces, drawn from the data below.

Four colours (black, red, green, blue); the shape of the pip and its letter tell the suit without
them.  A court is the emblem of its rank above the pip: a crown for the king, a diadem for the
queen, a feathered hat for the knave.
"""

from typing import Final

from quadrille_core.cards import COURTS, SUITS, Card, rank, suit

WIDTH, HEIGHT = 60, 90
COLOURS: Final = ("#111111", "#b00020", "#00602b", "#0b3fa8")
"""Of spades, hearts, clubs and diamonds; each has a contrast of 7 or more to white."""
PIPS: Final = (
    "M0-10C4-5 9-2 9 3 9 8 3 8 1 4L3 10H-3L-1 4C-3 8-9 8-9 3-9-2-4-5 0-10Z",
    "M0 10C-4 4-10 0-10-5-10-11-2-11 0-5 2-11 10-11 10-5 10 0 4 4 0 10Z",
    "M-3 10L-1 3A4.6 4.6 0 1 1-4-3 4.6 4.6 0 1 1 4-3 4.6 4.6 0 1 1 1 3L3 10Z",
    "M0-11L8 0 0 11-8 0Z",
)
"""The four pips round the origin, some 20 high."""
EMBLEMS: Final = {
    "K": "M-14 10L-17-8-8-1 0-14 8-1 17-8 14 10ZM-14 13H14V17H-14Z",
    "Q": "M-15 10C-15-2-8-8 0-14 8-8 15-2 15 10 8 4-8 4-15 10ZM-3-15A3 3 0 1 1 3-15 3 3 0 1 "
    "1-3-15ZM-13 14H13V17H-13Z",
    "J": "M-17 10C-8 6 8 6 17 10L17 14C8 11-8 11-17 14ZM-10 5C-10-10 8-10 10 5 4 3-4 3-10 5Z"
    "M9-2C18-6 18-14 12-17 13-11 8-9 6-7Z",
}
"""The emblems of the courts round the origin."""
_COLUMN: Final = 11
PLACES: Final = {
    "A": ((0, 0),),
    "2": ((0, -20), (0, 20)),
    "3": ((0, -22), (0, 0), (0, 22)),
    "4": ((-_COLUMN, -18), (_COLUMN, -18), (-_COLUMN, 18), (_COLUMN, 18)),
    "5": ((-_COLUMN, -18), (_COLUMN, -18), (0, 0), (-_COLUMN, 18), (_COLUMN, 18)),
    "6": tuple((x, y) for y in (-22, 0, 22) for x in (-_COLUMN, _COLUMN)),
    "7": (*((x, y) for y in (-22, 0, 22) for x in (-_COLUMN, _COLUMN)), (0, -11)),
}
"""Where the pips of a card are, from its middle."""


def face(card: Card) -> str:
    """The face of a card as an SVG of 60 by 90."""
    of, a_rank = suit(card), rank(card)
    letter = SUITS[of][0].upper()
    mark = f"<path d='{PIPS[of]}' transform='"
    parts = [f"<text x='4' y='15'>{a_rank}</text><text font-size='11' x='4' y='85'>{letter}</text>"]
    parts.append(f"{mark}translate(53 9) scale(.42)'/>")
    if a_rank in EMBLEMS:
        parts.append(
            f"<path d='{EMBLEMS[a_rank]}' transform='translate(30 40)'/>{mark}translate(30 72) "
            "scale(.8)'/>"
        )
    else:
        size = 1.6 if a_rank == "A" else 0.7
        parts += [f"{mark}translate({31 + x} {46 + y}) scale({size})'/>" for x, y in PLACES[a_rank]]
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' "
        f"height='{HEIGHT}' role='img' fill='{COLOURS[of]}' font-family='sans-serif' "
        f"font-weight='bold' font-size='16'><title>{COURTS.get(a_rank, a_rank)} of "
        f"{SUITS[of]}</title><rect x='1' y='1' width='58' height='88' rx='5' fill='#fff' "
        f"stroke='#444'/>{''.join(parts)}</svg>"
    )
