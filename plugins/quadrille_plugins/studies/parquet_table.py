"""A table of deals as Parquet: its rows with typed columns."""

from collections.abc import Sequence
from typing import IO, Any, Final

from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_plugins.shell.parquet import Column, ParquetFile, require, schema

OTHERWISE: Final = "a table that ends in .csv or .jsonl"


def check_pyarrow() -> None:
    """Raise UsageError where pyarrow is not installed."""
    require(OTHERWISE)


@frozen
class Source:
    """From which cell of a row a column comes."""

    column: Column
    cell: int
    there: int | None
    """The cell that is negative where there is nothing to tell; None in a column that is full."""
    words: Sequence[Any] | None
    """What the numbers in the cell stand for; None if for themselves."""

    def can_tell(self, row: Sequence[int]) -> bool:
        """Whether what the row says can be told in this column."""
        is_told = self.there is None or row[self.there] >= 0
        return self.words is None or not is_told or 0 <= row[self.cell] < len(self.words)


class ParquetRows:
    """Takes the cells of rows and writes Parquet to a stream."""

    def __init__(self, stream: IO[bytes], sources: Sequence[Source]) -> None:
        import pyarrow as pa

        columns = [source.column for source in sources]
        self._file = ParquetFile(stream, columns, OTHERWISE)
        self._schema = schema(columns)
        self._sources = [
            (s, None if s.words is None else pa.array(s.words, field.type))
            for s, field in zip(sources, self._schema, strict=True)
        ]

    def write(self, columns: Sequence[Any]) -> None:
        """Write rows, given the columns of their cells; raises UsageError for an amount that 64
        bits do not hold."""
        import pyarrow as pa

        made = []
        try:
            for source, words in self._sources:
                there = None if source.there is None else columns[source.there]
                cells = _cells(columns[source.cell], there)
                made.append(cells if words is None else words.take(cells))
        except (OverflowError, pa.ArrowInvalid):
            raise UsageError.of("amount-beyond-parquet", otherwise=OTHERWISE) from None
        self._file.write_table(pa.Table.from_arrays(made, schema=self._schema))

    def flush(self) -> None:
        """Write what is left, and the footer: nothing more can be written."""
        self._file.close()

    def drop(self) -> None:
        """Let the file go unfinished."""
        self._file.close(whole=False)


def _cells(values: Any, there: Any | None) -> Any:
    """Cells as Arrow has them, missing where ``there`` is negative; of a list or an array."""
    import pyarrow as pa

    if there is None:
        return pa.array(values, pa.int64())
    if not isinstance(values, tuple):
        return pa.array(values, pa.int64(), mask=there < 0)
    told = [None if t < 0 else v for v, t in zip(values, there, strict=True)]
    return pa.array(told, pa.int64())
