"""A ranking of disputed points as text and tables."""

from collections.abc import Sequence
from math import isfinite, sqrt
from typing import Final

from quadrille_plugins.deal.players import begins_anew
from quadrille_plugins.rank.effects import (
    ACCOUNT,
    CONTRACTS,
    FEWEST_DIFFERING,
    MEASURES,
    PAYMENTS,
    SEATS,
    Sure,
    bound_of,
    change_of,
)
from quadrille_plugins.rank.places import RankCorrelation
from quadrille_plugins.rank.play import Lineup
from quadrille_plugins.rank.study import (
    REFUSED,
    SAME_RULES,
    PlayerRanking,
    RankedPoint,
    Ranking,
    Verdict,
)
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.fact_words import reported_only
from quadrille_plugins.shell.values import deals_in_sessions, many, never_met, refusal_text
from quadrille_plugins.studies.answers import laid_out
from quadrille_plugins.studies.equivalence import LARGER, NEAR, SMALLER, UNDECIDED
from quadrille_plugins.studies.family import DEPENDS, whoever
from quadrille_plugins.studies.family import depends_text as family_depends
from quadrille_plugins.studies.paired import FEWEST_DIFFERING as FEWEST_SESSIONS_DIFFERING
from quadrille_plugins.studies.values import decimal, ruleset_text

UNITS: Final = {
    PAYMENTS: "counters a seat in 40 deals",
    CONTRACTS: "deals in a hundred",
    SEATS: "counters in 40 deals",
}
MEANS: Final = {
    PAYMENTS: "the largest change of what players get as Hombre, ally or adversaries, of the "
    "antes or of the pool",
    CONTRACTS: "the largest change of how often a contract is played",
    SEATS: "the largest change of what a seat gets, antes taken off, or of the pool",
}
MOST_DETAILED: Final = 8
"""Points whose readings are told one by one in print."""
MOST_CURVE: Final = 9
"""Configurations of the specification curve in print, from the lowest to the highest."""


def _signed_text(s: Sure) -> str:
    """A signed number with its interval, or a question mark where none is given."""
    ends = "?" if s.low is None or s.high is None else f"{_plus(s.low)} to {_plus(s.high)}"
    return f"{_plus(s.value)} ({ends})"


def _plus(value: float, digits: int = 1) -> str:
    return decimal(value, digits, sign=True)


def _size_text(s: Sure, *, differs: bool = True) -> str:
    """A size with the ends of its interval, or what it is at most."""
    if not differs:
        return "none seen" if s.high is None else f"none seen (at most {decimal(s.high, 1)})"
    if s.low is None:
        return (
            f"{decimal(s.value, 1)} ({'?' if s.high is None else f'at most {decimal(s.high, 1)}'})"
        )
    high = "?" if s.high is None else decimal(s.high, 1)
    return f"{decimal(s.value, 1)} ({decimal(s.low, 1)} to {high})"


def player_text(player: Lineup) -> str:
    """Who plays, in a word or two."""
    bots = ",".join(dict.fromkeys(player.design.bots))
    if player.held:
        return f"{bots}, valuing games as the rule set named pays them"
    return f"{bots}, the pool reset for every deal" if begins_anew(player.design.bots) else bots


def decided_by(v: Verdict) -> str:
    """Between how much will decide a verdict that is undecided."""
    if v.said == NEAR:
        return "near the threshold: may stay undecided"
    told = (
        [f"{_ends_text(v.configurations)} configurations"] if v.configurations is not None else []
    )
    if v.deals is not None:
        told.append(f"{_ends_text(v.deals)} deals under each")
    return " and ".join(told) or "not foreseen"


def _ends_text(ends: tuple[int, int]) -> str:
    low, high = ends
    return many(low) if low == high else f"{many(low)}–{many(high)}"


def _undecided(p: RankedPoint, measure: str) -> bool:
    return p.verdicts[measure].said in (UNDECIDED, NEAR)


# --- for a person ---------------------------------------------------------------------------------


def rank_sentence(r: Ranking) -> str:
    """The answer in a sentence."""
    measure = r.plan.measure
    by = {v: [p for p in r.points if p.verdicts[measure].said == v] for v in _VERDICTS}
    still = len(by[UNDECIDED]) + len(by[NEAR])
    never = sum(not p.seen(measure) for p in by[SMALLER])
    asked = f", {whoever(r.plan.members)}" if r.plan.members > 1 else ""
    depend = f" {len(by[DEPENDS])} by more or less as one plays," if by[DEPENDS] else ""
    said = (
        f"Of {len(r.points)} disputed points {len(by[LARGER])} "
        f"change{'s' * (len(by[LARGER]) == 1)} {measure} by more than "
        f"{decimal(r.plan.smallest[measure], 1)} {UNITS[measure]}{asked}{_counting(r, measure)}, "
        f"{len(by[SMALLER])} by "
        f"less{f' ({never} of them never differed in these deals)' if never else ''},{depend} "
        f"and {still} {'is' if still == 1 else 'are'} undecided{_what_decides(r)}."
    )
    for p in r.points:
        if p.place is not None and p.effects[measure].size.value:
            return f"{said} The largest effect is that of {p.point}: {_size_of(p, r)}."
    return said


