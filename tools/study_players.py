"""Tables of the study of players: what a family of players, seer and play with open cards find of
each reading.

A player *shows* a gain or a loss where the interval of an effect is wholly on one side of zero.  An
effect *flips* where one player shows a gain and another a loss.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

Plain = dict[str, Any]

COLUMNS: Final = {
    "hombre": "the Hombre",
    "ally": "the ally",
    "adversaries": "the adversaries",
    "antes": "antes",
    "pool": "the pool",
}
BY_PAR: Final = {"hombre": "hombre", "ally": "ally", "adversaries": "adversary"}
PAR: Final = "par, a deal"
SMALL: Final = {"smaller", "identical", "too few differ"}
RUNS: Final = ("long/family", "long/seer", "long/par")


def is_of_players(folder: Path) -> bool:
    """Whether a study holds players against each other."""
    return bool(yaml.safe_load((folder / "study.yaml").read_text("utf-8")).get("players"))


def told(e: Plain, digits: int = 1) -> str:
    """A mean with its interval, or alone."""
    ends = "" if e.get("low") is None else f" ({e['low']:+.{digits}f} to {e['high']:+.{digits}f})"
    return f"{e['mean']:+.{digits}f}{ends}".replace("-", "\N{MINUS SIGN}")


def sign(e: Plain) -> int:
    """1 where a gain is shown, -1 a loss, else 0."""
    if e.get("low") is None:  # so few differ that there is no interval
        return 0
    return int(e["low"] > 0) - int(e["high"] < 0)


def by_reading(found: dict[str, Plain]) -> dict[str, dict[str, Plain]]:
    """What each run has of each reading, by its name ``POINT=READING`` and the run's."""
    seen: dict[str, dict[str, Plain]] = {}
    for run in RUNS:
        results = found[run]["results"]
        for rules, pair in zip(results["rules"][1:], results["paired"], strict=True):
            ((point, reading),) = rules["readings"].items()
            seen.setdefault(f"{point}={reading}", {})[run] = pair
    return seen


def players(of: dict[str, Plain], column: str) -> Iterator[tuple[str, Plain]]:
    """Each player's total effect on a column; par's where some deal has one."""
    for name, member in of["long/family"]["family"].items():
        yield f"`{name}`", member["effects"][column]
    yield "`seer`", of["long/seer"]["effects"]["total"]["roles"][column]
    at_par = of["long/par"]["difference"]["by_role"].get(BY_PAR.get(column, ""))
    if at_par is not None:
        yield PAR, at_par


def flips(seen: dict[str, dict[str, Plain]]) -> list[list[str]]:
    """A row for each effect that flips: the surest gain and the surest loss, and who shows them."""
    rows = []
    for name, of in seen.items():
        for column, title in COLUMNS.items():
            # an ally or adversary at par is one where there is one: no sum over deals, as in play
            asked = (p for p in players(of, column) if column == "hombre" or p[0] != PAR)
            shown = {who: e for who, e in asked if sign(e)}
            gains = [who for who, e in shown.items() if sign(e) > 0]
            losses = [who for who, e in shown.items() if sign(e) < 0]
            if gains and losses:
                rows.append([f"`{name}`", title, _those(shown, gains), _those(shown, losses)])
    return rows


def _those(shown: dict[str, Plain], who: list[str]) -> str:
    """One with the effect, and how many others."""
    first = max(who, key=lambda w: min(abs(shown[w]["low"]), abs(shown[w]["high"])))
    digits = 2 if first == PAR else 1
    others = f", and {len(who) - 1} more" if len(who) > 1 else ""
    return f"{first} {told(shown[first], digits)}{others}"


def _verdicts(of: dict[str, Plain], column: str) -> tuple[Plain, Plain]:
    seer = {"answer": "identical", **of["long/seer"]["effects"]["total"]["roles"][column]}
    if seer["answer"] == "undecided" and seer.get("low") is None:
        seer["answer"] = "too few differ"
    return of["long/family"]["verdicts"][column], seer


def sizes(seen: dict[str, dict[str, Plain]]) -> list[list[str]]:
    """A row for each effect that the family or seer calls larger, or on which the family depends."""
    rows = []
    for name, of in seen.items():
        for column, title in COLUMNS.items():
            family, seer = _verdicts(of, column)
            if not {family["answer"], seer["answer"]} & {"larger", "depends"}:
                continue
            span = f"{family['low']:+.0f} to {family['high']:+.0f}".replace("-", "\N{MINUS SIGN}")
            par = dict(players(of, column)).get(PAR)
            rows.append(
                [
                    f"`{name}`",
                    title,
                    f"{family['answer']}: {span}",
                    f"{seer['answer']}: {told(seer)}",
                    "\N{EN DASH}" if par is None else told(par, 2),
                ]
            )
    return rows


def agreement(seen: dict[str, dict[str, Plain]]) -> str:
    """How many effects family and seer call alike, and the readings that both call smaller in all."""
    pairs: Counter[tuple[str, str]] = Counter()
    small = []
    for name, of in seen.items():
        both = [tuple(v["answer"] for v in _verdicts(of, c)) for c in COLUMNS]
        pairs.update(both)  # type: ignore[arg-type]
        if all(set(b) <= SMALL for b in both):
            small.append(f"`{name}`")
    rows = [[family, seer, str(n)] for (family, seer), n in sorted(pairs.items())]
    return (
        f"{_table(['the family', 'seer', 'effects'], rows)}\n\nOf {len(seen)} readings both call every role and account smaller of {len(small)}: "
        f"{', '.join(small)}."
    )


def tables(found: dict[str, Plain]) -> Iterator[tuple[str, str]]:
    """The tables of the study by name."""
    seen = by_reading(found)
    yield "flips", _table(["reading", "who", "a gain", "a loss"], flips(seen))
    yield "agreement", agreement(seen)
    head = ["reading", "who", "the family", "seer", "par, a deal (when there is one)"]
    yield "sizes", _table(head, sizes(seen))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) if rows else "None."
