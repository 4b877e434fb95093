"""``quadrille session people``, ``move``, ``rules`` and ``reopen``: who sits where, the order of
deals, the rules of the next deal, and a session that ended too early."""

from pathlib import Path

import click

from quadrille_core.errors import UsageError
from quadrille_plugins.ledger import report
from quadrille_plugins.ledger.answering_report import (
    changed_answer,
    file_argument,
    recorded,
    state_answer,
)
from quadrille_plugins.ledger.ending_report import payment_blocks
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.ledger.words import word
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Text
from quadrille_plugins.shell.options import compile_all, format_option, refine_options
from quadrille_plugins.shell.values import rule_value


@click.command("people", short_help="Rename a player, exchange chairs, leave, or join.")
@file_argument
@click.option(
    "--rename",
    nargs=2,
    multiple=True,
    metavar="OLD NEW",
    help="Call OLD by the name NEW everywhere; twice, and two exchange their names.",
)
@click.option("--exchange", nargs=2, metavar="NAME NAME", help="Let two exchange chairs.")
@click.option("--leave", metavar="NAME", help="Leave a chair empty.")
@click.option(
    "--join",
    metavar="NAME",
    help="Take an empty chair; where there is none, sit down as one more: then whoever has just "
    "dealt sits out the next deal.",
)
@format_option
def people_command(
    file: Path,
    rename: tuple[tuple[str, str], ...],
    exchange: tuple[str, str] | None,
    leave: str | None,
    join: str | None,
) -> Answer:
    """Say who sits where, and is called what, from the next deal on; say one thing at a time.

    Who leaves keeps what they won or lost; with `substitute` another sits down in their place. A
    name is changed in all deals, those recorded too.
    """
    if sum(told is not None for told in (rename or None, exchange, leave, join)) != 1:
        raise UsageError.of("people-one-thing")
    with recorded(file) as done:
        with Ledger(file) as ledger:
            if rename:
                former = zip(ledger.rename(*rename), rename, strict=True)
                change = word("and").join(word("called", former=f, name=n) for f, (_, n) in former)
            elif exchange is not None:
                number = ledger.exchange(*exchange)
                one, other = map(ledger.name_of, exchange)
                change = f"{one} and {other} have exchanged chairs from deal {number} on"
            elif leave is not None:
                number = ledger.leave(leave)
                change = f"The chair of {ledger.name_of(leave)} is empty from deal {number} on"
            else:
                number = ledger.join(str(join))
                change = f"{join} sits at the table from deal {number} on"
            done.append(f"{change}: that is recorded")
        return state_answer(file, done, f"{change}.")


@click.command("move", short_help="Let a deal stand at another place among the deals.")
@file_argument
@click.argument("number", type=click.IntRange(1))
@click.argument("to", type=click.IntRange(1))
@format_option
def move_command(file: Path, number: int, to: int) -> Answer:
    """Let deal NUMBER stand as deal TO: those between move up or down, and what then begins with
    another pool is settled anew.

    Who dealt and who played stays with each deal.
    """
    with recorded(file) as done:
        with Ledger(file) as ledger:
            changes = ledger.move(number, to)
            head = f"Deal {number} is now deal {to}"
            done.append(f"{head}: that is recorded")
            journal = ledger.journal()
        return changed_answer(file, done, journal, changes, head=f"{head}.")


@click.command("rules", short_help="Change the rules from the next deal on.")
@file_argument
@click.option(
    "--rules", "ref", metavar="REF", help="Other rules; those in force, if none are named."
)
@format_option
@refine_options
def rules_command(
    file: Path, ref: str | None, readings: tuple[str, ...], sets: tuple[str, ...]
) -> Answer:
    """Settle by other rules from the next deal on; what was recorded stays as it is.

    --set and --reading are added to those in force, or to REF. What changes is shown, and `show`
    goes on to tell from which deal on.
    """
    with recorded(file) as done:
        with Ledger(file) as ledger:
            if ref is None:
                ref, *former = ledger.rules_named()
                readings, sets = ((*a, *b) for a, b in zip(former, (readings, sets), strict=True))
            before, after = ledger.change_rules(compile_all([ref], readings, sets)[0], ref)
            done.append("the change of rules is recorded")
            journal = ledger.journal()
        changed = report.rules_changed(before, after)
        return Answer(
            blocks=lambda: [
                Text(f"From deal {journal.next_deal} on by {report.rules_text(journal)}"),
                report.changed_rules_table(changed),
                *report.standing_blocks(journal),
            ],
            data=lambda: {
                "changed": {path: list(pair) for path, pair in changed.items()},
                "session": report.state_data(journal),
            },
            rows=lambda: (
                ("rule", "before", "now"),
                [(path, *map(rule_value, pair)) for path, pair in changed.items()],
            ),
            around=lambda: recorded(file, done),
        )


@click.command("reopen", short_help="Let an ended session go on.")
@file_argument
@format_option
def reopen_command(file: Path) -> Answer:
    """Let an ended session go on, to record or correct something: the payments that settled it no
    longer hold, and a pool that was shared is paid back.

    What was paid in coin meanwhile is entered with `enter`; then `end` asks for the rest.
    """
    with recorded(file) as done:
        with Ledger(file) as ledger:
            ending = ledger.reopen()
            done.append("the session goes on")
            journal = ledger.journal()
        return Answer(
            blocks=lambda: [
                Text("The session goes on. No longer to be paid:", strong=True),
                *payment_blocks(journal, ending),
                *report.standing_blocks(journal),
            ],
            data=lambda: {
                "withdrawn": report.payments_data(journal, ending.payments),
                "session": report.state_data(journal),
            },
            rows=lambda: report.standing_rows(journal),
            around=lambda: recorded(file, done),
        )
