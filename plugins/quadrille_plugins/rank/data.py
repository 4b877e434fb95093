"""A ranking of disputed points as JSON and CSV."""

from collections.abc import Iterator, Sequence
from typing import Final

from quadrille_plugins.deal.players import begins_anew
from quadrille_plugins.rank.effects import MEASURES, PAYMENTS, Sure
from quadrille_plugins.rank.play import Lineup
from quadrille_plugins.rank.report import UNITS, most_of, player_text
from quadrille_plugins.rank.study import Family, PlayerRanking, RankedPoint, Ranking
from quadrille_plugins.shell.values import Json, Row, Rows, plainly, refusal_json, ruleset_json
from quadrille_plugins.studies.equivalence import NEAR
from quadrille_plugins.studies.values import range_json


def rank_json(r: Ranking, players: Sequence[Lineup]) -> Json:
    """The whole ranking, the point first that matters most."""
    first = players[0]
    return {
        "rules": ruleset_json(r.space.base),
        "design": {
            "estimand": "total",
            "measure": r.plan.measure,
            "units": dict(UNITS),
            "smallest": dict(r.plan.smallest),
            "counts_at_most": {m: most_of(r, m) for m in MEASURES},
            **first.design.to_json(),
            **({"family": list(r.plan.family)} if r.plan.members > 1 else {}),
            "engine": first.engine,
            "all_configurations": r.valid is not None,
            "configurations": r.space.many,
            "valid": r.valid,
            "sampled_configurations": r.sample_size,
            "draws": None if r.plan.exact else r.drawn,
            **plainly(r, "played", "rule_sets", "interrupted"),
        },
        "points": [_point_json(p, r) for p in r.points],
        "pairs": [
            {
                "points": list(t.points),
                "together": {m: plainly(e, *_TOGETHER) for m, e in t.effects.items()},
            }
            for t in r.pairs
        ],
        "orders": [
            {**_order_json(o, p), **(_member_json(o) if o.places and r.plan.members > 1 else {})}
            for o, p in zip(r.orders, players, strict=True)
        ],
        "configurations": [plainly(s) for s in r.curve],
        "refused": [
            {
                **plainly(f, "point", "reading"),
                "sampled_configurations": f.count,
                "of": f.of,
                **refusal_json(f.reason, "reason"),
            }
            for f in r.refused
        ],
    }


def _point_json(p: RankedPoint, r: Ranking) -> Json:
    state = next(s for s in r.space.points if s.point.id == p.point)
    return {
        "place": p.place.place if p.place else None,
        "place_low": p.place.low if p.place else None,
        "place_high": p.place.high if p.place else None,
        "point": p.point,
        "question": state.point.question,
        "reading": state.reading.id,
        "readings": [reading.id for reading in state.point.readings],
        "sampled_configurations": p.sample_size,
        "differed": p.differed,
        "verdicts": {
            m: {
                "verdict": v.kind,
                "near": v.said == NEAR,
                "configurations_needed": range_json(v.configurations),
                "deals_needed": range_json(v.deals),
            }
            for m, v in p.verdicts.items()
        },
        **({"family": {m: _family_json(f) for m, f in p.family.items()}} if p.family else {}),
        "effects": {
            m: {
                **plainly(e, *_EFFECT),
                "as_they_are": plainly(p.own[m]) if m in p.own else None,
                "readings": {name: plainly(each, *_EFFECT) for name, each in p.readings[m].items()},
            }
            for m, e in p.effects.items()
        },
    }


def _family_json(f: Family) -> Json:
    low, high = f.sizes
    return {
        "low": plainly(f.size)["low"],
        "high": plainly(f.size)["high"],
        **plainly(f, "least", "most"),
        "sizes": [plainly(Sure(low))["value"], plainly(Sure(high))["value"]],
        "by": list(f.by),
    }


_EFFECT: Final = (
    "size",
    "above_noise",
    "depends",
    "units",
    "differing",
    "beyond",
    "signed",
    "sigma",
)
_TOGETHER: Final = ("size", "units", "differing", "beyond")


