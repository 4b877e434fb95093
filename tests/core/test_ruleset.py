"""Compiling: merging, readings, witnesses, settings by hand, constraints, provenance, digests."""

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.data import cases

from quadrille_core import vocabulary
from quadrille_core.errors import DidYouMean, ProfileError, QuadrilleError
from quadrille_core.hookspecs import AtLeast
from quadrille_core.ruleset import compile_reference, crosscheck, parse_reference

CHILD = """\
kind: profile
id: child
title: Child
extends: quanti-1822
"""


@pytest.fixture
def write(tmp_path):
    def write(text: str, name: str = "child.yaml"):
        path = tmp_path / name
        path.write_text(dedent(text))
        return str(path)

    return write


def codes(reference, **options):
    with pytest.raises(QuadrilleError) as e:
        compile_reference(reference, **options)
    return [p.code for p in e.value.problems], e.value.problems


def test_a_child_states_only_what_differs_and_the_rest_is_its_parents(write):
    child = compile_reference(write(CHILD + "rules: {payments: {premiers: 5}}\n"))
    parent = compile_reference("quanti-1822")
    changed = {p for p in parent.origins if parent.value_of(p) != child.value_of(p)}
    assert changed == {"payments.premiers"}


def test_a_childs_rule_does_not_inherit_its_parents_citation(write):
    child = compile_reference(write(CHILD + "rules: {payments: {premiers: 5}}\n"))
    origin = child.origins["payments.premiers"]
    assert origin.status == "house"
    assert [link.value for link in origin.chain] == [1, 5]
    assert child.origins["payments.matadors.three"].status == "attested"


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("{payments: {matadors: {three: 1}}}", "payments.matadors.three"),  # of the profile
        ("{payments: {premium: {solo: 4}}}", "payments.premium.solo"),  # of a reading
    ],
)
def test_what_a_child_repeats_is_attested_as_before(write, rule, path):
    """Who takes over a line of `quadrille new` makes no rule by it; a source of the child's own
    goes before."""
    parent = compile_reference("quanti-1822").origins[path]
    child = compile_reference(write(f"{CHILD}rules: {rule}\n")).origins[path]
    assert (child.link.setter, child.link.name) == ("profile", "child")
    assert child.link.citations == parent.link.citations != ()
    grandchild = (
        f"{CHILD.replace('child', 'grand').replace('quanti-1822', './child.yaml')}rules: {rule}\n"
    )
    assert (
        compile_reference(write(grandchild, "grand.yaml")).origins[path].link.citations
        == parent.link.citations
    )
    cited = f"{CHILD}rules: {rule}\ncites: {{payments: {{source: modern-page, at: here}}}}\n"
    assert compile_reference(write(cited)).origins[path].source_text() == "modern-page: here"
    changed = rule.replace("1", "2").replace("4", "5")
    assert compile_reference(write(f"{CHILD}rules: {changed}\n")).origins[path].status == "house"


def test_a_neutral_value_that_a_child_states_is_its_own_rule(write):
    """Nobody attests a neutral value, and that nothing in the profile states it is no longer
    true."""
    neutral = compile_reference("quanti-1822").origins["payments.consolation"]
    assert neutral.link.setter == "vocabulary"
    child = compile_reference(
        write(f"{CHILD}rules: {{payments: {{consolation: {neutral.value}}}}}\n")
    )
    assert child.origins["payments.consolation"].status == "house"


def test_a_childs_rule_stands_above_its_parents_reading_and_a_hand_chosen_reading_says_so(write):
    path = write(CHILD + "rules: {cards: {red_plain_ace: top}}\n")
    assert compile_reference(path).value_of("cards.red_plain_ace") == "top"
    found, problems = codes(path, readings={"red_plain_ace": "below_knave"})
    assert found == ["Q603"]
    assert (problems[0].place.line, problems[0].place.col) == (5, 17)


def test_a_child_may_choose_its_parents_readings(write):
    child = compile_reference(write(CHILD + "readings: {unit: fixed}\n"))
    assert child.value_of("stakes.unit_of") == "constant"
    assert child.origins["stakes.unit_of"].link.name == "unit=fixed"


