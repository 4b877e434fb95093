"""A comparison as tables, JSON and CSV, what matters most first."""

from collections.abc import Iterator

from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.compare.effects_report import (
    answers_text,
    awaited,
    decomposed,
    difference_json,
    distributions,
    diverging_text,
    effect_json,
    effects_json,
    frequencies,
    headline,
    narrow_text,
    role_tables,
    sessions_json,
    total_table,
    verdicts,
    verdicts_json,
)
from quadrille_plugins.compare.study import Comparison, MatchedStarts, Pair, Summary
from quadrille_plugins.compare.tables import COLUMNS, estimate_row, share_rows
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import (
    Json,
    Row,
    Rows,
    identity_text,
    plainly,
    reference,
    ruleset_json,
)
from quadrille_plugins.shell.wrapping import proposed
from quadrille_plugins.studies.accounts import ACCOUNTS, ROLE_SUMS
from quadrille_plugins.studies.answers import laid_out, over_all, played_text
from quadrille_plugins.studies.design import Share, as_typed
from quadrille_plugins.studies.differences import rules_table, rules_text
from quadrille_plugins.studies.direct import EVERY
from quadrille_plugins.studies.effects import ESTIMANDS, TOTAL
from quadrille_plugins.studies.equivalence import NEAR, SMALLEST, UNDECIDED
from quadrille_plugins.studies.looks import MOST_SESSIONS
from quadrille_plugins.studies.observe import Example
from quadrille_plugins.studies.over_sessions import distribution_tables
from quadrille_plugins.studies.values import decimal, estimate_json
from quadrille_plugins.studies.words import example_lines


def comparison_blocks(c: Comparison, *, details: bool = True) -> list[Block]:
    """The whole comparison for a person, or without ``details`` its answer and the table of
    effects."""
    main: list[Block] = []
    nothing = not any_decided(c)
    for pair in c.pairs:
        if details or not nothing:
            main.append(total_table(c, pair))
        diverging = diverging_text(c, pair)
        rules = rules_text(pair.rules_diff, pair.first, pair.second, c.compiled)
        main.append(Text(f"{diverging}\n{rules}", on_page=diverging))
    answer = "\n".join(headline(c, pair) for pair in c.pairs)
    if nothing:
        answer += "\n" + _to_go_on(c)
    elif c.is_preliminary:
        answer = f"Preliminary, for the readable engine leaves off here: {answer}"
    return laid_out(
        answer,
        c.heads(),
        main,
        sure=_sure(c),
        more=lambda: [
            *(block for pair in c.pairs for block in _pair_blocks(c, pair)),
            *_summary_blocks(c),
        ],
        details=details,
        shows="what the words mean, effects by role and deal, examples, contracts, the rules "
        "that differ",
    )


def _sure(c: Comparison) -> str:
    designs = [one.design for one in c.family] or [c.design]
    hold = "Each interval of the table holds by itself at 95 %."
    if any(e.together is not None for p in c.pairs for e in p.effects[TOTAL].values()):
        hold = "The intervals of the answer hold together at 95 %, those of the table each."
    if c.design.holds_together:
        hold = (
            f"All intervals of effects hold together at 95 %, over {over_all('all rows', designs)} "
            "(docs/compare.md); those of shares each."
        )
    return played_text(
        designs,
        [d.bots[0] for d in designs] if c.family else c.design.bots,
        hold + narrow_text(c),
        same=", the same cards under each rule set",
        interrupted=c.interrupted,
    )


def any_decided(c: Comparison) -> bool:
    """Whether anything that play goes on for is decided; true of a fixed number of deals."""
    found = (verdicts(c, p)[n].answer for p in c.pairs for n in awaited(c))
    return c.design.until is None or any(answer not in (UNDECIDED, NEAR) for answer in found)


def _to_go_on(c: Comparison) -> str:
    """The command that plays on where nothing is decided."""
    design = c.design
    line = ["quadrille compare", *(reference(s.compiled.identity) for s in c.summaries)]
    line += [f"--seed {design.seed}"] * (design.seed != 1)
    line += [f"--smallest {design.smallest}"] * (design.smallest != SMALLEST)
    line += ["--seats"] * (design.until == "seats")
    line += [f"--players {as_typed(design.bots)}"] * (
        not design.others and set(design.bots) != {"steady"}
    )
    if len(design.lengths) >= MOST_SESSIONS[c.engine]:
        effects = [p.effects[TOTAL][n] for p in c.pairs for n in awaited(c)]
        known = [e.needed[1] for e in effects if e.needed is not None]
        line.append(f"--at-most {max(known, default=10 * design.deals)}")
    return "\n".join(proposed("to play on:", " ".join(line)))


