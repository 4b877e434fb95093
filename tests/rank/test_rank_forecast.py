"""How long a ranking is said to take, by a clock that only the deals move."""

import time
from dataclasses import replace

import pytest
from quadrille_plugins.rank.study import rank
from support.ranking import answers, asked, made

LOADING = 20.0
"""Seconds until the first answer, of which the deals are one."""


@pytest.mark.parametrize("second", [0.0, 1.0, 30.0])
def test_the_first_forecast_is_within_a_factor_of_two(second, tmp_path, monkeypatch):
    """Three points in four are dropped after 32 configurations, and a second player plays blocks 1
    to 32 alone."""
    space, now, played = made(tmp_path, "solo", "losses", "firsts", "named"), [time.monotonic()], []
    plan = asked(exact=False, sample_size=256, limits=(None, 33), costs=(1.0, second))
    made_up = answers(space, lambda a, b, c, d: 20 * a + 2 * b + a * b)

    def evaluate(tasks):
        for task in tasks:
            (outcome,) = made_up([task])
            if not played:
                now[0] += LOADING
            now[0] += 0.1 * (1 + (second if 0 < task[1] < 33 else 0))
            played.append(task)
            yield replace(
                outcome,
                responses=(
                    outcome.responses[0],
                    outcome.responses[0] if 0 < task[1] < 33 else None,
                ),
            )

    began, said = now[0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    rank(space, plan, evaluate, expect=said.append)
    took = now[0] - began
    assert len(played) < 0.6 * (plan.sample_size + 1) * 6  # points were dropped
    assert took / 2 < said[0] < 2 * took
    assert said[-1] == pytest.approx(took, rel=0.1)