def test_an_extended_path_is_found_beside_the_file_that_names_it(write, tmp_path):
    (tmp_path / "deep").mkdir()
    write(CHILD + "rules: {payments: {premiers: 5}}\n")
    path = tmp_path / "deep" / "grandchild.yaml"
    path.write_text("kind: profile\nid: g\ntitle: G\nextends: ../child.yaml\n")
    assert compile_reference(str(path)).value_of("payments.premiers") == 5


def test_settings_by_hand_come_last_and_are_named_in_the_identity():
    compiled = compile_reference("quanti-1822", settings={"payments.premium.solo": 9})
    assert compiled.value_of("payments.premium.solo") == 9
    assert dict(compiled.ruleset.identity.settings) == {"payments.premium.solo": "9"}
    assert compiled.origins["payments.premium.solo"].link.setter == "setting"


@cases("ruleset")
def test_what_is_chosen_by_hand_must_exist(options, code, help):
    found, problems = codes("quanti-1822", **options)
    assert found == [code]
    assert help in problems[0].help


def test_an_unknown_witness_is_refused_with_the_known_ones():
    found, problems = codes("quanti-1822@parlet")
    assert found == ["Q403"]
    assert problems[0].help == "did you mean parlett?"


def test_an_unknown_profile_is_refused_with_the_nearest_name():
    found, problems = codes("quanti-1823")
    assert found == ["Q306"]
    assert "did you mean quanti-1822?" in problems[0].help


@pytest.mark.parametrize("typed", ["ours", "quanti-1823"])
def test_beside_near_names_and_lists_it_says_how_a_file_is_named(typed):
    """Whoever types the name of a file without its ending means no shipped one."""
    _, problems = codes(typed)
    assert isinstance(problems[0].hint, DidYouMean)
    assert "ending in .yaml" in problems[0].help


def test_all_faults_of_a_profile_come_in_one_pass(write):
    path = write(
        CHILD
        + """\
rules:
  bids:
    solo: {rank: 10, tricks: 0}
  favourite: {overcalls: true}
  deal: {packets: [[5, 4]]}
readings: {unit: fixt}
"""
    )
    found, _ = codes(path)
    assert "Q402" in found
    path = write(
        CHILD
        + """\
rules:
  bids:
    solo: {rank: 10, tricks: 0}
  favourite: {overcalls: true}
  deal: {packets: [[5, 4]]}
"""
    )
    found, problems = codes(path)
    assert found == ["Q606"] * 4
    assert [p.place.line for p in problems] == [7, 7, 8, 9]


def test_a_constraint_names_its_reason_and_source(write):
    path = write(
        CHILD
        + """\
constraints:
  - when: {stakes.unit_of: stake}
    excludes: {stakes.unit_rounding: exact}
    reason: our box has no fractions
    source: quanti-1822
"""
    )
    found, problems = codes(path)
    assert found == ["Q603"]
    assert (
        problems[0].message
        == "where stakes.unit_of is stake, stakes.unit_rounding may not be exact"
    )
    assert problems[0].help == "our box has no fractions (quanti-1822)"
    assert compile_reference(path, settings={"stakes.unit_rounding": "down"})


def test_a_requirement_may_speak_of_every_bid(write):
    path = write(
        CHILD
        + """\
constraints:
  - when: {bids.*.made: [in_turn, when_all_pass, never]}
    requires: {bids.*.premiers: true}
    reason: premiers for all
"""
    )
    found, _ = codes(path)
    assert found == ["Q602"]


def test_a_parents_assumption_is_rechecked_in_every_child(write):
    write(
        CHILD
        + """\
assumes:
  - that: {stakes.unit_of: stake}
    reason: our table of payments is in quarters of the stake
"""
    )
    path = write(
        "kind: profile\nid: g\ntitle: G\nextends: child.yaml\nrules: {stakes: {unit_of: "
        "constant}}\n",
        "g.yaml",
    )
    found, problems = codes(path)
    assert found == ["Q304"]
    assert problems[0].place.path.endswith("g.yaml")
    assert (
        "profile 'child' assumes that stakes.unit_of is stake; here it is constant"
        in problems[0].message
    )


def test_the_digest_does_not_depend_on_the_order_of_keys_nor_on_titles(write):
    one = compile_reference(write(CHILD + "rules: {payments: {premiers: 5}, stakes: {ante: 2}}\n"))
    two = compile_reference(
        write(
            CHILD.replace("Child", "Other")
            + "rules: {stakes: {ante: 2}, payments: {premiers: 5}}\n",
            "two.yaml",
        )
    )
    assert one.ruleset.identity.digest == two.ruleset.identity.digest
    assert one.ruleset.rules == two.ruleset.rules


