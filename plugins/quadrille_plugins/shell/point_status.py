"""How the witnesses stand to a disputed point, in a few words: they differ, contradict themselves,
or do not answer."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.values import grouped


class Attested(Protocol):
    """A reading of a point, with the witnesses that have it first in each of ``attested``."""

    @property
    def attested(self) -> Sequence[tuple[str, ...]]:
        """Each witness that has it, and where."""
        ...

    @property
    def status(self) -> str:
        """How it is known."""
        ...

    @property
    def certainty(self) -> str:
        """How sure that is."""
        ...


BOTH, UNCERTAIN = "both", "uncertain"
DIFFER: Final = "witnesses differ"
_WORDS: Final[Mapping[str, str]] = {BOTH: "contradicts itself", UNCERTAIN: "ambiguous"}


def several_of(readings: Sequence[Attested]) -> dict[str, str]:
    """Each witness that has more than one reading, and how: ``both`` where its text plainly has two
    of them, ``uncertain`` where it can be read in more than one way."""
    held = grouped((one[0], reading) for reading in readings for one in reading.attested)
    return {
        name: BOTH
        if sum(r.status == "attested" and r.certainty != "low" for r in own) > 1
        else UNCERTAIN
        for name, own in held.items()
        if len(own) > 1
    }


def absences(point: str, compiled: Compiled) -> dict[str, str]:
    """What it means of each witness of a rule set if it has no reading of a point: silent, unseen
    or inapplicable."""
    return {
        w.id: w.absence(point, compiled.sources.get(w.source)) for w in compiled.witnesses.values()
    }


def point_status(readings: Sequence[Attested], absent: Mapping[str, str]) -> str:
    """How the witnesses stand to a point: ``witnesses differ``,
    ``parlett contradicts itself; wikipedia silent``.

    ``absent``: the witnesses of the profile that may have none of the readings, each with what that
    then means: ``silent``, ``unseen`` or ``inapplicable``.  Where a profile declares no witnesses
    the status is empty.
    """
    several = several_of(readings)
    said = [f"{name} {_WORDS[how]}" for name, how in several.items()]
    held = {
        one[0]: {
            r for r, other in enumerate(readings) if any(o[0] == one[0] for o in other.attested)
        }
        for reading in readings
        for one in reading.attested
    }
    if len(held) > 1 and not set.intersection(*held.values()):
        said.append(DIFFER)
    missing = grouped((state, name) for name, state in absent.items() if name not in held)
    if len(missing) == 1 and not held:
        said += [state if len(names) == 1 else f"all {state}" for state, names in missing.items()]
    else:
        said += [f"{' and '.join(names)} {state}" for state, names in missing.items()]
    if not said and len(held) > 1:
        said.append("witnesses agree")
    return "; ".join(said)
