"""The effects of a second rule set as text and JSON: total, then direct and carried, then by
role."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from quadrille_core.report.blocks import Block, Table, Text
from quadrille_plugins.compare.study import Comparison, Pair
from quadrille_plugins.output.values import many, plainly
from quadrille_plugins.studies.accounts import ACCOUNTS, ROLE_SUMS, ZERO, columns, partitions, seats
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
    SMALLER,
    UNDECIDED,
)
from quadrille_plugins.studies.family import DEPENDS, FamilyEffect, family_effect, longest
from quadrille_plugins.studies.intervals import Estimate
from quadrille_plugins.studies.observe import ROLES
from quadrille_plugins.studies.paired import FEW_DIFFERING, FEWEST_DIFFERING, PICKED_ROLES, Effect
from quadrille_plugins.studies.values import decimal, estimate_json, interval_text, percent
from quadrille_plugins.studies.words import amount_text, column_name, the_column


def headline(c: Comparison, pair: Pair) -> str:
    """The answer in words: how often payments differ, and who wins or loses by the second rule set
    over a session."""
    b, a = c.names[pair.second], c.names[pair.first]
    if pair.same:
        return f"{a} and {b} have the same rules: nothing can differ."
    by = f" by {c.design.bots[0]}" if len(c.family) > 1 else ""
    return (
        f"By {b} instead of {a} payments differ in {matched_text(pair)}{by}, "
        f"and in {of_deals(pair.paid.share)} with the pools that earlier deals left. "
        f"{_verdict_sentences(c, pair)}"
    )


def awaited(c: Comparison) -> list[str]:
    """The columns that play goes on for."""
    return [*PICKED_ROLES, *(seats(len(c.design.bots)) if c.design.until == "seats" else ())]


def verdicts(c: Comparison, pair: Pair) -> dict[str, FamilyEffect]:
    """The total effect on each column by all who were asked."""
    asked = {
        one.design.bots[0]: one.pairs[pair.second - 1].effects[TOTAL] for one in c.family or (c,)
    }
    shown = (n for n in columns(len(c.design.bots)) if n in pair.effects[TOTAL])
    told = {n: family_effect({who: found[n] for who, found in asked.items()}) for n in shown}
    if len(asked) > len(c.design.others):
        return told
    # interrupted before all were asked, who might be answered otherwise
    return {
        n: e if e.answer in (DEPENDS, IDENTICAL) else replace(e, answer=UNDECIDED)
        for n, e in told.items()
    }


def _verdict_sentences(c: Comparison, pair: Pair) -> str:
    """What is decided of roles and seats, and what is not."""
    players, found = len(c.design.bots), verdicts(c, pair)
    asked = [*PICKED_ROLES, *(seats(players) if c.design.until != "roles" else ())]
    shown = [n for n in (*PICKED_ROLES, *seats(players)) if found[n].answer == LARGER]
    if not c.design.holds_together:  # then only what stands out among all of them
        shown = [n for n in shown if pair.effects[TOTAL][n].stands_out]
    told = []
    if shown:
        effects = ", ".join(f"{the_column(n, players)} {_won(c, pair, n, found[n])}" for n in shown)
        told.append(
            f"Counters won in a session of {c.design.length} deals, more or less (95 % intervals "
            f"that hold together): {effects}."
        )
    for answer, words in _SAID.items():
        names = [n for n in asked if found[n].answer == answer and n not in shown]
        if answer == UNDECIDED:
            names += [n for n in asked if found[n].answer in (NEAR, LARGER) and n not in shown]
        if names:
            each = ", ".join(_verdict_of(c, pair, n, found[n]) for n in names)
            told.append(f"{words.format(c.design.deals)}: {each}.")
    return " ".join(told)


_SAID: Final = {
    DEPENDS: "Who plays makes a difference",
    SMALLER: "Neither wins nor loses as much as is of interest",
    IDENTICAL: "Nothing can differ for",
    UNDECIDED: "Not decided after {} deals",
}


def _verdict_of(c: Comparison, pair: Pair, column: str, e: FamilyEffect) -> str:
    """A column with what is known of it: the size it is held against, or where its effect lies."""
    name = the_column(column, len(c.design.bots))
    if e.answer == IDENTICAL:
        return name
    if e.answer == SMALLER:
        return f"{name} ({_size(c, column)} counters)"
    if e.answer == DEPENDS:
        return f"for {name} it {e.depends()}"
    needed = forecast(c, pair, column)
    return f"{name} {_range_text(e)}" + (f" ({needed} in 90 of 100 such cases)" if needed else "")


def _size(c: Comparison, column: str) -> str:
    """The size that a column's effect is held against."""
    of_seat = column.startswith("seat ")
    return amount_text(c.design.interest if of_seat else c.design.interest_of_sums)


