"""A hand without an ace, king, queen or knave is thrown in, and the cards are dealt again."""

from quadrille_core.hookspecs import About, OwnLeaf, ThrowIn, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Hopeless hands", summary="A hand of low cards alone is thrown in.")


@hookimpl
def quadrille_leaves():
    """Whether it is done."""
    doc = "Whether a hand without ace or picture is thrown in."
    return [OwnLeaf(path="throw-in.low_cards", type="boolean", doc=doc, neutral=True)]


@hookimpl
def quadrille_forcing(rules, parameters):
    """What such a hand is."""
    return [
        ThrowIn(
            reason="neither ace nor picture",
            rule="throw-in.low_cards",
            facts={"aces_dealt": 0, "pictures_dealt": 0},
        )
    ]
