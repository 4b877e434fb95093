"""Whoever asks names trumps and demands any king; its holder has a card for it, and all play alone.

So the Académie plays by three (p. 35).  At four the stake is fourteen, and so is the first beast;
it is so by three, who stake thirteen.
"""

from quadrille_core.hookspecs import About, OwnLeaf, Patch, TrumpsOnly, hookimpl

SUITS = ("spades", "hearts", "clubs")
"""What three play with; a red suit is away."""
DEMANDED = {
    "partner": "none",
    "exchange": True,
    "trump_when": "before_call",
    "call.trump_suit": "kings",
    "call.fallback": "queen",
}


@hookimpl
def quadrille_describe():
    """Name the mechanic; ``late``, for it speaks of bids that other plugins bring."""
    summary = "Whoever asks demands a king, and plays alone."
    return About(title="Demanded king", summary=summary, late=True)


@hookimpl
def quadrille_leaves():
    """Whether a suit is never trumps."""
    doc = "Whether diamonds are never trumps, as a suit that is away."
    return [OwnLeaf(path="demanded-king.barred", type="boolean", doc=doc, neutral=True)]


@hookimpl
def quadrille_bids(rules, parameters):
    """Every bid with an ally, the forced one too, has a king instead; none names the barred suit."""
    cited = {"source": "academie-universelle", "at": "Quadrille for three"}
    bids = [path.split(".")[1] for path in rules if path.endswith(".rank")]
    allied = [bid for bid in bids if rules.get(f"bids.{bid}.partner") == "called"]
    return [
        *(
            Patch(path=f"bids.{bid}.{leaf}", value=value, reason="a king is demanded", **cited)
            for bid in allied
            for leaf, value in DEMANDED.items()
        ),
        *(TrumpsOnly(bid=bid, suits=SUITS, rule="demanded-king.barred") for bid in bids),
    ]
