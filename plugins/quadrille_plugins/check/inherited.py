"""What a rule of a parent contradicts is told at the rule of this file that makes it so, with the line to add."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from quadrille_core.errors import Problem, QuadrilleError
from quadrille_core.profile.records import ProfileDoc
from quadrille_core.ruleset import Reference, compile_chain

_SET: Final = re.compile(r"\bset (?P<set>[a-z][\w.-]*: [\w\[\]-]+(?: and [a-z][\w.-]*: [\w\[\]-]+)*)")
_BID: Final = re.compile(r"bid '([^']+)': ")
_MOST_RULES: Final = 40
"""Rules of one file that are left out one by one."""


def at_own_rules(problems: Sequence[Problem], chain: Sequence[ProfileDoc], reference: Reference) -> list[Problem]:
    """The errors of a rule set, those at the rules of parents told at rules of the last profile of its chain."""
    return [_moved(p, chain, reference) if p.code == "Q606" and p.place is not None else p for p in problems]


def _moved(problem: Problem, chain: Sequence[ProfileDoc], reference: Reference) -> Problem:
    own = chain[-1]
    wanted = _wanted(problem)
    is_one_way = _SET.sub("", problem.help) in ("", ", say", ", as a rule")
    for rule in own.rules if is_one_way else ():
        if rule.path in wanted and rule.place is not None:
            last = rule.path.rpartition(".")[2]
            return replace(problem, place=rule.place, help=f"write `{last}: {wanted[rule.path]}`")
    if problem.place is not None and problem.place.path in {r.place.path for r in own.rules if r.place is not None}:
        return problem
    for rule in own.rules[:_MOST_RULES]:
        rest = replace(own, rules=tuple(r for r in own.rules if r is not rule))
        if rule.place is not None and not _is_there(problem, [*chain[:-1], rest], reference):
            return replace(problem, place=rule.place, help=_to_add(wanted, own) or problem.help)
    return problem


def _wanted(problem: Problem) -> dict[str, str]:
    """The rules that the help names, each with its value; those of a bid by their whole path."""
    found, bid = _SET.search(problem.help), _BID.match(problem.message)
    pairs = [pair.split(": ") for pair in found["set"].split(" and ")] if found else []
    of_bid = f"bids.{bid[1]}." if bid else ""
    return {path if "." in path else of_bid + path: value for path, value in pairs if "." in path or of_bid}


def _is_there(problem: Problem, chain: Sequence[ProfileDoc], reference: Reference) -> bool:
    """Whether a rule set has that error; one that has another may have it."""
    try:
        compile_chain(tuple(chain), reference, readings={}, settings={})
    except QuadrilleError as e:
        return problem in e.problems or not any(p.code == problem.code for p in e.problems)
    return False


def _to_add(wanted: Mapping[str, str], own: ProfileDoc) -> str:
    """The lines to add, where the help names rules and their values."""
    steps = [path.split(".") for path in wanted]
    if not steps or any(one[:-1] != steps[0][:-1] for one in steps):
        return ""
    blocks = steps[0][:-1]
    stated = [rule.path.split(".") for rule in own.rules]
    there = max((n for n in range(len(blocks) + 1) if any(s[:n] == blocks[:n] for s in stated)), default=0)
    texts = [f"{one[-1]}: {value}" for one, value in zip(steps, wanted.values(), strict=True)]
    for block in reversed(blocks[there:]):
        texts = [f"{block}: {{{', '.join(texts)}}}"]
    under = ", ".join(f"`{block}:`" for block in ("rules", *blocks[:there]))
    return f"add {' and '.join(f'`{text}`' for text in texts)} under {under}"
