"""Finding disputed points, rules, bids and words of the glossary by id or by words of their titles.

A thing is named exactly by its kind: ``point:ante``, ``leaf:stakes.ante``, ``bid:solo``,
``term:codille``.
"""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache
from typing import Final

from quadrille_core import resources, vocabulary
from quadrille_core.errors import Command, Hint, QuadrilleError, did_you_mean
from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.profile.naming import folded
from quadrille_core.profile.records import PointDoc
from quadrille_core.registry import Registry
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset.reference import is_path, load_chain, parse_reference
from quadrille_plugins.lookup.glossary import alike, glossary
from quadrille_plugins.lookup.meanings import question_of

POINT, LEAF, BID, TERM = SORTS = ("point", "leaf", "bid", "term")
SEVERAL: Final[Mapping[str, str]] = {
    POINT: "points",
    LEAF: "rules",
    BID: "bids",
    TERM: "words of the glossary",
}
_ONE: Final[Mapping[str, str]] = {
    POINT: "point",
    LEAF: "rule",
    BID: "bid",
    TERM: "word of the glossary",
}
_WORD: Final = re.compile(r"[^\W_]+")
_SMALL: Final = frozenset(("a", "an", "that", "the", "which", "who"))
"""Words that name nothing: they are looked up only where a query has no others."""

_NEAR: Final = 0.7
"""How alike a word must be to be proposed: ``four`` is not for ``foobar``, ``codille`` is for
``codile``."""


@frozen_by_keyword
class Thing:
    """Something that can be asked for."""

    sort: str
    """One of ``SORTS``."""
    id: str
    title: str
    """Its question, its name in print, or its meaning."""
    paths: tuple[str, ...] = ()
    """The rules that it is, or that it decides."""
    names: tuple[str, ...] = ()
    """Other ids by which it is meant exactly."""
    touches: tuple[str, ...] = ()
    """Further texts in which its words are looked up, should no title have them."""
    values: tuple[str, ...] = ()
    """The words of which one is the value of a rule."""

    @property
    def name(self) -> str:
        """The words that name it and nothing else."""
        return f"{self.sort}:{self.id}"

    def to_plain(self) -> dict[str, object]:
        """The same as plain data."""
        return {"kind": self.sort, "id": self.id, "title": self.title, "rules": list(self.paths)}


@frozen_by_keyword
class Found:
    """What the words named: ``one`` is what is answered, if that is clear; ``hits`` is
    everything."""

    words: str
    one: Thing | None
    hits: tuple[Thing, ...]
    elsewhere: tuple[str, ...] = ()
    """Other shipped rule sets that have it."""
    help: Hint | None = None
    """What may have been meant, where nothing was found."""

    def of(self, *sorts: str) -> tuple[Thing, ...]:
        """The hits of these sorts."""
        return tuple(hit for hit in self.hits if hit.sort in sorts)

    def counts(self) -> str:
        """How many of each sort, in words: ``5 points, 9 rules and 1 bid``."""
        numbers = [(sort, len(self.of(sort))) for sort in SORTS if self.of(sort)]
        said = [f"{n} {_ONE[sort] if n == 1 else SEVERAL[sort]}" for sort, n in numbers]
        return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def find(words: str, compiled: Compiled | None = None, sorts: Sequence[str] = SORTS) -> Found:
    """Look words up in a rule set, or without one in everything that is shipped.

    An id names its thing, typed with ``-`` or ``_``, in small letters or capitals, in the singular
    or plural; without a rule set a word of the glossary goes before all others.  Other words are
    looked up in ids and titles, then in what is said besides; all of them must be there, each in
    the singular or plural.  A value names the rules that may have it.
    """
    things = [
        t
        for t in (everything() if compiled is None else tuple(_things((compiled,))))
        if t.sort in sorts
    ]
    sort, colon, rest = words.partition(":")
    if colon and sort.strip().casefold() in SORTS:
        things, words = [t for t in things if t.sort == sort.strip().casefold()], rest.strip()
    wanted = _stems(words)
    wanted = wanted - _SMALL or wanted
    if not wanted:
        return Found(words=words, one=None, hits=(), help=None)
    exact = list(_exact(words, things))
    is_own = bool(exact) or compiled is None
    if colon and not is_own and (foreign := _elsewhere(words, [sort.strip().casefold()])):
        return Found(words=words, one=None, hits=(), elsewhere=foreign)
    if colon:  # its present id, before what was called so once
        exact = [t for t in exact if folded(t.id) == folded(words)] or exact
        last = [
            t for t in things if t.sort == LEAF and folded(t.id.rpartition(".")[2]) == folded(words)
        ]
        exact = exact or (last if len(last) == 1 else [])
        if (
            not exact and sort.strip().casefold() == LEAF
        ):  # a rule that is kept for each bid, by the bid
            ends = f".{folded(words)}"
            exact = [t for t in things if any(folded(path).endswith(ends) for path in t.paths)]
    exact = exact or [t for t in things if any(_stems(name) == wanted for name in (t.id, *t.names))]
    hits = [t for t in things if wanted <= _stems(*_named(t))]
    hits = hits or [t for t in things if wanted <= _stems(*_named(t), *t.paths, *t.touches)]
    if not exact:
        hits += [
            t
            for t in things
            if t not in hits and any(folded(value) == folded(words) for value in t.values)
        ]
    hits = [*exact, *(t for t in hits if all(t.name != e.name for e in exact))]
    first = [t for t in exact if compiled is None and t.sort == TERM] or [
        t for t in exact if t.sort != TERM or colon
    ]
    one = first[0] if len(first) == 1 else hits[0] if len(hits) == 1 else None
    if one is not None and not (is_own or colon) and _elsewhere(words, sorts):
        # an id of another rule set is never answered with what is merely called alike in this one
        one = None
    return Found(
        words=words,
        one=one,
        hits=tuple(hits),
        help=None if hits else _meant(words, things, compiled),
    )


