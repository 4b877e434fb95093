"""``quadrille show``."""

import sys

import click

from quadrille_core import features
from quadrille_core.errors import Command, UsageError
from quadrille_core.terminal import takes_unicode
from quadrille_plugins.lookup import rules_report as report
from quadrille_plugins.output.citing import cite_option, cited
from quadrille_plugins.output.commands import compile_all, emit, refine_options
from quadrille_plugins.output.values import rule_value


@click.command("show")
@click.argument("ref")
@click.argument("words", nargs=-1, metavar="")
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["table", "yaml", "json", "csv"]),
    default="table",
    show_default=True,
    help="How to print the rules.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Show neutral values too, which no source of the profile mentions.",
)
@click.option(
    "--laws",
    "listing",
    is_flag=True,
    help="List the laws that a source of the profile prints instead.",
)
@cite_option
@refine_options
def show_command(
    ref: str,
    words: tuple[str, ...],
    fmt: str,
    everything: bool,
    listing: bool,
    cite: bool,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> int:
    """Show the resolved rules of REF, each with its source."""
    if words:
        raise UsageError("show prints a whole rule set", help=Command("explain", (ref, *words)))
    compiled = compile_all([ref], readings, sets)[0]
    if listing:
        show_laws = next(
            (found for _, found in features.ask("quadrille_laws") if found is not None), None
        )
        if show_laws is None:
            raise features.missing("session")
        show_laws(compiled, fmt)
        return 0
    if fmt == "yaml":
        import yaml

        identity = compiled.identity
        click.echo(f"# {compiled.title}: {identity.reference}")
        click.echo(f"# digest {identity.digest}")
        click.echo(
            yaml.safe_dump(
                {"rules": report.tree(compiled)},
                sort_keys=False,
                allow_unicode=takes_unicode(sys.stdout),
            ),
            nl=False,
        )
        return 0
    emit(
        fmt,
        blocks=lambda: cited(
            report.show_blocks(compiled, everything=everything), [compiled], cite=cite
        ),
        data=lambda: report.show_json(compiled),
        rows=lambda: (
            ("path", "value", "status", "source"),
            [
                (p, rule_value(o.value), o.status, o.source_text())
                for p, o in compiled.origins.items()
            ],
        ),
    )
    return 0
