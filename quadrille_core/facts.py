"""Facts of a played deal, which payments of plugins may count or ask for: their names and meanings.

A fact of seats is a whole number for each seat, a fact of the deal one for all.  ``engine.facts``
derives them from the cards or from the result; the kernel derives the same.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, get_args

from quadrille_core.frozen import frozen

Group = Literal["hombre", "ally", "side", "adversaries", "all"]
"""Whose numbers are added up; ``side`` is Hombre and the ally."""
GROUPS: Final[tuple[str, ...]] = get_args(Group)
ENDS: Final = ("payer", "payee")
"""Whose number a payment may be made by instead: that of each who pays it, or of each who is
paid."""


class Kind(NamedTuple):
    """Cards that are counted: their ranks and suits by letter; without any, ``engine.facts`` says
    which they are."""

    called: str
    ranks: str = ""
    suits: str = ""
    more: str = ""
    """What the name in a sentence does not tell."""
    by_trump: bool = False
    """Whether no card is of this kind before trumps are named."""

    @property
    def meaning(self) -> str:
        """Which cards they are."""
        return f"{self.called}{self.more}"

    @property
    def is_one(self) -> bool:
        """Whether it is a single card, which has a name."""
        return self.called[0].isupper()


def _kinds() -> Iterator[tuple[str, Kind]]:
    court = {"aces": "A", "kings": "K", "queens": "Q", "knaves": "J", "pictures": "KQJ"}
    called = {"pictures": "kings, queens and knaves"}
    for name, ranks in court.items():
        yield name, Kind(called.get(name, name), ranks, "SHCD")
    for name in ("spades", "hearts", "clubs", "diamonds"):
        yield name, Kind(name, "A234567JQK", name[0].upper())
    for colour, suits, cards in (
        ("black", "SC", "spades and clubs"),
        ("red", "HD", "hearts and diamonds"),
    ):
        yield colour, Kind(cards, "A234567JQK", suits)
        for name, ranks in court.items():
            yield f"{colour}_{name}", Kind(f"{colour} {called.get(name, name)}", ranks, suits)
    yield "trumps", Kind("trumps", more=", Spadille and Basto among them", by_trump=True)
    three = ": Spadille, Manille and Basto; where no suit is trumps, the two black aces"
    yield "matadors", Kind("matadors", more=three, by_trump=True)
    yield "spadille", Kind("Spadille", "A", "S")
    suit = ", which there is under a trump suit alone"
    yield "manille", Kind("Manille", more=suit, by_trump=True)
    yield "basto", Kind("Basto", "A", "C")


KINDS: Final = dict(_kinds())
"""The kinds of cards that are counted; a suit has the cards that are printed so."""

MOST_COUNTED: Final = 100_000
"""No fact of a session or of a plugin's own is more."""
ONE: Final = "0 or 1"
"""The unit of what one player alone has."""

Whose = Literal["seats", "deal"]


@frozen
class Fact:
    """A number that is known of a deal once it is played."""

    name: str
    unit: str
    doc: str
    of: Whose
    from_result: bool
    """Whether a result tells it without being asked; the others stand in ``Result.facts``."""
    deed: str = ""
    """Of seats: what whoever has any of it did."""
    things: str = ""
    """What there are many of, with a place for whose; empty where one player alone has it once."""
    of_session: bool = False
    """Whether earlier deals of the session tell it (``engine.past``)."""
    own: bool = False
    """Whether a function of a plugin tells it (``engine.finished``)."""

    @property
    def of_one(self) -> bool:
        """Whether one player alone has it, where anybody has."""
        return self.unit == ONE and not self.own


def _of_cards() -> Iterator[Fact]:
    for how, doc, did, whose in (
        ("captured", "in the tricks taken", "took", "taken by"),
        ("dealt", "in the hand as it was dealt", "was dealt", "dealt to"),
    ):
        for name, kind in KINDS.items():
            things = "" if kind.is_one else f"{kind.called} {whose} {{}}"
            deed = f"{did} {kind.called}"
            said = f"{doc}, {kind.meaning}"
            yield Fact(f"{name}_{how}", "cards", said, "seats", False, deed, things)


def _of_session() -> Iterator[Fact]:
    doc = "earlier deals of the session, those that all passed too"
    yield Fact("deals_before", "deals", doc, "deal", False, things=doc, of_session=True)
    for name, unit, doc, things in (
        (
            "games_before",
            "games",
            "games played as Hombre, in earlier deals of the session",
            "earlier games as Hombre",
        ),
        (
            "solos_before",
            "games",
            "those of them played without an ally",
            "earlier games as Hombre without an ally",
        ),
        ("wins_before", "games", "those of them won", "earlier games won as Hombre"),
        (
            "losses_before",
            "games",
            "those of them lost, by remise or codille",
            "earlier games lost as Hombre",
        ),
        (
            "deals_since_hombre",
            "deals",
            "deals since the last game as Hombre; if there is none, earlier deals of the session",
            "deals since the last game as Hombre",
        ),
    ):
        deed = f"has any {things}"
        yield Fact(name, unit, doc, "seats", False, deed, f"{things} of {{}}", of_session=True)


@cache
def facts() -> dict[str, Fact]:
    """Every fact by its name."""
    above, below = "tricks made beyond those undertaken", "tricks wanting of those undertaken"
    matadors = "matadors of Hombre's side that count"
    deed, things = "made a trick", "tricks that {} made"
    made = [
        Fact("tricks", "tricks", "tricks made", "seats", True, deed, things),
        Fact("dealer", ONE, "1 for the dealer", "seats", True, "dealt"),
        Fact("eldest", ONE, "1 for the eldest hand", "seats", True, "sat as the eldest hand"),
        Fact("tricks_above", "tricks", above, "deal", True, things=above),
        Fact("tricks_below", "tricks", below, "deal", True, things=below),
        Fact("matadors", "matadors", matadors, "deal", True, things=matadors),
        Fact("leads", "tricks", "tricks led", "seats", False, "led a trick", "tricks that {} led"),
        *(
            Fact(f"{which}_trick", ONE, f"1 for whoever {took}", "seats", False, took)
            for which, took in (
                ("first", "took the first trick"),
                ("last", "took the last trick"),
            )
        ),
        *_of_session(),
        *_of_cards(),
    ]
    return {fact.name: fact for fact in made}


class Measure(NamedTuple):
    """A fact, and whose numbers of it are added up; a fact of the deal is nobody's."""

    fact: str
    group: str

    def __str__(self) -> str:
        return f"{self.group}.{self.fact}" if self.group else self.fact


def parted(text: str) -> tuple[str, str]:
    """Whose numbers of a fact are asked for, where that is said, and the fact."""
    group, dot, name = text.partition(".")
    return (group, name) if dot and group in (*GROUPS, *ENDS) else ("", text)


def measure_of(text: str, own: Mapping[str, Fact] = MappingProxyType({})) -> Measure:
    """What ``adversaries.kings_captured`` measures; of a fact of seats alone, that of all.
    ``own`` are facts of plugins.

    Raises KeyError with what is unknown.
    """
    group, name = parted(text)
    fact = facts().get(name) or own[name]
    if group and fact.of == "deal":
        raise KeyError(group)
    return Measure(name, group or ("all" if fact.of == "seats" else ""))