def _pair_blocks(c: Comparison, pair: Pair) -> list[Block]:
    names = c.called(pair)
    blocks: list[Block] = [
        Text(answers_text(c, pair)),
        *distribution_tables(
            distributions(c, pair),
            c.design.players,
            c.design.length,
            " instead of ".join(names[::-1]),
        ),
        *decomposed(c, pair),
        *role_tables(c, pair),
        frequencies(c, pair),
    ]
    if pair.examples:
        blocks.append(
            Text("Examples, by seat:\n" + "\n".join(_example_text(names, t) for t in pair.examples))
        )
        blocks.append(Text(_replay_hint(c, pair, pair.examples[0]), on_page=""))
    return [*blocks, rules_table(pair.rules_diff, pair.first, pair.second, c.compiled)]


def _example_text(names: tuple[str, str], t: Example) -> str:
    """A deal under both rule sets: the first difference, and what each player wins."""
    head, where = (
        f"session {t.session}, deal {t.deal}",
        f"; first difference in the {t.divergence.stage}",
    )
    return "\n".join(example_lines(head, where, names, t.divergence, t.records))


def _replay_hint(c: Comparison, pair: Pair, example: Example) -> str:
    which = f"--seed {c.design.seed} --session {example.session} --deal {example.deal}"
    lines = []
    for number, words in (
        (pair.first, "see one play by play:"),
        (pair.second, "and under the other rules:"),
    ):
        named = reference(c.compiled[number].identity)
        lines += proposed(
            words, f"quadrille deal {named} {which} --players {as_typed(c.design.bots)}"
        )
    return "\n".join(lines)


def _summary_blocks(c: Comparison) -> list[Block]:
    names = c.names
    ended = (*share_rows(c.summaries, "outcomes"), *share_rows(c.summaries, "voles", "vole "))
    pool = ("mean pool before the deal", *(decimal(s.mean_pool, 1) for s in c.summaries))
    return [
        Table(
            "contracts played",
            ("contract", *names),
            share_rows(c.summaries, "contracts"),
            frozenset(names),
        ),
        Table("how they ended", ("outcome", *names), (*ended, pool), frozenset(names)),
    ]


# --- JSON -------------------------------------------------------------------------------------


def comparison_json(c: Comparison) -> Json:
    """The whole comparison, ordered so that what matters most comes first."""
    return {
        "rules": list(map(ruleset_json, c.compiled)),
        "design": {
            **c.design.to_json(),
            "engine": c.engine,
            "until": c.design.until,
            "decided": c.decided,
            "family": {one.design.bots[0]: one.design.deals for one in c.family},
            "preliminary": c.is_preliminary,
            "smallest": plain_amount(c.design.interest),
            "smallest_unit": f"counters a seat and session of {c.design.length} deals",
            "smallest_of_sums": plain_amount(c.design.interest_of_sums),
            "pool_reset_each_deal": c.design.anew,
            "interrupted": c.interrupted,
        },
        "rules_diff": c.rules_diff(),
        "paired": [_pair_json(c, p) for p in c.pairs],
        "per_rule_set": [_summary_json(s) for s in c.summaries],
    }


def _share_json(s: Share) -> Json:
    return {"count": s.count, "share": estimate_json(s.share)}


def _pair_json(c: Comparison, p: Pair) -> Json:
    return {
        **plainly(p, "first", "second"),
        "same_rules": p.same,
        "answer": headline(c, p),
        "matched_starts": _starts_json(p.starts),
        "diverging": _share_json(p.diverging),
        "share_payments_differ": _share_json(p.paid),
        "diverging_with_another_pool": _share_json(p.carried),
        "first_in": {s.name: _share_json(s) for s in p.stages},
        **verdicts_json(c, p),
        "effects": effects_json(p),
        "over_sessions": sessions_json(p),
        "difference": difference_json(p),
        "examples": [
            {
                **plainly(t, "session", "deal", "weight"),
                "diverges_in": t.divergence.stage,
                **plainly(t.divergence, "first", "second"),
                "records": list(t.records),
            }
            for t in p.examples
        ],
    }


