"""Patiences: games that one person plays against the order of the cards."""

from collections.abc import Sequence

from quadrille_core.hookspecs import FileKind, GameKind, hookimpl, later

PATIENCE = "patience"


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
    return (FileKind(name=PATIENCE, schema=later("quadrille_plugins.patience.schema:record")),)
