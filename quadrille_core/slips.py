"""What is wrong with a record that a plugin returns: which field, and what to write there."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from inspect import signature
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin

from quadrille_core import vocabulary
from quadrille_core.errors import Hint, Place, Problem, did_you_mean, quoted
from quadrille_core.facts import ENDS, GROUPS, KINDS, MOST_COUNTED, Fact, facts, measure_of, parted
from quadrille_core.harmless import one_line
from quadrille_core.hookspecs import (
    About,
    Constraint,
    Justification,
    NewBid,
    OwnLeaf,
    Parameter,
    Setting,
    Withhold,
)
from quadrille_core.plugin_rules import (
    FORCED_SEATS,
    OUTCOMES,
    PARTIES,
    RECORDS,
    TRUMPS,
    AtLeast,
    Factor,
    ForcedBid,
    Incident,
    OwnFact,
    PaymentRow,
    Redirect,
    ThrowIn,
    TrumpsOnly,
    Within,
    written_function,
)
from quadrille_core.profile.records import FILLED
from quadrille_core.rules import Bid, Call

CODE: Final = "Q505"
STATUSES: Final = ("attested", "inferred", *FILLED, "conjecture", "house")
MOST_OF_A_FACT: Final = 40
"""No condition on a fact of one deal's cards asks for more: the pack has so many."""
TYPES: Final[Mapping[Any, Any]] = {"integer": int, "amount": Fraction, "boolean": bool}
"""What a leaf of a plugin's own may be, beside one of a tuple of words."""
LONGEST: Final = 2000
"""Characters that a text may have."""
BELONGS: Final[Mapping[type, str]] = dict.fromkeys(RECORDS.values(), "quadrille_payments") | {
    About: "quadrille_describe",
    OwnLeaf: "quadrille_leaves",
    NewBid: "quadrille_bids",
    TrumpsOnly: "quadrille_bids",
    Withhold: "quadrille_forcing",
    ThrowIn: "quadrille_forcing",
    ForcedBid: "quadrille_forcing",
}
"""The hook that may return a record; ``Setting`` and ``Constraint`` belong to all the others."""
_ANYWHERE: Final = (Setting, Constraint)


class Slip(NamedTuple):
    """What is wrong with a record."""

    field: str
    """The field at fault; empty where it is the record as a whole."""
    variant: str
    """The sentence, among those of ``CODE``."""
    data: Mapping[str, Any] = MappingProxyType({})
    hint: Hint | None = None

    def problem(self, place: Place | None, plugin: str, hook: str, record: object) -> Problem:
        """As a fault of what a hook returned."""
        fault = Problem(CODE, self.variant, {"field": self.field, **self.data}, hint=self.hint)
        origin = {"plugin": plugin, "hook": hook, "record": type(record).__name__}
        return Problem(CODE, "bad-record", {**origin, "field": self.field, "fault": fault}, place)


def origin(kind: type, leaf: str, field: str) -> dict[str, Any]:
    """Who returned a record that rests on this leaf of a plugin's own, as data of a fault."""
    told = {"plugin": leaf.partition(".")[0], "hook": BELONGS[kind], "record": kind.__name__}
    return told | {"field": field}


Own = Mapping[str, Fact]
"""The facts of a plugin's own, by the names that payments give them."""


def slip_of(record: object, hook: str, own: Own = MappingProxyType({})) -> Slip | None:
    """What is wrong with what a hook returned, whatever rules it meets; None where nothing is."""
    belongs = next((at for kind, at in BELONGS.items() if isinstance(record, kind)), "")
    others = [] if hook in ("quadrille_describe", "quadrille_leaves") else ["Default", "Patch"]
    if belongs and hook != belongs:
        return Slip("", "other-hook", {"belongs": belongs})
    if not belongs and not (others and isinstance(record, _ANYWHERE)):
        may = [kind.__name__ for kind, at in BELONGS.items() if at == hook]
        return Slip("", "no-record", {"may": [*may, *others]})
    return next(_slips(record, own), None)


