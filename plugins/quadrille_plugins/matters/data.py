"""Whether a reading matters, as JSON and CSV; ``report`` tells it."""

from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.deal.players import begins_anew
from quadrille_plugins.diff.differences import differences_json
from quadrille_plugins.matters.drill_down import DrillDown
from quadrille_plugins.matters.situations import place_json
from quadrille_plugins.matters.study import DIFFERENT, REFUSED, Finding, Matters, Mean
from quadrille_plugins.matters.words import answer, lowest_and_highest, name_of
from quadrille_plugins.shell.values import (
    Json,
    Row,
    Rows,
    identity_to_plain,
    plainly,
    refusal_json,
    ruleset_json,
)
from quadrille_plugins.studies.accounts import partitions
from quadrille_plugins.studies.effects import ESTIMANDS
from quadrille_plugins.studies.equivalence import smallest_for
from quadrille_plugins.studies.observe import Example
from quadrille_plugins.studies.over_sessions import distribution_json
from quadrille_plugins.studies.paired import PICKED_ROLES
from quadrille_plugins.studies.sequences import Bounds
from quadrille_plugins.studies.values import range_json

Examples = dict[int, DrillDown]
"""The drill-down at findings, by their place."""


def matters_json(m: Matters, drilled: Examples) -> Json:
    """The whole answer."""
    d = m.design
    return {
        "rules": ruleset_json(m.base),
        "design": {
            **plainly(d, "seed", "bots"),
            "engine": m.engine,
            "pool_reset_each_deal": begins_anew(d.bots),
            "session_deals": d.session_deals,
            "most_deals": d.deals,
            "precision": d.precision,
            "smallest": plain_amount(smallest_for(d.smallest, d.session_deals)),
            "within": plain_amount(smallest_for(d.within, d.session_deals)),
            "smallest_unit": f"counters a seat and session of {d.session_deals} deals",
            "smallest_of_sums": plain_amount(d.players * smallest_for(d.smallest, d.session_deals)),
            "within_of_sums": plain_amount(d.players * smallest_for(d.within, d.session_deals)),
            "alpha": d.alpha,
            **plainly(d, "columns", "estimands", "alternatives"),
            **({"family": list(d.members)} if d.others else {}),
            "verdicts_on_seats": d.seats,
            "interrupted": m.interrupted,
        },
        "findings": [_finding_json(m, f, drilled.get(i)) for i, f in enumerate(m.findings)],
    }


def _finding_json(m: Matters, f: Finding, drilled: DrillDown | None) -> Json:
    found: Json = {
        **plainly(f, "point", "reading"),
        "rules": None if f.compiled is None else identity_to_plain(f.compiled.identity),
        "verdict": f.verdict,
        "answer": answer(m, f, drilled),
    }
    if f.verdict == REFUSED:
        return {**found, **refusal_json(f.refusal)}
    if f.share is None:
        return found
    found |= {
        **_counts_json(f),
        "first_in": dict(f.stages),
        "cost": {
            c.until: c.deals if isinstance(c.deals, int) else range_json(c.deals) for c in f.costs
        },
    }
    if f.family:
        low, high = lowest_and_highest(f)
        found |= {
            "seldomest_by": low,
            "oftenest_by": high,
            "verdicts": {
                c: {**plainly(e, "answer", "low", "high", "least", "most"), "by": list(e.by)}
                for c, e in f.verdicts.items()
            },
            "family": {
                who: {
                    **_counts_json(one),
                    "effects": _effects_json(one, m.design.players),
                    "over_sessions": {
                        c: told for c, told in _over_json(one).items() if c in PICKED_ROLES
                    },
                }
                for who, one in f.family.items()
            },
        }
    if f.verdict == DIFFERENT:
        found |= {
            "counters_that_move_differently": None
            if f.weight is None
            else round(float(f.weight), 6),
            "effects": _effects_json(f, m.design.players),
            "over_sessions": _over_json(f),
            "deals_replayed": f.replayed,
            "states_lost": dict(f.lost),
            "pairing": None if f.paired is None else round(f.paired, 6),
            "deals_saved_by_pairing": None if f.paired is None else round(f.deals * (f.paired - 1)),
        }
    found["rules_diff"] = differences_json(f.rules_diff)
    return found | _drill_down_json(drilled) if drilled is not None else found


def _counts_json(f: Finding) -> Json:
    """How much was played, and how often something differed."""
    return {
        **plainly(f, "certain", "deals", "sessions"),
        "matched_starts": f.trials,
        "diverge": f.diverged,
        "share": _share_json(f.diverged, f.trials, f.share),
        "payments_differ": f.paid,
        "share_payments_differ": _share_json(f.paid, f.trials, f.paid_share),
    }


def _share_json(count: int, of: int, bounds: Bounds | None) -> dict[str, float] | None:
    return (
        None
        if bounds is None
        else {
            "mean": round(count / of, 9),
            "low": round(bounds.low, 9),
            "high": round(bounds.high, 9),
        }
    )


