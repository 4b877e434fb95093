"""The answer to a word: a point, a rule, a bid or a word of the glossary; or the list of what it may mean.

This module is what ``hookspecs.Features.quadrille_finder`` hands to the commands that take words.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from quadrille_core import resources, vocabulary
from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.features import idle_rules, installed
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.records import PointDoc, ReadingDoc
from quadrille_core.report.blocks import Block, Text
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_plugins.finding.find import (
    BID,
    LEAF,
    POINT,
    SEVERAL,
    SORTS,
    TERM,
    Found,
    Thing,
    all_points,
    bid_paths,
    everything,
    find,
    is_named,
    is_reference,
    is_word,
    points_in,
    points_of,
    shipped,
)
from quadrille_plugins.finding.glossary import Term, glossary
from quadrille_plugins.finding.provenance import explain_blocks, explain_json
from quadrille_plugins.finding.rule_page import rule_page
from quadrille_plugins.finding.rule_text import rule_blocks, rule_rows
from quadrille_plugins.finding.said import Passage, of_reading
from quadrille_plugins.finding.text import filled, listed
from quadrille_plugins.finding.witnessed import statements, status_text, witness_lines
from quadrille_plugins.writing.citing import cited
from quadrille_plugins.writing.commands import emit
from quadrille_plugins.writing.point_status import absences, point_status
from quadrille_plugins.writing.values import filled_text, identity_text, rule_value, ruleset_json, who_has_it

__all__ = ["answer", "everything", "find", "find_anywhere", "find_points", "is_reference", "matching", "passages_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is printed: blocks for a person, plain data, rows of a table, and the exit status."""

    blocks: Callable[[], list[Block]]
    data: Callable[[], Any]
    rows: Callable[[], tuple[Sequence[str], Sequence[Sequence[object]]]]
    status: int = 0


def answer(command: str, words: str, compiled: Compiled | None, fmt: str, *, cite: bool = False) -> int:
    """Print what the words name, or the list of what they may mean; the exit status, 2 for a list.

    Raises UsageError where they name nothing.
    """
    found = find(words, compiled)
    if compiled is not None and (paths := _rules_below(words, found, compiled)):
        made = _rules(compiled, paths)
    elif not found.hits:
        raise nothing(words, compiled, found)
    elif found.one is not None:
        made = _of(found.one, found, compiled)
    else:
        made = _several(command, found, compiled, _also(found, compiled, found.of(POINT)))
    of = [compiled] if compiled is not None else []
    emit(fmt, blocks=lambda: cited(made.blocks(), of, cite=cite), data=made.data, rows=made.rows)
    return made.status


def _rules_below(words: str, found: Found, compiled: Compiled) -> list[str]:
    """The rules at or below a path; of words that name nothing else, the rules that a plugin of that name sets.

    A path that is a bid's name, or a bid's block, names the bid.
    """
    if found.one is not None and found.one.sort == BID:
        return []
    if paths := [p for p in compiled.origins if vocabulary.matches(words, p)]:
        return paths
    named = {p.name for p in compiled.identity.plugins if is_word(p.name, words)}
    if found.hits or not named:
        return []
    return [p for p, o in compiled.origins.items() if any(k.setter == "plugin" and k.name in named for k in o.chain)]


def _rules(compiled: Compiled, paths: Sequence[str]) -> Answer:
    return Answer(
        blocks=lambda: explain_blocks(compiled, paths),
        data=lambda: explain_json(compiled, paths),
        rows=lambda: (
            ("path", "value", "set_by", "name", "status", "source"),
            [
                (p, rule_value(k.value), k.setter, k.name, c.status, f"{c.source} {c.at}".strip())
                for p in paths
                for k in reversed(compiled.origins[p].chain)
                for c in k.citations
            ],
        ),
    )


