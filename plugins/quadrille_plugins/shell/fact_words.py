"""Facts of a deal in words: how often a payment is due by one, on what condition, who has it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from quadrille_core.facts import KINDS, facts, measure_of, parted
from quadrille_core.plugin_rules import RECORDS, RESTS_ON
from quadrille_core.ruleset import Compiled

_GROUPS: Final = {
    "hombre": "Hombre",
    "ally": "the ally",
    "side": "Hombre’s side",
    "adversaries": "the adversaries",
    "all": "all players",
    "payer": "whoever pays",
    "payee": "whoever is paid",
}


def having(fact: str) -> str:
    """Who pays or is paid, where a fact of seats says so."""
    return f"whoever {_measured(fact)[0]}"


def counted_by(measure: str) -> str:
    """How often a payment is due by a fact."""
    _, things, group = _measured(measure)
    if not things:
        return "if " + within(measure, 1, None)
    return f"for each of the {things.format(_GROUPS.get(group))}"


def own_words(fact: str) -> str:
    """A fact of a plugin's own, by its name."""
    return fact.rpartition(".")[2].replace("_", " ")


def _measured(measure: str) -> tuple[str, str, str]:
    """What whoever has any of a fact did, what there are many of, and whose are meant; of a
    plugin's own fact only where that is said."""
    group, name = parted(measure)
    if name in facts():
        return facts()[name].deed, facts()[name].things, measure_of(measure).group
    words = own_words(name)
    return f"has any {words}", f"{words} of {{}}" if group else words, group


def within(measure: str, low: int, high: int | None) -> str:
    """A condition on a fact."""
    deed, things, group = _measured(measure)
    if not things:
        others = {"all": "anybody", "adversaries": "one of the adversaries"}
        who = others.get(group) or _GROUPS[group]
        return f"{who} {deed}" if low else f"it was not {who} who {deed}"
    said = things.format(_GROUPS.get(group))
    return f"the number of {said} is {_number(low, high)}" if high != 0 else f"there are no {said}"


def in_hand(measure: str, low: int, high: int | None) -> str:
    """What a hand holds that is thrown in, or on which a bid falls."""
    return f"{_number(low, high)} of the {_of_hand(measure)}"


def _of_hand(measure: str) -> str:
    kind = KINDS.get(measure.removesuffix("_dealt"))
    return kind.called if kind else facts()[measure].things.removesuffix(" of {}")


def falls_on(record: Mapping[str, Any]) -> str:
    """On whom a bid falls when all pass."""
    if seat := record.get("seat"):
        return "the dealer" if seat == "dealer" else "the eldest hand"
    hand = " and ".join(in_hand(name, *bounds) for name, bounds in record.get("facts", {}).items())
    if most := record.get("most_of"):
        found = f"whoever has most of the {_of_hand(most)}"
        return f"{found}, among those who have {hand}" if hand else found
    return f"the eldest of those who have {hand}"


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
    known = [one.values for one in rule_sets]
    told = [reported_rules(values) for values in known]
    pairs = list(zip(known, told, strict=True))
    every = dict.fromkeys(path for found in told for path in found)
    return [path for path in every if all(path in r for v, r in pairs if path in v)]
