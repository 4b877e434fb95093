"""The effects of a second rule set as text and JSON: total, then direct and carried, then by
role."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Final

from quadrille_plugins.compare.study import Comparison, Pair
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import Json, capital, many, plainly
from quadrille_plugins.studies.accounts import ACCOUNTS, ROLE_SUMS, ZERO, columns, partitions, seats
from quadrille_plugins.studies.accumulators import ROLES
from quadrille_plugins.studies.design import Share
from quadrille_plugins.studies.direct import EVERY
from quadrille_plugins.studies.effects import (
    CARRIED,
    CARRIED_REVERSE,
    DIRECT,
    DIRECT_REVERSE,
    ESTIMANDS,
    LOST,
    TOTAL,
)
from quadrille_plugins.studies.equivalence import (
    IDENTICAL,
    LARGER,
    NEAR,
    OF_DEALS,
    SMALLER,
    UNDECIDED,
)
from quadrille_plugins.studies.family import DEPENDS, FamilyEffect, family_effect, longest, whoever
from quadrille_plugins.studies.intervals import Estimate
from quadrille_plugins.studies.over_sessions import OverSessions, distribution_json, signs_text
from quadrille_plugins.studies.paired import FEW_DIFFERING, FEWEST_DIFFERING, PICKED_ROLES, Effect
from quadrille_plugins.studies.values import (
    decimal,
    estimate_json,
    interval_text,
    percent,
    range_json,
)
from quadrille_plugins.studies.words import amount_text, column_name, the_column


def headline(c: Comparison, pair: Pair) -> str:
    """The answer in words: how often payments differ, and who wins or loses by the second rule set
    over a session."""
    a, b = c.called(pair)
    if pair.same:
        return f"{a} and {b} have the same rules: nothing can differ."
    differ = (
        f"By {b} instead of {a} payments differ in {matched_text(pair)}{_by_others(c, pair)}, "
        f"and in {_of_deals(pair.paid.share)} with the pools that earlier deals left."
    )
    said = (_verdict_sentences if c.design.holds_together else _shown_sentences)(c, pair)
    return " ".join(
        filter(None, (differ, said, signs_text(role_distributions(c, pair), c.design.players)))
    )


def distributions(c: Comparison, pair: Pair) -> dict[str, list[OverSessions]]:
    """By column, the mean and the distribution over sessions as each player finds them."""
    asked = [(one.design.bots[0], one.pairs[pair.second - 1]) for one in c.family or (c,)]

    def of(who: str, one: Pair, column: str) -> OverSessions:
        e = one.effects[TOTAL][column]
        return OverSessions(who, e.mean, e.low, e.high, one.sessions.get(column, {}))

    return {column: [of(who, one, column) for who, one in asked] for column in pair.sessions}


def role_distributions(c: Comparison, pair: Pair) -> dict[str, list[OverSessions]]:
    """The same of the roles."""
    return {
        column: found for column, found in distributions(c, pair).items() if column in PICKED_ROLES
    }


def _by_others(c: Comparison, pair: Pair) -> str:
    """That the share is the first member's, and what it is by all of a family; empty for one
    player."""
    if len(c.family) < 2:
        return ""
    shares = [float(one.pairs[pair.second - 1].starts.paid.share.mean) for one in c.family]
    return f" by {c.design.bots[0]}, {100 * min(shares):.1f} to {100 * max(shares):.1f} % by all"


def awaited(c: Comparison) -> list[str]:
    """The columns that play goes on for."""
    return [*PICKED_ROLES, *(seats(c.design.players) if c.design.until == "seats" else ())]


def verdicts(c: Comparison, pair: Pair) -> dict[str, FamilyEffect]:
    """The total effect on each column by all who were asked."""
    asked = {
        one.design.bots[0]: one.pairs[pair.second - 1].effects[TOTAL] for one in c.family or (c,)
    }
    shown = (n for n in columns(c.design.players) if n in pair.effects[TOTAL])
    told = {n: family_effect({who: found[n] for who, found in asked.items()}) for n in shown}
    if len(asked) > len(c.design.others):
        return told
    # interrupted before all were asked, who might be answered otherwise
    return {
        n: e if e.answer in (DEPENDS, IDENTICAL) else replace(e, answer=UNDECIDED)
        for n, e in told.items()
    }


def _verdict_sentences(c: Comparison, pair: Pair) -> str:
    """What is decided of roles, and of seats where they are waited for or shown; then what is
    not."""
    players, found = c.design.players, verdicts(c, pair)
    asked = [*PICKED_ROLES, *(seats(players) if c.design.until != "roles" else ())]
    larger = [n for n in (*PICKED_ROLES, *seats(players)) if found[n].answer == LARGER]
    larger.sort(key=lambda n: -abs(sum(found[n].means)))
    told, intervals = [], "95 % intervals that hold together"
    if len(c.family) > 1:
        intervals = f"{whoever(len(c.family))}; {intervals}"
    if larger:
        text = _winners(larger, c, pair, found)
        told.append(f"{text} ({intervals}).{_fewer_allies(c, pair, larger)}")
    told += [_depends(n, c, found[n]) for n in asked if found[n].answer == DEPENDS]
    for kind in (SMALLER, IDENTICAL):
        names = [n for n in asked if found[n].answer == kind]
        for group in (
            [n for n in names if n in PICKED_ROLES],
            [n for n in names if n not in PICKED_ROLES],
        ):
            if group:
                told.append(
                    _alike(
                        group,
                        c,
                        pair,
                        "" if larger else f" ({intervals})",
                        identical=kind == IDENTICAL,
                    )
                )
    open_ones = [n for n in asked if found[n].answer in (UNDECIDED, NEAR)]
    if open_ones:
        told.append(_open(open_ones, c, pair, found))
    return " ".join(told)


def _size(c: Comparison, column: str) -> str:
    """The size that a column's effect is held against."""
    return (
        interest_text(c) if column.startswith("seat ") else amount_text(c.design.interest_of_sums)
    )


