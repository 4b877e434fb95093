"""``quadrille session``: the ledger of a real table, each command one transaction in a file of its
own."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import click

from quadrille_core.errors import UsageError
from quadrille_plugins.ledger import ending_report, evenings_report, report
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
from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.deriving import derive
from quadrille_plugins.ledger.ending import Ending
from quadrille_plugins.ledger.ending_report import payment_blocks
from quadrille_plugins.ledger.hand import by_hand
from quadrille_plugins.ledger.history_report import history_blocks, history_data, history_rows
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.laws import TextChoice
from quadrille_plugins.ledger.refusing import row_of
from quadrille_plugins.ledger.report import sheet_text
from quadrille_plugins.ledger.ruling_command import ruling_command, text_option
from quadrille_plugins.ledger.saying import fact_options, said
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.ledger.spreadsheet import deals_of
from quadrille_plugins.ledger.words import word
from quadrille_plugins.settle.answers import names_typed
from quadrille_plugins.settle.blocks import taken_blocks
from quadrille_plugins.settle.by_options import options_spoken_of
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table, Text, print_blocks
from quadrille_plugins.shell.options import (
    A_PATH,
    Repeated,
    can_ask,
    chosen_format,
    compile_all,
    format_option,
    formats,
    read_input,
    refine_options,
)
from quadrille_plugins.shell.values import if_any, rule_value


@click.group("session")
def session_command() -> None:
    """Keep the ledger of a real table: who pays whom, deal by deal.

    FILE is the ledger, which `start` makes.  Every other command opens it, writes at most one
    transaction, and what it has printed is in the file for good.  Each takes --format
    table|json|csv, `export` csv or json.  `ruling` needs no ledger: it says what the laws order.
    """


session_command.add_command(ruling_command)


@session_command.command("start", short_help="Begin a session in a new file.")
@file_argument
@click.option(
    "--rules",
    "ref",
    metavar="REF",
    help="The rules: PROFILE[@FILE…][@WITNESS], or a YAML file; without it, those of --from.",
)
@click.option(
    "--from",
    "former",
    type=A_PATH,
    metavar="LEDGER",
    help="Take over pool and balances of another ledger, and its rules, players and coins where "
    "none are named.",
)
@click.option(
    "--player",
    "--players",
    "players",
    multiple=True,
    metavar="NAME",
    help="A player; once for each, or all after commas, in the order of play.",
)
@click.option(
    "--dealer", metavar="NAME", help="Who deals first; the player named last, if nobody is."
)
@click.option(
    "--coins",
    type=click.Choice(TOLD),
    help="How amounts are shown: in the coins that the rules give out (table.coins), or in plain "
    "counters; as in the ledger of --from, or by the rules.",
)
@format_option
@refine_options
def start_command(
    file: Path,
    ref: str | None,
    former: Path | None,
    players: Repeated,
    dealer: str | None,
    coins: str | None,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Begin a session in a new FILE.

    Name the players in the order of play, which goes round the table anticlockwise.  The rules are
    kept in the file: the session is settled by them whatever becomes of the profile.
    """
    if ref is None and (former is None or readings or sets):
        raise UsageError.of("start-without-rules")
    left = None
    if former is not None:
        with Ledger(former) as ledger:
            left = ledger.left()
    with recorded(file) as done:
        start(
            file,
            None if ref is None else compile_all([ref], readings, sets)[0],
            ref or "",
            names_typed(players),
            dealer=dealer,
            coins=coins,
            former=left,
        )
        done.append("the session has started")
        return state_answer(file, done)


@session_command.command("deal", short_help="Record the next deal: who pays whom, and why.")
@file_argument
@fact_options
@expected_option
@click.option(
    "--before",
    type=click.IntRange(1),
    metavar="N",
    help="Insert a forgotten deal before deal N, which becomes the next; later ones are settled "
    "anew.",
)
@format_option
def deal_command(
    file: Path, expected: int | None, before: int | None, **options: Any
) -> Answer | None:
    """Record the next deal: from options, from RESULT, or question by question on a terminal.

    RESULT is a file as `settle` reads (`-` reads standard input), or a CSV file (`.csv`) of several
    deals, a row each: all are recorded, or none.  The ledger knows rules, readings, players and
    pool; antes are put by themselves.
    """
    if str(options["result"] or "").lower().endswith(".csv"):
        return _deals(file, Path(options["result"]), expected, {**options, "before": before})
    with changing(file) as (ledger, done):
        players = names_typed(options.pop("players"))
        table_of = partial(ledger.table, players=players, before=before)
        entered = said(table_of, **options)
        fact, place, dealer = entered.fact, entered.place, options["dealer"]
        if entered.asked:
            expected = expected or ledger.journal().next_deal
            table, journal = table_of(dealer), ledger.journal()
            derived = derive(table.rules, table.start, fact, place)
            preview = report.derived_blocks(journal, table.start.names, fact, derived)
            print_blocks(preview, sys.stderr)
            as_deal = f"Record this as deal {before or expected}?"
            if not click.confirm(as_deal, default=True, err=True):
                click.echo("Nothing is recorded.", err=True)
                return None
        with options_spoken_of(entered.typed):
            number = ledger.record(
                fact,
                dealer=dealer,
                players=players,
                before=before,
                number=expected,
                place=place,
            )
        done.append(f"deal {number} is recorded")
        return deal_answer(
            file,
            done,
            ledger,
            number,
            more=taken_blocks(entered.taken),
            data=if_any(taken_as=dict(entered.taken)),
        )


