"""``--cite``: a table ends with how to cite it, where that is asked for."""

import re

import pytest
from support.plugin import SOLO

RESULT = {"rules": "quanti-1822@parlett", **SOLO, "matadors": 3, "premiers": True, "vole": "none"}
ASKED = (
    ("settle", "RESULT"),
    ("show", "quanti-1822@parlett"),
    ("explain", "quanti-1822@parlett", "payments.premium.solo"),
    ("explain", "quanti-1822@parlett", "ponto"),
    ("apparatus", "quanti-1822@parlett", "ponto"),
)


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_a_table_ends_with_how_to_cite_it_where_that_is_asked_for(
    asked, quadrille, write, monkeypatch
):
    """The rule set with its digest, the program and the date; without the option nothing of it;
    JSON is as it was."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    asked = [write(RESULT) if part == "RESULT" else part for part in asked]
    _, plain, _ = quadrille(*asked)
    _, out, _ = quadrille(*asked, "--cite")
    last = " ".join(out.removeprefix(plain.rstrip("\n")).split())
    assert re.fullmatch(
        rf"To cite this: Quadrille \S+ \(\w+\), {asked[0]} quanti-1822@parlett#[0-9a-f]{{12}}; "
        rf"2026-01-01\.",
        last,
    )
    assert quadrille(*asked, "--format", "json", "--cite") == quadrille(*asked, "--format", "json")


@pytest.mark.parametrize(
    ("ref", "named"),
    [("quanti-1822@parlett", "quanti-1822@parlett"), ("captive-queens", "captive-queens")],
)
def test_a_replay_is_cited_too(ref, named, quadrille, tmp_path, monkeypatch):
    """Also that of a patience; without the option nothing of it."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    record = tmp_path / "record.json"
    record.write_text(quadrille("deal", ref, "--format", "json")[1])
    status, plain, _ = quadrille("deal", "--replay", str(record))
    out = quadrille("deal", "--replay", str(record), "--cite")[1]
    assert status == 0
    last = " ".join(out.removeprefix(plain.rstrip("\n")).split())
    assert re.fullmatch(
        rf"To cite this: Quadrille \S+ \(\w+\), deal --replay {named}\S*#[0-9a-f]{{12}}; "
        rf"2026-01-01\.",
        last,
    )


def test_without_a_rule_set_the_program_is_cited(quadrille):
    """A word of the glossary belongs to none."""
    assert re.search(
        r"To cite this: Quadrille \S+ \(\w+\), explain; ",
        quadrille("explain", "term:codille", "--cite")[1],
    )
