"""A table of deals as Parquet: the rows of its CSV with typed columns."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import IO, Final

from quadrille_core.errors import UsageError
from quadrille_plugins.shell.parquet import Column, ParquetFile, require, schema

OTHERWISE: Final = "a table that ends in .csv or .jsonl"


def check_pyarrow() -> None:
    """Raise UsageError where pyarrow is not installed."""
    require(OTHERWISE)


class ParquetLines:
    """Takes the rows as CSV, as a text file does, and writes Parquet to a stream."""

    def __init__(self, stream: IO[bytes], columns: Sequence[Column]) -> None:
        from pyarrow import csv

        self._file = ParquetFile(stream, columns, OTHERWISE)
        self._schema = schema(columns)
        self._how = {
            "read_options": csv.ReadOptions(column_names=self._schema.names, use_threads=False),
            "parse_options": csv.ParseOptions(newlines_in_values=True),
            "convert_options": csv.ConvertOptions(
                column_types=self._schema,
                null_values=[""],
                true_values=["true"],
                false_values=["false"],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        }

    def writelines(self, lines: Iterable[str]) -> None:
        """Write rows; raises UsageError for an amount that 64 bits do not hold."""
        import pyarrow as pa
        from pyarrow import csv

        text = "".join(lines).encode()
        if not text:
            return
        try:
            rows = csv.read_csv(BytesIO(text), **self._how)
        except pa.ArrowInvalid:
            raise UsageError.of("amount-beyond-parquet", otherwise=OTHERWISE) from None
        self._file.write_table(rows.cast(self._schema))

    def flush(self) -> None:
        """Write what is left, and the footer: nothing more can be written."""
        self._file.close()

    def drop(self) -> None:
        """Let the file go unfinished."""
        self._file.close(whole=False)
