"""What was measured for ``steady``, by the number of players: ``steady_measured.json``, which
``tools/measure_steady.py`` makes; and what was measured of a single bid, in a file that its plugin
ships."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import PluginError
from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.plugin_rules import MeasuredFile
from quadrille_plugins.players.steady_features import BUCKETS, MODES, Mode


@frozen_by_keyword
class Measured:
    """The results of hands with N players, for each way of playing."""

    weights: dict[str, list[int]]
    """Hundredths of a trick for each feature; at ``blind`` a constant, and hundredths of the mean
    score over the four suits."""
    tricks: dict[str, list[list[int]]]
    """How often each number of tricks is made, in thousandths, for each bucket of scores."""
    premiers_of_16: list[int]
    """Of sixteen games with so many tricks, those whose first tricks were won without a break."""
    typical: dict[Mode, int]
    """The bucket of a hand that somebody else has bid on, as far as one can tell."""
    forced: int
    """The bucket of a hand that somebody else was forced to play."""


FILE: Final = Path(__file__).with_name("steady_measured.json")


def _read() -> dict[int, Measured]:
    tables: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return {int(players): Measured(**table) for players, table in tables.items()}


in_use: Final = _read()
"""The tables by the number of players; a measuring alone puts others in their place."""


def measured(players: int) -> Measured:
    """The measurements for N players."""
    return in_use[players]


_KEYS: Final = {"bid", "players", "way", "tricks", "typical", "learned"}


@frozen_by_keyword
class MeasuredBid:
    """What hands make at one bid, in place of what is measured for all bids of its way."""

    players: int
    way: Mode
    tricks: tuple[tuple[int, ...], ...]
    """As of ``Measured``, for this bid."""
    typical: int


def measured_bid(file: MeasuredFile) -> MeasuredBid:
    """What a plugin ships of a bid; raises PluginError with what is wrong with the file."""
    told: Any = None
    fault = file.fault
    if len(file.content) > file.MOST:
        fault = f"has more than {file.MOST} bytes"
    elif not fault:
        try:
            told = json.loads(file.content.decode("utf-8"))
            fault = next(_faults(told, file.bid), "")
        except (ValueError, RecursionError):
            fault = "is no JSON"
    if fault:
        data = {"plugin": file.plugin, "bid": file.bid, "file": file.path}
        raise PluginError.of("bad-measured", fault=fault, **data)
    rows = tuple(map(tuple, told["tricks"]))
    return MeasuredBid(
        players=told["players"], way=told["way"], tricks=rows, typical=told["typical"]
    )


def _faults(told: Any, bid: str) -> Iterator[str]:
    """What is wrong with the content of such a file; what comes first makes the rest readable."""
    if not isinstance(told, dict) or set(told) != _KEYS:
        yield f"does not have these keys and no others: {', '.join(sorted(_KEYS))}"
    if told["bid"] != bid:
        yield f"is of the bid {str(told['bid'])[:40]!r}"
    if type(told["players"]) is not int or told["players"] not in in_use:
        yield f"is of no number of players that is played: {str(told['players'])[:20]!r}"
    if told["way"] not in MODES:
        yield f"has a way that is none of {', '.join(MODES)}: {str(told['way'])[:20]!r}"
    if not _is_number(told["typical"], BUCKETS - 1):
        yield f"has a typical bucket that is none from 0 to {BUCKETS - 1}"
    rows, width = told["tricks"], len(in_use[told["players"]].premiers_of_16)
    if not isinstance(rows, list) or len(rows) != BUCKETS:
        yield f"does not have {BUCKETS} rows of tricks"
    for number, row in enumerate(rows):
        whole = isinstance(row, list) and len(row) == width
        if not whole or not all(_is_number(n, 1000) for n in row) or sum(row) != 1000:
            yield f"has a row {number} of tricks that is not {width} thousandths, 1000 in all"


def _is_number(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def as_json(table: Mapping[str, Any]) -> str:
    """Tables as their files have them: a row of numbers a line."""
    text = json.dumps(table, indent=1)
    return re.sub(r"\[\s+(-?\d[^\]]*?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text) + "\n"
