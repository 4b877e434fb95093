"""How often the intervals of ``compare`` miss: readings from common to rare, total, direct and
carried.

``python tools/coverage_compare.py [--sessions 25000] [--runs 1000] [--seed 5]`` prints, for each
reading, estimand and number of deals, how often the intervals of all columns hold the truth, with
an exact binomial interval (Clopper and Pearson), their mean width, and in how many runs there was
an interval at all.

A long run by the kernel gives each reading a population of independent sessions.  Every run draws
its sessions from it with replacement and makes the product's own interval
(``studies.paired.effect_of``); the truth is the population's mean, which is known exactly.  Columns
of a run are not independent: the interval of the coverage takes a run as one.

``python tools/coverage_compare.py --starts [--runs 4000]`` does so for the share of matched starts
in which payments differ: a run draws the sessions that would be replayed of its deals, and makes
``studies.intervals.share_of``.

``python tools/coverage_compare.py --over-sessions [--runs 2000]`` does so for the distribution over
sessions (``studies.distribution``) of three roles: of a number of sessions, how often the intervals
of quartiles and shares hold the truth, each by itself; then of paths of 12,800 sessions, looked at
as ``compare`` and ``matters`` do, in how many some interval misses at some look.

``python tools/coverage_compare.py --seats [--runs 1000]`` does so for what each seat earns beside
the mean of all, of a number of sessions, and until every seat is decided.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any, Final

import numpy as np
from quadrille_plugins.matters.study import looks as matters_looks
from quadrille_plugins.studies import fast, sessions
from quadrille_plugins.studies.accounts import columns, places
from quadrille_plugins.studies.design import FAST
from quadrille_plugins.studies.direct import EVERY
from quadrille_plugins.studies.distribution import (
    FIGURES,
    QUARTILES,
    Intervals,
    at_all_looks,
    at_one_look,
)
from quadrille_plugins.studies.effects import (
    CARRIED,
    DIRECT,
    SPREAD,
    TOTAL,
    DifferenceSums,
    Effects,
)
from quadrille_plugins.studies.equivalence import DECIDED, LARGER, SMALLER, SMALLEST
from quadrille_plugins.studies.intervals import Moments, share_of
from quadrille_plugins.studies.looks import LOOKS_COUNT_AS, MOST_SESSIONS, looks
from quadrille_plugins.studies.paired import Effect, effect_of
from quadrille_plugins.studies.sequences import ALPHA, ranks
from scipy.stats import beta

from quadrille_core.ruleset import compile_reference

LENGTH: Final = 40
LONG_SEED: Final = 777_000
BLOCK: Final = 128


@dataclass(frozen=True)
class TruePair:
    """Two rule sets, and the numbers of deals at which the intervals are tried."""

    title: str
    deals: tuple[int, ...]
    first: str = "quanti-1822"
    second: str = "quanti-1822"
    readings: Mapping[str, str] = field(default_factory=dict)


READINGS: Final = (
    TruePair(
        "parlett and wikipedia", (2_000, 20_000), "quanti-1822@parlett", "quanti-1822@wikipedia"
    ),
    TruePair(
        "codille_indivisible=exact", (20_000, 200_000), readings={"codille_indivisible": "exact"}
    ),
    TruePair("queen_when=four_kings", (20_000, 200_000), readings={"queen_when": "four_kings"}),
    TruePair(
        "adversaries_matadors=to_holders",
        (20_000, 200_000),
        readings={"adversaries_matadors": "to_holders"},
    ),
    TruePair(
        "undertaken_vole_lost=units_too",
        (200_000, 1_000_000),
        readings={"undertaken_vole_lost": "units_too"},
    ),
    TruePair(
        "announced_vole_premium=pool_only",
        (1_000_000,),
        readings={"announced_vole_premium": "pool_only"},
    ),
)
STARTS: Final = (
    TruePair(
        "quanti-1822 and mediateur-1752", (1_000, 2_000, 20_000), "quanti-1822", "mediateur-1752"
    ),
    TruePair(
        "parlett and wikipedia", (2_000, 20_000), "quanti-1822@parlett", "quanti-1822@wikipedia"
    ),
    TruePair(
        "beast_series=doubling", (1_000, 2_000, 20_000), readings={"beast_series": "doubling"}
    ),
    TruePair(
        "codille_indivisible=exact",
        (1_000, 2_000, 20_000, 200_000),
        readings={"codille_indivisible": "exact"},
    ),
    TruePair(
        "adversaries_matadors=to_holders",
        (20_000, 200_000),
        readings={"adversaries_matadors": "to_holders"},
    ),
    TruePair(
        "undertaken_vole_lost=units_too",
        (200_000, 1_000_000),
        readings={"undertaken_vole_lost": "units_too"},
    ),
)
"""Pairs for the share of matched starts."""
OVER_SESSIONS: Final = (
    STARTS[0],
    READINGS[0],
    STARTS[2],
    READINGS[2],
    READINGS[3],
)
"""Pairs for the distribution over sessions."""
SEATS_UNDER: Final = ("quanti-1822", "mediateur-1752", "quadrille-modern")
SEATS_SESSIONS: Final = (50, 500)
PATH: Final = 12_800
"""Sessions of a path that is looked at again and again."""
SHOWN: Final = ("seat 0", "seat 1", "seat 2", "seat 3", "hombre", "ally", "adversaries", "pool")


@dataclass(frozen=True, slots=True)
class Population:
    """Differences of independent sessions by estimand: int64 (sessions, columns), in parts of a
    counter."""

    differences: Mapping[str, Any]
    scale: int

    @property
    def sessions(self) -> int:
        """How many there are."""
        return len(self.differences[TOTAL])


def population(reading: TruePair, many: int) -> Population:
    """The long run."""
    pair = [
        compile_reference(reading.first),
        compile_reference(reading.second, readings=reading.readings),
    ]
    arrays, scale = fast.tabulate([c.ruleset for c in pair], ["steady"])
    workspace, found = fast.Workspace(BLOCK, LENGTH), []
    players = pair[0].ruleset.rules.table.players
    for first in range(0, many, BLOCK):
        lengths = [LENGTH] * min(BLOCK, many - first)
        played = sessions.play(arrays, LONG_SEED, first, lengths, workspace)
        replay = sessions.replay(arrays, played, LONG_SEED, workspace, (0, 1))
        kept = ~np.array(played.skip)
        a, b, r = (held.sums["moved"][kept] for held in (*played.held, replay))
        found.append(np.stack([b - a, r - a, b - r])[:, :, places(players)])
    every = np.concatenate(found, axis=1)
    return Population(dict(zip((TOTAL, DIRECT, CARRIED), every, strict=True)), scale)


def played_of(reading: TruePair, many: int) -> Iterator[tuple[Any, Any, Any]]:
    """Blocks of independent sessions under both rule sets, as they are read, played, and the space
    they were played in, which the next block takes."""
    pair = [
        compile_reference(reading.first),
        compile_reference(reading.second, readings=reading.readings),
    ]
    arrays, _ = fast.tabulate([c.ruleset for c in pair], ["steady"])
    workspace = fast.Workspace(BLOCK, LENGTH)
    for first in range(0, many, BLOCK):
        lengths = [LENGTH] * min(BLOCK, many - first)
        yield arrays, sessions.play(arrays, LONG_SEED, first, lengths, workspace), workspace


def totals_of(reading: TruePair, many: int) -> Any:
    """Total differences of independent sessions: int64 (sessions, columns), in parts of a
    counter."""
    found = []
    for arrays, played, _ in played_of(reading, many):
        a, b = (held.sums["moved"][~np.array(played.skip)] for held in played.held)
        found.append((b - a)[:, places(arrays[0].ruleset.rules.table.players)])
    return np.concatenate(found)


@dataclass(frozen=True)
class Truth:
    """One role's population, and what is true of it."""

    values: Any

    def quantile(self, q: Fraction) -> int:
        """The quantile of that part."""
        return int(np.sort(self.values)[ceil(len(self.values) * q) - 1])

    def counts(self, drawn: Any, looks_at: Any) -> Iterator[tuple[str, Any, Any, float]]:
        """Of each figure the name, and after the sessions at each look of every run: of a quantile,
        how many are at most there and how many below; of a share, how many have it, and the
        truth."""
        for name, q in QUARTILES.items():
            at = self.quantile(q)
            yield name, _upto(drawn <= at, looks_at), _upto(drawn < at, looks_at), float(q)
        for name, has in (("gain", np.greater), ("even", np.equal), ("lose", np.less)):
            many = _upto(has(drawn, 0), looks_at)
            yield name, many, many, float(has(self.values, 0).mean())


