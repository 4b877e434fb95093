"""The kernel as an engine of studies: rule sets as arrays, and workspaces of threads.

What cannot be played here says why (``blocked_by``).  A single session whose amounts the kernel
cannot tell exactly is given back, to be played by the readable engine; so the results are always
the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from quadrille_core.engine.deal_record import HIGH
from quadrille_core.frozen import frozen
from quadrille_core.installation import install_hint
from quadrille_core.rules import Rules, RuleSet
from quadrille_plugins.deal.players import BOTS, begins_anew, named
from quadrille_plugins.kernel.mixed import kernel_of, mixed_name, modules_of
from quadrille_plugins.studies.sessions import Held, Way

BLOCK_DEALS: Final = 5120
"""Deals that a thread plays, at most, before it gives an account."""


def compiled_player(specs: Iterable[str]) -> str | None:
    """The kernel of these players (``kernel.mixed``): the module of the one who sits in every seat,
    or that of all who do; None when one of them is not compiled."""
    wanted = set(specs)
    if any(spec.partition(":")[0] not in BOTS for spec in wanted):
        return None
    found = {str(one): one.player.compiled for one in map(named, wanted)}
    modules = [module for module in found.values() if module is not None]
    if len(modules) < len(found):
        return None
    return modules[0] if len(found) == 1 else mixed_name(modules)


def blocked_by(rulesets: Sequence[RuleSet], bots: Sequence[str]) -> str | None:
    """Why the kernel cannot play this; None when it can."""
    strangers = sorted(name for name in set(bots) if compiled_player([name]) is None)
    if strangers:
        return f"it does not play {', '.join(strangers)}"
    for ruleset in rulesets:
        if why := _unheld(ruleset.rules):
            return f"{ruleset.identity.reference} has {why}, which the kernel does not hold"
    if find_spec("numba") is None:
        return f"Numba is not installed ({install_hint('fast')})"
    return None


def _unheld(rules: Rules) -> str:
    """What of these rules the kernel does not hold; empty where it holds all.

    Incidents happen at tables alone, and to no bot.
    """
    fact = next(iter(rules.own.own_facts()), None)
    return (fact and f"payments of a plugin by {fact}, a fact of its own") or ""


class InexactError(Exception):
    """What rule sets pay is too large or too finely divided for the kernel; the readable engine
    plays them."""


@frozen
class Arrays:
    """One rule set as the kernel plays it: an ``Engine``."""

    ruleset: RuleSet
    arguments: tuple[Any, ...]
    """The record of the rules and the player's mind: what every kernel function begins with."""
    names: Any
    """The numbers of bids and of cards shown (``deal_record.Names``), common to all that are
    compared."""
    player: str
    """The name of the kernel that plays (``kernel.mixed``)."""
    anew: bool
    """Whether every deal begins as a session does."""
    scale: int
    """Into how many parts a counter is divided."""

    @property
    def kernel(self) -> Any:
        """The compiled functions that play sessions (``kernel.slot``)."""
        return kernel_of(self.player)

    @property
    def rules(self) -> Any:
        """The record of the rules (``kernel.record``)."""
        return self.arguments[0]

    def play(self, seed: int, first: int, lengths: Sequence[int], room: Any, place: int) -> Held:
        """See ``sessions.Engine``."""
        import numpy as np

        held: Held = room.held(place, len(lengths))
        where = (np.uint64(seed % 2**64), first, np.array(lengths, np.int64), self.anew)
        left = held.records, held.tapes, held.sums, room.space_for(self.kernel)
        self.kernel.play_sessions(*self.arguments, *where, *left)
        # payments that cancel in the sums may still be too large to be squared
        net = held.records["net"]
        most = np.maximum(net.max(axis=(1, 2)), -net.min(axis=(1, 2)))
        inexact = _inexact(held.sums) | (most + int(self.rules["antes"].max()) >= HIGH)
        return replace(held, inexact=inexact.tolist(), anew=self.anew)

    def replay(
        self, given: Any, held: Held, seed: int, first: int, every: int, room: Any, way: Way
    ) -> Held:
        """See ``sessions.Engine``."""
        import numpy as np

        again: Held = room.held(way, len(held.records))
        where = np.uint64(seed % 2**64), first, every, self.anew, held.records, held.sums
        left = again.records, again.tapes, again.sums, again.lost, room.space_for(self.kernel)
        self.kernel.replay_sessions(*self.arguments, given.rules, *where, *left)
        return replace(again, inexact=_inexact(again.sums).tolist())

    def count(self, function: str, *given: Any) -> None:
        """See ``sessions.Engine``."""
        from quadrille_plugins.kernel import session

        getattr(session, function)(*given)

    def zeros(self, rows: int, columns: int) -> Any:
        """See ``sessions.Engine``."""
        import numpy as np

        return np.zeros((rows, columns), np.int64)

    def marks(self, skip: Sequence[bool]) -> Any:
        """See ``sessions.Engine``."""
        import numpy as np

        return np.array(skip, np.bool_)


def _inexact(sums: Any) -> Any:
    """The sessions that were not told, or whose sums are too large to be squared."""
    return (sums["blocked"] != 0) | (abs(sums["moved"]).max(axis=1) >= HIGH)


Tables = tuple[list[Arrays], int]
"""Rule sets as arrays, and into how many parts a counter is divided in them."""


