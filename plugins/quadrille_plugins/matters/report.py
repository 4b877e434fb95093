"""Whether a reading matters, as tables, JSON and CSV."""

from typing import Any

from quadrille_core.engine.record import identity_to_plain
from quadrille_core.players import begins_anew
from quadrille_core.report.blocks import Block, Table, Text, with_signs
from quadrille_core.report.rules import differences_json
from quadrille_core.report.values import many, net_text, plainly, reference, ruleset_json
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.lab.accounts import partitions
from quadrille_plugins.lab.differences import difference_rows
from quadrille_plugins.lab.effects import CARRIED, DIRECT, ESTIMANDS, TOTAL
from quadrille_plugins.lab.equivalence import smallest_for
from quadrille_plugins.lab.observe import Example
from quadrille_plugins.lab.sequences import Bounds
from quadrille_plugins.lab.values import decimal, ruleset_text
from quadrille_plugins.lab.words import ANEW, column_name
from quadrille_plugins.matters.drill_down import DrillDown
from quadrille_plugins.matters.situations import place_json
from quadrille_plugins.matters.study import DIFFERENT, NONE, RARER, REFUSED, SAME, Cost, Finding, Matters, Mean
from quadrille_plugins.matters.targeted_search import SearchResult
from quadrille_plugins.matters.words import answer, bounds_text, effect_verdict, mean_text, name_of, rounded, share_text

Examples = dict[int, DrillDown]
"""The drill-down at findings, by their place."""

_STAGES = {
    "stakes": "at the stakes",
    "auction": "in the auction",
    "play": "in the play",
    "settlement": "at the settlement",
    "carrying": "in what is left to the next deal",
}
PARTITIONS = {
    "seats": "by seat, antes taken off, and what stays in no player's hand",
    "roles": "by role, over all players, and what stays in no player's hand",
}
_NET, _HOMBRE = "net: by the settlement, antes left out", "Hombre, a session"
_ORDER = {DIFFERENT: 0, NONE: 1, SAME: 2, REFUSED: 3}


# --- for a person -------------------------------------------------------------------------------


def matters_blocks(m: Matters, told: Examples) -> list[Block]:
    """The whole answer as tables: one alternative in full, several in one table."""
    blocks: list[Block] = [Text(ruleset_text(m.base, "A  "), strong=True)]
    point = m.findings[0].point if len({f.point for f in m.findings}) == 1 else None
    if point is not None:
        state = next(s for s in m.base.points if s.point.id == point)
        blocks.append(Text(f"{point}: {state.point.question}\nin use: {state.reading.id}"))
    if len({f.point for f in m.findings}) > 1:
        return [*blocks, _overview(m, told), Text("\n".join(_notes(m)))]
    for number, finding in enumerate(m.findings):
        blocks += _finding_blocks(m, finding, told.get(number))
    return [*blocks, Text("\n".join(_notes(m)))]


def _finding_blocks(m: Matters, f: Finding, told: DrillDown | None) -> list[Block]:
    blocks: list[Block] = [Text(f"B  {name_of(f)}\n{answer(m, f, told)}", strong=True)]
    if f.share is not None and f.verdict == DIFFERENT:
        blocks += _different(m, f, told)
    elif told is not None:
        blocks += _drill_down(told)
    costs = [cost_text(c, m) for c in f.costs]
    if costs:
        blocks.append(Text("\n".join(costs)))
    if f.rules_diff and f.point is None:
        rows = tuple(difference_rows(f.rules_diff, ("A", "B")))
        blocks.append(Table(f"rules that differ: {len(f.rules_diff)}", ("rule", "A", "B", "sources"), rows))
    return blocks


def _different(m: Matters, f: Finding, told: DrillDown | None) -> list[Block]:
    rows = [("deals played", many(f.deals), "")]
    rows.append(("matched starts", many(f.trials), ""))
    share = f"{share_text(f.diverged / f.trials)} ({bounds_text(f.share)})" if f.share else ""
    rows.append(("  that diverge", many(f.diverged), share))
    rows += [(f"    first {_STAGES[s]}", many(n), share_text(n / f.trials)) for s, n in f.stages.items() if n]
    if f.diverged and f.paid_share is not None:
        paid = f"{share_text(f.paid / f.trials)} ({bounds_text(f.paid_share)})"
        rows.append(("  that diverge and payments differ", many(f.paid), paid))
    often = Table("how often it matters", ("", "deals", "of matched starts"), tuple(rows), frozenset({"deals"}))
    blocks: list[Block] = [*_gains(m, f), often]
    if told is not None:
        blocks += _drill_down(told)
    lines = []
    if f.weight is not None:
        lines.append(
            f"{decimal(f.weight)} counters move differently in a matched start that diverges, antes among them, summed "
            "over the players."
        )
    if f.paired is not None and f.paired > 1:
        saved = many(round(f.deals * (f.paired - 1)))
        lines.append(
            f"Paired deals: with different deals for A and B the seats' intervals would need {f.paired:.1f} times as "
            f"many, {saved} more under each."
        )
    if lines:
        blocks.append(Text("\n".join(lines)))
    if told is not None:
        blocks += _example(m, f, told)
    return blocks


