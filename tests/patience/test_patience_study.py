"""The odds of a patience: estimates, verdicts on odds in print, and the commands that show them."""

import json
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator
from quadrille_plugins.patience.game import play_game
from quadrille_plugins.patience.record import from_record, replay, to_record
from quadrille_plugins.patience.report import (
    exact_text,
    odds_blocks,
    odds_csv,
    odds_json,
    share_text,
)
from quadrille_plugins.patience.study import ROUND, compare_odds, every_reading
from quadrille_plugins.shell.blocks import Table
from quadrille_plugins.studies.intervals import paired_difference, proportion
from scipy import stats
from support.data import cases

from quadrille_core.errors import ProfileError, RecordError, UsageError
from quadrille_core.profile.schema import schema_of
from quadrille_core.ruleset import compile_reference


def queens(**readings):
    return compile_reference("captive-queens", readings=readings)


def odds(*compiled, games=400, **rest):
    return compare_odds(compiled, games=games, seed=1, **rest)


# --- intervals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "of"), [(0, 10), (10, 10), (3, 10), (4, 1000), (507, 1000), (9999, 10_000)]
)
def test_a_share_of_independent_games_has_wilsons_interval(count, of):
    found = proportion(count, of)
    wanted = stats.binomtest(count, of).proportion_ci(method="wilson")
    assert found.mean == Fraction(count, of)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert found.low < 1
    assert found.high > 0


def test_a_paired_difference_covers_the_truth_about_as_often_as_it_says():
    """Of all outcomes of 30 games, of which one in five goes one way alone and one in ten the
    other."""
    covered = Fraction(0)
    one, other = Fraction(1, 5), Fraction(1, 10)
    for gained in range(31):
        for lost in range(31 - gained):
            chance = stats.multinomial.pmf(
                [gained, lost, 30 - gained - lost], 30, [float(one), float(other), 0.7]
            )
            found = paired_difference(gained, lost, 30)
            covered += Fraction(float(chance)) * (found.low <= one - other <= found.high)
    assert 0.94 < covered < 0.98


def test_games_that_never_go_apart_leave_an_interval_all_the_same():
    found = paired_difference(0, 0, 100)
    assert found.mean == 0
    assert found.low < 0 < found.high


def test_nothing_is_said_of_no_games():
    assert proportion(0, 0).low is None
    assert paired_difference(0, 0, 0).high is None


# --- the study --------------------------------------------------------------------------------


def test_the_same_numbers_whatever_the_number_of_workers():
    sets = (queens(), queens(gathering="shuffled"))
    one, two = (odds(*sets, games=600, workers=n) for n in (1, 2))
    assert odds_json(one) == odds_json(two)


def test_every_game_is_counted_once_and_pairs_add_up():
    found = odds(queens(gathering="picked_up"), queens(gathering="shuffled"))
    first, second = found.odds
    pair = found.pairs[0]
    assert second.won - first.won == pair.only_second - pair.only_first
    assert pair.difference.mean == second.share.mean - first.share.mean
    rules = [o.compiled.game.rules for o in found.odds]
    for game in pair.examples:
        assert play_game(rules[0], 1, game).won != play_game(rules[1], 1, game).won
    assert not play_game(rules[0], 1, first.first_lost).won
    assert all(play_game(rules[0], 1, game).won for game in range(first.first_lost))


def test_a_rule_set_alone_is_compared_under_each_of_its_readings_the_one_in_use_first():
    ways = every_reading(queens())
    assert len(ways) == 9
    assert ways[0] == {"set_up": "shuffled_in", "gathering": "turned_over"}
    assert len(every_reading(queens(set_up="laid_out_first"))) == 3
    assert len(every_reading(compile_reference("royal-quadrille"))) == 6


def test_what_is_proved_is_never_lost_and_says_why():
    found = odds(queens(set_up="laid_out_first"), games=50).odds[0]
    assert (found.won, found.standing, found.exact) == (50, "cannot lose", 1)
    assert found.proof
    assert found.first_lost is None


def test_where_chance_finds_no_lost_game_one_is_looked_for():
    found = odds(queens(), games=20).odds[0]
    assert found.first_lost is None
    assert found.lost is not None
    assert found.standing == "can lose"


@cases("patience_study")
def test_odds_in_print_are_held_against_ours(readings, settings, ours, beside, rounded):
    compiled = compile_reference("captive-queens", readings=readings, settings=settings)
    verdicts = odds(compiled, games=400).odds[0].verdicts
    assert [v.published.source for v in verdicts] == ["arnold-2011", "morehead-1949"]
    assert [str(v.published.odds) for v in verdicts] == ["2/5", "1/2"]
    assert [v.ours for v in verdicts] == [ours, ours]
    assert [v.beside for v in verdicts] == beside
    assert [v.rounded for v in verdicts] == rounded


