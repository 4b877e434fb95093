"""A difference of rule sets is the sum of what groups of rules carry, in any grouping that can be
played."""

import csv
import io
import json
from fractions import Fraction
from functools import cache
from itertools import combinations
from types import SimpleNamespace

import pytest
from quadrille_plugins.compare import attribution, attribution_command
from quadrille_plugins.compare.attribution import Drawing, Holds, heaviest, holds, over_half
from quadrille_plugins.compare.grouping import (
    Group,
    Mixer,
    blocks_of,
    coherent,
    grouped,
    natural,
    split,
    tried,
)
from quadrille_plugins.compare.shapley import (
    all_coalitions,
    both_ways,
    interactions,
    of_orders,
    order_of,
    values,
)
from quadrille_plugins.compare.study import compare
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.design import plan
from quadrille_plugins.studies.effects import TOTAL
from quadrille_plugins.studies.family import tables_asked

import quadrille_core
from quadrille_core import vocabulary
from quadrille_core.errors import UsageError
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference, digest
from quadrille_core.ruleset.mix import mixed
from quadrille_core.stream import Purpose, Stream

GROUPS = 5
ADDED = (3, -7, 2, 0, 11)
PAIRS = {(0, 1): 8, (1, 4): -6}
TRIPLE, THREE = (0, 1, 2), 12
BLOCKS = ((0, 1), (2, 4), (3,))


def planted(coalition):
    """What each group adds, and what some add only together."""
    inside = {n for n in range(GROUPS) if coalition >> n & 1}
    found = sum(ADDED[n] for n in inside)
    found += sum(more for pair, more in PAIRS.items() if inside.issuperset(pair))
    return found + THREE * inside.issuperset(TRIPLE)


def worth_of(scheme, value=planted):
    return {c: [value(c)] for c in scheme.coalitions}


def stream(number):
    return Stream(1, number, 1, Purpose.READING)


def closed_form(n):
    pairs = sum(Fraction(more, 2) for pair, more in PAIRS.items() if n in pair)
    return ADDED[n] + pairs + Fraction(THREE, 3) * (n in TRIPLE)


def closed_interaction(pair):
    return PAIRS.get(pair, 0) + Fraction(THREE, 2) * set(TRIPLE).issuperset(pair)


def test_all_coalitions_give_the_closed_form_of_a_planted_game():
    scheme = all_coalitions(GROUPS, BLOCKS)
    found = [Fraction(v, scheme.parts) for (v,) in values(scheme, worth_of(scheme))]
    assert found[:GROUPS] == [closed_form(n) for n in range(GROUPS)]
    # groups 0 and 1 as one have what they add together, and half of what group 2 makes three
    assert found[GROUPS] == ADDED[0] + ADDED[1] + PAIRS[0, 1] + Fraction(THREE - 6, 2)
    assert {
        pair: Fraction(v, scheme.parts)
        for pair, (v,) in interactions(scheme, worth_of(scheme)).items()
    } == {pair: closed_interaction(pair) for pair in combinations(range(GROUPS), 2)}


def test_random_orders_give_on_average_what_all_coalitions_give():
    many, sums = 4000, [[] for _ in range(GROUPS + len(BLOCKS))]
    met = {}
    for number in range(many):
        scheme = of_orders(GROUPS, stream(number), BLOCKS)
        worth = worth_of(scheme)
        for n, (v,) in enumerate(values(scheme, worth)):
            sums[n].append(v / scheme.parts)
        for pair, (v,) in interactions(scheme, worth).items():
            met[pair] = met.get(pair, 0) + v / scheme.parts
    whole = all_coalitions(GROUPS, BLOCKS)
    for n, (v,) in enumerate(values(whole, worth_of(whole))):
        mean = sum(sums[n]) / many
        error = (sum((x - mean) ** 2 for x in sums[n]) / many**2) ** 0.5
        assert abs(mean - v / whole.parts) <= 4 * error + 1e-9
    for pair in combinations(range(GROUPS), 2):
        assert abs(met[pair] / many - closed_interaction(pair)) < 1


