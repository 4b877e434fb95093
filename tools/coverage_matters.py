"""How often the intervals of payments of ``matters`` fail: paths of real sessions, looked at as a
study looks at them.

``python tools/coverage_matters.py [PATHS [SESSIONS [READING…]]]`` plays ``SESSIONS`` sessions of
each reading by the kernel, draws paths from them with replacement, so that the truth is their mean,
and counts the paths of which some interval misses it at some look.  Shares have exact binomial
intervals (Clopper and Pearson).  For comparison it counts the same for the asymptotic sequence that
was used before, given wherever 30 sessions differ.

``--family`` plays the same cards by every member of the family, among whom the level is divided,
draws the same sessions for all, and counts the paths of which some interval of some member misses
at some look: a verdict of the family can be wrong only there.

``--over`` does the same for effects averaged over readings by weights: it counts the paths of which
some interval of an answer misses at some look, of a combination of readings or of the average, and
those of which the average's does, given the whole level.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import log, sqrt
from typing import Any, Final

import numpy as np
from matters_calibration import exact
from quadrille_plugins.deal.players import family
from quadrille_plugins.matters.averages import moved_by
from quadrille_plugins.matters.study import looks, reaches
from quadrille_plugins.matters.weights import combinations_of, weighed
from quadrille_plugins.studies import fast
from quadrille_plugins.studies import sessions as played_sessions
from quadrille_plugins.studies.accounts import ACCOUNTS, IF_MOVED, columns, places
from quadrille_plugins.studies.effects import CARRIED, DIRECT, TOTAL
from quadrille_plugins.studies.sequences import ALPHA, BETS, PayeeSums

from quadrille_core.ruleset import compile_reference

BASE: Final = "quanti-1822"
DEALS: Final = 40
SEED: Final = 271_828
ALTERNATIVES: Final = 65
"""Alternatives among which the study of all points divides the level."""
LONGEST: Final = 12_800
"""Sessions of a path: about half a million deals."""
SHOWN: Final = (500, 2500, 10_000)
"""Sessions after which, or at the next look, mean widths are shown."""
SURELY: Final = 2.0
"""Standard errors: no interval that holds at all looks is narrower."""
FEWEST_MOVED: Final = 30
"""Differing sessions below which the asymptotic sequence gave no interval."""


@dataclass(frozen=True)
class TrueReading:
    """A reading held against the base."""

    title: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)


READINGS: Final = {
    "premiers": TrueReading("premiers pay three", {"payments.premiers": 3}),
    "beasts": TrueReading("`beast_series=doubling`", readings={"beast_series": "doubling"}),
    "queen": TrueReading("`queen_when=four_kings`", readings={"queen_when": "four_kings"}),
    "vole": TrueReading(
        "`failed_vole_keeps=without_premiers`", readings={"failed_vole_keeps": "without_premiers"}
    ),
    "announced": TrueReading(
        "`announced_vole_premium=pool_only`", readings={"announced_vole_premium": "pool_only"}
    ),
}
"""From common to rare."""

OVER: Final = (
    ("solo_premium:four_units=2,two_units=1,double_stake=1",),
    ("codille_shared:always=3,triple_stake=1", "codille_base:pool=1,taken=1"),
    ("queen_when:three_plain_kings=3,four_kings=1", "failed_vole_keeps:all=1,without_premiers=1"),
)
"""Points with weights on their readings."""


NAMES = tuple(name for name in columns(4) if name not in IF_MOVED)
"""The columns among which errors are divided: rules without a fund move nothing in one."""
UNOWNED = len([name for name in ACCOUNTS if name in NAMES])
"""How many of the last of them are accounts that are nobody's."""


