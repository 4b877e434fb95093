"""The tables of facts and of what records hold, in the page on plugins: ``python
tools/regenerate.py`` writes them anew.

Fields, types and defaults are those of the dataclasses; what each means is said here.
"""

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from passages import ROOT

from quadrille_core import hookspecs
from quadrille_core.facts import KINDS, facts
from quadrille_core.hookspecs import Cited, Default, Setting
from quadrille_core.plugin_rules import Change, Conditional

PAGE: Final = ROOT / "docs" / "plugins.md"
HEAD: Final = "| record | field | type | meaning |\n|---|---|---|---|\n"
FACTS: Final = "| fact | unit | of | meaning |\n|---|---|---|---|\n"
CARDS: Final = "| kind | cards |\n|---|---|\n"
WORDS: Final = {str: "text", bool: "true or false", int: "whole number", Any: "any plain value"}
SPELLED: Final = {
    "str | tuple[str, ...]": "text, or tuple of texts", "tuple[str, ...]": "tuple of texts",
    "tuple[typing.Any, ...]": "tuple of plain values", "tuple[str, str] | None": "two texts",
}  # fmt: skip

MEANS: Final[dict[str, dict[str, str]]] = {
    "About": {
        "title": "its name in `quadrille list plugins`",
        "summary": "what it does, in a sentence",
        "parameters": "each `Parameter` by name",
        "late": "it is asked after the other plugins, because it speaks of the bids they bring",
    },
    "Parameter": {
        "doc": "what it sets, in a sentence",
        "default": "the value where none is given; one of the choices, or `None`: the rules decide",
        "choices": "what may be given: texts, whole numbers, `True` and `False`",
        "filled": "where the default is `None`, the choice that it comes to when the rules say "
        "nothing",
    },
    "OwnLeaf": {
        "path": "`NAME.leaf`, below the name of the plugin",
        "type": "`integer`, `amount`, `boolean`, or the words that it may be",
        "doc": "what it means, in a sentence",
        "neutral": "its value where nobody sets it",
        "low": "the least that a number may be",
        "high": "the most that a number may be",
    },
    "NewBid": {
        "id": "its name in paths: `bids.ID`",
        "bid": "what it undertakes: `quadrille_core.rules.Bid`, with [these fields](bid-fields.md)",
        "reason": "why, in a few words; `explain` shows it",
        "also": "for leaves of the bid a second source, and the place in it",
        "justifications": "for leaves that the source does not say outright, a `Justification`",
        "measured": "the file beside the plugin's module that says [what hands make at "
        "it](#what-players-bid-by)",
    },
    "Justification": {
        "status": "`attested`, `inferred` or `conjecture`",
        "reason": "why, in a few words",
        "source": "id of the bibliography",
        "at": "the place in it",
    },
    "TrumpsOnly": {
        "bid": "the bid that is limited",
        "suits": "`spades`, `hearts`, `clubs`, `diamonds`, `favourite`: what may be trumps",
        "rule": "the plugin's boolean leaf that must be true",
    },
    "OwnFact": {
        "name": "one word, as it stands in sentences (`tricks_trumped`); payments name it `PLUGIN.name`",
        "unit": "what it counts",
        "doc": "what it is, in a few words",
        "compute": "`compute(deal)`: a number for each seat, or one for the deal, 0 or more",
        "of": "whether each seat has a number, or the deal",
    },
    "PaymentRow, Factor, Redirect, Cap": {
        "reason": "what it is for; stands beside the payments that it makes",
        "outcomes": "`won`, `remise`, `codille`: how the game must have ended; empty: in any way",
        "contracts": "the bids that must have been played; empty: any",
        "trumps": "`spades`, `hearts`, `clubs`, `diamonds`, `favourite`: one must be trumps; "
        "empty: any, or none",
        "when": "the plugin's boolean leaf that must be true",
        "facts": "facts, and for each a number, `AtLeast` or `AtMost`: all must hold",
    },
    "PaymentRow": {
        "amount": "the plugin's leaf of type `amount` or `integer` that says how much",
        "payer": "who pays, each of them, or a fact of seats; `offender` and `others` only with an `incident`",
        "payee": "whom, each of them, or a fact of seats; not the payer, but where `per` has `payer.` or `payee.`",
        "unit": "what the amount counts",
        "incident": "the incident that must have happened; paid each time",
        "counted": "paid as often as the game counts",
        "per": "a fact of the deal: it is paid so many times; with `payer.` or `payee.` before it each one's own",
    },
    "Factor, Redirect, Cap": {
        "of": "the rules by which the payments are made: paths, or what stands above them",
    },
    "Factor": {
        "factor": "the plugin's leaf of type `amount` or `integer` that says how many times",
        "payer": "whose payments alone are meant, or a fact of seats; empty: all",
        "payee": "what these alone are paid, or a fact of seats; empty: all",
    },
    "Redirect": {
        "redirected": "the plugin's boolean leaf that must be true",
        "to": "who is paid instead, or a fact of seats; where `by` says nothing either, the pool",
        "by": "who pays instead, or a fact of seats",
        "from_pool": "what the pool pays is meant, and not what players pay each other",
    },
    "Cap": {"most": "the plugin's leaf of type `amount` or `integer` that says how much at most"},
    "ThrowIn": {
        "reason": "why, in a few words",
        "rule": "the plugin's boolean leaf that must be true",
        "facts": "what one hand is like: facts `…_dealt` that ask for no trumps; at least one",
    },
    "ForcedBid": {
        "reason": "why, in a few words",
        "bid": "the bid, which is made `when_all_pass`",
        "rule": "the plugin's boolean leaf that must be true",
        "seat": "`eldest` or `dealer`: it falls on that seat, whatever it holds",
        "most_of": "a fact, as of `ThrowIn`, or of seats and the session (`deals_since_hombre`): it "
        "falls on whoever has most, the eldest of several",
        "facts": "as of `ThrowIn`, and facts of seats and the session (`games_before`): it falls on "
        "the eldest of whom they hold, or with `most_of` on one of those; where they hold of "
        "nobody, the cards are dealt again",
    },
    "Incident": {
        "id": "its name, as results and `session ruling` have it",
        "doc": "what happened, in a few words",
        "says": "the law, in a sentence",
        "rule": "the plugin's leaf that the law rests on, with its source",
    },
    "Default, Patch": {
        "path": "the rule",
        "value": "its value, as a profile would state it",
        "reason": "why, in a few words; `explain` shows it",
        "also": "a second source that says the same, and the place in it",
    },
    "Withhold": {
        "decide": "`decide(trump, after, card)`: whether the card may be withheld; `None`: as "
        "the rules have it",
        "reason": "why, in a few words",
    },
    "Constraint": {
        "when": "rule paths, and the value of each where the constraint holds; `*` stands for "
        "any bid",
        "reason": "why, in a sentence",
        "source": "id of the bibliography",
        "requires": "rule paths, and the value that each must have then",
        "excludes": "rule paths, and the value that none may have then",
    },
    "those with a source": {
        "source": "id of the bibliography; empty: a house rule",
        "at": "the place in it",
        "status": "`attested`, `inferred` or `conjecture`; what has no source is never attested",
    },
}
"""What each field means; the last are those of ``OwnLeaf``, ``NewBid``, ``Default``, ``Patch`` and
``Withhold``."""


