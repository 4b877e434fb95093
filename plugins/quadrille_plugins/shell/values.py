"""How values are written: rules, amounts and estimates, for people and for JSON."""

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import PurePath
from typing import Any, Final, TypeVar

from quadrille_core.cards import parse_card, sign_card
from quadrille_core.errors import Problem
from quadrille_core.profile.records import ReadingDoc, Source
from quadrille_core.rules import Identity
from quadrille_core.ruleset import Compiled, PointState
from quadrille_core.ruleset.reference import is_path
from quadrille_core.vocabulary import Plain, plain_amount
from quadrille_plugins.shell.fact_words import (
    conditions,
    counted_by,
    falls_on,
    in_hand,
    reported_only,
)
from quadrille_plugins.shell.filled import fillings

K = TypeVar("K")
T = TypeVar("T")
LONGEST = 60

Json = dict[str, Any]
"""Plain data, as JSON has them."""
Row = tuple[object, ...]
Rows = tuple[tuple[str, ...], list[Row]]
"""Numbers in long form: the columns, and a row a number."""


def capital(text: str) -> str:
    """The text as a sentence begins with it."""
    return text[:1].upper() + text[1:]


def if_any(**data: Any) -> dict[str, Any]:
    """Those of these entries that hold something."""
    return {key: value for key, value in data.items() if value}


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """The second of each pair under its first, in the order in which they come."""
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def plainly(of: object, *names: str) -> dict[str, Any]:
    """These attributes, or all fields, as JSON under their own names: floats to six places, amounts
    exact."""
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


def refusal_text(problems: Sequence[Problem]) -> str:
    """What is wrong in one line, each once."""
    return "; ".join(dict.fromkeys(f"{p.code} {p.message}" for p in problems))


def refusal_json(problems: Sequence[Problem], key: str = "refusal") -> Json:
    """What is wrong in words, which no manifest keeps, and as records; None where nothing is."""
    records = [{**plainly(p, "code", "variant"), "data": _plain(p.data)} for p in problems]
    return {key: refusal_text(problems) or None, "problems": records}


CHANGES: Final = {"factor": "times", "redirected": "redirected by", "most": "at most"}
"""How what a plugin makes of payments is told, by the leaf that says it."""


def record_value(record: Mapping[str, Any]) -> str:
    """A record that a plugin adds, in a few words."""
    if "bid" in record and "suits" in record:
        return f"{record['bid']}: {' or '.join(record['suits'])}, by {record['rule']}"
    if "bid" in record:
        return (
            f"{record['reason']}: {record['bid']} falls on {falls_on(record)}, by {record['rule']}"
        )
    if "id" in record:
        return f"{record['id']}: {record['doc']}"
    if "compute" in record:
        return f"{record['name']}: {record['doc']}, by {record['compute'].partition('#')[0]}"
    changed = next((name for name in CHANGES if name in record), "")
    if "payer" not in record and not changed:
        hand = " and ".join(in_hand(name, *b) for name, b in record.get("facts", {}).items())
        return f"{record['reason']}: a hand with {hand} is thrown in, by {record['rule']}"
    limits = [record.get("incident", "")]
    limits += [word for key in ("contracts", "outcomes", "trumps") for word in record.get(key, ())]
    where = ", ".join(filter(None, [*limits, *conditions(record)]))
    if changed:
        of = " and ".join(record.get("of", ("payments",)))
        words = f"{record['reason']}: {of}, {CHANGES[changed]} {record[changed]}"
        ends = ("payer", "payee", "by", "to")
        words += "".join(f", {end} {record[end]}" for end in ends if end in record)
        words += ", of the pool" if "from_pool" in record else ""
    else:
        unit = " units" if "unit" in record else ""
        per = f" {counted_by(record['per'])}" if "per" in record else ""
        words = f"{record['reason']}: {record['payer']} to {record['payee']}, "
        words += f"{record['amount']}{unit}{per}"
    return words + (f" ({where})" if where else "")


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
            return ", ".join(
                f"{coin['each']} {coin['many']} worth {coin['worth']}" for coin in value
            )
        if isinstance(value[0], dict) and "allowed" in value[0]:
            return f"{len(value)} cases"
        if isinstance(value[0], dict):
            return "; ".join(map(record_value, value))
        if isinstance(value[0], list):
            return ", ".join("-".join(map(str, v)) for v in value)
        return ", ".join(map(str, value))
    return str(value)


def amount(value: Fraction, *, sign: bool = False) -> str:
    """An exact amount; with ``sign``, a plus before what is won and a true minus before what is
    lost."""
    text = str(plain_amount(abs(value)))
    if value < 0:
        return "−" + text
    return ("+" if sign and value > 0 else "") + text


def listed(items: Iterable[str], last: str = "and") -> str:
    """``a, b and c``."""
    found = list(items)
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def many(number: int) -> str:
    """A count with its thousands apart, by a space at which no line breaks."""
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}")


