"""The vole announced or revealed: undertaken in the auction, with a pool of its own set up at once."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.hookspecs import About, Default, Override, Parameter, hookimpl
from quadrille_plugins._rows import has_favourite, row
from quadrille_plugins._sources import PARLETT

_AT = "Médiateur, bid 8"
_NONE_BESIDES = "the table knows a pool for the vole and no premium besides"


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic."""
    return About(
        title="Vole announced and revealed",
        summary="A bid played alone may be made with the vole announced, or with the hand exposed as well.",
        parameters={
            "revealed": Parameter(
                doc="Whether the vole may also be played with the hand exposed.", default=True, choices=(True, False)
            )
        },
    )


def _alone(rules: Mapping[str, Any]) -> Iterator[str]:
    """The bids made in turn for a number of tricks and played without an ally."""
    for path, goal in rules.items():
        steps = path.split(".")
        if steps[0] == "bids" and steps[2:] == ["goal"] and goal == "at_least":
            bid = steps[1]
            if (
                rules.get(f"bids.{bid}.partner", "none") == "none"
                and rules.get(f"bids.{bid}.made", "in_turn") == "in_turn"
                and not rules.get(f"bids.{bid}.is_vole", False)
            ):
                yield bid


@hookimpl
def quadrille_bids(rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> Sequence[Override]:
    """Let every bid that is played alone be made with the vole."""
    how = "announced_or_revealed" if parameters["revealed"] else "announced"
    return [
        Default(
            path=f"bids.{bid}.vole_with_bid",
            value=how,
            reason="the bids without a partner may be made with the vole",
            source=PARLETT,
            at=_AT,
        )
        for bid in _alone(rules)
    ]


@hookimpl
def quadrille_payments(rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> Sequence[Override]:
    """Fill the stakes where no table gives them: three times the game announced, twice that revealed."""
    answer: list[Override] = []
    tables = ["", "in_favourite."] if has_favourite(rules) else [""]
    levels = {"announced": 3, "revealed": 6} if parameters["revealed"] else {"announced": 3}
    for bid in _alone(rules):
        for table in tables:
            premium = rules.get(f"payments.{table}premium.{bid}")
            if premium is None:
                continue
            for level, times in levels.items():
                stake = vocabulary.plain_amount(times * Fraction(vocabulary.parse_amount(premium)))
                answer += [
                    row(
                        f"{table}vole_stake.{level}.{bid}", stake, "three times the game, doubled when revealed", at=_AT
                    ),
                    row(f"{table}vole_premium.{level}.{bid}", 0, _NONE_BESIDES, status="inferred"),
                ]
    return answer
