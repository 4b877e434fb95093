"""Reflection over the vocabulary: every leaf's path, type and description, read off the
dataclasses.

A *path* names a rule by its blocks, joined by dots; where a block is kept bid by bid the bid's
identifier is one step: ``bids.solo.rank``, ``payments.premium.solo``.  In a *pattern* that step is
``*``.  A rule's *plain* value is what YAML and JSON hold: bool, int, str, list, or null; its
*typed* value is what the dataclass holds.

Each kind of game has a vocabulary of its own (``leaves(kind)``).  No two kinds share a block, so a
path is looked up among all of them without saying which is meant (``every_leaf``, ``kind_of``).
"""

import re
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from quadrille_core import cards
from quadrille_core.cards import Card, Suit
from quadrille_core.errors import DidYouMean, NotationError, Problem, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.plugin_rules import PluginRules, plugin_rules_of
from quadrille_core.rules import Coin, PerBid, Rules, WithholdCell

Plain = Any
"""A plain value: bool, int, str, None, or lists and dicts of these."""

MAX_DIGITS = 60
"""Digits an amount may have: pools grow without bound, but not by so much in any session."""

NO_DEFAULT = object()

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_AMOUNT = re.compile(rf"(-?[0-9]{{1,{MAX_DIGITS}}})(?:/([0-9]{{1,{MAX_DIGITS}}}))?")


class MismatchError(ValueError):
    """A plain value that does not fit its leaf: ``problem`` says what was expected, and ``code`` is
    that of the fault it makes."""

    def __init__(self, variant: str, code: str = "Q203", **data: Any) -> None:
        super().__init__(variant, code, data)
        self.code = code
        self.problem = Problem(code, variant, data)

    def __str__(self) -> str:
        """What was expected, in words."""
        return self.problem.message


@frozen
class Leaf:
    """One rule of the vocabulary."""

    pattern: str
    type: Any
    doc: str
    default: Any
    low: int | None
    high: int | None
    optional_block: str | None
    """The pattern of the block that may be absent altogether with this leaf in it, if there is
    one."""

    @property
    def has_default(self) -> bool:
        """Whether the leaf has a neutral value."""
        return self.default is not NO_DEFAULT

    def default_plain(self) -> Plain:
        """The neutral value as plain data."""
        return to_plain(self.default)

    def choices(self) -> tuple[str, ...]:
        """The allowed words of a leaf with a fixed choice; else empty."""
        return tuple(get_args(self.type)) if get_origin(self.type) is Literal else ()


def _unwrap_optional(hint: Any) -> tuple[Any, bool]:
    if not isinstance(hint, type) and get_origin(hint) in (Union, types.UnionType):
        inner = [a for a in get_args(hint) if a is not type(None)]
        if len(inner) == 1 and len(get_args(hint)) == 2:
            return inner[0], True
    return hint, False


@cache
def hints_of(cls: type) -> Mapping[str, Any]:
    """The types of a block's fields, read once: a study compiles hundreds of rule sets, each of a
    hundred blocks."""
    return types.MappingProxyType(get_type_hints(cls))


class Field(NamedTuple):
    """A field of a block, taken apart."""

    name: str
    type: Any
    """As it is annotated."""
    hint: Any
    """The same without None."""
    block: bool
    """Whether it holds leaves of its own, each bid's entry if not the whole."""
    optional: bool
    item: Any
    """The type of a bid's entry; None where there is none for each bid."""
    default: Any
    metadata: Mapping[str, Any]


@cache
def fields_of(cls: type) -> tuple[Field, ...]:
    """The fields of a block of the vocabulary, but for what plugins add."""
    hints, found = hints_of(cls), []
    for f in fields(cls):
        if "own" in f.metadata:
            continue
        hint, optional = _unwrap_optional(hints[f.name])
        item = get_args(hint)[0] if get_origin(hint) is PerBid else None
        block = is_dataclass(hint if item is None else item)
        found.append(
            Field(f.name, hints[f.name], hint, block, optional, item, f.default, f.metadata)
        )
    return tuple(found)


def _walk(cls: type, prefix: str, optional_block: str | None) -> Iterator[Leaf]:
    for f in fields_of(cls):
        path = f"{prefix}{f.name}"
        step = path if f.item is None else f"{path}.*"
        if f.block:
            yield from _walk(f.item or f.hint, f"{step}.", path if f.optional else optional_block)
        elif f.item is not None:
            yield Leaf(step, f.item, _PER_BID_DOCS[f.name], NO_DEFAULT, 0, 10_000, optional_block)
        else:
            low, high = f.metadata.get("low", 0), f.metadata.get("high", 10_000)
            default = NO_DEFAULT if f.default is MISSING else f.default
            yield Leaf(path, f.type, f.metadata.get("doc", ""), default, low, high, optional_block)


