"""Bibliography ids and places that several of these plugins cite."""

from collections.abc import Mapping
from typing import Final

PARLETT: Final = "parlett"
NEWER: Final = "wikipedia-new"
OLDER: Final = "wikipedia-old"
VARIATIONS: Final = "Variations on game playing"
NO_MATADORS: Final = "without a trump suit there are no matadors beyond the two aces"
TABLE: Final = "Médiateur, table of payments"


def older(variation: str, *leaves: str) -> Mapping[str, tuple[str, str]]:
    """What the older article's note on a variation says of its bid too."""
    return dict.fromkeys(leaves, (OLDER, f"{VARIATIONS}: {variation}"))
