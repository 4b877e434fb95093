"""What readings the evidence leaves, as tables, JSON and rows."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from quadrille_core.profile.records import Source
from quadrille_plugins.discriminate.diagram import Cube
from quadrille_plugins.discriminate.next_record import Passage
from quadrille_plugins.discriminate.study import Discrimination, Minimal
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import (
    Json,
    Row,
    filled_text,
    identity_text,
    many,
    plainly,
    remark,
    ruleset_json,
    short_title,
    source_json,
    with_signs,
)
from quadrille_plugins.studies.answers import laid_out
from quadrille_plugins.studies.picture import Picture, PlotMark

MOST_SETS = 3
"""Sets of pieces that are told of one reading; the JSON has more of them."""
MOST_SHOWN = 12
"""Configurations of linked points, or of an answer, that are told one by one."""
MOST_DRAWN: Final = 40
"""Marks of one picture; the numbers have all."""


def _named(found: Discrimination, cube: Cube) -> dict[str, str]:
    points = found.space.points
    return {points[p].id: points[p].readings[r].id for p, r in cube}


def _minimal(found: Discrimination, sets: Minimal) -> Json:
    return {"sets": [[found.pieces[n].id for n in s] for s in sets.sets], "complete": sets.complete}


def _point(found: Discrimination, number: int) -> Json:
    point, counts = found.space.points[number], found.counts(number)
    left = sum(1 for c in counts if c)
    readings = []
    for n, (reading, count) in enumerate(zip(point.readings, counts, strict=True)):
        entry: Json = {"reading": reading.id, "survivors": count}
        if count:
            entry["status"] = "forced" if left == 1 else "open"
        elif not found.compiles(number, n):
            entry["status"] = "never compiles"
        else:
            felled = found.felled_by(number, n)
            entry["status"] = "excluded"
            entry["felled_by"] = _minimal(found, felled)
            entry["says"] = [found.said(p, number, n) for p in felled.sets[0]]
        readings.append(entry)
    status = "contradicted" if not left else "forced" if left == 1 and len(counts) > 1 else "open"
    return {"point": point.id, "question": point.question, "status": status, "readings": readings}


def _passage(found: Discrimination, passage: Passage) -> Json:
    situation = passage.situation
    return {
        "kind": situation.kind,
        "situation": situation.words,
        "question": passage.question,
        "data": dict(situation.data),
        "left_at_most": passage.left,
        "points": [found.space.points[p].id for p in passage.points],
        "answers": [
            {"answer": answer, "survivors": count, "readings": [_named(found, c) for c in cubes]}
            for answer, count, cubes in passage.answers
        ],
    }


def _in_use(found: Discrimination, piece: int) -> dict[str, str]:
    """What the rules answer to a piece with the readings in use."""
    word, says = found.space.at(found.answers[piece], found.space.base)
    return {"answer": word, "says": says}


def _cited(found: Discrimination) -> Iterator[Source]:
    """The sources of the pieces, in the order in which they are first named."""
    for name in dict.fromkeys(p.source for p in found.pieces):
        yield found.space.compiled.sources[name]


def discrimination_to_json(found: Discrimination, passages: Sequence[Passage]) -> Json:
    """Everything that was found, as plain data."""
    evidence = found.evidence
    return {
        "rules": ruleset_json(found.space.compiled),
        "evidence": {"name": evidence.name, "title": evidence.title, "sha256": evidence.digest},
        "sources": {s.id: source_json(s) for s in _cited(found)},
        "configurations": {
            "all": found.space.total(),
            "compile": found.started,
            "survive": found.remaining,
        },
        "pieces": [
            {
                **plainly(p, "id", "kind", "source", "at", "note"),
                "configurations": dict(found.words(n)),
                "in_use": _in_use(found, n),
                "undecided_among_survivors": n in found.undecided,
            }
            for n, p in enumerate(found.pieces)
        ],
        "points": [_point(found, n) for n in range(len(found.space.points))],
        "linked": [
            {
                "points": [found.space.points[p].id for p in b.points],
                "by_rules_alone": b.by_rules,
                "count": b.count,
                "standing": [_named(found, c) for c in b.standing],
            }
            for b in found.blocks
        ],
        "contradictions": _minimal(found, found.contradictions) if not found.remaining else None,
        "next": [_passage(found, p) for p in passages],
    }


# --- for people -----------------------------------------------------------------------------------


def _contradiction(pieces: Sequence[str], data: Json) -> str:
    if len(pieces) == 1:
        why = next(p["in_use"]["says"] for p in data["pieces"] if p["id"] == pieces[0])
        return f"- {pieces[0]} holds under no reading; by those in use, {with_signs(why)}."
    whole = "both" if len(pieces) == 2 else "all"
    return f"- {', '.join(pieces[:-1])} and {pieces[-1]} do not {whole} hold under any reading."


def _sets(sets: Json) -> str:
    told = "; or ".join(" with ".join(s) for s in sets["sets"][:MOST_SETS])
    if len(sets["sets"]) > MOST_SETS or not sets["complete"]:
        return f"{told}; or others"
    return told


def discrimination_blocks(
    found: Discrimination, data: Json, *, details: bool = True
) -> list[Block]:
    """What was found, for a person; ``data`` is the same as plain data.

    Without ``details`` the answer, what it settles, and the passage that would decide most.
    """
    evidence, count = found.evidence, data["configurations"]
    named = identity_text(found.space.compiled.identity) + filled_text(found.space.compiled)
    about = [evidence.title or evidence.name, named, *([evidence.about] if evidence.about else [])]
    main: list[Block] = []
    if data["contradictions"] is not None and count["compile"]:
        main.append(
            Text("\n".join(_contradiction(s, data) for s in data["contradictions"]["sets"]))
        )
        if not data["contradictions"]["complete"]:
            main.append(Text("There may be other sets."))
    main += [*_in_words(data), *_points(data), *_linked(data), *_next(data, 1)]
    refused = (
        "all of which compile"
        if count["all"] == count["compile"]
        else f"{many(count['compile'])} compile"
    )
    return laid_out(
        answer(data),
        "\n\n".join(about),
        main,
        sure=f"Every one of {many(count['all'])} configurations was tried, {refused}: no sample, "
        "no interval. It is as sure as the evidence is.",
        more=lambda: [*_pieces(data), _sources(found), *list(_next(data))[2:]],
        details=details,
        shows="each piece of evidence, the sources, further passages that would decide",
    )


def answer(data: Json) -> str:
    """The answer in a sentence or two: how many configurations survive, and what must be so by the
    evidence."""
    count, number, points = data["configurations"], len(data["pieces"]), len(data["points"])
    pieces = "1 piece of evidence" if number == 1 else f"{number} pieces of evidence"
    disputed = "1 point" if points == 1 else f"{points} points"
    if not count["compile"]:
        return "No configuration compiles, so that there is nothing to hold evidence against."
    if not count["survive"]:
        return f"Nothing survives: no configuration of {disputed} agrees with all of {pieces}."
    told = (
        f"Of {many(count['compile'])} configurations of {disputed} {many(count['survive'])} "
        f"survive {pieces}."
    )
    forced = [
        f"{p['point']} must be {r['reading']}"
        for p in data["points"]
        if p["status"] == "forced" and any(o["status"] == "excluded" for o in p["readings"])
        for r in p["readings"]
        if r["status"] == "forced"
    ]
    return f"{told} By the evidence {', '.join(forced)}." if forced else told


def _sources(found: Discrimination) -> Table:
    told = (
        (s.id, "\n".join(part for part in (short_title(s), s.url, remark(s)) if part))
        for s in _cited(found)
    )
    return Table("sources", ("source", "what it is"), tuple(told), whole=frozenset({"source"}))


def _pieces(data: Json) -> Iterator[Block]:
    rows = []
    for piece in data["pieces"]:
        told = piece["configurations"]
        words = [f"holds in {many(told.get('holds', 0))}"]
        if told.get("holds") == data["configurations"]["compile"]:
            words = ["holds everywhere"]
        words += [
            f"{word} in {many(told[key])}"
            for key, word in (("refused", "cannot have happened"), ("undecided", "undecided"))
            if told.get(key)
        ]
        rows.append((piece["id"], f"{piece['source']}: {piece['at']}", ", ".join(words)))
    yield Table("evidence", ("piece", "where it stands", "configurations"), tuple(rows))


def _in_words(data: Json) -> Iterator[Block]:
    """What the readings in use say of each piece that holds."""
    found = [p for p in data["pieces"] if p["in_use"]["answer"] == "holds" and p["in_use"]["says"]]
    if found:
        lines = [f"- {p['id']}: {with_signs(p['in_use']['says'])}" for p in found]
        yield Text("\n".join(["What was found by the readings in use:", *lines]))


def _nothing_falls(data: Json) -> str:
    """What to say where all that compiles survives, since pieces hold or since they stay undecided;
    else nothing."""
    compiled, pieces = data["configurations"]["compile"], data["pieces"]
    if not data["configurations"]["survive"] == compiled > 0:
        return ""
    undecided = sum(p["configurations"].get("holds", 0) < compiled for p in pieces)
    if not undecided:
        return (
            "Every piece holds under every configuration: the evidence settles no point in dispute."
        )
    who = "1 piece stays" if undecided == 1 else f"{undecided} pieces stay"
    return f"Nothing falls, but {who} undecided: so far the evidence settles no point in dispute."


def _points(data: Json) -> Iterator[Block]:
    rows, open_points = [], []
    linked = {p for block in data["linked"] for p in block["points"]}
    for point in data["points"]:
        fallen = any(r["status"] == "excluded" for r in point["readings"])
        if not fallen:
            open_points += [point["point"]] if point["point"] not in linked else []
            continue
        for reading in point["readings"]:
            why = ""
            if reading["status"] == "excluded":
                says = "; ".join(filter(None, reading["says"]))
                why = f"{_sets(reading['felled_by'])}: {says}".rstrip(": ")
            rows.append((point["point"], reading["reading"], reading["status"], with_signs(why)))
    if rows and data["configurations"]["survive"]:
        yield Table("what it settles", ("point", "reading", "", "excluded by"), tuple(rows))
    if says := _nothing_falls(data):
        yield Text(says)
    if open_points and data["configurations"]["survive"]:
        yield Text(f"Untouched, every reading of them as open as before: {', '.join(open_points)}.")


def _linked(data: Json) -> Iterator[Block]:
    for block in data["linked"]:
        why = "by the rules themselves" if block["by_rules_alone"] else "by the evidence"
        yield Text(
            f"These stand only together, linked {why} ({many(block['count'])} ways): "
            f"{', '.join(block['points'])}\n{_some(block['standing'], '- ')}"
        )


def _next(data: Json, most: int | None = None) -> Iterator[Block]:
    for number, passage in enumerate(data["next"][:most]):
        head = "What would decide most" if number == 0 else "Or"
        left, of = passage["left_at_most"], data["configurations"]["survive"]
        yield Text(
            with_signs(
                f"{head}: look for a passage that says {passage['question']} when "
                f"{passage['situation']}. Whatever it says, at most {many(left)} of {many(of)} "
                f"remain ({round(100 * left / of)} %)."
            ),
            strong=number == 0,
        )
        rows = [(with_signs(a["answer"]), _some(a["readings"])) for a in passage["answers"]]
        yield Table("", ("if it says", "these remain"), tuple(rows))


def _some(configurations: Sequence[dict[str, str]], mark: str = "") -> str:
    """Configurations, a line each, and how many more there are."""
    lines = [
        mark + (", ".join(f"{p}={r}" for p, r in one.items()) or "all of them")
        for one in configurations[:MOST_SHOWN]
    ]
    more = len(configurations) - MOST_SHOWN
    return "\n".join([*lines, *([f"{mark}and {more} more"] if more > 0 else [])])


def discrimination_rows(data: Json) -> tuple[Sequence[str], list[Row]]:
    """One row for each reading of each point."""
    rows: list[Row] = []
    for point in data["points"]:
        for reading in point["readings"]:
            felled = reading.get("felled_by", {"sets": []})
            sets = "; ".join(" + ".join(s) for s in felled["sets"])
            rows.append(
                (point["point"], reading["reading"], reading["status"], reading["survivors"], sets)
            )
    return ("point", "reading", "status", "survivors", "felled_by"), rows


# --- pictures -------------------------------------------------------------------------------------


def pictures_of(results: Json) -> tuple[Picture, ...]:
    """How much each piece leaves, and how often the readings that evidence bears on stand among
    what survives."""
    compiled, left = results["configurations"]["compile"], results["configurations"]["survive"]
    told = [
        (p["id"], p["configurations"].get("holds", 0) + p["configurations"].get("undecided", 0))
        for p in results["pieces"]
    ]
    narrowing = [(name, count) for name, count in told if count < compiled]
    linked = {
        p for block in results["linked"] if not block["by_rules_alone"] for p in block["points"]
    }
    readings = [
        (f"{p['point']}={r['reading']}", r["survivors"])
        for p in results["points"]
        if p["point"] in linked or any(r["status"] == "excluded" for r in p["readings"])
        for r in p["readings"]
    ]
    drawn = []
    if any(count for _, count in narrowing):  # else nothing is narrowed, or nothing left
        drawn.append(
            _bars(
                "pieces",
                "How many configurations each piece of evidence leaves",
                "A bar for each piece of evidence that does not leave all of them, in the order of "
                "the file.",
                narrowing,
                compiled,
                "those that compile",
            )
        )
    if left and readings:
        drawn.append(
            _bars(
                "readings",
                "The readings among the configurations that survive",
                "A bar for each reading of the points that the evidence bears on: 0 and 100 are "
                "proofs.",
                readings,
                left,
                "those that survive",
            )
        )
    return tuple(drawn)


def _bars(
    name: str, title: str, alt: str, counts: Sequence[tuple[str, int]], whole: int, of: str
) -> Picture:
    return Picture(
        name=f"discriminate-{name}",
        title=title,
        alt=f"{alt} Of {len(counts)} bars {sum(not n for _, n in counts)} stand at zero.",
        kind="bars",
        rows=tuple(
            PlotMark(label=label, value=float(round(100 * Fraction(count, whole), 6)))
            for label, count in counts[:MOST_DRAWN]
        ),
        value=f"configurations, per cent of {of}",
        label=name.removesuffix("s"),
        caption=f"Counted exactly over {many(whole)} configurations; a share of configurations is "
        f"no probability. At most {MOST_DRAWN} bars are drawn.",
    )