def test_odds_within_the_interval_are_inside_it():
    """Two re-deals, picked up, base cards on the table: 498 of a thousand."""
    settings = {"heap.turns": 2}
    readings = {"set_up": "laid_out_first", "gathering": "picked_up"}
    compiled = compile_reference("captive-queens", readings=readings, settings=settings)
    verdict = odds(compiled, games=1000).odds[0].verdicts[1]
    assert (verdict.beside, verdict.rounded, verdict.ours) == ("inside", True, False)


def test_odds_in_print_are_called_below_or_above_ours():
    compiled = compile_reference(
        "captive-queens", readings={"gathering": "picked_up"}, settings={"heap.top": "never"}
    )
    table = next(
        b
        for b in odds_blocks(odds(queens(), compiled, games=100))
        if getattr(b, "title", "").startswith("odds")
    )
    assert [row[-2:] for row in table.rows] == [
        ("below\nours", "below\nours"),
        ("above\nours", "above\nours"),
    ]


@cases("patience_study")
def test_a_share_is_printed_to_two_figures_of_its_intervals_width(count, of, text):
    assert share_text(proportion(count, of)) == text


@pytest.mark.parametrize(
    ("exact", "text"),
    [
        (Fraction(1, 2), "50 %"),
        (Fraction(5107, 10_000), "51.07 %"),
        (Fraction(1, 1000), "0.1 %"),
        (Fraction(1, 1001), "1 in 1\N{NO-BREAK SPACE}001"),
        (Fraction(1, 1_886_123), "1 in 1\N{NO-BREAK SPACE}886\N{NO-BREAK SPACE}000"),
        (1 - Fraction(1, 3484), "all but 1 in 3\N{NO-BREAK SPACE}484"),
        (Fraction(0), "0 %"),
    ],
)
def test_exact_odds_are_printed_as_one_in_n_where_they_are_small(exact, text):
    assert exact_text(exact) == text


def test_no_odds_are_printed_in_powers_of_ten():
    compiled = compile_reference(
        "royal-quadrille", readings={"heap_top": "only_as_turned", "gathering": "picked_up"}
    )
    found = odds(compiled, games=20)
    assert found.odds[0].exact is not None
    assert 0 < found.odds[0].exact < Fraction(1, 1_000_000)
    exact = next(row for row in odds_csv(found)[1] if row[3] == "exact")
    assert str(exact[4]).startswith("0.000000")
    assert float(str(exact[4])) == pytest.approx(float(found.odds[0].exact), rel=1e-5)
    assert (
        "counted 1 in 1\N{NO-BREAK SPACE}886\N{NO-BREAK SPACE}000"
        in next(b for b in odds_blocks(found) if isinstance(b, Table)).rows[0][2]
    )


def test_how_often_the_heap_is_gathered_is_said_by_the_text_and_no_point():
    for name in ("royal-quadrille", "captive-queens"):
        compiled = compile_reference(name)
        disputed = {s.point.id for s in compiled.points}
        assert compiled.origins["heap.turns"].status == "attested"
        assert disputed == {"gathering", "heap_top" if name == "royal-quadrille" else "set_up"}
    assert compile_reference("captive-queens").origins["heap.top"].status == "attested"


def test_of_contradance_only_the_article_speaks():
    compiled = compile_reference("contradance")
    assert set(compiled.witnesses) == {"wikipedia"}
    with pytest.raises(ProfileError, match="contradance has no witness 'hoffmann'"):
        compile_reference("contradance@hoffmann")
    rules, other = compiled.game.rules, queens().game.rules
    assert (rules.foundations, rules.heap) == (other.foundations, other.heap)
    assert (rules.stock.packs, other.stock.packs) == (2, 1)
    tried = compile_reference("contradance", readings={"set_up": "queens_laid_out_first"})
    # the article speaks of it, so that against it a conjecture is chosen and no silence filled
    assert tried.origins["foundations.adornment_laid"].status == "conjecture"


def test_one_pack_and_two_are_not_compared():
    with pytest.raises(UsageError, match="no shuffle that both could be dealt"):
        odds(queens(), compile_reference("contradance"))


