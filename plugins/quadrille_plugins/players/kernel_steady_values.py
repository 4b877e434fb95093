"""What a game is worth to ``steady``: ``bots.steady_value``, with every payment settled once for a rule set.

VALUES (int64) holds, for each bid as it is spoken and each pool, favourite, matadors and part in the game, what each
number of tricks pays; then the same weighted for each bucket of Hombre's hands; then what such a game is worth to
others.  All values are multiples of
``1 / (VALUE * scale)`` counters.
"""

from numba import boolean, int64

from quadrille_plugins.fast import layout as money
from quadrille_plugins.fast import play_layout as at
from quadrille_plugins.fast.auction import bid_at, spec_at
from quadrille_plugins.fast.compiled import compiled, way_in
from quadrille_plugins.fast.settle import settle
from quadrille_plugins.fast.shares import INLINED, OPTIONS

STEPS = 9
PARTS = 12
"""A bystander's value is shared among three or four."""
HOMBRE, ALLY, ADVERSARY = range(3)
SHARED = 60
"""Among two to five any whole number of parts is shared in sixtieths."""
VALUE = SHARED * 16 * 1000
ROW = at.MOST_TRICKS + 1


@compiled("int64(int64, int64, int64, int64, int64, int64)", **INLINED)
def paid_at(spec, alone, step, favoured, matadors, part):
    """Where the payments of a part in a game begin, one for each number of tricks."""
    return (((((spec * 2 + alone) * STEPS + step) * 2 + favoured) * 3 + matadors) * 3 + part) * ROW


@compiled("int64(int64[::1], int64, int64, int64, int64)", **INLINED)
def value_at(rules, spec, step, favoured, matadors):
    """Where the values of Hombre's hands begin, one for each bucket."""
    behind = rules[at.SPECS] * (2 * STEPS * 2 * 3 * 3 * ROW)
    return behind + (((spec * STEPS + step) * 2 + favoured) * 3 + matadors) * at.BUCKETS


@compiled("int64(int64[::1], int64, int64, int64)", **INLINED)
def bystander_at(rules, spec, step, forced):
    """Where somebody else's game is valued, in twelfths: bid for once, or forced on her."""
    behind = value_at(rules, rules[at.SPECS], int64(0), int64(0), int64(0))
    return behind + (spec * STEPS + step) * 2 + forced


@way_in("int64(int64[::1])", **OPTIONS)
def values_size(rules):
    """How many numbers VALUES has."""
    return bystander_at(rules, rules[at.SPECS], int64(0), int64(0))


