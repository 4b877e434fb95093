"""What a rule of a parent contradicts is told at the rule of this file that makes it so."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from quadrille_core.errors import Problem, QuadrilleError, Replace, Set
from quadrille_core.profile.records import ProfileDoc
from quadrille_core.ruleset import Reference, compile_chain

ONE_WAY: Final = ("set", "set-say", "set-usual")
"""Hints by which there is one way to mend it: to set these rules."""
_MOST_RULES: Final = 40
"""Rules of one file that are left out one by one."""


def at_own_rules(
    problems: Sequence[Problem], chain: Sequence[ProfileDoc], reference: Reference
) -> list[Problem]:
    """The errors of a rule set, those at the rules of parents told at rules of the last profile of
    its chain."""
    return [
        _moved(p, chain, reference) if p.code == "Q606" and p.place is not None else p
        for p in problems
    ]


def _moved(problem: Problem, chain: Sequence[ProfileDoc], reference: Reference) -> Problem:
    own = chain[-1]
    hint = problem.hint
    wanted = dict(hint.rules) if isinstance(hint, Set) else {}
    is_one_way = isinstance(hint, Set) and hint.how in ONE_WAY
    for rule in own.rules if is_one_way else ():
        if rule.path in wanted and rule.place is not None:
            last = rule.path.rpartition(".")[2]
            return replace(
                problem,
                place=rule.place,
                hint=Replace(f"{last}: {wanted[rule.path]}", "write-code"),
            )
    if problem.place is not None and problem.place.path in {
        r.place.path for r in own.rules if r.place is not None
    }:
        return problem
    for rule in own.rules[:_MOST_RULES]:
        rest = replace(own, rules=tuple(r for r in own.rules if r is not rule))
        if rule.place is not None and not _is_there(problem, [*chain[:-1], rest], reference):
            return replace(problem, place=rule.place)
    return problem


def _is_there(problem: Problem, chain: Sequence[ProfileDoc], reference: Reference) -> bool:
    """Whether a rule set has that error; one that has another may have it."""
    try:
        compile_chain(tuple(chain), reference, readings={}, settings={})
    except QuadrilleError as e:
        return problem in e.problems or not any(p.code == problem.code for p in e.problems)
    return False
