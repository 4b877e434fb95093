"""What a game is worth to ``steady``: ``players.steady_value``, with every payment settled once for
a rule set.

VALUES (int64) holds, for each bid as it is spoken and each pool, favourite, matadors and part in
the game, what each number of tricks pays; then the same weighted for each bucket of Hombre's hands;
then what such a game is worth to others.  All values are multiples of
``1 / (VALUE * scale)`` counters.
"""

from numba import boolean, int64

from quadrille_plugins.kernel.auction import bid_at
from quadrille_plugins.kernel.compiled import compiled, way_in
from quadrille_plugins.kernel.settle import settle_without
from quadrille_plugins.kernel.shares import INLINED, OPTIONS, joined
from quadrille_plugins.kernel.words import OF_SUIT, PARTNER, SOURCE, TRUMP
from quadrille_plugins.players.steady_arrays import MOST_TRICKS
from quadrille_plugins.players.steady_features import BUCKETS

STEPS = 9
PARTS = 12
"""A bystander's value is shared among three or four."""
HOMBRE, ALLY, ADVERSARY = range(3)
SHARED = 60
"""Among two to five any whole number of parts is shared in sixtieths."""
VALUE = SHARED * 16 * 1000
ROW = MOST_TRICKS + 1


@compiled("int64(int64, int64, int64, int64, int64, int64)", **INLINED)
def paid_at(spec, alone, step, favoured, matadors, part):
    """The index of the payments of a role in a game, one for each number of tricks."""
    return (((((spec * 2 + alone) * STEPS + step) * 2 + favoured) * 3 + matadors) * 3 + part) * ROW


@compiled("int64(rules, int64, int64, int64, int64)", **INLINED)
def value_at(rules, spec, step, favoured, matadors):
    """Where the values of Hombre's hands begin, one for each bucket."""
    behind = rules.spec_count * (2 * STEPS * 2 * 3 * 3 * ROW)
    return behind + (((spec * STEPS + step) * 2 + favoured) * 3 + matadors) * BUCKETS


@compiled("int64(rules, int64, int64, int64)", **INLINED)
def bystander_at(rules, spec, step, forced):
    """Where somebody else's game is valued, in twelfths: bid for once, or forced on them."""
    behind = value_at(rules, rules.spec_count, int64(0), int64(0), int64(0))
    return behind + (spec * STEPS + step) * 2 + forced


@way_in("int64(rules)", **OPTIONS)
def values_size(rules):
    """How many numbers VALUES has."""
    return bystander_at(rules, rules.spec_count, int64(0), int64(0))


