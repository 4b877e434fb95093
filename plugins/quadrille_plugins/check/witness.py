"""What is wrong with a text in a file of its own, and what it leaves open."""

from pathlib import Path

from quadrille_core.errors import Problem, QuadrilleError
from quadrille_core.registry import Registry
from quadrille_core.ruleset import Compiled, Reference, check_chain, compile_chain, load_chain
from quadrille_core.ruleset.reference import is_path
from quadrille_core.ruleset.witness_files import witness_files

MOST_NAMED = 12
"""Points without an answer that a note names."""


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
                check_chain(chain, reference, readings=readings, registry=registry)
    except QuadrilleError as e:
        return list(e.problems), []
    return [], _notes(compiled)


def _notes(compiled: Compiled) -> list[str]:
    """Which points the text does not answer."""
    witness = compiled.witnesses[compiled.identity.witness or ""]
    points = [s.point for s in compiled.points] + [c.point for c in compiled.closed]
    absent: dict[str, list[str]] = {}
    for point in points:
        if not any(witness.id in reading.witnesses for reading in point.readings):
            state = witness.absence(point.id, None)
            absent.setdefault(state, []).append(point.id)
    notes = []
    for state, names in absent.items():
        shown = ", ".join(names[:MOST_NAMED])
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        notes.append(f"note: {len(names)} of {len(points)} points are {state}: {shown}{more}")
    return notes
