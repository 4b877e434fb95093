"""``quadrille list``: profiles, plugins, or what period texts speak of."""

from typing import Final

import click

from quadrille_core.errors import UsageError, did_you_mean
from quadrille_plugins.lookup import witnesses_report as report
from quadrille_plugins.lookup.find import has_words
from quadrille_plugins.lookup.plugins_report import list_plugins
from quadrille_plugins.lookup.profiles_report import list_profiles
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_block
from quadrille_plugins.shell.options import format_option
from quadrille_plugins.witnesses.table import Question, facts, questions

LISTS: Final = ("profiles", "plugins", "witnesses")


@click.command("list")
@click.argument("what", type=click.Choice(LISTS), default="profiles")
@click.argument("names", metavar="[QUESTION|FACT|WORD]…", nargs=-1)
@click.option(
    "--facts",
    "all_facts",
    is_flag=True,
    help="With witnesses: list the facts, and what became of each.",
)
@format_option
def list_command(what: str, names: tuple[str, ...], all_facts: bool) -> Answer:
    """List the shipped profiles, the installed plugins, or the witnesses: what period texts speak
    of.

    A profile has its witnesses and digest; one that cannot be used, because a plugin is not
    installed or its file is damaged, has its fault and how to mend it.

    Plugins have versions and parameters; those that cannot be loaded are named on stderr.  A
    plugin's code runs with your rights as soon as it is loaded, and `list plugins` loads them all.

    Witnesses: which period text speaks of which question, and how many independent lines of texts
    that makes. QUESTION (A18) is shown with what every text says, and so are the questions that
    WORD names; FACT (W2.9) with its place and what became of it.  What one text does is evidence of
    practice: it changes no rule of another.
    """
    if what != "witnesses" and (names or all_facts):
        raise UsageError.of("questions-of-witnesses-only")
    if what == "witnesses":
        return _list_witnesses(names, all_facts)
    return list_plugins() if what == "plugins" else list_profiles()


def _list_witnesses(names: tuple[str, ...], all_facts: bool) -> Answer:
    by_id = {q.id: q for q in questions()}
    unknown = [name for name in names if name not in by_id and name not in facts()]
    named = _questions_of(" ".join(unknown)) if unknown else []
    if unknown and not named:
        raise UsageError.of(
            "no-question-or-fact",
            did_you_mean(unknown[0], [*by_id, *facts()], what="questions and facts"),
            unknown=unknown[0],
        )
    asked_for = " ".join([*names, *(["--facts"] if all_facts else [])])
    if all_facts or (names and all(name in facts() for name in names)):
        chosen = [facts()[name] for name in names if name in facts()] or list(facts().values())
        return Answer(
            blocks=lambda: [
                *report.fact_blocks(chosen),
                cite_block(f"list witnesses {asked_for}".strip(), []),
            ],
            data=lambda: report.fact_json(chosen),
            rows=lambda: (report.FACT_COLUMNS, report.fact_rows(chosen)),
        )
    asked = [by_id[name] for name in names if name in by_id]
    asked = [*asked, *(q for q in named if q not in asked)] or list(questions())
    return Answer(
        blocks=lambda: [
            *(report.question_blocks(asked) if names else report.table_blocks(asked)),
            cite_block(f"list witnesses {asked_for}".strip(), []),
        ],
        data=lambda: report.table_json(asked),
        rows=lambda: (report.CELL_COLUMNS, report.table_rows(asked)),
    )


def _questions_of(words: str) -> list[Question]:
    """The questions that words name: in the question, its rules or the points that texts bear out;
    else in what the texts say."""
    named = [
        q
        for q in questions()
        if has_words(words, q.asks, *q.rules, *(p for c in q.cells for p in c.readings))
    ]
    return named or [q for q in questions() if any(has_words(words, c.says) for c in q.cells)]
