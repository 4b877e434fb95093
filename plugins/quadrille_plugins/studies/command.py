"""``quadrille rerun``: repeats a study by its manifest and reports the first difference.

A manifest may come from a stranger.  It is run by the options of a study alone, never by one that
writes; of files, none is taken in whose digest is not the manifest's.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import click

from quadrille_core.errors import (
    Place,
    PluginError,
    Problem,
    ProfileError,
    QuadrilleError,
    UnreadableError,
    UsageError,
    did_you_mean,
)
from quadrille_core.profile import load_profile
from quadrille_core.profile.yaml_strict import read_bytes
from quadrille_core.ruleset import compile_reference
from quadrille_core.ruleset.reference import SUFFIXES, is_path, parse_reference
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Text
from quadrille_plugins.shell.options import A_PATH, format_option, joined
from quadrille_plugins.shell.program import program, program_text
from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies.design import FAST
from quadrille_plugins.studies.manifest import (
    NOTHING,
    Difference,
    cut,
    own_files,
    read_manifest,
    results_difference,
    rule_set_difference,
    shown,
    stated,
)
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.stopping import Stopping
from quadrille_plugins.studies.study import (
    ASKED,
    Study,
    inputs_of,
    plan_of,
    played,
    recorded,
    recorded_results,
)

STUDIES: Final = ("compare", "matters", "rank", "discriminate")
"""The commands that a manifest may name."""


@click.command("rerun")
@click.argument("manifest", type=A_PATH)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Processes to use; the results do not depend on it.",
)
@format_option
def rerun_command(manifest: Path, workers: int | None) -> Answer:
    """Run a study again by its MANIFEST, and say whether every number is the same to the byte.

    Looked at first are the version of the program, plugins, files and rules; a study that differs
    in one of them is not run.  One that was interrupted is run as far as it had come.  Nothing is
    written.  Exit status: 0 the same, 1 something differs, 2 a manifest that cannot be run.
    """
    data = read_manifest(manifest)
    if data["program"] != program():
        click.echo(f"made by {program_text(data['program'])}; this is {program_text()}", err=True)
    found = _before(data, manifest) or _again(data, manifest, workers)
    results = data["results_sha256"]
    return Answer(
        blocks=lambda: [Text(_outcome(data, found), strong=True)],
        data=lambda: {
            "command": data["command"],
            "same": found is None,
            "results_sha256": results,
            **_plain(found),
        },
        rows=lambda: (
            ("command", "same", "what", "path", "then", "now"),
            [(data["command"], found is None, *_row(found))],
        ),
        status=0 if found is None else 1,
    )


def _outcome(data: Mapping[str, Any], found: Difference | None) -> str:
    if found is None:
        return (
            f"the same: {data['command']} finds the results of the manifest to the byte, "
            f"{data['results_sha256']}"
        )
    return f"not the same; the first thing that differs:\n{found.text()}"


def _side(value: Any) -> Any:
    return None if value is NOTHING else value


def _plain(found: Difference | None) -> Json:
    if found is None:
        return {"difference": None}
    rules = [{"path": p, "then": _side(a), "now": _side(b)} for p, a, b in found.rules]
    plain = {
        "what": found.what,
        "path": found.path,
        "then": _side(found.then),
        "now": _side(found.now),
    }
    return {"difference": {**plain, "rules": rules}}


def _row(found: Difference | None) -> tuple[str, ...]:
    return (
        ("", "", "", "")
        if found is None
        else (found.what, cut(found.path), shown(found.then), shown(found.now))
    )


# --- before it is run ---------------------------------------------------------------------------


def _before(data: Json, manifest: Path) -> Difference | None:
    """What differs before the study runs; raises UnreadableError for a manifest that cannot or must
    not be run."""
    place = Place(str(manifest))
    if not data["finished"] and "stopped_after" not in data:
        raise UnreadableError.of("interrupted-at-unknown-place", place=place)
    command = _study(data["command"], place)
    known = recorded(command)
    for name, value in data["parameters"].items():
        if name not in known:
            if any(p.name == name for p in command.params):
                raise UnreadableError.of("parameter-not-of-a-study", place=place, name=name)
            return Difference(what="parameters", path=name, then=value, now=NOTHING)
        param = known[name]
        takes_several = param.multiple or (param.nargs != 1 and param.callback is not joined)
        if isinstance(value, list) != takes_several or isinstance(value, bool) != (
            isinstance(param, click.Option) and param.is_flag
        ):
            raise UnreadableError.of(
                "parameter-of-another-kind", place=place, name=name, value=shown(value)
            )
    files = {f["path"]: f["sha256"] for f in data["files"]}
    _only_listed(data, command, files, place)
    changed = {
        path: difference
        for path in files
        if (difference := _changed(path, files[path])) is not None
    }
    inputs = [data["parameters"].get(name) for name in inputs_of(command) or ()]
    for path, one in changed.items():
        if path in inputs:
            return one
    told = [_rules(rule_set, list(changed.values())) for rule_set in data["rule_sets"]]
    for difference, _ in told:
        if difference is not None:
            return difference
    # a profile may have been changed without any change of the rules: then the numbers are the same
    harmless = {path for _, paths in told for path in paths}
    return next((one for path, one in changed.items() if path not in harmless), None)


def _study(name: str, place: Place) -> click.Command:
    """The command of that name; raises UnreadableError when it is not a study of this version."""
    from quadrille_plugins.shell.main import cli

    command = cli.get_command(click.Context(cli), name) if name in STUDIES else None
    if command is None or inputs_of(command) is None:
        raise UnreadableError.of(
            "no-study-of-version",
            did_you_mean(name, STUDIES, what="studies"),
            place=place,
            name=name,
        )
    return command


def _changed(path: str, digest: str) -> Difference | None:
    """How a file differs from the one the study read; raises UnreadableError when it is missing."""
    try:
        now = sha256(read_bytes(path)).hexdigest()
    except UnreadableError as e:
        raise UnreadableError(
            Problem(p.code, "path-as-given", {"problem": p}, p.place) for p in e.problems
        ) from None
    return None if now == digest else Difference(what="file", path=path, then=digest, now=now)


def _only_listed(
    data: Json, command: click.Command, files: Mapping[str, str], place: Place
) -> None:
    """Raise UnreadableError when a file would be read whose digest the manifest does not hold."""
    wanted = [path for r in data["rule_sets"] for path in _paths_of(r["reference"], place)]
    for name, value in data["parameters"].items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str):
                is_input = name in (inputs_of(command) or ())
                wanted += [one] if is_input else _paths_of(one, place)
    seen: set[str] = set()
    while wanted:
        path = wanted.pop(0)
        named = Path(path).as_posix()
        if named in seen:
            continue
        seen.add(named)
        if named not in files:
            raise UnreadableError.of("file-without-digest", place=place, path=path)
        if _changed(named, files[named]) is None and named.lower().endswith(SUFFIXES):
            wanted += _extended(Path(named))


def _paths_of(text: str, place: Place) -> list[str]:
    """The paths in what may name a rule set: its profile's, and those of texts."""
    try:
        named = parse_reference(text)
    except QuadrilleError as e:
        if not any(s in text.lower() for s in SUFFIXES):
            return []
        raise UnreadableError([replace(p, place=place) for p in e.problems]) from None
    profile = named.profile
    own = [profile] if is_path(profile) and profile.lower().endswith(SUFFIXES) else []
    return [*own, *named.files]


