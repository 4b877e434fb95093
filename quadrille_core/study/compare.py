"""The main job: the same deals under each rule set, over whole sessions, and what differs.

The session is the unit of work and of sampling: its pool carries over from deal to deal, each rule set
carrying its own.  Sessions are independent of one another and are observed in any number of processes;
the results are added up in the order of sessions, so they do not depend on how many there were.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm, sqrt
from typing import Final

from quadrille_core.engine.deal import NUMBERS
from quadrille_core.errors import UsageError
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import Compiled
from quadrille_core.study.intervals import Estimate, Tally, difference, ratio, share
from quadrille_core.study.observe import ROLES, Observed, Sums, Telling, observe

PATIENCE: Final = 60.0
"""Seconds after which a study should have said that it will take longer."""

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
    seats: dict[str, Estimate]
    spread: dict[str, float]
    """Standard deviation of single payments, by role and seat."""
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
    rules_diff: tuple[RuleDifference, ...]
    diverging: Share
    carried: Share
    """Those of the diverging deals that began with another pool already, left by earlier deals."""
    stages: tuple[Share, ...]
    roles: dict[str, Estimate]
    seats: dict[str, Estimate]
    examples: tuple[Telling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything a comparison found."""

    design: Design
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    interrupted: bool = False


def plan(
    compiled: Sequence[Compiled], *, deals: int | None, sessions: int | None, seed: int, bots: Sequence[str]
) -> Design:
    """Lay deals out in sessions as long as the rules say; raises UsageError where they cannot agree.

    A number of deals is rounded up to what the rules let a session hold; the last session may be short.
    """
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
    return Design(seed=seed, lengths=tuple(lengths), bots=chosen)


_shared: Sequence[RuleSet] = ()
"""In a worker process: the rule sets, sent once, so that what is cached for them is found again."""


def _receive(rulesets: Sequence[RuleSet]) -> None:
    global _shared  # noqa: PLW0603 - set once, when the process starts
    _shared = rulesets


def _work(design: Design, session: int) -> Observed:
    return observe(_shared, design.bots, design.seed, session, design.lengths[session])


def _sessions(rulesets: Sequence[RuleSet], design: Design, workers: int) -> Iterator[Observed]:
    """Every session in order; with several workers, a few more than there are workers are under way at a time."""
    jobs = range(len(design.lengths))
    if workers <= 1 or len(design.lengths) == 1:
        for i in jobs:
            yield observe(rulesets, design.bots, design.seed, i, design.lengths[i])
        return
    workers = min(workers, len(design.lengths))
    with ProcessPoolExecutor(workers, initializer=_receive, initargs=(tuple(rulesets),)) as pool:
        waiting: deque[Future[Observed]] = deque()
        try:
            for i in jobs:
                waiting.append(pool.submit(_work, design, i))
                if len(waiting) >= 4 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def compare(
    compiled: Sequence[Compiled],
    design: Design,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    examples: int = 5,
) -> Comparison:
    """Play the design under every rule set and sum up.

    Interrupted by the user, it reports the sessions that were finished and says so; it raises
    KeyboardInterrupt only when not one was.
    """
    rulesets = [c.ruleset for c in compiled]
    seen: list[Observed] = []
    telling: list[list[Telling]] = [[] for _ in rulesets[1:]]
    done, started = 0, time.monotonic()
    interrupted = False
    try:
        for one in _sessions(rulesets, design, workers):
            for i, found in enumerate(one.telling):
                telling[i] = sorted([*telling[i], *found], key=Telling.order)[:examples]
            one.telling = []
            seen.append(one)
            done += design.lengths[one.session]
            if progress is not None:
                progress(done, design.deals, time.monotonic() - started)
    except KeyboardInterrupt:
        if not seen:
            raise
        interrupted = True
        design = Design(seed=design.seed, lengths=design.lengths[: len(seen)], bots=design.bots)
    return Comparison(
        design=design,
        summaries=tuple(_summary(c, [s.sums[i] for s in seen]) for i, c in enumerate(compiled)),
        pairs=tuple(_pair(compiled, seen, i, telling[i - 1]) for i in range(1, len(compiled))),
        interrupted=interrupted,
    )


