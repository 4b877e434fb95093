"""Means of a table of deals: exact ratios, their intervals by hand, and what the table may be."""

import json
from fractions import Fraction

import coverage_means
import numpy as np
import pyarrow.parquet as pq
import pytest
from quadrille_plugins.dealing.means_command import tables_of
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.deal_means import FEWEST, means, means_of
from scipy.stats import binom, t

import quadrille_core as q
from quadrille_core.errors import UsageError


def told(**sums):
    """Sums by rule set of deals of one kind, a pair of amount and deals for each session."""
    return {name: {("solo",): dict(enumerate(many))} for name, many in sums.items()}


def half(found):
    return found.estimate.high - found.estimate.mean


def test_sessions_are_the_unit_however_many_alike_deals_they_have():
    """Of 30 sessions with ten deals each, of 1 and of 3: residuals −10 and 10, 30/29 · 3000 / 300²
    = 1/29."""
    (found,) = means_of(told(a=[(10 + n % 2 * 20, 10) for n in range(30)]))
    assert (found.estimate.mean, found.estimate.count, found.estimate.sessions) == (2, 300, 30)
    assert half(found) == pytest.approx(t.ppf(0.975, 29) / 29**0.5, abs=1e-4)
    assert found.heaviest == pytest.approx(1 / 30)


def test_what_moves_alike_under_both_rule_sets_cancels_in_their_difference():
    """Each session's deviation is ±1 in 30 sessions, whatever both have in common."""
    first = [(50 * (n % 3), 5) for n in range(30)]
    second = [(50 * (n % 3) + 5 + n % 2 * 10, 5) for n in range(30)]
    *_, found = means_of(told(a=first, b=second))
    assert (found.rule_set, found.against, found.estimate.mean) == ("b", "a", 2)
    assert half(found) == pytest.approx(t.ppf(0.975, 29) / 29**0.5, abs=1e-4)


def test_no_interval_is_given_where_fewer_sessions_have_such_deals_than_were_tried():
    """Of a difference the rule set counts in which fewer do."""
    many, few = [(n % 2, 1) for n in range(FEWEST)], [(n % 2, 1) for n in range(FEWEST - 1)]
    a, b, difference = means_of(told(a=many, b=few))
    assert [m.estimate.low is not None for m in (a, b, difference)] == [True, False, False]
    assert (difference.estimate.sessions, difference.estimate.count) == (FEWEST - 1,) * 2
    assert b.heaviest is difference.heaviest is None


