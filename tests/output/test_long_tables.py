"""Long tables: the same bytes as rich lays out, without its cost."""

import io
import os
from collections import Counter

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from quadrille_plugins.output import long as plain

from quadrille_core.report.blocks import print_blocks

WORDS = st.text(st.sampled_from("ab é−½|漢ﬁ\u0301,.x"), max_size=30) | st.sampled_from(
    [
        "Alliance by Charlotte with Dorothea: remise",
        "Anne −1, Beatrice −1, Charlotte +1",
        "",
        "a" * 70,
        "two\nlines",
    ]
)


@settings(max_examples=80, deadline=None, derandomize=True, phases=[Phase.generate])
@given(st.data(), st.integers(1, 5))
def test_a_long_table_has_the_bytes_that_rich_gives_it(data, width):
    columns = tuple(
        data.draw(st.sampled_from(["", "deal", "player", "each, antes in"])) + "." * i
        for i in range(width)
    )
    rows = tuple(
        tuple(data.draw(WORDS) for _ in columns) for _ in range(data.draw(st.integers(1, 5)))
    )
    right = frozenset(data.draw(st.sets(st.sampled_from(columns))))
    table = plain.LongTable("", columns, rows, right)
    assert _printed(table, long=0) == _printed(table, long=1000)


def _printed(table, long):
    kept, plain.LONG = plain.LONG, long
    out = io.StringIO()
    os.environ["COLUMNS"] = (
        "100"  # narrower, rich may fail to break a character, and the table is widened
    )
    try:
        print_blocks([table], out)
    finally:
        del os.environ["COLUMNS"]
        plain.LONG = kept
    return out.getvalue()


WIDE = st.text(st.sampled_from("ab é−½.x"), min_size=20, max_size=60)


@settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate])
@given(st.data(), st.integers(2, 6), st.sampled_from([1, 1000]))
def test_no_part_of_a_cell_is_left_out(data, width, long):
    """Columns that are not to be broken are, where the page is too narrow for them; rich would cut
    them off."""
    columns = tuple(f"c{i}" for i in range(width))
    rows = tuple(tuple(data.draw(WIDE) for _ in columns) for _ in range(3))
    whole = frozenset(data.draw(st.sets(st.sampled_from(columns), min_size=1)))
    kept, plain.LONG = plain.LONG, long
    out = io.StringIO()
    try:
        print_blocks([plain.LongTable("", columns, rows, whole=whole)], out)
    finally:
        plain.LONG = kept
    shown = Counter(out.getvalue())
    for character, many in Counter("".join(map("".join, rows))).items():
        assert character == " " or shown[character] >= many, character


def test_a_column_that_comes_out_narrower_than_a_character_is_widened(capsys):
    """Rich cannot break a character, and stopped with an error of its own."""
    long, words = "a" * 70, "Alliance by Charlotte with Dorothea: remise"
    rows = (
        (long, " 漢 .b½", "é.", "|"),
        (words, long, "Anne −1, Beatrice −1, Charlotte +1", long),
        (" bﬁ", words, "|−.½bx漢", long),
        ("two\nlines", " ,", "", "|x b−½½漢"),
        ("漢,b", "", "Anne −1, Beatrice −1, Charlotte +1", "ﬁﬁ漢b−−"),
    )
    print_blocks([plain.LongTable("", ("deal", "player.", "..", "deal..."), rows, frozenset())])
    assert "漢" in capsys.readouterr().out