def _share(name: str, counts: Sequence[Counter[str]], deals: Sequence[int]) -> Share:
    tallies = [Tally(Fraction(c[name]), n) for c, n in zip(counts, deals, strict=True)]
    return Share(name=name, count=sum(c[name] for c in counts), share=share(tallies))


def _shares(counts: Sequence[Counter[str]], deals: Sequence[int], order: Sequence[str] = ()) -> tuple[Share, ...]:
    names = [n for n in order if any(n in c for c in counts)] or sorted({n for c in counts for n in c})
    shares = [_share(n, counts, deals) for n in names]
    return tuple(shares if order else sorted(shares, key=lambda s: (-s.count, s.name)))


def _summary(compiled: Compiled, sums: Sequence[Sums]) -> Summary:
    deals = [s.deals for s in sums]
    total = sum(deals)
    by_contract: Counter[tuple[str, str]] = Counter()
    for s in sums:
        by_contract.update(s.by_contract)
    keys = sorted({k for s in sums for k in s.payments}, key=lambda k: (k not in ROLES, k))
    estimates = {k: ratio([s.payments.get(k, Tally(Fraction(0), 0)) for s in sums]) for k in keys}
    return Summary(
        compiled=compiled,
        contracts=_shares([s.contracts for s in sums], deals),
        outcomes=_shares([s.outcomes for s in sums], deals, ("won", "remise", "codille", "redealt")),
        voles=_shares([s.voles for s in sums], deals, ("won", "lost")),
        by_contract=tuple((c, o, n) for (c, o), n in sorted(by_contract.items())),
        roles={r: estimates[r] for r in ROLES if r in estimates},
        seats={k: v for k, v in estimates.items() if k not in ROLES},
        spread={k: _deviation(k, sums) for k in keys},
        mean_pool=sum((s.pool_before for s in sums), Fraction(0)) / total,
    )


def _deviation(key: str, sums: Sequence[Sums]) -> float:
    count = sum(s.payments[key].count for s in sums if key in s.payments)
    total = sum((s.payments[key].total for s in sums if key in s.payments), Fraction(0))
    squares = sum((s.squares.get(key, Fraction(0)) for s in sums), Fraction(0))
    if count < 2:
        return 0.0
    return sqrt((squares - total * total / count) / (count - 1))


def _pair(compiled: Sequence[Compiled], seen: Sequence[Observed], other: int, telling: Sequence[Telling]) -> Pair:
    first = [s.sums[0] for s in seen]
    second = [s.sums[other] for s in seen]
    stages = [s.stages[other - 1] for s in seen]
    deals = [sum(c.values()) for c in stages]
    carried = [s.carried[other - 1] for s in seen]
    parted = [Counter({"diverging": n - c["same"]}) for c, n in zip(stages, deals, strict=True)]
    keys = sorted({k for s in (*first, *second) for k in s.payments}, key=lambda k: (k not in ROLES, k))
    nothing = Tally(Fraction(0), 0)
    estimates: dict[str, Estimate] = {}
    for k in keys:
        found = difference([t.payments.get(k, nothing) for t in second], [t.payments.get(k, nothing) for t in first])
        if found is not None:
            estimates[k] = found
    by_size = sorted(estimates.items(), key=lambda item: -abs(item[1].mean))
    return Pair(
        first=0,
        second=other,
        rules_diff=rules_difference(compiled[0], compiled[other]),
        diverging=_share("diverging", parted, deals),
        carried=_share("carried", [Counter({"carried": n}) for n in carried], deals),
        stages=tuple(_share(n, stages, deals) for n in ("auction", "play", "settlement")),
        roles={k: e for k, e in by_size if k in ROLES},
        seats={k: e for k, e in estimates.items() if k not in ROLES},
        examples=tuple(telling),
    )


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
