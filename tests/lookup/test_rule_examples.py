"""The example of each rule's page: saved as it stands, it passes check, and by its rule another
game is played."""

import re
import shlex
from functools import cache

import make_rules
import pytest
import yaml
from quadrille_plugins.lookup.rule_page import plain
from rule_examples import HowTo
from support.data import flatten

from quadrille_core import vocabulary
from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import compile_reference

PATTERNS = [pattern for patterns in make_rules.blocks().values() for pattern in patterns]
ONLY_PRINTED = "It is only printed"
CANNOT_ACT = re.compile(
    r"note: (.*?) cannot act(?: any more)?: (.*?)(?=\S+\.yaml: |\d+ files? checked|$)"
)


@cache
def sections() -> dict[str, str]:
    """What the pages in print say, by rule."""
    found = {}
    for block in make_rules.blocks():
        _, *parts = re.split(
            r"^## `(.*)`$", (make_rules.FOLDER / f"{block}.md").read_text(), flags=re.MULTILINE
        )
        found.update(zip(parts[::2], parts[1::2], strict=True))
    return found


def example(pattern):
    """The file that a page shows, the command, and what is said below them."""
    shown = re.search(
        r"```yaml\n(.*?)```\n\nOr by hand: `([^\n]*)`\n(.*)", sections()[pattern], re.DOTALL
    )
    assert shown, pattern
    return shown[1], shown[2], " ".join(shown[3].replace("`", "").split())


def typed(command):
    """The rule set and the settings of a command, as a shell takes it apart."""
    _, verb, reference, *options = shlex.split(command)
    assert verb == "show"
    assert options[::2] == ["--set"] * (len(options) // 2)
    pairs = (one.partition("=") for one in options[1::2])
    return reference, {path: yaml.safe_load(value) for path, _, value in pairs}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_example_of_a_page_passes_check_and_every_line_of_it_acts(quadrille, write, pattern):
    """No error, and no rule of the file that cannot act; if one of its parent cannot, the page says
    it and why."""
    text, _, said = example(pattern)
    status, out, err = quadrille("check", write(text, "ours.yaml"))
    assert status == 0, (out, err)
    notes = CANNOT_ACT.findall(" ".join((out + err).split()))
    assert len(notes) == (out + err).count("cannot act")
    assert "warning: " not in out + err
    for rules, why in notes:
        assert rules.endswith(" of its parents"), rules
        assert (
            f"cannot act beside it, as quadrille check notes: {why}".strip() in said
            or f"; {why}".strip() in said
        )


@pytest.mark.parametrize("pattern", PATTERNS)
def test_another_game_is_played_by_the_rule_of_an_example(write, pattern):
    """Its value differs from the parent's, and so does the digest; without its line it differs from
    the rest's too."""
    text, command, said = example(pattern)
    root = yaml.safe_load(text)
    settings = dict(flatten(root["rules"]))
    (changed,) = (path for path in settings if vocabulary.pattern_of(path) == pattern)
    parent, compiled = (
        compile_reference(root["extends"]),
        compile_reference(write(text, "ours.yaml")),
    )
    assert changed not in parent.origins or compiled.value_of(changed) != parent.value_of(changed)
    printed = said.startswith(ONLY_PRINTED)
    assert (compiled.identity.digest == parent.identity.digest) == printed
    assert printed == pattern.endswith(".title"), "what is only printed has no part in a digest"
    reference, by_hand = typed(command)
    assert (
        compile_reference(reference, settings=by_hand).identity.digest == compiled.identity.digest
    )
    without = {path: value for path, value in settings.items() if path != changed}
    try:
        rest = (
            compile_reference(reference, settings=without)
            if without or "plugins" in root
            else parent
        )
    except QuadrilleError:
        return  # what stands beside the rule is no rule set without it
    assert (rest.identity.digest == compiled.identity.digest) == printed


@pytest.mark.parametrize(
    "pattern", ["score.won", "auction.all_pass", "bids.*.title", "table.players", "stakes.ante"]
)
def test_explain_shows_the_example_of_the_page(quadrille, pattern):
    """The same lines, and the same is said of them."""
    text, command, said = example(pattern)
    status, out, _ = quadrille("explain", pattern)
    assert status == 0
    shown = " ".join(out.split())
    assert "\n".join(f"  {line}" for line in text.splitlines()) in out
    assert command in shown
    assert said in shown


def test_each_block_of_a_file_stands_once_and_long_lists_take_a_line_for_each_item():
    """Blocks are merged; a value that YAML quotes is written so that a shell may quote it again."""
    coins = [
        {"one": f"counter-{n}", "many": f"counters-{n}", "worth": n, "each": n} for n in (1, 2)
    ]
    beside = {
        "bids.vole.made": "never",
        "stakes.ante": 2,
        "bids.solo.made": "in_turn",
        "table.coins": coins,
    }
    how = HowTo(profile="quanti-1822", path="bids.solo.rank", value=7, beside=beside)
    lines = how.rules.splitlines()
    assert yaml.safe_load(how.rules)["rules"] == {
        "bids": {"solo": {"rank": 7, "made": "in_turn"}, "vole": {"made": "never"}},
        "stakes": {"ante": 2},
        "table": {"coins": coins},
    }
    assert len(lines) == len(set(lines)), "no block stands twice"
    assert max(map(len, lines)) <= 78
    assert plain(["5", "K"]) == '["5", "K"]'
