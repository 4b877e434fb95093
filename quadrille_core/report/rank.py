"""A ranking of disputed points as tables, JSON, CSV and pictures."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.report.picture import Mark, Picture
from quadrille_core.report.values import decimal, ruleset_json, ruleset_text
from quadrille_core.study.intervals import FEWEST_SESSIONS
from quadrille_core.study.rank import MATTERS, NEVER, REFUSED, SAME_RULES, UNDECIDED, Order, Ranked, Ranking
from quadrille_core.study.rank_effects import CONTRACTS, MEASURES, PAYMENTS, SEATS, Effect, Sure
from quadrille_core.study.rank_play import Player

MEANS: Final = {
    PAYMENTS: "counters a deal that end elsewhere: half the changes of what Hombre, ally, adversaries and pool get",
    CONTRACTS: "the share of deals that end in another contract: total-variation distance",
    SEATS: "the change of the spread between the best and the worst seat's mean, counters a deal",
}
SAID: Final = {
    MATTERS: "matters",
    UNDECIDED: "not shown",
    NEVER: "never differed",
    SAME_RULES: "same rules",
    REFUSED: "cannot be switched",
}
MOST_DETAILED: Final = 8
"""Points whose readings are told one by one in print."""


def _sure_json(s: Sure) -> dict[str, float | None]:
    def rounded(value: Fraction | float | None) -> float | None:
        return None if value is None else round(float(value), 6)

    return {"value": rounded(s.value), "low": rounded(s.low), "high": rounded(s.high)}


def _text(s: Sure, digits: int = 3, *, sign: bool = False, times: int = 1) -> str:
    """A number with half its interval's width, or a question mark."""
    half = None if s.low is None or s.high is None else (s.high - s.low) / 2 * times
    shown = decimal(float(s.value) * times, digits, sign=sign)
    return f"{shown} ± {'?' if half is None else decimal(half, digits)}"


def _size_text(s: Sure, *, times: int) -> str:
    """A size with the ends of its interval, which does not lie evenly about it, or a question mark."""
    if not s.value:
        return "none seen"  # an interval of no width would claim that there is none
    ends = "?" if s.low is None or s.high is None else f"{decimal(s.low * times, 3)} to {decimal(s.high * times, 3)}"
    return f"{decimal(float(s.value) * times, 3)} ({ends})"


def player_text(player: Player) -> str:
    """Who plays, in a word or two."""
    bots = ",".join(dict.fromkeys(player.design.bots))
    return f"{bots}, valuing games as the rule set named pays them" if player.held else bots


# --- for a person -------------------------------------------------------------------------------------


