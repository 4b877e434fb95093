"""Comparisons on the kernel: rule sets as arrays, blocks of sessions in threads, and their sums.

What cannot be played here says why (``blocked_by``).  A single session whose amounts the kernel
cannot tell exactly is given back, to be played by the readable engine; so the results are always
the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from quadrille_core.cards import Suit
from quadrille_core.frozen import frozen
from quadrille_core.installation import install_hint
from quadrille_core.rules import RuleSet
from quadrille_plugins.deal.players import begins_anew, compiled_player, named
from quadrille_plugins.studies.accumulators import (
    PAID,
    STAGES,
    STARTS,
    Accumulators,
    Key,
    PairSums,
    RuleSetSums,
)
from quadrille_plugins.studies.direct import EVERY, SessionState
from quadrille_plugins.studies.effects import DIRECT, DIRECT_REVERSE, Effects
from quadrille_plugins.studies.fast_effects import SEATS, effects_of, places
from quadrille_plugins.studies.intervals import Counted, added
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
            return (
                f"{ruleset.identity.reference} has limits of a plugin on trumps, which the "
                "kernel does not hold"
            )
    if find_spec("numba") is None:
        return f"Numba is not installed ({install_hint('fast')})"
    return None


def _limits(ruleset: RuleSet) -> bool:
    """Whether a plugin limits what may be trumps: the one thing of a plugin's that the kernel does
    not hold.

    Incidents happen at tables alone, and to no bot.
    """
    return any(any(ruleset.rules.own.limits(bid)) for bid in ruleset.rules.bids.names())


class InexactError(Exception):
    """What rule sets pay is too large or too finely divided for the kernel; the readable engine
    plays them."""


@frozen
class Arrays:
    """One rule set as the kernel reads it."""

    ruleset: RuleSet
    arguments: tuple[Any, ...]
    """The record of the rules and the player's mind: what every kernel function begins with."""
    names: Any
    """The numbers of bids and of cards shown (``tabulate.Names``), common to all that are
    compared."""
    player: str
    """The module of the player's compiled functions."""
    anew: bool
    """Whether every deal begins as a session does."""
    scale: int
    """Into how many parts a counter is divided."""

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
    """The rule sets as arrays with one scale and one set of names, for players that are not
    ``blocked_by``.

    Raises InexactError.
    """
    from quadrille_plugins.kernel.record import MOST_BIDS
    from quadrille_plugins.kernel.slot import kernel_arguments
    from quadrille_plugins.kernel.state import LIMIT
    from quadrille_plugins.kernel.tabulate import Names, scale_of

    player = compiled_player(bots)
    if player is None:
        raise AssertionError(blocked_by(rulesets, bots))
    policy_of = partial(import_module(player).policy_of, **named(bots[0]).values)
    if any(map(_limits, rulesets)):
        raise InexactError("it does not hold a plugin's limits on trumps")
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
        made.append(Arrays(ruleset, arrays, names, player, begins_anew(bots), scale))
    return made, scale


def for_player(tables: Tables, bots: Sequence[str]) -> Tables:
    """The same rule sets for another player of the same compiled module; raises InexactError."""
    made, scale = tables
    policy_of = partial(made[0].kernel.policy_of, **named(bots[0]).values)
    policies = [policy_of(a.ruleset.rules, a.rules) for a in made]
    if any(mind is None for mind in policies):
        raise InexactError("what these rules pay is too large or divided too finely for it")
    return [
        replace(a, arguments=(a.rules, mind), anew=begins_anew(bots))
        for a, mind in zip(made, policies, strict=True)
    ], scale


@dataclass(frozen=True, slots=True, order=True)
class FastShift:
    """A candidate example, the smallest weight first: of a comparison ``accumulate``'s size in
    parts of a counter.

    ``states`` are the pool, the times, the beasts and the favourite suit that it began with, under
    either rule set.
    """

    weight: int
    session: int
    deal: int
    states: tuple[tuple[int, int, int, int], ...]


@dataclass(slots=True)
class PlayedBlock:
    """Some sessions played under every rule set: their sums, and what needs another look.

    ``left`` are the sessions the kernel could not tell; ``example_deals`` has for each pair
    candidates for examples.
    """

    first: int
    sessions: int
    deals: int
    tables: list[RuleSetSums]
    left: list[int] = field(default_factory=list)
    pairs: list[Any] = field(default_factory=list)
    """For each rule set but the first, how its deals go beside the first's: ``PairSums``, or what
    ``hold`` adds."""
    example_deals: list[list["FastShift"]] = field(default_factory=list)
    effects: list[Effects] = field(default_factory=list)

    def merged(self, other: "PlayedBlock") -> "PlayedBlock":
        """The sums of both."""
        self.sessions += other.sessions
        self.deals += other.deals
        for name in ("tables", "pairs", "effects"):
            setattr(self, name, list(map(added, getattr(self, name), getattr(other, name))))
        self.example_deals = [
            [*a, *b] for a, b in zip(self.example_deals, other.example_deals, strict=True)
        ]
        return self


