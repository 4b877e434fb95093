"""The table of disputed points in ``docs/points.md``: ``python tools/regenerate.py`` writes it
anew.

Every point of every shipped profile, with the rules that its readings set, and each profile's
readings of it; what the plugins leave to be chosen; and ``data/questions.yaml``, question by
question, with commands that show the answers.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import _tests  # noqa: F401
from support.data import of_yaml

from quadrille_core import DISTRIBUTION, resources, vocabulary
from quadrille_core.hookspecs import Parameter
from quadrille_core.profile import load_profile
from quadrille_core.registry import load_all
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset.compile import PointState

FILE = Path(__file__).resolve().parent.parent / "docs" / "points.md"
QUESTIONS: dict[str, list[dict[str, Any]]] = of_yaml(
    Path(__file__).resolve().parents[1] / "tests" / "data" / "questions.yaml"
)
HOST = "quadrille-laws"
"""The profile that a plugin is shown with."""
RENEW = "python tools/regenerate.py"
HEAD = f"""# Disputed points

Where the sources disagree, are silent or contradict themselves, a profile has a *point* with *readings*. Each reading
can be played: `--reading POINT=READING` chooses it, `quadrille explain PROFILE RULE` says who attests it, and
`quadrille compare` what it changes at the table. The reading a profile takes by itself is in bold; behind a reading
stands its status where no text of the profile attests it outright. A star in a rule stands for any bid.

A variation that a plugin brings leaves other things open: what its parameters choose stands below the table, and what
the older article leaves open of its own variations is a point besides. Last comes every question by its subject, with
where it is answered.

The tables are written by `{RENEW}` from the profiles, the plugins and `tests/data/questions.yaml`.

| point | rules | profiles and readings |
|---|---|---|
"""


@cache
def profiles() -> dict[str, Compiled]:
    """The shipped profiles that can be played, compiled."""
    paths = resources.shipped_profiles()
    return {
        n: compile_reference(n)
        for n, p in paths.items()
        if not load_profile(p, validate=False).abstract
    }


def rules_of(state: PointState) -> list[str]:
    """The rules that any reading of a point sets, bids taken together, in the order of the
    vocabulary."""
    found = {
        vocabulary.pattern_of(path) or path
        for reading in state.point.readings
        for path, _, _ in reading.sets
    }
    return sorted(found, key=_place)


def _place(pattern: str) -> tuple[int, str]:
    """Where a rule stands: in the order of the vocabulary, those of other games behind."""
    order = list(vocabulary.leaves())
    return (order.index(pattern), "") if pattern in order else (len(order), pattern)


def readings_of(state: PointState) -> str:
    """The readings of a point in one profile, the one in use in bold, each with its status unless
    attested, and the sources that have it where no witness does."""
    words = []
    for reading in state.point.readings:
        name = f"**{reading.id}**" if reading.id == state.reading.id else reading.id
        status = reading.status if reading.status not in ("", "attested") else ""
        if reading.elsewhere:
            status += (", in " if status else "in ") + " and ".join(
                source for source, _ in reading.elsewhere
            )
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
    return HEAD + "".join(lines) + "".join(_parameters()) + "".join(_questions())


def parameters() -> dict[str, dict[str, Parameter]]:
    """The parameters of the shipped plugins that have any."""
    shipped = {
        n: p.about.parameters
        for n, p in load_all().loaded.items()
        if p.installed.package == DISTRIBUTION
    }
    return {name: dict(known) for name, known in shipped.items() if known}


def choices(plugin: str, parameter: str) -> list[str]:
    """The parts of a reference that choose each value, the one without it first."""
    known = parameters()[plugin][parameter]
    words = [
        str(c).lower() if isinstance(c, bool) else str(c)
        for c in known.choices
        if c != known.default
    ]
    return [f"+{plugin}", *(f"+{plugin}:{parameter}={word}" for word in words)]


def _parameters() -> Iterator[str]:
    yield "\n## What plugins leave to be chosen\n\nAdded to a profile, as in "
    yield f"`quadrille show {HOST}{choices('multiplier', 'loss_adds')[-1]}`.\n\n"
    yield "| plugin | chooses | by |\n|---|---|---|\n"
    for plugin, known in parameters().items():
        for name, parameter in known.items():
            yield (
                f"| `{plugin}` | {parameter.doc} | "
                f"{', '.join(f'`{c}`' for c in choices(plugin, name))} |\n"
            )


def holders(point: str, first: str = "") -> list[tuple[str, PointState]]:
    """The profiles in which a point is open, with its state there, one of them first."""
    found = [
        (n, s) for n, compiled in profiles().items() for s in compiled.points if s.point.id == point
    ]
    return sorted(found, key=lambda pair: pair[0] != first)


def change(profile: str, state: PointState) -> tuple[str, str]:
    """Another reading of a point than the one in use, and a rule that it changes."""
    compiled = profiles()[profile]
    for reading in state.point.readings:
        for path, value, _ in reading.sets:
            if compiled.value_of(path) != value:
                return reading.id, path
    raise LookupError(f"no reading of {state.point.id} changes anything in {profile}")


def commands(question: dict[str, Any]) -> list[str]:
    """Commands that show where a question is answered: one for a point, a rule that parts, a
    plugin."""
    found = []
    for point in question.get("points", ()):
        profile, state = holders(point, question.get("of", ""))[0]
        reading, path = change(profile, state)
        found.append(f"quadrille explain {profile} {path} --reading {point}={reading}")
    for references in question.get("parts", {}).values():
        found += [f"quadrille diff {a} {b}" for a, b in pairwise(references)]
    for plugin, names in question.get("plugins", {}).items():
        parts = [choices(plugin, name)[-1] for name in names] or [f"+{plugin}"]
        found += [f"quadrille show {HOST}{part}" for part in parts]
    return list(dict.fromkeys(found))


def _questions() -> Iterator[str]:
    yield "\n## By subject\n"
    for subject, questions in QUESTIONS.items():
        yield f"\n### {subject}\n\n"
        yield (
            "| question | points | rules in which the texts part | commands |\n|---|---|---|---|\n"
        )
        for question in questions:
            points = ", ".join(f"`{p}`" for p in question.get("points", ()))
            parts = "<br>".join(f"`{rule}`" for rule in question.get("parts", {}))
            shown = "<br>".join(f"`{c}`" for c in commands(question))
            yield f"| {question['asks']} | {points} | {parts} | {shown} |\n"
