"""What the rules say of payments as one row of integers, for the kernel's settlement; ``layout`` says where each is.

Amounts that are counters are in parts of a counter, ``1 / scale`` each; those of the tables of payments, which count
units, are multiplied by one number of their own (``M_PARTS``).  The scale is the caller's, so that the sessions of
several rule sets can be compared without another division; ``scale_of`` proposes one for all of them.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from quadrille_core.cards import NO_TRUMP, Suit
from quadrille_core.engine.amounts import adds_to_pool, basic_stake, counts_beasts
from quadrille_core.engine.result import ODD
from quadrille_core.engine.terms import most_matadors, plain_solo
from quadrille_core.rules import Bid, PayItem, PaymentTable, Rules, VoleRows
from quadrille_plugins.fast import layout as at

SHARED_OUT: Final = 120
"""Parts for all that may be divided in a deal: among up to five, and what allies have of it halved again."""
_LARGEST: Final = 2**28
"""No constant of the rules may be so large: what is multiplied by it stays far within 64 bits."""
_LEVELS: Final = ("none", "undertaken", "announced", "revealed")

_WORDS: Final = {
    "odd_counters": ("exact", "hombre", "eldest", "pool"),
    "unit_rounding": ("exact", "down", "up", "nearest"),
    "goal": ("none", "at_least", "all"),
    "matadors": ("none", "double_only", "all"),
    "loss_borne": ("hombre", "shared", "shared_if_hombre_made"),
    "allies_paid": ("one_to_one", "each_opponent_each_ally", "all_others_to_hombre", "once_and_halved"),
    "adversaries_matadors": ("not_paid", "to_holders", "to_winners"),
    "stake": ("single", "penalty", "raised", "made_good"),
    "beast_size": ("of_pool", "doubling", "by_firsts"),
}
"""The words of each leaf in the order in which ``layout`` numbers them."""


def scale_of(many: Iterable[Rules]) -> int:
    """How many parts a counter has: enough for what these rule sets divide, as a rule.

    A pool that keeps fractions from deal to deal can outrun any number; settlement says so where it happens.
    """
    return lcm(SHARED_OUT, *(SHARED_OUT * _parts(r) * _unit(r).denominator * _score_parts(r) for r in many))


def tabulate(rules: Rules, scale: int) -> NDArray[np.int64]:
    """All that settlement needs of the rules, for amounts of ``1 / scale`` counter."""
    fit = _Fitting(scale, _parts(rules))
    row = [0] * (at.M_BIDS + at.BID * len(rules.bids.rows))
    for place, value in (_stakes(rules, fit) | _vole(rules) | _payments(rules, fit) | _loss(rules, fit)).items():
        row[place] = value
    for number, (name, bid) in enumerate(rules.bids.items()):
        block = at.M_BIDS + at.BID * number
        for place, value in (_bid(rules, name, bid) | _amounts(rules, name, fit)).items():
            row[block + place] = value
    row[at.M_UNFIT] = int(fit.failed or max(row) >= _LARGEST or scale % 2)
    return np.array([0 if n >= 2**62 else n for n in row], dtype=np.int64)


def decode(rules: Rules, why: int) -> str:
    """The rule path that a transfer's last number stands for."""
    word = why % (1 << at.WHY_TABLE)
    if word in _PLAIN_PATHS:
        return _PLAIN_PATHS[word]
    prefix = "payments.in_favourite" if why >> at.WHY_TABLE & 1 else "payments"
    contract = rules.bids.rows[why >> at.WHY_BID][0]
    level = _LEVELS[why >> at.WHY_LEVEL & 3]
    rest = {
        at.W_PREMIUM: f"premium.{contract}",
        at.W_THREE: "matadors.three",
        at.W_FOUR: "matadors.four",
        at.W_PREMIERS: "premiers",
        at.W_VOLE_STAKE: f"vole_stake.{level}.{contract}",
        at.W_VOLE_PREMIUM: f"vole_premium.{level}.{contract}",
    }
    return f"{prefix}.{rest[word]}"


_PLAIN_PATHS: Final = {
    at.W_POOL_TO: "payments.pool_to",
    at.W_ODD: ODD,
    at.W_REMISE_ADDS: "loss.remise_adds",
    at.W_CODILLE_ADDS: "loss.codille_adds",
    at.W_BEAST_SIZE: "loss.beast_size",
    at.W_STAKE: "multiplier.stake",
    at.W_CODILLE_POOL: "loss.codille_pool",
    at.W_SCORE_WON: "score.won",
    at.W_SCORE_REMISE: "score.remise",
    at.W_SCORE_CODILLE: "score.codille",
}


