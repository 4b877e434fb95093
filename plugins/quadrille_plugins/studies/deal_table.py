"""A table of deals, for R and pandas: a row for each deal under each rule set, the same bytes by
either engine.

Rows come in the order of sessions, deals and rule sets.  ``docs/studies.md`` tells the columns one
by one.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate, chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, Final

import click

from quadrille_core.cards import Suit, format_suit
from quadrille_core.engine.deal_record import ENDINGS, VOLES
from quadrille_core.errors import UnwrittenError, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.cells import harmless
from quadrille_plugins.shell.files import note_unwritten
from quadrille_plugins.shell.values import names_beside
from quadrille_plugins.shell.writing import NewFile, open_new
from quadrille_plugins.studies.accounts import ROLE_SUMS
from quadrille_plugins.studies.parquet_table import ParquetRows, Source, check_pyarrow
from quadrille_plugins.studies.sessions import Engine, Played, plain

PARQUET: Final = ".parquet"
FORMS: Final = (".csv", ".jsonl", PARQUET)
STAGES: Final = ("same", "auction", "play", "settlement")
REDEALT: Final = ENDINGS[-1]
_WORDS: Final[dict[str, Sequence[str | bool]]] = {
    "outcome": ENDINGS,
    "vole": VOLES,
    "trump": [format_suit(Suit(suit)) for suit in range(4)],
    "premiers": [False, True],
    "diverges_in": [stage for stage in STAGES for _ in range(2)],
    "matched_start": [False, True] * len(STAGES),
}
"""What the numbers of a column stand for."""
_CELLS: Final = {
    "seed": "rule_set",
    "reference": "rule_set",
    "digest": "rule_set",
    "matched_start": "diverges_in",
}
"""The columns that have no cell of their own, and the one whose cell tells theirs too."""
_GOT_BY: Final = {
    "net_hombre_num": "hombre",
    "net_ally_num": "ally",
    "net_adversaries_num": "hombre",
}
"""Amounts that there are where somebody is; of other columns that may be empty the cell is -1."""
Rows = Any
"""Rows as ``counting.tell_deals`` writes them, all numbers: an array by row and cell, or lists."""


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


@frozen
class TableColumn:
    """One column: its name, its type (``integer``, ``string`` or ``boolean``), and whether it may
    be empty."""

    name: str
    type: str = "integer"
    optional: bool = False


def columns_of(players: int) -> tuple[TableColumn, ...]:
    """The columns of a table; seats count from 0, the eldest hand.

    Amounts are numerators: ``den`` says into how many parts a counter is divided in their row.
    """
    seats = range(players)
    texts = ("rule_set", "reference", "digest", "contract", "outcome")
    return (
        *map(TableColumn, ("session", "deal", "seed")),
        *(TableColumn(name, "string") for name in texts),
        *(TableColumn(name, "string", optional=True) for name in ("vole", "trump")),
        *(TableColumn(name, optional=True) for name in ("hombre", "ally", "matadors")),
        TableColumn("premiers", "boolean", optional=True),
        TableColumn("tricks", optional=True),
        *(TableColumn(f"tricks_seat{s}", optional=True) for s in seats),
        *(TableColumn(f"net_{role}_num", optional=True) for role in ROLE_SUMS[:3]),
        *(TableColumn(f"net_seat{s}_num") for s in seats),
        *(TableColumn(f"ante_seat{s}_num") for s in seats),
        *map(TableColumn, ("pool_before_num", "pool_after_num", "den")),
        TableColumn("diverges_in", "string", optional=True),
        TableColumn("matched_start", "boolean", optional=True),
    )


class DealTable:
    """A table of the deals of one comparison, in one of ``FORMS``.

    Rows are numbers until a ``Writer`` has them, in blocks and study folders too, for any form.
    """

    def __init__(self, compiled: Sequence[Compiled], seed: int, form: str) -> None:
        self.form = form
        self.typed = columns_of(compiled[0].rules.table.players)
        self.columns = tuple(c.name for c in self.typed)
        bids = [(REDEALT, *c.rules.bids.names()) for c in compiled]
        self._bids = [1, *(1 + end for end in accumulate(map(len, bids)))]
        words: dict[str, Sequence[Any]] = {
            **_WORDS,
            "seed": [seed] * len(compiled),
            "rule_set": names_beside(compiled),
            "reference": [_reference(c) for c in compiled],
            "digest": [c.identity.digest for c in compiled],
            "contract": list(chain(*bids)),
        }
        cells = {name: n for n, name in enumerate(c for c in self.columns if c not in _CELLS)}
        self.cells = len(cells)
        self.sources = [
            Source(
                c,
                cells[_CELLS.get(c.name, c.name)],
                cells[_GOT_BY.get(c.name) or _CELLS.get(c.name, c.name)] if c.optional else None,
                words.get(c.name),
            )
            for c in self.typed
        ]

    def _text_of(self, value: Any) -> str:
        """A value as it stands in the file."""
        if self.form != ".csv":
            return json.dumps(value, ensure_ascii=False)
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow((csv_cell(value), ""))
        return out.getvalue()[:-1]

    def _word_of(self, words: Sequence[Any]) -> Callable[[int], str]:
        return lambda number: self._text_of(words[number])

    def text(self, columns: Iterable[Any]) -> str:
        """The rows with these columns of cells in the table's form, each ended by a newline."""
        columns, missing = [plain(c) for c in columns], self._text_of(None)
        texts: list[Iterable[str]] = []
        numbers = _Texts(self._text_of)
        for source in self.sources:
            words, cells = source.words, columns[source.cell]
            made = numbers if words is None else _Texts(self._word_of(words))
            if source.there is None:
                texts.append([made[v] for v in cells])
            else:
                there = columns[source.there]
                texts.append(
                    [missing if t < 0 else made[v] for v, t in zip(cells, there, strict=True)]
                )
        if self.form == ".csv":
            return "".join([",".join(row) + "\n" for row in zip(*texts, strict=True)])
        heads = (f"{json.dumps(name)}: %s" for name in self.columns)
        form = f"{{{', '.join(heads)}}}\n"
        return "".join([form % row for row in zip(*texts, strict=True)])

    @property
    def head(self) -> str:
        """The header of the table."""
        return ",".join(self.columns) + "\n" if self.form == ".csv" else ""

    def holds(self, rows: Iterable[object], first: int, sessions: int) -> bool:
        """Whether these are rows of this table, of sessions ``first`` and following in order.

        They come from a study folder, which may be a stranger's.
        """
        before = [first, -1, -1]
        for row in chain.from_iterable(r if isinstance(r, list) else [r] for r in rows):
            if not isinstance(row, list) or len(row) != self.cells:
                return False
            if any(type(cell) is not int for cell in row):
                return False
            here, before = before, row[:3]
            if here >= before or before[0] >= first + sessions or min(before) < 0:
                return False
            if not all(source.can_tell(row) for source in self.sources):
                return False
        return True

    def rows_of(
        self, engines: Sequence[Engine], played: Played, numbers: Sequence[int] | None = None
    ) -> dict[int, Rows]:
        """The rows of every session of a block that is not left out, by session number.

        ``numbers`` says which of all rule sets were played, the first among them.
        """
        one, skip, found = played.held[0], played.skip, []
        deals = played.kept(range(len(skip)))
        for engine, held, number in zip(
            engines, played.held, numbers or range(len(engines)), strict=True
        ):
            rows = engine.zeros(sum(map(held.many, deals)), self.cells)
            engine.count(
                "tell_deals", engine.rules, one.records, held.records, one.tapes, held.tapes,
                one.sums, held.sums, engine.marks(skip), played.first, engine.scale, number,
                self._bids[number], rows,
            )  # fmt: skip
            found.append(rows)
        return _by_session(found)


