"""The variants that meet: ``data/combinations.yaml`` read, and ``docs/combinations.md`` written
from it.

``python tools/regenerate.py`` writes the document anew; a test compares it to the letter.
"""

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import _tests  # noqa: F401
from support.data import of_yaml

HERE = Path(__file__).parents[1] / "tests"
DATA = of_yaml(HERE / "data" / "combinations.yaml")
DOCUMENT = HERE.parent / "docs" / "combinations.md"
PLAIN = "plain-table"
PLUGINS, PROFILES = DATA["plugins"], DATA["profiles"]
PAIRS: list[dict[str, Any]] = DATA["pairs"]
FURTHER: list[dict[str, Any]] = DATA["further"]


def wanted() -> list[tuple[str, str]]:
    """Every pair that there must be, in order."""
    return [*combinations(PLUGINS, 2), *product(PROFILES, PLUGINS)]


def reference(pair: dict[str, Any], *, turned: bool = False) -> str:
    """The rules under which a pair meets, two plugins in either order."""
    a, b = pair["of"]
    if a in PROFILES:
        return f"{a}+{b}"
    return f"{PLAIN}+{b}+{a}" if turned else f"{PLAIN}+{a}+{b}"


def located(text: str) -> str:
    """The reference with the plain table's file in place of its name."""
    return (
        text.replace(PLAIN, str(HERE / "data" / f"{PLAIN}.yaml"), 1)
        if text.startswith(PLAIN)
        else text
    )


def settings(pair: dict[str, Any]) -> dict[str, Any]:
    """At the plain table cards are dealt anew when all pass, unless the pair knows a forced
    game."""
    a, b = pair["of"]
    return {} if a in PROFILES or "forced-spadille" in (a, b) else {"auction.all_pass": "redeal"}


def codes(entry: dict[str, Any]) -> list[str]:
    """The codes of a refusal."""
    refused = entry["refused"]
    return refused if isinstance(refused, list) else [refused]


def _mark(pair: dict[str, Any]) -> str:
    code = pair.get("refused", "+")
    return "own" if code == "Q504" else code


def _table(rows: list[str], columns: list[str]) -> Iterator[str]:
    marks = {tuple(p["of"]): _mark(p) for p in PAIRS}
    yield "| | " + " | ".join(columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    for row in rows:
        cells = [marks.get((row, c)) or marks.get((c, row)) or "" for c in columns]
        yield f"| {row} | " + " | ".join(cells) + " |"


def text() -> str:
    """The document."""
    lines = [
        "# Variants that meet",
        "",
        (
            "Written from `tests/data/combinations.yaml` by `python tools/regenerate.py`; every "
            "entry is a test."
        ),
        (
            "`+`: they combine, and deals are played, settled and counted under both. `own`: the "
            "profile names the plugin"
        ),
        (
            "itself. A code: they are refused, for the reason and by the source given below. A "
            "plugin is added to any"
        ),
        "profile by its name, as in `quadrille compare quadrille-laws quadrille-laws+multiplier`.",
        "",
        "## Plugins with plugins",
        "",
        "At a plain table of alliance and solo (`tests/data/plain-table.yaml`), in either order.",
        "",
        *_table(PLUGINS, PLUGINS),
        "",
        "## Plugins with profiles",
        "",
        *_table(PLUGINS, PROFILES),
        "",
        "## What comes of it",
        "",
    ]
    lines += [f"- **{p['of'][0]} and {p['of'][1]}.** {p['says']}" for p in PAIRS if "says" in p]
    lines += ["", "With parameters, or settled by hand:", ""]
    lines += [f"- `{f['rules']}`: {f['says']}" for f in FURTHER if "says" in f]
    lines += ["", "## Refused", ""]
    refused = [(reference(p), p) for p in PAIRS if p.get("refused", "Q504") != "Q504"]
    refused += [(f["rules"], f) for f in FURTHER if "refused" in f]
    lines += [
        f"- `{ref}` ({', '.join(codes(entry))}): {entry['because']}." for ref, entry in refused
    ]
    return "\n".join(lines) + "\n"
