"""The configurations of disputed points: which are valid, all of them in order, or a random sample.

A configuration is valid when the compiler takes it.  It is named by the place of each point's
reading; what the rule set itself has is its *origin*.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product
from math import prod
from typing import Any, Final

from quadrille_core.errors import Command, Problem, ProfileError, UsageError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.profile.records import ProfileDoc
from quadrille_core.registry import Registry
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import (
    Compiled,
    PointState,
    Reference,
    compile_chain,
    load_chain,
    parse_reference,
)
from quadrille_core.stream import Purpose, Stream

Configuration = tuple[int, ...]
"""For each point ranked the place of its reading."""

MOST_REFUSED: Final = 2000
"""Draws refused one after another after which valid configurations are said to be too rare to be
drawn."""


@frozen
class Space:
    """All configurations of some points, the other rules as the rule set has them."""

    reference: Reference
    chain: tuple[ProfileDoc, ...]
    readings: Mapping[str, str]
    settings: Mapping[str, Any]
    base: Compiled
    points: tuple[PointState, ...]
    _refusals: dict[Configuration, tuple[Problem, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """What is known already; a space of few configurations is drawn from many times."""

    @property
    def names(self) -> tuple[str, ...]:
        """The points."""
        return tuple(state.point.id for state in self.points)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many readings each point has."""
        return tuple(len(state.point.readings) for state in self.points)

    @property
    def origin(self) -> Configuration:
        """The readings in use."""
        return tuple([r.id for r in s.point.readings].index(s.reading.id) for s in self.points)

    @property
    def many(self) -> int:
        """How many configurations there are, valid or not."""
        return prod(self.sizes)

    def reading(self, point: int, place: int) -> str:
        """The name of a reading."""
        return self.points[point].point.readings[place].id

    def _chosen(self, configuration: Configuration) -> dict[str, str]:
        """The readings of a configuration.

        Only what differs from the origin is chosen by hand, so that the origin is the rule set that
        was named.
        """
        chosen = {
            state.point.id: state.point.readings[place].id
            for state, place, own in zip(self.points, configuration, self.origin, strict=True)
            if place != own
        }
        return {**self.readings, **chosen}

    def compile(self, configuration: Configuration) -> Compiled:
        """The rule set of a configuration with where its rules come from; raises ProfileError when
        it is not valid."""
        readings = self._chosen(configuration)
        compiled = compile_chain(
            self.chain, self.reference, readings=readings, settings=self.settings
        )
        self._check_players(compiled.ruleset)
        return compiled

    def ruleset(self, configuration: Configuration, registry: Registry | None = None) -> RuleSet:
        """The rule set alone, as ``compile`` makes it but faster; ``registry`` holds loaded
        plugins."""
        readings = self._chosen(configuration)
        game = compile_chain(
            self.chain, self.reference, readings=readings, settings=self.settings, registry=registry
        ).game
        if not isinstance(game, RuleSet):
            raise TypeError("a space has none but games of tricks")
        self._check_players(game)
        return game

    def _check_players(self, ruleset: RuleSet) -> None:
        players, own = ruleset.rules.table.players, self.base.ruleset.rules.table.players
        if players != own:
            raise UsageError.of("alternative-seats-others", players=players, own=own)

    def refusal(self, configuration: Configuration) -> tuple[Problem, ...]:
        """Why a configuration is not valid; empty when it is."""
        if configuration not in self._refusals:
            why: tuple[Problem, ...] = ()
            try:
                self.ruleset(configuration)
            except (ProfileError, UsageError) as e:
                why = e.problems
            self._refusals[configuration] = why
        return self._refusals[configuration]

    def switched(self, configuration: Configuration, point: int) -> tuple[Configuration, ...]:
        """The configuration with each reading of a point in turn, the others held."""
        return tuple(
            (*configuration[:point], place, *configuration[point + 1 :])
            for place in range(self.sizes[point])
        )

    def every(self, seed: int) -> list[Configuration]:
        """All configurations, valid or not, shuffled: any prefix is a sample of all."""
        found = list(product(*map(range, self.sizes)))
        Stream(seed, 0, 0, Purpose.READING).shuffle(found)
        return found

    def drawn(self, seed: int) -> Iterator[tuple[Configuration, int]]:
        """Random valid configurations, uniformly with replacement, and how many draws were rejected
        before each.

        Every point's reading is drawn by itself and evenly; what the compiler refuses is drawn anew
        as a whole.  Raises UsageError when nearly all is refused.
        """
        stream, refused = Stream(seed, 1, 0, Purpose.READING), 0
        while True:
            configuration = tuple(stream.below(size) for size in self.sizes)
            if not self.refusal(configuration):
                yield configuration, refused
                refused = 0
                continue
            refused += 1
            if refused >= MOST_REFUSED:
                raise UsageError.of("no-valid-configuration", refused=refused)


def space_of(
    text: str,
    readings: Mapping[str, str],
    settings: Mapping[str, Any],
    points: Sequence[str] | None = None,
) -> Space:
    """The space of these points of a rule set, or of all that are open.

    Raises UsageError for a point there is not and when there is none at all, ProfileError where the
    rule set itself is at fault.
    """
    reference = parse_reference(text)
    chain = load_chain(reference.profile)
    base = compile_chain(chain, reference, readings=readings, settings=settings)
    _ = base.ruleset  # a patience is refused in its own words
    known = {state.point.id: state for state in base.points if len(state.point.readings) > 1}
    asked = points or ()
    for name in asked:
        if name not in known:
            raise UsageError.of(
                "no-open-point",
                did_you_mean(name, known, what="open points"),
                name=name,
                profile=base.identity.profile,
                command=Command("show", (text,)),
            )
    chosen = tuple(known[name] for name in dict.fromkeys(asked)) if asked else tuple(known.values())
    if not chosen:
        raise UsageError.of("leaves-no-point-open", profile=base.identity.profile)
    return Space(reference, chain, dict(base.identity.readings), dict(settings), base, chosen)