_VERDICTS: Final = (LARGER, SMALLER, DEPENDS, UNDECIDED, NEAR)


def _size_of(p: RankedPoint, r: Ranking) -> str:
    """A point's size with its interval; of a family the first member's, and between what it is by
    all."""
    measure = r.plan.measure
    size = p.effects[measure].size
    if not p.family:
        return _size_text(size)
    return f"{decimal(size.value, 1)} by {r.plan.family[0]}, {_span(p, measure)} by all"


def _span(p: RankedPoint, measure: str) -> str:
    """Between what a point's size is by all."""
    return " to ".join(
        "?" if e is None else decimal(e, 1)
        for e in (p.family[measure].size.low, p.family[measure].size.high)
    )


def depends_text(p: RankedPoint, measure: str) -> str:
    """That a point's verdict depends on who plays: in what they differ, and what is found by those
    at the ends."""
    told = p.family[measure]
    return (
        f"{p.point} "
        f"{family_depends(told.by, (told.least, told.most), told.sizes, _span(p, measure))}."
    )


def _what_decides(r: Ranking) -> str:
    """What should decide most points that are undecided, or nothing: configurations, else deals
    under each."""
    measure = r.plan.measure
    still = [p.verdicts[measure] for p in r.points if _undecided(p, measure)]
    for option, played, needed in (
        ("configurations", r.plan.sample_size, [v.configurations for v in still]),
        ("deals", r.plan.deals, [v.deals for v in still]),
    ):
        middles = [sqrt(ends[0] * ends[1]) for ends in needed if ends is not None]
        if 2 * len(middles) <= len(still):
            continue
        most = played
        while 2 * sum(n <= most for n in middles) <= len(still):
            most *= 2
        decided = sum(n <= most for n in middles)
        of = f"about {decided} of them" if decided < len(still) else "them"
        return f" (--{option} {most} should decide {'it' if len(still) == 1 else of})"
    return ""


def most_of(r: Ranking, measure: str) -> float | None:
    """The cap on one configuration's weight in a mean, in the unit of the measure; None without
    one."""
    bound = bound_of(measure, r.plan.smallest[measure])
    return bound if isfinite(bound) else None


def _counting(r: Ranking, measure: str) -> str:
    """The bound, in words to stand after a size."""
    most = most_of(r, measure)
    return "" if most is None else f", a configuration counting for {most:g} at most"


def rank_blocks(r: Ranking, players: Sequence[Lineup], *, details: bool = True) -> list[Block]:
    """The whole ranking for a person, or without ``details`` the answer and the points in order."""
    measure = r.plan.measure
    told = [
        p for p in r.points if p.effects and p.verdicts[measure].said not in (SAME_RULES, REFUSED)
    ]
    shown, never = ([p for p in told if p.seen(measure) == seen] for seen in (True, False))
    main: list[Block] = []
    if shown:
        main.append(points_table([_row(p, r) for p in shown], measure, r.plan.family))
        depending = [p for p in r.points if p.verdicts[measure].said == DEPENDS]
        if depending:
            main.append(Text("\n".join(depends_text(p, measure) for p in depending)))
    else:
        main.append(Text("In these deals no point made any difference."))
    sure, *notes = _design_lines(r, players)
    return laid_out(
        rank_sentence(r),
        "\n".join([ruleset_text(r.space.base), *never_met(reported_only((r.space.base,)))]),
        main,
        sure=sure,
        more=lambda: [*_more(r, players, shown, never), Text("\n".join(notes))],
        details=details,
        shows="how far it depends on the other points, what each reading changes, points two by "
        "two, the specification curve, other players' orders",
    )


