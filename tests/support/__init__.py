"""Rule sets made in code, for tests of rooms below the profile floor.

``made_rules`` is a set with every mechanic switched on (eight grades, favourite suit, voles), so
that engine tests need no YAML; ``overrides`` changes single leaves by path.
"""

from fractions import Fraction
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.cards import Suit
from quadrille_core.engine.result import Result
from quadrille_core.rules import Identity, RuleSet

_ALLIANCE = {
    "goal": "at_least",
    "tricks": 6,
    "partner": "called",
    "loss_borne": "shared_if_hombre_made",
    "hombre_least_tricks": 3,
}
_SOLO = {"goal": "at_least", "tricks": 6}

_BIDS: dict[str, dict[str, Any]] = {
    "forced-spadille": {
        **_ALLIANCE,
        "title": "Forced Spadille",
        "rank": 0,
        "made": "when_all_pass",
        "forced_on": "SA",
        "trump_by": "hombre_or_ally",
        "loss_borne": "shared",
        "premiers": False,
        "may_undertake_vole": False,
        "in_favourite": "by_trump",
        "call.queen_when": "four_kings",
    },
    "alliance": {
        **_ALLIANCE,
        "title": "Alliance",
        "rank": 1,
        "call.queen_when": "three_plain_kings",
        "call.own_card": "always",
    },
    "mediateur": {
        **_SOLO,
        "title": "Médiateur",
        "rank": 2,
        "partner": "none",
        "exchange": True,
        "trump_when": "after_exchange",
        "call.queen_when": "four_kings",
        "call.trump_suit": "any",
        "call.suit_may_become_trump": True,
        "vole_with_bid": "announced_or_revealed",
    },
    "casco": {
        **_ALLIANCE,
        "title": "Casco",
        "rank": 3,
        "needs": ["SA", "CA"],
        "shows": "after_auction",
        "trump_by": "ally",
        "trump_when": "after_call",
        "ally_known": "at_once",
        "call.queen_when": "four_kings",
        "call.suit_may_become_trump": True,
        "in_favourite": "by_trump",
        "loss_borne": "shared",
        "pool_penalty": "as_borne",
    },
    "solo": {**_SOLO, "title": "Solo", "rank": 4, "vole_with_bid": "announced_or_revealed"},
    "grandissimo": {
        **_SOLO,
        "title": "Grandissimo",
        "rank": 5,
        "trump": "none",
        "vole_with_bid": "announced_or_revealed",
    },
    "nemo": {
        "title": "Nemo",
        "rank": 6,
        "goal": "none",
        "tricks": 0,
        "trump": "none",
        "premiers": False,
        "may_undertake_vole": False,
        "matadors": "none",
        "lost_as": "remise",
    },
}

_PLAIN = {
    "forced-spadille": 0,
    "alliance": 0,
    "mediateur": 1,
    "casco": 2,
    "solo": 2,
    "grandissimo": 8,
    "nemo": 16,
}
_FAVOURITE = {**_PLAIN, "forced-spadille": 1, "alliance": 1, "mediateur": 2, "casco": 4, "solo": 4}
_UNDERTAKEN = {"alliance": 3, "mediateur": 3, "casco": 6, "solo": 6, "grandissimo": 24}
_ANNOUNCED = {"mediateur": 5, "solo": 9, "grandissimo": 36}
_REVEALED = {"mediateur": 6, "solo": 12, "grandissimo": 48}


def _table(prefix: str, premium: dict[str, int], times: int) -> dict[str, Any]:
    values: dict[str, Any] = {f"{prefix}premium.{b}": v for b, v in premium.items()}
    values |= {
        f"{prefix}matadors.three": times,
        f"{prefix}matadors.four": 2 * times,
        f"{prefix}premiers": times,
    }
    for level, rows in (
        ("undertaken", _UNDERTAKEN),
        ("announced", _ANNOUNCED),
        ("revealed", _REVEALED),
    ):
        for bid, value in rows.items():
            values[f"{prefix}vole_stake.{level}.{bid}"] = value * (
                1 if bid == "grandissimo" else times
            )
            values[f"{prefix}vole_premium.{level}.{bid}"] = 0
    return values


