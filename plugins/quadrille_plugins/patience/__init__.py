"""Patiences: games that one person plays against the order of the cards."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille_core.hookspecs import FileKind, GameKind, Override, hookimpl, hookspec, later

PATIENCE = "patience"


class _Hooks:
    """By which a plugin changes the rules of a patience."""

    @hookspec
    def quadrille_builds(
        self, rules: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> Sequence[Override]:
        """Say what a patience builds, and how its stock and heap are used; arguments as for
        ``quadrille_bids``."""
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
            contradictions=later("quadrille_plugins.patience.crosscheck:contradictions"),
            hooks=_Hooks,
            domains={"quadrille_builds": ("stock", "foundations", "heap")},
            deal=later("quadrille_plugins.patience.command:deal_patience"),
            replay=later("quadrille_plugins.patience.command:replay_patience"),
            record=PATIENCE,
            compare=later("quadrille_plugins.patience.command:compare_patience"),
            won=later("quadrille_plugins.patience.odds:won"),
        ),
    )


@hookimpl
def quadrille_files() -> Sequence[FileKind]:
    """See ``hookspecs.Features``."""
    return (FileKind(name=PATIENCE),)
