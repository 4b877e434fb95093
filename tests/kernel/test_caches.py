"""What a study that compiles hundreds of rule sets does once and not hundreds of times."""

from importlib import metadata

import pytest
from quadrille_plugins.rank.space import space_of

from quadrille_core import features
from quadrille_core.ruleset import compile as compiling
from quadrille_core.ruleset import compile_reference, load_chain, merge


@pytest.fixture
def configurations():
    """Forty configurations of one rule set: each of ten points switched, under the readings of four
    others."""
    space = space_of("quanti-1822", {}, {})
    return [c for point in range(20) for c in space.switched(space.origin, point)], space


def counting(monkeypatch, module, name):
    """How often a function of a module is called, as a list that grows."""
    calls, real = [], getattr(module, name)

    def counted(*arguments, **named):
        calls.append(arguments)
        return real(*arguments, **named)

    monkeypatch.setattr(module, name, counted)
    return calls


def test_configurations_that_rank_the_cards_the_same_share_one_order(configurations, monkeypatch):
    """Of the points of a rule set few touch the ranking or the withholding of matadors: one order
    serves the rest."""
    play = pytest.importorskip("quadrille_plugins.kernel.tabulate")
    combinations, space = configurations
    rules = [space.compile(c).ruleset.rules for c in combinations]
    play._order.cache_clear()
    calls = counting(monkeypatch, play, "_order_block")
    tables = [play.tabulate(r, play.Names(), 480)["order"] for r in rules]
    different = {(r.cards, r.forcing) for r in rules}
    assert len(calls) == 5 * len(different) < len(rules)
    tables[0].fill(0)
    assert tables[1]["bit_of"].any(), "what one reader does to its table is no other's"


def test_plugins_profiles_and_the_bibliography_are_read_once_for_all_configurations(
    configurations, monkeypatch
):
    combinations, space = configurations
    features.installed_on.cache_clear()
    features.every_entry.cache_clear()
    compiling._bibliography.cache_clear()
    papers = counting(monkeypatch, metadata, "entry_points")
    shelves = counting(monkeypatch, compiling, "load_bibliography")
    for combination in combinations:
        space.compile(combination)
    assert (len(papers), len(shelves)) == (1, 1)
    assert all(
        a is b for a, b in zip(load_chain("quanti-1822"), load_chain("quanti-1822"), strict=True)
    )


def test_what_covers_a_rule_is_looked_for_once_in_each_profile():
    def looked_for():
        dict(compile_reference("quanti-1822").origins)
        return merge.most_specific.cache_info().misses

    merge.most_specific.cache_clear()
    assert 0 < looked_for() == looked_for()


def test_a_plugin_installed_meanwhile_is_found(tmp_path, monkeypatch):
    """What is kept of the plugins installed holds only as long as the folders stay as they are."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    assert "late" not in features.installed()
    info = folder / "late-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: late\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[quadrille]\nlate = late\n")
    assert features.installed()["late"][0].package == "late"


def test_a_profile_that_changes_is_read_anew(tmp_path, monkeypatch):
    """A shipped profile is kept only as long as its file stays as it is."""
    from quadrille_core import resources

    shipped = resources.shipped_profiles()["quanti-1822"]
    copy = tmp_path / "quanti-1822.yaml"
    copy.write_bytes(shipped.read_bytes())
    monkeypatch.setattr(resources, "shipped_profiles", lambda: {"quanti-1822": copy, **_others()})
    before = compile_reference("quanti-1822").title
    copy.write_text(copy.read_text("utf-8").replace(before, "Another title altogether"), "utf-8")
    assert compile_reference("quanti-1822").title != before


def _others():
    from quadrille_core import resources

    return {
        p.stem: p
        for p in resources.variants().glob("*.yaml")
        if p.stem not in ("bibliography", "quanti-1822")
    }
