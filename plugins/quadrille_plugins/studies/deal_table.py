"""A table of deals, for R and pandas: a row for each deal under each rule set, the same bytes by
either engine.

Rows come in the order of sessions, deals and rule sets.  ``docs/studies.md`` tells the columns one
by one.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import click

from quadrille_core.cards import NO_TRUMP, Suit, format_suit
from quadrille_core.engine.carry import antes_of
from quadrille_core.engine.deal_record import ENDINGS, VOLES, Amount, DealRecord
from quadrille_core.errors import UnwrittenError, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.kernel.counting import first_difference
from quadrille_plugins.shell.cells import harmless
from quadrille_plugins.shell.files import note_unwritten
from quadrille_plugins.shell.values import names_beside
from quadrille_plugins.shell.writing import NewFile, open_new
from quadrille_plugins.studies.parquet_table import ParquetLines, check_pyarrow
from quadrille_plugins.studies.sessions import Played

PARQUET: Final = ".parquet"
FORMS: Final = (".csv", ".jsonl", PARQUET)
STAGES: Final = ("same", "auction", "play", "settlement")
REDEALT: Final = ENDINGS[-1]

_WORDS: Final = frozenset(
    ["", "true", "false", "True", "False", *ENDINGS, *VOLES, *STAGES]
    + [format_suit(Suit(suit)) for suit in range(4)]
)
"""The words of a row besides its bid."""
_NUMBER: Final = re.compile(r"-?[0-9]+(?:/[0-9]+)?", re.ASCII)

EMPTY: Final[tuple[str | None, bool | None]] = (None, None)
"""Of a deal that is held beside none: where it diverges, and whether it is a matched start."""
Row = list[Any]
"""The cells of a deal in the order of the columns: numbers, texts, and None where there is nothing
to tell."""
Lines = str
"""Rows as they stand in the file: their cells would take several times the memory, and blocks wait
for their turn."""


def check_form(path: Path) -> None:
    """Raise UsageError unless the file name's suffix is a known table format that can be written
    here."""
    if path.suffix not in FORMS:
        raise UsageError.of(
            "table-of-another-ending",
            path=path,
            forms=", ".join(FORMS[:-1]),
            forms2=FORMS[-1],
            stem=path.stem,
        )
    if path.suffix == PARQUET:
        check_pyarrow()


class DealTable:
    """A table of the deals of one comparison, in one of ``FORMS``.

    Rows for Parquet are kept as JSON lines until the ``Writer`` has them, so that blocks and study
    folders hold text.
    """

    def __init__(self, compiled: Sequence[Compiled], seed: int, form: str) -> None:
        self.seed = seed
        self.is_parquet = form == PARQUET
        self.form = ".jsonl" if self.is_parquet else form
        self.bids = [c.ruleset.rules.bids.names() for c in compiled]
        self.players = compiled[0].ruleset.rules.table.players
        seats = range(self.players)
        named = zip(names_beside(compiled), compiled, strict=True)
        self._names = [(name, _reference(c), c.identity.digest) for name, c in named]
        self._antes = [[str(a) for a in antes_of(c.ruleset.rules, seats)] for c in compiled]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The heads of the columns; seats count from 0, the eldest hand."""
        seats = range(self.players)
        return (
            "session",
            "deal",
            "seed",
            "rule_set",
            "reference",
            "digest",
            "contract",
            "outcome",
            "vole",
            "trump",
            "hombre",
            "ally",
            "tricks",
            *(f"tricks_seat{s}" for s in seats),
            *(f"net_seat{s}" for s in seats),
            *(f"ante_seat{s}" for s in seats),
            "pool_before",
            "pool_after",
            "diverges_in",
            "matched_start",
        )

    def lines(self, rows: Iterable[Row]) -> Lines:
        """The rows in the table's form, each ended by a newline."""
        if self.form == ".csv":
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows(
                [csv_cell(v) for v in row] for row in rows
            )
            return out.getvalue()
        return "".join(
            json.dumps(dict(zip(self.columns, row, strict=True)), ensure_ascii=False) + "\n"
            for row in rows
        )

    def writer(self, path: Path) -> "Writer":
        """A writer of this table."""
        return Writer(path, self.head, self.columns if self.is_parquet else ())

    @property
    def head(self) -> Lines:
        """The header of the table."""
        return self.lines([list(self.columns)]) if self.form == ".csv" else ""

    # --- read back

    def holds(self, rows: Iterable[object], first: int, sessions: int) -> bool:
        """Whether these are lines of this table, of sessions ``first`` and following in order.

        They come from a study folder, which may be a stranger's: a text in them must be one that
        the table can have.
        """
        before = (first, -1, -1)
        for lines in rows:
            if not isinstance(lines, str):
                return False
            try:
                cells = self._cells(lines)
                places = [self._place_of(row) for row in cells]
            except (ValueError, KeyError, TypeError, csv.Error):
                return False
            if self.lines(cells) != lines:
                return False
            for here in places:
                if here <= before or here[0] >= first + sessions:
                    return False
                before = here
        return True

    def _cells(self, lines: Lines) -> list[Row]:
        """The rows of some lines; raises ValueError for lines of another table."""
        if self.form == ".csv":
            return list(csv.reader(io.StringIO(lines)))
        rows = [json.loads(line) for line in lines.splitlines()]
        if any(tuple(row) != self.columns for row in rows):
            raise ValueError("other columns")
        return [list(row.values()) for row in rows]

    def _place_of(self, row: Row) -> tuple[int, int, int]:
        """Session, deal and rule set of a row; raises ValueError for one that cannot be of this
        table."""
        session, deal, seed, *named = row[:6]
        number = [tuple(map(str, name)) for name in self._names].index(tuple(map(str, named)))
        words = {*self.bids[number], *_WORDS}
        others = [str(v) for v in row[6:] if v is not None and str(v) not in words]
        if str(seed) != str(self.seed) or len(row) != len(self.columns):
            raise ValueError("another table")
        if not all(map(_NUMBER.fullmatch, (str(session), str(deal), *others))):
            raise ValueError("a text that no table has")
        return int(session), int(deal), number

    # --- of records

    def lines_of(
        self, played: Played, scale: int, numbers: Sequence[int] | None = None
    ) -> dict[int, Lines]:
        """The rows of every session of a block that is not left out, by session number; a counter
        has ``scale`` parts.

        ``numbers`` says which of all rule sets were played, the first among them.
        """
        kept = played.kept(range(len(played.skip)))
        which = range(len(self._names)) if numbers is None else numbers
        return {played.first + n: self.lines(self._rows(played, scale, n, which)) for n in kept}

    def _rows(self, played: Played, scale: int, n: int, which: Sequence[int]) -> Iterator[Row]:
        sessions = [held.deals(n) for held in played.held]
        first, first_tape = sessions[0]
        for deal in range(max(len(records) for records, _ in sessions)):
            for place, (number, (records, tape)) in enumerate(zip(which, sessions, strict=True)):
                if deal >= len(records):
                    continue
                one, parts = records[deal], EMPTY
                if place and deal < len(first):
                    stage = first_difference(first[deal], first_tape, one, tape)
                    parts = STAGES[stage], first[deal].state == one.state
                cells = self._cells_of(number, one, scale)
                yield [played.first + n, deal, self.seed, *cells, *parts]

    def _cells_of(self, number: int, one: DealRecord, scale: int) -> Row:
        """What a row says of a deal under one rule set."""

        def amount(exact: Amount) -> str:
            return str(Fraction(exact) / scale)

        seats = range(self.players)
        told: Row = [REDEALT, REDEALT, None, None, None, None]
        tricks: Row = [None] * (1 + self.players)
        if one.bid >= 0:
            trump = None if one.trump == NO_TRUMP else format_suit(Suit(one.trump))
            side = [seat for seat in (one.hombre, one.ally) if seat >= 0]
            ally = None if one.ally < 0 else one.ally
            told = [self.bids[number][one.bid], ENDINGS[one.outcome], VOLES[one.vole], trump]
            told += [one.hombre, ally]
            tricks = [sum(one.tricks[s] for s in side), *(one.tricks[s] for s in seats)]
        return [
            *self._names[number],
            *told,
            *tricks,
            *(amount(one.net[s]) for s in seats),
            *self._antes[number],
            amount(one.pool),
            amount(one.pool_after),
        ]