_PER_BID_DOCS = {
    "premium": "Units of premium that this bid earns from each adversary, or costs.",
    "undertaken": "Units (of a stake, what vole.stake_in says) for a vole undertaken in the play "
    "of this bid.",
    "announced": "Units (of a stake, what vole.stake_in says) for a vole announced with this bid.",
    "revealed": "Units (of a stake, what vole.stake_in says) for a vole announced with this bid, "
    "the hand exposed.",
    "vole_lost": "Units that each who gets them has for a vole missed at this bid; where none "
    "are stated, its premium.",
    "fund_game": "Units that each of Hombre's side draws from the fund beside the pool for this "
    "game won.",
    "fund_vole": "Units that each of Hombre's side draws from the fund beside the pool for a "
    "vole made at this bid.",
    "fund_vole_stakes": "Times the stake that each of Hombre's side draws from the fund for a "
    "vole made at this bid.",
    "fund_codille": "Times the stake that each adversary draws from the fund at a codille of "
    "this bid.",
}


@cache
def leaves(kind: str = TRICKS) -> Mapping[str, Leaf]:
    """Every leaf of one kind's vocabulary by its pattern, in the order of the dataclasses."""
    return types.MappingProxyType(
        {leaf.pattern: leaf for leaf in _walk(KINDS[kind].root, "", None)}
    )


@cache
def every_leaf() -> Mapping[str, Leaf]:
    """Every leaf of every kind by its pattern."""
    return types.MappingProxyType(
        {pattern: leaf for kind in KINDS for pattern, leaf in leaves(kind).items()}
    )


@cache
def _kind_by_block() -> Mapping[str, str]:
    return {pattern.split(".")[0]: kind for kind in KINDS for pattern in leaves(kind)}


@lru_cache(maxsize=8192)
def kind_of(path: str) -> str | None:
    """The kind of game whose vocabulary has the block that a path begins with; None when none
    has."""
    return _kind_by_block().get(path.partition(".")[0])


def blocks_of(kind: str) -> tuple[str, ...]:
    """The names at the top of one kind's vocabulary."""
    return tuple(dict.fromkeys(pattern.split(".")[0] for pattern in leaves(kind)))


_declared: dict[str, Leaf] = {}


def declare(leaf: Leaf) -> Leaf:
    """Know a leaf of a plugin's own from now on by its path; which rule sets have it, their
    plugins say."""
    _declared[leaf.pattern] = leaf
    return leaf


@cache
def trie() -> dict[str, Any]:
    """The vocabulary of every kind of game, step by step."""
    root: dict[str, Any] = {}
    for pattern, leaf in every_leaf().items():
        node = root
        for step in pattern.split("."):
            node = node.setdefault(step, {})
        node[LEAF] = leaf
    return root


LEAF = "."
"""The key under which a trie of the vocabulary keeps the leaf that ends there; no step of a path is
spelled so."""


def tries_at(path: str) -> list[dict[str, Any]]:
    """What lies below a path or pattern (``*`` for any step), wherever it leads, each as a trie by
    steps."""
    nodes = [trie()]
    for step in path.split("."):
        if step == "*":
            nodes = [below for node in nodes for key, below in node.items() if key != LEAF]
        else:
            nodes = [
                node.get(step) or node["*"]
                for node in nodes
                if step in node or (step and "*" in node)
            ]
    return nodes


@lru_cache(maxsize=8192)  # compiling asks for each rule many times over
def leaf_of(path: str) -> Leaf | None:
    """The leaf that a path names, ``*`` standing for any bid; None when it names none."""
    node = trie()
    for step in path.split("."):
        below = node.get(step) or node.get("*")
        if not below:
            return None
        node = below
    leaf: Leaf | None = node.get(LEAF)
    return leaf


def pattern_of(path: str) -> str | None:
    """The vocabulary pattern that matches a rule path; None for an unknown path."""
    leaf = _declared.get(path) or leaf_of(path)
    return None if leaf is None else leaf.pattern


def leaf_at(path: str) -> Leaf:
    """The leaf at a rule path; raises KeyError for an unknown one."""
    leaf = _declared.get(path) or leaf_of(path)
    if leaf is None:
        raise KeyError(path)
    return leaf


def is_prefix(path: str) -> bool:
    """Whether the path names a block of rules (``payments``, ``bids.solo``)."""
    return bool(tries_at(path)) or any(f"{known}.".startswith(f"{path}.") for known in _declared)


def matches(pattern: str, path: str) -> bool:
    """Whether a path falls under a pattern or path, or below it when that names a block."""
    if "*" not in pattern:  # nearly always, and citations are many
        return path == pattern or path.startswith(f"{pattern}.")
    want, have = _steps(pattern), _steps(path)
    return len(want) <= len(have) and all(w in ("*", h) for w, h in zip(want, have, strict=False))


