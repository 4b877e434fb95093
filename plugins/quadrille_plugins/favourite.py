"""The favourite suit: bids in it overcall the same bid in another, and its payments, or its games, are doubled."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.cards import SUITS
from quadrille_core.hookspecs import About, Default, Override, Parameter, hookimpl
from quadrille_plugins._rows import has_favourite
from quadrille_plugins._sources import OLDER, PARLETT, VARIATIONS

_AT = "Médiateur, on the suit of preference"
_ALSO = (OLDER, f"{VARIATIONS}: Preference")


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic and its parameters."""
    return About(
        title="Favourite suit (preference)",
        summary="One suit is favourite: a bid in it overcalls the same bid elsewhere and earns double.",
        parameters={
            "source": Parameter(
                doc="How the suit is found.",
                default="fixed",
                choices=("fixed", "first_trumps", "drawn_each_session", "drawn_each_deal"),
            ),
            "doubles": Parameter(
                doc="What is doubled: the payments between players, or the whole game.",
                default="bonuses",
                choices=("bonuses", "game"),
            ),
            "suit": Parameter(doc="The suit, where it is fixed.", default="hearts", choices=SUITS),
        },
    )


@hookimpl
def quadrille_bids(rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> Sequence[Override]:
    """Set the suit and let bids in it overcall."""
    source = rules.get("favourite.source", parameters["source"])
    also = _ALSO if source == "first_trumps" or (source == "fixed" and parameters["suit"] == "hearts") else None
    answer = [
        Default(path="favourite.source", value=source, reason="often hearts", source=PARLETT, at=_AT, also=also),
        Default(
            path="favourite.overcalls", value=True, reason="same bid, better suit", source=PARLETT, at=_AT, also=_ALSO
        ),
    ]
    if parameters["doubles"] == "game":
        reason = "future bids in that suit are won or lost double"
        answer.append(Default(path="favourite.doubles", value="game", reason=reason, source=OLDER, at=_ALSO[1]))
    if source == "fixed":
        answer.append(
            Default(
                path="favourite.suit",
                value=parameters["suit"],
                reason="often hearts",
                source=PARLETT,
                at=_AT,
                also=_ALSO,
            )
        )
    return answer


@hookimpl
def quadrille_payments(rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> Sequence[Override]:
    """Double every plain payment for the table in favourite, where the profile gives no table of its own."""
    del parameters
    # a table of the profile's own has rows that belong to no bid; those of bids may be another plugin's
    given = any(p.startswith("payments.in_favourite.") and "*" not in (vocabulary.pattern_of(p) or "") for p in rules)
    if given or not has_favourite(rules):
        return ()
    doubled = []
    for path, value in rules.items():
        block, _, rest = path.partition(".")
        target = f"payments.in_favourite.{rest}"
        if rules.get(f"bids.{rest.split('.')[-1]}.trump") == "none":
            continue  # without a trump suit no game can be in favourite
        if block == "payments" and vocabulary.pattern_of(target) is not None and target not in rules:
            amount = vocabulary.plain_amount(2 * Fraction(vocabulary.parse_amount(value)))
            doubled.append(Default(path=target, value=amount, reason="doubled in favourite", source=PARLETT, at=_AT))
    return doubled