def _elsewhere(words: str, sorts: Collection[str]) -> tuple[str, ...]:
    """The shipped rule sets with a point or bid of this id."""
    wanted = folded(words)
    return tuple(
        name
        for name, rules in shipped().items()
        if (POINT in sorts and any(folded(point) == wanted for point in all_points(rules)))
        or (
            BID in sorts
            and rules.kind == TRICKS
            and any(folded(b) == wanted for b in rules.ruleset.rules.bids.names())
        )
    )


def _named(thing: Thing) -> tuple[str, ...]:
    """The texts that name a thing; a point is also named by the rules that it decides, a word by no
    other word."""
    if thing.sort == TERM:
        return (thing.id, *thing.names)
    return (thing.id, thing.title, *thing.names, *(thing.paths if thing.sort == POINT else ()))


def points_of(found: Found, compiled: Compiled) -> tuple[Thing, ...]:
    """The disputed points among the hits, and those that decide a rule or bid among them where
    there is no point."""
    if found.one is not None and found.one.sort == POINT:
        return (found.one,)
    hits = found.hits if found.one is None or found.one.sort == TERM else (found.one,)
    if direct := tuple(hit for hit in hits if hit.sort == POINT):
        return direct
    rules = {path for hit in hits if hit.sort in (LEAF, BID) for path in hit.paths}
    return tuple(t for t in _points((compiled,)) if rules & set(t.paths))


def points_in(compiled: Compiled) -> tuple[Thing, ...]:
    """The disputed points of a rule set."""
    return tuple(_points((compiled,)))


def of_same_matter(name: str, compiled: Compiled) -> tuple[Thing, ...]:
    """The other points that decide the same matter as a point of these rules: rules that stand
    together and whose names begin with the same word, such as ``loss.codille_…``."""
    points = points_in(compiled)
    matter = next(_matters(t) for t in points if t.id == name)
    return tuple(t for t in points if t.id != name and matter & _matters(t))


def _matters(point: Thing) -> set[tuple[str, str]]:
    found = (vocabulary.pattern_of(path) or path for path in point.paths)
    steps = (pattern.rpartition(".") for pattern in found)
    return {(block, name.partition("_")[0]) for block, _, name in steps}


def has_words(words: str, *texts: str) -> bool:
    """Whether all the words stand in these texts, each in the singular or plural."""
    return (_stems(words) - _SMALL or _stems(words)) <= _stems(*texts)


def is_named(thing: Thing, words: str) -> bool:
    """Whether the words are one of its names, in the singular or plural."""
    return any(_stems(name) == _stems(words) for name in (thing.id, *thing.names))


def is_word(name: str, words: str) -> bool:
    """Whether words are that id, typed with blanks, ``-`` or ``_``, in small letters or
    capitals."""
    return folded(name) == folded(words)


def is_reference(text: str) -> bool:
    """Whether a text names a rule set: a shipped profile or a file, with witness and plugins."""
    try:
        profile = parse_reference(text).profile
    except QuadrilleError:
        return "@" in text or "+" in text
    return is_path(profile) or profile in resources.shipped_profiles()


@cache
def shipped() -> Mapping[str, Compiled]:
    """The shipped profiles that can be played, compiled; one that lacks a plugin is left out."""
    found = {}
    registry = Registry()
    for name in resources.shipped_profiles():
        try:
            if not load_chain(name)[-1].abstract:
                found[name] = compile_reference(name, registry=registry)
        except QuadrilleError:
            continue
    return found


@cache
def everything() -> tuple[Thing, ...]:
    """All points, rules, bids and words that are shipped; a point or bid of several profiles
    once."""
    return tuple(_things(tuple(shipped().values())))


