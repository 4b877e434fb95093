"""What was measured for ``steady``, as the kernel reads it; ``tables.play_layout`` says where everything stands."""

import numpy as np

from quadrille_core.rules import Rules
from quadrille_plugins.fast import layout
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.tabulate import Ints
from quadrille_plugins.players.steady_features import BUCKETS, MODES
from quadrille_plugins.players.steady_measured import measured
from quadrille_plugins.players.steady_value import mode_of


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


def mind_of(rules: Rules, table: Ints, amounts: Ints) -> tuple[Ints, Ints, Ints] | None:
    """STEADY, SCORES and VALUES of rules whose RULES and rules of money these are: what she plays by.

    None where what the rules pay cannot be told in whole parts of a counter.
    """
    from quadrille_plugins.players.kernel_steady_hands import SCORES, fill_scores
    from quadrille_plugins.players.kernel_steady_values import fill_values, values_size

    steady = tabulate_steady(rules)
    scores, values = np.zeros(SCORES, np.int64), np.zeros(values_size(table), np.int64)
    fill_scores(steady, scores)
    result, out = np.zeros(layout.RES_SIZE, np.int64), np.zeros(layout.OUT_SIZE, np.int64)
    return (steady, scores, values) if fill_values(table, amounts, steady, values, result, out) else None
