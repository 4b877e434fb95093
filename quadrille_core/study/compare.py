"""The main job: the same deals under each rule set, over whole sessions, and what differs.

The session is the unit of sampling: its pool carries over from deal to deal, each rule set carrying its own.
Sessions are independent of one another; they are played in blocks (``study.runner``), which are added up in order.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, lcm, sqrt
from typing import Final

from quadrille_core import vocabulary
from quadrille_core.bots import begins_anew
from quadrille_core.engine.deal import NUMBERS
from quadrille_core.errors import UsageError
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled, digest
from quadrille_core.study import fast
from quadrille_core.study.accounts import ROLE_SUMS, columns
from quadrille_core.study.compare_blocks import Compared, Comparing
from quadrille_core.study.deal_table import Listing
from quadrille_core.study.effects import TOTAL
from quadrille_core.study.equivalence import SMALLEST, smallest_for
from quadrille_core.study.gathered import CARRIED, DIVERGING, Gathered
from quadrille_core.study.intervals import Estimate, Moments, difference_of, mean_of, share_of
from quadrille_core.study.observe import ROLES, Telling
from quadrille_core.study.paired import FEWEST_DIFFERING, Effect, all_effects
from quadrille_core.study.runner.executors import Where
from quadrille_core.study.runner.run import Runner
from quadrille_core.study.runner.tasks import block_size, in_blocks

PATIENCE: Final = 60.0
"""Seconds after which a study should have said that it will take longer."""

AUTO, READABLE, FAST = ENGINES = ("auto", "readable", "fast")

Progress = Callable[[int, int, float], None]
"""Called with deals done, deals in all, and seconds since the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How a comparison is made; with the rule sets' digests it determines every number."""

    seed: int
    lengths: tuple[int, ...]
    """Deals of each session."""
    bots: tuple[str, ...]
    """By chair."""
    smallest: Fraction = SMALLEST
    """The smallest effect of interest, in counters a seat and session of ``equivalence.OF_DEALS``."""
    decompose: bool = False
    """Whether deals are replayed for the direct effects."""

    @property
    def length(self) -> int:
        """Deals of a whole session, in which effects are told."""
        return max(self.lengths)

    @property
    def interest(self) -> Fraction:
        """The smallest effect of interest on a seat, in counters a session."""
        return smallest_for(self.smallest, self.length)

    @property
    def interest_of_sums(self) -> Fraction:
        """The same of roles and accounts, which are sums over players."""
        return self.interest * len(self.bots)

    @property
    def anew(self) -> bool:
        """Whether every deal begins as a session does."""
        return begins_anew(self.bots)

    @property
    def deals(self) -> int:
        """Deals in all."""
        return sum(self.lengths)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How often something happened: the count, and the estimate of its share with an interval."""

    name: str
    count: int
    share: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One rule set's deals summed up."""

    compiled: Compiled
    contracts: tuple[Share, ...]
    outcomes: tuple[Share, ...]
    voles: tuple[Share, ...]
    by_contract: tuple[tuple[str, str, int], ...]
    roles: dict[str, Estimate]
    """Of a role, the mean payment when there is one."""
    seats: dict[str, Estimate]
    spread: dict[str, float]
    """Standard deviation of single payments, by role and seat."""
    moved: dict[str, Fraction]
    """Mean movement a deal by column of ``study.accounts``: of a role, its sum over players and all deals."""
    mean_pool: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDifference:
    """A rule that differs, both values, both sources."""

    path: str
    values: tuple[object, object]
    sources: tuple[str, str]
    statuses: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The first rule set against another."""

    first: int
    second: int
    same: bool
    """Whether both have the same rules, so that nothing can differ."""
    rules_diff: tuple[RuleDifference, ...]
    diverging: Share
    carried: Share
    """Of the diverging deals, those that began with another pool already, left by earlier deals."""
    stages: tuple[Share, ...]
    effects: Mapping[str, Mapping[str, Effect]]
    """By estimand and column, in counters a session."""
    roles: dict[str, Estimate]
    """Of a role, the difference of the mean payments when there is one; a mean of other deals under either rule set."""
    replayed: Mapping[str, int]
    """Deals replayed, by direction, and of these (direction, what) those whose standing the other rules cannot hold."""
    lost: Mapping[tuple[str, str], int]
    examples: tuple[Telling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything a comparison found."""

    design: Design
    engine: str
    """The engine that played it: readable or fast."""
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    interrupted: bool = False


