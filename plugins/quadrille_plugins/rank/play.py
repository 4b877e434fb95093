"""What a combination of readings comes to over the deals of a study: sums for groups of sessions, exact and small.

Configurations are played in blocks; each is compiled where it is played.  The sums do not depend on the engine, nor on
who plays what.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from math import gcd, lcm
from typing import Any, ClassVar, Final

from quadrille_core.engine.session import play_session
from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.players import begins_anew, make_bot
from quadrille_core.registry import Registry
from quadrille_core.rules import RuleSet
from quadrille_plugins.lab import fast
from quadrille_plugins.lab.accounts import seats
from quadrille_plugins.lab.design import FAST, Design
from quadrille_plugins.lab.observe import ROLES, Sums, count
from quadrille_plugins.lab.runner.executors import PROCESSES
from quadrille_plugins.lab.runner.run import Runner
from quadrille_plugins.lab.runner.where import Where
from quadrille_plugins.rank.space import Combination, Space, refusal_text

GROUPS: Final = 24
"""Groups of sessions, at most, where configurations are the units: how groups vary is what chance adds to each."""
SINGLE: Final = 72
"""Sessions up to which each is a group of its own; more are put in `MANY` groups, a multiple of ``GROUPS``."""
MANY: Final = 48
Task = tuple[Combination, int]
"""A combination and the block of sessions that it is played on; blocks share no deals."""


@dataclass(frozen=True, slots=True)
class Group:
    """The sums of one group of sessions: what was moved, by ``accounts.columns``, and deals by contract.

    Amounts are in parts of a counter.
    """

    moved: tuple[int, ...]
    contracts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Response:
    """A combination's sums, one for each group of sessions; amounts are multiples of ``1 / scale`` counters.

    ``deals`` are those planned.  ``trace`` stands for every session's sums, and of the squares of all payments: equal
    traces mean that nothing was seen to differ.
    """

    seats: int
    deals: int
    scale: int
    groups: tuple[Group, ...]
    trace: str


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays, how much in each block and on which engine.  ``held``: valuing games as the rule set named pays them.

    ``blocks``: how many blocks are played at most.
    """

    name: str
    design: Design
    engine: str
    held: bool = False
    blocks: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A combination played: its rules' digest and a response for each player, or why it is not valid.

    A response is None where that player cannot play these rules.
    """

    digest: str
    responses: tuple[Response | None, ...] = ()
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class _Session:
    deals: int
    scale: int
    """Of the amounts: parts of a counter."""
    moved: tuple[int, ...]
    squares: tuple[int, ...]
    """Of all payments, summed by seat and by role, in parts of ``scale`` squared."""
    contracts: dict[str, int]


def _lowest(scales: Sequence[int], amounts: Sequence[tuple[int, ...]]) -> tuple[int, list[tuple[int, ...]]]:
    """The same amounts in the largest parts in which all of them are whole, and how many of those make one.

    ``amounts`` are as many rows as there are ``scales``, each in parts of its own.
    """
    shared = lcm(*scales)
    if any(scale != shared for scale in scales):
        amounts = [tuple(a * (shared // s) for a in row) for s, row in zip(scales, amounts, strict=True)]
    common = gcd(shared, *(a for row in amounts for a in row))
    if common == 1:
        return shared, list(amounts)
    return shared // common, [tuple(a // common for a in row) for row in amounts]


def response_of(sessions: Sequence[_Session], seats: int, planned: int) -> Response:
    """Sessions in order, put into groups: the n-th goes to group n modulo the number of groups."""
    scale, moved = _lowest([s.scale for s in sessions], [s.moved for s in sessions])
    fine, squares = _lowest([s.scale**2 for s in sessions], [s.squares for s in sessions])
    counted = [sorted((name, n) for name, n in s.contracts.items() if n) for s in sessions]
    many, groups = len(sessions) if len(sessions) <= SINGLE else MANY, []
    for first in range(many):
        contracts: Counter[str] = Counter()
        for some in counted[first::many]:
            for name, n in some:
                contracts[name] += n
        sums = tuple(map(sum, zip(*moved[first::many], strict=True)))
        groups.append(Group(sums, tuple(sorted(contracts.items()))))
    seen = (scale, fine, [s.deals for s in sessions], moved, squares, counted)
    return Response(seats, planned, scale, tuple(groups), sha256(repr(seen).encode()).hexdigest())


def coarse(response: Response) -> Response:
    """The same sessions in ``GROUPS`` groups at most."""
    groups = []
    for first in range(min(GROUPS, len(response.groups))):
        mine = response.groups[first::GROUPS]
        contracts: Counter[str] = Counter()
        for g in mine:
            contracts.update(dict(g.contracts))
        groups.append(
            Group(tuple(map(sum, zip(*(g.moved for g in mine), strict=True))), tuple(sorted(contracts.items())))
        )
    return replace(response, groups=tuple(groups))


def _readable_session(ruleset: RuleSet, design: Design, session: int) -> _Session:
    length, players = design.lengths[session % len(design.lengths)], ruleset.rules.table.players
    bots, anew = [make_bot(name) for name in design.bots], begins_anew(design.bots)
    sums = Sums()
    for played in play_session(ruleset, bots, seed=design.seed, session=session, deals=length, anew=anew):
        count(sums, played)
    squares = tuple(sums.squares.get(n, Fraction(0)) for n in (*seats(players), *ROLES))
    # in these parts the squares are whole as well
    scale = lcm(*(a.denominator for a in (*sums.moved, *squares)))
    moved = tuple(int(a * scale) for a in sums.moved)
    return _Session(sums.deals, scale, moved, tuple(int(a * scale**2) for a in squares), dict(sums.contracts))


def _fast_sessions(
    arrays: fast.Arrays, arguments: tuple[Any, ...], scale: int, design: Design, start: int
) -> list[_Session | int]:
    """The sessions of a block played by the kernel; the number of each that it cannot tell exactly."""
    import numpy as np

    from quadrille_plugins.fast import gather
    from quadrille_plugins.fast.state import PLAYED, ROOM, SUMS, TAPE_OF_DEAL

    rules = arrays.ruleset.rules
    players, bids, longest = rules.table.players, rules.bids.names(), max(design.lengths)
    size = max(1, fast.BLOCK_DEALS // longest)
    records, tapes = np.zeros((size, longest), PLAYED), np.empty((size, longest * TAPE_OF_DEAL), np.int64)
    sums, room = np.zeros(size, SUMS), np.zeros(1, ROOM)[0]
    found: list[_Session | int] = []
    for first in range(0, len(design.lengths), size):
        lengths = np.array(design.lengths[first : first + size], np.int64)
        many = len(lengths)
        sums.fill(0)
        where = (np.uint64(design.seed % 2**64), start + first, lengths, arrays.anew)
        told = (records[:many], tapes[:many], sums[:many], room)
        arrays.kernel.play_sessions(*arguments, *where, *told)
        net = records[:many]["net"]
        # too large to be squared: as ``fast`` has it
        most = np.maximum(net.max(axis=(1, 2)), -net.min(axis=(1, 2))) + int(arrays.rules["stakes"]["ante"])
        most = np.maximum(most, np.abs(sums[:many]["moved"]).max(axis=1))
        for n, row in enumerate(sums[:many]):
            if row["blocked"] or most[n] >= gather.LARGEST:
                found.append(start + first + n)
                continue
            moved, squares = row["moved"].tolist(), row["squares"].tolist()
            wide = tuple(fast.wide(squares[p], 0) for p in (*range(players), *range(5, 5 + len(ROLES))))
            contracts = {bid: int(row["endings"][b].sum()) for b, bid in enumerate(bids)}
            found.append(
                _Session(
                    int(row["deals"]),
                    scale,
                    (*moved[:players], *moved[5:]),
                    wide,
                    {**contracts, "redealt": int(row["redealt"])},
                )
            )
    return found


def respond(ruleset: RuleSet, player: Player, base: RuleSet, block: int = 0) -> Response | None:
    """Play a rule set on a block of sessions; None when the player holds to values of ``base`` that these bids lack."""
    design, players = player.design, ruleset.rules.table.players
    start, planned = block * len(design.lengths), sum(design.lengths)
    numbers = range(start, start + len(design.lengths))

    def readable() -> Response:
        return response_of([_readable_session(ruleset, design, n) for n in numbers], players, planned)

    if player.engine != FAST:
        return readable()
    try:
        tables, scale = fast.tabulate([base, ruleset] if player.held else [ruleset], design.bots)
    except fast.InexactError:
        return None if player.held else readable()
    arrays = tables[-1]
    arguments = arrays.arguments
    if player.held:
        if not _same_bids(tables[0], arrays):
            return None
        arguments = (arrays.rules, *tables[0].arguments[1:])
    sessions: list[_Session] = []
    for one in _fast_sessions(arrays, arguments, scale, design, start):
        if isinstance(one, _Session):
            sessions.append(one)
        elif player.held:
            return None
        else:
            sessions.append(_readable_session(ruleset, design, one))
    return response_of(sessions, players, planned)


def _same_bids(a: fast.Arrays, b: fast.Arrays) -> bool:
    """Whether both have the same bids in the same order, with the same ways to speak them."""
    return a.ruleset.rules.bids.names() == b.ruleset.rules.bids.names() and bool(
        (a.rules["specs"] == b.rules["specs"]).all()
    )


# --- many combinations ------------------------------------------------------------------------------


@dataclass(slots=True)
class Table:
    """Plays combinations of a space, remembering rule sets that it has played."""

    space: Space
    players: tuple[Player, ...]
    _known: dict[tuple[str, int], tuple[Response | None, ...]] = field(default_factory=dict)
    _registry: Registry = field(default_factory=Registry)

    def play(self, task: Task) -> Outcome:
        """The combination played by every player, or why it is not valid."""
        combination, block = task
        try:
            ruleset = self.space.ruleset(combination, self._registry)
        except (ProfileError, UsageError) as e:
            return Outcome("", (), refusal_text(e))
        base, key = self.space.base.ruleset, (ruleset.identity.digest, block)
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = tuple(
                respond(ruleset, p, base, block) if p.blocks is None or block < p.blocks else None for p in self.players
            )
        return Outcome(ruleset.identity.digest, self._known[key])


MOST_KNOWN: Final = 64
SHARES: Final = 16
"""Blocks that the configurations wanted at one time are put in, about."""
MOST_TASKS: Final = 8
"""Configurations of a block, at most."""


@dataclass(frozen=True, slots=True)
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
        return "configurations " + ", ".join("-".join(map(str, c)) + f" on deals {b}" for c, b in self.tasks)


@dataclass(frozen=True, slots=True)
class Configuring:
    """Plays configurations of a space."""

    space: Space
    players: tuple[Player, ...]

    usual: ClassVar[str] = PROCESSES
    task: ClassVar[Any] = Configurations
    result: ClassVar[Any] = list[Outcome]

    @property
    def rulesets(self) -> tuple[RuleSet, ...]:
        """The rule set that is named, whose plugins are those of all configurations."""
        return (self.space.base.ruleset,)

    def fits(self, task: Configurations, found: list[Outcome]) -> bool:
        """Whether a block that was read is of these configurations and players, as far as its form tells."""
        return len(found) == task.units and all(
            bool(outcome.refusal) or len(outcome.responses) == len(self.players) for outcome in found
        )

    def ready(self) -> Callable[[Configurations], list[Outcome]]:
        """As ``Work`` says."""
        table = Table(self.space, self.players)
        return lambda some: [table.play(task) for task in some.tasks]


class Crew:
    """Plays configurations in order; to be used in a ``with`` statement.

    ``runner`` plays the blocks, else as many workers of this machine do.
    """

    def __init__(
        self, space: Space, players: tuple[Player, ...], workers: int = 1, runner: Runner | None = None
    ) -> None:
        self._work, self._runner = Configuring(space, players), runner or Runner(Where(workers))

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
