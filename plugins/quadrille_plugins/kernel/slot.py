"""The player slot of the kernel: which compiled functions a player brings, and what a module of one
must hold.

The kernel is built of a player's functions (``table.table_of``, ``session.sessions_of``) and plays
it in every seat. A module that ``hookspecs.Player.compiled`` names holds ``play_sessions`` and
``replay_sessions``, built so, and ``policy_of(rules, record)``: what it plays by under these rules
as arrays, None where it cannot be told exactly.  It is given the values of the parameters that the
player declares, by their names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from quadrille_core.rules import Rules
from quadrille_plugins.kernel.compiled import CompiledFunction

STOP, ASK, GO = 1, 2, 4
"""What may be done about the vole, one bit each: claim the game or say no, ask the ally, play for
the vole."""
PASS = -1


@dataclass(frozen=True, kw_only=True)
class CompiledPlayer:
    """A player's compiled functions.

    All begin with the rules (``record``), the player's policy and the ``deal`` under way
    (``state``); ``seat`` is the player's.  Cards are bits of the home order until trumps are known,
    then of the order under them.
    """

    module: str
    """The module that holds them: no two players' compiled code is taken for one another's."""
    policy: str
    """Numba's type of what it plays by: a tuple of records and arrays, read by several threads and
    written by none."""
    draws: bool
    """Whether it draws by chance, from the deal's streams (``draws.below``)."""
    bid: CompiledFunction
    """``(…, seat) -> int64``: the number of a spoken bid, PASS, or PASS - 1 - suit to name
    trumps."""
    trump: CompiledFunction
    """``(…, seat) -> int64``: the suit that becomes trumps; 4 to invite the ally."""
    call: CompiledFunction
    """``(…) -> int64``: the card of the pack that Hombre calls."""
    give: CompiledFunction
    """``(…) -> uint64``: the card that Hombre gives in exchange."""
    announce: CompiledFunction
    """``(…, seat, choices, result, out) -> int64``: of the ``choices`` one, before the first
    lead."""
    decide: CompiledFunction
    """The same after premiers."""
    answer: CompiledFunction
    """``(…, seat, result, out) -> boolean``: whether to play for the vole, having been asked."""
    lead: CompiledFunction
    """``(…, seat) -> uint64``: the card to lead where the game may be claimed instead, 0 to claim
    it."""
    card: CompiledFunction
    """``(…, seat, played, cards, best, winner, behind) -> uint64``: one of several legal ``cards``.

    ``played`` lie in the trick, of which ``best`` wins so far and is ``winner``'s; ``behind`` are
    the seats yet to play.
    """
    room: int = 0
    """Words that it works in, zero at first and kept from deal to deal, at ``deal.room``."""


def kernel_arguments(
    policy_of: Callable[[Rules, Any], Any], rules: Rules, names: Any, scale: int
) -> tuple[Any, ...] | None:
    """The record of these rules and a player's policy: what the kernel's functions begin with.

    None where there are more bids than it holds, or what the rules pay is too large, or cannot be
    told in whole parts of a counter, ``1 / scale`` each.
    """
    from quadrille_core.engine.deal_record import MOST_BIDS
    from quadrille_plugins.kernel.state import LIMIT
    from quadrille_plugins.kernel.tabulate import tabulate

    if scale >= LIMIT or len(rules.bids.rows) > MOST_BIDS:
        return None
    record = tabulate(rules, names, scale)
    policy = policy_of(rules, record)
    return None if policy is None else (record, policy)
