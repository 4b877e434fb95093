"""When all pass, the holder of Basto must play, and not that of Spadille."""

from quadrille_core.hookspecs import About, Patch, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic; ``late``, for it changes the bid of another plugin."""
    summary = "When all pass, whoever holds the ace of clubs must play."
    return About(title="Forced Basto", summary=summary, late=True)


@hookimpl
def quadrille_bids(rules, parameters):
    """The card that forces; the title of the game follows."""
    reason = "Basto forces, not Spadille"
    return [Patch(path="bids.forced-spadille.forced_on", value="CA", reason=reason)]
