"""Merging a chain of profiles, level by level: rules, then readings, then what plugins bring.

At each level the profile's own rules come first, then the chosen readings of the points it defines,
then the plugins it names: their new bids and defaults fill what nobody has said, their patches
replace.  A profile further down the chain may override all of it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.errors import Hint, Place, Problem, did_you_mean
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.records import (
    Citation,
    PointDoc,
    ProfileDoc,
    ReadingDoc,
    Source,
    WitnessDoc,
)
from quadrille_core.rules import PluginUse
from quadrille_core.ruleset.provenance import SPEAKS, Because, Link, neutral_link

HAND_LEVEL = 1000
"""The level of settings made by hand, below every profile."""


def frozen(value: Any) -> Any:
    """A plain value that cannot be changed: lists become tuples."""
    if isinstance(value, list):
        return tuple(frozen(v) for v in value)
    return MappingProxyType(value) if isinstance(value, dict) else value


class Merge:
    """The rules under construction: every path's history, and the faults found so far."""

    def __init__(self, kind: str = TRICKS) -> None:
        self.kind = kind
        """The kind of game, one of ``KINDS``."""
        self.chains: dict[str, list[Link]] = {}
        self.own: dict[str, vocabulary.Leaf] = {}
        """The leaves that the plugins of these rules declare, by path."""
        self.gone: set[str] = set()
        """Plugins that a child profile drops, and the bids that they would bring."""
        self.by_hand: Mapping[str, Any] = {}
        """What a user will set by hand; plugins see it of leaves of their own."""
        self.problems: list[Problem] = []
        self._view: Mapping[str, Any] | None = None
        self._bids: tuple[int, list[str]] = 0, []

    def put(self, path: str, link: Link) -> None:
        """Set a rule; its earlier links stay as history."""
        known = link if vocabulary.kind_of(path) else self._held(path, link)
        if known is not None:
            self.chains.setdefault(path, []).append(known)
            self._view = None

    def _held(self, path: str, link: Link) -> Link | None:
        """The link of a plugin's own leaf with its value in one spelling; None where its plugin
        does not take it."""
        leaf = self.own.get(path)
        if leaf is None and path.partition(".")[0] in self.gone:
            return None
        if leaf is None:
            near = did_you_mean(path, self.own, what="the leaves of plugins here are")
            plugin = path.partition(".")[0][:40]
            self.problem("Q201", "no-such-leaf", link.place, near, path=path[:80], plugin=plugin)
            return None
        try:
            return replace(link, value=vocabulary.canonical(leaf, link.value))
        except vocabulary.MismatchError as e:
            self.problem(
                "Q203",
                "leaf-cannot-be",
                link.place,
                path=path,
                value=str(link.value)[:40],
                expected=e.problem,
            )
            return None

    def is_gone(self, path: str) -> bool:
        """Whether a path is of a plugin that was dropped, or of a bid that it would bring."""
        return bool(self.gone) and not self.gone.isdisjoint(path.split("."))

    def forget_gone(self) -> None:
        """Take out the rules of what was dropped."""
        self.chains = {path: chain for path, chain in self.chains.items() if not self.is_gone(path)}
        self._view, self._bids = None, (0, [])

    def get(self, path: str) -> Any:
        """The plain value in force of a rule; None where nothing is set."""
        chain = self.chains.get(path)
        return chain[-1].value if chain else None

    def place(self, path: str) -> Place | None:
        """Where the value in force stands."""
        chain = self.chains.get(path)
        return chain[-1].place if chain else None

    def last_set(self, *paths: str) -> Place | None:
        """The place of whichever of these rules was set furthest down the chain of profiles."""
        return self.place(max(paths, key=lambda p: self.chains[p][-1].level))

    def fault(self, path: str, variant: str, /, hint: Hint | None = None, **data: Any) -> Problem:
        """What cannot be played together, at the place of a rule; by default with the help
        of its sentence."""
        return Problem("Q606", variant, data, self.place(path), hint)

    def values(self) -> dict[str, Any]:
        """The plain values in force."""
        return {path: chain[-1].value for path, chain in self.chains.items()}

    def view(self) -> Mapping[str, Any]:
        """The plain values in force as plugins see them: nothing in them can be changed."""
        if self._view is None:  # most plugins have nothing to say to most questions
            now = {
                path: chain[-1].value for path, chain in self.chains.items()
            } | self.own_by_hand()
            fixed = {path: frozen(v) for path, v in now.items() if isinstance(v, (list, dict))}
            self._view = MappingProxyType(now | fixed)
        return self._view

    def own_by_hand(self) -> dict[str, Any]:
        """The plain values that will be set by hand of the plugins' own leaves, where they fit."""
        found: dict[str, Any] = {}
        for path in self.own.keys() & self.by_hand:
            with suppress(vocabulary.MismatchError):
                found[path] = vocabulary.canonical(self.own[path], self.by_hand[path])
        return found

    def bids(self) -> list[str]:
        """Every bid that some rule of the ladder mentions."""
        if len(self.chains) != self._bids[0]:  # no rule is taken out but by forget_gone
            below = (path.split(".")[1] for path in self.chains if path.startswith("bids."))
            self._bids = len(self.chains), list(dict.fromkeys(below))
        return list(self._bids[1])

    def problem(
        self,
        code: str,
        variant: str,
        place: Place | None = None,
        hint: Hint | None = None,
        /,
        **data: Any,
    ) -> None:
        """Note a fault."""
        self.problems.append(Problem(code, variant, data, place, hint))

    def fill_neutral(self) -> None:
        """Give every leaf that nobody set its neutral value, in the blocks and bids that exist."""
        bids = self.bids()
        absent = {
            block
            for block in _optional_blocks(self.kind)
            if not any(p.startswith(block) for p in self.chains)
        }
        for pattern, link in _neutral_links(self.kind).items():
            if any(pattern.startswith(block) for block in absent):
                continue
            paths = [pattern.replace("*", bid) for bid in bids] if "*" in pattern else [pattern]
            for path in paths:
                if path not in self.chains:
                    # no two rule sets share a list
                    own = isinstance(link.value, list)
                    self.put(path, replace(link, value=list(link.value)) if own else link)


