"""What the author of a plugin is told of a mistake: which line, what instead, and nothing that is
not his fault."""

import itertools
import json
import re

import pytest
from quadrille_plugins.discriminate.configurations import ConfigurationSpace
from quadrille_plugins.discriminate.tracing import TracedMerge
from support.data import cases
from support.plugin import PREAMBLE, child, make_plugin, quadrille

from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import compile_reference

NAMES = (f"slip-{n}" for n in itertools.count())
BIDS = "@hookimpl\ndef quadrille_bids(rules, parameters):\n"
BID = (
    "from quadrille_core.rules import Bid\n"
    + BIDS
    + "    bid = Bid(title='T', rank={rank}, goal={goal}, tricks={tricks})\n"
    + "    return [NewBid(id='tenace', bid=bid, reason='r')]\n"
)
DESCRIBED = (
    "from quadrille_core.hookspecs import *\n@hookimpl\ndef quadrille_describe():\n    return {}\n"
)
FORCING = (
    "@hookimpl\ndef quadrille_forcing(rules, parameters):\n"
    "    return [Withhold(decide=lambda t, a, c: {}, reason='r')]\n"
)
PARAMETER = DESCRIBED.format("About(title='t', summary='s', parameters={{'clubs': {}}})")


def told(folder, monkeypatch, code, reference="quanti-1822+{}", **how):
    """Every fault of rules with a plugin of this code, as code, message and help."""
    name = next(NAMES)
    make_plugin(folder, name, code)
    monkeypatch.syspath_prepend(str(folder))
    try:
        compile_reference(reference.format(name), **how)
    except QuadrilleError as e:
        return [
            (p.code, p.message.replace(name, "NAME").replace("slip_", "_"), p.help)
            for p in e.problems
        ]
    return []


@cases("plugin_faults")
def test_what_fails_in_a_plugin_is_told_with_its_line(tmp_path, monkeypatch, code, fault, line):
    """The last line of the plugin's own, not of what it called; and how to see more."""
    ((found, message, hint),) = told(tmp_path, monkeypatch, code)
    assert found == fault
    assert re.search(rf", at \w+_module\.py:{line}$", message)
    assert hint == "with QUADRILLE_DEBUG=1 in the environment, the traceback is shown as well"


@pytest.mark.parametrize(
    "code", ["raise RuntimeError('boom')\n", PREAMBLE + BIDS + "    raise RuntimeError('boom')\n"]
)
def test_the_traceback_of_a_plugin_is_shown_to_who_asks_for_it(tmp_path, monkeypatch, capsys, code):
    """On standard error, and then the help does not ask for it again."""
    assert told(tmp_path, monkeypatch, code)
    assert "Traceback" not in capsys.readouterr().err
    monkeypatch.setenv("QUADRILLE_DEBUG", "1")
    assert [hint for _, _, hint in told(tmp_path, monkeypatch, code)] == [""]
    out, err = capsys.readouterr()
    assert not out
    assert "Traceback" in err
    assert "_module.py" in err


@pytest.mark.parametrize("word", ["true", "True", "false", "False"])
def test_a_truth_value_may_be_typed_as_python_and_as_yaml_have_it(tmp_path, monkeypatch, word):
    """And the help proposes one that works."""
    code = PARAMETER.format("Parameter(doc='d', default=False, choices=(False, True))")
    assert not told(tmp_path, monkeypatch, code, f"quanti-1822+{{}}:clubs={word}")
    ((fault, message, hint),) = told(tmp_path, monkeypatch, code, "quanti-1822+{}:clubs=yes")
    assert (fault, hint) == ("Q506", "choose one of: false, true")
    assert message.endswith("clubs cannot be 'yes'")


@pytest.mark.parametrize(
    ("said", "fields"),
    [({"tricks": 11}, ["tricks"]), ({"tricks": 11, "rank": "'a'"}, ["rank", "tricks"])],
)
def test_a_bid_that_cannot_be_names_its_rules_and_no_rule_that_is_missing_by_it(
    tmp_path, monkeypatch, said, fields
):
    """Nor the payments that it would have needed."""
    bid = BID.format(**{"rank": 41, "goal": "'at_least'", "tricks": 6} | said)
    found = told(tmp_path, monkeypatch, PREAMBLE + bid)
    assert [message.partition(": bid.")[2].partition(":")[0] for _, message, _ in found] == fields