class Workspace:
    """The arrays one thread works in."""

    def __init__(
        self, arrays: Sequence[Arrays], sessions: int, longest: int, places: int | None = None
    ) -> None:
        """``places`` is the number of rule sets whose deals it holds, by default all.

        No more than are used: what is freed and taken again may be zeroed, and takes memory though
        nothing uses it.
        """
        import numpy as np

        from quadrille_plugins.kernel import accumulate
        from quadrille_plugins.kernel.state import PLAYED, SCRATCH, SUMS, TAPE_OF_DEAL

        many = range(places or len(arrays))
        self.size = sessions, longest
        self.replays: dict[tuple[int, int], Replays] = {}
        self.records = [np.zeros((sessions, longest), PLAYED) for _ in many]
        self.tapes = [np.empty((sessions, longest * TAPE_OF_DEAL), np.int64) for _ in many]
        self.sums = [np.zeros(sessions, SUMS) for _ in arrays]
        self.kept = np.zeros((sessions, accumulate.KEEP, 2), np.int64)
        self.space = np.zeros(1, SCRATCH)[0]


@dataclass(slots=True)
class Replays:
    """What a replay of sessions leaves: as ``Played`` has it, and ``lost`` (``state.LOST``) of each
    session.

    The arrays are worked in again by the next replay of the same direction.
    """

    records: Any
    tape: Any
    sums: Any
    lost: Any


@dataclass(slots=True)
class Played:
    """Some sessions played by the kernel, by rule set; ``skip`` marks those that it cannot
    represent.

    ``replays`` are those of one rule set's deals under another, by both numbers.
    """

    first: int
    lengths: Any
    records: list[Any]
    tapes: list[Any]
    sums: list[Any]
    skip: Any
    replays: dict[tuple[int, int], Replays] = field(default_factory=dict)
    told: list[dict[Key, Counted]] = field(default_factory=list)
    """What is counted of them, by rule set."""


def play(
    arrays: Sequence[Arrays], seed: int, first: int, lengths: Any, workspace: Workspace
) -> Played:
    """Play sessions ``first`` … under every rule set; their deals are left in the workspace."""
    import numpy as np

    many = len(lengths)
    played = Played(first, lengths, [], [], [], np.zeros(many, np.bool_))
    for number in range(len(arrays)):
        play_one(arrays, number, seed, played, workspace, number)
    return played


def play_one(
    arrays: Sequence[Arrays],
    number: int,
    seed: int,
    played: Played,
    workspace: Workspace,
    place: int,
) -> None:
    """Play under the rule set of that number and add it to ``played``; its deals stand at that
    place in the workspace.

    Sessions that cannot be told exactly join ``played.skip``.
    """
    import numpy as np

    from quadrille_plugins.kernel import accumulate

    many, a = len(played.lengths), arrays[number]
    one, record, tape = (
        workspace.sums[number][:many],
        workspace.records[place][:many],
        workspace.tapes[place][:many],
    )
    one.fill(0)
    where = (np.uint64(seed % 2**64), played.first, played.lengths, a.anew)
    a.kernel.play_sessions(*(*a.arguments, *where, record, tape, one, workspace.space))
    played.skip |= (one["blocked"] != 0) | (np.abs(one["moved"]).max(axis=1) >= accumulate.LARGEST)
    # payments that cancel in the sums may still be too large to be squared
    net = record["net"]
    most = np.maximum(net.max(axis=(1, 2)), -net.min(axis=(1, 2)))
    played.skip |= most + int(a.rules["antes"].max()) >= accumulate.LARGEST
    played.sums.append(one)
    played.records.append(record)
    played.tapes.append(tape)


