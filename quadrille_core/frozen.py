"""The one kind of record that the house has: a dataclass that never changes, with slots."""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """The class as ``dataclass(frozen=True, slots=True)`` makes it."""
    return dataclass(frozen=True, slots=True)(cls)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def frozen_by_keyword(cls: type[T]) -> type[T]:
    """The same, each field given by its name."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)
