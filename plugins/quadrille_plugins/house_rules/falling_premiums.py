"""Ladders on which a bid that goes before another earns less."""

from itertools import pairwise

from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import Compiled


def falling_premiums(compiled: Compiled) -> str | None:
    """The warning; None where no bid earns less than one that it overcalls, or where no bid earns
    anything.

    Whoever could make the higher bid makes the lower one then, so that it is hardly played.
    """
    if compiled.kind != TRICKS:
        return None
    rules = compiled.ruleset.rules
    ladder = sorted(
        (bid.rank, rules.payments.premium.of(name), name)
        for name, bid in rules.bids.items()
        if rules.is_played(bid) and bid.made == "in_turn" and not bid.is_vole
    )
    falls = [(low, high) for low, high in pairwise(ladder) if high[1] < low[1]]
    if not falls:
        return None
    told = ", ".join(
        f"{h[2]} earns {h[1]} and {w[2]}, which it overcalls, {w[1]}" for w, h in falls
    )
    return (
        "the premium falls as the ladder rises, so that the higher bid is hardly made: "
        f"{told} (payments.premium)"
    )
