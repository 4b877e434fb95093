"""Exact sums as plain JSON values and back: what a block of a study is written as.

The type of a value, from the annotations of its dataclass, says how it is written; nothing in the
text names a type, so that reading runs no code but this.  One value has one text: mappings are
sorted, fractions are reduced.
"""

import types
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import (
    Any,
    Final,
    Literal,
    NamedTuple,
    NewType,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from quadrille_core.vocabulary import plain_amount

ASIDE: Final = "aside"
"""Metadata of a dataclass field that is not written; it has a default."""


class DamagedError(ValueError):
    """A text that is no value of the type that was expected."""


class _Form(NamedTuple):
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def check(kind: Any) -> None:
    """Raise TypeError where values of that type cannot be written."""
    _form(kind)


def to_plain(kind: Any, value: Any) -> Any:
    """A value of that type as JSON values."""
    return _form(kind).write(value)


def from_plain(kind: Any, plain: Any) -> Any:
    """The value of that type that was written so; raises DamagedError for anything else."""
    return _form(kind).read(plain)


@cache
def _form(kind: Any) -> _Form:
    """How values of a type are written and read."""
    if kind in (Any, int, str, bool, Fraction, type(None)):
        return _simple(kind)
    if kind == dict[str, Any]:  # plain already, and shown in its own order
        return _Form(_same, _exactly(dict))
    if isinstance(kind, NewType):
        return _form(kind.__supertype__)
    if is_dataclass(kind) and isinstance(kind, type):
        return _record(kind)
    made = _MADE.get(get_origin(kind))
    if made is None:
        raise TypeError(f"{kind} has no plain form")
    return made(get_args(kind))


def _simple(kind: Any) -> _Form:
    if kind is Any:
        return _Form(_same, _same)
    return _Form(plain_amount, _read_fraction) if kind is Fraction else _Form(_same, _exactly(kind))


def _same(value: Any) -> Any:
    return value


def _exactly(kind: type) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if type(plain) is not kind:
            raise DamagedError(f"{str(plain)[:40]!r} instead of a value of type {kind.__name__}")
        return plain

    return read


def _one_of(values: Sequence[Any]) -> Callable[[Any], Any]:
    def read(plain: Any) -> Any:
        if plain not in values:
            raise DamagedError(f"{str(plain)[:40]!r} is not among the values allowed")
        return plain

    return read


def _read_fraction(plain: Any) -> Fraction:
    if type(plain) is int:
        return Fraction(plain)
    try:
        above, below = (int(part) for part in plain.split("/"))
        return Fraction(above, below)
    except (AttributeError, ValueError, ZeroDivisionError):
        raise DamagedError(f"{str(plain)[:40]!r} is no fraction") from None


def _listed(plain: Any, size: int | None = None) -> list[Any]:
    if not isinstance(plain, list) or size not in (None, len(plain)):
        raise DamagedError(f"{str(plain)[:40]!r} is no list of the right length")
    return plain


def _optional(given: Sequence[Any]) -> _Form:
    kinds = [k for k in given if k is not type(None)]
    if len(kinds) != 1:
        raise TypeError(f"a value of one of {given} has no plain form")
    one = _form(kinds[0])
    return _Form(
        lambda v: None if v is None else one.write(v),
        lambda p: None if p is None else one.read(p),
    )


def _record(kind: type) -> _Form:
    hints = get_type_hints(kind)
    kept = [(f.name, _form(hints[f.name])) for f in fields(kind) if not f.metadata.get(ASIDE)]

    def write(value: Any) -> Any:
        return [form.write(getattr(value, name)) for name, form in kept]

    def read(plain: Any) -> Any:
        values = _listed(plain, len(kept))
        return kind(
            **{name: form.read(one) for (name, form), one in zip(kept, values, strict=True)}
        )

    return _Form(write, read)


def _many(of: Any, made: Callable[[Iterable[Any]], Any]) -> _Form:
    one = _form(of)
    if one.write is _same:  # as most are: numbers and texts
        return _Form(list, lambda p: made(one.read(v) for v in _listed(p)))
    return _Form(
        lambda v: [one.write(x) for x in v], lambda p: made(one.read(x) for x in _listed(p))
    )


def _row(given: Sequence[Any]) -> _Form:
    forms = [_form(k) for k in given]
    return _Form(
        lambda v: [f.write(x) for f, x in zip(forms, v, strict=True)],
        lambda p: tuple(f.read(x) for f, x in zip(forms, _listed(p, len(forms)), strict=True)),
    )


def _mapping(key: Any, value: Any, made: Callable[[dict[Any, Any]], Any]) -> _Form:
    """Pairs of key and value, sorted by the key as it is written."""
    keys, values = _form(key), _form(value)

    def write(found: Mapping[Any, Any]) -> Any:
        pairs = [[keys.write(k), values.write(v)] for k, v in found.items()]
        return sorted(pairs, key=lambda pair: pair[0])

    def read(plain: Any) -> Any:
        pairs = [_listed(p, 2) for p in _listed(plain)]
        return made({keys.read(k): values.read(v) for k, v in pairs})

    return _Form(write, read)


_MADE: Final[Mapping[Any, Callable[[Any], _Form]]] = {
    Literal: lambda given: _Form(_same, _one_of(given)),
    Union: _optional,
    types.UnionType: _optional,
    list: lambda given: _many(given[0], list),
    Sequence: lambda given: _many(given[0], list),
    Iterable: lambda given: _many(given[0], list),
    tuple: lambda given: _many(given[0], tuple) if given[-1] is Ellipsis else _row(given),
    Counter: lambda given: _mapping(given[0], int, Counter),
    dict: lambda given: _mapping(given[0], given[1], dict),
    Mapping: lambda given: _mapping(given[0], given[1], dict),
}
"""The form of a type by its origin, of the types that it is given."""
