"""The keys of each command's ``--format json``; ``python tools/json_keys.py`` writes them to
tests/json_keys.yaml.

Scripts read these keys (docs/commands.md), so one that goes or is renamed is a change that users
are told of.
"""

import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

import yaml
from quadrille_plugins.shell.main import run

VARIANTS: Final = Path(__file__).parents[1] / "variants"
FILE: Final = Path(__file__).parents[1] / "tests" / "json_keys.yaml"
RESULT: Final = """\
rules: quanti-1822
players: [Ann, Bob, Cleo, Dan]
contract: solo
hombre: Ann
trump: hearts
tricks: {Ann: 7, Bob: 1, Cleo: 1, Dan: 1}
matadors: 3
"""
STUDY: Final = "--deals 200 --engine readable --workers 1"
COMMANDS: Final = (
    "show quanti-1822",
    "explain quanti-1822 payments.premium.solo",
    "check PROFILE",
    "diff quanti-1822 quadrille-modern",
    "list",
    "list plugins",
    "apparatus quanti-1822",
    "apparatus --collate quanti-1822 mediateur-1752",
    "settle SETTLED",
    "deal quanti-1822 --seed 1",
    "play quanti-1822 --hand SA,H7,C3 --trump spades --trick H4",
    "play quanti-1822 --auction pass",
    "compare quanti-1822 quanti-1822@wikipedia --deals 400 --engine fast --workers 1",
    "compare quanti-1822 quanti-1822@wikipedia --attribute --sessions 1 --engine fast --players family",
    "compare quanti-1822 --seats --deals 200 --engine fast --workers 1",
    "compare quanti-1822 --bots steady,random --deals 100 --workers 1",
    "matters quanti-1822 codille_shared --deals 200 --engine fast --workers 1",
    f"rank quanti-1822 --points solo_premium {STUDY}",
    "discriminate EVIDENCE",
    "deal quanti-1822 --solve --seed 1",
    "session start LEDGER --rules quanti-1822 --player Ann --player Bob --player Cleo --player Dan",
    "session deal LEDGER RESULT",
    "session show LEDGER",
    "session start SECOND --from LEDGER",
    "session show LEDGER SECOND",
)
"""Command lines; words in capitals are files."""
_WORD: Final = re.compile("[a-z][a-z0-9_]*")
_KEYED_BY_DATA: Final = {
    "by_column",
    "by_role",
    "by_seat",
    "change",
    "contracts",
    "family",
    "leaves",
    "net",
    "outcomes",
    "over_sessions",
    "parameters",
    "paths",
    "points",
    "readings",
    "rules",
    "set",
    "sources",
    "tricks",
    "witnesses",
}
"""Keys below which a mapping goes by names of players, points, rules and the like."""


def keys(value: Any, at: str = "") -> Iterator[str]:
    """Every path of keys in plain data: ``[]`` is any item, ``*`` any key of a mapping whose keys
    are data."""
    if isinstance(value, dict):
        data = at.rpartition(".")[2] in _KEYED_BY_DATA and "digest" not in value
        for key, below in value.items():
            yield from keys(below, f"{at}.{key if not data and _WORD.fullmatch(str(key)) else '*'}")
    elif isinstance(value, list):
        for below in value:
            yield from keys(below, f"{at}[]")
    else:
        yield at.removeprefix(".")


def printed(line: str, folder: Path) -> list[str]:
    """The paths of what one command prints, in order; files lie in ``folder``."""
    (folder / "result.yaml").write_text(RESULT)
    (folder / "settled.yaml").write_text(f"{RESULT}pool: 16\n")
    names = {
        "RESULT": str(folder / "result.yaml"),
        "SETTLED": str(folder / "settled.yaml"),
        "LEDGER": str(folder / "evening.quadrille"),
        "SECOND": str(folder / "another.quadrille"),
        "PROFILE": str(VARIANTS / "quanti-1822.yaml"),
        "EVIDENCE": str(VARIANTS / "evidence" / "hoyle-odds.yaml"),
    }
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run([*(names.get(word, word) for word in line.split()), "--format", "json"])
    if not out.getvalue().startswith(("{", "[")):
        raise AssertionError(f"{line}: {status} {err.getvalue()}")
    return sorted(set(keys(json.loads(out.getvalue()))))


def all_keys() -> dict[str, list[str]]:
    """The paths of every command."""
    os.environ.pop("COLUMNS", None)
    with tempfile.TemporaryDirectory() as folder:
        return {line: printed(line, Path(folder)) for line in COMMANDS}


def page() -> str:
    """The file that keeps the paths of every command."""
    return yaml.safe_dump(all_keys(), sort_keys=False, width=120)


if __name__ == "__main__":
    FILE.write_text(page())
