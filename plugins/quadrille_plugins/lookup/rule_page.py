"""The page of a rule: what it asks, its values, who sets it to what, which plugins touch it, and
how to set it.

``quadrille explain LEAF`` prints it, and ``docs/rules/`` is made of it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from quadrille_core import vocabulary
from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.passages import Passage
from quadrille_core.ruleset.provenance import NEUTRAL
from quadrille_core.vocabulary import Leaf
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.lookup.meanings import question_of, values_of
from quadrille_plugins.lookup.passages import of_rule
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.values import reading_who, rule_value
from quadrille_plugins.shell.wrapping import filled, listed

EXAMPLES: Final = Path(__file__).with_name("rule_examples.json")
"""What ``_examples`` gives."""


@frozen_by_keyword
class InUse:
    """A value that a shipped profile has, for which of its bids, and by whom."""

    profile: str
    value: Any
    bids: tuple[str, ...]
    """The bids that have it, where the rule is kept for each bid."""
    source: str


@frozen_by_keyword
class Reading:
    """A reading of a disputed point that sets the rule."""

    point: str
    id: str
    value: Any
    profiles: tuple[str, ...]
    who: str


@frozen_by_keyword
class RulePage:
    """Everything there is to say of one rule."""

    pattern: str
    asks: str
    doc: str
    type: str
    values: tuple[tuple[str, str], ...]
    neutral: str
    """The value that stands where no source mentions the mechanic; empty where a profile has to set
    it."""
    in_use: tuple[InUse, ...]
    readings: tuple[Reading, ...]
    plugins: tuple[tuple[str, str], ...]
    """Each plugin that sets it, with the values."""
    said: tuple[Passage, ...]
    file: str
    """A file of house rules in which it acts; empty where none was found."""
    command: str
    """The command that shows the rule set with it."""
    says: str
    """What is to be said of the example, or instead of one; empty where it explains itself."""

    def to_plain(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "kind": "leaf",
            "id": self.pattern,
            "question": self.asks,
            "doc": self.doc,
            "type": self.type,
            "values": dict(self.values),
            "neutral": self.neutral or None,
            "profiles": [
                {"profile": u.profile, "value": u.value, "bids": list(u.bids), "source": u.source}
                for u in self.in_use
            ],
            "readings": [
                {
                    "point": r.point,
                    "reading": r.id,
                    "value": r.value,
                    "profiles": list(r.profiles),
                    "who": r.who,
                }
                for r in self.readings
            ],
            "plugins": dict(self.plugins),
            "said": [p.to_plain() for p in self.said],
            "yaml": self.file or None,
            "yaml_says": self.says or None,
            "command": self.command or None,
        }


def rule_page(pattern: str, path: str | None = None) -> RulePage:
    """The page of the rule of that pattern, or of one bid's rule by its path; raises KeyError for
    no rule."""
    leaf = vocabulary.leaf_at(pattern)
    about = path or pattern
    example = _examples().get(pattern, {})
    return RulePage(
        pattern=about,
        asks=question_of(pattern),
        doc=leaf.doc,
        type=_type(leaf),
        values=values_of(leaf),
        neutral=_neutral(leaf),
        in_use=tuple(_in_use(about)),
        readings=tuple(_readings(about)),
        plugins=tuple(example.get("plugins", {}).items()),
        said=of_rule(about),
        file=example.get("file") or "",
        command=example.get("command") or "",
        says=example.get("says") or "",
    )


@cache
def _examples() -> Mapping[str, Any]:
    """The example of each rule in the vocabulary, and the plugins of this package that set it."""
    found: Mapping[str, Any] = json.loads(EXAMPLES.read_bytes())
    return found


def _type(leaf: Leaf) -> str:
    if leaf.choices():
        return "one of the words below"
    names = {
        bool: "true or false",
        int: "a whole number",
        Fraction: "an exact amount",
        str: "a text",
    }
    if leaf.type in names:
        return names[leaf.type]
    return "a list" if "tuple" in str(leaf.type) else "one of the values below"


def _neutral(leaf: Leaf) -> str:
    return plain(leaf.default_plain()) if leaf.has_default else ""


def _in_use(pattern: str) -> Iterator[InUse]:
    at = pattern.split(".").index("*") if "*" in pattern else None
    for profile, compiled in shipped().items():
        found: dict[tuple[str, str], list[str]] = {}
        values = {}
        for path in paths_of(pattern, compiled):
            origin = compiled.origins[path]
            key = rule_value(origin.value), _short(origin.source_text())
            values[key] = origin.value
            found.setdefault(key, []).append(path.split(".")[at] if at is not None else "")
        for key, bids in found.items():
            yield InUse(
                profile=profile, value=values[key], bids=tuple(filter(None, bids)), source=key[1]
            )


def _short(source: str) -> str:
    return "neutral value; no source" if source.endswith(f"; filled: {NEUTRAL}") else source


def _readings(pattern: str) -> Iterator[Reading]:
    found: dict[tuple[str, str, str, str], list[str]] = {}
    values: dict[tuple[str, str, str, str], Any] = {}
    for profile, compiled in shipped().items():
        for state in compiled.points:
            for reading in state.point.readings:
                for path, value, _ in reading.sets:
                    if pattern in (path, vocabulary.pattern_of(path)) or vocabulary.matches(
                        path, pattern
                    ):
                        mark = " (in use)" if reading.id == state.reading.id else ""
                        key = state.point.id, reading.id, rule_value(value), _who(reading)
                        values[key] = value
                        profiles = found.setdefault(key, [])
                        if f"{profile}{mark}" not in profiles:
                            profiles.append(f"{profile}{mark}")
    for key, profiles in found.items():
        yield Reading(
            point=key[0], id=key[1], value=values[key], profiles=tuple(profiles), who=key[3]
        )


def _who(reading: ReadingDoc) -> str:
    who = reading_who(reading)
    return who + (f"; {reading.status}" if reading.status not in ("", "attested") else "")


def paths_of(pattern: str, compiled: Compiled) -> list[str]:
    """The rules of a rule set that a pattern or path names."""
    return [p for p in compiled.origins if p == pattern or vocabulary.pattern_of(p) == pattern]


def plain(value: Any) -> str:
    """A value as YAML writes it in one line."""
    text: str = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False
    )
    line = text.removesuffix("\n").removesuffix("...").strip()
    return (
        json.dumps(value, ensure_ascii=False) if "'" in line else line
    )  # a shell's quotes may stand around it


# --- as it is printed ----------------------------------------------------------------------------


def rule_blocks(page: RulePage) -> list[Block]:
    """The page of a rule for a person."""
    made: list[Block] = [
        Text("\n".join(filled(f"{page.pattern}: {page.asks}")), strong=True),
        Text("\n".join([*filled(page.doc, more=0), *filled(default_text(page), more=0)])),
        Text("\n".join(["values", *listed(list(page.values))])),
    ]
    for title, rows in parts(page, " (choose with --reading)"):
        if rows:
            made.append(Text("\n".join([title, *listed(rows)])))
    if page.file:
        lines = ["set it in a file", *(f"  {line}" for line in page.file.splitlines())]
        made.append(Text("\n".join([*lines, "or by hand", *filled(page.command, 2)])))
    if page.says:
        made.append(Text("\n".join(filled(page.says, more=0))))
    return made


def default_text(page: RulePage) -> str:
    """What stands where nobody sets the rule."""
    if page.neutral:
        return f"Neutral value, where no source mentions it: {page.neutral}."
    return "Every profile has to set it."


def parts(page: RulePage, how: str = "") -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The parts of the page below its values, each with a title: who sets the rule to what, and
    what is said of it; ``how`` readings are chosen."""
    yield "in the profiles", [(u.profile, use_text(u.value, u.bids, u.source)) for u in page.in_use]
    yield (
        f"in the readings{how}",
        [
            (f"{r.point}={r.id}", f"{rule_value(r.value)}: {r.who}; {', '.join(r.profiles)}")
            for r in page.readings
        ],
    )
    yield "by plugins", list(page.plugins)
    yield "what the texts say, in our words", [(p.source, f"{p.at}: {p.says}") for p in page.said]


def use_text(value: Any, bids: Sequence[str], source: str) -> str:
    """A value in use, the bids that have it, and its source, in a line."""
    return f"{rule_value(value)}{' at ' + ', '.join(bids) if bids else ''} ({source})"


def rule_rows(page: RulePage) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The page as rows: each allowed value, then who sets the rule to what."""
    rows = [("value", value, meaning, "") for value, meaning in page.values]
    rows += [("profile", rule_value(u.value), u.profile, u.source) for u in page.in_use]
    rows += [("reading", rule_value(r.value), f"{r.point}={r.id}", r.who) for r in page.readings]
    rows += [("plugin", value, name, "") for name, value in page.plugins]
    return ("part", "value", "meaning_or_name", "source"), rows
