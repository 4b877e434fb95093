"""The guard of the rulebook: every rule that acts is in the text, and what is not in the text does
not act."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.rulebook import at_table, bidding, further, losing, paying, playing
from quadrille_plugins.rulebook.book import Section
from quadrille_plugins.rulebook.compose import written
from support.rulebook import Trial, flips, profiles

from quadrille_core import vocabulary
from quadrille_core.rules import Rules
from quadrille_core.ruleset import compile_reference

HOUSE = str(Path(__file__).parent / "trial" / "thursday.yaml")
WRITERS = (at_table, bidding, further, losing, paying, playing)
QUICK = ("quadrille-laws@article", "quintille@article")
"""The rule sets whose text is changed leaf by leaf in the README's command too; all others are
slow."""
REFS = [
    *profiles(),
    HOUSE,
    "quadrille-laws+nemo+grandissimo+vole-announced+favourite:doubles=game+multiplier",
    "quadrille-laws+nemo+vole-announced+favourite+point-score",
]


def _by_time(refs):
    """The rule sets as parameters, named without a path; all but those that change quickly are
    slow."""
    return [
        pytest.param(r, id=Path(r).name, marks=[] if r in QUICK else [pytest.mark.slow])
        for r in refs
    ]


def _text(sections):
    return [(s.key, p.key, p.text) for s in sections for p in s.paragraphs]


@dataclass
class Flipped:
    """A rule set, its text, and each change of a leaf with the text that it leads to."""

    ref: str
    rules: Rules
    before: list[Section]
    changes: Iterable[tuple[str, Any, Rules, list[Section]]]

    def unstated(self):
        """The changes of a leaf that change no sentence that states the leaf."""
        for path, other, changed, after in self.changes:
            if _stated(self.before, path) == _stated(after, path):
                yield path, other, changed, after


def flipped_of(ref, kept=list):
    rules = compile_reference(ref).ruleset.rules
    changes = (
        (path, other, new, written(vocabulary.dump(new))) for path, other, new in flips(rules)
    )
    return Flipped(ref, rules, written(vocabulary.dump(rules)), kept(changes))


@pytest.fixture(scope="module", params=_by_time(REFS))
def flipped(request):
    """Made once for all tests of a rule set, which follow each other."""
    return flipped_of(request.param)


def test_a_paragraph_depends_on_no_leaf_but_those_it_rests_on(flipped):
    """A change of one leaf changes only paragraphs that say they rest on it."""
    rests = {(s.key, p.key): p.rests_on for s in flipped.before for p in s.paragraphs}
    said = {(s, p): text for s, p, text in _text(flipped.before)}
    for path, other, _, after in flipped.changes:
        now = {(s, p): text for s, p, text in _text(after)}
        rests_now = {(s.key, p.key): p.rests_on for s in after for p in s.paragraphs}
        for key in {*said, *now}:
            if said.get(key) != now.get(key):
                resting = rests.get(key, frozenset()) | rests_now.get(key, frozenset())
                assert path in resting, f"{path} = {other} changes {key}"


def _stated(sections, path):
    """The sentences that state a leaf, with the heads under which they stand."""
    return {
        (s.key, p.key, p.head, p.columns, x.key, x.text, x.cells)
        for s in sections
        for p in s.paragraphs
        for x in p.sentences
        if path in x.cites
    }


@cache
def trial_of(ref):
    trial = Trial(compile_reference(ref).ruleset.rules)
    assert len(trial.results) > 100
    return trial


def unsaid_that_act(flipped):
    """The changes of which no sentence says anything and which the trial notices."""
    for path, other, changed, _ in flipped.unstated():
        if trial_of(flipped.ref).notices(path, changed):
            yield f"{path} = {other}"


def test_a_leaf_that_changes_the_text_is_stated_in_what_changes(flipped):
    """A leaf that only lengthens or shortens what is said of others is stated nowhere, and found
    here."""
    before = _text(flipped.before)
    assert [f"{p} = {v}" for p, v, _, after in flipped.unstated() if _text(after) != before] == []


@pytest.mark.slow
def test_every_leaf_that_acts_is_in_the_text(flipped):
    """A leaf that no sentence states is one that no deal, session or settlement of the trial
    notices."""
    assert list(unsaid_that_act(flipped)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "left_out", ["first_tricks", "sweep", "several", "priority", "own_cards", "agreeing"]
)
def test_the_guard_finds_a_sentence_that_is_left_out(left_out, monkeypatch):
    """With one writer silent, a leaf that acts is no longer stated, though other sentences may
    depend on it."""
    silenced = [module for module in WRITERS if hasattr(module, left_out)]
    assert silenced
    for module in silenced:
        monkeypatch.setattr(module, left_out, lambda *given: "")
    assert next(unsaid_that_act(flipped_of("quanti-1822@parlett", kept=iter)), None)
