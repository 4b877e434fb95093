"""The table of disputed points in ``docs/points.md``: ``python tests/make_points.py`` writes it anew.

Every point of every shipped profile, with the rules that its readings set, and each profile's readings of it.
"""

from pathlib import Path

from quadrille_core import resources, vocabulary
from quadrille_core.profile import load_profile
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset.compile import PointState

FILE = Path(__file__).resolve().parent.parent / "docs" / "points.md"
RENEW = "python tests/make_points.py"
HEAD = f"""# Disputed points

Where the sources disagree, are silent or contradict themselves, a profile has a *point* with *readings*. Each reading
can be played: `--reading POINT=READING` chooses it, `quadrille explain PROFILE RULE` says who attests it, and
`quadrille compare` what it changes at the table. The reading a profile takes by itself is in bold; behind a reading
stands its status where no text of the profile attests it outright. A star in a rule stands for any bid.

The table is written by `{RENEW}` from the profiles.

| point | rules | profiles and readings |
|---|---|---|
"""


def profiles() -> dict[str, Compiled]:
    """The shipped profiles that can be played, compiled."""
    paths = resources.shipped_profiles()
    return {n: compile_reference(n) for n, p in paths.items() if not load_profile(p, validate=False).abstract}


def rules_of(state: PointState) -> list[str]:
    """The rules that any reading of a point sets, bids taken together, in the order of the vocabulary."""
    found = {vocabulary.pattern_of(path) or path for reading in state.point.readings for path, _, _ in reading.sets}
    return sorted(found, key=_place)


def _place(pattern: str) -> tuple[int, str]:
    """Where a rule stands: in the order of the vocabulary, those of other games behind."""
    order = list(vocabulary.leaves())
    return (order.index(pattern), "") if pattern in order else (len(order), pattern)


def readings_of(state: PointState) -> str:
    """The readings of a point in one profile, the one in use in bold, each with its status unless attested."""
    words = []
    for reading in state.point.readings:
        name = f"**{reading.id}**" if reading.id == state.reading.id else reading.id
        status = reading.status if reading.status not in ("", "attested") else ""
        if not status and not reading.attested:
            status = "from another source"
        words.append(f"{name} ({status})" if status else name)
    return ", ".join(words)


def table() -> str:
    """The whole document."""
    rows: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for profile, compiled in profiles().items():
        for state in compiled.points:
            key = (state.point.id, *rules_of(state))
            rows.setdefault(key, {})[profile] = [state.point.question, readings_of(state)]
    lines = []
    for key in sorted(rows, key=lambda k: [_place(p) for p in k[1:]]):
        told = rows[key]
        question = next(iter(told.values()))[0].replace("|", "\\|")
        alike: dict[str, list[str]] = {}
        for profile, (_, readings) in told.items():
            alike.setdefault(readings, []).append(f"`{profile}`")
        cells = "<br>".join(f"{', '.join(names)}: {readings}" for readings, names in alike.items())
        rules = "<br>".join(f"`{p}`" for p in key[1:])
        lines.append(f"| `{key[0]}`<br>{question} | {rules} | {cells} |\n")
    return HEAD + "".join(lines)


if __name__ == "__main__":
    FILE.write_text(table())