def _reference(compiled: Compiled) -> str:
    """The rule set in a word, with what was chosen by hand."""
    identity = compiled.identity
    return " ".join(
        [identity.reference, *(f"{k}={v}" for k, v in (*identity.readings, *identity.settings))]
    )


# --- writing ------------------------------------------------------------------------------------


class Writer:
    """Writes a table block by block, to be seen only once it is whole.

    Nothing is left of it when its block is left by an exception, it was dropped, or the disk is
    full.  A failure is noted when the block ends (``writing.note_unwritten``), so that the study
    goes on without its table.
    """

    def __init__(self, path: Path, head: Lines, columns: Sequence[str] = ()) -> None:
        """``head`` is ``DealTable.head``; with ``columns``, those of the table, the rows are
        written as Parquet."""
        self._failed: UnwrittenError | None = None
        self._new: NewFile | None = None
        self._path = path
        self._head = head
        self._columns = columns
        self._out: io.TextIOWrapper | ParquetLines | None = None

    def __enter__(self) -> "Writer":
        with self._kept():
            self._new = open_new(self._path)
            if self._columns:
                self._out = ParquetLines(self._new.stream, self._columns)
            else:
                self._out = io.TextIOWrapper(self._new.stream, encoding="utf-8", newline="")
                self._out.write(self._head)
        return self

    def write(self, lines: Iterable[Lines]) -> None:
        """Write the rows of some deals; nothing more after a write failed."""
        if self._new is None or self._out is None:
            return
        with self._kept():
            self._out.writelines(lines)

    def drop(self) -> None:
        """Discard the table."""
        if self._new is not None:
            if isinstance(self._out, ParquetLines):
                with suppress(Exception):  # what is left of it goes with the file
                    self._out.drop()
            self._new.drop()
            self._new = None

    def __exit__(self, failed: object, *_: object) -> None:
        try:
            if self._new is not None and self._out is not None and failed is None:
                with self._kept():
                    self._out.flush()
                    self._new.commit()
        finally:
            self.drop()
        if self._failed is not None and failed is None:
            note_unwritten(self._failed)

    @contextmanager
    def _kept(self) -> Iterator[None]:
        try:
            yield
        except UnwrittenError as e:
            self._failed = e
        except UsageError as e:
            self._failed = UnwrittenError(e.problems)
        except OSError as e:
            self._failed = UnwrittenError.of(
                "cannot-write-file", place=self._path, text=e.strerror or e
            )
        finally:
            if self._failed is not None:
                self.drop()


def csv_cell(value: Any) -> Any:
    """A cell for R and pandas: missing values empty, true and false in lower case, no formulas."""
    return (
        "" if value is None else str(value).lower() if isinstance(value, bool) else harmless(value)
    )


@frozen
class Listing:
    """A table of deals being written: its contents, and its writer, sessions in order."""

    table: DealTable
    writer: Writer
    path: Path

    def drop(self) -> None:
        """Discard the table of an interrupted study."""
        self.writer.drop()
        click.echo(f"interrupted: {self.path} is not written", err=True)


@contextmanager
def listed(compiled: Sequence[Compiled], seed: int, path: Path | None) -> Iterator[Listing | None]:
    """The table of deals that is written to this file; None without one."""
    if path is None:
        yield None
        return
    table = DealTable(compiled, seed, path.suffix)
    with table.writer(path) as writer:
        yield Listing(table, writer, path)