def nothing(words: str, compiled: Compiled | None, found: Found) -> UsageError:
    """The error of words that name nothing; where they name a plugin that is not asked, it says how to ask it."""
    asked = {p.name for p in compiled.identity.plugins} if compiled is not None else set()
    if plugin := next((name for name in sorted(installed()) if is_word(name, words) and name not in asked), None):
        ref = compiled.identity.reference if compiled is not None else resources.examples()[0]
        help_line = f"{plugin} is a plugin: quadrille explain {ref}+{plugin} {plugin}"
        found = replace(found, help=help_line)
    where = f" in {compiled.identity.reference}" if compiled is not None else ""
    return UsageError(f"{words[:60]!r} names no point, rule, bid or word of the glossary{where}", help=found.help)


def _plain_words(words: str) -> str:
    """The words in which a rule set is searched for what a word of the glossary touches, where ``term:`` names one."""
    one = find(words).one if words.casefold().startswith(f"{TERM}:") else None
    return words if one is None else one.id


def find_points(command: str, words: str, compiled: Compiled, fmt: str) -> str | None:
    """The one disputed point that the words name; None where several were listed instead.

    Raises UsageError where they name none.
    """
    found = find(_plain_words(words), compiled)
    points = points_of(found, compiled)
    also = _also(found, compiled, points)
    if not points and not also:
        if not found.hits:
            raise nothing(words, compiled, found)
        what = found.one.name if found.one is not None else f"what {words[:60]!r} names"
        raise UsageError(
            f"no point in dispute in {compiled.identity.reference} decides {what}",
            help=f"quadrille explain {compiled.identity.reference} {found.hits[0].name}",
        )
    if len(points) == 1 and not also:
        return points[0].id
    made = _several(command, Found(words=found.words, one=None, hits=points), compiled, also)
    emit(fmt, blocks=made.blocks, data=made.data, rows=made.rows)
    return None


def find_anywhere(command: str, words: str, fmt: str) -> bool:
    """List the disputed points of all shipped rule sets that the words name; whether there are any."""
    found = find(_plain_words(words))
    points = found.of(POINT)
    also = _also(found, None, points)
    if not points and not also:
        return False
    first = (*points, *(p for more in also for p in more.points))[0]
    ref = next(ref for ref, rules in shipped().items() if first.id in all_points(rules))
    made = _several(f"{command} {ref}", Found(words=found.words, one=None, hits=points), None, also)
    emit(fmt, blocks=made.blocks, data=made.data, rows=made.rows)
    return True


def matching(words: str, compiled: Compiled) -> list[str]:
    """The points in which the words occur: in the question, readings, notes, rules, places or what the texts say."""
    wanted = words.casefold()
    return [
        p.id for p in all_points(compiled).values() if any(wanted in text.casefold() for text in _texts(p, compiled))
    ]


def _texts(point: PointDoc, compiled: Compiled) -> Iterator[str]:
    yield from (point.id, point.id.replace("_", " "), point.question, point.note)
    for reading in point.readings:
        yield from (reading.id, reading.id.replace("_", " "), reading.title, reading.note, reading.at)
        yield from (s.path for s in reading.sets)
        yield from (f"{name} {at}" for name, _, at in reading.attested)
        yield from (f"{name} {at}" for name, at in reading.elsewhere)
        yield from (passage.says for passage in of_reading(point.id, reading, compiled))


def passages_of(point: str, reading: str, compiled: Compiled) -> tuple[Passage, ...]:
    """What the texts that have a reading of a point say there, in our words."""
    found = all_points(compiled)[point].reading(reading)
    return () if found is None else of_reading(point, found, compiled)


# --- several ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """Points that decide what such a game costs, though their words do not say so."""

    asks: str
    """What they decide, such as ``what a codille costs``."""
    points: tuple[Thing, ...]

    def to_plain(self) -> dict[str, object]:
        """The same as plain data."""
        return {"decide": self.asks, "points": [point.to_plain() for point in self.points]}


