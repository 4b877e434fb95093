"""The kernel plays as the readable engine does, and whoever compares rule sets cannot tell which of
them has played."""

import json
import random
import subprocess
import sys
from dataclasses import fields
from functools import wraps

import pytest

pytest.importorskip("numba")

from kernel_equality import (
    EqualityCounts,
    combinations,
    compare,
    member,
    profiles,
    readings,
    table,
)
from quadrille_plugins.compare import study
from quadrille_plugins.compare.report import comparison_json
from quadrille_plugins.house_rules.equality import as_told, differing
from quadrille_plugins.players import kernel_steady, kernel_steady_vole, steady, steady_play
from quadrille_plugins.players import kernel_steady_cards as steady_cards
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import engines, fast, sessions
from quadrille_plugins.studies.design import Design, plan
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner

from quadrille_core.engine.deal_record import DealRecord
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.ruleset import compile_reference

PROFILES = dict(profiles())


@pytest.mark.parametrize("reference", PROFILES)
def test_the_kernel_plays_each_profile_and_witness_event_by_event_as_the_readable_engine_does(
    reference,
):
    tally = EqualityCounts()
    compare(reference, PROFILES[reference], deals=8, seed=5, tally=tally)
    assert (tally.difference, tally.deals) == ("", 8)
    assert tally.transfers > 8


@pytest.mark.parametrize(
    "profile", ["quanti-1822", pytest.param("quadrille-laws", marks=pytest.mark.slow)]
)
def test_it_plays_the_readings_of_how_a_deal_goes_as_the_readable_engine_does(profile):
    """How deals are paid under every reading ``test_kernel_settle`` compares, and the command above
    everything."""
    tally = EqualityCounts()
    for number, (label, ruleset) in enumerate(
        readings([profile], {"auction", "bids", "forcing", "play", "vole"})
    ):
        compare(label, ruleset, deals=2, seed=number, tally=tally)
        assert not tally.difference
    assert tally.deals == 2 * tally.rule_sets > 20


@pytest.mark.parametrize("reference", ["quanti-1822", "mediateur-1752", "quintille"])
def test_the_kernel_plays_members_of_the_family_as_the_readable_engine_does(reference):
    """Their parameters are drawn; all are played under one set of rules, so that nothing kept of
    one serves another."""
    tally, draw = EqualityCounts(), random.Random(reference)
    bots = {member("steady", draw) for _ in range(10)}
    for bot in sorted(bots):
        compare(f"{reference}, {bot}", PROFILES[reference], deals=6, seed=5, tally=tally, bot=bot)
    assert (tally.difference, tally.deals) == ("", 6 * len(bots))
    assert len(bots) > 5


@pytest.mark.parametrize("reference", PROFILES)
def test_the_kernel_plays_random_on_each_profile_and_witness_as_the_readable_engine_does(reference):
    """Every deal begins anew, and whatever may be done is done at some time: bids that steady never
    makes among it."""
    tally = EqualityCounts()
    compare(reference, PROFILES[reference], deals=24, seed=5, tally=tally, bot="random")
    assert (tally.difference, tally.deals) == ("", 24)
    assert tally.transfers >= 24


@pytest.mark.parametrize("bots", [("steady",), ("steady", "random")], ids="-".join)
@pytest.mark.parametrize("reference", PROFILES)
def test_it_plays_mixed_tables_on_each_profile_and_witness_as_the_readable_engine_does(
    reference, bots
):
    """Chairs change from deal to deal, so that every player sits in every seat; the pool carries
    over unless random plays."""
    tally, draw = EqualityCounts(), random.Random(reference)
    seats = table(bots, PROFILES[reference].rules.table.players, draw)
    compare(f"{reference}, {seats}", PROFILES[reference], deals=12, seed=5, tally=tally, bot=seats)
    assert (tally.difference, tally.deals) == ("", 12)
    assert tally.transfers >= 12


