"""The effects of a second rule set as text and JSON: total, then direct and carried, then by role."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.report.values import many, plainly
from quadrille_plugins.compare.study import Comparison, Pair
from quadrille_plugins.lab.accounts import ACCOUNTS, ROLE_SUMS, partitions, seats
from quadrille_plugins.lab.effects import CARRIED, CARRIED_REVERSE, DIRECT, DIRECT_REVERSE, ESTIMANDS, LOST, TOTAL
from quadrille_plugins.lab.intervals import Estimate
from quadrille_plugins.lab.observe import ROLES
from quadrille_plugins.lab.paired import FEW_DIFFERING, FEWEST_DIFFERING, Effect
from quadrille_plugins.lab.values import decimal, estimate_json, interval_text, percent
from quadrille_plugins.lab.words import amount_text, column_name, letter


def headline(c: Comparison, pair: Pair) -> str:
    """The answer in words: who gains or loses by the second rule set over a session, or that it is not shown.

    The largest effects are picked from several, so that their intervals are those that hold together.
    """
    b, a = letter(pair.second), letter(pair.first)
    if pair.same:
        return f"{a} and {b} have the same rules: nothing can differ."
    players, length = len(c.design.bots), c.design.length
    found = pair.effects[TOTAL]
    names = [*seats(players), "hombre", "ally", "adversaries"]
    shown = sorted((n for n in names if found[n].stands_out), key=lambda n: -abs(found[n].mean))
    if shown:
        told = [f"{column_name(n, players)} {_together(found[n])}" for n in shown[:3]]
        more = f" (and {len(shown) - 3} more)" if len(shown) > 3 else ""
        return (
            f"In a session of {length} deals, {b} instead of {a} changes what is won by: {'; '.join(told)}{more} "
            "(intervals that hold together at 95 %)."
        )
    size = interest_text(c)
    if all(found[n].answer == "smaller" for n in seats(players)):
        return f"In a session of {length} deals no seat wins or loses {size} counters more under {b} than under {a}."
    undecided = [found[n] for n in seats(players) if found[n].answer == "undecided" and found[n].needed]
    most = max(undecided, key=lambda e: e.needed or 0, default=None)
    deals = "" if most is None else f" It would take {_deals_text(most)}."
    return (
        f"These deals do not show whether any seat wins or loses {size} counters a session of {length} deals by {b} "
        f"instead of {a}.{deals}"
    )


def total_table(c: Comparison, pair: Pair) -> Table:
    """The total effect over whole sessions by seat, then by role; each partition sums to zero."""
    a, b = letter(pair.first), letter(pair.second)
    length, changes = c.design.length, pair.effects[TOTAL]
    rows = []
    for name in _shown(c, pair):
        means = [decimal(length * c.summaries[i].moved[name], 1, sign=True) for i in (pair.first, pair.second)]
        e, players = changes[name], len(c.design.bots)
        rows.append((column_name(name, players), *means, effect_text(e), _answer(e)))
    heads = ("", f"under {a}", f"under {b}", f"{b} − {a}, 95 %", f"± {interest_text(c)} a seat")
    return Table(
        f"total effect of {b} instead of {a}, over whole sessions: counters in {length} deals",
        heads,
        tuple(rows),
        frozenset(heads[1:4]),
    )


def _shown(c: Comparison, pair: Pair) -> list[str]:
    """The columns worth a row: seats and roles, and accounts that anything was moved to or from."""
    moved = [c.summaries[i].moved for i in (pair.first, pair.second)]
    players = len(c.design.bots)
    by_size = sorted(ROLE_SUMS, key=lambda n: -abs(pair.effects[TOTAL][n].mean))
    named = [*seats(players), *(n for n in ACCOUNTS if any(m[n] for m in moved)), *by_size]
    return [n for n in named if n != "redealt" or any(m[n] for m in moved)]


def effect_text(e: Effect) -> str:
    """``+3.5 ± 1.2 *``, or with the ends of the interval; without one, the mean and how many sessions differ."""
    if e.low is None or e.high is None:
        return f"{decimal(e.mean, 1, sign=True)} (differs in {many(e.differing)})" if e.differing else "never differs"
    if not e.differing:
        return "never differs"
    text = interval_text(e.mean, e.low, e.high, edges=_edges(e))
    return text + ("  *" if e.excludes_zero else "")


def _together(e: Effect) -> str:
    """An effect with a simultaneous interval over all effects it was picked from."""
    return "" if e.together is None else interval_text(e.mean, *e.together, edges=_edges(e))


def _edges(e: Effect) -> tuple[float, ...]:
    """The bounds that an interval is compared with."""
    return 0.0, -e.interest, e.interest


def _answer(e: Effect) -> str:
    if e.answer != "undecided" or e.needed is None:
        return e.answer
    return f"undecided: {'at least ' if e.at_least else ''}{many(e.needed)} deals"


def _deals_text(e: Effect) -> str:
    """How many deals it takes to decide what is undecided."""
    return f"{'at least' if e.at_least else 'about'} {many(e.needed or 0)} deals"


def interest_text(c: Comparison) -> str:
    """The smallest effect of interest on a seat, in counters a session of the comparison's length."""
    return amount_text(c.design.interest)