def _starts_json(s: MatchedStarts) -> Json:
    return {
        "deals": s.paid.share.count,
        "sessions": s.paid.share.sessions,
        "every": EVERY,
        "left_out": s.left_out.count,
        "payments_differ": _share_json(s.paid),
        "diverging": _share_json(s.diverging),
        "stages": {one.name: _share_json(one) for one in s.stages},
    }


def _summary_json(s: Summary) -> Json:
    return {
        **{
            what: {x.name: _share_json(x) for x in getattr(s, what)}
            for what in ("contracts", "outcomes", "voles")
        },
        "outcomes_by_contract": [
            {"contract": c, "outcome": o, "count": n} for c, o, n in s.by_contract
        ],
        "by_role": {k: {"mean": round(float(s.moved[k]), 6)} for k in ROLE_SUMS},
        **{
            what: {
                k: {**estimate_json(e), "deviation": round(s.spread[k], 6)} for k, e in of.items()
            }
            for what, of in (("when_there_is_one", s.roles), ("by_seat", s.seats))
        },
        "by_account": {k: {"mean": round(float(s.moved[k]), 6)} for k in ACCOUNTS if k in s.moved},
        "mean_pool": round(float(s.mean_pool), 6),
    }


def comparison_csv(c: Comparison) -> Rows:
    """The numbers in long form: one row an estimate."""
    of_effects = ("differing", "held_against", "answer", "needed_low", "needed_high")
    columns = (*COLUMNS, *of_effects)
    named = [identity_text(one.identity) for one in c.compiled]
    rows: list[Row] = []
    for p in c.pairs:
        rows += _pair_rows(c, p, named[p.second], named[p.first])
    for name, summary in zip(named, c.summaries, strict=True):
        rows += _summary_rows(summary, name, c.design.deals)
    none = ("",) * len(of_effects)
    return columns, [(*row, *none)[: len(columns)] for row in rows]


def _pair_rows(c: Comparison, p: Pair, b: str, a: str) -> Iterator[Row]:
    starts = [(s.name, s) for s in (p.starts.paid, p.starts.diverging)]
    starts += [(f"first in {s.name}", s) for s in p.starts.stages]
    for label, s in (*starts, ("left out, of those replayed", p.starts.left_out)):
        yield estimate_row("matched starts", b, a, label, s.share, s.count)
    whole = [("diverging", p.diverging), ("with another pool, of those", p.carried)]
    whole += [(f"first in {s.name}", s) for s in p.stages]
    for label, s in (*whole, ("payments differ", p.paid)):
        yield estimate_row("diverging", b, a, label, s.share, s.count)
    for estimand in ESTIMANDS:
        for k, effect in p.effects.get(estimand, {}).items():
            low, high = effect.needed or (None, None)
            plain = {**effect_json(effect), "deals": effect.deals, "nlow": low, "nhigh": high}
            keys = ("mean", "low", "high", "deals", "differing", "held_against", "answer")
            cells = (plain[key] for key in (*keys, "nlow", "nhigh"))
            yield (estimand, b, a, k, *("" if v is None else v for v in cells))
    for k, e in verdicts(c, p).items() if c.family else ():
        ends = ("" if end is None else round(end, 6) for end in (e.low, e.high))
        first = p.effects[TOTAL][k]
        mean, interest = round(float(first.mean), 6), round(first.interest, 6)
        start = ("total by all players", b, a, k, mean, *ends, c.design.deals)
        yield (*start, "", interest, e.answer, "", "")
    for k, figures in sessions_json(p).items():
        for what, told in figures.items():
            ends = ("" if told[key] is None else told[key] for key in ("value", "low", "high"))
            yield (f"over sessions, {what.replace('_', ' ')}", b, a, k, *ends, c.design.deals)
    for k, when in p.roles.items():
        yield estimate_row("difference when there is one", b, a, k, when, when.count)


def _summary_rows(summary: Summary, name: str, deals: int) -> Iterator[Row]:
    for section, shares in (
        ("contract", summary.contracts),
        ("outcome", summary.outcomes),
        ("vole", summary.voles),
    ):
        for s in shares:
            yield estimate_row(section, name, "", s.name, s.share, s.count)
    for k, e in summary.seats.items():
        yield estimate_row("payment", name, "", k, e, e.count)
    for k in (n for n in (*ROLE_SUMS, *ACCOUNTS) if n in summary.moved):
        yield ("payment", name, "", k, round(float(summary.moved[k]), 6), "", "", deals)
    for k, e in summary.roles.items():
        yield estimate_row("payment when there is one", name, "", k, e, e.count)
