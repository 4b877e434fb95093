"""What commands say of house rules from outside, as records where they have them."""

import json

import pytest
from support.houses import HOUSES, base


@pytest.fixture(autouse=True)
def outside(club, monkeypatch):
    """The third-party distribution, in this process too."""
    monkeypatch.syspath_prepend(str(club))


@pytest.mark.parametrize("name", HOUSES)
def test_commands_know_the_rules_of_a_house(quadrille, name):
    """Its leaf is shown and explained, and acts; its records too; and there is a rulebook."""
    reference, leaf = f"{base(name)}+{name}", HOUSES[name]["leaf"]
    status, printed, told = quadrille("show", reference, "--format", "json")
    assert (status, told) == (0, "")
    leaves = json.loads(printed)["leaves"]
    assert "idle" not in leaves[leaf]
    for path in {leaf, *(path for path in leaves if path.startswith(f"{name}."))}:
        status, printed, _ = quadrille("explain", reference, path, "--format", "json")
        assert status == 0, path
        assert path in printed
    assert quadrille("show", reference)[0] == 0
    status, printed, told = quadrille("rulebook", reference, "--against", base(name))
    assert (status, told) == (0, "")
    assert printed.strip()


@pytest.mark.parametrize("name", HOUSES)
def test_a_house_is_compared_with_what_it_adds_to(quadrille, name):
    """A few deals by the readable engine; the two rule sets have digests of their own."""
    options = ("--deals", "8", "--engine", "readable", "--players", "steady", "--format", "json")
    status, printed, told = quadrille("compare", base(name), f"{base(name)}+{name}", *options)
    assert status == 0, told
    assert len({rules["digest"] for rules in json.loads(printed)["rules"]}) == 2


def test_an_explanation_says_what_a_payment_counts(quadrille):
    """The record has the fact by which it is paid."""
    reference = "quanti-1822+kings"
    _, printed, _ = quadrille("show", reference, "--format", "json")
    (row,) = json.loads(printed)["leaves"]["kings.payments"]["value"]
    assert row["per"] == "adversaries.kings_captured"


STUDIES = {
    "compare": ("quanti-1822+misdeal", "quanti-1822"),
    "matters": ("quanti-1822+misdeal", "quanti-1822"),
    "rank": ("quanti-1822+misdeal", "--points", "ponto"),
}


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_says_what_only_reported_incidents_reach(quadrille, study):
    """As data of the rule set, and in a sentence where people read it; of other rule sets not."""
    how = ("--deals", "2", "--engine", "readable", "--players", "steady")
    status, printed, told = quadrille(study, *STUDIES[study], *how, "--format", "json")
    assert status == 0, told
    rules = json.loads(printed)["rules"]
    first, *others = rules if isinstance(rules, list) else [rules]
    assert "misdeal.fine" in first["reported_only"]
    assert not any("reported_only" in other for other in others)
    assert "misdeal.fine" in quadrille(study, *STUDIES[study], *how)[1]
