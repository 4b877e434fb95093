"""How values are written: rules, amounts and estimates, for people and for JSON."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from quadrille_core.engine.record import identity_to_plain
from quadrille_core.profile.document import Source
from quadrille_core.rules import Identity
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import parse_amount, plain_amount

LONGEST = 60


def plainly(of: object, *names: str) -> dict[str, Any]:
    """These attributes, or all fields, as JSON under their own names: floats to six places, amounts exact."""
    return {name: _plain(getattr(of, name)) for name in names or [f.name for f in fields(of)]}  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, Fraction):
        return plain_amount(value)
    if is_dataclass(value):
        return plainly(value)
    return round(value, 6) if isinstance(value, float) else value


def _record_value(record: dict[str, Any]) -> str:
    """A payment, limit or incident that a plugin adds, in a few words."""
    if "payer" in record:
        unit = " units" if "unit" in record else ""
        limits = [record.get("incident", ""), *record.get("contracts", ()), *record.get("outcomes", ())]
        where = ", ".join(filter(None, limits))
        words = f"{record['reason']}: {record['payer']} to {record['payee']}, {record['amount']}{unit}"
        return words + (f" ({where})" if where else "")
    if "suits" in record:
        return f"{record['bid']}: {' or '.join(record['suits'])}, by {record['rule']}"
    return f"{record['id']}: {record['doc']}"


def rule_value(value: Any) -> str:
    """A rule's plain value in one line; long lists are counted rather than printed."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        if not value:
            return "nothing"
        if isinstance(value[0], dict) and "worth" in value[0]:
            return ", ".join(f"{coin['each']} {coin['many']} worth {coin['worth']}" for coin in value)
        if isinstance(value[0], dict) and "allowed" in value[0]:
            return f"{len(value)} cases"
        if isinstance(value[0], dict):
            return "; ".join(map(_record_value, value))
        if isinstance(value[0], list):
            return ", ".join("-".join(map(str, v)) for v in value)
        return ", ".join(map(str, value))
    return str(value)


def amount(value: Fraction, *, sign: bool = False) -> str:
    """An exact amount; with ``sign``, a plus before what is won and a true minus before what is lost."""
    text = str(plain_amount(abs(value)))
    if value < 0:
        return "−" + text
    return ("+" if sign and value > 0 else "") + text


def many(number: int) -> str:
    """A count with its thousands apart, by a space at which no line breaks."""
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}")


def identity_text(identity: Identity) -> str:
    """A rule set's name in one line, with the readings and rules chosen by hand."""
    parts = [str(identity)]
    parts += [f"reading {p}={r}" for p, r in identity.readings]
    parts += [f"set {p}={v}" for p, v in identity.settings]
    return ", ".join(parts)


def filled_text(compiled: Compiled, indent: str = "") -> str:
    """The line below a rule set's name that says how much of its witness is filled, after a line break; or nothing."""
    filled = compiled.filled()
    return "" if filled is None or not filled.filled else f"\n{indent}{compiled.identity.witness}: {filled}"


def ruleset_json(compiled: Compiled) -> dict[str, Any]:
    """What names a rule set, and how much of its witness is filled; null where no witness is followed."""
    filled = compiled.filled()
    return {**identity_to_plain(compiled.identity), "filled": None if filled is None else filled.to_plain()}


def who_has_it(witnesses: Sequence[tuple[str, str]], elsewhere: Sequence[tuple[str, str]]) -> str:
    """Who has a reading, in words: witnesses with their places, or that there is none, and sources from elsewhere."""
    named = _placed(witnesses) or "no witness"
    return named + (f"; elsewhere {_placed(elsewhere)}" if elsewhere else "")


def _placed(named: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{name} ({at})" if at else name for name, at in named)


def reference(identity: Identity) -> str:
    """A rule set as one would type it, readings and rules set by hand included."""
    parts = [identity.reference]
    for point, reading in identity.readings:
        parts += ["--reading", f"{point}={reading}"]
    for path, value in identity.settings:
        parts += ["--set", f"{path}={value}"]
    return shlex.join(parts)


def net_text(record: dict[str, Any]) -> str:
    """The net of a record in one line, such as ``A +12 B −4``."""
    net = record.get("net") or {}
    return " ".join(f"{name} {_signed(value)}" for name, value in net.items()) or "redealt"


def _signed(value: int | str) -> str:
    return amount(parse_amount(value), sign=True)


def remark(source: Source) -> str:
    """What a reader should know of a source: its kind, what it reports, and the note of the bibliography."""
    kind = f"{source.kind.capitalize()} source" if source.kind else ""
    reports = f"reports {source.of}" if source.of else ""
    head = ", ".join(part for part in (kind, reports) if part)
    return " ".join(part for part in (f"{head}." if head else "", source.note) if part)


def short_title(source: Source) -> str:
    """A source in one line: author, title and year, as far as they are known."""
    return ", ".join(part for part in (source.author, source.title, str(source.year or "")) if part)


def source_json(source: Source) -> dict[str, Any]:
    """A source as it stands in the bibliography, with null for what is not known."""
    return {
        "short_title": short_title(source),
        "author": source.author or None,
        "title": source.title or None,
        "year": source.year,
        "publisher": source.publisher or None,
        "kind": source.kind or None,
        "reports": source.of or None,
        "url": source.url or None,
        "note": source.note or None,
    }