@cache
def _neutral_links(kind: str) -> Mapping[str, Link]:
    """The link of every rule that has a neutral value, by pattern."""
    return {
        pattern: neutral_link(vocabulary.to_plain(leaf.default, leaf.type))
        for pattern, leaf in vocabulary.leaves(kind).items()
        if leaf.has_default
    }


@cache
def _optional_blocks(kind: str) -> frozenset[str]:
    """What the paths of blocks that may be absent begin with."""
    blocks = {leaf.optional_block for leaf in vocabulary.leaves(kind).values()}
    return frozenset(f"{block}." for block in blocks if block is not None)


class Choices:
    """Which reading of each point is in force, and by whose choice."""

    def __init__(
        self,
        chain: tuple[ProfileDoc, ...],
        witness: WitnessDoc | None,
        by_hand: Mapping[str, str],
        problems: list[Problem],
        sources: Mapping[str, Source],
    ) -> None:
        self.points: dict[str, PointDoc] = {}
        self.levels: dict[str, int] = {}
        """The level of the profile that defines each point."""
        for level, doc in enumerate(chain):
            self.points |= {p.id: p for p in doc.points}
            self.levels |= dict.fromkeys((p.id for p in doc.points), level)
        self.witness = witness
        self.speaks = {w.id: w.source for doc in chain for w in doc.witnesses}
        """The source of each witness, whichever profile of the chain names it."""
        self._by_profile: dict[str, str] = {}
        self._problems = problems
        self._sources = sources
        for doc in chain:
            self._by_profile |= self._chosen(doc.readings)
        self.by_hand = self._chosen((name, reading, None) for name, reading in by_hand.items())
        """The readings chosen by hand, by point."""
        self._fills = self._chosen(() if witness is None else witness.fills)

    def _chosen(self, mapping: Iterable[tuple[str, str, Place | None]]) -> dict[str, str]:
        """The readings of one mapping by point; what is wrong with it is noted."""
        return {
            point: reading
            for point, reading, place in mapping
            if self._known(point, reading, place)
        }

    def _known(self, point: str, reading: str, place: Place | None) -> bool:
        if point not in self.points:
            hint = did_you_mean(point, self.points, what="points")
            self._problems.append(
                Problem("Q401", "no-such-point", {"point": point[:60]}, place, hint)
            )
            return False
        readings = [r.id for r in self.points[point].readings]
        if reading not in readings:
            hint = did_you_mean(reading, readings, what="readings")
            data = {"point": point, "reading": reading[:60]}
            self._problems.append(Problem("Q402", "no-such-reading", data, place, hint))
            return False
        return True

    def of(self, point: PointDoc) -> tuple[ReadingDoc, bool]:
        """The reading in force of a point, and whether the chosen witness leaves it silent."""
        chosen = self.by_hand.get(point.id) or self._by_profile.get(point.id)
        readings, attested = {r.id: r for r in point.readings}, self._attested(point)
        silent = self.witness is not None and not attested
        if chosen in readings:
            return readings[chosen], silent
        filled = self._fills.get(point.id)
        if self.witness and len(attested) > 1 and filled not in {r.id for r in attested}:
            names = " and ".join(r.id for r in attested)
            self._problems.append(
                Problem(
                    "Q404",
                    "witness-attests-two-readings",
                    {"id": self.witness.id, "id2": point.id, "names": names, "id3": attested[0].id},
                    self.witness.answered.get(point.id, point.place),
                )
            )
        if attested:
            return next((r for r in attested if r.id == filled), attested[0]), False
        return readings.get(filled or point.default, point.readings[0]), silent

    def _attested(self, point: PointDoc) -> list[ReadingDoc]:
        """The readings that the chosen witness attests."""
        return [r for r in point.readings if self.witness and self.witness.id in r.witnesses]

    def absence(self, point: PointDoc) -> str:
        """Why the chosen witness does not answer a point: ``silent``, ``unseen`` or
        ``inapplicable``."""
        if self.witness is None:
            return ""
        return self.witness.absence(point.id, self._sources.get(self.witness.source))

    def because(self, point: PointDoc) -> Because:
        """Why that reading is in force: by whose choice, or as the witness has it."""
        if point.id in self.by_hand:
            return "hand"
        if point.id in self._by_profile:
            return "profile"
        if self._attested(point):
            return "witness"
        return "filling" if point.id in self._fills else "default"


