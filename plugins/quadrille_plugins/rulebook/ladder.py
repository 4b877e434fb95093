"""The ladder of the bids: which overcalls which, in favourite and with the vole too."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from quadrille_plugins.rulebook.book import Draft, Part, Reader, Row, draft
from quadrille_plugins.shell.values import listed

Way = tuple[str, bool, str]
"""A way to make a bid: its name, whether in favourite, and how with the vole; empty without it."""

_STEPS: Final = ("", "announced", "revealed")
_WITH_VOLE: Final[Mapping[str, tuple[str, ...]]] = {
    "none": _STEPS[:1],
    "announced": _STEPS[:2],
    "announced_or_revealed": _STEPS,
}


def rungs(r: Reader) -> list[list[Way]]:
    """All ways to bid from the lowest to the highest, those together of which neither overcalls the
    other."""
    found: dict[tuple[bool, int, int, bool], list[Way]] = {}
    for bid in r.ladder():
        for vole in _WITH_VOLE[r.of(bid, "vole_with_bid")]:
            for favourite in (False, True) if _says_favourite(r, bid) else (False,):
                found.setdefault(_level(r, bid, favourite, vole), []).append((bid, favourite, vole))
    return [found[level] for level in sorted(found)]


def _says_favourite(r: Reader, bid: str) -> bool:
    """Whether the bid can be made in favourite by saying so."""
    if r.knows("favourite.source") == "none":
        return False
    return bool(r.of(bid, "in_favourite") == "bid" and r.of(bid, "trump") == "suit")


def _level(r: Reader, bid: str, favourite: bool, vole: str) -> tuple[bool, int, int, bool]:
    """The place of a bid: greater when it overcalls."""
    with_vole = bool(vole) or r.of(bid, "is_vole")
    highest = bool(with_vole) and r.knows("auction.announced_vole_rank") == "highest"
    over = favourite and bool(r.knows("favourite.overcalls"))
    return highest, r.of(bid, "rank"), _STEPS.index(vole), over


def _cite(r: Reader, bid: str) -> None:
    for leaf in ("rank", "made", "title"):
        r.bid(bid, leaf)
    if r.bid(bid, "vole_with_bid") != "none" or r.of(bid, "is_vole"):
        r("auction.announced_vole_rank")


def in_order(r: Reader) -> str:
    """The bids in order, or that the ladder has them."""
    found = r.elsewhere(rungs)
    if not found:
        return "There is nothing to bid."
    if _has_ways(found):
        ways = [way for ways in found for way in ways]
        terms = ["in favourite"] * any(favourite for _, favourite, _ in ways) + [
            "with the vole"
        ] * any(vole for *_, vole in ways)
        return (
            "The ladder below has every bid, the lowest first: each overcalls all that stand "
            f"before it. What it is to bid {listed(terms, 'or')} is told further on."
        )
    for ways in found:
        _cite(r, ways[0][0])
    titles = [r.title(ways[0][0]) for ways in found]
    if len(titles) == 1:
        return f"There is one bid, {titles[0]}."
    return f"The bids, from the lowest to the highest, are {listed(titles)}."


def _has_ways(found: list[list[Way]]) -> bool:
    """Whether bids are made in more ways than one: in favourite, or with the vole."""
    return any(favourite or vole for ways in found for _, favourite, vole in ways)


def rung(bid: str, favourite: bool, vole: str, r: Reader, *, place: int, either: bool) -> Row:
    """A bid on its place in the ladder."""
    _cite(r, bid)
    how = ["in favourite or not" if either else "in favourite"] if favourite or either else []
    if how:
        r("favourite.overcalls")
    if vole:
        how.append(f"with the vole {vole}")
    return Row((str(place), r.title(bid), ", ".join(how) or "–"))


def ladder(r: Reader) -> Iterator[Draft]:
    """The ladder as a table, where bids are made in more ways than one."""
    found = rungs(r)
    if _has_ways(found):
        rows: list[Part] = [
            partial(rung, *ways[0], place=place, either=len(ways) > 1)
            for place, ways in enumerate(found, 1)
        ]
        yield draft(
            "ladder",
            *rows,
            head="The bids, from the lowest to the highest",
            columns=("rank", "bid", "made"),
        )
