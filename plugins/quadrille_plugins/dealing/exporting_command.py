"""``quadrille deal --out``: whole deals in bulk, for data science."""

import os
from pathlib import Path

from quadrille_core.errors import UsageError
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_plugins.deal.players import ready
from quadrille_plugins.dealing.export import export
from quadrille_plugins.dealing.named import bots_of, one_of
from quadrille_plugins.dealing.playing import OTHERWISE
from quadrille_plugins.shell import parquet
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Text
from quadrille_plugins.shell.citing import cite_block
from quadrille_plugins.shell.folders import check_new_folder
from quadrille_plugins.shell.options import Repeated, compile_all
from quadrille_plugins.shell.values import ruleset_json
from quadrille_plugins.studies.design import FAST, READABLE
from quadrille_plugins.studies.engines import engine_for
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner

FORMS = ("jsonl", "parquet")
WORTH_IT = 4000
"""Deals from which on loading the fast engine costs less than it saves."""
LOGGED = 30.0
"""Seconds between lines of progress in a log."""


def export_deals(
    refs: Repeated,
    folder: Path,
    deals: int,
    length: int | None,
    form: str,
    seed: int,
    players: str,
    workers: int | None,
    engine: str,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Play deals under each rule set by bots and write them whole into a new folder.

    The readable engine gives every action its words; where the fast engine is at hand it decides
    what is played, so that the readable one only replays it.  The bytes are the same.
    """
    if not refs:
        one_of(refs)
    if folder.suffix in (".parquet", ".jsonl", ".csv"):
        raise UsageError.of("folder-named-like-a-file", folder=folder)
    check_new_folder(folder)
    forms = FORMS if form == "both" else (form,)
    if "parquet" in forms:
        parquet.require(OTHERWISE)
    compiled = compile_all(refs, readings, sets)
    bots = []
    for one in compiled:
        if one.kind != TRICKS:
            raise UsageError.of(
                "no-deals-of-tricks", profile=one.identity.profile, article=KINDS[one.kind].article
            )
        bots.append(bots_of(players, one))
    ready(bots[0])
    many = deals * len(compiled)
    chosen = READABLE
    if engine != READABLE and (engine == FAST or many >= WORTH_IT):
        chosen, _ = engine_for(engine, [c.ruleset for c in compiled], bots[0], many)
    runner = Runner(Placement(workers or os.cpu_count() or 1))
    stopped = "Ctrl-C leaves nothing behind"
    with StudyProgress(many, "deals in all", stopped=stopped, every=LOGGED) as progress:
        described = export(
            folder,
            compiled,
            bots,
            seed=seed,
            deals=deals,
            length=length,
            forms=forms,
            report=progress.update,
            engine=chosen,
            runner=runner,
        )
    files = ", ".join(r["path"] for r in described["resources"])
    what = "rule set" if len(compiled) == 1 else "rule sets"
    said = (
        f"Wrote {deals} deals under {len(compiled)} {what} to {folder}: {files}, datapackage.json."
    )
    paths = [*(r["path"] for r in described["resources"]), "datapackage.json"]
    return Answer(
        blocks=lambda: [Text(said), cite_block("deal --out", compiled)],
        data=lambda: {
            "rules": [ruleset_json(one) for one in compiled],
            "deals": deals,
            "folder": str(folder),
            "files": paths,
        },
        rows=lambda: (("file",), [(str(folder / path),) for path in paths]),
    )
