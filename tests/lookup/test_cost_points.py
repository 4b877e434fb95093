"""The points that decide what a game costs: the shipped answers are those that settling gives."""

import json

import pytest
from quadrille_plugins.lookup import cost_points
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.lookup.glossary import glossary

from quadrille_core import resources
from quadrille_core.ruleset import compile_reference

CASES = {term.name: term.costs.result for term in glossary().values() if term.costs is not None}
TRICKS = sorted(name for name, rules in shipped().items() if rules.kind == "tricks")
KEPT = json.loads(cost_points.FILE.read_bytes())


def test_every_shipped_rule_set_has_an_answer_and_no_answer_is_of_another():
    """The file holds what ``python tools/cost_points.py`` writes: one answer for each rule set,
    witness and word."""
    rules = [*shipped().values()]
    rules += [
        compile_reference(f"{name}@{witness}")
        for name, c in shipped().items()
        for witness in c.witnesses
    ]
    assert {cost_points.key_of(c, case) for c in rules for case in CASES.values()} == KEPT.keys()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(name, marks=() if name in ("quintille-old", "academie") else pytest.mark.slow)
        for name in TRICKS
    ],
)
def test_the_shipped_answer_is_what_settling_gives(profile, case):
    """Results settled under each reading name the same points as the file."""
    rules = shipped()[profile]
    assert (
        list(cost_points.deciding_anew(rules, CASES[case]))
        == KEPT[cost_points.key_of(rules, CASES[case])]
    )


def test_a_changed_rule_is_settled_anew_and_a_comment_is_not(tmp_path):
    """The answer stands under the digest of what a rule set is made of, not of how it is laid
    out."""
    text = (
        "kind: profile\nid: ours\ntitle: Ours\nextends: quintille-old\nrules:\n  loss:\n    "
        "remise_short: 1\n"
    )
    keys = set()
    path = tmp_path / "ours.yaml"
    for written in (text, f"# ours\n\n{text}", text.replace("short: 1", "short: 2")):
        path.write_text(written, "utf-8")
        keys.add(cost_points.key_of(compile_reference(str(path)), CASES["codille"]))
    assert len(keys) == 2


@pytest.mark.parametrize("damage", [b"", b"[1, 2]", b'{"a": 3}', b"\xff\xfe"])
def test_a_damaged_file_is_not_believed(damage, tmp_path, monkeypatch):
    """Whatever stands in the file, the answer is found by settling where it cannot be read."""
    broken = tmp_path / "cost_points.json"
    broken.write_bytes(damage)
    monkeypatch.setattr(cost_points, "FILE", broken)
    cost_points.kept_points.cache_clear()
    try:
        assert cost_points.deciding(shipped()["quintille-old"], CASES["codille"]) == (
            "codille_beast",
        )
    finally:
        cost_points.kept_points.cache_clear()


@pytest.mark.parametrize("name", TRICKS)
def test_the_key_is_the_same_wherever_the_program_lies(name):
    """Else what is shipped answers on the machine alone that made it."""
    assert str(resources.variants()) not in cost_points.made_of(shipped()[name], {})