def rank_blocks(r: Ranking, players: Sequence[Player]) -> list[Block]:
    """The whole ranking for a person."""
    measure, first = r.plan.measure, players[0]
    way = (
        f"all {r.valid} valid combinations of {r.space.many}"
        if r.valid is not None
        else f"{r.backgrounds} valid combinations drawn ({r.drawn} draws) as backgrounds"
    )
    said = [
        f"{len(r.points)} points; {way}; {r.played} combinations played, {r.rule_sets} different rule sets",
        f"{first.design.deals} deals in {len(first.design.lengths)} sessions under each; seed {first.design.seed}",
        f"who plays: {player_text(first)}",
        f"{measure}: {MEANS[measure]}{', here in hundredths' if measure == CONTRACTS else ''}.",
    ]
    if r.interrupted:
        said.append("Interrupted: these are the backgrounds that were finished.")
    if len(first.design.lengths) < FEWEST_SESSIONS or (r.valid is None and r.backgrounds < FEWEST_SESSIONS):
        said.append(
            f"No intervals (?): they need {FEWEST_SESSIONS} sessions or more, and as many backgrounds where drawn."
        )
    found: list[Block] = [
        Text(ruleset_text(r.space.base), strong=True),
        Text("\n".join(said)),
    ]
    told = [p for p in r.points if p.verdicts[measure] in (MATTERS, UNDECIDED)]
    columns = ("", "point", "effect of a switch, 95 %", "here", "depends", "verdict")
    rows = tuple(_row(n, p, measure) for n, p in enumerate(told, 1))
    if rows:
        if any(p.effects[measure].size.low is not None for p in told):
            found.append(
                Text(
                    "Chance makes every size greater: unless a mean change below is told from nought, corrected for "
                    "all asked at once, the interval reaches down to 0 and the verdict is `not shown`."
                )
            )
        found.append(
            Table(f"points by {measure}", columns, rows, frozenset(columns[2:5]), whole=frozenset(columns[1:]))
        )
        found.append(_readings_table(told[:MOST_DETAILED], measure))
    else:
        found.append(Text("In these deals no point made any difference."))
    if r.pairs:
        found.append(Text("Of two points together there is no verdict, and chance makes their sizes greater too."))
        told_pairs = tuple(
            (" × ".join(t.points), _text(t.sizes[measure], times=_times(measure)), str(t.backgrounds)) for t in r.pairs
        )
        pair_columns = ("points", "together, 95 %", "backgrounds")
        found.append(
            Table("two points together, beyond what each does alone", pair_columns, told_pairs, frozenset(columns[1:]))
        )
    found += _orders_blocks(r, players)
    for verdict, words in (
        (NEVER, "never differed in these deals"),
        (SAME_RULES, "the same rules whichever is read"),
        (REFUSED, "never to be switched"),
    ):
        names = [p.point for p in r.points if p.verdicts[measure] == verdict]
        if names:
            found.append(Text(f"{words} ({len(names)}): {', '.join(names)}"))
    if r.refused:
        rows = tuple((f"{f.point}={f.reading}", f"{f.count} of {f.of}", f.reason) for f in r.refused)
        found.append(Table("readings refused", ("reading", "backgrounds", "the first reason"), rows))
    return found


def _times(measure: str) -> int:
    """Contracts are told in hundredths."""
    return 100 if measure == CONTRACTS else 1


def _row(place: int, p: Ranked, measure: str) -> tuple[str, ...]:
    effect, times = p.effects[measure], _times(measure)
    here = "–" if effect.here is None else decimal(float(effect.here) * times, 3)
    share = effect.beyond_chance
    depends = "–" if share is None else f"{100 * share:.0f} %"
    return (str(place), p.point, _size_text(effect.size, times=times), here, depends, SAID[p.verdicts[measure]])


def _readings_table(points: Sequence[Ranked], measure: str) -> Table:
    rows = []
    for p in points:
        for reading, parts in p.effects[measure].main.items():
            largest = sorted(parts.items(), key=lambda item: -abs(float(item[1].value)))[:2]
            text = ", ".join(
                f"{name} {_text(s, sign=True, times=_times(measure))}" for name, s in largest if s.value or s.high
            )
            rows.append((f"{p.point}={reading}", text or "nothing in the mean"))
    return Table(
        "what a reading changes against the one in use, in the mean over backgrounds",
        ("reading", "its largest changes, 95 %"),
        tuple(rows),
    )


def _orders_blocks(r: Ranking, players: Sequence[Player]) -> list[Block]:
    found: list[Block] = []
    for order, player in zip(r.orders[1:], players[1:], strict=True):
        rows = tuple(
            (m, "–" if order.tau[m] is None else decimal(order.tau[m] or 0, 2, sign=True), _moves(order, m))
            for m in MEASURES
        )
        title = f"the order among others: {player_text(player)}, {player.design.deals} deals"
        found.append(Table(title, ("measure", "Kendall's tau", "what moves furthest"), rows))
        if order.left_out:
            found.append(Text(f"{order.left_out} switches could not be told of this player, who knows no other bids."))
    return found


def _moves(order: Order, measure: str, many: int = 3) -> str:
    every = order.moved[measure]
    more = f", and {len(every) - many} more" if len(every) > many else ""
    return ", ".join(f"{m.name} {m.first or 'none'}→{m.second or 'none'}" for m in every[:many]) + more or "nothing"


