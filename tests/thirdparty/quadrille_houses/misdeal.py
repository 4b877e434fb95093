"""Whoever misdeals puts a unit into the pool and pays each of the others a counter."""

from quadrille_core.hookspecs import About, Incident, OwnLeaf, PaymentRow, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    summary = "Whoever misdeals pays the pool and the others, and deals again."
    return About(title="Fines for a misdeal", summary=summary)


@hookimpl
def quadrille_leaves():
    """What it costs."""
    fine, doc = (
        "Units that a misdeal costs, into the pool.",
        "Counters that each of the others has.",
    )
    return [
        OwnLeaf(path="misdeal.fine", type="amount", doc=fine, neutral=1),
        OwnLeaf(path="misdeal.each", type="amount", doc=doc, neutral=1),
        OwnLeaf(
            path="misdeal.to_hombre", type="amount", doc="Counters that the Hombre has.", neutral=0
        ),
    ]


@hookimpl
def quadrille_payments(rules, parameters):
    """The fines, as payments and as a law; what a won game earns besides asks for a game."""
    who = {"incident": "misdeal", "payer": "offender", "reason": "misdeal"}
    return [
        PaymentRow(amount="misdeal.fine", unit="units", payee="pool", **who),
        PaymentRow(amount="misdeal.each", payee="others", **who),
        PaymentRow(amount="misdeal.each", payee="hombre", outcomes=("won",), **who),
        PaymentRow(amount="misdeal.to_hombre", payee="hombre", **who),
        Incident(
            id="misdeal",
            doc="the cards were dealt wrongly",
            says="A misdeal is fined, and dealt again.",
            rule="misdeal.fine",
        ),
    ]
