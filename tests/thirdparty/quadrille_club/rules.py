"""A solo wants seven tricks, the ace of clubs may always be kept back, and a solo earns six."""

from quadrille_core.cards import BASTO
from quadrille_core.hookspecs import About, Parameter, Patch, Withhold, hookimpl


@hookimpl
def quadrille_describe():
    """Name the club's rules and their one parameter."""
    return About(
        title="Club rules",
        summary="Seven tricks for a solo, a free basto, a dearer premium.",
        parameters={"premium": Parameter(doc="Units a solo earns.", default=6, choices=(5, 6))},
    )


@hookimpl
def quadrille_bids(rules, parameters):
    """A solo is won with seven tricks."""
    assert rules["bids.solo.tricks"] == 6
    return [Patch(path="bids.solo.tricks", value=7, reason="six were too easy")]


@hookimpl
def quadrille_forcing(rules, parameters):
    """Basto need never be given up."""
    return [
        Withhold(
            decide=lambda trump, after, card: True if card == BASTO else None,
            reason="basto is free",
        )
    ]


@hookimpl
def quadrille_payments(rules, parameters):
    """A solo earns more."""
    return [
        Patch(
            path="payments.premium.solo", value=parameters["premium"], reason="it is harder to make"
        )
    ]