def _gains(m: Matters, f: Finding) -> list[Block]:
    """Who gains: a table for each partition, whose columns of numbers sum to zero."""
    if not f.gains:
        return []
    d, players = m.design, len(m.design.bots)
    gains = {g.column: g for g in f.gains}
    shown = [e for e in (TOTAL, DIRECT, CARRIED) if e in f.gains[0].means]
    heads = ("", *shown, "verdict" if len(shown) == 1 else "verdict on the total", "sessions that differ")
    blocks: list[Block] = []
    for partition, columns in partitions(players).items():
        rows = tuple(
            (
                column_name(c, players),
                *(mean_text(gains[c].means[e]) for e in shown),
                effect_verdict(gains[c].total),
                many(gains[c].total.differing),
            )
            for c in columns
            if c in gains
        )
        title = f"what each gains by B in a session of {d.session_deals} deals, in counters, {PARTITIONS[partition]}"
        blocks.append(Table(title, heads, rows, frozenset({*shown, heads[-1]})))
    text = (
        f"Verdicts: an effect is larger or smaller than {d.interest_in('seat 0'):g} counters a seat and session "
        f"(--smallest), a sum over players than {d.interest_in('hombre'):g}, or undecided; then with about how many "
        "deals a verdict takes."
    )
    if f.replayed:
        text += (
            f" Direct: {many(f.replayed)} deals of A replayed under B from the same standing; carried: the rest, by "
            "way of pools and what else one deal leaves to the next."
        )
        if f.lost.get("any"):
            text += f" Of the deals replayed {many(f.lost['any'])} stood as B cannot hold."
    return [*blocks, Text(text)]


def _drill_down(told: DrillDown) -> list[Block]:
    """How often the rule is triggered, where deals diverge, and the targeted search."""
    blocks: list[Block] = []
    if told.triggered is not None:
        r = told.triggered
        blocks.append(
            Text(
                f"The rule is triggered in {many(r.triggered)} of {many(r.deals)} random deals under A "
                f"({bounds_text(r.share)}); {many(r.diverged)} of these diverge."
            )
        )
    if told.where is not None:
        rows = tuple((where, many(n)) for where, n in told.where.counts)
        title = f"where exactly, of a random sample of {told.where.deals} deals that diverge"
        blocks.append(Table(title, ("", "deals"), rows, frozenset({"deals"})))
    if told.searched:
        found = tuple(_sought(s) for s in told.searched)
        columns = ("", "tried", "trigger it", "diverge", "counters")
        title = "targeted search, which states no probability (counters: that move differently in one)"
        blocks.append(Table(title, columns, found, frozenset(columns[1:])))
    return blocks


def _sought(s: SearchResult) -> tuple[str, ...]:
    counters = decimal(s.weight / s.diverged) if s.diverged else "–"
    return s.title, many(s.tried), many(s.triggered), many(s.diverged), counters


def _example(m: Matters, f: Finding, told: DrillDown) -> list[Block]:
    """The simplest divergent deal, simplified further on request."""
    if told.example is not None:
        records = told.example.records
        sentence = with_signs(told.example.sentence)
        nets = [record.get("net") or {} for record in records]
        shown = tuple(
            (name, with_signs(hand), *(str(net.get(name, "–")).replace("-", "−") for net in nets))
            for name, hand in zip(records[0]["players"], records[0]["hands"], strict=True)
        )
        return [
            Text(f"a plain deal in which they diverge:\n{sentence}"),
            Table(_NET, ("", "hand", "net A", "net B"), shown, frozenset({"net A", "net B"}), frozenset({"hand"})),
        ]
    if told.where is None:
        return []
    e = told.where.example.example_deal
    pairs = zip("AB", (e.divergence.first, e.divergence.second), e.records, strict=True)
    shown = tuple((letter, with_signs(text), net_text(record)) for letter, text, record in pairs)
    bots = m.design.bots[0] if len(set(m.design.bots)) == 1 else ",".join(m.design.bots)
    refs = [reference(c.identity) for c in (m.base, f.compiled) if c is not None]
    hints = "\n".join(
        f"quadrille deal {ref} --seed {m.design.seed} --session {e.session} --deal {e.deal} --players {bots}"
        for ref in refs
    )
    title = f"an example: session {e.session}, deal {e.deal}: {told.where.example.where}"
    return [Table(title, ("", "first difference", "net"), shown), Text(hints)]


