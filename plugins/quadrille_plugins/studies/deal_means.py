"""Means of an amount in a table of deals, by rule set and by what its columns say, with intervals.

The estimand
    The sum of the amount over all deals of a kind divided by their number, over many sessions of
    these lengths by these players; it is a ratio.  A difference is that of two such ratios, each of
    the deals that are of the kind under its own rule set: no mean of differences within deals.
The interval
    That of a ratio by linearisation, with the session as the unit and Student's *t* on one degree
    of freedom less than sessions have such deals; of a difference the sessions are paired, and
    counted under the rule set in which fewer have them.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from io import BytesIO, StringIO
from math import fsum
from pathlib import Path
from typing import Any, Final

from quadrille_core.engine.deal_record import SEATS
from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_core.profile.yaml_strict import read_bytes
from quadrille_plugins.studies.deal_table import PARQUET, check_form, columns_of
from quadrille_plugins.studies.intervals import (
    Counted,
    Estimate,
    Moments,
    Products,
    difference_of,
    mean_of,
)

FEWEST: Final = 30
"""Sessions; with fewer that have such deals no interval is given."""
MOST_BYTES: Final = 1 << 32
LARGEST: Final = 1 << 63
"""Above all amounts and parts."""
_KEY: Final = ("rule_set", "seed", "session")
_TYPES: Final = {c.name: c.type for c in columns_of(SEATS)}

Unit = tuple[int, int]
"""The seed and the session."""
Value = int | str | bool | None
Sums = dict[Unit, tuple[Fraction | int, int]]
"""Of each session that has such deals, the amount and how many they are."""


@frozen
class DealMean:
    """The mean of deals of one kind under a rule set, or how much it is above the first's."""

    kind: tuple[Value, ...]
    """What the columns say of these deals."""
    rule_set: str
    against: str | None
    """The first rule set, of a difference."""
    estimate: Estimate
    """In counters a deal; the sessions are those with such deals."""
    heaviest: float | None
    """Which share of the variance the session has that departs most."""


Told = dict[str, dict[tuple[Value, ...], Sums]]
"""By rule set and kind."""


def means(path: Path, of: str, by: Sequence[str]) -> list[DealMean]:
    """The means under each rule set, then the differences from the first, by kind.

    ``of`` is an amount, such as ``net_hombre``; deals without it are left out.  ``by`` are columns.
    Raises UsageError for a column that the table has not, or a file that is no such table, and
    UnreadableError.
    """
    return means_of(sums_of(path, of, by))


def sums_of(path: Path, of: str, by: Sequence[str]) -> Told:
    """The sums of the sessions in a table; the rest is as of ``means``."""
    found: Told = {}
    rows = _rows(path, (*_KEY, f"{of}_num", "den"), by)
    for rule_set, seed, session, amount, parts, *kind in rows:
        whole = None not in {rule_set, seed, session} and 0 < (parts or 0) < LARGEST
        if not whole or abs(amount or 0) >= LARGEST:
            raise _no_table(path)
        sums = found.setdefault(rule_set, {})
        if amount is None:
            continue
        told = sums.setdefault(tuple(kind), {})
        total, deals = told.get((seed, session), (0, 0))
        told[seed, session] = total + (amount if parts == 1 else Fraction(amount, parts)), deals + 1
    if not found:
        raise _no_table(path)
    return found


def means_of(found: Told) -> list[DealMean]:
    """The means and differences of such sums."""
    first = next(iter(found), "")
    kinds = sorted(
        {kind for sums in found.values() for kind in sums},
        key=lambda kind: [(value is None, "" if value is None else value) for value in kind],
    )
    pairs = [
        (kind, name, found[name][kind]) for kind in kinds for name in found if kind in found[name]
    ]
    own = [_mean(*one) for one in pairs]
    beside = [
        _difference(kind, (first, name), found[first][kind], sums)
        for kind, name, sums in pairs
        if name != first and kind in found[first]
    ]
    return own + beside


def _mean(kind: tuple[Value, ...], rule_set: str, sums: Sums) -> DealMean:
    moments = _moments(sums)
    influence = _departures(sums.values(), moments)
    return _told((kind, rule_set, None), mean_of(moments), influence)


def _difference(
    kind: tuple[Value, ...], names: tuple[str, str], first: Sums, second: Sums
) -> DealMean:
    mine, theirs = _moments(second), _moments(first)
    units = {**first, **second}
    pairs = [(second.get(unit, (0, 0)), first.get(unit, (0, 0))) for unit in units]
    products = Products.of(_turned([a for a, _ in pairs]), _turned([b for _, b in pairs]))
    fewer = min(mine.sessions, theirs.sessions)
    found = difference_of(replace(mine, sessions=fewer), theirs, products)
    if found is None:
        raise AssertionError("either has such deals")
    found = replace(found, count=min(mine.count, theirs.count))
    departures = (
        _departures((a for a, _ in pairs), mine),
        _departures((b for _, b in pairs), theirs),
    )
    influence = [a - b for a, b in zip(*departures, strict=True)]
    return _told((kind, names[1], names[0]), found, influence)


