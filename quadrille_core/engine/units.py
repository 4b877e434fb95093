"""What a unit and a basic stake are worth: the one place where amounts are rounded."""

import math
from fractions import Fraction

from quadrille_core.rules import Loss, Rules, Stakes


def unit_of(stakes: Stakes, pool: Fraction) -> Fraction:
    """The size of a unit when the pool, this deal's antes included, holds so much."""
    exact = pool * stakes.unit if stakes.unit_of == "stake" else stakes.unit
    if exact.denominator == 1:
        return exact
    if stakes.unit_rounding == "down":
        return Fraction(math.floor(exact))
    if stakes.unit_rounding == "up":
        return Fraction(math.ceil(exact))
    if stakes.unit_rounding == "nearest":
        return Fraction(math.floor(exact + Fraction(1, 2)))
    return exact


def basic_stake(stakes: Stakes, players: int) -> int:
    """What the antes of one deal come to."""
    return stakes.ante * players if stakes.ante_by == "each" else stakes.ante


def counts_beasts(rules: Rules) -> bool:
    """Whether it matters how many beasts stand."""
    return rules.loss.beast_size != "of_pool" or rules.loss.beasts == "wait"


def beast(loss: Loss, standing: int) -> int:
    """The beast of a game that is lost while so many stand, where beasts have a size of their own."""
    if loss.beast_size == "doubling":
        return loss.beast_first << standing
    return loss.beast_first * (standing + 1)


def adds_to_pool(rules: Rules) -> bool:
    """Whether a lost game adds to the pool, or the multiplied game to come stands instead of it."""
    return rules.multiplier.after_losses == "none" or rules.multiplier.loss_adds == "also"


def stake_times(rules: Rules, times: int) -> int:
    """How many times over a lost game adds to the pool, when it counts ``times``; 1 where its stake stays single."""
    return times if times > 1 and rules.multiplier.stake != "single" else 1


def beast_base(loss: Loss, rule: str, stake: Fraction, standing: int) -> tuple[Fraction, str]:
    """What the beast is a multiple of, and the rule that says so: the stake by ``rule``, or a size of its own."""
    if loss.beast_size == "of_pool":
        return stake, rule
    return Fraction(beast(loss, standing)), "loss.beast_size"
