"""Comparing rule sets: the pairing, what is counted, where deals part, and how long work
behaves."""

import csv
import io
import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from documents import told_as_csv
from quadrille_plugins.compare import command
from quadrille_plugins.compare.effects_report import headline
from quadrille_plugins.compare.report import comparison_blocks, comparison_csv, comparison_json
from quadrille_plugins.compare.study import compare
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import replay
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.design import Design, plan
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner

from quadrille_core.errors import UsageError
from quadrille_core.ruleset import compile_reference


@pytest.fixture(scope="module")
def quanti():
    return compile_reference("quanti-1822")


@pytest.fixture(scope="module")
def dear(quanti):
    """Quanti's rules, with a solo's premium at nine units."""
    return compile_reference("quanti-1822", settings={"payments.premium.solo": 9})


def design(deals=240, bot="random", seed=4):
    return Design(seed=seed, lengths=(40,) * (deals // 40), bots=(bot,) * 4)


SAME = "rule set 1 and rule set 2 have the same rules: nothing can differ."


def test_a_rule_set_compared_with_itself_never_differs(quanti):
    (pair,) = compare([quanti, quanti], design(bot="steady")).pairs
    assert pair.diverging.count == 0
    for e in pair.effects["total"].values():
        assert (e.mean, e.differing, e.low, e.high, e.answer) == (0, 0, 0, 0, "identical")
        assert e.needed is None
    assert all(e.mean == 0 for e in pair.roles.values())
    assert pair.rules_diff == pair.examples == ()
    found = compare([quanti, quanti], design(40))
    shown = [getattr(b, "text", "") for b in comparison_blocks(found)]
    assert any("the same rules: nothing can differ" in t for t in shown)
    assert comparison_json(found)["paired"][0]["answer"] == SAME


def test_with_bots_that_ignore_the_rules_a_changed_payment_parts_deals_only_at_the_settlement(
    quanti, dear
):
    (pair,) = compare([quanti, dear], design()).pairs
    assert [d.path for d in pair.rules_diff] == ["payments.premium.solo"]
    counts = {s.name: s.count for s in pair.stages}
    assert counts["auction"] == counts["play"] == 0
    assert counts["settlement"] == pair.diverging.count > 0


def test_the_sums_are_those_of_the_sessions_played_one_by_one(quanti):
    found = compare([quanti, quanti], design(80)).summaries[0]
    nets, seats, deals = Fraction(0), [Fraction(0)] * 4, 0
    contracts = {}
    for session in range(2):
        for played in play_session(
            quanti.ruleset, [make_bot("random")] * 4, seed=4, session=session, deals=40, anew=True
        ):
            deals += 1
            contracts[played.deal.contract.bid] = contracts.get(played.deal.contract.bid, 0) + 1
            nets += played.settlement.net[played.deal.hombre]
            for seat, chair in enumerate(played.chair_of_seat):
                seats[seat] += played.settlement.net[seat] - played.antes[chair]
    assert found.roles["hombre"].mean == nets / deals
    assert [found.seats[f"seat {s}"].mean for s in range(4)] == [s / deals for s in seats]
    assert [found.moved[f"seat {s}"] for s in range(4)] == [s / deals for s in seats]
    assert found.moved["hombre"] == nets / deals
    assert {s.name: s.count for s in found.contracts} == contracts


def test_a_difference_by_role_is_the_second_mean_less_the_first(quanti, dear):
    found = compare([quanti, dear], design())
    (pair,) = found.pairs
    for role, e in pair.roles.items():
        assert e.mean == found.summaries[1].roles[role].mean - found.summaries[0].roles[role].mean


@pytest.mark.slow
def test_pairing_narrows_the_interval(quanti, dear):
    """On the same cards the difference is known better than from two separate samples."""
    found = compare([quanti, dear], design(1400))
    assert found.pairs[0].effects["total"]["hombre"].low is not None
    paired = found.pairs[0].roles["hombre"].half
    apart = sum(s.roles["hombre"].half ** 2 for s in found.summaries) ** 0.5
    assert paired < 0.75 * apart


def test_results_do_not_depend_on_the_number_of_workers(quanti, dear):
    one, two = (compare([quanti, dear], design(160), runner=Runner(Placement(w))) for w in (1, 2))
    assert json.dumps(comparison_json(one)) == json.dumps(comparison_json(two))


def test_the_examples_replay_under_their_own_rules_and_diverge_as_told(quanti):
    other = compile_reference("mediateur-1752")
    (pair,) = compare([quanti, other], design(80, bot="steady"), examples=4).pairs
    assert len(pair.examples) == 4
    ease = [
        (t.weight == 0, sum(Fraction(r["pool"]) for r in t.records), t.session, t.deal)
        for t in pair.examples
    ]
    assert ease == sorted(ease)
    for t in pair.examples:
        for compiled, record in zip((quanti, other), t.records, strict=True):
            assert replay(compiled.ruleset, record).divergence is None
        assert t.records[0]["hands"] == t.records[1]["hands"]
        if t.divergence.stage != "settlement":
            assert t.divergence.first in t.records[0]["events"]
            assert t.divergence.second in t.records[1]["events"]


def test_deals_are_laid_out_in_whole_sessions_and_rounded_up_to_what_the_rules_allow(quanti):
    assert (
        plan([quanti, quanti], deals=2000, sessions=None, seed=1, bots=("random",)).lengths
        == (40,) * 50
    )
    assert plan([quanti, quanti], deals=41, sessions=None, seed=1, bots=("random",)).lengths == (
        40,
        4,
    )
    assert (
        plan([quanti, quanti], deals=None, sessions=3, seed=1, bots=("random",)).lengths
        == (40,) * 3
    )
    with pytest.raises(UsageError, match="3 bots for 4 players"):
        plan([quanti, quanti], deals=40, sessions=None, seed=1, bots=("random",) * 3)


def test_interrupted_work_reports_the_sessions_that_were_finished(quanti, dear):
    def stop(done, total, seconds):
        if done == 80:
            raise KeyboardInterrupt

    found = compare([quanti, dear], design(), progress=stop)
    whole = compare([quanti, dear], design(80))
    assert found.interrupted
    assert found.design.deals == 80
    assert found.summaries[0].roles == whole.summaries[0].roles


def test_work_that_will_take_more_than_a_minute_says_so_once(capsys):
    with command.StudyProgress(40_000) as progress:
        for number in range(1, 4):
            progress.update(400 * number, 40_000, 2.0 * number)
        assert capsys.readouterr().err == ""
        progress.update(1600, 40_000, 8.0)
        progress.update(2000, 40_000, 10.0)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "about 3 min" in err


def test_json_and_csv_hold_what_was_promised(quanti, dear):
    found = compare([quanti, dear], design(240))
    data = comparison_json(found)
    assert list(data) == ["rules", "design", "rules_diff", "paired", "per_rule_set"]
    assert data["design"] == {
        "deals": 240,
        "sessions": 6,
        "seed": 4,
        "bots": ["random"] * 4,
        "engine": "readable",
        "until": None,
        "decided": True,
        "family": {},
        "preliminary": False,
        "smallest": 10,
        "smallest_unit": "counters a seat and session of 40 deals",
        "smallest_of_sums": 40,
        "pool_reset_each_deal": True,
        "interrupted": False,
    }
    assert set(data["rules_diff"][0]) == {"path", "values", "sources", "statuses", "rules"}
    assert set(data["paired"][0]["first_in"]) == {"auction", "play", "settlement"}
    effects = data["paired"][0]["effects"]
    assert list(effects) == ["session_deals", "sessions", "deals", "fewest_differing", "total"]
    for part in effects["total"].values():
        assert abs(sum(e["mean"] for e in part.values())) < 1e-4
    role = effects["total"]["roles"]["hombre"]
    assert (
        abs(role["mean"] - 40 * data["paired"][0]["difference"]["by_role"]["hombre"]["mean"]) < 1e-3
    )
    columns, rows = comparison_csv(found)
    assert len({len(r) for r in rows} | {len(columns)}) == 1
    mean = next(r for r in rows if r[0] == "total" and r[3] == "hombre")
    assert mean[4] == role["mean"]
    told = dict(zip(columns, mean, strict=True))
    for name in ("differing", "answer", "held_against"):
        assert told[name] == role[name] != ""
    needed = role["deals_needed"] or {"low": "", "high": ""}
    assert (told["needed_low"], told["needed_high"]) == (needed["low"], needed["high"])
    paid = next(r for r in rows if (r[0], r[3]) == ("diverging", "payments differ"))
    assert paid[4] == data["paired"][0]["share_payments_differ"]["share"]["mean"]
    labels = [r[3] for r in rows if r[0] == "diverging"]
    assert {labels[0], labels[-1]} == {"diverging", "payments differ"}
    assert "with another pool, of those" in labels


def test_the_page_tells_every_column_and_section_of_the_csv(quanti, dear):
    columns, rows = comparison_csv(
        compare([quanti, dear], replace(design(240, "steady"), decompose=True))
    )
    # no vole is asked for in so few deals, and no family
    sections = {row[0] for row in rows} | {"vole", "total by all players"}
    assert {*columns, *sections} == told_as_csv("compare.md")


def test_too_few_sessions_for_an_interval_are_said_to_be(quanti, dear):
    """Two sessions are too few: no interval, and how many deals it would take."""
    found = compare([quanti, dear], design(80))
    e = comparison_json(found)["paired"][0]["effects"]["total"]["roles"]["hombre"]
    assert (e["low"], e["answer"], e["deals_needed"], e["deals_for_an_interval"]) == (
        None,
        "undecided",
        None,
        1400,
    )
    text = [getattr(b, "text", "") for b in comparison_blocks(found)]
    assert any("No interval where fewer than 30 of the 2 sessions differ" in t for t in text)
    assert any("`quadrille matters` bounds differences that are so rare" in t for t in text)
    total = next(
        b for b in comparison_blocks(found) if "counters in a session" in getattr(b, "title", "")
    )
    by_rules = {"antes of deals played"}
    assert {
        row[0] for row in total.rows if not row[-1].startswith("undecided: ≥\N{NO-BREAK SPACE}")
    } == by_rules
    roles = next(
        b
        for b in comparison_blocks(found)
        if getattr(b, "title", "").startswith("what roles are paid")
    )
    assert not any("?" in cell for row in roles.rows for cell in row)


def test_random_bots_begin_every_deal_anew(quanti, dear, capsys):
    """Their pool doubled without end: 10^14 counters in a session; now it holds the antes."""
    found = compare([quanti, dear], design(80))
    assert all(s.mean_pool == 4 for s in found.summaries)
    assert any(
        "it is reset before each deal" in getattr(b, "text", "") for b in comparison_blocks(found)
    )
    steady = compare([quanti, dear], design(80, bot="steady"))
    assert steady.summaries[0].mean_pool > 4
    assert (
        run(["deal", "quanti-1822", "--players", "random", "--deal", "30", "--format", "json"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["pool"] == 4


def test_deals_with_another_pool_are_counted_of_those_that_diverge(quanti):
    other = compile_reference("mediateur-1752")
    (pair,) = compare([quanti, other], design(240, bot="steady")).pairs
    assert pair.carried.share.count == pair.diverging.count
    assert pair.carried.share.mean == Fraction(pair.carried.count, pair.diverging.count)


def test_power_says_before_playing_how_many_deals_show_an_effect(capsys):
    """Four times the deals for half the effect, and the pilot's variance stands beside."""
    line = [
        "compare",
        "quanti-1822@parlett",
        "quanti-1822@wikipedia",
        "--sessions",
        "40",
        "--engine",
        "fast",
    ]
    pytest.importorskip("numba")
    needed = {}
    for size in ("10", "5"):
        assert run([*line, "--power", size, "--format", "json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["design"]["pilot_sessions"] == 40
        found = data["paired"][0]["needed"]
        assert (
            len({json.dumps({**found[f"seat {s}"], "differing": 0}) for s in range(4)}) == 1
        )  # the widest seat's
        needed[size] = found["seat 0"]
    assert needed["10"]["deviation"] == needed["5"]["deviation"] > 0
    assert 3.7 < needed["5"]["shown"] / needed["10"]["shown"] < 4.3
    assert needed["10"]["within"] < needed["10"]["shown"]
    assert run([*line, "--power", "10"]) == 0
    assert "deals show, with a probability of 80 %" in " ".join(capsys.readouterr().out.split())


def test_nothing_is_planned_by_a_pilot_in_which_too_few_sessions_differ(capsys):
    """A deviation of two sessions is no deviation; the plan says how long a pilot should be."""
    line = [
        "compare",
        "quanti-1822@parlett",
        "quanti-1822@wikipedia",
        "--sessions",
        "2",
        "--players",
        "random",
    ]
    assert run([*line, "--power", "10", "--format", "json"]) == 0
    for one in json.loads(capsys.readouterr().out)["paired"][0]["needed"].values():
        assert one["differing"] <= 2
        assert (one["within"], one["shown"]) == (None, None)
    assert run([*line, "--power", "10"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "too few differences to plan by, for fewer than 30 of its 2 sessions differ" in shown
    assert "such as --deals 1" in shown


def test_no_deals_are_planned_for_rules_that_are_the_same(capsys):
    assert run(["compare", "quanti-1822", "quanti-1822", "--sessions", "1", "--power", "10"]) == 0
    assert "The same rules: nothing can differ" in capsys.readouterr().out
    assert run(["matters", "quanti-1822", "quanti-1822", "--power", "10"]) == 0
    assert "same rules: both compile to the same rules" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "command", [["compare", "quanti-1822", "quadrille-laws"], ["matters", "quanti-1822", "ante"]]
)
@pytest.mark.parametrize(
    "option", ["--manifest", "--report", "--pictures", "--table", "--decompose", "--smallest"]
)
def test_what_a_plan_does_not_read_is_refused_before_anything_is_played(
    command, option, tmp_path, capsys
):
    """It was taken, and nothing was written."""
    value = {"--decompose": [], "--smallest": ["3"], "--table": [str(tmp_path / "t.csv")]}
    asked = [option, *value.get(option, [str(tmp_path / "x")])]
    assert run([*command, "--power", "10", "--deals", "100000000", *asked]) == 2
    assert f"{option} would do nothing" in capsys.readouterr().err
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]


@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1"])
def test_a_plan_for_no_number_of_counters_is_refused(value, capsys):
    assert run(["compare", "quanti-1822", "quadrille-laws", "--power", value]) == 2
    assert "--power wants counters above 0" in capsys.readouterr().err


def test_three_rule_sets_are_compared_each_with_the_first(capsys):
    args = [
        "compare",
        "quanti-1822",
        "quadrille-laws",
        "quadrille-modern",
        "--deals",
        "40",
        "--players",
        "random",
    ]
    assert run([*args, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    pairs = {
        (r["against"].split("#")[0], r["rules"].split("#")[0])
        for r in rows
        if r["section"] == "diverging"
    }
    assert pairs == {
        ("quanti-1822", "quadrille-laws@article"),
        ("quanti-1822", "quadrille-modern@page"),
    }


def test_saved_deals_are_records_that_replay(tmp_path, capsys):
    args = [
        "compare",
        "quanti-1822",
        "quadrille-modern",
        "--deals",
        "40",
        "--players",
        "random",
        "--examples",
        "2",
    ]
    assert run([*args, "--save", str(tmp_path / "deals")]) == 0
    saved = sorted((tmp_path / "deals").iterdir())
    assert len(saved) == 4
    for path in saved:
        assert run(["deal", "--replay", str(path)]) == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["quanti-1822"], "two rule sets or more"),
        (["quanti-1822", "quanti-1822", "--deals", "4", "--sessions", "1"], "give one of them"),
        (["quanti-1822", "quanti-1822", "--players", "stedy"], "did you mean steady"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_misuse(args, words, capsys):
    assert run(["compare", *args]) == 2
    assert words in capsys.readouterr().err


def test_the_answer_says_first_in_what_share_of_deals_payments_differ(quanti, dear):
    """Who gains is little without how often; a deal may diverge and pay the same."""
    pair = comparison_json(compare([quanti, dear], design(80)))["paired"][0]
    share = pair["share_payments_differ"]
    assert 0 < share["count"] <= pair["diverging"]["count"]
    assert f"and in {100 * share['share']['mean']:.1f} % of these deals (too few" in pair["answer"]
    starts = pair["matched_starts"]
    told = (
        f"{100 * starts['payments_differ']['share']['mean']:.1f} % of these {starts['deals']} "
        "matched starts"
    )
    assert f"payments differ in {told}" in pair["answer"]


def test_antes_of_rules_that_stake_alike_and_never_redeal_are_identical_and_others_are_not(quanti):
    """They stood as undecided, 160 against 160; where deals may be redealt nobody knows before they
    are played."""
    redeals = compile_reference(
        "quanti-1822", settings={"auction.all_pass": "redeal", "bids.alliance.forced_on": None}
    )
    dearer = compile_reference("quanti-1822", settings={"stakes.ante": 2})
    other = compile_reference("mediateur-1752")
    found = {}
    for name, one in (("other", other), ("redeals", redeals), ("dearer", dearer)):
        (pair,) = compare([quanti, one], design(40, "steady")).pairs
        found[name] = pair.effects["total"]["antes"].answer == "identical"
    assert found == {"other": True, "redeals": False, "dearer": False}


@pytest.mark.slow
def test_an_answer_on_the_ally_says_that_there_are_fewer_and_what_each_wins(quanti):
    """The ally wins less in a session where seldom anybody is one, and more in a deal in which one
    is."""
    other = compile_reference("mediateur-1752@parlett")
    found = compare(
        [quanti, other], plan([quanti, other], deals=1400, sessions=None, seed=1, bots=("steady",))
    )
    text = headline(found, found.pairs[0])
    assert re.search(r"\bthe ally [\d.]+ ± [\d.]+ less\b", text)
    assert "(95 % intervals that hold together; in the table each by itself)" in text
    assert re.search(
        r"mediateur-1752 has fewer deals with an ally than quanti-1822 \(\d+ of .*, against .*\)",
        text,
    )
    assert re.search(
        r"in a deal with one the ally wins \+[\d.]+ under quanti-1822, \+[\d.]+ under mediateur",
        text,
    )


def test_a_plan_begins_with_how_many_deals_it_takes(capsys):
    """Two lines of rule sets stood before the answer."""
    assert run(["compare", "quanti-1822", "mediateur-1752", "--power", "10", "--deals", "80"]) == 0
    answer = capsys.readouterr().out.split("\n\n")[0]
    assert re.match(
        r"[\d ]+deals show, with a probability|The pilot met too few differences", answer
    )