def deals_in_sessions(deals: int, sessions: int) -> str:
    """How much was played: ``20 000 deals in 500 sessions``, ``40 deals in 1 session``."""
    return (
        f"{many(deals)} deal{'s' * (deals != 1)} in {many(sessions)} session{'s' * (sessions != 1)}"
    )


_CARD: Final = re.compile(r"\b[SHCD][AKQJ2-7]\b")


def with_signs(text: str) -> str:
    """Card letters turned into suit signs, for a person to read."""
    return _CARD.sub(lambda m: sign_card(parse_card(m[0])), text)


def short_names(named: Sequence[tuple[str, str | None, str]]) -> list[str]:
    """What rule sets of these profiles, witnesses and choices are called beside each other: the
    shortest that differ.

    The profile, or the witness where several have the profile, or both, with the names of plugins
    that were added, unless all have the same; where that is still the same, what was chosen by
    hand, if it is short, or how many changes that is; else ``rule set 1``, ``rule set 2`` …
    """
    named = [
        (PurePath(profile).stem if is_path(profile) else profile, w, chosen)
        for profile, w, chosen in named
    ]
    profiles = Counter(profile for profile, *_ in named)
    witnesses = Counter(witness for _, witness, _ in named)
    found = [
        profile
        if profiles[profile] == 1
        else witness
        if witness and witnesses[witness] == 1 and witness not in profiles
        else f"{profile}@{witness}"
        if witness and len({w for p, w, _ in named if p == profile}) > 1
        else profile
        for profile, witness, _ in named
    ]
    many = Counter(found)
    added = [
        "".join(word.partition(":")[0] for word in chosen.split(" ") if word.startswith("+"))
        for _, _, chosen in named
    ]
    found = [
        _with_choices(name, chosen)
        if many[name] > 1
        else name + (plugins if len(set(added)) > 1 and len(plugins) <= LONGEST_CHOICE else "")
        for name, plugins, (_, _, chosen) in zip(found, added, named, strict=True)
    ]
    return (
        found
        if len(set(found)) == len(found)
        else [f"rule set {n}" for n in range(1, len(found) + 1)]
    )


def _with_choices(name: str, chosen: str) -> str:
    if not chosen or len(chosen) <= LONGEST_CHOICE:
        return chosen or name
    changes = sum(word.startswith("+") or "=" in word for word in chosen.split(" "))
    return f"{name} with {changes} changes" if changes > 1 else f"{name} (changed)"


def names_beside(compiled: Sequence[Compiled]) -> list[str]:
    """The same of compiled rule sets; a text in a file of its own is never called by its
    profile."""
    told = [c.identity for c in compiled]
    names = short_names([(one.profile, one.witness, _chosen(one)) for one in told])
    return [
        (one.witness or name) if one.witness_in_file and name == one.profile else name
        for one, name in zip(told, names, strict=True)
    ]


def _chosen(identity: Identity) -> str:
    """What was chosen by hand, as it is typed."""
    by_hand = (*identity.readings, *identity.settings)
    return " ".join(
        [
            *(f"+{plugin}" for plugin in identity.added),
            *(f"{path}={value}" for path, value in by_hand),
        ]
    )


LONGEST_CHOICE: Final = 32
"""Letters of a choice by hand that may still name a rule set."""


def identity_text(identity: Identity) -> str:
    """A rule set's name in one line, with the readings and rules chosen by hand."""
    parts = [str(identity)]
    parts += [f"reading {p}={r}" for p, r in identity.readings]
    parts += [f"set {p}={v}" for p, v in identity.settings]
    return ", ".join(parts)


def filled_text(compiled: Compiled, indent: str = "") -> str:
    """The line below a rule set's name that says how much of its witness is filled, and seen; after
    a line break."""
    found = fillings(compiled)
    witness = compiled.witnesses.get(compiled.identity.witness or "")
    seen = pages_seen(compiled.sources.get(witness.source)) if witness else ""
    parts = [part for part in (str(found) if found and found.filled else "", seen) if part]
    return f"\n{indent}{compiled.identity.witness}: {'; '.join(parts)}" if parts else ""


def ruleset_json(compiled: Compiled) -> dict[str, Any]:
    """What names a rule set, how much of its witness is filled, null where no witness is followed,
    and the rules, if there are any, that only reported incidents reach."""
    found, reported = fillings(compiled), reported_only((compiled,))
    return {
        **identity_to_plain(compiled.identity),
        "filled": None if found is None else found.to_plain(),
        **if_any(reported_only=reported),
    }


def never_met(paths: Sequence[str]) -> list[str]:
    """That no study meets these rules, in a sentence; empty where there are none."""
    who = "them" if len(paths) > 1 else "it"
    said = f"Studies never meet {listed(paths)}: only incidents that people report come to {who}."
    return [said] if paths else []