def _by_session(found: Sequence[Rows]) -> dict[int, Rows]:
    """The rows of some rule sets by session, in the order of deals, of each those of all."""
    if isinstance(found[0], list):
        rows = sorted(chain(*found), key=itemgetter(0, 1))
        return {session: list(some) for session, some in groupby(rows, itemgetter(0))}
    import numpy as np

    whole = np.concatenate(found)
    whole = whole[np.lexsort((whole[:, 1], whole[:, 0]))]
    sessions, begins = np.unique(whole[:, 0], return_index=True)
    return dict(zip(sessions.tolist(), np.split(whole, begins[1:]), strict=False))


def columns_in(parts: Sequence[Rows]) -> Any:
    """The columns of the cells of some rows: arrays where all rows are."""
    if any(isinstance(part, list) for part in parts):
        return list(zip(*chain.from_iterable(map(plain, parts)), strict=True))
    import numpy as np

    return np.ascontiguousarray(np.concatenate(parts).T)


class _Texts(dict[Any, str]):
    """The texts of values of one type, each made once."""

    def __init__(self, made: Callable[[Any], str]) -> None:
        super().__init__()
        self._made = made

    def __missing__(self, value: Any) -> str:
        self[value] = text = self._made(value)
        return text


def _reference(compiled: Compiled) -> str:
    """The rule set in a word, with what was chosen by hand."""
    identity = compiled.identity
    return " ".join(
        [identity.reference, *(f"{k}={v}" for k, v in (*identity.readings, *identity.settings))]
    )


# --- writing ------------------------------------------------------------------------------------


class _Text:
    """Writes a table as text to a stream."""

    def __init__(self, stream: IO[bytes], table: DealTable) -> None:
        self._stream, self._table = stream, table
        stream.write(table.head.encode())

    def write(self, columns: Sequence[Any]) -> None:
        """Write rows, given the columns of their cells."""
        self._stream.write(self._table.text(columns).encode())

    def flush(self) -> None:
        """Have all written."""
        self._stream.flush()


class Writer:
    """Writes a table block by block, to be seen only once it is whole.

    Nothing is left of it when its block is left by an exception, it was dropped, or the disk is
    full.  A failure is noted when the block ends (``writing.note_unwritten``), so that the study
    goes on without its table.
    """

    def __init__(self, path: Path, table: DealTable) -> None:
        self._failed: UnwrittenError | None = None
        self._new: NewFile | None = None
        self._path, self._table = path, table
        self._out: _Text | ParquetRows | None = None

    def __enter__(self) -> "Writer":
        with self._kept():
            self._new, table = open_new(self._path), self._table
            if table.form == PARQUET:
                self._out = ParquetRows(self._new.stream, table.sources)
            else:
                self._out = _Text(self._new.stream, table)
        return self

    def write(self, rows: Iterable[Rows]) -> None:
        """Write the rows of some deals; nothing more after a write failed."""
        some = list(rows)
        if self._new is None or self._out is None or not some:
            return
        with self._kept():
            self._out.write(columns_in(some))

    def drop(self) -> None:
        """Discard the table."""
        if self._new is not None:
            if isinstance(self._out, ParquetRows):
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
    with Writer(path, table) as writer:
        yield Listing(table, writer, path)
