"""The apparatus as an independent program reads it: teiphy, which makes collations of TEI for
phylogenetics."""

import csv
from functools import cache

import pytest
from lxml import etree
from quadrille_plugins.apparatus.tei import UNSEEN, write
from quadrille_plugins.shell.main import run
from support.apparatus import RULE_SETS, made, trial
from teiphy import Collation
from teiphy.main import app
from typer.testing import CliRunner

ABSENT = ("silent", "lac", "inapplicable")
READ = [*RULE_SETS, *(pytest.param("quanti-1822", w, id=w) for w in ("a text", "a text@"))]
"""Every shipped rule set, and one with a text in a file of its own, followed or not."""


def of(name, witness):
    return made(name, witness and witness.replace("a text", str(trial())))


@cache
def collated(name, witness=None):
    root = etree.fromstring(write(of(name, witness)).encode())
    return Collation(etree.ElementTree(root), missing_reading_types=[*ABSENT])


def proper(apparatus):
    """The witnesses that are no testimonia: those only are collated; where there are none, the text
    that they report, of which nothing was seen."""
    found = [w.id for w in apparatus.witnesses if not w.testimonium]
    return found or [*dict.fromkeys(UNSEEN + w.testimonium for w in apparatus.witnesses)]


def own_readings(unit):
    """The readings of a unit but for those that stand for an absence, and for details of another
    reading."""
    return [r for r in unit.readings if r.type not in ABSENT and not r.targets]


@pytest.mark.parametrize(("name", "witness"), READ)
def test_it_finds_our_points_readings_and_witnesses_and_no_others(name, witness):
    apparatus = of(name, witness)
    found = collated(name, witness)
    assert [w.id for w in found.witnesses] == proper(apparatus)
    assert [u.id for u in found.variation_units] == [p.id for p in apparatus.points]
    for unit, point in zip(found.variation_units, apparatus.points, strict=True):
        assert [(r.id, r.text, r.wits) for r in own_readings(unit)] == [
            (
                f"{point.id}.{r.id}",
                r.text,
                [name for name, _ in r.attested if name in proper(apparatus)],
            )
            for r in point.readings
        ]
        assert [r.wits for r in unit.readings if r.type in ABSENT] == [
            [s.witness] if s.witness in proper(apparatus) else [] for s in point.silences
        ] + [[name] for name in proper(apparatus) if name.startswith(UNSEEN)]


@pytest.mark.parametrize(("name", "witness"), READ)
def test_the_support_that_it_counts_is_the_attestation_and_silence_supports_nothing(name, witness):
    apparatus = of(name, witness)
    found = collated(name, witness)
    assert found.variation_unit_ids == [p.id for p in apparatus.points]
    for siglum, support in found.readings_by_witness.items():
        for point, counted in zip(apparatus.points, support, strict=True):
            assert counted == [
                int(siglum in {name for name, _ in r.attested}) for r in point.readings
            ]
            absent = siglum in {s.witness for s in point.silences} or siglum.startswith(UNSEEN)
            assert (sum(counted) == 0) == absent


@pytest.mark.parametrize(("name", "witness"), READ)
def test_each_detail_is_of_a_reading_that_its_witness_has_and_tells_the_place(name, witness):
    apparatus = of(name, witness)
    for unit, point in zip(collated(name, witness).variation_units, apparatus.points, strict=True):
        details = [(r.targets, r.wits, r.text) for r in unit.readings if r.targets]
        assert details == [
            ([f"{point.id}.{r.id}"], [who], at)
            for r in point.readings
            for who, at in r.attested
            if at and who in proper(apparatus)
        ]


@pytest.mark.parametrize("name", ["quadrille-laws", "captive-queens", "quanti-1822"])
def test_its_table_of_states_has_the_readings_of_each_witness_and_a_gap_where_it_is_silent(name):
    apparatus = made(name)
    matrix, witnesses, points = collated(name).to_nexus_table()
    assert witnesses == proper(apparatus)
    assert points == [p.id for p in apparatus.points]
    for siglum, states in zip(witnesses, matrix, strict=True):
        for point, state in zip(apparatus.points, states, strict=True):
            held = [
                f"{point.id}.{r.id}"
                for r in point.readings
                if siglum in {name for name, _ in r.attested}
            ]
            assert state.strip("{}").split() == (held or ["?"])


def test_its_command_makes_a_matrix_of_a_file_that_ours_wrote(tmp_path):
    source, matrix = tmp_path / "apparatus.xml", tmp_path / "matrix.csv"
    assert run(["apparatus", "quadrille-laws", "--format", "tei", "--output", str(source)]) == 0
    done = CliRunner().invoke(
        app, [*(part for kind in ABSENT for part in ("-m", kind)), str(source), str(matrix)]
    )
    assert done.exit_code == 0, done.output
    heads, *rows = list(csv.reader(matrix.read_text("utf-8-sig").splitlines()))
    apparatus = made("quadrille-laws")
    assert heads[1:] == [w.id for w in apparatus.witnesses]
    assert [cells[1:] for cells in rows] == [
        [str(float(w.id in {name for name, _ in r.attested})) for w in apparatus.witnesses]
        for p in apparatus.points
        for r in p.readings
    ]


def test_reports_of_an_unseen_text_are_not_collated_as_if_they_were_copies_of_it():
    """Quanti's book is known by two reports: it is the one witness, and has no reading."""
    found = collated("quanti-1822")
    assert [w.id for w in found.witnesses] == [f"{UNSEEN}quanti-1822"]
    assert not any(
        any(counted) for (support,) in [found.readings_by_witness.values()] for counted in support
    )
