"""A file of plain data read key by key: a result, a record, an incident.  Every fault is noted, at
its place."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, TypeVar

from quadrille_core.cards import SUITS, Suit, parse_suit
from quadrille_core.errors import (
    Hint,
    NotationError,
    PlaceAt,
    Problem,
    Replace,
    did_you_mean,
)
from quadrille_core.profile.words import in_digits, type_help
from quadrille_core.vocabulary import MismatchError, parse_amount
from quadrille_plugins.settle.player_names import name_fault, player_meant

T = TypeVar("T")

_WORDS: Mapping[type, str] = {
    int: "a whole number",
    bool: "true or false",
    str: "a text",
    list: "a list",
}
_TYPES: Final[Mapping[type, str]] = {bool: "boolean", list: "array"}
"""Types, as a schema names them, for which another value can often be written otherwise."""


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
                data = {"key": shown(key), "what": what}
                self.problems.append(Problem("Q201", "no-key-of-it", data, where, hint))

    def fault(
        self,
        code: str,
        variant: str,
        *path: str | int,
        hint: Hint | None = None,
        at_key: bool = False,
        **data: Any,
    ) -> None:
        """Note a fault of the value, or of the key, at that path."""
        self.unread.add(str(path[0]))
        self.problems.append(Problem(code, variant, data, self.place(path, key=at_key), hint))

    def another_kind(self, wanted: str) -> None:
        """Note that the file says it is of another kind than ``wanted``."""
        said = self.data.get("kind")
        variant = "another-kind" if isinstance(said, str) else "another-kind-no-word"
        self.fault("Q208", variant, "kind", said=said, wanted=wanted)

    def refuse(self, problems: Iterable[Problem], *path: str | int) -> None:
        """Note these problems at that path."""
        for problem in problems:
            self.unread.add(str(path[0]))
            self.problems.append(replace(problem, place=self.place(path)))

    def refused(self, error: NotationError, name: str, *path: str | int, code: str = "") -> None:
        """Note why what stands there is no notation; ``name`` is what messages call it."""
        within = [(code or p.code, {"where": name, "problem": p}) for p in error.problems]
        self.refuse((Problem(code, "within", data) for code, data in within), *path)

    def value(
        self,
        key: str,
        kind: type[T],
        words: str = "",
        variant: str = "not-what-is-wanted",
        hint: Hint | None = None,
        **data: Any,
    ) -> T | None:
        """The value of a key, which is of that type; ``variant``, ``data`` and ``hint`` are the
        fault's."""
        value = self.data.get(key)
        if value is None or (
            isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        ):
            return value
        told: dict[str, Any] = {"key": key, "value": shown(value), "wanted": words or _WORDS[kind]}
        if kind in _TYPES:
            hint = hint or type_help(value, [_TYPES[kind]], {})
        self.fault("Q203", variant, key, hint=hint, **told, **data)
        return None

    def needed(self, key: str, variant: str = "says-nothing-of", **data: Any) -> bool:
        """Whether a key that must be there is; it is a fault where it is not."""
        if self.data.get(key) is None:
            what = self.what.replace("a ", "the ", 1)
            self.fault("Q202", variant, key, what=what, key=key, **data)
        return self.data.get(key) is not None

    def number(self, key: str, low: int | None = None, high: int | None = None) -> int | None:
        """A whole number of at most 64 bits, or between these bounds."""
        given = self.data.get(key)
        variant = "truth-for-a-number" if isinstance(given, bool) else "not-what-is-wanted"
        value = self.value(key, int, "", variant, hint=number_hint(given))
        if value is not None and low is not None and high is not None and not low <= value <= high:
            self.fault("Q205", "not-between", key, key=key, value=shown(value), low=low, high=high)
        elif value is not None and abs(value) >= 2**64:
            self.fault("Q203", "number-beyond-64-bits", key, key=key, value=shown(value))
        else:
            return value
        return None

    def texts(self, key: str, most: int) -> list[str]:
        """A list of texts, which must be there."""
        value = self.value(key, list, "a list of texts") if self.needed(key) else None
        if value is not None and not all(isinstance(v, str) for v in value):
            self.fault("Q203", "no-list-of-texts", key, key=key)
        elif value is not None and len(value) > most:
            data: dict[str, Any] = {
                "key": key,
                "many": len(value),
                "what": self.what[2:],
                "most": most,
            }
            self.fault("Q206", "too-many-entries", key, **data)
        else:
            return value or []
        return []

    def amount(self, key: str) -> Fraction | None:
        """An exact amount."""
        return self.amount_of(self.data.get(key), key, key)

    def amount_of(self, value: object, what: str, *path: str) -> Fraction | None:
        """An exact amount, which messages call ``what``."""
        try:
            return None if value is None else parse_amount(value)
        except MismatchError as error:
            data: dict[str, Any] = {"what": what, "value": shown(value), "why": error.problem}
            self.fault("Q203", "no-amount-but", *path, **data)
            return None

    def suit(self, key: str) -> Suit | None:
        """A suit by name, letter or sign."""
        return self.notation(key, parse_suit, "a suit", "no-suit-named", suits=SUITS)

    def notation(
        self, key: str, parse: Callable[[str], T], words: str, *variant: Any, **data: Any
    ) -> T | None:
        """A text that ``parse`` reads."""
        value = self.value(key, str, words, *variant, **data)
        try:
            return None if value is None else parse(value)
        except NotationError as error:
            self.refused(error, key, key, code="Q207")
            return None

    def names(self, key: str) -> tuple[str, ...] | None:
        """The names of players, eldest first."""
        value = self.value(key, list, "a list of names", "no-list-of-players")
        faults = [f for f in map(name_fault, value or ()) if f is not None]
        self.refuse(faults[:8], key)
        return None if value is None or faults else tuple(value)

    def seat(self, key: str, players: Sequence[str]) -> int | None:
        """The seat of a player who is named."""
        value = self.data.get(key)
        return (
            None if value is None else self.seat_of(value, players, f"{key}: {shown(value)}", key)
        )

    def seat_of(
        self, name: object, players: Sequence[str], who: str, *path: str, at_key: bool = False
    ) -> int | None:
        """The seat of that player, whom messages call ``who``; no fault where the players could not
        be read."""
        if isinstance(name, str) and (found := player_meant(name, players)) is not None:
            return players.index(found)
        if "players" not in self.unread:
            hint = did_you_mean(str(name), players, what="players")
            self.fault("Q204", "no-player-of-this-deal", *path, hint=hint, at_key=at_key, who=who)
        self.unread.add(path[0])
        return None


def number_hint(value: object) -> Hint | None:
    """How a whole number is written, where a word stands for it."""
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
