"""Patiences: games that one person plays against the order of the cards."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quadrille_core.errors import Problem
from quadrille_core.hookspecs import FileKind, GameKind, Override, hookimpl, hookspec

PATIENCE = "patience"


def _contradictions(merge: Any) -> Iterator[Problem]:
    from quadrille_plugins.patience.crosscheck import contradictions

    return contradictions(merge)


def _deal(compiled: Any, **options: Any) -> None:
    from quadrille_plugins.patience.command import deal_patience

    deal_patience(compiled, **options)


def _replay(compiled: Any, data: Any, place: Any, **options: Any) -> int:
    from quadrille_plugins.patience.command import replay_patience

    return replay_patience(compiled, data, place, **options)


def _compare(refs: Any, compiled: Any, **options: Any) -> int:
    from quadrille_plugins.patience.command import compare_patience

    return compare_patience(refs, compiled, **options)


def _won(rules: Any, games: int, seed: int) -> Any:
    from quadrille_plugins.patience.odds import won

    return won(rules, games, seed)


class _Hooks:
    """By which a plugin changes the rules of a patience."""

    @hookspec
    def quadrille_builds(self, rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> Sequence[Override]:
        """Say what a patience builds, and how its stock and heap are used; arguments as for ``quadrille_bids``."""
        return ()


@hookimpl
def quadrille_kinds() -> Sequence[GameKind]:
    """See ``hookspecs.Features``."""
    from quadrille_plugins.patience.rules import PatienceRules, PatienceRuleSet

    return (
        GameKind(
            name=PATIENCE,
            article="a patience",
            root=PatienceRules,
            ruleset=PatienceRuleSet,
            contradictions=_contradictions,
            hooks=_Hooks,
            domains={"quadrille_builds": ("stock", "foundations", "heap")},
            deal=_deal,
            replay=_replay,
            record=PATIENCE,
            compare=_compare,
            won=_won,
        ),
    )


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return (FileKind(name=PATIENCE),)