def _range_text(e: FamilyEffect) -> str:
    return " to ".join(dict.fromkeys(e.ends_told))


def _won(c: Comparison, pair: Pair, column: str, whole: FamilyEffect) -> str:
    """What a column wins with its simultaneous interval; the range of a family's effect."""
    e = pair.effects[TOTAL][column]
    if len(c.family) > 1:
        return _range_text(whole)
    low, high = e.together or (e.low or 0.0, e.high or 0.0)
    return interval_text(e.mean, low, high, edges=_edges(e))


def forecast(c: Comparison, pair: Pair, column: str) -> str:
    """Between how many deals a verdict takes, for whoever takes longest; empty where that cannot be
    said."""
    effects = [one.pairs[pair.second - 1].effects[TOTAL][column] for one in c.family or (c,)]
    needed = longest([e.needed for e in effects if e.answer == UNDECIDED])
    if needed is None or len(effects) <= len(c.design.others):
        return ""
    low, high = needed
    return f"{many(low)}–{many(high)} deals" if low < high else f"about {many(low)} deals"


def of_deals(share: Estimate, deals: str = "deals") -> str:
    """A share of deals with its interval, or of these deals where they are too few for one."""
    if share.low is None:
        return f"{100 * float(share.mean):.1f} % of these {deals} (too few for an interval)"
    return f"{percent(share)} of {deals}"


def matched_text(pair: Pair) -> str:
    """The share of matched starts in which payments differ, with its interval, as a sentence takes
    it in."""
    share = pair.starts.paid.share
    if not share.count:
        return "no deal that could be replayed"
    return of_deals(share, "matched starts (same cards, same state)")


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
    a, b = c.names[pair.first], c.names[pair.second]
    length, changes, players = c.design.length, pair.effects[TOTAL], len(c.design.bots)
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
        f"{amount_text(c.design.interest)} for a seat, than ± "
        f"{amount_text(c.design.interest_of_sums)} for a role or account",
        ("", *middle, "verdict"),
        tuple(rows),
        frozenset(middle),
    )


def _shown(c: Comparison, pair: Pair) -> list[str]:
    """The columns worth a row: seats and roles, and accounts that anything was moved to or from."""
    moved = [c.summaries[i].moved for i in (pair.first, pair.second)]
    players = len(c.design.bots)
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


def answers_text(c: Comparison, pair: Pair) -> str:
    """What the words of the table of total effects mean."""
    if pair.same:
        return "The same rules: nothing can differ, and every effect is smaller than any size."
    return (
        f"Larger or smaller: than ± {amount_text(c.design.interest)} counters for a seat "
        f"(--smallest), than ± {amount_text(c.design.interest_of_sums)} for a sum over players. "
        "Identical: by the rules nothing can differ there. Undecided: between how many deals a "
        "verdict takes, in 90 of 100 such cases. Near: so near that it may stay undecided. None "
        "met: no session differs there.\nSeats have antes in; roles are sums over players, antes "
        "apart. With the pool and other accounts, the seats sum to zero, and so do the roles.\n"
        f"There is no interval where fewer than {FEWEST_DIFFERING} sessions differ: it would miss "
        "too often (docs/coverage.md). `quadrille matters` bounds differences that are so rare."
    )


