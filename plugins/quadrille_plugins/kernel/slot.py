"""The player slot of the kernel: which compiled functions a player brings, and what a module of one
must hold.

The kernel is built of a player's functions (``table.table_of``, ``session.sessions_of``) and plays
it in every seat; where seats differ it is built of those that ``mixed_of`` makes of several.
A module that ``hookspecs.Player.compiled`` names holds ``play_sessions`` and
``replay_sessions``, built so, and ``policy_of(rules, record)``: what it plays by under these rules
as arrays, None where it cannot be told exactly.  It is given the values of the parameters that the
player declares, by their names.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from numba import types

from quadrille_core.rules import Rules
from quadrille_plugins.kernel.compiled import CompiledFunction, compiled
from quadrille_plugins.kernel.shares import OPTIONS
from quadrille_plugins.kernel.state import LIMIT, name_tuple, signature_of

STOP, ASK, GO = 1, 2, 4
"""What may be done about the vole, one bit each: claim the game or say no, ask the ally, play for
the vole."""
PASS = -1
DECISIONS: Final = {
    "bid": ("int64", "int64"),
    "trump": ("int64", "int64"),
    "call": ("int64", ""),
    "give": ("uint64", ""),
    "announce": ("int64", "int64, int64, result, out"),
    "decide": ("int64", "int64, int64, result, out"),
    "answer": ("boolean", "int64, result, out"),
    "lead": ("uint64", "int64"),
    "card": ("uint64", "int64, int64, uint64, uint64, int64, int64"),
}
"""What each decision answers, and is asked beside the rules, the policy and the deal."""


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
    by_chair: bool = False
    """Whether it asks who sits in the chair of a seat (``deal.turn``)."""


def mixed_of(name: str, players: Sequence[CompiledPlayer]) -> CompiledPlayer:
    """One that decides for each seat as the player in its chair, who is one of these.

    Its policy is a tuple of arrays by chair, and by chair once more, since those of a deal begin at
    ``deal.turn``: which of the players it is, then what each of them plays by, part by part.
    """
    parts, places = [types.Array(types.int64, 1, "C")], list[range]()
    for player in players:
        added = [_by_chair(part) for part in signature_of(player.policy).types]
        places.append(range(len(parts), len(parts) + len(added)))
        parts += added
    policy = name_tuple(f"policy_of_{''.join(c if c.isalnum() else '_' for c in name)}", parts)
    decisions = {}
    for decision, (answers, asked) in DECISIONS.items():
        given = [f"asked_{n}" for n, _ in enumerate(filter(None, asked.split(", ")))]
        lines = [
            f"def {decision}({', '.join(['rules, policy, deal', *given])}):",
            f"    at = deal.turn + {given[0] if given else 'deal.hombre'}",
        ]
        for n, own in enumerate(places):
            mine = "".join(f"policy[{place}][at], " for place in own)
            last = n + 1 == len(places)
            lines += [] if last else [f"    if policy[0][at] == {n}:"]
            said = ", ".join([f"rules, ({mine}), deal", *given])
            answer = f"choose_{n}({said})"
            before = 8 * sum(player.room for player in players[:n])
            moved = [f"deal.room += {before}", f"answer = {answer}", f"deal.room -= {before}"]
            told = [*moved, "return answer"] if before else [f"return {answer}"]
            lines += [f"{'    ' if last else '        '}{line}" for line in told]
        known = {f"choose_{n}": getattr(player, decision) for n, player in enumerate(players)}
        exec("\n".join(lines), known | {"__name__": __name__}, known)  # noqa: S102 - numbers and names of here
        takes = ", ".join(filter(None, ("rules", policy, "deal", asked)))
        decisions[decision] = compiled(f"{answers}({takes})", name, **OPTIONS)(known[decision])
    return CompiledPlayer(
        module=name,
        policy=policy,
        draws=any(player.draws for player in players),
        by_chair=True,
        room=sum(player.room for player in players),
        **decisions,
    )


def _by_chair(part: Any) -> Any:
    """The type of an array that has one such value for each chair."""
    if isinstance(part, types.Array):
        return types.Array(part.dtype, part.ndim + 1, "C")
    return types.Array(part, 1, "C")


def kernel_arguments(
    policy_of: Callable[[Rules, Any], Any], rules: Rules, names: Any, scale: int
) -> tuple[Any, ...] | None:
    """The record of these rules and a player's policy: what the kernel's functions begin with.

    None where there are more bids than it holds, or what the rules pay is too large, or cannot be
    told in whole parts of a counter, ``1 / scale`` each.
    """
    from quadrille_core.engine.deal_record import MOST_BIDS
    from quadrille_plugins.kernel.tabulate import tabulate

    if scale >= LIMIT or len(rules.bids.rows) > MOST_BIDS:
        return None
    record = tabulate(rules, names, scale)
    policy = policy_of(rules, record)
    return None if policy is None else (record, policy)
