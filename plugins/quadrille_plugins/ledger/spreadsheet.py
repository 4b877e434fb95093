"""Deals out of a spreadsheet, and a session for one, as CSV.

Amounts go to a spreadsheet as decimal numbers, since it takes ``9/2`` for a text or a date.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import (
    Place,
    Problem,
    QuadrilleError,
    ResultError,
    UsageError,
    did_you_mean,
)
from quadrille_core.frozen import frozen
from quadrille_core.profile.yaml_strict import decoded, read_bytes
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.asking import PASSED, VOID
from quadrille_plugins.ledger.deriving import derive
from quadrille_plugins.ledger.journal import Fact, Journal
from quadrille_plugins.settle.answers import of_key, player_named
from quadrille_plugins.settle.by_options import SIDE
from quadrille_plugins.settle.result_file import ALONE, in_ids

NUMBERS: Final = ("deal", "tricks", "hombre_tricks", "matadors", "adversary_matadors")
LISTS: Final = ("surrendered", "claims")
COLUMNS: Final = (
    *("deal", "dealer", "contract", "trump", "favourite", "hombre", "ally", "surrendered"),
    *("tricks", "hombre_tricks", "matadors", "adversary_matadors", "premiers", "vole"),
    *("claims", "reason"),
)
"""The columns that a file of deals may have, in any order; ``contract`` it must have."""
MOST_ROWS: Final = 100
MOST_FAULTS: Final = 20
"""So many faults of a file are told."""
MOST_BYTES: Final = 128 * 1024
_SAID: Final = {"yes": True, "true": True, "no": False, "false": False}


@frozen
class Row:
    """One deal of a file: its cells that are not empty, by column."""

    path: Path
    number: int
    """As spreadsheets count, the headings being row 1."""
    cells: Mapping[str, str]
    faults: tuple[Problem, ...] = ()
    """What is wrong with it whatever deal it may be."""

    @property
    def deal(self) -> int | None:
        """The number that the deal is to have; None where none is given."""
        return int(self.cells["deal"]) if "deal" in self.cells else None

    def dealer(self, journal: Journal) -> str | None:
        """Who is said to have dealt, of those who sit at the table."""
        named = self.cells.get("dealer")
        names = journal.names_of(journal.seated())
        return None if named is None else self._player(named, names, "dealer")

    def fact(self, table: Table) -> Fact:
        """The deal; raises ResultError with every fault, by row and column."""
        try:
            if "contract" not in self.cells:
                at = Place("contract")
                raise ResultError.of("says-nothing-of", place=at, what="the row", key="contract")
            fact = self._read(table)
            derive(table.rules, table.start, fact, of_key)
        except ResultError as e:
            raise ResultError([self._placed(p) for p in e.problems]) from None
        return fact

    def _read(self, table: Table) -> Fact:
        word, names = self.cells["contract"].lower(), table.start.names
        if word == PASSED:
            return Fact("passed")
        if word == VOID:
            if "reason" not in self.cells:
                raise ResultError.of("misdeal-without-reason", place=Place("reason"))
            return Fact("void", note=self.cells["reason"])
        data: dict[str, Any] = {}
        for column, cell in self.cells.items():
            if column in ("hombre", "ally"):
                data[column] = self._player(cell, names, column)
            elif column in LISTS:
                each = [one.strip() for one in cell.replace(";", ",").split(",")]
                named = column == "surrendered"
                each = [self._player(one, names, column) if named else one for one in each]
                data[column] = each[0] if named and len(each) == 1 else each
            elif column in ("matadors", "adversary_matadors"):
                data[column] = int(cell)
            elif column == "premiers":
                data[column] = _SAID.get(cell.lower(), cell)
            elif column in ("contract", "trump", "favourite", "vole"):
                data[column] = cell
        data = in_ids(data, table.rules, names, begins=True)
        if "tricks" in self.cells:
            own = self.cells.get("hombre_tricks")
            shared = {data["hombre"]: int(own)} if own and "hombre" in data else {}
            data["tricks"] = {SIDE: int(self.cells["tricks"]), **shared}
            if "hombre" in data:
                data = table.completed(data, such="hombre_tricks", place=of_key)
            data["tricks"].pop(SIDE, None)
        return Fact("result", data)

    def _player(self, cell: str, names: Sequence[str], column: str) -> str:
        if column == "ally" and cell.lower() == ALONE and ALONE not in names:
            return ALONE
        try:
            return player_named(cell, names)
        except UsageError as e:
            raise ResultError([self._placed(p, column) for p in e.problems]) from None

    def _placed(self, problem: Problem, column: str = "") -> Problem:
        """The fault by row and column."""
        if problem.variant == "in-row":
            return problem
        column = column or (problem.place.path.split(".")[0] if problem.place else "")
        return _at(self.path, self.number, column, problem)


def _at(path: Path, number: int, column: str, problem: Problem) -> Problem:
    where = f"row {number}, {column}" if column else f"row {number}"
    return Problem(problem.code, "in-row", {"where": where, "problem": problem}, Place(str(path)))


def deals_of(path: Path, sent: bytes | None = None) -> list[Row]:
    """The deals of a file, or of what was ``sent`` as one, read to the end before any is recorded.

    Raises UsageError with every fault of the columns, UnreadableError for what is no text.
    """
    found = read_bytes(path, max_bytes=MOST_BYTES) if sent is None else sent
    text = decoded(found, str(path), MOST_BYTES)
    head = text.split("\n", 1)[0]
    between = max(",;\t", key=head.count)
    try:
        records = list(csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=True))
    except csv.Error as e:
        raise UsageError.of("no-csv", place=path, why=e) from None
    if not records or not any(cell.strip() for cell in records[0]):
        raise UsageError.of("no-csv", place=path, why="it has no headings")
    columns = [cell.strip().lower().replace(" ", "_") for cell in records[0]]
    while not columns[-1]:
        columns.pop()
    rows = []
    for number, record in enumerate(records[1:], 2):
        cells = {
            column: said
            for column, cell in zip(columns, record, strict=False)
            if (said := cell.strip().removeprefix("'"))  # with which it is no formula
        }
        if any(cell.strip() for cell in record):
            faults = tuple(
                _of_cells(path, number, cells, any(map(str.strip, record[len(columns) :])))
            )
            rows.append(Row(path, number, cells, faults))
    if not rows and "contract" in columns:
        raise UsageError.of("no-csv", place=path, why="it has no deals")
    if len(rows) > MOST_ROWS:
        raise UsageError.of("too-many-rows", place=path, rows=len(rows), most=MOST_ROWS)
    if problems := [*_of_columns(path, columns)]:
        raise UsageError(problems)
    return rows


def _of_columns(path: Path, columns: Sequence[str]) -> Iterator[Problem]:
    for n, name in enumerate(columns):
        if name not in COLUMNS:
            hint = did_you_mean(name, COLUMNS, what="columns")
            yield _at(path, 1, name, Problem("Q802", "no-such-column", {}, None, hint))
        elif name in columns[:n]:
            yield _at(path, 1, name, Problem("Q802", "column-twice"))
    if "contract" not in columns:
        yield _at(path, 1, "", Problem("Q802", "no-column-of-contracts"))


def _of_cells(
    path: Path, number: int, cells: Mapping[str, str], too_many: bool
) -> Iterator[Problem]:
    if too_many:
        yield _at(path, number, "", Problem("Q802", "more-cells-than-headings"))
    for column in NUMBERS:
        cell = cells.get(column, "0")
        if not (cell.isascii() and cell.isdigit() and len(cell) < 5):
            yield _at(path, number, column, Problem("Q802", "no-number-in-cell", {"cell": cell}))


def in_rows(
    rows: Iterable[Row], do: Callable[[Row], int], faulty: list[QuadrilleError]
) -> Iterator[int]:
    """Do something of each row; whatever a user has got wrong is told by the row, and put among the
    faulty."""
    for row in rows:
        try:
            if row.faults:
                raise UsageError(row.faults)
            yield do(row)
        except QuadrilleError as e:
            told = type(e)(
                p if p.variant == "in-row" else _at(row.path, row.number, "", p) for p in e.problems
            )
            if not isinstance(e, (ResultError, UsageError)):
                raise told from None
            faulty.append(told)


def told_together(faulty: Sequence[QuadrilleError]) -> Iterator[Problem]:
    """The faults of several rows, as many as are read."""
    problems = [problem for error in faulty for problem in error.problems]
    yield from problems[:MOST_FAULTS]
    if len(faulty) > 1:
        more = max(len(problems) - MOST_FAULTS, 0)
        yield Problem("Q802", "several-faulty-rows", {"rows": len(faulty), "more": more})