def narrow_text(c: Comparison) -> str:
    """That some interval of the first tables can be too narrow, since it is of so few sessions;
    empty where none is."""
    shown = (e for p in c.pairs if not p.same for e in p.effects[TOTAL].values())
    if any(e.low is not None and FEWEST_DIFFERING <= e.differing < FEW_DIFFERING for e in shown):
        return (
            f" Fewer than {FEW_DIFFERING} sessions differ: such an interval can be too "
            "narrow, since a few may weigh most."
        )
    return ""


def decomposed(c: Comparison, pair: Pair) -> list[Block]:
    """Direct and carried, from either side, where deals were replayed."""
    if DIRECT not in pair.effects:
        return []
    a, b = c.names[pair.first], c.names[pair.second]
    estimands = (TOTAL, DIRECT, CARRIED, DIRECT_REVERSE, CARRIED_REVERSE)
    heads = ("", "total", f"direct, {a}'s deals", "carried", f"direct, {b}'s deals", "carried")
    rows = tuple(
        (
            column_name(name, len(c.design.bots)),
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
            text += (
                f"\nOf {pair.replayed[direction]} states of {one}, {other} cannot hold {many} as "
                "they are."
            )
    title = f"what of it is direct, and what is carried: counters in {c.design.length} deals"
    return [Table(title, heads, rows, frozenset(heads[1:])), Text(text)]


def role_tables(c: Comparison, pair: Pair) -> list[Block]:
    """What each role is paid in a deal, of all deals and when there is one."""
    a, b = c.names[pair.first], c.names[pair.second]
    one, other = c.summaries[pair.first], c.summaries[pair.second]
    rows = []
    for role, together in zip(ROLES, ROLE_SUMS, strict=False):
        e = pair.effects[TOTAL][together]
        means = [decimal(s.moved[together], sign=True) for s in (one, other)]
        rows.append(
            (f"{column_name(together, len(c.design.bots))}, a deal", *means, per_deal_text(e))
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
    a, b, starts = c.names[pair.first], c.names[pair.second], pair.starts
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


def effect_json(e: Effect) -> dict[str, Any]:
    """One effect: the mean a session, its 95 % interval (null where too few sessions differ), and
    its answer."""
    return {
        "mean": round(float(e.mean), 6),
        **plainly(e, "low", "high", "deviation", "differing"),
        "held_against": round(e.interest, 6),
        "answer": e.answer,
        "deals_needed": None
        if e.needed is None
        else dict(zip(("low", "high"), e.needed, strict=True)),
        "deals_for_an_interval": e.first_interval,
    }


def verdicts_json(c: Comparison, p: Pair) -> dict[str, Any]:
    """The verdict on each column by all who were asked, and of a family the effects by each
    member."""
    told: dict[str, Any] = {
        "verdicts": {
            n: {**plainly(e, "answer", "low", "high", "least", "most"), "by": list(e.by)}
            for n, e in verdicts(c, p).items()
        }
    }
    if c.family:
        told["family"] = {
            one.design.bots[0]: {
                "deals": one.design.deals,
                "effects": {
                    n: effect_json(one.pairs[p.second - 1].effects[TOTAL][n])
                    for n in told["verdicts"]
                },
            }
            for one in c.family
        }
    return told


def difference_json(p: Pair) -> dict[str, Any]:
    """The total effect in counters a deal, and the roles' mean payments when there is one."""
    players = sum(name.startswith("seat ") for name in p.effects[TOTAL])

    def of(names: Sequence[str]) -> dict[str, Any]:
        return {n: _per_deal_json(p.effects[TOTAL][n]) for n in names if n in p.effects[TOTAL]}

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