def _depends(column: str, c: Comparison, e: FamilyEffect) -> str:
    ways = ["win"] * (e.means[1] > 0) + ["lose"] * (e.means[0] < 0)
    verb = " or ".join(way if column == "adversaries" else f"{way}s" for way in ways)
    name = the_column(column, c.design.players)
    return f"Whether {name} {verb} {_size(c, column)} counters by it {e.depends()}."


def _range_text(e: FamilyEffect) -> str:
    return " to ".join(dict.fromkeys(e.ends_told))


def _alike(
    columns: Sequence[str], c: Comparison, pair: Pair, intervals: str, *, identical: bool
) -> str:
    """That these win or lose less than is of interest, or that nothing can differ for them."""
    players = c.design.players
    if not columns[0].startswith("seat "):
        names = " and ".join(the_column(n, players) for n in columns)
        plural = len(columns) > 1 or columns == ["adversaries"]
        if identical:
            return f"For {names} nothing can differ."
        verb = "win or lose" if plural else "wins or loses"
        none = "neither " if len(columns) == 1 else ""
        if len(columns) == len(PICKED_ROLES):
            return (
                f"No role wins or loses {_size(c, columns[0])} counters "
                f"more{_session(c)}{intervals}."
            )
        verb = verb.replace(" or ", " nor ") if none else verb
        how = f"{none}{verb}" if none else f"do not {verb}"
        return f"{capital(names)} {how} {_size(c, columns[0])} counters more{intervals}."
    if len(columns) == players:
        return f"No seat wins or loses {_size(c, columns[0])} counters more{intervals}."
    names = ", ".join(the_column(n, players) for n in columns)
    some = f"{capital(names)} {'wins or loses' if len(columns) == 1 else 'win or lose'}"
    return f"{some} less than {_size(c, columns[0])} counters more{intervals}."


def _session(c: Comparison) -> str:
    return f" in a session of {c.design.length} deals"


def _open(
    columns: Sequence[str], c: Comparison, pair: Pair, found: Mapping[str, FamilyEffect]
) -> str:
    """What is not decided, with the range it lies in and when it will be, and what to type."""
    told, too_few = [], []
    for n in columns:
        column, between = the_column(n, c.design.players), _range_text(found[n])
        if found[n].answer == NEAR:
            told.append(f"{column} {between}, near ± {_size(c, n)}, and may stay undecided")
        elif needed := forecast(c, pair, n):
            told.append(f"{column} {between}, {needed} in 90 of 100 such cases")
        else:
            too_few.append(f"{column} ({between})")
    if too_few:
        told.append(f"too few sessions differ to say more of {', '.join(too_few)}")
    missing = 1 + len(c.design.others) - len(c.family or (c,))
    asked = f" ({missing} of {1 + len(c.design.others)} players were not asked)" if missing else ""
    after = "" if c.family else f" after {many(c.design.deals)} deals"
    return f"Not decided{after}{asked}: {'; '.join(told)}."


