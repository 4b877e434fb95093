"""What plugins add to a rule set: values of leaves of their own, payments, limits on trumps,
incidents.

All of it is plain data that stands below the plugin's name: ``revoke.fine``, ``revoke.payments``.
The engine reads amounts and conditions from the leaves when a deal is settled, so that a leaf set
by hand counts like any other.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import field, fields
from fractions import Fraction
from hashlib import sha256
from inspect import getsource
from itertools import combinations, product
from types import FunctionType
from typing import Any, ClassVar, Final, Literal, TypeVar, get_args

from quadrille_core.cards import SUITS
from quadrille_core.facts import (
    Fact,
    Measure,
    Whose,
    facts,
    measure_of,
    parted,
)
from quadrille_core.frozen import frozen, frozen_by_keyword

R = TypeVar("R")
Party = Literal["hombre", "ally", "side", "adversaries", "offender", "others", "all", "pool"]
"""Who pays or is paid; ``side`` is Hombre and the ally, ``others`` are all but the offender of an
incident."""
PARTIES: Final[tuple[str, ...]] = get_args(Party)
OUTCOMES: Final = ("won", "remise", "codille")
TRUMPS: Final = (*SUITS, "favourite")
FORCED_SEATS: Final = ("eldest", "dealer")


@frozen
class AtLeast:
    """In a condition, instead of a value: a number no lower than this."""

    least: int


@frozen
class AtMost:
    """In a condition on facts, instead of a value: a number no higher than this."""

    most: int


@frozen
class Within:
    """A condition on a fact: how little and how much there may be of it; no limit above where
    ``high`` is None."""

    measure: str
    low: int
    high: int | None

    def holds(self, number: int) -> bool:
        """Whether the fact is within it."""
        return self.low <= number and (self.high is None or number <= self.high)


def conditions(given: Any) -> Any:
    """Conditions on facts as ``Within``, of a mapping from measures to a number, ``AtLeast`` or
    ``AtMost``; what is no such mapping stays as it is, for ``slips`` to refuse."""
    if not isinstance(given, Mapping):
        return given
    made = []
    for name, wanted in given.items():
        if isinstance(wanted, AtLeast):
            made.append(Within(name, wanted.least, None))
        elif isinstance(wanted, AtMost):
            made.append(Within(name, 0, -1 if wanted.most is None else wanted.most))
        else:
            made.append(Within(name, wanted, wanted))
    return tuple(made)


@frozen_by_keyword
class Conditional:
    """What holds of a deal where all of its conditions do; an empty one always does."""

    cites: ClassVar[str]
    """The field that names the leaf of the plugin's own by which it is ordered."""
    reason: str
    outcomes: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    trumps: tuple[str, ...] = ()
    """The suits of which one must be trumps, by name; ``favourite`` is the favourite suit."""
    when: str = ""
    """A leaf of the plugin's own that must be true."""
    facts: Any = ()
    """Conditions on facts: by measure a number, ``AtLeast`` or ``AtMost``; kept as ``Within``."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", conditions(self.facts))

    @property
    def leaf(self) -> str:
        """The leaf of the plugin's own that payments cite."""
        return str(getattr(self, self.cites))

    def named_facts(self) -> tuple[str, ...]:
        """The facts that it names, each once."""
        return tuple(dict.fromkeys(parted(one.measure)[1] for one in self.facts))


@frozen_by_keyword
class PaymentRow(Conditional):
    """A payment: each of the ``payer`` pays each of the ``payee`` what the leaf ``amount`` says.

    ``payer`` and ``payee`` may be a fact of seats, such as ``last_trick``: everybody who has any
    of it.
    """

    cites: ClassVar[str] = "amount"
    amount: str
    """The leaf of the plugin's own that sets the amount; the payment cites it as its rule."""
    payer: Party | str
    payee: Party | str
    unit: Literal["counters", "units"] = "counters"
    incident: str = ""
    """The incident that must have happened; it is paid each time."""
    counted: bool = False
    """Whether it is paid as many times as the game counts."""
    per: str = ""
    """A fact of the deal, as ``adversaries.kings_captured``: it is paid so many times; by
    ``payee.kings_captured`` to each by that one's own number, by ``payer.`` from each so."""

    def named_facts(self) -> tuple[str, ...]:
        """As of any, with what it is paid per and who has some of a fact."""
        per = [parted(self.per)[1]] if self.per else []
        who = [party for party in (self.payer, self.payee) if party not in PARTIES]
        return tuple(dict.fromkeys([*per, *Conditional.named_facts(self), *who]))


