"""The example of each rule's page and the plugins that set the rule, in ``lookup/rule_examples.json``.

An example is a file of house rules in which the rule acts.  It is searched for: what errors propose
and what stops a rule is set beside it.  ``python tools/regenerate.py examples`` writes the file.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain, islice, repeat
from types import MappingProxyType
from typing import Any, Final, cast, get_args, get_origin

import yaml
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.lookup.meanings import values_of
from quadrille_plugins.lookup.rule_page import EXAMPLES, paths_of, plain
from quadrille_plugins.shell.idle_rules import idle_rules, stopped_rules
from quadrille_plugins.shell.values import rule_value

from quadrille_core import DISTRIBUTION, cards, resources, vocabulary
from quadrille_core.cards import Card, Suit
from quadrille_core.errors import Problem, QuadrilleError, Set
from quadrille_core.features import ask, installed
from quadrille_core.hookspecs import DOMAINS, Default, NewBid
from quadrille_core.kinds import KINDS
from quadrille_core.registry import Registry, load_all, parameters_of
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.vocabulary import Leaf

FILE: Final = EXAMPLES
_HIDDEN: Final = ", where no rule set says otherwise"
"""After a plugin's default that every shipped rule set overrules."""


def page() -> str:
    """The text of the file: what every rule's page shows, by pattern."""
    patterns = [pattern for kind in KINDS for pattern in vocabulary.leaves(kind)]
    return json.dumps({p: _entry(p) for p in patterns}, ensure_ascii=False, indent=1) + "\n"


def _entry(pattern: str) -> dict[str, Any]:
    how = how_to_set(vocabulary.leaf_at(pattern), pattern, _plugins_that_set)
    none = "No example: no other value was found that acts in a shipped rule set."
    return {
        "file": how and how.file,
        "command": how and how.command,
        "says": none if how is None else how.says,
        "plugins": dict(_plugins(pattern)),
    }


# --- the plugins that set a rule ---------------------------------------------------------------


def _plugins(pattern: str) -> Iterator[tuple[str, str]]:
    for name, set_to in _touched().items():
        found = [
            v for p, v in set_to.items() if p == pattern or vocabulary.pattern_of(p) == pattern
        ]
        hidden = [v.removesuffix(_HIDDEN) for v in dict.fromkeys(found) if v.endswith(_HIDDEN)]
        values = [v for v in dict.fromkeys(found) if not v.endswith(_HIDDEN)]
        if found:
            yield name, "; ".join([*values, *(["; ".join(hidden) + _HIDDEN] if hidden else [])])


def _plugins_that_set(path: str) -> list[str]:
    """The plugins that set a rule to what shipped rule sets have, or would have with them."""
    return [name for name, set_to in _touched().items() if path in set_to]


@cache
def _touched() -> Mapping[str, Mapping[str, str]]:
    """By plugin of this package, the rules that it sets, with the values, where a profile names it
    or it is added.

    A default that no shipped rule set needs, since each says more, is one of them.
    """
    ours = [
        name
        for name, providers in installed().items()
        if all(p.package == DISTRIBUTION for p in providers)
    ]
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
    """What a plugin offers a rule set and no chain shows: defaults that profiles hide, and when its
    bids are made."""
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


# --- an example as it is shown ------------------------------------------------------------------