@dataclass(frozen=True)
class SampledSessions:
    """What sessions moved, in counters, (sessions, columns): under both rule sets, and the
    differences by estimand."""

    first: Any
    second: Any
    differences: Mapping[str, Any]
    known: Any = None
    """Of an average, what no combination exceeds, by its weights."""

    @property
    def reach(self) -> Any:
        """The most that each session tells of: a sum won or lost, or a difference."""
        seen = np.max(np.abs([self.first, self.second, self.differences[TOTAL]]), axis=0)
        return seen if self.known is None else self.known


def play(
    reading: TrueReading, sessions: int, *, decompose: bool, bot: str = "steady"
) -> SampledSessions:
    """Play sessions of a reading by the kernel in one thread; without those that it cannot tell
    exactly."""
    rules = [
        compile_reference(BASE),
        compile_reference(BASE, settings=reading.settings, readings=reading.readings),
    ]
    arrays, scale = fast.tabulate([c.ruleset for c in rules], [bot])
    found: list[list[Any]] = [[], [], []]

    for first, lengths, workspace in played_sessions.parts(
        0, [DEALS] * sessions, fast.workspace(DEALS)
    ):
        played = played_sessions.play(arrays, SEED, first, lengths, workspace)
        if decompose:
            played_sessions.replay(arrays, played, SEED, workspace, (0, 1))
        kept = ~np.array(played.skip)
        for sums, held in zip(found, (*played.held, *played.replays.values()), strict=False):
            sums.append(held.sums["moved"][kept] / scale)
    here = [place for name, place in zip(columns(4), places(4), strict=True) if name in NAMES]
    first, second, *replayed = (np.concatenate(part)[:, here] for part in found if part)
    differences = {TOTAL: second - first}
    if replayed:
        differences |= {DIRECT: replayed[0] - first, CARRIED: second - replayed[0]}
    return SampledSessions(first, second, differences)


def play_over(texts: Sequence[str], sessions: int) -> list[SampledSessions]:
    """The same for every combination of these points' readings but that in use, and last for their
    average by the weights, all on the same deals."""
    base = compile_reference(BASE)
    rules = combinations_of(base, BASE, [weighed(base, text) for text in texts], {}, {})
    engines, scale = fast.tabulate([one.compiled.ruleset for one in rules], ["steady"])
    here = [place for name, place in zip(columns(4), places(4), strict=True) if name in NAMES]
    blocks = []
    for first, lengths, room in played_sessions.parts(0, [DEALS] * sessions, fast.workspace(DEALS)):
        played, moved = moved_by(engines, SEED, first, lengths, room)
        blocks.append(np.array(moved, float)[:, ~np.array(played.skip)][:, :, here])
    moved = np.concatenate(blocks, axis=1) / scale
    weights = np.array([float(one.weight or 0) for one in rules])
    found = [SampledSessions(moved[0], one, {TOTAL: one - moved[0]}) for one in moved[1:]]
    average = np.tensordot(weights, moved, 1)
    far = np.tensordot(weights[1:], [one.reach for one in found], 1)
    return [*found, SampledSessions(moved[0], average, {TOTAL: average - moved[0]}, far)]


@dataclass
class CoverageAccount:
    """What the paths of one reading and estimand came to."""

    differ: float
    """The share of sessions that differ in some column."""
    paths: int = 0
    missed: int = 0
    """Paths of which some column misses at some look, at the level that is divided among the
    columns."""
    missed_alone: int = 0
    """Of which the column that misses oftenest does, each given the whole level."""
    missed_in_study: int = 0
    """As ``missed``, at the study's level."""
    before: int = 0
    """As ``missed_alone``, by the asymptotic sequence."""
    before_in_study: int = 0
    shown: dict[int, list[tuple[float, float]]] = field(default_factory=dict)
    """Half the corrected intervals of the eldest hand and of Hombre, path by path, after so many
    sessions."""


