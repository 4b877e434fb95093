"""Evidence of what a player stakes, for `quadrille discriminate`."""

from quadrille_core.hookspecs import EvidenceKind, hookimpl


def asked(game, piece):
    """Whether these rules have that ante."""
    ante = game.rules.stakes.ante
    return "" if ante == piece["ante"] else f"the ante is {ante}, not {piece['ante']}"


@hookimpl
def quadrille_evidence():
    """One kind: the ante as a text has it."""
    keys = {
        "ante": {"description": "Counters that a player stakes.", "type": "integer", "minimum": 0}
    }
    return [EvidenceKind(name="ante", doc="what a player stakes for a deal", keys=keys, ask=asked)]