@pytest.mark.parametrize("groups", range(1, 9))
def test_the_values_of_any_scheme_sum_to_what_all_are_worth(groups):
    def odd(coalition):
        return coalition * coalition % 97

    blocks = ((0, *range(2, groups)), (1,)) if groups > 1 else ()
    for scheme in (
        all_coalitions(groups, blocks),
        *(of_orders(groups, stream(n), blocks) for n in range(20)),
    ):
        worth = worth_of(scheme, odd)
        found = [row[0] for row in values(scheme, worth)]
        whole = scheme.parts * (odd(scheme.whole) - odd(0))
        assert sum(found[:groups]) == whole
        assert not blocks or sum(found[groups:]) == whole


def test_an_order_and_the_same_backwards_give_some_values_by_coalitions_of_the_whole_scheme():
    picked, many, sums = (1, 4), 4000, {1: [], 4: []}
    for number in range(many):
        some = both_ways(order_of(GROUPS, stream(number)), picked)
        assert {*some.coalitions} <= {*of_orders(GROUPS, stream(number), BLOCKS).coalitions}
        found = values(some, worth_of(some))
        assert not any(found[n][0] for n in range(GROUPS) if n not in picked)
        for n in picked:
            sums[n].append(found[n][0] / some.parts)
    for n, drawn in sums.items():
        mean = sum(drawn) / many
        error = (sum((x - mean) ** 2 for x in drawn) / many**2) ** 0.5
        assert abs(mean - closed_form(n)) <= 4 * error


def test_an_order_meets_every_two_groups_after_coalitions_of_all_sizes_alike():
    sizes = [0] * (GROUPS - 1)
    for number in range(3000):
        for square in of_orders(GROUPS, stream(number)).squares:
            sizes[square.before.bit_count()] += 1
    assert max(sizes) < 1.1 * min(sizes)


# --- groups of rules


REFERENCES = {
    "README": ("quanti-1822", "mediateur-1752"),
    "witnesses": ("mediateur-1752@parlett", "mediateur-1752@wikipedia"),
    "without bids": ("quanti-1822", "academie"),
    "with bids": ("academie", "quanti-1822"),
    "back": ("mediateur-1752", "quanti-1822"),
}


@pytest.fixture(scope="module", params=REFERENCES)
def pair(request):
    return between(request.param)


@cache
def between(name):
    """Two rule sets, with the groups of their differences."""
    first, second = map(compile_reference, REFERENCES[name])
    mixer = Mixer(first, second)
    return SimpleNamespace(mixer=mixer, groups=coherent(mixer, natural(first, second)))


def rules_digest(ruleset):
    return digest(vocabulary.dump(ruleset.rules), ())


def test_none_and_all_of_the_rules_are_the_two_rule_sets(pair):
    whole = frozenset(range(len(pair.groups)))
    for coalition, side in ((frozenset(), pair.mixer.first), (whole, pair.mixer.second)):
        found = pair.mixer.rules(pair.groups, coalition)
        assert rules_digest(found) == rules_digest(side.ruleset)


def test_every_rule_is_in_one_group_and_every_coalition_tried_is_a_rule_set(pair):
    leaves = [leaf for group in pair.groups for leaf in group.leaves]
    differing = [leaf for g in natural(pair.mixer.first, pair.mixer.second) for leaf in g.leaves]
    assert sorted(leaves) == sorted(differing)
    assert len(set(leaves)) == len(leaves)
    drawn = Stream(7, 0, 0, Purpose.READING)
    others = [frozenset(n for n in range(len(pair.groups)) if drawn.below(2)) for _ in range(60)]
    for coalition in (*list(tried(len(pair.groups)))[:200], *others):
        assert isinstance(pair.mixer.rules(pair.groups, coalition), RuleSet)


def test_the_groups_of_the_first_example_are_many_and_none_is_large():
    groups = between("README").groups
    sizes = [len(group.leaves) for group in groups]
    assert sum(sizes) == 128
    assert len(groups) >= 8
    assert max(sizes) <= 0.4 * sum(sizes)
    # the favourite's table has no row for a bid that only the first has, and the vole has one price
    (joined,) = [group for group in groups if group.because]
    assert {p.variant for p in joined.because} == {"excluded", "no-value-of-the-bid"}
    assert {"favourite.source", "bids.vole.made"} <= {*joined.leaves}


