"""A comparison as tables, JSON and CSV, what matters most first."""

from typing import Any

from quadrille_core.report.blocks import Block, Table, Text, with_signs
from quadrille_core.report.rules import differences_json
from quadrille_core.report.values import identity_text, net_text, plainly, reference, ruleset_json
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.compare.effects_report import (
    answers_text,
    decomposed,
    difference_json,
    effect_json,
    effects_json,
    frequencies,
    headline,
    role_tables,
    total_table,
)
from quadrille_plugins.compare.study import Comparison, Pair, Summary
from quadrille_plugins.compare.tables import COLUMNS, estimate_row, share_rows
from quadrille_plugins.lab.accounts import ACCOUNTS, ROLE_SUMS
from quadrille_plugins.lab.design import Share
from quadrille_plugins.lab.differences import rules_table
from quadrille_plugins.lab.effects import ESTIMANDS
from quadrille_plugins.lab.observe import Example
from quadrille_plugins.lab.values import decimal, estimate_json, ruleset_text
from quadrille_plugins.lab.words import ANEW, letter


def comparison_blocks(c: Comparison) -> list[Block]:
    """The whole comparison for a person."""
    design = c.design
    blocks: list[Block] = [
        Text(
            "\n".join(ruleset_text(s.compiled, f"{letter(i)}  ") for i, s in enumerate(c.summaries)),
            strong=True,
        ),
        Text(" ".join(headline(c, pair) for pair in c.pairs)),
        Text(
            f"{design.deals} deals in {len(design.lengths)} sessions, the same cards under each rule set; "
            f"seed {design.seed}; bots {', '.join(dict.fromkeys(design.bots))}; {c.engine} engine"
            + ("\nInterrupted: these are the sessions that were finished." if c.interrupted else "")
            + (f"\n{ANEW}" if design.anew else "")
        ),
    ]
    for pair in c.pairs:
        blocks += _pair_blocks(c, pair)
    blocks += _summary_blocks(c)
    return blocks


def _pair_blocks(c: Comparison, pair: Pair) -> list[Block]:
    a, b = letter(pair.first), letter(pair.second)
    blocks: list[Block] = [
        total_table(c, pair),
        Text(answers_text(c, pair)),
        *decomposed(c, pair),
        *role_tables(c, pair),
        frequencies(pair),
    ]
    if pair.examples:
        told = tuple(
            (
                f"session {t.session}, deal {t.deal}",
                with_signs(f"{t.divergence.stage}: {a}: {t.divergence.first}; {b}: {t.divergence.second}"),
                net_text(t.records[0]),
                net_text(t.records[1]),
            )
            for t in pair.examples
        )
        blocks.append(Table("examples", ("deal", "where they diverge", f"net under {a}", f"net under {b}"), told))
        blocks.append(Text(_replay_hint(c, pair, pair.examples[0])))
    compiled = [s.compiled for s in c.summaries]
    return [*blocks, rules_table(pair.rules_diff, pair.first, pair.second, compiled)]


def _replay_hint(c: Comparison, pair: Pair, example_deals: Example) -> str:
    ref = reference(c.summaries[pair.first].compiled.ruleset.identity)
    bots = c.design.bots[0] if len(set(c.design.bots)) == 1 else ",".join(c.design.bots)
    return (
        "see one play by play: quadrille deal "
        f"{ref} --seed {c.design.seed} --session {example_deals.session} --deal {example_deals.deal} --players {bots}"
    )


def _summary_blocks(c: Comparison) -> list[Block]:
    letters = [letter(i) for i in range(len(c.summaries))]
    ended = (*share_rows(c.summaries, "outcomes"), *share_rows(c.summaries, "voles", "vole "))
    pool = ("mean pool before the deal", *(decimal(s.mean_pool, 1) for s in c.summaries))
    return [
        Table("contracts played", ("contract", *letters), share_rows(c.summaries, "contracts"), frozenset(letters)),
        Table("how they ended", ("outcome", *letters), (*ended, pool), frozenset(letters)),
    ]


# --- JSON -------------------------------------------------------------------------------------


