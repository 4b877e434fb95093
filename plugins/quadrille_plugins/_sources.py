"""Bibliography ids and places that several of these plugins cite."""

from typing import Final

PARLETT: Final = "parlett"
OLDER: Final = "wikipedia-old"
VARIATIONS: Final = "Variations on game playing"
TABLE: Final = "Médiateur, table of payments"
