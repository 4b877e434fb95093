"""Commands that read rules: profiles, plugins, show, explain, diff, new."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import click

from quadrille_core import features, resources, vocabulary
from quadrille_core.cli.options import check_comparable, compile_all, emit, format_option, refine_options
from quadrille_core.errors import Problem, ProfileError, QuadrilleError
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.document import load_profile
from quadrille_core.registry import load_all
from quadrille_core.report import rules as report
from quadrille_core.report.blocks import Block, Table
from quadrille_core.report.rules import rules_difference
from quadrille_core.report.values import rule_value, ruleset_json
from quadrille_core.ruleset import load_chain
from quadrille_core.terminal import takes_unicode


@click.command("profiles")
@format_option
def profiles_command(fmt: str) -> None:
    """List the rule profiles that are shipped, with their witnesses and digests.

    A profile that cannot be used, because a plugin is not installed or its file is damaged, is listed with its
    fault and how to mend it; `show` and `check` refuse it.
    """
    rows = [row for name, path in resources.shipped_profiles().items() if (row := _profile_row(name, path))]
    faulty = any(r.faults for r in rows)
    columns = ("profile", "game", "title", "witnesses", "digest")

    def cells(row: _ProfileRow, digits: int | None = None) -> tuple[str, ...]:
        # the first remedy is enough here; `check` tells all there are
        fault = "; ".join(": ".join(w for w in (p.message, p.help.partition(";")[0]) if w) for p in row.faults)
        return (row.name, row.game, row.title, ", ".join(row.witnesses), row.digest[:digits], fault)

    shown = columns if not faulty else (*columns, "fault")
    emit(
        fmt,
        blocks=lambda: [
            Table("", shown, tuple(cells(r, 12)[: len(shown)] for r in rows), whole=frozenset({"profile"}))
        ],
        data=lambda: [
            {
                "profile": r.name,
                "game": r.game or None,
                "title": r.title,
                "witnesses": list(r.witnesses),
                "digest": r.digest or None,
                "faults": [p.as_dict() for p in r.faults],
            }
            for r in rows
        ],
        rows=lambda: ((*columns, "fault"), [cells(r) for r in rows]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ProfileRow:
    """A profile in the list: what is known of it, and why it cannot be used, if it cannot."""

    name: str
    game: str = ""
    title: str = ""
    witnesses: tuple[str, ...] = ()
    digest: str = ""
    faults: tuple[Problem, ...] = ()


def _profile_row(name: str, path: Path) -> _ProfileRow | None:
    """The row of a shipped profile; None for one that others only extend."""
    row = _ProfileRow(name=name)
    try:
        doc = load_profile(path, validate=False)  # compiling finds what a schema would
        if doc.abstract:
            return None
        row = replace(row, title=doc.title)
        chain = load_chain(name)
        witnesses = dict.fromkeys(w.id for one in chain for w in one.witnesses)
        row = replace(row, game=chain[0].game or TRICKS, witnesses=tuple(witnesses))
        compiled = compile_all([name], [], [])[0]
    except QuadrilleError as e:
        # what else is amiss where a plugin cannot be had follows from that
        plugin = tuple(p for p in e.problems if p.code.startswith("Q50"))
        return replace(row, faults=plugin or tuple(e.problems))
    return _ProfileRow(
        name=name,
        game=compiled.kind,
        title=compiled.title,
        witnesses=tuple(compiled.witnesses),
        digest=compiled.identity.digest,
    )


@click.command("plugins")
@format_option
def plugins_command(fmt: str) -> int:
    """List the installed plugins with their versions; those that cannot be loaded are named on stderr.

    A plugin's code runs with your rights as soon as it is loaded, and this command loads them all.
    """
    registry = load_all()
    features.ask("quadrille_players")  # which loads them
    rows = [
        (name, p.installed.version, p.installed.package, p.about.title, ", ".join(p.about.parameters))
        for name, p in registry.loaded.items()
    ]
    columns = ("plugin", "version", "package", "title", "parameters")

    def blocks() -> list[Block]:
        found: list[Block] = [Table("", columns, tuple(rows), whole=frozenset({"plugin"}))]
        details = [
            (name, key, ", ".join(str(c) for c in parameter.choices), str(parameter.default), parameter.doc)
            for name, p in registry.loaded.items()
            for key, parameter in p.about.parameters.items()
        ]
        if details:
            found.append(Table("parameters", ("plugin", "parameter", "choices", "default", "meaning"), tuple(details)))
        return found

    emit(
        fmt,
        blocks=blocks,
        data=lambda: [
            {
                "plugin": name,
                "version": p.installed.version,
                "package": p.installed.package,
                "title": p.about.title,
                "summary": p.about.summary,
                "parameters": {
                    key: {"doc": x.doc, "default": x.default, "choices": list(x.choices)}
                    for key, x in p.about.parameters.items()
                },
            }
            for name, p in registry.loaded.items()
        ],
        rows=lambda: (columns, rows),
    )
    for problem in registry.problems:
        click.echo(problem.render(), err=True)
    return 1 if registry.problems else 0


@click.command("show")
@click.argument("ref")
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["table", "yaml", "json", "csv"]),
    default="table",
    show_default=True,
    help="How to print the rules.",
)
@click.option(
    "--all", "everything", is_flag=True, help="Show neutral values too, which no source of the profile mentions."
)
@click.option("--laws", "listing", is_flag=True, help="List the laws that a source of the profile prints instead.")
@refine_options
def show_command(
    ref: str, fmt: str, everything: bool, listing: bool, readings: tuple[str, ...], sets: tuple[str, ...]
) -> None:
    """Show the resolved rules of REF, each with its source."""
    compiled = compile_all([ref], readings, sets)[0]
    if listing:
        if not any(shown for _, shown in features.ask("quadrille_laws", compiled=compiled, fmt=fmt)):
            raise features.missing("ruling")
        return
    if fmt == "yaml":
        import yaml

        identity = compiled.identity
        click.echo(f"# {compiled.title}: {identity.reference}")
        click.echo(f"# digest {identity.digest}")
        click.echo(
            yaml.safe_dump({"rules": report.tree(compiled)}, sort_keys=False, allow_unicode=takes_unicode(sys.stdout)),
            nl=False,
        )
        return
    emit(
        fmt,
        blocks=lambda: report.show_blocks(compiled, everything=everything),
        data=lambda: report.show_json(compiled),
        rows=lambda: (
            ("path", "value", "status", "source"),
            [(p, rule_value(o.value), o.status, o.source_text()) for p, o in compiled.origins.items()],
        ),
    )


@click.command("explain")
@click.argument("ref")
@click.argument("path")
@format_option
@refine_options
def explain_command(ref: str, path: str, fmt: str, readings: tuple[str, ...], sets: tuple[str, ...]) -> None:
    """Explain where the value of the rule PATH comes from in REF, link by link, and name alternative readings.

    PATH may be a block, such as `payments.premium`: then every rule below it is explained.
    """
    compiled = compile_all([ref], readings, sets)[0]
    paths = [p for p in compiled.origins if vocabulary.matches(path, p)]
    if not paths:
        hint = vocabulary.suggest(path, compiled.origins, compiled.kind)
        if vocabulary.pattern_of(path) or vocabulary.is_prefix(path):
            hint = f"{compiled.identity.profile} has nothing there; see `quadrille show`"
        raise ProfileError(Problem("Q605", f"there is no rule {path[:80]!r}", None, hint))
    emit(
        fmt,
        blocks=lambda: report.explain_blocks(compiled, paths),
        data=lambda: report.explain_json(compiled, paths),
        rows=lambda: (
            ("path", "value", "set_by", "name", "status", "source"),
            [
                (p, rule_value(k.value), k.setter, k.name, c.status, f"{c.source} {c.at}".strip())
                for p in paths
                for k in reversed(compiled.origins[p].chain)
                for c in k.citations
            ],
        ),
    )


@click.command("diff")
@click.argument("ref_a")
@click.argument("ref_b")
@format_option
@refine_options
def diff_command(ref_a: str, ref_b: str, fmt: str, readings: tuple[str, ...], sets: tuple[str, ...]) -> int:
    """Show the rules in which REF_A and REF_B differ, each side with its source; exit 1 when some do."""
    a, b = compile_all([ref_a, ref_b], readings, sets)
    check_comparable([a, b])
    found = rules_difference(a, b)
    emit(
        fmt,
        blocks=lambda: report.diff_blocks(a, b, found),
        data=lambda: {"rules": [ruleset_json(a), ruleset_json(b)], "differences": report.differences_json(found)},
        rows=lambda: (
            ("path", "a", "b", "source_a", "source_b"),
            [(d.path, rule_value(d.values[0]), rule_value(d.values[1]), *d.sources) for d in found],
        ),
    )
    return 1 if found else 0
