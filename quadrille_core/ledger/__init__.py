"""The ledger of a real table: who has paid whom, kept in one SQLite file that only ever grows."""

from quadrille_core.ledger.books import Book, Fact
from quadrille_core.ledger.correcting import Change
from quadrille_core.ledger.desk import Ledger, start
from quadrille_core.ledger.ending import Ending

__all__ = ["Book", "Change", "Ending", "Fact", "Ledger", "start"]
