"""Witnesses in files of their own, joined to the profiles whose points they answer.

What they add stands in the profiles' own records: whoever reads attestations reads theirs.  No rule
changes by them, and none that a profile has is taken away.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from quadrille_core import resources, vocabulary
from quadrille_core.errors import DidYouMean, Place, Problem, ProfileError, did_you_mean
from quadrille_core.profile.document import load_witness
from quadrille_core.profile.records import (
    AnswerDoc,
    Attestation,
    Citation,
    Elsewhere,
    PointDoc,
    ProfileDoc,
    ReadingDoc,
    Sentence,
    Source,
    WitnessDoc,
    WitnessFile,
)
from quadrille_core.ruleset.merge import Choices, most_specific
from quadrille_core.ruleset.passages import gives, passages_of
from quadrille_core.ruleset.provenance import SPEAKS
from quadrille_core.ruleset.reference import is_path


@lru_cache(maxsize=32)
def _read(path: str, stamp: tuple[int, int]) -> WitnessFile:
    del stamp
    return load_witness(path)


def witness_files(paths: Iterable[str]) -> tuple[WitnessFile, ...]:
    """The witnesses in these files, by their names: in whatever order they are named, it is one
    table.

    Raises ProfileError with the faults of all of them.
    """
    read, problems, named = list[WitnessFile](), list[Problem](), set[Path]()
    for path in paths:
        if Path(path).resolve() in named:
            problems.append(Problem("Q410", "file-named-twice", {"file": path}))
        named.add(Path(path).resolve())
        try:
            read.append(_read(os.fspath(path), resources.stamp(Path(path))))
        except ProfileError as e:
            problems += e.problems
    if problems:
        raise ProfileError(problems)
    return tuple(sorted(read, key=lambda one: one.id))


def joined(
    chain: tuple[ProfileDoc, ...], files: Sequence[WitnessFile], known: Mapping[str, Source]
) -> tuple[tuple[ProfileDoc, ...], list[Problem]]:
    """The chain with what these witnesses attest; ``known`` are all sources of the chain.

    All points and new readings that they bring are there before any of them answers.  Beside it
    every fault, for which it is not to be used: a witness of another profile, a siglum that is
    taken, a point or reading that there is not, a reading that has another name.
    """
    problems: list[Problem] = []
    sound: list[WitnessFile] = []
    raising = chain
    for file in files:
        faults = list(_faults_of_head(raising, file, known))
        if not faults:
            sound.append(file)
            raising = tuple(_raised(doc, file) for doc in raising)
            known = {**known, file.id: file.source}
        problems += faults
    points = {p.id: p for doc in raising for p in doc.points}
    problems += _grown(points, sound)
    for file in sound:
        own = {p.id for p in file.points}
        others = {name: p for name, p in points.items() if name not in own}
        problems += _faults_of_answers(chain, others, file, known)
    for file in () if problems else sound:
        raising = tuple(_with(doc, file, raising) for doc in raising)
    return raising, problems


def _is_of(doc: ProfileDoc, file: WitnessFile) -> bool:
    """Whether a profile is the one whose points a text answers: by its name, or by its path from
    the text's folder."""
    if not is_path(file.of):
        return doc.id == file.of
    return (Path(file.name).parent / file.of).resolve() == Path(doc.name).resolve()


def _faults_of_head(
    chain: Sequence[ProfileDoc], file: WitnessFile, known: Mapping[str, Source]
) -> Iterator[Problem]:
    """Why a file is no witness of these profiles, or raises no points here."""
    ids = [doc.id for doc in chain]
    if not any(_is_of(doc, file) for doc in chain):
        data = {"id": file.id, "of": file.of, "here": ids[-1]}
        yield Problem("Q410", "of-another", data, file.of_place)
        return
    taken = {w.id: w.place for doc in chain for w in doc.witnesses} | {
        name: source.place for name, source in known.items()
    }
    if file.id in taken:
        data = {"id": file.id, "other": str(taken[file.id] or "")}
        yield Problem("Q410", "siglum-taken", data, file.id_place)
    points = {p.id: p for doc in chain for p in doc.points}
    for point in file.points:
        if point.id in points:
            data = {"point": point.id, "other": str(points[point.id].place)}
            yield Problem("Q410", "point-there-already", data, point.place)
        if point.reading(point.default) is None:
            data = {"point": point.id, "reading": point.default}
            yield Problem("Q402", "no-such-reading", data, point.place)
        for reading in point.readings:
            if {*_attesting(reading)} - {file.id}:
                data = {"point": point.id, "reading": reading.id, "id": file.id}
                yield Problem("Q410", "credits-another-text", data, reading.place)