def forecast(c: Comparison, pair: Pair, column: str) -> str:
    """Between how many deals a verdict takes, for whoever takes longest; empty where that cannot be
    said."""
    effects = [one.pairs[pair.second - 1].effects[TOTAL][column] for one in c.family or (c,)]
    needed = longest([e.needed for e in effects if e.answer == UNDECIDED])
    if needed is None or len(effects) <= len(c.design.others):
        return ""
    low, high = needed
    return f"{many(low)}–{many(high)} deals" if low < high else f"about {many(low)} deals"


def _shown_sentences(c: Comparison, pair: Pair) -> str:
    """Of a fixed number of deals by one player: the largest effects shown, or that none is.

    They are picked from several, so that their intervals are those that hold together.
    """
    players = c.design.players
    found = pair.effects[TOTAL]
    names = [*seats(players), *PICKED_ROLES]
    shown = sorted((n for n in names if found[n].stands_out), key=lambda n: -abs(found[n].mean))
    if shown:
        told, fewer = _winners(shown[:3], c, pair, {}), _fewer_allies(c, pair, shown[:3])
        return f"{told} (95 % intervals that hold together; in the table each by itself).{fewer}"
    if all(found[n].answer == "smaller" for n in seats(players)):
        return f"No seat wins or loses {interest_text(c)} counters more{_session(c)}."
    return (
        f"Who wins or loses by it is not shown: {_largest_text(c, pair)} "
        f"counters{_session(c)}{_more(c, pair)}."
    )


def _of_deals(share: Estimate) -> str:
    """A share of deals with its interval, or of these deals where they are too few for one."""
    if share.low is None:
        return f"{100 * float(share.mean):.1f} % of these deals (too few for an interval)"
    return f"{percent(share)} of deals"


def _winners(
    columns: Sequence[str], c: Comparison, pair: Pair, found: Mapping[str, FamilyEffect]
) -> str:
    """Who wins or loses how much in a session; ``found`` is by all of a family."""
    first, *others = (_wins(n, c, pair, found.get(n)) for n in columns)
    name, verb, much, way = first
    text = f"{capital(name)} {verb} {much} counters {way}{_session(c)}"
    return text + "".join(f", {name} {much} {way}" for name, _, much, way in others)


def _fewer_allies(c: Comparison, pair: Pair, told: Sequence[str]) -> str:
    """That one rule set has fewer deals with an ally, and what an ally wins in one; empty where
    neither has fewer, or nothing is told of an ally."""
    if "ally" not in told:
        return ""
    one, other = c.summaries[pair.first], c.summaries[pair.second]
    if "ally" not in one.roles or "ally" not in other.roles:
        which = other if "ally" in one.roles else one
        return f" No deal under {c.names[c.summaries.index(which)]} has an ally."
    counts = one.roles["ally"].count, other.roles["ally"].count
    if abs(counts[0] - counts[1]) <= FEWER * max(counts):
        return ""
    a, b = c.called(pair)
    means = [decimal(s.roles["ally"].mean, sign=True) for s in (one, other)]
    few, more = (b, a) if counts[1] < counts[0] else (a, b)
    return (
        f" {few} has fewer deals with an ally than {more} ({many(min(counts))} of "
        f"{many(c.design.deals)}, against {many(max(counts))}); in a deal with one the ally wins "
        f"{means[0]} under {a}, {means[1]} under {b}."
    )


FEWER: Final = Fraction(1, 20)
"""By what share of them one rule set must have fewer deals with an ally before an answer says
so."""


def _largest(c: Comparison, pair: Pair) -> str:
    """The column of the largest effect on players."""
    names = ["hombre", "adversaries", "ally", *seats(c.design.players)]
    return max(names, key=lambda n: abs(pair.effects[TOTAL][n].mean))


