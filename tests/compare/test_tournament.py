"""Tournaments: every hand is played once by either bot, and the ranking follows from what was
paid."""

import csv
import io
import json
from collections import Counter
from fractions import Fraction

import pytest
from quadrille_plugins.compare import tournament
from quadrille_plugins.compare.tournament import hold, meet, pair_up, seated
from quadrille_plugins.compare.tournament_command import (
    tournament_blocks,
    tournament_csv,
    tournament_json,
)
from quadrille_plugins.deal.players import family, make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.kernel.mixed import kernel_of
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import sessions
from quadrille_plugins.studies.design import Design
from quadrille_plugins.studies.fast import compiled_player
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.sessions import Readable

from quadrille_core.engine.deal_record import Names
from quadrille_core.errors import UsageError
from quadrille_core.ruleset import compile_reference


def all_play_steadily(monkeypatch):
    """Whatever the bots are called."""
    for module in (tournament, sessions):
        monkeypatch.setattr(module, "make_bot", lambda name: make_bot("steady"))


@pytest.fixture(scope="module")
def modern():
    return compile_reference("quadrille-modern")


def pairing(sessions=6, length=4, bots=("random", "steady"), seed=2):
    return Design(seed=seed, lengths=(length,) * sessions, bots=bots)


@pytest.mark.parametrize("chairs", [4, 5])
def test_each_bot_sits_once_in_every_chair_at_the_two_tables_of_a_pair(chairs):
    tables = [seated(("a", "b"), table, chairs) for table in (0, 1)]
    assert all({one, other} == {"a", "b"} for one, other in zip(*tables, strict=True))
    assert Counter(tables[0] + tables[1]) == {"a": chairs, "b": chairs}


def test_steady_wins_against_chance_with_an_interval_that_excludes_zero(modern):
    found = hold(modern, pairing(sessions=12))
    assert [r.bot for r in found.ranking] == ["steady", "random"]
    (duel,) = found.duels
    assert (duel.first, duel.second) == ("steady", "random")
    assert duel.difference.low > 0
    assert duel.difference.excludes_zero


def test_a_bot_against_its_like_wins_nothing_of_it(modern, monkeypatch):
    # of two steady bots under different names either plays every hand of the deal just as the other
    # does
    all_play_steadily(monkeypatch)
    (duel,) = hold(modern, pairing(bots=("one", "other"))).duels
    assert duel.difference.mean == duel.difference.low == duel.difference.high == 0
    for shares in duel.variance.values():
        assert (shares.player.mean, shares.cards.mean, shares.rest.mean) == (0, 1, 0)


def test_the_means_are_those_of_the_payments_antes_taken_off(modern):
    wanted = pairing(sessions=1)
    total, count = Counter(), Counter()
    for table in (0, 1):
        names = seated(("random", "steady"), table, 4)
        bots = [make_bot(n) for n in names]
        for played in play_session(modern.ruleset, bots, seed=2, session=0, deals=4, anew=True):
            for chair, name in enumerate(names):
                total[name] += played.net_of_chair[chair] - played.antes[chair]
                count[name] += 1
    found = hold(modern, wanted)
    assert {r.bot: r.mean.mean for r in found.ranking} == {
        n: Fraction(total[n]) / count[n] for n in total
    }
    assert (
        found.duels[0].difference.mean
        == total["steady"] / count["steady"] - total["random"] / count["random"]
    )
    assert sum(p.count for p in found.played) <= 8


def test_the_result_does_not_depend_on_how_many_work_at_it(modern):
    one, two = (hold(modern, pairing(sessions=3), runner=Runner(Placement(n))) for n in (1, 2))
    assert tournament_json(one) == tournament_json(two)


@pytest.mark.parametrize(
    ("rules", "bots"),
    [
        ("quanti-1822", ("steady", "random", "steady:boldness=+3")),
        ("quintille", ("steady", "random")),
        pytest.param("mediateur-1752", family(), marks=pytest.mark.slow),
    ],
)
def test_the_result_is_the_same_by_either_engine_for_any_number_of_workers(rules, bots):
    """Where all are of one module, where they are of two and the pool is reset, and with five
    chairs, in which a pair sits unevenly."""
    pytest.importorskip("numba")
    compiled = compile_reference(rules)
    wanted = pairing(sessions=8, length=compiled.ruleset.rules.table.session_multiple, bots=bots)
    told = [
        tournament_json(hold(compiled, wanted, engine=engine, runner=Runner(Placement(workers))))
        for engine, workers in (("readable", 1), ("fast", 1), ("fast", 3))
    ]
    assert told[0] == told[1] == told[2]
    assert {row["bot"] for row in told[0]["played_as_hombre"]} == set(bots)


