"""What a configuration of readings comes to over the deals of a study: sums for groups of sessions,
exact and small.

Configurations are played in blocks; each is compiled where it is played.  The sums do not depend on
the engine, nor on who plays what.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import gcd, lcm
from typing import Any, ClassVar, Final

from quadrille_core.engine.deal_record import Names, SessionSums
from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.registry import Registry
from quadrille_core.rules import RuleSet
from quadrille_plugins.rank.space import Configuration, Space
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.accounts import places
from quadrille_plugins.studies.accumulators import payees
from quadrille_plugins.studies.design import FAST, Design
from quadrille_plugins.studies.runner.executors import PROCESSES
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.sessions import Engine, Readable, parts, play

GROUPS: Final = 24
"""Groups of sessions, at most, where configurations are the units: how groups vary is what chance
adds to each."""
SINGLE: Final = 72
"""Sessions up to which each is a group of its own; more are put in `MANY` groups, a multiple of
``GROUPS``."""
MANY: Final = 48
SLOWER: Final = 300
"""How many times as long a deal takes by the readable engine, about."""
Task = tuple[Configuration, int]
"""A configuration and the block of sessions that it is played on; blocks share no deals."""


Contracts = Sequence[tuple[str, int]]
"""How many deals each contract was played in."""


@frozen
class Group:
    """The sums of one group of sessions: what was moved, by ``accounts.columns``, and deals by
    contract.

    Amounts are in parts of a counter.
    """

    moved: tuple[int, ...]
    contracts: tuple[tuple[str, int], ...]


@frozen
class Response:
    """A configuration's sums, one for each group of sessions; amounts are multiples of
    ``1 / scale`` counters.

    ``deals`` are those planned.  ``trace`` stands for every session's sums, and of the squares of
    all payments: equal traces mean that nothing was seen to differ.
    """

    seats: int
    deals: int
    scale: int
    groups: tuple[Group, ...]
    trace: str


@frozen
class Lineup:
    """A player with deals in each block and an engine.  ``held``: it values games by the base rule
    set.

    ``blocks``: how many blocks are played at most; ``since``: the first that is.
    """

    name: str
    design: Design
    engine: str
    held: bool = False
    blocks: int | None = None
    since: int = 0

    def plays(self, block: int) -> bool:
        """Whether a block is played."""
        return self.since <= block and (self.blocks is None or block < self.blocks)

    @property
    def cost(self) -> float:
        """About how long a block takes, in deals of the fast engine."""
        return self.design.deals * (1 if self.engine == FAST else SLOWER)


@frozen
class Outcome:
    """A configuration played: its rules' digest and a response for each player, or that it is
    not valid.

    A response is None where that player cannot play these rules.
    """

    digest: str
    responses: tuple[Response | None, ...] = ()
    refused: bool = False


@frozen
class _Session:
    deals: int
    scale: int
    """Of the amounts: parts of a counter."""
    moved: tuple[int, ...]
    squares: tuple[int, ...]
    """Of all payments, summed by seat and by role, in parts of ``scale`` squared."""
    contracts: dict[str, int]


def _lowest(
    scales: Sequence[int], amounts: Sequence[tuple[int, ...]]
) -> tuple[int, list[tuple[int, ...]]]:
    """The same amounts in the largest unit that makes all whole, and that unit's number in a
    counter.

    ``amounts`` are as many rows as there are ``scales``, each in parts of its own.
    """
    shared = lcm(*scales)
    if any(scale != shared for scale in scales):
        amounts = [
            tuple(a * (shared // s) for a in row) for s, row in zip(scales, amounts, strict=True)
        ]
    common = gcd(shared, *(a for row in amounts for a in row))
    if common == 1:
        return shared, list(amounts)
    return shared // common, [tuple(a // common for a in row) for row in amounts]


def response_of(sessions: Sequence[_Session], seats: int, planned: int) -> Response:
    """Sessions in order, put into groups: the n-th goes to group n modulo the number of groups."""
    scale, moved = _lowest([s.scale for s in sessions], [s.moved for s in sessions])
    # the fund's column, the last, is left out where nothing moves in it (``accounts.IF_MOVED``)
    if not any(row[-1] for row in moved):
        moved = [row[:-1] for row in moved]
    fine, squares = _lowest([s.scale**2 for s in sessions], [s.squares for s in sessions])
    counted = [sorted((name, n) for name, n in s.contracts.items() if n) for s in sessions]
    groups = _grouped(moved, counted, len(sessions) if len(sessions) <= SINGLE else MANY)
    seen = (scale, fine, [s.deals for s in sessions], moved, squares, counted)
    return Response(seats, planned, scale, groups, sha256(repr(seen).encode()).hexdigest())


def _grouped(
    moved: Sequence[tuple[int, ...]], contracts: Sequence[Contracts], many: int
) -> tuple[Group, ...]:
    """So many groups, of which the n-th has every n-th sum."""
    if many == len(moved):
        return tuple(Group(row, tuple(some)) for row, some in zip(moved, contracts, strict=True))
    groups = []
    for first in range(many):
        counts: Counter[str] = Counter()
        for some in contracts[first::many]:
            counts.update(dict(some))
        groups.append(
            Group(
                tuple(map(sum, zip(*moved[first::many], strict=True))),
                tuple(sorted(counts.items())),
            )
        )
    return tuple(groups)


def coarse(response: Response) -> Response:
    """The same sessions in ``GROUPS`` groups at most."""
    known = response.groups
    if len(known) <= GROUPS:
        return response
    groups = _grouped(
        [g.moved for g in known], [g.contracts for g in known], min(GROUPS, len(known))
    )
    return replace(response, groups=groups)


def _session_of(ruleset: RuleSet, sums: SessionSums, scale: int) -> _Session:
    """One session's sums, in such parts that the squares are whole as well."""
    players, bids = ruleset.rules.table.players, ruleset.rules.bids.names()
    moved = [sums.moved[place] for place in places(players)]
    squares = [sums.square(place) for _, place in payees(players)]
    finer = lcm(*(a.denominator for a in (*moved, *squares)))
    contracts = {bid: sum(sums.endings[3 * n :][:3]) for n, bid in enumerate(bids)}
    return _Session(
        sums.deals,
        scale * finer,
        tuple(int(a * finer) for a in moved),
        tuple(int(a * finer**2) for a in squares),
        {**contracts, "redealt": sums.redealt},
    )


