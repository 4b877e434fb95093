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
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import click

from quadrille_core.cards import NO_TRUMP, Suit, format_suit
from quadrille_core.engine.carry import antes_of
from quadrille_core.engine.result import POOL
from quadrille_core.errors import Place, UnwrittenError, UsageError
from quadrille_core.files import note_unwritten
from quadrille_core.frozen import frozen
from quadrille_core.report.cells import harmless
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.output.files import NewFile, open_new
from quadrille_plugins.output.values import names_beside
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.observe import Divergence
from quadrille_plugins.studies.parquet_table import ParquetLines, check_pyarrow

PARQUET: Final = ".parquet"
FORMS: Final = (".csv", ".jsonl", PARQUET)
OUTCOMES: Final = ("won", "remise", "codille")
VOLES: Final = ("none", "won", "lost")
STAGES: Final = ("same", "auction", "play", "settlement")
REDEALT: Final = "redealt"

_WORDS: Final = frozenset(
    ["", "true", "false", "True", "False", REDEALT, *OUTCOMES, *VOLES, *STAGES]
    + [format_suit(Suit(suit)) for suit in range(4)]
)
"""The words of a row besides its bid."""
_NUMBER: Final = re.compile(r"-?[0-9]+(?:/[0-9]+)?", re.ASCII)

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
            "table-of-deals-ends",
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

    def _row(
        self,
        number: int,
        place: tuple[int, int],
        told: tuple[str, str, str | None, str | None, int | None, int | None],
        tricks: Sequence[int] | None,
        net: Sequence[str],
        pools: tuple[str, str],
        parts: tuple[str | None, bool | None],
    ) -> Row:
        hombre, ally = told[4:]
        won = list(tricks) if tricks is not None else [None] * self.players
        side = None if tricks is None else sum(tricks[s] for s in (hombre, ally) if s is not None)
        return [
            *place,
            self.seed,
            *self._names[number],
            *told,
            side,
            *won,
            *net,
            *self._antes[number],
            *pools,
            *parts,
        ]

    def _redealt(
        self, number: int, place: tuple[int, int], pool: Fraction, parts: tuple[Any, Any]
    ) -> Row:
        none = (REDEALT, REDEALT, None, None, None, None)
        return self._row(
            number, place, none, None, ["0"] * self.players, (str(pool), str(pool)), parts
        )

    # --- the readable engine

    def of_readable(
        self,
        played: Sequence[PlayedDeal | None],
        divergences: Sequence[Divergence | None],
        numbers: Sequence[int] | None = None,
    ) -> list[Lines]:
        """One deal under each rule set; None where the session was over.

        ``divergences`` says of each rule set but the first where it diverges from it, ``numbers``
        which of all rule sets were played, the first among them.
        """
        first, rows = played[0], []
        for place, (number, one) in enumerate(zip(self._played(numbers), played, strict=True)):
            if one is None:
                continue
            parts: tuple[str | None, bool | None] = (None, None)
            if place and first is not None:
                divergence = divergences[place - 1]
                parts = (divergence.stage if divergence else "same", _state(first) == _state(one))
            rows.append(self._readable(number, one, parts))
        return [self.lines(rows)]

    def _played(self, numbers: Sequence[int] | None) -> Sequence[int]:
        return range(len(self._names)) if numbers is None else numbers

    def _readable(self, number: int, one: PlayedDeal, parts: tuple[str | None, bool | None]) -> Row:
        deal, settlement, before = one.deal, one.settlement, one.setup.pool
        place = (one.setup.session or 0, one.setup.deal or 0)
        if settlement is None or deal.contract is None:
            return self._redealt(number, place, before, parts)
        tricks = [0] * self.players
        for event in deal.events:
            if event.kind == "trick" and event.seat is not None:
                tricks[event.seat] += 1
        trump = None if deal.trump is None or deal.trump == NO_TRUMP else format_suit(deal.trump)
        told = (
            deal.contract.bid,
            settlement.outcome,
            settlement.vole,
            trump,
            deal.hombre,
            deal.ally,
        )
        net, pools = [str(n) for n in settlement.net], (str(before), str(settlement.pool_after))
        return self._row(number, place, told, tricks, net, pools, parts)

    # --- the fast engine

    def of_kernel(
        self, played: fast.Played, scale: int, numbers: Sequence[int] | None = None
    ) -> dict[int, Lines]:
        """The rows of every session of a block that the kernel represents, by session number.

        ``numbers`` says which of all rule sets were played, the first among them.
        """
        told: dict[int, Lines] = {}
        for n, skipped in enumerate(played.skip.tolist()):
            if skipped:
                continue
            many = [int(s["deals"][n]) for s in played.sums]
            tapes = [t[n] for t in played.tapes]
            records = [r[n] for r in played.records]
            rows: list[Row] = []
            for deal in range(max(many)):
                where = (played.first + n, deal)
                for place, (number, count) in enumerate(
                    zip(self._played(numbers), many, strict=True)
                ):
                    if deal < count:
                        parts = (
                            (None, None)
                            if not place or deal >= many[0]
                            else _parts(records, tapes, place, deal)
                        )
                        rows.append(
                            self._fast(
                                number, where, records[place][deal], tapes[place], scale, parts
                            )
                        )
            told[played.first + n] = self.lines(rows)
        return told

    def _fast(
        self,
        number: int,
        place: tuple[int, int],
        record: Any,
        tape: Any,
        scale: int,
        parts: tuple[Any, Any],
    ) -> Row:
        from quadrille_plugins.kernel.state import TAPED, TRANSFER
        from quadrille_plugins.kernel.words import EVENT, OUTCOME

        r = record
        before = Fraction(int(r["pool"]), scale)
        if r["outcome"] == OUTCOME.REDEALT:
            return self._redealt(number, place, before, parts)
        tricks, trump = [0] * self.players, None
        for event in tape[r["events_at"] : r["events_at"] + r["events"]].tolist():
            kind = event & 31
            if kind == EVENT.TRICK:
                tricks[(event >> 5 & 7) - 1] += 1
            elif kind == EVENT.TRUMP:
                trump = format_suit(Suit(event >> 9))
        paid = tape[r["transfers_at"] :][: TAPED * r["transfers"]].view(TRANSFER)
        signs = (paid["target"] == POOL).astype(int) - (paid["source"] == POOL)
        left = int(r["pool"] + (paid["amount"] * signs).sum())
        seats = [None if r[s] < 0 else int(r[s]) for s in ("hombre", "ally")]
        told = (
            self.bids[number][r["bid"]],
            OUTCOMES[r["outcome"]],
            VOLES[r["how_vole"]],
            trump,
            seats[0],
            seats[1],
        )
        net = [str(Fraction(n, scale)) for n in r["net"][: self.players].tolist()]
        return self._row(
            number, place, told, tricks, net, (str(before), str(Fraction(left, scale))), parts
        )


