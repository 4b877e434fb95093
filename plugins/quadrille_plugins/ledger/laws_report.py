"""The laws as a sheet: each with its kind, its text, the incidents it rules on and the rules it
concerns."""

from collections.abc import Mapping
from typing import Any, Final

from quadrille_plugins.ledger.law_kept import Kept
from quadrille_plugins.ledger.laws import Law, Laws, TextChoice
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import plainly

COLUMNS: Final = ("law", "kind", "reading", "kept", "says", "incidents", "rules", "source")
KINDS: Final = {
    "engine": "a matter of the rules of play and payment",
    "irregularity": "a person must rule on it: see `quadrille session ruling`",
    "claim": "what lapses unless it is asked for in time",
    "conduct": "manners, which stand in this sheet alone: neither the engine nor any payment "
    "knows them",
}
"""What each kind of law is to the product."""


def _incidents(law: Law) -> list[str]:
    return list(dict.fromkeys(c.incident for c in law.clauses))


def _word(kept: Kept | None) -> str:
    """Whether a law is kept, and if not, the readings by which it would be."""
    if kept is None or kept.kept is None:
        return ""
    under = (", ".join(f"{p}={r}" for p, r in one.items()) for one in kept.under)
    return "yes" if kept.kept else "; ".join(("no", *(f"by {one}" for one in under)))


def law_rows(laws: Laws, text: TextChoice, kept: Mapping[int | str, Kept]) -> list[tuple[str, ...]]:
    """A row for each law, under ``COLUMNS``."""
    return [
        (
            law.label,
            law.kind,
            law.reading(text),
            _word(kept.get(law.number)),
            law.says(text) + (f" No rule: {law.empty}." if law.empty and text == "literal" else ""),
            ", ".join(_incidents(law)),
            ", ".join(law.concerns),
            laws.cite(law.number),
        )
        for law in laws.laws
    ]


def laws_json(laws: Laws, text: TextChoice, kept: Mapping[int | str, Kept]) -> list[dict[str, Any]]:
    """Each law as JSON data."""
    return [
        {
            "law": law.number,
            "kind": law.kind,
            "reading": law.reading(text),
            **plainly(kept.get(law.number, Kept()), "kept", "under"),
            "says": law.says(text),
            **plainly(law, "literal", "corrupt", "empty"),
            "incidents": _incidents(law),
            "rules": list(law.concerns),
            "source": laws.cite(law.number),
        }
        for law in laws.laws
    ]


def law_blocks(laws: Laws, text: TextChoice, kept: Mapping[int | str, Kept]) -> list[Block]:
    """The sheet: the laws, and what their kinds mean."""
    rows = law_rows(laws, text, kept)
    found = dict.fromkeys(law.kind for law in laws.laws)
    return [
        Table("", COLUMNS[:5], tuple(r[:5] for r in rows)),
        Text(
            "\n".join(f"{kind}: {KINDS[kind]}" for kind in found)
            + "\nkept: whether these rules keep it, and by which readings they would"
        ),
    ]
