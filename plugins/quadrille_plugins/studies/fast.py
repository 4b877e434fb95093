"""Comparisons on the kernel: rule sets as arrays, blocks of sessions in threads, and their sums.

What cannot be played here says why (``blocked_by``).  A single session whose amounts the kernel cannot tell exactly is
given back, to be played by the readable engine; so the results are always the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from operator import add
from typing import Any, Final

from quadrille_core.cards import Suit
from quadrille_core.installation import install_hint
from quadrille_core.rules import RuleSet
from quadrille_plugins.deal.players import begins_anew, compiled_player, named
from quadrille_plugins.studies.accumulators import (
    CARRIED,
    DIVERGING,
    PAYMENTS_DIFFER,
    STAGES,
    STARTS,
    Accumulators,
    PairSums,
    RuleSetSums,
)
from quadrille_plugins.studies.direct import EVERY, SessionState
from quadrille_plugins.studies.effects import DIRECT, DIRECT_REVERSE
from quadrille_plugins.studies.fast_effects import FastEffects, effects_of, places
from quadrille_plugins.studies.intervals import Moments, Products
from quadrille_plugins.studies.observe import ROLES

BLOCK_DEALS: Final = 5120
"""Deals that a thread plays, at most, before it gives an account."""
ENDINGS: Final = ("won", "remise", "codille", "redealt")


def blocked_by(rulesets: Sequence[RuleSet], bots: Sequence[str]) -> str | None:
    """Why the kernel cannot play this; None when it can."""
    strangers = sorted(name for name in set(bots) if compiled_player([name]) is None)
    if strangers:
        return f"it does not play {', '.join(strangers)}"
    if len(set(bots)) > 1:
        return f"it plays one player in every seat, not {' and '.join(sorted(set(bots)))}"
    for ruleset in rulesets:
        if _limits(ruleset):
            return f"{ruleset.identity.reference} has limits of a plugin on trumps, which the kernel does not hold"
    if find_spec("numba") is None:
        return f"Numba is not installed ({install_hint('fast')})"
    return None


def _limits(ruleset: RuleSet) -> bool:
    """Whether a plugin limits what may be trumps: the one thing of a plugin's that the kernel does not hold.

    Incidents happen at tables alone, and to no bot.
    """
    return any(any(ruleset.rules.own.limits(bid)) for bid in ruleset.rules.bids.names())


class InexactError(Exception):
    """What rule sets pay is too large or too finely divided for the kernel; the readable engine plays them."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """One rule set as the kernel reads it."""

    ruleset: RuleSet
    arguments: tuple[Any, ...]
    """The record of the rules and the player's mind: what every kernel function begins with."""
    names: Any
    """The numbers of bids and of cards shown (``tabulate.Names``), common to all that are compared."""
    player: str
    """The module of the player's compiled functions."""
    anew: bool
    """Whether every deal begins as a session does."""

    @property
    def kernel(self) -> Any:
        """The compiled functions that play sessions (``kernel.slot``)."""
        return import_module(self.player)

    @property
    def rules(self) -> Any:
        """The record of the rules (``kernel.record``)."""
        return self.arguments[0]


Tables = tuple[list[Arrays], int]
"""Rule sets as arrays, and into how many parts a counter is divided in them."""


def tabulate(rulesets: Sequence[RuleSet], bots: Sequence[str]) -> Tables:
    """The rule sets as arrays with one scale and one set of names, for players that are not ``blocked_by``.

    Raises InexactError.
    """
    from quadrille_plugins.kernel.record import MOST_BIDS
    from quadrille_plugins.kernel.slot import kernel_arguments
    from quadrille_plugins.kernel.state import LIMIT
    from quadrille_plugins.kernel.tabulate import Names, scale_of

    player = compiled_player(bots)
    if player is None:
        raise AssertionError(blocked_by(rulesets, bots))
    mind_of = partial(import_module(player).mind_of, **named(bots[0]).values)
    if any(map(_limits, rulesets)):
        raise InexactError("it does not hold a plugin's limits on trumps")
    names, scale = Names(), scale_of([r.rules for r in rulesets])
    if scale >= LIMIT:
        raise InexactError("what these rules pay is divided too finely for it")
    made = []
    for ruleset in rulesets:
        if len(ruleset.rules.bids.rows) > MOST_BIDS:
            raise InexactError(f"{ruleset.identity.profile} has more bids than it holds")
        arrays = kernel_arguments(mind_of, ruleset.rules, names, scale)
        if arrays is None:
            raise InexactError(f"what {ruleset.identity.profile} pays is too large or divided too finely for it")
        made.append(Arrays(ruleset, arrays, names, player, begins_anew(bots)))
    return made, scale