def replay(
    arrays: Sequence[Arrays],
    played: Played,
    seed: int,
    workspace: Workspace,
    *,
    given: int,
    under: int,
    every: int = 1,
) -> Replays:
    """Replay the sessions of rule set ``given`` under rule set ``under``, deal by deal
    (``studies.direct``).

    Of them those whose number ``every`` divides, so that what is left of the others means nothing.
    Sessions that cannot be told exactly join ``played.skip``; so replay before anything is added
    up.
    """
    import numpy as np

    from quadrille_plugins.kernel import accumulate
    from quadrille_plugins.kernel.state import LOST, PLAYED, SUMS, TAPE_OF_DEAL

    many, (sessions, longest) = len(played.lengths), workspace.size
    if (given, under) not in workspace.replays:
        workspace.replays[given, under] = Replays(
            np.zeros((sessions, longest), PLAYED),
            np.empty((sessions, longest * TAPE_OF_DEAL), np.int64),
            np.zeros(sessions, SUMS),
            np.zeros(sessions, LOST),
        )
    whole = workspace.replays[given, under]
    found = Replays(whole.records[:many], whole.tape[:many], whole.sums[:many], whole.lost[:many])
    found.sums.fill(0)
    found.lost.fill(0)
    where = (
        np.uint64(seed % 2**64),
        played.first,
        every,
        played.records[given],
        played.sums[given],
    )
    left = (found.records, found.tape, found.sums, found.lost, workspace.space)
    arrays[under].kernel.replay_sessions(
        *arrays[under].arguments, arrays[given].rules, *where, *left
    )
    played.skip |= (found.sums["blocked"] != 0) | (
        np.abs(found.sums["moved"]).max(axis=1) >= accumulate.LARGEST
    )
    played.replays[given, under] = found
    return found


def add_up(arrays: Sequence[Arrays], played: Played) -> PlayedBlock:
    """The sums of each rule set."""
    skip, first = played.skip, played.first
    left = [first + int(n) for n in skip.nonzero()[0]]
    kept = [one[~skip] for one in played.sums] if left else played.sums
    played.told = [told_by_kernel(a, one) for a, one in zip(arrays, kept, strict=True)]
    tables = [table_of(*one) for one in zip(arrays, kept, played.told, strict=True)]
    return PlayedBlock(first, len(skip) - len(left), int(played.lengths.sum()), tables, left)


def paired(
    arrays: Sequence[Arrays],
    played: Played,
    seed: int,
    workspace: Workspace,
    *,
    decompose: bool = False,
) -> list[Effects]:
    """For each rule set but the first, the sums of what it changes; ``decompose`` replays for the
    direct effects.

    Sessions whose replay cannot be told exactly join ``played.skip``; so ask before anything else
    is added up.
    """
    replays = [
        (
            replay(arrays, played, seed, workspace, given=0, under=i),
            replay(arrays, played, seed, workspace, given=i, under=0),
        )
        for i in range(1, len(arrays))
        if decompose
    ]
    sums_of = partial(
        effects_of, skip=played.skip, lengths=played.lengths,
        players=arrays[0].ruleset.rules.table.players, scale=arrays[0].scale,
    )  # fmt: skip
    if not decompose:
        return [sums_of(played.sums[0], other) for other in played.sums[1:]]
    return [
        sums_of(
            played.sums[0], other, forward=forward.sums, reverse=reverse.sums,
            lost={DIRECT: forward.lost, DIRECT_REVERSE: reverse.lost},
        )
        for other, (forward, reverse) in zip(played.sums[1:], replays, strict=True)
    ]  # fmt: skip


def play_side_by_side(
    arrays: Sequence[Arrays],
    seed: int,
    first: int,
    lengths: Any,
    workspace: Workspace,
    examples: int,
    *,
    decompose: bool = False,
    leave: Callable[[Played], None] = lambda played: None,
    hold: Callable[..., None] | None = None,
) -> tuple[PlayedBlock, Played]:
    """A block of whole sessions, and the deals themselves, which stand in the workspace.

    ``leave`` has sessions skipped; ``hold`` adds how another rule set goes beside the first, else
    as compared, for which some sessions are replayed.
    """
    played = play(arrays, seed, first, lengths, workspace)
    leave(played)
    if hold is None and not decompose:
        for i in range(1, len(arrays)):
            replay(arrays, played, seed, workspace, given=0, under=i, every=EVERY)
    effects = paired(arrays, played, seed, workspace, decompose=decompose)
    block = add_up(arrays, played)
    block.effects = effects
    for i in range(1, len(arrays)):
        (hold or _compared)(arrays, played, i, workspace, examples, block)
    return block, played