def answers_text(c: Comparison, pair: Pair) -> str:
    """What the marks and words of the table of total effects mean."""
    if pair.same:
        return "The same rules: nothing can differ, and every effect is smaller than any size."
    found = pair.effects[TOTAL]
    some = next(iter(found.values()))
    text = (
        f"* the interval excludes zero.  Larger or smaller: a seat than ± {interest_text(c)} counters (--smallest), a "
        f"sum over players than ± {amount_text(c.design.interest_of_sums)}.  Undecided: how many deals it would take.\n"
        "Seats have antes in; roles are sums over players, antes apart.  With the pool and other accounts, the seats "
        "sum to zero, and so do the roles.\nEach interval holds by itself at 95 %: one in twenty misses."
    )
    if any(e.low is None for e in found.values()):
        text += (
            f"\nNo interval where fewer than {FEWEST_DIFFERING} of the {some.sessions} sessions differ: such intervals "
            "miss too often (docs/coverage.md).  `quadrille matters` bounds differences that are so rare."
        )
    if any(e.low is not None and e.differing < FEW_DIFFERING for e in found.values()):
        text += (
            f"\nSome intervals are of fewer than {FEW_DIFFERING} sessions that differ: where a few of these hold most "
            "of the difference, such intervals can be too narrow (docs/coverage.md)."
        )
    return text


def decomposed(c: Comparison, pair: Pair) -> list[Block]:
    """Direct and carried, from either side, where deals were replayed."""
    if DIRECT not in pair.effects:
        return []
    a, b = letter(pair.first), letter(pair.second)
    estimands = (TOTAL, DIRECT, CARRIED, DIRECT_REVERSE, CARRIED_REVERSE)
    heads = ("", "total", f"direct, {a}'s deals", "carried", f"direct, {b}'s deals", "carried")
    rows = tuple(
        (column_name(name, len(c.design.bots)), *(effect_text(pair.effects[e][name]) for e in estimands))
        for name in _shown(c, pair)
    )
    text = (
        f"Direct: every deal of {a}'s sessions replayed under {b} from the same state, and the other way round.  "
        "Carried is total less direct: what comes of pools and standings that earlier deals have left."
    )
    for direction, (one, other) in ((DIRECT, (a, b)), (DIRECT_REVERSE, (b, a))):
        many = pair.lost.get((direction, "any"), 0)
        if many:
            kinds = [f"{_LOST[k]} in {n}" for k in LOST[:-1] if (n := pair.lost.get((direction, k), 0))]
            text += (
                f"\nOf {pair.replayed[direction]} standings of {one}, {other} cannot hold {many} as they are: "
                f"{'; '.join(kinds)}."
            )
    title = f"what of it is direct, and what is carried: counters in {c.design.length} deals"
    return [Table(title, heads, rows, frozenset(heads[1:])), Text(text)]


_LOST = {"multiplier": "a deal that counts several times", "beasts": "beasts", "waiting": "beasts put apart"}


