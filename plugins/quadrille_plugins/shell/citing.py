"""How to cite what a command printed: its rule sets with their digests, the program, the date."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import click

from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.program import program_text

cite_option: Callable[[Any], Any] = click.option(
    "--cite",
    is_flag=True,
    help="End a table with a line that cites it: rules with digest, program, date.",
)

CHOSEN = "quadrille.chosen"
"""Where a command keeps the options that chose what it does."""


def cite_block(command: str, compiled: Sequence[Compiled], digest: str = "") -> Text:
    """How to cite a command's output; ``digest`` is that of a study's results."""
    names = ", ".join(
        dict.fromkeys(f"{c.identity.reference}#{c.identity.digest[:12]}" for c in compiled)
    )
    results = f"; results {digest[:12]}" if digest else ""
    return Text(
        f"To cite this: Q{program_text()[1:]}, "
        f"{' '.join(filter(None, (command, names)))}{results}; {today()}."
    )


def cited(blocks: Sequence[Block], compiled: Sequence[Compiled], *, cite: bool) -> list[Block]:
    """What a command prints, ended by how to cite it where that is wanted."""
    return [*blocks, *([cite_block(this_command(), compiled)] if cite else [])]


def this_command() -> str:
    """The command that runs, with the options that chose what it does."""
    ctx = click.get_current_context()
    return " ".join([ctx.command.name or "", *ctx.meta.get(CHOSEN, ())])


def today() -> str:
    """The date in UTC, or that of ``SOURCE_DATE_EPOCH``, by which an output is the same on another
    day."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = (
        datetime.fromtimestamp(int(epoch), UTC)
        if epoch.isdecimal() and len(epoch) < 12
        else datetime.now(UTC)
    )
    return moment.date().isoformat()
