"""The points that decide what a game costs: the shipped answers are those that settling gives."""

import json

import cost_points
import pytest
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.lookup.glossary import glossary

TERMS = {t.costs.asks: t.costs.result for t in glossary().values() if t.costs is not None}
TRICKS = sorted(name for name, rules in shipped().items() if rules.kind == "tricks")
KEPT = json.loads(cost_points.FILE.read_bytes())


def test_every_shipped_rule_set_has_an_answer_and_no_answer_is_of_another():
    """One for each rule set, witness and word."""
    assert cost_points.rule_sets().keys() == KEPT.keys()
    assert all(found.keys() == TERMS.keys() for found in KEPT.values())


@pytest.mark.parametrize("asks", TERMS)
@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(name, marks=() if name in ("quintille-old", "academie") else pytest.mark.slow)
        for name in TRICKS
    ],
)
def test_the_shipped_answer_is_what_settling_gives(profile, asks):
    """Results settled under each reading name the same points as the file."""
    found = list(cost_points.deciding(shipped()[profile], TERMS[asks]))
    assert found == KEPT[profile][asks]


def test_of_changed_rules_the_answer_names_the_shipped_rule_set_that_it_is_of(quadrille, write):
    """Rules of one's own were settled anew, which took seconds; they have the points of what they
    extend."""
    text = "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\nrules: {}\n"
    path = write(text, "ours.yaml")
    for words in (("quanti-1822",), (path,), ("quanti-1822", "--set", "stakes.unit=3")):
        ref, *options = words
        out = quadrille("explain", ref, "codille", *options, "--format", "json")[1]
        (also,) = json.loads(out)["also"]
        where = "" if words == ("quanti-1822",) else " in quanti-1822"
        assert also["decide"] == f"what a codille costs{where}"
        assert "pool_penalty" in {point["id"] for point in also["points"]}