def test_a_bid_that_is_not_there_takes_its_rows_along():
    first, second = map(compile_reference, REFERENCES["README"])
    found = mixed(first, second, {"bids.solo.vole_with_bid", "bids.vole.made"})
    assert isinstance(found, list)  # the vole announced with the solo has no row
    (nemo,) = [g for g in natural(first, second) if g.name == "bids.nemo"]
    ruleset = mixed(first, second, {*nemo.leaves})()
    assert "nemo" in ruleset.rules.bids.names()
    assert "grandissimo" not in ruleset.rules.bids.names()
    # what goes with another group stands at its neutral value
    assert ruleset.rules.bids.of("nemo").vole_with_bid == "none"


def test_a_group_is_split_into_points_and_rules_that_can_be_switched_alone():
    mixer, groups = between("without bids").mixer, between("without bids").groups
    place = next(n for n, g in enumerate(groups) if g.name == "stakes")
    finer = {group.name: group.leaves for group in split(mixer, groups, place)}
    # what one point decides stays together
    assert finer["unit"] == ("stakes.unit_of", "stakes.unit")
    assert {"stakes.dealer_adds", "stakes.odd_counters"} <= {*finer}
    assert len(finer) == len(groups) + 2
    huge = next(n for n, g in enumerate(groups) if g.name == "bids.casco")
    assert split(mixer, groups, huge) == groups
    values_of = [{"hombre": SimpleNamespace(mean=m)} for m in (-70, 30, 20)]
    assert over_half(SimpleNamespace(values=values_of, leading="hombre")) == [0]


def test_groups_are_joined_to_blocks_by_the_block_of_most_of_their_rules():
    groups = [
        Group("a", ("bids.x.rank",)),
        Group("b", ("payments.game", "payments.king", "bids.x.made")),
        Group("c", ("bids.y.rank",)),
    ]
    assert blocks_of(groups) == {"bids": (0, 2), "payments": (1,)}
    assert blocks_of(groups[:2]) == {}


HOSTILE = {
    "no mapping": ("- a\n", "groups-no-mapping", 1),
    "nothing": ("{}\n", "groups-no-mapping", 1),
    "no list": ("a: bids\n", "group-no-list", 1),
    "an empty list": ("a: []\n", "group-no-list", 1),
    "no rule": ("a:\n- stakes\n- nemmo\n", "group-names-no-rule", 3),
    "a number": ("a: [7]\n", "group-names-no-rule", 1),
    "a list in a list": ("a: [[stakes]]\n", "group-names-no-rule", 1),
    "a rule that does not differ": ("a: [table.players]\n", "group-names-no-rule", 1),
    "a rule twice": ("a: [stakes]\nb: [stakes.unit]\n", "rule-in-two-groups", 2),
    "a rule twice in one": ("a: [stakes, stakes.unit]\n", "rule-in-two-groups", 1),
    "a long name": (f"{'x' * 61}: [stakes]\n", "group-name", 1),
}


@pytest.fixture(scope="module")
def witnesses():
    return [compile_reference(ref) for ref in REFERENCES["witnesses"]]


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_of_groups_at_fault_is_refused_at_its_place(case, witnesses, tmp_path):
    text, variant, line = HOSTILE[case]
    file = tmp_path / "groups.yaml"
    file.write_text(text)
    with pytest.raises(UsageError) as error:
        grouped(natural(*witnesses), file)
    (problem,) = error.value.problems
    assert (problem.variant, problem.place.line) == (variant, line)


def test_a_file_names_groups_and_leaves_the_others(witnesses, tmp_path):
    file = tmp_path / "groups.yaml"
    file.write_text("my own: [bids.*.pool_penalty, loss]\nunit: [stakes.unit]\n")
    found = {group.name: group.leaves for group in grouped(natural(*witnesses), file)}
    assert set(found["my own"]) == {
        "bids.forced-spadille.pool_penalty",
        "bids.alliance.pool_penalty",
        "loss.codille_shared_from",
    }
    assert found["unit"] == ("stakes.unit",)
    assert found["stakes.unit_of"] == ("stakes.unit_of",)
    assert sum(map(len, found.values())) == 12


def test_groups_of_a_file_that_cannot_be_played_apart_are_named(tmp_path):
    file = tmp_path / "groups.yaml"
    file.write_text("suit: [favourite, payments.in_favourite]\nvole bid: [bids.vole.made]\n")
    with pytest.raises(UsageError) as error:
        attribution_command.groups_of(between("README").mixer, str(file))
    (problem,) = error.value.problems
    assert problem.variant == "coalition-is-no-rule-set"
    assert (problem.data["names"], problem.data["needed"]) == (["suit"], ["vole bid"])