def test_a_kind_that_a_rule_set_never_has_gets_no_difference():
    one = told(a=[(1, 1)])
    found = means_of({**one, "b": {("casco",): {0: (2, 1)}}})
    assert [(m.kind, m.rule_set, m.against) for m in found] == [
        (("casco",), "b", None),
        (("solo",), "a", None),
    ]


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The same deals in all three forms; some amounts are thirds."""
    folder = tmp_path_factory.mktemp("tables")
    line = ["compare", "quanti-1822", "mediateur-1752", "--deals", "40", "--engine", "readable"]
    line += ["--reading", "codille_indivisible=exact", "--workers", "1", "--table"]
    made = [folder / f"t.{form}" for form in ("csv", "jsonl", "parquet")]
    for path in made:
        assert run([*line, str(path)]) == 0
    return made


@pytest.mark.parametrize("by", [[], ["contract"], ["contract", "hombre", "premiers"], ["ally"]])
def test_a_mean_is_the_exact_ratio_in_whatever_form_the_table_is(tables, by):
    """Every row counted by hand from Parquet."""
    csv, lines, parquet = (means(path, "net_hombre", by) for path in tables)
    assert csv == lines == parquet
    rows = [row for row in pq.read_table(tables[2]).to_pylist() if row["hombre"] is not None]
    for found in (m for m in csv if m.against is None):
        amounts = [
            Fraction(row[f"net_seat{row['hombre']}_num"], row["den"])
            for row in rows
            if (row["rule_set"], *(row[name] for name in by)) == (found.rule_set, *found.kind)
        ]
        assert found.estimate.mean == sum(amounts) / len(amounts)
        assert found.estimate.count == len(amounts)
    own = [m for m in csv if m.against is None]
    assert sum(m.estimate.count for m in own) == len(rows)


def test_deals_without_an_ally_are_no_deals_of_the_ally(tables):
    found = means(tables[0], "net_ally", ["contract"])
    assert {m.kind for m in found} < {m.kind for m in means(tables[0], "net_hombre", ["contract"])}


def test_python_has_the_rows_that_the_command_prints(tables, capsys):
    found = q.means(tables[2], by=["contract", "matadors"])
    assert (
        run(["deal", "--means", str(tables[2]), "--by", "contract,matadors", "--format", "json"])
        == 0
    )
    plain = json.loads(capsys.readouterr().out)
    assert found.to_dict() == plain
    assert len(found.rows) == len(plain["means"]) + len(plain["differences"])
    assert [row["matadors"] for row in found.rows if not row["against"]] == [
        m["kind"]["matadors"] for m in plain["means"]
    ]
    assert found.to_pandas().deals.dtype.kind == "i"


def test_columns_count_once_and_rule_sets_have_their_rows_anyway(tables):
    """By the rule set no deal would be of one kind under both, and no difference be told."""
    once = q.means(tables[2], by=["contract"])
    assert q.means(tables[2], by=["contract", "rule_set", "contract"]).to_dict() == once.to_dict()
    assert any(row["against"] for row in once.rows)


def test_an_argument_that_means_do_not_take_is_named_as_help_has_it(tables, capsys):
    assert run(["deal", "quanti-1822", "--means", str(tables[0])]) == 2
    assert "REF does nothing with --means" in capsys.readouterr().err


def test_of_several_columns_there_is_a_table_for_each_kind_but_the_last(tables):
    """All in order, and what a table does not show is in its title."""
    by = ("contract", "hombre", "matadors")
    found = means(tables[2], "net_hombre", by)
    shown = tables_of("", found, by)
    assert {b.columns[:2] for b in shown} == {("matadors", "rule set")}
    assert [(b.title, *row[:2]) for b in shown for row in b.rows] == [
        (
            "contract {}, hombre {}".format(*m.kind),
            "–" if m.kind[2] is None else str(m.kind[2]),
            m.rule_set,
        )
        for m in found
    ]


HEADS = "rule_set,seed,session,net_hombre_num,den,contract\n"
WRONG = {
    "no column": ("t.csv", "rule_set,seed,session,den,contract\na,1,0,1,solo\n", "no column"),
    "an amount that is no number": ("t.csv", f"{HEADS}a,1,0,1/2,1,solo\n", "no table of deals"),
    "parts of nothing": ("t.csv", f"{HEADS}a,1,0,1,0,solo\n", "no table of deals"),
    "no rule set": ("t.csv", f"{HEADS},1,0,1,1,solo\n", "no table of deals"),
    "a row cut short": ("t.csv", f"{HEADS}a,1,0\n", "no table of deals"),
    "no text": ("t.csv", b"\xff\xfe\x00", "no table of deals"),
    "a list": ("t.jsonl", "[1]\n", "no table of deals"),
    "no JSON": ("t.jsonl", "{", "no table of deals"),
    "no Parquet": ("t.parquet", "PAR1", "no table of deals"),
    "another ending": ("t.xlsx", "", "ends in .csv, .jsonl or .parquet"),
    "no deal": ("t.csv", HEADS, "no table of deals"),
    "empty": ("t.csv", "", "no column"),
    "an amount too large": ("t.csv", f"{HEADS}a,1,0,{10**400},1,solo\n", "no table of deals"),
    "brackets without end": ("t.jsonl", "[" * 100_000, "no table of deals"),
}


@pytest.mark.parametrize(("name", "text", "words"), WRONG.values(), ids=WRONG)
def test_what_is_no_table_of_deals_is_refused(tmp_path, capsys, name, text, words):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run(["deal", "--means", str(path)]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


COLUMNS = {"rule_set": "a", "seed": 1, "session": 0, "net_hombre_num": 1, "den": 1, "contract": "s"}
OTHERWISE = [
    {"den": "1"},
    {"rule_set": ["a"]},
    {"contract": ["s"]},
    {"net_hombre_num": "one"},
    {"net_hombre_num": 0.5},
    {"net_hombre_num": float("nan")},
]


@pytest.mark.parametrize("other", OTHERWISE, ids=str)
def test_a_column_of_another_type_is_no_table_of_deals_in_parquet_either(tmp_path, other):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = tmp_path / "t.parquet"
    pq.write_table(pa.Table.from_pylist([COLUMNS]), path)
    assert [m.estimate.mean for m in means(path, "net_hombre", ["contract"])] == [1]
    pq.write_table(pa.Table.from_pylist([COLUMNS | other]), path)
    with pytest.raises(UsageError) as caught:
        means(path, "net_hombre", ["contract"])
    assert caught.value.problems[0].variant == "no-table-of-deals"


def test_damaged_parquet_is_said_to_be_no_table_and_nothing_to_be_written(tables):
    """pyarrow raises OSError for a page that it cannot read."""
    path = tables[2].with_name("damaged.parquet")
    data = bytearray(tables[2].read_bytes())
    data[4 : len(data) // 2 : 7] = b"U" * len(data[4 : len(data) // 2 : 7])
    path.write_bytes(data)
    with pytest.raises(UsageError) as caught:
        means(path, "net_hombre", [])
    assert caught.value.problems[0].variant == "no-table-of-deals"


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_a_name_may_hold_what_ends_a_line_elsewhere_and_a_file_begin_with_a_mark(tmp_path, name):
    odd, path = COLUMNS | {"rule_set": "a\u2028b"}, tmp_path / name
    row = ",".join(map(str, odd.values()))
    heads = ",".join(odd)
    text = f"{heads}\n{row}\n" if name == "t.csv" else json.dumps(odd, ensure_ascii=False)
    path.write_text(f"\ufeff{text}", encoding="utf-8")
    assert [m.rule_set for m in means(path, "net_hombre", [])] == ["a\u2028b"]


def test_there_may_be_no_file(tmp_path, capsys):
    assert run(["deal", "--means", str(tmp_path / "t.csv")]) == 2
    assert "there is no such file" in capsys.readouterr().err


@pytest.mark.slow
def test_intervals_hold_as_often_as_the_page_says(tmp_path):
    """Of sessions drawn from a long run, by contract: between 93 and 96.5 %, but for chance."""
    pytest.importorskip("numba")
    sums = coverage_means.sums_of(
        coverage_means.long_run(tmp_path, 1000), "net_hombre", ["contract"]
    )
    tried = list(coverage_means.coverage(sums, 1000, 100, 300, np.random.default_rng(1822)))
    assert len(tried) > 5
    for cell, given, held in tried:
        if given >= 150:
            assert binom.ppf(0.001, given, 0.92) <= held, cell
