"""The table of disputed points says what the profiles say, and names only what can be chosen."""

import make_points
import pytest

from quadrille_core.bots import make_bot
from quadrille_core.engine.session import play_session
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

PROFILES = make_points.profiles()


def test_the_table_is_what_the_profiles_say():
    assert make_points.FILE.read_text() == make_points.table(), f"written anew by: {make_points.RENEW}"


@pytest.mark.parametrize("profile", PROFILES)
def test_every_point_of_a_profile_stands_in_the_table_with_all_its_readings(profile):
    rows = [line for line in make_points.FILE.read_text().splitlines() if f"`{profile}`" in line]
    for state in PROFILES[profile].points:
        assert any(f"`{state.point.id}`" in row and all(r.id in row for r in state.point.readings) for row in rows)


@pytest.mark.parametrize("profile", [n for n, compiled in PROFILES.items() if isinstance(compiled.game, RuleSet)])
def test_every_reading_of_every_point_is_played_to_the_end_without_losing_a_counter(profile):
    """A session counts its counters after every deal, and raises LedgerError when one is missing."""
    bots = [make_bot("random")] * PROFILES[profile].ruleset.rules.table.players
    for state in PROFILES[profile].points:
        for reading in state.point.readings:
            ruleset = compile_reference(profile, readings={state.point.id: reading.id}).ruleset
            played = list(play_session(ruleset, bots, seed=7, session=0, deals=2))
            assert len(played) == 2
            assert all(p.deal.over for p in played)