def seats_of(compiled: Sequence[Compiled]) -> int:
    """How many play; raises UsageError unless as many do under each rule set."""
    tables = [c.ruleset.rules.table for c in compiled]
    players = tables[0].players
    for c, table in zip(compiled[1:], tables[1:], strict=True):
        if table.players != players:
            one, other = compiled[0].ruleset.identity.profile, c.ruleset.identity.profile
            raise UsageError(
                f"{one} seats {NUMBERS[players]} players and {other} {NUMBERS[table.players]}: "
                "there are no deals that could be played under both",
                help="compare rule sets for as many players; `quadrille diff` shows how the rules differ",
            )
    return players


def plan(
    compiled: Sequence[Compiled],
    *,
    deals: int | None,
    sessions: int | None,
    seed: int,
    bots: Sequence[str],
    smallest: Fraction = SMALLEST,
    decompose: bool = False,
) -> Design:
    """Lay deals out in sessions as long as the rules say; raises UsageError where they cannot agree.

    A number of deals is rounded up to what the rules let a session hold; the last session may be short.
    """
    players, tables = seats_of(compiled), [c.ruleset.rules.table for c in compiled]
    length, multiple = tables[0].session_deals, tables[0].session_multiple
    for c, table in zip(compiled[1:], tables[1:], strict=True):
        if table.session_deals % length and length % table.session_deals:
            raise UsageError(
                f"a session has {length} deals under {compiled[0].ruleset.identity.profile} and "
                f"{table.session_deals} under {c.ruleset.identity.profile}",
                help="give both one length with --set table.session_deals=40",
            )
        length, multiple = max(length, table.session_deals), lcm(multiple, table.session_multiple)
    if sessions is not None:
        lengths = [length] * sessions
    else:
        wanted = deals or 0
        lengths = [length] * (wanted // length)
        if wanted % length:
            lengths.append(ceil(wanted % length / multiple) * multiple)
    if not lengths:
        raise UsageError("a comparison needs at least one deal", help="for example --deals 2000")
    chosen = tuple(bots) * players if len(bots) == 1 else tuple(bots)
    if len(chosen) != players:
        raise UsageError(
            f"{len(chosen)} bots for {players} players", help=f"name one bot, or {players} separated by commas"
        )
    return Design(seed=seed, lengths=tuple(lengths), bots=chosen, smallest=smallest, decompose=decompose)


def tabulated(asked: str, rulesets: Sequence[RuleSet]) -> tuple[fast.Tables | None, str | None]:
    """The rule sets as the fast engine reads them, once it was chosen; else None, and why it cannot play them.

    Raises UsageError when that engine was asked for by name.
    """
    try:
        return fast.tabulate(rulesets), None
    except fast.InexactError as e:
        if asked == FAST:
            raise UsageError(f"the fast engine cannot play this: {e}", help="take --engine readable, or auto") from None
        return None, str(e)


def compare(
    compiled: Sequence[Compiled],
    design: Design,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    examples: int = 5,
    engine: str = READABLE,
    tables: fast.Tables | None = None,
    listing: Listing | None = None,
    runner: Runner | None = None,
) -> Comparison:
    """Play the design under every rule set and sum up; ``engine`` is ``readable`` or ``fast``, with the same results.

    ``tables`` are the rule sets as ``tabulated``, if they are at hand, ``listing`` a table of deals to be written,
    ``runner`` plays the blocks; without it as many workers of this machine do.
    Raises UsageError where the fast engine is to play what it cannot.
    Interrupted by the user, it reports the sessions that were finished and says so; it raises
    KeyboardInterrupt only when not one was, or when it is interrupted again before it has summed them up.
    """
    rulesets = tuple(c.ruleset for c in compiled)
    if engine == FAST and tables is None:
        tables, _ = tabulated(FAST, rulesets)
    told = None if listing is None else listing.table
    work = Comparing(rulesets, design.bots, design.seed, FAST if tables else READABLE, design.decompose, examples, told)
    size = block_size(len(design.lengths), design.length, len(rulesets), slow=tables is None, listed=told is not None)
    found, sessions, done, interrupted = Compared.empty(len(rulesets)), 0, 0, False
    # compiling may have taken a minute, and says nothing of how fast the deals will go
    started = time.monotonic()
    with runner or Runner(Where(workers)) as running:
        try:
            for block in running.run(work, in_blocks(design.lengths, running.size(size)), independent=True):
                if listing is not None:
                    listing.writer.write(block.rows)
                found.merge(block, examples)
                before, sessions = sessions, found.gathered.sessions
                done += sum(design.lengths[before:sessions])
                if progress is not None:
                    progress(done, design.deals, time.monotonic() - started)
        except KeyboardInterrupt:
            if not sessions:
                raise
            interrupted = True
            design = replace(design, lengths=design.lengths[:sessions])
    telling = work.retold(found)
    sums = found.gathered
    return Comparison(
        design=design,
        engine=engine,
        summaries=tuple(_summary(sums, i, c) for i, c in enumerate(compiled)),
        pairs=tuple(_pair(compiled, sums, i, telling[i - 1], design) for i in range(1, len(compiled))),
        interrupted=interrupted,
    )


def _share(name: str, found: Moments) -> Share:
    return Share(name=name, count=int(found.total), share=share_of(found))


def _shares(found: Gathered, table: int, kind: str, order: Sequence[str] = ()) -> tuple[Share, ...]:
    happened = found.tables[table].names(kind)
    names = [n for n in order if n in happened] if order else happened
    shares = [_share(n, found.share(table, kind, n)) for n in names]
    return tuple(shares if order else sorted(shares, key=lambda s: (-s.count, s.name)))


def _summary(found: Gathered, number: int, compiled: Compiled) -> Summary:
    table = found.tables[number]
    keys = sorted(table.names("paid"), key=lambda k: (k not in ROLES, k))
    estimates = {k: mean_of(found.paid(number, k)) for k in keys}
    return Summary(
        compiled=compiled,
        contracts=_shares(found, number, "contract"),
        outcomes=_shares(found, number, "outcome", ("won", "remise", "codille", "redealt")),
        voles=_shares(found, number, "vole", ("won", "lost")),
        by_contract=tuple((c, o, n) for (c, o), n in sorted(table.by_contract.items())),
        roles={r: estimates[r] for r in ROLES if r in estimates},
        seats={k: v for k, v in estimates.items() if k not in ROLES},
        spread={k: _deviation(found.paid(number, k), table.squares.get(k, Fraction(0))) for k in keys},
        moved={
            name: amount / table.deals.count
            for name, amount in zip(columns(compiled.ruleset.rules.table.players), table.moved, strict=True)
        },
        mean_pool=table.pool_before / table.deals.count,
    )


def _deviation(paid: Moments, squares: Fraction) -> float:
    if paid.count < 2:
        return 0.0
    return sqrt((squares - paid.total * paid.total / paid.count) / (paid.count - 1))


def _pair(
    compiled: Sequence[Compiled], found: Gathered, other: int, telling: Sequence[Telling], design: Design
) -> Pair:
    same = same_rules(compiled[0], compiled[other])
    pair, stages = other - 1, ("auction", "play", "settlement")
    effects = found.effects[pair]
    estimates: dict[str, Estimate] = {}
    for role, together in zip(ROLES, ROLE_SUMS, strict=False):
        estimate = difference_of(found.paid(other, role), found.paid(0, role), found.products(pair, role).turned())
        if estimate is not None:
            enough = effects.changes[TOTAL][together].differing >= FEWEST_DIFFERING
            estimates[role] = estimate if enough else replace(estimate, low=None, high=None)
    return Pair(
        first=0,
        second=other,
        same=same,
        rules_diff=rules_difference(compiled[0], compiled[other]),
        diverging=_share(DIVERGING, found.pair_share(pair, DIVERGING)),
        carried=_share(CARRIED, found.carried_share(pair)),
        stages=tuple(_share(n, found.pair_share(pair, n)) for n in stages),
        effects=all_effects(effects, design.length, smallest=design.smallest, rivals=len(compiled) - 1, same=same),
        roles=estimates,
        replayed=effects.replayed,
        lost=effects.lost,
        examples=tuple(telling),
    )


def same_rules(a: Compiled, b: Compiled) -> bool:
    """Whether both have the same rules, whichever plugins brought them about."""
    return _rules_digest(a) == _rules_digest(b)


def _rules_digest(compiled: Compiled) -> str:
    return digest(vocabulary.dump(compiled.ruleset.rules), ())


def rules_difference(a: Compiled, b: Compiled) -> tuple[RuleDifference, ...]:
    """The rules that differ: first those that both sides attest, then those a silence was filled in for."""
    found = []
    for path in dict.fromkeys((*a.origins, *b.origins)):
        mine, theirs = a.origins.get(path), b.origins.get(path)
        values = (mine.value if mine else None, theirs.value if theirs else None)
        if values[0] != values[1] and not path.endswith(".title"):
            found.append(
                RuleDifference(
                    path=path,
                    values=values,
                    sources=(a.source_of(path) or "no such rule", b.source_of(path) or "no such rule"),
                    statuses=(mine.status if mine else "absent", theirs.status if theirs else "absent"),
                )
            )
    return tuple(sorted(found, key=lambda d: sum(s != "attested" for s in d.statuses)))
