"""An incident at a real table: the file read, with every fault of it named."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import Card, parse_card
from quadrille_core.engine.result import name_fault
from quadrille_core.engine.result_file import MOST_BEASTS, MOST_TIMES
from quadrille_core.errors import NotationError, Place, Problem, ResultError, did_you_mean
from quadrille_core.profile import LocatedMap, Node, place_at
from quadrille_core.vocabulary import MismatchError, parse_amount

FACTS: Final[dict[str, str]] = {
    "last_card": "was it the last card of the deal?",
    "wrong_count": "has a hand too many or too few cards (false: only the packets were wrong)?",
    "played": "has she begun to play with them?",
    "seen_by_adversary": "has an adversary seen the card?",
    "plays_alone": "does Hombre play alone?",
    "forced_game": "was the game forced on Hombre?",
    "trick_turned": "has the trick been turned over and left?",
    "six_tricks_won": "has her side already won six tricks?",
    "before_end": "was it discovered before the deal was played out?",
}
"""What a file may tell as true or false, each as the question that is asked when it is missing."""

COUNTS: Final = {"multiplier": (1, MOST_TIMES), "beasts": (0, MOST_BEASTS)}
"""Whole numbers that a file may tell, with their bounds."""
_PERSONS: Final = ("by", "hombre", "ally")
KEYS: Final = ("incident", "players", *_PERSONS, "pool", *COUNTS, "card", *FACTS)
_WHAT: Final = {
    "by": "who did it",
    "hombre": "who Hombre is",
    "ally": "who the ally is, or that Hombre plays alone (plays_alone: true)",
    "pool": "what the pool holds",
    "multiplier": "how many times the deal counts",
    "beasts": "how many beasts stand",
    "card": "which card it was",
}


@dataclass(frozen=True, slots=True)
class Incident:
    """What happened, players by seat from the eldest to the dealer; None where the file is silent."""

    incident: str
    players: tuple[str, ...]
    place: Place
    by: int | None = None
    hombre: int | None = None
    ally: int | None = None
    pool: Fraction | None = None
    card: Card | None = None
    told: Mapping[str, bool] | None = None
    multiplier: int | None = None
    beasts: int | None = None

    def fact(self, name: str) -> bool | None:
        """A fact as told; that Hombre plays alone follows from there being an ally."""
        if name == "plays_alone" and self.ally is not None:
            return False
        return (self.told or {}).get(name)

    def side(self) -> tuple[int, ...] | None:
        """Hombre's side, or None as long as it is not known whole."""
        if self.hombre is None or (self.ally is None and not self.fact("plays_alone")):
            return None
        return (self.hombre,) if self.ally is None else (self.hombre, self.ally)

    def side_lacks(self) -> set[str]:
        """What the file must still tell for Hombre's side to be known."""
        lacks = {"hombre"} if self.hombre is None else set()
        return lacks | ({"ally"} if self.ally is None and not self.fact("plays_alone") else set())


def missing(key: str, laws: str, place: Place) -> Problem:
    """The question for a fact that the laws named need and the file does not tell."""
    if key in FACTS:
        return Problem("Q202", f"the incident lacks {key}: {FACTS[key]}", place, f"{laws}: say {key}: true or false")
    return Problem("Q202", f"the incident lacks {key}: {_WHAT[key]}", place, f"asked by {laws}")


def read_incident(root: Node, known: Mapping[str, str], players: int) -> Incident:
    """The incident that a file tells; raises ResultError with every fault of it.

    ``known`` are the incidents that the laws know, ``players`` how many the rules seat.
    """
    if not isinstance(root, LocatedMap):
        message = "an incident is a mapping of keys such as incident, players and by"
        raise ResultError(Problem("Q203", message, root.place))
    reader = _Reader(root, known, players)
    incident = reader.read()
    if reader.problems:
        raise ResultError(reader.problems)
    return incident


