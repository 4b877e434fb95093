"""The page of a rule: what it asks, its values, who sets it to what, which plugins touch it, and how to set it.

``quadrille explain LEAF`` prints it, and ``docs/rules/`` is made of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import yaml

from quadrille_core import DISTRIBUTION, resources, vocabulary
from quadrille_core.errors import QuadrilleError
from quadrille_core.features import installed
from quadrille_core.hookspecs import DOMAINS, Default, NewBid
from quadrille_core.kinds import KINDS
from quadrille_core.profile.records import ReadingDoc
from quadrille_core.registry import Registry, load_all, parameters_of
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.ruleset.provenance import NEUTRAL
from quadrille_core.vocabulary import Leaf
from quadrille_plugins.finding.find import shipped
from quadrille_plugins.finding.meanings import question_of, values_of
from quadrille_plugins.finding.said import Passage, of_rule
from quadrille_plugins.writing.values import rule_value, who_has_it

_HIDDEN: Final = ", where no rule set says otherwise"
"""After a plugin's default that every shipped rule set overrules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InUse:
    """A value that a shipped profile has, for which of its bids, and by whom."""

    profile: str
    value: Any
    bids: tuple[str, ...]
    """The bids that have it, where the rule is kept for each bid."""
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A reading of a disputed point that sets the rule."""

    point: str
    id: str
    value: Any
    profiles: tuple[str, ...]
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HowTo:
    """A setting that can be made: a rule set, a path in it and another value; ``file`` passes ``quadrille check``."""

    profile: str
    path: str
    value: Any

    @property
    def file(self) -> str:
        """A whole file of house rules."""
        return f"kind: profile\nid: ours\ntitle: Our table\nextends: {self.profile}\n{self.rules}"

    @property
    def rules(self) -> str:
        """The lines that set the rule."""
        tree: Any = self.value
        for step in reversed(self.path.split(".")):
            tree = {step: tree}
        lines: str = yaml.safe_dump({"rules": tree}, sort_keys=False, default_flow_style=None, allow_unicode=True)
        if "{" not in lines:
            return lines
        *steps, last = ("rules", *self.path.split("."))
        head = "".join(f"{'  ' * i}{step}:\n" for i, step in enumerate(steps))
        return f"{head}{'  ' * len(steps)}{last}: {self.plain}\n"

    @property
    def plain(self) -> str:
        """The value as YAML writes it in one line."""
        text: str = yaml.safe_dump(self.value, default_flow_style=True, allow_unicode=True, width=10_000)
        return text.removesuffix("\n").removesuffix("...").strip()

    @property
    def command(self) -> str:
        """The command that shows the rule set with it."""
        setting = f"{self.path}={self.plain}"
        quoted = f"'{setting}'" if any(c in setting for c in " [{") else setting
        return f"quadrille show {self.profile} --set {quoted}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePage:
    """Everything there is to say of one rule."""

    pattern: str
    asks: str
    doc: str
    type: str
    values: tuple[tuple[str, str], ...]
    neutral: str
    """The value that stands where no source mentions the mechanic; empty where a profile has to set it."""
    in_use: tuple[InUse, ...]
    readings: tuple[Reading, ...]
    plugins: tuple[tuple[str, str], ...]
    """Each plugin that sets it, with the values."""
    said: tuple[Passage, ...]
    how: HowTo | None

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
                {"profile": u.profile, "value": u.value, "bids": list(u.bids), "source": u.source} for u in self.in_use
            ],
            "readings": [
                {"point": r.point, "reading": r.id, "value": r.value, "profiles": list(r.profiles), "who": r.who}
                for r in self.readings
            ],
            "plugins": dict(self.plugins),
            "said": [p.to_plain() for p in self.said],
            "yaml": self.how and self.how.file,
            "command": self.how and self.how.command,
        }


def rule_page(pattern: str, path: str | None = None) -> RulePage:
    """The page of the rule of that pattern, or of one bid's rule by its path; raises KeyError for no rule."""
    leaf = vocabulary.leaf_at(pattern)
    about = path or pattern
    return RulePage(
        pattern=about,
        asks=question_of(pattern),
        doc=leaf.doc,
        type=_type(leaf),
        values=values_of(leaf),
        neutral=_neutral(leaf),
        in_use=tuple(_in_use(about)),
        readings=tuple(_readings(about)),
        plugins=tuple(_plugins(about)),
        said=of_rule(about),
        how=_how(leaf, about),
    )


def _type(leaf: Leaf) -> str:
    if leaf.choices():
        return "one of the words below"
    names = {bool: "true or false", int: "a whole number", Fraction: "an exact amount", str: "a text"}
    if leaf.type in names:
        return names[leaf.type]
    return "a list" if "tuple" in str(leaf.type) else "one of the values below"


def _neutral(leaf: Leaf) -> str:
    return HowTo(profile="", path="", value=leaf.default_plain()).plain if leaf.has_default else ""


def paths_of(pattern: str, compiled: Compiled) -> list[str]:
    """The rules of a rule set that a pattern or path names."""
    return [p for p in compiled.origins if p == pattern or vocabulary.pattern_of(p) == pattern]


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
            yield InUse(profile=profile, value=values[key], bids=tuple(filter(None, bids)), source=key[1])


def _short(source: str) -> str:
    return "neutral value; no source" if source.endswith(f"; filled: {NEUTRAL}") else source


