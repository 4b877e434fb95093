"""All that ``steady`` plays by under some rules, as the kernel reads it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from quadrille_core.rules import Rules
from quadrille_plugins.kernel.state import OUT, RESULT
from quadrille_plugins.players.kernel_steady_hands import SCORES, fill_scores
from quadrille_plugins.players.kernel_steady_values import fill_values, values_size
from quadrille_plugins.players.steady_arrays import tabulate_steady
from quadrille_plugins.players.steady_manner import Manner

Ints = npt.NDArray[np.int64]


def policy_of(
    rules: Rules, record: Any, **manner: Any
) -> tuple[Any, npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
    """How it plays, what it has measured, SCORES and VALUES under the rules of this record: all
    that it plays by.

    ``manner`` are the parameters that are not as usual.  None where what the rules pay cannot be
    told in whole parts of a counter.
    """
    steady = tabulate_steady(rules, Manner(**manner))
    scores, values = np.zeros(SCORES, np.int64), np.zeros(values_size(record), np.int64)
    fill_scores(steady, scores)
    result, out = np.zeros(1, RESULT)[0], np.zeros(1, OUT)[0]
    return (steady, scores, values) if fill_values(record, steady, values, result, out) else None