def cost_text(cost: Cost, m: Matters) -> str:
    """What more knowledge would cost, in a sentence."""
    match cost.until:
        case "precision":
            return (
                f"To bound it by {share_text(m.design.precision)}: {many(cost.deals)} deals, if none of them diverges."
            )
        case "tenth_of_precision":
            rare = share_text(m.design.precision / RARER)
            return f"To look for what is rarer, down to {rare}: {many(cost.deals)} deals, if none of them diverges."
        case _:
            return f"For a verdict on every effect: about {rounded(cost.deals)} deals{_play_on(m, cost.deals)}."


def _play_on(m: Matters, deals: int) -> str:
    """The options that play N deals."""
    options = ["--seats"] * (not m.design.seats) + [f"--deals {deals}"] * (deals > m.design.deals)
    return f" ({' '.join(options)})" if options else ""


def _overview(m: Matters, told: Examples) -> Block:
    order = sorted(
        range(len(m.findings)),
        key=lambda i: (_ORDER[m.findings[i].verdict], -m.findings[i].diverged / max(1, m.findings[i].trials), i),
    )
    rows = []
    for i in order:
        f = m.findings[i]
        drill_down = told.get(i)
        where = drill_down.where.counts[0][0] if drill_down and drill_down.where else f.refusal
        if drill_down is not None and f.verdict == DIFFERENT and not f.diverged:
            shown = drill_down.triggered is not None and drill_down.triggered.shown is not None
            where = "what players hold besides" if shown else "targeted search alone"
        hombre = next((f"{mean_text(g.total)}  {g.total.verdict}" for g in f.gains if g.column == "hombre"), "")
        parts = (
            ""
            if f.share is None
            else share_text(f.diverged / f.trials)
            if f.diverged
            else f"≤ {share_text(f.share.high)}"
        )
        rows.append((name_of(f), f.verdict, many(f.deals) if f.deals else "", parts, where, hombre))
    columns = ("reading", "verdict", "deals", "diverge", "where mostly", _HOMBRE)
    title = "readings not in use, each against the one in use"
    return Table(title, columns, tuple(rows), frozenset({"deals", "diverge", _HOMBRE}), frozenset({"reading"}))


def _notes(m: Matters) -> list[str]:
    d = m.design
    played = [f for f in m.findings if f.deals]
    if not played:
        return ["Nothing was played."]
    lines = [
        (
            f"At most {many(d.deals)} deals in sessions of {d.session_deals}, the same cards under each rule set; "
            f"seed {d.seed}; bots {', '.join(dict.fromkeys(d.bots))}; {m.engine} engine"
        )
    ]
    if begins_anew(d.bots):
        lines.append(ANEW)
    if m.interrupted:
        lines.append("Interrupted: this is what was known by then; the bounds hold all the same.")
    level = f"{100 * (1 - d.alpha):.4g} %"
    lines.append(
        f"Bounds and intervals hold at every number of deals at once, those of a share at {level}"
        + (
            f" (5 % divided by {d.alternatives} alternatives: all bounds of one kind hold together at 95 %)"
            if d.alternatives > 1
            else ""
        )
        + (
            f", those of payments together at {level}, over all rows{' and columns' if d.estimands > 1 else ''}."
            if any(f.gains for f in played)
            else "."
        )
    )
    if any(f.gains for f in played):
        lines.append(
            "Intervals of payments assume that no session differs by more than the largest sum won or lost in any "
            "session played; how often they fail was measured: docs/coverage.md."
        )
    lines.append("All this is of these bots' deals.")
    return lines


# --- JSON and CSV -------------------------------------------------------------------------------


def matters_json(m: Matters, told: Examples) -> dict[str, Any]:
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
            "smallest_of_sums": plain_amount(len(d.bots) * smallest_for(d.smallest, d.session_deals)),
            "within_of_sums": plain_amount(len(d.bots) * smallest_for(d.within, d.session_deals)),
            "alpha": d.alpha,
            **plainly(d, "columns", "estimands", "alternatives"),
            "verdicts_on_seats": d.seats,
            "interrupted": m.interrupted,
        },
        "findings": [_finding_json(m, f, told.get(i)) for i, f in enumerate(m.findings)],
    }


