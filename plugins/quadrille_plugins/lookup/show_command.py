"""``quadrille show``."""

import click

from quadrille_core.errors import Command, UsageError
from quadrille_core.features import first_answer
from quadrille_core.ruleset import Compiled
from quadrille_plugins.lookup import rules_report as report
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_option, cited
from quadrille_plugins.shell.commands import missing
from quadrille_plugins.shell.options import (
    Repeated,
    compile_all,
    formats,
    refine_options,
    yaml_text,
)
from quadrille_plugins.shell.values import rule_value


@click.command("show")
@click.argument("ref")
@click.argument("words", nargs=-1, metavar="")
@formats("table", "yaml", "json", "csv", help="How to print the rules.")
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
    words: Repeated,
    everything: bool,
    listing: bool,
    cite: bool,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Show the resolved rules of REF, each with its source."""
    if words:
        raise UsageError.of("show-takes-no-part", Command("explain", (ref, *words)))
    compiled = compile_all([ref], readings, sets)[0]
    if listing:
        show_laws = first_answer("quadrille_laws")
        if show_laws is None:
            raise missing("session")
        answer: Answer = show_laws(compiled)
        return answer
    return Answer(
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
        texts={"yaml": lambda: _yaml(compiled)},
    )


def _yaml(compiled: Compiled) -> str:
    """The rules as a file has them, below a comment that says which they are."""
    identity = compiled.identity
    head = f"# {compiled.title}: {identity.reference}\n# digest {identity.digest}\n"
    return head + yaml_text({"rules": report.tree(compiled)})