def _order_json(o: PlayerRanking, p: Lineup) -> Json:
    return {
        "bots": list(p.design.bots),
        "held": p.held,
        "pool_reset": begins_anew(p.design.bots),
        "deals": p.design.deals,
        "sessions": len(p.design.lengths),
        "left_out": o.left_out,
        "tau": {
            m: {"value": told.pop("tau"), **told}
            for m, a in o.correlations.items()
            for told in [plainly(a)]
        },
        "moved": {
            m: [{"point": x.name, **plainly(x, "first", "second")} for x in found]
            for m, found in o.moved.items()
        },
        "sizes": {m: {name: plainly(s) for name, s in o.sizes[m].items()} for m in MEASURES},
    }


def _member_json(o: PlayerRanking) -> Json:
    """What is told of a member of a family besides."""
    return {
        "places": {name: plainly(place) for name, place in o.places.items()},
        "verdicts": {
            m: {name: v.kind for name, v in found.items()} for m, found in o.verdicts.items()
        },
    }


def rank_csv(r: Ranking, players: Sequence[Lineup]) -> Rows:
    """The numbers in long form: one row a number."""
    columns = ("section", "measure", "point", "reading", "account")
    rows: list[Row] = []
    for p in r.points:
        if p.place is not None:
            place = Sure(p.place.place, p.place.low, p.place.high)
            rows.append(_row("place", r.plan.measure, p.point, "", "", place))
        for m in MEASURES:
            rows += _point_rows(r, p, m)
    for t in r.pairs:
        for m, e in t.effects.items():
            rows.append(_row("together", m, t.points[0], "", t.points[1], e.size))
    for n, specification in enumerate(r.curve, 1):
        for account, s in specification.changes[PAYMENTS].items():
            rows.append(_row("configuration", PAYMENTS, str(n), "", account, s))
        for point, reading in specification.choices.items():
            rows.append(("choice", "", point, reading, "", n, "", "", ""))
    for order, player in zip(r.orders[1:], players[1:], strict=True):
        for m in MEASURES:
            a = order.correlations[m]
            if a.tau is not None:
                tau = Sure(a.tau, a.low, a.high)
                rows.append(_row("tau", m, "", "", player_text(player), tau))
    return (*columns, "value", "low", "high", "verdict"), rows


def _row(
    section: str, measure: str, point: str, reading: str, account: str, s: Sure, verdict: str = ""
) -> Row:
    values = ("" if v is None else v for v in plainly(s).values())
    return (section, measure, point, reading, account, *values, verdict)


def _point_rows(r: Ranking, p: RankedPoint, m: str) -> Iterator[Row]:
    """What is found of a point by one measure."""
    verdict, effect = p.verdicts[m].kind, p.effects.get(m)
    if effect is None:
        yield ("size", m, p.point, "", "", "", "", "", verdict)
        return
    yield _row("size", m, p.point, "", "", effect.size, verdict)
    if m in p.family:
        yield _row("size by all", m, p.point, "", "", p.family[m].size, verdict)
    for what in ("configurations", "deals"):
        ends = getattr(p.verdicts[m], what)
        if ends is not None:
            yield (f"{what} needed", m, p.point, "", "", "", *ends, verdict)
    if m in p.own:
        yield _row("as they are", m, p.point, "", "", p.own[m])
    if effect.depends is not None:
        yield _row("depends", m, p.point, "", "", Sure(effect.depends))
    if most_of(r, m) is not None:
        yield _row("beyond", m, p.point, "", "", Sure(effect.beyond))
    for reading, each in p.readings[m].items():
        yield _row("size of reading", m, p.point, reading, "", each.size)
        for account, s in each.signed.items():
            yield _row("signed", m, p.point, reading, account, s)
        for account, sigma in each.sigma.items():
            yield _row("sigma", m, p.point, reading, account, Sure(sigma))