@frozen_by_keyword
class Change(Conditional):
    """What becomes of payments that players make each other."""

    of: tuple[str, ...] = ("payments",)
    """The rules by which those payments are made: the paths, or what stands above them."""

    def concerns(self, rule: str) -> bool:
        """Whether it changes what this rule orders."""
        return any(rule == path or rule.startswith(f"{path}.") for path in self.of)


def _with_parties(change: Change, *parties: str) -> tuple[str, ...]:
    who = [party for party in parties if party not in ("", *PARTIES)]
    return tuple(dict.fromkeys([*Conditional.named_facts(change), *who]))


@frozen_by_keyword
class Factor(Change):
    """The payments are made so many times as a leaf says; 0 waives them.

    Several factors multiply.  What comes to no whole counters, since a factor is a fraction, is
    rounded down, unless ``stakes.odd_counters`` divides exactly.
    """

    cites: ClassVar[str] = "factor"
    factor: str
    """The leaf of the plugin's own that says how many times; what it changes cites it."""
    payer: Party | str = ""
    """Whose payments alone are meant, or a fact of seats; empty for all."""
    payee: Party | str = ""
    """What these alone are paid, or a fact of seats; empty for all."""

    def named_facts(self) -> tuple[str, ...]:
        """As of any, with who has some of a fact."""
        return _with_parties(self, self.payer, self.payee)


@frozen_by_keyword
class Redirect(Change):
    """Others pay, or are paid, instead; factors come before.

    Several share alike, odd counters as ``stakes.odd_counters`` says; whoever would pay themself
    keeps that part.
    """

    cites: ClassVar[str] = "redirected"
    redirected: str
    """The leaf of the plugin's own that says so while it is true; the payments then cite it."""
    to: Party | str = ""
    """Who is paid, or a fact of seats; where ``by`` says nothing either, the pool."""
    by: Party | str = ""
    """Who pays, or a fact of seats."""
    from_pool: bool = False
    """Whether payments of the pool are meant, and not those of players."""

    @property
    def receiver(self) -> str:
        """Who is paid; empty for whoever would be."""
        return self.to or ("" if self.by else "pool")

    def named_facts(self) -> tuple[str, ...]:
        """As of any, with who has some of a fact."""
        return _with_parties(self, self.to, self.by)


@frozen_by_keyword
class Cap(Change):
    """Nobody pays the others more than a leaf says; what is over is given back, of the last payment
    first.  Factors and redirects come before."""

    cites: ClassVar[str] = "most"
    most: str
    """The leaf of the plugin's own that says how much; what is given back cites it."""


C = TypeVar("C", bound=Change)


@frozen_by_keyword
class ThrowIn:
    """Hands that are thrown in before the auction: the cards are dealt again."""

    reason: str
    rule: str
    """The leaf of the plugin's own that says so while it is true."""
    facts: Any = ()
    """What a single hand must be like: facts ``…_dealt`` that ask for no trumps, and a number,
    ``AtLeast`` or ``AtMost`` for each; kept as ``Within``."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", conditions(self.facts))


@frozen_by_keyword
class ForcedBid:
    """On whom a bid falls when all have passed, instead of the holder of its card."""

    reason: str
    bid: str
    rule: str
    """The leaf of the plugin's own that says so while it is true; no card forces then."""
    seat: str = ""
    """``eldest`` or ``dealer``; else hands say it, and of hands alike the eldest's."""
    most_of: str = ""
    """A fact ``…_dealt`` that asks for no trumps, or of seats and of the session: whoever has most
    of it."""
    facts: Any = ()
    """What the hand must be like, as of ``ThrowIn``, or what its player did in the session; where
    it is so of nobody, the cards are dealt again."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", conditions(self.facts))

    def named_facts(self) -> tuple[str, ...]:
        """The facts that it names."""
        most = [self.most_of] if self.most_of else []
        return (*most, *(one.measure for one in self.facts))


@frozen_by_keyword
class TrumpsOnly:
    """A bid for which only some suits may be named trumps: ``favourite``, or suits by name."""

    bid: str
    suits: tuple[str, ...]
    rule: str
    """The leaf of the plugin's own that says so while it is true; refusals cite it."""


@frozen_by_keyword
class Incident:
    """An irregularity that a result or a ruling may report, and the law on it."""

    id: str
    doc: str
    """What happened, in a few words."""
    says: str
    """The law, in a sentence."""
    rule: str
    """The leaf of the plugin's own that the law rests on, with its source."""


