"""The index of the decisions, ``docs/decisions/README.md``: each with its status, from the line
below its title."""

import re
from collections.abc import Iterator
from typing import Final

from documents import ROOT

FOLDER: Final = ROOT / "docs" / "decisions"
PAGE: Final = FOLDER / "README.md"
STATES: Final = ("accepted", "superseded", "no longer true")
HEAD: Final = """# Decisions

Each file says what was decided, why, and what it would take to decide otherwise. Below its title stands its status:
`accepted`, `superseded` by another, or `no longer true`, with what is true now. `python tools/regenerate.py decisions`
writes this list.

| decision | status |
|---|---|
"""
FOOT: Final = """
```{toctree}
:glob:
:hidden:

0*
```
"""
_BEGIN: Final = re.compile(r"# (?P<title>[^\n]+)\n\nStatus: (?P<status>.+?)\n\n", re.DOTALL)


def _rows() -> Iterator[str]:
    for path in sorted(FOLDER.glob("0*.md")):
        found = _BEGIN.match(path.read_text("utf-8"))
        if found is None or not found["status"].startswith(STATES):
            raise ValueError(
                f"{path}: below the title must stand a line `Status: …`, beginning with one of "
                f"{STATES}"
            )
        first = re.split(r"(?<=[.;:]) ", " ".join(found["status"].split()))[0]
        title = re.sub(r"^([0-9]+):", r"\1", found["title"])
        yield f"| [{title}]({path.name}) | {first.rstrip('.;:')} |\n"


def page() -> str:
    """The whole page."""
    return HEAD + "".join(_rows()) + FOOT
