"""Rules drawn at random over every leaf's values, not over readings alone: refused with a reason,
or they play.

A rule set that the compiler lets pass must end every deal, always offer a move, keep every counter,
settle every result that its own table produces, and replay its records to the same payments.
"""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.settle.possible import impossible
from support.any_rules import APART, BASES, changes
from support.sessions import check_deal, fund_gave

from quadrille_core import vocabulary
from quadrille_core.errors import ProfileError
from quadrille_core.ruleset import compile_reference

EXAMPLES, DEALS, MOST_CHANGED = 50, 6, 6
CONTRADICTIONS = {"Q304", "Q601", "Q602", "Q603", "Q606"}
"""What complete rules may be refused for; anything else is a value that the vocabulary itself would
not take."""


class Anything:
    """Takes any legal action, mostly passing; sees to it that there is one and that none is offered
    twice."""

    name = "anything"

    def choose(self, view: Any, legal: Any, stream: Any) -> Any:
        assert legal
        assert len(set(legal)) == len(legal)
        if view.phase == "auction" and stream.below(3):
            return legal[0]
        return legal[stream.below(len(legal))]


@pytest.mark.slow
@pytest.mark.parametrize("name", BASES)
def test_whatever_is_set_the_rules_are_refused_or_play_settle_and_replay(name):
    tally: Counter[str] = Counter()
    choices = list(changes(name))

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @example([("premiers.tricks", 1)], 1)  # once refused where a game won may be claimed too
    @given(
        st.lists(st.sampled_from(choices), min_size=1, max_size=MOST_CHANGED),
        st.integers(0, 2**64 - 1),
    )
    def play(drawn, seed):
        try:
            ruleset = compile_reference(name, settings=dict(drawn)).ruleset
        except ProfileError as refused:
            assert {p.code for p in refused.problems} <= CONTRADICTIONS
            assert all(p.message and p.help for p in refused.problems)
            tally["refused"] += 1
            return
        tally["played"] += 1
        table = ruleset.rules.table
        total = Fraction(table.players * table.purse)
        for played in play_session(
            ruleset, [Anything()] * table.players, seed=seed, session=0, deals=DEALS
        ):
            total += sum(played.refills) + fund_gave(played)
            if ruleset.rules.score.kept == "counters":
                assert sum(played.holdings) + played.pool_after == total
            check_deal(ruleset, played)
            result = played.deal.result()
            if result is not None:
                assert impossible(ruleset.rules, result) == []
                tally[played.settlement.outcome] += 1

    play()
    assert tally["played"] >= EXAMPLES // 5, (
        f"nearly all draws are refused, and little is played: {dict(tally)}"
    )
    assert len({"won", "remise", "codille"} & set(tally)) > 1


def test_values_are_tried_of_every_leaf_that_a_profile_has():
    """So a new leaf is under the test as soon as a profile has it; and of every choice every word
    is tried."""
    tried: dict[str, set[str]] = {}
    for name in BASES:
        for path, value in changes(name):
            tried.setdefault(vocabulary.leaf_at(path).pattern, set()).add(str(value))
    assert set(vocabulary.leaves()) - set(tried) == APART
    for pattern, leaf in vocabulary.leaves().items():
        assert pattern in APART or set(map(str, leaf.choices())) <= tried[pattern]
        assert pattern in APART or len(tried[pattern]) > 1
