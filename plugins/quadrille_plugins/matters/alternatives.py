"""The alternative readings of a disputed point, each as a rule set with all other points as they
are."""

from collections.abc import Mapping
from typing import Any

from quadrille_core.errors import Command, Problem, ProfileError, UsageError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled, PointState, compile_reference


@frozen
class Alternative:
    """A reading that is not in use, and its rule set, or None and what keeps it from
    compiling."""

    point: str | None
    reading: str | None
    compiled: Compiled | None
    refusal: tuple[Problem, ...] = ()


def alternatives_of(
    reference: str,
    readings: Mapping[str, str],
    settings: Mapping[str, Any],
    point: str | None = None,
) -> tuple[Compiled, tuple[Alternative, ...]]:
    """The named rule set, and an alternative for each reading not in use of that point or of every
    open point.

    Raises UsageError where there is no such open point, ProfileError where the rule set itself is
    at fault.
    """
    base = compile_reference(reference, readings=readings, settings=settings)
    states = base.points if point is None else (state_of(base, point),)
    by_hand = dict(base.identity.readings)
    found = []
    for state in states:
        for alternative in state.point.readings:
            if alternative.id == state.reading.id:
                continue
            compiled: Compiled | None = None
            refusal: tuple[Problem, ...] = ()
            try:
                chosen = {**by_hand, state.point.id: alternative.id}
                compiled = compile_reference(reference, readings=chosen, settings=settings)
            except ProfileError as e:
                refusal = e.problems
            found.append(
                Alternative(
                    point=state.point.id, reading=alternative.id, compiled=compiled, refusal=refusal
                )
            )
    return base, tuple(found)


def state_of(base: Compiled, point: str) -> PointState:
    """The open point of that name; raises UsageError for an unknown one."""
    names = [s.point.id for s in base.points]
    for state in base.points:
        if state.point.id == point:
            return state
    closed = any(doc.point(point) for doc in base.chain)
    raise UsageError.of(
        "point-closed" if closed else "no-point-in-profile",
        did_you_mean(point, names, what="open points"),
        point=point,
        profile=base.identity.profile,
        command=Command("show", (base.identity.reference,)),
    )
