"""Whether a reading matters, as sentences and tables; ``data`` has the same as JSON and CSV."""

from collections.abc import Callable, Sequence

from quadrille_plugins.deal.players import begins_anew
from quadrille_plugins.matters.data import Examples
from quadrille_plugins.matters.divergence import DivergentDeal
from quadrille_plugins.matters.drill_down import DrillDown
from quadrille_plugins.matters.shrink import Shrunk
from quadrille_plugins.matters.study import (
    DIFFERENT,
    NONE,
    RARER,
    REFUSED,
    SAME,
    Cost,
    Finding,
    Matters,
)
from quadrille_plugins.matters.targeted_search import SearchResult
from quadrille_plugins.matters.words import (
    answer,
    bounds_text,
    effect_verdict,
    mean_text,
    name_of,
    overall,
    range_text,
    readings_text,
    scope_text,
    share_text,
    sides,
)
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.fact_words import reported_only
from quadrille_plugins.shell.values import (
    many,
    never_met,
    reference,
    refusal_text,
    seat_names,
    with_signs,
)
from quadrille_plugins.shell.wrapping import command_lines
from quadrille_plugins.studies.accounts import partitions
from quadrille_plugins.studies.answers import laid_out, played_by
from quadrille_plugins.studies.design import as_typed
from quadrille_plugins.studies.differences import rules_table
from quadrille_plugins.studies.effects import CARRIED, DIRECT, TOTAL
from quadrille_plugins.studies.over_sessions import distribution_tables
from quadrille_plugins.studies.sequences import Bounds
from quadrille_plugins.studies.values import decimal, ruleset_text
from quadrille_plugins.studies.words import ANEW, column_name, example_lines, seated

_STAGES = {
    "stakes": "at the stakes",
    "auction": "in the auction",
    "play": "in the play",
    "settlement": "at the settlement",
    "carrying": "in what is left to the next deal",
}
PARTITIONS = {
    "seats": "(by seat, antes taken off, and what no player holds)",
    "roles": "(by role, over all players, and what no player holds)",
}
_NET, _HOMBRE = "net: by the settlement, antes left out", "Hombre, a session"
_ORDER = {DIFFERENT: 0, NONE: 1, SAME: 2, REFUSED: 3}


def matters_blocks(m: Matters, drilled: Examples, *, details: bool) -> list[Block]:
    """The whole answer: one point's alternatives each in full, several points in one table.

    Without ``details`` the answer, who gains, how often, and a deal as an example.
    """
    scope = scope_text(m)
    heads = [*([scope] if scope else []), ruleset_text(m.base)]
    for state in m.base.points if not several(m) else ():
        if m.findings and state.point.id == m.findings[0].point:
            heads.append(readings_text(state))
    heads += [
        f"against {ruleset_text(f.compiled)}"
        for f in m.findings
        if f.point is None and f.compiled is not None
    ]
    heads += never_met(reported_only([m.base, *(f.compiled for f in m.findings if f.compiled)]))
    sure, *notes = _notes(m)

    def each(told: Callable[[Matters, Finding, DrillDown | None], list[Block]]) -> list[Block]:
        return [block for n, f in enumerate(m.findings) for block in told(m, f, drilled.get(n))]

    main: list[Block] = [_overview(m)] if several(m) else each(_main)
    if several(m):
        shows = "the verdicts, where deals diverge, what bounds and intervals mean"
    else:
        shows = "effects by seat, how often and where deals diverge, the targeted search, what "
        shows += "more deals would tell"
    return laid_out(
        "\n".join(answers(m, drilled)),
        "\n".join(heads),
        main,
        sure=sure,
        more=lambda: [
            *([_verdicts(m, drilled)] if several(m) else each(_finding_blocks)),
            *([Text("\n".join(notes))] if notes else []),
        ],
        details=details,
        shows=shows,
    )


def several(m: Matters) -> bool:
    """Whether several points are asked about."""
    return len({f.point for f in m.findings}) > 1


def answers(m: Matters, drilled: Examples) -> list[str]:
    """The answer on several points in one sentence, or on each alternative to one."""
    if several(m):
        return [overall(m)]
    return [answer(m, f, drilled.get(n)) for n, f in enumerate(m.findings)]


def _main(m: Matters, f: Finding, drilled: DrillDown | None) -> list[Block]:
    """What is shown of a finding without details."""
    if f.share is None or f.verdict != DIFFERENT:
        return []
    blocks: list[Block] = [_gains_table(m, f, "roles"), Text(_held_against(m))] if f.gains else []
    return [*blocks, *([Text(_example_text(m, f, drilled))] if drilled is not None else [])]