# --- the study


SHORT = ("--set", "table.session_deals=4", "--engine", "readable", "--seed", "3")
CHANGES = {"payments.premium.solo": 40, "payments.premiers": 9}


@pytest.fixture
def out(capsys):
    def asked(*more, form="json", **given):
        sets = given.get("changes", CHANGES).items()
        words = [word for p, v in sets for word in ("--set", f"2:{p}={v}")]
        refs = ("quanti-1822", "quanti-1822")
        status = run(["compare", *refs, "--attribute", *words, *SHORT, *more, "--format", form])
        told = capsys.readouterr()
        assert status == 0, told.err
        return json.loads(told.out) if form == "json" else told.out

    return asked


def totals(changes, sessions, player="steady", engine="readable"):
    settings = {"table.session_deals": 4}
    both = [
        compile_reference("quanti-1822", settings=settings),
        compile_reference("quanti-1822", settings={**settings, **changes}),
    ]
    design = plan(both, deals=None, sessions=sessions, seed=3, bots=[player])
    effects = compare(both, design, examples=0, engine=engine).pairs[0].effects[TOTAL]
    return effects["hombre"].mean, effects["adversaries"].mean


def test_what_two_groups_carry_is_the_mean_of_both_orders_and_sums_to_the_total_of_compare(out):
    found = out("--sessions", "6")
    assert found["design"]["all_coalitions"]
    solo, premiers = ({p: CHANGES[p]} for p in CHANGES)
    alone = totals(solo, 6), totals(premiers, 6)
    whole = totals(CHANGES, 6)
    by_name = {group["name"]: group["by_column"] for group in found["groups"]}
    assert whole[0] != 0
    for at, column in enumerate(("hombre", "adversaries")):
        first = (alone[0][at] + whole[at] - alone[1][at]) / 2
        assert by_name["payments.premium.solo"][column]["mean"] == pytest.approx(float(first))
        rest = float(whole[at] - first)
        assert by_name["payments.premiers"][column]["mean"] == pytest.approx(rest)
        assert found["total"]["by_column"][column]["mean"] == pytest.approx(float(whole[at]))
    (interaction,) = found["pairs"]
    expected = float(whole[0] - alone[0][0] - alone[1][0])
    assert interaction["by_column"]["hombre"]["mean"] == pytest.approx(expected, abs=1e-5)


def test_every_player_of_a_family_is_asked_of_the_heaviest_groups(out, monkeypatch):
    pytest.importorskip("numba")
    asked = ("--sessions", "40", "--engine", "fast", "--players", "family")
    found = out(*asked)
    family = found["family"]
    assert [*family] == [bots[0] for bots in tables_asked("family")]
    first = found["groups"][0]
    for player in ("steady", "steady:boldness=+6"):
        by_name = {g["name"]: g["by_column"] for g in family[player]["groups"]}
        # of two groups an order and the same backwards are all orders
        alone = [totals({path: CHANGES[path]}, 40, player, "fast")[0] for path in CHANGES]
        whole = totals(CHANGES, 40, player, "fast")[0]
        solo = float(alone[0] + whole - alone[1]) / 2
        shares = {"payments.premium.solo": solo, "payments.premiers": float(whole) - solo}
        for name, by_column in by_name.items():
            assert by_column["hombre"]["mean"] == pytest.approx(shares[name], abs=1e-5)
        assert family[player]["by_column"]["hombre"]["mean"] == pytest.approx(float(whole))
    same = family["steady"]["groups"][0]["by_column"]
    for role in ("hombre", "ally", "adversaries"):
        assert same[role]["mean"] == first["by_column"][role]["mean"]
        if same[role]["low"] is not None:  # it holds together with more
            assert same[role]["low"] < first["by_column"][role]["low"]
    assert "family" not in out("--sessions", "40", "--engine", "fast")
    # few sessions that share their orders are asked alike
    monkeypatch.setattr(attribution, "MOST_RULE_SETS", 1)
    monkeypatch.setattr(attribution, "FEWEST_UNITS", 8)
    shared = out(*asked, changes=MANY)
    assert shared["design"]["sessions_of_a_unit"] == 5
    assert len(shared["family"]) == len(family)


