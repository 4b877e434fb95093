"""What is counted of records (``deal_record``), and where two records of the same cards differ.

These functions are written once for both engines.  The readable one calls them as they stand, on
records whose amounts are fractions; ``session`` has them compiled, for the kernel's arrays.  So
they take arrays one index at a time, and say by ``signed`` what they are compiled for.

``rules`` is what they ask of a rule set: ``table.players``, ``antes`` by seat, ``basic_stake``, and
``deal_record.STANDS``.  Arrays are by session, then by deal: ``records``, ``tape`` (numbers) and
``sums``; ``skip`` marks sessions that are left out.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from quadrille_core.engine.deal_record import ACCOUNTS, HIGH, REDEALT, ROLES, TAPED

F = TypeVar("F", bound=Callable[..., Any])

SAME, AT_AUCTION, AT_PLAY, AT_SETTLEMENT = range(4)
"""How two plays of the same cards part."""
KEEP = 3
"""Examples that a session offers."""
KEPT = 3 * KEEP
"""Places for them: by rank whether they come after all others, how plain they are, their number;
a number of -1 stands for none."""
LAST, NUMBER = KEEP, 2 * KEEP
CARRIED, PAID = AT_SETTLEMENT + 1, AT_SETTLEMENT + 2
"""After the stages at which deals diverge, ``SAME`` among them: of the divergent deals those that
began with another pool, and the deals in which payments differ."""
COUNTS = PAID + 1
STAKES, STARTS_PAID, LEFT_OUT = AT_SETTLEMENT + 1, AT_SETTLEMENT + 2, AT_SETTLEMENT + 3
"""The same of replayed deals: matched starts that diverge at the stakes, those in which payments
differ, and the deals whose state the other rules cannot hold."""
STARTS = LEFT_OUT + 1
CARRYING, TRIALS, MATCHED_PAID, WEIGHT = range(STAKES + 1, STAKES + 5)
"""The same of matched starts, with those that diverge in what is left to the next deal; all of
them; those in which payments differ; and the payment differences of divergent deals, antes among
them."""
MATCHED = WEIGHT + 1
LOST = 4
"""Deals whose standing another rule set cannot hold: they count several times, have beasts, or
beasts put apart; and all of them."""
SIGNATURES: dict[str, tuple[str, bool]] = {}
"""What each function is compiled for, and whether Python calls it compiled."""


def signed(signature: str, *, way_in: bool = False) -> Callable[[F], F]:
    """What a function is compiled for."""

    def noted(function: F) -> F:
        SIGNATURES[function.__name__] = signature, way_in
        return function

    return noted


# --- sums of one rule set


@signed("void(sums, int64, int64)")
def add(sums, place, amount):
    """Add what a seat or role got by a deal."""
    sums.moved[place] += amount
    square = amount * amount
    sums.low[place] += square % HIGH
    sums.high[place] += square // HIGH


@signed("void(rules, played, sums)")
def count(rules: Any, record: Any, sums: Any) -> None:
    """Add one deal to its session's sums."""
    players, antes = rules.table.players, rules.basic_stake
    sums.deals += 1
    sums.pool_before += record.pool
    sums.moved[ACCOUNTS + (0 if record.outcome == REDEALT else 1)] -= antes
    sums.moved[ACCOUNTS + 2] += antes
    for account in range(4):
        sums.moved[ACCOUNTS + 2 + account] += record.moved[account]
    for seat in range(players):
        add(sums, seat, record.net[seat] - rules.antes[seat])
    if record.outcome == REDEALT:
        sums.redealt += 1
        return
    sums.endings[3 * record.bid + record.outcome] += 1
    if record.vole:
        sums.voles[record.vole - 1] += 1
    for seat in range(players):
        role = 0 if seat == record.hombre else 1 if seat == record.ally else 2
        sums.role_counts[role] += 1
        add(sums, ROLES + role, record.net[seat])


@signed(
    "void(rules, played[:, ::1], sums[::1], boolean[::1], int64, int64[::1], int64[:, ::1], "
    "int64[:, ::1], int64[:, ::1])",
    way_in=True,
)
def count_won(rules, records, sums, skip, bids, whose, won, hands, endings):
    """Add up what those who sit at a table won, antes taken off, by session.

    ``whose`` is a number for each chair, and the column of ``won``, of ``hands`` played, and, by
    that, each of so many ``bids`` and outcome, of ``endings``, where Hombre sat there.
    """
    players = rules.table.players
    for n in range(len(skip)):
        if skip[n]:
            continue
        for number in range(sums[n].deals):
            record = records[n][number]
            for seat in range(players):
                one = whose[(number + seat) % players]
                won[n][one] += record.net[seat] - rules.antes[seat]
                hands[n][one] += 1
            if record.outcome != REDEALT:
                one = whose[(number + record.hombre) % players]
                endings[n][(one * bids + record.bid) * 3 + record.outcome] += 1


