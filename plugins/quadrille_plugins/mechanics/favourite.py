"""The favourite suit: bids in it overcall the same bid in another, and its payments, or its games,
are doubled."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.cards import SUITS
from quadrille_core.hookspecs import About, Default, Override, Parameter, Patch, hookimpl
from quadrille_plugins.mechanics._rows import has_favourite
from quadrille_plugins.mechanics._sources import OLDER, PARLETT, VARIATIONS

_AT = "Médiateur, on the suit of preference"
_PREFERENCE = f"{VARIATIONS}: Preference"
_ALSO = (OLDER, _PREFERENCE)
_STAKE = Default(
    path="multiplier.stake",
    value="made_good",
    reason="won or lost double is the game, and so its stake too, which the losers owe",
    source=OLDER,
    at=_PREFERENCE,
    status="inferred",
)


@hookimpl
def quadrille_describe() -> About:
    """Name the mechanic and its parameters."""
    return About(
        title="Favourite suit (preference)",
        summary="One suit is favourite: a bid in it overcalls the same bid elsewhere and earns "
        "double.",
        parameters={
            "source": Parameter(
                doc="How the suit is found: as the rules have it, or else fixed beforehand.",
                default="as_ruled",
                choices=(
                    "as_ruled",
                    "fixed",
                    "first_trumps",
                    "drawn_each_session",
                    "drawn_each_deal",
                ),
                filled="fixed",
            ),
            "doubles": Parameter(
                doc="What is doubled: as the rules have it, the payments between players, or the "
                "whole game.",
                default="as_ruled",
                choices=("as_ruled", "bonuses", "game"),
            ),
            "suit": Parameter(
                doc="The suit, where it is fixed: as the rules have it, or else hearts.",
                default="as_ruled",
                choices=("as_ruled", *SUITS),
                filled="hearts",
            ),
        },
    )


@hookimpl
def quadrille_bids(rules: Mapping[str, Any], parameters: Mapping[str, Any]) -> Sequence[Override]:
    """Set the suit and let bids in it overcall."""
    source = _source(rules, parameters["source"])
    overcalls = Default(
        path="favourite.overcalls",
        value=True,
        reason="same bid, better suit",
        source=PARLETT,
        at=_AT,
        also=_ALSO,
    )
    found = _found(source, told=parameters["source"] != "as_ruled")
    return [found, overcalls, *_doubled(parameters["doubles"]), *_suit(source, parameters["suit"])]


def _source(rules: Mapping[str, Any], told: str) -> str:
    """How the suit is found: the plugin's parameter overrides the rules."""
    ruled = str(rules.get("favourite.source", "fixed"))
    return ruled if told == "as_ruled" else told


def _found(source: str, *, told: bool) -> Override:
    """How the suit is found, by the text that has it so."""
    put = Patch if told else Default
    if source == "first_trumps":
        reason = "the trumps of the first deal"
        return put(
            path="favourite.source", value=source, reason=reason, source=OLDER, at=_PREFERENCE
        )
    if source == "fixed":
        reason = "a suit fixed beforehand"
        return put(
            path="favourite.source", value=source, reason=reason, source=PARLETT, at=_AT, also=_ALSO
        )
    reason = "drawn at random"
    return put(path="favourite.source", value=source, reason=reason, source=PARLETT, at=_AT)


def _suit(source: str, suit: str) -> Iterator[Override]:
    """The suit itself.  Named beside a way of finding it, it is stated all the same, and the
    contradiction refused."""
    if suit == "hearts":
        yield Patch(
            path="favourite.suit",
            value=suit,
            reason="often hearts",
            source=PARLETT,
            at=_AT,
            also=_ALSO,
        )
    elif suit != "as_ruled":
        reason = "the suit that this table has agreed on"
        yield Patch(path="favourite.suit", value=suit, reason=reason, status="house")
    elif source == "fixed":
        yield Default(
            path="favourite.suit",
            value="hearts",
            reason="often hearts",
            source=PARLETT,
            at=_AT,
            also=_ALSO,
        )


def _doubled(doubles: str) -> Iterator[Override]:
    """Whether payments double: the plugin's parameter overrides the rules."""
    if doubles == "game":
        reason = "future bids in that suit are won or lost double"
        yield Patch(
            path="favourite.doubles", value=doubles, reason=reason, source=OLDER, at=_PREFERENCE
        )
    elif doubles == "bonuses":
        reason = "what is paid for a bid in that suit is doubled, the stake stays single"
        yield Patch(path="favourite.doubles", value=doubles, reason=reason, source=PARLETT, at=_AT)


@hookimpl
def quadrille_payments(
    rules: Mapping[str, Any], parameters: Mapping[str, Any]
) -> Sequence[Override]:
    """Double every plain payment that a table in favourite does not state, unless the profile has a
    complete one; or the game and its stake."""
    told = parameters["doubles"]
    if (rules.get("favourite.doubles", "bonuses") if told == "as_ruled" else told) == "game":
        return (_STAKE,)
    # a complete table has every row that belongs to no bid; those of bids may be another plugin's
    complete = all(
        p in rules
        for p, leaf in vocabulary.leaves().items()
        if p.startswith("payments.in_favourite.") and "*" not in p and not leaf.has_default
    )
    if complete or not has_favourite(rules):
        return ()
    doubled = []
    for path in rules:
        block, _, rest = path.partition(".")
        target = f"payments.in_favourite.{rest}"
        if block != "payments" or vocabulary.pattern_of(target) is None or target in rules:
            continue
        if rules.get(f"bids.{rest.split('.')[-1]}.trump") == "none":
            continue  # without a trump suit no game can be in favourite
        amount = vocabulary.plain_amount(2 * Fraction(vocabulary.parse_amount(rules[path])))
        doubled.append(
            Default(
                path=target, value=amount, reason="doubled in favourite", source=PARLETT, at=_AT
            )
        )
    return doubled