def _parts(
    records: Sequence[Any], tapes: Sequence[Any], number: int, deal: int
) -> tuple[str, bool]:
    from quadrille_plugins.kernel.session import first_difference
    from quadrille_plugins.kernel.state import STANDING

    a, b = records[0][deal], records[number][deal]
    return STAGES[first_difference(a, tapes[0], b, tapes[number])], bool(a[STANDING] == b[STANDING])


def _state(played: PlayedDeal) -> tuple[Any, ...]:
    s = played.setup
    return s.pool, s.multiplier, s.beasts, s.favourite


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
                "cannot-write-file", place=Place(str(self._path)), text=e.strerror or e
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


@frozen
class PlayingBlocks:
    """Plays blocks, by default as a comparison does, and keeps the rows of their deals until their
    turn.

    ``numbers`` says which of the table's rule sets are played, the first among them.
    """

    table: DealTable
    scale: int
    numbers: Sequence[int] | None = None
    play: Callable[..., tuple[fast.PlayedBlock, fast.Played]] = fast.play_side_by_side
    _told: dict[int, dict[int, Lines]] = field(default_factory=dict)

    def __call__(
        self,
        arrays: Sequence[fast.Arrays],
        seed: int,
        first: int,
        lengths: Any,
        workspace: Any,
        examples: int,
    ) -> fast.PlayedBlock:
        """Play one block; thread-safe."""
        block, played = self.play(arrays, seed, first, lengths, workspace, examples)
        self._told[first] = self.table.of_kernel(played, self.scale, self.numbers)
        return block

    def rows_of(
        self, block: fast.PlayedBlock, left: Mapping[int, Sequence[Lines]]
    ) -> Iterator[Lines]:
        """The deals of a block, with those of its sessions that the readable engine has played."""
        told = {
            **self._told.pop(block.first),
            **{session: "".join(lines) for session, lines in left.items()},
        }
        return (told[session] for session in sorted(told))