def for_player(tables: Tables, bots: Sequence[str]) -> Tables:
    """The same rule sets for another player of the same compiled module; raises InexactError."""
    made, scale = tables
    mind_of = partial(made[0].kernel.mind_of, **named(bots[0]).values)
    minds = [mind_of(a.ruleset.rules, a.rules) for a in made]
    if any(mind is None for mind in minds):
        raise InexactError("what these rules pay is too large or divided too finely for it")
    return [
        replace(a, arguments=(a.rules, mind), anew=begins_anew(bots)) for a, mind in zip(made, minds, strict=True)
    ], scale


@dataclass(frozen=True, slots=True, order=True)
class FastShift:
    """A candidate example, the smallest weight first: of a comparison ``accumulate``'s size in parts of a counter.

    ``states`` are the pool, the times, the beasts and the favourite suit that it began with, under either rule set.
    """

    weight: int
    session: int
    deal: int
    states: tuple[tuple[int, int, int, int], ...]


@dataclass(slots=True)
class PlayedBlock:
    """Some sessions played under every rule set: their sums, and what needs another look.

    ``left`` are the sessions the kernel could not tell; ``example_deals`` has for each pair candidates for examples.
    """

    first: int
    sessions: int
    deals: int
    rows: list[Any]
    plain: list[Any]
    stages: list[Any]
    cross: list[Any]
    left: list[int] = field(default_factory=list)
    example_deals: list[list["FastShift"]] = field(default_factory=list)
    effects: list[FastEffects] = field(default_factory=list)
    """For each pair, where the block is told so."""
    starts: list[Any] = field(default_factory=list)
    """For each pair, the sums of ``accumulate_replayed``, where it is a comparison's."""

    def merged(self, other: "PlayedBlock") -> "PlayedBlock":
        """The sums of both."""
        self.sessions += other.sessions
        self.deals += other.deals
        for name in ("rows", "plain", "stages", "example_deals", "cross", "starts"):
            setattr(self, name, list(map(add, getattr(self, name), getattr(other, name))))
        for one, another in zip(self.effects, other.effects, strict=True):
            one.merge(another)
        return self


class Workspace:
    """The arrays one thread works in."""

    def __init__(self, arrays: Sequence[Arrays], sessions: int, longest: int, places: int | None = None) -> None:
        """``places`` is the number of rule sets whose deals it holds, by default all.

        No more than are used: what is freed and taken again may be zeroed, and takes memory though nothing uses it.
        """
        import numpy as np

        from quadrille_plugins.kernel import accumulate
        from quadrille_plugins.kernel.state import PLAYED, ROOM, SUMS, TAPE_OF_DEAL

        many = range(places or len(arrays))
        self.size = sessions, longest
        self.replays: dict[tuple[int, int], Replays] = {}
        self.records = [np.zeros((sessions, longest), PLAYED) for _ in many]
        self.tapes = [np.empty((sessions, longest * TAPE_OF_DEAL), np.int64) for _ in many]
        self.sums = [np.zeros(sessions, SUMS) for _ in arrays]
        self.kept = np.zeros((sessions, accumulate.KEEP, 2), np.int64)
        self.space = np.zeros(1, ROOM)[0]
        wide = [accumulate.Y_BIDS + len(a.ruleset.rules.bids.rows) for a in arrays]
        self.y, self.z = (np.zeros(max(wide), np.int64) for _ in range(2))


@dataclass(slots=True)
class Replays:
    """What a replay of sessions leaves: as ``Played`` has it, and ``lost`` (``state.LOST``) of each session.

    The arrays are worked in again by the next replay of the same direction.
    """

    records: Any
    tape: Any
    sums: Any
    lost: Any


@dataclass(slots=True)
class Played:
    """Some sessions played by the kernel, by rule set; ``skip`` marks those that it cannot represent.

    ``replays`` are those of one rule set's deals under another, by both numbers.
    """

    first: int
    lengths: Any
    records: list[Any]
    tapes: list[Any]
    sums: list[Any]
    skip: Any
    replays: dict[tuple[int, int], Replays] = field(default_factory=dict)


def play(arrays: Sequence[Arrays], seed: int, first: int, lengths: Any, room: Workspace) -> Played:
    """Play sessions ``first`` … under every rule set; their deals are left in the workspace."""
    import numpy as np

    many = len(lengths)
    played = Played(first, lengths, [], [], [], np.zeros(many, np.bool_))
    for number in range(len(arrays)):
        play_one(arrays, number, seed, played, room, number)
    return played


