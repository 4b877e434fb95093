"""The answer where words name one thing: a rule, a disputed point, a bid or a word of the
glossary."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quadrille_core.errors import ProfileError
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_plugins.lookup.find import (
    BID,
    POINT,
    TERM,
    Found,
    Thing,
    all_points,
    bid_paths,
    of_same_matter,
    shipped,
)
from quadrille_plugins.lookup.glossary import Term, glossary
from quadrille_plugins.lookup.many_hits import (
    also_decide,
    deciding_blocks,
    lists,
    to_name_one,
)
from quadrille_plugins.lookup.passages import of_reading
from quadrille_plugins.lookup.provenance import explain_blocks, explain_json
from quadrille_plugins.lookup.rule_page import rule_blocks, rule_page, rule_rows
from quadrille_plugins.lookup.witnessed import statements, status_text, witness_lines
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.idle_rules import idle_rules
from quadrille_plugins.shell.shipped_effects import shipped_json, shipped_lines
from quadrille_plugins.shell.values import (
    filled_text,
    identity_text,
    reading_who,
    rule_value,
    ruleset_json,
)
from quadrille_plugins.shell.wrapping import command_lines, filled, listed, proposed


def rules_answer(compiled: Compiled, paths: Sequence[str]) -> Answer:
    """Where the values of these rules come from."""
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
        found=lambda: [f"{p} = {rule_value(compiled.origins[p].value)}" for p in paths],
    )


def of_one(command: str, thing: Thing, found: Found, compiled: Compiled | None) -> Answer:
    """The answer of the one thing that is meant; below a word of the glossary stands what else it
    touches."""
    if thing.sort == TERM:
        return _term(command, glossary()[thing.id], found, compiled)
    if thing.sort == POINT:
        return _point(thing, compiled)
    if thing.sort == BID:
        return _bid(thing, compiled)
    if compiled is None:
        concrete = thing.paths[0] if len(thing.paths) == 1 else None
        page = rule_page(thing.id, concrete if concrete != thing.id else None)
        return Answer(
            blocks=lambda: rule_blocks(page), data=page.to_plain, rows=lambda: rule_rows(page)
        )
    paths = [p for p in thing.paths if p in compiled.origins]
    return rules_answer(compiled, paths)


def _term(command: str, term: Term, found: Found, compiled: Compiled | None) -> Answer:
    others = [hit for hit in found.hits if hit.name != f"term:{term.name}"]
    touches = Found(words=found.words, one=None, hits=tuple(others))
    said = f"{found.words} touches {touches.counts()}" if others else None
    also = also_decide(found, compiled, touches.of(POINT))

    def blocks() -> list[Block]:
        lines = filled(f"{term.name}: {term.means}", more=2)
        if term.also:
            lines += filled(f"also called {', '.join(term.also)}", 2)
        lines += [line for source, at in term.sources for line in filled(f"{source}, {at}", 2)]
        made: list[Block] = [Text("\n".join(lines), strong=False)]
        if said is not None:
            made += [Text(f"{said}:", strong=True), *lists(others, compiled)]
        made += deciding_blocks(also, compiled, has_others=bool(touches.of(POINT)))
        return [*made, *([to_name_one(command, others, compiled)] if others else [])]

    return Answer(
        blocks=blocks,
        data=lambda: {
            "kind": TERM,
            **term.to_plain(),
            "words": found.words,
            "answer": said,
            "rules": ruleset_json(compiled) if compiled is not None else None,
            "hits": [hit.to_plain() for hit in others],
            "also": [more.to_plain() for more in also],
        },
        rows=lambda: (
            ("term", "meaning", "source", "at"),
            [(term.name, term.means, *s) for s in term.sources or [("", "")]],
        ),
        status=2 if others else 0,
    )


def _point(thing: Thing, compiled: Compiled | None) -> Answer:
    holders = {compiled.identity.reference: compiled} if compiled is not None else shipped()
    having = {ref: c for ref, c in holders.items() if thing.id in all_points(c)}

    def blocks() -> list[Block]:
        made: list[Block] = [
            Text("\n".join(filled(f"{thing.id}: {thing.title}", more=2)), strong=True)
        ]
        groups: dict[str, list[str]] = {}
        for ref, rules in having.items():
            groups.setdefault("\n".join(_readings(thing.id, rules)), []).append(ref)
        seen = "" if compiled is None else filled_text(compiled)
        made += [
            Text("\n".join([*filled(", ".join(refs)), *filled(seen.lstrip()), text]))
            for text, refs in groups.items()
        ]
        related = dict(t for rules in having.values() for t in _related(thing.id, rules))
        if related:
            said = "Other points that decide the same matter:"
            made.append(Text("\n".join([said, *listed(list(related.items()))])))
        if asked := _asked_of_texts(thing):
            command = f"quadrille list witnesses {' '.join(asked)}"
            made.append(Text("\n".join(proposed("What period texts say of it:", command))))
        shown = filter(None, (shipped_lines(rules, thing.id) for rules in having.values()))
        made += [Text("\n".join(found)) for found in shown]
        if (lines := _to_see(thing.id, having)) is not None:
            commands = [part for line in lines for part in command_lines(line, 2)]
            made.append(Text("\n".join(["To see what it changes:", *commands])))
        return made

    return Answer(
        blocks=blocks,
        data=lambda: {
            **thing.to_plain(),
            "questions": _asked_of_texts(thing),
            "profiles": {ref: _point_json(thing.id, rules) for ref, rules in having.items()},
            "rule_sets": {ref: ruleset_json(rules) for ref, rules in having.items()},
        },
        rows=lambda: (
            ("profile", "point", "reading", "in_use", "status", "who", "said"),
            [
                (
                    *(
                        ref,
                        thing.id,
                        r.id,
                        "yes" if r.id == _in_use(thing.id, c) else "no",
                        status_text(r),
                        reading_who(r),
                    ),
                    _said(thing.id, r, c),
                )
                for ref, c in having.items()
                for r in all_points(c)[thing.id].readings
            ],
        ),
    )


def _asked_of_texts(thing: Thing) -> list[str]:
    """The questions of period texts that a point answers."""
    from quadrille_plugins.witnesses.table import questions_on  # a rule is told without them

    return [question.id for question in questions_on(thing.id, thing.paths)]


def _related(point: str, compiled: Compiled) -> list[tuple[str, str]]:
    """The other points that decide the same matter in a rule set, each with its question."""
    return [(t.id, t.title) for t in of_same_matter(point, compiled)]


def _in_use(point: str, compiled: Compiled) -> str:
    return next((s.reading.id for s in compiled.points if s.point.id == point), "")


def _to_see(point: str, having: Mapping[str, Compiled]) -> list[str] | None:
    """The commands that play a point's reading in use and another; None where no rule set takes
    another."""
    for ref, compiled in having.items():
        for reading in all_points(compiled)[point].readings:
            if reading.id == _in_use(point, compiled):
                continue
            try:
                compile_reference(ref, readings={point: reading.id})
            except ProfileError:
                continue
            name = shlex.quote(ref)
            lines = [f"quadrille compare {name} {name} --reading 2:{point}={reading.id}"]
            return (
                [f"quadrille matters {name} {point}", *lines] if compiled.kind == TRICKS else lines
            )
    return None


def _said(point: str, reading: ReadingDoc, compiled: Compiled) -> str:
    return "; ".join(f"{p.source}, {p.at}: {p.says}" for p in of_reading(point, reading, compiled))


def _readings(point: str, compiled: Compiled) -> Iterator[str]:
    used = _in_use(point, compiled)
    for reading in all_points(compiled)[point].readings:
        yield from filled(
            f"{'→' if reading.id == used else ' '} {reading.id}: {reading_who(reading)}; "
            f"{status_text(reading)}",
            2,
            4,
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
        "same_matter": [other for other, _ in _related(point, compiled)],
        "shipped": shipped_json(compiled, point),
        "readings": {
            r.id: {
                "set": {s.path: s.value for s in r.sets},
                "status": r.status,
                "certainty": r.certainty or None,
                "who": reading_who(r),
                "elsewhere": {source: {"at": at or None} for source, at in r.elsewhere},
                "note": r.note or None,
                "says": [p.to_plain() for p in of_reading(point, r, compiled)],
            }
            for r in all_points(compiled)[point].readings
        },
        "witnesses": [one.to_plain() for one in statements(all_points(compiled)[point], compiled)],
    }


def _is_another_game(bid: str, compiled: Compiled | None) -> bool:
    """Whether a plugin or a setting by hand has changed what the bid's name means elsewhere."""
    origins = {} if compiled is None else compiled.origins
    what = (f"bids.{bid}.{leaf}" for leaf in ("goal", "tricks", "partner", "exchange"))
    return any(
        len(origins[p].chain) > 1 and origins[p].link.setter in ("plugin", "setting")
        for p in what
        if p in origins
    )


