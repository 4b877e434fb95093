"""``quadrille apparatus``: the points in dispute of a rule set, as an edition would print them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from quadrille_core import resources
from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.features import first_answer
from quadrille_core.hookspecs import later
from quadrille_core.ruleset import Compiled
from quadrille_plugins.apparatus import collation_report, report
from quadrille_plugins.apparatus.bibliography import bibtex, csl_text
from quadrille_plugins.apparatus.matrix import matrix_of, shipped_texts
from quadrille_plugins.apparatus.model import apparatus_of
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_block, cite_option, cited
from quadrille_plugins.shell.commands import missing
from quadrille_plugins.shell.options import (
    A_PATH,
    Repeated,
    chosen_format,
    claim_option,
    compile_all,
    formats,
    run_mode,
)
from quadrille_plugins.shell.writing import write_whole
from quadrille_plugins.witnesses.table import texts

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
@formats(*LISTED, "nexus", help="How to write it; nexus is for --collate, bibtex and csl are not.")
@click.option("--collate", is_flag=True, help="Set the rules of several texts side by side.")
@click.option(
    "--all", "everything", is_flag=True, help="With --collate: every rule, also where texts agree."
)
@click.option(
    "--graph",
    type=A_PATH,
    callback=claim_option,
    help="With --collate: also draw the documented dependencies of the texts, as SVG, to this "
    "file.",
)
@click.option(
    "--output",
    type=A_PATH,
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
def apparatus_command(collate: bool, **given: Any) -> Any:
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
    WORD keeps the rules that it names, also where texts agree.
    """
    del given
    fmt, forms = chosen_format(), COLLATED if collate else LISTED
    if fmt not in forms:
        raise UsageError.of(
            "format-not-for-that", fmt=Option("format", fmt), forms=", ".join(forms)
        )
    if not collate:
        return run_mode(list_points)
    return run_mode(collate_texts, "--collate")


def list_points(
    ref: str | None,
    words: Repeated,
    grep: str | None,
    points: Repeated,
    output: Path | None,
    cite: bool,
    readings: Repeated,
) -> Answer:
    """List the points in dispute of a rule set."""
    finder = first_answer("quadrille_finder")
    if ref is None:
        again = () if grep is None else (Option("grep", grep),)
        raise UsageError.of(
            "no-rule-set-named", Command("apparatus", (resources.examples()[0],), again)
        )
    if finder is not None and not readings and not finder.is_reference(ref):
        found: Answer | None = _anywhere(finder, " ".join((ref, *words)))
        if found is not None:
            return found
    (compiled,) = compile_all([ref], readings, [])
    named = _named(finder, compiled, points, words, grep)
    if isinstance(named, Answer):
        return named
    whole = apparatus_of(compiled)
    apparatus = apparatus_of(compiled, named) if named else whole

    def said(point: str, reading: str) -> Sequence[Any]:
        return () if finder is None else finder.passages_of(point, reading, compiled)

    answer = Answer(
        blocks=lambda: cited(
            report.apparatus_blocks(apparatus, whole, said), [compiled], cite=cite
        ),
        data=lambda: report.apparatus_json(apparatus, whole, said),
        rows=lambda: (report.COLUMNS, report.apparatus_rows(apparatus)),
        texts={
            "tei": partial(later("quadrille_plugins.apparatus.tei:write"), apparatus),
            "bibtex": lambda: bibtex(apparatus.sources),
            "csl": lambda: csl_text(apparatus.sources),
        },
    )
    return delivered(answer, output)


def delivered(answer: Answer, output: Path | None) -> Answer:
    """The answer, of which nothing is printed where it is written to a file instead."""
    if output is None:
        return answer
    write_whole(output, answer.text(chosen_format()))
    return replace(answer, texts=dict.fromkeys((*LISTED, *COLLATED), str))


def _anywhere(finder: Any, words: str) -> Any:
    """The points of all shipped rule sets that the words name; None where they name none."""
    if words.startswith("point:") and finder.find(words).one is not None:
        return finder.answer("apparatus", words, None)
    return finder.find_anywhere("apparatus", words)


def _named(
    finder: Any, compiled: Compiled, points: Sequence[str], words: Sequence[str], grep: str | None
) -> list[str] | Answer:
    """The points asked for; a list where words name several."""
    if finder is None:
        if words or grep is not None:
            raise missing("explain")
        return list(points)
    named: list[str] = []
    named += [point for point in points if not finder.find(point, compiled).hits]  # told by name
    asked = [point for point in points if point not in named]
    for word in (*asked, *([" ".join(words)] if words else [])):
        exact = finder.find(f"point:{word}", compiled).one
        one = exact.id if exact is not None else finder.find_points("apparatus", word, compiled)
        if isinstance(one, Answer):
            return one
        named.append(one)
    return named if grep is None else [*named, *_matching(finder, grep, compiled)]


def _matching(finder: Any, word: str, compiled: Compiled) -> list[str]:
    """The points that mention a word; raises UsageError where none does."""
    found: list[str] = finder.matching(word, compiled)
    if not found:
        ref = compiled.identity.reference
        raise UsageError.of("no-point-mentions", Command("apparatus", (ref,)), ref=ref, word=word)
    return found


def collate_texts(
    ref: str | None,
    words: Repeated,
    everything: bool,
    graph: Path | None,
    output: Path | None,
) -> Answer:
    """Set the rules of several texts side by side; without a rule set, of all that are shipped."""
    given = () if ref is None else (ref, *words)
    finder = first_answer("quadrille_finder")
    refs = [one for one in given if finder is None or finder.is_reference(one)]
    asked = " ".join(one for one in given if one not in refs)
    compiled = compile_all(refs or shipped_texts(), (), [])
    matrix = matrix_of(compiled)
    if not refs:
        matrix = replace(matrix, sources=tuple(dict.fromkeys((*matrix.sources, *texts()))))
    if asked and finder is not None:
        if not (paths := finder.rules_of(asked, compiled)):
            compile_all(given, (), [])  # which says that there is no such rule set
        matrix = matrix.narrowed(asked, paths)
        _note_witnesses(asked.split(), compiled)
    if graph is not None:
        from quadrille_plugins.apparatus.graph import drawn

        write_whole(graph, drawn(matrix.sources, matrix.shelf))
    # without REF the version says which rule sets they are, and the list of texts has their digests
    cite = cite_block(f"apparatus --collate {asked}".rstrip(), compiled if refs else [])
    answer = Answer(
        blocks=lambda: [*collation_report.collation_blocks(matrix, everything=everything), cite],
        data=lambda: collation_report.collation_json(matrix, everything=everything),
        rows=lambda: collation_report.collation_rows(matrix, everything=everything),
        texts={
            "tei": partial(later("quadrille_plugins.apparatus.tei:collation"), matrix),
            "nexus": partial(later("quadrille_plugins.apparatus.nexus:nexus"), matrix),
        },
    )
    return delivered(answer, output)


def _note_witnesses(words: Sequence[str], compiled: Sequence[Compiled]) -> None:
    """Say of words by which rules were chosen that texts have the same names."""
    for word in words:
        of = next((c.identity.profile for c in compiled if word in c.witnesses), None)
        if of is not None:
            text = f"note: {word} chooses rules by a word here; the text is {of}@{word}"
            click.echo(text, err=True)
