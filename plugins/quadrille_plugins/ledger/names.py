"""Players' names: which may be borne at a table."""

from collections.abc import Iterable

from quadrille_core.engine.result import name_fault
from quadrille_core.errors import Problem, UsageError
from quadrille_plugins.settle.answers import likeness


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Raise UsageError for a name that no player may bear at this table."""
    fault = name_fault(name)
    if fault is None and (name.lower() == "box" or name[0] in "=+-@"):
        fault = f"no player can be called {name!r}: " + (
            "the ledger calls the box of counters so"
            if name.lower() == "box"
            else "spreadsheets read it as a formula"
        )
    if fault:
        raise UsageError(Problem.text("Q207", fault))
    for other in others:
        if likeness(other) == likeness(name):
            raise UsageError(
                f"there are two called {name}", help="give every player a name of their own"
            )
