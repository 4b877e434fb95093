"""What plugins add to a rule set: values of leaves of their own, payments, limits on trumps,
incidents.

All of it is plain data that stands below the plugin's name: ``revoke.fine``, ``revoke.payments``.
The engine reads amounts and conditions from the leaves when a deal is settled, so that a leaf set
by hand counts like any other.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final, Literal, TypeVar, get_args

from quadrille_core.cards import SUITS

R = TypeVar("R")
Party = Literal["hombre", "ally", "side", "adversaries", "offender", "others", "all", "pool"]
"""Who pays or is paid; ``side`` is Hombre and the ally, ``others`` are all but the offender of an
incident."""
PARTIES: Final[tuple[str, ...]] = get_args(Party)
OUTCOMES: Final = ("won", "remise", "codille")
TRUMPS: Final = (*SUITS, "favourite")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentRow:
    """A payment: each of the ``payer`` pays each of the ``payee`` what the leaf ``amount`` says.

    It falls due where all of its conditions hold; an empty one always does.
    """

    reason: str
    amount: str
    """The leaf of the plugin's own that sets the amount; the payment cites it as its rule."""
    payer: Party
    payee: Party
    unit: Literal["counters", "units"] = "counters"
    incident: str = ""
    """The incident that must have happened; it is paid each time."""
    outcomes: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    trumps: tuple[str, ...] = ()
    """The suits of which one must be trumps, by name; ``favourite`` is the favourite suit."""
    when: str = ""
    """A leaf of the plugin's own that must be true."""
    counted: bool = False
    """Whether it is paid as many times as the game counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpsOnly:
    """A bid for which only some suits may be named trumps: ``favourite``, or suits by name."""

    bid: str
    suits: tuple[str, ...]
    rule: str
    """The leaf of the plugin's own that says so while it is true; refusals cite it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """An irregularity that a result or a ruling may report, and the law on it."""

    id: str
    doc: str
    """What happened, in a few words."""
    says: str
    """The law, in a sentence."""
    rule: str
    """The leaf of the plugin's own that the law rests on, with its source."""


RECORDS: Final[Mapping[str, type]] = {
    "payments": PaymentRow,
    "trumps": TrumpsOnly,
    "incidents": Incident,
}
"""The kinds of records that stand below a plugin's name, each as a list; no leaf of a plugin may be
called so."""


@dataclass(frozen=True, slots=True)
class PluginRules:
    """What the plugins of a rule set add to it: plain values of their leaves, and their records, by
    path."""

    values: tuple[tuple[str, Any], ...] = ()
    records: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    def all(self, kind: type[R]) -> Iterator[R]:
        """Every record of a kind, in the order of the plugins."""
        return (r for _, found in self.records for r in found if isinstance(r, kind))

    def value(self, path: str) -> Any:
        """The plain value of a leaf; None for an unknown path."""
        return next((value for known, value in self.values if known == path), None)

    def amount(self, path: str) -> Fraction:
        """The amount that a leaf sets."""
        return Fraction(self.value(path))

    def rows(self, outcome: str, contract: str, trumps: Set[str]) -> Iterator[PaymentRow]:
        """The payments of a game with this ending and such trumps, with or without incidents."""
        for row in self.all(PaymentRow):
            ended = outcome in (row.outcomes or (outcome,)) and contract in (
                row.contracts or (contract,)
            )
            if ended and not (row.trumps and trumps.isdisjoint(row.trumps)) and self.in_force(row):
                yield row

    def pays_by_trumps(self) -> bool:
        """Whether any payment depends on what is trumps."""
        return any(row.trumps for row in self.all(PaymentRow))

    def in_force(self, row: PaymentRow) -> bool:
        """Whether the leaf on which a payment depends, if there is one, is true."""
        return not row.when or bool(self.value(row.when))

    def limits(self, bid: str) -> Iterator[TrumpsOnly]:
        """The limits on the trumps of a bid that are in force."""
        return (t for t in self.all(TrumpsOnly) if t.bid == bid and self.value(t.rule))

    def plain(self) -> dict[str, Any]:
        """Everything as path and plain value."""
        return {
            **dict(self.values),
            **{path: [record_plain(r) for r in found] for path, found in self.records},
        }


def plugin_rules_of(plain: Mapping[str, Any]) -> PluginRules:
    """What ``PluginRules.plain`` wrote."""
    found = {path: RECORDS.get(path.partition(".")[2]) for path in plain}
    return PluginRules(
        tuple((path, value) for path, value in plain.items() if found[path] is None),
        tuple(
            (p, tuple(_record(kind, row) for row in plain[p]))
            for p, kind in found.items()
            if kind is not None
        ),
    )


def record_plain(record: Any) -> dict[str, Any]:
    """A record as plain data, without what it leaves at its default."""
    said = {f.name: (getattr(record, f.name), f.default) for f in fields(record)}
    return {
        name: list(v) if isinstance(v, tuple) else v
        for name, (v, default) in said.items()
        if v != default
    }


def _record(kind: type, row: Mapping[str, Any]) -> Any:
    return kind(**{name: tuple(v) if isinstance(v, list) else v for name, v in row.items()})


_LISTS: Final = ("outcomes", "contracts", "trumps", "suits")
"""The fields of records that hold several words."""


def shape_fault(record: Any) -> str:
    """What is wrong with the fields of a record that a plugin returns; empty when nothing is."""
    for f in fields(record):
        value: Any = getattr(record, f.name)
        wanted: type = tuple if f.name in _LISTS else bool if f.name == "counted" else str
        if type(value) is not wanted or (
            isinstance(value, tuple) and not all(type(v) is str for v in value)
        ):
            return f"{f.name} cannot be {value!r}"[:120]
    among = {"outcomes": OUTCOMES, "trumps": TRUMPS, "suits": TRUMPS}
    lists = [
        (name, words)
        for name, words in among.items()
        if not {*getattr(record, name, ())} <= {*words}
    ]
    wrong = [f"{name} are among {', '.join(words)}" for name, words in lists]
    if isinstance(record, PaymentRow):
        choices = {"payer": PARTIES, "payee": PARTIES, "unit": ("counters", "units")}
        wrong += [
            f"{name} is one of {', '.join(c)}"
            for name, c in choices.items()
            if getattr(record, name) not in c
        ]
        if record.payer == record.payee:
            wrong.append(f"payer and payee are both {record.payer}, so that nobody gains or loses")
        if not record.incident and {"offender", "others"} & {record.payer, record.payee}:
            wrong.append("there is an offender only where an incident is named")
    return "; ".join(wrong)
