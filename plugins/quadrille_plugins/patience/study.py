"""The odds of a patience under several rule sets, on the same shuffles, beside those that were
printed.

Games are independent, so each is a sampling unit of its own.  Game *n* of a seed is the same
shuffle of the same packs under every rule set, less the cards that one lays out first.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, ClassVar, Final

from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen, frozen_by_keyword
from quadrille_core.profile.records import PublishedDoc
from quadrille_core.ruleset import Compiled
from quadrille_plugins.diff.differences import RuleDifference, rules_difference
from quadrille_plugins.patience.game import PatienceGame, gatherer, layout_of, play, shuffled_packs
from quadrille_plugins.patience.proof import argument, exact_odds, lost_order
from quadrille_plugins.patience.rules import PatienceRules
from quadrille_plugins.shell.values import names_beside
from quadrille_plugins.studies.design import Progress
from quadrille_plugins.studies.intervals import Estimate, paired_difference, proportion
from quadrille_plugins.studies.runner.executors import PROCESSES, Placement
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import Numbered, numbered

ROUND: Final = 5
"""Odds in print are round figures: so many in this many at most."""

BATCH: Final = 250
"""Games of a block."""


@frozen
class OddsCheck:
    """Odds that a source gives, beside ours."""

    published: PublishedDoc
    ours: bool
    """Whether they are given for rules such as these, as far as the source says."""
    beside: str
    """``inside`` the interval of our estimate, ``below`` or ``above`` it; of exact odds ``equal``,
    below or above."""
    rounded: bool
    """Whether ours, told in as round a figure, are these."""


@frozen_by_keyword
class Odds:
    """One rule set's games summed up, and what is known of it without playing any."""

    compiled: Compiled
    won: int
    share: Estimate
    first_lost: int | None
    """The first game that was lost."""
    proof: tuple[str, ...]
    """Why no game can be lost; empty where some can, or nothing is proved."""
    lost: tuple[int, ...] | None
    """Where chance found no lost game: an order of the packs that is lost, if one was found."""
    exact: Fraction | None
    verdicts: tuple[OddsCheck, ...]

    @property
    def standing(self) -> str:
        """``cannot lose``, ``can lose``, or ``undecided``."""
        if self.proof:
            return "cannot lose"
        return "undecided" if self.first_lost is None and self.lost is None else "can lose"


@frozen_by_keyword
class OddsPair:
    """The first rule set against another, game by game."""

    first: int
    second: int
    rules_diff: tuple[RuleDifference, ...]
    only_first: int
    only_second: int
    difference: Estimate
    examples: tuple[int, ...]
    """The first games that one wins and the other loses."""


@frozen_by_keyword
class OddsComparison:
    """Everything that was found."""

    seed: int
    games: int
    odds: tuple[Odds, ...]
    pairs: tuple[OddsPair, ...]
    interrupted: bool = False

    @property
    def names(self) -> list[str]:
        """What the rule sets are called."""
        return names_beside([o.compiled for o in self.odds])


def every_reading(compiled: Compiled) -> list[dict[str, str]]:
    """Every combination of readings of the points still open and not chosen by hand, those in use
    first."""
    chosen = dict(compiled.identity.readings)
    points = [s for s in compiled.points if s.point.id not in chosen]
    ways = [
        sorted((r.id for r in s.point.readings), key=lambda r, s=s: r != s.reading.id)  # type: ignore[misc]
        for s in points
    ]
    return [dict(zip((s.point.id for s in points), way, strict=True)) for way in product(*ways)]


def compare_odds(
    compiled: Sequence[Compiled],
    *,
    games: int,
    seed: int,
    workers: int = 1,
    examples: int = 5,
    progress: Progress | None = None,
    runner: Runner | None = None,
) -> OddsComparison:
    """Play the same games under every rule set and sum up; ``runner`` plays the blocks, else as
    many workers do.

    Raises UsageError when they are not played with as many packs.  Interrupted by the user, it
    reports what was finished; it raises KeyboardInterrupt only when nothing was.
    """
    rules = [c.game.rules for c in compiled]
    other = next((c for c in compiled if c.game.rules.stock.packs != rules[0].stock.packs), None)
    if other is not None:
        raise UsageError.of(
            "different-numbers-of-packs",
            profile=compiled[0].identity.profile,
            profile2=other.identity.profile,
        )
    won: list[list[bool]] = []

    def take(block: list[list[bool]]) -> int:
        won.extend(block)
        return len(won)

    running, tasks = runner or Runner(Placement(workers)), partial(numbered, games, BATCH, "games")
    interrupted = running.add_up(Playing(tuple(rules), seed), tasks, take, games, progress)
    return OddsComparison(
        seed=seed,
        games=len(won),
        odds=tuple(_odds(c, [game[i] for game in won], seed) for i, c in enumerate(compiled)),
        pairs=tuple(_pair(compiled, won, i, examples) for i in range(1, len(compiled))),
        interrupted=interrupted,
    )