SHORT = {"premiers.tricks": 2, "bids.solo.made": "never"}
"""A side often makes the first two tricks, and nobody bids higher than an alliance."""
RARE = {
    "more tricks than premiers": (
        "quadrille-laws",
        {**SHORT, "bids.alliance.tricks": 3},
        {"ask", "yes", "no"},
    ),
    "claims": (
        "quanti-1822",
        {**SHORT, "bids.vole.made": "never", "play.claim_won": True, "bids.alliance.tricks": 3},
        {"claim", "ask", "yes", "no", "vole", "invite", "call"},
    ),
    "voles announced, trumps named unasked": (
        "quadrille-laws+vole-announced",
        SHORT,
        {"names", "ask", "vole", "no"},
    ),
    "no stopping": (
        "quadrille-laws+vole-announced",
        {**SHORT, "premiers.claim": False},
        {"names", "ask", "yes", "no"},
    ),
    "five hands": (
        "quintille",
        {**SHORT, "bids.alliance.tricks": 2},
        {"claim", "ask", "yes", "no", "vole", "call"},
    ),
}


@pytest.mark.parametrize("case", RARE)
def test_what_steady_seldom_does_random_does_as_the_readable_engine_has_it(case, monkeypatch):
    """Where there is more to choose from than a card: each of these is said at some time, and told
    alike."""
    profile, settings, said = RARE[case]
    ruleset, tally, kinds = (
        compile_reference(profile, settings=settings).ruleset,
        EqualityCounts(),
        set(),
    )
    other = sessions.play_session

    def watched(*arguments, **named):
        for one in other(*arguments, **named):
            kinds.update(e.kind for e in one.deal.events)
            yield one

    monkeypatch.setattr(sessions, "play_session", watched)
    for seed in range(4):
        compare(profile, ruleset, deals=60, seed=seed, tally=tally, bot="random")
        assert not tally.difference
    assert tally.deals == 240
    assert not said - kinds


@pytest.mark.parametrize("bots", [("steady",), ("random",), ("steady", "random")], ids="-".join)
def test_it_plays_random_combinations_of_all_rules_as_the_readable_engine_does(bots):
    tally, draw = EqualityCounts(), random.Random(7)
    for number, (label, ruleset) in enumerate(combinations(25, seed=7)):
        seats = table(bots, ruleset.rules.table.players, draw) if len(bots) > 1 else bots
        compare(label, ruleset, deals=4, seed=number, tally=tally, bot=seats)
        assert not tally.difference
    assert tally.rule_sets_left + tally.sessions_left <= 2
    assert tally.deals > 80


@pytest.fixture(scope="module")
def told():
    """A deal's record by field, by either engine."""
    ruleset = PROFILES["quanti-1822"]
    (arrays,), _ = fast.tabulate([ruleset], ["steady"])
    mine = sessions.Readable(ruleset, ["steady"] * 4, arrays.names).play(5, 0, [1], None, 0)
    theirs = arrays.play(5, 0, [1], fast.Workspace(1, 1), 0)
    return [
        as_told(held.deals(0)[0][0], held.deals(0)[1], *more)
        for held, more in ((mine, ()), (theirs, (arrays,)))
    ]


@pytest.mark.parametrize(
    "field", [f.name for f in fields(DealRecord) if not f.name.endswith("_at")]
)
def test_records_are_compared_field_by_field(told, field):
    """Whatever field the kernel had otherwise would be named."""
    mine, theirs = told
    assert differing(mine, theirs) == ""
    assert differing(mine, {**theirs, field: "otherwise"}).startswith(f"{field}: ")


def test_a_difference_is_noticed(monkeypatch):
    """The readable engine plays another deal than the kernel."""
    tally = EqualityCounts()
    other = sessions.play_session
    monkeypatch.setattr(
        sessions, "play_session", lambda *a, seed, **k: other(*a, seed=seed + 1, **k)
    )
    compare("quanti-1822", PROFILES["quanti-1822"], deals=4, seed=5, tally=tally)
    assert "by the fast one" in tally.difference


def test_the_odds_of_a_vole_are_those_of_the_bot():
    assert kernel_steady_vole.CHANCE_ALONE == steady.VOLE_OF_16
    assert kernel_steady_vole.CHANCE_ALLIED == steady.VOLE_OF_16_ALLIED