def _bid(thing: Thing, compiled: Compiled | None) -> Answer:
    holders = {compiled.identity.reference: compiled} if compiled is not None else shipped()
    having = {ref: c for ref, c in holders.items() if bid_paths(thing.id, c)}

    def blocks() -> list[Block]:
        term = next(
            (t for t in glossary().values() if thing.id.replace("-", " ") in _plain(t)), None
        )
        known = term is not None and not _is_another_game(thing.id, compiled)
        head = f"{thing.title}: {term.means}" if term is not None and known else thing.title
        made: list[Block] = [Text("\n".join(filled(head)), strong=True)]
        for ref, rules in having.items():
            setters = {
                o.chain[0].name for p, o in rules.origins.items() if p == f"bids.{thing.id}.title"
            }
            brought = f", brought by {', '.join(sorted(setters))}" if setters else ""
            values = {p: rule_value(rules.value_of(p)) for p in bid_paths(thing.id, rules)}
            if compiled is None:
                few = ("title", "rank", "made", "goal", "tricks", "partner")
                values = {
                    p: v
                    for p, v in values.items()
                    if p.rpartition(".")[2] in few or p.startswith("payments.premium")
                }
            name = identity_text(rules.identity) if compiled is not None else ref
            stopped = idle_rules(rules) if compiled is not None else {}
            whys = [
                f"cannot act here: {why}"
                for why in dict.fromkeys(stopped[p] for p in values if p in stopped)
            ]
            lines = [line for why in whys for line in filled(why, 2)]
            made.append(
                Text(
                    "\n".join([*filled(f"{name}{brought}"), *lines, *listed(list(values.items()))])
                )
            )
        if compiled is None:
            command = f"quadrille explain {next(iter(having))} bid:{thing.id}"
            made.append(Text("\n".join(proposed("All its rules:", command))))
        return made

    return Answer(
        blocks=blocks,
        data=lambda: {
            "kind": BID,
            "id": thing.id,
            "title": thing.title,
            "profiles": {
                ref: {
                    p: {
                        "value": c.value_of(p),
                        "status": c.origins[p].status,
                        "source": c.source_of(p),
                    }
                    for p in bid_paths(thing.id, c)
                }
                for ref, c in having.items()
            },
            "rule_sets": {ref: ruleset_json(c) for ref, c in having.items()},
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


def _plain(term: Term) -> set[str]:
    return {word.casefold().replace("é", "e") for word in (term.name, *term.also)}
