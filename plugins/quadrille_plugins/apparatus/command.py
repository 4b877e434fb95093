"""``quadrille apparatus``: the points in dispute of a rule set, as an edition would print them."""

import io
import json
import sys
from pathlib import Path

import click

from quadrille_core.cli.options import compile_all
from quadrille_core.report.blocks import csv_text, print_blocks
from quadrille_core.terminal import for_stream
from quadrille_plugins.apparatus import report
from quadrille_plugins.apparatus.bibliography import bibtex, csl_text
from quadrille_plugins.apparatus.model import Apparatus, apparatus_of
from quadrille_plugins.writing.files import write_whole
from quadrille_plugins.writing.options import claim_option


@click.command("apparatus")
@click.argument("ref")
@click.option("--point", "points", multiple=True, metavar="POINT", help="Only this point; may be repeated.")
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["table", "json", "csv", "tei", "bibtex", "csl"]),
    default="table",
    show_default=True,
    help="How to write it.",
)
@click.option("--output", type=click.Path(path_type=Path), callback=claim_option, help="Write to this file instead.")
@click.option(
    "--reading", "readings", multiple=True, metavar="POINT=READING", help="Choose a reading; may be repeated."
)
def apparatus_command(
    ref: str, points: tuple[str, ...], fmt: str, output: Path | None, readings: tuple[str, ...]
) -> None:
    """List the points in dispute of REF: each with its question, the reading in use and its rivals, who attests them
    and where, how sure that is, what rules they set, and which witness is silent and what fills its silence.

    Points that a child profile or a plugin has closed stand apart, with what settled them.  The format tei is a
    critical apparatus in TEI P5; bibtex and csl (CSL-JSON) are the sources that REF cites.
    """
    (compiled,) = compile_all([ref], readings, [])
    whole = apparatus_of(compiled)
    apparatus = apparatus_of(compiled, points) if points else whole
    if output is None and fmt == "table":
        print_blocks(report.apparatus_blocks(apparatus, whole))  # as wide as the terminal
    elif output is None:
        click.echo(for_stream(_text(apparatus, whole, fmt), fmt, sys.stdout), nl=False)
    else:
        write_whole(output, _text(apparatus, whole, fmt))


def _text(apparatus: Apparatus, whole: Apparatus, fmt: str) -> str:
    """The whole output in that format, ended by a newline."""
    if fmt == "json":
        return json.dumps(report.apparatus_json(apparatus, whole), ensure_ascii=False, indent=2) + "\n"
    if fmt == "tei":
        from quadrille_plugins.apparatus.tei import write

        return write(apparatus).decode("utf-8")
    if fmt == "bibtex":
        return bibtex(apparatus.sources)
    if fmt == "csl":
        return csl_text(apparatus.sources)
    if fmt == "csv":
        return csv_text(report.COLUMNS, report.apparatus_rows(apparatus))
    buffer = io.StringIO()
    print_blocks(report.apparatus_blocks(apparatus, whole), buffer)
    return buffer.getvalue()
