"""The three-trick alliance: the ally shares a loss only if three tricks were Hombre's own."""

from collections.abc import Mapping, Sequence
from typing import Any

from quadrille_core.hookspecs import About, Default, Override, hookimpl
from quadrille_plugins.mechanics._rows import bids_with
from quadrille_plugins.mechanics._sources import PARLETT


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Three-trick alliance",
        summary="Hombre owes the alliance three tricks; with fewer, Hombre alone pays for the "
        "loss.",
        late=True,
    )


@hookimpl
def quadrille_bids(rules: Mapping[str, Any]) -> Sequence[Override]:
    """Lay the duty on every alliance that is bid in turn with a partner who did not choose it.

    An ally who declares themselves and names trumps is no involuntary partner, and a forced game is
    exempt by name in every source.
    """
    found: list[Override] = []
    for bid in bids_with(rules, "partner", "called"):
        if (
            rules.get(f"bids.{bid}.made", "in_turn") != "in_turn"
            or rules.get(f"bids.{bid}.ally_known") == "at_once"
        ):
            continue
        reason = "an involuntary partner cannot be expected to contribute more than two tricks"
        at = "Penalties for a lost game"
        found += [
            Default(
                path=f"bids.{bid}.loss_borne",
                value="shared_if_hombre_made",
                reason=reason,
                source=PARLETT,
                at=at,
            ),
            Default(
                path=f"bids.{bid}.hombre_least_tricks",
                value=3,
                reason=reason,
                source=PARLETT,
                at=at,
            ),
        ]
    return found
