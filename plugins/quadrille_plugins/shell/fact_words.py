"""Facts of a deal in words: how often a payment is due by one, on what condition, who has it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from quadrille_core.facts import BY_TRUMP, KINDS, facts, measure_of
from quadrille_core.plugin_rules import RECORDS, RESTS_ON
from quadrille_core.ruleset import Compiled

_GROUPS: Final = {
    "hombre": "Hombre",
    "ally": "the ally",
    "side": "Hombre’s side",
    "adversaries": "the adversaries",
    "all": "all players",
}
_DEEDS: Final = {
    "dealer": "dealt",
    "eldest": "sat as the eldest hand",
    "first_trick": "took the first trick",
    "last_trick": "took the last trick",
    "tricks": "made a trick",
    "leads": "led a trick",
}
_ALONE: Final = ("spadille", "manille", "basto")
"""Kinds of a single card."""


def _cards(kind: str) -> str:
    return kind.capitalize() if kind in _ALONE else kind if kind in BY_TRUMP else KINDS[kind]


def _deed(fact: str) -> str:
    """What somebody did who has any of a fact of seats."""
    kind, _, how = fact.rpartition("_")
    if fact in _DEEDS:
        return _DEEDS[fact]
    return f"{'took' if how == 'captured' else 'was dealt'} {_cards(kind)}"


def _is_deed(fact: str) -> bool:
    return fact in _DEEDS.keys() - {"tricks", "leads"} or fact.partition("_")[0] in _ALONE


def having(fact: str) -> str:
    """Who pays or is paid, where a fact of seats says so."""
    return f"whoever {_deed(fact)}"


def counted_by(measure: str) -> str:
    """How often a payment is due by a fact."""
    name, group = measure_of(measure)
    if _is_deed(name):
        return "if " + within(measure, 1, None)
    return f"for each of the {_things(name, group)}"


def _things(name: str, group: str) -> str:
    kind, _, how = name.rpartition("_")
    if not group:
        return facts()[name].doc
    who = _GROUPS[group]
    if name in ("tricks", "leads"):
        return f"tricks that {who} {'made' if name == 'tricks' else 'led'}"
    return f"{_cards(kind)} {'taken by' if how == 'captured' else 'dealt to'} {who}"


def within(measure: str, low: int, high: int | None) -> str:
    """A condition on a fact."""
    name, group = measure_of(measure)
    if _is_deed(name):
        who = "anybody" if group == "all" else "one of the adversaries"
        who = who if group in ("all", "adversaries") else _GROUPS[group]
        return f"{who} {_deed(name)}" if low else f"it was not {who} who {_deed(name)}"
    return f"there are {_number(low, high)} of the {_things(name, group)}"


def in_hand(measure: str, low: int, high: int | None) -> str:
    """What a hand holds that is thrown in."""
    return f"{_number(low, high)} of the {_cards(measure.removesuffix('_dealt'))}"


def falls_on(record: Mapping[str, Any]) -> str:
    """On whom a bid falls when all pass."""
    if seat := record.get("seat"):
        return "the dealer" if seat == "dealer" else "the eldest hand"
    hand = " and ".join(in_hand(name, *bounds) for name, bounds in record.get("facts", {}).items())
    if most := record.get("most_of"):
        found = f"whoever was dealt most of the {_cards(most.removesuffix('_dealt'))}"
        return f"{found}, among those dealt {hand}" if hand else found
    return f"the eldest of those dealt {hand}"


def _number(low: int, high: int | None) -> str:
    if high is None:
        return f"at least {low}"
    if low == high:
        return str(low) if low else "none"
    return f"{low} to {high}" if low else f"at most {high}"


def conditions(record: Mapping[str, Any]) -> list[str]:
    """The conditions on facts of a payment or factor, as plain data have it."""
    return [within(measure, *bounds) for measure, bounds in record.get("facts", {}).items()]


def _records(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every record of plugins, with the path of its list."""
    for path, value in values.items():
        is_records = path.count(".") == 1 and path.rpartition(".")[2] in RECORDS
        records = value if is_records and isinstance(value, Sequence) else ()
        yield from ((path, one) for one in records if isinstance(one, Mapping))


def _leaves(record: Mapping[str, Any]) -> set[str]:
    return {record[name] for name in RESTS_ON if name in record}


def resting_on(leaf: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The records of plugins that a leaf has a part in, each with the path of its list."""
    return (found for found in _records(values) if leaf in _leaves(found[1]))


def reported_rules(values: Mapping[str, Any]) -> dict[str, str]:
    """The rules of plugins that no play brings about, by path, and by which incidents alone people
    do: their leaves, and lists that hold nothing else."""
    incidents: dict[str, dict[str, None]] = {}
    others: set[str] = set()
    for path, record in _records(values):
        happened = record.get("incident") or (record["id"] if path.endswith(".incidents") else "")
        if not happened:
            others |= {path, *_leaves(record)}
        for rule in (path, *_leaves(record)) if happened else ():
            incidents.setdefault(rule, {})[happened] = None
    return {
        rule: f"only an incident that people report comes to it ({', '.join(found)}); no deal that "
        "bots play has one, so that studies never meet it"
        for rule, found in incidents.items()
        if rule not in others
    }


def reported_only(rule_sets: Sequence[Compiled]) -> list[str]:
    """The rules that only reported incidents reach, in each of these rule sets that has them."""
    known = [{p: o.value for p, o in one.origins.items()} for one in rule_sets]
    told = [reported_rules(values) for values in known]
    pairs = list(zip(known, told, strict=True))
    every = dict.fromkeys(path for found in told for path in found)
    return [path for path in every if all(path in r for v, r in pairs if path in v)]
