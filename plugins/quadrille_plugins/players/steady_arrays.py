"""What ``steady`` plays by under some rules, as the kernel reads it: what was measured, and what
hands and contracts are worth by it."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quadrille_core.engine.deal_record import MOST_BIDS
from quadrille_core.rules import Rules
from quadrille_core.vocabulary import hints_of
from quadrille_plugins.kernel.record import INT, ints, layout, number_of, words
from quadrille_plugins.kernel.state import name_type
from quadrille_plugins.players.steady_features import BUCKETS, MODES, Mode
from quadrille_plugins.players.steady_manner import Calls, Covers, Leads, Manner
from quadrille_plugins.players.steady_measured import measured
from quadrille_plugins.players.steady_value import measured_bids, mode_of

Ints = npt.NDArray[np.int64]
WAY: Final = words(Mode)
"""The ways of playing that it values."""
CALLS: Final = words(Calls)
LEADS: Final = words(Leads)
COVERS: Final = words(Covers)
MOST_TRICKS: Final = 10
TABLES: Final = len(MODES) + MOST_BIDS
"""Measured tables: one for each way of playing, then those of single bids."""
STEADY: Final = layout(
    {
        "weights": (INT, (len(MODES), 18)),
        "modes": (INT, (MOST_BIDS,)),
        "tables": (INT, (MOST_BIDS,)),
        "premiers_of_16": (INT, (MOST_TRICKS + 1,)),
        **ints(" ".join(("forced_bucket", *Manner._fields))),
        "typical": (INT, (TABLES,)),
        "shares": (INT, (TABLES, BUCKETS, MOST_TRICKS + 1)),
    }
)
"""How it plays (``Manner``), and what it has measured: for each way of playing the weights of
features; for each bucket of hands, in thousandths, how often each number of tricks is made; the
bucket of a typical hand.  ``modes`` is the way of playing of each bid, ``tables`` the place of what
it makes in ``shares`` and ``typical``."""
name_type("steady", STEADY)


def tabulate_steady(rules: Rules, manner: Manner) -> Any:
    """How it plays, what it has measured for tables such as these rules have, and its way of
    playing each bid."""
    known, table = measured(rules.table.players), np.zeros(1, STEADY)[0]
    bids = measured_bids(rules)
    tables: list[tuple[Any, int]] = [(known.tricks[mode], known.typical[mode]) for mode in MODES]
    tables += [(bid.tricks, bid.typical) for bid in bids.values()]
    for place, (rows, typical) in enumerate(tables):
        for bucket, shares in enumerate(rows):
            table["shares"][place, bucket, : len(shares)] = shares
        table["typical"][place] = typical
    for way, mode in enumerate(MODES):
        table["weights"][way, : len(known.weights[mode])] = known.weights[mode]
    table["premiers_of_16"][: len(known.premiers_of_16)] = known.premiers_of_16
    table["forced_bucket"] = known.forced
    for name, value in manner._asdict().items():
        table[name] = number_of(hints_of(Manner)[name], value)
    own = list(bids)
    for place, (name, bid) in enumerate(rules.bids.items()):
        way = table["modes"][place] = MODES.index(mode_of(bid))
        table["tables"][place] = len(MODES) + own.index(name) if name in bids else way
    return table
