"""The matrix of rules and texts: what is a text's own, what only fills its silence, and what other
programs read."""

import csv
import io
import itertools
import json
from functools import cache

import dendropy
import pytest
from lxml import etree
from quadrille_plugins.apparatus.graph import chart, dependencies, places
from quadrille_plugins.apparatus.matrix import STATES, Cell, matrix_of, shipped_texts
from quadrille_plugins.apparatus.nexus import LETTERS, nexus
from quadrille_plugins.apparatus.tei import collation
from quadrille_plugins.shell.main import run
from quadrille_plugins.witnesses.table import shelf
from teiphy import Collation

from quadrille_core.errors import UsageError
from quadrille_core.profile.records import Source
from quadrille_core.ruleset import compile_reference

UNREAD = ("silent", "inapplicable", "conjecture", "house", "lac")
LEAF = r"""kind: profile
id: leaf
title: A leaf of a book
extends: quadrille-laws
default_witness: leaf
sources:
  leaf:
    title: A leaf of a book
    pages: {seen: [p. 1, p. 3], known: 9}
    descends:
      - {from: wikipedia-old, how: copies, evidence: word for word}
      - {from: hoyle, how: translates, at: 'p\. [13]', places: its two pages, evidence: sentence by sentence}
      - {from: encyclopedie, how: conjecture, at: 'p\. 3', evidence: a turn of phrase}
witnesses:
  leaf: {source: leaf, silent: [call_trump]}
rules:
  payments: {premiers: 7}
cites:
  payments.premiers: {source: leaf, at: p. 1}
"""
"""A text of which two pages were read: one attests a rule and is silent on a point."""


@cache
def shipped():
    return matrix_of([compile_reference(ref) for ref in shipped_texts()])


def test_every_shipped_text_of_the_trick_games_is_there_once_for_each_witness():
    references = [t.reference for t in shipped().texts]
    assert {"quanti-1822@parlett", "quanti-1822@wikipedia"} < set(references)
    assert not any(
        ref.startswith(("contradance", "royal-quadrille", "captive-queens")) for ref in references
    )
    assert len({t.name for t in shipped().texts}) == len(references) == len(set(references))


def test_a_cell_is_what_the_rule_set_has_with_its_status():
    for place, text in enumerate(shipped().texts):
        origins = compile_reference(text.reference).origins
        for path, cells in shipped().rows.items():
            cell = cells[place]
            assert cell.state in STATES
            if path in origins:
                assert (cell.state, cell.value) == (origins[path].status, origins[path].value)
            else:
                assert cell == Cell("inapplicable")


def house(tmp_path, name, rules, cites=""):
    path = tmp_path / f"{name}.yaml"
    path.write_text(
        f"kind: profile\nid: {name}\ntitle: {name}\nextends: "
        f"quadrille-laws\nrules:\n{rules}{cites}",
        encoding="utf-8",
    )
    return compile_reference(str(path))


CITED = "cites:\n  payments.premiers: {source: american-hoyle, at: here}\n"
SILENT = "cites:\n  payments.premiers: {source: wikipedia-old, status: silent, filled: a guess}\n"


@pytest.mark.parametrize(("cites", "differ"), [(CITED, 1), (SILENT, 0)])
def test_what_fills_a_silence_makes_no_difference_between_texts(tmp_path, cites, differ):
    changed = house(tmp_path, "changed", "  payments: {premiers: 7}\n", cites)
    matrix = matrix_of([compile_reference("quadrille-laws"), changed])
    assert ("payments.premiers" in matrix.variant()) == bool(differ)
    (distance,) = matrix.distances()
    assert distance.differ == differ
    assert distance.both + distance.missing == len(matrix.rows)


def test_the_same_items_in_another_order_are_the_same():
    assert Cell("attested", ["premium", "vole"]).text == Cell("attested", ["vole", "premium"]).text


def test_distances_count_only_rules_of_which_both_speak():
    names = [t.name for t in shipped().texts]
    for distance in shipped().distances():
        a, b = (names.index(name) for name in distance.texts)
        both = [row for row in shipped().rows.values() if row[a].speaks and row[b].speaks]
        assert distance.both == len(both)
        assert distance.differ == sum(row[a].text != row[b].text for row in both)