def account(
    found: SampledSessions, estimand: str, paths: int, *, seed: int = 1, longest: int = LONGEST
) -> CoverageAccount:
    """Draw paths of sessions and look at each as ``matters`` does."""
    rng, d = np.random.default_rng(seed), found.differences[estimand]
    told = CoverageAccount(float((d != 0).any(axis=1).mean()), paths)
    many, names, truth = d.shape[1], NAMES, d.mean(axis=0)
    summed = np.concatenate([d, d * d, d != 0], axis=1)
    reach = found.reach
    moving = [c for c in range(many) if reach[:, c].any() or d[:, c].any()]
    wrong = {
        kind: np.zeros((paths, many), bool)
        for kind in ("missed", "alone", "study", "before", "before study")
    }
    for path in range(paths):
        payments, sums, most, done = (
            [PayeeSums() for _ in moving],
            np.zeros(3 * many),
            np.zeros(many),
            0,
        )
        shown = list(SHOWN)
        for upto in looks(longest):
            drawn = rng.integers(0, len(d), upto - done)
            sums += summed[drawn].sum(axis=0)
            most = np.maximum(most, reach[drawn].max(axis=0))
            done = upto
            total, squares, differing = np.split(sums, 3)
            off = np.abs(total / upto - truth)
            deviation = np.sqrt(np.maximum(0, squares / upto - (total / upto) ** 2))
            given = differing >= FEWEST_MOVED
            wrong["before"][path] |= given & (off > asymptotic(upto, ALPHA) * deviation)
            wrong["before study"][path] |= given & (
                off > asymptotic(upto, ALPHA / ALTERNATIVES) * deviation
            )
            far = reaches(dict(zip(names, most.tolist(), strict=True)))
            for one, c in zip(payments, moving, strict=True):
                one.look(upto, total[c], squares[c], int(differing[c]), far[names[c]])
                # a smaller level is wider, so that what this one does not miss none does
                if off[c] > least(one) and off[c] > one.half(ALPHA):
                    wrong["alone"][path, c] = True
                    wrong["missed"][path, c] |= off[c] > one.half(ALPHA / many)
                    wrong["study"][path, c] |= off[c] > one.half(ALPHA / ALTERNATIVES / many)
            if shown and upto >= shown[0]:
                half = {c: one.half(ALPHA / many) for one, c in zip(payments, moving, strict=True)}
                told.shown.setdefault(shown.pop(0), []).append(
                    (half[0], half[names.index("hombre")])
                )
    told.missed = int(wrong["missed"].any(axis=1).sum())
    told.missed_alone = int(wrong["alone"].sum(axis=0).max())
    told.missed_in_study = int(wrong["study"].any(axis=1).sum())
    told.before = int(wrong["before"].sum(axis=0).max())
    told.before_in_study = int(wrong["before study"].sum(axis=0).max())
    return told


def family_account(
    found: Sequence[SampledSessions], paths: int, *, seed: int = 1, longest: int = LONGEST
) -> tuple[int, int]:
    """In how many paths some interval of some member misses at some look, by the level of one
    alternative and by that of a study of all."""
    rng, missed = np.random.default_rng(seed), np.zeros((2, paths), bool)
    for path in range(paths):
        members = [_FamilyMember(one) for one in found]
        done = 0
        for upto in looks(longest):
            drawn = rng.integers(0, min(len(m.difference) for m in members), upto - done)
            done = upto
            for member in members:
                alpha = ALPHA / len(found) / len(NAMES)
                if member.misses(drawn, upto, alpha):  # as it must before it does at a lower level
                    missed[0, path] = True
                    missed[1, path] |= member.misses(drawn, upto, alpha / ALTERNATIVES)
    return int(missed[0].sum()), int(missed[1].sum())