def test_a_session_that_the_kernel_cannot_tell_is_played_by_the_readable_engine(
    modern, monkeypatch
):
    """At both tables, though one alone is blocked, here by force."""
    pytest.importorskip("numba")
    wanted, blocked = pairing(sessions=6), []
    whole = tournament_json(hold(modern, wanted, engine="fast"))
    kernel = kernel_of(compiled_player(wanted.bots))
    real = kernel.play_sessions

    def some(*arguments):
        real(*arguments)
        if len(blocked) % 2:
            arguments[8]["blocked"][1::2] = 1
        blocked.append(len(arguments[8]) // 2)

    some.player = real.player
    monkeypatch.setattr(kernel, "play_sessions", some)
    assert tournament_json(hold(modern, wanted, engine="fast")) == whole
    assert sum(blocked[1::2]) >= 2


def test_every_two_bots_meet_and_the_better_of_each_pair_is_named_first():
    pytest.importorskip("numba")
    compiled = compile_reference("quintille")
    found = hold(compiled, pairing(sessions=2, length=5, bots=("random", "seer", "steady")))
    assert len(found.duels) == 3
    place = [r.bot for r in found.ranking]
    assert all(place.index(d.first) < place.index(d.second) for d in found.duels)
    assert place[2] == "random"


def test_interrupted_it_reports_the_sessions_that_every_pair_has_finished(modern, monkeypatch):
    whole = hold(modern, pairing(sessions=2))
    stopping_at(2, monkeypatch)
    found = hold(modern, pairing(sessions=5))
    assert found.interrupted
    assert found.pairing.lengths == (4, 4)
    assert [r.mean for r in found.ranking] == [r.mean for r in whole.ranking]
    assert "Interrupted" in tournament_blocks(found)[-1].text


def stopping_at(session, monkeypatch):
    """Interrupt a tournament before it plays that session."""

    def stopping(engines, both, seed, first, lengths, room):
        if first == session:
            raise KeyboardInterrupt
        return meet(engines, both, seed, first, lengths, room)

    monkeypatch.setattr(tournament, "meet", stopping)


def test_interrupted_before_any_session_is_finished_it_has_nothing_to_report(modern, monkeypatch):
    stopping_at(0, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        hold(modern, pairing())


@pytest.mark.parametrize("rules", ["quadrille-modern", "mediateur-1752"])
def test_with_a_random_bot_the_pool_is_reset_before_each_deal_and_the_answer_says_so(rules):
    """In whole sessions of chance the pool doubles without end; a mean deal stays far below a
    thousand counters."""
    found = hold(compile_reference(rules), pairing(sessions=1, length=40))
    assert all(abs(r.mean.mean) < 1000 for r in found.ranking)
    assert "reset before each deal" in tournament_blocks(found)[-1].text
    assert tournament_json(found)["design"]["pool_reset_each_deal"] is True


def test_without_a_random_bot_the_pool_carries_over(modern, monkeypatch):
    all_play_steadily(monkeypatch)
    pair = ("one", "other")
    tables = [seated(pair, table, 4) for table in (0, 1)]
    (carried,), (reset,) = (
        meet(
            [Readable(modern.ruleset, t, Names(), anew=a) for t in tables], pair, 2, 0, [12], None
        )[0]
        for a in (False, True)
    )
    assert carried.tallies != reset.tallies
    found = hold(modern, pairing(sessions=1, length=12, bots=("one", "other")))
    assert {r.bot: r.mean.mean for r in found.ranking} == {
        name: Fraction(t.total) / t.count
        for name, t in zip(carried.pair, carried.tallies, strict=True)
    }
    assert "reset" not in tournament_blocks(found)[-1].text
    assert tournament_json(found)["design"]["pool_reset_each_deal"] is False


def test_fewer_than_six_sessions_give_no_interval_and_say_so(modern):
    blocks = tournament_blocks(hold(modern, pairing(sessions=2)))
    assert "No intervals" in blocks[-1].text
    assert "± ?" in blocks[2].rows[0][2]


def test_a_tournament_wants_two_different_bots_and_a_length_the_rules_allow(modern):
    quanti = compile_reference("quanti-1822")
    for bots in (["steady"], ["steady", "steady"]):
        with pytest.raises(UsageError, match="two different bots"):
            pair_up(modern, bots=bots, deals=8, length=None, seed=1)
    with pytest.raises(UsageError, match="multiple of 4"):
        pair_up(quanti, bots=["steady", "random"], deals=8, length=6, seed=1)
    assert pair_up(quanti, bots=["steady", "random"], deals=45, length=None, seed=1).lengths == (
        40,
        8,
    )


def test_the_command_prints_json_and_csv_with_the_same_numbers(capsys, modern):
    args = [
        "compare",
        "--bots",
        "steady,random",
        "quadrille-modern",
        "--deals",
        "8",
        "--length",
        "4",
        "--seed",
        "2",
        "--workers",
        "1",
    ]
    assert run([*args, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["design"] == {
        "deals": 8,
        "sessions": 2,
        "seed": 2,
        "bots": ["steady", "random"],
        "pool_reset_each_deal": True,
        "interrupted": False,
    }
    assert run([*args, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    means = {r["bot"]: float(r["mean"]) for r in rows if r["section"] == "mean"}
    assert means == {r["bot"]: r["mean"] for r in data["ranking"]}
    columns, made = tournament_csv(hold(modern, pairing(sessions=2, bots=("steady", "random"))))
    assert [list(map(str, r)) for r in made] == [[r[c] for c in columns] for r in rows]


def test_the_command_says_when_it_was_interrupted_and_ends_with_130(capsys, monkeypatch):
    stopping_at(1, monkeypatch)
    assert (
        run(
            [
                "compare",
                "--bots",
                "steady,random",
                "quadrille-modern",
                "--deals",
                "8",
                "--length",
                "4",
                "--workers",
                "1",
            ]
        )
        == 130
    )
    printed = capsys.readouterr()
    assert "interrupted: reporting the 4 deals" in printed.err
    assert "Interrupted" in printed.out


def test_a_patience_has_nobody_to_rank(capsys):
    assert run(["compare", "--bots", "steady,random", "captive-queens"]) == 2
    assert "played alone" in capsys.readouterr().err
