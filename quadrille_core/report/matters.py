"""Whether a reading matters, as tables, JSON and CSV."""

from typing import Any

from quadrille_core.engine.record import identity_to_plain
from quadrille_core.report.blocks import Block, Table, Text, with_signs
from quadrille_core.report.comparison import net_text, reference
from quadrille_core.report.effects import role_name
from quadrille_core.report.rules import difference_rows, differences_json
from quadrille_core.report.values import decimal, identity_text
from quadrille_core.study.closer import Closer
from quadrille_core.study.matters import DIFFERENT, NONE, RARER, REFUSED, SAME, Cost, Finding, Gain, Matters, Mean
from quadrille_core.study.observe import Telling
from quadrille_core.study.seek import Sought
from quadrille_core.study.sequences import FEWEST_MOVED, Bounds
from quadrille_core.study.situations import place_json

Examples = dict[int, Closer]
"""A closer look at findings, by their place."""

_STAGES = {
    "stakes": "at the stakes",
    "auction": "in the auction",
    "play": "in the play",
    "settlement": "at the settlement",
    "carrying": "in what is left to the next deal",
}
_SEVERAL = {
    "hombre": "Hombre, without antes",
    "ally": "the ally, without antes",
    "adversary": "the adversaries, without antes",
}
_ANTES = (
    "Seats: antes and settlements. Hombre, the ally and the adversaries together: settlements alone; antes are put "
    "before anybody is Hombre."
)
_NET, _HOMBRE = "net: by the settlement, antes left out", "Hombre, a session, without antes"
_ORDER = {DIFFERENT: 0, NONE: 1, SAME: 2, REFUSED: 3}


# --- numbers in print ---------------------------------------------------------------------------


def share_text(value: float) -> str:
    """A share in per cent; one so small that this says nothing, as one in so many."""
    if value <= 0:
        return "0"
    return f"{100 * value:.2f} %" if value >= 0.01 else f"1 in {many(round(1 / value))}"


def bounds_text(bounds: Bounds) -> str:
    """The ends of a share's interval."""
    return f"{share_text(bounds.low)} to {share_text(bounds.high)}"


def many(number: int) -> str:
    """A count with its thousands apart."""
    return f"{number:,}".replace(",", " ")


def _mean_text(mean: Mean, digits: int = 2) -> str:
    if mean.bounds is None:
        return decimal(mean.mean, digits, sign=True) + (" ± ?" if mean.moved else "")
    star = "  *" if mean.bounds.low > 0 or mean.bounds.high < 0 else ""
    return f"{decimal(mean.mean, digits, sign=True)} ± {decimal(mean.bounds.half, digits)}{star}"


def _payee(name: str, players: int) -> str:
    return _SEVERAL.get(name) or role_name(name, players)


def name_of(finding: Finding) -> str:
    """The rival in short: the reading, or the other rule set."""
    if finding.point is not None:
        return f"{finding.point}={finding.reading}"
    return identity_text(finding.compiled.identity) if finding.compiled is not None else ""


# --- for a person -------------------------------------------------------------------------------


def matters_blocks(m: Matters, told: Examples) -> list[Block]:
    """The whole answer for a person: one rival in full, several in one table."""
    blocks: list[Block] = [Text(f"A  {identity_text(m.base.identity)}  {m.base.title}", strong=True)]
    point = m.findings[0].point if len({f.point for f in m.findings}) == 1 else None
    if point is not None:
        state = next(s for s in m.base.points if s.point.id == point)
        blocks.append(Text(f"{point}: {state.point.question}\nin use: {state.reading.id}"))
    if len({f.point for f in m.findings}) > 1:
        return [*blocks, _overview(m, told), Text("\n".join(_notes(m)))]
    for number, finding in enumerate(m.findings):
        blocks += _finding_blocks(m, finding, told.get(number))
    return [*blocks, Text("\n".join(_notes(m)))]


def verdict_text(finding: Finding, told: Closer | None = None) -> str:
    """The verdict in a sentence."""
    match finding.verdict:
        case "same rules":
            return "same rules: both compile to the same rules, and nothing need be played"
        case "not comparable":
            return f"not comparable: {finding.refusal}"
        case "no difference":
            bound = share_text(finding.share.high if finding.share else 1.0)
            return (
                f"no difference in {many(finding.trials)} deals: on average, a deal parts with a chance of "
                f"at most {bound}"
            )
        case _ if not finding.parted:
            bound = share_text(finding.share.high if finding.share else 1.0)
            none = (
                f"none of {many(finding.trials)} deals as they come parts, and on average one does with a chance of "
                f"at most {bound}"
            )
            shown = told.reached.shown if told is not None and told.reached is not None else None
            if shown is None:
                return f"different: a deal made on purpose proves it; {none}"
            return (
                f"different: in session {shown.session}, deal {shown.deal}, {shown.parting.first} under A, "
                f"{shown.parting.second} under B; in cards, payments and pools {none}"
            )
        case _:
            return f"different: {many(finding.parted)} of {many(finding.trials)} deals begun alike part"


