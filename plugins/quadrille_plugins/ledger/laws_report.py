"""The laws as a sheet: each with its kind, its text, the incidents it rules on and the rules it
concerns."""

from collections.abc import Mapping
from typing import Any, Final

from quadrille_core import resources
from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.reference import shipped_profile
from quadrille_plugins.ledger.law_kept import Kept, kept_laws
from quadrille_plugins.ledger.laws import Law, Laws, TextChoice, load_laws
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.options import yaml_text
from quadrille_plugins.shell.values import identity_to_plain, plainly

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


def show_laws(compiled: Compiled) -> Answer:
    """The laws of the profile's sources, in every format."""
    codes = resources.laws()
    sources = dict.fromkeys(w.source for w in compiled.witnesses.values())
    printed = [load_laws(codes[s]) for s in sources if s in codes]
    if not printed:
        docs = {name: shipped_profile(path) for name, path in resources.shipped_profiles().items()}
        others = [
            name for name, doc in docs.items() if any(w.source in codes for w in doc.witnesses)
        ]
        raise UsageError.of(
            "no-laws-printed",
            profile=compiled.identity.profile,
            lists=[Command("show", (name,), (Option("laws"),)) for name in others],
        )
    kept = {laws.source: kept_laws(compiled, laws.source) for laws in printed}
    listed = {s.source: laws_json(s, "emended", kept[s.source]) for s in printed}
    return Answer(
        blocks=lambda: [
            b
            for laws in printed
            for b in (
                Text(f"laws of {laws.source}", strong=True),
                *law_blocks(laws, "emended", kept[laws.source]),
            )
        ],
        data=lambda: {"rules": identity_to_plain(compiled.identity), "laws": listed},
        rows=lambda: (
            COLUMNS,
            [row for s in printed for row in law_rows(s, "emended", kept[s.source])],
        ),
        texts={"yaml": lambda: yaml_text({"laws": listed})},
    )