def lost_game(odds: Odds, seed: int) -> PatienceGame | None:
    """The game that was looked for and is lost, where chance found none; a heap is shuffled in it
    as in game 0."""
    if odds.lost is None:
        return None
    rules = odds.compiled.game.rules
    layout = layout_of(rules)
    return play(rules, layout, layout.stock(odds.lost), gatherer(rules, seed, 0))


@frozen
class Playing:
    """Plays games under every rule set: which of these win each game."""

    rules: tuple[PatienceRules, ...]
    seed: int

    usual: ClassVar[str] = PROCESSES
    task: ClassVar[Any] = Numbered
    result: ClassVar[Any] = list[list[bool]]

    def fits(self, task: Numbered, found: list[list[bool]]) -> bool:
        """Whether a block read from disk is of these games and rule sets, judged by its shape."""
        return len(found) == task.count and all(len(won) == len(self.rules) for won in found)

    def ready(self) -> Callable[[Numbered], list[list[bool]]]:
        """As ``Work`` says."""
        layouts = [layout_of(r) for r in self.rules]

        def won(order: Any, game: int) -> list[bool]:
            both = zip(self.rules, layouts, strict=True)
            return [
                play(
                    r, layout, layout.stock(order), gatherer(r, self.seed, game), keep_steps=False
                ).won
                for r, layout in both
            ]

        def play_games(task: Numbered) -> list[list[bool]]:
            packs = self.rules[0].stock.packs
            return [won(shuffled_packs(packs, self.seed, n), n) for n in task.numbers]

        return play_games


def _odds(compiled: Compiled, won: Sequence[bool], seed: int) -> Odds:
    rules = compiled.game.rules
    share = proportion(sum(won), len(won))
    proof = tuple(argument(rules))
    first_lost = won.index(False) if False in won else None
    if proof and first_lost is not None:
        raise AssertionError(f"game {first_lost} of seed {seed} is lost, and was proved to be won")
    exact = exact_odds(rules)
    return Odds(
        compiled=compiled,
        won=sum(won),
        share=share,
        first_lost=first_lost,
        proof=proof,
        lost=lost_order(rules, seed) if first_lost is None and not proof else None,
        exact=exact,
        verdicts=tuple(
            OddsCheck(
                p,
                _given_for(compiled, p),
                _beside(p.odds, share, exact),
                _round(exact or share.mean) == p.odds,
            )
            for doc in compiled.chain
            for p in doc.published
        ),
    )


def _given_for(compiled: Compiled, published: PublishedDoc) -> bool:
    """Whether the rules are such as the odds are given for."""

    def value(path: str) -> Any:
        return compiled.origins[path].value if path in compiled.origins else None

    return all(value(c.path) in c.allowed for c in published.of)


def _beside(odds: Fraction, share: Estimate, exact: Fraction | None) -> str:
    low, high = (exact, exact) if exact is not None else (share.low or 0.0, share.high or 0.0)
    if odds < low:
        return "below"
    if odds > high:
        return "above"
    return "inside" if exact is None else "equal"


def _round(odds: Fraction) -> Fraction:
    """The nearest odds with a denominator of at most ROUND."""
    return min(
        {Fraction(n, of) for of in range(1, ROUND + 1) for n in range(of + 1)},
        key=lambda f: (abs(f - odds), f),
    )


def _pair(
    compiled: Sequence[Compiled], won: Sequence[Sequence[bool]], other: int, examples: int
) -> OddsPair:
    parted = [n for n, game in enumerate(won) if game[0] != game[other]]
    only_first = sum(won[n][0] for n in parted)
    return OddsPair(
        first=0,
        second=other,
        rules_diff=rules_difference(compiled[0], compiled[other]),
        only_first=only_first,
        only_second=len(parted) - only_first,
        difference=paired_difference(len(parted) - only_first, only_first, len(won)),
        examples=tuple(parted[:examples]),
    )