def test_a_leaf_of_a_plugin_at_fault_is_not_unknown_besides(tmp_path, monkeypatch):
    """A rule set by hand, and one of the profile, are not refused because the plugin could not
    declare them."""
    leaves = "@hookimpl\ndef quadrille_leaves():\n    raise RuntimeError('boom')\n"
    name = next(NAMES)
    make_plugin(tmp_path, name, PREAMBLE + leaves)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(QuadrilleError) as e:
        compile_reference(f"quanti-1822+{name}", settings={f"{name}.units": 3})
    assert [p.code for p in e.value.problems] == ["Q507"]


def test_a_hook_that_may_be_missing_is_let_pass(tmp_path, monkeypatch):
    """A plugin may serve a newer Quadrille too: pluggy's mark for that counts."""
    code = "@hookimpl(optionalhook=True)\ndef quadrille_tomorrow(rules):\n    return []\n"
    assert not told(tmp_path, monkeypatch, PREAMBLE + code)


@pytest.mark.parametrize(
    "code",
    [
        BIDS + "    print('hello')\n    yield from ()\n",
        "@hookimpl\ndef quadrille_leaves():\n    print('hello')\n    yield from ()\n",
        "print('hello')\n",
        FORCING.format("print('hello')"),
    ],
)
def test_what_a_plugin_prints_does_not_stand_among_the_data(tmp_path, code):
    """Whenever its code runs: when it is imported, in a generator, and while a forcing rule is
    tabulated."""
    make_plugin(tmp_path, "talks", PREAMBLE + code)
    done = quadrille("show", "quanti-1822+talks", "--format", "json", path=tmp_path, cwd=tmp_path)
    assert json.loads(done.stdout)
    assert "hello" in done.stderr


# --- a leaf that a hook reads ---------------------------------------------------------------------

BRANCHES = (
    PREAMBLE
    + "@hookimpl\ndef quadrille_leaves():\n"
    + "    return [OwnLeaf(path='{0}.pays', type='boolean', doc='d', neutral=False),\n"
    + "        OwnLeaf(path='{0}.more', type='amount', doc='d', neutral=1)]\n"
    + "@hookimpl\ndef quadrille_payments(rules, parameters):\n"
    + "    value = 10 + Fraction(rules['{0}.more'])\n"
    + "    return [Patch(path='payments.premiers', value=str(value), reason='r')] if "
    "rules['{0}.pays'] else []\n"
)


@pytest.fixture
def branching(tmp_path, monkeypatch):
    """The name of a plugin whose hook reads leaves of its own."""
    name = next(NAMES)
    make_plugin(tmp_path, name, "from fractions import Fraction\n" + BRANCHES.replace("{0}", name))
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({}, None),
        ({"pays": True}, 11),
        ({"pays": True, "more": "1/2"}, "21/2"),
        ({"more": 5}, None),
    ],
)
def test_a_leaf_set_by_hand_reaches_the_hooks_that_read_it(branching, settings, wanted):
    """As one that a profile sets does; and what is set by hand is still said to be."""
    by_hand = {f"{branching}.{name}": value for name, value in settings.items()}
    rules = compile_reference(f"quanti-1822+{branching}", settings=by_hand)
    plain = compile_reference("quanti-1822").value_of("payments.premiers")
    assert rules.value_of("payments.premiers") == (plain if wanted is None else wanted)
    for path, value in by_hand.items():
        assert rules.value_of(path) == value
        assert [link.setter for link in rules.origins[path].chain] == ["plugin", "setting"]


def test_a_profile_and_the_hand_set_a_leaf_alike_and_the_hand_wins(branching, tmp_path):
    house = child(
        tmp_path,
        "quanti-1822",
        f"[{{plugin: {branching}}}]",
        f"{{{branching}: {{pays: true, more: 2}}}}",
    )
    assert compile_reference(house).value_of("payments.premiers") == 12
    assert (
        compile_reference(house, settings={f"{branching}.more": 4}).value_of("payments.premiers")
        == 14
    )


def test_a_leaf_set_to_what_it_cannot_be_is_told_once(branching):
    with pytest.raises(QuadrilleError) as e:
        compile_reference(f"quanti-1822+{branching}", settings={f"{branching}.pays": "maybe"})
    assert [p.code for p in e.value.problems] == ["Q203"]


def test_discriminate_counts_configurations_with_what_is_set_by_hand(branching):
    """Its own merges, and what it notes of the plugins' reading, are those of the compiler."""
    space = ConfigurationSpace(
        f"quanti-1822+{branching}", points=[], settings={f"{branching}.pays": True}
    )
    assert space.merged(space.base)["payments.premiers"] == 11
    merge = TracedMerge(space.kind)
    space.draft(space.base, merge)
    assert merge.view()[f"{branching}.pays"] is True
    assert f"{branching}.pays" in merge.read
