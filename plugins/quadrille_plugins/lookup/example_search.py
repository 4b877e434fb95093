"""The search for an example in which a rule acts: what errors propose and what stops a rule is set
beside it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from fractions import Fraction
from itertools import chain, islice, repeat
from typing import Any, Final, cast, get_args, get_origin

import yaml

from quadrille_core import cards, resources, vocabulary
from quadrille_core.cards import Card, Suit
from quadrille_core.errors import Problem, QuadrilleError, Set
from quadrille_core.features import ask, idle_rules
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.vocabulary import Leaf
from quadrille_plugins.lookup.example import HowTo
from quadrille_plugins.lookup.find import shipped
from quadrille_plugins.lookup.meanings import values_of
from quadrille_plugins.output.stopped import stopped_rules

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


def paths_of(pattern: str, compiled: Compiled) -> list[str]:
    """The rules of a rule set that a pattern or path names."""
    return [p for p in compiled.origins if p == pattern or vocabulary.pattern_of(p) == pattern]


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
