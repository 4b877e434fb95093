"""The ledger of a real table: who has paid whom, kept in one SQLite file that only ever grows."""

from quadrille_plugins.ledger.books import Book, Fact
from quadrille_plugins.ledger.correcting import Change
from quadrille_plugins.ledger.desk import Ledger, start
from quadrille_plugins.ledger.ending import Ending

__all__ = ["Book", "Change", "Ending", "Fact", "Ledger", "start"]
