"""The data that the program reads besides profiles: each file has a schema, and errors are told as
of profiles."""

from pathlib import Path

import pytest
from support.data import cases

from quadrille_core import resources
from quadrille_core.profile import load_file, load_text, validate

ROOT = Path(__file__).parents[2]
WITNESSES = ROOT / "variants" / "witnesses"
SLICES = ROOT / "plugins" / "quadrille_plugins"
FINDING = SLICES / "lookup"
DATA = {
    WITNESSES / "facts.yaml": "facts",
    WITNESSES / "points.yaml": "witnesses",
    FINDING / "meanings.yaml": "meanings",
    SLICES / "dealing" / "columns.yaml": "columns",
    SLICES / "ledger" / "words.yaml": "words",
    **dict.fromkeys(resources.laws().values(), "laws"),
    **dict.fromkeys(resources.evidence().values(), "evidence"),
    **dict.fromkeys((ROOT / "variants").glob("*.yaml"), "profile"),
    resources.bibliography(): "bibliography",
    resources.glossary(): "glossary",
}
"""Every file of data, and its schema; passages have theirs in the tests."""
HEAD = "kind: facts\nreasons: {}\n"


@pytest.mark.parametrize("path", DATA, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_every_file_of_data_is_as_its_schema_has_it(path: Path) -> None:
    assert [p.render() for p in validate(load_file(path), DATA[path])] == []


def test_no_file_of_data_has_no_schema() -> None:
    """A new file is noticed."""
    found = {p for folder in ("variants", "plugins") for p in (ROOT / folder).rglob("*.yaml")}
    assert {p for p in found - set(DATA) if p.parent.name != "passages"} == set()


@cases("data_schemas")
def test_an_error_in_data_is_told_in_words_at_its_place(
    kind: str, text: str, said: list[str]
) -> None:
    problems = validate(load_text(text, "test"), kind)
    assert said in [[p.code, p.message] for p in problems]
    assert all(p.place is not None for p in problems)
