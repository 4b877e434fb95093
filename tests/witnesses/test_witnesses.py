"""The period texts: the table of witnesses, the facts and what became of each, and lines of
tradition."""

import csv
import io
import json
import re
from collections import Counter
from importlib import import_module

import pytest
from quadrille_plugins.apparatus import model
from quadrille_plugins.witnesses.lines import ancestry, elsewhere_text, lines_of
from quadrille_plugins.witnesses.table import MARKS, SPEAKS, bearing_out, facts, questions, shelf
from support.data import cases

from quadrille_core import resources
from quadrille_core.cards import card_of
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.ranking import matadors
from quadrille_core.profile import load_file
from quadrille_core.profile.document import load_profile
from quadrille_core.profile.records import Source
from quadrille_core.ruleset import compile_reference

# --- the data ---------------------------------------------------------------------------------

NUMBERED = {1: 45, 2: 13, 3: 8, 4: 18, 5: 4, 6: 3, 7: 3, 8: 3, 9: 3}
"""How many facts each witness has: none may be left out of the list."""
STATES = {"represented", "table", "refused", "not encoded"}


def test_the_list_has_every_fact_of_every_witness_once():
    """Numbers run from one without a gap."""
    found = Counter(int(number[1:].partition(".")[0]) for number in facts())
    assert found == NUMBERED
    assert set(facts()) == {f"W{w}.{n}" for w, many in NUMBERED.items() for n in range(1, many + 1)}


@pytest.mark.parametrize("number", list(facts()))
def test_each_fact_is_represented_refused_or_marked_with_its_reason(number):
    """What is represented names something that exists and has the value; what is not says why."""
    fact = facts()[number]
    assert fact.state in STATES
    assert fact.source in shelf()
    assert fact.at
    cited = [q.id for q in questions() for cell in q.cells if number in cell.facts]
    if fact.state == "table":
        assert cited, "a fact of the table is cited by a cell of it"
        assert fact.why, "and says why no rule has it"
    elif fact.state == "represented":
        assert fact.places
        for place in fact.places:
            held(place, fact.source)
    else:
        assert fact.why
        assert not fact.places


def held(place, source):
    """Hold that what is said to represent a fact is there."""
    if "evidence" in place:
        data = load_file(resources.evidence()[place["evidence"]]).to_plain()
        assert place["piece"] in {piece["id"] for piece in data["evidence"]}
    elif "law" in place:
        data = load_file(resources.laws()[source]).to_plain()
        assert str(place["law"]) in {str(law["law"]) for law in data["laws"]}
    elif "fixed" in place:
        module, _, name = place["fixed"].partition("::")
        assert hasattr(
            import_module("quadrille_core." + module.removesuffix(".py").replace("/", ".")), name
        )
    else:
        origin = compile_reference(place["profile"], readings=place.get("readings")).origins[
            place["rule"]
        ]
        assert origin.value == place["is"], place
        assert source in {cite.source for cite in origin.link.citations}, (
            "the rule set cites the text for it"
        )


@pytest.mark.parametrize("trump", range(4))
def test_what_every_rule_set_plays_by_is_as_the_fact_says(trump):
    """W1.2: three matadors; W1.6: who cannot follow suit may play any card."""
    assert len(matadors(trump)) == 3
    rules = compile_reference("academie").ruleset.rules
    led, other, third = (s for s in range(4) if s != trump)
    hand = tuple(card_of(s, r) for s, r in ((other, "K"), (third, "K"), (trump, "5")))
    assert set(follow(rules.forcing, trump).legal(hand, (card_of(led, "K"),))) == set(hand)


def test_every_cell_cites_facts_and_bears_out_readings_that_there_are():
    """A text that speaks cites a fact; a reading that it bears out is one of a shipped profile."""
    readings: dict[str, set[str]] = {}
    for path in resources.shipped_profiles().values():
        for point in load_profile(path, validate=False).points:
            readings.setdefault(point.id, set()).update(r.id for r in point.readings)
    assert [q.id for q in questions()] == [f"A{n:02}" for n in range(1, 69)]
    for question in questions():
        for cell in question.cells:
            assert cell.text in shelf()
            assert cell.state in MARKS
            assert bool(cell.facts) == (cell.state in SPEAKS)
            assert set(cell.facts) <= set(facts())
            assert bool(cell.says) == (cell.state != "unseen")
            for point, reading in cell.readings.items():
                assert reading in readings[point], (question.id, cell.text)


