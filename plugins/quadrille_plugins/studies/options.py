"""The options of studies, and what a manifest records of them."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click

from quadrille_core.errors import Option, UsageError
from quadrille_plugins.shell.folders import check_new_folder
from quadrille_plugins.shell.options import _split, claim_option, parse_value, typed_options
from quadrille_plugins.shell.values import Json
from quadrille_plugins.shell.writing import check_folder
from quadrille_plugins.studies.design import AUTO, ENGINES
from quadrille_plugins.studies.equivalence import OF_DEALS, SMALLEST
from quadrille_plugins.studies.pictures import require
from quadrille_plugins.studies.runner.executors import EXECUTORS
from quadrille_plugins.studies.study import ASKED, INPUTS, PLAN, Study, options_of, run_study

F = TypeVar("F", bound=Callable[..., Any])

table_option: Final = click.option(
    "--table",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=claim_option,
    metavar="FILE.csv|.jsonl|.parquet",
    help="A file for every deal, a row under each rule set, for R, pandas and DuckDB.  Parquet "
    "needs the extra data.",
)
"""Of studies whose deals can be listed."""


def counters(ctx: click.Context, param: click.Parameter, value: str | None) -> Fraction | None:
    """A positive number of counters, whole or a fraction; None when the option is not given."""
    if value is None:
        return None
    try:
        found = Fraction(value)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if found <= 0 or len(value) > 20:
        option, such = Option(param.name or ""), Option(param.name or "", "10")
        raise UsageError.of("counters-not-positive", option=option, such=such, value=value)
    return found


engine_option: Final = click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=AUTO,
    show_default=True,
    help="The readable engine, the fast one, or whichever suits the work; the results are the "
    "same.",
)


smallest_option: Final = click.option(
    "--smallest",
    default=str(SMALLEST),
    show_default=True,
    callback=counters,
    metavar="COUNTERS",
    help=f"The smallest effect of interest, in counters a seat and session of {OF_DEALS} deals.",
)
"""Of studies that answer whether an effect is larger or smaller than that."""


FILES: Final[Mapping[str, Json]] = {
    "pictures": {
        "type": click.Path(file_okay=False),
        "metavar": "FOLDER",
        "help": "Write the pictures to this folder, as SVG and PDF.",
    },
    "report": {
        "type": click.Path(dir_okay=False),
        "metavar": "FILE.html",
        "help": "Write a report with pictures, to be read offline.",
    },
    "deposit": {
        "type": click.Path(),
        "metavar": "FOLDER",
        "help": "Write a new folder fit for an archive: manifest, rules, tables, licence, "
        "citation, checksums.",
    },
    "manifest": {
        "type": click.Path(dir_okay=False),
        "metavar": "FILE",
        "help": "Write what `quadrille rerun` repeats the study by.",
    },
}
"""What a study writes besides."""
WORKERS: Final[Json] = {
    "type": click.IntRange(1, 256),
    "default": None,
    "help": "Processes to use; the results do not depend on it.  [default: all cores]",
}
RUNNING: Final[Mapping[str, Json]] = {
    "workers": WORKERS,
    "block": {
        "type": click.IntRange(0, 10**9),
        "help": "Only play this block of the study, in this process: to see what is wrong with it.",
        "hidden": True,
    },
    "executor": {
        "metavar": "|".join(EXECUTORS) + "[:ADDRESS]",
        "help": "Who plays the blocks: threads or processes of this machine, or a Dask cluster; "
        "the results do not depend on it.  [default: what suits the engine]",
    },
    "resume": {"is_flag": True, "help": "Go on with the study in the folder of --study."},
    "study": {
        "type": click.Path(file_okay=False),
        "metavar": "FOLDER",
        "help": "Keep what is finished in this folder, so that the study can be resumed and "
        "enlarged.",
    },
}
"""Where the blocks of a study are played and kept."""


def study_options(*, inputs: Sequence[str] = (), plays: bool = True) -> Callable[[F], F]:
    """Make a command of a function that plans a study: what it returns is run with these options.

    Where that is no study, it is what the command returns.  ``inputs`` names the
    parameters that are paths of files it reads; any other path is one it writes.  A study that
    ``plays`` nothing has no options of playing.
    """

    def decorate(plan: F) -> F:
        @wraps(plan)
        def command(**given: Any) -> Any:
            study = plan(**given)
            return run_study(study) if isinstance(study, Study) else study

        setattr(command, PLAN, plan)
        setattr(command, INPUTS, tuple(inputs))
        options: dict[str, Json] = {
            "details": {
                "is_flag": True,
                "help": "Also show what the answer rests on: every table, every note.",
            },
            **FILES,
            **(RUNNING if plays else {}),
        }
        for name, settings in options.items():
            command = click.option(
                f"--{name}", name, expose_value=False, callback=_note, **settings
            )(command)
        return cast("F", command)

    return decorate


def _note(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep an option's value for ``run_study``; what cannot be written is refused before hours are
    spent."""
    if value is None:
        return
    ctx.meta.setdefault(ASKED, {})[param.name] = value
    if param.name in ("pictures", "report"):
        require()
    if param.name == "study" and not value:
        raise UsageError.of("study-names-no-folder")
    if param.name == "pictures":
        check_folder(Path(value))
    elif param.name == "deposit":
        check_new_folder(Path(value))
    elif param.name in ("report", "manifest"):
        claim_option(ctx, param, Path(value))


def is_kept() -> bool:
    """Whether the study of the command that runs is kept in a folder."""
    return options_of(click.get_current_context()).get("study") is not None


def one_extent(deals: int | None, sessions: int | None) -> None:
    """Raise UsageError where both deals and sessions say how much is played."""
    if deals is not None and sessions is not None:
        raise UsageError.of("deals-and-sessions")


def refuse_with_power(*names: str) -> None:
    """Raise UsageError where something was asked for that a plan (``--power``) neither reads nor
    writes.

    ``names`` are parameters of the command's own; what ``study_options`` adds is never read.
    """
    asked = options_of(click.get_current_context())
    written = (name for name in FILES if name in asked)
    unread = [*(p.name for p in typed_options() if p.name in names), *written]
    if unread:
        options = tuple(Option(str(name)) for name in unread)
        raise UsageError.of("power-plays-a-pilot-alone", options=options)


sessions_option = click.option(
    "--sessions",
    type=click.IntRange(1, 10_000_000),
    help="Whole sessions to play, instead of --deals.",
)


workers_option = click.option("--workers", **WORKERS)


def refinements(readings: Sequence[str], sets: Sequence[str]) -> tuple[dict[str, str], Json]:
    """The readings and rules chosen by hand where one rule set alone is named.

    Raises UsageError for a malformed option or one that names another rule set.
    """
    chosen = [_split(r, "POINT=READING") for r in readings]
    by_hand = [_split(s, "PATH=VALUE") for s in sets]
    for number, *_ in (*chosen, *by_hand):
        if number not in (None, 1):
            raise UsageError.of("only-one-rule-set", number=number)
    return {p: r for _, p, r in chosen}, {p: parse_value(v) for _, p, v in by_hand}
