"""``quadrille apparatus --collate``."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from quadrille_core.hookspecs import later
from quadrille_plugins.apparatus import collation_report as report
from quadrille_plugins.apparatus.command import delivered
from quadrille_plugins.apparatus.matrix import matrix_of, shipped_texts
from quadrille_plugins.output.citing import cite_block
from quadrille_plugins.output.commands import compile_all
from quadrille_plugins.output.files import write_whole
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.witnesses.table import texts


def collate_texts(
    ref: str | None,
    words: tuple[str, ...],
    everything: bool,
    graph: Path | None,
    output: Path | None,
) -> Answer:
    """Set the rules of several texts side by side; without a rule set, of all that are shipped."""
    refs = () if ref is None else (ref, *words)
    compiled = compile_all(list(refs) or shipped_texts(), (), [])
    matrix = matrix_of(compiled)
    if not refs:
        matrix = replace(matrix, sources=tuple(dict.fromkeys((*matrix.sources, *texts()))))
    if graph is not None:
        from quadrille_plugins.apparatus.graph import drawn

        write_whole(graph, drawn(matrix.sources, matrix.shelf))
    # without REF the version says which rule sets they are, and the list of texts has their digests
    cite = cite_block("apparatus --collate", compiled if refs else [])
    answer = Answer(
        blocks=lambda: [*report.collation_blocks(matrix, everything=everything), cite],
        data=lambda: report.collation_json(matrix, everything=everything),
        rows=lambda: report.collation_rows(matrix, everything=everything),
        texts={
            "tei": partial(later("quadrille_plugins.apparatus.collation_tei:tei"), matrix),
            "nexus": partial(later("quadrille_plugins.apparatus.nexus:nexus"), matrix),
        },
    )
    return delivered(answer, output)
