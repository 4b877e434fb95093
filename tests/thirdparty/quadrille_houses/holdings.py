"""Of an alliance that is lost, the ally bears a part only with certain kings and matadors in hand.

Quanti proposes it against the three tricks that the Hombre must make, as Parlett reports (note 3);
which holdings, the page does not tell: here a matador, or two kings.  The Hombre pays for both, and
such an ally gives something towards it.
"""

from quadrille_core.hookspecs import About, AtLeast, OwnLeaf, Patch, PaymentRow, hookimpl

CITED = {"source": "parlett", "at": "Penalties for a lost game, note 3", "status": "conjecture"}


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="By holdings", summary="An ally with good cards bears part of a loss.")


@hookimpl
def quadrille_leaves():
    """What such an ally gives."""
    doc = "Counters that an ally who held a matador or two kings gives the Hombre of a game lost."
    return [OwnLeaf(path="holdings.part", type="amount", doc=doc, neutral=2, **CITED)]


@hookimpl
def quadrille_bids(rules, parameters):
    """The tricks decide nothing."""
    reason = "holdings decide, and not tricks"
    return [Patch(path="bids.alliance.loss_borne", value="hombre", reason=reason, **CITED)]


@hookimpl
def quadrille_payments(rules, parameters):
    """One payment for two cases that exclude each other."""
    return [
        PaymentRow(
            reason="good cards",
            amount="holdings.part",
            payer="ally",
            payee="hombre",
            outcomes=("remise", "codille"),
            contracts=("alliance",),
            facts=facts,
        )
        for facts in (
            {"ally.matadors_dealt": AtLeast(1)},
            {"ally.matadors_dealt": 0, "ally.kings_dealt": AtLeast(2)},
        )
    ]