def _finding_blocks(m: Matters, f: Finding, told: Closer | None) -> list[Block]:
    blocks: list[Block] = [Text(f"B  {name_of(f)}\n{verdict_text(f, told)}", strong=True)]
    if f.share is not None and f.verdict == DIFFERENT:
        blocks += _different(m, f, told)
    elif told is not None:
        blocks += _closer(told)
    costs = [cost_text(c, m) for c in f.costs]
    if costs:
        blocks.append(Text("\n".join(costs)))
    if f.rules_diff and f.point is None:
        rows = tuple(difference_rows(f.rules_diff, ("A", "B")))
        blocks.append(Table(f"rules that differ: {len(f.rules_diff)}", ("rule", "A", "B", "sources"), rows))
    return blocks


def _different(m: Matters, f: Finding, told: Closer | None) -> list[Block]:
    rows = [("deals played", many(f.deals), "")]
    rows.append(("begun alike", many(f.trials), ""))
    share = f"{share_text(f.parted / f.trials)} ({bounds_text(f.share)})" if f.share else ""
    rows.append(("  that part", many(f.parted), share))
    rows += [(f"    first {_STAGES[s]}", many(n), share_text(n / f.trials)) for s, n in f.stages.items() if n]
    if f.parted and f.paid_share is not None:
        paid = f"{share_text(f.paid / f.trials)} ({bounds_text(f.paid_share)})"
        rows.append(("  that part and pay otherwise", many(f.paid), paid))
    blocks: list[Block] = [
        Table("how often it matters", ("", "deals", "of those begun alike"), tuple(rows), frozenset({"deals"}))
    ]
    if told is not None:
        blocks += _closer(told)
    columns = ("", "a deal begun alike", "a deal that parts", "a session", "pairing")
    gains = tuple(
        (
            _payee(g.payee, len(m.design.bots)),
            _mean_text(g.alike, 4),
            *(_mean_text(mean) for mean in (g.parted, g.session)),
            _times(g.paired),
        )
        for g in f.gains
    )
    title = f"what each gains by B, in counters; a session is {m.design.session_deals} deals (* not zero)"
    if gains:
        blocks.append(Table(title, columns, gains, frozenset(columns[1:])))
    lines = [_ANTES] if gains else []
    if f.weight is not None:
        lines.append(
            f"{decimal(f.weight)} counters move otherwise in a deal that parts, antes among them, summed over the "
            "players."
        )
    if f.paired is not None and f.paired > 1:
        saved = many(round(f.deals * (f.paired - 1)))
        lines.append(
            f"Played on the same deals: with different deals for A and B the seats' intervals would need "
            f"{f.paired:.1f} times as many, {saved} more under each."
        )
    if lines:
        blocks.append(Text("\n".join(lines)))
    if told is not None:
        blocks += _example(m, f, told)
    return blocks


def _closer(told: Closer) -> list[Block]:
    """How often the situation is reached, where deals part, and what was sought."""
    blocks: list[Block] = []
    if told.reached is not None:
        r = told.reached
        blocks.append(
            Text(
                f"The situation is reached by {many(r.reached)} of {many(r.deals)} deals as they come under A "
                f"({bounds_text(r.share)}); {many(r.parted)} of these part."
            )
        )
    if told.where is not None:
        rows = tuple((where, many(n)) for where, n in told.where.counts)
        title = f"where exactly, of {len(told.where.all)} deals drawn by lot"
        blocks.append(Table(title, ("", "deals"), rows, frozenset({"deals"})))
    if told.sought:
        found = tuple(_sought(s) for s in told.sought)
        columns = ("", "tried", "reach it", "part", "counters")
        title = "sought on purpose, which tells nothing of how often (counters: that move otherwise in one)"
        blocks.append(Table(title, columns, found, frozenset(columns[1:])))
    return blocks


def _sought(s: Sought) -> tuple[str, ...]:
    counters = decimal(s.weight / s.parted) if s.parted else "–"
    return s.title, many(s.tried), many(s.reached), many(s.parted), counters


def _times(ratio: float | None) -> str:
    return "–" if ratio is None else f"× {ratio:.1f}"