@frozen_by_keyword
class OwnFact:
    """A fact of the plugin's own, ``NAME.fact``, told by a function of every deal played."""

    name: str
    """One word; payments name it below the plugin's name, as the record of the rules does."""
    unit: str
    doc: str
    compute: Callable[[Any], Any] | str
    """``compute(deal)`` of an ``engine.finished.FinishedDeal``: the number of each seat, or of the
    deal.  In the rules where it stands, and the digest of what stands there."""
    of: Whose = "seats"


RECORDS: Final[Mapping[str, type]] = {
    "own_facts": OwnFact,
    "payments": PaymentRow,
    "factors": Factor,
    "redirects": Redirect,
    "caps": Cap,
    "trumps": TrumpsOnly,
    "incidents": Incident,
    "thrown_in": ThrowIn,
    "forced_bids": ForcedBid,
}
"""The kinds of records that stand below a plugin's name, each as a list; no leaf of a plugin may be
called so."""


RESTS_ON: Final = {
    "amount": "amount",
    "most": "amount",
    "factor": "amount",
    "redirected": "boolean",
    "when": "boolean",
    "rule": "boolean",
}
"""The fields of records that name a leaf of the plugin's own, and the type that it has."""


@frozen
class MeasuredFile:
    """The file in which a plugin ships what hands make at its bid, as it was when the rules were
    compiled."""

    MOST: ClassVar = 100_000
    """Bytes, at most; some 2,500 are usual."""
    bid: str
    plugin: str
    path: str
    content: bytes
    """Its first bytes, one more than the most where there are more."""
    fault: str = ""
    """Why it cannot be read."""


@frozen
class PluginRules:
    """What the plugins of a rule set add to it: plain values of their leaves, and their records, by
    path."""

    values: tuple[tuple[str, Any], ...] = ()
    records: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    measured: tuple[MeasuredFile, ...] = field(default=(), compare=False)
    """What hands make at bids, as plugins ship it: players ask for it; it is no rule, and no digest
    of rules has it."""

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
        return (r for r in self.all(PaymentRow) if self._is_of(r, outcome, contract, trumps))

    def changes(self, kind: type[C], outcome: str, contract: str, trumps: Set[str]) -> Iterator[C]:
        """The changes of payments of a kind, for a game with this ending and such trumps."""
        return (f for f in self.all(kind) if self._is_of(f, outcome, contract, trumps))

    def changing(self, row: PaymentRow) -> list[Change]:
        """The changes in force that may concern what a row pays, whatever else they ask for."""
        found = (c for c in self.all(Change) if self.in_force(c) and c.concerns(row.amount))
        pool = "pool" in (row.payer, row.payee)
        return [
            c
            for c in found
            if not (isinstance(c, Factor) and self.amount(c.factor) == 1)
            and (isinstance(c, Redirect) and c.from_pool) == pool
            and (not pool or row.payer == "pool")
        ]

    def _is_of(self, row: Conditional, outcome: str, contract: str, trumps: Set[str]) -> bool:
        ended = outcome in (row.outcomes or (outcome,))
        is_played = ended and contract in (row.contracts or (contract,))
        return (
            is_played and not (row.trumps and trumps.isdisjoint(row.trumps)) and self.in_force(row)
        )

    def own_facts(self) -> dict[str, OwnFact]:
        """The facts of plugins' own that payments in force name."""
        known = {one.name: one for one in self.all(OwnFact)}
        return {name: known[name] for name in self.facts() if name in known} if known else {}

    def known_facts(self) -> dict[str, Fact]:
        """The facts of plugins' own, by name."""
        return own_as_facts(self.all(OwnFact))

    def fact(self, name: str) -> Fact:
        """A fact that these rules may ask for."""
        return facts().get(name) or self.known_facts()[name]

    def measure(self, text: str) -> Measure:
        """What a payment of these rules measures."""
        own = {} if parted(text)[1] in facts() else self.known_facts()
        return measure_of(text, own)

    def facts(self) -> tuple[str, ...]:
        """The facts that payments in force name, each once."""
        rows = (row for row in self.all(Conditional) if self.in_force(row))
        return tuple(dict.fromkeys(name for row in rows for name in row.named_facts()))

    def recorded_facts(self) -> tuple[str, ...]:
        """Those of them that a result has to tell, those of plugins' own last."""
        asked = [name for name in self.facts() if name not in facts() or not _follows(name)]
        return tuple(sorted(asked, key=lambda name: name not in facts()))

    def session_facts(self) -> tuple[str, ...]:
        """What payments, or bids that fall on somebody, ask of earlier deals of the session."""
        forced = (
            name
            for one in self.all(ForcedBid)
            if self.value(one.rule)
            for name in one.named_facts()
        )
        named = dict.fromkeys([*self.facts(), *forced])
        return tuple(name for name in named if name in facts() and facts()[name].of_session)

    def pays_by_trumps(self) -> bool:
        """Whether any payment depends on what is trumps."""
        return any(row.trumps for row in self.all(Conditional))

    def in_force(self, row: Conditional) -> bool:
        """Whether the leaf on which a payment depends, if there is one, is true."""
        leaves = [row.when] + ([row.leaf] if isinstance(row, Redirect) else [])
        return all(bool(self.value(leaf)) for leaf in leaves if leaf)

    def throws_in(self) -> tuple[ThrowIn, ...]:
        """What hands are thrown in."""
        return tuple(t for t in self.all(ThrowIn) if self.value(t.rule))

    def forced(self, bid: str) -> ForcedBid | None:
        """On whom a bid falls when all have passed, where no card says so."""
        found = (f for f in self.all(ForcedBid) if f.bid == bid and self.value(f.rule))
        return next(found, None)

    def limits(self, bid: str) -> Iterator[TrumpsOnly]:
        """The limits on the trumps of a bid that are in force."""
        return (t for t in self.all(TrumpsOnly) if t.bid == bid and self.value(t.rule))

    def plain(self) -> dict[str, Any]:
        """Everything as path and plain value."""
        return {
            **dict(self.values),
            **{path: [record_plain(r) for r in found] for path, found in self.records},
        }


