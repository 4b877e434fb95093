"""Facts of a played deal, which payments of plugins may count or ask for: their names and meanings.

A fact of seats is a whole number for each seat, a fact of the deal one for all.  ``engine.facts``
derives them from the cards or from the result; the kernel derives the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, get_args

Group = Literal["hombre", "ally", "side", "adversaries", "all"]
"""Whose numbers are added up; ``side`` is Hombre and the ally."""
GROUPS: Final[tuple[str, ...]] = get_args(Group)

KINDS: Final = {
    "aces": "aces",
    "kings": "kings",
    "queens": "queens",
    "knaves": "knaves",
    "pictures": "kings, queens and knaves",
    "spades": "spades",
    "hearts": "hearts",
    "clubs": "clubs",
    "diamonds": "diamonds",
    "black": "spades and clubs",
    "red": "hearts and diamonds",
    "trumps": "trumps, Spadille and Basto among them",
    "matadors": "Spadille, Manille and Basto; where no suit is trumps, the two black aces",
    "spadille": "Spadille",
    "manille": "Manille, which there is under a trump suit alone",
    "basto": "Basto",
}
"""The kinds of cards that are counted; a suit has the cards that are printed so."""
BY_TRUMP: Final = ("trumps", "matadors", "manille")
"""Kinds that no card is of before trumps are named."""

MOST_COUNTED: Final = 100_000
"""No fact of a session or of a plugin's own is more."""
ONE: Final = "0 or 1"
"""The unit of what one player alone has."""

Whose = Literal["seats", "deal"]
_OF_SESSION: Final[tuple[tuple[str, str, str, Whose], ...]] = (
    ("deals_before", "deals", "earlier deals of the session, those that all passed too", "deal"),
    ("games_before", "games", "games played as Hombre, in earlier deals of the session", "seats"),
    ("solos_before", "games", "those of them played without an ally", "seats"),
    ("wins_before", "games", "those of them won", "seats"),
    ("losses_before", "games", "those of them lost, by remise or codille", "seats"),
    (
        "deals_since_hombre",
        "deals",
        "deals since the last game as Hombre; if there is none, earlier deals of the session",
        "seats",
    ),
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that is known of a deal once it is played."""

    name: str
    unit: str
    doc: str
    of: Whose
    from_result: bool
    """Whether a result tells it without being asked; the others stand in ``Result.facts``."""
    of_session: bool = False
    """Whether earlier deals of the session tell it (``engine.past``)."""
    own: bool = False
    """Whether a function of a plugin tells it (``engine.finished``)."""

    @property
    def of_one(self) -> bool:
        """Whether one player alone has it, where anybody has."""
        return self.unit == ONE and not self.own


@cache
def facts() -> dict[str, Fact]:
    """Every fact by its name."""
    made = [
        Fact("tricks", "tricks", "tricks made", "seats", True),
        Fact("dealer", ONE, "1 for the dealer", "seats", True),
        Fact("eldest", ONE, "1 for the eldest hand", "seats", True),
        Fact("tricks_above", "tricks", "tricks made beyond those undertaken", "deal", True),
        Fact("tricks_below", "tricks", "tricks wanting of those undertaken", "deal", True),
        Fact("matadors", "matadors", "matadors of Hombre's side that count", "deal", True),
        Fact("leads", "tricks", "tricks led", "seats", False),
        Fact("first_trick", ONE, "1 for whoever took the first trick", "seats", False),
        Fact("last_trick", ONE, "1 for whoever took the last one played", "seats", False),
        *(
            Fact(name, unit, doc, of, from_result=False, of_session=True)
            for name, unit, doc, of in _OF_SESSION
        ),
        *(
            Fact(f"{kind}_captured", "cards", f"in the tricks taken, {which}", "seats", False)
            for kind, which in KINDS.items()
        ),
        *(
            Fact(f"{kind}_dealt", "cards", f"in the hand as it was dealt, {which}", "seats", False)
            for kind, which in KINDS.items()
        ),
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
    return (group, name) if dot and group in GROUPS else ("", text)


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