def test_the_digest_depends_on_every_leaf():
    """Changing any one rule of Médiateur to another valid value changes the digest."""
    base = compile_reference("mediateur-1752").ruleset
    from quadrille_core.ruleset import digest

    values = vocabulary.dump(base.rules)
    for path in values:
        if path.endswith(".title"):
            assert digest({**values, path: "changed"}, ()) == digest(values, ())
            continue
        assert digest({**values, path: "changed"}, ()) != digest(values, ()), path


def test_a_leaf_at_its_neutral_value_does_not_count_in_the_digest():
    """A digest in print stays true when the vocabulary gains a mechanic that the rules do not
    use."""
    from quadrille_core import vocabulary
    from quadrille_core.ruleset import digest

    values = vocabulary.dump(compile_reference("mediateur-1752").ruleset.rules)
    older = {
        path: value
        for path, value in values.items()
        if not (
            vocabulary.leaf_at(path).has_default
            and vocabulary.leaf_at(path).default_plain() == value
        )
    }
    assert 0 < len(older) < len(values)
    assert digest(older, ()) == digest(values, ())


def test_spelling_a_value_differently_does_not_change_the_digest():
    one = compile_reference("quanti-1822", settings={"payments.premiers": "4/2"})
    two = compile_reference("quanti-1822", settings={"payments.premiers": 2})
    assert one.ruleset.identity.digest == two.ruleset.identity.digest


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("quanti-1822", ("quanti-1822", None)),
        ("quanti-1822@parlett", ("quanti-1822", "parlett")),
        ("./a@b/c.yaml", ("./a@b/c.yaml", None)),
        ("a.yaml@w", ("a.yaml", "w")),
        ("me@home.yaml", ("me@home.yaml", None)),
        ("@", ("@", None)),
    ],
)
def test_a_reference_splits_at_its_last_at_sign(text, parts):
    reference = parse_reference(text)
    assert (reference.profile, reference.witness) == parts


@given(st.text(max_size=40))
def test_no_reference_gives_anything_but_a_clear_error(text):
    try:
        compile_reference(text)
    except QuadrilleError as e:
        assert e.problems
    else:
        assert text.split("@")[0] in ("quanti-1822",)


def test_a_favourite_that_is_no_suit_is_refused_when_it_is_set_by_hand():
    with pytest.raises(ProfileError) as refused:
        compile_reference("mediateur-1752", settings={"favourite.suit": "none"})
    assert [(p.code, p.message) for p in refused.value.problems] == [
        ("Q606", "the favourite must be a suit")
    ]


def test_a_number_no_lower_than_a_bound_is_kept_by_a_constraint():
    """The older article has every player begin with forty counters at the least; points have no
    purse."""
    for purse in (40, 41, 1000):
        assert (
            compile_reference("quadrille-laws", settings={"table.purse": purse}).value_of(
                "table.purse"
            )
            == purse
        )
    with pytest.raises(ProfileError) as refused:
        compile_reference("quadrille-laws", settings={"table.purse": 39})
    (problem,) = refused.value.problems
    assert (problem.code, problem.message) == (
        "Q602",
        "where score.kept is counters, table.purse must be 40 or more, not 39",
    )
    assert "give each forty or more (wikipedia-old)" in problem.help
    assert compile_reference("quadrille-laws+point-score").value_of("table.purse") == 0


def test_what_is_no_number_is_below_every_bound():
    """A plugin may ask it of any rule; where several rules are meant, all must reach it."""
    values = {
        "stakes.unit": "1/4",
        "stakes.unit_of": "stake",
        "payments.premium.solo": 2,
        "payments.premium.vole": 4,
    }
    assert crosscheck.holds(values, "stakes.unit", AtLeast(0))
    assert not crosscheck.holds(values, "stakes.unit", AtLeast(1))
    assert not crosscheck.holds(values, "stakes.unit_of", AtLeast(0))
    assert crosscheck.holds(values, "payments.premium.*", AtLeast(2))
    assert not crosscheck.holds(values, "payments.premium.*", AtLeast(3))
