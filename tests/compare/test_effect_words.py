"""How effects are printed: no verdict beside an interval that, as printed, says something else."""

import io
import re
from fractions import Fraction

import pytest
from quadrille_plugins.compare.effects_report import effect_text, per_deal_text
from quadrille_plugins.shell.blocks import Table, Text, print_blocks
from quadrille_plugins.shell.main import run
from quadrille_plugins.shell.values import many
from quadrille_plugins.studies.effects import DifferenceSums, Effects
from quadrille_plugins.studies.paired import effect_of
from quadrille_plugins.studies.values import interval_text

NUMBER = r"[+−]?[0-9.]+"


def ends_of(text):
    """The interval that a reader sees."""
    numbers = [float(n.replace("−", "-")) for n in re.findall(NUMBER, text)]
    if "±" in text:
        return numbers[0] - numbers[1], numbers[0] + numbers[1]
    return numbers[1], numbers[2]


@pytest.mark.parametrize(
    ("mean", "low", "high", "printed"),
    [
        (36.1, 2.0, 73.6, "+36.1 (+2.0 to +73.6)"),
        (3.5, 2.3, 4.7, "+3.5 ± 1.2"),
        (-3.5, -4.7, -2.3, "−3.5 ± 1.2"),
        (0.06, 0.02, 0.1, "+0.06 ± 0.04"),
        (1.0, -0.01, 2.01, "+1.0 ± 1.0"),
        (8, 8, 8, "+8.0 ± 0.0"),
        (5.0, 0.003, 9.99, "+5.000 ± 4.997"),
    ],
)
def test_an_interval_is_printed_by_its_half_only_where_that_says_as_much(mean, low, high, printed):
    assert interval_text(mean, low, high) == printed


@pytest.mark.parametrize("low", [-0.04, 0.0004, 0.004, 0.04, 0.4, 2, 9.96, 10.04])
@pytest.mark.parametrize("skew", [0.92, 1, 1.05, 1.4])
@pytest.mark.parametrize("half", [0.05, 3, 40])
def test_what_is_printed_lies_to_zero_and_to_the_size_of_interest_as_the_interval_does(
    low, half, skew
):
    mean, high = low + half, low + half + skew * half
    edges = (0.0, -10.0, 10.0)
    shown = ends_of(interval_text(mean, low, high, edges=edges))
    for edge in edges:
        assert ((shown[0] > edge), (shown[1] < edge)) == ((low > edge), (high < edge))


def effect(differences):
    change = DifferenceSums()
    for d in differences:
        change.merge(DifferenceSums.of([Fraction(d)], [40]))
    n = len(differences)
    return effect_of(change, Effects(n, 40 * n, 1600 * n), 40)


def test_a_skewed_effect_that_excludes_zero_is_printed_so_in_either_unit():
    """The wider half alone would reach below zero: +36.1 ± 37.5 was printed once."""
    e = effect([0] * 270 + [10] * 120 + [900] * 3)
    assert e.low > 0
    assert e.high - float(e.mean) > float(e.mean)
    for text in (effect_text(e), per_deal_text(e)):
        assert ends_of(text)[0] > 0


def test_without_an_interval_the_cell_says_at_how_many_deals_there_is_one():
    """A question mark says nothing of what to do."""
    e = effect([50] * 10 + [0] * 90)
    assert "?" not in per_deal_text(e)
    assert f"(interval from {many(e.first_interval)} deals)" in per_deal_text(e)


def test_counts_are_printed_so_that_no_line_breaks_within_one():
    assert many(1_200_000) == "1\N{NO-BREAK SPACE}200\N{NO-BREAK SPACE}000"


def test_thousands_stay_together_in_a_table_that_must_break_its_cells():
    """`≥ 24 000` was read as 24: rich breaks a line at a no-break space."""
    cell = f"undecided: ≥\N{NO-BREAK SPACE}{many(1_600_000)} deals"
    rows = (("the adversaries together", "−142.8 ± 21.1", "+391.2", cell),)
    out = io.StringIO()
    print_blocks([Table("", ("", "difference, 95 %", "mediateur-1752", "verdict"), rows)], out)
    assert "≥\N{NO-BREAK SPACE}1\N{NO-BREAK SPACE}600\N{NO-BREAK SPACE}000" in out.getvalue()
    assert max(map(len, out.getvalue().splitlines())) <= 80


def test_intervals_of_few_sessions_are_named_beside_the_answer(capsys):
    """They can be too narrow, which stood only below --details; with many sessions nothing is
    said."""
    line = [
        "compare",
        "quanti-1822@parlett",
        "quanti-1822@wikipedia",
        "--engine",
        "readable",
        "--deals",
    ]
    run([*line, "1240"])  # 31 sessions
    assert "Fewer than 150 sessions differ: such an interval can be too narrow" in " ".join(
        capsys.readouterr().out.split()
    )
    run([*line, "80"])  # no interval is given
    assert "Fewer than 150" not in " ".join(capsys.readouterr().out.split())


def test_no_number_of_thousands_is_broken_in_a_sentence():
    """A sentence breaks before such a number, at whatever column it would end."""
    for before in range(60, 81):
        out = io.StringIO()
        print_blocks([Text(f"{'x' * before} {many(1_600_000)} deals")], out)
        assert "1\N{NO-BREAK SPACE}600\N{NO-BREAK SPACE}000" in out.getvalue()
