"""Leaves of plugins that nothing reads: `check` and `show` say that they cannot act."""

import json

import pytest
from quadrille_plugins.house_rules.unread import WHY, unread
from support.plugin import PREAMBLE, child, make_plugin, quadrille

from quadrille_core.ruleset import compile_reference

LEAVES = "@hookimpl\ndef quadrille_leaves():\n    return [{}]\n"
LEAF = "OwnLeaf(path='{}.{}', type={}, doc='d', neutral={}), "
HOOKS = """\
@hookimpl
def quadrille_payments(rules, parameters):
    row = PaymentRow(reason='r', amount='NAME.paid', payer='hombre', payee='pool', when='NAME.due')
    more = [Patch(path='payments.premiers', value=9, reason='r')] if rules['NAME.read'] else []
    wanted = [Constraint(when={'NAME.wanted': True}, requires={'payments.premiers': 9}, reason='r')]
    return [row, *more, *wanted]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A plugin with a leaf for each way to be read, and one that nothing reads."""
    made = [("paid", "'amount'", 1), ("due", "'boolean'", True), ("read", "'boolean'", False)]
    made += [("wanted", "'boolean'", False), ("idle", "'integer'", 3)]
    leaves = "".join(LEAF.format("unread-one", *leaf) for leaf in made)
    code = PREAMBLE + LEAVES.format(leaves) + HOOKS.replace("NAME", "unread-one")
    make_plugin(tmp_path, "unread-one", code)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_leaf_that_nothing_reads_is_found_and_no_other(folder):
    assert unread(compile_reference("quanti-1822+unread-one")) == {"unread-one.idle": WHY}
    by_hand = compile_reference("quanti-1822@parlett+unread-one", settings={"unread-one.idle": 5})
    assert unread(by_hand) == {"unread-one.idle": WHY}


def test_check_and_show_say_that_it_cannot_act(folder):
    house = child(
        folder, "quanti-1822", "[{plugin: unread-one}]", "{unread-one: {idle: 7, read: true}}"
    )
    told = " ".join(quadrille("check", house, path=folder, cwd=folder).stderr.split())
    assert f"note: line 6: unread-one.idle cannot act: {WHY}" in told
    assert "unread-one.read cannot" not in told
    shown = json.loads(quadrille("show", house, "--format", "json", path=folder, cwd=folder).stdout)
    assert [path for path, leaf in shown["leaves"].items() if leaf.get("idle") == WHY] == [
        "unread-one.idle"
    ]


@pytest.mark.parametrize("reference", ["quanti-1822", "mediateur-1752@parlett"])
def test_rules_without_such_leaves_have_none(reference):
    assert unread(compile_reference(reference)) == {}