def _example(m: Matters, f: Finding, told: Closer) -> list[Block]:
    """The plainest deal that parts, made plainer still where that was asked for."""
    if told.example is not None:
        records = told.example.records
        sentence = with_signs(told.example.sentence)
        nets = [record.get("net") or {} for record in records]
        shown = tuple(
            (name, with_signs(hand), *(str(net.get(name, "–")).replace("-", "−") for net in nets))
            for name, hand in zip(records[0]["players"], records[0]["hands"], strict=True)
        )
        return [
            Text(f"the plainest deal found in which they part:\n{sentence}"),
            Table(_NET, ("", "hand", "net A", "net B"), shown, frozenset({"net A", "net B"}), frozenset({"hand"})),
        ]
    if told.where is None:
        return []
    e = told.where.example.telling
    pairs = zip("AB", (e.parting.first, e.parting.second), e.records, strict=True)
    shown = tuple((letter, with_signs(text), net_text(record)) for letter, text, record in pairs)
    bots = m.design.bots[0] if len(set(m.design.bots)) == 1 else ",".join(m.design.bots)
    refs = [reference(c.identity) for c in (m.base, f.compiled) if c is not None]
    hints = "\n".join(
        f"quadrille deal {ref} --seed {m.design.seed} --session {e.session} --deal {e.deal} --players {bots}"
        for ref in refs
    )
    title = f"an example: session {e.session}, deal {e.deal}: {told.where.example.where}"
    return [Table(title, ("", "first otherwise", "net"), shown), Text(hints)]


def cost_text(cost: Cost, m: Matters) -> str:
    """What more knowledge would cost, in a sentence."""
    match cost.until:
        case "precision":
            return f"To bound it by {share_text(m.design.precision)}: {many(cost.deals)} deals, if none of them parts."
        case "rarer":
            rare = share_text(m.design.precision / RARER)
            return f"To look for what is rarer, down to {rare}: {many(cost.deals)} deals, if none of them parts."
        case "intervals":
            return f"To see {FEWEST_MOVED} sessions that differ, which intervals take: about {many(cost.deals)} deals."
        case _:
            return f"To know every payment within {m.design.within:g} counters a deal: about {many(cost.deals)} deals."


def _overview(m: Matters, told: Examples) -> Block:
    order = sorted(
        range(len(m.findings)),
        key=lambda i: (_ORDER[m.findings[i].verdict], -m.findings[i].parted / max(1, m.findings[i].trials), i),
    )
    rows = []
    for i in order:
        f = m.findings[i]
        closer = told.get(i)
        where = closer.where.counts[0][0] if closer and closer.where else f.refusal
        if closer is not None and f.verdict == DIFFERENT and not f.parted:
            shown = closer.reached is not None and closer.reached.shown is not None
            where = "what players hold besides" if shown else "made on purpose"
        hombre = next((_mean_text(g.session) for g in f.gains if g.payee == "hombre"), "")
        parts = (
            "" if f.share is None else share_text(f.parted / f.trials) if f.parted else f"≤ {share_text(f.share.high)}"
        )
        rows.append((name_of(f), f.verdict, many(f.deals) if f.deals else "", parts, where, hombre))
    columns = ("reading", "verdict", "deals", "part", "where mostly", _HOMBRE)
    title = "readings not in use, each against the one in use"
    return Table(title, columns, tuple(rows), frozenset({"deals", "part", _HOMBRE}), frozenset({"reading"}))


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
    if m.interrupted:
        lines.append("Interrupted: this is what was known by then; the bounds hold all the same.")
    level = f"{100 * (1 - d.alpha):.4g} %"
    lines.append(
        f"Bounds and intervals hold at every number of deals at once, each at {level}"
        + (
            f" (5 % divided by {d.rivals} rivals: all bounds of one kind hold together at 95 %)."
            if d.rivals > 1
            else "."
        )
    )
    if any(f.gains for f in played):
        lines.append(
            "Bounds of shares are exact; intervals of payments rest on a limit theorem and are the truer the more "
            "sessions differ. They are not corrected among several players or columns: the more of them one reads, "
            "the likelier one misses the truth, or seems to be not zero."
        )
    lines.append(
        f"± ?: fewer than {FEWEST_MOVED} sessions differ, too few for an interval; nought without ±: none differs. "
        "All this is of these bots' deals."
    )
    return lines


# --- JSON and CSV -------------------------------------------------------------------------------


def matters_json(m: Matters, told: Examples) -> dict[str, Any]:
    """The whole answer."""
    d = m.design
    return {
        "rules": identity_to_plain(m.base.identity),
        "design": {
            "seed": d.seed,
            "bots": list(d.bots),
            "engine": m.engine,
            "session_deals": d.session_deals,
            "most_deals": d.deals,
            "precision": d.precision,
            "within": d.within,
            "alpha": d.alpha,
            "rivals": d.rivals,
            "interrupted": m.interrupted,
        },
        "findings": [_finding_json(f, told.get(i)) for i, f in enumerate(m.findings)],
    }


