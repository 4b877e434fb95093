"""The matrix for a person, as JSON, as CSV, and the table of distances."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from quadrille_plugins.apparatus.graph import HOW, Dependency, dependencies
from quadrille_plugins.apparatus.matrix import SPEAKS, STATES, Cell, Distance, Matrix
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import Json, if_any, plainly

NO_TREE: Final = (
    "No family tree is drawn from this: rules are few, depend on each other, are borrowed "
    "between games and agree by chance, so likeness of rules is no evidence that one text "
    "descends from another."
)
_WIDTH: Final = 80
_NOT_SAID: Final[Mapping[str, str]] = {
    "silent": "are silent",
    "unseen": "unseen",
    "inapplicable": "inapplicable",
    "conjecture": "conjecture",
    "house": "house rule",
}


def collation_blocks(matrix: Matrix, *, everything: bool) -> list[Block]:
    """An answer, then a paragraph for each rule: every value with the texts that have it, then who
    says nothing."""
    variant = matrix.variant()
    texts = "\n".join(
        f"{t.name}: {t.title} ({t.reference}#{t.digest[:12]}){'; ' + t.pages if t.pages else ''}"
        for t in matrix.texts
    )
    spoken = sum(sum(cell.speaks for cell in cells) > 1 for cells in matrix.rows.values())
    of = f" that {matrix.words} names and" if matrix.words else ""
    answer = (
        f"Of {spoken} rule{'' if spoken == 1 else 's'}{of} of which at least two of "
        f"{len(matrix.texts)} texts speak, "
        f"{len(variant)} differ{'s' if len(variant) == 1 else ''}; {_missing(matrix)}."
    )
    blocks: list[Block] = [Text(answer, strong=True), Text(texts)]
    shown = matrix.shown(everything=everything)
    blocks += [Text("\n".join(_entry(matrix, path, cells))) for path, cells in shown.items()]
    return [*blocks, *(_dependencies(matrix) if matrix.words else distance_blocks(matrix))]


def _missing(matrix: Matrix) -> str:
    """Of how many cells the texts say nothing, state by state."""
    counts = matrix.counts()
    whole = sum(counts.values())
    shares = [
        f"{_share_of(n, whole)} {_NOT_SAID[state]}"
        for state, n in counts.items()
        if state not in SPEAKS
    ]
    return "of all cells " + ", ".join(shares) if shares else "every cell is a text's own"


def _share_of(number: int, whole: int) -> str:
    return f"{100 * number / whole:.0f} %" if 200 * number >= whole else "under 1 %"


def _entry(matrix: Matrix, path: str, cells: Sequence[Cell]) -> list[str]:
    """One rule: each value that a text has, with those texts; the other states, each with its
    texts."""
    values: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for text, cell in zip(matrix.texts, cells, strict=True):
        if cell.speaks:
            mark = " (inferred)" if cell.state == "inferred" else ""
            values.setdefault(cell.text, []).append(text.name + mark)
        else:
            others.setdefault(cell.state, []).append(text.name)
    lines = [path]
    for value, names in values.items():
        lines += _hanging(f"  {value}: ", names)
    for state in STATES:
        if state in others:
            lines += _hanging(f"  [{state}] ", others[state])
    return lines


def _hanging(head: str, names: Iterable[str]) -> list[str]:
    """Names behind a head, broken between names; further lines stand deeper."""
    lines, line, first = [], head, True
    for name in names:
        part = name if first else f", {name}"
        if not first and len(line) + len(part) > _WIDTH:
            lines.append(line + ",")
            line, part = "      ", name
        line, first = line + part, False
    return [*lines, line]


def distance_blocks(matrix: Matrix) -> list[Block]:
    """Every two texts: how many rules differ, of how many that both have, and for how many there is
    no comparison."""
    rows = tuple(
        (*d.texts, str(d.differ), str(d.both), _share(d), str(d.missing))
        for d in matrix.distances()
    )
    columns = ("text", "and", "differ", "of", "share", "missing")
    title = "how far texts differ, over the rules of which both speak"
    return [
        Table(title, columns, rows, frozenset(columns[2:]), whole=frozenset(columns[:2])),
        Text(NO_TREE),
        *_dependencies(matrix),
    ]


def _dependencies(matrix: Matrix) -> list[Block]:
    """What is documented of who copied whom, apart from all likeness."""
    found = dependencies(matrix.sources, matrix.shelf)
    lines = [f"{d.text} {HOW[d.how][0]} {d.source}{_at(d)}: {d.evidence}" for d in found]
    head = "documented dependencies (a text that copies another has no vote of its own):"
    return [Text("\n".join([head, *lines]))] if lines else []


def _at(dependency: Dependency) -> str:
    """The places in words: those that have only a pattern are some of its places."""
    return f" ({dependency.places or 'in part'})" if dependency.at else ""


def _share(distance: Distance) -> str:
    return f"{100 * distance.differ / distance.both:.0f} %" if distance.both else "–"


def collation_json(matrix: Matrix, *, everything: bool) -> Json:
    """The same as plain data: texts, states, rules with a cell for each text by name, distances."""
    shown = matrix.shown(everything=everything)
    return {
        **if_any(words=matrix.words),
        "texts": [
            {
                "name": t.name,
                "rules": t.reference,
                **plainly(t, "title", "digest"),
                "pages": t.pages or None,
            }
            for t in matrix.texts
        ],
        "counts": matrix.counts(),
        "dependencies": [
            {**plainly(d, "text", "how"), "from": d.source, "evidence": d.evidence}
            | {"at": d.at or None, "places": d.places or None}
            for d in dependencies(matrix.sources, matrix.shelf)
        ],
        "states": dict(STATES),
        "rules": {
            path: {
                text.name: {"state": cell.state, "value": cell.value, "source": cell.source or None}
                for text, cell in zip(matrix.texts, cells, strict=True)
            }
            for path, cells in shown.items()
        },
        "distances": [plainly(d) for d in matrix.distances()],
    }


def collation_rows(matrix: Matrix, *, everything: bool) -> tuple[list[str], list[list[object]]]:
    """A row for each rule, two columns for each text: its value, and its state."""
    shown = matrix.shown(everything=everything)
    heading = ["rule", *(name for t in matrix.texts for name in (t.name, f"{t.name} state"))]
    rows: list[list[object]] = [
        [path, *(part for c in cells for part in ("" if c.value is None else c.text, c.state))]
        for path, cells in shown.items()
    ]
    return heading, rows
