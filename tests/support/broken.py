"""Files that are broken in one way each, and what is made to be large."""

from collections.abc import Callable
from pathlib import Path

BROKEN = Path(__file__).parents[1] / "broken"


HEAD = "kind: profile\nid: broken\ntitle: A broken profile\n"


MADE: dict[str, tuple[bytes, list[tuple[str, int, int, str]]]] = {
    "too large": (b"# padding\n" * 104_858, [("Q102", 0, 0, "the file is larger than 256 KiB")]),
    "empty": (b"", [("Q104", 0, 0, "the file is empty")]),
    "a BOM alone": (b"\xef\xbb\xbf", [("Q104", 0, 0, "the file is empty")]),
    "Latin-1": (
        "kind: profile\ntitle: Médiateur\n".encode("latin-1"),
        [("Q103", 2, 9, "the byte 0xE9 here is not UTF-8")],
    ),
    "Latin-1 after characters of several bytes": (
        "# ♠ œ 🂡".encode() + b"\xff\n",
        [("Q103", 1, 8, "the byte 0xFF here is not UTF-8")],
    ),
    "UTF-16": (
        "kind: profile\n".encode("utf-16"),
        [("Q103", 1, 1, "the byte 0xFF here is not UTF-8")],
    ),
    "a NUL byte": (
        b"kind: profile\nid: a\x00b\n",
        [("Q114", 2, 6, "the character U+0000 may not stand in a file of rules")],
    ),
    "levels in brackets": (
        b"[" * 100_000,
        [("Q106", 1, 25, "more than 24 levels lie within one another")],
    ),
    "levels in braces": (
        b'{"a":' * 50_000,
        [("Q106", 1, 121, "more than 24 levels lie within one another")],
    ),
    "levels of dashes": (
        b"- " * 100_000,
        [("Q106", 1, 49, "more than 24 levels lie within one another")],
    ),
    "levels of question marks": (
        b"? " * 100_000,
        [
            *[("Q113", 1, col, "a mapping stands as a key") for col in range(3, 48, 2)],
            ("Q106", 1, 49, "more than 24 levels lie within one another"),
        ],
    ),
    "levels by indentation": (
        b"".join(b" " * n + b"a:\n" for n in range(500)),
        [("Q106", 25, 25, "more than 24 levels lie within one another")],
    ),
    "too many values": (
        b"- a\n" * 30_000,
        [("Q115", 20_000, 3, "more than 20 000 keys and values")],
    ),
}


def _points(settings: str) -> str:
    return (
        HEAD + "points: {p: {question: x, default: a, readings: {a: {set: {" + settings + "}}}}}\n"
    )


HOSTILE: dict[str, Callable[[], str]] = {
    "unknown keys": lambda: HEAD + "".join(f"k{i}: 1\n" for i in range(9900)),
    "long unknown keys": lambda: HEAD + "".join(f'"{"x" * 1000}{i}": 1\n' for i in range(240)),
    "bids with faults": lambda: (
        HEAD + "rules:\n bids:\n" + "".join(f"  K{i}: {{rank: x}}\n" for i in range(4900))
    ),
    "citations of nothing": lambda: (
        HEAD + "cites:\n" + "".join(f"  k{i}: 1\n" for i in range(9900))
    ),
    "settings of the wrong type": lambda: _points(
        ",".join(f"bids.b{i}.rank: x" for i in range(9000))
    ),
    "settings of no rule": lambda: _points(",".join(f"bids.b{i}.rnk: x" for i in range(9000))),
    "a list of one word": lambda: (
        HEAD + "rules: {loss: {remise_pays: [" + "premium," * 19_000 + "]}}"
    ),
    "a list of mappings": lambda: HEAD + "rules: {loss: {remise_pays: [" + "{}," * 19_000 + "]}}",
    "many allowed values": lambda: (
        HEAD + "assumes: [{reason: x, that: {loss.remise_pays: [" + "[premium, x]," * 6000 + "]}}]"
    ),
    "malformed plugins": lambda: HEAD + "plugins: [" + "{plugin: 1}," * 6000 + "]",
    "a long text for a boolean": lambda: HEAD + "abstract: " + "x" * 250_000,
    "a long text for a card": lambda: (
        HEAD + 'rules: {bids: {a: {forced_on: "' + "x" * 250_000 + '"}}}'
    ),
    "a long number for an amount": lambda: (
        HEAD + 'rules: {stakes: {unit: "' + "1" * 250_000 + '"}}'
    ),
    "a long path": lambda: HEAD + 'cites: {? "' + "x.*." * 60_000 + '": 1}',
    "duplicate keys": lambda: "a: 1\n" * 50_000,
    "control characters": lambda: "\x01\n" * 100_000,
    "anchors": lambda: "&a x: *a\n" * 20_000,
    "a late syntax error": lambda: "a: [b, c]\n" * 4000 + "x" * 150_000 + "\n: [",
    "unclosed quotes": lambda: '"' + "\n" * 250_000,
    "deep flow and long lines": lambda: "[" * 24 + "a," * 120_000,
}
