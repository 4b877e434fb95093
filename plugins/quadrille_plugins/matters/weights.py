"""The user's weights on readings, and the combinations of readings that they weigh."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Final

from quadrille_core.errors import UsageError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import Compiled, PointState, compile_reference
from quadrille_plugins.matters.alternatives import state_of
from quadrille_plugins.studies.differences import same_rules

if TYPE_CHECKING:
    from quadrille_plugins.witnesses.lines import Placed

MOST_COMBINATIONS: Final = 64
_WEIGHT: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")


@frozen
class WeighedPoint:
    """A point over whose readings an effect is averaged."""

    state: PointState
    weights: Mapping[str, Fraction]
    """By reading, all readings; they sum to 1.  Empty where none are given."""

    @property
    def used(self) -> str:
        """The reading in use."""
        return self.state.reading.id


def weighed(base: Compiled, text: str) -> WeighedPoint:
    """The point and the weights of ``POINT[:READING=WEIGHT,…]``; a reading that is not named weighs
    nothing.

    Raises UsageError for what is no open point, reading or weight.
    """
    point, colon, rest = text.partition(":")
    state = state_of(base, point.strip())
    weights = dict.fromkeys((r.id for r in state.point.readings), Fraction(0))
    if not colon:
        return WeighedPoint(state=state, weights={})
    seen = set()
    for pair in rest.split(","):
        name, _, number = (part.strip() for part in pair.partition("="))
        if name not in weights:
            near = did_you_mean(name, weights, what="readings")
            raise UsageError.of("no-reading-to-weigh", near, point=state.point.id, reading=name)
        if name in seen:
            raise UsageError.of("reading-weighed-twice", reading=name)
        if not _WEIGHT.fullmatch(number):
            raise UsageError.of("no-weight", text=number, reading=name)
        seen.add(name)
        weights[name] = Fraction(number)
    if not (whole := sum(weights.values())):
        raise UsageError.of("weights-sum-to-nothing", point=state.point.id)
    return WeighedPoint(state=state, weights={name: w / whole for name, w in weights.items()})


@frozen
class Combination:
    """A reading of each point, and the rules by them."""

    readings: Mapping[str, str]
    weight: Fraction | None
    """The product of the readings' weights; None without weights."""
    compiled: Compiled
    same: bool
    """Whether its rules are those in use: then its effect is zero, and it need not be played."""

    @property
    def name(self) -> str:
        """Its readings, as one types them."""
        return ", ".join(f"{point}={reading}" for point, reading in self.readings.items())


def combinations_of(
    base: Compiled,
    reference: str,
    points: Sequence[WeighedPoint],
    readings: Mapping[str, str],
    settings: Mapping[str, Any],
) -> tuple[Combination, ...]:
    """Every combination of the points' readings, those in use first.

    Raises UsageError for a point named twice, for too many, and where all have the same rules;
    ProfileError for one that its rules do not allow.
    """
    ids = [p.state.point.id for p in points]
    if len(set(ids)) < len(ids):
        raise UsageError.of("point-weighed-twice", points=", ".join(ids))
    many = prod(len(p.state.point.readings) for p in points)
    if many > MOST_COMBINATIONS:
        raise UsageError.of("too-many-to-average", many=many, most=MOST_COMBINATIONS)
    given = all(p.weights for p in points)
    names = [sorted((r.id for r in p.state.point.readings), key=p.used.__ne__) for p in points]
    found = []
    for chosen in product(*names):
        own = dict(zip(ids, chosen, strict=True))
        compiled = compile_reference(reference, readings={**readings, **own}, settings=settings)
        weight = Fraction(1) if given else None
        if weight is not None:
            weight = prod((p.weights[own[p.state.point.id]] for p in points), start=weight)
        same = same_rules(base, compiled)
        found.append(Combination(readings=own, weight=weight, compiled=compiled, same=same))
    if all(one.same for one in found):
        raise UsageError.of("readings-have-the-same-rules", points=", ".join(ids))
    return tuple(found)


# --- who attests them ---------------------------------------------------------------------------


def attesters(base: Compiled, point: str, reading: ReadingDoc) -> "Iterator[Placed]":
    """The sources that have a reading, each once, and where in it: the profile's witnesses, and
    texts from elsewhere."""
    from quadrille_plugins.witnesses.table import bearing_out

    own = ((base.witnesses[a.witness].source, a.at) for a in reading.attested)
    period = ((cell.text, cell.at) for cell in bearing_out(point, reading.id))
    yield from dict((*reading.elsewhere, *period, *own)).items()


def lines_by_reading(base: Compiled, point: WeighedPoint) -> "dict[str, list[tuple[int, Placed]]]":
    """By reading, who attests it, each with the number of its line of descent from 1.

    Texts that descend from one another, or report the same text, are of one line, whatever they
    read: it counts once for a reading, and is no independent vote for another.
    """
    from quadrille_plugins.witnesses.lines import lines_of

    named = {r.id: [*attesters(base, point.state.point.id, r)] for r in point.state.point.readings}
    lines = lines_of([one for some in named.values() for one in some], base.sources)
    number = {source: n for n, line in enumerate(lines, 1) for source in line}
    return {
        reading: sorted((number[source], (source, at)) for source, at in some)
        for reading, some in named.items()
    }
