"""Comparisons that play until they are decided: the looks, who plays on, what is written down, and
what is refused."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from quadrille_plugins.compare import command as compare_cli
from quadrille_plugins.compare.report import any_decided, comparison_blocks, comparison_json
from quadrille_plugins.compare.study import compare
from quadrille_plugins.deal.players import family
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.design import plan
from quadrille_plugins.studies.effects import TOTAL
from quadrille_plugins.studies.equivalence import DECIDED
from quadrille_plugins.studies.looks import LOOKS_COUNT_AS, MOST_SESSIONS, looks
from quadrille_plugins.studies.paired import PICKED_ROLES

from quadrille_core.ruleset import compile_reference

LOOKS = list(looks(MOST_SESSIONS["fast"]))
SHORT = {"table.session_deals": 4}
"""Sessions of four deals: a look at fifty is soon there, for the readable engine too."""


SETS = ["--set", "table.session_deals=4", "--set", "2:payments.premium.solo=20"]


@pytest.fixture(scope="module")
def pair():
    """Two rule sets of which one pays a solo five times as much."""
    return [
        compile_reference("quanti-1822", settings=SHORT),
        compile_reference("quanti-1822", settings={**SHORT, "payments.premium.solo": 20}),
    ]


def design(pair, most=100, bot="steady", others=(), smallest=100):
    one = plan(pair, deals=None, sessions=1, seed=3, bots=(bot,), smallest=Fraction(smallest))
    return replace(
        one, lengths=one.lengths * most, until="roles", others=tuple((b,) * 4 for b in others)
    )


def test_looks_are_fixed_numbers_of_sessions_of_which_the_last_is_the_most():
    assert list(looks(100)) == [50, 71, 100]
    assert list(looks(60)) == [50, 60]
    assert LOOKS[-1] == MOST_SESSIONS["fast"]
    assert list(looks(60_000)) == [*LOOKS, 60_000]
    assert MOST_SESSIONS["readable"] in LOOKS
    assert all(1.4 < b / a < 1.43 for a, b in pairwise(LOOKS))


def test_both_engines_stop_at_the_same_look_with_the_same_answer(pair):
    """Neither a clock nor the engine decides what is played."""
    pytest.importorskip("numba")
    told = []
    for engine in ("readable", "fast"):
        found = compare(pair, design(pair, most=400, smallest=400), engine=engine, examples=0)
        data = comparison_json(found)
        told.append(
            {
                **data,
                "design": {
                    k: v for k, v in data["design"].items() if k not in ("engine", "preliminary")
                },
            }
        )
        assert found.decided
        assert len(found.design.lengths) in LOOKS
    assert told[0] == told[1]


def test_an_answer_holds_together_over_all_rows_that_may_differ(pair):
    """Each of nine rows (four seats, three roles, pool and the rest) has its part of the error, for
    twice as many."""
    pytest.importorskip("numba")
    until = compare(pair, design(pair), engine="fast", examples=0)
    fixed = compare(pair, replace(until.design, until=None), engine="fast", examples=0)
    wide, narrow = (c.pairs[0].effects[TOTAL]["hombre"] for c in (until, fixed))
    assert (wide.mean, wide.differing) == (narrow.mean, narrow.differing)
    assert wide.high - wide.low > 1.3 * (narrow.high - narrow.low)
    assert wide.together == (wide.low, wide.high)
    others = tuple((spec,) * 4 for spec in family()[1:LOOKS_COUNT_AS])
    by_all = compare(pair, replace(until.design, until=None, others=others), engine="fast")
    shared = by_all.pairs[0].effects[TOTAL]["hombre"]  # all looks together count as so many players
    assert (shared.low, shared.high) == (wide.low, wide.high)


def test_play_stops_at_the_first_look_at_which_all_roles_are_decided(pair):
    pytest.importorskip("numba")
    found = compare(pair, design(pair, most=400, smallest=40), engine="fast", examples=0)
    played = len(found.design.lengths)
    assert {found.pairs[0].effects[TOTAL][n].answer for n in PICKED_ROLES} <= DECIDED
    before = max(n for n in LOOKS if n < played)
    assert not compare(
        pair, design(pair, most=before, smallest=40), engine="fast", examples=0
    ).decided
    seats = replace(design(pair, most=3200, smallest=40), until="seats")
    found = compare(pair, seats, engine="fast", examples=0)
    assert len(found.design.lengths) > played
    assert found.decided == all(
        e.answer in DECIDED for n, e in found.pairs[0].effects[TOTAL].items() if "seat" in n
    )


def test_a_member_that_is_decided_stops_and_so_do_all_where_it_depends(pair):
    """Members are asked on the same cards, each until its own answer is decided or cannot change
    that of all."""
    pytest.importorskip("numba")
    others = ("steady:boldness=-12", "steady:boldness=+12")
    found = compare(
        pair, design(pair, most=3200, others=others, smallest=40), engine="fast", examples=0
    )
    sessions = [len(one.design.lengths) for one in found.family]
    assert [one.design.bots[0] for one in found.family] == ["steady", *others]
    assert len(set(sessions)) > 1
    fixed = replace(design(pair, most=sessions[1], bot=others[0]), until=None)
    alone = compare(pair, fixed, engine="fast", examples=0)
    theirs, mine = (c.pairs[0].effects[TOTAL]["hombre"] for c in (found.family[1], alone))
    assert (theirs.mean, theirs.differing, theirs.sessions) == (
        mine.mean,
        mine.differing,
        mine.sessions,
    )


def test_what_the_readable_engine_leaves_undecided_is_preliminary(monkeypatch, pair):
    monkeypatch.setitem(MOST_SESSIONS, "readable", 2)
    found = compare(pair, design(pair, most=2), examples=0)
    assert (found.decided, found.is_preliminary) == (False, True)
    assert not any_decided(found)
    texts = [getattr(b, "text", "") for b in comparison_blocks(found, details=False)]
    assert any("--at-most" in text for text in texts)
    titles = [getattr(b, "title", "") for b in comparison_blocks(found, details=False)]
    assert not any("counters in a session" in title for title in titles)


def test_a_manifest_holds_who_was_asked_and_the_most_deals_and_is_rerun(tmp_path, capsys):
    """Each engine's manifest is repeated by the engine the program chooses (by both:
    tests/studies/test_engines.py)."""
    pytest.importorskip("numba")
    line = ["compare", "quanti-1822", "quanti-1822", *SETS]
    for engine, players in (("readable", "steady"), ("fast", "family")):
        manifest = tmp_path / f"{engine}.json"
        asked = [
            *line,
            "--engine",
            engine,
            "--workers",
            "1",
            "--manifest",
            str(manifest),
            "--at-most",
            "400",
        ]
        assert run(asked) == 0
        data = json.loads(manifest.read_text("utf-8"))
        assert (data["parameters"]["players"], data["parameters"]["at_most"]) == (players, 400)
        assert "deals" not in data["parameters"]
        assert data["results"]["design"]["deals"] in (200, 284, 400)
        assert not {"engine", "preliminary"} & set(data["results"]["design"])
        assert run(["rerun", str(manifest), "--workers", "1"]) == 0, capsys.readouterr().out


def test_what_a_family_found_is_not_repeated_by_one_player(tmp_path, monkeypatch, capsys):
    """Where the fast engine cannot play, a rerun says what is wanting, and never that something
    differs."""
    pytest.importorskip("numba")
    manifest = tmp_path / "family.json"
    line = ["compare", "quanti-1822", "quanti-1822", *SETS, "--at-most", "200", "--workers", "1"]
    assert run([*line, "--manifest", str(manifest)]) == 0
    monkeypatch.setattr("quadrille_plugins.studies.engines.is_compiled", lambda *_: False)
    assert run(["rerun", str(manifest)]) == 0
    monkeypatch.setattr("quadrille_plugins.studies.fast.find_spec", lambda name: None)
    capsys.readouterr()
    assert run(["rerun", str(manifest)]) == 2
    assert "Numba is not installed" in capsys.readouterr().err


def test_the_same_answer_comes_of_a_folder_that_is_resumed_and_of_any_workers(tmp_path, capsys):
    pytest.importorskip("numba")
    line = ["compare", "quanti-1822", "quanti-1822", *SETS]
    line += ["--at-most", "400", "--format", "json", "--engine", "fast"]
    outs = []
    for more in (["--workers", "1"], ["--workers", "2"], ["--study", str(tmp_path / "s")],
                 ["--study", str(tmp_path / "s"), "--resume"]):  # fmt: skip
        assert run([*line, *more]) == 0
        outs.append(capsys.readouterr().out)
    assert len(set(outs)) == 1


@pytest.mark.parametrize(
    "fixed", [["--deals", "80"], ["--sessions", "2"], ["--power", "10"]], ids=lambda f: f[0]
)
@pytest.mark.parametrize("free", [["--at-most", "80"], ["--seats"]], ids=lambda f: f[0])
def test_what_is_for_play_until_it_is_decided_is_refused_beside_a_fixed_number(fixed, free, capsys):
    assert run(["compare", "quanti-1822", "mediateur-1752", *fixed, *free]) == 2
    assert "Q802" in capsys.readouterr().err


def test_that_too_few_sessions_differ_is_said_once_of_all_it_holds_for(capsys):
    """It was repeated for every role and seat."""
    line = ["quanti-1822", "mediateur-1752", "--at-most", "80", "--seats", "--players", "steady"]
    assert run(["compare", *line, "--engine", "readable", "--format", "json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["paired"]
    assert pair["answer"].count("too few sessions") == 1


def test_without_numba_the_answer_is_that_of_steady_and_says_so_last(monkeypatch, capsys):
    monkeypatch.setattr("quadrille_plugins.studies.fast.find_spec", lambda name: None)
    monkeypatch.setitem(compare_cli.MOST_SESSIONS, "readable", 1)
    assert run(["compare", "quanti-1822", "mediateur-1752", "--workers", "1"]) == 0
    last = " ".join(capsys.readouterr().out.split("\n\n")[-1].split())
    assert last.startswith("This answer came from the readable engine, by steady alone")
    assert "Numba is not installed" in last


@pytest.mark.parametrize(
    "name", ["quanti-1822", "quintille-old", "hoyle-improved", "mediateur-1752"]
)
def test_every_deal_has_one_contract_and_one_outcome_however_many_blocks_there_are(name):
    """Redeals were one sum under two names: added up over blocks, each was counted for both."""
    pytest.importorskip("numba")
    one = compile_reference(name)
    found = compare(
        [one, one],
        plan([one, one], deals=3200, sessions=None, seed=1, bots=("steady",)),
        engine="fast",
    )
    for summary in found.summaries:
        deals = found.design.deals
        assert (
            sum(s.count for s in summary.contracts)
            == sum(s.count for s in summary.outcomes)
            == deals
        )
    redealt = {s.name: s.count for s in found.summaries[0].outcomes}.get("redealt", 0)
    assert bool(redealt) == (name == "quintille-old")
