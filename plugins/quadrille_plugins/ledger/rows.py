"""Rows of the ledger that are read at once and parsed on demand."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

T = TypeVar("T")
Row = tuple[Any, ...]


class Parsed(Sequence[T]):
    """Rows of a table as what they say; each is parsed when it is first asked for."""

    def __init__(self, rows: Sequence[Row], parse: Callable[[Row], T]) -> None:
        self._rows, self._parse = rows, parse
        self._parsed: dict[int, T] = {}

    @overload
    def __getitem__(self, position: int) -> T: ...

    @overload
    def __getitem__(self, position: slice) -> "Parsed[T]": ...

    def __getitem__(self, position: int | slice) -> "T | Parsed[T]":
        """What one row says, or several."""
        if isinstance(position, slice):
            return Parsed(self._rows[position], self._parse)
        at = position if position >= 0 else position + len(self._rows)
        if at not in self._parsed:
            self._parsed[at] = self._parse(self._rows[at])
        return self._parsed[at]

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        """Whether both were read from equal rows."""
        return self._rows == other._rows if isinstance(other, Parsed) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def raw(self) -> Sequence[Row]:
        """The rows as the file has them."""
        return self._rows

    def column(self, index: int) -> list[Any]:
        """One column of the rows, as the file has it."""
        return [row[index] for row in self._rows]


class Latest(Mapping[int, T]):
    """The last row for each value of a key's column, in the order of the key."""

    def __init__(self, rows: Parsed[T], key: int) -> None:
        self._rows = rows
        found = {number: position for position, number in enumerate(rows.column(key))}
        self._positions = found if list(found) == sorted(found) else dict(sorted(found.items()))

    def __getitem__(self, number: int) -> T:
        """What the last row with that key says."""
        return self._rows[self._positions[number]]

    def __iter__(self) -> Iterator[int]:
        """The keys, in order."""
        return iter(self._positions)

    def __len__(self) -> int:
        """How many keys there are."""
        return len(self._positions)

    def row(self, number: int) -> Row:
        """The last row with that key, as the file has it."""
        return self._rows.raw()[self._positions[number]]

    def all_rows(self) -> Sequence[Row]:
        """Every row as the file has it, those too that are not the last of their key."""
        return self._rows.raw()
