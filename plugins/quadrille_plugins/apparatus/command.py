"""``quadrille apparatus``: the points in dispute of a rule set, as an edition would print them."""

import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from quadrille_core import features, resources
from quadrille_core.cli.capture import captured
from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.report.blocks import Block, print_blocks
from quadrille_core.report.cells import csv_text
from quadrille_core.report.encoded import for_stream
from quadrille_core.ruleset import Compiled
from quadrille_plugins.apparatus import report
from quadrille_plugins.apparatus.bibliography import bibtex, csl_text
from quadrille_plugins.apparatus.model import Apparatus, apparatus_of
from quadrille_plugins.output.citing import cite_option, cited
from quadrille_plugins.output.commands import compile_all, emit, run_mode
from quadrille_plugins.output.files import write_whole
from quadrille_plugins.output.options import claim_option

LISTED: Final = ("table", "json", "csv", "tei", "bibtex", "csl")
COLLATED: Final = ("table", "json", "csv", "nexus", "tei")


@click.command("apparatus")
@click.argument("ref", required=False, metavar="[REF]")
@click.argument("words", nargs=-1, metavar="[WORD|REF]…")
@click.option(
    "--grep",
    metavar="WORD",
    help="Only points that mention this, also in notes and in what the texts say.",
)
@click.option(
    "--point",
    "points",
    multiple=True,
    metavar="POINT",
    help="Only this point, or what a word names; may be repeated.",
)
@click.option(
    "--format",
    "fmt",
    type=click.Choice([*LISTED, "nexus"]),
    default="table",
    show_default=True,
    help="How to write it; nexus is for --collate, bibtex and csl are not.",
)
@click.option("--collate", is_flag=True, help="Set the rules of several texts side by side.")
@click.option(
    "--all", "everything", is_flag=True, help="With --collate: every rule, also where texts agree."
)
@click.option(
    "--graph",
    type=click.Path(path_type=Path),
    callback=claim_option,
    help="With --collate: also draw the documented dependencies of the texts, as SVG, to this "
    "file.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    callback=claim_option,
    help="Write to this file instead.",
)
@cite_option
@click.option(
    "--reading",
    "readings",
    multiple=True,
    metavar="POINT=READING",
    help="Choose a reading; may be repeated.",
)
def apparatus_command(collate: bool, fmt: str, **given: Any) -> int:
    """List the points in dispute of REF: each with its question, the reading in use and its
    alternatives, who attests them and where, what they say there in our words, how sure that is,
    what rules the readings set, and which witness is silent and what fills its silence.  WORD names
    a point, or a rule or bid that a point decides, by id or title; of several words all must be
    there.  Without a rule set, points of all that are shipped.

    Points that a child profile or a plugin has closed stand apart, with what settled them.  The
    format tei is a critical apparatus in TEI P5; bibtex and csl (CSL-JSON) are the sources that REF
    cites.

    With --collate, the rules of several REFs side by side: which text has which value, and which
    says nothing; without REF, of all shipped rule sets of Quadrille, once for each witness.  Only
    what a text attests, or what follows from it, is compared; what fills its silence is not.
    """
    del given
    forms = COLLATED if collate else LISTED
    if fmt not in forms:
        raise UsageError(f"--format {fmt} is not for that", help=f"one of {', '.join(forms)}")
    if not collate:
        return int(run_mode(list_points))
    from quadrille_plugins.apparatus.collation_command import collate_texts

    return int(run_mode(collate_texts, "--collate"))