def _extended(path: Path) -> list[str]:
    """The path of the profile that a profile extends; nothing for a shipped one, or a file that is
    no profile."""
    try:
        extends = load_profile(path).extends
    except ProfileError:
        return []
    return [str(path.parent / extends)] if extends is not None and is_path(extends) else []


def _rules(then: Json, changed: Sequence[Difference]) -> tuple[Difference | None, list[str]]:
    """How a rule set differs from the manifest's, and the files it is made of.

    A profile that was changed and makes no rules is told as changed: what else it holds is nobody's
    business.
    """
    try:
        now = compile_reference(
            then["reference"], readings=then["readings"], settings=then["settings"]
        )
    except (ProfileError, PluginError) as e:
        refused = f"refused: {e.problems[0].message}"
        otherwise = Difference(
            what="rules", path=then["reference"], then=then["digest"], now=refused
        )
        return changed[0] if changed else otherwise, []
    return rule_set_difference(then, now), own_files(now)


# --- running it ---------------------------------------------------------------------------------


def planned(command: click.Command, parameters: Mapping[str, Any]) -> Study[Any]:
    """The study of these parameters, which are checked as those of a command line are; the context
    is the current one.

    One at its default is as if it were not given: some studies refuse what means nothing to them,
    but only when it is given.
    """
    ctx = click.get_current_context()
    for param in command.params:
        value = parameters.get(param.name or "")
        given = {} if value is None or _is_default(param, value) else {param.name or "": value}
        if isinstance(value, str) and param.nargs != 1:
            given = {param.name or "": (value,)}
        param.handle_parse_result(ctx, given, [])
    # some versions of click have a value that says that none was given
    unset = getattr(click.core, "UNSET", None)
    ctx.params.update({name: None for name, value in ctx.params.items() if value is unset})
    study = plan_of(command)(**ctx.params)
    if not isinstance(study, Study):
        raise UsageError.of("nothing-to-study")
    return study


def _is_default(param: click.Parameter, value: Any) -> bool:
    if isinstance(value, list):
        value = tuple(value)
    default = False if isinstance(param, click.Option) and param.is_flag else param.default
    return type(value) is type(default) and value == default


def _again(data: Json, manifest: Path, workers: int | None) -> Difference | None:
    """Run the study and compare; raises UnreadableError when it does not accept its parameters."""
    place, stopped = Place(str(manifest)), data.get("stopped_after")
    command, parameters = _study(data["command"], place), data["parameters"]
    if data["results"].get("design", {}).get("family"):
        parameters = {**parameters, "engine": FAST}  # which alone asks a family
    runner = Runner(Placement(workers or os.cpu_count() or 1), stopping=Stopping(stopped))
    try:
        with click.Context(command, info_name=data["command"]) as ctx:
            ctx.meta[ASKED] = {} if workers is None else {"workers": workers}
            rendering, record = played(planned(command, parameters), runner)
    except click.ClickException as e:
        raise UnreadableError(
            Problem("Q204", "own-words", {"words": e.format_message()}, place)
        ) from None
    except QuadrilleError as e:
        raise UnreadableError([replace(p, place=place) for p in e.problems]) from None
    # a study that had been interrupted is run up to there, and not further
    if rendering.reached and runner.done != stopped:
        raise KeyboardInterrupt
    results = recorded_results(data["command"], record)
    return results_difference(data["results"], stated(data["results"], results))
