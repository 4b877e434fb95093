"""What the family of players finds of every disputed point, and of pairs of profiles.

``python tools/family_verdicts.py points|pairs [--seed 1]`` plays ``compare`` until it is decided,
by the fast engine, and prints a line each: the verdicts on the Hombre, the ally and the
adversaries.  ``points`` takes every other reading of each point of quanti-1822 (some minutes).
"""

import argparse
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any, Final

from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.paired import PICKED_ROLES

from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import compile_reference

REF: Final = "quanti-1822"
PAIRS: Final = (
    (REF, "mediateur-1752"),
    (REF, "quadrille-laws"),
    (REF, "quadrille-modern"),
    (REF, f"{REF}@wikipedia"),
    (REF, "academie"),
    (REF, "encyclopedie-mediateur"),
    (REF, "hoyle-improved"),
    ("quintille-new", "quintille-old"),
)


def readings() -> Iterator[str]:
    """Every reading of a point that changes the rules."""
    base = compile_reference(REF)
    for state in base.points:
        for reading in state.point.readings:
            try:
                other = compile_reference(REF, readings={state.point.id: reading.id})
            except QuadrilleError:
                continue
            if other.identity.digest != base.identity.digest:
                yield f"{state.point.id}={reading.id}"


def verdicts(seed: int, *line: str) -> dict[str, Any]:
    """The verdicts of a comparison by column."""
    out = io.StringIO()
    with redirect_stdout(out):
        run(
            [
                "compare",
                *line,
                "--engine",
                "fast",
                "--seed",
                str(seed),
                "--examples",
                "0",
                "--format",
                "json",
            ]
        )
    found: dict[str, Any] = json.loads(out.getvalue())["paired"][0]["verdicts"]
    return found


def main() -> None:
    """Print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("points", "pairs"))
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    lines: list[tuple[str, ...]] = [(f"{a} {b}", a, b) for a, b in PAIRS]
    if wanted.what == "points":
        lines = [(r, REF, REF, "--reading", f"2:{r}") for r in readings()]
    for name, *line in lines:
        found = verdicts(wanted.seed, *line)
        told = " | ".join(found[role]["answer"] for role in PICKED_ROLES)
        print(f"| {name} | {told} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