def _slips(record: Any, own: Own) -> Iterator[Slip]:
    """Faults, of which the first alone is asked for: what follows one may rest on what it says."""
    yield from _shape(record)
    if hasattr(record, "facts"):
        yield from _facts(record, own)
    if isinstance(record, PaymentRow):
        yield from _payment(record, own)
    if isinstance(record, Redirect):
        yield from _redirect(record, own)
    if isinstance(record, Factor):
        yield from _parties(record, ("payer", "payee"), ("", *_PLAYING), own)
    for kind, find in _MORE.items():
        if isinstance(record, kind):
            yield from find(record)


# --- fields by their types ------------------------------------------------------------------------

_WANTED: Final[Mapping[Any, str]] = {
    str: "'…', a text of one line",
    bool: "True or False",
    int: "a whole number",
    tuple: "('…',), a tuple",
    Mapping: "{'…': …}, a mapping",
    Callable: "a function",
    Bid: "Bid(…)",
}
_AMONG: Final[Mapping[str, tuple[str, ...]]] = {
    "outcomes": OUTCOMES,
    "trumps": TRUMPS,
    "suits": TRUMPS,
    "seat": ("", *FORCED_SEATS),
    "status": STATUSES,
}


def _shape(record: Any) -> Iterator[Slip]:
    """Fields that are not of their types, or are left empty."""
    for f in fields(record):
        value, kind = getattr(record, f.name), get_origin(f.type) or f.type
        words = get_args(f.type) if kind is Literal else _AMONG.get(f.name, ())
        kind = str if kind in (Literal, Union) else kind
        if kind not in _WANTED:
            continue
        wanted = _WANTED[kind]
        texts = value if kind is tuple and str in get_args(f.type) else ()
        if not _is(value, kind) or not all(_is(text, str) for text in texts):
            yield _other(f.name, value, wanted)
        elif f.default is f.default_factory is MISSING and _is_empty(value):
            yield Slip(f.name, "field-empty", {"wanted": wanted})
        elif len({*texts}) < len(texts):
            yield Slip(f.name, "field-twice", {"value": quoted(value, 100)})
        elif words:
            yield from strange(f.name, texts if kind is tuple else (value,), words)


def _other(field: str, value: Any, wanted: str) -> Slip:
    return Slip(field, "field-type", {"value": quoted(value, 100), "wanted": wanted})


def _is(value: Any, kind: Any) -> bool:
    if kind is str:
        return type(value) is str and len(value) <= LONGEST and one_line(value) == value
    if kind in (Mapping, Callable):
        return isinstance(value, kind)
    return type(value) is kind


def _is_empty(value: Any) -> bool:
    text = value.strip() if isinstance(value, str) else value
    return isinstance(value, (str, tuple, Mapping)) and not text


def strange(field: str, given: Iterable[Any], known: Collection[str]) -> Iterator[Slip]:
    """What is none of the words that a field may hold."""
    for word in given:
        if word not in known:
            among = {"value": quoted(word), "known": [*filter(None, known)]}
            yield Slip(field, "field-among", among, did_you_mean(word, known))


def unfit(field: str, path: str, leaf: vocabulary.Leaf, value: Any) -> Slip | None:
    """What is wrong with a value of a rule; None where nothing is."""
    try:
        vocabulary.canonical(leaf, value)
    except vocabulary.MismatchError as e:
        near = did_you_mean(value, leaf.choices()) if isinstance(value, str) else None
        said = {"path": path, "value": quoted(value, 40), "e": e.problem}
        return Slip(field, "value-cannot-be", said, near)
    return None


def _takes(function: Any, arguments: str) -> bool:
    try:
        signature(function).bind(*arguments.split(", "))
    except TypeError:
        return False
    except ValueError:  # of what is built in, and does not tell
        return True
    return True


# --- conditions on facts --------------------------------------------------------------------------


def _near(text: Any, own: Own) -> Hint | None:
    """The nearest facts and parties to a text that may be meant for the name of one."""
    name = parted(text)[1] if isinstance(text, str) else ""
    word = name if name in own else name.rpartition(".")[2]
    known = (*PARTIES, *facts(), *own)
    return did_you_mean(word, known) if word and word not in known else None


