"""What ``seer`` decides by as arrays: the rules, what its seat has seen, and what it works in."""

import threading
from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.auction import says_favourite
from quadrille_core.engine.deal_record import Names
from quadrille_core.engine.terms import plain_alliance, plain_solo
from quadrille_core.rules import Rules, VoleLevel
from quadrille_core.stream import Stream
from quadrille_plugins.deal.view import View
from quadrille_plugins.kernel.record import words
from quadrille_plugins.kernel.slot import kernel_arguments
from quadrille_plugins.kernel.state import LIMIT
from quadrille_plugins.kernel.tabulate import scale_of, specs_of
from quadrille_plugins.players.steady_play import mask_of
from quadrille_plugins.seer import kernel_bids as of
from quadrille_plugins.seer import kernel_choose as asked
from quadrille_plugins.seer.kernel_mind import ROOM
from quadrille_plugins.seer.policy import policy_of

Ints = npt.NDArray[np.int64]
_KEPT: Final = 16
_LEVELS: Final = {level: n for n, level in enumerate(words(VoleLevel)._fields)}
_WAYS: Final = {"trump": of.D_NAME, "call": of.D_CALL, "give": of.D_GIVE, "invite": of.D_INVITE}
_PHASES: Final = {
    "auction": asked.BID,
    "declare": asked.DECLARE,
    "play": asked.PLAY,
    "vole": asked.VOLE,
}
_NO_EVENTS: Final = np.zeros(0, np.int64)


class Tables:
    """Rules as arrays for the kernel; ``arrays`` is None when payments cannot be exact there."""

    def __init__(self, rules: Rules, deals: int, solved: int) -> None:
        self.rules_of: Final = rules
        self.scale: Final = scale_of([rules])
        mind = partial(policy_of, deals=deals, solved=solved)
        self.arrays: Final = kernel_arguments(mind, rules, Names(), self.scale)
        self.specs: Final = {spec: n for n, spec in enumerate(specs_of(rules))}


_tables: dict[tuple[int, int, int], Tables] = {}


def tables_of(rules: Rules, deals: int, solved: int) -> Tables:
    """These rules as arrays for a player of these parameters, kept as long as few are in use."""
    key = id(rules), deals, solved
    known = _tables.get(key)
    if known is None or known.rules_of is not rules:
        if len(_tables) >= _KEPT:
            _tables.clear()
        known = _tables[key] = Tables(rules, deals, solved)
    return known


class _Room(threading.local):
    """What a thread works in."""

    def __init__(self) -> None:
        self._words: Final = np.zeros(ROOM + 8, np.uint64)
        begins = self._words.ctypes.data
        self.address: Final = begins + -begins % 64


MEMORY: Final = _Room()


def _number(value: int | None) -> int:
    return -1 if value is None else int(value)


def spec_of(view: View, action: Action, turn: int) -> BidSpec | None:
    """The bid of an action at that turn of the auction, or what naming trumps unasked amounts
    to."""
    if action.suit is None:
        return action.bid
    before = view.auction[:turn]
    left_alone = len(before) == len(view.players) - 1 and all(a.kind == "pass" for _, a in before)
    found = plain_alliance(view.rules) if left_alone else plain_solo(view.rules)
    if found is None:
        return None
    return BidSpec(found[0], says_favourite(found[1]) and action.suit == view.favourite)


def seen(view: View, tables: Tables) -> Ints:
    """What a seat knows, as ``kernel_mind`` has it."""
    specs, exposed = tables.specs, [0] * 5
    for seat, cards in view.exposed:
        exposed[seat] |= mask_of(cards)
    played = [c for trick in view.tricks for c in trick.cards]
    out = [
        view.seat,
        mask_of(view.hand),
        # a pool that is no whole number of parts is only imagined a little smaller; one too large
        # settlement refuses
        min(int(view.pool * tables.scale), LIMIT),
        view.multiplier,
        _number(view.favourite),
        view.forced,
        _number(view.hombre),
        _number(view.trump),
        _number(view.called),
        _number(view.surrendered),
        _number(view.given),
        -1 if view.contract is None else specs[view.contract],
        view.invited,
        _LEVELS[view.vole.upper()],
        _number(view.ally),
        _number(view.alone),
        len(view.auction),
        len(played) + len(view.trick),
        *exposed,
    ]
    for turn, (seat, action) in enumerate(view.auction):
        spec = spec_of(view, action, turn)
        out += (seat, -1 if spec is None else specs[spec], _number(action.suit))
    return np.array([*out, *played, *view.trick], np.int64)


def choices_of(view: View, legal: Sequence[Action], tables: Tables) -> list[tuple[int, int]]:
    """Each legal action as the kernel's pair of numbers."""
    if view.phase == "auction":
        bids = [(spec_of(view, a, len(view.auction)), a) for a in legal]
        return [(-1 if s is None else tables.specs[s], _number(a.suit)) for s, a in bids]
    if view.phase == "declare":
        return [(_WAYS[a.kind], a.suit if a.suit is not None else a.card or 0) for a in legal]
    return [(_number(a.card), 0) for a in legal]


def decide(
    view: View, legal: Sequence[Action], plain: Action, tables: Tables, stream: Stream
) -> Action:
    """What ``seer`` does, ``steady`` doing what is ``plain``."""
    if tables.arrays is None:
        raise AssertionError("deals are imagined by arrays alone")
    if view.phase == "vole":
        going = [a for a in legal if a.kind in ("vole", "yes", "ask")][-1:]
        legal = [*(a for a in legal if a.kind in ("claim", "no")), *going]
    elif view.phase == "declare":
        legal = sorted(legal, key=lambda a: -1 if a.card is None else a.card)
    choice = asked.decide(
        *tables.arrays,
        MEMORY.address,
        seen(view, tables),
        np.array(choices_of(view, legal, tables), np.int64),
        legal.index(plain),
        _PHASES[view.phase],
        np.uint64(stream.word()),
        _NO_EVENTS,
    )
    return legal[int(choice)]
