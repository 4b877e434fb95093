"""Rule sets between two: some rules as the second of two rule sets has them, the others as the
first has them."""

from collections.abc import Callable, Collection, Mapping
from functools import cache

from quadrille_core import vocabulary
from quadrille_core.errors import Problem
from quadrille_core.rules import Identity, RuleSet
from quadrille_core.ruleset import crosscheck
from quadrille_core.ruleset.compile import Compiled, contradictions, demands
from quadrille_core.ruleset.merge import Merge, build_rules, digest
from quadrille_core.ruleset.provenance import Link

Mixed = Callable[[], RuleSet] | list[Problem]


def mixed(first: Compiled, second: Compiled, taken: Collection[str]) -> Mixed:
    """Two games of tricks: the rules of the second at the paths ``taken`` and those of the first
    elsewhere, made when called, or why they cannot be played together.

    What is said of a bid goes where the bid is gone, and a row for the favourite suit where there
    is none; what nobody says then stands at its neutral value.  Constraints of either side hold;
    what a profile assumes of its own rules need not.
    """
    a, b = first.drawn.merge, second.drawn.merge
    merge = Merge(a.kind)
    merge.own = {**a.own, **b.own}
    chains = {p: (b if p in taken else a).chains.get(p) for p in {**a.chains, **b.chains}}
    for path in (p for p in chains if p.endswith(".title")):
        chains[path] = a.chains.get(path) or b.chains[path]
    merge.chains = {p: chain for p, chain in _fitting(chains, a.chains).items() if chain}
    merge.fill_neutral()
    problems = [*crosscheck.missing(merge, None)] or [*contradictions(merge)]
    if not problems:
        both = [*first.drawn.plugging.demands, *second.drawn.plugging.demands]
        both += [d for one in (first, second) for d in demands(one.chain)[0]]
        problems = [*crosscheck.unmet(merge, both)]
    name = f"{first.identity.profile}…{second.identity.profile}"

    @cache
    def made() -> RuleSet:
        rules = build_rules(merge)
        identity = Identity(profile=name, digest=digest(vocabulary.dump(rules), ()))
        return RuleSet(identity=identity, rules=rules)

    return problems or made


def _fitting(
    chains: Mapping[str, list[Link] | None], own: Mapping[str, list[Link]]
) -> Mapping[str, list[Link] | None]:
    """The rules without those of bids that there are not, and without rows for a favourite suit
    that there is not, but for the first's ``own``."""
    bids = {p.split(".")[1] for p, c in chains.items() if c and p.endswith(".rank")}
    source = chains.get("favourite.source")
    plain = source is None or source[-1].value == "none"

    def fits(path: str) -> bool:
        pattern = vocabulary.pattern_of(path) or ""
        if "*" in pattern and path.split(".")[pattern.split(".").index("*")] not in bids:
            return False
        return not (plain and path.startswith(crosscheck.FAVOURITE) and path not in own)

    return {path: chain for path, chain in chains.items() if fits(path)}
