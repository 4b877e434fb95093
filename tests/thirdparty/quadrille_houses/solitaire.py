"""Nobody is called: one plays alone, with a demanded king where the rules have that, or not at all.

So a late Hoyle has solitaire quadrille (p. 281): where nobody can play, the cards are dealt again,
and the stakes of the next deal are added.
"""

from quadrille_core.hookspecs import About, Patch, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic; ``late``, for it bars bids that other plugins bring."""
    return About(title="Solitaire", summary="A game without calling.", late=True)


@hookimpl
def quadrille_bids(rules, parameters):
    """Bar every bid with an ally, and have the cards dealt again when all pass."""
    cited = {"source": "hoyle", "at": "p. 281"}
    allied = [
        path.removesuffix("partner") + "made"
        for path, value in rules.items()
        if path.startswith("bids.") and path.endswith(".partner") and value == "called"
    ]
    return [
        Patch(path="auction.all_pass", value="redeal", reason="nobody is forced", **cited),
        *(Patch(path=path, value="never", reason="nobody is called", **cited) for path in allied),
    ]
