"""Every sentence of every text has its rule, reading and test; every rule its passages, or a mark
that it has none."""

import copy

import jsonschema
import passages
import pytest
import sources_table
from support.data import cases

from quadrille_core import resources
from quadrille_core.profile import load_bibliography, load_file

TEXTS = passages.texts()


def test_every_sentence_and_every_rule_has_its_counterpart():
    assert list(passages.faults(TEXTS)) == []


def test_every_text_at_hand_is_listed():
    sources = load_bibliography(resources.bibliography())
    whole = {
        s.id
        for s in sources.values()
        if s.kind == "secondary" and not s.pages and "Known here only" not in s.note
    }
    assert {t.source for t in TEXTS if not sources[t.source].pages} == whole


def test_no_row_of_the_page_lists_a_value_twice():
    """One value may bear out two readings of a sentence; it is shown once."""
    rows = [line for line in sources_table.page().splitlines() if line.startswith("| <a id=")]
    told = [
        [part for part in row.split(" | ")[2].split("<br>") if part.startswith("`")] for row in rows
    ]
    assert sum(map(len, told)) > 500
    assert [values for values in told if len(set(values)) < len(values)] == []


def text_with(change):
    """The older article's passages after a change, and what is then wrong with them alone."""
    raw = copy.deepcopy(load_file(passages.FOLDER / "wikipedia-old.yaml").to_plain())
    change(raw)
    text = passages.parse(raw)
    return [*passages.sentence_faults((text,)), *passages.citation_faults((text,))]


def passage(raw, section, s):
    """One passage of the raw file."""
    block = next(b for b in raw["sections"] if b["at"] == section)
    return block, next(p for p in block["passages"] if p["s"] == s)


def drop(raw, section, s):
    block, found = passage(raw, section, s)
    block["passages"].remove(found)


def put(raw, section, sentence, **changes):
    passage(raw, section, sentence)[1].update(changes)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda r: drop(r, "opening", 2), "wikipedia-old: opening: sentence 2 is not spoken of"),
        (
            lambda r: put(r, "opening", 8, s=9),
            "wikipedia-old: opening: sentence 9 is beyond the 8 there are",
        ),
        (
            lambda r: put(r, "opening", 2, sets={"table.purse": 41}),
            "wikipedia-old: opening, sentence 2: quadrille-laws: table.purse is 40, not 41",
        ),
        (
            lambda r: put(r, "opening", 2, sets={"table.purses": 40}),
            "wikipedia-old: opening, sentence 2: quadrille-laws: there is no rule table.purses",
        ),
        (
            lambda r: put(r, "opening", 3, reading={"red_plain_ace": "nowhere"}),
            (
                "wikipedia-old: opening, sentence 3: quadrille-laws --reading "
                "red_plain_ace=nowhere: point 'red_plain_ace' has no reading 'nowhere'"
            ),
        ),
        (
            lambda r: put(r, "opening", 2, reading={"red_plain_ace": "top"}),
            (
                "wikipedia-old: opening, sentence 2: quadrille-laws --reading red_plain_ace=top: "
                "reading red_plain_ace=top sets none of these rules"
            ),
        ),
        (
            lambda r: put(r, "opening", 2, rules="quadrille-modern"),
            (
                "wikipedia-old: opening, sentence 2: quadrille-modern: table.purse does not cite "
                "wikipedia-old but: modern-page: opening"
            ),
        ),
        (
            lambda r: put(r, "opening", 2, tests=["test_of_nothing"]),
            "wikipedia-old: opening, sentence 2: no test is named 'test_of_nothing'",
        ),
        (
            lambda r: put(r, "opening", 4, fixed=["engine/ranking.py::trump_order"]),
            "wikipedia-old: opening, sentence 4: there is no engine/ranking.py::trump_order",
        ),
        (
            lambda r: put(r, "Laws of the game", 2, law=31),
            "wikipedia-old: L2: no law 31 is kept of this text",
        ),
        (
            lambda r: put(r, "the deal", 1, sets={"table.players": 4}),
            (
                "wikipedia-old: table.session_multiple is said to be attested (the deal), and no "
                "passage bears on it"
            ),
        ),
        (
            lambda r: next(b for b in r["sections"] if b["at"] == "play of the hand").update(
                at="the play"
            ),
            "wikipedia-old: a rule cites 'play of the hand', which is no section of it",
        ),
    ],
)
def test_what_does_not_hold_is_found(change, fault):
    assert fault in text_with(change)


@cases("sources")
def test_a_sentence_has_a_rule_with_a_test_or_a_reason_why_it_is_no_rule(entry):
    with pytest.raises(jsonschema.ValidationError):
        passages.parse(
            {
                "source": "parlett",
                "sections": [{"at": "opening", "sentences": 1, "passages": [entry]}],
            }
        )


def test_a_rule_that_rests_on_nothing_is_found(monkeypatch):
    excused = sorted(passages.without_source())
    assert "forcing.exceptions" in excused
    monkeypatch.setattr(passages, "without_source", dict)
    rests = "rests on no passage and is marked neither house nor conjecture nor silent"
    assert sorted(passages.leaf_faults(TEXTS)) == [f"{pattern} {rests}" for pattern in excused]


def test_a_reason_that_no_rule_needs_is_found(monkeypatch):
    reasons = {**passages.without_source(), "table.players": {}, "table.chairs": {}}
    monkeypatch.setattr(passages, "without_source", lambda: reasons)
    assert list(passages.leaf_faults(TEXTS)) == [
        "table.players has a source or a mark, and stands in without-source.yaml",
        "without-source.yaml speaks of table.chairs, and there is no such rule",
    ]