def _also(found: Found, compiled: Compiled | None, named: Sequence[Thing]) -> tuple[Deciding, ...]:
    """What else decides what a game costs that ends as the words say; the named points are left out."""
    if found.one is not None and found.one.sort != TERM:
        return ()
    try:
        from quadrille_plugins.finding.deciding import deciding, deciding_anywhere
    except ModuleNotFoundError as e:
        if e.name not in ("quadrille_plugins.settle", "quadrille_plugins.settle.consulted"):
            raise
        return ()  # nothing settles results here
    made = []
    for term in (glossary()[hit.id] for hit in found.of(TERM) if is_named(hit, found.words)):
        if term.costs is None:
            continue
        kept = {thing.id for thing in named}
        if compiled is None:
            ids = deciding_anywhere(tuple(term.costs.result.items())) - kept
        else:
            among = [s.point.id for s in compiled.points if s.point.id not in kept]
            ids = frozenset(deciding(compiled, term.costs.result, among))
        known = points_in(compiled) if compiled is not None else (t for t in everything() if t.sort == POINT)
        if points := tuple(thing for thing in known if thing.id in ids):
            made.append(Deciding(asks=term.costs.asks, points=points))
    return tuple(made)


def _several(command: str, found: Found, compiled: Compiled | None, also: Sequence[Deciding]) -> Answer:
    where = f" of {compiled.identity.reference}" if compiled is not None else ""
    said = f"{found.words} touches {found.counts()}{where}" if found.hits else _more(also[0], has_others=False)
    first = min((*found.hits, *(p for more in also for p in more.points)), key=lambda hit: SORTS.index(hit.sort))
    ref = f" {compiled.identity.reference}" if compiled is not None else ""
    return Answer(
        blocks=lambda: [
            *([Text("\n".join(filled(f"{said}:", more=0)), strong=True)] if found.hits else []),
            *_lists(found.hits, compiled),
            *_decide(also, compiled, has_others=bool(found.of(POINT))),
            Text("\n".join(filled(f"To name one: quadrille {command}{ref} {first.name}", more=2))),
        ],
        data=lambda: {
            "words": found.words,
            "answer": said,
            "rules": ruleset_json(compiled) if compiled is not None else None,
            "hits": [hit.to_plain() for hit in found.hits],
            "also": [more.to_plain() for more in also],
        },
        rows=lambda: (
            ("kind", "id", "title", "decides"),
            [
                *((h.sort, h.id, h.title, "") for h in found.hits),
                *((p.sort, p.id, p.title, more.asks) for more in also for p in more.points),
            ],
        ),
        status=2,
    )


def _more(more: Deciding, *, has_others: bool) -> str:
    number = len(more.points)
    if not has_others:
        return f"{number} {'point decides' if number == 1 else 'points decide'} {more.asks}"
    return f"{number} more {'point also decides' if number == 1 else 'points also decide'} {more.asks}"


def _decide(also: Sequence[Deciding], compiled: Compiled | None, *, has_others: bool) -> Iterator[Block]:
    for more in also:
        yield Text("\n".join(filled(f"{_more(more, has_others=has_others)}:", more=0)), strong=True)
        yield Text("\n".join(listed([(point.id, _line(point, compiled)) for point in more.points])))


def _lists(hits: Sequence[Thing], compiled: Compiled | None) -> Iterator[Block]:
    for sort in SORTS:
        rows = [(hit.id, _line(hit, compiled)) for hit in hits if hit.sort == sort]
        if rows:
            yield Text("\n".join([SEVERAL[sort], *listed(rows)]))


def _line(hit: Thing, compiled: Compiled | None) -> str:
    """A hit in a line; of a rule also its value, where it has one in the rule set."""
    if compiled is None or hit.sort not in (LEAF, POINT):
        return hit.title
    if hit.sort == POINT:
        state = next((s for s in compiled.points if s.point.id == hit.id), None)
        if state is None:
            return f"{hit.title} (closed: other rules settle it)"
        status = point_status(state.point.readings, absences(hit.id, compiled))
        return f"{hit.title} ({'; '.join(filter(None, (state.reading.id, status)))})"
    values = dict.fromkeys(rule_value(compiled.value_of(p)) for p in hit.paths if p in compiled.origins)
    return f"{hit.title} ({' or '.join(values)})"


# --- one --------------------------------------------------------------------------------------


