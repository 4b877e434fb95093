"""Bibliography ids that several of these plugins cite."""

from typing import Final

ARTICLE: Final = "wikipedia-new"
ARTICLE_OLD: Final = "wikipedia-old"
MEDIATEUR: Final = "parlett-mediateur"
QUANTI: Final = "parlett-quanti"

TABLE: Final = "table of payments"