def of(name: str) -> type:
    """The dataclass of a row's name."""
    if name == "those with a source":
        return Cited
    if shared := {
        "PaymentRow, Factor, Redirect, Cap": Conditional,
        "Factor, Redirect, Cap": Change,
    }.get(name):
        return shared
    return Default if name == "Default, Patch" else getattr(hookspecs, name)


def fields_of(record: type) -> list[Field[Any]]:
    """The fields of its own, without those of every record with a source."""
    shared = [
        kind
        for kind in (Cited, Conditional, Change)
        if issubclass(record, kind) and record is not kind
    ]
    known = {f.name for kind in shared for f in fields(kind)}
    found = [f for f in fields(record) if f.name not in known]
    return sorted(found, key=lambda f: f.name == "also") if issubclass(record, Setting) else found


def _type(hint: Any) -> str:
    known = WORDS.get(hint) or SPELLED.get(str(hint))
    if known:
        return known
    if get_origin(hint) is Literal:
        return ", ".join(f"`{word}`" for word in get_args(hint))
    if get_origin(hint) is Union:
        return " or ".join(map(_type, get_args(hint)))
    return (
        "mapping"
        if "Mapping" in str(hint)
        else "function"
        if "Callable" in str(hint)
        else f"`{hint.__name__}`"
    )


def rows() -> Iterator[str]:
    """The rows of the table; a field in bold must be given."""
    for name, means in MEANS.items():
        record = of(name)
        hints = get_type_hints(record, vars(hookspecs))
        assert [f.name for f in fields_of(record)] == list(means), name
        for field in fields_of(record):
            must = field.default is MISSING and field.default_factory is MISSING
            shown = f"**`{field.name}`**" if must else f"`{field.name}`"
            plain = field.default not in (MISSING, "", (), None) and field.default is not False
            value = (
                field.default[0] if isinstance(field.default, tuple) and plain else field.default
            )
            by_default = f"; by default {str(value).replace('_', ' ')}" if plain else ""
            kind = "mapping" if field.name == "facts" else _type(hints[field.name])
            yield (f"| {name} | {shown} | {kind} | {means[field.name]}{by_default} |\n")


def fact_rows() -> Iterator[str]:
    """The rows of facts; those of each kind of cards are one row."""
    last = next(reversed(KINDS))
    for name, fact in facts().items():
        kind, _, how = name.rpartition("_")
        if kind not in KINDS or how not in ("captured", "dealt"):
            yield f"| `{name}` | {fact.unit} | {fact.of} | {fact.doc} |\n"
        elif kind == last:
            where = fact.doc.removesuffix(KINDS[kind].meaning) + "cards of this kind"
            yield f"| `KIND_{how}` | {fact.unit} | {fact.of} | {where} |\n"


def page() -> str:
    """The page with the tables as records and facts are."""
    text = PAGE.read_text("utf-8")
    for head, made in (
        (FACTS, fact_rows()),
        (CARDS, (f"| `{name}` | {kind.meaning} |\n" for name, kind in KINDS.items())),
        (HEAD, rows()),
    ):
        before, _, after = text.partition(head)
        text = before + head + "".join(made) + after[f"\n{after}".index("\n\n") :]
    return text