def test_nexus_as_an_independent_program_reads_it():
    read = dendropy.StandardCharacterMatrix.get(data=nexus(shipped()), schema="nexus")
    variant = shipped().variant()
    assert [taxon.label for taxon in read.taxon_namespace] == [t.name for t in shipped().texts]
    assert read.max_sequence_size == len(variant)
    for place, taxon in enumerate(read.taxon_namespace):
        row = read[taxon].symbols_as_list()
        for symbol, cells in zip(row, variant.values(), strict=True):
            values = list(dict.fromkeys(c.text for c in cells if c.speaks))
            cell = cells[place]
            own = (
                str(values.index(cell.text))
                if cell.speaks
                else "-"
                if cell.state == "inapplicable"
                else "?"
            )
            assert symbol == own


@pytest.fixture
def with_leaf(tmp_path):
    """Three texts, one of them read in part."""
    path = tmp_path / "leaf.yaml"
    path.write_text(LEAF, encoding="utf-8")
    refs = [str(path), "quadrille-laws", "quanti-1822@parlett"]
    return refs, matrix_of([compile_reference(ref) for ref in refs])


def states_of_first(matrix):
    return {path: cells[0].state for path, cells in matrix.variant().items()}


def test_the_states_of_a_text_read_in_part_stay_apart_in_every_format(with_leaf, capsys):
    """Attested, silent, unseen and inapplicable: in the cells, the table, CSV, the block of NEXUS
    and TEI."""
    refs, matrix = with_leaf
    told = states_of_first(matrix)
    assert told["payments.premiers"] == "attested"
    assert {"attested", "unseen"} <= set(told.values())
    assert matrix.rows["bids.alliance.call.trump_suit"][0].state == "silent"
    assert {"attested", "silent", "unseen", "inapplicable"} <= set(matrix.counts())
    assert run(["apparatus", "--collate", *refs]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "pages seen: 2 of 9 known" in text
    assert f"[unseen]{matrix.texts[0].name}" in "".join(text.split())
    assert "leaf copies wikipedia-old: word for word" in text
    assert "leaf translates hoyle (its two pages): sentence by sentence" in text
    assert "leaf descends, by conjecture, from encyclopedie (in part): a turn of phrase" in text
    assert run(["apparatus", "--collate", *refs, "--all", "--format", "csv"]) == 0
    heading, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    column = heading.index(f"{matrix.texts[0].name} state")
    assert {row[0]: row[column] for row in rows} == {
        path: cells[0].state for path, cells in matrix.rows.items()
    }


def test_a_block_of_nexus_says_why_a_text_does_not_speak_and_others_pass_over_it(with_leaf):
    """A letter for each cell; the matrix itself has ? and - alone, as the format has no more."""
    _, matrix = with_leaf
    text = nexus(matrix)
    read = dendropy.StandardCharacterMatrix.get(data=text, schema="nexus")
    assert len(read) == 3
    block = text.split("BEGIN QUADRILLE;")[1].split("STATES\n")[1].splitlines()
    letters = [LETTERS[state] for state in states_of_first(matrix).values()]
    assert list(block[0].split()[-1]) == letters
    for symbol, letter in zip(read[0].symbols_as_list(), letters, strict=True):
        assert (
            symbol == "-"
            if letter == "x"
            else symbol == "?"
            if letter in "suc"
            else symbol not in "?-"
        )


def test_teiphy_reads_the_states_of_more_than_two_witnesses_as_missing_data(with_leaf):
    """What is unseen is a lacuna, what is silent or inapplicable a reading of that type; none
    supports a value."""
    _, matrix = with_leaf
    root = etree.fromstring(collation(matrix).encode())
    spaces = {"t": "http://www.tei-c.org/ns/1.0", "xml": "http://www.w3.org/XML/1998/namespace"}
    for path, cells in matrix.variant().items():
        for number, cell in enumerate(cells, 1):
            (own,) = (
                r
                for r in root.findall(f".//t:app[@xml:id='rule.{path}']/t:rdg", spaces)
                if f"#w{number}" in r.get("wit").split()
            )
            wanted = None if cell.speaks else "lac" if cell.state == "unseen" else cell.state
            assert own.get("type") == wanted
            assert (own.find("t:lacunaStart", spaces) is not None) == (cell.state == "unseen")
    found = Collation(etree.ElementTree(root), missing_reading_types=list(UNREAD))
    table, witnesses, points = found.to_nexus_table()
    assert len(witnesses) == 3
    for path, state in zip(points, table[witnesses.index("w1")], strict=True):
        cell = matrix.variant()[path.removeprefix("rule.")][0]
        assert (state == "?") == (not cell.speaks)


def test_the_collation_is_shaped_as_tei_asks(with_leaf):
    """Entries stand in a block, and a list of what is declared in a paragraph."""
    root = etree.fromstring(collation(with_leaf[1]).encode())
    tei = {"t": "http://www.tei-c.org/ns/1.0"}
    for parent, child in (("body", "ab"), ("editorialDecl", "p")):
        assert {etree.QName(e).localname for e in root.find(f".//t:{parent}", tei)} == {child}


def test_the_witnesses_of_the_tei_say_how_many_pages_were_seen(with_leaf):
    """Each witness that was read in part has a note of type pages, and no other; teiphy reads them
    all."""
    _, matrix = with_leaf
    root = etree.fromstring(collation(matrix).encode())
    spaces = {"t": "http://www.tei-c.org/ns/1.0"}
    notes = [
        w.findtext("t:note[@type='pages']", namespaces=spaces)
        for w in root.findall(".//t:witness", spaces)
    ]
    assert notes == ["pages seen: 2 of 9 known", None, None]
    found = Collation(etree.ElementTree(root), missing_reading_types=list(UNREAD))
    assert [w.id for w in found.witnesses] == ["w1", "w2", "w3"]


def test_the_graph_has_the_documented_dependencies_and_no_others(with_leaf, tmp_path, capsys):
    """An edge is what the bibliography records; two texts of the same rules are joined by none."""
    refs, matrix = with_leaf
    edges = dependencies(matrix.sources, matrix.shelf)
    recorded = {(s.id, d["from"]) for s in matrix.shelf.values() for d in s.descends}
    recorded |= {(s.id, s.of) for s in matrix.shelf.values() if s.of}
    assert {(e.text, e.source) for e in edges} <= recorded
    assert ("leaf", "wikipedia-old") in {(e.text, e.source) for e in edges}
    at = places(matrix.sources, edges)
    assert len(set(at.values())) == len(at)
    assert all(at[e.source][1] < at[e.text][1] for e in edges)
    first, second = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in (first, second):
        assert run(["apparatus", "--collate", *refs, "--graph", str(path)]) == 0
    assert first.read_bytes() == second.read_bytes()
    words = {
        "".join(e.itertext())
        for e in etree.parse(str(first)).iter("{http://www.w3.org/2000/svg}text")
    }
    assert set(at) <= words
    capsys.readouterr()


def test_texts_of_the_same_rules_are_not_joined():
    """Two texts without a recorded descent have no edge, however alike."""
    shelf = {"a": Source(id="a", title="a"), "b": Source(id="b", title="b")}
    assert dependencies(["a", "b"], shelf) == []


def test_the_answer_counts_what_the_json_has(capsys):
    assert run(["apparatus", "--collate", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert run(["apparatus", "--collate"]) == 0
    answer = " ".join(capsys.readouterr().out.split("\n\n")[0].split())
    assert f"{len(data['rules'])} differ" in answer
    assert list(data["rules"]) == list(shipped().variant())
    assert set(data["states"]) == set(STATES)


def test_csv_has_a_value_and_a_state_for_each_text(capsys):
    assert (
        run(["apparatus", "--collate", "quadrille-laws", "quintille", "--all", "--format", "csv"])
        == 0
    )
    heading, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert heading == [
        "rule",
        "quadrille-laws",
        "quadrille-laws state",
        "quintille",
        "quintille state",
    ]
    players = next(row for row in rows if row[0] == "table.players")
    assert players[1:] == ["4", "attested", "5", "attested"]


@pytest.mark.parametrize("refs", [["quadrille-laws"], ["quadrille-laws", "contradance"]])
def test_one_text_and_other_games_are_refused(refs, capsys):
    assert run(["apparatus", "--collate", *refs]) == 2
    assert "Q802" in capsys.readouterr().err


def test_more_values_than_nexus_has_symbols_are_refused(monkeypatch):
    monkeypatch.setattr("quadrille_plugins.apparatus.nexus.SYMBOLS", "0")
    with pytest.raises(UsageError, match="NEXUS has symbols for 1"):
        nexus(shipped())


def test_every_box_of_the_graph_holds_its_label_and_touches_no_other():
    """The year of a label ran over its frame, and long names over their neighbours."""
    texts = list(shelf())
    drawn = chart(texts, dependencies(texts, shelf()), shelf())
    boxes = next(
        layer["data"]["values"] for layer in drawn["layer"] if "label" in layer["data"]["values"][0]
    )
    for box in boxes:
        assert box["right"] - box["left"] >= 7 * len(box["label"]), box["label"]
    for row in {box["y"] for box in boxes}:
        beside = sorted((b for b in boxes if b["y"] == row), key=lambda b: b["left"])
        assert all(left["right"] < right["left"] for left, right in itertools.pairwise(beside))