@compiled("int64(int64[::1], int64)", **INLINED)
def pool_step(rules, pool):
    """The pool in basic stakes, rounded, from 1 to 8."""
    stake = rules[at.POOL_STEP]
    return min(max((2 * pool + stake) // (2 * stake), int64(1)), int64(STEPS - 1))


@compiled("int64(boolean, boolean, int64)", **OPTIONS)
def _some_trump(none, favoured, matadors):
    if none:
        return int64(4)
    if favoured:
        return int64(1)
    return int64(3) if matadors > 3 else int64(0)


@compiled("boolean(int64[::1], int64[::1], int64[::1], int64[::1], int64, int64, boolean, int64, int64, int64,"
    "boolean, boolean)",
      **OPTIONS)  # fmt: skip
def settle_for(rules, money_rules, result, out, spec, tricks, favoured, pool, matadors, vole, premiers, alone):
    """Settle a game in which Hombre (0) and the ally (1) made so many tricks; False when it cannot be told exactly.

    ``matadors`` is 0, 3 or 4; ``vole`` as in ``tables.layout``.
    """
    players, hand, block = rules[at.PLAYERS], rules[at.HAND], bid_at(rules, spec)
    allied = rules[block + at.CALLED] != 0 and not alone
    own = (2 * tricks + 1) // 3 if allied else tricks
    rest, others = hand - tricks, players - 2
    result[:] = 0
    result[money.R_POOL] = pool
    result[money.R_BID] = rules[spec_at(rules, spec) + at.SPEC_BID]
    result[money.R_TRUMP] = _some_trump(rules[block + at.NO_TRUMPS] != 0, favoured, matadors)
    result[money.R_FAVOURITE] = 1
    result[money.R_ALLY] = 1 if allied else -1
    result[money.R_SURRENDERED] = 2 if rules[block + at.EXCHANGE] else -1
    result[money.R_TRICKS] = own
    result[money.R_TRICKS + 1] = tricks - own
    for n in range(others):
        result[money.R_TRICKS + 2 + n] = rest * (n + 1) // others - rest * n // others
    result[money.R_MATADORS] = matadors
    result[money.R_PREMIERS] = premiers
    result[money.R_VOLE] = vole
    result[money.R_MULT] = 1
    settle(money_rules, result, out)
    return out[money.O_INEXACT] == 0


@compiled("int64(int64[::1], int64[::1], int64, boolean)", **OPTIONS)
def worth(rules, out, part, allied):
    """What a settlement leaves a part in the game with, its share of the pool among it, in sixtieths."""
    players = rules[at.PLAYERS]
    prospect = SHARED // players * out[money.O_POOL_AFTER]
    if part != ADVERSARY:
        return SHARED * out[money.O_NET + part] + prospect
    first = 2 if allied else 1
    total = int64(0)
    for seat in range(first, players):
        total += out[money.O_NET + seat]
    return SHARED // (players - first) * total + prospect


@compiled(
    "int64(int64[::1], int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64, int64)", **OPTIONS
)
def row_value(rules, steady, values, spec, alone, step, favoured, matadors, part, way, bucket):
    """The expected payment of a hand in that bucket: one entry of ``Valuer.row``."""
    row = paid_at(spec, alone, step, favoured, matadors, part)
    shares = at.SHARES + (way * at.BUCKETS + bucket) * ROW
    total = int64(0)
    for tricks in range(rules[at.HAND] + 1):
        total += steady[shares + tricks] * values[row + tricks]
    return total


@compiled("boolean(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64, int64, int64, int64,"
      "int64)", **OPTIONS)  # fmt: skip
def _fill_row(rules, money_rules, steady, values, result, out, spec, alone, step, favoured, matadors):
    block, hand = bid_at(rules, spec), rules[at.HAND]
    allied = rules[block + at.CALLED] != 0 and alone == 0
    vole, pool = rules[spec_at(rules, spec) + at.SPEC_VOLE], step * rules[at.POOL_STEP]
    number = matadors + 2 if matadors else int64(0)
    exact = True
    for tricks in range(hand + 1):
        earns = rules[block + at.PAYS_PREMIERS] and tricks >= rules[at.PREMIERS_TRICKS]
        of16 = steady[at.PREMIERS_OF_16 + tricks] if earns else int64(0)
        for premiers in range(2):
            times = of16 if premiers else 16 - of16
            if not times:
                continue
            exact &= settle_for(
                rules, money_rules, result, out, spec, int64(tricks), favoured != 0, pool, number, vole,
                boolean(premiers), alone != 0,
            )  # fmt: skip
            for part in range(3):
                row = paid_at(spec, alone, step, favoured, matadors, int64(part))
                values[row + tricks] += times * worth(rules, out, int64(part), allied)
    if alone == 0:
        way = steady[at.MODES + rules[spec_at(rules, spec) + at.SPEC_BID]]
        place = value_at(rules, spec, step, favoured, matadors)
        for bucket in range(at.BUCKETS):
            values[place + bucket] = row_value(
                rules, steady, values, spec, int64(0), step, favoured, matadors, int64(HOMBRE), way, int64(bucket)
            )
    return exact


@compiled("int64(int64[::1], int64[::1], int64[::1], int64, int64, int64)", **OPTIONS)
def _bystander_value(rules, steady, values, spec, step, bucket):
    """What somebody else's game is worth, in twelfths: ``Valuer.bystander_value``."""
    block = spec_at(rules, spec)
    way = steady[at.MODES + rules[block + at.SPEC_BID]]
    favoured, zero = rules[block + at.SPEC_FAVOURITE], int64(0)
    against = row_value(rules, steady, values, spec, zero, step, favoured, zero, int64(ADVERSARY), way, bucket)
    if not rules[bid_at(rules, spec) + at.CALLED]:
        return PARTS * against
    along = row_value(rules, steady, values, spec, zero, step, favoured, zero, int64(ALLY), way, bucket)
    adversaries = rules[at.PLAYERS] - 2
    return PARTS // (adversaries + 1) * (along + adversaries * against)


@compiled("void(int64[::1], int64[::1], int64[::1])", **OPTIONS)
def _fill_bystanders(rules, steady, values):
    last = int64(at.BUCKETS - 1)
    for spec in range(rules[at.SPECS]):
        way = steady[at.MODES + rules[spec_at(rules, int64(spec)) + at.SPEC_BID]]
        for step in range(1, STEPS):
            for forced in range(2):
                bucket = min(steady[at.FORCED_BUCKET] if forced else steady[at.TYPICAL + way], last)
                place = bystander_at(rules, int64(spec), int64(step), int64(forced))
                values[place] = _bystander_value(rules, steady, values, int64(spec), int64(step), bucket)


@way_in("boolean(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])", **OPTIONS)
def fill_values(rules, money_rules, steady, values, result, out):
    """Fill VALUES; False when some payment cannot be told exactly at this scale."""
    exact = True
    for spec in range(rules[at.SPECS]):
        called = rules[bid_at(rules, spec) + at.CALLED]
        for alone in range(2 if called else 1):
            for step in range(1, STEPS):
                for favoured in range(1 if rules[at.FAVOURITE_SOURCE] == at.FAVOURITE_NONE else 2):
                    for matadors in range(3):
                        exact &= _fill_row(
                            rules, money_rules, steady, values, result, out, int64(spec), int64(alone), int64(step),
                            int64(favoured), int64(matadors),
                        )  # fmt: skip
    _fill_bystanders(rules, steady, values)
    return exact
