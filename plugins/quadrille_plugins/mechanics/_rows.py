"""Default payment rows: what a new bid earns unless the profile's own table sets it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from quadrille_core.hookspecs import Default
from quadrille_plugins.mechanics._sources import PARLETT, TABLE

NONE_BESIDES: Final = "the table knows a pool for the vole and no premium besides"


def row(
    path: str,
    value: Any,
    reason: str,
    *,
    source: str = PARLETT,
    at: str = TABLE,
    status: str = "attested",
) -> Default:
    """One default row of the payment table."""
    return Default(
        path=f"payments.{path}", value=value, reason=reason, source=source, at=at, status=status
    )


def has_favourite(rules: Mapping[str, Any]) -> bool:
    """Whether the rules have a favourite suit with a payment table of its own."""
    if rules.get("favourite.source", "none") == "none":
        return False
    return bool(rules.get("favourite.doubles", "bonuses") == "bonuses")


def game_rows(
    rules: Mapping[str, Any],
    bid: str,
    plain: int,
    favourite: int | None,
    undertaken: tuple[int, int | None] | None,
) -> Iterator[Default]:
    """Premium and vole rows of a bid: plain, and in favourite where there is one and the bid can be
    in it."""
    reason = f"what {bid} earns in the table of payments"
    yield row(f"premium.{bid}", plain, reason)
    if undertaken is not None:
        yield row(f"vole_stake.undertaken.{bid}", undertaken[0], reason)
        yield row(f"vole_premium.undertaken.{bid}", 0, NONE_BESIDES, status="inferred")
    if has_favourite(rules) and favourite is not None:
        yield row(f"in_favourite.premium.{bid}", favourite, reason)
        if undertaken is not None and undertaken[1] is not None:
            yield row(f"in_favourite.vole_stake.undertaken.{bid}", undertaken[1], reason)
            yield row(
                f"in_favourite.vole_premium.undertaken.{bid}", 0, NONE_BESIDES, status="inferred"
            )


def winning_tricks(rules: Mapping[str, Any]) -> int:
    """The tricks that win a game at this table: more than half, six of ten or five of eight."""
    return int(rules.get("table.hand_cards", 10)) // 2 + 1


def bids_with(rules: Mapping[str, Any], leaf: str, value: Any) -> Iterator[str]:
    """The bids of which a rule says this."""
    for path in rules:
        block, _, rest = path.partition(".")
        bid, _, name = rest.partition(".")
        if block == "bids" and name == leaf and rules[path] == value:
            yield bid
