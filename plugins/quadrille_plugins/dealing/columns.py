"""The tables of exported deals: their columns, typed and described, and the rows of a deal.

One schema serves all: Parquet, the JSON lines of the rule sets, the data package and the page of
documentation.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import NO_TRUMP, format_card, format_cards, format_suit
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.session import PlayedDeal
from quadrille_plugins.settle.result_file import account_name

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, type (``integer``, ``string`` or ``boolean``), meaning, and whether it
    may be empty."""

    name: str
    type: str
    doc: str
    optional: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
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


def _amount(name: str, doc: str, *, optional: bool = False) -> tuple[Column, Column]:
    """An exact amount of counters, as numerator and denominator."""
    return (
        Column(f"{name}_num", "integer", f"{doc}: numerator, in counters.", optional),
        Column(
            f"{name}_den",
            "integer",
            f"{doc}: denominator, 1 for a whole number of counters.",
            optional,
        ),
    )


_DEAL: Final = (
    Column("rule_set", "integer", "The rule set, by its number in `rule_sets`."),
    Column("session", "integer", "The session of the seed, from 0."),
    Column("deal", "integer", "The deal of the session, from 0."),
)
SEAT: Final = "0 is the eldest hand, the last the dealer"

RULE_SETS: Final = TableSchema(
    "rule_sets",
    "One row for each rule set, in the order in which they were named.",
    (
        Column("rule_set", "integer", "Its number, from 1; the other tables refer to it."),
        Column(
            "reference", "string", "The rule set as one types it, without what was chosen by hand."
        ),
        Column("profile", "string", "Its profile."),
        Column("witness", "string", "The witness followed.", optional=True),
        Column("title", "string", "Its title."),
        Column("digest", "string", "Its digest (SHA-256): equal digests are equal rules."),
        Column("readings", "string", "Readings chosen by hand, as JSON: point and reading."),
        Column("settings", "string", "Rules set by hand, as JSON: path and value."),
        Column("plugins", "string", "Plugins at work, as JSON: name, version, parameters."),
        Column("rules", "string", "All its rules, as JSON: path and value."),
    ),
    1,
)
DEALS: Final = TableSchema(
    "deals",
    "One row for each deal under each rule set. The hands of a session and deal are the same "
    "under every rule set with as many players.",
    (
        *_DEAL,
        Column("seed", "integer", "The seed of the deals."),
        Column("players", "integer", "How many play."),
        Column("packets", "string", "The packets of the deal, such as `3-3-4`.", optional=True),
        Column(
            "favourite", "string", "The favourite suit, where the rules have one.", optional=True
        ),
        Column("multiplier", "integer", "How many times the deal counts."),
        Column("beasts", "integer", "Beasts that wait."),
        *_amount("pool_before", "The pool when the cards are dealt, antes in"),
        *_amount("pool_after", "The pool after the payments"),
        Column(
            "redealt",
            "boolean",
            "Whether all passed and the cards are dealt anew; nobody then plays or pays.",
        ),
        Column("contract", "string", "The contract played.", optional=True),
        Column("trump", "string", "The trump suit; empty where there is none.", optional=True),
        Column("hombre", "integer", f"The Hombre's seat ({SEAT}).", optional=True),
        Column("ally", "integer", "The ally's seat.", optional=True),
        Column(
            "surrendered",
            "integer",
            "The seat that gave up the called card for another one; of several cards the first.",
            optional=True,
        ),
        Column(
            "outcome",
            "string",
            "How the game ended.",
            optional=True,
            choices=("won", "remise", "codille"),
        ),
        Column(
            "vole",
            "string",
            "What became of the vole.",
            optional=True,
            choices=("none", "won", "lost"),
        ),
        Column(
            "matadors",
            "integer",
            "Unbroken top trumps of the Hombre's side at the start.",
            optional=True,
        ),
        Column(
            "premiers",
            "boolean",
            "Whether the Hombre's side took the first six tricks.",
            optional=True,
        ),
    ),
    3,
    "rule_sets",
)
SEATS: Final = TableSchema(
    "seats",
    "One row for each seat of each deal.",
    (
        *_DEAL,
        Column("seat", "integer", f"The seat ({SEAT})."),
        Column("chair", "integer", "The player's chair, which stays the same all session, from 0."),
        Column("player", "string", "The player's name."),
        Column("bot", "string", "The bot that plays."),
        Column(
            "hand", "string", "The cards dealt, such as `SA H7`, in the order in which they came."
        ),
        Column("tricks", "integer", "Tricks won.", optional=True),
        *_amount("ante", "What the seat put into the pool before the deal"),
        *_amount("net", "What the seat won or lost by the deal, antes excluded"),
        *_amount("refill", "What the seat's player took from the box after the deal"),
    ),
    4,
    "deals",
)
ACTIONS: Final = TableSchema(
    "actions",
    "One row for each decision: bids, trumps, calls, exchanges, cards played, claims.",
    (
        *_DEAL,
        Column("number", "integer", "Its number in the deal, from 0."),
        Column("seat", "integer", f"Who decides ({SEAT})."),
        Column(
            "action",
            "string",
            "What is done: `pass`, `bid`, `trump`, `call`, `give`, `play`, `claim` and others.",
        ),
        Column("bid", "string", "The bid, where it is one.", optional=True),
        Column("suit", "string", "The suit named, where one is.", optional=True),
        Column("card", "string", "The card called, given or played, such as `SA`.", optional=True),
        Column("trick", "integer", "Of a card played, the trick, from 1.", optional=True),
        Column("text", "string", "The whole action as a record has it."),
    ),
    4,
    "deals",
)
TRICKS: Final = TableSchema(
    "tricks",
    "One row for each trick.",
    (
        *_DEAL,
        Column("trick", "integer", "The trick, from 1."),
        Column("seat", "integer", f"Who takes it ({SEAT})."),
        Column("cards", "string", "Its cards, the card led first."),
    ),
    4,
    "deals",
)
TRANSFERS: Final = TableSchema(
    "transfers",
    "One row for each payment. Together they make the net of every seat and the pool.",
    (
        *_DEAL,
        Column("number", "integer", "Its number in the deal, from 0."),
        Column(
            "from_seat",
            "integer",
            "The seat that pays; empty where an account pays.",
            optional=True,
        ),
        Column(
            "to_seat", "integer", "The seat that is paid; empty where an account is.", optional=True
        ),
        Column(
            "from_account",
            "string",
            "Who pays by name: a player, `pool`, `vole pool`, `score` or `fund`.",
        ),
        Column("to_account", "string", "Who is paid by name."),
        *_amount("amount", "The amount"),
        Column("reason", "string", "What is paid for."),
        Column("rule", "string", "The rule that says so."),
    ),
    4,
    "deals",
)
PLAYED_TABLES: Final = (DEALS, SEATS, ACTIONS, TRICKS, TRANSFERS)
TABLES: Final = (RULE_SETS, *PLAYED_TABLES)


def rule_set_row(number: int, compiled: Compiled) -> Row:
    """The row of a rule set."""
    identity = compiled.identity
    plugins = [
        {"name": p.name, "version": p.version, "parameters": dict(p.parameters)}
        for p in identity.plugins
    ]
    rules = {path: origin.value for path, origin in compiled.origins.items()}
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
        "rules": _json(rules),
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
                **({"enum": list(c.choices)} if c.choices else {}),
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