def _largest_text(c: Comparison, pair: Pair) -> str:
    """The largest effect on players, with the interval that holds together with the others, as far
    as there is one."""
    name = _largest(c, pair)
    e, called = pair.effects[TOTAL][name], the_column(name, c.design.players)
    if e.together is None:
        return f"{called} {decimal(e.mean, 1, sign=True)} (in too few sessions for an interval)"
    return f"{called} {interval_text(e.mean, *e.together, edges=_edges(e))}"


def _more(c: Comparison, pair: Pair) -> str:
    """What to type: for an interval of the largest effect, or for a verdict on every seat, by deals
    or by the size."""
    largest = pair.effects[TOTAL][_largest(c, pair)]
    if largest.first_interval is not None:
        return f"; for an interval: --deals {largest.first_interval} (at least)"
    asked = [
        e
        for n, e in pair.effects[TOTAL].items()
        if n.startswith("seat ") and e.answer in (UNDECIDED, NEAR)
    ]
    known = [e.needed[1] for e in asked if e.needed is not None]
    ways = [f"--deals {max(known)}"] if known else []
    reach = max(
        (max(abs(e.low), abs(e.high)) for e in asked if e.low is not None and e.high is not None),
        default=0.0,
    )
    if reach and not any(e.low is None for e in asked):
        ways.append(f"--smallest {floor(reach * OF_DEALS / c.design.length) + 1}")
    return f"; for more: {', or '.join(ways)}" if ways else ""


def _wins(
    column: str, c: Comparison, pair: Pair, together: FamilyEffect | None
) -> tuple[str, str, str, str]:
    """Who, the verb, how much with its simultaneous interval, and more or less; the range of a
    family's effect."""
    e, name = pair.effects[TOTAL][column], the_column(column, c.design.players)
    verb = "win" if column == "adversaries" else "wins"
    low, high = e.together or (e.low or 0.0, e.high or 0.0)
    if (
        together is not None
        and len(c.family) > 1
        and together.low is not None
        and together.high is not None
    ):
        ends = sorted((abs(together.low), abs(together.high)))
        return (
            name,
            verb,
            f"{floor(ends[0])} to {ceil(ends[1])}",
            "more" if together.low > 0 else "less",
        )
    mean, way = e.mean, "more"
    if mean < 0:
        mean, low, high, way = -mean, -high, -low, "less"
    return name, verb, interval_text(mean, low, high, edges=_edges(e)).replace("+", ""), way


def matched_text(pair: Pair) -> str:
    """The share of matched starts in which payments differ, with its interval, as a sentence takes
    it in."""
    share = pair.starts.paid.share
    if not share.count:
        return "no deal that could be replayed"
    if share.low is None:
        return (
            f"{100 * float(share.mean):.1f} % of these {share.count} matched starts (too few "
            "for an interval)"
        )
    return f"{percent(share)} of matched starts (same cards, same state)"


def diverging_text(c: Comparison, pair: Pair) -> str:
    """How often deals diverge and where first: of matched starts, then in whole sessions."""
    starts, second = pair.starts, c.names[pair.second]
    left = (
        f"  Left out: {starts.left_out.count}, whose state {second} cannot hold."
        if starts.left_out.count
        else ""
    )
    paid = percent(starts.paid.share)
    return (
        f"Matched starts, the deals of every {EVERY}th session replayed from the same state: "
        f"{_diverge(starts.diverging, starts.stages)}.  Payments differ in {paid} of them.{left}\n"
        f"With the pools that earlier deals left: {_diverge(pair.diverging, pair.stages)}."
    )


def _diverge(diverging: Share, stages: Sequence[Share]) -> str:
    where = {"stakes": "at the stakes", "settlement": "at the settlement"}
    told = [f"{s.count} first {where.get(s.name, f'in the {s.name}')}" for s in stages if s.count]
    many = f"{diverging.count} of {diverging.share.count} diverge, {percent(diverging.share)}"
    return f"{many}: {', '.join(told)}" if told else many


