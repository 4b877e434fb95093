"""Progress of a study on a terminal, and a word where it will take long."""

import sys
from collections.abc import Callable

import click

from quadrille_plugins.shell.answer import caller
from quadrille_plugins.shell.terminal import beneath
from quadrille_plugins.studies.design import PATIENCE

WATCHED = 3.0
"""Seconds of work from which it is told how long the rest takes."""
FEWEST_REPORTS = 4


class StudyProgress:
    """A bar on stderr when that is a terminal, and a word in any case when it will take long."""

    def __init__(
        self,
        many: int,
        what: str = "deals",
        *,
        at_most: bool = False,
        stopped: str = "Ctrl-C reports what is done",
        every: float | None = None,
    ) -> None:
        """So many of them, or ``at_most`` so many: then how long it takes is only told where it is
        ``expected``.

        ``stopped`` says what an interrupt leaves; ``every`` so many seconds a line says how far it
        is, where no bar does.
        """
        self._every = self._next = every
        self._stopped = stopped
        self._many, self._what, self._at_most = many, what, at_most
        self._expected: float | None = None
        self._warned = False
        self._first: tuple[int, float] | None = None
        self._reports = 0
        self._advance: Callable[[int, int], object] | None = None
        self._close: Callable[[], object] | None = None

    def __enter__(self) -> "StudyProgress":
        if (python := caller()) is not None:
            self._advance = python.progress
        elif sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                TextColumn,
                TimeRemainingColumn,
            )

            bar = Progress(
                TextColumn(self._what),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(file=beneath(sys.stderr)),
                transient=True,
            )
            task = bar.add_task(self._what, total=self._many)
            bar.start()
            self._advance = lambda done, total: bar.update(task, completed=done, total=total)
            self._close = bar.stop
        return self

    def __exit__(self, *_: object) -> None:
        if self._close is not None:
            self._close()

    def expect(self, seconds: float) -> None:
        """From now on, this many seconds are expected in all."""
        self._expected = seconds

    def update(self, done: int, total: int, seconds: float) -> None:
        """Show how far the study is; once it is plain that it will take more than a minute, say
        so."""
        expected = self._expected if self._at_most else self._forecast(done, total, seconds)
        if self._advance is not None:
            # where deals are played until the answer is certain, as many are shown as are expected
            likely = (
                total
                if not self._at_most or not expected or not seconds
                else done * expected / seconds
            )
            self._advance(done, max(done, round(min(total, likely))))
        self._log(done, total, seconds, expected)
        if self._warned or expected is None or expected <= PATIENCE or seconds <= 2:
            return
        self._warned = True
        most = "at most " * self._at_most
        click.echo(
            f"this will take about {expected / 60:.0f} min ({most}{total} {self._what}); "
            f"{self._stopped}",
            err=True,
        )

    def _log(self, done: int, total: int, seconds: float, expected: float | None) -> None:
        """Say how far it is, every so often, where no bar shows it."""
        if (
            self._every is None
            or self._next is None
            or self._advance is not None
            or seconds < self._next
        ):
            return
        self._next = seconds + self._every
        left = "" if expected is None else f", about {max(expected - seconds, 0) / 60:.1f} min left"
        click.echo(f"{done} of {total} {self._what} after {seconds / 60:.1f} min{left}", err=True)

    def _forecast(self, done: int, total: int, seconds: float) -> float | None:
        """How many seconds it takes in all, by the rate since the first report; None as long as
        that says little.

        Before it code was loaded, workers began, and what is kept was made.
        """
        if self._first is None:
            self._first = done, seconds
        self._reports += 1
        already, began = self._first
        if self._reports < FEWEST_REPORTS or seconds - began < WATCHED or done <= already:
            return None
        return seconds + (total - done) * (seconds - began) / (done - already)