def _of(thing: Thing, found: Found, compiled: Compiled | None) -> Answer:
    if thing.sort == TERM:
        return _term(glossary()[thing.id], found, compiled)
    if thing.sort == POINT:
        return _point(thing, compiled)
    if thing.sort == BID:
        return _bid(thing, compiled)
    if compiled is None:
        concrete = thing.paths[0] if len(thing.paths) == 1 else None
        page = rule_page(thing.id, concrete if concrete != thing.id else None)
        return Answer(blocks=lambda: rule_blocks(page), data=page.to_plain, rows=lambda: rule_rows(page))
    paths = [p for p in thing.paths if p in compiled.origins]
    return _rules(compiled, paths)


def _term(term: Term, found: Found, compiled: Compiled | None) -> Answer:
    others = [hit for hit in found.hits if hit.name != f"term:{term.name}"]
    touches = Found(words=found.words, one=None, hits=tuple(others))
    also = _also(found, compiled, touches.of(POINT))

    def blocks() -> list[Block]:
        lines = filled(f"{term.name}: {term.means}", more=2)
        if term.also:
            lines += filled(f"also called {', '.join(term.also)}", 2)
        lines += [line for source, at in term.sources for line in filled(f"{source}, {at}", 2)]
        made: list[Block] = [Text("\n".join(lines), strong=False)]
        if others:
            made += [Text(f"{found.words} touches {touches.counts()}:", strong=True), *_lists(others, compiled)]
        return [*made, *_decide(also, compiled, has_others=bool(touches.of(POINT)))]

    return Answer(
        blocks=blocks,
        data=lambda: {
            "kind": TERM,
            **term.to_plain(),
            "hits": [hit.to_plain() for hit in others],
            "also": [more.to_plain() for more in also],
        },
        rows=lambda: (
            ("term", "meaning", "source", "at"),
            [(term.name, term.means, *s) for s in term.sources or [("", "")]],
        ),
    )


def _point(thing: Thing, compiled: Compiled | None) -> Answer:
    holders = {compiled.identity.reference: compiled} if compiled is not None else shipped()
    having = {ref: c for ref, c in holders.items() if thing.id in all_points(c)}

    def blocks() -> list[Block]:
        made: list[Block] = [Text("\n".join(filled(f"{thing.id}: {thing.title}", more=2)), strong=True)]
        groups: dict[str, list[str]] = {}
        for ref, rules in having.items():
            groups.setdefault("\n".join(_readings(thing.id, rules)), []).append(ref)
        seen = "" if compiled is None else filled_text(compiled)
        made += [
            Text("\n".join([*filled(", ".join(refs)), *filled(seen.lstrip()), text])) for text, refs in groups.items()
        ]
        if (lines := _to_see(thing.id, having)) is not None:
            made.append(Text("\n".join(["To see what it changes:", *(f"  {line}" for line in lines)])))
        return made

    return Answer(
        blocks=blocks,
        data=lambda: {
            **thing.to_plain(),
            "profiles": {ref: _point_json(thing.id, rules) for ref, rules in having.items()},
        },
        rows=lambda: (
            ("profile", "point", "reading", "in_use", "status", "who", "said"),
            [
                (
                    *(ref, thing.id, r.id, "yes" if r.id == _in_use(thing.id, c) else "no", status_text(r), _who(r)),
                    _said(thing.id, r, c),
                )
                for ref, c in having.items()
                for r in all_points(c)[thing.id].readings
            ],
        ),
    )


def _in_use(point: str, compiled: Compiled) -> str:
    return next((s.reading.id for s in compiled.points if s.point.id == point), "")


def _to_see(point: str, having: Mapping[str, Compiled]) -> list[str] | None:
    """The commands that play a point's reading in use and another; None where no rule set takes another."""
    for ref, compiled in having.items():
        for reading in all_points(compiled)[point].readings:
            if reading.id == _in_use(point, compiled):
                continue
            try:
                compile_reference(ref, readings={point: reading.id})
            except ProfileError:
                continue
            line = f"quadrille compare {ref} {ref}", f"--reading 2:{point}={reading.id}"
            # broken where a shell reads on
            lines = [" ".join(line)] if len(" ".join(line)) <= 78 else [f"{line[0]} \\", f"  {line[1]}"]
            return [f"quadrille matters {ref} {point}", *lines] if compiled.kind == TRICKS else lines
    return None