def test_an_interrupted_study_reports_what_was_finished():
    def stop(done, total, seconds):
        assert seconds >= 0
        assert total == 600
        if done >= 500:
            raise KeyboardInterrupt

    found = odds(queens(), games=600, progress=stop)
    assert (found.interrupted, found.games) == (True, 500)
    assert "Interrupted" in odds_blocks(found)[-1].text

    def at_once(done, total, seconds):
        raise KeyboardInterrupt

    assert odds(queens(), games=600, progress=at_once).games == 250


# --- the commands -----------------------------------------------------------------------------


def test_compare_prints_the_odds_the_proof_and_the_verdicts(quadrille, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    code, out, _ = quadrille(
        "compare", "captive-queens", "--deals", "400", "--workers", "1", "--details"
    )
    assert code == 0
    assert "400 games, the same shuffles under each rule set" in out
    assert out.count("100 %, proved") == 3
    assert "rule set 4, rule set 5, rule set 6 cannot lose; proof:" in out
    assert "2 in 5  arnold-2011" in out
    assert "1 in 2  morehead-1949" in out
    assert f"so many in {ROUND} at most" in " ".join(out.split())


def test_compare_gives_the_same_as_json_and_csv(quadrille):
    args = ("compare", "captive-queens", "royal-quadrille", "--deals", "300", "--workers", "1")
    data = json.loads(quadrille(*args, "--format", "json")[1])
    assert data["design"] == {
        "games": 300,
        "seed": 1,
        "player": "every card is built as soon as it fits",
        "interrupted": False,
    }
    assert [r["profile"] for r in data["rules"]] == ["captive-queens", "royal-quadrille"]
    assert {d["path"] for d in data["rules_diff"]} >= {"foundations.builds", "heap.turns"}
    first = data["per_rule_set"][0]
    assert first["published"][0]["of"] == {
        "stock.packs": [1],
        "foundations.bases": ["as_they_appear"],
    }
    lines = quadrille(*args, "--format", "csv")[1].splitlines()
    assert lines[0] == "section,rules,against,name,mean,low,high,count"
    assert any(
        line.startswith("odds,captive-queens") and line.endswith(f",{first['won']}")
        for line in lines
    )


def test_options_that_a_patience_has_no_use_for_are_refused(quadrille):
    for args, said in (
        (
            ("compare", "captive-queens", "--sessions", "3"),
            "--sessions means nothing in a patience",
        ),
        (
            ("compare", "captive-queens", "--players", "steady"),
            "--players means nothing in a patience",
        ),
        (("compare", "captive-queens", "--engine", "fast"), "--engine means nothing in a patience"),
        (
            ("compare", "captive-queens", "--double-dummy"),
            "--double-dummy means nothing in a patience",
        ),
        (("compare", "captive-queens", "--deals", "1000001"), "at most 1000000 games"),
        (
            ("deal", "captive-queens", "--players", "steady"),
            "--players means nothing in a patience",
        ),
        (("deal", "captive-queens", "--deal", "3"), "--deal means nothing in a patience"),
    ):
        code, out, err = quadrille(*args)
        assert (code, out) == (2, "")
        assert said in err
        assert "Traceback" not in err


def test_a_game_is_printed_recorded_and_replayed(quadrille, tmp_path):
    code, out, _ = quadrille("deal", "captive-queens", "--seed", "1", "--session", "4")
    assert code == 0
    assert "seed 1, game 4" in out
    _, text, _ = quadrille(
        "deal", "captive-queens", "--seed", "1", "--session", "4", "--format", "json"
    )
    record = json.loads(text)
    assert list(record) == list(schema_of("patience")["properties"])
    Draft202012Validator(schema_of("patience")).validate(record)
    path = tmp_path / "game.json"
    path.write_text(text)
    code, out, _ = quadrille("deal", "--replay", str(path), "--format", "json")
    again = json.loads(out)
    assert (code, again["divergence"], again["record"]) == (
        0,
        None,
        {k: v for k, v in record.items() if k != "program"},
    )
    code, out, _ = quadrille("deal", "--replay", str(path), "--set", "heap.turns=0")
    assert code == 1
    assert "diverges: the game has" in out
    code, out, _ = quadrille("deal", "--replay", str(path), "contradance")
    assert code == 1
    assert "these rules deal a stock of 104 cards" in out
    code, _, err = quadrille("deal", "--replay", str(path), "quanti-1822")
    assert code == 2
    assert "quanti-1822 is a game of tricks, and this is for a patience" in err


def test_example_games_are_saved_as_records_that_replay(quadrille, tmp_path):
    folder = tmp_path / "games"
    args = (
        "--reading",
        "2:gathering=picked_up",
        "--deals",
        "100",
        "--examples",
        "1",
        "--save",
        str(folder),
    )
    code, _, _ = quadrille("compare", "captive-queens", "captive-queens", *args, "--workers", "1")
    assert code == 0
    files = sorted(folder.glob("game*"))
    assert [f.name[-6:] for f in files] == ["1.json", "2.json"]
    assert json.loads(files[0].read_text())["won"] != json.loads(files[1].read_text())["won"]
    for file in files:
        assert quadrille("deal", "--replay", str(file))[0] == 0


@pytest.mark.parametrize("gathering", ["turned_over", "shuffled"])
def test_a_lost_game_that_was_looked_for_is_hinted_at_saved_and_replays(
    quadrille, tmp_path, gathering
):
    folder = tmp_path / "games"
    ref = ("compare", "captive-queens", "captive-queens", "--reading", f"2:gathering={gathering}")
    args = (*ref, "--deals", "3", "--workers", "1", "--save", str(folder), "--details")
    code, out, _ = quadrille(*args)
    said = " ".join(out.split())
    assert code == 0
    assert "captive-queens lost none of these games" in said
    assert "writes it as lost-1.json" in said
    assert ("shuffled as in game 0 of seed 1" in said) == (gathering == "shuffled")
    found = json.loads(quadrille(*args, "--format", "json")[1])["per_rule_set"]
    for letter, odds_found in zip("12", found, strict=True):
        file = folder / f"lost-{letter}.json"
        record = json.loads(file.read_text())
        assert odds_found["lost_record"] == record
        assert (record["won"], record["seed"], record["game"]) == (False, None, None)
        Draft202012Validator(schema_of("patience")).validate(record)
        code, out, _ = quadrille("deal", "--replay", str(file))
        assert code == 0
        assert "lost: " in out


@pytest.mark.parametrize("gathering", ["turned_over", "picked_up", "shuffled"])
def test_a_record_replays_under_its_own_rules_and_tells_what_was_changed_in_it(gathering):
    rules = queens(gathering=gathering).game.rules
    played = play_game(rules, 1, 4)
    record = to_record(played, {}, seed=1, game=4)
    assert replay(rules, from_record(record)).divergence == ""
    for key, value, said in (
        ("won", not played.won, "record says otherwise"),
        ("left", "SA SA", "other cards are left"),
        ("steps", [*record["steps"][:7], "1: SA heap?", *record["steps"][8:]], "step 8 is"),
        ("steps", record["steps"][:-1], f"the game has {len(played.steps)} steps"),
        ("stocks", [record["stocks"][0].replace("SA", "SK")], "not the cards that the record has"),
    ):
        assert said in replay(rules, from_record(record | {key: value})).divergence
    if gathering == "shuffled":
        short = replay(rules, from_record(record | {"stocks": record["stocks"][:1]}))
        assert "at turn 1 does not hold the cards of the record" in short.divergence


@cases("patience_study")
def test_a_malformed_record_is_refused(record, code):
    with pytest.raises(RecordError) as caught:
        from_record(record)
    assert code in [p.code for p in caught.value.problems]


def test_published_odds_are_checked_in_a_profile():
    from quadrille_core.profile import parse_profile

    head = "kind: profile\nid: t\ntitle: T\nextends: captive-queens\n"
    for text in (
        'odds: "7/5"',
        'odds: "1e9"',
        "odds: 1",
        'odds: "1/0"',
        'odds: "2/5"\n    of: {heap.nothing: 1}',
    ):
        with pytest.raises(ProfileError):
            parse_profile(f"{head}published:\n  - source: arnold-2011\n    at: p. 1\n    {text}\n")
    parsed = parse_profile(
        f'{head}published:\n  - source: arnold-2011\n    at: p. 1\n    odds: "2/5"\n'
    )
    assert parsed.published[0].odds == Fraction(2, 5)


def test_a_table_of_odds_breaks_no_name(quadrille, tmp_path):
    """In 80 columns the names of the rule sets and of the odds in print stand whole."""
    ours = str(tmp_path / "ours.yaml")
    assert quadrille("new", ours, "--from", "captive-queens")[0] == 0
    _, out, _ = quadrille("compare", "captive-queens", ours, "--deals", "10000")
    lines = out.splitlines()
    head = next(line for line in lines if "odds, 95 %" in line)
    assert "2\N{NO-BREAK SPACE}in\N{NO-BREAK SPACE}5" in head
    assert any(line.startswith("captive-queens   ") for line in lines), out
    assert max(map(len, lines)) <= 80
