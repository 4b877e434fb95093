"""Whoever revokes pays each of the others some counters."""

from quadrille_core.hookspecs import About, Incident, OwnLeaf, PaymentRow, hookimpl


@hookimpl
def quadrille_describe():
    """Name the mechanic."""
    return About(title="Fines for a revoke", summary="Whoever revokes pays each of the others.")


@hookimpl
def quadrille_leaves():
    """What a revoke costs."""
    return [
        OwnLeaf(
            path="revoke.fine",
            type="integer",
            doc="Counters that a revoke costs, to each.",
            neutral=12,
        ),
        OwnLeaf(
            path="revoke.of", type=("play", "lead"), doc="Which revokes are fined.", neutral="play"
        ),
    ]


@hookimpl
def quadrille_payments(rules, parameters):
    """The fine, as a payment and as a law."""
    return [
        PaymentRow(
            reason="revoke",
            amount="revoke.fine",
            payer="offender",
            payee="others",
            incident="revoke",
        ),
        Incident(
            id="revoke",
            doc="a player has not followed suit though she could",
            says="A revoke is fined, and each of the others has the fine.",
            rule="revoke.fine",
        ),
    ]