_WIDEST: Final = 78
"""Characters of a line of a file; a longer list takes a line for each of its items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HowTo:
    """A setting that can be made: a rule set, a path in it and another value, which acts there.

    ``file`` passes ``quadrille check``, and what is played or paid differs by it.
    """

    profile: str
    path: str
    value: Any
    plugins: tuple[str, ...] = ()
    """Plugins that the file adds to the profile, since the rule acts with them alone."""
    beside: Mapping[str, Any] = field(default_factory=dict)
    """Other rules that the file sets, since the rule acts, or fits, with them alone."""
    tidies: bool = False
    """Whether the rule acts without what stands beside it too, and check has something to note
    then."""
    printed: bool = False
    """Whether the rule is only printed, so that nothing is played or paid differently."""
    stops: tuple[str, ...] = ()
    """Why rules of the profile cannot act any more beside it, where there is no example that stops
    none."""

    @property
    def settings(self) -> dict[str, Any]:
        """Every rule that the file sets, by path."""
        return {self.path: self.value, **self.beside}

    @property
    def reference(self) -> str:
        """The profile with the plugins, as it is typed."""
        return "+".join((self.profile, *self.plugins))

    @property
    def file(self) -> str:
        """A whole file of house rules."""
        plugins = (
            f"plugins: [{', '.join(f'{{plugin: {name}}}' for name in self.plugins)}]\n"
            if self.plugins
            else ""
        )
        return (
            f"kind: profile\nid: ours\ntitle: Our table\nextends: "
            f"{self.profile}\n{plugins}{self.rules}"
        )

    @property
    def rules(self) -> str:
        """The lines that set the rules."""
        lines: list[str] = []
        above: tuple[str, ...] = ()
        for path, value in sorted(self.settings.items(), key=self._in_order):
            *steps, last = ("rules", *path.split("."))
            same = next(
                (i for i, (a, b) in enumerate(zip(above, steps, strict=False)) if a != b),
                len(above),
            )
            lines += [f"{'  ' * i}{step}:" for i, step in enumerate(steps) if i >= same]
            lines += _lines(f"{'  ' * len(steps)}{last}:", value)
            above = tuple(steps)
        return "".join(f"{line}\n" for line in lines)

    def _in_order(self, item: tuple[str, Any]) -> tuple[bool, ...] | tuple[Any, ...]:
        """The rule first, then those of its blocks, the nearest first; each block stands once."""
        steps, own = item[0].split("."), self.path.split(".")
        return tuple((step != mine, step) for step, mine in zip(steps, own, strict=False))

    @property
    def command(self) -> str:
        """The command that shows the rule set with it."""
        return " ".join(
            [f"quadrille show {self.reference}", *(_set(p, v) for p, v in self.settings.items())]
        )

    @property
    def says(self) -> str:
        """What is to be said of the file: why it has further lines, or what becomes of other rules;
        often nothing."""
        if self.printed:
            return "It is only printed: whatever it is, the same is played and paid."
        told = []
        if names := [*(f"the plugin {name}" for name in self.plugins), *self.beside]:
            if self.tidies and not self.stops:
                told.append(
                    f"Without {listing(names)} it acts too, and quadrille check notes what it "
                    "does to other rules."
                )
            else:
                told.append(f"It needs {listing(names)} beside it.")
        if self.stops:
            why = "; ".join(self.stops)
            told.append(
                f"Some rules of {self.profile} cannot act beside it, as quadrille check notes: "
                f"{why}."
            )
        return " ".join(told)


def listing(names: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _set(path: str, value: Any) -> str:
    setting = f"{path}={plain(value)}"
    return f"--set '{setting}'" if any(c in setting for c in " [{") else f"--set {setting}"


def _lines(head: str, value: Any) -> list[str]:
    line = f"{head} {plain(value)}"
    if len(line) <= _WIDEST or not isinstance(value, list):
        return [line]
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    return [head, *(f"{indent}- {plain(item)}" for item in value)]


# --- the search ---------------------------------------------------------------------------------


_MOST_TRIES: Final = 40
"""Examples that are tried with other rules beside them before none is found."""
_DEEPEST: Final = 4
"""How many times what is proposed may call for more."""
_MOST_MENDED: Final = 6
"""Ways in which one example is mended."""
_CARDS: Final = ("SA", "CA")
"""The cards that examples hold: of two, the first is the higher in every suit."""
_PATH: Final = r"[a-z_]+(?:\.[a-z_*][a-z_*-]*)*"
_RULE: Final = re.compile(rf"({_PATH})")


@dataclass(frozen=True, slots=True)
class _Tried:
    """An example and what came of it."""

    how: HowTo
    problems: tuple[Problem, ...] = ()
    """Why it is no rule set."""
    idle: tuple[str, ...] = ()
    """Why what it sets cannot act."""
    stopped: Mapping[str, list[str]] = field(default_factory=dict)
    """Rules of the profile that cannot act any more, by the reason."""
    warned: bool = False
    """Whether the rule set, or what it is under a witness, is warned of."""
    same: bool = False
    """Whether the rule has that value without it."""

    @property
    def acts(self) -> bool:
        """Whether it is played differently, or its printed text differs, and nothing is to be noted
        of it."""
        return not (self.problems or self.idle or self.same or self.spare)

    @property
    def spare(self) -> bool:
        """Whether it is good enough where none is better: it acts, and something is to be noted of
        it."""
        return bool(self.stopped or self.warned)


def how_to_set(leaf: Leaf, pattern: str, plugins: Callable[[str], list[str]]) -> HowTo | None:
    """An example of a rule in which it acts; None where none is found.

    ``plugins`` gives those that set a rule.  The first of these: a value of the rule alone, in the
    profiles that state it and then in others; with a plugin that sets it; with other rules, as
    errors and reasons name them; with the rules of another profile that has the value.  An example
    of which check notes or warns something comes last.
    """
    tried: list[_Tried] = []
    for how in _alone(leaf, pattern):
        tried.append(one := _try(how))
        if one.acts:
            return one.how
    spare = [one for one in tried if one.spare]
    for one in chain(_plugged(tried, plugins), _mended(tried), _lent(tried)):
        if one.acts:
            return _least(one.how)
        spare += [one] if one.spare else []
    if not spare:
        return None
    last = _try(_least(spare[0].how))
    return replace(last.how, stops=tuple(last.stopped))


# --- which examples there are ------------------------------------------------------------------


def _alone(leaf: Leaf, pattern: str) -> Iterator[HowTo]:
    for profile, compiled in sorted(
        shipped().items(), key=lambda one: _rank(one[0], one[1], pattern)
    ):
        for path in _played(paths_of(pattern, compiled), compiled):
            for value in _others(leaf, compiled.value_of(path)):
                yield HowTo(profile=profile, path=path, value=value)


def _rank(profile: str, compiled: Compiled, pattern: str) -> tuple[bool, bool]:
    """Where a profile stands as an example of a rule: first those that state it, and of those the
    usual ones."""
    stated = any(
        compiled.origins[path].link.setter != "vocabulary" for path in paths_of(pattern, compiled)
    )
    return not stated, profile != resources.examples()[0]


def _played(paths: list[str], compiled: Compiled) -> list[str]:
    """The paths of bids that are made first."""
    never = {
        p.split(".")[1]
        for p, o in compiled.origins.items()
        if p.startswith("bids.") and o.value == "never"
    }
    return sorted(paths, key=lambda path: bool(never & set(path.split("."))))


def _others(leaf: Leaf, now: Any) -> Iterator[Any]:
    """Other values that the type allows: words, numbers near by, then what shipped rules and
    readings have."""
    seen = [now]
    for value in (*_of_type(leaf, now), *_in_use(leaf)):
        if value not in seen:
            seen.append(value)
            yield value


def _of_type(leaf: Leaf, now: Any) -> Iterator[Any]:
    if leaf.choices():
        yield from leaf.choices()
    elif isinstance(now, bool):
        yield not now
    elif isinstance(now, int):
        yield from (n for n in (now + 1, now - 1) if (leaf.low or 0) <= n <= (leaf.high or n))
    elif leaf.type is Fraction:
        yield 1
    elif leaf.type is str:
        yield f"Our {now}"
    else:
        hints = [hint for hint in (*get_args(leaf.type), leaf.type) if hint is not type(None)]
        words = [yaml.safe_load(word) for word, _ in values_of(leaf) if "{" not in word]
        found = [word for word in words if word] if isinstance(now, list) else words
        found += _CARDS if Card in hints else []
        found += [[_record(get_args(leaf.type)[0])]] if get_origin(leaf.type) is tuple else []
        for word in found:
            try:
                yield vocabulary.canonical(leaf, word)
            except vocabulary.MismatchError:
                continue


def _record(kind: Any) -> Any:
    """A record of a list as an example: the first words of each of its kinds."""
    shown: dict[Any, Iterator[Any]] = {
        Suit: iter(cards.SUITS),
        Card: iter(_CARDS),
        bool: repeat(True),
        int: repeat(1),
    }
    if not is_dataclass(kind):
        return None
    return {
        f.name: next(shown.get(f.type, repeat(f.name)))
        for f in vocabulary.fields_of(cast("type", kind))
    }


def _in_use(leaf: Leaf) -> Iterator[Any]:
    for compiled in shipped().values():
        yield from (compiled.value_of(path) for path in paths_of(leaf.pattern, compiled))
        for state in compiled.points:
            for reading in state.point.readings:
                yield from (
                    value
                    for path, value, _ in reading.sets
                    if vocabulary.pattern_of(path) == leaf.pattern
                )


# --- what comes of an example ------------------------------------------------------------------


def _try(how: HowTo) -> _Tried:
    parent = shipped()[how.profile]
    try:
        every = [
            _compile(how, witness) for witness in ("", *(f"@{name}" for name in parent.witnesses))
        ]
        without = compile_reference(how.reference) if how.plugins else parent
    except QuadrilleError as e:
        return _Tried(how, problems=tuple(e.problems))
    after = every[0]
    if (
        any(has(rules, how.path, how.value) for rules in (parent, without))
        or how.path not in after.origins
    ):
        return _Tried(how, same=True)
    if after.identity.digest == without.identity.digest:
        return _Tried(replace(how, printed=True))
    idle = idle_rules(after)
    if why := tuple(idle[path] for path in how.settings if path in idle):
        return _Tried(how, idle=why)
    warned = any(told for rules in every for _, told in ask("quadrille_warnings", compiled=rules))
    return _Tried(how, stopped=stopped_rules(parent, after, how.settings.keys()), warned=warned)


def _compile(how: HowTo, witness: str) -> Compiled:
    name = "+".join((f"{how.profile}{witness}", *how.plugins))
    return compile_reference(name, readings={}, settings=how.settings)


def has(rules: Compiled, path: str, value: Any) -> bool:
    """Whether rules have that value there."""
    return path in rules.origins and rules.value_of(path) == value


def _least(how: HowTo) -> HowTo:
    """The same example without the lines that it can do without: first whole blocks, then single
    rules."""
    was = _try(how).spare
    for depth in (1, 2, 9):
        for block in dict.fromkeys(".".join(path.split(".")[:depth]) for path in how.beside):
            fewer = {p: v for p, v in how.beside.items() if not vocabulary.matches(block, p)}
            one = _try(less := replace(how, beside=fewer))
            if one.acts or (was and one.spare):
                how = less
    return replace(how, tidies=_try(replace(how, beside={})).spare)


# --- what is set beside a rule -----------------------------------------------------------------


def _plugged(tried: list[_Tried], plugins: Callable[[str], list[str]]) -> Iterator[_Tried]:
    """With each plugin that sets the rule and that the profile has not."""
    for one in _kinds_of(tried):
        used = {plugin.name for plugin in shipped()[one.how.profile].identity.plugins}
        yield from (
            _try(replace(one.how, plugins=(p,))) for p in plugins(one.how.path) if p not in used
        )


def _mended(tried: list[_Tried]) -> Iterator[_Tried]:
    """With other rules, as errors and reasons name them; what acts already, and stops other rules,
    comes first."""
    nearest = sorted(_kinds_of(tried), key=lambda one: (not one.spare, not one.idle))
    return islice((more for one in nearest for more in _deeper(one, _DEEPEST)), _MOST_TRIES)


def _kinds_of(tried: list[_Tried]) -> list[_Tried]:
    """Of the examples in which a rule does not act, one for each rule of a profile and each
    reason."""
    found: dict[Any, _Tried] = {}
    for one in tried:
        if not one.same:
            reasons = (
                one.idle,
                tuple((p.code, p.variant, p.hint) for p in one.problems),
                tuple(one.stopped),
            )
            found.setdefault((one.how.profile, one.how.path, *reasons), one)
    return list(found.values())


def _deeper(one: _Tried, left: int) -> Iterator[_Tried]:
    if one.acts or one.same or not left:
        return
    for beside in islice(_proposed(one), _MOST_MENDED):
        if beside != one.how.beside:
            yield (more := _try(replace(one.how, beside=beside)))
            yield from _deeper(more, left - 1)


def _proposed(one: _Tried) -> Iterator[Mapping[str, Any]]:
    """What may be set beside an example so that it becomes a rule set, or acts, or stops no other
    rule."""
    rules, how = shipped()[one.how.profile], one.how
    if one.problems:
        told = {path: value for problem in one.problems for path, value in _told(problem, how)}
        yield {**how.beside, **{p: v for p, v in told.items() if p != how.path}}
    bids = {
        path.split(".")[1]
        for paths in one.stopped.values()
        for path in paths
        if path.startswith("bids.")
    }
    if bids and not bids & set(how.path.split(".")):
        yield {**how.beside, **{f"bids.{bid}.made": "never" for bid in bids}}
    for why in (*one.idle, *one.stopped):
        for path in _named(why, how, rules):
            now = how.settings[path] if path in how.settings else rules.value_of(path)
            if path != how.path:
                yield from (
                    {**how.beside, path: value} for value in _others(vocabulary.leaf_at(path), now)
                )


def _told(problem: Problem, how: HowTo) -> Iterator[tuple[str, Any]]:
    """The rules that an error says to set, each with the value; of one without a value, what
    shipped rules have."""
    hint = problem.hint
    for path, word in (*hint.rules, *hint.instead) if isinstance(hint, Set) else ():
        leaf = vocabulary.leaf_of(path)
        try:
            yield from (
                [(path, vocabulary.canonical(leaf, yaml.safe_load(word)))]
                if leaf and "*" not in path
                else []
            )
        except (vocabulary.MismatchError, yaml.YAMLError):
            continue
    lacks = problem.data["path"] if (problem.code, problem.variant) == ("Q601", "no-value") else ""
    if leaf := vocabulary.leaf_of(lacks):
        yield from ((lacks, value) for value in islice(_in_use(leaf), 1))


def _named(why: str, how: HowTo, rules: Compiled) -> Iterator[str]:
    """The rules that a reason names; of those kept for each bid, the bid's own, or those of all
    bids."""
    for name in _RULE.findall(why):
        if "." in name and vocabulary.is_prefix(name):
            found = [p for p in rules.origins if p == name or vocabulary.pattern_of(p) == name]
            own = [p for p in found if set(p.split(".")[1:2]) & set(how.path.split("."))]
            yield from own or _played(found, rules)


def _lent(tried: list[_Tried]) -> Iterator[_Tried]:
    """With the rules of another profile that has the value."""
    for one in tried:
        rules = shipped()[one.how.profile]
        for other in shipped().values() if one.problems else ():
            if other.kind == rules.kind and has(other, one.how.path, one.how.value):
                lent = {
                    path: other.value_of(path)
                    for path in rules.origins
                    if path in other.origins and path != one.how.path
                    if other.value_of(path) != rules.value_of(path) and not path.endswith(".title")
                }
                yield _try(replace(one.how, beside=lent))