@signed("void(int64[::1], int64, int64)")
def add_product(row, place, product):
    """Add a product to a row as two numbers, which stay small: what is left over by ``HIGH``, and
    how often it goes in."""
    row[place] += product % HIGH
    row[place + 1] += product // HIGH


@signed(
    "void(rules, played[:, ::1], played[:, ::1], sums[::1], boolean[::1], int64[::1], "
    "int64[:, ::1], int64[:, ::1])",
    way_in=True,
)
def count_hands(rules, records, others, sums, skip, whose, products, chairs):
    """Hold what two players win with the same hands, antes taken off, side by side, by session.

    ``whose`` is 0 or 1 for each chair, who sits there at the first table; at the second the other
    does.  ``products`` has six columns (``add_product``): the squares of what 0 wins with a hand,
    of what 1 wins, and the product of both.  ``chairs`` has two for each chair: what 0 and 1 win in
    it.
    """
    players = rules.table.players
    for n in range(len(skip)):
        if skip[n]:
            continue
        for number in range(sums[n].deals):
            here, there = records[n][number], others[n][number]
            for seat in range(players):
                chair = (number + seat) % players
                one, two = here.net[seat] - rules.antes[seat], there.net[seat] - rules.antes[seat]
                if whose[chair]:
                    one, two = two, one
                add_product(products[n], 0, one * one)
                add_product(products[n], 2, two * two)
                add_product(products[n], 4, one * two)
                chairs[n][2 * chair] += one
                chairs[n][2 * chair + 1] += two


# --- what other rules hold of a state


@signed("UniTuple(boolean, 3)(rules, rules, played)")
def lost_of(rules, given_rules, given):
    """Whether these rules cannot hold of a deal's standing its times, its beasts, those put
    apart."""
    times = given.times > 1 and not rules.counts_losses
    there = given_rules.counts_beasts != 0 and rules.counts_beasts == 0 and given.beasts > 0
    return times, there, given.waiting > 0 and not rules.beasts_wait


@signed("UniTuple(int64, 2)(rules, rules, played, int64[::1])")
def count_lost(rules: Any, given_rules: Any, given: Any, lost: Any) -> tuple[int, int]:
    """Count what of a deal's standing these rules cannot hold; returns its times and beasts as they
    hold it."""
    times, there, apart = lost_of(rules, given_rules, given)
    lost[0] += times
    lost[1] += there
    lost[2] += apart
    lost[3] += times or there or apart
    return given.times if rules.counts_losses else 1, given.lying if rules.counts_beasts else 0


# --- two records


@signed("int64(played, int64[::1], played, int64[::1])")
def first_difference(a: Any, tape_a: Any, b: Any, tape_b: Any) -> int:
    """Where two plays of the same cards first differ: an event, else a payment, whatever it is paid
    for."""
    for n in range(min(a.events, b.events)):
        x, y = tape_a[a.events_at + n], tape_b[b.events_at + n]
        if x != y:
            return AT_PLAY if (x | y) >> 8 & 1 else AT_AUCTION
    if a.events != b.events:
        return AT_PLAY
    if a.transfers != b.transfers:
        return AT_SETTLEMENT
    for n in range(TAPED * a.transfers):
        # why it is paid is told by the last number, and does not matter
        if n % TAPED != TAPED - 1 and tape_a[a.transfers_at + n] != tape_b[b.transfers_at + n]:
            return AT_SETTLEMENT
    return SAME


@signed("int64(rules, rules, played, played)")
def payment_difference(rules, other, a, b):
    """The sum over players of the absolute differences of what they gain, antes included."""
    weight = 0
    for seat in range(rules.table.players):
        antes = other.antes[seat] - rules.antes[seat]
        weight += abs(b.net[seat] - a.net[seat] - antes)
    return weight


@signed("boolean(rules, rules)")
def antes_differ(rules, other):
    """Whether some seat puts another ante."""
    differ = False
    for seat in range(rules.table.players):
        differ |= rules.antes[seat] != other.antes[seat]
    return differ


