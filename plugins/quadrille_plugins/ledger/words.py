"""The ledger's words, from the file beside this one."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from quadrille_core.profile import load_file

FILE = Path(__file__).with_name("words.yaml")

_FORMS: Final = {0: "zero", 1: "one", 2: "two"}


@cache
def catalogue() -> Mapping[str, Any]:
    """Every word by its key."""
    return cast("Mapping[str, Any]", load_file(FILE).to_plain())


def word(key: str, n: int | None = None, **data: object) -> str:
    """The word or sentence of that key, filled in; of several forms that for ``n``."""
    found = catalogue()[key]
    if n is not None and isinstance(found, Mapping):
        found = found.get(_FORMS.get(n, "other"), found["other"])
    return str(found).format(n=n, **data)


def account(name: str) -> str:
    """What an account without an owner is called; a player's name as it is."""
    return str(catalogue()["account"].get(name, name))
