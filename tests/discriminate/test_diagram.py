"""Decision diagrams beside plain tables of every combination."""

from itertools import product
from math import prod

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from quadrille_plugins.discriminate import diagram
from quadrille_plugins.discriminate.diagram import Diagrams

from quadrille_core.errors import UsageError

SIZES = (2, 3, 1, 2)
PICKS = list(product(*map(range, SIZES)))
TABLES = st.lists(st.sampled_from(["a", "b", "c"]), min_size=len(PICKS), max_size=len(PICKS))
TRUTHS = st.lists(st.booleans(), min_size=len(PICKS), max_size=len(PICKS))


def node_of(diagrams, table, choice=0, prefix=()):
    if choice == len(SIZES):
        return diagrams.value(table[PICKS.index(prefix)])
    return diagrams.make(
        choice,
        tuple(node_of(diagrams, table, choice + 1, (*prefix, n)) for n in range(SIZES[choice])),
    )


def table_of(diagrams, node):
    found = []
    for pick in PICKS:
        at = node
        for choice, option in enumerate(pick):
            at = diagrams.fixed(at, choice, option)
        found.append(diagrams.value_of(at))
    return found


@given(TABLES)
def test_a_diagram_has_the_values_of_its_table_and_counts_them(table):
    d = Diagrams(SIZES)
    node = node_of(d, table)
    assert table_of(d, node) == table
    assert d.counts(node) == {v: table.count(v) for v in set(table)}
    assert node_of(d, list(table)) == node


@given(TABLES)
def test_cubes_are_disjoint_and_whole(table):
    d = Diagrams(SIZES)
    seen = {}
    for cube, value in d.cubes(node_of(d, table)):
        for pick in PICKS:
            if all(pick[c] == o for c, o in cube):
                assert pick not in seen
                seen[pick] = value
    assert [seen[p] for p in PICKS] == table


@given(TRUTHS, TRUTHS)
def test_sets_are_joined_and_cut_as_tables_are(one, two):
    d = Diagrams(SIZES)
    a, b = node_of(d, one), node_of(d, two)
    assert table_of(d, d.both(a, b)) == [x and y for x, y in zip(one, two, strict=True)]
    assert table_of(d, d.either(a, b)) == [x or y for x, y in zip(one, two, strict=True)]
    assert d.count(a) == sum(one)


@given(TRUTHS, st.sets(st.integers(0, len(SIZES) - 1)))
def test_a_shadow_forgets_choices(table, choices):
    d = Diagrams(SIZES)
    node = node_of(d, table)
    kept = [c for c in range(len(SIZES)) if c not in choices]
    standing = {tuple(p[c] for c in kept) for p, v in zip(PICKS, table, strict=True) if v}
    shadow = d.without(node, frozenset(choices))
    assert table_of(d, shadow) == [tuple(p[c] for c in kept) in standing for p in PICKS]
    assert d.onto(node, frozenset(kept)) == shadow
    assert d.support(shadow) <= set(kept)


@given(st.integers(0, len(SIZES) - 1), st.data())
def test_a_choice_may_go_first_whatever_its_options_depend_on(choice, data):
    d = Diagrams(SIZES)
    tables = [data.draw(TABLES) for _ in range(SIZES[choice])]
    node = d.choose(choice, tuple(node_of(d, t) for t in tables))
    assert table_of(d, node) == [tables[p[choice]][n] for n, p in enumerate(PICKS)]


@given(TRUTHS, st.sampled_from(PICKS))
def test_what_is_picked_is_in_the_set_and_the_wanted_one_if_that_is(table, wanted):
    d = Diagrams(SIZES)
    picked = d.pick(node_of(d, table), wanted)
    if picked is None:
        assert not any(table)
    else:
        assert table[PICKS.index(picked)]
        assert picked == wanted or not table[PICKS.index(wanted)]


@given(TABLES)
@settings(max_examples=30)
def test_values_are_changed_one_by_one(table):
    d = Diagrams(SIZES)
    assert table_of(d, d.map("upper", str.upper, node_of(d, table))) == [v.upper() for v in table]


def test_more_configurations_than_could_be_listed_are_counted_exactly():
    d = Diagrams([3] * 60)
    node = d.either(d.cube(((0, 1), (59, 2))), d.is_option(30, 0))
    assert d.count(d.true) == 3**60
    assert d.count(node) == 3**59 + 2 * 3**57
    assert prod(d.sizes) == 3**60


def test_a_diagram_that_grows_too_large_is_given_up(monkeypatch):
    monkeypatch.setattr(diagram, "MOST_NODES", 20)
    d = Diagrams([2] * 20)
    with pytest.raises(UsageError, match="too entangled"):
        d.all_of([d.either(d.is_option(n, 0), d.is_option(n + 10, 0)) for n in range(10)])


def test_no_choice_at_all_is_one_configuration():
    d = Diagrams([])
    assert d.count(d.true) == 1
    assert d.pick(d.true, ()) == ()
    assert list(d.cubes(d.true)) == [((), True)]