def merge_level(merge: Merge, doc: ProfileDoc, level: int, choices: Choices) -> None:
    """Add one profile's rules, and the readings in force of the points it defines."""
    for path, value, place in doc.rules:
        merge.put(path, Link(value, "profile", doc.id, level, place, citations=()))
    set_by: dict[str, str] = {}
    for point in doc.points:
        reading, silent = choices.of(point)
        for path, value, place in reading.sets:
            if path in set_by:
                both = {"first": set_by[path], "second": point.id, "path": path}
                merge.problem("Q408", "both-set", place, **both)
            set_by[path] = point.id
            citations = tuple(
                reading_citations(reading, choices, choices.absence(point) if silent else "")
            )
            link = Link(
                value,
                "reading",
                f"{point.id}={reading.id}",
                level,
                place,
                point.question,
                citations,
            )
            merge.put(path, link)


def reading_citations(reading: ReadingDoc, choices: Choices, absence: str) -> Iterator[Citation]:
    """Who has a reading: the witness, others where it was chosen against that witness; where it has
    none, nobody."""
    witness = choices.witness
    if witness is not None and absence:
        note, elsewhere = reading.note, [source for source, _ in reading.elsewhere]
        others = [a.witness for a in reading.attested] or ([] if note else elsewhere)
        has = f"as {', '.join(others)} {'has' if len(others) == 1 else 'have'} it"
        filled = has if others else note or "a modern choice"
        yield Citation(
            witness.source, "", absence, filled=filled, from_=(elsewhere or [""])[0], note=note
        )
        return
    own = [a for a in reading.attested if witness is not None and a.witness == witness.id]
    found = [
        (a.source or choices.speaks.get(a.witness, ""), a.at, reading.how(a.witness))
        for a in own or reading.attested
    ]
    if not own:
        found += [(*other, reading.how("")) for other in reading.elsewhere]
    for source, at, (status, certainty) in found or [("", reading.at, reading.how(""))]:
        yield Citation(source, at, status, note=reading.note, certainty=certainty)


def cited_by(chain: tuple[ProfileDoc, ...], path: str, history: Sequence[Link]) -> Link:
    """The last link of a rule's history with the citations that speak of it, the profile furthest
    down the chain last.

    A profile's citations cover what it or a parent set, never what a child changed: a house rule
    must not look attested because its parent's was.  What repeats a parent's value is no change of
    it.  A citation of a whole block covers what a text says there; it does not turn a silence, a
    conjecture, a reading or a neutral value below it into an attestation.  Only a citation of that
    very rule does.
    """
    link = history[-1]
    for level in range(max(link.level, 0), len(chain)):
        found = most_specific(chain[level], path)
        if found is None:
            continue
        exact, citations = found
        if link.setter == "reading" and _speaks(citations):
            continue  # the text is among those who attest the reading: ``with_own_attestations``
        stated = link.setter == "profile" and not link.citations
        own = link.exact and link.level == level
        vague = own or link.setter in ("reading", "vocabulary") or not _speaks(link.citations)
        if (
            stated
            or (
                exact
                and link.setter != "setting"
                and not (link.setter == "reading" and link.level == level)
            )
            or not vague
        ):
            link = replace(link, citations=citations)
    before = history[:-1] if link.setter == "profile" and not link.citations else ()
    if before and before[-1].setter in ("profile", "reading") and before[-1].value == link.value:
        return replace(link, citations=cited_by(chain, path, before).citations)
    return link


