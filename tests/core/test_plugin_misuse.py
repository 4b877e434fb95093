"""Each rule hook misused: every error names the plugin, the hook and the field, and what to write."""

import sys

import pytest
from support.data import listed
from support.plugin import LEAF, PREAMBLE, make_plugin

from quadrille_core.diagnostics import DidYouMean, catalogue
from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import compile_reference

HOOKS = {
    "describe": "quanti-1822",
    "leaves": "quanti-1822",
    "bids": "quanti-1822",
    "forcing": "quanti-1822",
    "payments": "quanti-1822",
    "builds": "royal-quadrille",
}
"""The hooks, each with rules that ask it."""
GOOD = """
from quadrille_core.rules import Bid

def filled(kind, **fields):
    return lambda **changes: kind(**(fields | changes))

def told(deal): return (0, 0, 0, 0)
def two(deal, more): return 0

about = filled(About, title='t', summary='s')
choice = filled(Parameter, doc='d', default=1, choices=(1, 2))
leaf = filled(OwnLeaf, path='slip.n', type='integer', doc='d', neutral=1)
bid = filled(Bid, title='T', rank=41, goal='at_least', tricks=6)
new = filled(NewBid, id='x', bid=bid(), reason='r')
only = filled(TrumpsOnly, bid='solo', suits=('hearts',), rule='slip.on')
patch = filled(Patch, path='bids.solo.tricks', value=7, reason='r')
needs = filled(
    Constraint, when={'bids.solo.tricks': 6}, requires={'bids.solo.tricks': 6}, reason='r'
)
withhold = filled(Withhold, decide=lambda t, a, c: True, reason='r')
thrown = filled(ThrowIn, reason='r', rule='slip.on', facts={'aces_dealt': 0})
forced = filled(ForcedBid, bid='solo', reason='r', rule='slip.on')
row = filled(PaymentRow, reason='r', amount='slip.n', payer='hombre', payee='pool')
factor = filled(Factor, reason='r', factor='slip.n')
redirect = filled(Redirect, reason='r', redirected='slip.on')
incident = filled(Incident, id='x', doc='d', says='s', rule='slip.n')
fact = filled(OwnFact, name='f', unit='u', doc='d', compute=told)
OWN = [
    leaf(),
    leaf(path='slip.a', type='amount'),
    leaf(path='slip.on', type='boolean', neutral=True),
    leaf(path='slip.low', low=-5),
]
"""
"""Records that can be, each by a function of what is changed of it."""
NOTES = "from quadrille_core.hookspecs import *\n"


def problem_of(folder, monkeypatch, hook, code):
    """The one fault of rules whose plugin ``slip`` has this code for a hook."""
    before = "" if hook == "describe" else PREAMBLE.removeprefix(NOTES)
    if hook not in ("describe", "leaves"):
        before += LEAF.format("*OWN")
    make_plugin(folder, "slip", NOTES + GOOD + before + code)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "slip_module", raising=False)
    with pytest.raises(QuadrilleError) as refused:
        compile_reference(f"{HOOKS[hook]}+slip")
    (problem,) = refused.value.problems
    return problem


def signature(hook):
    given = "" if hook in ("describe", "leaves") else "rules, parameters"
    return f"@hookimpl\ndef quadrille_{hook}({given}):\n    "


@pytest.mark.parametrize(
    ("hook", "answer", "record", "field", "variant", "near"),
    [
        (hook, *case, *[""] * (5 - len(case)))
        for hook, found in listed("plugin_misuse").items()
        for case in found
    ],
)
def test_a_record_that_cannot_be_is_refused_by_plugin_hook_and_field(
    tmp_path, monkeypatch, hook, answer, record, field, variant, near
):
    """One fault for one slip, which says what to write; where a word is near, it is told first."""
    body = f"return {answer}\n" if hook == "describe" else f"return [{answer}]\n"
    problem = problem_of(tmp_path, monkeypatch, hook, signature(hook) + body)
    named = [problem.data.get(key, "") for key in ("plugin", "hook", "record", "field")]
    fault = problem.data.get("fault", problem)
    assert [*named, fault.variant] == ["slip", f"quadrille_{hook}", record, field, variant]
    assert problem.help
    meant = fault.hint.words if isinstance(fault.hint, DidYouMean) else ()
    assert [*meant, ""][0] == near
    assert "slip" in problem.message


