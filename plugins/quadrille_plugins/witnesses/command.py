"""``quadrille witnesses``."""

import click

from quadrille_core.errors import UsageError, did_you_mean
from quadrille_plugins.output.citing import cite_block
from quadrille_plugins.output.commands import emit, format_option
from quadrille_plugins.witnesses import report
from quadrille_plugins.witnesses.table import facts, questions


@click.command("witnesses")
@click.argument("names", metavar="[QUESTION|FACT]…", nargs=-1)
@click.option("--facts", "all_facts", is_flag=True, help="List the facts instead, and what became of each.")
@format_option
def witnesses_command(names: tuple[str, ...], all_facts: bool, fmt: str) -> None:
    """Show which period text speaks of which question, and how many independent lines of texts that makes.

    QUESTION (A18) is shown with what every text says; FACT (W2.9) with its place and what became of it.  What one text
    does is evidence of practice: it changes no rule of another.
    """
    by_id = {q.id: q for q in questions()}
    unknown = [name for name in names if name not in by_id and name not in facts()]
    if unknown:
        hint = did_you_mean(unknown[0], [*by_id, *facts()], what="questions and facts")
        raise UsageError(f"no question or fact is called {unknown[0][:40]!r}", help=hint)
    asked_for = " ".join([*names, *(["--facts"] if all_facts else [])])
    if all_facts or (names and all(name in facts() for name in names)):
        chosen = [facts()[name] for name in names if name in facts()] or list(facts().values())
        emit(
            fmt,
            blocks=lambda: [*report.fact_blocks(chosen), cite_block(f"witnesses {asked_for}".strip(), [])],
            data=lambda: report.fact_json(chosen),
            rows=lambda: (report.FACT_COLUMNS, report.fact_rows(chosen)),
        )
        return
    asked = [by_id[name] for name in names if name in by_id] or list(questions())
    emit(
        fmt,
        blocks=lambda: [
            *(report.question_blocks(asked) if names else report.table_blocks(asked)),
            cite_block(f"witnesses {asked_for}".strip(), []),
        ],
        data=lambda: report.table_json(asked),
        rows=lambda: (report.CELL_COLUMNS, report.table_rows(asked)),
    )
