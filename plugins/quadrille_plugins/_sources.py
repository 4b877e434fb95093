"""Bibliography ids and places that several of these plugins cite."""

from typing import Final

PARLETT: Final = "parlett"
TABLE: Final = "Médiateur, table of payments"