def _finding_blocks(m: Matters, f: Finding, drilled: DrillDown | None) -> list[Block]:
    blocks: list[Block] = [Text(name_of(f), strong=True)] if len(m.findings) > 1 else []
    if f.share is not None and f.verdict == DIFFERENT:
        blocks += _different(m, f, drilled)
    elif drilled is not None:
        blocks += _drill_down(m, f, drilled)
    costs = [cost_text(c, m) for c in f.costs]
    if costs:
        blocks.append(Text("\n".join(costs)))
    if f.rules_diff and f.point is None and f.compiled is not None:
        blocks.append(rules_table(f.rules_diff, 0, 1, [m.base, f.compiled]))
    return blocks


def _different(m: Matters, f: Finding, drilled: DrillDown | None) -> list[Block]:
    rows = [("deals played", many(f.deals), ""), ("matched starts", many(f.trials), "")]
    rows.append(("  that diverge", many(f.diverged), _with_bounds(f.diverged, f.trials, f.share)))
    rows += [
        (f"    first {_STAGES[s]}", many(n), share_text(n / f.trials))
        for s, n in f.stages.items()
        if n
    ]
    paid = _with_bounds(f.paid, f.trials, f.paid_share)
    rows.append(("  that diverge and payments differ", many(f.paid), paid))
    title = f"how often it matters, played by {m.design.bots[0]}"
    often = Table(title, ("", "deals", "of matched starts"), tuple(rows), frozenset({"deals"}))
    over = distribution_tables(
        f.distributions, m.design.players, m.design.session_deals, sides(m, f)[1]
    )
    blocks: list[Block] = [*_gains(m, f), *over, often, *([_members(f)] if f.family else [])]
    if drilled is not None:
        blocks += _drill_down(m, f, drilled)
    if f.weight is not None:
        blocks.append(
            Text(
                f"{decimal(f.weight)} counters move differently in a matched start that diverges, "
                "antes among them, summed over the players."
            )
        )
    if drilled is not None:
        blocks += _example(m, f, drilled)
    return blocks


def _with_bounds(count: int, trials: int, bounds: Bounds | None) -> str:
    return "" if bounds is None else f"{share_text(count / trials)} ({bounds_text(bounds)})"


def _members(f: Finding) -> Table:
    """How often deals diverge, and what the Hombre gains, by each member of a family."""
    hombre = {who: mean_text(mean) for who, mean in f.by_all("hombre").items()}
    rows = tuple(
        (
            who,
            many(one.deals),
            _with_bounds(one.diverged, one.trials, one.share),
            hombre.get(who, ""),
        )
        for who, one in f.family.items()
    )
    heads = ("played by", "deals", "of matched starts diverge", _HOMBRE)
    return Table("by each player", heads, rows, frozenset({"deals", _HOMBRE}))


def _gains(m: Matters, f: Finding) -> list[Block]:
    """Who gains: the table by seat (that by role comes before the details), and what its words
    mean."""
    if not f.gains:
        return []
    blocks: list[Block] = [_gains_table(m, f, "seats")]
    if f.replayed:
        blocks.append(
            Text(
                f"Direct: {many(f.replayed)} deals replayed under the other rules from the same "
                "state; carried: the rest, by way of pools and what else one deal leaves to the "
                f"next. {many(f.lost.get('any', 0))} of these states the other rules cannot hold."
            )
        )
    return blocks


def _held_against(m: Matters) -> str:
    """What the verdicts say, and where their size comes from."""
    d = m.design
    return (
        f"“Smaller” and “larger” are said of {d.interest_in('seat 0'):g} counters a session for a "
        f"seat, the smallest effect of interest (--smallest), and of {d.interest_in('hombre'):g} "
        f"for a role: as much for each of {d.players} players. Undecided: between how many deals "
        "a verdict takes, in 90 of 100 such cases."
    )


def _gains_table(m: Matters, f: Finding, partition: str) -> Table:
    """What each gains by the alternative, by seat or by role; each column of numbers sums to
    zero."""
    d, players = m.design, m.design.players
    gains = {g.column: g for g in f.gains}
    shown = [e for e in (TOTAL, DIRECT, CARRIED) if e in f.gains[0].means]
    verdict = "verdict" if len(shown) == 1 else "verdict on the total"
    heads: tuple[str, ...] = ("", *shown, verdict, "sessions that differ")
    if f.family:
        heads = ("", f"by {d.bots[0]}", *shown[1:], f"by all {len(f.family)} players", verdict)
    found = f.verdicts
    rows = tuple(
        (
            column_name(c, players),
            *(mean_text(gains[c].means[e]) for e in shown),
            *([" to ".join(found[c].ends_told)] if f.family else []),
            effect_verdict(f, c),
            *([] if f.family else [many(gains[c].total.differing)]),
        )
        for c in partitions(players)[partition]
        if c in gains
    )
    by = sides(m, f)[1] if f.point is None or len(m.findings) == 1 else name_of(f)
    title = (
        f"what each gains by {by}: counters in a session of {d.session_deals} "
        f"deals\n{PARTITIONS[partition]}"
    )
    return Table(title, heads, rows, frozenset(heads[1:]) - {verdict})


