"""What blocks cost: one comparison by two checkouts, turn and turn about, in seconds of the processor.

    python tests/benchmarks/blocks.py BEFORE [--deals 1000000] [--rounds 3] [--workers 2]

BEFORE is a checkout; its code is run by this Python, as is this checkout's, without and with a study folder.  What is
measured is the study alone, after the kernel was loaded; the digests say that all came to the same.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

HERE = Path(__file__).parents[2]
REFS = ("quanti-1822", "mediateur-1752")
PROGRAM = """
import hashlib, json, os, sys, time
from quadrille_plugins.compare.report import comparison_json
from quadrille_core.ruleset import compile_reference
from quadrille_plugins.compare import study
from quadrille_plugins.studies.design import plan
deals, workers, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
compiled = [compile_reference(ref) for ref in sys.argv[4:]]
def design(deals):
    return plan(compiled, deals=deals, sessions=None, seed=1, bots=("steady",))
study.compare(compiled, design(4000), workers=workers, engine="fast")
more = {}
if folder:
    from pathlib import Path
    from quadrille_plugins.studies.runner.executors import Where
    from quadrille_plugins.studies.runner.folder import StudyFolder
    from quadrille_plugins.studies.runner.run import Runner
    kept = StudyFolder(Path(folder), {"blocks": "benchmark"}, {}, resume=False)
    more = {"runner": Runner(Where(workers), kept)}
began, before = time.monotonic(), time.process_time()
found = study.compare(compiled, design(deals), workers=workers, engine="fast", **more)
spent, clock = time.process_time() - before, time.monotonic() - began
print(spent, clock, hashlib.sha256(json.dumps(comparison_json(found)).encode()).hexdigest())
"""


def run(checkout: Path, deals: int, workers: int, folder: str = "") -> tuple[float, float, str]:
    """Seconds of the processor and of the clock, and the digest of the results."""
    # the checkout's code goes before whatever is installed
    path = os.pathsep.join([str(checkout), str(checkout / "plugins")])
    line = [sys.executable, "-P", "-c", PROGRAM, str(deals), str(workers), folder, *REFS]
    told = subprocess.run(line, env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True, text=True)
    spent, clock, digest = told.stdout.split()
    return float(spent), float(clock), digest


def main() -> int:
    """Measure, and print a line for each side."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    sides: dict[str, list[tuple[float, float, str]]] = {"before": [], "now": [], "now, kept in a folder": []}
    for _ in range(given.rounds):
        sides["before"].append(run(given.before.resolve(), given.deals, given.workers))
        sides["now"].append(run(HERE, given.deals, given.workers))
        with tempfile.TemporaryDirectory() as place:
            folder = str(Path(place) / "study")
            sides["now, kept in a folder"].append(run(HERE, given.deals, given.workers, folder))
    for name, runs in sides.items():
        ratios = [now[0] / before[0] for now, before in zip(runs, sides["before"], strict=True)]
        spread = f"{median(ratios):.3f} ({min(ratios):.3f}–{max(ratios):.3f})"
        processor, clock = (median(r[i] for r in runs) for i in (0, 1))
        sys.stdout.write(
            f"{name}: {processor:.2f} s of the processor, {clock:.2f} of the clock; times before {spread}\n"
        )
    digests = {digest for runs in sides.values() for *_, digest in runs}
    sys.stdout.write("all came to the same\n" if len(digests) == 1 else "THE RESULTS DIFFER\n")
    return 0 if len(digests) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