def _deals(file: Path, csv: Path, expected: int | None, options: Mapping[str, Any]) -> Answer:
    """The deals of a CSV file, recorded in one transaction."""
    rows = deals_of(csv)
    if any(said for key, said in options.items() if key != "result"):
        raise UsageError.of("options-beside-csv")
    if expected is not None:
        rows[0] = replace(rows[0], cells={**rows[0].cells, "deal": str(expected)})
    with changing(file) as (ledger, done):
        numbers = ledger.record_all(rows)
        told = f"{len(numbers)} deals are recorded" if len(numbers) != 1 else "one deal is recorded"
        done.append(told)
        return state_answer(file, done, f"{told[:1].upper()}{told[1:]}.")


@session_command.command("show", short_help="The session as it stands, or one deal in full.")
@click.argument("files", type=A_PATH, nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--deal", "number", type=click.IntRange(1), metavar="N", help="One deal, payment by payment."
)
@click.option(
    "--history", is_flag=True, help="Every command that was given, and what became of it."
)
@format_option
def show_command(files: tuple[Path, ...], number: int | None, history: bool) -> Answer:
    """Show the session: standing, dealer, pool, every deal in a line; one deal in full; or all
    that was ever recorded.

    Several FILEs are evenings: what each player has won or lost over them, and on average.
    """
    if len(files) > 1:
        return _evenings(files, number, history)
    with Ledger(files[0]) as ledger:
        journal = ledger.journal()
        if history:
            return Answer(
                blocks=lambda: history_blocks(journal),
                data=lambda: {"history": history_data(journal)},
                rows=lambda: history_rows(journal),
            )
        ending = ledger.ending() if journal.ended else None
        settlement = (
            ledger.settled(number) if number is not None and number in journal.deals else None
        )
    if number is None:
        return Answer(
            blocks=lambda: [
                *report.session_blocks(journal),
                *(ending_report.ending_blocks(journal, ending)[1:] if ending else []),
            ],
            data=lambda: {
                **report.state_data(journal),
                "each_deal": [report.deal_data(journal, n) for n in journal.deals],
                **({"ending": ending_report.ending_data(journal, ending)} if ending else {}),
            },
            rows=lambda: report.session_rows(journal),
        )
    row_of(journal, number)
    return Answer(
        blocks=lambda: report.itemised_blocks(journal, number, settlement),
        data=lambda: report.deal_data(journal, number),
        rows=lambda: report.deal_rows(journal, number),
    )


def _evenings(files: Sequence[Path], number: int | None, history: bool) -> Answer:
    if number is not None or history:
        raise UsageError.of("deal-of-several-evenings")
    found = []
    for file in files:
        with Ledger(file) as ledger:
            found.append((file, ledger.journal()))
    evenings_report.refuse_unlike(found)
    return Answer(
        blocks=lambda: evenings_report.evenings_blocks(found),
        data=lambda: evenings_report.evenings_data(found),
        rows=lambda: evenings_report.evenings_rows(found),
    )


@session_command.command("correct", short_help="Correct a deal, by reversing entries.")
@file_argument
@number_argument
@fact_options
@format_option
def correct_command(file: Path, number: int, **options: Any) -> Answer:
    """Record deal NUMBER differently: its payments are reversed, and those of the new result put
    after them.

    Options change what they name and leave the rest as it is recorded; a file gives the whole
    result. Later deals whose pool this changes are settled anew in the same way.  Nothing is ever
    deleted.
    """
    with changing(file) as (ledger, done):
        players = names_typed(options.pop("players"))
        entered = said(
            lambda dealer: ledger.table(dealer, number, players=players),
            ledger.fact(number, players),
            reseated=bool(players or options["dealer"]),
            **options,
        )
        with options_spoken_of(entered.typed):
            changes = ledger.correct(
                number,
                entered.fact,
                dealer=options["dealer"],
                players=players,
                place=entered.place,
            )
        done.append(f"the correction of deal {number} is recorded")
        blocks = report.deal_blocks(ledger.journal(), number, ledger.settled(number))
        deal = [*blocks, *taken_blocks(entered.taken)]
        return changed_answer(file, done, ledger, changes, deal=deal, taken=entered.taken)


@session_command.command("undo", short_help="Take back the last entry, by reversing it.")
@file_argument
@format_option
def undo_command(file: Path) -> Answer:
    """Take back the last entry that stands: a deal, an entry by hand, a correction, a change of
    players, names, rules or order.  Nothing is deleted.

    Given again, it takes back the entry before that.  A deal that was taken back is dealt again by
    the same dealer, as the next deal.
    """
    with changing(file) as (ledger, done):
        undone = ledger.undo()
        done.append(f"{undone.what}: that is recorded")
        return changed_answer(file, done, ledger, undone.changes, undone=undone.what)