def all_points(compiled: Compiled) -> dict[str, PointDoc]:
    """The points of a rule set by id, open and closed."""
    open_points = {s.point.id: s.point for s in compiled.points}
    return open_points | {c.point.id: c.point for c in compiled.closed}


def bid_paths(bid: str, compiled: Compiled) -> tuple[str, ...]:
    """The rules of a bid: its own, the payments kept for it, and those of a plugin that bears its
    name."""
    own = (p for p in compiled.origins if p.startswith(f"bids.{bid}."))
    paid = (
        p for p in compiled.origins if p.startswith("payments.") and p.rpartition(".")[2] == bid
    )
    plugins = (p for p in compiled.origins if p.startswith(f"{bid}."))
    return (*own, *paid, *plugins)


def _things(compiled: Sequence[Compiled]) -> Iterator[Thing]:
    yield from _points(compiled)
    yield from _leaves(compiled)
    yield from _bids(compiled)
    for term in glossary().values():
        yield Thing(sort=TERM, id=term.name, title=term.means, names=term.also)


def _points(compiled: Sequence[Compiled]) -> Iterator[Thing]:
    merged: dict[str, Thing] = {}
    for rules in compiled:
        for point in all_points(rules).values():
            paths = tuple(dict.fromkeys(s.path for r in point.readings for s in r.sets))
            touches = tuple(text for r in point.readings for text in (r.id, r.title, r.note))
            thing = merged.get(point.id)
            merged[point.id] = Thing(
                sort=POINT,
                id=point.id,
                title=thing.title if thing else point.question,
                paths=tuple(dict.fromkeys((*(thing.paths if thing else ()), *paths))),
                touches=(*(thing.touches if thing else ()), point.note, *touches),
            )
    yield from merged.values()


def _leaves(compiled: Sequence[Compiled]) -> Iterator[Thing]:
    """The rules by their patterns, each with the rules of the profiles that follow it."""
    paths: dict[str, dict[str, None]] = {}
    if len(compiled) != 1:
        paths = {pattern: {} for kind in KINDS for pattern in vocabulary.leaves(kind)}
    for rules in compiled:
        for path in rules.origins:
            paths.setdefault(vocabulary.pattern_of(path) or path, {})[path] = None
    for pattern, found in paths.items():
        title = question_of(pattern)
        leaf = vocabulary.leaf_at(pattern)
        values = tuple(leaf.choices())
        yield Thing(
            sort=LEAF,
            id=pattern,
            title=title,
            paths=tuple(found),
            touches=(leaf.doc, *values),
            values=values,
        )


def _bids(compiled: Sequence[Compiled]) -> Iterator[Thing]:
    merged: dict[str, Thing] = {}
    for rules in compiled:
        if rules.kind != TRICKS:
            continue
        for name, bid in rules.ruleset.rules.bids.items():
            thing = merged.setdefault(
                name, Thing(sort=BID, id=name, title=bid.title, names=(f"bids.{name}",))
            )
            paths = tuple(dict.fromkeys((*thing.paths, *bid_paths(name, rules))))
            merged[name] = replace(thing, paths=paths)
    yield from merged.values()


def _exact(words: str, things: Iterable[Thing]) -> Iterator[Thing]:
    """The things of which the words are an id; of a rule that is kept for each bid, the one that is
    named."""
    wanted = folded(words)
    for thing in things:
        if any(folded(name) == wanted for name in (thing.id, *thing.names)):
            yield thing
        elif thing.sort == LEAF and (named := [p for p in thing.paths if folded(p) == wanted]):
            yield replace(thing, paths=tuple(named))


@cache
def _stems(*texts: str) -> frozenset[str]:
    """The words of some texts without the ending of a plural or genitive, each as the first of
    those alike."""
    stems = (_stem(word) for text in texts for word in _WORD.findall(folded(text)))
    return frozenset(alike().get(stem, stem) for stem in stems)


def _stem(word: str) -> str:
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if len(word) > len(ending) + 2 and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)] + instead
    return word


def _meant(words: str, things: Sequence[Thing], compiled: Compiled | None) -> Hint:
    """What may have been meant: an id, the last step of a rule, or a word of a title, each of which
    names something."""
    known = {name for t in things for name in (t.id, *t.names)} | {
        t.id.rpartition(".")[2] for t in things
    }
    named = (" ".join(_named(t)).casefold() for t in things)
    known |= {word for text in named for word in _WORD.findall(text) if len(word) > 4}
    known -= {"*"}
    words = words[:80].casefold()  # as much as ``did_you_mean`` reads: likeness costs by the length
    is_near = any(SequenceMatcher(None, words, name).ratio() >= _NEAR for name in known)
    typed = {shlex.quote(name) if "*" in name else name for name in known}  # as a shell takes them
    ref = resources.examples()[0] if compiled is None else compiled.identity.reference
    lists = Command("apparatus", (ref,), how="lists-points")
    return (did_you_mean(words, typed) if is_near else None) or lists