def list_points(
    ref: str | None,
    words: tuple[str, ...],
    grep: str | None,
    points: tuple[str, ...],
    fmt: str,
    output: Path | None,
    cite: bool,
    readings: tuple[str, ...],
) -> int:
    """List the points in dispute of a rule set."""
    finder = features.finder()
    listed = fmt if fmt in ("json", "csv") else "table"
    if ref is None:
        again = () if grep is None else (Option("grep", grep),)
        raise UsageError(
            "no rule set is named", help=Command("apparatus", (resources.examples()[0],), again)
        )
    asked = " ".join((ref, *words))
    elsewhere = None if readings or finder is None or finder.is_reference(ref) else finder
    if (
        elsewhere is not None
        and asked.startswith("point:")
        and elsewhere.find(asked).one is not None
    ):
        return int(elsewhere.answer("apparatus", asked, None, listed))
    if elsewhere is not None and elsewhere.find_anywhere("apparatus", asked, listed):
        return 2
    (compiled,) = compile_all([ref], readings, [])
    named = []
    for point in points:
        one = _present(finder, point, compiled, listed)
        if one is None:
            return 2
        named.append(one)
    points = tuple(named)
    if words or grep is not None:
        if finder is None:
            raise features.missing("explain")
        if grep is not None:
            points = (*points, *_matching(finder, grep, compiled))
        if words:
            one = finder.find_points("apparatus", " ".join(words), compiled, listed)
            if one is None:
                return 2
            points = (*points, one)
    whole = apparatus_of(compiled)
    apparatus = apparatus_of(compiled, points) if points else whole

    def said(point: str, reading: str) -> Sequence[Any]:
        return () if finder is None else finder.passages_of(point, reading, compiled)

    def blocks() -> list[Block]:
        return cited(report.apparatus_blocks(apparatus, whole, said), [compiled], cite=cite)

    deliver(
        fmt,
        output,
        blocks=blocks,  # as wide as the terminal
        data=lambda: report.apparatus_json(apparatus, whole, said),
        rows=lambda: (report.COLUMNS, report.apparatus_rows(apparatus)),
        texts={
            "tei": lambda: _tei(apparatus),
            "bibtex": lambda: bibtex(apparatus.sources),
            "csl": lambda: csl_text(apparatus.sources),
        },
    )
    return 0


def _tei(apparatus: Apparatus) -> str:
    from quadrille_plugins.apparatus.tei import write

    return write(apparatus).decode("utf-8")


def deliver(
    fmt: str,
    output: Path | None,
    *,
    blocks: Callable[[], Sequence[Block]],
    data: Callable[[], Any],
    rows: Callable[[], tuple[Sequence[str], Sequence[Sequence[object]]]],
    texts: Mapping[str, Callable[[], str]],
) -> None:
    """Print a result, or write it to a file; ``texts`` are the formats that no other command
    has."""

    def text() -> str:
        if fmt in texts:
            return texts[fmt]()
        if fmt == "json":
            return json.dumps(data(), ensure_ascii=False, indent=2) + "\n"
        if fmt == "csv":
            return csv_text(*rows())
        buffer = io.StringIO()
        print_blocks(blocks(), buffer)
        return buffer.getvalue()

    if output is not None:
        write_whole(output, text())
        if captured() is None:
            return
    if fmt in texts:
        click.echo(for_stream(text(), fmt, sys.stdout), nl=False)
    else:
        emit(fmt, blocks=blocks, data=data, rows=rows)


def _present(finder: Any, point: str, compiled: Compiled, fmt: str) -> str | None:
    """The id of the point that an id, title or word names; None where several were listed instead.

    What names nothing at all is returned as it was typed.
    """
    if finder is None:
        return point
    found = finder.find(f"point:{point}", compiled).one
    if found is not None:
        return str(found.id)
    if not finder.find(point, compiled).hits:
        return point
    one: str | None = finder.find_points("apparatus", point, compiled, fmt)
    return one


def _matching(finder: Any, word: str, compiled: Compiled) -> list[str]:
    """The points that mention a word; raises UsageError where none does."""
    found: list[str] = finder.matching(word, compiled)
    if not found:
        ref = compiled.identity.reference
        raise UsageError(
            f"no point in dispute in {ref} mentions {word[:60]!r}",
            help=Command("apparatus", (ref,)),
        )
    return found
