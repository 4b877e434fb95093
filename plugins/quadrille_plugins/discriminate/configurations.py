"""The configurations of the open points: which compile, and the rules of each.

There may be more of them than could ever be compiled.  So nothing here goes through them: a
question is put to one configuration at a time, what the answer depends on is noted while it is
found, and whatever differs only in points that were not consulted has the same answer.  What
remains is a decision diagram (``diagram``).

What a rule's value depends on is known for certain:

* the points of which some reading sets it;
* what plugins offer for it, which depends on the rules that they read.  They are asked through a
  view that notes
  what they look at; how their answers vary is a diagram of its own (``_Plugging``).

For the rest the compiler is deterministic.  A configuration is refused by the very checks of the
compiler, each asked by itself, so that it reads no more rules than it speaks of.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import Any, Final

from quadrille_core import vocabulary
from quadrille_core.errors import UsageError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.profile.records import PointDoc
from quadrille_core.registry import Registry
from quadrille_core.rules import GameRules
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset import compile as compiling
from quadrille_core.ruleset.compile import Draft, draft
from quadrille_core.ruleset.merge import Merge, build_rules
from quadrille_core.ruleset.provenance import Link
from quadrille_core.ruleset.reference import load_chain, parse_reference
from quadrille_plugins.discriminate.diagram import Diagrams, once
from quadrille_plugins.discriminate.tracing import TracedMerge
from quadrille_plugins.settle.consulted import trace, with_leaves
from quadrille_plugins.shell.values import Json

Game = GameRules[Any]
"""The rules of one configuration."""
Pick = tuple[int, ...]
"""One configuration: for each open point the number of its reading."""

Answer = tuple[Hashable, set[int]]
"""What is found at one configuration, and the points that it depends on."""

MOST_ASKED: Final = 50_000
"""Configurations looked at for one question, before it is given up."""

ABSENT: Final = object()


class EntangledError(UsageError):
    """A question whose answer depends on too many points jointly."""


@frozen
class Step:
    """What the first step of a question found, from which the second goes on."""

    found: Hashable


@frozen
class TwoSteps:
    """A question in two steps, of which the second reads the rules and what the first found.

    Each step depends on the points that it reads itself, so that the configurations of both need
    not be multiplied.
    """

    first: Callable[[Game], Hashable]
    """The answer, or a ``Step`` from which to go on."""
    then: Callable[[Game, Any], Hashable]

    def __call__(self, game: Game) -> Hashable:
        """The answer of one rule set."""
        found = self.first(game)
        return self.then(game, found.found) if isinstance(found, Step) else found


@frozen
class _Offered:
    """What the plugins answered for one configuration."""

    offers: Mapping[str, tuple[tuple[bool, str], ...]]
    """By rule: what was offered for it in turn, and whether it replaces what stood there."""
    faulty: bool
    demands: tuple[Any, ...]


class ConfigurationSpace:
    """The configurations of some points of one rule set: one reading of each.

    ``points``: those left open; if they are not told, all points in dispute but those chosen by
    hand.

    Raises UsageError for a point that is not open, ProfileError when the rule set itself does not
    compile.
    """

    def __init__(
        self,
        reference: str,
        *,
        points: Sequence[str] | None = None,
        readings: Mapping[str, str] | None = None,
        settings: Json | None = None,
    ) -> None:
        self.compiled: Final[Compiled] = compile_reference(
            reference, readings=readings, settings=settings
        )
        self.by_hand: Final = dict(self.compiled.identity.readings)
        self.settings: Final = {p: self.compiled.value_of(p) for p in settings or {}}
        self._reference = parse_reference(reference)
        self.chain = load_chain(self._reference.profile)
        self._registry = Registry()
        self.kind = self.compiled.kind
        self.points: Final = self._open(points)
        self.places: Final = {p.id: n for n, p in enumerate(self.points)}
        self.diagrams: Final = Diagrams([len(p.readings) for p in self.points])
        self.base: Final[Pick] = tuple(self._in_use(p) for p in self.points)
        self.sets: Final = self._who_sets()
        self._paths: Final = [
            {path for r in p.readings for path, _, _ in r.sets} for p in self.points
        ]
        self._drafts: dict[Pick, Json] = {}
        self._built: dict[Pick, Any] = {}
        self._memo: dict[Any, Any] = {}
        self.asked = 0
        """How many configurations have been looked at."""
        self.answers: list[_Offered] = []

    # --- the points
    #   ----------------------------------------------------------------------------------

    def _open(self, wanted: Sequence[str] | None) -> tuple[PointDoc, ...]:
        states = {s.point.id: s.point for s in self.compiled.points}
        for name in wanted or ():
            if name not in states:
                known = any(name == p.id for doc in self.chain for p in doc.points)
                raise UsageError.of(
                    "point-settled" if known else "no-point-of-these-rules",
                    did_you_mean(name, states, what="open points"),
                    name=name,
                    reference=self.compiled.identity.reference,
                )
            if name in self.by_hand:
                raise UsageError.of("point-open-and-chosen", name=name)
        if wanted is not None and len(set(wanted)) < len(wanted):
            raise UsageError.of("point-named-twice")
        return tuple(
            p
            for name, p in states.items()
            if name not in self.by_hand and (wanted is None or name in wanted)
        )

    def _in_use(self, point: PointDoc) -> int:
        state = next(s for s in self.compiled.points if s.point.id == point.id)
        return next(n for n, r in enumerate(point.readings) if r.id == state.reading.id)

    def readings_of(self, pick: Pick) -> dict[str, str]:
        """A configuration as the compiler takes it, with the readings chosen by hand."""
        return {
            **self.by_hand,
            **{p.id: p.readings[n].id for p, n in zip(self.points, pick, strict=True)},
        }

    def total(self) -> int:
        """How many configurations there are, including those that do not compile."""
        return self.diagrams.count(self.diagrams.true)

    def compile(self, pick: Pick) -> Compiled:
        """The configuration compiled in full; raises ProfileError when it is refused."""
        return compile_reference(
            str(self._reference), readings=self.readings_of(pick), settings=self.settings
        )

    # --- what a rule depends on
    #   ------------------------------------------------------------------------

    def _who_sets(self) -> dict[str, frozenset[int]]:
        found: dict[str, set[int]] = {}
        for n, point in enumerate(self.points):
            for reading in point.readings:
                for path, _, _ in reading.sets:
                    found.setdefault(path, set()).add(n)
        return {path: frozenset(points) for path, points in found.items()}

    @cached_property
    def _stated(self) -> frozenset[str]:
        """Rules with a value in every configuration: from a profile, or from every reading of a
        point."""
        found = {path for doc in self.chain for path, _, _ in doc.rules} | set(self.settings)
        for doc in self.chain:
            for point in doc.points:
                chosen = [s.reading for s in self.compiled.points if s.point.id == point.id]
                readings = point.readings if point.id in self.places or not chosen else chosen
                found |= set.intersection(*({path for path, _, _ in r.sets} for r in readings))
        return frozenset(found)

    @cached_property
    def _uneven(self) -> frozenset[int]:
        """Points by which it may vary, before plugins and neutral values, which rules there are at
        all."""
        return frozenset(
            n for path, points in self.sets.items() if path not in self._stated for n in points
        )

    @cached_property
    def plugins(self) -> int:
        """How the answers of the plugins vary: a diagram whose values are numbers of
        ``_answers``."""
        known: dict[str, int] = {}
        foreign = frozenset(
            n
            for path, points in self.sets.items()
            if vocabulary.kind_of(path) != self.kind
            for n in points
        )

        def ask(pick: Pick) -> Answer:
            merge = TracedMerge(self.kind)
            drawn = self.draft(pick, merge)
            consulted = set(foreign)
            for path in merge.read:
                consulted |= self.sets.get(path, frozenset())
            if merge.listed or drawn.plugging.offered:
                consulted |= self._uneven  # which bids a plugin may add depends on those there are
            offers: dict[str, tuple[tuple[bool, str], ...]] = {}
            for path, replaces, value in drawn.plugging.offered:
                offers[path] = (*offers.get(path, ()), (replaces, repr(value)))
            faulty = any(p.code not in ("Q408",) for p in merge.problems)
            answer = _Offered(offers, faulty, tuple(drawn.plugging.demands))
            key = repr((sorted(offers.items()), faulty, [d[0] for d in answer.demands]))
            if key not in known:
                known[key] = len(self.answers)
                self.answers.append(answer)
            return known[key], consulted

        return self.explore(self.diagrams.true, ask, what="what the plugins answer")

    def draft(self, pick: Pick, merge: Merge | None = None) -> Draft:
        """A configuration merged and patched by plugins, before refinement and checks."""
        chosen, known = self.readings_of(pick), self._registry
        return draft(
            self.chain,
            self._reference,
            readings=chosen,
            settings=self.settings,
            registry=known,
            merge=merge,
        )

    @once
    def depends(self, path: str) -> frozenset[int]:
        """The points on which a rule's value, or whether there is such a rule, may depend.

        For a block of rules: those on which it may depend whether it is there, or which rules it
        holds.
        """
        if path in self.settings:
            return frozenset()
        if vocabulary.pattern_of(path) is None:
            return self._block_depends(path)
        found = self.sets.get(path, frozenset()) | self.offers_depend(path)
        if path.startswith("bids.") and not self._bid_is_sure(path.split(".")[1]):
            found |= self.listing()
        return found

    def offers_depend(self, path: str) -> frozenset[int]:
        """The points on which it depends what plugins offer for a rule."""
        answers, plugins = self.answers, self.plugins
        offered = self.diagrams.map(
            ("offers", path), lambda n: answers[n].offers.get(path, ()), plugins
        )
        return self.diagrams.support(offered)

    def is_sure(self, path: str) -> bool:
        """Whether the rule exists in every configuration."""
        self.plugins  # asks them, so that all answers are known  # noqa: B018  # asks them, so that all answers are known
        if path in self._stated or all(path in a.offers for a in self.answers):
            return True
        pattern = vocabulary.pattern_of(path)
        leaf = vocabulary.every_leaf().get(pattern or "")
        filled = leaf is not None and leaf.has_default and leaf.optional_block is None
        return filled and ("*" not in (pattern or "") or self._bid_is_sure(path.split(".")[1]))

    def _bid_is_sure(self, bid: str) -> bool:
        self.plugins  # noqa: B018
        start = f"bids.{bid}."
        return any(p.startswith(start) for p in self._stated) or any(
            all(p in a.offers for a in self.answers)
            for p in (self.answers[0].offers if self.answers else ())
            if p.startswith(start)
        )

    @cached_property
    def every_path(self) -> frozenset[str]:
        """Every rule that some reading sets, or some plugin offers."""
        self.plugins  # noqa: B018
        return frozenset(self.sets).union(*(a.offers for a in self.answers))

    def listing(self) -> frozenset[int]:
        """The points on which it may depend which rules there are."""
        unsure = [p for p in self.every_path if not self.is_sure(p)]
        return frozenset().union(
            *(self.sets.get(p, frozenset()) | self.offers_depend(p) for p in unsure)
        )

    def _block_depends(self, block: str) -> frozenset[int]:
        start = f"{block}."
        below = [p for p in {*self.every_path, *self._stated} if p.startswith(start)]
        if not any(not self.is_sure(p) for p in below):
            return frozenset()
        return self.listing()

    def consulted(self, notes: Iterable[str]) -> set[int]:
        """The points on which it depends what was read of a rule set (``settle.consulted``)."""
        found: set[int] = set()
        for path in notes:
            found |= self.depends(path)
        return found

    # --- the rules of a configuration
    #   ---------------------------------------------------------------------

    def values(self, pick: Pick) -> Json:
        """Every rule of a configuration as a plain value, whether or not the compiler would let it
        stand.

        One configuration is merged for each way the plugins answer, and one for each reading that
        differs from it; all others are put together from these, for no two points set one rule and
        plugins answer alike.
        """
        root = self._root(pick)
        found = self.merged(root)
        changed = [n for n in range(len(pick)) if pick[n] != root[n]]
        if not changed:
            return found
        if self._entangled(changed):
            return self.merged(pick)
        found = dict(found)
        for n in changed:
            for path, value in self._change(root, n, pick[n]).items():
                if value is ABSENT or path not in found:
                    return self.merged(pick)
                found[path] = value
        return found

    def _root(self, pick: Pick) -> Pick:
        decide = self.diagrams.support(self.plugins)
        return tuple(pick[n] if n in decide else b for n, b in enumerate(self.base))

    def _entangled(self, changed: Sequence[int]) -> bool:
        seen: set[str] = set()
        for n in changed:
            if self._paths[n] & seen:
                return True
            seen |= self._paths[n]
        return False

    @once
    def _change(self, root: Pick, point: int, reading: int) -> Json:
        """What one reading changes of the rules of a root."""
        plain, other = self.merged(root), self.merged((*root[:point], reading, *root[point + 1 :]))
        changes = {p: v for p, v in other.items() if p not in plain or plain[p] != v}
        return changes | {p: ABSENT for p in plain if p not in other}

    def merged(self, pick: Pick) -> Json:
        """Every rule of a configuration as a plain value, by the compiler's own merge."""
        if pick not in self._drafts:
            if len(self._drafts) > 4000:
                self._drafts.clear()
            drawn = self.draft(pick)
            compiling.set_by_hand(drawn, self.settings)
            self._drafts[pick] = drawn.merge.values()
        return self._drafts[pick]

    def rules(self, pick: Pick) -> Any:
        """The rules of a configuration that compiles, typed as both engines take them."""
        root = self._root(pick)
        if root not in self._built:
            if len(self._built) > 500:
                self._built.clear()
            self._built[root] = self._build(self.merged(root))
        rules = self._built[root]
        changed = [n for n in range(len(pick)) if pick[n] != root[n]]
        if self._entangled(changed):
            return self._build(self.merged(pick))
        leaves: Json = {}
        for n in changed:
            typed = self._change_typed(root, n, pick[n])
            if typed is None:
                return self._build(self.values(pick))
            leaves |= typed
        return with_leaves(rules, leaves)

    @once
    def _change_typed(self, root: Pick, point: int, reading: int) -> Json | None:
        """What one reading changes of the rules of a root, typed; None where it changes which rules
        there are."""
        plain, changes = self.merged(root), self._change(root, point, reading)
        for p, v in changes.items():
            if (
                p not in plain
                or v is ABSENT
                or p.endswith(".rank")
                or vocabulary.kind_of(p) is None
            ):
                return None
        return {p: vocabulary.to_typed(vocabulary.leaf_at(p), v) for p, v in changes.items()}

    def _build(self, values: Json) -> Any:
        merge = Merge(self.kind)
        merge.chains = {p: [Link(v, "profile", "", 0)] for p, v in values.items()}
        return build_rules(merge)

    # --- asking
    #   -------------------------------------------------------------------------------------------

    def at(self, node: int, pick: Pick) -> Any:
        """The value of a function at one configuration."""
        for choice, option in enumerate(pick):
            node = self.diagrams.fixed(node, choice, option)
        return self.diagrams.value_of(node)

    def explore(
        self,
        among: int,
        ask: Callable[[Pick], Answer],
        *,
        what: str,
        most: int = MOST_ASKED,
        widest: int | None = None,
    ) -> int:
        """The answer to a question at every configuration of a set, and False outside it, asking as
        few as need be.

        Raises EntangledError when more than ``most`` would have to be asked, or the points that the
        first one depends on have more configurations than ``widest``.
        """
        known: dict[frozenset[int], tuple[list[int], dict[Pick, Hashable]]] = {}
        asked = 0

        def answer(pick: Pick) -> tuple[Hashable, frozenset[int]]:
            nonlocal asked
            for points, (places, found) in known.items():
                key = tuple([pick[n] for n in places])
                if key in found:
                    return found[key], points
            asked += 1
            self.asked += 1
            if asked > most:
                raise EntangledError.of("too-many-configurations-tried", what=what, most=most)
            value, consulted = ask(pick)
            points = frozenset(consulted)
            if (
                widest is not None
                and not known
                and prod(self.diagrams.sizes[n] for n in points) > widest
            ):
                raise EntangledError.of("too-many-points-at-once", what=what)
            places, found = known.setdefault(points, (sorted(points), {}))
            found[tuple([pick[n] for n in places])] = value
            return value, points

        def go(cube: int, settled: dict[int, int]) -> int:
            wanted = [settled.get(n, b) for n, b in enumerate(self.base)]
            pick = self.diagrams.pick(cube, wanted)
            if pick is None:
                return self.diagrams.false
            value, points = answer(pick)
            left = sorted(points - settled.keys())
            if not left:
                return self.diagrams.value(value)
            point = left[0]
            return self.diagrams.choose(
                point,
                tuple(
                    go(self.diagrams.fixed(cube, point, n), {**settled, point: n})
                    for n in range(self.diagrams.sizes[point])
                ),
            )

        found = go(among, {})
        return self.diagrams.apply("within", lambda inside, v: v if inside else False, among, found)

    def ask_rules(self, among: int, ask: Callable[[Game], Hashable], **limits: Any) -> int:
        """The same of a question put to the rules themselves: what it depends on is noted as it
        reads them.

        ``limits`` are those of ``explore``.
        """
        if isinstance(ask, TwoSteps):
            return self._ask_steps(among, ask, **limits)

        def of(pick: Pick) -> Answer:
            stand_in, notes = trace(self.rules(pick))
            value = ask(replace(self.compiled.game, rules=stand_in))
            return value, self.consulted(notes)

        return self.explore(among, of, **limits)

    def _ask_steps(self, among: int, ask: TwoSteps, **limits: Any) -> int:
        """Both steps of a question: the second is put once for each thing that the first found,
        where it found that."""
        diagrams = self.diagrams
        answered = self.ask_rules(among, ask.first, **limits)
        for step in [value for value in diagrams.counts(answered) if isinstance(value, Step)]:
            there = diagrams.map(("is", step), lambda v, step=step: v == step, answered)  # type: ignore[misc]
            second = self.ask_rules(there, lambda game, s=step: ask.then(game, s.found), **limits)  # type: ignore[misc]
            answered = diagrams.apply(
                "then", lambda first, then: first if then is False else then, answered, second
            )
        return answered
