"""The executor of a study, and its number of workers."""

from dataclasses import dataclass

from quadrille_core.errors import UsageError
from quadrille_plugins.studies.runner.executors import (
    DASK,
    EXECUTORS,
    PROCESSES,
    THREADS,
    Here,
    Playable,
    Pool,
    ProcessPool,
    ThreadPool,
)


@dataclass(frozen=True, slots=True)
class Placement:
    """On which executor a study is played, and with how many workers.

    ``kind`` is None where the study's own choice holds; ``address`` is that of a Dask scheduler.
    """

    workers: int = 1
    kind: str | None = None
    address: str | None = None

    def is_here(self, usual: str) -> bool:
        """Whether this process plays; ``usual`` as in ``pool``."""
        kind = self.kind or usual
        return kind == THREADS or (kind == PROCESSES and self.workers == 1 and not self.kind)

    def pool(self, work: Playable, usual: str) -> Pool:
        """Workers for that work; ``usual`` is the kind of executor that suits it on one machine."""
        kind = self.kind or usual
        if kind == DASK:
            from quadrille_plugins.studies.runner.cluster import ClusterPool

            return ClusterPool(work, self.workers, self.address)
        if not self.is_here(usual):
            return ProcessPool(work, self.workers)
        return ThreadPool(work, self.workers) if usual == THREADS else Here(work)


def parse_executor(text: str, workers: int) -> Placement:
    """``threads``, ``processes`` or ``dask[:ADDRESS]``; raises UsageError for anything else."""
    kind, colon, address = text.partition(":")
    if kind not in EXECUTORS or (colon and (kind != DASK or not address)):
        raise UsageError.of("no-executor", text=text, executors=", ".join(EXECUTORS), dask=DASK)
    return Placement(workers, kind, address or None)
