"""Ranking by a family of players: a verdict holds where all agree, on made answers and on a few
deals."""

import io
import json
from dataclasses import replace
from math import log

import pytest
from quadrille_plugins.deal.players import family
from quadrille_plugins.rank.data import rank_csv, rank_json
from quadrille_plugins.rank.effects import PAYMENTS
from quadrille_plugins.rank.play import Lineup
from quadrille_plugins.rank.report import depends_text, rank_blocks
from quadrille_plugins.rank.study import SAME_RULES, Verdict, of_family, rank
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.design import READABLE, plan
from quadrille_plugins.studies.equivalence import LARGER, NEAR, SMALLER, UNDECIDED
from quadrille_plugins.studies.family import DEPENDS
from quadrille_plugins.studies.intervals import t_quantile
from support.ranking import answers, asked, effect_of, found_of, made

USUAL, BOLD, THIRD = FAMILY = ("steady", "steady:boldness=+3", "steady:calls=void")


def by_members(space, *formulas, groups=8):
    """Answers of as many players as there are formulas."""

    def evaluate(tasks):
        tasks = list(tasks)
        for outcomes in zip(*(answers(space, f, groups)(tasks) for f in formulas), strict=True):
            yield replace(outcomes[0], responses=tuple(r for o in outcomes for r in o.responses))

    return evaluate


def asked_of(members, **changed):
    return asked(
        family=FAMILY[:members], limits=(None,) * members, costs=(1.0,) * members, **changed
    )


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ([LARGER, LARGER], LARGER),
        ([SMALLER, SMALLER], SMALLER),
        ([LARGER, SMALLER], DEPENDS),
        ([UNDECIDED, LARGER, SMALLER], DEPENDS),
        ([LARGER, UNDECIDED], UNDECIDED),
        ([SMALLER, NEAR], NEAR),
        ([NEAR, UNDECIDED, SMALLER], NEAR),
        ([SAME_RULES, SAME_RULES], SAME_RULES),
    ],
)
def test_a_verdict_is_that_of_all_members(found, answer):
    assert of_family([Verdict(said=said) for said in found]).said == answer


def test_a_verdict_takes_what_whoever_takes_longest_does():
    """Who has decided takes no more; who cannot say when leaves it unsaid."""
    short, long = (Verdict(said=UNDECIDED, configurations=ends) for ends in ((10, 500), (30, 90)))
    done, unknown = Verdict(said=SMALLER), Verdict(said=UNDECIDED)
    assert of_family([short, done, long]).configurations == (30, 500)
    assert of_family([short, unknown]).configurations is None


def test_a_point_depends_on_the_manner_in_which_the_members_at_the_ends_differ(tmp_path):
    space = made(tmp_path, "solo", "losses", "firsts")
    formulas = (lambda a, b, c: 15 * a + 30 * b + c, lambda a, b, c: 2 * a + 40 * b + 3 * c)
    players = [
        Lineup(n, plan([space.base], deals=40, sessions=None, seed=1, bots=(n,)), READABLE)
        for n in FAMILY[:2]
    ]
    found = rank(space, asked_of(2), by_members(space, *formulas, groups=40))
    assert [p.point for p in found.points] == ["losses", "solo", "firsts"]
    assert [p.verdicts[PAYMENTS].said for p in found.points] == [LARGER, DEPENDS, SMALLER]
    told = found_of(found, "solo").family[PAYMENTS]
    assert (told.least, told.most, told.by) == (BOLD, USUAL, ("how boldly one bids",))
    assert told.sizes == pytest.approx((2, 15))
    assert (told.size.low, told.size.value, told.size.high) == pytest.approx((2, 15, 15))
    shown = "\n".join(getattr(b, "text", "") for b in rank_blocks(found, players))
    assert depends_text(found_of(found, "solo"), PAYMENTS) in shown
    solo = rank_json(found, players)["points"][1]
    assert solo["verdicts"][PAYMENTS]["verdict"] == DEPENDS
    assert solo["family"][PAYMENTS]["by"] == ["how boldly one bids"]
    assert ("size by all", PAYMENTS, "solo", "", "", 15, 2, 15, DEPENDS) in rank_csv(
        found, players
    )[1]


