"""The page ``docs/glossary.md``: ``python tools/regenerate.py`` writes it anew from the glossary of
the product."""

from pathlib import Path

from quadrille_plugins.lookup.glossary import Term, glossary

FILE = Path(__file__).resolve().parent.parent / "docs" / "glossary.md"
HEAD = """# Glossary

`quadrille explain WORD` says the same at the command line, and what the word touches. This page is written by
`python tools/regenerate.py` from `variants/glossary.yaml`.

## Words of the studies

| word | meaning |
|---|---|
"""
GAME = """
## Words of the game

In our words; the texts named use the word in that place.

| word | meaning | texts |
|---|---|---|
"""
FOOT = """
Where a rule comes from, `quadrille explain REF PATH` says; every rule's values and their meanings stand in
[rules/](rules/README.md).
"""


def page() -> str:
    """The whole page."""
    terms = glossary().values()
    studies = [f"| {_name(t)} | {t.means} |\n" for t in terms if t.field == "studies"]
    game = [f"| {_name(t)} | {t.means} | {_texts(t)} |\n" for t in terms if t.field == "game"]
    return HEAD + "".join(studies) + GAME + "".join(game) + FOOT


def _name(term: Term) -> str:
    return f"{term.name} ({', '.join(term.also)})" if term.also else term.name


def _texts(term: Term) -> str:
    return "; ".join(f"{source}: {at}" for source, at in term.sources)
