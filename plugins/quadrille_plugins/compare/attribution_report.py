"""An attribution as sentences, tables, JSON, CSV and a picture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from quadrille_plugins.compare.attribution import (
    PAID,
    Attribution,
    Holds,
    Interaction,
    by_size,
    holds,
)
from quadrille_plugins.compare.tables import COLUMNS
from quadrille_plugins.diff.differences import references
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import (
    Json,
    Row,
    Rows,
    capital,
    deals_in_sessions,
    listed,
    many,
    names_beside,
    plainly,
    refusal_json,
    refusal_text,
    ruleset_json,
)
from quadrille_plugins.studies.answers import laid_out, played_by
from quadrille_plugins.studies.paired import FEWEST_DIFFERING, PICKED_ROLES, Effect
from quadrille_plugins.studies.picture import Picture, PlotMark, drawn
from quadrille_plugins.studies.study_pictures import INTERVALS, names_of, payee
from quadrille_plugins.studies.values import decimal, interval_text, ruleset_text
from quadrille_plugins.studies.words import column_name, the_column

WIDE: Final = 10.0
"""Counters, or per cent: an interval wider than that is told without decimals."""
NARROW: Final = 3.0
"""Half an interval in a table that is told with decimals, at most."""
STAYS: Final = "\N{NO-BREAK SPACE}"
TOLD: Final = 4
"""Groups that the answer names, at most."""
OF_ALL: Final = 0.9
"""Of what all groups carry, each taken positive, the share that the named ones have where they are
fewer."""
MOST_PAIRS: Final = 10
MOST_LEFT: Final = 2
"""Players who do not show a direction, of whom the answer tells."""
PERCENT: Final = "other payments, %"
NOBODY: Final = (
    "Between the two lie rule sets that nobody played: a group's share is its mean over all orders "
    "in which the rules could have changed, and no history of them."
)


def attribution_sentence(a: Attribution) -> str:
    """What carries the difference of the role that differs most."""
    first, second = names_beside(a.compiled)
    total, order = a.total[a.leading], by_size(a)
    sizes = [abs(float(a.values[n][a.leading].mean)) for n in order]
    told = 1
    while told < min(TOLD, len(order)) and sum(sizes[:told]) < OF_ALL * sum(sizes):
        told += 1
    parts = [f"{a.groups[n].name} carries {effect_text(a.values[n][a.leading])}" for n in order[:1]]
    parts += [f"{a.groups[n].name} {effect_text(a.values[n][a.leading])}" for n in order[1:told]]
    if rest := order[told:]:
        left = sum((a.values[n][a.leading].mean for n in rest), start=0 * total.mean)
        other = "the other group" if len(rest) == 1 else f"the other {len(rest)} groups together"
        parts.append(f"{other} {decimal(left, 1, sign=True)}")
    who = column_name(a.leading, a.design.players)
    whose = "the adversaries' joint" if a.leading == "adversaries" else f"{who}'s"
    return (
        f"Of {whose} {effect_text(total)} counters in a session of {a.design.length} deals by "
        f"{second} instead of {first}, {listed(parts)} "
        f"(by {', '.join(dict.fromkeys(a.design.bots))})."
    )


def family_sentences(a: Attribution) -> list[str]:
    """Of each of the heaviest groups, whether sign and size hold for every player of the family;
    nothing where one was asked."""
    found = []
    for place, n in enumerate(a.heaviest):
        effects = {one.player: one.values[place][a.leading] for one in a.family}
        ends = [pick(effects, key=lambda who: effects[who].mean) for pick in (min, max)]
        told = [f"{decimal(effects[who].mean, 1, sign=True)} by {who}" for who in ends]
        shown = holds(a, place)
        found.append(
            f"{_signs(a.groups[n].name, shown, [*effects])}: {' to '.join(told)}"
            f"{_between(list(effects.values()))}{_sizes(shown.size, a.family[0].player)}."
        )
    return found


def _signs(name: str, found: Holds, players: Sequence[str]) -> str:
    """In which direction a group is shown to move the role, and for which players."""
    ways = (("adds to", found.adds), ("takes from", found.takes))
    shown = [
        f"that {name} {what} it is shown for {'all' if len(who) == len(players) else len(who)}"
        for what, who in ways
        if who
    ]
    if not shown:
        asked = len(players)
        return f"Whether {name} adds to it or takes from it is shown for none of {asked} players"
    left = [who for who in players if who not in (*found.adds, *found.takes)]
    but = f", not for {listed(left)}" if 0 < len(left) <= MOST_LEFT else ""
    return f"{capital(' and '.join(shown))} of {len(players)} players{but}"


def _between(effects: Sequence[Effect]) -> str:
    ends = [end for e in effects for end in (e.low, e.high)]
    known = [end for end in ends if end is not None]
    if len(known) < len(ends):
        return ""
    low, high = (decimal(end, 1, sign=True) for end in (min(known), max(known)))
    return f" (between {low} and {high} by all)"


def _sizes(size: bool | None, usual: str) -> str:
    if size is None:
        return ""
    return f", {'always' if size else 'not always'} from half to twice what it is by {usual}"


def effect_text(e: Effect, column: str = "") -> str:
    """An effect with its interval, of ``PAID`` in per cent; without one, the mean."""
    times = 100 if column == PAID else 1
    mean = times * float(e.mean)
    if e.low is None or e.high is None:
        return decimal(mean, 1, sign=True)
    low, high = times * e.low, times * e.high
    return interval_text(mean, low, high, digits=0 if high - low > WIDE else 1)


def _cell(e: Effect, column: str) -> str:
    """An effect in a table: the mean, and how far the farther end of its interval is."""
    times = 100 if column == PAID else 1
    if not e.differing:
        return "–"
    if e.low is None or e.high is None:
        return f"{decimal(times * float(e.mean), 1, sign=True)}{STAYS}±{STAYS}?"
    half = times * max(e.high - float(e.mean), float(e.mean) - e.low)
    digits = 0 if half > NARROW else 1
    mean = decimal(times * float(e.mean), digits, sign=True)
    return f"{mean}{STAYS}±{STAYS}{decimal(half, digits)}"


def attribution_blocks(a: Attribution, *, details: bool) -> list[Block]:
    """The answer, the values of every group, how far they depend on the grouping, how sure that
    is; with details every rule, account and pair."""
    names = names_beside(a.compiled)
    heads = "\n".join(
        ruleset_text(c, f"{name}: ") for name, c in zip(names, a.compiled, strict=True)
    )
    return laid_out(
        " ".join([attribution_sentence(a), *family_sentences(a), NOBODY]),
        heads,
        [_values(a, (*PICKED_ROLES, PAID)), *_by_player(a), Text(_grouping(a))],
        sure=_sure(a),
        more=lambda: _more(a),
        details=details,
        shows="the rules of each group, what each carries of every account, interactions",
    )


def _values(a: Attribution, columns: Sequence[str]) -> Table:
    first, second = names_beside(a.compiled)
    heads = tuple(
        PERCENT if c == PAID else payee(c, a.design.players).removesuffix(" together")
        for c in columns
    )
    rows = [
        (
            a.groups[n].name,
            str(len(a.groups[n].leaves)),
            *(_cell(a.values[n][c], c) for c in columns),
        )
        for n in by_size(a)
        if _is_met(a, n)
    ]
    rules = sum(len(group.leaves) for group in a.groups)
    rows.append(("all together", str(rules), *(_cell(a.total[c], c) for c in columns)))
    return Table(
        f"{second} instead of {first}: what each group of rules carries, in counters a session of "
        f"{a.design.length} deals, and of the deals in which payments differ",
        ("group", "rules", *heads),
        tuple(rows),
        frozenset({"rules", *heads}),
        frozenset(),
    )


def _by_player(a: Attribution) -> list[Table]:
    """What the heaviest groups carry on the leading role by every player of the family."""
    if not a.family:
        return []
    heads = tuple(a.groups[n].name for n in a.heaviest)
    rows = tuple(
        (
            one.player,
            str(one.sessions),
            *(_cell(e[a.leading], a.leading) for e in (*one.values, one.total)),
        )
        for one in a.family
    )
    return [
        Table(
            f"{capital(the_column(a.leading, a.design.players))}, by who plays: what the heaviest "
            f"groups carry, and all together; intervals are made to hold together",
            ("player", "sessions", *heads, "all together"),
            rows,
            frozenset({"sessions", *heads, "all together"}),
            frozenset({"player"}),
        )
    ]


def _is_met(a: Attribution, n: int) -> bool:
    """Whether a group changes anything that was played."""
    return any(e.differing for e in a.values[n].values())


def _grouping(a: Attribution) -> str:
    """How far the answer depends on how the rules are grouped."""
    role, lines = payee(a.leading, a.design.players), []
    known = [p for p in a.pairs if p.effects[a.leading].low is not None]
    if known:
        lines.append(
            f"The largest interaction on the {role}: {_both(a, known[0])} carry "
            f"{effect_text(known[0].effects[a.leading])} together beyond what each adds alone."
        )
    met = [b for b in a.blocks if b.value[a.leading].differing]
    if met:
        told = [f"{b.name} {effect_text(b.value[a.leading])}" for b in met]
        most = max(_reach(b.more[a.leading]) for b in met)
        lines.append(
            f"How far it depends on the grouping: joined to {len(a.blocks)} blocks of rules, "
            f"{listed(told)}; none carries more than {decimal(most, 1)} counters more or less "
            "than its groups apart. --group FILE groups otherwise."
        )
    lines += [
        f"{group.name} is one group, for its parts cannot be switched alone: "
        f"{refusal_text(group.because)}."
        for group in a.groups
        if group.because
    ]
    idle = [group.name for n, group in enumerate(a.groups) if not _is_met(a, n)]
    if idle:
        lines.append(f"No deal that was played differs by {listed(idle, 'or')}.")
    if a.split:
        lines.append(f"{listed(a.split)} carried over half, and is split into its rules.")
    first, second = a.compiled
    typed = f"diff {references(first, second)} --by FILE"
    lines.append(
        f"Rule by rule, with sources, from what --manifest FILE writes:\n  quadrille {typed}"
    )
    return "\n".join(lines)


def _reach(e: Effect) -> float:
    """How far from zero an effect may be."""
    return max(abs(end) for end in (float(e.mean), e.low, e.high) if end is not None)


def _both(a: Attribution, pair: Interaction) -> str:
    return " with ".join(a.groups[n].name for n in pair.groups)


def _sure(a: Attribution) -> str:
    d = a.design
    how = (
        "every coalition of groups on each session"
        if a.drawing.exact
        else "each session in a random order of the groups, with neighbours changed and backwards"
    )
    rare = any(
        0 < value[c].differing < FEWEST_DIFFERING for value in a.values for c in PICKED_ROLES
    )
    return (
        f"{deals_in_sessions(d.deals, len(d.lengths))}, the same cards under {many(a.rule_sets)} "
        f"rule sets: {how}; seed {d.seed}; {played_by(d.bots)}. The values of a column sum to its "
        "total exactly. Intervals cover the sampling of sessions and of orders; those of a column "
        "hold together at 95 %, and so do those of all pairs."
        " In the table ± tells the farther end."
        + (
            f" Of {len(a.family)} players, those after the first are asked of the heaviest groups "
            "alone, in an order and backwards; heavy sessions make these intervals miss more often "
            "than is meant (docs/coverage.md)."
            if a.family
            else " --players family asks others of the heaviest groups."
        )
        + (" ?: in too few sessions for an interval." if rare else "")
        + ("\nInterrupted: these are the sessions that were finished." if a.interrupted else "")
    )


def _more(a: Attribution) -> list[Any]:
    accounts = [c for c in a.total if c not in (*PICKED_ROLES, PAID)]
    moved = [c for c in accounts if any(v[c].differing for v in (a.total, *a.values))]
    rules = "\n".join(f"{g.name}: {', '.join(g.leaves)}" for g in a.groups)
    columns = ("groups", "beyond what each adds alone")
    return [
        Text(f"The rules of each group:\n{rules}"),
        *([_values(a, moved)] if moved else []),
        Table(
            f"the largest interactions on the {payee(a.leading, a.design.players)}, in counters a "
            "session",
            columns,
            tuple((_both(a, p), effect_text(p.effects[a.leading])) for p in a.pairs[:MOST_PAIRS]),
            frozenset(columns[1:]),
        ),
    ]


# --- JSON, CSV and a picture ----------------------------------------------------------------------


def attribution_json(a: Attribution) -> Json:
    """The whole attribution, the group first that carries most."""
    return {
        "rules": list(map(ruleset_json, a.compiled)),
        "design": {
            **a.design.to_json(),
            "engine": a.engine,
            "estimand": "Shapley value",
            "session_deals": a.design.length,
            "all_coalitions": a.drawing.exact,
            "rule_sets": a.rule_sets,
            "sessions_of_a_unit": a.drawing.cluster,
            "split": list(a.split),
            "interrupted": a.interrupted,
        },
        "leading": a.leading,
        "total": _by_column(a.total),
        "groups": [
            {
                "name": a.groups[n].name,
                "rules": list(a.groups[n].leaves),
                "joined_because": refusal_json(a.groups[n].because)["problems"],
                **_by_column(a.values[n]),
            }
            for n in by_size(a)
        ],
        **(_family_json(a) if a.family else {}),
        "blocks": [
            {
                "name": b.name,
                "groups": [a.groups[n].name for n in b.groups],
                **_by_column(b.value),
                "beyond_its_groups": _by_column(b.more),
            }
            for b in a.blocks
        ],
        "pairs": [
            {
                "groups": [a.groups[n].name for n in p.groups],
                **_by_column(p.effects),
            }
            for p in a.pairs
        ],
    }


def _family_json(a: Attribution) -> Json:
    """What every player shows of the heaviest groups, and whether sign and size hold."""
    names = [a.groups[n].name for n in a.heaviest]
    return {
        "family": {
            one.player: {
                "sessions": one.sessions,
                **_by_column(one.total),
                "groups": [
                    {"name": name, **_by_column(value)}
                    for name, value in zip(names, one.values, strict=True)
                ],
            }
            for one in a.family
        },
        "holds": [
            {"group": name, **plainly(holds(a, place), "adds", "takes", "size")}
            for place, name in enumerate(names)
        ],
    }


def _by_column(effects: Mapping[str, Effect]) -> Json:
    return {"by_column": {c: {**_ends(e), "differing": e.differing} for c, e in effects.items()}}


def _ends(e: Effect) -> Json:
    low, high = (None if end is None else round(end, 6) for end in (e.low, e.high))
    return {"mean": round(float(e.mean), 6), "low": low, "high": high}


def attribution_csv(a: Attribution) -> Rows:
    """The numbers in long form: a row a number."""
    first, second = names_beside(a.compiled)
    rows: list[Row] = []
    for section, group, effects, player in _sections(a):
        for column, e in effects.items():
            ends = ("" if v is None else v for v in _ends(e).values())
            rows.append((section, second, first, column, *ends, e.differing, group, player))
    return (*COLUMNS, "group", "player"), rows


def _sections(a: Attribution) -> Iterator[tuple[str, str, Mapping[str, Effect], str]]:
    """What the rows in long form are of: section, group, effects by column, and the player where a
    family was asked."""
    yield "total", "", a.total, ""
    for n in by_size(a):
        yield "value", a.groups[n].name, a.values[n], ""
    for block in a.blocks:
        yield "block", block.name, block.value, ""
        yield "block, beyond its groups", block.name, block.more, ""
    for pair in a.pairs:
        yield "interaction", _both(a, pair), pair.effects, ""
    for one in a.family:
        yield "total by a player", "", one.total, one.player
        for n, value in zip(a.heaviest, one.values, strict=True):
            yield "value by a player", a.groups[n].name, value, one.player


def _mark(label: str, series: str, e: Json) -> PlotMark:
    return PlotMark(label=label, series=series, value=e["mean"], low=e["low"], high=e["high"])


def attribution_pictures(results: Json) -> tuple[Picture, ...]:
    """What each group carries of the effect on each role."""
    first, second = names_of(results["rules"])
    length, players = results["design"]["session_deals"], len(results["design"]["bots"])
    rows = [
        _mark(group["name"], payee(role, players), group["by_column"][role])
        for group in results["groups"]
        if any(e["differing"] for e in group["by_column"].values())
        for role in PICKED_ROLES
    ]
    family = results.get("family", {})
    title = f"{second} instead of {first}: which rules carry the difference"
    value = f"counters a session of {length} deals"
    carried = drawn(
        rows,
        name="attribution",
        title=title,
        alt=f"Shapley values of {len(results['groups'])} groups of rules, by role.",
        value=value,
        label="group of rules",
        series="role",
        caption=f"{INTERVALS} The intervals of a role hold together. By "
        f"{', '.join(dict.fromkeys(results['design']['bots']))}.",
    )
    leading = results["leading"]
    by_player = drawn(
        [
            _mark(player, group["name"], group["by_column"][leading])
            for player, one in family.items()
            for group in one["groups"]
        ],
        name="attribution-by-player",
        title=f"{title} on {the_column(leading, players)}, by who plays",
        alt=f"Shapley values of the heaviest groups of rules, by {len(family)} players.",
        value=value,
        label="player",
        series="group of rules",
        caption=f"{INTERVALS} They are made to hold together over all players.",
    )
    return *carried, *by_player
