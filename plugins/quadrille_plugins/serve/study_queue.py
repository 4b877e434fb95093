"""The studies that pages have asked for: one plays at a time, a few wait, and the last ones are
kept in memory."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from quadrille_core.errors import Problem, UsageError
from quadrille_core.frozen import frozen

MOST_WAITING: Final = 4
MOST_KEPT: Final = 16
"""Studies that are kept, the latest asked for; the same question asked again is played again once
it is gone."""
WALL_SECONDS: Final = 600.0
"""How long a study may play; then it reports what it has."""
GRACE_SECONDS: Final = 60.0
"""How long the report may take after that."""
LONGEST_RESULT: Final = 16 * 1024 * 1024
"""Bytes of a line that a study may print."""
WAITING, PLAYING, DONE, FAILED, CANCELLED = "waiting", "playing", "done", "failed", "cancelled"


class BusyError(UsageError):
    """A study that cannot even wait."""


@frozen
class Order:
    """What a page asks for: a command of the program, its arguments and options, and files in its
    folder."""

    title: str
    command: str
    arguments: tuple[str, ...]
    options: tuple[tuple[str, str | int | bool], ...]
    files: tuple[tuple[str, str], ...] = ()

    @property
    def typed(self) -> str:
        """The command line as one would type it."""
        more = (
            f"--{name}" if value is True else f"--{name} {value}" for name, value in self.options
        )
        return " ".join(["quadrille", self.command, *self.arguments, *more])


@dataclass(slots=True, eq=False)
class Study:
    """One study, and what has come of it."""

    id: str
    order: Order
    state: str = WAITING
    done: int = 0
    of: int = 0
    began: float = 0.0
    seconds: float = 0.0
    result: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    pictures: tuple[tuple[str, str], ...] = ()
    """The alternative text of each picture, and its digest."""
    child: subprocess.Popen[bytes] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in (DONE, FAILED, CANCELLED)


class StudyQueue:
    """Plays studies in child processes."""

    def __init__(self) -> None:
        """Nothing has been asked for."""
        self._lock = threading.Lock()
        self._studies: OrderedDict[str, Study] = OrderedDict()
        self._worker: threading.Thread | None = None

    def ask(self, order: Order) -> str:
        """The id of a study of that order: one that is there and was not given up, or a new one in
        the queue.

        Raises BusyError where too many wait.
        """
        with self._lock:
            for one in self._studies.values():
                if one.order == order and one.state not in (FAILED, CANCELLED):
                    return one.id
            if sum(one.state == WAITING for one in self._studies.values()) >= MOST_WAITING:
                raise BusyError.of("queue-full", most=MOST_WAITING)
            study = Study(secrets.token_hex(8), order)
            self._studies[study.id] = study
            for old in [one.id for one in self._studies.values() if one.is_over][
                : len(self._studies) - MOST_KEPT
            ]:
                del self._studies[old]
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="studies", daemon=True)
                self._worker.start()
        return study.id

    def get(self, name: str) -> Study | None:
        """The study of that id."""
        with self._lock:
            return self._studies.get(name)

    def all(self) -> list[Study]:
        """Every study that is kept, the latest first."""
        with self._lock:
            return list(reversed(self._studies.values()))

    def place(self, study: Study) -> int:
        """How many studies come before it."""
        with self._lock:
            known = [one for one in self._studies.values() if not one.is_over]
            return known.index(study) if study in known else 0

    def picture(self, digest: str) -> str | None:
        """The SVG of that digest, of a study that is kept."""
        with self._lock:
            for study in self._studies.values():
                for (_, known), (_, svg) in zip(
                    study.pictures, study.result.get("pictures", ()), strict=False
                ):
                    if known == digest:
                        return str(svg)
        return None

    def cancel(self, name: str) -> None:
        """Give a study up; one that is over stays as it is."""
        with self._lock:
            study = self._studies.get(name)
            if study is not None and not study.is_over:
                study.state = CANCELLED
                if study.child is not None:
                    _hang_up(study.child)

    def close(self) -> None:
        """Give every study up."""
        for study in self.all():
            self.cancel(study.id)

    def _work(self) -> None:
        while True:
            with self._lock:
                study = next((one for one in self._studies.values() if one.state == WAITING), None)
                if study is None:
                    self._worker = None
                    return
                study.state, study.began = PLAYING, time.monotonic()
                folder = tempfile.mkdtemp(prefix="quadrille-study-")
                try:
                    study.child = _begin(study.order, folder)
                except OSError:
                    shutil.rmtree(folder, ignore_errors=True)
                    study.state, study.problems = FAILED, (_FAULT,)
                    continue
            try:
                self._follow(study, study.child)
            finally:
                with self._lock:
                    study.seconds, study.child = time.monotonic() - study.began, None
                    shutil.rmtree(folder, ignore_errors=True)
                    if study.state == PLAYING:
                        study.state, study.problems = FAILED, study.problems or (_FAULT,)

    def _follow(self, study: Study, child: subprocess.Popen[bytes]) -> None:
        """Read what a study says until it ends."""
        timers = [
            threading.Timer(WALL_SECONDS, _ask_to_stop, (child,)),
            threading.Timer(WALL_SECONDS + GRACE_SECONDS, _hang_up, (child,)),
        ]
        for timer in timers:
            timer.daemon = True
            timer.start()
        try:
            while line := _line_of(child.stdout):
                said = json.loads(line)
                with self._lock:
                    if study.state == PLAYING:
                        _take(study, said)
        except ValueError:  # no JSON, or too long: the study is no use
            pass
        finally:
            for timer in timers:
                timer.cancel()
            _hang_up(child)
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()


_FAULT: Final = Problem("Q999", "study-failed")


def _take(study: Study, said: Mapping[str, Any]) -> None:
    if "progress" in said:
        study.done, study.of = said["progress"]
    elif "problems" in said:
        study.state = FAILED
        study.problems = tuple(
            Problem(p.pop("code"), "own-words-and-help", p) for p in said["problems"]
        )
    elif "result" in said:
        study.result = said["result"]
        study.pictures = tuple(
            (alt, sha256(svg.encode()).hexdigest()) for alt, svg in study.result["pictures"]
        )
        study.state = DONE


def _begin(order: Order, folder: str) -> subprocess.Popen[bytes]:
    """Start a study in a folder; as long as its standard input is open, it goes on."""
    for name, text in order.files:
        Path(folder, name).write_text(text, encoding="utf-8", newline="")
    asked = {"command": order.command, "arguments": order.arguments, "options": dict(order.options)}
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(  # noqa: S603 - this program, by this interpreter
        [sys.executable, "-m", "quadrille_plugins.serve.study_child", json.dumps(asked)],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
        start_new_session=True,
    )


def _line_of(stream: IO[bytes] | None) -> bytes:
    """The next line; raises ValueError for one that is too long."""
    line = stream.readline(LONGEST_RESULT) if stream is not None else b""
    if line and not line.endswith(b"\n"):
        raise ValueError
    return line


def _ask_to_stop(child: subprocess.Popen[bytes]) -> None:
    """Let the study report what it has."""
    with suppress(OSError, ValueError):  # it has ended meanwhile
        if child.stdin is not None:
            child.stdin.write(b"stop\n")
            child.stdin.flush()


def _hang_up(child: subprocess.Popen[bytes]) -> None:
    """End a study with all that it has begun."""
    with suppress(OSError):  # it has ended meanwhile
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
