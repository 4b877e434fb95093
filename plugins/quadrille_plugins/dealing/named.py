"""What rules and bots are named, by a user or a record."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from types import NoneType
from typing import Any, NamedTuple

from quadrille_core.errors import (
    Command,
    Option,
    PlaceAt,
    Problem,
    QuadrilleError,
    RecordError,
    UsageError,
    nowhere,
)
from quadrille_core.profile import Node, place_at
from quadrille_core.resources import examples
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import MismatchError, parse_amount
from quadrille_plugins.deal.options import parse_players
from quadrille_plugins.deal.players import seated
from quadrille_plugins.deal.record import from_record
from quadrille_plugins.shell.options import compile_all, parse_value


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
    if not isinstance(rules, dict):
        raise RecordError.of("rules-no-name-nor-record", place=place(("rules",)))
    settings, added = rules.get("settings", {}), rules.get("added", [])
    right = {
        "profile": isinstance(rules.get("profile"), str),
        "witness": isinstance(rules.get("witness"), (str, NoneType)),
        "digest": isinstance(rules.get("digest"), (str, NoneType)),
        "readings": _is_texts(rules.get("readings", {})),
        "settings": _is_texts(settings),
        "added": _is_list(added),
        "witness_files": _is_list(rules.get("witness_files", [])),
    }
    problems = [
        Problem("Q203", "rules-not-as-recorded", {"key": key}, place(("rules", key)))
        for key, is_right in right.items()
        if not is_right
    ]
    if right["settings"]:
        problems += _unreadable(settings, place)
    if problems:
        raise RecordError(problems)
    files = "".join(f"@{file}" for file in rules.get("witness_files", ()))
    witness = f"@{rules.get('witness') or ''}" if rules.get("witness") or files else ""
    reference = rules["profile"] + files + witness + "".join(f"+{plugin}" for plugin in added)
    readings, by_hand = (
        [f"{name}={value}" for name, value in rules.get(key, {}).items()]
        for key in ("readings", "settings")
    )
    return Named(reference, readings, by_hand, rules.get("digest"))


def _is_list(block: object) -> bool:
    return isinstance(block, list) and all(isinstance(one, str) for one in block)


def _is_texts(block: object) -> bool:
    return isinstance(block, dict) and all(isinstance(v, str) for v in block.values())


def _unreadable(settings: Mapping[str, str], place: PlaceAt) -> list[Problem]:
    """The values among a record's settings that are no values of rules."""
    problems: list[Problem] = []
    for path, text in settings.items():
        try:
            parse_value(text)
        except QuadrilleError as e:
            where = place(("rules", "settings", path))
            named = {"where": f"rules.settings, {path}"}
            problems += [
                Problem(p.code, "within", {**named, "problem": p}, where) for p in e.problems
            ]
    return problems


def compiled_for(
    data: Any,
    place: PlaceAt,
    ref: str | None,
    readings: Sequence[str],
    sets: Sequence[str],
    chosen: Sequence[str] = (),
) -> tuple[Named, Compiled]:
    """What a record names, and the rules ``ref``, else its own with the readings that it has chosen
    besides.

    ``readings`` and ``sets`` refine either.  Raises RecordError where the record names none.
    """
    named = rules_of(data, place)
    if ref is None and named.reference is None:
        raise RecordError.of("record-names-no-rules", place=place(("rules",)))
    own, settings = ([], []) if ref else ([*named.readings, *chosen], named.settings)
    try:
        (compiled,) = compile_all(
            [ref or named.reference or ""], [*own, *readings], [*settings, *sets]
        )
    except QuadrilleError as e:
        where = place(("rules",))
        if ref or readings or sets or where is None:
            raise
        raise e.placed(where) from None
    return named, compiled


def faults_of_record(root: Node) -> Sequence[Problem]:
    """What is wrong with the record of a deal: what it says, and the block of its rules."""
    data, place = root.to_plain(), partial(place_at, root)
    found: list[Problem] = []
    for read in (rules_of, from_record):
        try:
            read(data, place)
        except QuadrilleError as e:
            found += e.problems
    return found


def amount_typed(text: str) -> Fraction:
    """The amount that ``--pool`` names; raises UsageError for none."""
    try:
        return parse_amount(
            int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text
        )
    except MismatchError as e:
        raise UsageError.of("no-amount", option=Option("pool"), text=text, why=e.problem) from None


def one_of(refs: tuple[str, ...]) -> str:
    """The rule set where one is wanted; raises UsageError for none or several."""
    if len(refs) != 1:
        variant = "several-rule-sets-named" if refs else "no-rule-set-to-deal"
        raise UsageError.of(variant, such_as=Command("deal", examples()[:1]))
    return refs[0]


def bots_of(players: str, compiled: Compiled) -> tuple[str, ...]:
    """A bot for each chair; raises UsageError for another number of them."""
    return seated(parse_players(players), compiled.rules.table.players)
