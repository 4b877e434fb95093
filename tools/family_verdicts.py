"""What the family of players finds of every disputed point, of pairs of profiles, and beside seer.

``python tools/family_verdicts.py points|pairs|seer [--seed 1]`` plays ``compare`` until it is
decided, by the fast engine, and prints a line each: the verdicts on the Hombre, the ally and the
adversaries.  ``points`` takes every other reading of each point of quanti-1822 (some minutes),
``seer`` the seven readings of docs/studies/seer, and says whether the interval that seer has there
overlaps the family's range.
"""

import argparse
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any, Final

from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.paired import PICKED_ROLES
from run_studies import FOLDER

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
    parser.add_argument("what", choices=("points", "pairs", "seer"))
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    seen: dict[str, Any] = {}
    if wanted.what == "seer":
        manifest = json.loads((FOLDER / "seer/long/seer.json").read_text("utf-8"))
        names = [one.partition(":")[2] for one in manifest["parameters"]["readings"]]
        seen = {
            n: p["effects"]["total"]["roles"]
            for n, p in zip(names, manifest["results"]["paired"], strict=True)
        }
    lines = [(f"{a} {b}", a, b) for a, b in PAIRS] if wanted.what == "pairs" else []
    lines = lines or [(r, REF, REF, "--reading", f"2:{r}") for r in seen or readings()]  # type: ignore[misc]
    for name, *line in lines:
        found, told = verdicts(wanted.seed, *line), []
        for role in PICKED_ROLES:
            v, by_seer = found[role], seen.get(name, {}).get(role, {"low": None})
            overlap = (
                ""
                if by_seer["low"] is None or v["low"] is None
                else (
                    " overlaps"
                    if v["low"] <= by_seer["high"] and by_seer["low"] <= v["high"]
                    else " apart"
                )
            )
            told.append(f"{v['answer']}{overlap}")
        print(f"| {name} | {' | '.join(told)} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
