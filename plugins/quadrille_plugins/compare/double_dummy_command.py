"""``quadrille compare --double-dummy``: what it prints and saves."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quadrille_core.ruleset import Compiled
from quadrille_plugins.compare.double_dummy import OpenComparison, SolverCache, compare_open
from quadrille_plugins.compare.double_dummy_report import answer, open_blocks, open_csv, open_json
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.solver.open_play import require_solver
from quadrille_plugins.studies.free_losses import warnings_for
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering, Study
from quadrille_plugins.studies.study_pictures import comparison_pictures


@dataclass(kw_only=True)
class OpenStudy(Study[OpenComparison]):
    """A comparison by par, all cards seen; examples are saved bid and played to par."""

    seed: int
    examples: int

    @classmethod
    def of(
        cls,
        compiled: Sequence[Compiled],
        *,
        deals: int,
        seed: int,
        examples: int,
        save: Path | None,
    ) -> "OpenStudy":
        """The study of N deals; raises UsageError without the solver."""
        require_solver()
        return cls(
            compiled=compiled,
            title="Rule sets compared by par, all cards seen",
            resolved={"deals": deals},
            deals=deals,
            warnings=warnings_for(compiled[0], compiled[1:]),
            save=save,
            seed=seed,
            examples=examples,
        )

    def play(self, runner: Runner) -> OpenComparison:
        """See ``Study``."""
        ready("quadrille_plugins.solver.solve")
        with StudyProgress(self.deals) as progress:
            return compare_open(
                self.compiled,
                deals=self.deals,
                seed=self.seed,
                examples=self.examples,
                progress=progress.update,
                runner=runner,
            )

    def finish(self, found: OpenComparison) -> dict[str, Any]:
        """See ``Study``."""
        return open_json(found)

    def render(self, found: OpenComparison, record: Mapping[str, Any]) -> Rendering:
        """See ``Study``."""
        return Rendering(
            blocks=lambda details: open_blocks(found, details=details),
            rows=lambda: open_csv(found),
            answers=lambda: [answer(found, pair) for pair in found.pairs],
            pictures=lambda: comparison_pictures(record),
            records=lambda: _records(found),
            reached=f"the {found.deals} deals that were finished" if found.interrupted else "",
        )


def _records(found: OpenComparison) -> Iterator[tuple[str, str]]:
    """The file names and texts of the examples, bid and played to par."""
    for pair in found.pairs:
        chosen = pair.first, pair.second
        solver = SolverCache([found.summaries[i].compiled.ruleset for i in chosen])
        for example in pair.examples:
            for index, solving in zip(
                chosen, solver.solvings(found.seed, example.number), strict=True
            ):
                valued = solving.value()
                if valued.solved is not None:
                    record = solving.record(valued.solved, valued.par.spoken)
                    name = f"session{example.number}-deal0-{index + 1}.json"
                    yield name, json.dumps(record, ensure_ascii=False, indent=2) + "\n"