def _finding_json(f: Finding, told: Closer | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "point": f.point,
        "reading": f.reading,
        "rules": None if f.compiled is None else identity_to_plain(f.compiled.identity),
        "verdict": f.verdict,
    }
    if f.verdict == REFUSED:
        return {**found, "refusal": f.refusal}
    if f.share is None:
        return found
    found |= {
        "certain": f.certain,
        "deals": f.deals,
        "sessions": f.sessions,
        "begun_alike": f.trials,
        "parted": f.parted,
        "share": _share_json(f.parted, f.trials, f.share),
        "paid_otherwise": f.paid,
        "share_paid_otherwise": None if f.paid_share is None else _share_json(f.paid, f.trials, f.paid_share),
        "first_in": dict(f.stages),
        "cost": {c.until: c.deals for c in f.costs},
    }
    if f.verdict == DIFFERENT:
        found |= {
            "counters_that_move_otherwise": None if f.weight is None else round(float(f.weight), 6),
            "gains": {g.payee: _gain_json(g) for g in f.gains},
            "pairing": None if f.paired is None else round(f.paired, 6),
            "deals_saved_by_pairing": None if f.paired is None else round(f.deals * (f.paired - 1)),
        }
    found["rules_diff"] = differences_json(f.rules_diff)
    return found | _closer_json(told) if told is not None else found


def _share_json(count: int, of: int, bounds: Bounds) -> dict[str, float]:
    return {"mean": round(count / of, 9), "low": round(bounds.low, 9), "high": round(bounds.high, 9)}


def _closer_json(told: Closer) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if told.reached is not None:
        r = told.reached
        found["reached"] = {
            "deals": r.deals,
            "reached": r.reached,
            "parted": r.parted,
            "share": _share_json(r.reached, r.deals, r.share),
        }
    if told.where is not None:
        found["where"] = {"drawn": len(told.where.all), "counts": dict(told.where.counts)}
    if told.proof is not None:
        found["example"] = _example_json(told, told.proof)
    if told.sought:
        found["sought"] = [
            {
                "strategy": s.strategy,
                "tried": s.tried,
                "reached": s.reached,
                "parted": s.parted,
                "where": dict(s.where),
                "counters_that_move_otherwise": round(float(s.weight / s.parted), 6) if s.parted else None,
            }
            for s in told.sought
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


def _example_json(told: Closer, proof: Telling) -> dict[str, Any]:
    """The deal that proves it: made on purpose only where none is known that comes by itself."""
    made, where = False, "what players hold besides"
    if told.where is not None:
        where = told.where.example.where
    elif told.reached is None or told.reached.shown is None:
        made, where = True, "made on purpose"
    return {
        "session": None if made else proof.session,
        "deal": None if made else proof.deal,
        "where": where,
        "parts_in": proof.parting.stage,
        "first": proof.parting.first,
        "second": proof.parting.second,
        "records": list(proof.records),
    }


def _gain_json(g: Gain) -> dict[str, Any]:
    def mean(m: Mean) -> dict[str, Any]:
        low, high = (None, None) if m.bounds is None else (round(m.bounds.low, 6), round(m.bounds.high, 6))
        return {"mean": round(float(m.mean), 6), "low": low, "high": high, "sessions_that_differ": m.moved}

    return {
        "antes": "counted" if g.payee.startswith("seat ") else "left out",
        "deal_begun_alike": mean(g.alike),
        "deal_that_parts": mean(g.parted),
        "session": mean(g.session),
        "pairing": None if g.paired is None else round(g.paired, 6),
    }


def matters_csv(m: Matters) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The numbers in long form: one row a number."""
    columns = ("reading", "verdict", "deals", "begun_alike", "parted", "of", "payee", "antes", "mean", "low", "high")
    rows: list[tuple[object, ...]] = []
    for f in m.findings:
        start = (name_of(f), f.verdict, f.deals, f.trials, f.parted)
        if f.share is None:
            rows.append((*start, "", "", "", "", "", ""))
            continue
        shares = [("share of deals begun alike", f.parted, f.share)]
        if f.paid_share is not None:
            shares.append(("share of deals begun alike with somebody paid otherwise", f.paid, f.paid_share))
        for of, many_of, bounds in shares:
            rows.append((*start, of, "", "", *_share_json(many_of, f.trials, bounds).values()))
        for g in f.gains:
            told = _gain_json(g)
            for of in ("deal_begun_alike", "deal_that_parts", "session"):
                numbers = (told[of][name] for name in ("mean", "low", "high"))
                rows.append((*start, of, g.payee, told["antes"], *("" if v is None else v for v in numbers)))
    return columns, rows