def rank_found(r: Ranking, players: Sequence[Player]) -> list[str]:
    """What was found, in sentences."""
    measure = r.plan.measure
    by = {v: [p.point for p in r.points if p.verdicts[measure] == v] for v in SAID}
    said = [
        f"Of {len(r.points)} points {len(by[MATTERS])} matter for {measure}, corrected for all that were asked at once"
        + (f": {', '.join(by[MATTERS])}." if by[MATTERS] else ".")
    ]
    if by[UNDECIDED]:
        said.append(
            f"Of {len(by[UNDECIDED])} some deals differed, but no mean effect is shown to differ from nought: "
            f"{', '.join(by[UNDECIDED])}."
        )
    if by[NEVER]:
        said.append(f"In these deals {len(by[NEVER])} never made any difference: {', '.join(by[NEVER])}.")
    for order, player in zip(r.orders[1:], players[1:], strict=True):
        tau = order.tau[measure]
        if tau is not None:
            said.append(f"The order of {player_text(player)} agrees with it by Kendall's tau {tau:+.2f}.")
    return said


# --- JSON and CSV ---------------------------------------------------------------------------------------


def rank_json(r: Ranking, players: Sequence[Player]) -> dict[str, Any]:
    """The whole ranking, the point first that matters most."""
    first = players[0]
    return {
        "rules": ruleset_json(r.space.base),
        "design": {
            "measure": r.plan.measure,
            "deals": first.design.deals,
            "sessions": len(first.design.lengths),
            "seed": first.design.seed,
            "bots": list(first.design.bots),
            "engine": first.engine,
            "all_combinations": r.valid is not None,
            "combinations": r.space.many,
            "valid": r.valid,
            "backgrounds": r.backgrounds,
            "draws": None if r.plan.exact else r.drawn,
            "played": r.played,
            "rule_sets": r.rule_sets,
            "interrupted": r.interrupted,
        },
        "points": [_point_json(n, p, r) for n, p in enumerate(r.points, 1)],
        "pairs": [
            {
                "points": list(t.points),
                "backgrounds": t.backgrounds,
                "together": {m: _sure_json(s) for m, s in t.sizes.items()},
            }
            for t in r.pairs
        ],
        "orders": [_order_json(o, p) for o, p in zip(r.orders, players, strict=True)],
        "refused": [
            {"point": f.point, "reading": f.reading, "backgrounds": f.count, "of": f.of, "reason": f.reason}
            for f in r.refused
        ],
    }


def _point_json(place: int, p: Ranked, r: Ranking) -> dict[str, Any]:
    state = next(s for s in r.space.points if s.point.id == p.point)
    return {
        "place": place if p.verdicts[r.plan.measure] in (MATTERS, UNDECIDED) else None,
        "point": p.point,
        "question": state.point.question,
        "reading": state.reading.id,
        "readings": [reading.id for reading in state.point.readings],
        "backgrounds": p.backgrounds,
        "verdicts": dict(p.verdicts),
        "effects": {m: _effect_json(e) for m, e in p.effects.items()},
    }


def _effect_json(e: Effect) -> dict[str, Any]:
    return {
        "size": _sure_json(e.size),
        "here": None if e.here is None else round(float(e.here), 6),
        "interaction": None if e.interaction is None else _sure_json(e.interaction),
        "interaction_beyond_chance": None if e.beyond_chance is None else round(e.beyond_chance, 6),
        "main": {reading: {part: _sure_json(s) for part, s in parts.items()} for reading, parts in e.main.items()},
    }


def _order_json(o: Order, p: Player) -> dict[str, Any]:
    return {
        "bots": list(p.design.bots),
        "held": p.held,
        "deals": p.design.deals,
        "sessions": len(p.design.lengths),
        "left_out": o.left_out,
        "tau": {m: None if t is None else round(t, 6) for m, t in o.tau.items()},
        "moved": {m: [{"point": x.name, "first": x.first, "second": x.second} for x in o.moved[m]] for m in MEASURES},
        "sizes": {m: {name: _sure_json(s) for name, s in o.sizes[m].items()} for m in MEASURES},
    }


