"""``--engine``: the engine made ready for a study, and the word about it where the choice costs time."""

from collections.abc import Sequence

import click

from quadrille_core.rules import RuleSet
from quadrille_plugins.fast.ready import ready
from quadrille_plugins.lab import fast
from quadrille_plugins.lab.design import FAST, READABLE, tabulated
from quadrille_plugins.lab.engines import choose_engine, played_by


def engine_for(
    asked: str, rulesets: Sequence[RuleSet], bots: Sequence[str], work: int, modules: Sequence[str]
) -> tuple[str, fast.Tables | None]:
    """The engine that plays these rule sets, loaded; the fast one's with the rule sets as it reads them.

    ``work`` as in ``choose_engine``; ``modules`` are those of the kernel that Python
    will call besides the player's.  Raises UsageError when
    the fast engine was asked for by name and cannot play this.
    """
    chosen, why = choose_engine(asked, rulesets, bots, work)
    tables = None
    if chosen == FAST:
        ready(*modules, *played_by(bots))
        tables, why = tabulated(asked, rulesets, bots)
        chosen = READABLE if tables is None else FAST
    if why is not None:
        click.echo(f"playing on the readable engine, hundreds of times slower: {why}", err=True)
    return chosen, tables
