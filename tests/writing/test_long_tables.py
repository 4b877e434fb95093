"""Long tables: the same bytes as rich lays out, without its cost."""

import io

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from quadrille_plugins.writing import long as plain

from quadrille_core.report.blocks import print_blocks

WORDS = st.text(st.sampled_from("ab é−½|漢ﬁ\u0301,.x"), max_size=30) | st.sampled_from(
    ["Alliance by Charlotte with Dorothea: remise", "Anne −1, Beatrice −1, Charlotte +1", "", "a" * 70, "two\nlines"]
)


@settings(max_examples=80, deadline=None, derandomize=True, phases=[Phase.generate])
@given(st.data(), st.integers(1, 5))
def test_a_long_table_has_the_bytes_that_rich_gives_it(data, width):
    columns = tuple(
        data.draw(st.sampled_from(["", "deal", "player", "each, antes in"])) + "." * i for i in range(width)
    )
    rows = tuple(tuple(data.draw(WORDS) for _ in columns) for _ in range(data.draw(st.integers(1, 5))))
    right = frozenset(data.draw(st.sets(st.sampled_from(columns))))
    table = plain.LongTable("", columns, rows, right)
    assert _printed(table, long=0) == _printed(table, long=1000)


def _printed(table, long):
    kept, plain.LONG = plain.LONG, long
    out = io.StringIO()
    try:
        print_blocks([table], out)
    finally:
        plain.LONG = kept
    return out.getvalue()