class _Reader:
    def __init__(self, root: LocatedMap, known: Mapping[str, str], players: int) -> None:
        self.root, self.known, self.seats = root, known, players
        self.data: dict[str, Any] = root.to_plain()
        self.problems: list[Problem] = []

    def fault(self, key: str, code: str, message: str, help: str = "") -> None:
        self.problems.append(Problem(code, message, place_at(self.root, [key]), help))

    def read(self) -> Incident:
        for key in self.data:
            if key not in KEYS:
                message = f"{key[:40]!r} is no key of an incident"
                self.problems.append(Problem("Q201", message, self.root.key_place(key), did_you_mean(key, KEYS)))
        name = self.name()
        players = self.players()
        by, hombre, ally = (self.seat(key, players) for key in _PERSONS)
        told = {key: value for key in FACTS if (value := self.flag(key)) is not None}
        if ally is not None and ally == hombre:
            self.fault("ally", "Q701", "Hombre cannot be her own ally")
        if ally is not None and told.get("plays_alone"):
            self.fault("plays_alone", "Q701", "Hombre does not play alone when she has an ally")
        return Incident(
            name,
            players or (),
            self.root.place,
            by,
            hombre,
            ally,
            self.pool(),
            self.card(),
            told,
            self.count("multiplier"),
            self.count("beasts"),
        )

    def name(self) -> str:
        value = self.data.get("incident")
        hint = did_you_mean(value if isinstance(value, str) else "", self.known, what="incidents")
        if value is None:
            self.fault("incident", "Q202", "the file does not say which incident it is", hint)
        elif not isinstance(value, str):
            self.fault("incident", "Q203", "incident is no word", hint)
        elif value not in self.known:
            self.fault("incident", "Q204", f"no law here knows an incident {value[:40]!r}", hint)
        return str(value)

    def players(self) -> tuple[str, ...] | None:
        value = self.data.get("players")
        hint = "list the eldest hand first, the dealer last"
        if value is None:
            self.fault("players", "Q202", "the incident does not say who plays", hint)
            return None
        if not isinstance(value, list):
            self.fault("players", "Q203", "players is no list of names", hint)
            return None
        faults = [f for f in map(name_fault, value) if f is not None]
        for fault in faults[:8]:
            self.fault("players", "Q207", fault)
        if faults:
            return None
        if len(value) != self.seats or len(set(value)) != len(value):
            self.fault("players", "Q206", f"players must be {self.seats} different names under these rules", hint)
            return None
        return tuple(value)

    def seat(self, key: str, players: tuple[str, ...] | None) -> int | None:
        value = self.data.get(key)
        if value is None or players is None:
            return None
        if isinstance(value, str) and value in players:
            return players.index(value)
        hint = did_you_mean(value if isinstance(value, str) else "", players, what="players")
        shown = repr(value[:40]) if isinstance(value, str) else "what stands here"
        self.fault(key, "Q204", f"{key}: {shown} is no player of this deal", hint)
        return None

    def flag(self, key: str) -> bool | None:
        value = self.data.get(key)
        if value is None or isinstance(value, bool):
            return value
        self.fault(key, "Q203", f"{key} is neither true nor false", FACTS[key])
        return None

    def pool(self) -> Fraction | None:
        try:
            amount = None if self.data.get("pool") is None else parse_amount(self.data["pool"])
        except MismatchError as error:
            self.fault("pool", "Q203", f"pool: {error}")
            return None
        if amount is not None and amount < 0:
            self.fault("pool", "Q205", "a pool holds no less than nothing")
        return amount

    def count(self, key: str) -> int | None:
        value: int | None = self.data.get(key)
        least, most = COUNTS[key]
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(key, "Q203", f"{key} is no whole number")
        elif not least <= value <= most:
            self.fault(key, "Q205", f"{key} is not between {least} and {most}")
        return value

    def card(self) -> Card | None:
        value = self.data.get("card")
        if value is None:
            return None
        try:
            return parse_card(value if isinstance(value, str) else repr(value))
        except NotationError as error:
            self.fault("card", "Q207", f"card: {error.problems[0].message}", error.problems[0].help)
            return None
