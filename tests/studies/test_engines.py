"""Which engine plays by default, how many deals, and what happens where nothing is compiled yet."""

import json

import pytest
from quadrille_plugins.compare import command as compare_cli
from quadrille_plugins.deal.players import family
from quadrille_plugins.kernel.ready import COLD
from quadrille_plugins.rank import command as rank_cli
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import engines, fast

from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.ruleset import compile_reference

PAIR = ("quanti-1822", "mediateur-1752")
STEADY = ("steady",) * 4


@pytest.fixture
def few(monkeypatch):
    """Defaults small enough for a test, and still different for the two engines."""
    monkeypatch.setattr(compare_cli, "MOST_SESSIONS", {"fast": 3, "readable": 2})
    monkeypatch.setattr(compare_cli, "UNCOMPILED_SESSIONS", 2)
    monkeypatch.setattr(rank_cli, "DEFAULT_DEALS", {"fast": 80, "readable": 40})
    monkeypatch.setattr(engines, "WORTH_LOADING", 1)


@pytest.fixture
def cold(tmp_path, monkeypatch):
    """A machine on which nothing is compiled yet; to compile is a failure."""
    cache = pytest.importorskip("quadrille_plugins.kernel.cache")
    monkeypatch.setattr(cache, "choose", lambda: tmp_path)

    def never(module):
        raise AssertionError(f"{module.__name__} is compiled")

    monkeypatch.setattr("quadrille_plugins.kernel.compiled.load_ways_in", never)


@pytest.fixture
def warm(monkeypatch):
    """A machine on which everything is compiled."""
    pytest.importorskip("numba")
    monkeypatch.setattr(engines, "is_compiled", lambda *_: True)


def design(capsys, *line):
    """The design that a study prints, and what it says on stderr."""
    assert run([*line, "--format", "json", "--workers", "1"]) == 0
    shown = capsys.readouterr()
    return json.loads(shown.out)["design"], shown.err


def test_the_fast_engine_is_loaded_for_a_few_hundred_deals(warm):
    """400 deals under two rule sets took longer than 20,000 while loading was put off until
    4,000."""
    rulesets = [compile_reference(ref).ruleset for ref in PAIR]
    for work, engine in (
        (engines.WORTH_LOADING - 1, "readable"),
        (400, "fast"),
        (800, "fast"),
        (1_000_000, "fast"),
    ):
        assert engines.choose_engine("auto", rulesets, STEADY, work) == engine
    assert engines.choose_engine("fast", rulesets, ("random", "steady") * 2, 40) == "fast"


def test_where_nothing_is_compiled_the_readable_engine_plays_unless_it_would_take_longer_than_compiling(
    cold, capsys
):
    rulesets = [compile_reference(ref).ruleset for ref in PAIR]
    assert engines.choose_engine("auto", rulesets, STEADY, 800) == "readable"
    assert engines.NOT_COMPILED in capsys.readouterr().err
    assert engines.choose_engine("auto", rulesets, STEADY, engines.WORTH_COMPILING) == "fast"
    assert engines.choose_engine("fast", rulesets, STEADY, 40) == "fast"


def test_a_ranking_of_all_points_is_worth_compiling_for(monkeypatch):
    """On the readable engine its default is one session, of which nothing can be said; so it is no
    small question."""
    asked = []

    def chosen(engine, rulesets, bots, work):
        asked.append((engine, work))
        raise UsageError.of("own-words", words="enough")

    monkeypatch.setattr(rank_cli, "choose_engine", chosen)
    run(["rank", "quanti-1822"])
    run(["rank", "quanti-1822", "--deals", "40", "--configurations", "2"])
    (auto, all_points), (_, few_deals) = asked
    assert auto == "auto"
    assert all_points >= engines.WORTH_COMPILING > few_deals


def test_a_player_that_warmup_leaves_out_is_compiled_for_much_work_or_by_name(monkeypatch, capsys):
    """Everything but ``random`` is compiled; what is said names the way to compile it, which is not
    ``warmup``."""
    pytest.importorskip("numba")
    monkeypatch.setattr(
        engines, "is_compiled", lambda *modules: not any("random" in name for name in modules)
    )
    rulesets, random = [compile_reference(ref).ruleset for ref in PAIR], ("random",) * 4
    assert engines.choose_engine("auto", rulesets, STEADY, 800) == "fast"
    assert engines.choose_engine("auto", rulesets, random, 800) == "readable"
    assert engines.PLAYER_NOT_COMPILED in capsys.readouterr().err
    assert engines.choose_engine("auto", rulesets, random, engines.WORTH_COMPILING) == "fast"
    assert engines.choose_engine("fast", rulesets, random, 40) == "fast"


@pytest.mark.parametrize(
    "line",
    [
        ("compare", *PAIR),
        ("matters", "quanti-1822", "ante", "--deals", "40"),
        ("rank", "quanti-1822", "--points", "ante"),
    ],
    ids=lambda line: line[0],
)
def test_with_a_cold_cache_a_study_answers_on_the_readable_engine_and_names_warmup(
    line, cold, few, capsys
):
    found, said = design(capsys, *line)
    told = found["engine"] if "engine" in found else found["players"][0]["engine"]
    assert told == "readable"
    assert "`quadrille --warmup`" in said
    assert COLD not in said


def test_the_fast_engine_compares_farther_and_by_the_family_than_the_readable_one(
    warm, few, monkeypatch, capsys
):
    found, said = design(capsys, "compare", *PAIR)
    assert (found["engine"], found["deals"], found["decided"], said) == ("fast", 120, False, "")
    assert list(found["family"]) == list(family())
    monkeypatch.setattr(fast, "find_spec", lambda name: None)
    found, said = design(capsys, "compare", *PAIR)
    assert (found["engine"], found["deals"], found["decided"]) == ("readable", 80, False)
    assert found["family"] == {}
    assert install_hint("fast") in said


def test_what_is_undecided_where_nothing_is_compiled_goes_on_by_the_fast_engine(
    few, monkeypatch, capsys
):
    """A minute of compiling is waited for only where the readable engine has not answered by
    then."""
    pytest.importorskip("numba")
    monkeypatch.setattr(engines, "is_compiled", lambda *_: False)
    monkeypatch.setattr(compare_cli, "UNCOMPILED_SESSIONS", 1)
    found, _ = design(capsys, "compare", *PAIR)
    assert (found["engine"], found["deals"]) == ("fast", 120)
    found, _ = design(capsys, "compare", *PAIR, "--at-most", "40")
    assert (found["engine"], found["deals"]) == ("readable", 40)


@pytest.mark.slow
@pytest.mark.parametrize("first", ["cold", "warm"])
def test_a_manifest_made_with_one_default_is_rerun_with_the_same_deals_under_the_other(
    first, few, tmp_path, monkeypatch, capsys
):
    """What a cold cache decides is written down: a rerun decides nothing anew."""
    pytest.importorskip("numba")
    manifest = tmp_path / "study.json"
    monkeypatch.setattr(engines, "is_compiled", lambda *_: first == "warm")
    assert run(["compare", *PAIR, "--workers", "1", "--manifest", str(manifest)]) == 0
    monkeypatch.setattr(engines, "is_compiled", lambda *_: first != "warm")
    capsys.readouterr()
    assert run(["rerun", str(manifest), "--workers", "1"]) == 0, capsys.readouterr().out
    parameters = json.loads(manifest.read_text("utf-8"))["parameters"]
    mine = ("family", 120) if first == "warm" else ("steady", 80)
    assert "deals" not in parameters
    assert (parameters["players"], parameters["at_most"], parameters["engine"]) == (*mine, "auto")