def test_every_descent_leads_to_a_text_of_the_bibliography_and_none_back():
    """No text descends from itself."""
    for source in shelf().values():
        for descent in source.descends:
            assert descent["from"] in shelf()
            assert source.id not in ancestry(descent["from"], "", shelf())
            assert ("places" in descent) == ("at" in descent)  # a pattern is told in words


# --- lines ------------------------------------------------------------------------------------


def book(name, *descends, **more):
    return Source(id=name, title=name, descends=tuple(descends), **more)


SHELF = {
    s.id: s
    for s in (
        book("trunk"),
        book("copy", {"from": "trunk", "how": "copies", "evidence": "x", "at": "body"}),
        book("translation", {"from": "copy", "how": "translates", "evidence": "x"}),
        book("other"),
        book("lost", via="report"),
        book("report", of="lost"),
        book("second-report", of="lost"),
        book(
            "both",
            {"from": "trunk", "how": "copies", "evidence": "x"},
            {"from": "other", "how": "copies", "evidence": "x"},
        ),
    )
}


@cases("witnesses")
def test_a_descendant_is_no_second_vote(named, lines):
    """Copies and translations, and reports of one text, are one line; but only at the places that
    descend."""
    assert [list(line) for line in lines_of(named, SHELF)] == lines


@pytest.mark.parametrize(
    ("at", "place", "descends"),
    [
        ("(", "p. (1)", True),
        ("(", "p. 1", False),
        ("(a+)+X", "a" * 200, False),
        ("p. 6[0-9]|law", "p. 64, sentence 2", True),
        ("p. 6[0-9]|law", "law 12", True),
        ("p. 6[0-9]|law", "p. 6", False),
        ("p. 48", "p. 148", False),
        ("p. 4", "pa 4", False),
    ],
)
def test_the_places_of_a_descent_are_no_expression(at, place, descends):
    """A part stands in the place as it is, but for a shell's wildcards: no text of a user's fails
    or goes on for ever."""
    leaf = book("leaf", {"from": "trunk", "how": "copies", "evidence": "x", "at": at})
    assert ("trunk" in ancestry("leaf", place, SHELF | {"leaf": leaf})) == descends


def test_what_a_witness_of_the_reading_copied_from_is_no_vote_for_it():
    """The count is of lines other than the witness's own."""
    said = elsewhere_text([("trunk", ""), ("other", "")], [("copy", "body")], SHELF)
    assert said == "elsewhere: 1 independent line (other); in the line of its witness: trunk"
    assert elsewhere_text([], [("copy", "")], SHELF) == ""


def test_the_copies_and_translations_of_one_french_book_are_one_vote():
    """The trunk, its copy and its translations agree, and count once; a tariff of the copy's own
    counts for itself."""
    four = [
        ("academie-universelle", "b 16"),
        ("encyclopedie", "Quadrille, 13:644"),
        ("necessary-calculations", "p. 61"),
        ("american-hoyle", "JTQF 77"),
    ]
    assert len(lines_of(four, shelf())) == 1
    assert (
        len(
            lines_of(
                [
                    ("academie-universelle", "b 16"),
                    ("encyclopedie", "Médiateur, 10:295"),
                    ("hoyle", "p. 282"),
                ],
                shelf(),
            )
        )
        == 3
    )
    assert len(lines_of([("wikipedia-old", "L13"), ("hoyle", "laws 12, 23, 24")], shelf())) == 1
    assert len(lines_of([("wikipedia-old", "the auction"), ("hoyle", "law 12")], shelf())) == 2
    assert len(lines_of([("parlett", ""), ("wikipedia-new", "")], shelf())) == 1


# --- the apparatus ----------------------------------------------------------------------------


