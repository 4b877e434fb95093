"""Whoever has not been Hombre in the session must play when all pass; of several the eldest."""

from quadrille_core.hookspecs import About, ForcedBid, OwnLeaf, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    summary = "When all pass, who has not played yet in this session must."
    return About(title="Compulsory game", summary=summary)


@hookimpl
def quadrille_leaves():
    """Whether they must."""
    doc = (
        "Whether the eldest of those who were never Hombre in this session must play when all pass."
    )
    return [OwnLeaf(path="compulsory.game", type="boolean", doc=doc, neutral=True)]


@hookimpl
def quadrille_forcing(rules, parameters):
    """On whom the forced game falls."""
    who = {"facts": {"games_before": 0}, "rule": "compulsory.game"}
    return [ForcedBid(bid="forced-spadille", reason="each plays once a session", **who)]
