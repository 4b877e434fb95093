"""What the vocabulary of the rules is written with: a described leaf, and a block with an entry for
each bid."""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def leaf(
    doc: str, *, default: Any = MISSING, low: int | None = None, high: int | None = None
) -> Any:
    """A field of the vocabulary: its description, its neutral value, and bounds for numbers."""
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@dataclass(frozen=True, slots=True)
class PerBid(Generic[T]):
    """A block with one entry for each bid, keyed by the bid's identifier, in the profile's
    order."""

    rows: tuple[tuple[str, T], ...] = ()

    def of(self, bid: str) -> T:
        """The entry of that bid; raises KeyError when there is none."""
        for name, value in self.rows:
            if name == bid:
                return value
        raise KeyError(bid)

    def get(self, bid: str, default: T) -> T:
        """The entry of that bid, or the default."""
        return next((value for name, value in self.rows if name == bid), default)

    def names(self) -> tuple[str, ...]:
        """The bids that have an entry."""
        return tuple(name for name, _ in self.rows)

    def items(self) -> Iterator[tuple[str, T]]:
        """Pairs of bid identifier and entry."""
        return iter(self.rows)