def _drill_down(m: Matters, f: Finding, drilled: DrillDown) -> list[Block]:
    """How often the rule is triggered, where deals diverge, and the targeted search."""
    blocks: list[Block] = []
    if drilled.triggered is not None:
        r = drilled.triggered
        blocks.append(
            Text(
                f"The rule is triggered in {many(r.triggered)} of {many(r.deals)} random deals "
                f"under {sides(m, f)[0]} ({bounds_text(r.share)}); {many(r.diverged)} of these "
                "diverge."
            )
        )
    if drilled.where is not None:
        rows = tuple((where, many(n)) for where, n in drilled.where.counts)
        title = f"where exactly, of a random sample of {drilled.where.deals} deals that diverge"
        blocks.append(Table(title, ("", "deals"), rows, frozenset({"deals"})))
    if drilled.searched:
        found = tuple(_sought(s) for s in drilled.searched)
        columns = ("", "tried", "trigger it", "diverge", "counters")
        title = (
            "targeted search, which states no probability (counters: that move differently in one)"
        )
        blocks.append(Table(title, columns, found, frozenset(columns[1:])))
    return blocks


def _sought(s: SearchResult) -> tuple[str, ...]:
    counters = decimal(s.weight / s.diverged) if s.diverged else "–"
    return s.title, many(s.tried), many(s.triggered), many(s.diverged), counters


def _example_text(m: Matters, f: Finding, drilled: DrillDown) -> str:
    """A deal as an example: a random one; an artificial one where none was met, which is said."""
    if drilled.where is not None:
        return "\n".join(_random_lines(m, f, drilled.where.shown))
    if drilled.example is not None:
        by = f" played by {m.design.bots[0]}" if f.family else ""
        return (
            f"No random deal{by} diverged. An artificial one that "
            f"does:\n{_simplified(drilled.example)}"
        )
    return "No random deal that diverged can be shown."


def _random_lines(m: Matters, f: Finding, found: DivergentDeal) -> list[str]:
    """What is played in a random deal, where it diverges, and what each player wins under
    either."""
    e = found.example_deal
    head = f"An example: session {e.session}, deal {e.deal}"
    return example_lines(head, f" ({found.where})", sides(m, f), e.divergence, e.records)


def _simplified(shrunk: Shrunk) -> str:
    """What happens in a deal simplified from one that diverges, with its players by seat."""
    return with_signs(seated(shrunk.sentence, shrunk.records[0]["players"]))


def _example(m: Matters, f: Finding, drilled: DrillDown) -> list[Block]:
    """A divergent deal simplified further, which is artificial, and how to see the random one card
    by card."""
    blocks: list[Block] = []
    if drilled.example is not None:
        records, names = drilled.example.records, sides(m, f)
        nets = [record.get("net") or {} for record in records]
        players = records[0]["players"]
        shown = tuple(
            (seat, with_signs(hand), *(str(net.get(name, "–")).replace("-", "−") for net in nets))
            for seat, name, hand in zip(
                seat_names(len(players)), players, records[0]["hands"], strict=True
            )
        )
        blocks += [
            Text(
                f"An artificial deal, simplified as far as they still "
                f"diverge:\n{_simplified(drilled.example)}"
            ),
            Table(_NET, ("", "hand", *names), shown, frozenset(names), frozenset({"hand"})),
        ]
    if drilled.where is None:
        return blocks
    e = drilled.where.shown.example_deal
    refs = [reference(c.identity) for c in (m.base, f.compiled) if c is not None]
    how = f"--seed {m.design.seed} --session {e.session} --deal {e.deal}"
    how += f" --players {as_typed(m.design.bots)}"
    hints = [line for ref in refs for line in command_lines(f"quadrille deal {ref} {how}")]
    lines = "\n".join(["The example above, card by card:", *hints])
    return [*blocks, Text(lines, on_page="")]


def cost_text(cost: Cost, m: Matters) -> str:
    """What more knowledge would cost, in a sentence."""
    match cost.until, cost.deals:
        case "precision", int(deals):
            bound = share_text(m.design.precision)
            return f"To bound it by {bound}: {many(deals)} deals, if none of them diverges."
        case "tenth_of_precision", int(deals):
            bound = share_text(m.design.precision / RARER)
            return f"To bound it by {bound}: {many(deals)} deals, if none of them diverges."
        case _, (low, high):
            return (
                f"For a verdict on every effect: {range_text((low, high))} in 90 of 100 such "
                f"cases{_play_on(m, high)}."
            )
        case _:
            return (
                "For a verdict on every effect no number of deals is enough for sure: one is "
                "near its size."
            )


