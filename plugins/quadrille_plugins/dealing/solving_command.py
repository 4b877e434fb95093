"""``quadrille deal --solve``: a deal with all cards open."""

import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final

import click

from quadrille_core.cards import format_suit, parse_suit
from quadrille_core.engine.actions import parse_bid
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.terms import fixed_favourite
from quadrille_core.errors import (
    Place,
    PlaceAt,
    Problem,
    QuadrilleError,
    RecordError,
    UsageError,
    did_you_mean,
)
from quadrille_core.profile import place_at
from quadrille_core.rules import Rules
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.record import from_record
from quadrille_plugins.dealing.lines import read_record
from quadrille_plugins.dealing.named import amount_typed, compiled_for, one_of
from quadrille_plugins.dealing.solving_report import (
    Sheet,
    seat_of,
    sheet_blocks,
    sheet_csv,
    sheet_json,
)
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_block
from quadrille_plugins.shell.options import Repeated, compile_all
from quadrille_plugins.shell.signals import answered_by
from quadrille_plugins.solver.deals import DealSolver, dealt
from quadrille_plugins.solver.open_play import require_solver
from quadrille_plugins.solver.par import Contract
from quadrille_plugins.studies.free_losses import warn_of_free_losses

KEYS: Final = ("rules", "readings", "players", "hands", "pool", "favourite", "multiplier", "beasts")
"""The keys of a deal that is written by hand; a record of ``quadrille deal`` is read as well."""
QUIET: Final = (3.0, 60.0)
"""Seconds after which the command says what it is doing: to a terminal, and elsewhere."""