def test_what_other_texts_do_stands_elsewhere_and_changes_no_point(monkeypatch):
    """Without the table every point has the same readings, witnesses and absences; with it, more
    sources elsewhere."""
    compiled = compile_reference("quadrille-laws")
    whole = model.apparatus_of(compiled)
    (point,) = model.apparatus_of(compiled, ["queen_when"]).points
    (four,) = (r for r in point.readings if r.id == "four_kings")
    assert {"academie-universelle", "necessary-calculations", "hoyle"} <= {
        name for name, _ in four.elsewhere
    }
    monkeypatch.setattr(model, "bearing_out", lambda point, reading: ())
    bare = model.apparatus_of(compiled)
    for one, other in zip(whole.points, bare.points, strict=True):
        assert (one.id, one.because, one.silences) == (other.id, other.because, other.silences)
        for mine, theirs in zip(one.readings, other.readings, strict=True):
            assert (mine.id, mine.sets, mine.attested, mine.status) == (
                theirs.id,
                theirs.sets,
                theirs.attested,
                theirs.status,
            )
            assert set(theirs.elsewhere) <= set(mine.elsewhere)


def test_the_apparatus_counts_independent_lines(quadrille):
    """The trunk and its translation are one line; the laws that the witness copies are none."""
    text = " ".join(quadrille("apparatus", "quadrille-laws", "--point", "queen_when")[1].split())
    own = "in the line of its witness: hoyle"
    assert (
        f"elsewhere: 1 independent line (academie-universelle, necessary-calculations); {own}"
        in text
    )


# --- the command ------------------------------------------------------------------------------


def test_the_table_has_a_mark_for_each_text_and_the_number_of_lines(quadrille):
    """A row for each question; JSON and CSV have every cell, the states apart."""
    status, text, _ = quadrille("list", "witnesses")
    assert status == 0
    assert all(f"{q.id} " in text for q in questions())
    data = json.loads(quadrille("list", "witnesses", "--format", "json")[1])
    rows = list(csv.DictReader(io.StringIO(quadrille("list", "witnesses", "--format", "csv")[1])))
    assert len(rows) == sum(len(one["texts"]) for one in data.values())
    states = {row["state"] for row in rows}
    assert states == set(MARKS)
    assert data["A18"]["texts"]["hoyle"]["state"] == "silent"
    assert data["A18"]["texts"]["encyclopedie"]["state"] == "unseen"
    assert data["A18"]["lines"] == [["academie-universelle", "necessary-calculations"]]


def test_a_question_and_a_fact_are_told_in_full(quadrille):
    """By their numbers; another name is refused with what is near."""
    _, text, _ = quadrille("list", "witnesses", "A18")
    assert "1 independent line: academie-universelle, necessary-calculations" in text
    assert "hoyle: silent" in text
    _, text, _ = quadrille("list", "witnesses", "W2.9")
    assert "encyclopedie, Médiateur, 10:295" in text
    status, _, err = quadrille("list", "witnesses", "A99")
    assert status == 2
    assert "A99" in err


def test_every_reading_that_the_table_bears_out_is_found_by_its_point():
    """The cells are looked up by point and reading."""
    assert {cell.text for cell in bearing_out("forced_by", "led")} >= {
        "academie-universelle",
        "hoyle",
    }
    assert list(bearing_out("forced_by", "played")) == []


def test_the_answer_comes_first_and_how_to_cite_it_last(quadrille):
    """A title stood there, which answered nothing."""
    table = " ".join(quadrille("list", "witnesses")[1].split())
    cells = json.loads(quadrille("list", "witnesses", "--format", "json")[1])
    several = sum(len(q["lines"]) > 1 for q in cells.values())
    assert table.startswith(
        f"Of {len(cells)} questions, {several} are answered by two or more independent lines of "
        "the "
    )
    assert "To cite this: Quadrille " in table
    lines = len(cells["A18"]["lines"])
    one = quadrille("list", "witnesses", "A18")[1]
    assert re.match(rf"\d+ of \d+ texts speak of A18, in {lines} independent line", one)
    assert re.search(
        r"\n\nTo cite this: Quadrille \S+ \(\w+\), list witnesses A18; [\d-]+\.\n$", one
    )