def _more(
    r: Ranking,
    players: Sequence[Lineup],
    shown: Sequence[RankedPoint],
    never: Sequence[RankedPoint],
) -> list[Block]:
    """Everything but the order of the points."""
    measure, found = r.plan.measure, list[Block]()
    if shown:
        found += [_dependence_table(shown, r), _readings_table(shown[:MOST_DETAILED], r)]
    still = [
        f"{p.point} ({decided_by(p.verdicts[measure])})"
        for p in (*shown, *never)
        if _undecided(p, measure)
    ]
    if still:
        found.append(
            Text(f"undecided, and what will decide in 90 of 100 such cases: {', '.join(still)}")
        )
    if r.pairs:
        found.append(_pairs_table(r))
    if r.curve:
        found.append(_curve_table(r, [p.point for p in shown]))
    found += _orders_blocks(r, players)
    if never:
        found.append(Text(_never_text(never, measure)))
    for verdict, words in (
        (SAME_RULES, "the same rules whichever reading is taken"),
        (REFUSED, "never to be switched"),
    ):
        names = [p.point for p in r.points if p.verdicts[measure].said == verdict]
        if names:
            found.append(Text(f"{words} ({len(names)}): {', '.join(names)}"))
    if r.refused:
        rows = tuple(
            (f"{f.point}={f.reading}", f"{f.count} of {f.of}", refusal_text(f.reason))
            for f in r.refused
        )
        found.append(
            Table("readings refused", ("reading", "configurations", "the first reason"), rows)
        )
    return found


def _never_text(never: Sequence[RankedPoint], measure: str) -> str:
    """What never differed, with the bound of the sizes and of the places."""
    sizes = [p.family[measure].size if p.family else p.effects[measure].size for p in never]
    bounds = [size.high for size in sizes if size.high is not None]
    bound = (
        f"; the size of each is at most {decimal(max(bounds), 1)}"
        if len(bounds) == len(never)
        else ""
    )
    stood = [p.place for p in never if p.place is not None]
    if stood:
        low, high = min(p.low for p in stood), max(p.high for p in stood)
        bound += f"; place {low}" + (f" to {high}" if high > low else "")
    return (
        f"never differed in these deals ({len(never)}){bound}: {', '.join(p.point for p in never)}"
    )


def _design_lines(r: Ranking, players: Sequence[Lineup]) -> list[str]:
    """How it was played, and what its numbers mean."""
    measure, design = r.plan.measure, players[0].design
    members = [player_text(p) for p in players[: r.plan.members]]
    several = len(members) > 1
    way = f"{r.sample_size} sampled configurations ({r.drawn} draws), each on deals of its own"
    if r.valid is not None:
        way = f"All {r.valid} valid configurations of {r.space.many}, all on the same deals"
    needs = f"{FEWEST_SESSIONS_DIFFERING} sessions that differ"
    if r.valid is None:
        needs = f"{FEWEST_DIFFERING} configurations that differ, each in {needs}"
    order, hold = "", "Each interval is a 95 % interval by itself."
    if several:
        order = (
            f" The order is {members[0]}'s; each point's verdict and places hold for all of "
            "them, at 95 % together."
        )
        hold = (
            "Each point's intervals hold together at 95 % over the players; points stand each by "
            "itself."
        )
    lines = [
        f"{way}; {r.played} played, {r.rule_sets} different rule sets. "
        f"{deals_in_sessions(design.deals, len(design.lengths))} under each; seed {design.seed}; "
        f"bot{'s' * several} {', '.join(members)} (other players may give another order).{order}"
        + (
            " Interrupted: these are the configurations that were finished."
            if r.interrupted
            else ""
        ),
        (
            f"The effect is the total over whole sessions; its size is {MEANS[measure]}, in "
            f"{UNITS[measure]}, in the mean over configurations, free of what chance adds. {hold}"
        ),
        f"An interval needs {needs}; else a question mark stands for it.",
    ]
    most = most_of(r, measure)
    if most is not None:
        lines.append(
            f"In a mean a configuration counts for {most:g} at most: in some of them pools "
            "double deal by deal, and they alone would decide it."
        )
    return lines


def place_text(p: RankedPoint) -> str:
    """A place with its interval, or a dash."""
    if p.place is None:
        return "–"
    span = "" if p.place.low == p.place.high else f" ({p.place.low}–{p.place.high})"
    return f"{p.place.place}{span}"


def points_table(rows: Sequence[tuple[str, ...]], measure: str, family: Sequence[str]) -> Table:
    """The points in order of their size; 80 columns hold the longest of each cell."""
    columns = ("place", "point", "size, 95 %", "verdict")
    title = f"points by {measure}"
    if len(family) > 1:
        columns = ("place", "point", "size (by all)", "verdict")
        title += (
            f": place and size are {family[0]}'s, in brackets those of all {len(family)} players"
        )
    return Table(title, columns, tuple(rows), whole=frozenset(columns))


def _row(p: RankedPoint, r: Ranking) -> tuple[str, ...]:
    measure = r.plan.measure
    found = p.family[measure].size if p.family else p.effects[measure].size
    size = _size_text(found, differs=p.seen(measure))
    return place_text(p), p.point, size, p.verdicts[r.plan.measure].said


