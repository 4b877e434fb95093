"""Which engine plays: the fast one where it is at hand and worth loading, the readable one for the
rest.

The rule of ``auto``, in one sentence: the fast engine plays what it can play, unless the work is
too small to be worth loading it, or it is not compiled yet and the readable engine would be done
before it were.
"""

from collections.abc import Sequence
from typing import Final

import click

from quadrille_core.errors import UsageError
from quadrille_core.rules import RuleSet
from quadrille_plugins.kernel.ready import is_compiled, ready
from quadrille_plugins.shell.terminal import filled
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.design import AUTO, FAST, READABLE
from quadrille_plugins.studies.fast import blocked_by, compiled_player

WORTH_LOADING: Final = 200
"""Deals, counted under each rule set, from which on loading the fast engine costs less than it
saves."""
WORTH_COMPILING: Final = 20_000
"""The same for compiling it, which takes about as long as these deals do on the readable engine."""
UNCOMPILED_SESSIONS: Final = 200
"""Of a study that plays until it is decided, how many the readable engine plays before the fast one
is compiled: as many as take about as long as compiling."""
NOT_COMPILED: Final = (
    "the fast one is not compiled yet for this processor (`quadrille --warmup` does so once)"
)
PLAYER_NOT_COMPILED: Final = (
    "these players are not compiled yet for this processor (`--engine fast` does so once)"
)


def played_by(bots: Sequence[str]) -> tuple[str, ...]:
    """The modules of the kernel that play these, to be made ready before they do."""
    player = compiled_player(bots)
    return () if player is None else ("quadrille_plugins.kernel.session", player)


def choose_engine(asked: str, rulesets: Sequence[RuleSet], bots: Sequence[str], work: int) -> str:
    """The engine to use; says on stderr why it is not the fast one where that costs time.

    ``work`` is how many deals the readable engine would play, each counted under every rule set.
    Raises UsageError when the fast engine was asked for by name and cannot play this.
    """
    if asked == READABLE or (asked == AUTO and work < WORTH_LOADING):
        return READABLE
    why = blocked_by(rulesets, bots)
    if why is not None and asked == FAST:
        raise _cannot(why)
    if (
        why is None
        and asked == AUTO
        and work < WORTH_COMPILING
        and not is_compiled(*played_by(bots))
    ):
        why = PLAYER_NOT_COMPILED if _left_out(bots) else NOT_COMPILED
    return FAST if why is None else _slowly(why)


def _left_out(bots: Sequence[str]) -> bool:
    """Whether ``quadrille --warmup`` does not compile the player of these."""
    from quadrille_plugins.kernel.cache import ways_in

    return compiled_player(bots) not in ways_in()


def engine_for(
    asked: str, rulesets: Sequence[RuleSet], bots: Sequence[str], work: int
) -> tuple[str, fast.Tables | None]:
    """The engine that plays these rule sets, loaded; the fast one's with the rule sets as it reads
    them; the rest as ``choose_engine``."""
    if choose_engine(asked, rulesets, bots, work) != FAST:
        return READABLE, None
    ready(*played_by(bots))
    try:
        return FAST, fast.tabulate(rulesets, bots)
    except fast.InexactError as e:
        if asked == FAST:
            raise _cannot(str(e)) from None
        return _slowly(str(e)), None


def _cannot(why: str) -> UsageError:
    return UsageError.of("fast-engine-cannot-play", why=why)


def _slowly(why: str) -> str:
    click.echo(filled(f"playing on the readable engine, which is much slower: {why}"), err=True)
    return READABLE