@session_command.command("reverse", short_help="Take a deal back, by reversing entries.")
@file_argument
@number_argument
@format_option
def reverse_command(file: Path, number: int) -> Answer:
    """Take deal NUMBER back: its payments, antes too, are reversed, and nothing takes their
    place."""
    with changing(file) as (ledger, done):
        changes = ledger.reverse(number)
        done.append(f"deal {number} is taken back")
        return changed_answer(file, done, ledger, changes)


@session_command.command("substitute", short_help="Give somebody's chair to another.")
@file_argument
@click.argument("old")
@click.argument("new")
@format_option
def substitute_command(file: Path, old: str, new: str) -> Answer:
    """Give OLD's chair to NEW from the next deal on.

    OLD's counters stay OLD's; a newcomer gets a purse.
    """
    with changing(file) as (ledger, done):
        number = ledger.substitute(old, new)
        change = f"{new} sits for {old} from deal {number} on"
        done.append(f"{change}: that is recorded")
        return state_answer(file, done, f"{change}.")


@session_command.command("end", short_help="Settle by the fewest payments, and end.")
@file_argument
@click.option(
    "--split-pool", is_flag=True, help="Share a pool left standing equally among those seated."
)
@click.option("--dry-run", is_flag=True, help="Only show how it would be settled.")
@format_option
def end_command(file: Path, split_pool: bool, dry_run: bool) -> Answer | None:
    """Settle the session by the fewest payments, and end it: nothing can be recorded or undone
    after, unless `reopen` lets it go on.

    On a terminal it shows the payments first, and asks.
    """
    asks = chosen_format() == "table" and not dry_run and can_ask()
    if asks and not _confirmed_end(file, split_pool):
        click.echo("Nothing is recorded: the session goes on.", err=True)
        return None
    with changing(file) as (ledger, done):
        ending = (
            ledger.ending(split_pool=split_pool) if dry_run else ledger.end(split_pool=split_pool)
        )
        if not dry_run:
            done.append("the session has ended")
        journal = ledger.journal()
        said = (
            "The session has ended."
            if journal.ended
            else "Nothing is recorded: the session goes on."
        )
        return Answer(
            blocks=lambda: [
                *([] if asks else _ending_blocks(journal, ending)),
                Text(said),
            ],
            data=lambda: ending_report.ending_data(journal, ending),
            rows=lambda: ending_report.ending_rows(journal, ending),
            around=lambda: recorded(file, done),
        )


def _ending_blocks(journal: Journal, ending: Ending) -> list[Block]:
    blocks = ending_report.ending_blocks(journal, ending)
    if ending.pool and not ending.split and not journal.ended:
        blocks.append(Text("With --split-pool those seated share the pool."))
    return blocks


def _confirmed_end(file: Path, split_pool: bool) -> bool:
    """Show how the session would be settled, and ask whether to end it; a session that has ended is
    not asked about."""
    with Ledger(file) as ledger:
        journal, ending = ledger.journal(), ledger.ending(split_pool=split_pool)
    if journal.ended:
        return True
    print_blocks(_ending_blocks(journal, ending))
    return click.confirm("End the session so?", default=True, err=True)


@session_command.command("export", short_help="Everything the ledger holds.")
@file_argument
@formats(
    "csv",
    "json",
    "spreadsheet",
    help="Every entry in CSV, the whole ledger in JSON, or every deal as a spreadsheet reads it.",
)
def export_command(file: Path) -> Answer:
    """Print everything the ledger holds: every entry, and in JSON every command and record
    besides."""
    with Ledger(file) as ledger:
        journal = ledger.journal()
    columns, rows = report.export_rows(journal)
    return Answer(
        blocks=lambda: [
            Table("every entry", tuple(columns), tuple(tuple(map(str, row)) for row in rows))
        ],
        data=lambda: report.export_data(journal),
        rows=lambda: (columns, rows),
        texts={"spreadsheet": lambda: sheet_text(journal)},
    )


@session_command.command("verify", short_help="Check the whole file, and derive every deal anew.")
@file_argument
@format_option
def verify_command(file: Path) -> Answer:
    """Check every page and row of FILE, derive every deal anew from its record, and compare.

    The other commands check that no row has changed since the last one, and that the entries
    balance.
    """
    with Ledger(file) as ledger:
        journal = ledger.verify()
    return Answer(
        blocks=lambda: report.verified_blocks(journal),
        data=lambda: report.verified_data(journal),
        rows=lambda: report.verified_rows(journal),
    )


@session_command.command(
    "enter", short_help="Enter a fine, a loan, a gift to the pool, or a ruling."
)
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


@session_command.command("people", short_help="Rename a player, exchange chairs, leave, or join.")
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


@session_command.command("move", short_help="Let a deal stand at another place among the deals.")
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


@session_command.command("rules", short_help="Change the rules from the next deal on.")
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


@session_command.command("reopen", short_help="Let an ended session go on.")
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