def _upto(events: Any, looks_at: Any) -> Any:
    return np.cumsum(events, axis=1, dtype=np.int32)[:, looks_at - 1]


def misses(
    truth: Truth, drawn: Any, looks_at: Any, by: Intervals, alpha: float | None = None
) -> dict[str, Any]:
    """By figure, of every run and look whether the interval misses.

    Of shares at all looks, each with an error of ``alpha``, the counts at which ``share_bounds``
    leaves the truth out: those of ``sequences.ranks``.
    """
    found = {}
    for name, upto, below, true in truth.counts(drawn, looks_at):
        missed = np.zeros(upto.shape, bool)
        for look, n in enumerate(looks_at.tolist()):
            if name in QUARTILES:
                low, high = by.ranks(n, QUARTILES[name])
                missed[:, look] = (upto[:, look] < low) | (below[:, look] >= high)
                # without both ends no interval is printed
                missed[:, look] &= low >= 1 and high <= n
                continue
            if alpha is not None:
                low, high = ranks(n, true, alpha)
                missed[:, look] = (upto[:, look] < low) | (upto[:, look] >= high)
                continue
            some, places = np.unique(upto[:, look], return_inverse=True)
            ends = np.array([by.share(int(k), n) for k in some])
            outside = (ends[:, 0] > true + 1e-12) | (ends[:, 1] < true - 1e-12)
            missed[:, look] = outside[places]
        found[name] = missed
    return found