def _follows(name: str) -> bool:
    return facts()[name].from_result


def own_as_facts(found: Iterable[OwnFact]) -> dict[str, Fact]:
    """Facts of plugins' own as any others, by name."""
    return {f.name: Fact(f.name, f.unit, f.doc, f.of, from_result=False, own=True) for f in found}


def written_function(function: Any) -> str:
    """Where a function of a module stands, with the digest of that module's source, so that other
    code makes other rules; ValueError for what stands nowhere by name."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    home = sys.modules.get(str(module))
    if not isinstance(function, FunctionType) or getattr(home, name, None) is not function:
        raise ValueError
    try:
        source = getsource(home) if home else ""
    except (OSError, TypeError) as e:
        raise ValueError from e
    return f"{module}:{name}#{sha256(source.encode()).hexdigest()[:16]}"


def plugin_rules_of(plain: Mapping[str, Any]) -> PluginRules:
    """What ``PluginRules.plain`` wrote."""
    # records act by their plugins' names, in whichever order those are named
    found = {path: RECORDS.get(path.partition(".")[2]) for path in sorted(plain)}
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
    return {name: _plain(v) for name, (v, default) in said.items() if v != default}


def _plain(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if value and isinstance(value[0], Within):
        return {one.measure: [one.low, one.high] for one in value}
    return list(value)


def _record(kind: type, row: Mapping[str, Any]) -> Any:
    def read(name: str, value: Any) -> Any:
        if name == "facts":
            return tuple(Within(measure, low, high) for measure, (low, high) in value.items())
        return tuple(value) if isinstance(value, list) else value

    return kind(**{name: read(name, v) for name, v in row.items()})


def clashes(own: PluginRules) -> Iterator[tuple[Redirect, Redirect]]:
    """Redirects in force that send one payment apart, unless their conditions exclude it."""
    found = [change for change in own.all(Redirect) if own.in_force(change)]
    for one, other in combinations(found, 2):
        same = (one.receiver, one.by) == (other.receiver, other.by)
        meet = one.from_pool == other.from_pool and (
            any(map(one.concerns, other.of)) or any(map(other.concerns, one.of))
        )
        if meet and not same and not _exclude(one, other):
            yield one, other


def _exclude(one: Conditional, other: Conditional) -> bool:
    """Whether two conditions can be seen not to hold together."""
    for name in ("outcomes", "contracts", "trumps"):
        mine, theirs = set(getattr(one, name)), set(getattr(other, name))
        if mine and theirs and mine.isdisjoint(theirs) and "favourite" not in mine | theirs:
            return True
    return any(
        a.measure == b.measure and not (b.holds(a.low) or a.holds(b.low))
        for a, b in product(one.facts, other.facts)
    )