def _readings(pattern: str) -> Iterator[Reading]:
    found: dict[tuple[str, str, str, str], list[str]] = {}
    values: dict[tuple[str, str, str, str], Any] = {}
    for profile, compiled in shipped().items():
        for state in compiled.points:
            for reading in state.point.readings:
                for path, value, _ in reading.sets:
                    if pattern in (path, vocabulary.pattern_of(path)) or vocabulary.matches(path, pattern):
                        mark = " (in use)" if reading.id == state.reading.id else ""
                        key = state.point.id, reading.id, rule_value(value), _who(reading)
                        values[key] = value
                        profiles = found.setdefault(key, [])
                        if f"{profile}{mark}" not in profiles:
                            profiles.append(f"{profile}{mark}")
    for key, profiles in found.items():
        yield Reading(point=key[0], id=key[1], value=values[key], profiles=tuple(profiles), who=key[3])


def _who(reading: ReadingDoc) -> str:
    who = who_has_it([(w, at) for w, _, at in reading.attested], reading.elsewhere)
    return who + (f"; {reading.status}" if reading.status not in ("", "attested") else "")


def _plugins(pattern: str) -> Iterator[tuple[str, str]]:
    for name, set_to in _touched().items():
        found = [v for p, v in set_to.items() if p == pattern or vocabulary.pattern_of(p) == pattern]
        hidden = [v.removesuffix(_HIDDEN) for v in dict.fromkeys(found) if v.endswith(_HIDDEN)]
        values = [v for v in dict.fromkeys(found) if not v.endswith(_HIDDEN)]
        if found:
            yield name, "; ".join([*values, *(["; ".join(hidden) + _HIDDEN] if hidden else [])])


@cache
def _touched() -> Mapping[str, Mapping[str, str]]:
    """By plugin of this package, the rules that it sets, with the values, where a profile names it or it is added.

    A default that no shipped rule set needs, since each says more, is one of them.
    """
    ours = [name for name, providers in installed().items() if all(p.package == DISTRIBUTION for p in providers)]
    found: dict[str, dict[str, str]] = {name: {} for name in sorted(ours)}
    users: dict[str, Compiled] = {}
    for compiled in shipped().values():
        _note(compiled, found)
        users |= {plugin.name: compiled for plugin in compiled.identity.plugins}
    for name in found:
        for profile in shipped():
            try:
                compiled = compile_reference(f"{profile}+{name}")
            except QuadrilleError:
                continue
            _note(compiled, found)
            users.setdefault(name, compiled)
            break
    registry = load_all(found)
    for name in found.keys() & users.keys():
        for path, text in _offered(name, users[name], registry):
            found[name].setdefault(path, text)
    return found


def _offered(name: str, compiled: Compiled, registry: Registry) -> Iterator[tuple[str, str]]:
    """What a plugin offers a rule set and no chain shows: defaults that profiles hide, and when its bids are made."""
    rules = MappingProxyType({path: origin.value for path, origin in compiled.origins.items()})
    parameters = MappingProxyType(parameters_of(registry.loaded[name], {}, None, {}))
    for hook in {**DOMAINS, **KINDS[compiled.kind].domains}:
        for item in registry.call(name, hook, rules=rules, parameters=parameters) or ():
            if isinstance(item, Default):
                yield item.path, f"{rule_value(item.value)}{_HIDDEN}"
            elif isinstance(item, NewBid):
                yield f"bids.{item.id}.made", f"{item.bid.made} at {item.id}, which it adds"


def _note(compiled: Compiled, found: dict[str, dict[str, str]]) -> None:
    for path, origin in compiled.origins.items():
        for link in origin.chain:
            if link.setter == "plugin" and link.name in found:
                found[link.name].setdefault(path, rule_value(link.value))


def _how(leaf: Leaf, pattern: str) -> HowTo | None:
    """A setting that compiles under every witness, to another value than the profile has; the same where none does."""
    same = None
    for profile, compiled in sorted(shipped().items(), key=lambda one: _rank(one[0], one[1], pattern)):
        for path in _played(paths_of(pattern, compiled), compiled)[:3]:
            now = compiled.value_of(path)
            same = same or HowTo(profile=profile, path=path, value=now)
            for value in _others(leaf, now):
                if _compiles(profile, compiled, {path: value}):
                    return HowTo(profile=profile, path=path, value=value)
    return same


def _rank(profile: str, compiled: Compiled, pattern: str) -> tuple[bool, bool]:
    """Where a profile stands as an example of a rule: first those that state it, and of those the usual ones."""
    stated = any(compiled.origins[path].link.setter != "vocabulary" for path in paths_of(pattern, compiled))
    return not stated, profile != resources.examples()[0]


def _played(paths: list[str], compiled: Compiled) -> list[str]:
    """The paths of bids that are made first."""
    never = {p.split(".")[1] for p, o in compiled.origins.items() if p.startswith("bids.") and o.value == "never"}
    return sorted(paths, key=lambda path: bool(never & set(path.split("."))))


def _compiles(profile: str, compiled: Compiled, settings: Mapping[str, Any]) -> bool:
    try:
        for witness in ("", *(f"@{name}" for name in compiled.witnesses)):
            compile_reference(profile + witness, settings=settings)
    except QuadrilleError:
        return False
    return True


def _others(leaf: Leaf, now: Any) -> Iterator[Any]:
    """A few other values that the type allows."""
    if leaf.choices():
        yield from (choice for choice in leaf.choices() if choice != now)
    elif isinstance(now, bool):
        yield not now
    elif isinstance(now, int):
        yield from (n for n in (now + 1, now - 1) if (leaf.low or 0) <= n <= (leaf.high or n))
    elif leaf.type is Fraction:
        yield 1
    elif isinstance(now, list):
        words = [w for w, _ in values_of(leaf) if w.startswith("[") and w.endswith("]") and "{" not in w]
        lists = [yaml.safe_load(word) for word in words]
        yield from (found for found in lists if found and found != now)
    elif now is None:
        yield from (word for word, _ in values_of(leaf) if word != "null")
    elif leaf.type is str:
        yield f"Our {now}"
