"""``quadrille apparatus --collate``."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import click

from quadrille_core.cli.capture import captured
from quadrille_plugins.apparatus import collation_report as report
from quadrille_plugins.apparatus.matrix import Matrix, matrix_of, shipped_texts
from quadrille_plugins.output.cells import csv_text
from quadrille_plugins.output.citing import cite_block
from quadrille_plugins.output.commands import compile_all, emit
from quadrille_plugins.output.encoded import for_stream
from quadrille_plugins.output.files import write_whole
from quadrille_plugins.witnesses.table import texts


def collate_texts(
    ref: str | None, words: tuple[str, ...], everything: bool, fmt: str, graph: Path | None, output: Path | None
) -> int:
    """Set the rules of several texts side by side; without a rule set, of all that are shipped."""
    refs = () if ref is None else (ref, *words)
    compiled = compile_all(list(refs) or shipped_texts(), (), [])
    matrix = matrix_of(compiled)
    if not refs:
        matrix = replace(matrix, sources=tuple(dict.fromkeys((*matrix.sources, *texts()))))
    if graph is not None:
        from quadrille_plugins.apparatus.graph import drawn

        write_whole(graph, drawn(matrix.sources, matrix.shelf))
    if output is not None:
        write_whole(output, _text(matrix, fmt, everything))
    if fmt == "table" and (output is None or captured() is not None):
        # without REF the version says which rule sets they are, and the list of texts has their digests
        cite = cite_block("apparatus --collate", compiled if refs else [])
        emit(
            fmt,
            blocks=lambda: [*report.collation_blocks(matrix, everything=everything), cite],
            data=lambda: report.collation_json(matrix, everything=everything),
            rows=lambda: report.collation_rows(matrix, everything=everything),
        )
    elif output is None:
        click.echo(for_stream(_text(matrix, fmt, everything), fmt, sys.stdout), nl=False)
    return 0


def _text(matrix: Matrix, fmt: str, everything: bool) -> str:
    """The whole output in that format, ended by a newline."""
    if fmt == "json":
        return json.dumps(report.collation_json(matrix, everything=everything), ensure_ascii=False, indent=2) + "\n"
    if fmt == "csv":
        return csv_text(*report.collation_rows(matrix, everything=everything))
    if fmt == "tei":
        from quadrille_plugins.apparatus.collation_tei import tei

        return tei(matrix)
    from quadrille_plugins.apparatus.nexus import nexus

    return nexus(matrix)