def _compared(
    arrays: Sequence[Arrays],
    played: Played,
    i: int,
    workspace: Workspace,
    examples: int,
    block: PlayedBlock,
) -> None:
    """Add to the block how the rule set of that number goes beside the first, as a comparison wants
    it."""
    import numpy as np

    from quadrille_plugins.kernel import accumulate

    records, tapes, sums, skip = played.records, played.tapes, played.sums, played.skip
    kept, counts = workspace.kept[: len(skip)], np.zeros((len(skip), accumulate.COUNTS), np.int64)
    rules = arrays[0].rules, arrays[i].rules
    accumulate.count_pair(
        *rules, records[0], records[i], tapes[0], tapes[i], sums[0], sums[i], skip, counts, kept
    )  # fmt: skip
    pair = PairSums(starts={})
    same, auction, play, settlement, carried, paid = counts[~skip].T.tolist()
    pair.add(same, dict(zip(STAGES, (auction, play, settlement), strict=True)), carried, paid)
    pair.add_products(played.told[0], played.told[i], arrays[0].scale)
    again = played.replays[0, i]
    unsampled = skip | ((played.first + np.arange(len(skip))) % EVERY != 0)
    counts = np.zeros((len(skip), accumulate.STARTS), np.int64)
    accumulate.count_replayed(
        *rules, records[0], again.records, tapes[0], again.tape, sums[0], unsampled, counts
    )  # fmt: skip
    same, auction, play, settlement, stakes, paid, left_out = counts[~unsampled].T.tolist()
    pair.add_starts(
        same,
        dict(zip(STARTS[:4], (stakes, auction, play, settlement), strict=True)),
        paid,
        left_out,
    )
    block.pairs.append(pair)
    block.example_deals.append(shifts_of(kept, played.first, (records[0], records[i]), examples))


def shifts_of(kept: Any, first: int, records: tuple[Any, Any], examples: int) -> list[FastShift]:
    """The weightiest deals of a block, of equals the earlier."""
    import numpy as np

    from quadrille_plugins.kernel.state import STANDING

    if not examples:
        return []
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


def parts(
    first: int, lengths: Sequence[int], workspace: Workspace
) -> Iterator[tuple[int, Any, Workspace]]:
    """Sessions ``first`` and following in batches that fit the workspace: first session, int64
    lengths, workspace."""
    import numpy as np

    for start in range(0, len(lengths), workspace.size[0]):
        yield (
            first + start,
            np.array(lengths[start : start + workspace.size[0]], np.int64),
            workspace,
        )


# --- sums as fractions ---------------------------------------------------------------------------


def accumulated(block: PlayedBlock) -> Accumulators:
    """The sums of a comparison as the readable engine's sessions give them."""
    return Accumulators(block.tables, block.pairs, block.sessions, block.effects)


def wide(parts: Sequence[int]) -> int:
    """A sum of squares from its low and high parts."""
    return parts[0] + (parts[1] << 31)


def payees(ruleset: RuleSet) -> list[tuple[str, int]]:
    """Every seat and role with its place among the kernel's movements."""
    seats = [(f"seat {s}", s) for s in range(ruleset.rules.table.players)]
    return [*seats, *((role, SEATS + n) for n, role in enumerate(ROLES))]


def told_by_kernel(a: Arrays, sums: Any) -> dict[Key, Counted]:
    """What is counted of sessions, as ``accumulators.told_of`` has it of one."""
    deals, redealt, bids = (
        sums["deals"].tolist(),
        sums["redealt"].tolist(),
        a.ruleset.rules.bids.names(),
    )
    moved, counts = sums["moved"].T.tolist(), [deals] * SEATS + sums["role_counts"].T.tolist()
    endings = sums["endings"][:, : len(bids)].copy()
    contracts, outcomes = (endings.sum(axis=n).T.tolist() for n in (2, 1))
    shares = [
        *(("vole", *one) for one in zip(("won", "lost"), sums["voles"].T.tolist(), strict=True)),
        *(("outcome", *one) for one in zip(ENDINGS, [*outcomes, redealt], strict=True)),
        *(("contract", *one) for one in zip(bids, contracts, strict=True)),
        ("contract", "redealt", redealt),
    ]
    told: dict[Key, Counted] = {(kind, name): (many, deals) for kind, name, many in shares}
    return {
        **told,
        **{(PAID, name): (moved[place], counts[place]) for name, place in payees(a.ruleset)},
    }


def table_of(a: Arrays, sums: Any, told: Mapping[Key, Counted]) -> RuleSetSums:
    """One rule set's sums over sessions, of which so much is ``told_by_kernel``."""
    scale, players, bids = a.scale, a.ruleset.rules.table.players, a.ruleset.rules.bids.names()
    table = RuleSetSums.of(sums["deals"].tolist(), told, scale)
    for bid, many in zip(bids, sums["endings"][:, : len(bids)].sum(axis=0).tolist(), strict=True):
        table.by_contract.update(
            {(bid, outcome): n for outcome, n in zip(ENDINGS, many, strict=False) if n}
        )
    table.pool_before = Fraction(int(sums["pool_before"].sum()), scale)
    moved, squares = (sums[name].sum(axis=0).tolist() for name in ("moved", "squares"))
    table.moved = tuple(Fraction(moved[place], scale) for place in places(players))
    for name, place in payees(a.ruleset):
        if (PAID, name) in table.keys:
            table.squares[name] = Fraction(wide(squares[place]), scale * scale)
    return table