def rank_csv(r: Ranking, players: Sequence[Player]) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The numbers in long form: one row a number."""
    columns = ("section", "measure", "point", "reading", "part", "value", "low", "high", "verdict")
    rows: list[tuple[object, ...]] = []

    def row(section: str, measure: str, point: str, reading: str, part: str, s: Sure, verdict: str = "") -> None:
        values = ("" if v is None else v for v in _sure_json(s).values())
        rows.append((section, measure, point, reading, part, *values, verdict))

    for p in r.points:
        for m in MEASURES:
            effect = p.effects.get(m)
            if effect is None:
                rows.append(("size", m, p.point, "", "", "", "", "", p.verdicts[m]))
                continue
            row("size", m, p.point, "", "", effect.size, p.verdicts[m])
            if effect.here is not None:
                row("here", m, p.point, "", "", Sure(effect.here))
            if effect.interaction is not None:
                row("interaction", m, p.point, "", "", effect.interaction)
            if effect.beyond_chance is not None:
                row("interaction beyond chance", m, p.point, "", "", Sure(effect.beyond_chance))
            for reading, parts in effect.main.items():
                for part, s in parts.items():
                    row("main", m, p.point, reading, part, s)
    for t in r.pairs:
        for m, s in t.sizes.items():
            row("together", m, t.points[0], "", t.points[1], s)
    for order, player in zip(r.orders[1:], players[1:], strict=True):
        for m in MEASURES:
            tau = order.tau[m]
            if tau is not None:
                row("tau", m, "", "", player_text(player), Sure(tau))
    return columns, rows


# --- pictures -------------------------------------------------------------------------------------------

MOST_DRAWN: Final = 20


def pictures_of(results: Mapping[str, Any]) -> tuple[Picture, ...]:
    """A tornado of what each point does to Hombre's payments, and the sizes in the measure asked for."""
    measure, design = results["design"]["measure"], results["design"]
    told = [p for p in results["points"] if p["place"] is not None]
    sample = f"{design['deals']} deals in {design['sessions']} sessions, {design['backgrounds']} backgrounds"
    sizes = tuple(
        Mark(label=p["point"], **{k: p["effects"][measure]["size"][k] for k in ("value", "low", "high")})
        for p in told[:MOST_DRAWN]
    )
    reach = []
    for p in told:
        by_reading = p["effects"][PAYMENTS]["main"].values()
        moves = [parts["hombre"]["value"] for parts in by_reading if "hombre" in parts]
        if any(moves):
            low, high = min(0.0, *moves), max(0.0, *moves)
            reach.append(Mark(label=p["point"], value=max(moves, key=abs), low=low, high=high))
    found = []
    if reach:
        reach.sort(key=lambda m: (-((m.high or 0) - (m.low or 0)), m.label))
        top = reach[0]
        found.append(
            Picture(
                name="rank-tornado",
                title="What the readings of each point do to Hombre's payments",
                alt=f"A bar for each disputed point, the widest first: {top.label} changes what Hombre is paid a deal "
                f"by {top.low:+.3f} to {top.high:+.3f} counters.",
                kind="tornado",
                rows=tuple(reach[:MOST_DRAWN]),
                value="change of Hombre's mean payment, counters a deal",
                label="point",
                caption="From the lowest to the highest mean, over backgrounds, of a reading against the one in use; "
                f"the stroke marks the larger change. Chance is not drawn, the tables have it; {sample}.",
            )
        )
    if sizes:
        found.append(
            Picture(
                name=f"rank-{measure}",
                title=f"How much a switch of each point changes {measure}",
                alt=f"A bar for each disputed point, the longest first: {sizes[0].label} with {sizes[0].value:.3f}.",
                kind="bars",
                rows=sizes,
                value=MEANS[measure].partition(":")[0],
                label="point",
                caption="Bars are mean sizes of a switch, lines their 95 % intervals, which reach down to 0 where no "
                f"mean change is shown; {sample}.",
            )
        )
    return tuple(found)