def _dependence_table(points: Sequence[RankedPoint], r: Ranking) -> Table:
    """How far each effect depends on the other points: with these as they are, and how much it
    varies with them."""
    measure, rows = r.plan.measure, []
    for p in points:
        own, depends = p.own.get(measure), p.effects[measure].depends
        rows.append(
            (
                p.point,
                "–" if own is None else decimal(own.value, 1),
                "–" if depends is None else f"{100 * depends:.0f} %",
            )
        )
    return Table(
        "how far it depends on the other points (own: the size with these as the rule set has "
        "them; depends: the share of the effect's mean square that varies with their readings)",
        ("point", "own", "depends"),
        tuple(rows),
        frozenset({"own", "depends"}),
        whole=frozenset({"point"}),
    )


def _readings_table(points: Sequence[RankedPoint], r: Ranking) -> Table:
    rows, measure = [], r.plan.measure
    for p in points:
        for reading, effect in p.readings[measure].items():
            largest = sorted(effect.signed.items(), key=lambda item: -abs(item[1].value))[:2]
            text = ", ".join(
                f"{name} {_signed_text(s)}" for name, s in largest if s.value or s.high
            )
            rows.append((f"{p.point}={reading}", text or "nothing in the mean"))
    return Table(
        f"signed mean changes against the reading in use, {UNITS[measure]}{_counting(r, measure)}",
        ("reading", "its largest, 95 %"),
        tuple(rows),
        whole=frozenset(("reading",)),
    )


def _pairs_table(r: Ranking) -> Table:
    rows = tuple(
        (" × ".join(t.points), _size_text(e.size, differs=bool(e.differing)), str(e.units))
        for t in r.pairs
        for e in [t.effects[r.plan.measure]]
    )
    unit = "groups of sessions" if r.valid is not None else "configurations"
    columns = ("points", "size, 95 %", unit)
    return Table(
        f"two points together, beyond what each does alone{_counting(r, r.plan.measure)}",
        columns,
        rows,
        frozenset(columns[1:]),
    )


def _curve_table(r: Ranking, points: Sequence[str]) -> Table:
    """The specification curve in a few rows, from the lowest to the highest, with the choices on
    the leading points."""
    many, leading = len(r.curve), points[:5]
    ranks = (
        sorted({round(n * (many - 1) / (MOST_CURVE - 1)) for n in range(MOST_CURVE)})
        if many > MOST_CURVE
        else range(many)
    )
    rows = []
    for n in ranks:
        choices = ", ".join(
            f"{p}={r.curve[n].choices[p]}" for p in leading if p in r.curve[n].choices
        )
        rows.append(
            (f"{n + 1} of {many}", _signed_text(change_of(r.curve[n])), choices or "as in use")
        )
    return Table(
        f"specification curve: what configurations change for the {ACCOUNT.capitalize()} against "
        f"the rule set itself, {UNITS[PAYMENTS]}",
        ("configuration", "change, 95 %", "readings of the leading points"),
        tuple(rows),
        whole=frozenset(("configuration",)),
    )


def _orders_blocks(r: Ranking, players: Sequence[Lineup]) -> list[Block]:
    """How far the order of each other player agrees with the first's."""
    measure = r.plan.measure
    rows = tuple(
        (
            player_text(player),
            m,
            tau_text(order.correlations[m]),
            str(len(order.correlations[m].points)),
            _moves(order, m),
        )
        for n, (order, player) in enumerate(zip(r.orders, players, strict=True))
        for m in (MEASURES if n >= r.plan.members else (measure,))
        if n
    )
    if not rows:
        return []
    columns = ("player", "measure", "tau, 95 %", "points", "moves furthest")
    title = f"rank correlation (tau) of other players' orders with {players[0].name}'s"
    missing = sum(order.left_out for order in r.orders)
    note = "Only points whose sizes stand above their noise with both are compared."
    note += f" {missing} switches are missing, of bids that a player does not know." * bool(missing)
    return [Table(title, columns, rows, frozenset(columns[2:4])), Text(note)]


def tau_text(a: RankCorrelation) -> str:
    """Kendall's tau with its interval, or why it is missing."""
    if a.tau is None:
        return "too few above noise"
    ends = "?" if a.low is None or a.high is None else f"{_plus(a.low, 2)} to {_plus(a.high, 2)}"
    return f"{_plus(a.tau, 2)} ({ends})"


def _moves(order: PlayerRanking, measure: str, many: int = 3) -> str:
    every = order.moved[measure]
    more = f", and {len(every) - many} more" if len(every) > many else ""
    return (
        ", ".join(f"{m.name} {m.first or 'none'}→{m.second or 'none'}" for m in every[:many]) + more
        or "nothing"
    )
