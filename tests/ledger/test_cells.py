"""Cells of CSV files: numbers stay numbers, and nobody's text is a formula."""

import csv
import io

import pytest
from quadrille_plugins.shell.cells import csv_text, harmless
from quadrille_plugins.studies.deal_table import csv_cell
from support.ledger import SOLO, resealed


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+A1", "-cmd|' /C calc'!A0", "@SUM(A1)", "\tx", "\nx", "\uff1d1", "-", "-1-1", "=5"],
)
def test_text_that_may_be_a_formula_is_written_as_text(text):
    """Headings, values and tables of deals alike."""
    assert harmless(text) == f"'{text}"
    assert next(csv.reader(io.StringIO(csv_text((text,), ()), newline="")))[0] == f"'{text}"
    assert csv_cell(text) == f"'{text}"


def test_a_carriage_return_begins_no_row():
    assert harmless("a\r=1\r\nb") == "a\n=1\nb"
    assert len(list(csv.reader(io.StringIO(csv_text(("a",), [("x\r=1",)]), newline="")))) == 2


@pytest.mark.parametrize(
    "value", [-3, "-3", "+4", "-9/2", "-1.5e-3", "Anne", "a=b", "", None, True, "−3"]
)
def test_numbers_and_harmless_text_stand_as_they_are(value):
    assert harmless(value) == value


def test_a_foreign_ledger_puts_no_formula_into_any_csv(begin, quadrille):
    """Names, notes and reasons of a ledger made by another hand, in every command that prints
    CSV."""
    path = begin()
    quadrille("deal", path, SOLO)
    resealed(
        path,
        "UPDATE account SET name = '=HYPERLINK(1)' WHERE id = 4; UPDATE entry SET reason = '@x', "
        "source = '-y'",
    )
    for args in (
        ["show"],
        ["show", "--deal", 1],
        ["export"],
        ["end", "--dry-run"],
        ["deal", "--void", "x"],
    ):
        status, out, err = quadrille(args[0], path, *args[1:], "--format", "csv")
        assert status == 0, err
        cells = [cell for row in csv.reader(io.StringIO(out)) for cell in row]
        assert not [
            c
            for c in cells
            if c[:1] in set("=+-@") and not c.lstrip("+-").replace("/", "").isdigit()
        ]
    assert "'=HYPERLINK(1)" in quadrille("show", path, "--format", "csv")[1]