@signed("boolean(rules, played, played)")
def nets_differ(rules, a, b):
    """Whether some seat gets or pays another amount, antes excluded."""
    differ = False
    for seat in range(rules.table.players):
        differ |= a.net[seat] != b.net[seat]
    return differ


@signed("void(int64[::1], int64, int64, int64)")
def keep(kept, last, size, number):
    """Keep the plainest deals of a session, of equals the earlier; those that are ``last`` come
    after all others."""
    place = KEEP
    while place > 0 and (
        kept[NUMBER + place - 1] < 0
        or kept[place - 1] > last
        or (kept[place - 1] == last and kept[LAST + place - 1] > size)
    ):
        place -= 1
    for later in range(KEEP - 1, place, -1):
        for column in range(3):
            kept[column * KEEP + later] = kept[column * KEEP + later - 1]
    if place < KEEP:
        kept[place], kept[LAST + place], kept[NUMBER + place] = last, size, number


@signed("void(int64[::1])")
def keep_none(kept):
    """Before the first deal of a session."""
    for place in range(KEEP):
        kept[NUMBER + place] = -1


_ARRAYS = (
    "rules, rules, played[:, ::1], played[:, ::1], int64[:, ::1], int64[:, ::1], sums[::1], "
    "sums[::1], boolean[::1], int64, int64[:, ::1], int64[:, ::1]"
)


@signed(f"void({_ARRAYS})", way_in=True)
def count_pair(
    rules, other, records, others, tape, tape_b, sums, sums_b, skip, first, counts, kept
):
    """Count where the deals of each session diverge under two rule sets.

    ``counts`` is (sessions, COUNTS), ``kept`` (sessions, KEPT) gets the plainest divergent deals.
    """
    for n in range(len(skip)):
        keep_none(kept[n])
        if skip[n]:
            continue
        counted = counts[n]
        for number in range(min(sums[n].deals, sums_b[n].deals)):
            a, b = records[n][number], others[n][number]
            counted[PAID] += payment_difference(rules, other, a, b) != 0
            stage = first_difference(a, tape[n], b, tape_b[n])
            counted[stage] += 1
            if stage != SAME:
                counted[CARRIED] += a.pool != b.pool
                last = 0 if nets_differ(rules, a, b) else 1
                keep(kept[n], last, a.pool + b.pool, number)


@signed(f"void({_ARRAYS})", way_in=True)
def count_replayed(
    rules, other, records, others, tape, tape_b, sums, sums_b, skip, first, counts, kept
):
    """Count the deals of each session beside their replays under other rules, the matched starts.

    ``counts`` is (sessions, STARTS); where antes differ they diverge at the stakes.
    """
    staked = antes_differ(rules, other)
    for n in range(len(skip)):
        if skip[n]:
            continue
        counted = counts[n]
        for number in range(sums[n].deals):
            a, b = records[n][number], others[n][number]
            times, there, apart = lost_of(other, rules, a)
            if times or there or apart:
                counted[LEFT_OUT] += 1
                continue
            counted[STARTS_PAID] += payment_difference(rules, other, a, b) != 0
            stage = STAKES if staked else first_difference(a, tape[n], b, tape_b[n])
            counted[stage] += 1


# --- rows of a table

SESSION, DEAL, RULE_SET, CONTRACT, OUTCOME, VOLE, TRUMP, HOMBRE, ALLY = range(9)
MATADORS, PREMIERS, TRICKS = range(ALLY + 1, ALLY + 4)
"""Cells of a row; then come, by seat, the tricks, what Hombre, ally and adversaries get, what seats
get, the antes, the pool before and after, the denominator, and how the deal parts from the first
rule set's."""


@signed("int64(int64, int64)")
def common_part(a, b):
    """The largest amount of which both are multiples."""
    while b:
        a, b = b, a % b
    return a


