"""Whether a ranking holds: the design of the study drawn again with other seeds, and what the draws
agree on.

    python tools/rank_redraws.py [--seeds 6] [--deals 2000] [--configurations 512] [--keep FOLDER]

For every point the verdicts are compared; the orders by Kendall's tau; and it is counted how often
an interval of one draw, of a place or of a size, covers the mean of the other draws.  That mean
errs itself: of 95 % intervals about the mean of five others 92.6 % are to be expected.
``--points`` ranks some alone; ``--keep`` writes each draw as JSON and takes up what is there.
"""

import argparse
import json
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

from quadrille_plugins.rank.data import rank_json
from quadrille_plugins.rank.effects import PAYMENTS, SMALLEST
from quadrille_plugins.rank.places import tau_b
from quadrille_plugins.rank.play import Crew, Lineup
from quadrille_plugins.rank.run import RankingPlan
from quadrille_plugins.rank.space import space_of
from quadrille_plugins.rank.study import rank
from quadrille_plugins.studies.design import FAST, plan
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner

Plain = dict[str, Any]


def draw(
    ref: str, seed: int, deals: int, sample_size: int, workers: int, points: list[str] | None = None
) -> Plain:
    """One ranking as JSON."""
    space = space_of(ref, {}, {}, points)
    design = plan([space.base], deals=deals, sessions=None, seed=seed, bots=("steady",) * 4)
    players = (Lineup("steady", design, FAST),)
    asked = RankingPlan(
        seed=seed,
        sample_size=sample_size,
        exact=False,
        measure=PAYMENTS,
        deals=design.deals,
        smallest=SMALLEST,
    )

    def said(done: int, total: int, seconds: float) -> None:
        if done % 200 == 0:
            sys.stderr.write(f"seed {seed}: {done} of {total} configurations, {seconds:.0f} s\n")

    with Crew(space, players, Runner(Placement(workers))) as crew:
        return rank_json(rank(space, asked, crew, said), players)


def compared(draws: list[Plain]) -> Plain:
    """What the draws agree on."""
    points: dict[str, list[Plain]] = {}
    for one in draws:
        for p in one["points"]:
            points.setdefault(p["point"], []).append(p)
    verdicts = {
        name: [p["verdicts"][PAYMENTS]["verdict"] for p in found] for name, found in points.items()
    }
    differ = {name: said for name, said in verdicts.items() if len(set(said)) > 1}
    taus = []
    for one, other in combinations(range(len(draws)), 2):
        sizes = [
            [
                found[n]["effects"][PAYMENTS]["size"]["value"]
                for found in points.values()
                if PAYMENTS in found[n]["effects"]
            ]
            for n in (one, other)
        ]
        taus.append(tau_b(*sizes))
    return {
        "draws": len(draws),
        "points": len(points),
        "verdicts that agree in all draws": len(points) - len(differ),
        "verdicts that differ": differ,
        "undecided, by draw": [
            sum(said[n] == "undecided" for said in verdicts.values()) for n in range(len(draws))
        ],
        "tau between orders": [round(min(taus), 2), round(max(taus), 2)],
        "intervals of place that cover": _covered(points, _place),
        "intervals of size that cover": _covered(points, _size),
        "intervals of signed changes that cover": _signed(points),
        "configurations played": [one["design"]["played"] for one in draws],
    }


Span = tuple[float | None, float | None, float | None]


def _place(p: Plain) -> Span:
    return (p["place"], p["place_low"], p["place_high"])


def _size(p: Plain) -> Span:
    size = p["effects"].get(PAYMENTS, {}).get("size", {})
    return (size.get("value", 0.0), size.get("low"), size.get("high"))


def _covered(points: dict[str, list[Plain]], span: Any) -> str:
    """How many intervals cover the mean of the other draws; those that do not by name."""
    covered, of, missed = 0, 0, {}
    for name, found in points.items():
        for n, p in enumerate(found):
            _, low, high = span(p)
            if low is None or high is None:
                continue
            others = [
                value for m, q in enumerate(found) if m != n and (value := span(q)[0]) is not None
            ]
            if len(others) < len(found) - 1:
                continue
            mean = sum(others) / len(others)
            of += 1
            if low <= mean <= high:
                covered += 1
            else:
                missed[name] = missed.get(name, 0) + 1
    return f"{covered} of {of}, {100 * covered / max(of, 1):.1f} %; missed: {missed}"


def _signed(points: dict[str, list[Plain]]) -> str:
    covered = of = 0
    for found in points.values():
        spans: dict[tuple[str, str], list[Plain]] = {}
        for p in found:
            for reading, effect in p["effects"].get(PAYMENTS, {}).get("readings", {}).items():
                for account, s in effect["signed"].items():
                    spans.setdefault((reading, account), []).append(s)
        for each in spans.values():
            for n, s in enumerate(each):
                if s["low"] is None or len(each) < len(found):
                    continue
                mean = sum(o["value"] for m, o in enumerate(each) if m != n) / (len(each) - 1)
                of += 1
                covered += s["low"] <= mean <= s["high"]
    return f"{covered} of {of}, {100 * covered / max(of, 1):.1f} %"


def main() -> None:
    """Draw, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--ref", default="quanti-1822")
    for name, default in (
        ("seeds", 6),
        ("first", 1),
        ("deals", 2000),
        ("sample_size", 512),
        ("workers", 1),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--points")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    draws, points = [], asked.points.split(",") if asked.points else None
    for seed in range(asked.first, asked.first + asked.seeds):
        path = asked.keep / f"{seed}.json" if asked.keep else None
        if path is not None and path.exists():
            draws.append(json.loads(path.read_text("utf-8")))
            continue
        draws.append(draw(asked.ref, seed, asked.deals, asked.sample_size, asked.workers, points))
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(draws[-1]), "utf-8")
    for name, value in compared(draws).items() if len(draws) > 1 else ():
        sys.stdout.write(f"{name}: {value}\n")


if __name__ == "__main__":
    main()
