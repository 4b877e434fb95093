"""Options of commands in which players play."""

import click

from quadrille_plugins.deal.players import spelt

players_option = click.option(
    "--players",
    default="steady",
    show_default=True,
    metavar="BOT[,BOT,BOT,BOT]",
    help="One bot for all, or one for each chair, with what is to be said of it: NAME[:PARAMETER=VALUE…].",
)


def parse_players(text: str) -> tuple[str, ...]:
    """The bots of ``--players``, each in its one spelling: one for all, or one for each chair; raises UsageError."""
    return tuple(spelt(spec.strip()) for spec in text.split(","))