def total_table(c: Comparison, pair: Pair) -> Table:
    """The total effect over whole sessions by seat, then by role; each partition sums to zero.

    Of a family, that of its first member and the range of all.
    """
    a, b = c.called(pair)
    length, changes, players = c.design.length, pair.effects[TOTAL], c.design.players
    several, found = len(c.family) > 1, verdicts(c, pair)
    rows = []
    for name in _shown(c, pair):
        e = changes[name]
        if several:
            cells = [
                decimal(e.mean, 1, sign=True),
                effect_text(e) if found[name].answer == IDENTICAL else _range_text(found[name]),
            ]
        else:
            moved = (c.summaries[i].moved.get(name, ZERO) for i in (pair.first, pair.second))
            cells = [*(decimal(length * amount, 1, sign=True) for amount in moved), effect_text(e)]
        rows.append((column_name(name, players), *cells, _answer_text(c, pair, name, found[name])))
    middle = (
        (f"by {c.design.bots[0]}", f"by all {len(c.family)} players")
        if several
        else (a, b, "difference, 95 %")
    )
    return Table(
        f"{b} instead of {a}: counters in a session of {length} deals; verdict: larger than ± "
        f"{interest_text(c)} for a seat, than ± {amount_text(c.design.interest_of_sums)} for a "
        "role or account",
        ("", *middle, "verdict"),
        tuple(rows),
        frozenset(middle),
    )


def _shown(c: Comparison, pair: Pair) -> list[str]:
    """The columns worth a row: seats and roles, and accounts that anything was moved to or from."""
    moved = [c.summaries[i].moved for i in (pair.first, pair.second)]
    players = c.design.players
    by_size = sorted(ROLE_SUMS, key=lambda n: -abs(pair.effects[TOTAL][n].mean))
    named = [*seats(players), *(n for n in ACCOUNTS if any(m.get(n) for m in moved)), *by_size]
    return [n for n in named if n != "redealt" or any(m[n] for m in moved)]


NOT_MET: Final = "none met"
"""Of a difference that no session has shown, though the rules allow one."""


def effect_text(e: Effect) -> str:
    """``+3.5 ± 1.2``, or with the ends of the interval; without one, the mean and how many sessions
    differ."""
    if e.low is None or e.high is None:
        return (
            f"{decimal(e.mean, 1, sign=True)} (differs in {many(e.differing)})"
            if e.differing
            else NOT_MET
        )
    if e.answer == IDENTICAL:
        return "never differs"
    return interval_text(e.mean, e.low, e.high, edges=_edges(e))


def _edges(e: Effect) -> tuple[float, ...]:
    """The bounds that an interval is compared with."""
    return 0.0, -e.interest, e.interest


def _answer_text(c: Comparison, pair: Pair, column: str, e: FamilyEffect) -> str:
    if e.answer == UNDECIDED and (needed := forecast(c, pair, column)):
        return f"undecided: {needed}"
    if (first := pair.effects[TOTAL][column].first_interval) is not None:
        return f"undecided: ≥\N{NO-BREAK SPACE}{many(first)} deals"
    return f"near ± {_size(c, column)}" if e.answer == NEAR else e.answer


def interest_text(c: Comparison) -> str:
    """The smallest effect of interest on a seat, in counters a session of the comparison's
    length."""
    return amount_text(c.design.interest)


def answers_text(c: Comparison, pair: Pair) -> str:
    """What the marks and words of the table of total effects mean."""
    if pair.same:
        return "The same rules: nothing can differ, and every effect is smaller than any size."
    found = pair.effects[TOTAL]
    some = next(iter(found.values()))
    text = (
        f"Larger or smaller: a seat's difference than ± {interest_text(c)} counters "
        f"(--smallest), that of a sum over players than ± "
        f"{amount_text(c.design.interest_of_sums)}.  Identical: by the rules nothing can differ "
        "there.  Undecided: between how many deals a verdict takes, in 90 of 100 such cases.  "
        "Near: so near that it may stay undecided.  None met: no session differs there.\nSeats "
        "have antes in; roles are sums over players, antes apart.  With the pool and other "
        "accounts, the seats sum to zero, and so do the roles.\n"
        + (
            "All intervals hold together at 95 %."
            if c.design.holds_together
            else "Each interval holds by itself at 95 %."
        )
    )
    if any(e.low is None for e in found.values()):
        text += (
            f"\nNo interval where fewer than {FEWEST_DIFFERING} of the {some.sessions} sessions "
            "differ: such intervals miss too often (docs/coverage.md).  `quadrille matters` "
            "bounds differences that are so rare."
        )
    return text


