"""Inputs changed at random, as bytes and as trees, for ``tools/fuzz.py``."""

import contextlib
import json
import random
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import yaml

WORDS = (
    "",
    "0",
    "-1",
    "1.5",
    "yes",
    "no",
    "null",
    "~",
    "*a",
    "&a",
    "<<",
    "!!python/object:os.system",
    "9/0",
    "1/3",
    "=",
    "9" * 18,
    "9" * 4000,
    "-" * 50,
    "1e999",
    "0x7f",
    "017",
    "1:30",
    "2024-01-01",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "- ",
    "#",
    "none",
    "true",
    "SA",
    "H7 H7",
    "♠A",
    "\x00",
    "\x1b[2J",
    "\u202e",
    "\u200b",
    "\ud800",
    "é",
    "𝄞",
    "a" * 5000,
    "..",
    "/dev/zero",
    "../../etc/passwd",
    "quanti-1822",
    "@",
    "+",
    "%s%n",
    "{0}",
    "'",
    '"',
    "\\",
    "`",
    "\r",
    "\u2028",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    -(2**64),
    10**17,
    10**40,
    "",
    "text",
    [],
    {},
    [[]],
    [None],
    {"": ""},
    [1, 2, 3, 4],
    ["A", "B", "C", "D"],
    {"A": 1},
    "1/3",
    "9/2",
    "-4",
    "1/0",
    [{}],
    {"a": {"b": {"c": []}}},
    "none",
    1.5,
)

WRONG: tuple[Any, ...] = (
    *VALUES,
    5,
    10**30,
    "x" * 300,
    "A",
    [[["a"]]],
    ["A", "A"],
    {1: 2},
    {None: 1},
    {"A": []},
)
"""What may stand where something else is wanted; in JSON every key is a text."""


def bent(data: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """Bytes changed without a thought for what they mean."""
    for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
        at = chance.randrange(len(data) + 1)
        to = min(len(data), at + chance.choice((1, 1, 4, 40, 400)))
        match chance.randrange(9):
            case 0 if data:
                at = min(at, len(data) - 1)
                data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
            case 1:
                data = data[:at]
            case 2:
                data = data[:at] + data[to:]
            case 3:
                data = data[:at] + data[at:to] * chance.choice((2, 3, 50)) + data[to:]
            case 4:
                data = data[:at] + chance.choice(WORDS).encode("utf-8", "surrogatepass") + data[to:]
            case 5:
                data = data[:at] + chance.randbytes(chance.choice((1, 4, 40))) + data[at:]
            case 6:
                other = chance.choice(others)
                data = data[:at] + other[chance.randrange(len(other) + 1) :]
            case 7:
                data = (
                    data[:at]
                    + chance.choice((b"[", b"{a: ", b"- ", b"<a>")) * chance.choice((10, 30, 3000))
                    + data[at:]
                )
            case _:
                lines = data.split(b"\n")
                one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
                lines[one], lines[two] = lines[two], chance.choice((lines[one], lines[two]))
                data = b"\n".join(lines)
    return data


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a tree."""
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    return [path, *(p for key, value in items for p in places(value, (*path, key)))]


def sparse(data: Any) -> list[tuple[Any, ...]]:
    """The same without the root, and of lists the first two and the last alone: the others are like
    them."""
    return [
        p for p in places(data) if p and all(_is_end(at(data, p[:n]), p[n]) for n in range(len(p)))
    ]


def _is_end(holder: Any, step: Any) -> bool:
    return not isinstance(holder, list) or step in (0, 1, len(holder) - 1)


def replaced(data: Any, *changes: tuple[Sequence[Any], Any]) -> Any:
    """A copy of the tree with other values at these paths, of which the first may have taken away
    the next."""
    data = deepcopy(data)
    for path, value in changes:
        with contextlib.suppress(LookupError, TypeError):
            at(data, path[:-1])[path[-1]] = deepcopy(value)
    return data


def at(data: Any, path: Sequence[Any]) -> Any:
    for step in path:
        data = data[step]
    return data


def reshaped(data: Any, chance: random.Random, others: Sequence[Any]) -> Any:
    """A tree with values, keys or branches changed."""
    for _ in range(chance.choice((1, 1, 1, 1, 2, 5))):
        paths = [p for p in places(data) if p]
        if not paths:
            return data
        *above, step = chance.choice(paths)
        holder = at(data, above)
        alike = [v for p in paths if type(v := at(data, p)) is type(holder[step])]
        match chance.randrange(12):
            case 0 | 1:
                holder[step] = chance.choice(VALUES)
            case 2:
                holder[step] = chance.choice(WORDS)
            case 3:
                del holder[step]
            case 4 if isinstance(holder, dict):
                holder[chance.choice((*WORDS, *holder))] = holder.pop(step)
            case 5:
                other = chance.choice(others)
                holder[step] = json.loads(json.dumps(at(other, chance.choice(places(other)))))
            case 6:
                wrapped = holder[step]
                for _ in range(chance.choice((1, 3, 40))):
                    wrapped = [wrapped] if chance.random() < 0.5 else {"a": wrapped}
                holder[step] = wrapped
            case 7 | 8 | 9:
                holder[step] = json.loads(json.dumps(chance.choice(alike)))
            case 10 if isinstance(holder, list):
                holder += [json.loads(json.dumps(holder[step]))] * chance.choice((1, 2, 300))
            case _:
                if isinstance(holder[step], int):
                    holder[step] = holder[step] * chance.choice(
                        (-1, 2, 1000, 10**15)
                    ) + chance.choice((-1, 0, 1))
                elif isinstance(holder[step], str):
                    word = holder[step]
                    cut = chance.randrange(len(word) + 1)
                    holder[step] = word[:cut] + chance.choice(WORDS) + word[cut:]
    return data


def mutated(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """One of the seeds, changed as bytes or, where it is YAML or JSON, as a tree."""
    data = chance.choice(seeds)
    if chance.random() < 0.3:
        return bent(data, chance, seeds)
    try:
        tree, other = (yaml.safe_load(d) for d in (data, chance.choice(seeds)))
        text = json.dumps(
            reshaped(tree, chance, [tree, other]), ensure_ascii=chance.random() < 0.5, default=str
        )
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError):
        return bent(data, chance, seeds)
    return text.encode("utf-8", "surrogatepass")