def test_the_numbers_of_the_play_are_those_of_the_bot():
    for name in ("EARLY", "HOPELESS", "USELESS", "MANY"):
        assert getattr(steady_cards, name) == getattr(steady_play, name), name


WITH_TRUMPS = {"bids.nemo.trump": "suit", "payments.in_favourite.premium.nemo": 60}


@pytest.mark.parametrize("settings", [{}, WITH_TRUMPS], ids=["bare", "with trumps"])
def test_it_plays_against_no_trick_as_the_readable_engine_does(settings):
    ruleset = compile_reference(
        "mediateur-1752", settings={"payments.premium.nemo": 60, **settings}
    ).ruleset
    tally = EqualityCounts()
    compare("nemo", ruleset, deals=120, seed=30, tally=tally)
    assert (tally.difference, tally.deals) == ("", 120)


COMPARED = {
    "two profiles": (["quanti-1822", "mediateur-1752"], {}, 240),
    "three rule sets, one played twice": (
        ["quadrille-laws", "quadrille-modern", "quadrille-laws"],
        {},
        120,
    ),
    "five hands": (["quintille", "quintille+nemo"], {}, 120),
    "a session that ends when a purse is empty": (
        ["quanti-1822", "quanti-1822@parlett"],
        {"table.purse": 60, "table.coins": [], "table.purse_empty": "session_ends"},
        160,
    ),
}
MIXED = "steady,steady:boldness=+3,steady:calls=void,steady:leads=kings"
"""At a table of four: deals are replayed by whoever sat there."""
COMPARED_ALWAYS = {("two profiles", "steady"), ("five hands", "random"), ("two profiles", MIXED)}


@pytest.mark.parametrize(
    ("case", "bot"),
    [
        pytest.param(
            c, b, id=f"{c}-{b}", marks=[pytest.mark.slow] * ((c, b) not in COMPARED_ALWAYS)
        )
        for c in COMPARED
        for b in ("steady", "random", MIXED)
        if b != MIXED or "five" not in c
    ],
)
def test_a_comparison_says_the_same_to_the_byte_by_either_engine(case, bot):
    references, settings, deals = COMPARED[case]
    compiled = [compile_reference(r, settings=settings) for r in references]
    bots = tuple(bot.split(","))
    design = plan(compiled, deals=deals, sessions=None, seed=11, bots=bots, decompose=True)
    told = []
    for engine, workers in (("readable", 1), ("fast", 1), ("fast", 3)):
        found = comparison_json(
            study.compare(compiled, design, engine=engine, runner=Runner(Placement(workers)))
        )
        assert found["design"].pop("engine") == engine
        told.append(json.dumps(found))
    assert told[0] == told[1] == told[2]


