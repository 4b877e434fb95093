"""``quadrille compare --double-dummy``: what it prints and saves."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from quadrille_core.ruleset import Compiled
from quadrille_plugins.compare.double_dummy import OpenComparison, SolverCache, compare_open
from quadrille_plugins.compare.double_dummy_report import open_blocks, open_csv, open_json
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.output.files import check_folder
from quadrille_plugins.solver.open_play import require_solver
from quadrille_plugins.studies.free_losses import FreeLosses, OpenedBy, with_free_losses
from quadrille_plugins.studies.options import finish
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.running import ending, runner_for
from quadrille_plugins.studies.study_pictures import comparison_pictures, open_prose


def compare_double_dummy(
    compiled: Sequence[Compiled],
    *,
    deals: int,
    seed: int,
    workers: int | None,
    examples: int,
    save: Path | None,
    fmt: str,
    warnings: Sequence[FreeLosses | OpenedBy],
) -> int:
    """Solve the deals under each rule set, print the comparison, and save the examples on request.

    Those are saved bid and played to par.
    """
    require_solver()
    check_folder(save)
    ready("quadrille_plugins.solver.solve")
    runner = runner_for(compiled, workers, {"deals": deals})
    with StudyProgress(deals) as progress:
        found = compare_open(
            compiled,
            deals=deals,
            seed=seed,
            examples=examples,
            progress=progress.update,
            runner=runner,
        )
    if found.interrupted:
        click.echo(f"interrupted: reporting the {found.deals} deals that were finished", err=True)
    results = with_free_losses(open_json(found), warnings)
    finish(
        [s.compiled for s in found.summaries],
        results,
        fmt=fmt,
        blocks=lambda details: open_blocks(found, details=details),
        rows=lambda: open_csv(found),
        pictures=lambda: comparison_pictures(open_json(found)),
        found=lambda: open_prose(open_json(found)),
        title="Rule sets compared by par, all cards seen",
        resolved={"deals": deals},
        interrupted=found.interrupted,
        save=save,
        records=_records(found),
    )
    return ending(runner, interrupted=found.interrupted)


def _records(found: OpenComparison) -> Iterator[tuple[str, str]]:
    """The file names and texts of the examples, bid and played to par."""
    for pair in found.pairs:
        chosen = pair.first, pair.second
        room = SolverCache([found.summaries[i].compiled.ruleset for i in chosen])
        for example in pair.examples:
            for index, solving in zip(
                chosen, room.solvings(found.seed, example.number), strict=True
            ):
                valued = solving.value()
                if valued.solved is not None:
                    record = solving.record(valued.solved, valued.par.spoken)
                    name = f"session{example.number}-deal0-{index + 1}.json"
                    yield name, json.dumps(record, ensure_ascii=False, indent=2) + "\n"