def _sessions(engine: Engine, design: Design, start: int) -> list[_Session | int]:
    """The sessions of a block, and the numbers of those that the kernel cannot tell."""
    found: list[_Session | int] = []
    room = None if isinstance(engine, Readable) else fast.workspace(max(design.lengths))
    for first, lengths, _ in parts(start, design.lengths, room):
        played = play([engine], design.seed, first, lengths, room)
        for n, sums in enumerate(played.held[0].session_sums()):
            whole = not played.skip[n]
            found.append(
                _session_of(engine.ruleset, sums, engine.scale) if whole else played.first + n
            )
    return found


def respond(
    ruleset: RuleSet,
    player: Lineup,
    base: RuleSet,
    block: int,
    made: dict[str | None, fast.Tables] | None,
) -> Response | None:
    """Play a rule set on a block of sessions; None when the player's held values do not fit its
    bids.

    ``made`` keeps the rule set as arrays, by the players' modules, for others who play it.
    """
    design, players = player.design, ruleset.rules.table.players
    start, planned = block * len(design.lengths), sum(design.lengths)
    slow = Readable(ruleset, design.bots, Names())
    engine: Engine = slow
    if player.engine == FAST:
        try:
            tables, _ = _tabulated(
                [base, ruleset] if player.held else [ruleset], player, {} if made is None else made
            )
            engine = tables[-1]
            if player.held:
                if not _same_bids(tables[0], tables[-1]):
                    return None
                held = tables[0].arguments[1:]
                engine = replace(tables[-1], arguments=(tables[-1].rules, *held))
        except fast.InexactError:
            if player.held:
                return None
    sessions: list[_Session] = []
    for one in _sessions(engine, design, start):
        if isinstance(one, _Session):
            sessions.append(one)
        elif player.held:
            return None
        else:
            length = design.lengths[one - start]
            again = slow.play(design.seed, one, [length], None, 0).session_sums()
            sessions.append(_session_of(ruleset, again[0], slow.scale))
    return response_of(sessions, players, planned)