def _grown(points: dict[str, PointDoc], files: Iterable[WitnessFile]) -> Iterator[Problem]:
    """Give ``points`` the new readings of these files; yields what is wrong with what they set."""
    for file in files:
        for answer in file.answers:
            point = points.get(answer.point)
            if point is None or not answer.sets or point in file.points:
                continue
            faults = list(_faults_of_reading(point, answer))
            yield from faults
            if not faults and point.reading(answer.reading) is None:
                points[point.id] = replace(point, readings=(*point.readings, _new(answer)))


def _faults_of_answers(
    chain: Sequence[ProfileDoc],
    points: Mapping[str, PointDoc],
    file: WitnessFile,
    known: Mapping[str, Source],
) -> Iterator[Problem]:
    """What is wrong with what a text answers, fills, cites and descends from; ``points`` are those
    that it may answer."""
    answered: dict[str, set[str]] = {}
    for answer in file.answers:
        readings = answered.setdefault(answer.point, set())
        if answer.reading in readings:
            data = {"point": answer.point, "reading": answer.reading}
            yield Problem("Q410", "reading-twice", data, answer.place)
        readings.add(answer.reading)
        if answer.point not in points:
            yield _no_such_point(answer.point, points, answer.place)
        elif not answer.absence and not answer.sets:
            yield from _faults_of_name(points[answer.point], answer)
    yield from _faults_of_fillings(points, file, answered)
    decided = {
        path: p.id for doc in chain for p in doc.points for r in p.readings for path in _sets(r)
    }
    for path in file.cites:
        if path in decided:
            data = {"path": path, "point": decided[path]}
            yield Problem("Q410", "cited-rule-of-point", data, file.cite_places[path])
    for descent in file.source.descends:
        if (source := descent["from"]) not in known:
            hint = did_you_mean(source, known, what="sources")
            yield Problem("Q405", "no-such-source", {"source": source}, file.source.place, hint)


def _faults_of_fillings(
    points: Mapping[str, PointDoc], file: WitnessFile, answered: Mapping[str, set[str]]
) -> Iterator[Problem]:
    """Fillings of points or readings that there are not, or against what the text answers."""
    own = {p.id: p for p in file.points}
    for name, reading, place in file.fills:
        point, has = own.get(name) or points.get(name), answered.get(name, {""}) - {""}
        readings = {*has, *(r.id for r in point.readings)} if point is not None else set()
        data = {"point": name, "reading": reading[:60]}
        if point is None:
            yield _no_such_point(name, points, place)
        elif reading not in readings:
            hint = did_you_mean(reading, readings, what="readings")
            yield Problem("Q402", "no-such-reading", data, place, hint)
        elif has and reading not in has:
            data["has"] = ", ".join(sorted(has))
            yield Problem("Q410", "fills-against-answer", data, place)


def _no_such_point(name: str, points: Iterable[str], place: Place) -> Problem:
    hint = did_you_mean(name, points, what="points")
    return Problem("Q401", "no-such-point", {"point": name[:60]}, place, hint)


def _faults_of_name(point: PointDoc, answer: AnswerDoc) -> Iterator[Problem]:
    """A reading that is there by no such name, of which nothing says what it sets."""
    names = [r.id for r in point.readings]
    if answer.reading not in names:
        data = {"point": point.id, "reading": answer.reading[:60]}
        hint = did_you_mean(answer.reading, names, what="readings")
        yield Problem("Q410", "new-reading-sets-nothing", data, answer.place, hint)


def _faults_of_reading(point: PointDoc, answer: AnswerDoc) -> Iterator[Problem]:
    """What is wrong with what a reading sets: other rules than the point's, or what another sets,
    or not what the reading of its name does."""
    data = {"point": point.id, "reading": answer.reading[:60]}
    own = {path: value for path, value, _ in answer.sets}
    reading = point.reading(answer.reading)
    if reading is not None:
        if own != _sets(reading):
            data["other"] = str(reading.place)
            yield Problem("Q410", "reading-sets-otherwise", data, answer.place)
        return
    same = next((r for r in point.readings if _sets(r) == own), None)
    if same is not None:
        hint = DidYouMean(answer.reading, (same.id,))
        data |= {"same": same.id, "other": str(same.place)}
        yield Problem("Q410", "reading-by-another-name", data, answer.place, hint)
        return
    theirs = {path for r in point.readings for path in _sets(r)}
    for path in own:
        if path not in theirs:
            near = did_you_mean(path, theirs, what="rules")
            yield Problem("Q410", "rule-of-no-reading", {**data, "path": path}, answer.place, near)
    always = {path for path in theirs if all(path in _sets(r) for r in point.readings)}
    for path in sorted(always - own.keys()) if own.keys() <= theirs else ():
        yield Problem("Q410", "rule-left-open", {**data, "path": path}, answer.place)