def play_one(arrays: Sequence[Arrays], number: int, seed: int, played: Played, room: Workspace, place: int) -> None:
    """Play under the rule set of that number and add it to ``played``; its deals stand at that place in the room.

    Sessions that cannot be told exactly join ``played.skip``.
    """
    import numpy as np

    from quadrille_plugins.kernel import accumulate

    many, a = len(played.lengths), arrays[number]
    one, record, tape = room.sums[number][:many], room.records[place][:many], room.tapes[place][:many]
    one.fill(0)
    where = (np.uint64(seed % 2**64), played.first, played.lengths, a.anew)
    a.kernel.play_sessions(*(*a.arguments, *where, record, tape, one, room.space))
    played.skip |= (one["blocked"] != 0) | (np.abs(one["moved"]).max(axis=1) >= accumulate.LARGEST)
    # payments that cancel in the sums may still be too large to be squared
    net = record["net"]
    most = np.maximum(net.max(axis=(1, 2)), -net.min(axis=(1, 2)))
    played.skip |= most + int(a.rules["stakes"]["ante"] + a.rules["stakes"]["dealer_adds"]) >= accumulate.LARGEST
    played.sums.append(one)
    played.records.append(record)
    played.tapes.append(tape)


def replay(
    arrays: Sequence[Arrays], played: Played, seed: int, room: Workspace, *, given: int, under: int, every: int = 1
) -> Replays:
    """Replay the sessions of rule set ``given`` under rule set ``under``, deal by deal (``studies.direct``).

    Of them those whose number ``every`` divides, so that what is left of the others means nothing.  Sessions
    that cannot be told exactly join ``played.skip``; so replay before anything is added up.
    """
    import numpy as np

    from quadrille_plugins.kernel import accumulate
    from quadrille_plugins.kernel.state import LOST, PLAYED, SUMS, TAPE_OF_DEAL

    many, (sessions, longest) = len(played.lengths), room.size
    if (given, under) not in room.replays:
        room.replays[given, under] = Replays(
            np.zeros((sessions, longest), PLAYED),
            np.empty((sessions, longest * TAPE_OF_DEAL), np.int64),
            np.zeros(sessions, SUMS),
            np.zeros(sessions, LOST),
        )
    whole = room.replays[given, under]
    found = Replays(whole.records[:many], whole.tape[:many], whole.sums[:many], whole.lost[:many])
    found.sums.fill(0)
    found.lost.fill(0)
    where = (np.uint64(seed % 2**64), played.first, every, played.records[given], played.sums[given])
    left = (found.records, found.tape, found.sums, found.lost, room.space)
    arrays[under].kernel.replay_sessions(*arrays[under].arguments, arrays[given].rules, *where, *left)
    played.skip |= (found.sums["blocked"] != 0) | (np.abs(found.sums["moved"]).max(axis=1) >= accumulate.LARGEST)
    played.replays[given, under] = found
    return found


def add_up(arrays: Sequence[Arrays], played: Played, room: Workspace) -> PlayedBlock:
    """The sums of each rule set."""
    import numpy as np

    from quadrille_plugins.kernel import accumulate

    skip, first = played.skip, played.first
    left = [first + int(n) for n in skip.nonzero()[0]]
    block = PlayedBlock(first, len(skip) - len(left), int(played.lengths.sum()), [], [], [], [], left)
    for a, one in zip(arrays, played.sums, strict=True):
        keys = accumulate.PAID + accumulate.Y_BIDS - accumulate.Y_VOLES + len(a.ruleset.rules.bids.rows)
        rows = np.zeros((keys, accumulate.ROW), np.int64)
        accumulate.gather(a.rules, one, skip, rows, room.y)
        block.rows.append(rows)
        block.plain.append(one.view(np.int64).reshape(len(one), -1)[~skip].sum(axis=0))
    return block


def paired(
    arrays: Sequence[Arrays], played: Played, seed: int, room: Workspace, *, decompose: bool = False
) -> list[FastEffects]:
    """For each rule set but the first, the sums of what it changes; ``decompose`` replays for the direct effects.

    Sessions whose replay cannot be told exactly join ``played.skip``; so ask before anything else is added up.
    """
    replays = [
        (replay(arrays, played, seed, room, given=0, under=i), replay(arrays, played, seed, room, given=i, under=0))
        for i in range(1, len(arrays))
        if decompose
    ]
    found = []
    for i, other in enumerate(played.sums[1:]):
        if not decompose:
            found.append(effects_of(played.sums[0], other, played.skip, played.lengths))
            continue
        forward, reverse = replays[i]
        lost = {DIRECT: forward.lost, DIRECT_REVERSE: reverse.lost}
        found.append(effects_of(played.sums[0], other, played.skip, played.lengths, forward.sums, reverse.sums, lost))
    return found