class _Fitting:
    """Amounts turned into whole numbers; it notes when one will not turn."""

    def __init__(self, scale: int, parts: int) -> None:
        self.scale, self.parts, self.failed = scale, parts, False

    def counters(self, amount: Fraction | int) -> int:
        """An amount of counters in parts of a counter."""
        return self._whole(Fraction(amount) * self.scale)

    def of_table(self, amount: Fraction) -> int:
        """An amount of a table of payments."""
        return self._whole(amount * self.parts)

    def _whole(self, exact: Fraction) -> int:
        self.failed |= exact.denominator != 1
        return int(exact)


def items_mask(items: Sequence[PayItem]) -> int:
    """Items as the kernel has them: one bit each, in the order of ``PayItem``."""
    return sum(1 << n for n, item in enumerate(get_args(PayItem)) if item in items)


def _word(leaf: str, value: str) -> int:
    return _WORDS[leaf].index(value)


def _tables(rules: Rules) -> list[PaymentTable]:
    """The table of payments, and the one in favourite where there is one."""
    favoured = rules.payments.in_favourite
    return [rules.payments] if favoured is None else [rules.payments, favoured]


def _rows(rows: VoleRows) -> tuple[Any, ...]:
    """The vole's amounts by level, from undertaken on."""
    return rows.undertaken, rows.announced, rows.revealed


def _unit(rules: Rules) -> Fraction:
    return rules.stakes.unit


def _parts(rules: Rules) -> int:
    """The least number that makes every amount of the tables whole."""
    amounts = [a for t in _tables(rules) for a in (t.matadors.three, t.matadors.four, t.premiers)]
    for table in _tables(rules):
        for per_bid in (table.premium, *_rows(table.vole_premium), *_rows(table.vole_stake)):
            amounts += [amount for _, amount in per_bid.items()]
    return lcm(*(a.denominator for a in amounts))


def _score_parts(rules: Rules) -> int:
    """The same of the points of a game."""
    return lcm(*(Fraction(p).denominator for p in (rules.score.won, rules.score.remise, rules.score.codille)))


def _stakes(rules: Rules, fit: _Fitting) -> dict[int, int]:
    stakes, multiplier, score = rules.stakes, rules.multiplier, rules.score
    points = score.kept == "points"
    return {
        at.M_SCALE: fit.scale,
        at.M_PLAYERS: rules.table.players,
        at.M_HAND_CARDS: rules.table.hand_cards,
        at.M_BASIC_STAKE: fit.counters(basic_stake(stakes, rules.table.players)),
        at.M_UNIT_OF_STAKE: int(stakes.unit_of == "stake"),
        at.M_UNIT_TOP: stakes.unit.numerator,
        at.M_UNIT_BOTTOM: stakes.unit.denominator,
        at.M_UNIT_ROUNDING: _word("unit_rounding", stakes.unit_rounding),
        at.M_ODD_COUNTERS: _word("odd_counters", stakes.odd_counters),
        at.M_LOSSES_COUNTED: int(multiplier.after_losses == "counted"),
        at.M_ADDS_TO_POOL: int(adds_to_pool(rules)),
        at.M_STAKE: _word("stake", multiplier.stake),
        at.M_POINTS: int(points),
        at.M_SCORE_WON: fit.counters(score.won) if points else 0,
        at.M_SCORE_REMISE: fit.counters(score.remise) if points else 0,
        at.M_SCORE_CODILLE: fit.counters(score.codille) if points else 0,
    }


def _vole(rules: Rules) -> dict[int, int]:
    vole = rules.vole
    return {
        at.M_VOLE_IN_UNITS: int(vole.stake_in == "units"),
        at.M_UNDERTAKEN_PREMIUM: int(vole.undertaken_failed_premium),
        at.M_UNDERTAKEN_ONCE: int(vole.undertaken_failed_paid == "once_each"),
        at.M_VOLE_BORNE_AS_GAME: int(vole.undertaken_failed_borne == "as_game"),
        at.M_UNDERTAKEN_KEEPS: items_mask(vole.undertaken_failed_keeps),
        at.M_ANNOUNCED_FROZEN: int(vole.announced_failed == "stake_frozen"),
        at.M_ANNOUNCED_PREMIUM: int(vole.announced_failed_premium),
        at.M_BELOW_GAME_REMISE: int(vole.announced_below_game == "remise"),
    }