def tabulate(rulesets: Sequence[RuleSet], bots: Sequence[str], among: Sequence[str] = ()) -> Tables:
    """The rule sets as arrays with one scale and one set of names, for players that are not
    ``blocked_by``, by chair; by the kernel in which all those ``among`` whom they are may sit.

    Raises InexactError.
    """
    from quadrille_core.engine.deal_record import MOST_BIDS, Names
    from quadrille_plugins.kernel.slot import kernel_arguments
    from quadrille_plugins.kernel.state import LIMIT
    from quadrille_plugins.kernel.tabulate import scale_of

    player = compiled_player(among or bots)
    if player is None:
        raise AssertionError(blocked_by(rulesets, bots))
    policy_of = partial(_policy_of, player, bots, among)
    for why in filter(None, (_unheld(ruleset.rules) for ruleset in rulesets)):
        raise InexactError(f"it does not hold {why}")
    names, scale = Names(), scale_of([r.rules for r in rulesets])
    if scale >= LIMIT:
        raise InexactError("what these rules pay is divided too finely for it")
    made = []
    for ruleset in rulesets:
        if len(ruleset.rules.bids.rows) > MOST_BIDS:
            raise InexactError(f"{ruleset.identity.profile} has more bids than it holds")
        arrays = kernel_arguments(policy_of, ruleset.rules, names, scale)
        if arrays is None:
            raise InexactError(
                f"what {ruleset.identity.profile} pays is too large or divided too finely for it"
            )
        made.append(Arrays(ruleset, arrays, names, player, begins_anew(among or bots), scale))
    return made, scale


def for_player(tables: Tables, bots: Sequence[str], among: Sequence[str] = ()) -> Tables:
    """The same rule sets for other players of the same kernel; raises InexactError."""
    made, scale = tables
    policies = [_policy_of(a.player, bots, among, a.ruleset.rules, a.rules) for a in made]
    if any(mind is None for mind in policies):
        raise InexactError("what these rules pay is too large or divided too finely for it")
    return [
        replace(a, arguments=(a.rules, mind), anew=begins_anew(among or bots))
        for a, mind in zip(made, policies, strict=True)
    ], scale


def _policy_of(
    player: str, bots: Sequence[str], among: Sequence[str], rules: Rules, record: Any
) -> Any:
    """What the bots play by under these rules, as that kernel reads it (``slot.mixed_of``); None
    where it cannot be told exactly.

    Raises InexactError for players of one module whose arrays are not of one size.
    """
    import numpy as np

    modules, minds = modules_of(player), dict[str, tuple[str, Any]]()
    for bot in dict.fromkeys([*bots, *among]):
        one = named(bot)
        whose = one.player.compiled or ""
        mind = import_module(whose).policy_of(rules, record, **one.values)
        if mind is None or not modules:
            return mind
        minds[bot] = whose, mind
    seats = [minds[bot] for bot in (*bots, *bots)]
    parts = [np.array([modules.index(whose) for whose, _ in seats])]
    for module in modules:
        # at the chairs of others there stands what one of these plays by, and nobody asks for it
        known = dict(minds.values())[module]
        rows = [mind if whose == module else known for whose, mind in seats]
        try:
            parts += [np.stack(column) for column in zip(*rows, strict=True)]
        except ValueError:
            raise InexactError(f"players of {module} play by arrays of several sizes") from None
    return tuple(parts)


def workspace(longest: int, known: "Workspace | None" = None) -> "Workspace":
    """A workspace for this many deals a session; the given one where it is large enough."""
    if known is not None and known.size[1] >= longest:
        return known
    return Workspace(max(1, BLOCK_DEALS // longest), longest)


class Workspace:
    """The arrays one thread works in, each made when it is first used.

    No more than are used: what is freed and taken again may be zeroed, and takes memory though
    nothing uses it.
    """

    def __init__(self, sessions: int, longest: int) -> None:
        """For this many sessions, each of this many deals."""
        import numpy as np

        from quadrille_plugins.kernel.state import SCRATCH

        self.size = sessions, longest
        self.space = np.zeros(1, SCRATCH)[0]
        self._room = np.zeros(0, np.uint64)
        self._held: dict[Any, Held] = {}

    def space_for(self, kernel: Any) -> Any:
        """The scratch that a kernel works in, with as much room as its player wants."""
        import numpy as np

        line, words = 8, kernel.play_sessions.player.room  # a line of the processor's cache
        if words + line > len(self._room):
            self._room = np.zeros(words + line, np.uint64)
            begins = self._room.ctypes.data
            self.space["deal"]["room"] = begins + -begins % (8 * line)
        return self.space

    def held(self, place: Any, sessions: int) -> Held:
        """The arrays of a place for so many sessions, their sums zeroed."""
        import numpy as np

        from quadrille_plugins.kernel.counting import LOST
        from quadrille_plugins.kernel.state import PLAYED, SUMS, TAPE_OF_DEAL

        most, longest = self.size
        if place not in self._held:
            self._held[place] = Held(
                np.zeros((most, longest), PLAYED),
                np.empty((most, longest * TAPE_OF_DEAL), np.int64),
                np.zeros(most, SUMS),
                [],
                np.zeros((most, LOST), np.int64),
            )
        whole = self._held[place]
        whole.sums[:sessions].fill(0)
        whole.lost[:sessions].fill(0)
        return Held(
            whole.records[:sessions],
            whole.tapes[:sessions],
            whole.sums[:sessions],
            [],
            whole.lost[:sessions],
        )
