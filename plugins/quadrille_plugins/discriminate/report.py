"""What readings the evidence leaves, as tables, JSON and rows."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from quadrille_core.profile.records import Source
from quadrille_core.report.blocks import Block, Table, Text
from quadrille_plugins.discriminate.diagram import Cube
from quadrille_plugins.discriminate.next_record import Passage
from quadrille_plugins.discriminate.study import Discrimination, Minimal
from quadrille_plugins.output.values import (
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

EVERYWHERE: Final = "holds everywhere"
MOST_SETS = 3
"""Sets of pieces that are told of one reading; the JSON has more of them."""
MOST_BOXED = 300
"""Configurations of an answer that are drawn together into as few lines as may be."""
MOST_SHOWN = 12
"""Configurations of linked points, or of an answer, that are told one by one."""
MOST_DRAWN: Final = 40
"""Marks of one picture; the numbers have all."""


def _named(found: Discrimination, cube: Cube) -> dict[str, str]:
    points = found.space.points
    return {points[p].id: points[p].readings[r].id for p, r in cube}


def _minimal(found: Discrimination, sets: Minimal) -> dict[str, Any]:
    return {"sets": [[found.pieces[n].id for n in s] for s in sets.sets], "complete": sets.complete}


def _point(found: Discrimination, number: int) -> dict[str, Any]:
    point, counts = found.space.points[number], found.counts(number)
    left = sum(1 for c in counts if c)
    readings = []
    for n, (reading, count) in enumerate(zip(point.readings, counts, strict=True)):
        entry: dict[str, Any] = {"reading": reading.id, "survivors": count}
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


def _passage(found: Discrimination, passage: Passage) -> dict[str, Any]:
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


def discrimination_to_json(found: Discrimination, passages: Sequence[Passage]) -> dict[str, Any]:
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


def _contradiction(pieces: Sequence[str], data: dict[str, Any]) -> str:
    if len(pieces) == 1:
        why = next(p["in_use"]["says"] for p in data["pieces"] if p["id"] == pieces[0])
        return f"- {pieces[0]} holds under no reading; by those in use, {with_signs(why)}."
    whole = "both" if len(pieces) == 2 else "all"
    return f"- {', '.join(pieces[:-1])} and {pieces[-1]} do not {whole} hold under any reading."


def _sets(sets: dict[str, Any]) -> str:
    told = "; or ".join(" with ".join(s) for s in sets["sets"][:MOST_SETS])
    if len(sets["sets"]) > MOST_SETS or not sets["complete"]:
        return f"{told}; or others"
    return told


def _readings(readings: dict[str, str]) -> str:
    return ", ".join(f"{p}={r}" for p, r in readings.items()) or "all of them"


def discrimination_blocks(
    found: Discrimination, data: dict[str, Any], *, details: bool = True
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


def answer(data: dict[str, Any]) -> str:
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


def _pieces(data: dict[str, Any]) -> Iterator[Block]:
    rows = []
    for piece in data["pieces"]:
        told = piece["configurations"]
        share = told.get("holds", 0)
        word = (
            EVERYWHERE
            if share == data["configurations"]["compile"] > 0
            else f"holds in {many(share)}"
        )
        if told.get("refused"):
            word += f", cannot have happened in {many(told['refused'])}"
        if told.get("undecided"):
            word += f", undecided in {many(told['undecided'])}"
        rows.append((piece["id"], f"{piece['source']}: {piece['at']}", word))
    folded: dict[str, list[str]] = {}
    if sum(word == EVERYWHERE for *_, word in rows) > MOST_SHOWN:
        for name, where, word in rows:
            if word == EVERYWHERE:
                folded.setdefault(where, []).append(name)
        rows = [row for row in rows if row[2] != EVERYWHERE]
    if rows:
        yield Table("evidence", ("piece", "where it stands", "configurations"), tuple(rows))
    for where, names in folded.items():
        yield Text(
            f"{len(names)} {'piece holds' if len(names) == 1 else 'pieces hold'} everywhere "
            f"({where}): {'; '.join(names)}."
        )


def _in_words(data: dict[str, Any]) -> Iterator[Block]:
    """What the readings in use say of each piece that holds."""
    found = [p for p in data["pieces"] if p["in_use"]["answer"] == "holds" and p["in_use"]["says"]]
    if found:
        lines = [f"- {p['id']}: {with_signs(p['in_use']['says'])}" for p in found]
        yield Text("\n".join(["What was found by the readings in use:", *lines]))


def _nothing_falls(data: dict[str, Any]) -> str:
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


def _points(data: dict[str, Any]) -> Iterator[Block]:
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


def _linked(data: dict[str, Any]) -> Iterator[Block]:
    for block in data["linked"]:
        why = "by the rules themselves" if block["by_rules_alone"] else "by the evidence"
        lines = [f"- {_readings(standing)}" for standing in block["standing"][:MOST_SHOWN]]
        if len(block["standing"]) > MOST_SHOWN:
            lines.append(f"- and {len(block['standing']) - MOST_SHOWN} more")
        head = (
            f"These stand only together, linked {why} ({many(block['count'])} ways): "
            f"{', '.join(block['points'])}"
        )
        yield Text("\n".join([head, *lines]))


Box = dict[str, frozenset[str]]


def boxes(named: Sequence[dict[str, str]], open_readings: dict[str, frozenset[str]]) -> list[Box]:
    """The same configurations in fewer lines: the readings that each point may have, where it may
    not have all."""
    found: list[Box] = [{p: frozenset({r}) for p, r in one.items()} for one in named]
    merged = True
    while merged:
        merged = False
        for first, second in combinations(range(len(found)), 2):
            one, two = found[first], found[second]
            apart = [p for p in one if two.get(p) != one[p]]
            if one.keys() == two.keys() and len(apart) == 1:
                found[first] = {**one, apart[0]: one[apart[0]] | two[apart[0]]}
                del found[second]
                merged = True
                break
    return [{p: r for p, r in box.items() if r != open_readings.get(p)} for box in found]


def _box(box: Box) -> str:
    return ", ".join(f"{p}={' or '.join(sorted(r))}" for p, r in box.items()) or "all of them"


def _next(data: dict[str, Any], most: int | None = None) -> Iterator[Block]:
    left_open = {
        p["point"]: frozenset(r["reading"] for r in p["readings"] if r["survivors"])
        for p in data["points"]
    }
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
        rows = []
        for answer in passage["answers"]:
            lines = [_box(b) for b in boxes(answer["readings"][:MOST_BOXED], left_open)]
            told, more = (
                lines[:MOST_SHOWN],
                len(lines) - MOST_SHOWN + max(len(answer["readings"]) - MOST_BOXED, 0),
            )
            rows.append(
                (
                    with_signs(answer["answer"]),
                    "\n".join([*told, *([f"and {more} more"] if more > 0 else [])]),
                )
            )
        yield Table("", ("if it says", "these remain"), tuple(rows))


def discrimination_rows(data: dict[str, Any]) -> tuple[Sequence[str], list[tuple[object, ...]]]:
    """One row for each reading of each point."""
    rows: list[tuple[object, ...]] = []
    for point in data["points"]:
        for reading in point["readings"]:
            felled = reading.get("felled_by", {"sets": []})
            sets = "; ".join(" + ".join(s) for s in felled["sets"])
            rows.append(
                (point["point"], reading["reading"], reading["status"], reading["survivors"], sets)
            )
    return ("point", "reading", "status", "survivors", "felled_by"), rows


# --- pictures -------------------------------------------------------------------------------------


def pictures_of(results: dict[str, Any]) -> tuple[Picture, ...]:
    """How much each piece leaves, and how often the readings that evidence bears on stand among
    what survives."""
    return (*_pieces_drawn(results), *_readings_drawn(results))


def _per_cent(part: int, whole: int) -> float:
    return float(round(100 * Fraction(part, whole), 6))


def _pieces_drawn(results: dict[str, Any]) -> Iterator[Picture]:
    whole = results["configurations"]["compile"]
    told = [
        (p["id"], p["configurations"].get("holds", 0) + p["configurations"].get("undecided", 0))
        for p in results["pieces"]
    ]
    narrowing = [(name, count) for name, count in told if count < whole]
    if not any(count for _, count in narrowing):
        return  # nothing is narrowed, or nothing left: a sentence says as much
    least = min(narrowing, key=lambda n: n[1])
    everywhere = len(told) - len(narrowing)
    yield Picture(
        name="discriminate-pieces",
        title="How many configurations each piece of evidence leaves",
        alt=f"A bar for each piece of evidence that does not leave all of them, in the order of "
        f"the file; {least[0]} leaves the fewest, {_per_cent(least[1], whole):.3g} per cent.",
        kind="bars",
        rows=tuple(
            PlotMark(label=name, value=_per_cent(count, whole))
            for name, count in narrowing[:MOST_DRAWN]
        ),
        value="configurations left by the piece alone, per cent of those that compile",
        label="piece",
        caption=f"Counted exactly over {many(whole)} configurations; a share of configurations "
        "is no probability."
        + (f" Pieces that leave all of them are not drawn: {everywhere}." if everywhere else "")
        + (f" The first {MOST_DRAWN} are drawn." if len(narrowing) > MOST_DRAWN else ""),
    )


def _readings_drawn(results: dict[str, Any]) -> Iterator[Picture]:
    left = results["configurations"]["survive"]
    if not left:
        return
    linked = {
        p for block in results["linked"] if not block["by_rules_alone"] for p in block["points"]
    }
    rows = [
        (f"{p['point']}={r['reading']}", r["survivors"])
        for p in results["points"]
        if p["point"] in linked or any(r["status"] == "excluded" for r in p["readings"])
        for r in p["readings"]
    ]
    if not rows:
        return
    fallen, forced = sum(not n for _, n in rows), sum(n == left for _, n in rows)
    yield Picture(
        name="discriminate-readings",
        title="The readings among the configurations that survive",
        alt=f"A bar for each reading of the points that the evidence bears on: of {len(rows)} "
        f"readings {forced} stand in all configurations that survive, and {fallen} in none.",
        kind="bars",
        rows=tuple(
            PlotMark(label=name, value=_per_cent(count, left)) for name, count in rows[:MOST_DRAWN]
        ),
        value="configurations with the reading, per cent of those that survive",
        label="reading",
        caption=f"Counted exactly over {many(left)} configurations that survive; a share of "
        "configurations is no probability, but 0 and 100 are proofs."
        + (f" The first {MOST_DRAWN} are drawn." if len(rows) > MOST_DRAWN else ""),
    )
