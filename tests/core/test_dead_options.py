"""The dead-option guard: every leaf of the vocabulary matters, and so does every value that it can
take.

The leaves are those of ``vocabulary.leaves()``, not a list kept here.  Of each leaf the cases in
``decisive`` must show that a change of it alone changes what happens at a table: any two words of a
choice are distinguished, a yes from a no, an amount from a greater and from a smaller one, a list from
one with an item more or less.

So switching the code of any rule off fails a test by name: whoever makes the engine ignore
``vole.consultation``, or treat two of its words alike, finds
``test_a_leaf_is_decisive[vole.consultation]`` failing, with the words that can no longer be told
apart.  A new leaf that no code reads fails the same way; if the leaf does work and the cases by
chance never reach it, add a case for it to ``data/decisive.yaml``, with a sentence that says what
it shows.
"""

import pytest
from support import decisive
from support.decisive import CASES, demanded, lacking, other_values, refusals, shown_by

from quadrille_core import vocabulary

LEAVES = vocabulary.leaves()

NEVER_ALONE = {
    "table.players": ["less", "more"],
    "table.hand_cards": ["less", "more"],
    "bids.*.made": ["never / when_all_pass"],
    "bids.*.forced_on": ["none"],
    "bids.*.goal": ["all / none", "at_least / none"],
    "favourite.source": [
        *("drawn_each_deal / fixed", "drawn_each_session / fixed"),
        *("first_trumps / fixed", "fixed / none"),
    ],
    "favourite.suit": ["none"],
    "favourite.doubles": ["bonuses / game"],
}
"""What is decisive only where the compiler would refuse the rules, since another leaf must change
with it."""


@pytest.mark.parametrize("pattern", LEAVES)
def test_a_leaf_is_decisive(pattern):
    wanted = demanded(pattern)
    assert wanted
    missing = lacking(pattern)
    assert not missing, (
        f"{pattern} changes nothing in any case: {', '.join(missing)} ({LEAVES[pattern].doc})"
    )


@pytest.mark.parametrize(
    "pattern", [p for p in LEAVES if p in NEVER_ALONE or any(p in c.leaves for c in CASES)]
)
def test_only_what_cannot_be_changed_alone_is_shown_under_rules_that_are_refused(pattern):
    assert lacking(pattern, without_refused=True) == NEVER_ALONE.get(pattern, [])


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.why)
def test_a_case_stands_on_rules_that_a_profile_could_have(case):
    assert refusals(case.values()) == []
    for path in case.leaves:
        pattern = vocabulary.pattern_of(path)
        assert pattern is not None, f"{path} is no rule"
        assert case.paths(pattern), f"the base rules have no {path}"
    if case.refused:
        changes = [
            {**case.values(), path: value}
            for pattern in map(vocabulary.pattern_of, case.leaves)
            for path in case.paths(pattern)
            for _, value in other_values(LEAVES[pattern], case.values()[path])
        ]
        assert any(refusals(values) for values in changes), "nothing is refused here"


@pytest.mark.parametrize("case", [c for c in CASES if c.leaves], ids=lambda c: c.why)
def test_a_case_shows_what_it_is_made_for(case):
    """So a rule that is honoured in two places has a case for each, and neither can be switched off
    unseen."""
    for path in case.leaves:
        pattern = vocabulary.pattern_of(path)
        assert shown_by(case, pattern, demanded(pattern)), f"{path} changes nothing here"


@pytest.mark.parametrize(
    "pattern", ["vole.consultation", "bids.*.call.fallback", "payments.premiers", "table.purse"]
)
def test_a_rule_whose_code_is_switched_off_is_found(pattern, monkeypatch):
    """Switched off for the guard's own test: whatever the leaf is set to, the table plays by its
    base value."""
    assert lacking(pattern) == []
    monkeypatch.setattr(decisive, "with_leaves", lambda rules, leaves: rules)
    assert lacking(pattern) == sorted(demanded(pattern))
    assert lacking(pattern) != []
