"""The tables of exported deals: their columns, typed and described, and the rows of a deal.

One schema serves all: Parquet, the JSON lines of the rule sets, the data package and the page of
documentation.
"""

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from quadrille_core.cards import NO_TRUMP, format_card, format_cards, format_suit
from quadrille_core.frozen import frozen
from quadrille_core.profile.yaml_strict import load_file
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.settle.result_file import account_name
from quadrille_plugins.shell.values import if_any

Row = dict[str, Any]


@frozen
class Column:
    """One column: its name, type (``integer``, ``string`` or ``boolean``), meaning, and whether it
    may be empty."""

    name: str
    type: str
    doc: str
    optional: bool = False
    choices: tuple[str, ...] = ()


@frozen
class TableSchema:
    """One table: its name, what a row is, its columns, and how many of the first of them are its
    key."""

    name: str
    doc: str
    columns: tuple[Column, ...]
    key: int
    parent: str = ""
    """The table that the key's beginning refers to."""

    @property
    def primary_key(self) -> list[str]:
        """The names of the columns that together name a row."""
        return [c.name for c in self.columns[: self.key]]


def _tables() -> Iterator[TableSchema]:
    """The tables as ``columns.yaml`` lists them."""
    told: Any = load_file(Path(__file__).with_name("columns.yaml")).to_plain()
    for table in told["tables"]:
        of_deal = told["of_deal"] if "parent" in table else []
        listed = (column for one in of_deal + table["columns"] for column in _columns(**one))
        yield TableSchema(**table | {"columns": tuple(listed)})


def _columns(*, amount: str = "", choices: Sequence[str] = (), **said: Any) -> Iterator[Column]:
    """One column, or the two of an exact amount of counters."""
    if not amount:
        yield Column(**{"type": "string", **said}, choices=tuple(choices))
        return
    parts = {
        "num": "numerator, in counters",
        "den": "denominator, 1 for a whole number of counters",
    }
    for end, part in parts.items():
        yield Column(f"{amount}_{end}", "integer", f"{said['doc']}: {part}.")


TABLES: Final = tuple(_tables())
RULE_SETS: Final = TABLES[0]
PLAYED_TABLES: Final = TABLES[1:]


def rule_set_row(number: int, compiled: Compiled) -> Row:
    """The row of a rule set."""
    identity = compiled.identity
    plugins = [
        {"name": p.name, "version": p.version, "parameters": dict(p.parameters)}
        for p in identity.plugins
    ]
    return {
        "rule_set": number,
        "reference": identity.reference,
        "profile": identity.profile,
        "witness": identity.witness,
        "title": compiled.title,
        "digest": identity.digest,
        "readings": _json(dict(identity.readings)),
        "settings": _json({path: json.loads(value) for path, value in identity.settings}),
        "plugins": _json(plugins),
        "rules": _json(compiled.values),
    }


_OF_RESULT: Final = ("contract", "hombre", "ally", "surrendered", "matadors", "premiers")