def _finding_json(m: Matters, f: Finding, told: DrillDown | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        **plainly(f, "point", "reading"),
        "rules": None if f.compiled is None else identity_to_plain(f.compiled.identity),
        "verdict": f.verdict,
        "answer": answer(m, f, told),
    }
    if f.verdict == REFUSED:
        return {**found, "refusal": f.refusal}
    if f.share is None:
        return found
    found |= {
        **plainly(f, "certain", "deals", "sessions"),
        "matched_starts": f.trials,
        "diverge": f.diverged,
        "share": _share_json(f.diverged, f.trials, f.share),
        "payments_differ": f.paid,
        "share_payments_differ": None if f.paid_share is None else _share_json(f.paid, f.trials, f.paid_share),
        "first_in": dict(f.stages),
        "cost": {c.until: c.deals for c in f.costs},
    }
    if f.verdict == DIFFERENT:
        found |= {
            "counters_that_move_differently": None if f.weight is None else round(float(f.weight), 6),
            "effects": _effects_json(f, len(m.design.bots)),
            "deals_replayed": f.replayed,
            "states_lost": dict(f.lost),
            "pairing": None if f.paired is None else round(f.paired, 6),
            "deals_saved_by_pairing": None if f.paired is None else round(f.deals * (f.paired - 1)),
        }
    found["rules_diff"] = differences_json(f.rules_diff)
    return found | _drill_down_json(told) if told is not None else found


def _share_json(count: int, of: int, bounds: Bounds) -> dict[str, float]:
    return {"mean": round(count / of, 9), "low": round(bounds.low, 9), "high": round(bounds.high, 9)}


def _drill_down_json(told: DrillDown) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if told.triggered is not None:
        r = told.triggered
        found["triggered"] = {
            "deals": r.deals,
            "triggered": r.triggered,
            "diverge": r.diverged,
            "share": _share_json(r.triggered, r.deals, r.share),
        }
    if told.where is not None:
        found["where"] = {"sampled": told.where.deals, "counts": dict(told.where.counts)}
    if told.proof is not None:
        found["example"] = _example_json(told, told.proof)
    if told.searched:
        found["targeted_search"] = [
            {
                **plainly(s, "strategy", "tried"),
                "triggered": s.triggered,
                "diverge": s.diverged,
                "where": dict(s.where),
                "counters_that_move_differently": round(float(s.weight / s.diverged), 6) if s.diverged else None,
            }
            for s in told.searched
        ]
    if told.example is not None:
        x = told.example
        found["shrunk"] = {
            "sentence": x.sentence,
            "rules": list(x.rules),
            "place": place_json(x.place, x.records[0]["players"]),
            "minimal": x.minimal,
            "records": list(x.records),
        }
    return found


def _example_json(told: DrillDown, proof: Example) -> dict[str, Any]:
    """The deal that proves the difference: an artificial one only when no random one is known."""
    made, where = False, "what players hold besides"
    if told.where is not None:
        where = told.where.example.where
    elif told.triggered is None or told.triggered.shown is None:
        made, where = True, "targeted search"
    return {
        "session": None if made else proof.session,
        "deal": None if made else proof.deal,
        "where": where,
        "diverges_in": proof.divergence.stage,
        **plainly(proof.divergence, "first", "second"),
        "records": list(proof.records),
    }


def _effects_json(f: Finding, players: int) -> dict[str, Any]:
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


def _mean_json(mean: Mean) -> dict[str, Any]:
    return {
        "mean": round(float(mean.mean), 6),
        **plainly(mean.bounds, "low", "high"),
        "sessions_that_differ": mean.differing,
        "held_against": round(mean.interest, 6),
        "verdict": mean.verdict,
        "deals_for_a_verdict": mean.deals,
    }


def matters_csv(m: Matters) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The numbers in long form: one row a number."""
    columns = (
        "reading", "verdict", "deals", "matched_starts", "diverge", "of", "partition", "column", "mean", "low", "high",
        "effect",
    )  # fmt: skip
    rows: list[tuple[object, ...]] = []
    for f in m.findings:
        start = (name_of(f), f.verdict, f.deals, f.trials, f.diverged)
        if f.share is None:
            rows.append((*start, *[""] * 7))
            continue
        shares = [("share of matched starts that diverge", f.diverged, f.share)]
        if f.paid_share is not None:
            shares.append(("share of matched starts whose payments differ", f.paid, f.paid_share))
        for of, many_of, bounds in shares:
            rows.append((*start, of, "", "", *_share_json(many_of, f.trials, bounds).values(), ""))
        for estimand, found in _effects_json(f, len(m.design.bots)).items():
            for partition, by_column in found.items():
                for column, told in by_column.items():
                    numbers = (told[name] for name in ("mean", "low", "high", "verdict"))
                    rows.append((*start, estimand, partition, column, *numbers))
    return columns, rows
