"""When all pass, the eldest hand must play, whatever it holds."""

from quadrille_core.hookspecs import About, ForcedBid, OwnLeaf, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Eldest forced", summary="When all pass, the eldest hand must play.")


@hookimpl
def quadrille_leaves():
    """Whether it must."""
    doc = "Whether the eldest hand must play when all pass."
    return [OwnLeaf(path="eldest-forced.eldest", type="boolean", doc=doc, neutral=True)]


@hookimpl
def quadrille_forcing(rules, parameters):
    """On whom the forced game falls."""
    who = {"seat": "eldest", "rule": "eldest-forced.eldest"}
    return [ForcedBid(bid="forced-spadille", reason="the eldest hand speaks first", **who)]
