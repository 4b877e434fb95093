"""``quadrille show``."""

import sys

import click

from quadrille_core import features
from quadrille_core.errors import Command, UsageError
from quadrille_core.terminal import takes_unicode
from quadrille_plugins.output.citing import cite_option, cited
from quadrille_plugins.output.commands import compile_all, emit, refine_options
from quadrille_plugins.output.values import rule_value
from quadrille_plugins.show import report


@click.command("show")
@click.argument("ref")
@click.argument("words", nargs=-1, metavar="[WORD…]")
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
    """Show the resolved rules of REF, each with its source; with a WORD, the point, rule, bid or term that it names.

    Without a rule set, a WORD is looked up in all that are shipped.
    """
    finder, asked = features.finder(), " ".join((ref, *words))
    is_word = finder is not None and fmt != "yaml" and not (readings or sets or finder.is_reference(ref))
    if finder is not None and is_word and finder.find(asked).hits:
        return int(finder.answer("show", asked, None, fmt, cite=cite))
    compiled = compile_all([ref], readings, sets)[0]
    if words:
        if fmt == "yaml" or listing:
            raise UsageError(
                "a word, and all rules",
                help=Command("show", (ref, *words)),
            )
        if finder is None:
            raise features.missing("explain")
        return int(finder.answer("show", " ".join(words), compiled, fmt, cite=cite))
    if listing:
        show_laws = next((found for _, found in features.ask("quadrille_laws") if found is not None), None)
        if show_laws is None:
            raise features.missing("ruling")
        show_laws(compiled, fmt)
        return 0
    if fmt == "yaml":
        import yaml

        identity = compiled.identity
        click.echo(f"# {compiled.title}: {identity.reference}")
        click.echo(f"# digest {identity.digest}")
        click.echo(
            yaml.safe_dump({"rules": report.tree(compiled)}, sort_keys=False, allow_unicode=takes_unicode(sys.stdout)),
            nl=False,
        )
        return 0
    emit(
        fmt,
        blocks=lambda: cited(report.show_blocks(compiled, everything=everything), [compiled], cite=cite),
        data=lambda: report.show_json(compiled),
        rows=lambda: (
            ("path", "value", "status", "source"),
            [(p, rule_value(o.value), o.status, o.source_text()) for p, o in compiled.origins.items()],
        ),
    )
    return 0
