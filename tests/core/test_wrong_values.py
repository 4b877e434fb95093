"""Every value of every kind of file replaced in turn, and two at once: coded problems or an answer,
no internal error.

The files are those of ``tools/fuzz.py``; a valid one is changed in one or two places, and not as
bytes.
"""

import itertools
import json
import random
from functools import partial

import fuzz
import pytest
import yaml
from fuzz_mutants import WRONG, replaced, sparse

SINGLES, PAIRS = 500, 200
"""Inputs of a format with one wrong value, and with two, where all would be more."""


@pytest.fixture
def faults(tmp_path, monkeypatch):
    """Returns a function that runs changed trees of a format, and returns what is wrong with the
    answers."""
    from quadrille_plugins.dealing import solving_command as solve
    from quadrille_plugins.studies import command as rerun

    for module, name in (
        (rerun, "_again"),
        (solve, "ready"),
    ):  # the formats put something else there
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setenv("QUADRILLE_DEBUG", "1")

    def run(name, singles, pairs, *, top=False):
        case, chance = fuzz.FORMATS[name](), random.Random(f"wrong/{name}")
        trees = [yaml.safe_load(seed) for seed in case.seeds]
        one = [(tree, (path,)) for tree in trees for path in sparse(tree)]
        two = [(tree, chance.sample(sparse(tree), 2)) for tree in chance.choices(trees, k=pairs)]
        if top:
            two += [
                (tree, [(a,), (b,)]) for tree in trees for a, b in itertools.combinations(tree, 2)
            ]
        every = [(tree, [(path, value)]) for tree, (path,) in one for value in WRONG]
        every = chance.sample(every, min(singles, len(every)))
        every += [(tree, [(path, chance.choice(WRONG)) for path in paths]) for tree, paths in two]
        write = (
            json.dumps if case.suffix == ".json" else partial(yaml.safe_dump, allow_unicode=True)
        )
        found, seen = [], set()
        for tree, changes in every:
            data = write(replaced(tree, *changes)).encode()
            status, _, wrong = fuzz.answered(
                name, partial(case.of, data, chance, tmp_path), str(tmp_path)
            )
            seen.add(status)
            found += [(changes, wrong)] if wrong or status < 0 else []
        assert seen & {1, 2}, "the wrong values are looked at"
        return found

    return run


@pytest.mark.parametrize("name", [*fuzz.TREES, "manifest"])
def test_some_wrong_values_in_every_kind_of_file(name, faults):
    """A few of each format, by a fixed seed."""
    assert faults(name, 12, 8) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [*fuzz.TREES, "manifest"])
def test_every_wrong_value_in_every_kind_of_file(name, faults):
    """Every value in turn, and two at once; of a result every two keys, since one is filled in by
    the others."""
    assert faults(name, SINGLES, PAIRS, top=name in ("result", "entry")) == []