@compiled("int64(rules, int64)", **INLINED)
def pool_step(rules, pool):
    """The pool in basic stakes, rounded, from 1 to 8."""
    stake = rules.pool_step
    return min(max((2 * pool + stake) // (2 * stake), int64(1)), int64(STEPS - 1))


@compiled("int64(boolean, boolean, int64)", **OPTIONS)
def _some_trump(none, favoured, matadors):
    if none:
        return int64(4)
    if favoured:
        return int64(1)
    return int64(3) if matadors > 3 else int64(0)


@compiled(
    "boolean(rules, result, out, int64, int64, boolean, int64, int64, int64, boolean, boolean)",
    **OPTIONS,
)
def settle_for(rules, result, out, spec, tricks, favoured, pool, matadors, vole, premiers, alone):
    """Settle a game in which Hombre (0) and the ally (1) made N tricks; False when inexact.

    ``matadors`` is 0, 3 or 4; ``vole`` one of ``words.LEVEL``.  What a plugin pays at trumps of one
    suit is left out, as ``steady_value.Valuer.payment`` leaves it out.
    """
    players, hand, block = rules.table.players, rules.table.hand_cards, bid_at(rules, spec)
    allied = rules.bids[block].partner == PARTNER.CALLED and not alone
    own = (2 * tricks + 1) // 3 if allied else tricks
    rest, others = hand - tricks, players - 2
    result.hombre = result.against = result.claims = result.beasts = 0
    for seat in range(5):
        result.tricks[seat] = 0
    result.pool = pool
    result.bid = rules.specs[spec].bid
    result.trump = _some_trump(rules.bids[block].trump == TRUMP.NONE, favoured, matadors)
    result.favourite = 1
    result.ally = 1 if allied else -1
    result.surrendered, result.also_surrendered = 2 if rules.bids[block].exchange else -1, 0
    if rules.bids[block].exchange:
        for _ in range(rules.bids[block].cards_asked - 1):
            result.also_surrendered = joined(result.also_surrendered, int64(2))
    result.tricks[0] = own
    result.tricks[1] = tricks - own
    for n in range(others):
        result.tricks[2 + n] = rest * (n + 1) // others - rest * n // others
    result.matadors = matadors
    result.premiers = premiers
    result.vole = vole
    result.times = 1
    settle_without(rules, result, out, OF_SUIT)
    return out.inexact == 0


@compiled("int64(rules, out, int64, boolean)", **OPTIONS)
def worth(rules, out, part, allied):
    """A role's net from a settlement, including its share of the pool, in sixtieths."""
    players = rules.table.players
    prospect = SHARED // players * out.pool_after
    if part != ADVERSARY:
        return SHARED * out.net[part] + prospect
    first = 2 if allied else 1
    total = int64(0)
    for seat in range(first, players):
        total += out.net[seat]
    return SHARED // (players - first) * total + prospect


@compiled(
    "int64(rules, steady, int64[::1], int64, int64, int64, int64, int64, int64, int64, int64)",
    **OPTIONS,
)
def row_value(rules, steady, values, spec, alone, step, favoured, matadors, part, way, bucket):
    """The expected payment of a hand in that bucket: one entry of ``Valuer.row``."""
    row = paid_at(spec, alone, step, favoured, matadors, part)
    bid = rules.specs[spec].bid
    own = way == steady.modes[bid] and alone == 0
    shares = steady.shares[steady.tables[bid] if own else way, bucket]
    total = int64(0)
    for tricks in range(rules.table.hand_cards + 1):
        total += shares[tricks] * values[row + tricks]
    return total


@compiled(
    "boolean(rules, steady, int64[::1], result, out, int64, int64, int64, int64, int64)", **OPTIONS
)
def _fill_row(rules, steady, values, result, out, spec, alone, step, favoured, matadors):
    block, hand = bid_at(rules, spec), rules.table.hand_cards
    allied = rules.bids[block].partner == PARTNER.CALLED and alone == 0
    vole, pool = rules.specs[spec].vole, step * rules.pool_step
    number = matadors + 2 if matadors else int64(0)
    exact = True
    for tricks in range(hand + 1):
        earns = rules.bids[block].premiers and tricks >= rules.premiers.tricks
        of16 = steady.premiers_of_16[tricks] if earns else int64(0)
        for premiers in range(2):
            times = of16 if premiers else 16 - of16
            if not times:
                continue
            exact &= settle_for(
                rules,
                result,
                out,
                spec,
                int64(tricks),
                favoured != 0,
                pool,
                number,
                vole,
                boolean(premiers),
                alone != 0,
            )
            for part in range(3):
                row = paid_at(spec, alone, step, favoured, matadors, int64(part))
                values[row + tricks] += times * worth(rules, out, int64(part), allied)
    if alone == 0:
        way = steady.modes[rules.specs[spec].bid]
        place = value_at(rules, spec, step, favoured, matadors)
        for bucket in range(BUCKETS):
            values[place + bucket] = row_value(
                rules,
                steady,
                values,
                spec,
                int64(0),
                step,
                favoured,
                matadors,
                int64(HOMBRE),
                way,
                int64(bucket),
            )
    return exact


@compiled("int64(rules, steady, int64[::1], int64, int64, int64)", **OPTIONS)
def _bystander_value(rules, steady, values, spec, step, bucket):
    """What somebody else's game is worth, in twelfths: ``Valuer.bystander_value``."""
    said = rules.specs[spec]
    way = steady.modes[said.bid]
    favoured, zero = said.favourite, int64(0)
    against = row_value(
        rules, steady, values, spec, zero, step, favoured, zero, int64(ADVERSARY), way, bucket
    )
    if rules.bids[said.bid].partner != PARTNER.CALLED:
        return PARTS * against
    along = row_value(
        rules, steady, values, spec, zero, step, favoured, zero, int64(ALLY), way, bucket
    )
    adversaries = rules.table.players - 2
    return PARTS // (adversaries + 1) * (along + adversaries * against)


@compiled("void(rules, steady, int64[::1])", **OPTIONS)
def _fill_bystanders(rules, steady, values):
    last = int64(BUCKETS - 1)
    for spec in range(rules.spec_count):
        table = steady.tables[rules.specs[spec].bid]
        for step in range(1, STEPS):
            for forced in range(2):
                bucket = min(steady.forced_bucket if forced else steady.typical[table], last)
                place = bystander_at(rules, int64(spec), int64(step), int64(forced))
                values[place] = _bystander_value(
                    rules, steady, values, int64(spec), int64(step), bucket
                )


@way_in("boolean(rules, steady, int64[::1], result, out)", **OPTIONS)
def fill_values(rules, steady, values, result, out):
    """Fill VALUES; False when some payment is inexact at this scale."""
    exact = True
    for spec in range(rules.spec_count):
        called = rules.bids[bid_at(rules, spec)].partner == PARTNER.CALLED
        for alone in range(2 if called else 1):
            for step in range(1, STEPS):
                for favoured in range(1 if rules.favourite.source == SOURCE.NONE else 2):
                    for matadors in range(3):
                        exact &= _fill_row(
                            rules,
                            steady,
                            values,
                            result,
                            out,
                            int64(spec),
                            int64(alone),
                            int64(step),
                            int64(favoured),
                            int64(matadors),
                        )
    _fill_bystanders(rules, steady, values)
    return exact