class _FamilyMember:
    """What one member's path has come to."""

    def __init__(self, found: SampledSessions) -> None:
        self.difference = found.differences[TOTAL]
        self.truth = self.difference.mean(axis=0)
        self.reach = found.reach
        d = self.difference
        self.summed = np.concatenate([d, d * d, d != 0], axis=1)
        self.moving = [c for c in range(d.shape[1]) if self.reach[:, c].any()]
        self.payments = {c: PayeeSums() for c in self.moving}
        self.sums, self.most, self.seen = np.zeros(3 * d.shape[1]), np.zeros(d.shape[1]), 0

    def misses(self, drawn: Any, upto: int, alpha: float) -> bool:
        """Whether an interval at this level misses, after the sessions drawn were added once."""
        if self.seen != upto:
            self.seen = upto
            self.sums += self.summed[drawn].sum(axis=0)
            self.most = np.maximum(self.most, self.reach[drawn].max(axis=0))
            total, squares, differing = np.split(self.sums, 3)
            self.off = np.abs(total / upto - self.truth)
            far = reaches(dict(zip(NAMES, self.most.tolist(), strict=True)))
            for c, one in self.payments.items():
                one.look(upto, total[c], squares[c], int(differing[c]), far[NAMES[c]])
            self.near = SURELY * np.sqrt(np.maximum(0, squares / upto - (total / upto) ** 2) / upto)
        return any(
            self.off[c] > self.near[c]
            and self.off[c] > least(one)
            and self.off[c] > one.half(alpha)
            for c, one in self.payments.items()
        )


def least(one: PayeeSums) -> float:
    """What half the interval at ``ALPHA`` is never less than, quickly: the mixture is no more than
    its largest term."""
    scale = one.reach + one.farthest
    v, limit = one.spread / scale**2, log(2 / ALPHA)
    return min((limit + (-log(1 - s) - s) * v) / s for s in BETS) * scale / one.sessions


def asymptotic(sessions: int, alpha: float, tuned_for: int = 1000) -> float:
    """Half the width, in standard deviations, of the sequence of Waudby-Smith, Arbour, Sinha,
    Kennedy and Ramdas."""
    rho = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / tuned_for
    grown = sessions * rho + 1
    return sqrt(2 * grown / (sessions**2 * rho) * log(sqrt(grown) / alpha))


def rows(told: CoverageAccount) -> Iterator[str]:
    """The cells of one row of the table in docs/coverage.md."""
    yield f"{100 * told.differ:.3g} %"
    yield exact(told.missed, told.paths)
    yield exact(told.missed_alone, told.paths)
    yield exact(told.missed_in_study, told.paths)
    for at in SHOWN:
        seat, hombre = np.mean(told.shown[at], axis=0)
        yield f"± {seat:.1f}, ± {hombre:.1f}"
    yield exact(told.before, told.paths)
    yield exact(told.before_in_study, told.paths)


def main(arguments: Sequence[str]) -> None:
    """Print a table row for every reading and estimand."""
    numbers = [int(a) for a in arguments if a.isdigit()]
    paths, sessions = (*numbers, *(1000, 30_000)[len(numbers) :])
    tell = partial(print, flush=True)
    for texts in OVER if "--over" in arguments else ():
        found = play_over(texts, sessions)
        some, _ = family_account(found, paths)
        told = account(found[-1], TOTAL, paths)
        widths = (f"± {np.mean(told.shown[at], axis=0)[1]:.1f}" for at in SHOWN)
        cells = (f"{100 * told.differ:.3g} %", exact(some, paths), exact(told.missed, paths))
        tell("|", " | ".join(("; ".join(f"`{t}`" for t in texts), *cells, *widths)), "|")
    if "--over" in arguments:
        return
    for name in [a for a in arguments if a in READINGS] or READINGS:
        if "--family" in arguments:
            members = [play(READINGS[name], sessions, decompose=False, bot=bot) for bot in family()]
            one, study = family_account(members, paths)
            tell(f"| {READINGS[name].title} | {exact(one, paths)} | {exact(study, paths)} |")
            continue
        found = play(READINGS[name], sessions, decompose=True)
        for estimand in (TOTAL, DIRECT):
            told = account(found, estimand, paths)
            tell("|", " | ".join((READINGS[name].title, estimand, *rows(told))), "|")


if __name__ == "__main__":
    main(sys.argv[1:])
