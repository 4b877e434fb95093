"""The laws as a sheet: each with its kind, its text, the incidents it rules on and the rules it
concerns."""

from typing import Any, Final

from quadrille_core import resources
from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.reference import shipped_profile
from quadrille_plugins.ledger.laws import Law, Laws, TextChoice, load_laws
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.options import yaml_text
from quadrille_plugins.shell.values import identity_to_plain, plainly

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
    listed = {laws.source: laws_json(laws, "emended") for laws in printed}
    return Answer(
        blocks=lambda: [
            b
            for laws in printed
            for b in (Text(f"laws of {laws.source}", strong=True), *law_blocks(laws, "emended"))
        ],
        data=lambda: {"rules": identity_to_plain(compiled.identity), "laws": listed},
        rows=lambda: (COLUMNS, [row for laws in printed for row in law_rows(laws, "emended")]),
        texts={"yaml": lambda: yaml_text({"laws": listed})},
    )