def _measure(field: str, text: Any, own: Own, groups: tuple[str, ...] = GROUPS) -> Iterator[Slip]:
    try:
        known = type(text) is str and measure_of(text, own).group in ("", *groups)
    except (KeyError, AttributeError):
        known = False
    if not known:
        said = {"value": quoted(text), "groups": groups}
        yield Slip(field, "no-fact", said, _near(text, own))


def _facts(record: Any, own: Own) -> Iterator[Slip]:
    """What is wrong with conditions on facts."""
    given = record.facts
    if not isinstance(given, tuple) or not all(isinstance(one, Within) for one in given):
        wanted = "{'tricks_above': AtLeast(1)}, facts by name"
        yield _other("facts", given, wanted)
    for one in given:
        yield from _measure("facts", one.measure, own)
        if isinstance(record, (ThrowIn, ForcedBid)):
            yield from _hand("facts", one.measure, by_session=isinstance(record, ForcedBid))
        fact = own.get(name := parted(one.measure)[1]) or facts()[name]
        most = MOST_COUNTED if fact.own or fact.of_session else MOST_OF_A_FACT
        low, high = one.low, one.low if one.high is None else one.high
        if type(low) is not int or type(high) is not int or not 0 <= low <= high <= most:
            yield Slip("facts", "fact-number", {"measure": one.measure, "most": most})
        if one.low == 0 and one.high is None:
            yield Slip("facts", "fact-says-nothing", {"measure": one.measure})


def _hand(field: str, measure: str, *, by_session: bool) -> Iterator[Slip]:
    """That a fact does not tell what one hand, or by the session its player, is like."""
    kind, _, how = measure.rpartition("_")
    known = how == "dealt" and kind in KINDS and not KINDS[kind].by_trump
    fact = facts().get(measure)
    known |= by_session and fact is not None and fact.of_session and fact.of == "seats"
    if not known:
        yield Slip(field, "no-fact-of-hand", {"measure": measure}, _near(measure, {}))


# --- what records say of payments -----------------------------------------------------------------

_MANY: Final = ("side", "adversaries", "others", "all")
"""The parties of which one may pay another."""
_PLAYING: Final = ("hombre", "ally", "side", "adversaries", "all")
"""The parties of players that there are without an incident."""


def _of_seats(own: Own) -> list[str]:
    return [name for name, fact in (facts() | {**own}).items() if fact.of == "seats"]


def _parties(
    record: object, names: Iterable[str], known: tuple[str, ...], own: Own
) -> Iterator[Slip]:
    for name in names:
        party = getattr(record, name)
        if party not in (*known, *_of_seats(own)):
            said = {"value": quoted(party), "known": [*filter(None, known)]}
            yield Slip(name, "no-party", said, _near(party, own))


def _payment(row: PaymentRow, own: Own) -> Iterator[Slip]:
    yield from _parties(row, ("payer", "payee"), PARTIES, own)
    end = parted(row.per)[0]
    by_own = end in ENDS
    if by_own and getattr(row, end) == "pool":
        yield Slip("per", "pool-has-no-fact", {"value": quoted(row.per)})
    if row.payer == row.payee and not (by_own and row.payer in (*_MANY, *_of_seats(own))):
        yield Slip("payee", "pays-itself", {"party": row.payer})
    if not row.incident and (found := {"offender", "others"} & {row.payer, row.payee}):
        yield Slip("incident", "no-incident", {"party": min(found)})
    if row.per:
        yield from _measure("per", row.per, own, (*GROUPS, *ENDS))


def _redirect(change: Redirect, own: Own) -> Iterator[Slip]:
    yield from _parties(change, ("to", "by"), ("", *_PLAYING, "pool"), own)
    if change.from_pool and (change.by or change.receiver == "pool"):
        yield Slip("to", "pool-to-pool")
    elif change.to and change.to == change.by:
        yield Slip("by", "pays-itself", {"party": change.to})


# --- each kind of record --------------------------------------------------------------------------