def test_each_hook_is_misused_in_twenty_ways_and_each_fault_of_a_record_is_met():
    """No sentence of the catalogue is dead; two are of the plugin's name, and tested beside it."""
    found = listed("plugin_misuse")
    assert {hook for hook, told in found.items() if len({t[0] for t in told}) >= 20} == {*HOOKS}
    met = {case[3] for told in found.values() for case in told}
    of_hooks = {"bad-record", "returns-not-list", "returns-too-many", "bad-measured"}
    of_names = {"name-of-block", "reads-as-fact"}
    assert met & {*catalogue()["Q505"]} == {*catalogue()["Q505"]} - of_hooks - of_names


ANSWERS = {
    "raise RuntimeError('boom')": ("Q507", ("failed", "describe-failed")),
    "raise SystemExit(0)": ("Q507", ("failed", "describe-failed")),
    "return 1 / 0": ("Q507", ("failed", "describe-failed")),
    "return [nothing_at_all]": ("Q507", ("failed", "describe-failed")),
    "return filled(Patch)()": ("Q507", ("failed", "describe-failed")),
    "yield 1 / 0": ("Q507", ("failed", "bad-record")),
    "pass": ("Q505", ("returns-not-list", "bad-record")),
    "return 'word'": ("Q505", ("returns-not-list", "bad-record")),
    "return {'a': 1}": ("Q505", ("returns-not-list", "bad-record")),
    "return 3": ("Q505", ("returns-not-list", "bad-record")),
    "return row()": ("Q505", ("returns-not-list", "bad-record")),
    "return iter(row, 1)": ("Q505", ("returns-too-many", "bad-record")),
}
"""What hooks do, with the code of the fault and its sentence; that of ``describe`` stands last."""


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("does", ANSWERS)
def test_a_hook_that_fails_or_returns_no_list_is_named(tmp_path, monkeypatch, hook, does):
    """With what to do; one that raises is told with the line of its module."""
    code, (wanted, of_describe) = ANSWERS[does]
    problem = problem_of(tmp_path, monkeypatch, hook, signature(hook) + does + "\n")
    assert (problem.data["plugin"], problem.data["hook"]) == ("slip", f"quadrille_{hook}")
    assert problem.variant == (of_describe if hook == "describe" else wanted)
    assert problem.code == ("Q505" if problem.variant == "bad-record" else code)
    assert problem.help
    assert code == "Q505" or problem.code != code or "slip_module.py:" in problem.data["said"]


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize(
    ("form", "variant", "field"),
    [
        ("def {hook}({given}): return []", "hook-without-mark", ""),
        ("@hookimpl\ndef {hook}x(): return []", "no-such-hook", ""),
        ("@hookimpl\ndef {hook}(rulez): return []", "no-such-argument", "rulez"),
        ("import nowhere_at_all\n{hook}", "plugin-cannot-be-loaded", ""),
    ],
)
def test_a_hook_that_is_none_is_named(tmp_path, monkeypatch, hook, form, variant, field):
    """As a plugin is loaded: its mark, its name, its arguments, and what it imports."""
    code = form.format(hook=f"quadrille_{hook}", given="")
    problem = problem_of(tmp_path, monkeypatch, hook, code)
    assert (problem.data["plugin"], problem.variant) == ("slip", variant)
    assert problem.data.get("field", "") == field
    assert variant == "plugin-cannot-be-loaded" or f"quadrille_{hook}" in problem.data["hook"]
    assert problem.help
