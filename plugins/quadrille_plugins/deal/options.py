"""Options of commands in which players play."""

from typing import Final

import click

from quadrille_plugins.deal.players import spelt


def parse_players(text: str) -> tuple[str, ...]:
    """The bots of ``--players``, each in its one spelling: one for all, or one for each chair;
    raises UsageError."""
    return tuple(spelt(spec.strip()) for spec in text.split(","))


def in_one_spelling(
    context: click.Context, option: click.Parameter, text: str | None
) -> str | None:
    """What an option with bots comes to, so that no two manifests say the same in two ways."""
    return text and ",".join(parse_players(text))


FAMILY: Final = "family"
"""What ``--players`` says where a family of players is asked (``players.family``)."""

players_option = click.option(
    "--players",
    default="steady",
    show_default=True,
    metavar="BOT[,BOT,BOT,BOT]",
    callback=in_one_spelling,
    help="One bot for all, or one for each chair; BOT:PARAMETER=VALUE says how it plays.",
)
