"""Blocks on a Dask cluster: one of this machine, or that of a scheduler somewhere."""

import pickle
import threading
import zlib
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from contextlib import nullcontext, suppress
from hashlib import sha256
from typing import Any, Final

from quadrille_core import __version__
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_plugins.studies.runner.code import PROGRAM, digests_of
from quadrille_plugins.studies.runner.executors import (
    AHEAD,
    THREADS,
    LostError,
    Play,
    Pool,
    one_at_a_time,
)

HOST: Final = "127.0.0.1"
"""Where a cluster of this machine listens: nobody else reaches it."""
RETRIES: Final = 3
START: Final = 30
"""Seconds in which a scheduler must answer, and have a worker."""
STOP: Final = 1
"""Seconds in which they are to end."""
FAILURES: Final = 2
"""Workers of this machine that a block may end and be begun again; the next one names it."""


class WorkersError(UsageError):
    """A cluster that is unavailable, or whose workers have different versions installed."""

    code = "Q804"


class ClusterPool(Pool):
    """Workers of a Dask cluster; without ``address``, N local processes that end with this one."""

    def __init__(self, work: Any, workers: int, address: str | None) -> None:
        self._sent, self._workers, self._address = Sent.of(work), workers, address
        self._cluster: Any = None
        self._client: Any = None
        self._executor: Any = None
        self.most = AHEAD
        self._start()
        self._check()

    def _start(self) -> None:
        try:
            import dask
            import distributed
        except ImportError:
            raise WorkersError.of("no-dask", how=install_hint("cluster")) from None
        made: Any = distributed  # which says little of its types
        try:
            if self._address is None:
                dask.config.set({"distributed.scheduler.allowed-failures": FAILURES})
                # a worker's memory is watched by nobody: blocks are small, and a warning would be
                # all that came of it
                self._cluster = made.LocalCluster(
                    n_workers=self._workers,
                    threads_per_worker=1,
                    processes=True,
                    host=HOST,
                    dashboard_address=None,
                    memory_limit=0,
                    silence_logs="CRITICAL",
                )
            self._client = made.Client(
                self._cluster or self._address, timeout=START, set_as_default=False
            )
            self._client.wait_for_workers(1, timeout=START)
            self._executor = self._client.get_executor(pure=False, retries=RETRIES)
            self.most = AHEAD * sum(self._client.nthreads().values())
        except (OSError, TimeoutError, ValueError) as e:
            self.stop()
            where = self._address or HOST
            raise WorkersError.of(
                "no-workers", where=where, text=str(e)[:200] or type(e).__name__
            ) from None

    def _check(self) -> None:
        """Raise WorkersError for a worker on which another program, or another plugin, is
        installed."""
        told = self._client.run(_installed, sorted(self._sent.digests), on_error="return")
        for name, found in sorted(told.items()):
            fault = (
                f"cannot say what is installed: {found}"
                if isinstance(found, Exception)
                else self._sent.fault(found)
            )
            if fault:
                self.stop()
                raise WorkersError.of("worker-differs", name=name, fault=fault)

    def submit(self, task: Any) -> "Future[Any]":
        """As ``Pool`` says."""
        found: Future[Any] = self._executor.submit(_play_there, self._sent, task)
        return found

    def outcome(self, future: "Future[Any]") -> Any:
        """As ``Pool`` says."""
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except KilledWorker as e:
            raise LostError(str(e).splitlines()[0][:200], certain=True) from None
        except CancelledError:
            raise LostError("the scheduler is gone") from None

    def renew(self) -> None:
        """As ``Pool`` says."""
        self.stop()
        self._start()

    def stop(self) -> None:
        """As ``Pool`` says."""
        client, cluster, self._client, self._cluster = self._client, self._cluster, None, None
        for one in (client, cluster):
            if one is not None:
                # a worker at a block does not answer; it ends with its nanny, and that with this
                # process
                with suppress(TimeoutError, OSError, RuntimeError, CancelledError):
                    one.close(timeout=STOP)


class Sent:
    """A work as it is sent with each block: a worker may come at any time, and unpacks it once."""

    def __init__(
        self, packed: bytes, version: str, digests: dict[str, str], *, alone: bool
    ) -> None:
        self.packed, self.version, self.digests, self.alone = packed, version, digests, alone
        self.key = sha256(packed).hexdigest()

    @classmethod
    def of(cls, work: Any) -> "Sent":
        """The work packed, with what must be installed where it is played."""
        rulesets = getattr(work, "rulesets", ())
        plugins = sorted({plugin.name for one in rulesets for plugin in one.identity.plugins})
        return cls(
            zlib.compress(pickle.dumps(work)),
            __version__,
            digests_of(plugins),
            alone=work.usual != THREADS,
        )

    def fault(self, found: tuple[str, dict[str, str]]) -> str:
        """How an installation differs from the one required; empty when it does not."""
        version, digests = found
        if version != self.version:
            return f"quadrille {version} is installed there, and {self.version} here"
        for name, digest in self.digests.items():
            if digests.get(name) != digest:
                what = "the files of quadrille" if name == PROGRAM else f"the files of {name}"
                return f"{what} are not those that are installed here"
        return ""


def _installed(names: Sequence[str]) -> tuple[str, dict[str, str]]:
    """On a worker: the version of this program, and the digests of its files and of the plugins
    named."""
    return __version__, digests_of(
        name.removeprefix("plugin ") for name in names if name != PROGRAM
    )


class _Own(threading.local):
    """Per worker and thread: the function that plays the blocks of a work, by the work's key."""

    def __init__(self) -> None:
        self.ready: dict[str, Play] = {}


_own = _Own()


def _play_there(sent: Sent, task: Any) -> Any:
    """On a worker: one block."""
    # a worker may have several threads, which suits the kernel alone
    with one_at_a_time if sent.alone else nullcontext():
        if sent.key not in _own.ready:
            fault = sent.fault(_installed(sorted(sent.digests)))
            if fault:
                from distributed import get_worker

                raise WorkersError.of("worker-unfit", address=get_worker().address, fault=fault)
            _own.ready.clear()  # of one study at a time
            _own.ready[sent.key] = pickle.loads(zlib.decompress(sent.packed)).ready()  # noqa: S301 - from the client
        return _own.ready[sent.key](task)
