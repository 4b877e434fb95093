"""A point's id asks one question in all profiles."""

import make_points
import pytest
from quadrille_plugins.matters.alternatives import alternatives_of

from quadrille_core import resources
from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.profile import load_profile
from quadrille_core.ruleset import compile_reference

PROFILES = make_points.profiles()
STATES = [(name, state) for name, compiled in PROFILES.items() for state in compiled.points]
MORE_RULES = {
    "alliance_loss": "the plugin three-tricks says elsewhere how many tricks Hombre must make "
    "herself",
}
"""Points whose readings set other rules in one profile than in another, and why the question is the
same."""


@pytest.mark.parametrize("point", sorted({state.point.id for _, state in STATES}))
def test_an_id_asks_the_same_question_of_the_same_rules_in_every_profile(point):
    found = [(name, s) for name, s in STATES if s.point.id == point]
    assert len({s.point.question for _, s in found}) == 1
    assert (len({tuple(make_points.rules_of(s)) for _, s in found}) > 1) == (point in MORE_RULES)


@pytest.mark.parametrize("profile", resources.shipped_profiles())
def test_an_overridden_point_of_a_parent_asks_what_the_parent_asked(profile):
    """Also where a child profile states the point anew, and in profiles that nobody plays."""
    asked = {s.point.id: s.point.question for _, s in STATES}
    for point in load_profile(resources.shipped_profiles()[profile], validate=False).points:
        assert asked.get(point.id, point.question) == point.question


def test_a_question_has_one_id():
    asked = {}
    for _, state in STATES:
        asked.setdefault(state.point.question, set()).add(state.point.id)
    assert {q: ids for q, ids in asked.items() if len(ids) > 1} == {}


def test_two_ids_that_decide_the_same_rules_of_the_same_bids_are_not_in_two_profiles():
    """Where two profiles decide one rule under two ids, one of them must also decide something
    else."""
    sets = {}
    for name, state in STATES:
        rules = frozenset(path for r in state.point.readings for path, _, _ in r.sets)
        sets.setdefault(rules, {}).setdefault(state.point.id, name)
    assert {tuple(ids) for ids in sets.values() if len(ids) > 1} == set()


def test_an_id_that_no_point_has_is_refused():
    with pytest.raises(ProfileError, match="no point in dispute is called 'overcalled_bidders'"):
        compile_reference("quadrille-modern", readings={"overcalled_bidders": "never"})
    with pytest.raises(UsageError, match="'overcalled_bidders' is no point in dispute"):
        alternatives_of("quadrille-modern", {}, {}, "overcalled_bidders")