def who_has_it(witnesses: Sequence[tuple[str, str]], elsewhere: Sequence[tuple[str, str]]) -> str:
    """Who has a reading, in words: witnesses with their places, or that there is none, and sources
    from elsewhere."""
    named = _placed(witnesses) or "no witness"
    return named + (f"; elsewhere {_placed(elsewhere)}" if elsewhere else "")


def reading_who(reading: ReadingDoc) -> str:
    """The same of a reading of a profile."""
    return who_has_it([(a.witness, a.at) for a in reading.attested], reading.elsewhere)


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


def remark(source: Source, *, recorded: bool = True) -> str:
    """What a reader should know of a source: its kind, what it reports, its note.

    With ``recorded`` also what is recorded of its address, as ``access`` has it.
    """
    kind = f"{source.kind.capitalize()} source" if source.kind else ""
    reports = f"reports {source.of}" if source.of else ""
    via = f"known through {source.via} alone" if source.via else ""
    head = ", ".join(part for part in (kind, reports, via) if part)
    known = access(source) if recorded else ""
    seen = (("Edition", source.edition), ("Copy", source.copy), ("Images", source.images))
    known = " ".join(filter(None, (*(f"{what}: {said}." for what, said in seen if said), known)))
    return " ".join(part for part in (f"{head}." if head else "", known, source.note) if part)


def access(source: Source) -> str:
    """What is recorded of the address of a page of the web, and of the revision or date seen; empty
    for other texts."""
    if source.medium != "web":
        return ""
    missing = [
        word
        for word, known in (("address", source.url), ("revision or date seen", source.seen))
        if not known
    ]
    seen = [f"Seen: {source.seen}."] if source.seen else []
    return " ".join(
        [*seen, f"{' and '.join(missing).capitalize()} not recorded."] if missing else seen
    )


def pages_seen(source: Source | None) -> str:
    """How much of a text was seen, such as ``pages seen: 15 of 76 known``; empty for one that was
    read whole."""
    if source is None or not source.pages:
        return ""
    known = source.pages.get("known")
    return (
        f"pages seen: {len(source.pages['seen'])} of "
        f"{f'{known} known' if known else 'an unknown number'}"
    )


def made_by(source: Source) -> str:
    """Its author, or else its editors, named so; empty where neither is known."""
    if source.author or not source.editor:
        return source.author
    return f"{source.editor} ({'editors' if ' and ' in source.editor else 'editor'})"


def short_title(source: Source) -> str:
    """A source in one line: author or editors, title and year, as far as they are known."""
    return ", ".join(part for part in (made_by(source), source.title, source.date) if part)


def source_json(source: Source) -> dict[str, Any]:
    """A source as it stands in the bibliography, with null for what is not known."""
    return {
        "short_title": short_title(source),
        "author": source.author or None,
        "editor": source.editor or None,
        "title": source.title or None,
        "year": source.year,
        "publisher": source.publisher or None,
        "publisher_place": source.publisher_place or None,
        "medium": source.medium or None,
        "language": source.language or None,
        "licence": source.licence or None,
        "kind": source.kind or None,
        "reports": source.of or None,
        "known_through": source.via or None,
        "url": source.url or None,
        "seen": source.seen or None,
        "pages": dict(source.pages) or None,
        "descends": [dict(one) for one in source.descends] or None,
        "note": source.note or None,
        **{k: v for k in ("until", "edition", "copy", "images") if (v := getattr(source, k))},
    }


def identity_to_plain(identity: Identity) -> dict[str, Plain]:
    """What names a rule set, as every output gives it."""
    plain: dict[str, Plain] = {
        "profile": identity.profile,
        "witness": identity.witness,
        **if_any(witness_files=[*identity.witness_files]),
        "readings": dict(identity.readings),
        "plugins": [
            {
                "name": p.name,
                "version": p.version,
                "package": p.package,
                "parameters": dict(p.parameters),
            }
            for p in identity.plugins
        ],
        "digest": identity.digest,
    }
    if identity.added:
        plain["added"] = list(identity.added)
    if identity.settings:
        plain["settings"] = dict(identity.settings)
    return plain


def point_json(state: PointState) -> dict[str, Any]:
    """One disputed point as JSON."""
    return {
        "question": state.point.question,
        "reading": state.reading.id,
        "silent": state.silent,
        "absence": state.absence or None,
        "readings": {
            r.id: {
                "set": {path: value for path, value, _ in r.sets},
                "witnesses": {a.witness: {"source": a.source, "at": a.at} for a in r.attested},
                "elsewhere": {source: {"at": at} for source, at in r.elsewhere},
                "status": r.status,
                "certainty": r.certainty or None,
                "note": r.note or None,
            }
            for r in state.point.readings
        },
    }


def seat_names(players: int) -> tuple[str, ...]:
    """The players by seat: eldest, second, third, dealer."""
    return (*ORDINALS[: players - 1], "dealer")


ORDINALS: Final = ("eldest", "second", "third", "fourth")
"""How a card player calls the seats before the dealer's, from the dealer's right on."""