def test_a_session_that_the_kernel_cannot_tell_is_played_by_the_readable_engine(monkeypatch):
    """Blocked here by force: the sums are the same, whichever sessions it is."""
    compiled = [compile_reference(r) for r in ("quanti-1822", "quadrille-modern")]
    design = plan(compiled, deals=240, sessions=None, seed=2, bots=("steady",))
    whole = comparison_json(study.compare(compiled, design, engine="fast"))
    real, blocked = kernel_steady.play_sessions, []

    @wraps(real)
    def some(*arguments):
        real(*arguments)
        arguments[8]["blocked"][1::2] = 1
        blocked.append(len(arguments[8]) // 2)

    monkeypatch.setattr(kernel_steady, "play_sessions", some)
    assert comparison_json(study.compare(compiled, design, engine="fast")) == whole
    assert sum(blocked) >= 2


def test_payments_too_large_to_be_squared_are_left_to_the_readable_engine_though_they_cancel():
    """Within a session one solo is won and one lost, so that no sum is large."""
    settings = {"payments.premium.solo": 5500, "stakes.unit": 3000, "stakes.unit_of": "constant"}
    compiled = [compile_reference("quanti-1822@wikipedia", settings=s) for s in (settings, {})]
    design = Design(seed=1, lengths=(8,) * 20, bots=("steady",) * 4)
    told = [study.compare(compiled, design, engine=engine) for engine in ("readable", "fast")]
    assert told[0].summaries == told[1].summaries
    assert max(told[0].summaries[0].spread.values()) > 2**31 / 120


UNTELLABLE = {
    "too large": {
        "payments.premium.solo": 10_000,
        "stakes.unit": 10_000,
        "stakes.unit_of": "constant",
    },
    "divided too finely": {"payments.premium.solo": "1/99999999999999999999"},
}


@pytest.mark.parametrize("case", UNTELLABLE)
def test_rules_whose_payments_the_kernel_cannot_tell_are_played_by_the_readable_engine(
    case, capsys, monkeypatch
):
    compiled = [
        compile_reference("quanti-1822@wikipedia", settings=s) for s in (UNTELLABLE[case], {})
    ]
    design = plan(compiled, deals=40, sessions=None, seed=1, bots=("steady",))
    with pytest.raises(UsageError, match=case):
        study.compare(compiled, design, engine="fast")
    line = ["compare", *["quanti-1822@wikipedia"] * 2, "--deals", "40", "--format", "json"]
    line += [
        part for path, value in UNTELLABLE[case].items() for part in ("--set", f"1:{path}={value}")
    ]
    assert run([*line, "--engine", "fast"]) == 2
    assert case in capsys.readouterr().err
    monkeypatch.setattr(engines, "WORTH_LOADING", 0)
    assert run(line) == 0
    shown = capsys.readouterr()
    assert "readable engine, which is much slower" in shown.err
    assert json.loads(shown.out)["design"]["engine"] == "readable"


def test_what_the_kernel_cannot_play_is_said_and_left_to_the_readable_engine(capsys, monkeypatch):
    rulesets = [compile_reference("quanti-1822").ruleset]
    assert fast.blocked_by(rulesets, ("steady",)) is None
    assert fast.blocked_by(rulesets, ("random",) * 4) is None
    assert fast.blocked_by(rulesets, ("steady", "random", "seer")) is None
    assert fast.blocked_by(rulesets, ("seer",) * 4) is None
    monkeypatch.setattr(fast, "find_spec", lambda name: None)
    assert install_hint("fast") in fast.blocked_by(rulesets, ("steady",))
    line = ["compare", "quanti-1822", "quadrille-modern", "--deals", "40"]
    assert run([*line, "--engine", "fast"]) == 2
    assert "pip install" in capsys.readouterr().err
    monkeypatch.setattr(engines, "WORTH_LOADING", 0)
    assert run(line) == 0
    shown = capsys.readouterr()
    assert "readable engine" in shown.err
    assert "engine" not in shown.out, "what a study prints is the same by either"


def test_interrupted_work_reports_the_sessions_that_were_finished():
    compiled = [compile_reference(r) for r in ("quanti-1822", "quadrille-modern")]
    design = plan(compiled, deals=16_000, sessions=None, seed=2, bots=("steady",))

    def stop(done, total, seconds):
        if done >= 2000:
            raise KeyboardInterrupt

    found = study.compare(compiled, design, engine="fast", progress=stop)
    assert found.interrupted
    assert 2000 <= found.design.deals < 16_000
    again = plan(compiled, deals=found.design.deals, sessions=None, seed=2, bots=("steady",))
    assert (
        comparison_json(study.compare(compiled, again, engine="fast"))["paired"]
        == comparison_json(found)["paired"]
    )


def test_a_second_process_finds_what_the_first_has_compiled():
    """Numba's cache of recursive and nested functions has failed on the second run; nothing may be
    compiled anew."""
    program = (
        "import numba.core.dispatcher as d, quadrille_plugins.kernel.session as g\n"
        "print(sum(f.stats.cache_misses.total() for f in vars(g).values() if isinstance(f, "
        "d.Dispatcher)))"
    )
    program = program.replace(".total()", ".__len__()")
    for _ in range(2):
        told = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
    assert told.stdout.strip() == "0"
