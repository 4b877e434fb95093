"""A child profile drops a plugin that it inherits."""

import pytest
from quadrille_plugins.house_rules.testing import changed
from support.plugin import child, make_plugin

from quadrille_core.errors import ProfileError
from quadrille_core.ruleset import compile_reference


@pytest.fixture
def outside(club, monkeypatch):
    """The third-party distribution, in this process too."""
    monkeypatch.syspath_prepend(str(club))


@pytest.mark.parametrize("plugin", ["casco", "mediateur", "three-tricks"])
def test_a_child_drops_an_inherited_plugin_and_all_that_is_said_of_its_bids(tmp_path, plugin):
    house = compile_reference(child(tmp_path, "quanti-1822", f"[{{plugin: {plugin}, drop: true}}]"))
    assert plugin not in {p.name for p in house.identity.plugins}
    assert not [p for p in house.origins if plugin in p.split(".")]
    assert plugin in {p.name for p in compile_reference("quanti-1822").identity.plugins}


@pytest.mark.parametrize(
    "plugin", ["grandissimo", "nemo", "favourite", "vole-announced", "mediateur", "casco"]
)
def test_every_plugin_of_the_largest_profile_can_be_dropped(tmp_path, plugin):
    compile_reference(child(tmp_path, "mediateur-1752", f"[{{plugin: {plugin}, drop: true}}]"))


def test_who_is_dropped_on_the_way_may_be_named_again(tmp_path):
    child(tmp_path, "quanti-1822", "[{plugin: casco, drop: true}]", name="without")
    again = compile_reference(
        child(tmp_path, "without.yaml", "[{plugin: casco}]", "{bids: {casco: {made: in_turn}}}")
    )
    assert again.value_of("bids.casco.rank") == 30
    added = compile_reference(f"{tmp_path / 'without.yaml'}+casco")
    assert added.value_of("payments.premium.casco") == 2


def test_a_plugin_that_nobody_names_cannot_be_dropped(tmp_path):
    with pytest.raises(ProfileError) as e:
        compile_reference(child(tmp_path, "quanti-1822", "[{plugin: cascos, drop: true}]"))
    (problem,) = e.value.problems
    assert (problem.code, problem.place.line, problem.help) == ("Q504", 5, "did you mean casco?")


def test_a_plugin_that_is_not_installed_can_be_dropped(tmp_path):
    parent = child(
        tmp_path, "quanti-1822", "[{plugin: nowhere}]", "{nowhere: {fine: 3}}", name="parent"
    )
    with pytest.raises(ProfileError):
        compile_reference(parent)
    house = compile_reference(child(tmp_path, "parent.yaml", "[{plugin: nowhere, drop: true}]"))
    assert changed("quanti-1822", str(tmp_path / "child.yaml")) == {}
    assert house.identity.digest == compile_reference("quanti-1822").identity.digest


def test_a_plugin_that_cannot_be_loaded_can_be_dropped(tmp_path, monkeypatch):
    make_plugin(tmp_path, "ruined", "raise RuntimeError('boom')")
    monkeypatch.syspath_prepend(str(tmp_path))
    child(tmp_path, "quanti-1822", "[{plugin: ruined}]", name="parent")
    compile_reference(child(tmp_path, "parent.yaml", "[{plugin: ruined, drop: true}]"))


def test_a_plugin_that_parent_and_child_name_has_its_leaves_once(outside, tmp_path):
    child(tmp_path, "quanti-1822", "[{plugin: revoke}]", "{revoke: {fine: 15}}", name="parent")
    house = compile_reference(child(tmp_path, "parent.yaml", "[{plugin: revoke}]"))
    assert house.value_of("revoke.fine") == 15
    assert len(house.value_of("revoke.payments")) == 1


def test_the_leaves_of_a_dropped_plugin_are_gone_with_what_the_parent_says_of_them(
    outside, tmp_path
):
    cites = "cites:\n  revoke.fine: {source: parlett, at: Laws}\n"
    child(
        tmp_path, "quanti-1822", "[{plugin: revoke}]", "{revoke: {fine: 15}}", cites, name="parent"
    )
    child(tmp_path, "parent.yaml", "[{plugin: revoke, drop: true}]")
    assert changed("quanti-1822", str(tmp_path / "child.yaml")) == {}
