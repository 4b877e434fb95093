"""Plays the sessions of an export, block by block, so that several processes can share them.

The fast engine decides and the readable one replays: a deal's actions are read off the kernel's
events, and the readable engine, which gives every action its words, applies them.  Where that does
not give the same events the session is played by the readable engine alone, so that the bytes are
always its own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, get_args

from quadrille_core.cards import Card, Suit
from quadrille_core.engine.actions import Action, BidSpec, parse_action
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.deal_record import codes
from quadrille_core.engine.table import Deal
from quadrille_core.errors import QuadrilleError
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet, VoleLevel
from quadrille_plugins.deal.record import record_file, to_record
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.dealing.columns import PLAYED_TABLES, Row, json_line, rows_of
from quadrille_plugins.shell.parquet import arrow_table
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.design import FAST
from quadrille_plugins.studies.runner.executors import PROCESSES
from quadrille_plugins.studies.runner.tasks import Sessions
from quadrille_plugins.studies.sessions import Held, parts, session_of

OTHERWISE: Final = "--form jsonl"
"""What works without pyarrow, and for amounts of any size."""


class DivergedError(Exception):
    """The readable engine does not go where the kernel went."""


@dataclass(slots=True)
class Exported:
    """What a block comes to: its records as lines, its Arrow tables by name, and how many deals it
    has."""

    deals: int
    lines: str
    tables: Any = field(default_factory=dict)


@frozen
class Exporting:
    """Plays blocks of one rule set."""

    number: int
    """Of the rule set, from 1."""
    ruleset: RuleSet
    bots: tuple[str, ...]
    """By chair."""
    seed: int
    engine: str
    named: Any
    """How a record names its rules."""
    forms: tuple[str, ...]

    task: ClassVar[type] = Sessions
    result: ClassVar[Any] = Exported

    @property
    def usual(self) -> str:
        """Most of the work is Python's."""
        return PROCESSES

    def fits(self, task: Sessions, found: Exported) -> bool:
        """Nothing is read back: an export is kept in no study folder."""
        del task, found
        return False

    def ready(self) -> Callable[[Sessions], Exported]:
        """As ``Work`` says."""
        return (
            Replaying(self, fast.tabulate([self.ruleset], self.bots)[0][0]).play
            if self.engine == FAST
            else self._readable
        )

    def _readable(self, task: Sessions) -> Exported:
        sessions = enumerate(task.lengths, task.first)
        return self.exported(
            played for session, deals in sessions for played in self.session(session, deals)
        )

    def session(
        self, session: int, deals: int, play: Callable[[DealSetup], Deal] | None = None
    ) -> Iterator[PlayedDeal]:
        """The deals of a session by the readable engine."""
        return session_of(self.ruleset, self.bots, self.seed, session, deals, play=play)

    def exported(self, played: Iterator[PlayedDeal]) -> Exported:
        """The deals as lines and tables."""
        lines: list[str] = []
        rows: dict[str, list[Row]] = (
            {t.name: [] for t in PLAYED_TABLES} if "parquet" in self.forms else {}
        )
        deals = 0
        for one in played:
            deals += 1
            if "jsonl" in self.forms:
                lines.append(
                    json_line(
                        {**record_file(to_record(one.deal, one.settlement)), "rules": self.named}
                    )
                )
            for name, row in rows_of(self.number, self.bots, one) if rows else ():
                rows[name].append(row)
        tables = {
            t.name: arrow_table(t.columns, rows[t.name], OTHERWISE) for t in PLAYED_TABLES if rows
        }
        return Exported(deals, "".join(lines), tables)


class Replaying:
    """Plays blocks by the kernel and replays them by the readable engine."""

    def __init__(self, work: Exporting, arrays: fast.Arrays) -> None:
        """``arrays`` is the rule set as the kernel reads it."""
        self._work, self._arrays = work, arrays
        bids = work.ruleset.rules.bids.names()
        self._bids = {arrays.names.of(("bid", bid)): bid for bid in bids}
        self._room: fast.Workspace | None = None

    def play(self, task: Sessions) -> Exported:
        """As ``Work`` says."""
        return self._work.exported(self._played(task))

    def _played(self, task: Sessions) -> Iterator[PlayedDeal]:
        self._room = fast.workspace(max(task.lengths), self._room)
        for first, lengths, room in parts(task.first, task.lengths, self._room):
            found = self._arrays.play(self._work.seed, first, lengths, room, 0)
            for n, length in enumerate(lengths):
                yield from self.session(found, n, first + n, length)

    def session(self, found: Held, n: int, session: int, length: int) -> Sequence[PlayedDeal]:
        """The deals of the session at place ``n`` of what the kernel played, by the bots where it
        does not replay."""
        if not found.inexact[n]:
            records, tape = found.deals(n)

            def replayed(setup: DealSetup) -> Deal:
                record = records[setup.deal or 0]
                return self._replayed(setup, tape[record.events_at :][: record.events])

            try:
                return list(self._work.session(session, length, replayed))
            except (DivergedError, QuadrilleError):
                pass
        return list(self._work.session(session, length))

    def _replayed(self, setup: DealSetup, tape: Sequence[int]) -> Deal:
        """The deal in which these events happen; raises DivergedError where others do."""
        deal = Deal(self._work.ruleset, setup)
        while deal.turn is not None:
            deal.apply(self._next(deal, tape))
        if codes(deal.events, self._arrays.names) != tape:
            raise DivergedError
        return deal

    def _next(self, deal: Deal, tape: Sequence[int]) -> Action:
        """The action that causes the next event."""
        legal = deal.legal()
        if len(legal) == 1:
            return legal[0]
        if len(deal.events) >= len(tape):
            raise DivergedError
        action = self._action(tape[len(deal.events)])
        if action not in legal:
            raise DivergedError
        return action

    def _action(self, event: int) -> Action | None:
        """What is done at an event (``engine.deal_record``); None where it is nobody's decision."""
        from quadrille_plugins.kernel.words import EVENT

        kind, what = event & 31, event >> 9
        plain = {
            EVENT.PASS: "pass",
            EVENT.INVITE: "invite",
            EVENT.CLAIM: "claim",
            EVENT.ASK: "ask",
            EVENT.YES: "yes",
            EVENT.NO: "no",
            EVENT.VOLE: "vole",
        }
        if kind in plain:
            return parse_action(plain[kind])
        if kind in (EVENT.CALL, EVENT.PLAY):
            return Action("call" if kind == EVENT.CALL else "play", card=Card(what))
        if kind == EVENT.BID:
            return Action("bid", bid=self._bid(what >> 3))
        if kind == EVENT.NAMES:
            return Action("name", suit=Suit((what & 7) - 1))
        if kind == EVENT.TRUMP:
            return Action("trump", suit=Suit(what))
        return Action("give", card=Card(what >> 6 & 63)) if kind == EVENT.EXCHANGE else None

    def _bid(self, spoken: int) -> BidSpec:
        return BidSpec(self._bids[spoken >> 3], bool(spoken & 4), get_args(VoleLevel)[spoken & 3])
