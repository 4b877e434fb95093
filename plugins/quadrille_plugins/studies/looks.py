"""When a study that plays until it is decided looks at its sessions, and what its intervals are
corrected for.

The looks are at fixed numbers of sessions, so that neither a clock nor a machine decides what is
played.  Each interval is one of ``comparisons``: as many as there are columns that may differ,
alternatives, and players of a family, times ``LOOKS_COUNT_AS``, since sessions are looked at again
and again.  Successive looks share most of their sessions; docs/coverage.md has by simulation how
often some interval of an answer misses then.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Final

from quadrille_core.engine.amounts import antes
from quadrille_core.engine.carry import session_over
from quadrille_core.rules import Rules
from quadrille_plugins.settle.fund import fund_rules
from quadrille_plugins.studies.accounts import ANTES, IF_MOVED, columns
from quadrille_plugins.studies.design import FAST, READABLE
from quadrille_plugins.studies.equivalence import LOOK_RATIO

MOST_SESSIONS: Final = {READABLE: 2263, FAST: 25600}
"""Where each engine leaves off undecided."""
LOOKS_COUNT_AS: Final = 3


def looks(
    most: int,
    first: int = 50,
    whole: Callable[[float], int] = round,
    last: float = MOST_SESSIONS[FAST],
) -> Iterator[int]:
    """The sessions at each look, about 1.4 times as many as at the one before; after the ``last``
    comes ``most``."""
    for step in count():
        sessions = whole(first * LOOK_RATIO**step - 1e-6)
        if sessions >= most or sessions > last:
            break
        yield sessions
    yield most


def able_to_move(rules: Sequence[Rules]) -> list[str]:
    """The columns of ``studies.accounts`` in which something can move by any of these rules."""
    fund = any(any(fund_rules(one)) for one in rules)
    return [name for name in columns(rules[0].table.players) if fund or name not in IF_MOVED]


def identical_columns(first: Rules, second: Rules) -> frozenset[str]:
    """The columns in which nothing can differ by the rules themselves.

    Those are the antes, where they are the same, every deal is played (nothing is redealt), and no
    session ends early.
    """

    def stakes(rules: Rules) -> tuple[object, ...] | None:
        redeals = rules.is_dealt_anew()
        if redeals or session_over(rules, [Fraction(-1)]):
            return None
        return antes(rules.stakes, rules.table.players)

    return ANTES if stakes(first) is not None and stakes(first) == stakes(second) else frozenset()
