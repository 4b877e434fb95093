"""Bibliography ids and places that several of these plugins cite."""

from collections.abc import Mapping
from typing import Final

PARLETT: Final = "parlett"
OLDER: Final = "wikipedia-old"
VARIATIONS: Final = "Variations on game playing"
TABLE: Final = "Médiateur, table of payments"


def older(variation: str, *leaves: str) -> Mapping[str, tuple[str, str]]:
    """What the older article's note on a variation says of its bid too."""
    return dict.fromkeys(leaves, (OLDER, f"{VARIATIONS}: {variation}"))