def _payments(rules: Rules, fit: _Fitting) -> dict[int, int]:
    payments = rules.payments
    values = {
        at.M_FAVOURITE_DOUBLES: int(rules.favourite.doubles == "game"),
        at.M_FAVOURITE_TABLE: int(payments.in_favourite is not None),
        at.M_ODD_HALF_BY_TURNS: int(payments.odd_half == "by_turns"),
        at.M_ALLIES_PAID: _word("allies_paid", payments.allies_paid),
        at.M_POOL_TO_ALLIES: int(payments.pool_to == "allies"),
        at.M_ADVERSARIES_MATADORS: _word("adversaries_matadors", payments.adversaries_matadors),
        at.M_CUMULATIVE: int(payments.matadors_cumulative),
        at.M_PARTS: fit.parts,
    }
    for trump in range(NO_TRUMP + 1):
        values[at.M_MOST_MATADORS + trump] = most_matadors(payments, Suit(trump))
    for number, table in enumerate(_tables(rules)):
        place = at.M_TABLE + at.TABLE * number
        values[place + at.P_THREE] = fit.of_table(table.matadors.three)
        values[place + at.P_FOUR] = fit.of_table(table.matadors.four)
        values[place + at.P_PREMIERS] = fit.of_table(table.premiers)
    return values


def _loss(rules: Rules, fit: _Fitting) -> dict[int, int]:
    loss, basic = rules.loss, basic_stake(rules.stakes, rules.table.players)
    return {
        at.M_GIVER_PAYS: int(rules.exchange.giver_pays_premium),
        at.M_GIVER_RECEIVES: int(rules.exchange.giver_receives_premium),
        at.M_REMISE_SHORT: loss.remise_short,
        at.M_REMISE_ADDS: loss.remise_adds,
        at.M_CODILLE_ADDS: loss.codille_adds,
        at.M_CODILLE_SHARED: int(loss.codille_pool == "adversaries"),
        at.M_SHARED_FROM: fit.counters(loss.codille_shared_from * basic),
        at.M_INDIVISIBLE_STAYS: int(loss.codille_indivisible == "stays"),
        at.M_BASE_TAKEN: int(loss.codille_base == "taken"),
        at.M_BEASTS_WAIT: int(loss.beasts == "wait"),
        at.M_BEAST_SIZE: _word("beast_size", loss.beast_size),
        at.M_BEAST_FIRST: fit.counters(loss.beast_first),
        at.M_COUNTS_BEASTS: int(counts_beasts(rules)),
        at.M_REMISE_PAYS: items_mask(loss.remise_pays),
        at.M_CODILLE_PAYS: items_mask(loss.codille_pays),
        at.M_LOST_AS_RECEIVED: int(loss.allies_pay == "as_received"),
        at.M_CODILLE_TIMES: loss.codille_items_times,
    }


def _bid(rules: Rules, name: str, bid: Bid) -> dict[int, int]:
    names = rules.bids.names()
    solo = plain_solo(rules) if bid.partner == "called" and rules.payments.own_card_premium else None
    return {
        at.B_GOAL: _word("goal", bid.goal),
        at.B_TRICKS: bid.tricks,
        at.B_IS_VOLE: int(bid.is_vole),
        at.B_CALLED: int(bid.partner == "called"),
        at.B_MATADORS: _word("matadors", bid.matadors),
        at.B_LOST_AS_REMISE: int(bid.lost_as == "remise"),
        at.B_LOSS_BORNE: _word("loss_borne", bid.loss_borne),
        at.B_PENALTY_AS_BORNE: int(bid.pool_penalty == "as_borne"),
        at.B_HOMBRE_LEAST: bid.hombre_least_tricks,
        at.B_CLAIMED: items_mask(bid.claimed),
        at.B_ALONE: names.index(solo[0] if solo else name),
    }


def _amounts(rules: Rules, name: str, fit: _Fitting) -> dict[int, int]:
    """A bid's amounts in each table."""
    values, nothing = {}, Fraction(0)
    for number, table in enumerate(_tables(rules)):
        place = at.B_AMOUNTS + at.AMOUNTS * number
        values[place + at.A_PREMIUM] = fit.of_table(table.premium.get(name, nothing))
        for level, rows in enumerate(_rows(table.vole_premium), at.UNDERTAKEN):
            values[place + at.A_VOLE_PREMIUM + level] = fit.of_table(rows.get(name, nothing))
        for level, rows in enumerate(_rows(table.vole_stake), at.UNDERTAKEN):
            values[place + at.A_VOLE_STAKE + level] = fit.of_table(rows.get(name, nothing))
    return values
