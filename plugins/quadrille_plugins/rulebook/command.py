"""``quadrille rulebook``: the rules of a rule set as a text to hand to guests."""

from dataclasses import replace
from pathlib import Path

import click

from quadrille_core.errors import Option, UsageError
from quadrille_plugins.rulebook.html import as_html
from quadrille_plugins.rulebook.page import rulebook, sheet
from quadrille_plugins.rulebook.printing import as_markdown, as_text
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_block
from quadrille_plugins.shell.options import Repeated, check_comparable, compile_all, refine_options
from quadrille_plugins.shell.writing import claim, write_whole

_WRITERS = {"text": as_text, "md": as_markdown, "html": as_html}
_ENDINGS = {".html": "html", ".htm": "html", ".md": "md", ".txt": "text"}


@click.command("rulebook")
@click.argument("ref")
@click.option("--against", metavar="REF", help="Mark what differs from these rules.")
@click.option(
    "--sheet",
    "short",
    is_flag=True,
    help="One page for the table: contracts, matadors, payments, losses.",
)
@click.option(
    "--format",
    "fmt",
    type=click.Choice(list(_WRITERS)),
    help="How to print it.  [default: text, or as the ending of --output says]",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"Write to this file instead: {', '.join(_ENDINGS)}. For PDF, print the HTML to PDF "
    "from a browser.",
)
@click.option(
    "--cite",
    is_flag=True,
    help="End it with a line that cites it: rules with digest, program, date.",
)
@refine_options
def rulebook_command(
    ref: str,
    against: str | None,
    short: bool,
    fmt: str | None,
    output: Path | None,
    cite: bool,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Print the rules of REF as a rulebook: paragraphs by topic, with notes on the sources and
    deals settled.

    With --against, what differs from another rule set is marked, and listed but on a sheet.
    """
    fmt = _format(fmt, output)
    refs = [ref] if against is None else [ref, against]
    compiled = compile_all(refs, readings, sets)
    check_comparable(compiled)
    page = (sheet if short else rulebook)(compiled[0], compiled[1] if against else None)
    if cite:
        page = replace(page, cite=cite_block("rulebook", compiled).text)
    text = _WRITERS[fmt](page)
    if output is None:
        return Answer.of_text(text, {})
    claim(output, "--output")
    write_whole(output, text)
    return Answer.of_text(f"wrote {output}", {"file": str(output)})


def _format(fmt: str | None, output: Path | None) -> str:
    """The format asked for, or the one that the file's ending says; raises UsageError where they
    say nothing or two."""
    if output is None:
        return fmt or "text"
    ending = output.suffix.lower()
    by_ending = _ENDINGS.get(ending)
    if by_ending is None:
        variant = "rulebook-printed-to-pdf" if ending == ".pdf" else "rulebook-not-written"
        written = Option("output", str(output.parent / f"{output.stem}.html"))
        raise UsageError.of(variant, text=ending or "a file without an ending", option=written)
    if fmt not in (None, by_ending):
        other = output.with_suffix(next(e for e, f in _ENDINGS.items() if f == fmt))
        raise UsageError.of(
            "two-formats",
            format=Option("format", str(fmt)),
            output=Option("output", str(output)),
            option=Option("output", str(other)),
        )
    return by_ending