@lru_cache(maxsize=8192)  # citations are asked for each rule whether they cover it
def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def suggest(path: str, known: Iterable[str] = (), kind: str = TRICKS) -> DidYouMean | None:
    """A hint for a path that names no rule of that kind of game."""
    return did_you_mean(path, [*known, *leaves(kind)])


def is_identifier(text: object) -> bool:
    """Whether a text can name a bid, profile, point or reading: small letters, digits, hyphens,
    underscores."""
    return isinstance(text, str) and _IDENTIFIER.fullmatch(text) is not None


def withhold_cell(trump: Suit, after: Card, card: Card, allowed: bool) -> Plain:
    """One exception to the forcing rule as a plain value."""
    return to_plain(WithholdCell(trump=trump, after=after, card=card, allowed=allowed))


# --- plain → typed ---------------------------------------------------------------------------


def parse_amount(value: Plain) -> Fraction:
    """An exact amount from an int or a fraction in a string (``"9/2"``); raises MismatchError."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str):
        found = _AMOUNT.fullmatch(value)
        if found is not None and int(found[2] or 1):
            return Fraction(int(found[1]), int(found[2] or 1))
    raise MismatchError("expected-amount", "Q207")


def plain_amount(value: Fraction) -> int | str:
    """An amount as JSON gives it: a whole number, or a fraction in a string."""
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def to_typed(leaf: Leaf, value: Plain) -> Any:
    """The typed value of a leaf; raises MismatchError saying what was expected."""
    if isinstance(value, (str, int)) and every_leaf().get(leaf.pattern) is leaf:
        return _typed_scalar(leaf.pattern, type(value).__name__, value)
    return _typed(leaf.type, value, leaf)


@lru_cache(
    maxsize=8192
)  # configurations have nearly all their values in common; ``1`` and ``true`` are not the same
def _typed_scalar(pattern: str, kind: str, value: Plain) -> Any:
    del kind
    leaf = every_leaf()[pattern]
    return _typed(leaf.type, value, leaf)


def _typed(hint: Any, value: Plain, leaf: Leaf) -> Any:
    inner, optional = _unwrap_optional(hint)
    if optional:
        return None if value is None else _typed(inner, value, leaf)
    origin = get_origin(inner)
    if origin is Literal:
        if isinstance(value, str) and value in get_args(inner):
            return value
        raise MismatchError("expected-one-of", "Q204", words=get_args(inner))
    if origin is tuple:
        return _typed_list(get_args(inner)[0], value, leaf)
    if inner is bool:
        return _of_type(value, bool, "expected-true-or-false")
    if inner is int:
        if isinstance(value, bool):
            raise MismatchError("expected-whole-number")
        _check_range(Fraction(_of_type(value, int, "expected-whole-number")), leaf)
        return value
    if inner is Fraction:
        amount = parse_amount(value)
        _check_range(amount, leaf)
        return amount
    if inner is str and not _of_type(value, str, "expected-text").strip():
        raise MismatchError("expected-text")
    return value if inner is str else _typed_domain(inner, value)


def _of_type(value: Plain, kind: type, variant: str) -> Any:
    if not isinstance(value, kind):
        raise MismatchError(variant)
    return value


def _typed_list(item: Any, value: Plain, leaf: Leaf) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise MismatchError("expected-list")
    items = tuple(_typed(item, v, leaf) for v in value)
    if len(set(items)) != len(items) and get_origin(item) is not tuple and item is not int:
        raise MismatchError("expected-each-once", "Q206")
    if item is WithholdCell and len({(c.trump, c.after, c.card) for c in items}) != len(items):
        raise MismatchError("expected-each-case-once")
    return items


def _typed_domain(inner: Any, value: Plain) -> Any:
    if inner is Card:
        if not isinstance(value, str):
            raise MismatchError("expected-card", "Q207")
        try:
            return cards.parse_card(value)
        except NotationError as e:
            raise MismatchError("expected-other-card", "Q207", problem=e.problems[0]) from None
    if inner is Suit:
        if isinstance(value, str) and value in cards.SUITS:
            return Suit(cards.SUITS.index(value))
        if isinstance(value, str) and value == "none":
            return cards.NO_TRUMP
        raise MismatchError("expected-suit", "Q207", suits=cards.SUITS)
    if is_dataclass(inner):
        return _entry(cast("type", inner), value)
    raise AssertionError(f"the vocabulary uses a type this module does not know: {inner}")


def _entry(kind: type, value: Plain) -> Any:
    """An entry of a list of records: every key, each as its field is described."""
    made, known = {}, fields_of(kind)
    if not isinstance(value, Mapping) or set(value) != {f.name for f in known}:
        *names, last = (f.name for f in known)
        raise MismatchError("expected-keys", names=names, last=last)
    for f in known:
        low, high = f.metadata["low"], f.metadata["high"]
        try:
            made[f.name] = found = _typed(
                f.type, value[f.name], Leaf("", f.type, "", NO_DEFAULT, low, high, None)
            )
        except MismatchError as e:
            code = "Q207" if e.code == "Q207" else "Q203"
            raise MismatchError("expected-in", code, field=f.name, problem=e.problem) from None
        if f.type is str and (
            found != found.strip() or len(found) > high or not found.isprintable()
        ):
            raise MismatchError("expected-short-text", field=f.name, high=high)
    return kind(**made)


def _check_range(value: Fraction, leaf: Leaf) -> None:
    low, high = leaf.low, leaf.high
    if (low is not None and value < low) or (high is not None and value > high):
        raise MismatchError("expected-number", "Q205", low=low, high=high)


def to_plain(value: Any, hint: Any = None) -> Plain:
    """The plain value of a typed one; cards and suits need their type as ``hint``."""
    if value is None or isinstance(value, (bool, str)):
        return value
    inner, _ = _unwrap_optional(hint)
    if isinstance(value, Fraction):
        return plain_amount(value)
    if isinstance(value, (WithholdCell, Coin)):
        kind: type = type(value)
        return {f.name: to_plain(getattr(value, f.name), f.type) for f in fields_of(kind)}
    if isinstance(value, tuple):
        item = get_args(inner)[0] if get_origin(inner) is tuple else None
        return [to_plain(v, item) for v in value]
    if inner is Card:
        return cards.format_card(value)
    if inner is Suit:
        return cards.format_suit(value)
    return value


def canonical(leaf: Leaf, value: Plain) -> Plain:
    """The one spelling of a plain value (``h7`` → ``H7``, ``"4/2"`` → 2); raises MismatchError."""
    return to_plain(to_typed(leaf, value), leaf.type)


# --- leaf map ↔ Rules ------------------------------------------------------------------------


def build(values: Mapping[str, Plain]) -> Rules:
    """Rules from a complete map of paths to plain values (neutral values may be left out).

    Raises KeyError for a missing leaf and MismatchError for a value that does not fit; callers that
    speak to users check both beforehand and say where.
    """
    return cast("Rules", build_of(TRICKS, values))


def build_of(kind: str, values: Mapping[str, Plain]) -> Any:
    """The rules of any kind of game, as ``build`` makes those of a game of tricks."""
    rules = _build(KINDS[kind].root, "", dict(values))
    own = {path: value for path, value in values.items() if kind_of(path) is None}
    return replace(rules, own=plugin_rules_of(own)) if own else rules


def _build(cls: type, prefix: str, values: dict[str, Plain]) -> Any:
    made: dict[str, Any] = {}
    for f in fields_of(cls):
        path = f"{prefix}{f.name}"
        if f.item is not None:
            names = _names_below(path, values)
            if f.block:
                rows = tuple((n, _build(f.item, f"{path}.{n}.", values)) for n in names)
            else:
                rows = tuple(
                    (n, to_typed(leaf_at(f"{path}.{n}"), values[f"{path}.{n}"])) for n in names
                )
            made[f.name] = PerBid(rows)
        elif f.block:
            if f.optional and not _names_below(path, values):
                made[f.name] = None
            else:
                made[f.name] = _build(f.hint, f"{path}.", values)
        elif path in values:
            made[f.name] = to_typed(leaf_at(path), values[path])
        elif f.default is MISSING:
            raise KeyError(path)
    return cls(**made)


def _names_below(path: str, values: Mapping[str, Plain]) -> list[str]:
    start = f"{path}."
    return list(dict.fromkeys(p[len(start) :].split(".")[0] for p in values if p.startswith(start)))


def dump(rules: Any) -> dict[str, Plain]:
    """Every leaf of the rules as path → plain value, in the order of the vocabulary, those of
    plugins last."""
    return dict(dump_block(rules, "")) | getattr(rules, "own", PluginRules()).plain()


def dump_block(block: Any, prefix: str) -> Iterator[tuple[str, Plain]]:
    """The leaves of one block as (path, plain value), each path with the prefix before it."""
    kind: type = type(block)
    for f in fields_of(kind):
        path, value = f"{prefix}{f.name}", getattr(block, f.name)
        if isinstance(value, PerBid):
            for name, entry in value.items():
                if f.block:
                    yield from dump_block(entry, f"{path}.{name}.")
                else:
                    yield f"{path}.{name}", to_plain(entry, leaf_at(f"{path}.{name}").type)
        elif f.block and value is not None:
            yield from dump_block(value, f"{path}.")
        elif not (value is None and every_leaf().get(path) is None):
            yield path, to_plain(value, f.hint)