def comparison_json(c: Comparison) -> dict[str, Any]:
    """The whole comparison, ordered so that what matters most comes first."""
    return {
        "rules": [ruleset_json(s.compiled) for s in c.summaries],
        "design": {
            **c.design.to_json(),
            "engine": c.engine,
            "smallest": plain_amount(c.design.interest),
            "smallest_unit": f"counters a seat and session of {c.design.length} deals",
            "smallest_of_sums": plain_amount(c.design.interest_of_sums),
            "pool_reset_each_deal": c.design.anew,
            "interrupted": c.interrupted,
        },
        "rules_diff": [{**d, "rules": [p.first, p.second]} for p in c.pairs for d in differences_json(p.rules_diff)],
        "paired": [_pair_json(c, p) for p in c.pairs],
        "per_rule_set": [_summary_json(s) for s in c.summaries],
    }


def _share_json(s: Share) -> dict[str, Any]:
    return {"count": s.count, "share": estimate_json(s.share)}


def _pair_json(c: Comparison, p: Pair) -> dict[str, Any]:
    return {
        **plainly(p, "first", "second"),
        "same_rules": p.same,
        "answer": headline(c, p),
        "diverging": _share_json(p.diverging),
        "diverging_with_another_pool": _share_json(p.carried),
        "first_in": {s.name: _share_json(s) for s in p.stages},
        "effects": effects_json(p),
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


def _summary_json(s: Summary) -> dict[str, Any]:
    return {
        "contracts": {x.name: _share_json(x) for x in s.contracts},
        "outcomes": {x.name: _share_json(x) for x in s.outcomes},
        "voles": {x.name: _share_json(x) for x in s.voles},
        "outcomes_by_contract": [{"contract": c, "outcome": o, "count": n} for c, o, n in s.by_contract],
        "by_role": {k: {"mean": round(float(s.moved[k]), 6)} for k in ROLE_SUMS},
        "when_there_is_one": {k: {**estimate_json(e), "deviation": round(s.spread[k], 6)} for k, e in s.roles.items()},
        "by_seat": {k: {**estimate_json(e), "deviation": round(s.spread[k], 6)} for k, e in s.seats.items()},
        "by_account": {k: {"mean": round(float(s.moved[k]), 6)} for k in ACCOUNTS},
        "mean_pool": round(float(s.mean_pool), 6),
    }


def comparison_csv(c: Comparison) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The numbers in long form: one row an estimate."""
    of_effects = ("differing", "held_against", "answer", "deals_needed", "at_least")
    columns = (*COLUMNS, *of_effects)
    none = ("",) * len(of_effects)
    rows: list[tuple[object, ...]] = []

    def row(section: str, rules: str, against: str, name: str, e: Any, count: int) -> None:
        rows.append((*estimate_row(section, rules, against, name, e, count), *none))

    names = [identity_text(s.compiled.ruleset.identity) for s in c.summaries]
    for p in c.pairs:
        a, b = names[p.first], names[p.second]
        row("diverging", b, a, "diverging", p.diverging.share, p.diverging.count)
        row("diverging", b, a, "with another pool, of those", p.carried.share, p.carried.count)
        for s in p.stages:
            row("diverging", b, a, f"first in {s.name}", s.share, s.count)
        for estimand in ESTIMANDS:
            for k, effect in p.effects.get(estimand, {}).items():
                plain = {n: "" if v is None else v for n, v in effect_json(effect).items()}
                told = (plain[n] for n in of_effects)
                rows.append((estimand, b, a, k, plain["mean"], plain["low"], plain["high"], effect.deals, *told))
        for k, e in p.roles.items():
            row("difference when there is one", b, a, k, e, e.count)
    for name, summary in zip(names, c.summaries, strict=True):
        for section, shares in (
            ("contract", summary.contracts),
            ("outcome", summary.outcomes),
            ("vole", summary.voles),
        ):
            for s in shares:
                row(section, name, "", s.name, s.share, s.count)
        for k, e in summary.seats.items():
            row("payment", name, "", k, e, e.count)
        for k in (*ROLE_SUMS, *ACCOUNTS):
            mean = round(float(summary.moved[k]), 6)
            rows.append(("payment", name, "", k, mean, "", "", c.design.deals, *none))
        for k, e in summary.roles.items():
            row("payment when there is one", name, "", k, e, e.count)
    return columns, rows
