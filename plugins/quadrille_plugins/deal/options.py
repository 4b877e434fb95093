"""Options of commands in which players play."""

import click

from quadrille_core.errors import UsageError, did_you_mean
from quadrille_plugins.deal.players import BOTS

players_option = click.option(
    "--players",
    default="steady",
    show_default=True,
    metavar="BOT[,BOT,BOT,BOT]",
    help="One bot for all, or one for each chair.",
)


def parse_players(text: str) -> tuple[str, ...]:
    """The bots of ``--players``: one for all, or one for each chair; raises UsageError for an unknown bot."""
    names = tuple(n.strip() for n in text.split(","))
    for name in names:
        if name not in BOTS:
            raise UsageError(f"there is no bot {name[:40]!r}", help=did_you_mean(name, BOTS, what="bots"))
    return names
