"""Rules that draw on a fund beside the pool: a ledger keeps none, and says by which choices nothing
is drawn."""

from collections.abc import Iterator

from quadrille_core.errors import UsageError
from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.compile import PointState
from quadrille_plugins.settle.fund import fund_rules


def refuse_fund(compiled: Compiled) -> None:
    """Raise UsageError for rules that draw on the fund; its help names the options by which they
    draw nothing."""
    drawn = tuple(fund_rules(compiled.ruleset.rules))
    if drawn:
        message = (
            f"by {drawn[0]} these rules draw on a fund beside the pool, and a ledger keeps none"
        )
        options = " ".join(_options(compiled, drawn))
        raise UsageError(message, help=f"start it with {options}")


def _options(compiled: Compiled, drawn: tuple[str, ...]) -> Iterator[str]:
    """The options by which nothing is drawn: a reading for each point that draws, and settings for
    what is left."""
    left = set(drawn)
    for state in compiled.points:
        settled = {path for path, _, _ in state.reading.sets} & left
        dry = [
            reading
            for reading in state.point.readings
            if not _draws(reading, left) and settled <= _paths(reading)
        ]
        if settled and dry:
            left -= settled
            nearest = min(dry, key=lambda reading: _changes(state, reading))
            yield f"--reading {state.point.id}={nearest.id}"
        elif state.reading.id != state.point.default and any(
            _draws(r, left) for r in state.point.readings
        ):
            yield f"--reading {state.point.id}={state.reading.id}"  # chosen for this already
    for path in drawn:
        if path in left:
            yield f"--set {path}=0"


def _paths(reading: ReadingDoc) -> set[str]:
    return {path for path, _, _ in reading.sets}


def _draws(reading: ReadingDoc, fund: set[str]) -> bool:
    return any(path in fund or ".fund_" in path for path, value, _ in reading.sets if value)


def _changes(state: PointState, reading: ReadingDoc) -> int:
    """How many rules the reading sets differently from the one in use."""
    now = {path: value for path, value, _ in state.reading.sets}
    return sum(now.get(path) != value for path, value, _ in reading.sets)
