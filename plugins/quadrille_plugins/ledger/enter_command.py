"""``quadrille session enter``: an entry by hand, or what the laws order."""

from pathlib import Path
from typing import Any, cast

import click

from quadrille_core.errors import UsageError
from quadrille_plugins.ledger.answering_report import deal_answer, file_argument, recorded
from quadrille_plugins.ledger.by_law import ordered
from quadrille_plugins.ledger.hand import by_hand
from quadrille_plugins.ledger.laws import TextChoice
from quadrille_plugins.ledger.ruling_command import text_option
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.options import format_option, read_input


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
@click.option(
    "--deal", "expected", type=click.IntRange(1), metavar="N", help="Refuse unless N is next."
)
@format_option
def enter_command(
    file: Path,
    transfer: tuple[str, ...],
    loan: bool,
    ruling: str | None,
    law: str | None,
    text: str,
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
    with recorded(file) as done, Ledger(file) as ledger:
        if ruling is None:
            fact = by_hand(ledger.journal(), *cast("Any", transfer), loan=loan)
        else:
            told = read_input(ruling)
            fact = ordered(ledger, told, law, cast("TextChoice", text))
        number = ledger.record(fact, before=before, number=expected)
        done.append(f"entry {number} is recorded")
        return deal_answer(file, done, ledger, number)
