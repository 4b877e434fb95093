"""The pages of the rules, the glossary and the recipes: up to date, complete, and true."""

import json
import re
from dataclasses import MISSING, fields

import make_rules
import yaml
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.lookup.meanings import question_of, values_of
from support.data import flatten

from quadrille_core import resources, vocabulary
from quadrille_core.registry import load_all
from quadrille_core.rules import Bid, Call
from quadrille_core.ruleset import compile_reference

PAGES = make_rules.FOLDER


def test_every_rule_has_a_question_and_every_word_it_may_be_a_meaning():
    """No rule is left out, and none has the description of its code for a question."""
    for pattern, leaf in vocabulary.every_leaf().items():
        assert question_of(pattern).endswith("?"), pattern
        values = dict(values_of(leaf))
        assert set(leaf.choices()) <= set(values)
        assert all(values[choice] for choice in leaf.choices()), pattern


def test_no_meaning_is_given_to_a_word_that_no_rule_may_be():
    """What a rule loses, its meanings lose."""
    from quadrille_plugins.lookup.meanings import FILE

    entries = yaml.safe_load(FILE.read_text("utf-8"))["rules"]
    for pattern, entry in entries.items():
        assert set(entry.get("values", {})) == set(vocabulary.every_leaf()[pattern].choices()), (
            pattern
        )


def test_there_is_a_page_for_each_block_and_an_index():
    """And none besides."""
    assert {p.stem for p in PAGES.glob("*.md")} == {"README", *make_rules.blocks()}


def test_every_heading_that_the_index_links_to_is_there():
    """A link from the index leads to its rule."""
    for block, patterns in make_rules.blocks().items():
        headings = re.findall(r"^## `(.*)`$", (PAGES / f"{block}.md").read_text(), re.MULTILINE)
        assert headings == patterns


def test_one_page_has_every_field_of_a_bid():
    """Those of a call by the way; what must be given is in bold."""
    rows = re.findall(r"^\| (\*\*)?\[`([a-z_.]+)`\]", make_rules.FIELDS.read_text(), re.MULTILINE)
    own = [(f.name, Call if f.name == "call" else None, f.default) for f in fields(Bid)]
    calls = [f"call.{f.name}" for f in fields(Call)]
    named = [n for name, call, _ in own for n in (calls if call else [name])]
    assert [name for _, name in rows] == named
    must = {name for name, call, default in own if default is MISSING and not call}
    assert {name for bold, name in rows if bold} == must


def test_a_page_lists_what_profiles_say_and_no_neutral_value_without_a_source():
    page = make_rules.page_of("bids.*.loss_borne")
    shown = "".join(make_rules._in_profiles(page))
    said = {use.profile for use in page.in_use if "no source" not in use.source}
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", shown, re.MULTILINE)) == said
    assert "no source" not in shown


def test_the_page_in_the_terminal_is_the_page_of_the_documents(quadrille):
    """Question, values with meanings, profiles with sources, how to set it; in 80 columns."""
    status, out, _ = quadrille("explain", "loss.remise_pays")
    assert status == 0
    assert out.startswith("loss.remise_pays: What does a remise pay")
    assert "[matadors]     the pay for matadors" in out
    assert "[game]         the pay for the game" in out
    assert "a rank of the pack" not in out
    assert "quanti-1822             premium, matadors (parlett: Penalties for a lost game" in out
    assert "remise_pays: [premium]" in out
    assert max(map(len, out.splitlines())) <= 80
    data = json.loads(quadrille("explain", "loss.remise_pays", "--format", "json")[1])
    assert data == json.loads(json.dumps(make_rules.page_of("loss.remise_pays").to_plain()))


def test_the_plugins_that_touch_a_rule_are_named():
    """Whatever names them: a profile, or nobody, and then they are added to one."""
    assert dict(make_rules.page_of("multiplier.after_losses").plugins) == {"multiplier": "counted"}
    assert "favourite" in dict(make_rules.page_of("favourite.source").plugins)


def test_the_recipes_and_the_pages_agree_on_what_turns_a_plugin_off():
    """Recipes said that the page of `auction.all_pass` names forced-spadille; it named no plugin at
    all."""
    assert dict(make_rules.page_of("auction.all_pass").plugins) == {
        "forced-spadille": "forced_bid, where no rule set says otherwise"
    }
    missing = {}
    for plugin, how in switches().items():
        paths = [path.replace("NAME", plugin) for path in re.findall(r"`([\w.-]+): \w+`", how)]
        patterns = [vocabulary.pattern_of(path) or path for path in paths]
        if not any(plugin in dict(make_rules.page_of(pattern).plugins) for pattern in patterns):
            missing[plugin] = patterns
    assert missing == {}


def switches() -> dict[str, str]:
    """The recipes' table of what turns each plugin off."""
    text = (make_rules.FOLDER.parent / "recipes.md").read_text()
    rows = re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (.*) \|$", text, re.MULTILINE)
    return {plugin: how for names, how in rows for plugin in re.findall(r"[a-z-]+", names)}


def test_the_recipes_turn_off_every_plugin_of_the_game_of_tricks():
    """Each by rules that compile where the plugin is at work, under every witness."""
    rules = [name for name, compiled in shipped().items() if compiled.kind == "tricks"]
    names = {n for n, p in load_all().loaded.items() if "mechanics" in p.installed.entry.value}
    assert set(switches()) == names
    for plugin, how in switches().items():
        bid = "solo" if plugin == "vole-announced" else plugin
        settings = {
            path.replace("NAME", bid): yaml.safe_load(value)
            for path, value in re.findall(r"`([\w.-]+): (\w+)`", how)
        }
        if plugin == "favourite":
            settings["favourite.suit"] = None
        assert settings, plugin
        at_work = [n for n in rules if any(p.name == plugin for p in shipped()[n].identity.plugins)]
        compiled = compile_reference((at_work or [f"{rules[-1]}+{plugin}"])[0], settings=settings)
        assert all(compiled.value_of(path) == value for path, value in settings.items())


def test_the_file_of_a_page_extends_a_profile_that_states_the_rule():
    """The usual profile where it does, else another that does; one that is silent only where all
    are."""
    assert (
        f"extends: {resources.examples()[0]}\n"
        in make_rules.page_of("loss.codille_items_times").file
    )
    for pattern in ("auction.all_pass", "auction.unasked_trumps", "loss.beasts"):
        file = yaml.safe_load(make_rules.page_of(pattern).file)
        (path,) = (p for p in dict(flatten(file["rules"])) if vocabulary.pattern_of(p) == pattern)
        assert compile_reference(file["extends"]).origins[path].link.setter != "vocabulary", pattern