def _about(about: Any) -> Iterator[Slip]:
    for name, one in about.parameters.items():
        where = f"parameters.{name}"
        if not vocabulary.is_identifier(name):
            yield Slip("parameters", "no-identifier", {"value": quoted(name)})
        if not isinstance(one, Parameter):
            wanted = f"{{'{name}': Parameter(doc=…, default=…, choices=(…, …))}}"
            yield _other("parameters", one, wanted)
        yield from (slip._replace(field=f"{where}.{slip.field}") for slip in _shape(one))
        words = {*map(repr, one.choices)}
        if len(words) < len(one.choices) or not all(map(_is_choice, one.choices)):
            yield Slip(f"{where}.choices", "no-choices", {"value": quoted(one.choices)})
        for field in ("default", "filled"):
            value = getattr(one, field)
            if value is not None and repr(value) not in words:
                said = {"value": quoted(value), "known": [*map(repr, one.choices)]}
                yield Slip(f"{where}.{field}", "field-among", said)


def _is_choice(value: Any) -> bool:
    """Whether a reference can give a parameter this value."""
    return type(value) in (int, bool) or (_is(value, str) and bool(value) and "," not in value)


def leaf_slips(leaf: OwnLeaf, plugin: str, known: Collection[str]) -> Iterator[Slip]:
    """What is wrong with a leaf that a plugin declares, beside ``known`` ones."""
    name = leaf.path.removeprefix(f"{plugin}.")
    if vocabulary.kind_of(f"{plugin}."):
        yield Slip("path", "name-of-block", {"plugin": plugin})
    if name == leaf.path or not all(map(vocabulary.is_identifier, name.split("."))):
        yield Slip("path", "no-name-of-leaf", {"value": quoted(leaf.path), "plugin": plugin})
    beside = (f"{leaf.path}.".startswith(f"{p}.") or p.startswith(f"{leaf.path}.") for p in known)
    if name.partition(".")[0] in RECORDS or any(beside):
        yield Slip("path", "is-taken", {"value": leaf.path})
    words = leaf.type if isinstance(leaf.type, tuple) else ()
    if len({*map(repr, words)}) < len(words):
        yield Slip("type", "field-twice", {"value": quoted(words)})
    if not (isinstance(leaf.type, str) and leaf.type in TYPES) and not (
        words and all(_is(w, str) and w for w in words)
    ):
        yield _other("type", leaf.type, f"one of {', '.join(TYPES)}, or a tuple of words")
    if leaf.low > leaf.high or max(map(abs, (leaf.low, leaf.high))) > MOST_COUNTED**2:
        yield Slip("high", "out-of-bounds", {"most": MOST_COUNTED**2})
    if slip := unfit("neutral", leaf.path, as_leaf(leaf), leaf.neutral):
        yield slip


def as_leaf(own: OwnLeaf) -> vocabulary.Leaf:
    """A leaf of a plugin's own as any other."""
    hint = TYPES[own.type] if isinstance(own.type, str) else Literal[own.type]
    return vocabulary.Leaf(own.path, hint, own.doc, own.neutral, own.low, own.high, None)


_IS_BESIDE: Final = re.compile(r"([\w-]+\.json)?")
"""The name of a file beside a module, or nothing."""
_IN_A_SOURCE: Final = "('SOURCE', 'PLACE')"


def _new_bid(new: Any) -> Iterator[Slip]:
    if type(new.bid.call) is not Call:
        yield _other("bid", new.bid, "Bid(…, call=Call(…))")
    if not vocabulary.is_identifier(new.id):
        yield Slip("id", "no-identifier", {"value": quoted(new.id)})
    if not _IS_BESIDE.fullmatch(new.measured):
        yield Slip("measured", "no-file-beside", {"value": quoted(new.measured, 80)})
    for f in fields(Bid):
        if getattr(new.bid, f.name) is None and f.default is not None:
            yield Slip(f"bid.{f.name}", "field-type", {"value": "None", "wanted": "a value"})
    known = [path for path, _ in vocabulary.dump_block(new.bid, "")]
    for name in {*new.also, *new.justifications} - {*known}:
        field = "also" if name in new.also else "justifications"
        yield Slip(field, "no-rule-of-bid", {"value": quoted(name)}, did_you_mean(str(name), known))
    for name, said in new.also.items():
        if not _is_second(said):
            wanted = f"{{'{name}': {_IN_A_SOURCE}}}"
            yield _other("also", said, wanted)
    for name, ground in new.justifications.items():
        if not isinstance(ground, Justification):
            wanted = f"{{'{name}': Justification(status=…, reason=…)}}"
            yield _other("justifications", ground, wanted)
        where = f"justifications.{name}"
        yield from (slip._replace(field=f"{where}.{slip.field}") for slip in _shape(ground))


