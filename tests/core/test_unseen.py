"""Silent, unseen and inapplicable are kept apart: a text that was read in part is silent only where
it says so."""

from pathlib import Path

import pytest

from quadrille_core.ruleset import compile_reference

PROFILE = """\
kind: profile
id: leaf
title: A leaf of a book
version: '1'
extends: quadrille-laws
default_witness: leaf
sources:
  leaf:
    title: A leaf of a book
{pages}
witnesses:
  leaf:
    source: leaf
    fills: {{queen_when: four_kings}}
{points}
cites:
  stakes.ante: {{source: leaf, at: p. 1}}
  auction.all_pass: {{source: leaf, status: unseen, filled: as elsewhere}}
"""
PART = "    pages: {seen: [p. 1, p. 3], known: 9, whole: [p. 1]}"
POINTS = "    silent: [call_trump]\n    inapplicable: [own_king]"


def leaf(folder: Path, pages: str = PART, points: str = POINTS):
    file = folder / "leaf.yaml"
    file.write_text(PROFILE.format(pages=pages, points=points), encoding="utf-8")
    return compile_reference(str(file))


def test_a_point_of_a_text_read_in_part_is_unseen_unless_its_place_was_read_whole(
    tmp_path: Path,
) -> None:
    """Three absences of three points, and the citation of each rule they set says the same."""
    compiled = leaf(tmp_path)
    absences = {s.point.id: s.absence for s in compiled.points}
    assert absences["queen_when"] == "unseen"
    assert absences["call_trump"] == "silent"
    assert absences["own_king"] == "inapplicable"
    by_reading = {
        s.point.id: {compiled.origins[p].status for p, _, _ in s.reading.sets}
        for s in compiled.points
    }
    assert by_reading["queen_when"] == {"unseen"}
    assert by_reading["call_trump"] == {"silent"}
    assert by_reading["own_king"] == {"inapplicable"}


def test_what_nobody_cites_from_a_text_read_in_part_is_unseen(tmp_path: Path) -> None:
    """Neutral values, what a parent's text says, and what it is silent on are fillings of the
    unseen."""
    compiled = leaf(tmp_path)
    assert compiled.origins["stakes.ante"].status == "attested"
    assert compiled.origins["auction.all_pass"].source_text() == "leaf unseen; filled: as elsewhere"
    assert "silent" not in {
        o.status for o in compiled.origins.values() if o.link.setter != "reading"
    }
    neutral = [o for o in compiled.origins.values() if o.link.setter == "vocabulary"]
    assert neutral
    assert {o.status for o in neutral} == {"unseen"}


@pytest.mark.parametrize("pages", ["", "    pages: {seen: [p. 1, p. 3], known: 2}"])
def test_a_text_read_whole_is_silent_where_it_says_nothing(tmp_path: Path, pages: str) -> None:
    """Without pages, or with all that are known seen, nothing is unseen but what a citation calls
    so."""
    compiled = leaf(tmp_path, pages, "")
    absences = {s.point.id: s.absence for s in compiled.points}
    assert absences.pop("ante") == "", "it cites the rule of the parent's reading"
    assert set(absences.values()) == {"silent"}
    assert [p for p, o in compiled.origins.items() if o.status == "unseen"] == ["auction.all_pass"]