def test_the_error_is_divided_among_the_members(tmp_path):
    """The first member's interval of two reaches as far as a level of 97.5 % does, its size being
    what it was alone."""
    space = made(tmp_path, "solo", "losses")

    def formula(a, b):
        return 8 * a + 8 * a * b + b

    def size(members):
        ranked = rank(
            space,
            asked_of(members, exact=False, sample_size=12),
            by_members(space, *[formula] * members),
        )
        return effect_of(ranked, "solo").size

    alone, both = size(1), size(2)
    assert alone.value == both.value
    reach = log(both.value / both.low) / log(alone.value / alone.low)
    assert reach == pytest.approx(t_quantile(11, 0.975) / t_quantile(11, 0.95))
    assert both.high > alone.high


def test_the_order_is_the_first_members_and_a_place_has_all_that_any_member_leaves_it(tmp_path):
    """The second turns the two that matter round; both find the third last."""
    space = made(tmp_path, "solo", "losses", "firsts")
    formulas = (lambda a, b, c: 30 * a + 20 * b + c, lambda a, b, c: 20 * a + 30 * b + c)
    found = rank(space, asked_of(2), by_members(space, *formulas, groups=40))
    assert [(p.point, p.place.place, p.place.low, p.place.high) for p in found.points] == [
        ("solo", 1, 1, 2),
        ("losses", 2, 1, 2),
        ("firsts", 3, 3, 3),
    ]
    assert [o.places["solo"].place for o in found.orders] == [1, 2]


def test_a_point_that_only_one_member_sees_differ_is_no_point_that_never_differed(tmp_path):
    space = made(tmp_path, "solo", "losses")
    found = rank(
        space,
        asked_of(2),
        by_members(space, lambda a, b: 20 * a, lambda a, b: 20 * a + 12 * b, groups=40),
    )
    losses = found_of(found, "losses")
    assert losses.effects[PAYMENTS].differing == 0
    assert losses.seen(PAYMENTS)
    assert losses.differed


def test_points_go_on_being_switched_until_every_member_finds_them_smaller(tmp_path):
    """Of 64 configurations the last 32 leave out what both find smaller, not what the first alone
    does."""
    space = made(tmp_path, "solo", "losses", "firsts")
    formulas = (lambda a, b, c: 20 * a + 2 * b + c, lambda a, b, c: 20 * a + 15 * b + c)
    found = rank(space, asked_of(2, exact=False, sample_size=64), by_members(space, *formulas))
    assert [effect_of(found, n).units for n in ("solo", "losses", "firsts")] == [64, 64, 32]


def _json(*args):
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", out)
        assert run(["rank", "quanti-1822", *args, "--workers", "1", "--format", "json"]) == 0
    return json.loads(out.getvalue())


FEW_DEALS = ("--points", "solo_premium", "--sessions", "4")


def test_every_member_plays_the_same_deals_as_it_does_alone(tmp_path):
    """By the fast engine; who is asked is in the manifest, as a name that stands for all."""
    pytest.importorskip("numba")
    manifest = tmp_path / "rank.json"
    found = _json(*FEW_DEALS, "--engine", "fast", "--manifest", str(manifest))
    assert json.loads(manifest.read_text("utf-8"))["parameters"]["players"] == "family"
    assert found["design"]["family"] == list(family())
    for member, order in zip(family(), found["orders"], strict=True):
        alone = _json(*FEW_DEALS, "--engine", "fast", "--players", member)
        assert "family" not in alone["points"][0]
        assert order["bots"] == alone["design"]["bots"]
        for measure, sizes in order["sizes"].items():
            assert (
                sizes["solo_premium"]["value"]
                == alone["orders"][0]["sizes"][measure]["solo_premium"]["value"]
            )


def test_the_readable_engine_asks_the_first_member_alone_and_says_who_asks_all(tmp_path, capsys):
    manifest, first = tmp_path / "rank.json", family()[0]
    line = ["rank", "quanti-1822", *FEW_DEALS, "--engine", "readable", "--workers", "1"]
    assert run([*line, "--set", "table.session_deals=8", "--manifest", str(manifest)]) == 0
    assert f"asks a family of {len(family())} players" in " ".join(
        capsys.readouterr().out.splitlines()[-3:]
    )
    kept = json.loads(manifest.read_text("utf-8"))
    assert kept["parameters"]["players"] == first
    assert "family" not in kept["results"]["design"]