def _tabulated(
    rulesets: Sequence[RuleSet], player: Lineup, made: dict[str | None, fast.Tables]
) -> fast.Tables:
    """The rule sets as arrays; the record of one that another player of the same module has played
    is taken again."""
    bots, module = player.design.bots, fast.compiled_player(player.design.bots)
    if player.held:
        return fast.tabulate(rulesets, bots)
    if module in made:
        return fast.for_player(made[module], bots)
    made[module] = fast.tabulate(rulesets, bots)
    return made[module]


def _same_bids(a: fast.Arrays, b: fast.Arrays) -> bool:
    """Whether both have the same bids in the same order, with the same ways to speak them."""
    return a.ruleset.rules.bids.names() == b.ruleset.rules.bids.names() and bool(
        (a.rules["specs"] == b.rules["specs"]).all()
    )


# --- many configurations --------------------------------------------------------------------------


@dataclass(slots=True)
class ConfigurationPlayer:
    """Plays configurations of a space, remembering rule sets that it has played."""

    space: Space
    players: tuple[Lineup, ...]
    _known: dict[tuple[str, int], tuple[Response | None, ...]] = field(default_factory=dict)
    _registry: Registry = field(default_factory=Registry)

    def play(self, task: Task) -> Outcome:
        """The configuration played by every player, or that it is not valid."""
        configuration, block = task
        try:
            ruleset = self.space.ruleset(configuration, self._registry)
        except (ProfileError, UsageError):
            return Outcome("", refused=True)
        base, key = self.space.base.ruleset, (ruleset.identity.digest, block)
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            made: dict[str | None, fast.Tables] = {}
            self._known[key] = tuple(
                respond(ruleset, p, base, block, made) if p.plays(block) else None
                for p in self.players
            )
        return Outcome(ruleset.identity.digest, self._known[key])


MOST_KNOWN: Final = 64
SHARES: Final = 16
"""Blocks that the configurations wanted at one time are put in, about."""
MOST_TASKS: Final = 8
"""Configurations of a block, at most."""


@frozen
class Configurations:
    """Some configurations, each with the deals that it is played on."""

    tasks: tuple[Task, ...]

    @property
    def units(self) -> int:
        """How many configurations."""
        return len(self.tasks)

    def cut(self, units: int) -> "Configurations":
        """The first of them alone."""
        return Configurations(self.tasks[:units])

    def __str__(self) -> str:
        """In words."""
        return "configurations " + ", ".join(
            "-".join(map(str, c)) + f" on deals {b}" for c, b in self.tasks
        )


@frozen
class Configuring:
    """Plays configurations of a space."""

    space: Space
    players: tuple[Lineup, ...]

    usual: ClassVar[str] = PROCESSES
    task: ClassVar[Any] = Configurations
    result: ClassVar[Any] = list[Outcome]

    @property
    def rulesets(self) -> tuple[RuleSet, ...]:
        """The rule set that is named, whose plugins are those of all configurations."""
        return (self.space.base.ruleset,)

    def fits(self, task: Configurations, found: list[Outcome]) -> bool:
        """Whether a block read from disk is of these configurations and players, judged by its
        shape."""
        return len(found) == task.units and all(
            outcome.refused or len(outcome.responses) == len(self.players) for outcome in found
        )

    def ready(self) -> Callable[[Configurations], list[Outcome]]:
        """As ``Work`` says."""
        table = ConfigurationPlayer(self.space, self.players)
        return lambda some: [table.play(task) for task in some.tasks]


class Crew:
    """Plays configurations in order; to be used in a ``with`` statement.

    ``runner`` plays the blocks, else this process does.
    """

    def __init__(
        self,
        space: Space,
        players: tuple[Lineup, ...],
        runner: Runner | None = None,
    ) -> None:
        self._work, self._runner = Configuring(space, players), runner or Runner()

    def __enter__(self) -> "Crew":
        self._runner.__enter__()
        return self

    def __exit__(self, *failed: Any) -> None:
        self._runner.__exit__(*failed)

    def __call__(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """An outcome for each task, in order."""
        wanted = list(tasks)
        size = max(1, min(len(wanted) // SHARES, MOST_TASKS))
        blocks = (Configurations(tuple(wanted[n : n + size])) for n in range(0, len(wanted), size))
        for outcomes in self._runner.run(self._work, blocks):
            yield from outcomes