def role_tables(c: Comparison, pair: Pair) -> list[Block]:
    """What each role is paid in a deal, of all deals and when there is one."""
    a, b = letter(pair.first), letter(pair.second)
    one, other = c.summaries[pair.first], c.summaries[pair.second]
    rows = []
    for role, together in zip(ROLES, ROLE_SUMS, strict=False):
        e = pair.effects[TOTAL][together]
        means = [decimal(s.moved[together], sign=True) for s in (one, other)]
        rows.append((f"{column_name(together, len(c.design.bots))}, a deal", *means, per_deal_text(e)))
        later = "" if e.first_interval is None else f" (no interval before about {many(e.first_interval)} deals)"
        there = [decimal(s.roles[role].mean, sign=True) if role in s.roles else "–" for s in (one, other)]
        when = pair.roles.get(role)
        text = "–" if when is None else _when_text(when, later)
        rows.append((f"  {_WHEN[role]}", *there, text))
    heads = ("", f"under {a}", f"under {b}", f"{b} − {a}, 95 %")
    return [Table("what roles are paid, in counters a deal", heads, tuple(rows), frozenset(heads[1:]))]


_WHEN = {
    "hombre": "when there is one",
    "ally": "when there is one",
    "adversary": "each of them, when there are any",
}


def per_deal_text(e: Effect) -> str:
    """The same effect in counters a deal."""
    if not e.differing:
        return "never differs"
    if e.low is None or e.high is None:
        mean = decimal(e.mean / e.length, sign=True)
        return f"{mean} (no interval before about {many(e.first_interval or 0)} deals)"
    text = interval_text(e.mean / e.length, e.low / e.length, e.high / e.length, digits=2)
    return text + ("  *" if e.excludes_zero else "")


def _when_text(when: Estimate, later: str) -> str:
    """A difference of conditional means; without an interval, the text ``later``."""
    if when.low is None or when.high is None:
        return decimal(when.mean, sign=True) + (later or " ± ?")
    text = interval_text(when.mean, when.low, when.high, digits=2)
    return text + ("  *" if when.excludes_zero else "")


def frequencies(pair: Pair) -> Table:
    """How often deals diverge, and where first."""
    a, b = letter(pair.first), letter(pair.second)
    rows = [("deals that diverge", percent(pair.diverging.share), str(pair.diverging.count))]
    rows += [(f"  first in the {s.name}", percent(s.share), str(s.count)) for s in pair.stages]
    of_these = percent(pair.carried.share)
    rows.append(("of the deals that diverge, with another pool from the start", of_these, str(pair.carried.count)))
    return Table(
        f"{a} and {b}: how often deals diverge", ("", "share", "deals"), tuple(rows), frozenset({"share", "deals"})
    )


# --- JSON


def effects_json(p: Pair) -> dict[str, Any]:
    """Every effect by estimand and partition, total first, in counters a session."""
    some = next(iter(p.effects[TOTAL].values()))
    players = sum(name.startswith("seat ") for name in p.effects[TOTAL])
    told: dict[str, Any] = {
        "session_deals": some.length,
        "sessions": some.sessions,
        "deals": some.deals,
        "fewest_differing": FEWEST_DIFFERING,
    }
    for estimand in ESTIMANDS:
        if estimand in p.effects:
            told[estimand] = {
                partition: {name: effect_json(p.effects[estimand][name]) for name in names}
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


def effect_json(e: Effect) -> dict[str, Any]:
    """One effect: the mean a session, its 95 % interval (null where too few sessions differ), and its answer."""
    return {
        "mean": round(float(e.mean), 6),
        **plainly(e, "low", "high", "deviation", "differing"),
        "held_against": round(e.interest, 6),
        "answer": e.answer,
        "deals_needed": e.needed,
        "at_least": e.at_least,
        "deals_for_an_interval": e.first_interval,
    }


def difference_json(p: Pair) -> dict[str, Any]:
    """The total effect in counters a deal, and the roles' mean payments when there is one."""
    players = sum(name.startswith("seat ") for name in p.effects[TOTAL])

    def of(names: Sequence[str]) -> dict[str, Any]:
        return {n: _per_deal_json(p.effects[TOTAL][n]) for n in names}

    return {
        "by_role": of(ROLE_SUMS),
        "by_seat": of(seats(players)),
        "by_account": of(ACCOUNTS),
        "when_there_is_one": {k: estimate_json(e) for k, e in p.roles.items()},
    }


def _per_deal_json(e: Effect) -> dict[str, Any]:
    return {
        "mean": round(float(e.mean / e.length), 6),
        "low": None if e.low is None else round(e.low / e.length, 6),
        "high": None if e.high is None else round(e.high / e.length, 6),
        "deals": e.deals,
        "sessions": e.sessions,
    }
