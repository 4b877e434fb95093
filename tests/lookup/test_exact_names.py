"""Exact names: `point:`, `term:` and ids answer that thing and no other, in a rule set and without
one."""

import pytest
from quadrille_plugins.lookup.find import all_points, everything, find, shipped

from quadrille_core.kinds import TRICKS

RULES = "quanti-1822"


@pytest.mark.parametrize("command", ["explain", "apparatus"])
@pytest.mark.parametrize("point", ["unit", "remise_pays"])
def test_a_point_named_exactly_is_answered_without_a_rule_set(quadrille, command, point):
    """What was once called so besides is not listed: `point:` means the present id."""
    status, out, _ = quadrille(command, f"point:{point}")
    assert status == 0
    assert out.startswith(f"{point}: ")


@pytest.mark.parametrize("command", ["matters", "apparatus"])
def test_a_word_of_the_glossary_named_exactly_lists_what_the_word_lists(quadrille, command):
    """`term:vole` in a rule set touches the same points as `vole`."""
    named, plain = quadrille(command, RULES, "term:vole"), quadrille(command, RULES, "vole")
    assert plain[0] == 2
    assert named == plain


def test_a_word_named_exactly_lists_the_points_of_all_rule_sets(quadrille):
    """Without a rule set, too."""
    status, out, _ = quadrille("apparatus", "term:vole")
    assert status == 2
    assert "vole touches" in out


@pytest.mark.parametrize(
    "name", sorted(n for n, rules in shipped().items() if rules.kind == TRICKS)
)
def test_the_id_of_a_point_never_answers_with_another_point(name):
    """`point:alliance_loss` of rules that have no such point was answered by a study of
    `vole_pay`."""
    compiled = shipped()[name]
    own = all_points(compiled)
    for thing in everything():
        if thing.sort == "point":
            found = find(f"point:{thing.id}", compiled)
            if thing.id in own:
                assert found.one.id == thing.id
            elif found.one is None:
                assert (found.hits, found.help, bool(found.elsewhere)) == ((), None, True)
            else:
                assert thing.id in found.one.names  # what it was called once


def test_several_words_that_name_nothing_are_no_rule_set(quadrille):
    """`explain foo bar` said that no profile is called foo; one misspelt is still told."""
    status, _, err = quadrille("explain", "foo", "bar")
    assert status == 2
    assert "'foo bar' names no point" in err
    assert "did you mean quanti-1822?" in quadrille("explain", "quanti1822", "solo")[2]


def test_a_rule_that_is_kept_for_each_bid_is_found_by_the_bid(quadrille):
    """`leaf:solo` answered with a rule in whose title a solo is named."""
    status, out, _ = quadrille("explain", "quanti-1822", "leaf:solo")
    assert status == 2
    assert "payments.premium.*" in out
