"""A deal for a person."""

from typing import Any

from quadrille_core.cards import format_cards, parse_cards, sign_card
from quadrille_core.engine.table import Deal
from quadrille_core.engine.terms import in_points
from quadrille_core.harmless import one_line
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import MismatchError, parse_amount
from quadrille_plugins.settle.payments import Payment, payment_table, table_groups
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import amount, identity_text, with_signs


def record_blocks(compiled: Compiled, record: dict[str, Any], deal: Deal) -> list[Block]:
    """A deal for a person: the hands, the auction, the tricks, the payments."""
    where = ", ".join(
        f"{k} {record[k]}" for k in ("seed", "session", "deal") if record.get(k) is not None
    )
    lines = [identity_text(compiled.identity)]
    if where:
        lines.append(where)
    pool = f"pool {record['pool']}" + (
        f", favourite {record['favourite']}" if record.get("favourite") else ""
    )
    blocks: list[Block] = [Text("\n".join([*lines, pool]), strong=True)]
    hands = tuple(
        (p, with_signs(format_cards(sorted(parse_cards(h)))))
        for p, h in zip(record["players"], record["hands"], strict=True)
    )
    blocks.append(Table("hands, eldest first", ("player", "cards"), hands))
    told = [e.text() for e in deal.events if e.stage != "play" and e.kind != "deal"]
    told += [e.text() for e in deal.events if e.stage == "play" and e.kind not in ("play", "trick")]
    tricks = tuple(
        (
            str(n),
            record["players"][t.leader],
            " ".join(sign_card(c) for c in t.cards),
            record["players"][t.winner],
        )
        for n, t in enumerate(deal.tricks, 1)
    )
    blocks.append(Text(with_signs("\n".join(told))))
    if tricks:
        blocks.append(Table("tricks", ("", "led by", "cards", "won by"), tricks))
    if record.get("outcome"):
        paid = [
            Payment(t["from"], t["to"], parse_amount(t["amount"]), t["reason"], t["rule"])
            for t in record["transfers"]
        ]
        blocks.append(
            payment_table(
                paid,
                "points" if in_points(compiled.rules) else "counters",
                groups=table_groups(record["players"], [record["players"][s] for s in _side(deal)]),
                title=f"settlement: {record['outcome']}",
            )
        )
        blocks.append(Text(f"net: {net_text(record)}; pool after: {record['pool_after']}"))
    return blocks


def _side(deal: Deal) -> tuple[int, ...]:
    result = deal.result()
    return () if result is None else result.side()


def net_text(record: dict[str, Any]) -> str:
    """The net of a record in one line, such as ``A +12 B −4``."""
    net = record.get("net") or {}
    return " ".join(f"{name} {_signed(value)}" for name, value in net.items()) or "redealt"


def _signed(value: Any) -> str:
    """An amount with its sign; what a record has in its place, as it is."""
    try:
        return amount(parse_amount(value), sign=True)
    except MismatchError:
        return one_line(str(value))[:40]
