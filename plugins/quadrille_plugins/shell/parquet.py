"""Tables as Parquet, by pyarrow (the ``data`` extra): the same bytes for the same rows and the same
pyarrow."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Final, Protocol

from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint

Row = dict[str, Any]


class Column(Protocol):
    """One column: its name, its type (``integer``, ``string`` or ``boolean``), and whether it may
    be empty."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def type(self) -> str:
        """Its type."""
        ...

    @property
    def optional(self) -> bool:
        """Whether it may be empty."""
        ...


ROWS: Final = 20_000
"""Rows of a row group: so many of each table are held in memory."""


def require(otherwise: str) -> None:
    """Raise UsageError without pyarrow; ``otherwise`` says what works without."""
    if find_spec("pyarrow") is None:
        raise UsageError.of(
            "parquet-without-pyarrow", text=install_hint("data"), otherwise=otherwise
        )


def schema(columns: Iterable[Column]) -> Any:
    """The columns as Arrow has them."""
    import pyarrow as pa

    types = {"integer": pa.int64(), "string": pa.string(), "boolean": pa.bool_()}
    return pa.schema([pa.field(c.name, types[c.type], nullable=c.optional) for c in columns])


def arrow_table(columns: Iterable[Column], rows: list[Row], otherwise: str) -> Any:
    """The rows as an Arrow table; raises UsageError for a number that 64 bits do not hold.

    ``otherwise`` is what to use for amounts of any size.
    """
    import pyarrow as pa

    try:
        return pa.Table.from_pylist(rows, schema=schema(columns))
    except (OverflowError, pa.ArrowInvalid):
        raise UsageError.of("amount-beyond-parquet", otherwise=otherwise) from None


class ParquetFile:
    """Writes one table, a row group of ``ROWS`` at a time, however the rows come in."""

    def __init__(self, path: Path | IO[bytes], columns: Iterable[Column], otherwise: str) -> None:
        """``otherwise`` as ``arrow_table`` has it."""
        import pyarrow.parquet as pq

        self._columns, self._otherwise = tuple(columns), otherwise
        # the schema of Arrow itself would repeat what Parquet says of the types
        self._writer = pq.ParquetWriter(
            path, schema(self._columns), compression="zstd", store_schema=False
        )
        self._rows: list[Row] = []
        self._tables: list[Any] = []

    def write(self, row: Row) -> None:
        """Add a row; raises UsageError as ``arrow_table`` does."""
        self._rows.append(row)
        if len(self._rows) >= ROWS:
            self._take()

    def write_table(self, table: Any) -> None:
        """Add the rows of an ``arrow_table`` of the same columns."""
        self._take()
        self._tables.append(table)
        self._flush()

    def _take(self) -> None:
        if self._rows:
            rows, self._rows = self._rows, []
            self._tables.append(arrow_table(self._columns, rows, self._otherwise))
            self._flush()

    def _flush(self, *, to_the_end: bool = False) -> None:
        """Write full row groups, and at the end what is left."""
        import pyarrow as pa

        many = sum(table.num_rows for table in self._tables)
        if many < ROWS and not (to_the_end and many):
            return
        whole = pa.concat_tables(self._tables)
        upto = many if to_the_end else many - many % ROWS
        for first in range(0, upto, ROWS):
            self._writer.write_table(whole.slice(first, ROWS).combine_chunks())
        self._tables = [whole.slice(upto).combine_chunks()] if upto < many else []

    def close(self, *, whole: bool = True) -> None:
        """Write what is left, and the footer; without ``whole``, only let the file go."""
        if whole:
            self._take()
            self._flush(to_the_end=True)
        self._writer.close()
