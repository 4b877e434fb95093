"""Which configurations compile: each check of the compiler on as few points as it depends on."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from quadrille_core.kinds import TRICKS
from quadrille_core.profile.records import PointDoc
from quadrille_core.ruleset import compile as compiling
from quadrille_core.ruleset.crosscheck import broken_assumptions, missing, parts, unmet
from quadrille_core.ruleset.merge import Choices, Merge
from quadrille_plugins.discriminate.configurations import Answer, ConfigurationSpace, Pick
from quadrille_plugins.discriminate.tracing import TracedRules


class Validity:
    """The configurations of a space checked as the compiler checks them."""

    def __init__(self, space: ConfigurationSpace) -> None:
        self.space: Final = space

    def valid(self) -> int:
        """True for the configurations that the compiler lets stand."""
        answers, diagrams = self.space.answers, self.space.diagrams
        found = diagrams.map("faultless", lambda n: not answers[n].faulty, self.space.plugins)
        found = diagrams.both(found, self._no_rule_set_twice())
        for check in self._checks():
            if found == diagrams.false:
                break
            found = diagrams.both(
                found, self.space.explore(found, check, what="which configurations compile")
            )
        return found

    def _no_rule_set_twice(self) -> int:
        """True where no two points of one profile set the same rule."""
        found = self.space.diagrams.true
        for doc in self.space.chain:
            for place, one in enumerate(doc.points):
                for two in doc.points[place + 1 :]:
                    found = self.space.diagrams.both(found, self._apart(one, two))
        return found

    def _apart(self, one: PointDoc, two: PointDoc) -> int:
        ways = [self._ways(p) for p in (one, two)]
        found = self.space.diagrams.true
        for first, cube in ways[0]:
            for second, other in ways[1]:
                if first & second:
                    found = self.space.diagrams.both(found, self._never((*cube, *other)))
        return found

    def _ways(self, point: PointDoc) -> list[tuple[set[str], tuple[tuple[int, int], ...]]]:
        """What each reading of a point sets, and in which configurations it is chosen."""
        number = self.space.places.get(point.id)
        if number is not None:
            return [
                ({p for p, _, _ in r.sets}, ((number, n),)) for n, r in enumerate(point.readings)
            ]
        reading, _ = self._choices.of(point)
        return [({p for p, _, _ in reading.sets}, ())]

    @cached_property
    def _choices(self) -> Choices:
        """The readings of the points that are not left open, those that are settled among them."""
        return self.space.draft(self.space.base).choices

    def _never(self, cube: tuple[tuple[int, int], ...]) -> int:
        return self.space.diagrams.map("not", lambda v: not v, self.space.diagrams.cube(cube))

    def _checks(self) -> Iterator[Callable[[Pick], Answer]]:
        chain = self.space.chain
        required, assumed = compiling.demands(chain)
        several: list[Callable[[Merge], Iterable[Any]]] = []
        if self.space.kind == TRICKS:
            bids = dict.fromkeys(
                p.split(".")[1] for p in self.space.merged(self.space.base) if p.startswith("bids.")
            )
            bids |= dict.fromkeys(
                p.split(".")[1] for p in self.space.every_path if p.startswith("bids.")
            )
            several += parts(bids)
        else:
            several.append(compiling.contradictions)
        several.append(lambda merge: compiling.uncited(merge, chain))
        several += [lambda merge, d=d: unmet(merge, [d]) for d in required]  # type: ignore[misc]
        several += [lambda merge, a=a: broken_assumptions(merge, [a]) for a in assumed]  # type: ignore[misc]
        for check in several:
            yield self._check(check)
        for number in range(max((len(a.demands) for a in self.space.answers), default=0)):
            yield self._check_of_plugin(number)
        for point in [*self.space.places, *self.space.by_hand]:
            yield self._chosen(point)

    def _check(self, check: Callable[[Merge], Iterable[Any]]) -> Callable[[Pick], Answer]:
        def ask(pick: Pick) -> Answer:
            merge = TracedRules(self.space.kind, self.space.values(pick))
            stands = not list(missing(merge, None)) and not list(check(merge))
            return stands, self._of_merge(merge)

        return ask

    def _of_merge(self, merge: TracedRules) -> set[int]:
        """The points on which it depends what a check has read."""
        found: set[int] = set()
        for tracing in merge.noted:
            found |= self.space.consulted(tracing.read)
            found |= self.space.consulted(p for p in tracing.asked if not self.space.is_sure(p))
            if tracing.listed:
                found |= self.space.listing()
        return found

    def _check_of_plugin(self, number: int) -> Callable[[Pick], Answer]:
        answers, plugins = self.space.answers, self.space.plugins

        def demand(n: int) -> Any:
            return answers[n].demands[number] if number < len(answers[n].demands) else None

        varies = self.space.diagrams.support(
            self.space.diagrams.map(("demand", number), lambda n: repr(demand(n)), plugins)
        )

        def ask(pick: Pick) -> Answer:
            merge = TracedRules(self.space.kind, self.space.values(pick))
            asked = demand(self.space.at(plugins, pick))
            stands = asked is None or not list(unmet(merge, [asked]))
            return stands, self._of_merge(merge) | varies

        return ask

    def _chosen(self, point: str) -> Callable[[Pick], Answer]:
        """Whether the reading chosen takes effect."""

        def ask(pick: Pick) -> Answer:
            drawn = self.space.draft(pick)
            before = len(drawn.merge.problems)
            compiling.check_chosen(drawn, point)
            reads = {path for r in drawn.choices.points[point].readings for path, _, _ in r.sets}
            consulted = {self.space.places[point]} if point in self.space.places else set()
            for path in reads:
                consulted |= self.space.sets.get(path, frozenset()) | self.space.offers_depend(path)
            return len(drawn.merge.problems) == before, consulted

        return ask
