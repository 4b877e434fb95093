"""The exit status of what is looked up: 0 where one thing is answered, 2 where several are listed
or none is found."""

import json
import shlex

import pytest
from quadrille_plugins.lookup.find import find
from quadrille_plugins.lookup.glossary import glossary

from quadrille_core.ruleset import compile_reference

RULES = "quanti-1822"
STATUSES = {
    "codille": 2,
    "term:codille": 0,
    "point:codille_pays": 0,
    "loss.remise_pays": 0,
    "bid:solo": 0,
    "testimonium": 0,
    "codile": 2,
    "loss.nosuchrule": 2,
    f"{RULES} codille": 2,
    f"{RULES} term:codille": 0,
    f"{RULES} point:codille_base": 0,
    f"{RULES} loss.remise_pays": 0,
    f"{RULES} bid:solo": 0,
    f"{RULES} nosuchrule": 2,
    f"{RULES} loss.nosuchrule": 2,
    f"{RULES} bids.sol.trump": 2,
}


@pytest.mark.parametrize("words", STATUSES)
def test_one_is_answered_and_several_are_listed(quadrille, words):
    """With and without a rule set the status is the same."""
    assert quadrille("explain", *words.split())[0] == STATUSES[words]


def test_a_word_named_exactly_is_answered_alone():
    """`term:` lists nothing but the word, whichever it is; so its status is 0."""
    assert {name: [hit.name for hit in find(f"term:{name}").hits][:1] for name in glossary()} == {
        name: [f"term:{name}"] for name in glossary()
    }


def test_a_word_that_touches_others_lists_them_in_json(quadrille):
    """Beside its meaning stand the keys that every list has."""
    status, out, _ = quadrille("explain", "codille", "--format", "json")
    data = json.loads(out)
    assert status == 2
    assert data["means"].startswith("a game lost outright")
    assert (data["words"], data["rules"]) == ("codille", None)
    assert data["answer"] == "codille touches 13 points and 12 rules"
    assert len(data["hits"]) == 25


@pytest.mark.parametrize("words", [("codille",), (RULES, "tricks"), (RULES, "partner")])
def test_what_is_proposed_to_name_one_can_be_pasted(quadrille, words):
    """A star is quoted from the shell, and what is typed then is answered."""
    status, out, _ = quadrille("explain", *words)
    assert status == 2
    proposal = out.rpartition("To name one: ")[2].strip()
    assert shlex.join(shlex.split(proposal)) == proposal
    assert quadrille(*shlex.split(proposal)[1:])[0] == 0


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("explain", "bids.*.lost_az"), "did you mean 'bids.*.lost_as' or"),
        (
            ("apparatus", RULES, "leaf:lost_as"),
            "help: quadrille explain quanti-1822 'leaf:bids.*.lost_as'",
        ),
    ],
)
def test_a_star_is_quoted_in_help(quadrille, typed, meant):
    """A shell would take a rule of bids for the names of files."""
    assert meant in quadrille(*typed)[2]


@pytest.mark.parametrize("words", ["point:codille_base", "bid:solo"])
def test_the_digest_stands_beside_a_point_and_a_bid(quadrille, words):
    """As JSON, each rule set that has it is named in full; without a rule set, each that is
    shipped."""
    data = json.loads(quadrille("explain", RULES, words, "--format", "json")[1])
    assert data["rule_sets"][RULES]["digest"] == compile_reference(RULES).identity.digest
    anywhere = json.loads(quadrille("explain", words, "--format", "json")[1])
    assert anywhere["rule_sets"].keys() == anywhere["profiles"].keys()
    assert anywhere["rule_sets"][RULES]["digest"] == compile_reference(RULES).identity.digest


def test_the_digest_stands_beside_a_word(quadrille):
    """And a word of the glossary has it where a rule set was asked."""
    data = json.loads(quadrille("explain", RULES, "term:codille", "--format", "json")[1])
    assert data["rules"]["digest"] == compile_reference(RULES).identity.digest


@pytest.mark.parametrize("command", ["explain", "apparatus"])
def test_the_help_names_the_rule_set_that_was_given(quadrille, command):
    """`quadrille apparatus REF` could not be typed; where none was given, the help names one that
    is shipped."""
    _, _, err = quadrille(command, f"{RULES}@parlett", "nosuchrule")
    assert err.endswith(
        f"help: `quadrille apparatus {RULES}@parlett` lists the points in dispute\n"
    )
    _, _, err = quadrille("explain", "nosuchrule")
    assert quadrille(*err.partition("`quadrille ")[2].partition("`")[0].split())[0] == 0