def made_values(**overrides: Any) -> dict[str, Any]:
    """The leaf map of the made rules; ``overrides`` maps paths to plain values (pass with
    ``**{...}``)."""
    values: dict[str, Any] = {
        "table.players": 4,
        "table.hand_cards": 10,
        "table.session_deals": 40,
        "table.session_multiple": 4,
        "table.purse": 40,
        "cards.red_plain_ace": "below_knave",
        "cards.black_ponto": "none",
        "deal.packets": [[3, 3, 4], [3, 4, 3], [4, 3, 3]],
        "stakes.ante_by": "each",
        "stakes.ante": 1,
        "stakes.unit_of": "stake",
        "stakes.unit": "1/4",
        "stakes.unit_rounding": "exact",
        "auction.elder_may_raise": "by_priority",
        "auction.all_pass": "forced_bid",
        "auction.announced_vole_rank": "own_bid",
        "exchange.giver_pays_premium": False,
        "exchange.giver_receives_premium": False,
        "play.first_lead": "eldest",
        "forcing.renege": "allowed",
        "forcing.forced_by": "led",
        "forcing.among_several": "any_trump",
        "forcing.at_no_trump": "privileged",
        "premiers.tricks": 6,
        "premiers.claim": True,
        "favourite.source": "fixed",
        "favourite.suit": "hearts",
        "favourite.overcalls": True,
        "favourite.plain_bid_binds": True,
        "payments.allies_paid": "one_to_one",
        "payments.pool_to": "allies",
        "payments.matadors_held_by": "side",
        "payments.matadors_counted": "as_dealt",
        "payments.matadors_four_in_black": False,
        "payments.matadors_cumulative": False,
        "loss.remise_short": 1,
        "loss.remise_adds": 1,
        "loss.codille_adds": 2,
        "loss.codille_pool": "adversaries",
        "loss.codille_shared_from": 1,
        "loss.codille_indivisible": "stays",
        "loss.codille_base": "pool",
        "loss.remise_pays": ["premium", "matadors"],
        "loss.codille_pays": ["premium", "matadors", "vole"],
    }
    for bid, fields in _BIDS.items():
        values |= {f"bids.{bid}.{name}": value for name, value in fields.items()}
    values |= _table("payments.", _PLAIN, 1) | _table("payments.in_favourite.", _FAVOURITE, 2)
    unknown = [p for p in overrides if vocabulary.pattern_of(p) is None]
    assert not unknown, f"overrides name no rule: {unknown}"
    return values | overrides


def five_hands(**overrides: Any) -> dict[str, Any]:
    """Overrides that seat five at the made rules: eight cards each, five tricks to win, items paid
    once and halved."""
    tricks = {f"bids.{bid}.tricks": 5 for bid, fields in _BIDS.items() if fields["goal"] != "none"}
    return {
        "table.players": 5,
        "table.hand_cards": 8,
        "table.session_deals": 40,
        "table.session_multiple": 5,
        "deal.packets": [[4, 4]],
        "premiers.tricks": 5,
        "payments.allies_paid": "once_and_halved",
        **tricks,
        **overrides,
    }


def made_rules(**overrides: Any) -> RuleSet:
    """A RuleSet of the made rules with single leaves changed."""
    return RuleSet(
        identity=Identity(profile="made", digest="0" * 64),
        rules=vocabulary.build(made_values(**overrides)),
    )


PLAYERS = ("A", "B", "C", "D")


def made_result(**changes: Any) -> Result:
    """A plain solo won at a pool of four, with single fields changed."""
    base: dict[str, Any] = {
        "players": PLAYERS,
        "pool": Fraction(4),
        "contract": "solo",
        "trump": Suit(2),
        "hombre": 0,
        "tricks": (6, 2, 2, 0),
        "favourite": Suit(1),
    }
    changes = {k: Fraction(v) if k == "pool" else v for k, v in changes.items()}
    return Result(**{**base, **changes})
