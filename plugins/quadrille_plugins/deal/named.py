"""The rules that a record names."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import NoneType
from typing import Any, NamedTuple

from quadrille_core.errors import Command, Phrase, Place, PlaceAt, Problem, QuadrilleError, RecordError, nowhere
from quadrille_plugins.output.commands import parse_value


class Named(NamedTuple):
    """The rules a record names."""

    reference: str | None
    readings: list[str]
    settings: list[str]
    digest: str | None


def rules_of(data: Any, place: PlaceAt = nowhere) -> Named:
    """The rules a record names; raises RecordError where that block is malformed."""
    rules = data.get("rules") if isinstance(data, dict) else None
    if rules is None or isinstance(rules, str):
        return Named(rules, [], [], None)
    problems = []
    if not isinstance(rules, dict):
        message = "rules is neither the name of a rule set nor what a record says of one"
        raise RecordError(Problem.text("Q203", message, place(("rules",))))
    kinds: dict[str, tuple[type, ...]] = {"profile": (str,), "witness": (str, NoneType), "digest": (str, NoneType)}
    for key, kind in kinds.items():
        if not isinstance(rules.get(key), kind):
            hint = Phrase("see-what-command-writes", {"command": Command("deal")})
            problems.append(Problem.text("Q203", f"rules.{key} is no text", place(("rules", key)), hint))
    pairs: dict[str, list[str]] = {"readings": [], "settings": []}
    for key, found in pairs.items():
        block = rules.get(key, {})
        if not isinstance(block, dict) or not all(isinstance(v, str) for v in block.values()):
            problems.append(Problem.text("Q203", f"rules.{key} is no mapping of names to texts", place(("rules", key))))
        else:
            found += [f"{k}={v}" for k, v in block.items()]
            problems += _unreadable(block, place) if key == "settings" else []
    added = rules.get("added", [])
    if not isinstance(added, list) or not all(isinstance(a, str) for a in added):
        problems.append(Problem.text("Q203", "rules.added is no list of plugins", place(("rules", "added"))))
    if problems:
        raise RecordError(problems)
    witness = f"@{rules['witness']}" if rules.get("witness") else ""
    reference = rules["profile"] + witness + "".join(f"+{plugin}" for plugin in added)
    return Named(reference, pairs["readings"], pairs["settings"], rules.get("digest"))


def _unreadable(settings: Mapping[str, str], place: PlaceAt) -> list[Problem]:
    """The values among a record's settings that are no values of rules."""
    problems: list[Problem] = []
    for path, text in settings.items():
        try:
            parse_value(text)
        except QuadrilleError as e:
            where = place(("rules", "settings", path))
            named = {"where": f"rules.settings, {path}"}
            problems += [Problem(p.code, "within", {**named, "problem": p}, where, p.hint) for p in e.problems]
    return problems


@contextmanager
def blaming(place: Place | None) -> Iterator[None]:
    """Errors without a place get this one; with None they stay as they are."""
    try:
        yield
    except QuadrilleError as e:
        if place is None:
            raise
        raise e.placed(place) from None
