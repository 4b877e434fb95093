"""Players' names: which may be borne at a table, and in one spelling."""

from collections.abc import Iterable, Mapping

from quadrille_core.engine.result import composed, name_fault
from quadrille_core.errors import Problem, UsageError
from quadrille_plugins.settle.answers import likeness


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Raise UsageError for a name that no player may bear at this table."""
    fault = name_fault(name)
    if fault is None and (name.lower() == "box" or name[0] in "=+-@"):
        fault = f"no player can be called {name!r}: " + (
            "the ledger calls the box of counters so" if name.lower() == "box" else "spreadsheets read it as a formula"
        )
    if fault:
        raise UsageError(Problem.text("Q207", fault))
    for other in others:
        if likeness(other) == likeness(name):
            raise UsageError(f"there are two called {name}", help="give every player a name of their own")


def spelt_once(names: Mapping[int, str]) -> dict[int, str]:
    """Accounts with their names composed, but for names of former ledgers that would then be the same."""
    spelt = {account: composed(name) for account, name in names.items()}
    seen = list(spelt.values())
    return {account: name if seen.count(name) == 1 else names[account] for account, name in spelt.items()}
