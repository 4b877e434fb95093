"""What the rules ask and what their values mean, from the file beside this one."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args, get_origin

from quadrille_core import vocabulary
from quadrille_core.cards import SUITS, Card, Suit
from quadrille_core.profile import load_file
from quadrille_core.vocabulary import Leaf

FILE = Path(__file__).with_name("meanings.yaml")
_FAVOURITE = "payments.in_favourite."


@cache
def _file() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", load_file(FILE).to_plain())


def _entry(pattern: str) -> Mapping[str, Any]:
    """What the file says of a rule; a payment in the favourite suit is described where it stands
    for other suits."""
    if pattern.startswith(_FAVOURITE):
        pattern = "payments." + pattern.removeprefix(_FAVOURITE)
    found: Mapping[str, Any] = _file()["rules"].get(pattern, {})
    return found


def question_of(pattern: str) -> str:
    """The question that a rule answers; of a plugin's own rule, its description."""
    asks = str(_entry(pattern).get("asks", "")) or vocabulary.leaf_at(pattern).doc
    return asks.replace("?", ", in the favourite suit?") if pattern.startswith(_FAVOURITE) else asks


_NAMED = re.compile(r"([a-z_]+(?:\.[a-z_*-]+)+)(?:: [a-z_]+)?")
"""The path of a rule, with a value or without."""


def titled(text: str) -> str:
    """A text in which each rule is named by its question instead of by its path and value."""

    def name(found: re.Match[str]) -> str:
        pattern = vocabulary.pattern_of(found[1])
        return f"“{question_of(pattern)}”" if pattern else found[0]

    return _NAMED.sub(name, text)


def values_of(leaf: Leaf) -> tuple[tuple[str, str], ...]:
    """The allowed values of a rule as YAML has them, each with its meaning; a range or form where
    they are many."""
    return tuple(_values(leaf.type, leaf))


def meaning_of(path: str, value: object) -> str:
    """What a word means as the value of a rule; empty where the value is no word of a fixed
    choice."""
    leaf = vocabulary.leaf_at(path)
    return dict(values_of(leaf)).get(value, "") if isinstance(value, str) and leaf.choices() else ""


def _values(hint: Any, leaf: Leaf) -> list[tuple[str, str]]:
    args = get_args(hint)
    if type(None) in args:
        inner = next(a for a in args if a is not type(None))
        return [("null", "none"), *_values(inner, leaf)]
    if choices := leaf.choices():
        meanings = _entry(leaf.pattern).get("values", {})
        return [(choice, str(meanings.get(choice, ""))) for choice in choices]
    if hint is bool:
        return [("true", "yes"), ("false", "no")]
    if hint is Suit:
        return [(suit, f"the suit of {suit}") for suit in SUITS]
    if hint is Card:
        return [
            ("SA", "a card by suit and rank; so are the others: S H C D, then A K Q J 7 6 5 4 3 2")
        ]
    if hint in (int, Fraction):
        bounds = f"{leaf.low} to {leaf.high}" if leaf.high is not None else f"{leaf.low} or more"
        return [
            (
                bounds,
                "a whole number"
                + (', or a fraction in quotes such as "1/2"' if hint is Fraction else ""),
            )
        ]
    if hint is str:
        return [("a text", "")]
    if get_origin(hint) is tuple:
        return _items(args[0], leaf)
    return [("a record", leaf.doc)]


def _items(item: Any, leaf: Leaf) -> list[tuple[str, str]]:
    """What a list may hold."""
    if get_origin(item) is tuple:
        return [
            ("[[3, 4, 3]]" if get_args(item)[0] is int else "[[A, 2, 3]]", "a list of such lists")
        ]
    if words := get_args(item):
        known = _file()["items"]
        return [
            ("[]", "nothing"),
            *((f"[{w}]", str(known.get(w, _file()["ranks"]))) for w in words),
        ]
    if item is Card:
        return [("[]", "nothing"), ("[SA, CA]", "cards by suit and rank, as many as are wanted")]
    keys = ", ".join(f.name for f in vocabulary.fields_of(item))
    return [("[]", "nothing"), (f"[{{{keys}}}]", "records of these keys, as many as are wanted")]