def play_side_by_side(
    arrays: Sequence[Arrays],
    seed: int,
    first: int,
    lengths: Any,
    room: Workspace,
    examples: int,
    *,
    decompose: bool = False,
    leave: Callable[[Played], None] = lambda played: None,
    hold: Callable[..., None] | None = None,
) -> tuple[PlayedBlock, Played]:
    """A block of whole sessions, and the deals themselves, which stand in the room.

    ``leave`` has sessions skipped; ``hold`` adds how another rule set goes beside the first, else as compared, for
    which some sessions are replayed.
    """
    played = play(arrays, seed, first, lengths, room)
    leave(played)
    if hold is None and not decompose:
        for i in range(1, len(arrays)):
            replay(arrays, played, seed, room, given=0, under=i, every=EVERY)
    effects = paired(arrays, played, seed, room, decompose=decompose)
    block = add_up(arrays, played, room)
    block.effects = effects
    for i in range(1, len(arrays)):
        (hold or _compared)(arrays, played, i, room, examples, block)
    return block, played


def _compared(
    arrays: Sequence[Arrays], played: Played, i: int, room: Workspace, examples: int, block: PlayedBlock
) -> None:
    """Add to the block how the rule set of that number goes beside the first, as a comparison wants it."""
    import numpy as np

    from quadrille_plugins.kernel import accumulate

    records, tapes, sums = played.records, played.tapes, played.sums
    stages = np.zeros((accumulate.PAYMENTS_DIFFER + 1, accumulate.ROW), np.int64)
    cross, kept = np.zeros((accumulate.PAID, accumulate.ROW), np.int64), room.kept[: len(played.lengths)]
    accumulate.accumulate_pair(
        arrays[0].rules, arrays[i].rules, records[0], records[i], tapes[0], tapes[i], sums[0], sums[i], played.skip,
        stages, cross, kept, room.y, room.z,
    )  # fmt: skip
    starts, again = np.zeros((accumulate.STARTS, accumulate.ROW), np.int64), played.replays[0, i]
    accumulate.accumulate_replayed(
        arrays[0].rules, arrays[i].rules, records[0], again.records, tapes[0], again.tape, sums[0], played.skip,
        played.first, EVERY, starts,
    )  # fmt: skip
    block.stages.append(stages)
    block.cross.append(cross)
    block.starts.append(starts)
    block.example_deals.append(shifts_of(kept, played.first, (records[0], records[i]), examples))


def shifts_of(kept: Any, first: int, records: tuple[Any, Any], examples: int) -> list[FastShift]:
    """The weightiest deals of a block, of equals the earlier."""
    import numpy as np

    from quadrille_plugins.kernel.state import STANDING

    session, place = np.nonzero(kept[:, :, 1] >= 0)
    weight, deal = kept[session, place, 0], kept[session, place, 1]
    best = np.lexsort((deal, session, -weight))[:examples]
    return [
        FastShift(
            -int(weight[b]),
            first + int(session[b]),
            int(deal[b]),
            tuple(r[session[b], deal[b]][STANDING].item() for r in records),
        )
        for b in best
    ]


def state(began: tuple[int, int, int, int], scale: int) -> SessionState:
    """The session state as the readable engine represents it."""
    pool, times, beasts, favourite = began
    suit = None if favourite < 0 else Suit(favourite)
    return SessionState(pool=Fraction(pool, scale), multiplier=times, beasts=beasts, favourite=suit)


def parts(first: int, lengths: Sequence[int], room: Workspace) -> Iterator[tuple[int, Any, Workspace]]:
    """Sessions ``first`` and following in batches that fit the workspace: first session, int64 lengths, workspace."""
    import numpy as np

    for start in range(0, len(lengths), room.size[0]):
        yield first + start, np.array(lengths[start : start + room.size[0]], np.int64), room


# --- sums as fractions ---------------------------------------------------------------------------


def tables_of(arrays: Sequence[Arrays], block: PlayedBlock, scale: int) -> list[RuleSetSums]:
    """The sums of each rule set as fractions."""
    sums = zip(arrays, block.rows, block.plain, strict=True)
    return [table_of(a, rows.tolist(), plain, scale, block.sessions) for a, rows, plain in sums]


