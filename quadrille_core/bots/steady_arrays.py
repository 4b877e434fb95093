"""What was measured for ``steady``, as the kernel reads it; ``tables.play_layout`` says where everything stands."""

import numpy as np

from quadrille_core.bots.steady_features import BUCKETS, MODES
from quadrille_core.bots.steady_measured import measured
from quadrille_core.bots.steady_value import mode_of
from quadrille_core.rules import Rules
from quadrille_core.tables import play_layout as at
from quadrille_core.tables.play import Ints


def tabulate_steady(rules: Rules) -> Ints:
    """STEADY of these rules, int64: weights, shares of tricks, premiers, typical hands, and how each bid is played."""
    known = measured(rules.table.players)
    bids = [bid for _, bid in rules.bids.items()]
    table = np.zeros(at.MODES + len(bids), np.int64)
    for way, mode in enumerate(MODES):
        weights = known.weights[mode]
        table[at.WEIGHTS + way * at.FEATURES :][: len(weights)] = weights
        for bucket, shares in enumerate(known.tricks[mode]):
            row = at.SHARES + (way * BUCKETS + bucket) * (at.MOST_TRICKS + 1)
            table[row : row + len(shares)] = shares
        table[at.TYPICAL + way] = known.typical[mode]
    table[at.PREMIERS_OF_16 :][: len(known.premiers_of_16)] = known.premiers_of_16
    table[at.FORCED_BUCKET] = known.forced
    table[at.MODES :] = [MODES.index(mode_of(bid)) for bid in bids]
    return table