def _speaks(citations: tuple[Citation, ...]) -> bool:
    """Whether some text says it, rather than us."""
    return any(c.status in SPEAKS for c in citations)


@lru_cache(maxsize=16384)  # the rule sets of a study are made of the same few profiles
def most_specific(doc: ProfileDoc, path: str) -> tuple[bool, tuple[Citation, ...]] | None:
    """The citations of the longest key that covers a path, and whether they are of that very rule.

    Of two keys of one length, the one without ``*`` wins.
    """
    begins = (path.partition(".")[0], "*")
    keys = [k for k in doc.cites if k.startswith(begins) and vocabulary.matches(k, path)]
    if not keys:
        return None
    best = max(keys, key=lambda key: (key.count("."), -key.count("*")))
    return best.count(".") == path.count("."), doc.cites[best]


def build_rules(merge: Merge) -> Any:
    """The rules of a merge that lacks nothing, with the bids in the order of the ladder."""
    values = merge.values()
    return vocabulary.build_of(merge.kind, {path: values[path] for path in in_order(merge)})


def in_order(merge: Merge) -> list[str]:
    """The paths of a merge in the order of the vocabulary, bids in that of the ladder, and plugins'
    own leaves last."""
    ladder = {bid: (merge.chains[f"bids.{bid}.rank"][-1].value, bid) for bid in merge.bids()}

    def key(path: str) -> tuple[Any, ...]:
        block, bid, position = _stands(merge.kind, path)
        return (block, ladder.get(bid, (0, "")), position)

    own = [path for path in merge.chains if vocabulary.kind_of(path) is None]
    return [*sorted((path for path in merge.chains if vocabulary.kind_of(path)), key=key), *own]


@lru_cache(maxsize=8192)
def _stands(kind: str, path: str) -> tuple[int, str, int]:
    """Where a leaf stands: the place of its block, the bid that it is of or nothing, and the place
    of its pattern."""
    positions, blocks = _positions(kind)
    pattern = vocabulary.pattern_of(path) or path
    bid = path.split(".")[pattern.split(".").index("*")] if "*" in pattern else ""
    return blocks[pattern.split("*")[0]], bid, positions[pattern]


@cache
def _positions(kind: str) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The places of all patterns, and of the blocks that they are in."""
    positions = {pattern: i for i, pattern in enumerate(vocabulary.leaves(kind))}
    blocks: dict[str, int] = {}
    for pattern in positions:
        blocks.setdefault(pattern.split("*")[0], len(blocks))
    return positions, blocks


def digest(values: Mapping[str, Any], plugins: Sequence[PluginUse]) -> str:
    """The identity of merged rules: SHA-256 over their canonical JSON with plugin names and
    versions.

    It does not depend on the order of keys, nor on names, titles, witnesses or citations.  A leaf
    at its neutral value is left out, so that a digest in print stays true when the vocabulary gains
    a mechanic.
    """
    used = sorted([p.name, p.package, p.version, *map(list, p.parameters)] for p in plugins)
    rules = {path: value for path, value in values.items() if _counts(path, value)}
    return sha256(canonical_json({"rules": rules, "plugins": used}).encode()).hexdigest()


def _counts(path: str, value: Any) -> bool:
    return not (_neutral(path, value) or path.endswith(".title"))


def _neutral(path: str, value: Any) -> bool:
    if vocabulary.kind_of(path) is None:  # a plugin's own: whoever reads a ledger need not have it
        return False
    known = _neutral_values()
    pattern = vocabulary.leaf_at(path).pattern
    return pattern in known and known[pattern] == value


@cache
def _neutral_values() -> Mapping[str, Any]:
    """The neutral value of every rule that has one, by pattern."""
    return {
        pattern: leaf.default_plain()
        for pattern, leaf in vocabulary.every_leaf().items()
        if leaf.has_default
    }


def canonical_json(value: Any) -> str:
    """Plain data as JSON, in one spelling whatever the order of keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
