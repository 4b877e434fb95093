"""The answer to a word: a point, a rule, a bid or a word of the glossary; or the list of what it
may mean.

This module is what ``hookspecs.Features.quadrille_finder`` hands to the commands that take words.
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

from quadrille_core import resources, vocabulary
from quadrille_core.errors import Command, UsageError
from quadrille_core.features import installed
from quadrille_core.profile.records import PointDoc
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.passages import Passage
from quadrille_plugins.lookup.find import (
    BID,
    POINT,
    TERM,
    Found,
    all_points,
    everything,
    find,
    is_named,
    is_reference,
    is_word,
    points_of,
    shipped,
)
from quadrille_plugins.lookup.many_hits import also_decide, several
from quadrille_plugins.lookup.one_hit import of_one, rules_answer
from quadrille_plugins.lookup.passages import of_reading
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cited

__all__ = [
    "answer",
    "everything",
    "find",
    "find_anywhere",
    "find_points",
    "is_reference",
    "matching",
    "nothing",
    "passages_of",
    "rules_of",
]


def answer(command: str, words: str, compiled: Compiled | None, *, cite: bool = False) -> Answer:
    """What the words name, or the list of what they may mean, with status 2.

    Raises UsageError where they name nothing.
    """
    found = find(words, compiled)
    if compiled is not None and (paths := _rules_below(words, found, compiled)):
        made = rules_answer(compiled, paths)
    elif not found.hits:
        raise nothing(words, compiled, found)
    elif found.one is not None:
        made = of_one(command, found.one, found, compiled)
    else:
        made = several(command, found, compiled, also_decide(found, compiled, found.of(POINT)))
    of = [compiled] if compiled is not None else []
    return replace(made, blocks=lambda: cited(made.blocks(), of, cite=cite))


def _rules_below(words: str, found: Found, compiled: Compiled) -> list[str]:
    """The rules at or below a path; of words that name nothing else, the rules that a plugin of
    that name sets.

    A path that is a bid's name, or a bid's block, names the bid.
    """
    if found.one is not None and found.one.sort == BID:
        return []
    if paths := [p for p in compiled.origins if vocabulary.matches(words, p)]:
        return paths
    named = {p.name for p in compiled.identity.plugins if is_word(p.name, words)}
    if found.hits or not named:
        return []
    return [
        p
        for p, o in compiled.origins.items()
        if any(k.setter == "plugin" and k.name in named for k in o.chain)
    ]


def nothing(words: str, compiled: Compiled | None, found: Found) -> UsageError:
    """The error of words that name nothing; where they name a plugin that is not asked, it says how
    to ask it."""
    asked = {p.name for p in compiled.identity.plugins} if compiled is not None else set()
    if plugin := next(
        (name for name in sorted(installed()) if is_word(name, words) and name not in asked), None
    ):
        ref = compiled.identity.reference if compiled is not None else resources.examples()[0]
        how = Command("explain", (f"{ref}+{plugin}", plugin), how="is-a-plugin")
        found = replace(found, help=how)
    if compiled is None:
        return UsageError.of("names-nothing", found.help, words=words)
    data = {"words": words, "reference": compiled.identity.reference}
    if found.elsewhere and found.help is None:
        return UsageError.of("names-nothing-here", **data, profiles=found.elsewhere)
    return UsageError.of("names-nothing-in", found.help, **data)


def _plain_words(words: str) -> str:
    """The words in which a rule set is searched for what a word of the glossary touches, where
    ``term:`` names one."""
    one = find(words).one if words.casefold().startswith(f"{TERM}:") else None
    return words if one is None else one.id


def find_points(command: str, words: str, compiled: Compiled) -> str | Answer:
    """The one disputed point that the words name; a list where they name several.

    Raises UsageError where they name none.
    """
    found = find(_plain_words(words), compiled)
    points = points_of(found, compiled)
    also = also_decide(found, compiled, points)
    if not points and not also:
        if not found.hits:
            raise nothing(words, compiled, found)
        what = found.one.name if found.one is not None else f"what {words[:60]!r} names"
        raise UsageError.of(
            "no-point-decides",
            Command("explain", (compiled.identity.reference, found.hits[0].name)),
            reference=compiled.identity.reference,
            what=what,
        )
    if len(points) == 1 and not also:
        return points[0].id
    return several(command, Found(words=found.words, one=None, hits=points), compiled, also)


def find_anywhere(command: str, words: str) -> Answer | None:
    """The disputed points of all shipped rule sets that the words name; None where there are
    none."""
    found = find(_plain_words(words))
    points = found.of(POINT)
    also = also_decide(found, None, points)
    if not points and not also:
        return None
    first = (*points, *(p for more in also for p in more.points))[0]
    ref = next(ref for ref, rules in shipped().items() if first.id in all_points(rules))
    return several(
        f"{command} {shlex.quote(ref)}", Found(words=found.words, one=None, hits=points), None, also
    )


def rules_of(words: str, rule_sets: Sequence[Compiled]) -> frozenset[str]:
    """The rules that the words name in any of these rule sets: by themselves, by a bid or a path,
    or by a point that decides them."""
    asked = _plain_words(words)
    found = [(compiled, find(asked, compiled)) for compiled in rule_sets]
    ones = [f.one for _, f in found if f.one is not None and f.one.sort != TERM]
    if exact := [one for one in ones if is_named(one, asked)]:
        # what another rule set has, called alike, is not meant
        return frozenset(path for one in exact for path in one.paths)
    paths: set[str] = set()
    for compiled, one in found:
        paths.update(_rules_below(asked, one, compiled), *(hit.paths for hit in one.hits))
    return frozenset(paths)


def matching(words: str, compiled: Compiled) -> list[str]:
    """The points in which the words occur: in the question, readings, notes, rules, places or what
    the texts say."""
    wanted = words.casefold()
    return [
        p.id
        for p in all_points(compiled).values()
        if any(wanted in text.casefold() for text in _texts(p, compiled))
    ]


def _texts(point: PointDoc, compiled: Compiled) -> Iterator[str]:
    yield from (point.id, point.id.replace("_", " "), point.question, point.note)
    for reading in point.readings:
        yield from (
            reading.id,
            reading.id.replace("_", " "),
            reading.title,
            reading.note,
            reading.at,
        )
        yield from (s.path for s in reading.sets)
        yield from (f"{a.witness} {a.at}" for a in reading.attested)
        yield from (f"{name} {at}" for name, at in reading.elsewhere)
        yield from (passage.says for passage in of_reading(point.id, reading, compiled))


def passages_of(point: str, reading: str, compiled: Compiled) -> tuple[Passage, ...]:
    """What the texts that have a reading of a point say there, in our words."""
    found = all_points(compiled)[point].reading(reading)
    return () if found is None else of_reading(point, found, compiled)
