"""A table of deals as Parquet: the rows of its JSON lines with typed columns, amounts as numerator
and denominator."""

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import IO, Any, Final

from quadrille_core.frozen import frozen
from quadrille_plugins.shell.parquet import ParquetFile, Row, require

OTHERWISE: Final = "a table that ends in .csv or .jsonl"
_INTEGERS: Final = ("session", "deal", "seed")
_TEXTS: Final = ("rule_set", "reference", "digest", "contract", "outcome")
_OPTIONAL: Final = {
    "vole": "string",
    "trump": "string",
    "diverges_in": "string",
    "matched_start": "boolean",
}
_AMOUNTS: Final = ("net_seat", "ante_seat", "pool_")


@frozen
class TypedColumn:
    """One column as Parquet has it."""

    name: str
    type: str
    optional: bool = False


def check_pyarrow() -> None:
    """Raise UsageError where pyarrow is not installed."""
    require(OTHERWISE)


def _is_amount(name: str) -> bool:
    return name.startswith(_AMOUNTS)


def typed(names: Iterable[str]) -> tuple[TypedColumn, ...]:
    """The columns of a table of deals with their types; an amount takes two, ``…_num`` and
    ``…_den``."""
    found: list[TypedColumn] = []
    for name in names:
        if _is_amount(name):
            found += [TypedColumn(f"{name}_num", "integer"), TypedColumn(f"{name}_den", "integer")]
        elif name in _INTEGERS or name in _TEXTS:
            found.append(TypedColumn(name, "integer" if name in _INTEGERS else "string"))
        else:
            found.append(TypedColumn(name, _OPTIONAL.get(name, "integer"), optional=True))
    return tuple(found)


def _row(plain: Row) -> Row:
    row: Row = {}
    for name, value in plain.items():
        if _is_amount(name):
            exact = Fraction(value)
            row[f"{name}_num"], row[f"{name}_den"] = exact.numerator, exact.denominator
        else:
            row[name] = value
    return row


class ParquetLines:
    """Takes the rows as JSON lines, as a text file does, and writes Parquet to a stream."""

    def __init__(self, stream: IO[bytes], names: Iterable[str]) -> None:
        self._file = ParquetFile(stream, typed(names), OTHERWISE)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write rows; raises UsageError for an amount that 64 bits do not hold."""
        for some in lines:
            for line in some.splitlines():
                plain: Any = json.loads(line)
                self._file.write(_row(plain))

    def flush(self) -> None:
        """Write what is left, and the footer: nothing more can be written."""
        self._file.close()

    def drop(self) -> None:
        """Let the file go unfinished."""
        self._file.close(whole=False)
