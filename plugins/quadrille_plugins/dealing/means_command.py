"""``quadrille deal --means``: means of a table of deals, with intervals."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.studies.deal_means import DealMean, Value
from quadrille_plugins.studies.deal_means import means as means_of_table
from quadrille_plugins.studies.values import decimal, estimate_text


def table_of_means(means: Path, by: tuple[str, ...], amount: str) -> Answer:
    """Take the means of an amount in a table of deals by columns."""
    named = dict.fromkeys(name.strip() for name in ",".join(by).split(","))
    columns = [name for name in named if name not in ("", "rule_set")]  # which has its own rows
    found = means_of_table(means, amount, columns)
    return Answer(
        blocks=lambda: _blocks(found, amount, columns),
        data=lambda: {
            "of": amount,
            "by": columns,
            "means": [_json(m, columns) for m in found if m.against is None],
            "differences": [_json(m, columns) for m in found if m.against is not None],
        },
        rows=lambda: (
            (*columns, "rule_set", "against", *_FIGURES),
            [(*m.kind, m.rule_set, m.against, *_figures(m).values()) for m in found],
        ),
    )


_FIGURES = ("mean", "low", "high", "deals", "sessions", "heaviest")


def _figures(found: DealMean) -> dict[str, Any]:
    e = found.estimate
    told = (float(e.mean), e.low, e.high, e.count, e.sessions, found.heaviest)
    return dict(zip(_FIGURES, told, strict=True))


def _json(found: DealMean, columns: Sequence[str]) -> dict[str, Any]:
    return {
        "kind": dict(zip(columns, found.kind, strict=True)),
        "rule_set": found.rule_set,
        **({} if found.against is None else {"against": found.against}),
        **_figures(found),
    }


def _blocks(found: Sequence[DealMean], amount: str, columns: Sequence[str]) -> list[Block]:
    own = [m for m in found if m.against is None]
    beside = [m for m in found if m.against is not None]
    kinds = f" of each {', '.join(columns)}" if columns else ""
    blocks: list[Block] = [
        Text(f"Mean of {amount}, in counters a deal{kinds}, under each rule set."),
        *tables_of("", own, columns),
    ]
    if beside:
        blocks += tables_of(f"More than under {beside[0].against}", beside, columns)
    shown = sum(m.estimate.low is not None for m in found)
    return [
        *blocks,
        Text(
            "The mean is the sum over all deals of a kind, divided by their number; a difference "
            "is of the deals that are of the kind under either rule set. Each of these "
            f"{shown} intervals holds by itself at 95 %, with the session as the unit: expect some "
            "that miss. heaviest: the share of the variance that a single session has; where it is "
            "large, more deals may move the mean beyond its interval. Fewer than 30 sessions have "
            "no interval."
        ),
    ]


def tables_of(title: str, found: Sequence[DealMean], columns: Sequence[str]) -> list[Table]:
    """A table for each value of all columns but the last, which it shows."""
    told = []
    for outer, one in groupby(found, lambda m: m.kind[:-1]):
        kind = ", ".join(f"{c} {_word(v)}" for c, v in zip(columns[:-1], outer, strict=True))
        told.append(_table("; ".join(filter(None, (title, kind))), list(one), columns[-1:]))
    return told


def _table(title: str, found: Sequence[DealMean], columns: Sequence[str]) -> Table:
    right = ("mean (95 %)", "deals", "sessions", "heaviest")
    return Table(
        title,
        (*columns, "rule set", *right),
        tuple(
            (
                *map(_word, m.kind[-1:]),
                m.rule_set,
                estimate_text(m.estimate, sign=m.against is not None),
                str(m.estimate.count),
                str(m.estimate.sessions),
                "" if m.heaviest is None else decimal(m.heaviest),
            )
            for m in found
        ),
        frozenset(right),
    )


def _word(value: Value) -> str:
    return "–" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