def rows_of(number: int, bots: Sequence[str], played: PlayedDeal) -> Iterator[tuple[str, Row]]:
    """Every row of one deal under the rule set of that number, each with the name of its table."""
    setup, deal, settled = played.setup, played.deal, played.settlement
    key = {"rule_set": number, "session": setup.session, "deal": setup.deal}
    result = deal.result()
    tricks = [e for e in deal.events if e.kind == "trick"]
    yield (
        "deals",
        {
            **key,
            "seed": setup.seed,
            "players": len(setup.players),
            "packets": "-".join(map(str, setup.packets)) or None,
            "favourite": None if setup.favourite is None else format_suit(setup.favourite),
            "multiplier": setup.multiplier,
            "beasts": setup.beasts,
            **_split("pool_before", setup.pool),
            **_split("pool_after", setup.pool if settled is None else settled.pool_after),
            "redealt": result is None,
            "trump": None
            if result is None or result.trump in (None, NO_TRUMP)
            else format_suit(result.trump),
            **{name: getattr(result, name, None) for name in _OF_RESULT},
            "outcome": settled and settled.outcome,
            "vole": settled and settled.vole,
        },
    )
    for seat, chair in enumerate(played.chair_of_seat):
        yield (
            "seats",
            {
                **key,
                "seat": seat,
                "chair": chair,
                "player": setup.players[seat],
                "bot": bots[chair],
                "hand": format_cards(setup.hands[seat]),
                "tricks": None if result is None else sum(e.seat == seat for e in tricks),
                **_split("ante", played.antes[chair]),
                **_split("net", Fraction(0) if settled is None else settled.net[seat]),
                **_split("refill", played.refills[chair]),
            },
        )
    yield from _table_talk(key, played)
    for trick, event in enumerate(tricks, 1):
        yield (
            "tricks",
            {**key, "trick": trick, "seat": event.seat, "cards": format_cards(event.cards)},
        )
    for n, paid in enumerate(() if settled is None else settled.transfers):
        yield (
            "transfers",
            {
                **key,
                "number": n,
                "from_seat": paid.source if paid.source >= 0 else None,
                "to_seat": paid.target if paid.target >= 0 else None,
                "from_account": account_name(paid.source, setup.players),
                "to_account": account_name(paid.target, setup.players),
                **_split("amount", paid.amount),
                "reason": paid.reason,
                "rule": paid.rule,
            },
        )


def _table_talk(key: Row, played: PlayedDeal) -> Iterator[tuple[str, Row]]:
    cards = 0
    for n, (seat, action) in enumerate(played.deal.actions):
        cards += action.kind == "play"
        yield (
            "actions",
            {
                **key,
                "number": n,
                "seat": seat,
                "action": action.kind,
                "bid": None if action.bid is None else action.bid.bid,
                "suit": None if action.suit is None else format_suit(action.suit),
                "card": None if action.card is None else format_card(action.card),
                "trick": (cards - 1) // len(played.setup.players) + 1
                if action.kind == "play"
                else None,
                "text": str(action),
            },
        )


def _split(name: str, amount: Fraction | int) -> Row:
    exact = Fraction(amount)
    return {f"{name}_num": exact.numerator, f"{name}_den": exact.denominator}


def json_line(plain: Any) -> str:
    """A value as a line of JSON."""
    return _json(plain) + "\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def package(resources: Sequence[tuple[TableSchema | None, str, str]], described: Row) -> Row:
    """The descriptor of a data package: ``resources`` are the table (None for records), path and
    SHA-256 of each."""
    names = {schema.name: path for schema, path, _ in resources if schema is not None}
    return {
        "profile": "data-package",
        **described,
        "resources": [_resource(*one, known=names) for one in resources],
    }


def _resource(schema: TableSchema | None, path: str, digest: str, known: dict[str, str]) -> Row:
    form = path.rpartition(".")[2]
    described = {
        "name": (path.rpartition(".")[0] if schema is None else f"{schema.name}-{form}").replace(
            "_", "-"
        ),
        "path": path,
        "format": form,
        "mediatype": {"jsonl": "application/jsonl", "parquet": "application/vnd.apache.parquet"}[
            form
        ],
        "hash": f"sha256:{digest}",
    }
    if schema is None:
        return {
            **described,
            "description": "Each line is a whole deal, which `quadrille deal --replay` reads.",
        }
    fields = [
        {
            "name": c.name,
            "type": c.type,
            "description": c.doc,
            "constraints": {
                "required": not c.optional,
                **if_any(enum=list(c.choices)),
            },
        }
        for c in schema.columns
    ]
    table: Row = {"fields": fields, "primaryKey": schema.primary_key}
    if schema.parent in known:
        keys = next(t for t in TABLES if t.name == schema.parent).primary_key
        other = f"{schema.parent}-{form}".replace("_", "-")
        table["foreignKeys"] = [{"fields": keys, "reference": {"resource": other, "fields": keys}}]
    return {
        **described,
        "profile": "tabular-data-resource",
        "description": schema.doc,
        "schema": table,
    }
