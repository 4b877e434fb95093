"""A file of plain data read key by key: a result, a record, an incident.  Every fault is noted, at
its place."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from quadrille_core.cards import SUITS, Suit, parse_suit
from quadrille_core.errors import (
    Hint,
    NotationError,
    Phrase,
    PlaceAt,
    Problem,
    Replace,
    did_you_mean,
)
from quadrille_core.profile.words import in_digits
from quadrille_core.vocabulary import MismatchError, parse_amount
from quadrille_plugins.settle.player_names import name_fault

T = TypeVar("T")

_WORDS: Mapping[type, str] = {
    int: "a whole number",
    bool: "true or false",
    str: "a text",
    list: "a list",
}


class Reader:
    """Reads the values of one mapping; one that is left out or cannot be read is None, the latter
    with a fault.

    ``what`` is the kind of file, as in "a result"; ``unread`` are the keys that have a fault.
    """

    def __init__(
        self, data: Mapping[Any, Any], what: str, keys: Sequence[str], place: PlaceAt
    ) -> None:
        self.data, self.what, self.place = data, what, place
        self.problems: list[Problem] = []
        self.unread: set[str] = set()
        for key in data:
            if key not in keys:
                # a key that nobody reads is no stand-in for another: it must not hide faults
                hint, where = did_you_mean(str(key), keys), place((str(key),), key=True)
                self.problems.append(
                    Problem.text("Q201", f"{shown(key)} is no key of {what}", where, hint)
                )

    def fault(
        self, code: str, message: str, *path: str | int, help: str | Hint | None = None
    ) -> None:
        """Note a fault of the value at that path."""
        self.unread.add(str(path[0]))
        self.problems.append(Problem.text(code, message, self.place(path), help))

    def refused(self, error: NotationError, name: str, *path: str | int, code: str = "") -> None:
        """Note why what stands there is no notation; ``name`` is what messages call it."""
        for p in error.problems:
            self.unread.add(str(path[0]))
            within = {"where": name, "problem": p}
            self.problems.append(Problem(code or p.code, "within", within, self.place(path)))

    def value(
        self, key: str, kind: type[T], words: str = "", *, help: str | Hint | None = None
    ) -> T | None:
        """The value of a key, which is of that type."""
        value = self.data.get(key)
        if value is None or (
            isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        ):
            return value
        self.fault("Q203", f"{key} is {shown(value)}, not {words or _WORDS[kind]}", key, help=help)
        return None

    def needed(self, key: str, *, help: str | Hint | None = None) -> bool:
        """Whether a key that must be there is; it is a fault where it is not."""
        if self.data.get(key) is None:
            self.fault(
                "Q202",
                f"{self.what.replace('a ', 'the ', 1)} says nothing of {key}",
                key,
                help=help,
            )
        return self.data.get(key) is not None

    def number(self, key: str, low: int | None = None, high: int | None = None) -> int | None:
        """A whole number of at most 64 bits, or between these bounds."""
        value = self.value(key, int, help=_in_number(self.data.get(key)))
        if value is not None and low is not None and high is not None and not low <= value <= high:
            self.fault("Q205", f"{key} is {shown(value)}, not between {low} and {high}", key)
        elif value is not None and abs(value) >= 2**64:
            self.fault(
                "Q203", f"{key} is {shown(value)}, not a whole number of at most 64 bits", key
            )
        else:
            return value
        return None

    def texts(self, key: str, most: int) -> list[str]:
        """A list of texts, which must be there."""
        value = self.value(key, list, "a list of texts") if self.needed(key) else None
        if value is not None and not all(isinstance(v, str) for v in value):
            self.fault("Q203", f"{key} is no list of texts", key)
        elif value is not None and len(value) > most:
            self.fault(
                "Q206",
                f"{key} has {len(value)} entries; no {self.what[2:]} has more than {most}",
                key,
            )
        else:
            return value or []
        return []

    def amount(self, key: str) -> Fraction | None:
        """An exact amount."""
        value = self.data.get(key)
        try:
            return None if value is None else parse_amount(value)
        except MismatchError as error:
            self.fault("Q203", f"{key} is {shown(value)}: {error}", key)
            return None

    def suit(self, key: str) -> Suit | None:
        """A suit by name, letter or sign."""
        return self.notation(key, parse_suit, "a suit", help="the suits are " + ", ".join(SUITS))

    def notation(
        self, key: str, parse: Callable[[str], T], words: str, help: str | Hint | None = None
    ) -> T | None:
        """A text that ``parse`` reads."""
        value = self.value(key, str, words, help=help)
        try:
            return None if value is None else parse(value)
        except NotationError as error:
            self.refused(error, key, key, code="Q207")
            return None

    def names(self, key: str) -> tuple[str, ...] | None:
        """The names of players, eldest first."""
        value = self.value(
            key, list, "a list of names", help="such as [Ann, Ben, Cat, Dan], the eldest hand first"
        )
        faults = [f for f in map(name_fault, value or ()) if f is not None]
        for fault in faults[:8]:
            self.fault("Q207", fault, key)
        return None if value is None or faults else tuple(value)

    def seat(self, key: str, players: Sequence[str]) -> int | None:
        """The seat of a player who is named."""
        value = self.data.get(key)
        return (
            None if value is None else self.seat_of(value, players, f"{key}: {shown(value)}", key)
        )

    def seat_of(self, name: object, players: Sequence[str], who: str, *path: str) -> int | None:
        """The seat of that player, whom messages call ``who``; no fault where the players could not
        be read."""
        if name in players:
            return players.index(str(name))
        if "players" not in self.unread:
            hint = did_you_mean(str(name), players, what="players")
            self.fault("Q204", f"{who} is no player of this deal", *path, help=hint)
        self.unread.add(path[0])
        return None


def _in_number(value: object) -> Hint | None:
    """How a whole number is written, where a word stands for it."""
    if isinstance(value, bool):
        return Phrase("write-how-many")
    word = value.strip().lower() if isinstance(value, str) else ""
    number = (
        "0" if word in ("no", "none", "nothing") else word if word.isdecimal() else in_digits(word)
    )
    return Replace(number) if number.isdecimal() else None


def shown(value: object) -> str:
    """A value cut to what a message can bear."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**40:
        return "a number of more than forty digits"
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, (str, int, float)):
        return repr(value)[:60]
    return "a mapping" if isinstance(value, Mapping) else f"a {type(value).__name__}"