def _drill_down_json(drilled: DrillDown) -> Json:
    found: Json = {}
    if drilled.triggered is not None:
        r = drilled.triggered
        found["triggered"] = {
            **plainly(r, "deals", "triggered"),
            "diverge": r.diverged,
            "share": _share_json(r.triggered, r.deals, r.share),
        }
    if drilled.where is not None:
        found["where"] = {"sampled": drilled.where.deals, "counts": dict(drilled.where.counts)}
    if drilled.proof is not None:
        found["example"] = _example_json(drilled, drilled.proof)
    if drilled.where is not None and drilled.where.payments is not None:
        found["example_of_payments"] = _deal_json(
            drilled.where.payments.example_deal, drilled.where.payments.where
        )
    if drilled.searched:
        found["targeted_search"] = [
            {
                **plainly(s, "strategy", "tried", "triggered"),
                "diverge": s.diverged,
                "where": dict(s.where),
                "counters_that_move_differently": round(float(s.weight / s.diverged), 6)
                if s.diverged
                else None,
            }
            for s in drilled.searched
        ]
    if drilled.example is not None:
        x = drilled.example
        found["shrunk"] = {
            **plainly(x, "sentence", "rules"),
            "place": place_json(x.place, x.records[0]["players"]),
            "minimal": x.minimal,
            "records": list(x.records),
        }
    return found


def _example_json(drilled: DrillDown, proof: Example) -> Json:
    """The deal that proves the difference: an artificial one only when no random one is known."""
    made, where = False, "what players hold besides"
    if drilled.where is not None:
        where = drilled.where.example.where
    elif drilled.triggered is None or drilled.triggered.shown is None:
        made, where = True, "targeted search"
    found = _deal_json(proof, where)
    return {**found, "session": None, "deal": None} if made else found


def _deal_json(proof: Example, where: str) -> Json:
    return {
        **plainly(proof, "session", "deal"),
        "where": where,
        "diverges_in": proof.divergence.stage,
        **plainly(proof.divergence, "first", "second"),
        "records": list(proof.records),
    }


def _effects_json(f: Finding, players: int) -> Json:
    """By estimand, partition and column; the means of a partition sum to zero."""
    gains = {g.column: g for g in f.gains}
    return {
        estimand: {
            partition: {c: _mean_json(gains[c].means[estimand]) for c in columns if c in gains}
            for partition, columns in partitions(players).items()
        }
        for estimand in ESTIMANDS
        if f.gains and estimand in f.gains[0].means
    }


def _over_json(f: Finding) -> Json:
    return {column: distribution_json(found) for column, found in f.over_sessions.items()}


def _mean_json(mean: Mean) -> Json:
    return {
        "mean": round(float(mean.mean), 6),
        **plainly(mean.bounds, "low", "high"),
        "sessions_that_differ": mean.differing,
        "held_against": round(mean.interest, 6),
        "verdict": mean.answer,
        "deals_needed": range_json(mean.needed),
    }


def _rows_of_all(f: Finding, players: int) -> list[Row]:
    """The verdicts by all members of a family, as rows."""
    start, verdicts = (name_of(f), f.verdict, "", "", ""), f.verdicts
    return [
        (*start, "total", partition, c, "", e.low, e.high, e.answer, "all")
        for partition, names in partitions(players).items()
        for c in names
        if (e := verdicts.get(c)) is not None
    ]


def matters_csv(m: Matters) -> Rows:
    """The numbers in long form: one row a number."""
    columns = (
        "reading",
        "verdict",
        "deals",
        "matched_starts",
        "diverge",
        "of",
        "partition",
        "column",
        "mean",
        "low",
        "high",
        "effect",
        "player",
    )
    rows: list[Row] = []
    alone = ",".join(dict.fromkeys(m.design.bots))
    asked = [(f, who or alone, one) for f in m.findings for who, one in f.by_member.items()]
    for whole, who, f in asked:
        start = (name_of(f), f.verdict, f.deals, f.trials, f.diverged)
        if f.share is None:
            rows.append((*start, *[""] * 8))
            continue
        shares = [("share of matched starts that diverge", f.diverged, f.share)]
        if f.paid_share is not None:
            shares.append(("share of matched starts whose payments differ", f.paid, f.paid_share))
        for of, many_of, bounds in shares:
            share = _share_json(many_of, f.trials, bounds) or {}
            rows.append((*start, of, "", "", *share.values(), "", who))
        for estimand, found in _effects_json(f, m.design.players).items():
            for partition, by_column in found.items():
                for column, effect in by_column.items():
                    numbers = (effect[name] for name in ("mean", "low", "high", "verdict"))
                    rows.append((*start, estimand, partition, column, *numbers, who))
        for column, figures in _over_json(f).items():
            for what, told in figures.items():
                ends = ("" if told[key] is None else told[key] for key in ("value", "low", "high"))
                what_of = f"over sessions, {what.replace('_', ' ')}"
                rows.append((*start, what_of, "", column, *ends, "", who))
        if f is list(whole.by_member.values())[-1]:
            rows += _rows_of_all(whole, m.design.players)
    return columns, rows