def _play_on(m: Matters, deals: int) -> str:
    """The options that play N deals."""
    options = ["--seats"] * (not m.design.seats) + [f"--deals {deals}"] * (deals > m.design.deals)
    return f" ({' '.join(options)})" if options else ""


def _in_order(m: Matters) -> list[int]:
    """The findings by place, those that differ most often first."""
    return sorted(
        range(len(m.findings)),
        key=lambda i: (
            _ORDER[m.findings[i].verdict],
            -m.findings[i].diverged / max(1, m.findings[i].trials),
            i,
        ),
    )


def _overview(m: Matters) -> Table:
    """How often each alternative makes deals diverge, and what the Hombre gains by it."""
    rows = []
    for i in _in_order(m):
        f = m.findings[i]
        hombre = next((mean_text(g.total) for g in f.gains if g.column == "hombre"), "")
        if "hombre" in f.verdicts:
            hombre = " to ".join(f.verdicts["hombre"].ends_told)
        often: str = f.verdict
        if f.share is not None:
            often = _share(f.diverged, f.trials, f.share)
        rows.append((name_of(f), often, hombre))
    columns = ("reading", f"deals diverge, {m.design.bots[0]}", _HOMBRE)
    title = "readings not in use, each against the one in use (counters; by all players asked)"
    return Table(title, columns, tuple(rows), frozenset(columns[1:]), frozenset(columns))


def _share(count: int, trials: int, bounds: Bounds) -> str:
    """A share in a cell: what it is, or at most."""
    return share_text(count / trials) if count else f"≤ {share_text(bounds.high)}"


def _verdicts(m: Matters, drilled: Examples) -> Table:
    """The verdict on each alternative, the deals it took, and where deals mostly diverge."""
    rows = []
    for i in _in_order(m):
        f, drill_down = m.findings[i], drilled.get(i)
        where = refusal_text(f.refusal)
        if drill_down is not None and drill_down.where is not None:
            where = drill_down.where.counts[0][0]
        hombre = f.answer_on("hombre") if any(g.column == "hombre" for g in f.gains) else ""
        rows.append((name_of(f), f.verdict, many(f.deals) if f.deals else "", hombre, where))
    columns = ("reading", "verdict", "deals", "Hombre's effect", "where mostly")
    return Table("verdicts", columns, tuple(rows), frozenset({"deals"}), frozenset({"reading"}))


def _of_at_most(m: Matters, played: int) -> str:
    """How many deals there might have been, where the answer was certain before."""
    return f" (of at most {many(m.design.deals)})" if played < m.design.deals else ""


def _divided(m: Matters) -> list[str]:
    """Among what the error is divided."""
    among = ((m.design.alternatives, "alternatives"), (len(m.design.tables), "players"))
    return [f"{number} {what}" for number, what in among if number > 1]


def _from_to(numbers: Sequence[int]) -> str:
    return " to ".join(dict.fromkeys(map(many, (min(numbers), max(numbers)))))


def _notes(m: Matters) -> list[str]:
    d = m.design
    played = [f for f in m.findings if f.deals]
    if not played:
        return ["Nothing was played."]
    asked = list(dict.fromkeys(who for f in played for who in f.family))
    others = [one.deals for f in played for who, one in f.family.items() if who != d.bots[0]]
    by_others = (
        f" These are {d.bots[0]}'s deals; each of the others played {_from_to(others)}."
        if others
        else ""
    )
    lines = [
        (
            f"{_from_to([f.deals for f in played])} "
            f"deals{_of_at_most(m, max(f.deals for f in played))} in sessions of "
            f"{d.session_deals}, the same cards under each rule set; seed {d.seed}; "
            f"{played_by(asked or d.bots)}."
            + by_others
            + (
                " Interrupted: this is what was known by then; the bounds hold all the same."
                if m.interrupted
                else ""
            )
        )
    ]
    if begins_anew(d.bots):
        lines[0] += f" {ANEW}"
    level = f"{100 * (1 - d.alpha):.4g} %"
    lines.append(
        f"Bounds and intervals hold at every number of deals at once, those of a share at {level}"
        + (
            f" (5 % divided by {' and '.join(_divided(m))}: all bounds of one kind hold together "
            "at 95 %)"
            if _divided(m)
            else ""
        )
        + (
            f", those of payments together at {level}, over all "
            f"rows{' and columns' if d.estimands > 1 else ''}."
            if any(f.gains for f in played)
            else "."
        )
    )
    if any(f.gains for f in played):
        lines.append(
            "Intervals of payments assume that no session differs by more than the largest sum "
            "won or lost in any session played; how often they fail was measured: docs/coverage.md."
        )
    return lines