def print_over_sessions(many: int, runs: int, seed: int) -> None:
    """The coverage of quartiles and shares of sessions as two tables."""
    roles = ("hombre", "ally", "adversaries")
    heads = ("rule sets", "sessions", *FIGURES)
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")  # noqa: T201
    paths = []
    for number, reading in enumerate(OVER_SESSIONS):
        every = totals_of(reading, many)
        truths = [Truth(every[:, columns(4).index(role)]) for role in roles]
        rng = np.random.default_rng([seed, number])
        for n in (50, 500, 5000):
            held: dict[str, int] = {}
            for truth in truths:
                drawn = rng.choice(truth.values, (runs, n))
                for name, missed in misses(truth, drawn, np.array([n]), at_one_look()).items():
                    held[name] = held.get(name, 0) + runs - int(missed.sum())
            cells = (exact(held[name], len(roles) * runs) for name in FIGURES)
            print(f"| {reading.title} | {n:,} | {' | '.join(cells)} |", flush=True)  # noqa: T201
        paths.append(f"| {reading.title} | {' | '.join(_paths(truths, runs, rng))} |")
    heads = ("rule sets", "compare, quartiles", "compare, shares", "matters, all figures")
    print(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")  # noqa: T201
    print("\n".join(paths))  # noqa: T201


def _paths(truths: Sequence[Truth], runs: int, rng: Any) -> Iterator[str]:
    """In how many paths some interval misses at some look: of all quartiles of ``compare`` and of
    each of its shares, of all figures of ``matters``."""
    once = at_one_look(len(SPREAD) * len(QUARTILES) * LOOKS_COUNT_AS)
    alpha = ALPHA / (len(SPREAD) * len(FIGURES))
    always, later = at_all_looks(alpha), np.array(list(matters_looks(PATH)))
    seen = np.zeros((3, runs), bool)
    for start in range(0, runs, 100):
        part = slice(start, start + 100)
        # the same sessions for all roles
        drawn = rng.integers(len(truths[0].values), size=(len(range(runs)[part]), PATH))
        for truth in truths:
            some = truth.values[drawn]
            found = misses(truth, some, np.array(list(looks(PATH))), once)
            for name, missed in found.items():
                seen[0 if name in QUARTILES else 1, part] |= missed.any(axis=1)
            for missed in misses(truth, some, later, always, alpha).values():
                seen[2, part] |= missed.any(axis=1)
    for missed in seen:
        yield exact(int(missed.sum()), runs)


def seats_of(reference: str, many: int) -> Population:
    """What each seat of independent sessions gets more than the mean of all."""
    one = compile_reference(reference)
    arrays, scale = fast.tabulate([one.ruleset], ["steady"])
    workspace, found = fast.Workspace(BLOCK, LENGTH), []
    for first in range(0, many, BLOCK):
        lengths = [LENGTH] * min(BLOCK, many - first)
        played = sessions.play(arrays, LONG_SEED, first, lengths, workspace)
        moved = played.held[0].sums["moved"][~np.array(played.skip)][:, :4]
        found.append(4 * moved - moved.sum(axis=1, keepdims=True))
    return Population({TOTAL: np.concatenate(found)}, 4 * scale)


def stopped(found: Population, runs: int, rng: Any) -> tuple[int, int, int]:
    """Of studies that play until every seat is decided: in how many all are, some interval misses,
    some verdict is wrong."""
    each = found.differences[TOTAL] / found.scale
    truth, smallest = each.mean(axis=0), float(SMALLEST)
    decided = missed = wrong = 0
    for _ in range(runs):
        drawn, effects = each[:0], list[Effect]()
        for n in looks(MOST_SESSIONS[FAST]):
            more = rng.integers(len(each), size=n - len(drawn))
            drawn = np.concatenate([drawn, each[more]])
            frame = Effects(n, n * LENGTH, n * LENGTH**2)
            sums = [[Fraction(float(x)) for x in (drawn**p).sum(axis=0)] for p in (1, 2, 3, 4)]
            effects = [
                effect_of(
                    DifferenceSums(*powers, powers[0] * LENGTH, n),
                    frame,
                    LENGTH,
                    comparisons=4 * LOOKS_COUNT_AS,
                    forecast=False,
                )
                for powers in zip(*sums, strict=True)
            ]
            if all(e.answer in DECIDED for e in effects):
                break
        decided += all(e.answer in DECIDED for e in effects)
        pairs = [(e, float(t)) for e, t in zip(effects, truth, strict=True)]
        missed += any(not e.low <= t <= e.high for e, t in pairs if e.low is not None)
        wrong += any(e.answer == LARGER and abs(t) < smallest for e, t in pairs) or any(
            e.answer == SMALLER and abs(t) > smallest for e, t in pairs
        )
    return decided, missed, wrong


def print_seats(many: int, runs: int, seed: int) -> None:
    """The coverage of what seats earn beside the mean as a table."""
    heads = ("rule set", "largest", *(f"{n} sessions" for n in SEATS_SESSIONS))
    heads = (*heads, "all seats decided", "some interval misses", "some verdict is wrong")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")  # noqa: T201
    for number, reference in enumerate(SEATS_UNDER):
        found, rng = seats_of(reference, many), np.random.default_rng([seed, number])
        largest = np.abs(found.differences[TOTAL].mean(axis=0)).max() / found.scale
        cells = []
        for n in SEATS_SESSIONS:
            told = runs_of(
                found, TruePair(reference, ()), TOTAL, n * LENGTH, runs, rng, columns(4)[:4]
            )
            cells.append(exact(sum(told.held.values()), sum(told.given.values())))
        cells += [exact(part, runs) for part in stopped(found, runs, rng)]
        print(f"| {reference} | {largest:.1f} | {' | '.join(cells)} |", flush=True)  # noqa: T201


def starts_of(reading: TruePair, many: int) -> Any:
    """Matched starts of independent sessions: int64 (sessions, 2), those in which payments differ
    and all."""
    from quadrille_plugins.kernel import counting as at

    found = []
    for arrays, played, workspace in played_of(reading, many):
        again = sessions.replay(arrays, played, LONG_SEED, workspace, (0, 1))
        counts, _ = sessions.beside("count_replayed", arrays, played, at.STARTS, again, played.skip)
        kept = np.array(counts)
        found.append(
            np.stack([kept[:, at.STARTS_PAID], kept[:, : at.STAKES + 1].sum(axis=1)], axis=1)
        )
    return np.concatenate(found)


@dataclass(frozen=True, slots=True)
class StartsCoverage:
    """Of runs of one size how many intervals hold the truth, lie above it and below it, and their
    mean width."""

    share: float
    held: int
    above: int
    below: int
    width: float


def starts_runs(found: Any, deals: int, runs: int, rng: Any) -> StartsCoverage:
    """Draw ``runs`` runs of ``deals`` deals, of which every ``every``-th session is replayed, and
    try each interval."""
    sessions = len(range(0, deals // LENGTH, EVERY))
    values, counts = np.unique(found, axis=0, return_counts=True)
    x, n = values.T
    truth = int(found[:, 0].sum()) / int(found[:, 1].sum())
    held = above = below = 0
    width = 0.0
    for run in rng.multinomial(sessions, counts / len(found), size=runs):
        sums = (int((run * by).sum()) for by in (x, n, x * x, x * n, n * n))
        total, count, tt, tc, cc = sums
        e = share_of(Moments(sessions, Fraction(total), count, Fraction(tt), Fraction(tc), cc))
        if e.low is None or e.high is None:
            raise ValueError(f"{sessions} sessions are too few for an interval")
        above += e.low > truth
        below += e.high < truth
        held += e.low <= truth <= e.high
        width += e.high - e.low
    return StartsCoverage(truth, held, above, below, width / runs)


def print_starts(sessions: int, runs: int, seed: int) -> None:
    """The coverage of the share of matched starts as a table."""
    heads = ("rule sets", "share", "deals", "coverage (95 %)", "too high", "too low", "mean width")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")  # noqa: T201
    for number, reading in enumerate(STARTS):
        found = starts_of(reading, sessions)
        rng = np.random.default_rng([seed, number])
        for deals in reading.deals:
            told = starts_runs(found, deals, runs, rng)
            misses = " | ".join(f"{100 * many / runs:.1f} %" for many in (told.above, told.below))
            head = (
                f"| {reading.title} | {100 * told.share:.3g} % | {deals:,} | "
                f"{exact(told.held, runs)}"
            )
            print(f"{head} | {misses} | {100 * told.width:.3g} % |", flush=True)  # noqa: T201


@dataclass
class Coverage:
    """What the runs of one reading, estimand and size came to: by column, intervals given, those
    that hold, widths."""

    reading: str
    estimand: str
    deals: int
    runs: int
    given: dict[str, int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    width: dict[str, float] = field(default_factory=dict)


def runs_of(
    found: Population,
    reading: TruePair,
    estimand: str,
    deals: int,
    runs: int,
    rng: Any,
    names: tuple[str, ...] = SHOWN,
) -> Coverage:
    """Draw ``runs`` runs of ``deals`` deals, and try the interval of each column."""
    sessions = deals // LENGTH
    told = Coverage(reading.title, estimand, deals, runs)
    frame = Effects(sessions, deals, sessions * LENGTH**2)
    for name in names:
        d = found.differences[estimand][:, columns(4).index(name)]
        values, counts = np.unique(d, return_counts=True)
        drawn = rng.multinomial(sessions, counts / len(d), size=runs)
        powers = [values.astype(object) ** p for p in (1, 2, 3, 4)]
        truth = int(d.sum()) / len(d) / found.scale
        differs = values != 0
        for run in drawn:
            some = run.nonzero()[0]
            many = run[some].astype(object)
            total, *rest = (int((p[some] * many).sum()) for p in powers)
            parts = [Fraction(x, found.scale**p) for p, x in enumerate((total, *rest), 1)]
            change = DifferenceSums(*parts, parts[0] * LENGTH, int(run[differs].sum()))
            e = effect_of(change, frame, LENGTH)
            if e.low is None or e.high is None:
                continue
            told.given[name] = told.given.get(name, 0) + 1
            told.held[name] = told.held.get(name, 0) + (e.low <= truth <= e.high)
            told.width[name] = told.width.get(name, 0.0) + e.high - e.low
    return told


def exact(held: int, of: int) -> str:
    """A share with its exact 95 % interval."""
    low = beta.ppf(0.025, held, of - held + 1) if held else 0.0
    high = beta.ppf(0.975, held + 1, of - held) if held < of else 1.0
    return f"{100 * held / of:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def rows_of(told: Coverage) -> Iterator[str]:
    """A line for all columns together, then one for each."""
    given, held = sum(told.given.values()), sum(told.held.values())
    head = f"| {told.reading} | {told.estimand} | {told.deals:,} "
    if not given:
        yield f"{head}| all | none given | | |"
        return
    # as if a run were one interval: its columns miss together
    many = round(given / len(told.given))
    share = 100 * given / (told.runs * len(SHOWN))
    yield f"{head}| all | {exact(round(held / given * many), many)} | | {share:.0f} % |"
    for name, n in told.given.items():
        share = 100 * n / told.runs
        yield (
            f"{head}| {name} | {exact(told.held[name], n)} | {told.width[name] / n:.2f} | "
            f"{share:.0f} % |"
        )


def main() -> None:
    """Print the coverage as a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--sessions", type=int, default=25_000)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--starts", action="store_true")
    parser.add_argument("--over-sessions", action="store_true")
    parser.add_argument("--seats", action="store_true")
    wanted = parser.parse_args()
    if wanted.over_sessions:
        print_over_sessions(wanted.sessions, wanted.runs, wanted.seed)
        return
    if wanted.seats:
        print_seats(wanted.sessions, wanted.runs, wanted.seed)
        return
    if wanted.starts:
        print_starts(wanted.sessions, wanted.runs, wanted.seed)
        return
    heads = ("reading", "estimand", "deals", "column", "coverage (95 %)", "mean width", "given")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")  # noqa: T201
    for number, reading in enumerate(READINGS):
        found = population(reading, wanted.sessions)
        rng = np.random.default_rng([wanted.seed, number])
        for deals in reading.deals:
            for estimand in (TOTAL, DIRECT, CARRIED):
                for row in rows_of(runs_of(found, reading, estimand, deals, wanted.runs, rng)):
                    print(row, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