def solve(
    refs: Repeated,
    file: str | None,
    line: int | None,
    seed: int,
    session: int,
    number: int,
    pool: str | None,
    favourite: str | None,
    player: str | None,
    bid: str | None,
    best_play: bool,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Solve with all cards open a deal of the seed, that of a record, or one written by hand."""
    require_solver()
    ref = one_of(refs) if refs or file is None else None
    if file is None:
        compiled = compile_all([ref or ""], readings, sets)[0]
        setup = dealt(compiled.rules, seed, session, number)
    else:
        compiled, setup = _read(file, line, ref, readings, sets)
    # what an option has changed is no fault of the file
    blamed = None if ref or favourite or pool or readings or sets else file
    if favourite is not None:
        setup = replace(setup, favourite=parse_suit(favourite))
    if pool is not None:
        setup = replace(setup, pool=amount_typed(pool))
    with _naming(blamed):
        _check_favourite(compiled.rules, setup)
    warn_of_free_losses(compiled)
    ready("quadrille_plugins.solver.solve")
    # Python hears Ctrl-C between two questions only, and one may take minutes: the system ends it
    with _told(), answered_by(signal.SIG_DFL):
        with _naming(blamed):
            solving = DealSolver(compiled.ruleset, setup)
        asked = _asked(solving, player, bid)
        sheet = Sheet(
            solving,
            tuple(solving.best(c) for c in asked),
            (),
            solving.value(),
            tuple(solving.line(solving.best(c)) for c in asked) if best_play else (),
        )
        return Answer(
            blocks=lambda: [*sheet_blocks(sheet), cite_block("deal --solve", [compiled])],
            data=lambda: sheet_json(replace(sheet, ways=tuple(solving.every(c) for c in asked))),
            rows=lambda: sheet_csv(sheet),
            around=partial(answered_by, signal.SIG_DFL),
        )


@contextmanager
def _told() -> Iterator[None]:
    """Print a notice after some seconds of work."""
    watched = sys.stderr is not None and sys.stderr.isatty()
    timer = threading.Timer(QUIET[0 if watched else 1], lambda: click.echo("solving …", err=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _read(
    file: str, line: int | None, ref: str | None, readings: Repeated, sets: tuple[str, ...]
) -> tuple[Compiled, DealSetup]:
    """The rules and the deal of a file; every fault names the file."""
    root = read_record(file, line)
    data, place = root.to_plain(), partial(place_at, root)
    if not isinstance(data, Mapping):
        raise RecordError.of("no-mapping-of-a-deal-to-solve", place=root.place)
    _, compiled = compiled_for(data, place, ref, readings, sets, _readings(data, place))
    with _naming(file):
        setup = _setup(data, compiled.rules, place)
    # how the cards were dealt binds nobody who takes them as they lie under other rules
    return compiled, replace(setup, packets=()) if ref else setup


@contextmanager
def _naming(file: str | None) -> Iterator[None]:
    """Attach the file name to errors without a location; with None, attach nothing."""
    try:
        yield
    except QuadrilleError as e:
        if file is None:
            raise
        here = Place("<stdin>" if file == "-" else file)
        raise e.placed(here) from None


def _readings(data: Mapping[str, Any], place: PlaceAt) -> list[str]:
    chosen = data.get("readings") or {}
    if not isinstance(chosen, Mapping) or not all(isinstance(v, str) for v in chosen.values()):
        raise RecordError.of("readings-no-mapping", place=place(("readings",)))
    return [f"{point}={reading}" for point, reading in chosen.items()]


def _setup(data: Mapping[str, Any], rules: Rules, place: PlaceAt) -> DealSetup:
    """The deal of a record, or one written by hand; raises RecordError with every fault."""
    if data.get("kind") is not None:
        return from_record(data, place)[0]
    problems = [
        Problem(
            "Q201",
            "no-key-of-deal",
            {"k": str(k)},
            place((k,), key=True),
            hint=did_you_mean(str(k), KEYS),
        )
        for k in data
        if k not in KEYS
    ]
    bare = {k: data[k] for k in KEYS if k in data and k not in ("rules", "readings")}
    antes = table_stake(rules)
    try:
        setup = from_record({"kind": "deal", "pool": antes, "actions": [], **bare}, place)[0]
    except RecordError as e:
        raise RecordError([*problems, *e.problems]) from None
    if problems:
        raise RecordError(problems)
    fixed = fixed_favourite(rules)
    return replace(setup, favourite=fixed) if setup.favourite is None else setup


def _check_favourite(rules: Rules, setup: DealSetup) -> None:
    source, fixed = rules.favourite.source, rules.favourite.suit
    if setup.favourite is not None and source == "none":
        raise UsageError.of("no-favourite-in-rules")
    if source == "fixed" and setup.favourite != fixed and fixed is not None:
        raise UsageError.of("favourite-is-fixed", fixed=format_suit(fixed))
    if source.startswith("drawn") and setup.favourite is None:
        raise UsageError.of("favourite-is-drawn")


def _asked(solving: DealSolver, player: str | None, bid: str | None) -> tuple[Contract, ...]:
    """The contracts to show; raises UsageError for an unknown player or bid."""
    found, players = solving.contracts(), solving.setup.players
    if not found:
        raise UsageError.of("hand-thrown-in")
    if player is not None:
        seats = seat_of(players)
        if player in players:
            seat = players.index(player)
        elif player in seats:
            seat = seats.index(player)
        elif (
            player.isascii()
            and player.isdigit()
            and len(player) < 3
            and 1 <= int(player) <= len(players)
        ):
            seat = int(player) - 1
        else:
            raise UsageError.of(
                "no-player", did_you_mean(player, seats, what="players"), player=player
            )
        found = tuple(c for c in found if c.hombre == seat)
    if bid is not None:
        wanted = parse_bid(bid, solving.rules, begins=True)
        names = list(dict.fromkeys(str(c.spec) for c in solving.contracts()))
        if wanted.bid not in [c.spec.bid for c in solving.contracts()]:
            raise UsageError.of(
                "nobody-can-bid-here", did_you_mean(bid, names, what="bids"), bid=bid
            )
        found = tuple(
            c for c in found if c.spec == wanted or (str(wanted) == wanted.bid == c.spec.bid)
        )
    if not found:
        raise UsageError.of("no-bid-left-to-solve")
    return found