def _moments(sums: Sums) -> Moments:
    return Moments.of(*_turned(sums.values()))


def _turned(sums: Iterable[tuple[Fraction | int, int]]) -> Counted:
    """The amounts and the numbers of deals."""
    both = list(sums)
    return [total for total, _ in both], [many for _, many in both]


def _departures(sums: Iterable[tuple[Fraction | int, int]], whole: Moments) -> list[float]:
    """What each session adds to the mean's error."""
    mean = float(whole.mean)
    return [(float(total) - many * mean) / whole.count for total, many in sums]


def _told(
    what: tuple[tuple[Value, ...], str, str | None], found: Estimate, influence: Sequence[float]
) -> DealMean:
    """The mean with its interval, where enough sessions have such deals."""
    if found.sessions < FEWEST:
        return DealMean(*what, replace(found, low=None, high=None), None)
    squares = [x * x for x in influence]
    whole = fsum(squares)
    return DealMean(*what, found, max(squares) / whole if whole else None)


# --- reading ------------------------------------------------------------------------------------


def _rows(path: Path, needed: Sequence[str], by: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """These columns of the table, row by row."""
    check_form(path)
    names = (*needed, *by)
    read = {".csv": _csv, ".jsonl": _json_lines, PARQUET: _parquet}[path.suffix]
    try:
        yield from read(path, names)
    except KeyError as e:
        raise _without(path, str(e.args[0])) from None
    except (ValueError, TypeError, OSError, RuntimeError, csv.Error):  # pyarrow raises them all
        raise _no_table(path) from None


def _no_table(path: Path) -> UsageError:
    return UsageError.of("no-table-of-deals", path=path)


def _without(path: Path, column: str) -> UsageError:
    amounts = [c.removesuffix("_num") for c in _TYPES if c.endswith("_num")]
    others = [c for c in _TYPES if not c.endswith("_num")]
    return UsageError.of(
        "table-without-column",
        path=path,
        column=column.removesuffix("_num"),
        amounts=", ".join(amounts),
        columns=", ".join(others),
    )


def _checked(names: Sequence[str], there: Iterable[str]) -> None:
    known = {*there} & {*_TYPES}
    for name in names:
        if name not in known:
            raise KeyError(name)


def _csv(path: Path, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    lines = csv.reader(_lines(path))
    heads = next(lines, [])
    _checked(names, heads)
    places = [(heads.index(name), _Values(_TYPES[name])) for name in names]
    for row in lines:
        if len(row) != len(heads):
            raise ValueError("a row of another length")
        yield tuple(values[row[place]] for place, values in places)


class _Values(dict[str, Value]):
    """Cells of CSV as values of their type, each read once."""

    def __init__(self, kind: str) -> None:
        super().__init__({"": None})
        self._kind = kind

    def __missing__(self, text: str) -> Value:
        value: Value = text
        if self._kind == "integer":
            value = int(text)
        elif self._kind == "boolean":
            value = {"true": True, "false": False}[text]
        self[text] = value
        return value


def _json_lines(path: Path, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    for line in _lines(path):
        row = json.loads(line)
        if not isinstance(row, dict):
            raise TypeError("no row")
        _checked(names, row)
        values = tuple(row[name] for name in names)
        for name, value in zip(names, values, strict=True):
            _typed(name, [value])
        yield values


def _lines(path: Path) -> StringIO:
    """Lines of a text, which end as lines of CSV and JSON do and nowhere else."""
    return StringIO(read_bytes(path, max_bytes=MOST_BYTES).decode("utf-8-sig"), newline="")


_PYTHON: Final = {"integer": int, "string": str, "boolean": bool}


def _typed(name: str, values: Sequence[Any]) -> Sequence[Any]:
    """Values of a column; raises ValueError where one is of another type."""
    if {*map(type, values)} - {_PYTHON[_TYPES[name]], type(None)}:
        raise ValueError("a value of another type")
    return values


def _parquet(path: Path, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(BytesIO(read_bytes(path, max_bytes=MOST_BYTES)))
    _checked(names, file.schema_arrow.names)
    for batch in file.iter_batches(columns=list(dict.fromkeys(names))):
        columns = {name: _typed(name, batch.column(name).to_pylist()) for name in {*names}}
        yield from zip(*(columns[name] for name in names), strict=True)
