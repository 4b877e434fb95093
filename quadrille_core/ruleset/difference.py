"""The rules in which two rule sets differ."""

from dataclasses import dataclass

from quadrille_core.ruleset import Compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDifference:
    """A rule that differs, both values, both sources."""

    path: str
    values: tuple[object, object]
    sources: tuple[str, str]
    statuses: tuple[str, str]


def rules_difference(a: Compiled, b: Compiled) -> tuple[RuleDifference, ...]:
    """The rules that differ: first those that both sides attest, then those a silence was filled in for."""
    found = []
    for path in dict.fromkeys((*a.origins, *b.origins)):
        mine, theirs = a.origins.get(path), b.origins.get(path)
        values = (mine.value if mine else None, theirs.value if theirs else None)
        if values[0] != values[1] and not path.endswith(".title"):
            found.append(
                RuleDifference(
                    path=path,
                    values=values,
                    sources=(a.source_of(path) or "no such rule", b.source_of(path) or "no such rule"),
                    statuses=(mine.status if mine else "absent", theirs.status if theirs else "absent"),
                )
            )
    return tuple(sorted(found, key=lambda d: sum(s != "attested" for s in d.statuses)))
