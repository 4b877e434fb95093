"""The ledger of a real table: who has paid whom, kept in one SQLite file that only ever grows."""

from quadrille_core.ledger.books import Book, Fact
from quadrille_core.ledger.desk import Change, Ending, Ledger, start

__all__ = ["Book", "Change", "Ending", "Fact", "Ledger", "start"]
