"""A table of deals, for R and pandas: a row for each deal under each rule set, the same bytes by
either engine.

Rows come in the order of sessions, deals and rule sets.  ``docs/studies.md`` tells the columns one
by one.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from itertools import accumulate, chain, zip_longest
from math import gcd, lcm
from pathlib import Path
from typing import Any, Final

import click

from quadrille_core.cards import Suit, format_suit
from quadrille_core.engine.carry import antes_of
from quadrille_core.engine.deal_record import ENDINGS, VOLES, Amount
from quadrille_core.errors import UnwrittenError, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.cells import harmless
from quadrille_plugins.shell.files import note_unwritten
from quadrille_plugins.shell.values import names_beside
from quadrille_plugins.shell.writing import NewFile, open_new
from quadrille_plugins.studies.accounts import ROLE_SUMS
from quadrille_plugins.studies.parquet_table import ParquetLines, check_pyarrow
from quadrille_plugins.studies.sessions import Engine, Played, beside

PARQUET: Final = ".parquet"
FORMS: Final = (".csv", ".jsonl", PARQUET)
STAGES: Final = ("same", "auction", "play", "settlement")
REDEALT: Final = ENDINGS[-1]

_WORDS: Final = frozenset(
    ["", "true", "false", "True", "False", *ENDINGS, *VOLES, *STAGES]
    + [format_suit(Suit(suit)) for suit in range(4)]
)
"""The words of a row besides its bid."""
_NUMBER: Final = re.compile(r"-?[0-9]+", re.ASCII)

Parted = tuple[str | None, bool | None]
"""Where a deal diverges from the first rule set's, and whether it is a matched start."""
EMPTY: Final[Parted] = (None, None)
"""Of a deal that is held beside none."""
_PARTED: Final[Sequence[Parted]] = [(stage, alike) for stage in STAGES for alike in (False, True)]
"""By what ``counting.tell_pair`` tells."""
_TRUMPS: Final = (*(format_suit(Suit(suit)) for suit in range(4)), None, None)
"""By trump suit: the last two are no trumps, and -1."""
TOLD: Final = (
    "pool", "bid", "outcome", "vole", "trump", "hombre", "ally", "matadors", "premiers", "tricks",
    "net", "moved",
)  # fmt: skip
"""What of a record is asked."""
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

    Rows for Parquet are kept as CSV until the ``Writer`` has them, so that blocks and study folders
    hold text.
    """

    def __init__(self, compiled: Sequence[Compiled], seed: int, form: str) -> None:
        self.seed = seed
        self.is_parquet = form == PARQUET
        self.form = ".csv" if self.is_parquet else form
        self.bids = [c.ruleset.rules.bids.names() for c in compiled]
        self.players = compiled[0].ruleset.rules.table.players
        self.typed = columns_of(self.players)
        self.columns = tuple(c.name for c in self.typed)
        named = zip(names_beside(compiled), compiled, strict=True)
        self._names = [(name, _reference(c), c.identity.digest) for name, c in named]
        self._antes = [antes_of(c.ruleset.rules, range(self.players)) for c in compiled]

    def _text_of(self, value: Any) -> str:
        """A value as it stands in the file."""
        if self.form != ".csv":
            return json.dumps(value, ensure_ascii=False)
        out = io.StringIO()
        cell = value if self.is_parquet and isinstance(value, str) else csv_cell(value)
        csv.writer(out, lineterminator="").writerow((cell, ""))
        return out.getvalue()[:-1]

    def lines(self, columns: Sequence[Sequence[Any]]) -> list[Lines]:
        """The rows in the table's form, each ended by a newline, of the values of each column."""
        texts = [_Texts(self._text_of).all(v) for _, v in zip(self.typed, columns, strict=True)]
        if self.form == ".csv":
            return [",".join(row) + "\n" for row in zip(*texts, strict=True)]
        heads = (f"{json.dumps(name)}: %s" for name in self.columns)
        form = f"{{{', '.join(heads)}}}\n"
        return [form % row for row in zip(*texts, strict=True)]

    def writer(self, path: Path) -> "Writer":
        """A writer of this table."""
        return Writer(path, self.head, self.typed if self.is_parquet else ())

    @property
    def head(self) -> Lines:
        """The header of the table."""
        return ",".join(self.columns) + "\n" if self.form == ".csv" else ""

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
            if "".join(self.lines(list(zip(*cells, strict=True)))) != lines:
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
        self, engines: Sequence[Engine], played: Played, numbers: Sequence[int] | None = None
    ) -> dict[int, Lines]:
        """The rows of every session of a block that is not left out, by session number.

        ``numbers`` says which of all rule sets were played, the first among them.
        """
        kept = played.kept(range(len(played.skip)))
        if not kept:
            return {}
        which = range(len(self._names)) if numbers is None else numbers
        rows = [
            self._rows_of(engines, played, kept, place, number)
            for place, number in enumerate(which)
        ]
        return {
            played.first + n: "".join(filter(None, chain(*zip_longest(*of_session))))
            for n, of_session in zip(kept, zip(*rows, strict=True), strict=True)
        }

    def _rows_of(
        self,
        engines: Sequence[Engine],
        played: Played,
        kept: Sequence[int],
        place: int,
        number: int,
    ) -> list[list[Lines]]:
        """The rows of each session under one rule set."""
        held, engine = played.held[place], engines[place]
        many = [held.many(n) for n in kept]
        told = held.columns(kept, TOLD)
        rows = sum(many)
        parts = [EMPTY] * rows if place == 0 else self._parts(engines, played, kept, place)
        lines = self.lines(
            [
                [
                    played.first + n
                    for n, deals in zip(kept, many, strict=True)
                    for _ in range(deals)
                ],
                [deal for deals in many for deal in range(deals)],
                *([cell] * rows for cell in (self.seed, *self._names[number])),
                *self._results(number, told),
                *self._amounts(number, told, engine.scale),
                *zip(*parts, strict=True),
            ]
        )
        ends = accumulate(many)
        return [lines[end - deals : end] for end, deals in zip(ends, many, strict=True)]

    def _parts(
        self, engines: Sequence[Engine], played: Played, kept: Sequence[int], place: int
    ) -> list[Parted]:
        """Of each deal where it diverges from the first rule set's, and whether it is a matched
        start."""
        one, other, skip = played.held[0], played.held[place], played.skip
        both, longest = (engines[0], engines[place]), max(played.lengths)
        told, _ = beside("tell_pair", both, played, longest, other, skip)
        found = []
        for n, codes in zip(kept, told, strict=True):
            common = min(one.many(n), other.many(n))
            found += [_PARTED[code] for code in codes[:common]]
            found += [EMPTY] * (other.many(n) - common)
        return found

    def _results(self, number: int, told: Mapping[str, list[Any]]) -> Iterator[list[Any]]:
        """What was played, and how it ended: the columns from ``contract`` to the tricks."""
        bids, is_played = self.bids[number], [bid >= 0 for bid in told["bid"]]

        def where(values: Iterable[Any], otherwise: str | None = None) -> list[Any]:
            return [v if p else otherwise for v, p in zip(values, is_played, strict=True)]

        def seats(name: str) -> list[int | None]:
            return [None if seat < 0 else seat for seat in told[name]]

        yield where((bids[bid] for bid in told["bid"]), REDEALT)
        yield where((ENDINGS[outcome] for outcome in told["outcome"]), REDEALT)
        yield where(VOLES[vole] for vole in told["vole"])
        yield [_TRUMPS[trump] for trump in told["trump"]]
        yield seats("hombre")
        yield seats("ally")
        yield where(told["matadors"])
        yield where(map(bool, told["premiers"]))
        sides = zip(told["hombre"], told["ally"], told["tricks"], strict=True)
        yield where(won[h] + (won[a] if a >= 0 else 0) for h, a, won in sides)
        for seat in range(self.players):
            yield where(won[seat] for won in told["tricks"])

    def _amounts(
        self, number: int, told: Mapping[str, list[Any]], scale: int
    ) -> Iterator[tuple[int | None, ...]]:
        """The columns of what roles and seats get, of the antes and the pool, as numerators, and
        the denominators."""
        players = self.players
        antes = [_plain(ante * scale) for ante in self._antes[number]]
        names = ("hombre", "ally", "net", "pool", "moved")
        rows = []
        for hombre, ally, got, pool, moved in zip(*(told[name] for name in names), strict=True):
            net = got[:players]
            mine = net[hombre] if hombre >= 0 else None
            friend = net[ally] if ally >= 0 else None
            against = None if mine is None else sum(net) - mine - (friend or 0)
            row = [mine, friend, against, *net, *antes, pool, pool + moved[0]]
            rows.append(row)
        return zip(*(_in_parts(row, scale) for row in rows), strict=True)


def _plain(amount: Amount) -> Amount:
    return int(amount) if amount.denominator == 1 else amount


def _in_parts(amounts: Sequence[Amount | None], scale: int) -> list[int | None]:
    """Amounts in the fewest parts of a counter that hold them all, and how many a counter has."""
    times = 1
    if any([type(a) is Fraction for a in amounts]):  # noqa: C419 - half the time, and every row asks
        times = lcm(*[a.denominator for a in amounts if a is not None])
    whole = [None if a is None else int(a * times) for a in amounts]
    parts = gcd(scale * times, *[a or 0 for a in whole])
    if parts > 1:
        whole = [None if a is None else a // parts for a in whole]
    return [*whole, scale * times // parts]


class _Texts(dict[Any, str]):
    """The texts of values of one type, each made once."""

    def __init__(self, made: Callable[[Any], str]) -> None:
        super().__init__()
        self._made = made

    def __missing__(self, value: Any) -> str:
        self[value] = text = self._made(value)
        return text

    def all(self, values: Iterable[Any]) -> list[str]:
        """Those of many values."""
        return [self[value] for value in values]


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

    def __init__(self, path: Path, head: Lines, columns: Sequence[TableColumn] = ()) -> None:
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
