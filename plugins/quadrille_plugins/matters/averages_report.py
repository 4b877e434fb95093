"""Effects averaged over readings, as a sentence, tables, JSON and CSV."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.matters.averages import Averages, Span
from quadrille_plugins.matters.study import Mean
from quadrille_plugins.matters.weights import Combination, WeighedPoint, lines_by_reading
from quadrille_plugins.matters.words import mean_text
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.fact_words import reported_only
from quadrille_plugins.shell.values import (
    Json,
    Row,
    Rows,
    capital,
    identity_to_plain,
    many,
    never_met,
    plainly,
    ruleset_json,
)
from quadrille_plugins.shell.wrapping import filled
from quadrille_plugins.studies.accounts import partitions
from quadrille_plugins.studies.answers import laid_out, played_by
from quadrille_plugins.studies.equivalence import smallest_for
from quadrille_plugins.studies.family import whoever
from quadrille_plugins.studies.values import decimal, ruleset_text
from quadrille_plugins.studies.words import column_name, the_column

HOMBRE: Final = "hombre"


def answer(m: Averages) -> str:
    """What the Hombre gains on average, and beside it the range over all weights."""
    everybody = range(len(m.runs))
    span, asked = m.span(HOMBRE, everybody), whoever(len(m.runs))
    of = f"{' and '.join(p.state.point.id for p in m.points)}"
    session = f"counters a session of {m.design.session_deals} deals"
    within = f"{_ends(span.least, span.most)} ({_ends(span.low, span.high)} with its intervals)"
    by_all = f", {asked}" if len(m.runs) > 1 else ""
    if not m.has_average:
        return (
            f"Whatever weights the readings of {of} are given, on average "
            f"{the_column(HOMBRE, m.design.players)} gains {within} {session} beside the readings "
            f"in use{by_all}. {_without_weights(m)}, so there is no average."
        )
    mean = mean_text(m.average(0, HOMBRE))
    low, high = _by_all([m.average(table, HOMBRE) for table in everybody])
    family = f" by {m.design.members[0]} ({_ends(low, high)} by all)" if len(m.runs) > 1 else ""
    return (
        f"Averaged over the readings of {of} by your weights, "
        f"{the_column(HOMBRE, m.design.players)} gains {mean} {session} beside the readings in "
        f"use{family}. {capital(f'over all weights it is {within}{by_all}.')}"
    )


def _without_weights(m: Averages) -> str:
    """Which of the points have no weights."""
    names = [p.state.point.id for p in m.points if not p.weights]
    if len(names) == len(m.points):
        return "No weights are given"
    return f"No weights are given for {' and '.join(names)}"


def _by_all(means: Sequence[Mean]) -> tuple[float, float]:
    """Between what an effect lies by all players."""
    return min(mean.low for mean in means), max(mean.high for mean in means)


def _ends(low: float, high: float) -> str:
    return f"{decimal(low, 1, sign=True)} to {decimal(high, 1, sign=True)}"


# --- for a person -------------------------------------------------------------------------------


def averages_blocks(m: Averages, *, details: bool) -> list[Block]:
    """The whole answer: what each gains, every combination, and who attests the readings."""
    main: list[Block] = [_table(m, "roles"), _combinations(m)]
    main += [Text(_lines_text(m, point)) for point in m.points]
    return laid_out(
        answer(m),
        "\n".join([ruleset_text(m.base), *never_met(reported_only((m.base,)))]),
        main,
        sure=_sure(m),
        more=lambda: [_table(m, "seats"), *([_members(m)] if len(m.runs) > 1 else [])],
        details=details,
        shows="effects by seat" + (", and by each player" if len(m.runs) > 1 else ""),
    )


def _table(m: Averages, partition: str) -> Table:
    """The average and the range over all weights, by column."""
    everybody, family = range(len(m.runs)), len(m.runs) > 1
    first = ["average"] * m.has_average
    heads = ("", *first, *([f"by all {len(m.runs)}"] if first and family else []), _RANGE)
    rows = []
    for column in _shown(m, partition):
        span = m.span(column, everybody)
        cells = [mean_text(m.average(0, column))] if m.has_average else []
        if m.has_average and family:
            cells.append(_ends(*_by_all([m.average(table, column) for table in everybody])))
        rows.append((column_name(column, m.design.players), *cells, _ends(span.low, span.high)))
    title = (
        "what each gains beside the readings in use, counters in a session of "
        f"{m.design.session_deals} deals"
    )
    average = f"the average by {m.design.members[0]} and by all; " if m.has_average else ""
    by_all = f", by all {len(m.runs)} players"
    range_told = f"over all weights the range of all intervals{by_all * family}"
    title += f"\n({average * family}{range_told})"
    return Table(title, heads, tuple(rows), frozenset(heads[1:]))


_RANGE: Final = "over all weights"


def _shown(m: Averages, partition: str) -> Iterator[str]:
    return (c for c in partitions(m.design.players)[partition] if c in m.columns)


def _combinations(m: Averages) -> Table:
    """Every combination with its weight, and what the Hombre gains by it."""
    heads = (
        ", ".join(p.state.point.id for p in m.points),
        *(["weight"] * m.has_average),
        f"by {m.design.members[0]}",
    )
    by_all = f"by all {len(m.runs)}"
    heads += (by_all,) if len(m.runs) > 1 else ()
    found = [m.effects(table, HOMBRE) for table in range(len(m.runs))]
    rows = []
    for place, one in enumerate(m.combinations):
        effects = [e for some in found if (e := some[place]) is not None]
        name = ", ".join(one.readings.values()) + " (in use)" * (not place)
        weight = [_weight_text(one.weight)] if one.weight is not None else []
        first = mean_text(effects[0]) if effects else "0 by the rules"
        rest = [_ends(*_by_all(effects)) if effects else ""] if len(m.runs) > 1 else []
        rows.append((name, *weight, first, *rest))
    title = f"what {the_column(HOMBRE, m.design.players)} gains by each combination of readings"
    return Table(title, heads, tuple(rows), frozenset(heads[1:]))


def _weight_text(weight: Fraction) -> str:
    return str(weight) if weight.denominator < 100 else f"{float(weight):.3g}"


def _members(m: Averages) -> Table:
    """What the Hombre gains by each player."""
    rows = []
    for table, who in enumerate(m.design.members):
        span = m.span(HOMBRE, [table])
        mean = [mean_text(m.average(table, HOMBRE))] if m.has_average else []
        rows.append((who, *mean, _ends(span.least, span.most), _ends(span.low, span.high)))
    heads = ("played by", *(["average"] * m.has_average), _RANGE, "with intervals")
    title = f"what {the_column(HOMBRE, m.design.players)} gains, by each player"
    return Table(title, heads, tuple(rows), frozenset(heads[1:]))


def _lines_text(m: Averages, point: WeighedPoint) -> str:
    """Who attests each reading, by line of descent."""
    by_reading = lines_by_reading(m.base, point)
    lines = [f"{point.state.point.id}: {point.state.point.question}"]
    for reading, some in by_reading.items():
        mark = "→" if reading == point.used else " "
        weight = f" (weight {_weight_text(point.weights[reading])})" if point.weights else ""
        numbers = dict.fromkeys(number for number, _ in some)
        told = "; ".join(
            f"line {number}: {', '.join(source for n, (source, _) in some if n == number)}"
            for number in numbers
        )
        lines += filled(f"  {mark} {reading}{weight}: {told or 'no text'}", more=6)
    lines += [
        f"  Line {number} has texts with several of these readings: it is one vote in all."
        for number in _shared(by_reading)
    ]
    return "\n".join(lines)


def _shared(by_reading: Mapping[str, Sequence[tuple[int, object]]]) -> list[int]:
    """The lines whose texts have several of the readings."""
    by_line: dict[int, set[str]] = {}
    for reading, some in by_reading.items():
        for number, _ in some:
            by_line.setdefault(number, set()).add(reading)
    return sorted(number for number, readings in by_line.items() if len(readings) > 1)


def _sure(m: Averages) -> str:
    d = m.design
    deals = sorted({run.sums.deals for run in m.runs})
    played = " to ".join(dict.fromkeys(map(many, (deals[0], deals[-1]))))
    bots = d.members if d.others else d.bots
    divided = [f"{d.alternatives} effects", f"{d.columns} columns"]
    divided += [f"{len(m.runs)} players"] if len(m.runs) > 1 else []
    stopped = " Interrupted: this is what was known by then." if m.interrupted else ""
    return (
        f"{played} deals in sessions of {d.session_deals}, the same cards by every combination; "
        f"seed {d.seed}; {played_by(bots)}.{stopped} All intervals hold together at 95 %, at every "
        f"number of deals at once (5 % divided by {', '.join(divided)}); that of the average is of "
        "the sessions' averages. Weights are yours; the program has none."
    )


# --- as data ------------------------------------------------------------------------------------


def averages_json(m: Averages) -> Json:
    """The whole answer."""
    d = m.design
    everybody = range(len(m.runs))
    return {
        "rules": ruleset_json(m.base),
        "design": {
            **plainly(d, "seed", "bots"),
            "engine": m.engine,
            "session_deals": d.session_deals,
            "most_deals": d.deals,
            "within": plain_amount(smallest_for(d.within, d.session_deals)),
            "alpha": d.alpha,
            "columns": d.columns,
            "effects": d.alternatives,
            "players": list(d.members),
            "interrupted": m.interrupted,
        },
        "answer": answer(m),
        "points": [_point_json(m, point) for point in m.points],
        "combinations": [_combination_json(m, n, one) for n, one in enumerate(m.combinations)],
        "average": _by_player(m, lambda table, c: _mean_json(m.average(table, c)))
        if m.has_average
        else None,
        "over_all_weights": {
            **_by_player(m, lambda table, c: _span_json(m.span(c, [table]))),
            "all": _parts(m, lambda c: _span_json(m.span(c, everybody))),
        },
        "deals": {who: run.sums.deals for who, run in zip(d.members, m.runs, strict=True)},
    }


def _parts(m: Averages, told: Callable[[str], Json]) -> Json:
    """By partition and column."""
    return {part: {c: told(c) for c in _shown(m, part)} for part in partitions(m.design.players)}


def _by_player(m: Averages, told: Callable[[int, str], Json]) -> Json:
    return {who: _parts(m, partial(told, table)) for table, who in enumerate(m.design.members)}


def _point_json(m: Averages, point: WeighedPoint) -> Json:
    return {
        "point": point.state.point.id,
        "question": point.state.point.question,
        "in_use": point.used,
        "readings": {
            reading: {
                "weight": str(point.weights[reading]) if point.weights else None,
                "attested": [
                    {"line": number, "source": source, "at": at or None}
                    for number, (source, at) in some
                ],
            }
            for reading, some in lines_by_reading(m.base, point).items()
        },
    }


def _combination_json(m: Averages, place: int, one: Combination) -> Json:
    effects = _by_player(m, lambda table, c: _mean_json(m.effects(table, c)[place]))
    return {
        "readings": dict(one.readings),
        "weight": None if one.weight is None else str(one.weight),
        "rules": identity_to_plain(one.compiled.identity),
        "same_rules": one.same,
        "effects": effects,
    }


def _mean_json(mean: Mean | None) -> Json:
    if mean is None:
        return {"mean": 0.0, "low": 0.0, "high": 0.0}
    return {"mean": round(float(mean.mean), 6), **plainly(mean.bounds, "low", "high")}


def _span_json(span: Span) -> Json:
    return plainly(span, "least", "most", "low", "high")


def averages_csv(m: Averages) -> Rows:
    """The numbers in long form: one row a number."""
    columns = ("of", "weight", "partition", "column", "mean", "low", "high", "player")
    rows: list[Row] = []
    told = averages_json(m)
    of: list[tuple[str, object, Json]] = [
        (one.name, one.weight, found["effects"])
        for one, found in zip(m.combinations, told["combinations"], strict=True)
    ]
    of += [("average", "", told["average"])] if m.has_average else []
    for name, weight, by_player in of:
        for who, parts in by_player.items():
            for part, found in parts.items():
                rows += [
                    (name, "" if weight is None else weight, part, c, *numbers.values(), who)
                    for c, numbers in found.items()
                ]
    for who, parts in told["over_all_weights"].items():
        for part, found in parts.items():
            for c, span in found.items():
                for end, bound in (("least", "low"), ("most", "high")):
                    outer = (span["low"], "") if bound == "low" else ("", span["high"])
                    rows.append((f"{end} over all weights", "", part, c, span[end], *outer, who))
    return columns, rows