def narrow_text(c: Comparison) -> str:
    """Which intervals of the first tables can be too narrow, since they are of so few sessions;
    empty for none."""
    shown = {
        (n, e.differing < FEW_DIFFERING)
        for p in c.pairs
        if not p.same
        for n, e in p.effects[TOTAL].items()
        if e.low is not None and e.differing >= FEWEST_DIFFERING
    }
    few = [name for name in c.pairs[0].effects[TOTAL] if (name, True) in shown]
    if not few:
        return ""
    named = ", ".join(column_name(name, c.design.players) for name in few)
    where = f" in {named}" if any(not narrow for _, narrow in shown) else ""
    return (
        f" Fewer than {FEW_DIFFERING} sessions differ{where}: such an interval can be too "
        "narrow, since a few may weigh most."
    )


def decomposed(c: Comparison, pair: Pair) -> list[Block]:
    """Direct and carried, from either side, where deals were replayed."""
    if DIRECT not in pair.effects:
        return []
    a, b = c.called(pair)
    estimands = (TOTAL, DIRECT, CARRIED, DIRECT_REVERSE, CARRIED_REVERSE)
    heads = ("", "total", f"direct, {a}'s deals", "carried", f"direct, {b}'s deals", "carried")
    rows = tuple(
        (
            column_name(name, c.design.players),
            *(effect_text(pair.effects[e][name]) for e in estimands),
        )
        for name in _shown(c, pair)
    )
    text = (
        f"Direct: every deal of {a}'s sessions replayed under {b} from the same state, and the "
        "other way round.  Carried is total less direct: what comes of pools and standings that "
        "earlier deals have left."
    )
    for direction, (one, other) in ((DIRECT, (a, b)), (DIRECT_REVERSE, (b, a))):
        many = pair.lost.get((direction, "any"), 0)
        if many:
            kinds = [
                f"{_LOST[k]} in {n}" for k in LOST[:-1] if (n := pair.lost.get((direction, k), 0))
            ]
            text += (
                f"\nOf {pair.replayed[direction]} standings of {one}, {other} cannot hold {many} "
                f"as they are: {'; '.join(kinds)}."
            )
    title = f"what of it is direct, and what is carried: counters in {c.design.length} deals"
    return [Table(title, heads, rows, frozenset(heads[1:])), Text(text)]


_LOST = {
    "multiplier": "a deal that counts several times",
    "beasts": "beasts",
    "waiting": "beasts put apart",
}


def role_tables(c: Comparison, pair: Pair) -> list[Block]:
    """What each role is paid in a deal, of all deals and when there is one."""
    a, b = c.called(pair)
    one, other = c.summaries[pair.first], c.summaries[pair.second]
    rows = []
    for role, together in zip(ROLES, ROLE_SUMS, strict=False):
        e = pair.effects[TOTAL][together]
        means = [decimal(s.moved[together], sign=True) for s in (one, other)]
        rows.append(
            (f"{column_name(together, c.design.players)}, a deal", *means, per_deal_text(e))
        )
        later = "" if e.first_interval is None else _later(e)
        there = [
            decimal(s.roles[role].mean, sign=True) if role in s.roles else "–" for s in (one, other)
        ]
        when = pair.roles.get(role)
        text = "–" if when is None else _when_text(when, later)
        rows.append((f"  {_WHEN[role]}", *there, text))
    heads = ("", a, b, "difference, 95 %")
    return [
        Table("what roles are paid, in counters a deal", heads, tuple(rows), frozenset(heads[1:]))
    ]


_WHEN = {
    "hombre": "when there is one",
    "ally": "when there is one",
    "adversary": "each of them, when there are any",
}


def per_deal_text(e: Effect) -> str:
    """The same effect in counters a deal."""
    if e.answer == IDENTICAL:
        return "never differs"
    if not e.differing and e.low is None:
        return NOT_MET
    if e.low is None or e.high is None:
        mean = decimal(e.mean / e.length, sign=True)
        return mean + _later(e)
    return interval_text(e.mean / e.length, e.low / e.length, e.high / e.length, digits=2)


def _later(e: Effect) -> str:
    """From how many deals on there is an interval."""
    return f" (interval from {many(e.first_interval or 0)} deals)"


def _when_text(when: Estimate, later: str) -> str:
    """A difference of conditional means; without an interval, the text ``later``."""
    if when.low is None or when.high is None:
        return decimal(when.mean, sign=True) + (later or " ± ?")
    return interval_text(when.mean, when.low, when.high, digits=2)