def accumulated(arrays: Sequence[Arrays], block: PlayedBlock, scale: int) -> Accumulators:
    """The sums of a comparison as the readable engine's sessions give them."""
    players, sums = arrays[0].ruleset.rules.table.players, zip(block.stages, block.cross, block.starts, strict=True)
    pairs = [_diverged(a.tolist(), b.tolist(), c.tolist(), scale, block.sessions) for a, b, c in sums]
    effects = [e.effects(players, scale) for e in block.effects]
    return Accumulators(tables_of(arrays, block, scale), pairs, block.sessions, effects)


def wide(row: Sequence[int], place: int) -> int:
    """A sum of products from its high and low parts."""
    return row[place] + (row[place + 1] << 31)


def moments(row: Sequence[int], scale: int, sessions: int) -> Moments:
    """A key's row as fractions."""
    from quadrille_plugins.kernel.accumulate import CC, COUNT, TC, TOTAL, TT

    return Moments(
        sessions, Fraction(row[TOTAL], scale), row[COUNT], Fraction(wide(row, TT), scale * scale),
        Fraction(wide(row, TC), scale), wide(row, CC),
    )  # fmt: skip


def payees(ruleset: RuleSet) -> list[tuple[str, int]]:
    """Every seat and role with its place among the keys."""
    seats = [(f"seat {s}", s) for s in range(ruleset.rules.table.players)]
    return [*seats, *((role, 5 + n) for n, role in enumerate(ROLES))]


def table_of(a: Arrays, rows: list[list[int]], plain: Any, scale: int, sessions: int) -> RuleSetSums:
    """One rule set's sums as fractions."""
    from quadrille_plugins.kernel import accumulate
    from quadrille_plugins.kernel.state import SUMS

    table, rules = RuleSetSums(), a.ruleset.rules
    bids = rules.bids.names()
    for seat in range(rules.table.players):
        table.keys["paid", f"seat {seat}"] = moments(rows[seat], scale, sessions)
    for number, role in enumerate(ROLES):
        if rows[5 + number][accumulate.COUNT]:
            table.keys["paid", role] = moments(rows[5 + number], scale, sessions)
    shares = [("vole", "won"), ("vole", "lost"), *(("outcome", e) for e in ENDINGS), *(("contract", b) for b in bids)]
    for key, row in zip(shares, rows[accumulate.PAID :], strict=True):
        if row[accumulate.TOTAL]:
            table.keys[key] = moments(row, 1, sessions)
            if key == ("outcome", "redealt"):
                # sums of their own: each is added to by itself
                table.keys["contract", "redealt"] = moments(row, 1, sessions)
    some, sums = rows[0], plain.view(SUMS)[0]
    table.deals = Moments(
        sessions, Fraction(some[accumulate.COUNT]), some[accumulate.COUNT], cc=wide(some, accumulate.CC)
    )
    for number, bid in enumerate(bids):
        for place, outcome in enumerate(ENDINGS[:3]):
            if sums["endings"][number, place]:
                table.by_contract[bid, outcome] = int(sums["endings"][number, place])
    table.pool_before = Fraction(int(sums["pool_before"]), scale)
    moved = sums["moved"].tolist()
    table.moved = tuple(Fraction(moved[place], scale) for place in places(rules.table.players))
    for name, number in payees(a.ruleset):
        if ("paid", name) in table.keys:
            table.squares[name] = Fraction(wide(sums["squares"][number].tolist(), 0), scale * scale)
    return table


def _diverged(
    stages: list[list[int]], cross: list[list[int]], starts: list[list[int]], scale: int, sessions: int
) -> PairSums:
    from quadrille_plugins.kernel import accumulate

    diverged, some = PairSums(), stages[0]
    diverged.deals = Moments(
        sessions, Fraction(some[accumulate.COUNT]), some[accumulate.COUNT], cc=wide(some, accumulate.CC)
    )
    for name, row in zip((*STAGES, CARRIED, DIVERGING, PAYMENTS_DIFFER), stages[1:], strict=True):
        diverged.shares[name] = moments(row, 1, sessions)
    for number, row in enumerate(cross):
        name = f"seat {number}" if number < 5 else ROLES[number - 5]
        diverged.products[name] = Products(
            Fraction(wide(row, accumulate.CROSS_TT), scale * scale),
            Fraction(wide(row, accumulate.CROSS_TC), scale),
            Fraction(wide(row, accumulate.CROSS_CT), scale),
            wide(row, accumulate.CROSS_CC),
        )
    sampled = starts[accumulate.STARTS_SESSIONS][accumulate.TOTAL]
    diverged.starts = {name: moments(row, 1, sampled) for name, row in zip(STARTS, starts, strict=False)}
    return diverged
