"""What is wrong with a text in a file of its own, and what it leaves open."""

from collections.abc import Iterator, Sequence, Sized
from pathlib import Path

from quadrille_core import vocabulary
from quadrille_core.errors import Problem, QuadrilleError
from quadrille_core.profile.records import WitnessFile
from quadrille_core.registry import Registry
from quadrille_core.ruleset import Compiled, Reference, compile_chain, load_chain
from quadrille_core.ruleset.reference import is_path
from quadrille_core.ruleset.witness_files import witness_files
from quadrille_plugins.shell.values import grouped, rule_value

MOST_NAMED = 12
"""Points without an answer that a note names."""

RESERVED = "all rights reserved"
"""In a licence: that nothing of a copy may be quoted."""


def of_witness(path: Path) -> tuple[list[Problem], list[str]]:
    """The faults of a witness with the profile that it answers, by each of its readings, and
    notes."""
    try:
        (file,) = witness_files([str(path)])
        of = str(path.parent / file.of) if is_path(file.of) else file.of
        reference, chain, registry = Reference(of, files=(str(path),)), load_chain(of), Registry()
        compiled = compile_chain(chain, reference, readings={}, settings={}, registry=registry)
        for answer in file.answers:
            if answer.reading:
                readings = {answer.point: answer.reading}
                compile_chain(chain, reference, readings=readings, settings={}, registry=registry)
    except QuadrilleError as e:
        return list(e.problems), []
    return [], [
        *_of_licence(file),
        *_of_sentences(file),
        *_of_own_points(file),
        *_of_cites(file, compiled),
        *_of_points(compiled),
    ]


def _of_licence(file: WitnessFile) -> Iterator[str]:
    """Words quoted from a copy whose licence is not told, or allows none."""
    quoted = [s.id for s in file.sentences if s.quote]
    licence = file.source.licence
    if quoted and (not licence or RESERVED in licence.casefold()):
        told = f"licence is {licence!r}" if licence else "licence is not told"
        of = _of(quoted, file.sentences, "sentences")
        yield f"note: {of} quote a copy whose {told}: {_some(quoted)}"


def _of_sentences(file: WitnessFile) -> Iterator[str]:
    """Which sentences bear on no rule, and which places name no sentence."""
    used = {number for answer in file.answers for number in answer.sentences}
    own = [(point.id, reading) for point in file.points for reading in point.readings]
    used |= {n for _, reading in own for n in reading.sentences}
    used |= {n for several in file.cites.values() for cite in several for n in cite.sentences}
    idle = [s.id for s in file.sentences if s.id not in used and not s.no_rule]
    if idle:
        yield f"note: {_of(idle, file.sentences, 'sentences')} bear on no rule: {_some(idle)}"
    without = [a.point for a in file.answers if a.reading and not a.sentences]
    without += [point for point, reading in own if reading.witnesses and not reading.sentences]
    if file.sentences and without:
        yield f"note: {len(without)} answers name no sentence: {_some(without)}"


def _of_own_points(file: WitnessFile) -> Iterator[str]:
    """Which points the text raises and does not answer: no reading names it."""
    mute = [p.id for p in file.points if not any(r.witnesses for r in p.readings)]
    if mute:
        yield (
            f"note: {_of(mute, file.points, 'new points')} have no reading of this text: "
            f"{_some(mute)}; give one `s:` with its sentence, or `witnesses: [{file.id}]`"
        )


def _of_cites(file: WitnessFile, compiled: Compiled) -> Iterator[str]:
    """For which rules the text is cited, with the values that it is made to tell."""
    told = [p for p in compiled.origins if any(vocabulary.matches(c, p) for c in file.cites)]
    if told:
        said = [f"{path} = {rule_value(compiled.value_of(path))}" for path in told]
        yield f"note: it is cited for {_of(told, compiled.origins, 'rules')}: {_some(said)}"


def _of(some: Sized, of: Sized, what: str) -> str:
    return f"{len(some)} of {len(of)} {what}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _of_points(compiled: Compiled) -> Iterator[str]:
    """Which points the text does not answer."""
    witness = compiled.witnesses[compiled.identity.witness or ""]
    points = [s.point for s in compiled.points] + [c.point for c in compiled.closed]
    absent = grouped(
        (witness.absence(point.id, None), point.id)
        for point in points
        if not any(witness.id in reading.witnesses for reading in point.readings)
    )
    for state, names in absent.items():
        yield f"note: {_of(names, points, 'points')} are {state}: {_some(names)}"