def frequencies(c: Comparison, pair: Pair) -> Table:
    """How often deals diverge, and where first: of matched starts, then in whole sessions."""
    (a, b), starts = c.called(pair), pair.starts
    told = [
        ("matched starts in which payments differ", starts.paid),
        ("matched starts that diverge", starts.diverging),
    ]
    told += [(f"  first in the {s.name}", s) for s in starts.stages]
    told += [("left out of the deals replayed", starts.left_out)] if starts.left_out.count else []
    told += [
        ("all deals in which payments differ", pair.paid),
        ("all deals that diverge", pair.diverging),
    ]
    told += [(f"  first in the {s.name}", s) for s in pair.stages]
    told.append(("of the deals that diverge, with another pool from the start", pair.carried))
    rows = [(name, percent(s.share), str(s.count)) for name, s in told]
    return Table(
        f"{a} and {b}: how often deals diverge",
        ("", "share", "deals"),
        tuple(rows),
        frozenset({"share", "deals"}),
    )


# --- JSON


def effects_json(p: Pair) -> Json:
    """Every effect by estimand and partition, total first, in counters a session."""
    some = next(iter(p.effects[TOTAL].values()))
    players = sum(name.startswith("seat ") for name in p.effects[TOTAL])
    told: Json = {
        "session_deals": some.length,
        "sessions": some.sessions,
        "deals": some.deals,
        "fewest_differing": FEWEST_DIFFERING,
    }
    for estimand in ESTIMANDS:
        if estimand in p.effects:
            told[estimand] = {
                partition: {
                    n: effect_json(p.effects[estimand][n])
                    for n in names
                    if n in p.effects[estimand]
                }
                for partition, names in partitions(players).items()
            }
    if p.replayed:
        told["replayed"] = {
            direction: {
                "deals": many,
                "standings_not_held": {k: p.lost.get((direction, k), 0) for k in LOST},
            }
            for direction, many in p.replayed.items()
        }
    return told


def effect_json(e: Effect) -> Json:
    """One effect: the mean a session, its 95 % interval (null where too few sessions differ), and
    its answer."""
    return {
        "mean": round(float(e.mean), 6),
        **plainly(e, "low", "high", "deviation", "differing"),
        "held_against": round(e.interest, 6),
        "answer": e.answer,
        "deals_needed": range_json(e.needed),
        "deals_for_an_interval": e.first_interval,
    }


def verdicts_json(c: Comparison, p: Pair) -> Json:
    """The verdict on each column by all who were asked, and of a family the effects by each
    member."""
    told: Json = {
        "verdicts": {
            n: {**plainly(e, "answer", "low", "high", "least", "most"), "by": list(e.by)}
            for n, e in verdicts(c, p).items()
        }
    }
    if c.family:
        told["family"] = {
            one.design.bots[0]: {
                "deals": one.design.deals,
                "over_sessions": {
                    n: found
                    for n, found in sessions_json(one.pairs[p.second - 1]).items()
                    if n in PICKED_ROLES
                },
                "effects": {
                    n: effect_json(one.pairs[p.second - 1].effects[TOTAL][n])
                    for n in told["verdicts"]
                },
            }
            for one in c.family
        }
    return told


def sessions_json(p: Pair) -> Json:
    """The distribution over whole sessions of what each role and account gains."""
    return {column: distribution_json(found) for column, found in p.sessions.items()}


def difference_json(p: Pair) -> Json:
    """The total effect in counters a deal, and the roles' mean payments when there is one."""
    players = sum(name.startswith("seat ") for name in p.effects[TOTAL])

    def of(names: Sequence[str]) -> Json:
        return {n: _per_deal_json(p.effects[TOTAL][n]) for n in names if n in p.effects[TOTAL]}

    return {
        "by_role": of(ROLE_SUMS),
        "by_seat": of(seats(players)),
        "by_account": of(ACCOUNTS),
        "when_there_is_one": {k: estimate_json(e) for k, e in p.roles.items()},
    }


def _per_deal_json(e: Effect) -> Json:
    return {
        "mean": round(float(e.mean / e.length), 6),
        "low": None if e.low is None else round(e.low / e.length, 6),
        "high": None if e.high is None else round(e.high / e.length, 6),
        "deals": e.deals,
        "sessions": e.sessions,
    }
