"""The matrix in the NEXUS format of phylogenetic programs (Maddison, Swofford and Maddison 1997).

A character is a rule for which two texts differ, a state one of its values.  ``?`` is a text that
does not speak, for whatever reason; ``-`` one whose rules have no such thing.  Which reason it is,
a block of our own says, which other programs pass over: a letter for each cell.
"""

import re
from typing import Final

from quadrille_core.errors import UsageError
from quadrille_plugins.apparatus.matrix import Cell, Matrix

SYMBOLS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS: Final = {
    "attested": "a",
    "inferred": "n",
    "silent": "s",
    "unseen": "u",
    "inapplicable": "x",
    "conjecture": "c",
    "house": "h",
}


def nexus(matrix: Matrix) -> str:
    """The variant rules as characters; raises UsageError where a rule has more values than there
    are symbols."""
    variant = matrix.variant()
    states = {path: _values(path, cells) for path, cells in variant.items()}
    width = max((len(_token(t.name)) for t in matrix.texts), default=0)
    lines = [
        "#NEXUS",
        "",
        "[What does not speak is ?; what has no such rule is -. Likeness is no descent.]",
        "",
    ]
    lines += ["BEGIN TAXA;", f"  DIMENSIONS NTAX={len(matrix.texts)};"]
    lines += ["  TAXLABELS " + " ".join(_token(t.name) for t in matrix.texts) + ";", "END;", ""]
    lines += ["BEGIN CHARACTERS;", f"  DIMENSIONS NCHAR={len(variant)};"]
    symbols = SYMBOLS[: max(map(len, states.values()), default=1)]
    lines += [
        f'  FORMAT DATATYPE=STANDARD MISSING=? GAP=- SYMBOLS="{symbols}";',
        "  CHARSTATELABELS",
    ]
    labels = [
        f"    {number} {_token(path)} / {' '.join(map(_token, values))}"
        for number, (path, values) in enumerate(states.items(), 1)
    ]
    lines += [",\n".join(labels) + ";", "  MATRIX"]
    for place, text in enumerate(matrix.texts):
        row = "".join(_symbol(cells[place], states[path]) for path, cells in variant.items())
        lines.append(f"    {_token(text.name):<{width}}  {row}")
    return "\n".join([*lines, "  ;", "END;", "", *_states(matrix, width)]) + "\n"


def _states(matrix: Matrix, width: int) -> list[str]:
    """A block of the state of every cell, which the format lets other programs skip."""
    letters = ", ".join(f"{letter} {state}" for state, letter in LETTERS.items())
    lines = ["BEGIN QUADRILLE;", f"  [{letters}]", "  STATES"]
    for place, text in enumerate(matrix.texts):
        row = "".join(LETTERS[cells[place].state] for cells in matrix.variant().values())
        lines.append(f"    {_token(text.name):<{width}}  {row}")
    return [*lines, "  ;", "END;"]


def _values(path: str, cells: tuple[Cell, ...]) -> list[str]:
    """The values that texts have, in their order."""
    found = list(dict.fromkeys(c.text for c in cells if c.speaks))
    if len(found) > len(SYMBOLS):
        raise UsageError.of(
            "too-many-values-for-nexus", path=path, found=len(found), symbols=len(SYMBOLS)
        )
    return found


def _symbol(cell: Cell, values: list[str]) -> str:
    if cell.speaks:
        return SYMBOLS[values.index(cell.text)]
    return "-" if cell.state == "inapplicable" else "?"


def _token(text: str) -> str:
    """A word of NEXUS: quoted wherever it is more than letters, digits and underscores."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text, re.ASCII)
    return text if plain else "'" + " ".join(text.split()).replace("'", "''") + "'"
