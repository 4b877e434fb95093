"""The passages of the sources, sentence by sentence, and what holds each of them.

``variants/passages/SOURCE.yaml`` lists every sentence of a text, in our own words, with the rules
that it bears on and the tests that hold them, or with the reason why it is no rule.  ``faults``
checks all of that against the product:

- no sentence is left out: a section says how many it has, and each is spoken of;
- a rule path exists, and the rule set and readings named beside it give it that value and cite that
  text for it;
- a function and a law that are named exist, and so does every test;
- the other way round, whatever a shipped rule set says is attested by a text has a passage of that
  text, and every
  place that is cited is a section of it.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml
from passages_schema import SCHEMA, WITHOUT_SCHEMA
from quadrille_plugins.ledger.laws import load_laws

from quadrille_core import resources, vocabulary
from quadrille_core.errors import QuadrilleError
from quadrille_core.profile import Citation, load_file, load_profile
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset.provenance import NEUTRAL

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "variants" / "passages"
WITHOUT = FOLDER / "without-source.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """A rule set, readings chosen in it, and values that it then has."""

    rules: str
    readings: tuple[tuple[str, str], ...]
    sets: Mapping[str, Any]

    def __str__(self) -> str:
        """As on the command line."""
        return " ".join([self.rules, *(f"--reading {p}={r}" for p, r in self.readings)])


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedPassage:
    """One statement of a text."""

    id: str
    source: str
    section: str
    number: str
    """Its number in the section, with a letter where one sentence says several things."""
    location: str
    first: int
    last: int
    says: str
    bears: tuple[Bearing, ...]
    fixed: tuple[str, ...]
    law: int | str | None
    tests: tuple[str, ...]
    no_rule: str | None
    note: str

    def paths(self) -> Iterator[str]:
        """The rule paths and patterns that it bears on."""
        for bearing in self.bears:
            yield from bearing.sets


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a text with its passages."""

    at: str
    names: tuple[str, ...]
    label: str
    sentences: int
    note: str
    passages: tuple[QuotedPassage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageText:
    """A source with all its passages."""

    source: str
    sections: tuple[Section, ...]

    def passages(self) -> Iterator[QuotedPassage]:
        """Every passage in order."""
        for section in self.sections:
            yield from section.passages

    def section_of(self, place: str) -> Section | None:
        """The section that a place in a citation begins by naming, or None."""
        named = [(len(n), s) for s in self.sections for n in s.names if _begins(place, n)]
        return max(named, key=lambda found: found[0])[1] if named else None


def _begins(place: str, name: str) -> bool:
    text, head = place.casefold(), name.casefold()
    return text.startswith(head) and not text[len(head) : len(head) + 1].isalnum()


# --- reading the files -----------------------------------------------------------------------


def parse(raw: Mapping[str, Any]) -> PassageText:
    """The text that such a file describes; raises jsonschema.ValidationError when its shape is
    wrong."""
    jsonschema.validate(raw, SCHEMA)
    sections = tuple(_section(raw, block) for block in raw["sections"])
    return PassageText(source=raw["source"], sections=sections)


@cache
def texts() -> tuple[PassageText, ...]:
    """Every text whose passages are listed."""
    return tuple(
        parse(load_file(path).to_plain())
        for path in sorted(FOLDER.glob("*.yaml"))
        if path != WITHOUT
    )


@cache
def without_source() -> Mapping[str, Mapping[str, str]]:
    """The rules of the vocabulary that rest on no passage and that no shipped profile sets, with
    status and reason."""
    raw = load_file(WITHOUT).to_plain()
    jsonschema.validate(raw, WITHOUT_SCHEMA)
    return {str(pattern): entry for pattern, entry in raw["rules"].items()}


def _section(raw: Mapping[str, Any], block: Mapping[str, Any]) -> Section:
    label = block.get("label", "sentence ")
    counts: dict[tuple[int, int], int] = {}
    spans = [_span(p["s"]) for p in block["passages"]]
    found = []
    for span, passage in zip(spans, block["passages"], strict=True):
        counts[span] = counts.get(span, 0) + 1
        letter = chr(ord("a") + counts[span] - 1) if spans.count(span) > 1 else ""
        numbers = (str(span[0]) if span[0] == span[1] else f"{span[0]}–{span[1]}") + letter
        where = f"{label}{numbers}" if label == "L" else f"{block['at']}, {label}{numbers}"
        found.append(_passage(raw, block, passage, span, numbers, where))
    names = (
        block["at"],
        *block.get("also", ()),
        *([f"L{n + 1}" for n in range(block["sentences"])] * (label == "L")),
    )
    return Section(
        at=block["at"],
        names=names,
        label=label,
        sentences=block["sentences"],
        note=block.get("note", ""),
        passages=tuple(found),
    )


def _passage(
    raw: Mapping[str, Any],
    block: Mapping[str, Any],
    passage: Mapping[str, Any],
    span: tuple[int, int],
    numbers: str,
    where: str,
) -> QuotedPassage:
    rules = passage.get("rules", block.get("rules", raw.get("rules", "")))
    bears = [passage, *passage.get("also", ())] if "sets" in passage else []
    slug = re.sub(
        r"[^a-z0-9]+", "-", f"{raw['source']} {block['at']} {numbers}".casefold().replace("é", "e")
    )
    return QuotedPassage(
        id=slug.strip("-"),
        source=raw["source"],
        section=block["at"],
        number=numbers,
        location=where,
        first=span[0],
        last=span[1],
        says=passage["says"],
        bears=tuple(
            Bearing(
                rules=b.get("rules", rules),
                readings=tuple(b.get("reading", {}).items()),
                sets=b["sets"],
            )
            for b in bears
        ),
        fixed=tuple(passage.get("fixed", ())),
        law=passage.get("law"),
        tests=tuple(passage.get("tests", ())),
        no_rule=passage.get("no_rule"),
        note=passage.get("note", ""),
    )


def _span(s: int | str) -> tuple[int, int]:
    first, _, last = str(s).partition("-")
    return int(first), int(last or first)


# --- what there is to point at ---------------------------------------------------------------


@cache
def functions(path: Path) -> frozenset[str]:
    """The functions, classes and methods that a module defines."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{n.name}" for n in node.body if isinstance(n, ast.FunctionDef)}
    return frozenset(names)


@cache
def known_tests() -> Mapping[str, tuple[str, ...]]:
    """Every test by the name that a passage may give it: a function, or the sentence that names a
    case."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in functions(path):
            if name.startswith("test_"):
                found.setdefault(name, []).append(f"{path.name}::{name}")
    for path in sorted((ROOT / "tests" / "data").glob("*.yaml")):
        for sentence in set(_sentences(yaml.load(path.read_text(), Loader=yaml.CSafeLoader))):
            found.setdefault(sentence, []).append(f"data/{path.name}: {sentence}")
    return {name: tuple(where) for name, where in found.items()}


def _sentences(node: Any) -> Iterator[str]:
    """The names of cases, wherever a file of cases keeps them."""
    if isinstance(node, list):
        for item in node:
            yield from _sentences(item)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            if key in ("name", "says", "rule") and isinstance(value, str):
                yield value
            else:
                yield from _sentences(value)


@cache
def compiled(rules: str, readings: tuple[tuple[str, str], ...] = ()) -> Compiled:
    """A rule set; raises as the command line would tell."""
    return compile_reference(rules, readings=dict(readings))


@cache
def rule_sets() -> tuple[str, ...]:
    """Every shipped rule set, with each of its witnesses, and those with plugins added of which a
    passage speaks.

    Where no witness is followed unless named, the rule set without one is another.
    """
    found = [
        b.rules for text in texts() for p in text.passages() for b in p.bears if "+" in b.rules
    ]
    for name, path in resources.shipped_profiles().items():
        doc = load_profile(path, validate=False)
        if not doc.abstract:
            found += [f"{name}@{w}" for w in compiled(name).witnesses]
            found += [] if doc.default_witness else [name]
    return tuple(dict.fromkeys(found))


def bears_on(passage: QuotedPassage, pattern: str) -> bool:
    """Whether a passage says something of a rule of the vocabulary."""
    return any(p == pattern or vocabulary.pattern_of(p) == pattern for p in passage.paths())


@cache
def marks() -> Mapping[str, tuple[str, ...]]:
    """By rule, what the rule sets hold without a text that says it outright: status, reason, and
    which they are.

    A rule at its neutral value is not marked: nobody has said anything of it.
    """
    found: dict[str, dict[str, dict[str, None]]] = {}
    for reference in rule_sets():
        for path, origin in compiled(reference).origins.items():
            by_reason = found.setdefault(vocabulary.pattern_of(path) or path, {})
            for cite in origin.link.citations or (
                Citation("", status="house", note=f"of {origin.link.name}"),
            ):
                reason = cite.filled or cite.note or cite.at
                if cite.status != "attested" and reason != NEUTRAL:
                    place = f" ({cite.source}: {cite.at})" if cite.source and cite.at else ""
                    by_reason.setdefault(f"{cite.status}{place}: {reason}", {})[reference] = None
    return {
        pattern: tuple(
            f"{reason} [{', '.join(references)}]" for reason, references in by_reason.items()
        )
        for pattern, by_reason in found.items()
    }


# --- the checks ------------------------------------------------------------------------------


def faults(listed: tuple[PassageText, ...]) -> Iterator[str]:
    """Everything that does not hold, each in a line that says where."""
    yield from sentence_faults(listed)
    yield from citation_faults(listed)
    yield from leaf_faults(listed)


def sentence_faults(listed: tuple[PassageText, ...]) -> Iterator[str]:
    """Sentences that are left out, and what is wrong with those that are not."""
    ids: set[str] = set()
    for text in listed:
        for section in text.sections:
            spoken = {n for p in section.passages for n in range(p.first, p.last + 1)}
            for n in sorted(set(range(1, section.sentences + 1)) ^ spoken):
                what = (
                    "is not spoken of"
                    if n not in spoken
                    else f"is beyond the {section.sentences} there are"
                )
                yield f"{text.source}: {section.at}: sentence {n} {what}"
        for passage in text.passages():
            if passage.id in ids:
                yield f"{passage.id}: two passages of one name"
            ids.add(passage.id)
            for fault in passage_faults(passage):
                yield f"{passage.source}: {passage.location}: {fault}"


def passage_faults(passage: QuotedPassage) -> Iterator[str]:
    """What is wrong with the rules and tests that a passage names."""
    for name in passage.tests:
        where = known_tests().get(name, ())
        if len(where) != 1:
            yield (
                f"no test is named {name!r}"
                if not where
                else f"several tests are named {name!r}: {', '.join(where)}"
            )
    for name in passage.fixed:
        module, _, function = name.partition("::")
        packages = ROOT / "quadrille_core", ROOT / "plugins" / "quadrille_plugins"
        path = next(
            (package / module for package in packages if (package / module).exists()),
            packages[0] / module,
        )
        if not path.exists() or function not in functions(path):
            yield f"there is no {name}"
    laws = resources.laws()
    if passage.law is not None and (
        passage.source not in laws
        or passage.law not in {law.number for law in load_laws(laws[passage.source]).laws}
    ):
        yield f"no law {passage.law} is kept of this text"
    for bearing in passage.bears:
        yield from bearing_faults(passage.source, bearing)


def bearing_faults(source: str, bearing: Bearing) -> Iterator[str]:
    """What of a bearing its rule set does not bear out: a path, a value, a reading, or the citation
    of this text."""
    try:
        rules = compiled(bearing.rules, bearing.readings)
    except QuadrilleError as e:
        yield f"{bearing}: {'; '.join(p.message for p in e.problems)}"
        return
    chosen = {f"{point}={reading}" for point, reading in bearing.readings}
    for pattern, wanted in bearing.sets.items():
        paths = [
            p
            for p in rules.origins
            if len(p.split(".")) == len(pattern.split(".")) and _covers(pattern, p)
        ]
        if not paths:
            yield f"{bearing}: there is no rule {pattern}"
        for path in paths:
            origin = rules.origins[path]
            if origin.value != vocabulary.canonical(vocabulary.leaf_at(path), wanted):
                yield f"{bearing}: {path} is {origin.value!r}, not {wanted!r}"
            cites = [
                c for c in origin.link.citations if c.source == source and c.status != "silent"
            ]
            if not cites:
                yield f"{bearing}: {path} does not cite {source} but: {origin.source_text()}"
    for name in chosen:
        if not any(
            rules.origins[p].link.name == name
            for pattern in bearing.sets
            for p in rules.origins
            if _covers(pattern, p)
        ):
            yield f"{bearing}: reading {name} sets none of these rules"


def _covers(pattern: str, path: str) -> bool:
    return vocabulary.matches(pattern, path)


@dataclass(frozen=True, slots=True)
class Cited:
    """A rule of a rule set as it cites a text."""

    path: str
    source: str
    at: str
    status: str


@cache
def citations() -> tuple[Cited, ...]:
    """Every citation of a text by a rule set, under any reading of any of its points."""
    seen: dict[Cited, None] = {}
    for reference in rule_sets():
        rules = compiled(reference)
        found = [
            Cited(path, c.source, c.at, c.status)
            for path, origin in rules.origins.items()
            for c in origin.link.citations
        ]
        spoken = {w.id: w.source for w in rules.witnesses.values()}
        for doc in rules.chain:
            for point in doc.points:
                for reading in point.readings:
                    found += [
                        Cited(s.path, a.source or spoken.get(a.witness, ""), a.at, reading.status)
                        for a in reading.attested
                        for s in reading.sets
                    ]
                    found += [
                        Cited(s.path, e.source, e.at, reading.status)
                        for e in reading.elsewhere
                        for s in reading.sets
                    ]
        seen.update(dict.fromkeys(cited for cited in found if cited.source))
    return tuple(seen)


def citation_faults(listed: tuple[PassageText, ...]) -> Iterator[str]:
    """What the rule sets cite and the passages do not know."""
    by_source = {text.source: text for text in listed}
    bears = {
        text.source: {pattern for p in text.passages() for pattern in p.paths()} for text in listed
    }
    told: set[str] = set()
    for cited in citations():
        text = by_source.get(cited.source)
        if text is None:
            continue
        found = []
        for place in (part.strip() for part in cited.at.split(";")):
            if place and text.section_of(place) is None:
                found.append(f"{cited.source}: a rule cites {place!r}, which is no section of it")
        if cited.status == "attested" and not any(
            _covers(pattern, cited.path) for pattern in bears[cited.source]
        ):
            found.append(
                f"{cited.source}: {cited.path} is said to be attested ({cited.at}), and no "
                "passage bears on it"
            )
        for fault in found:
            if fault not in told:
                told.add(fault)
                yield fault


def leaf_faults(listed: tuple[PassageText, ...]) -> Iterator[str]:
    """Rules that rest on nothing: no passage, no rule set that marks its value, and no reason given
    here."""
    reasons = without_source()
    for pattern in vocabulary.every_leaf():
        spoken = any(bears_on(p, pattern) for text in listed for p in text.passages())
        if not spoken and not marks().get(pattern) and pattern not in reasons:
            yield (
                f"{pattern} rests on no passage and is marked neither house nor conjecture nor "
                "silent"
            )
        if pattern in reasons and (spoken or marks().get(pattern)):
            yield f"{pattern} has a source or a mark, and stands in {WITHOUT.name}"
    for pattern in reasons.keys() - vocabulary.every_leaf().keys():
        yield f"{WITHOUT.name} speaks of {pattern}, and there is no such rule"
