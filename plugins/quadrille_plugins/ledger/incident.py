"""An incident at a real table: the file read, with every fault of it named."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final

from quadrille_core.cards import Card, parse_card
from quadrille_core.errors import Place, Problem, ResultError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.profile import LocatedMap, Node, place_at
from quadrille_plugins.settle.reading import Reader
from quadrille_plugins.settle.result_file import MOST_BEASTS, MOST_TIMES

FACTS: Final[dict[str, str]] = {
    "last_card": "was it the last card of the deal?",
    "wrong_count": "has a hand too many or too few cards (false: only the packets were wrong)?",
    "played": "has the player begun to play with them?",
    "seen_by_adversary": "has an adversary seen the card?",
    "plays_alone": "does Hombre play alone?",
    "forced_game": "was the game forced on Hombre?",
    "trick_turned": "has the trick been turned over and left?",
    "six_tricks_won": "has the offender's side already won six tricks?",
    "before_end": "was it discovered before the deal was played out?",
    "bad_faith": "was it done in bad faith?",
    "doubtful_game_won": "has it won a doubtful game?",
    "could_harm": "could it harm others if the card were kept?",
    "encourages": "did the word encourage the partner (false: it deterred them)?",
}
"""What a file may tell as true or false, each as the question that is asked when it is missing."""

COUNTS: Final = {"multiplier": (1, MOST_TIMES), "beasts": (0, MOST_BEASTS)}
"""Whole numbers that a file may tell, with their bounds."""
_PERSONS: Final = ("by", "hombre", "ally")
KEYS: Final = ("incident", "players", *_PERSONS, "pool", *COUNTS, "card", *FACTS)
_BY_LEDGER: Final = {
    "players": "players-of-the-deal",
    "pool": "pool-by-the-ledger",
    "multiplier": "multiplier-by-the-ledger",
    "beasts": "beasts-by-the-ledger",
}
_WHAT: Final = {
    "by": "who did it",
    "hombre": "who Hombre is",
    "ally": "who the ally is, or that Hombre plays alone (plays_alone: true)",
    "pool": "what the pool holds",
    "multiplier": "how many times the deal counts",
    "beasts": "how many beasts stand",
    "card": "which card it was",
}


@frozen
class IncidentReport:
    """An incident, players by seat from the eldest to the dealer; None where the file is silent."""

    incident: str
    players: tuple[str, ...]
    place: Place
    by: int | None = None
    hombre: int | None = None
    ally: int | None = None
    pool: Fraction | None = None
    card: Card | None = None
    facts: Mapping[str, bool] | None = None
    multiplier: int | None = None
    beasts: int | None = None

    def fact(self, name: str) -> bool | None:
        """A reported fact; whether Hombre plays alone follows from the ally."""
        if name == "plays_alone" and self.ally is not None:
            return False
        return (self.facts or {}).get(name)

    def side(self) -> tuple[int, ...] | None:
        """Hombre's side, or None as long as it is not known whole."""
        if self.hombre is None or (self.ally is None and not self.fact("plays_alone")):
            return None
        return (self.hombre,) if self.ally is None else (self.hombre, self.ally)

    def side_lacks(self) -> set[str]:
        """What the file must still state to determine Hombre's side."""
        lacks = {"hombre"} if self.hombre is None else set()
        return lacks | ({"ally"} if self.ally is None and not self.fact("plays_alone") else set())


def missing(key: str, laws: str, place: Place) -> Problem:
    """The question for a fact that the laws need and the file lacks."""
    if key in FACTS:
        return Problem(
            "Q202", "incident-lacks-fact", {"key": key, "facts": FACTS[key], "laws": laws}, place
        )
    return Problem("Q202", "incident-lacks", {"key": key, "what": _WHAT[key], "laws": laws}, place)


def read_incident(
    root: Node,
    known: Mapping[str, str],
    players: int,
    told: Mapping[str, Any] | None = None,
) -> IncidentReport:
    """The incident in a file; raises ResultError with every error.

    ``known`` are the incidents that the laws know, ``players`` how many the rules seat, ``told``
    what a ledger knows of it, which the file may repeat and not contradict.
    """
    if not isinstance(root, LocatedMap):
        raise ResultError.of("no-mapping-of-an-incident", place=root.place)
    given = root.to_plain()
    reader = _IncidentReader(
        {**(told or {}), **given}, "an incident", KEYS, partial(place_at, root)
    )
    for key, value in (told or {}).items():
        if given.get(key, value) != value:
            reader.fault("Q701", _BY_LEDGER[key], key, value=value)
    incident = reader.read(known, players, root.place)
    if reader.problems:
        raise ResultError(reader.problems)
    return incident


class _IncidentReader(Reader):
    def read(self, known: Mapping[str, str], seats: int, place: Place) -> IncidentReport:
        name = self.name(known)
        players = self.players(seats)
        by, hombre, ally = (
            None if players is None else self.seat(key, players) for key in _PERSONS
        )
        facts = {
            key: value
            for key, ask in FACTS.items()
            if (value := self.value(key, bool, "", "no-yes-or-no", asks=ask)) is not None
        }
        if ally is not None and ally == hombre:
            self.fault("Q701", "hombre-own-ally", "ally")
        if ally is not None and facts.get("plays_alone"):
            self.fault("Q701", "alone-with-an-ally", "plays_alone")
        pool = self.amount("pool")
        if pool is not None and pool < 0:
            self.fault("Q205", "negative-pool", "pool")
        card = self.notation("card", parse_card, "a card")
        counts = {key: self.number(key, *bounds) for key, bounds in COUNTS.items()}
        return IncidentReport(
            name, players or (), place, by, hombre, ally, pool, card, facts, **counts
        )

    def name(self, known: Mapping[str, str]) -> str:
        hint = did_you_mean(str(self.data.get("incident", "")), known, what="incidents")
        given = self.needed("incident", hint=hint)
        value = self.value("incident", str, "a word", hint=hint) if given else None
        if value is not None and value not in known:
            self.fault("Q204", "no-law-knows-incident", "incident", hint=hint, name=value)
        return value or ""

    def players(self, seats: int) -> tuple[str, ...] | None:
        names = self.names("players") if self.needed("players", "players-not-told") else None
        if names is not None and (len(names) != seats or len(set(names)) != len(names)):
            self.fault("Q206", "players-not-as-seated", "players", seats=seats)
            return None
        return names