@signed("void(rules, played, int64, int64[::1])")
def tell_deal(rules, record, scale, row):
    """Write what a record says into the row of a table: amounts as numerators of the fewest parts
    of a counter, of which the record has ``scale``; -1 where there is nothing to tell."""
    players, is_played = rules.table.players, record.outcome != REDEALT
    amounts = TRICKS + 1 + players
    row[OUTCOME], row[HOMBRE], row[ALLY] = record.outcome, record.hombre, record.ally
    row[VOLE] = record.vole if is_played else -1
    row[TRUMP] = record.trump if record.trump < 4 else -1
    row[MATADORS] = record.matadors if is_played else -1
    row[PREMIERS] = record.premiers if is_played else -1
    row[TRICKS] = 0 if is_played else -1
    for seat in range(players):
        won, net = record.tricks[seat] if is_played else -1, record.net[seat]
        role = 0 if seat == record.hombre else 1 if seat == record.ally else 2
        row[TRICKS] += won if is_played and role < 2 else 0
        row[TRICKS + 1 + seat] = won
        row[amounts + role] += net
        row[amounts + 3 + seat] = net
        row[amounts + 3 + players + seat] = rules.antes[seat]
    den, parts = amounts + 5 + 2 * players, scale
    row[den - 2], row[den - 1] = record.pool, record.pool + record.moved[0]
    for place in range(amounts, den):
        parts = common_part(parts, abs(row[place]))
    for place in range(amounts, den):
        row[place] //= parts
    row[den] = scale // parts


@signed(
    "void(rules, played[:, ::1], played[:, ::1], int64[:, ::1], int64[:, ::1], sums[::1], "
    "sums[::1], boolean[::1], int64, int64, int64, int64, int64[:, ::1])",
    way_in=True,
)
def tell_deals(
    rules, records, others, tape, tape_b, sums, sums_b, skip, first, scale, number, bids, rows
):
    """Write the rows of a rule set's deals, ``others``, beside the first's.

    ``number`` is its own among the rule sets, 0 of the first; its bids are numbered from ``bids``.
    ``rows`` is (deals, cells), zeroed.  What is told last is twice the stage at which a deal parts,
    and one more where both began alike.
    """
    place = 0
    for n in range(len(skip)):
        for deal in range(0 if skip[n] else sums_b[n].deals):
            b, row = others[n][deal], rows[place]
            row[SESSION], row[DEAL], row[RULE_SET] = first + n, deal, number
            row[CONTRACT] = bids + b.bid
            tell_deal(rules, b, scale, row)
            parted = -1
            if number > 0 and deal < sums[n].deals:
                a = records[n][deal]
                alike = a.pool == b.pool and a.times == b.times
                alike = alike and a.beasts == b.beasts and a.favourite == b.favourite
                parted = 2 * first_difference(a, tape[n], b, tape_b[n]) + alike
            row[len(row) - 1] = parted
            place += 1


# --- matched starts within sessions


@signed("int64(int64, int64)")
def sampling_key(session, deal):
    """A pseudo-random key by which deals are sampled."""
    x = (session * 0x9E3779B1 + deal * 0x85EBCA6B + 0x27D4EB2F) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    x = ((x ^ (x >> 12)) * 0x297A2D39) & 0xFFFFFFFF
    return x ^ (x >> 15)


@signed("boolean(rules, rules, played, played)")
def is_matched(rules, other, a, b):
    """Whether two deals begin with the same pool, times, beasts and, where earlier deals decide it
    under both, favourite suit."""
    decided = rules.first_trumps_favoured and other.first_trumps_favoured
    return (
        a.pool == b.pool
        and a.times == b.times
        and a.beasts == b.beasts
        and (a.favourite == b.favourite or not decided)
    )


@signed(f"void({_ARRAYS})", way_in=True)
def count_matched(
    rules, other, records, others, tape, tape_b, sums, sums_b, skip, first, counts, kept
):
    """Count the matched starts of sessions ``first`` … under two rule sets.

    ``counts`` is (sessions, MATCHED); ``kept`` (sessions, KEPT) gets divergent deals, by lot.
    ``matters.matched_starts`` says what diverges where.
    """
    staked = antes_differ(rules, other)
    for n in range(len(skip)):
        keep_none(kept[n])
        if skip[n]:
            continue
        counted, both = counts[n], min(sums[n].deals, sums_b[n].deals)
        for number in range(both):
            a, b = records[n][number], others[n][number]
            alike = is_matched(rules, other, a, b)
            if not alike and number > 0:
                continue
            counted[TRIALS] += 1
            stage = first_difference(a, tape[n], b, tape_b[n])
            if not alike or staked:
                stage = STAKES
            elif stage == SAME:
                if number + 1 < both:
                    c, d = records[n][number + 1], others[n][number + 1]
                    alike = is_matched(rules, other, c, d)
                else:
                    alike = sums[n].deals == sums_b[n].deals
                if alike:
                    continue
                stage = CARRYING
            counted[stage] += 1
            difference = payment_difference(rules, other, a, b)
            counted[MATCHED_PAID] += difference != 0
            counted[WEIGHT] += difference
            keep(kept[n], 0, sampling_key(first + n, number), number)
