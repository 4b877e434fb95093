"""What commands on a ledger answer, and what they say was recorded where the rest fails."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from quadrille_core.errors import Command, UnwrittenError
from quadrille_plugins.ledger import report
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.reckoning import Change
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.files import note_unwritten
from quadrille_plugins.shell.options import A_PATH
from quadrille_plugins.shell.terminal import abandon_output
from quadrille_plugins.shell.values import if_any

expected_option = click.option(
    "--deal", "expected", type=click.IntRange(1), metavar="N", help="Refuse unless N is next."
)
file_argument = click.argument("file", type=A_PATH)
number_argument = click.argument("number", type=click.IntRange(1))


@contextmanager
def recorded(file: Path, done: list[str] | None = None) -> Iterator[list[str]]:
    """A list that takes what is recorded in the file, such as ``deal 3 is recorded``, as soon as it
    is; or the one that has taken it.

    Whatever fails afterwards, the end of the command says what was recorded: with status 3 where
    only the printing failed, or a signal came.  What fails before goes its own way.
    """
    done = [] if done is None else done
    try:
        yield done
    except BaseException as e:
        if not done:
            raise
        why = (
            "it was interrupted"
            if isinstance(e, KeyboardInterrupt)
            else (getattr(e, "strerror", None) or str(e))
        )
        note_unwritten(
            UnwrittenError.of(
                "done-but-not-printed",
                place=file,
                done="; ".join(done),
                why=why,
                command=Command("session", ("show", str(file))),
            )
        )
        if not isinstance(e, OSError):
            raise
        abandon_output()


@contextmanager
def changing(file: Path) -> Iterator[tuple[Ledger, list[str]]]:
    """An open ledger, and the list that ``recorded`` gives."""
    with recorded(file) as done, Ledger(file) as ledger:
        yield ledger, done


def state_answer(file: Path, done: list[str], head: str = "") -> Answer:
    """The session as it stands, under a line that says what was done."""
    with Ledger(file) as ledger:
        journal = ledger.journal()
    return Answer(
        blocks=lambda: [Text(head or report.rules_text(journal)), *report.standing_blocks(journal)],
        data=lambda: report.state_data(journal),
        rows=lambda: report.standing_rows(journal),
        around=lambda: recorded(file, done),
    )


def changed_answer(
    file: Path,
    done: list[str],
    ledger: Ledger,
    changes: Sequence[Change],
    *,
    undone: str = "",
    head: str = "",
    deal: Sequence[Block] = (),
    taken: Mapping[str, str] | None = None,
) -> Answer:
    """What a command has changed of deals that were recorded; ``head`` says what it did, where it
    was no correction."""
    journal = ledger.journal()
    return Answer(
        blocks=lambda: [
            *([Text(f"{undone}.", strong=True)] if undone else []),
            *(report.change_blocks(journal, changes, head) if changes or head else []),
            *deal,
            *report.standing_blocks(journal),
        ],
        data=lambda: {
            **if_any(undone=undone, taken_as=dict(taken or {})),
            "changes": report.change_data(journal, changes),
            "session": report.state_data(journal),
        },
        rows=lambda: report.change_rows(journal, changes),
        around=lambda: recorded(file, done),
    )


def deal_answer(
    file: Path,
    done: list[str],
    ledger: Ledger,
    number: int,
    *,
    more: Sequence[Block] = (),
    data: Mapping[str, Any] | None = None,
) -> Answer:
    """A deal, or an entry, as it was recorded, and the session as it then stands; ``more`` and
    ``data`` say what belongs to it besides."""
    journal, settlement, changes = ledger.journal(), ledger.settled(number), ledger.changes
    return Answer(
        blocks=lambda: [
            *_inserted(journal, number, changes),
            *report.deal_blocks(journal, number, settlement),
            *report.order_blocks(journal.deals[number]),
            *more,
            *report.standing_blocks(journal, number),
        ],
        data=lambda: {
            **report.deal_data(journal, number),
            **if_any(changes=report.change_data(journal, changes)),
            "session": report.state_data(journal),
            **(data or {}),
        },
        rows=lambda: report.deal_rows(journal, number),
        around=lambda: recorded(file, done),
    )


def _inserted(journal: Journal, number: int, changes: Sequence[Change]) -> list[Block]:
    """What a deal, or an entry, inserted before others has changed of them; nothing where it
    changed none."""
    what = "Entry" if journal.is_entry(number) else "Deal"
    head = f"{what} {number} is inserted, and those after it have moved up."
    return report.change_blocks(journal, changes, head) if changes else []
