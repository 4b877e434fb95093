"""What each text says of a rule or a reading, in our words: the passages that are shipped with the
profiles."""

from quadrille_core import vocabulary
from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.passages import Bearing, Passage, gives, passages, passages_of


def of_reading(point: str, reading: ReadingDoc, compiled: Compiled) -> tuple[Passage, ...]:
    """What the texts that have a reading say there."""
    sources = {name for name, _ in reading.elsewhere}
    sources |= {
        compiled.witnesses[w].source if w in compiled.witnesses else w for w in reading.witnesses
    }
    shipped = (
        p
        for source in sorted(sources)
        for p in passages_of(source)
        if any(_says(b, point, reading) for b in p.bears)
    )
    own = (
        Passage(source=witness.source, at=sentence.where, says=sentence.text, bears=())
        for witness in compiled.witnesses.values()
        for sentence in witness.says.get((point, reading.id), ())
    )
    return (*shipped, *own)


def _says(bearing: Bearing, point: str, reading: ReadingDoc) -> bool:
    """Whether a bearing names the reading, or names no reading of its point and gives a rule the
    reading's value."""
    if point in bearing.readings:
        return bearing.readings[point] == reading.id
    return any(
        vocabulary.pattern_of(s.path) is not None and gives(pattern, value, s.path, s.value)
        for s in reading.sets
        for pattern, value in bearing.sets.items()
    )


def of_rule(pattern: str) -> tuple[Passage, ...]:
    """What the texts say of a rule: of a pattern, or of one rule by its path."""
    return tuple(
        p for p in passages() if any(_bears(known, pattern) for b in p.bears for known in b.sets)
    )


def _bears(known: str, pattern: str) -> bool:
    return vocabulary.matches(known, pattern) or vocabulary.matches(pattern, known)