HOLDS = {
    "all": (((5, 3, 9), (4, 3, 6)), Holds(("a", "b"), (), True)),
    "less than half by one": (((8, 6, 9), (2, 1, 3)), Holds(("a", "b"), (), False)),
    "not shown of one": (((8, 6, 9), (5, -1, 12)), Holds(("a",), (), None)),
    "both ways": (((8, 6, 9), (-5, -7, -2)), Holds(("a",), ("b",), False)),
    "takes": (((-8, -9, -6), (-7, -12, -5)), Holds((), ("a", "b"), True)),
    "no interval": (((-8, -9, -6), (-7, None, None)), Holds((), ("a",), None)),
}


@pytest.mark.parametrize("case", HOLDS)
def test_sign_and_size_hold_where_all_intervals_say_so(case):
    found, verdict = HOLDS[case]
    family = [
        SimpleNamespace(
            player=who, values=[{"hombre": SimpleNamespace(mean=m, low=low, high=high)}]
        )
        for who, (m, low, high) in zip("ab", found, strict=True)
    ]
    assert holds(SimpleNamespace(family=family, leading="hombre"), 0) == verdict


def test_the_heaviest_groups_carry_half_and_are_few():
    def of(*sizes):
        means = [{"ally": SimpleNamespace(mean=m)} for m in sizes]
        return heaviest(SimpleNamespace(values=means, leading="ally"))

    assert of(1, -5, 2) == (1,)
    assert of(3, -4, 3) == (1, 0)
    assert of(*[1] * 9) == (0, 1)
    assert of(0, 0) == (0,)


MANY = {
    **CHANGES,
    "payments.premium.alliance": 3,
    "loss.codille_adds": 5,
    "stakes.unit": 2,
}


def test_orders_on_some_sessions_sum_to_the_total_whoever_works_and_when(out, tmp_path):
    found = out("--sessions", "2", "--workers", "1", changes=MANY)
    assert not found["design"]["all_coalitions"]
    for column, total in found["total"]["by_column"].items():
        parts = [group["by_column"][column]["mean"] for group in found["groups"]]
        assert sum(parts) == pytest.approx(total["mean"], abs=1e-4)
        joined = [block["by_column"][column]["mean"] for block in found["blocks"]]
        assert sum(joined) == pytest.approx(total["mean"], abs=1e-4)
    assert found == out("--sessions", "2", "--workers", "2", changes=MANY)
    kept = ("--study", str(tmp_path / "kept"))
    out("--sessions", "1", *kept, changes=MANY)
    assert found == out("--sessions", "2", *kept, "--resume", changes=MANY)
    every = out("--sessions", "2", "--exact", changes=MANY)
    assert every["design"]["all_coalitions"]
    assert every["total"] == found["total"]


def test_the_numbers_in_long_form_are_those_of_json(out):
    found, text = out("--sessions", "2"), out("--sessions", "2", form="csv")
    rows = {(r["section"], r["group"], r["name"]): r for r in csv.DictReader(io.StringIO(text))}
    for group in found["groups"]:
        for column, value in group["by_column"].items():
            assert float(rows["value", group["name"], column]["mean"]) == value["mean"]
    assert (
        float(rows["total", "", "hombre"]["mean"]) == found["total"]["by_column"]["hombre"]["mean"]
    )


def test_many_groups_share_their_orders_among_sessions_in_a_row():
    drawing = Drawing.of(1, 20, 1200, exact=False)
    assert drawing.cluster == 20
    assert drawing.scheme(0) != drawing.scheme(1)
    assert len(drawing.coalitions(1200)) < 60 * len(drawing.scheme(0).coalitions)
    assert Drawing.of(1, 9, 1200, exact=False).cluster == 1


REFUSED = {
    "one rule set": (("quanti-1822",), {}, "attribution-of-two-rule-sets"),
    "three": (("quanti-1822", "academie", "mediateur-1752"), {}, "attribution-of-two-rule-sets"),
    "the same twice": (("quanti-1822", "quanti-1822"), {}, "nothing-to-attribute"),
    "all coalitions of many": (
        ("quanti-1822", "academie"),
        {"exact": True},
        "too-many-groups-for-exact",
    ),
    "another mode's option": (
        ("quanti-1822", "academie"),
        {"decompose": True},
        "option-does-nothing-with",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_attributed_is_refused(case):
    refs, more, variant = REFUSED[case]
    with pytest.raises(UsageError) as error:
        quadrille_core.compare(*refs, attribute=True, **more)
    assert error.value.problems[0].variant == variant
