"""``quadrille session enter``, ``people``, ``move``, ``rules`` and ``reopen``: entries by hand and
by law, who sits where, the order of deals, the rules of the next, a session ended too early."""

from pathlib import Path
from typing import Any, cast

import click

from quadrille_core.errors import UsageError
from quadrille_plugins.ledger import report
from quadrille_plugins.ledger.answering_report import (
    changed_answer,
    changing,
    deal_answer,
    expected_option,
    file_argument,
    number_argument,
    recorded,
    state_answer,
)
from quadrille_plugins.ledger.by_law import ordered
from quadrille_plugins.ledger.ending_report import payment_blocks
from quadrille_plugins.ledger.hand import by_hand
from quadrille_plugins.ledger.laws import TextChoice
from quadrille_plugins.ledger.ruling_command import text_option
from quadrille_plugins.ledger.words import word
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Text
from quadrille_plugins.shell.options import (
    Repeated,
    compile_all,
    format_option,
    read_input,
    refine_options,
)
from quadrille_plugins.shell.values import rule_value


@click.command("enter", short_help="Enter a fine, a loan, a gift to the pool, or a ruling.")
@file_argument
@click.argument("transfer", nargs=-1, metavar="[FROM TO AMOUNT REASON]")
@click.option("--loan", is_flag=True, help="It is lent: held, and neither won nor lost.")
@click.option(
    "--ruling",
    metavar="INCIDENT",
    help="Enter instead what the laws order in an incident, told in a file (`-` reads standard "
    "input).",
)
@click.option("--law", metavar="LAW", help="By this law alone, such as L16, where several rule.")
@text_option
@click.option("--before", type=click.IntRange(1), metavar="N", help="Before deal N, not the next.")
@expected_option
@format_option
def enter_command(
    file: Path,
    transfer: Repeated,
    loan: bool,
    ruling: str | None,
    law: str | None,
    text: TextChoice,
    before: int | None,
    expected: int | None,
) -> Answer:
    """Enter by hand what no deal pays: FROM pays TO an AMOUNT of counters, for a REASON.

    FROM and TO are players (who have left too), `pool`, or `each`: each other player. With --ruling
    the laws of these rules say who pays; players and pool are as the ledger knows them, antes in,
    and the deal that is then played again is recorded as the next.

    An entry has a number among the deals, and may be reversed, moved and undone like one.
    """
    if (ruling is None) == (not transfer) or (ruling is None and len(transfer) != 4):
        raise UsageError.of("enter-what")
    with changing(file) as (ledger, done):
        if ruling is None:
            fact = by_hand(ledger.journal(), *cast("Any", transfer), loan=loan)
        else:
            fact = ordered(ledger, read_input(ruling), law, text)
        number = ledger.record(fact, before=before, number=expected)
        done.append(f"entry {number} is recorded")
        return deal_answer(file, done, ledger, number)


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
    with changing(file) as (ledger, done):
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
@number_argument
@click.argument("to", type=click.IntRange(1))
@format_option
def move_command(file: Path, number: int, to: int) -> Answer:
    """Let deal NUMBER stand as deal TO: those between move up or down, and what then begins with
    another pool is settled anew.

    Who dealt and who played stays with each deal.
    """
    with changing(file) as (ledger, done):
        changes = ledger.move(number, to)
        head = f"Deal {number} is now deal {to}"
        done.append(f"{head}: that is recorded")
        return changed_answer(file, done, ledger, changes, head=f"{head}.")


@click.command("rules", short_help="Change the rules from the next deal on.")
@file_argument
@click.option(
    "--rules", "ref", metavar="REF", help="Other rules; those in force, if none are named."
)
@format_option
@refine_options
def rules_command(file: Path, ref: str | None, readings: Repeated, sets: tuple[str, ...]) -> Answer:
    """Settle by other rules from the next deal on; what was recorded stays as it is.

    --set and --reading are added to those in force, or to REF. What changes is shown, and `show`
    goes on to tell from which deal on.
    """
    with changing(file) as (ledger, done):
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
    with changing(file) as (ledger, done):
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
