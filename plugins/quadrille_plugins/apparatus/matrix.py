"""Rules × texts: what each text says of each rule, and in which state.

A text is a compiled rule set.  Only what a text attests, or what follows from it, is its own; what
fills a silence is kept beside it and counts for nothing: not in characters, not in distances.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

from quadrille_core import resources
from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.records import Source
from quadrille_core.ruleset import Compiled, load_chain
from quadrille_core.ruleset.compile import kind_of_chain
from quadrille_core.ruleset.reference import shipped_profile
from quadrille_core.vocabulary import leaves, pattern_of
from quadrille_plugins.shell.values import names_beside, pages_seen, rule_value

SPEAKS: Final = ("attested", "inferred")
"""States of a rule that are the text's own."""
STATES: Final = {
    "attested": "the text says so",
    "inferred": "it follows from what the text says",
    "silent": "the place was read whole, and the text says nothing; the value fills the silence",
    "unseen": "the place was not read; the value is a filling",
    "conjecture": "a modern guess",
    "house": "a house rule",
    "inapplicable": "the rules have no such rule: its bid or table is not theirs",
}


@frozen
class Cell:
    """What one text has for one rule."""

    state: str
    """One of ``STATES``."""
    value: Any = None
    """The plain value in force; None where the rule does not apply."""
    source: str = ""
    """The citation in short."""

    @property
    def speaks(self) -> bool:
        """Whether the text itself has the value."""
        return self.state in SPEAKS

    @property
    def text(self) -> str:
        """The value in words, the same for lists that have the same in another order."""
        return rule_value(
            sorted(self.value, key=str) if isinstance(self.value, list) else self.value
        )


@frozen
class TextColumn:
    """A text of the matrix."""

    name: str
    """The shortest name that tells it from the others."""
    reference: str
    title: str
    digest: str
    pages: str = ""
    """How much was seen of a text that was read in part."""


@frozen
class Distance:
    """Two texts compared over the rules of which both speak."""

    texts: tuple[str, str]
    differ: int
    """Rules that both have, with different values."""
    both: int
    """Rules of which both speak."""
    missing: int
    """Rules of the matrix of which one of them, or neither, speaks."""


@frozen
class Matrix:
    """Rules × texts, the rules in the order of the vocabulary."""

    texts: tuple[TextColumn, ...]
    rows: Mapping[str, tuple[Cell, ...]]
    """By rule path, one cell for each text."""
    sources: tuple[str, ...] = ()
    """The sources that the texts follow."""
    shelf: Mapping[str, Source] = field(default_factory=dict)
    """Every source that the texts know, by its name."""
    words: str = ""
    """What the rules are named by, where they are not all: then no distance is told."""

    def narrowed(self, words: str, paths: Collection[str]) -> "Matrix":
        """The rules of these paths alone."""
        rows = {path: cells for path, cells in self.rows.items() if path in paths}
        return replace(self, rows=rows, words=words)

    def counts(self) -> dict[str, int]:
        """How many cells are in each state, in the order of ``STATES``."""
        found = Counter(cell.state for row in self.rows.values() for cell in row)
        return {state: found[state] for state in STATES if found[state]}

    def shown(self, *, everything: bool) -> Mapping[str, tuple[Cell, ...]]:
        """The rules to show: those that differ; those of which a text speaks, where words name
        them; or all."""
        if everything:
            return self.rows
        if not self.words:
            return self.variant()
        return {path: row for path, row in self.rows.items() if any(c.speaks for c in row)}

    def variant(self) -> dict[str, tuple[Cell, ...]]:
        """The rules for which two texts that speak have different values."""
        return {
            path: cells
            for path, cells in self.rows.items()
            if len({cell.text for cell in cells if cell.speaks}) > 1
        }

    def distances(self) -> list[Distance]:
        """Every two texts, the nearest first."""
        found: list[Distance] = []
        for a, one in enumerate(() if self.words else self.texts):
            for b in range(a + 1, len(self.texts)):
                pairs = [(row[a], row[b]) for row in self.rows.values()]
                both = [(x, y) for x, y in pairs if x.speaks and y.speaks]
                differ = sum(x.text != y.text for x, y in both)
                names = (one.name, self.texts[b].name)
                found.append(Distance(names, differ, len(both), len(pairs) - len(both)))
        return sorted(found, key=lambda d: (d.differ / d.both if d.both else 2.0, d.texts))


def matrix_of(rule_sets: Sequence[Compiled]) -> Matrix:
    """The matrix of these rule sets; raises UsageError for games that are not of tricks, or fewer
    than two."""
    if len(rule_sets) < 2:
        raise UsageError.of("one-text-to-collate")
    for compiled in rule_sets:
        compiled.game_of(TRICKS)
    paths = dict.fromkeys(
        path for compiled in rule_sets for path in compiled.origins if not path.endswith(".title")
    )
    order = {pattern: place for place, pattern in enumerate(leaves())}
    columns = tuple(
        TextColumn(
            name,
            str(compiled.identity.reference),
            compiled.heading,
            compiled.identity.digest,
            "; ".join(
                filter(
                    None, (pages_seen(compiled.sources.get(name)) for name in _followed(compiled))
                )
            ),
        )
        for name, compiled in zip(names_beside(rule_sets), rule_sets, strict=True)
    )
    ordered = sorted(paths, key=lambda path: order.get(pattern_of(path) or "", len(order)))
    return Matrix(
        columns,
        {path: tuple(_cell(compiled, path) for compiled in rule_sets) for path in ordered},
        tuple(dict.fromkeys(source for compiled in rule_sets for source in _followed(compiled))),
        {name: source for compiled in rule_sets for name, source in compiled.sources.items()},
    )


def _followed(compiled: Compiled) -> list[str]:
    """The source of the witness that is followed; of all witnesses, where none is."""
    chosen = compiled.identity.witness
    return [w.source for w in compiled.witnesses.values() if chosen in (None, w.id)]


def _cell(compiled: Compiled, path: str) -> Cell:
    origin = compiled.origins.get(path)
    if origin is None:
        return Cell("inapplicable")
    state, witness = origin.status, compiled.witnesses.get(compiled.identity.witness or "")
    others = witness and all(c.source != witness.source for c in origin.link.citations)
    if state in SPEAKS and others:  # a reading chosen against the text that is followed
        state = "house"
    return Cell(state, origin.value, origin.source_text())


def shipped_texts() -> list[str]:
    """Every shipped rule set of the trick games, once for each of its witnesses where it has
    several."""
    found: list[str] = []
    for name, path in resources.shipped_profiles().items():
        if shipped_profile(path).abstract:
            continue
        if kind_of_chain(chain := load_chain(name)) != TRICKS:
            continue
        own = [w.id for w in chain[-1].witnesses]
        found += [f"{name}@{witness}" for witness in own] if len(own) > 1 else [name]
    return found