def _who(reading: ReadingDoc) -> str:
    return who_has_it([(w, at) for w, _, at in reading.attested], reading.elsewhere)


def _said(point: str, reading: ReadingDoc, compiled: Compiled) -> str:
    return "; ".join(f"{p.source}, {p.at}: {p.says}" for p in of_reading(point, reading, compiled))


def _readings(point: str, compiled: Compiled) -> Iterator[str]:
    used = _in_use(point, compiled)
    for reading in all_points(compiled)[point].readings:
        yield from filled(
            f"{'→' if reading.id == used else ' '} {reading.id}: {_who(reading)}; {status_text(reading)}", 2, 4
        )
        for s in reading.sets:
            yield from filled(f"{s.path} = {rule_value(s.value)}", 6)
        for passage in of_reading(point, reading, compiled):
            yield from filled(f"{passage.source}, {passage.at}: {passage.says}", 6)
    yield from witness_lines(all_points(compiled)[point], compiled)
    if not used:
        yield "  closed: other rules settle it"


def _point_json(point: str, compiled: Compiled) -> dict[str, Any]:
    return {
        "in_use": _in_use(point, compiled) or None,
        "readings": {
            r.id: {
                "set": {s.path: s.value for s in r.sets},
                "status": r.status,
                "certainty": r.certainty or None,
                "who": _who(r),
                "note": r.note or None,
                "says": [p.to_plain() for p in of_reading(point, r, compiled)],
            }
            for r in all_points(compiled)[point].readings
        },
        "witnesses": [one.to_plain() for one in statements(all_points(compiled)[point], compiled)],
    }


def _bid(thing: Thing, compiled: Compiled | None) -> Answer:
    holders = {compiled.identity.reference: compiled} if compiled is not None else shipped()
    having = {ref: c for ref, c in holders.items() if bid_paths(thing.id, c)}

    def blocks() -> list[Block]:
        term = next((t for t in glossary().values() if thing.id.replace("-", " ") in _plain(t)), None)
        head = f"{thing.title}: {term.means}" if term is not None else thing.title
        made: list[Block] = [Text("\n".join(filled(head)), strong=True)]
        for ref, rules in having.items():
            setters = {o.chain[0].name for p, o in rules.origins.items() if p == f"bids.{thing.id}.title"}
            brought = f", brought by {', '.join(sorted(setters))}" if setters else ""
            values = {p: rule_value(rules.value_of(p)) for p in bid_paths(thing.id, rules)}
            if compiled is None:
                few = ("title", "rank", "made", "goal", "tricks", "partner")
                values = {
                    p: v for p, v in values.items() if p.rpartition(".")[2] in few or p.startswith("payments.premium")
                }
            name = identity_text(rules.identity) if compiled is not None else ref
            stopped = idle_rules(rules) if compiled is not None else {}
            whys = [f"cannot act here: {why}" for why in dict.fromkeys(stopped[p] for p in values if p in stopped)]
            lines = [line for why in whys for line in filled(why, 2)]
            made.append(Text("\n".join([*filled(f"{name}{brought}"), *lines, *listed(list(values.items()))])))
        if compiled is None:
            made.append(Text(f"All its rules: quadrille explain {next(iter(having))} bid:{thing.id}"))
        return made

    return Answer(
        blocks=blocks,
        data=lambda: {
            "kind": BID,
            "id": thing.id,
            "title": thing.title,
            "profiles": {
                ref: {
                    p: {"value": c.value_of(p), "status": c.origins[p].status, "source": c.source_of(p)}
                    for p in bid_paths(thing.id, c)
                }
                for ref, c in having.items()
            },
        },
        rows=lambda: (
            ("profile", "path", "value", "source"),
            [
                (ref, p, rule_value(c.value_of(p)), c.source_of(p))
                for ref, c in having.items()
                for p in bid_paths(thing.id, c)
            ],
        ),
    )


_FEW: Final = ("title", "rank", "made", "goal", "tricks", "partner")
_PREMIUM: Final = "payments.premium."
"""The rules of a bid that are shown of each profile."""


def _plain(term: Term) -> set[str]:
    return {word.casefold().replace("é", "e") for word in (term.name, *term.also)}