def _is_second(said: object) -> bool:
    """Whether it is a source and a place in it."""
    return type(said) is tuple and len(said) == 2 and all(_is(text, str) for text in said)


def _setting(setting: Any) -> Iterator[Slip]:
    if setting.also is not None and not _is_second(setting.also):
        yield _other("also", setting.also, _IN_A_SOURCE)


def _constraint(demand: Any) -> Iterator[Slip]:
    if not demand.requires and not demand.excludes:
        yield Slip("requires", "field-empty", {"wanted": "{'PATH': …}"})
    for field in ("when", "requires", "excludes"):
        for path, wanted in getattr(demand, field).items():
            if (leaf := _leaf_of(path)) is None:
                near = vocabulary.suggest(str(path))
                yield Slip(field, "no-rule", {"value": quoted(path, 80)}, near)
                return
            for option in wanted if isinstance(wanted, (tuple, list)) else (wanted,):
                value = option.least if isinstance(option, AtLeast) else option
                slip = unfit(field, path, leaf, value)
                if slip and get_origin(leaf.type) is not tuple:
                    yield slip


def _leaf_of(path: object) -> vocabulary.Leaf | None:
    """The leaf that a condition names; None where it names none."""
    named = str(path).replace("*", "any")
    return vocabulary.leaf_at(named) if vocabulary.pattern_of(named) else None


def _withhold(rule: Withhold) -> Iterator[Slip]:
    if not _takes(rule.decide, "trump, after, card"):
        yield Slip("decide", "wrong-arguments", {"name": "decide", "takes": "trump, after, card"})


def _forced_bid(forced: ForcedBid) -> Iterator[Slip]:
    if bool(forced.seat) == bool(forced.most_of or forced.facts):
        yield Slip("seat", "falls-on-one")
    if forced.most_of:
        yield from _hand("most_of", forced.most_of, by_session=True)


def _throw_in(thrown: ThrowIn) -> Iterator[Slip]:
    if not thrown.facts:
        yield Slip("facts", "field-empty", {"wanted": "{'aces_dealt': 0}, what a hand is like"})


def _incident(incident: Incident) -> Iterator[Slip]:
    if not vocabulary.is_identifier(incident.id):
        yield Slip("id", "no-identifier", {"value": quoted(incident.id)})


def _own_fact(fact: OwnFact) -> Iterator[Slip]:
    for field in ("name", "unit", "doc"):
        if len(getattr(fact, field)) > 80:
            wanted = "a text of at most 80 letters"
            yield _other(field, getattr(fact, field), wanted)
    if not fact.name.isidentifier() or fact.name != fact.name.lower() or not fact.name.isascii():
        yield Slip("name", "no-word", {"value": quoted(fact.name)})
    try:
        written_function(fact.compute)
    except ValueError:
        yield Slip("compute", "no-function", {"value": quoted(fact.compute)})
    if not _takes(fact.compute, "deal"):
        yield Slip("compute", "wrong-arguments", {"name": fact.name, "takes": "deal"})


_MORE: Final[Mapping[type, Callable[[Any], Iterator[Slip]]]] = {
    About: _about,
    NewBid: _new_bid,
    Setting: _setting,
    Constraint: _constraint,
    Withhold: _withhold,
    ForcedBid: _forced_bid,
    ThrowIn: _throw_in,
    Incident: _incident,
    OwnFact: _own_fact,
}
