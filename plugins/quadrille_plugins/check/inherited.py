"""What a rule of a parent contradicts is told at the rule of this file that makes it so, with the line to add."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from quadrille_core.errors import Place, Problem, QuadrilleError
from quadrille_core.profile.records import ProfileDoc
from quadrille_core.ruleset import Reference, compile_chain

_SET: Final = re.compile(r"\bset ([a-z][\w.-]*): ([\w\[\]-]+)")
_MOST_RULES: Final = 40
"""Rules of one file that are left out one by one."""


def at_own_rules(problems: Sequence[Problem], chain: Sequence[ProfileDoc], reference: Reference) -> list[Problem]:
    """The errors of a rule set, those at the rules of parents told at rules of the last profile of its chain."""
    own = chain[-1]
    places = {p.place.path for p in own.rules if p.place is not None}
    return [
        _moved(p, chain, reference) if p.code == "Q606" and p.place and p.place.path not in places else p
        for p in problems
    ]


def _moved(problem: Problem, chain: Sequence[ProfileDoc], reference: Reference) -> Problem:
    own = chain[-1]
    for rule in own.rules[:_MOST_RULES]:
        rest = replace(own, rules=tuple(r for r in own.rules if r is not rule))
        if rule.place is not None and not _is_there(problem, [*chain[:-1], rest], reference):
            return replace(problem, place=rule.place, help=_to_add(problem.help, rule.place, own) or problem.help)
    return problem


def _is_there(problem: Problem, chain: Sequence[ProfileDoc], reference: Reference) -> bool:
    """Whether a rule set has that error; one that has another may have it."""
    try:
        compile_chain(tuple(chain), reference, readings={}, settings={})
    except QuadrilleError as e:
        return problem in e.problems or not any(p.code == problem.code for p in e.problems)
    return False


def _to_add(help: str, place: Place, own: ProfileDoc) -> str:
    """The line to add, where the help names a rule and its value."""
    if (found := _SET.search(help)) is None:
        return ""
    *blocks, last = found[1].split(".")
    stated = [rule.path.split(".") for rule in own.rules]
    there = max((n for n in range(len(blocks) + 1) if any(s[:n] == blocks[:n] for s in stated)), default=0)
    text = f"{last}: {found[2]}"
    for block in reversed(blocks[there:]):
        text = f"{block}: {{{text}}}"
    return f"add `{text}` under " + ", ".join(f"`{block}:`" for block in ("rules", *blocks[:there]))
