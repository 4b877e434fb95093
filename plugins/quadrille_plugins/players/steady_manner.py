"""How one ``steady`` may play differently from another: its parameters, and what each is when
nothing is said."""

from typing import Final, Literal, NamedTuple

Calls = Literal["short", "void", "long"]
Leads = Literal["trumps", "best", "kings"]
Covers = Literal["late", "always"]


class Manner(NamedTuple):
    """A way to play; words stand in a compiled player by their places (``steady_arrays``)."""

    boldness: int = 0
    calls: Calls = "short"
    leads: Leads = "trumps"
    covers: Covers = "late"


USUAL: Final = Manner()
BOLDEST: Final = 24
"""The most counters of ``boldness``, more or fewer: what fits many times into the kernel's
amounts."""
CALL_ORDER: Final[dict[Calls, tuple[int, ...]]] = {
    "short": (3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10),
    "void": tuple(range(11)),
    "long": tuple(range(10, -1, -1)),
}
"""Which suit to call a king of, by the cards held in it: one card reaches the ally, none cannot."""