def _sets(reading: ReadingDoc | None) -> dict[str, object]:
    return {path: value for path, value, _ in reading.sets} if reading is not None else {}


def _raised(doc: ProfileDoc, file: WitnessFile) -> ProfileDoc:
    """A profile with the points that a witness of it alone raises."""
    return replace(doc, points=(*doc.points, *file.points)) if _is_of(doc, file) else doc


def _with(doc: ProfileDoc, file: WitnessFile, chain: Sequence[ProfileDoc]) -> ProfileDoc:
    """A profile with what a witness says to the points that this one defines; the profile that it
    is a witness of declares it."""
    answers = [*file.answers, *_told_in_passing(doc, file)]
    answers = [a for a in answers if doc.point(a.point) is not None]
    points = tuple(_answered(p, file, answers) for p in doc.points)
    if not _is_of(doc, file):
        return replace(doc, points=points) if answers else doc
    absences = {
        kind: tuple(a.point for a in file.answers if a.absence == kind)
        for kind in ("silent", "unseen", "inapplicable")
    }
    witness = WitnessDoc(
        id=file.id,
        source=file.id,
        title=file.title,
        note=file.note,
        fills=file.fills,
        unnamed="silent" if file.whole else "unseen",
        says=_says(file),
        answered={a.point: a.place for a in file.answers},
        place=file.place,
        **absences,
    )
    return replace(
        doc,
        points=points,
        witnesses=(*doc.witnesses, witness),
        sources={**doc.sources, file.id: file.source},
        cites=_cites(doc, file, chain),
        cite_places={**file.cite_places, **doc.cite_places},
    )


def _told_in_passing(doc: ProfileDoc, file: WitnessFile) -> Iterator[AnswerDoc]:
    """The default reading of a point that another text raises, where this one tells its rule as the
    profile has it."""
    answered = {a.point for a in file.answers} | {p.id for p in file.points}
    for point in doc.points:
        reading = point.reading(point.default)
        for path in () if reading is None or point.id in answered else _sets(reading):
            for cite in file.cites.get(path, ()):
                yield AnswerDoc(
                    point=point.id,
                    reading=point.default,
                    at=cite.at,
                    status=cite.status,
                    note=cite.note,
                    sentences=cite.sentences,
                    place=file.cite_places[path],
                )


def _says(file: WitnessFile) -> Mapping[tuple[str, str], tuple[Sentence, ...]]:
    """The sentences of a text by the point and reading that they bear out."""
    known = {s.id: s for s in file.sentences}
    named = {(a.point, a.reading): a.sentences for a in file.answers if a.reading}
    named |= {(p.id, r.id): r.sentences for p in file.points for r in p.readings}
    return {key: tuple(known[n] for n in numbers) for key, numbers in named.items() if numbers}


def _answered(point: PointDoc, file: WitnessFile, answers: Sequence[AnswerDoc]) -> PointDoc:
    """A point with the readings that a witness has of it: known ones attested by it too, new ones
    last."""
    readings = {r.id: r for r in point.readings}
    for answer in answers:
        if answer.point == point.id and not answer.absence:
            says = Attestation(file.id, file.id, answer.at, answer.status, answer.certainty)
            reading = _attested_by(readings.get(answer.reading) or _new(answer), [says])
            note = f"{file.id}: {answer.note}" if answer.note else ""
            told = " ".join(filter(None, (reading.note, note)))
            readings[answer.reading] = replace(reading, note=told)
    return replace(point, readings=tuple(readings.values()))


def _new(answer: AnswerDoc) -> ReadingDoc:
    """A reading that the profile does not have, attested by nobody yet."""
    return ReadingDoc(
        id=answer.reading,
        sets=answer.sets,
        title=answer.title,
        witnesses=(),
        attested=(),
        elsewhere=(),
        at="",
        status="",
        certainty="",
        note="",
        place=answer.place,
    )


def _attested_by(reading: ReadingDoc, more: Iterable[Attestation]) -> ReadingDoc:
    """A reading that further witnesses attest; how it is known is said by who attests it first."""
    attested = (*reading.attested, *more)
    known = replace(reading, attested=attested, witnesses=tuple(a.witness for a in attested))
    if reading.attested or reading.elsewhere:
        return known
    return replace(known, status=attested[0].status, certainty=attested[0].certainty)


