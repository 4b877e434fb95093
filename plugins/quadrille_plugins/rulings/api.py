"""Rulings: what the laws order in an irregularity at a real table, and who pays whom.

The laws are data (``variants/laws/``); this room reads them and an incident, and applies the one to the other.
"""

from quadrille_plugins.rulings.incident import Incident, read_incident
from quadrille_plugins.rulings.judge import Idle, Order, Ruling, Verdict, judge
from quadrille_plugins.rulings.laws import Law, Laws, TextChoice, load_laws, with_plugins

__all__ = [
    "Idle",
    "Incident",
    "Law",
    "Laws",
    "Order",
    "Ruling",
    "TextChoice",
    "Verdict",
    "judge",
    "load_laws",
    "read_incident",
    "with_plugins",
]
