"""All that ``seer`` plays by under some rules, as the kernel reads it."""

from typing import Any

import numpy as np

from quadrille_core.engine.terms import asks_several
from quadrille_core.rules import Rules
from quadrille_plugins.kernel import lanes
from quadrille_plugins.players import steady_policy

CHANCE = 200
"""Hundredths of standard errors that deals not yet imagined are allowed to move what the others
say."""


def policy_of(rules: Rules, record: Any, *, deals: int, solved: int) -> tuple[Any, ...] | None:
    """What ``steady`` plays by, the lanes of the rules and the parameters (``kernel_choose``); None
    where payments cannot be told in whole parts of a counter."""
    steady = steady_policy.policy_of(rules, record)
    if steady is None:
        return None
    # facts of the play beyond the number of tricks pay as ``steady`` plays, and several cards asked
    # for are not imagined
    plain = bool(rules.own.recorded_facts() or asks_several(rules))
    parameters = np.array([deals, solved, plain, CHANCE], np.int64)
    return (*steady, lanes.tabulate(rules.cards, rules.forcing), parameters)
