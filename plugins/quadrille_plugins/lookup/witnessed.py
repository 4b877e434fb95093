"""How each witness speaks of a disputed point: the readings that it has with their status, or why
it has none."""

from collections.abc import Iterator
from typing import Final

from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.profile.records import PointDoc, ReadingDoc
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.merge import Choices
from quadrille_plugins.shell.wrapping import filled

EDITORIAL: Final = "conjecture"
"""The status of a reading that no text has: it is this edition's own."""


@frozen_by_keyword
class Statement:
    """One witness on one point; of a witness with several readings there is one for each."""

    witness: str
    status: str
    """``attested``, ``inferred``, ``conjecture``, ``silent``, ``unseen`` or ``inapplicable``."""
    reading: str
    """The reading that it has; where it has none, the one that is played where it is followed."""
    at: str = ""
    certainty: str = ""
    is_filled: bool = False
    """Whether it has no reading."""

    def to_plain(self) -> dict[str, object]:
        """The same as plain data."""
        return {
            "witness": self.witness,
            "status": self.status,
            "reading": self.reading,
            "at": self.at or None,
            "certainty": self.certainty or None,
            "filled": self.is_filled,
        }

    def text(self) -> str:
        """``parlett attested: once (Hombre loses); certainty low``, or
        ``parlett silent; filled: once``."""
        if self.is_filled:
            return f"{self.witness} {self.status}; filled: {self.reading}"
        place = f" ({self.at})" if self.at else ""
        return f"{self.witness} {self.status}: {self.reading}{place}" + (
            f"; certainty {self.certainty}" if self.certainty else ""
        )


def statements(point: PointDoc, compiled: Compiled) -> Iterator[Statement]:
    """What each witness of the rule set says of a point, in the order in which the profile declares
    them."""
    named = dict.fromkeys((*compiled.witnesses, *(w for r in point.readings for w in r.witnesses)))
    for name in named:
        own = [r for r in point.readings if name in r.witnesses]
        yield from (_of(name, reading) for reading in own)
        if not own:
            choices = Choices(
                compiled.chain,
                compiled.witnesses[name],
                dict(compiled.identity.readings),
                [],
                compiled.sources,
            )
            played, _ = choices.of(point)
            yield Statement(
                witness=name, status=choices.absence(point), reading=played.id, is_filled=True
            )


def _of(witness: str, reading: ReadingDoc) -> Statement:
    at = next((a.at for a in reading.attested if a.witness == witness), "")
    status, certainty = reading.how(witness)
    return Statement(witness=witness, status=status, reading=reading.id, at=at, certainty=certainty)


def status_text(reading: ReadingDoc) -> str:
    """How a reading is known: ``attested``, ``inferred; certainty low``; ``conjecture (editorial)``
    where no text has it."""
    has_text = reading.attested or reading.elsewhere
    status = reading.status + (
        " (editorial)" if reading.status == EDITORIAL and not has_text else ""
    )
    return status + (f"; certainty {reading.certainty}" if reading.certainty else "")


def witness_lines(point: PointDoc, compiled: Compiled) -> Iterator[str]:
    """A line for each statement, the witness's name first."""
    found = list(statements(point, compiled))
    if not found:
        return
    yield "  witnesses:"
    for one in found:
        yield from filled(one.text(), 4)
