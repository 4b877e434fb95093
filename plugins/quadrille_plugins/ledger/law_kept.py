"""Whether rules keep a numbered law of the text, by the values that its passages give them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset.passages import Bearing, gives, passages_of
from quadrille_plugins.shell.values import grouped

Choice = Mapping[str, str]


@frozen
class Kept:
    """Whether a law is kept (None: no rule bears on it), and if not the readings by which it is."""

    kept: bool | None = None
    under: tuple[Choice, ...] = ()


def kept_laws(compiled: Compiled, source: str) -> dict[int | str, Kept]:
    """The numbered laws of a text of which a passage sets a rule."""
    found = grouped(
        (passage.law, bearing)
        for passage in passages_of(source)
        if passage.law is not None
        for bearing in passage.bears
    )
    return {law: _kept(bears, compiled) for law, bears in found.items()}


def _kept(bears: Sequence[Bearing], compiled: Compiled) -> Kept:
    holds = _holds(bears, compiled)
    if holds is not False:
        return Kept(holds)
    under = tuple(
        choice
        for choice in _choices(bears, compiled)
        if _holds(bears, _compiled_anew(compiled, choice))
    )
    return Kept(False, under)


def _compiled_anew(compiled: Compiled, choice: Choice) -> Compiled:
    """These rules with further readings."""
    identity = compiled.identity
    return compile_reference(
        identity.reference,
        readings={**dict(identity.readings), **choice},
        settings={path: json.loads(value) for path, value in identity.settings},
    )


def _groups(bears: Sequence[Bearing]) -> list[list[Bearing]]:
    """Bearings under readings of the same point are alternatives; the others hold together."""
    groups: list[list[Bearing]] = []
    for bearing in bears:
        for group in groups:
            if any(bearing.readings.keys() & other.readings.keys() for other in group):
                group.append(bearing)
                break
        else:
            groups.append([bearing])
    return groups


def _holds(bears: Sequence[Bearing], compiled: Compiled) -> bool | None:
    values = vocabulary.dump(compiled.rules)
    said = [[_in_force(one.sets, values) for one in group] for group in _groups(bears)]
    known = [any(one is True for one in group) for group in said if group != [None] * len(group)]
    return all(known) if known else None


def _in_force(sets: Mapping[str, Any], values: Mapping[str, Any]) -> bool | None:
    """Whether every rule has its value; None where these rules have none of them."""
    met = [
        gives(pattern, value, path, values[path])
        for pattern, value in sets.items()
        for path in values
        if path == pattern or vocabulary.matches(pattern, path)
    ]
    return all(met) if met else None


def _choices(bears: Sequence[Bearing], compiled: Compiled) -> Iterator[Choice]:
    """Readings that these rules have and do not play, one of each group of alternatives."""
    states = {state.point.id: state for state in compiled.points}
    for picked in product(*_groups(bears)):
        wanted = {point: reading for one in picked for point, reading in one.readings.items()}
        if wanted and all(
            point in states and reading in {r.id for r in states[point].point.readings}
            for point, reading in wanted.items()
        ):
            yield {p: r for p, r in wanted.items() if states[p].reading.id != r}
