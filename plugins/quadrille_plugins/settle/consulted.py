"""A stand-in for a rule set that records the path of every leaf read: the dependency trace.

The engine runs on the stand-in unchanged, since every block of it answers as the block itself does,
methods and all. What comes out depends on nothing but the leaves that were noted: two rule sets
that agree on all of those give the same result.  The converse does not hold, for a rule may
be read and yet decide nothing.

A note is the path of a leaf (``stakes.unit``), whether or not the rules have it
(``payments.premium.solo``, where a solo earns none), or the path of a block that was asked whether
it is there or what it holds: ``bids`` (which bids there are), ``payments.in_favourite`` (whether
there is such a table).  Bids are told in the order of the ladder, so whoever lists them has
consulted their ranks.

What has been read once is kept, so that it costs no more to read than from the rules themselves;
for that reason, and because the engine keeps tables by block, notes are of all that the stand-in
was ever used for: take another stand-in for another question.
"""

import types
from collections.abc import Collection, Iterator, Mapping
from dataclasses import is_dataclass, replace
from functools import cache
from typing import Any, Generic, TypeVar, cast

from quadrille_core.plugin_rules import PluginRules
from quadrille_core.rules import PerBid
from quadrille_core.vocabulary import kind_of

T = TypeVar("T")
OWN = "own"
"""The note of whoever asks what plugins add to the rules."""


class _Block:
    """A block of rules that notes what is read of it; equal to itself alone."""

    def __init__(self, real: Any, path: str, notes: set[str]) -> None:
        self._real, self._path, self._notes = real, path, notes

    def __getattr__(self, name: str) -> Any:
        # asked only for what the instance does not have yet: every leaf comes here once
        if name.startswith("__"):
            raise AttributeError(name)
        kind: Any = type(self._real)
        method, optional = _told(kind, name)
        if method is not None:
            return types.MethodType(method, self)
        path = f"{self._path}.{name}" if self._path else name
        value = getattr(self._real, name)
        if isinstance(value, PluginRules):
            self._notes.update((OWN, *value.plain()))  # what plugins add is handed out whole
        elif not _is_block(value.__class__):
            self._notes.add(path)
        else:
            if optional:
                self._notes.add(path)
            value = _stand_in(value, path, self._notes)
        self.__dict__[name] = value
        return value


@cache
def _told(kind: Any, name: str) -> tuple[types.FunctionType | None, bool]:
    """What a block's class says of a name: the method that it is, and whether there may be no such
    block."""
    if name in kind.__dataclass_fields__:
        return None, "None" in str(kind.__dataclass_fields__[name].type)
    own = getattr(kind, name)
    if isinstance(own, types.FunctionType):
        return own, False
    raise AttributeError(
        f"{kind.__name__}.{name} can be read of the rules alone, not while they are traced"
    )


@cache
def _is_block(kind: Any) -> bool:
    """Whether values of a class are blocks of rules, and no leaves."""
    return is_dataclass(kind)


class _PerBid(Generic[T]):
    """A block kept bid by bid, with the methods of ``PerBid``."""

    def __init__(self, real: PerBid[T], path: str, notes: set[str]) -> None:
        self._path, self._notes = path, notes
        self._rows: dict[str, Any] = dict(real.items())
        self._blocks: dict[str, Any] = {}

    def _value(self, bid: str) -> T:
        value = self._rows[bid]
        if not _is_block(value.__class__):
            self._notes.add(f"{self._path}.{bid}")
            return cast("T", value)
        if bid not in self._blocks:
            self._blocks[bid] = _stand_in(value, f"{self._path}.{bid}", self._notes)
        return cast("T", self._blocks[bid])

    def of(self, bid: str) -> T:
        """As ``PerBid.of``."""
        if bid not in self._rows:
            self._notes.add(f"{self._path}.{bid}")
            raise KeyError(bid)
        return self._value(bid)

    def get(self, bid: str, default: T) -> T:
        """As ``PerBid.get``."""
        if bid not in self._rows:
            self._notes.add(f"{self._path}.{bid}")
            return default
        return self._value(bid)

    def names(self) -> tuple[str, ...]:
        """As ``PerBid.names``."""
        self._notes.add(self._path)
        self._notes.update(f"bids.{bid}.rank" for bid in self._rows)
        return tuple(self._rows)

    def items(self) -> Iterator[tuple[str, T]]:
        """As ``PerBid.items``."""
        return iter(self.rows)

    @property
    def rows(self) -> tuple[tuple[str, T], ...]:
        """As ``PerBid.rows``."""
        return tuple((bid, self._value(bid)) for bid in self.names())


def _stand_in(value: Any, path: str, notes: set[str]) -> Any:
    return (_PerBid if isinstance(value, PerBid) else _Block)(value, path, notes)


def trace(rules: T, *, whole: Collection[str] = ()) -> tuple[T, set[str]]:
    """A stand-in for the rules of any kind of game, and the set that grows as it is read.

    The stand-in is for the engine to read, not to be changed, compared with other rules, or written
    out.  Blocks named in ``whole`` are handed out as they are and noted as if all of them were read
    (``cards.*``): for those that every deal reads, so that the tables the engine keeps of them need
    not be made anew.
    """
    notes = {f"{name}.*" for name in whole}
    stand_in = _stand_in(rules, "", notes)
    vars(stand_in).update({name: getattr(rules, name) for name in whole})
    return cast("T", stand_in), notes


def touches(notes: set[str], path: str, *, comes_and_goes: bool = False) -> bool:
    """Whether the result may depend on that rule, given the paths read.

    With ``comes_and_goes``, also on whether there is such a rule at all: then a block that was
    asked for counts.
    """
    return not notes.isdisjoint(noted_for(path, comes_and_goes=comes_and_goes))


def noted_for(path: str, *, comes_and_goes: bool) -> Iterator[str]:
    """All that is noted where the value of a rule, or whether there is such a rule, may have been
    read."""
    steps = path.split(".")
    if kind_of(path) is None:  # a plugin's own
        yield OWN
    else:
        yield from (path, f"{steps[0]}.*")
        yield from (".".join(steps[:n]) for n in range(1, len(steps)) if comes_and_goes)


def with_leaves(block: T, leaves: Mapping[str, Any]) -> T:
    """A block of rules with some leaves changed, named by their paths; quicker by far than building
    all rules anew."""
    if not leaves:
        return block
    below: dict[str, dict[str, Any]] = {}
    for path, value in leaves.items():
        name, _, rest = path.partition(".")
        below.setdefault(name, {})[rest] = value
    changed: Any = block
    if "" in below:
        changed = leaves[""]
    elif isinstance(block, PerBid):
        changed = PerBid(
            tuple((n, with_leaves(v, below[n]) if n in below else v) for n, v in block.items())
        )
    else:
        changed = replace(
            changed,
            **{name: with_leaves(getattr(block, name), inner) for name, inner in below.items()},
        )
    return cast("T", changed)
