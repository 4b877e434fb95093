"""Bids that are paid as the solo is."""

from quadrille_core.hookspecs import Default


def rows_like_solo(rules, *bids):
    """The rows of these bids in every table that has one for the solo."""
    return [
        Default(path=f"{path.removesuffix('solo')}{bid}", value=value, reason="as for the solo")
        for path, value in rules.items()
        if path.startswith("payments.") and path.endswith(".solo")
        for bid in bids
    ]
