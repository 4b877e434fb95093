"""The laws as a sheet: each with its kind, its text, the incidents it rules on and the rules it
concerns."""

from typing import Any, Final

from quadrille_plugins.ledger.laws import Law, Laws, TextChoice
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import plainly

COLUMNS: Final = ("law", "kind", "reading", "says", "incidents", "rules", "source")
KINDS: Final = {
    "engine": "the rules of play and payment keep it",
    "irregularity": "a person must rule on it: see `quadrille session ruling`",
    "claim": "what lapses unless it is asked for in time",
    "conduct": "manners, which stand in this sheet alone: neither the engine nor any payment "
    "knows them",
}
"""What each kind of law is to the product."""


def _incidents(law: Law) -> list[str]:
    return list(dict.fromkeys(c.incident for c in law.clauses))


def law_rows(laws: Laws, text: TextChoice) -> list[tuple[str, ...]]:
    """A row for each law, under ``COLUMNS``."""
    return [
        (
            law.label,
            law.kind,
            law.reading(text),
            law.says(text) + (f" No rule: {law.empty}." if law.empty and text == "literal" else ""),
            ", ".join(_incidents(law)),
            ", ".join(law.concerns),
            laws.cite(law.number),
        )
        for law in laws.laws
    ]


def laws_json(laws: Laws, text: TextChoice) -> list[dict[str, Any]]:
    """Each law as JSON data."""
    return [
        {
            "law": law.number,
            "kind": law.kind,
            "reading": law.reading(text),
            "says": law.says(text),
            **plainly(law, "literal", "corrupt", "empty"),
            "incidents": _incidents(law),
            "rules": list(law.concerns),
            "source": laws.cite(law.number),
        }
        for law in laws.laws
    ]


def law_blocks(laws: Laws, text: TextChoice) -> list[Block]:
    """The sheet: the laws, and what their kinds mean."""
    rows = law_rows(laws, text)
    found = dict.fromkeys(law.kind for law in laws.laws)
    return [
        Table("", COLUMNS[:4], tuple(r[:4] for r in rows)),
        Text("\n".join(f"{kind}: {KINDS[kind]}" for kind in found)),
    ]
