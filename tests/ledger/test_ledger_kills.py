"""Programs killed at random while they record: nothing acknowledged is lost, and the ledger
opens."""

import ledger_kills
import pytest


@pytest.mark.slow
def test_a_few_programs_killed_at_random_lose_nothing_acknowledged(tmp_path):
    """Six of the two hundred of the script, which kills whole programs and not only writers."""
    done = ledger_kills.run(tmp_path, kills=6, seed=2)
    assert (done.kills, done.lost, done.twice) == (6, 0, 0)
    assert done.acknowledged + done.under_way > 0