def _cites(
    doc: ProfileDoc, file: WitnessFile, chain: Sequence[ProfileDoc]
) -> Mapping[str, tuple[Citation, ...]]:
    """The profile's citations with those of a witness: a rule that both tell has both, what a text
    says before what none does."""
    found = dict(doc.cites)
    for pattern, own in file.cites.items():
        cited = {key for one in chain for key in one.cites if vocabulary.matches(pattern, key)}
        for key in sorted({pattern, *cited}):
            covering = [c for one in chain if (c := most_specific(one, key)) is not None]
            theirs = covering[-1][1] if covering else ()
            says = bool(theirs) and theirs[0].status in SPEAKS
            found[key] = (*theirs, *own) if says else (*own, *theirs)
    return found


# --- profiles that speak of a parent's points ----------------------------------------------------


def with_own_attestations(chain: tuple[ProfileDoc, ...]) -> tuple[ProfileDoc, ...]:
    """The chain with what profiles attest by citing the rule of a parent's reading: from a witness
    of their own, or from elsewhere."""
    said: dict[tuple[str, str], list[Attestation]] = {}
    for level, doc in enumerate(chain):
        own = {w.source: w.id for w in doc.witnesses}
        for point, reading, cite in _cited_readings(chain[: level + 1]):
            attested = said.setdefault((point, reading.id), [])
            witness = own.get(cite.source, "")
            attested.append(Attestation(witness, cite.source, cite.at, cite.status))
    return with_attestations(chain, said)


def with_attestations(
    chain: tuple[ProfileDoc, ...], said: Mapping[tuple[str, str], Sequence[Attestation]]
) -> tuple[ProfileDoc, ...]:
    """The chain with further attestations by point and reading: of witnesses, or of no witness,
    from elsewhere."""
    if not said:
        return chain
    sources = {w.id: w.source for doc in chain for w in doc.witnesses}
    return tuple(
        replace(doc, points=tuple(_attested(p, said, sources) for p in doc.points)) for doc in chain
    )


def faults_of_citations(
    chain: tuple[ProfileDoc, ...], shelf: Mapping[str, Source]
) -> Iterator[Problem]:
    """Where a profile credits the reading of which it cites the rule, or a rule of its own, to a
    text whose passages are shipped, and neither the point nor any of them gives it; or takes the
    name of a text of the ``shelf`` for another."""
    sources = {w.id: w.source for doc in chain for w in doc.witnesses}
    for level, doc in enumerate(chain):
        if _is_shipped(doc):
            continue
        for name in doc.sources.keys() & shelf.keys():
            data = {"id": name, "title": shelf[name].title}
            yield Problem("Q410", "source-is-shipped", data, doc.sources[name].place)
        yield from _faults_of_rules(chain[: level + 1])
        for point, reading, cite in _cited_readings(chain[: level + 1]):
            named = {sources.get(name, name) for name in _attesting(reading)}
            if cite.source in named or not passages_of(cite.source):
                continue
            if not _is_in(cite.source, _sets(reading)):
                data = {"witness": cite.source, "point": point, "reading": reading.id}
                yield Problem("Q410", "credited-without-passage", data, cite.place)


@lru_cache(maxsize=64)
def _faults_of_rules(chain: tuple[ProfileDoc, ...]) -> tuple[Problem, ...]:
    """Rules of the last profile that it calls attested, by themselves or with their block, by a
    text whose passages are shipped, and that nothing shipped gives that text."""
    doc, found = chain[-1], list[Problem]()
    above = {path: value for parent in chain[:-1] for path, value, _ in parent.rules}
    for point in (p for parent in chain[:-1] for p in parent.points):
        above |= _sets(point.reading(point.default))
    for path, value, _ in doc.rules:
        exact, cites = most_specific(doc, path) or (False, ())
        if not exact and (not value or path.endswith(".title") or above.get(path) == value):
            continue  # of a block, what it leaves out or repeats, and its name, no text need say
        for cite in cites if vocabulary.leaf_of(path) is not None else ():
            told = cite.status == "attested" and passages_of(cite.source)
            if told and not (
                _is_in(cite.source, {path: value}) or _is_read(chain, cite.source, path, value)
            ):
                data = {"source": cite.source, "path": path}
                found.append(Problem("Q410", "rule-without-passage", data, cite.place))
    return tuple(found)


def _is_read(chain: Sequence[ProfileDoc], source: str, path: str, value: object) -> bool:
    """Whether a reading of these profiles that gives a rule its value is that text's."""
    sources = {w.id: w.source for doc in chain for w in doc.witnesses}
    readings = [r for doc in chain for p in doc.points for r in p.readings]
    return any(
        source in {sources.get(name, name) for name in _attesting(r)}
        for r in readings
        if _sets(r).get(path) == value and path in _sets(r)
    )


