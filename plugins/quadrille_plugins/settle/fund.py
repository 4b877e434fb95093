"""The fund beside the pool: which rules draw on it."""

from collections.abc import Iterator
from typing import Final

from quadrille_core.engine.terms import in_points
from quadrille_core.rules import PaymentTable, Rules

FUND_LEAVES: Final = ("fund_game", "fund_vole", "fund_vole_stakes", "fund_codille")


def fund_rules(rules: Rules) -> Iterator[str]:
    """The paths of the rules by which a bid that is played draws on the fund."""
    if in_points(rules):
        return
    tables: list[tuple[str, PaymentTable | None]] = [
        ("payments", rules.payments),
        ("payments.in_favourite", rules.payments.in_favourite),
    ]
    for prefix, table in tables:
        for leaf in FUND_LEAVES if table is not None else ():
            for bid, amount in getattr(table, leaf).items():
                if amount and rules.is_played(rules.bids.of(bid)):
                    yield f"{prefix}.{leaf}.{bid}"
