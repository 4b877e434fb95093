"""The guard of the rulebook: every rule that acts is in the text, and what is not in the text does not act."""

from pathlib import Path

import pytest
from quadrille_plugins.rulebook import at_table, bidding, further, losing, paying, playing
from quadrille_plugins.rulebook.compose import written
from support.rulebook import Trial, flips, profiles

from quadrille_core import vocabulary
from quadrille_core.ruleset import compile_reference

HOUSE = str(Path(__file__).parent / "trial" / "thursday.yaml")
WRITERS = (at_table, bidding, further, losing, paying, playing)
QUICK = ("quadrille-laws@article", "quintille@article")
"""The rule sets whose text is changed leaf by leaf in the README's command too; all others are slow."""
REFS = [
    *profiles(),
    HOUSE,
    "quadrille-laws+nemo+grandissimo+vole-announced+favourite:doubles=game+multiplier",
    "quadrille-laws+nemo+vole-announced+favourite+point-score",
]


def _by_time(refs):
    """The rule sets as parameters, named without a path; all but those that change quickly are slow."""
    return [pytest.param(r, id=Path(r).name, marks=[] if r in QUICK else [pytest.mark.slow]) for r in refs]


def _text(sections):
    return [(s.key, p.key, p.text) for s in sections for p in s.paragraphs]


@pytest.mark.parametrize("ref", _by_time(REFS))
def test_a_paragraph_depends_on_no_leaf_but_those_it_rests_on(ref):
    """A change of one leaf changes only paragraphs that say they rest on it."""
    rules = compile_reference(ref).ruleset.rules
    before = written(vocabulary.dump(rules))
    rests = {(s.key, p.key): p.rests_on for s in before for p in s.paragraphs}
    said = {(s, p): text for s, p, text in _text(before)}
    for path, other, changed in flips(rules):
        after = written(vocabulary.dump(changed))
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


def unstated(rules, before):
    """The changes of a leaf that change no sentence that states the leaf, each with the text it leads to."""
    for path, other, changed in flips(rules):
        after = written(vocabulary.dump(changed))
        if _stated(before, path) == _stated(after, path):
            yield path, other, changed, after


def unsaid_that_act(ref):
    """The changes of which no sentence says anything and which the trial notices."""
    rules = compile_reference(ref).ruleset.rules
    unsaid = list(unstated(rules, written(vocabulary.dump(rules))))
    trial = Trial(rules)
    assert len(trial.results) > 100
    return [f"{p} = {v}" for p, v, changed, _ in unsaid if trial.notices(p, changed)]


@pytest.mark.parametrize("ref", _by_time(REFS))
def test_a_leaf_that_changes_the_text_is_stated_in_what_changes(ref):
    """A leaf that only lengthens or shortens what is said of others is stated nowhere, and found here."""
    rules = compile_reference(ref).ruleset.rules
    before = written(vocabulary.dump(rules))
    hidden = [f"{p} = {v}" for p, v, _, after in unstated(rules, before) if _text(after) != _text(before)]
    assert hidden == []


@pytest.mark.slow
@pytest.mark.parametrize("ref", [pytest.param(r, id=Path(r).name) for r in REFS])
def test_every_leaf_that_acts_is_in_the_text(ref):
    """A leaf that no sentence states is one that no deal, session or settlement of the trial notices."""
    assert unsaid_that_act(ref) == []


@pytest.mark.slow
@pytest.mark.parametrize("left_out", ["first_tricks", "sweep", "several", "priority", "own_cards", "agreeing"])
def test_the_guard_finds_a_sentence_that_is_left_out(left_out, monkeypatch):
    """With one writer silent, a leaf that acts is no longer stated, though other sentences may depend on it."""
    silenced = [module for module in WRITERS if hasattr(module, left_out)]
    assert silenced
    for module in silenced:
        monkeypatch.setattr(module, left_out, lambda *given: "")
    assert unsaid_that_act("quanti-1822@parlett") != []