def _cited_readings(
    chain: Sequence[ProfileDoc],
) -> Iterator[tuple[str, ReadingDoc, Citation]]:
    """Each reading of a parent that the last profile has in force, with every text by which it
    cites the very rules of it."""
    *above, doc = chain
    if not doc.cites or not any(parent.points for parent in above):
        return
    followed = [w for one in chain for w in one.witnesses if w.id == doc.default_witness]
    choices = Choices(tuple(chain), followed[-1] if followed else None, {}, [], {})
    closed = {rule.path for rule in doc.rules}
    for point in choices.points.values():
        reading, _ = choices.of(point)
        if doc.point(point.id) is None:
            paths = [path for path in _sets(reading) if path not in closed]
            cites = dict.fromkeys(c for path in paths for c in doc.cites.get(path, ()))
            yield from ((point.id, reading, c) for c in cites if c.source and c.status in SPEAKS)


def _attested(
    point: PointDoc,
    said: Mapping[tuple[str, str], Sequence[Attestation]],
    sources: Mapping[str, str],
) -> PointDoc:
    readings = []
    for reading in point.readings:
        known = {sources.get(a.witness, a.source) for a in reading.attested}
        known |= {other.source for other in reading.elsewhere}
        new = {a.source: a for a in said.get((point.id, reading.id), ()) if a.source not in known}
        own = [a for a in new.values() if a.witness]
        others = tuple(Elsewhere(a.source, a.at) for a in new.values() if not a.witness)
        told = _attested_by(reading, own) if own else reading
        if others and not told.attested and not told.elsewhere:
            told = replace(told, status=next(iter(new.values())).status)
        readings.append(replace(told, elsewhere=(*told.elsewhere, *others)))
    return replace(point, readings=tuple(readings))


def faults_of_points(chain: Sequence[ProfileDoc]) -> Iterator[Problem]:
    """Where a profile that asks a parent's point again says less of it than the parent: a reading,
    or who attests it, is not there; or credits a parent's witness with what it does not say."""
    above: dict[str, PointDoc] = {}
    sources: dict[str, str] = {}
    for doc in chain:
        sources |= {w.id: w.source for w in doc.witnesses}
        ours = _is_shipped(doc)
        for point in doc.points:
            parent = above.get(point.id)
            yield from _dropped(parent, point) if parent is not None else ()
            yield from _credited(parent, point, sources) if not ours else ()
            above[point.id] = point


def _dropped(parent: PointDoc, point: PointDoc) -> Iterator[Problem]:
    for theirs in parent.readings:
        own = point.reading(theirs.id)
        data = {"point": point.id, "reading": theirs.id, "parent": str(theirs.place)}
        if own is None or _sets(own) != _sets(theirs):
            if [*_attesting(theirs)]:
                yield Problem("Q410", "parents-reading-gone", data, point.place)
            continue
        for name in sorted({*_attesting(theirs)} - {*_attesting(own)}):
            yield Problem("Q410", "attestation-gone", {**data, "witness": name}, own.place)


def _credited(
    parent: PointDoc | None, point: PointDoc, sources: Mapping[str, str]
) -> Iterator[Problem]:
    """Readings credited to a text whose passages are shipped that neither the parent nor any of
    them gives it; one that says it is a conjecture may be."""
    for own in point.readings:
        theirs = parent.reading(own.id) if parent is not None else None
        known = {*_attesting(theirs)} if theirs is not None else set()
        for name in sorted({*_attesting(own)} - known) if own.status != "conjecture" else ():
            source = sources.get(name, name)
            if not passages_of(source) or _is_in(source, _sets(own)):
                continue
            data = {"witness": name, "point": point.id, "reading": own.id}
            yield Problem("Q410", "credited-without-passage", data, own.place)


def _is_shipped(doc: ProfileDoc) -> bool:
    """Whether a profile is the program's own, which tests hold against its sources."""
    path = resources.shipped_profiles().get(doc.id)
    return path is not None and Path(doc.name).resolve() == path


def _is_in(source: str, sets: Mapping[str, object]) -> bool:
    """Whether shipped passages of that text give every rule its value."""
    bears = [bearing for passage in passages_of(source) for bearing in passage.bears]
    given = [one for bearing in bears for one in bearing.sets.items()]
    return all(any(gives(*one, path, value) for one in given) for path, value in sets.items())


def _attesting(reading: ReadingDoc) -> Iterator[str]:
    yield from reading.witnesses
    yield from (one.source for one in reading.elsewhere)
