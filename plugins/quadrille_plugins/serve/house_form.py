"""House rules as a form: the questions by topic, what an address says was chosen, and what mends a
contradiction."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, lru_cache, partial
from typing import Any, Final, get_args, get_origin
from urllib.parse import urlencode

from quadrille_core import resources, vocabulary
from quadrille_core.cards import Card, Suit
from quadrille_core.errors import Problem, QuadrilleError, Set, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.hookspecs import About
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.records import ProfileDoc
from quadrille_core.registry import Registry
from quadrille_core.ruleset import Compiled, compile_reference, parse_reference
from quadrille_core.ruleset.forced import card_in_words
from quadrille_core.vocabulary import Leaf
from quadrille_plugins.house_rules.drafting import Draft, further, identifier, text_of
from quadrille_plugins.house_rules.idle import idle_among, idle_value
from quadrille_plugins.lookup.meanings import meaning_of, question_of, values_of
from quadrille_plugins.lookup.rule_page import plain, rule_page
from quadrille_plugins.serve.forms import LONGEST, Choice, Given
from quadrille_plugins.serve.named import NoSuchRulesError
from quadrille_plugins.shell.options import parse_value
from quadrille_plugins.shell.values import capital, rule_value

TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    "Bids": (
        "bids.*.made",
        "auction.all_pass",
        "auction.elder_may_raise",
        "auction.passed_may_return",
        "bids.*.tricks",
    ),
    "Forced play": (
        "forcing.renege",
        "forcing.forced_by",
        "forcing.among_several",
        "forcing.at_no_trump",
        "play.first_lead",
        "play.claim_won",
        "premiers.claim",
    ),
    "Favourite suit": ("favourite.*",),
    "Payments": (
        "payments.premium.*",
        "payments.in_favourite.premium.*",
        "payments.matadors.*",
        "payments.matadors_held_by",
        "payments.premiers",
        "payments.allies_paid",
        "payments.pool_to",
    ),
    "A lost game": (
        "loss.remise_pays",
        "loss.codille_pays",
        "loss.codille_items_times",
        "loss.remise_adds",
        "loss.codille_adds",
        "loss.codille_pool",
        "loss.allies_pay",
    ),
    "The vole": (
        "bids.*.vole_with_bid",
        "payments.vole_premium.*.*",
        "payments.vole_stake.*.*",
    ),
    "Counters": ("stakes.*", "table.purse", "table.coins", "table.purse_empty"),
}
"""The rules that are asked about, by topic: those that tables vary most."""
MECHANICS: Final = "Mechanics"
"""The topic of plugins, each of which adds several rules together."""
YOURS: Final = "Your rules"
"""What was chosen, and what comes of it."""
MOST_TRIED: Final = 24
"""Ways to mend what is wrong that are tried, each by compiling the rules so mended."""
LONGEST_VALUE: Final = 400
"""Characters of a rule's value that are read on."""
MOST_PLUGINS: Final = 20

Compile = Callable[[str, tuple[str, ...], Mapping[str, Any]], Compiled]
"""``RuleSets.compile``."""


# --- what an address says ---------------------------------------------------------------------


@frozen
class State:
    """House rules in the making: all of it stands in the address of their pages."""

    name: str
    """What they start from, ``PROFILE[@WITNESS]``."""
    title: str
    readings: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    """The rules that are set, as plain values by path."""
    topic: str = next(iter(TOPICS))

    @property
    def reference(self) -> str:
        """What is compiled before single rules are set."""
        return "+".join((self.name, *self.plugins))

    def query(self, **other: str) -> str:
        """The query of the address, with something else in it or something left out."""
        pairs = [("title", self.title), *(("reading", one) for one in self.readings)]
        pairs += [("plugin", one) for one in self.plugins]
        pairs += [(path, self.typed(path)) for path in self.rules]
        return urlencode([*pairs, *({"topic": self.topic} | other).items()])

    def typed(self, path: str) -> str:
        """The value of a rule that is set, as it is typed."""
        value = self.rules[path]
        return value if isinstance(value, str) and _parsed(value) == value else plain(value)

    def having(self, rules: Mapping[str, Any]) -> "State":
        """With these rules set as well."""
        return replace(self, rules={**self.rules, **rules})

    def without(self, what: str) -> "State":
        """With a rule or a plugin taken back."""
        rules = {path: value for path, value in self.rules.items() if path != what}
        return replace(self, rules=rules, plugins=tuple(p for p in self.plugins if p != what))


def read(name: str, given: Given, compile_: Compile) -> tuple[State, Compiled]:
    """What an address says was chosen, without what stands in the rules anyway; and the rules
    before single ones are set, without the plugins where those cannot be added.

    Raises NoSuchRulesError for rules that are not shipped, or a rule that there is not, UsageError
    for a patience, QuadrilleError as compiling does.
    """
    profile = name.partition("@")[0]
    if profile not in resources.shipped_profiles():
        raise NoSuchRulesError.of("no-shipped-rule-set", profile=profile[:100])
    title = _clean(given.get("title", ""), LONGEST)
    topics = [one for one in given.getlist("topic") if one in (*TOPICS, MECHANICS, YOURS)]
    chosen = dict.fromkeys(p for p in given.getlist("plugin") if p)
    state = State(
        name,
        title,
        tuple(one for one in given.getlist("reading") if one),
        tuple(chosen)[:MOST_PLUGINS],
        topic=topics[-1] if topics else next(iter(TOPICS)),
    )
    base = compile_(name, state.readings, {})
    base.game_of(TRICKS)
    title = title or f"House rules for {base.title}"[:LONGEST]
    if state.plugins:
        try:
            base = compile_(state.reference, state.readings, {})
        except NoSuchRulesError:
            raise
        except QuadrilleError:  # it is told with the rules
            pass
    rules = {}
    for path in dict.fromkeys(key for key in given if "." in key):
        if vocabulary.kind_of(path) != TRICKS or vocabulary.pattern_of(path) is None:
            hint = vocabulary.suggest(path[:100], base.origins, TRICKS)
            raise NoSuchRulesError.of("no-page-of-such-a-rule", hint, pattern=path)
        typed = [_clean(one, LONGEST_VALUE) for one in given.getlist(path)]
        value = _value(vocabulary.leaf_at(path), typed)
        if typed != [""] and not _stands(path, value, base):
            rules[path] = value
    return replace(state, title=title, rules=rules), base


def of_file(doc: ProfileDoc, compiled: Compiled, compile_: Compile) -> State:
    """A file as the form would have made it; raises UsageError for one that says more than the form
    can."""
    witness = f"@{doc.default_witness}" if doc.default_witness else ""
    state = State(
        f"{doc.extends}{witness}",
        doc.title[:LONGEST],
        tuple(f"{one.point}={one.reading}" for one in doc.readings),
        tuple(one.plugin for one in doc.plugins),
        {one.path: one.value for one in doc.rules},
        YOURS,
    )
    try:
        made = compile_(state.reference, state.readings, state.rules)
        asked_about = all(vocabulary.kind_of(path) == TRICKS for path in state.rules)
        same = asked_about and made.game.rules == compiled.game.rules
    except QuadrilleError:
        same = False
    if not same:
        raise UsageError.of("more-than-the-form", title=doc.title)
    return state


def _clean(text: str, longest: int) -> str:
    return "".join(c for c in text[:longest] if c.isprintable()).strip()


def _stands(path: str, value: Any, base: Compiled) -> bool:
    """Whether a rule is so anyway; the order of words does not matter."""
    if (origin := base.origins.get(path)) is None:
        return False
    standing = vocabulary.to_plain(origin.value)
    if isinstance(value, list) and _words(vocabulary.leaf_at(path)):
        return sorted(map(str, value)) == sorted(standing)
    return bool(value == standing)


def _value(leaf: Leaf, typed: Sequence[str]) -> Any:
    """What was typed as the plain value of a rule; of a list, each of its items may be sent by
    itself."""
    parsed = [_parsed(one) for one in typed]
    if get_origin(leaf.type) is not tuple:
        return parsed[-1]
    flat = [item for one in parsed for item in (one if isinstance(one, list) else [one])]
    return [item for n, item in enumerate(flat) if item not in flat[:n]]


def _parsed(text: str) -> Any:
    try:
        return parse_value(text)
    except QuadrilleError:
        return text  # the rule says what it expects


def file_text(state: State, base: Compiled, ours: frozenset[str]) -> str:
    """The file of these house rules, as ``quadrille new`` writes it; it offers those of the plugins
    ``ours`` that may be added."""
    name = identifier(state.title, base.identity.profile)
    return text_of(Draft(base, name, state.title, state.rules, among=ours))


# --- words ------------------------------------------------------------------------------------


def said(path: str, value: Any) -> str:
    """What a plain value means as that of a rule; one that the rule cannot have is shown as it
    is."""
    if not _may_have(path, value):
        return plain(value)[:LONGEST]
    leaf = vocabulary.leaf_at(path)
    if items := _words(leaf):
        known = dict(items)
        return ", ".join(known.get(one, str(one)) for one in value) or "nothing"
    if value and Card in (leaf.type, *get_args(leaf.type)):
        return card_in_words(value)
    return meaning_of(path, value) or rule_value(value)


def _may_have(path: str, value: Any) -> bool:
    """Whether a rule can have this plain value."""
    try:
        vocabulary.to_typed(vocabulary.leaf_at(path), value)
    except vocabulary.MismatchError:
        return False
    return True


def asked(path: str, title_of: Callable[[str], str]) -> str:
    """The question that a rule answers, with the title of the bid that it is of."""
    bid = _bid(path)
    asks = question_of(vocabulary.pattern_of(path) or path)
    return f"{title_of(bid)}: {asks}" if bid else asks


def _asked(path: str, base: Compiled) -> str:
    return asked(path, partial(_title, base=base))


def _bid(path: str) -> str:
    """The bid that a rule is kept for; empty for none."""
    steps = (vocabulary.pattern_of(path) or path).split(".")
    return path.split(".")[steps.index("*")] if "*" in steps else ""


def _title(bid: str, base: Compiled) -> str:
    origin = base.origins.get(f"bids.{bid}.title")
    return str(origin.value) if origin else bid


def _words(leaf: Leaf) -> list[tuple[str, str]]:
    """What a list of words may hold, each with its meaning; empty for any other rule."""
    if get_origin(leaf.type) is not tuple or not get_args(get_args(leaf.type)[0]):
        return []
    return [(v[1:-1], meaning) for v, meaning in values_of(leaf) if v[1:-1].isidentifier()]


# --- questions --------------------------------------------------------------------------------


@frozen
class Question:
    """One rule: its path, and whose it is where it is kept for each bid."""

    path: str
    label: str
    kind: str
    """``one`` of the choices, ``several`` of them, or an ``amount`` to type."""
    choices: tuple[Choice, ...]
    now: tuple[str, ...]
    """What is chosen, or typed."""
    was: str
    """What stands there without a choice, and by which source; empty where nothing is chosen."""
    idle: str
    """Why it cannot act as it is; empty where it can."""


@frozen
class Group:
    """A question, of each bid where it is kept for each; and where texts have which answer."""

    pattern: str
    asks: str
    questions: tuple[Question, ...]
    texts: tuple[tuple[str, str], ...]


def groups(state: State, base: Compiled) -> tuple[list[Group], list[str]]:
    """The questions of the topic; and why others, which could not act, are not asked."""
    values = {path: vocabulary.to_plain(o.value) for path, o in base.origins.items()}
    values |= {path: value for path, value in state.rules.items() if _may_have(path, value)}
    stopped, left = idle_among(values), {}
    found: dict[str, list[Question]] = {}
    for pattern in TOPICS.get(state.topic, ()):
        for path in (p for p in values if vocabulary.matches(pattern, p)):
            if (why := stopped.get(path, "")) and path not in state.rules:
                if values.get(f"bids.{_bid(path)}.made") != "never":
                    left[why] = True
                continue
            known = vocabulary.pattern_of(path) or path
            found.setdefault(known, []).append(_question(path, state, base, values, why))
    asks = [Group(p, question_of(p), tuple(those), texts(p)) for p, those in found.items()]
    return asks, list(left)


def _question(
    path: str, state: State, base: Compiled, values: Mapping[str, Any], idle: str
) -> Question:
    origin = base.origins.get(path)
    standing = vocabulary.to_plain(origin.value) if origin else None
    now = values[path]
    kind, choices = answers(path, standing, values)
    shown = [plain(now)]
    if kind == "several":
        shown = now if isinstance(now, list) else [str(now)]
    elif kind == "amount" and path in state.rules:
        shown = [state.typed(path)]
    idle = idle or (idle_value(path, now, values) if kind == "one" else "")
    was = f"{said(path, standing)} ({origin.source_text()})" if origin else ""
    bid = _bid(path)
    return Question(
        path,
        _title(bid, base) if bid else "",
        kind,
        choices,
        tuple(shown),
        was if path in state.rules else "",
        idle,
    )


def answers(path: str, standing: Any, values: Mapping[str, Any]) -> tuple[str, tuple[Choice, ...]]:
    """How a rule is asked about, as ``Question`` tells it, and what may be chosen: what stands
    before, its value among those of all rules, and what can act besides."""
    leaf = vocabulary.leaf_at(path)
    kind, choices = "one", list(values_of(leaf))
    if words := _words(leaf):
        kind, choices = "several", words
    elif get_origin(leaf.type) is tuple:
        choices = [(plain(standing), rule_value(standing))] if standing else []
        choices.append(("[]", "plain counters" if path == "table.coins" else "nothing"))
    elif not (leaf.choices() or leaf.type is bool or Suit in (leaf.type, *get_args(leaf.type))):
        kind, choices = "amount", []
    now = values[path] if kind == "several" else [plain(values[path])]
    return kind, tuple(
        Choice(value, capital(meaning) or value)
        for value, meaning in choices
        if value in now or not idle_value(path, value, values)
    )


@cache
def texts(pattern: str) -> tuple[tuple[str, str], ...]:
    """Where texts have which value of a rule: each shipped rule set with its source, then what the
    texts say, in our words."""
    page = rule_page(pattern)
    rows = []
    for one in page.in_use:
        bids = f" at {', '.join(one.bids)}" if one.bids else ""
        rows.append((one.profile, f"{said(pattern, one.value)}{bids} ({one.source})"))
    return tuple(rows + [(p.source, f"{p.at}: {p.says}") for p in page.said])


# --- what was chosen, and what is wrong with it -----------------------------------------------


@frozen
class Changed:
    """A rule that is set, or a plugin that is added: what it asks, and what stood and stands
    there."""

    what: str
    asks: str
    was: str
    now: str


def changes(state: State, base: Compiled, ours: frozenset[str]) -> list[Changed]:
    """What was chosen."""
    known = mechanics(base, ours)
    found = [Changed(p, MECHANICS, "", getattr(known.get(p), "title", p)) for p in state.plugins]
    for path, value in state.rules.items():
        origin = base.origins.get(path)
        was = said(path, vocabulary.to_plain(origin.value)) if origin else ""
        found.append(Changed(path, _asked(path, base), was, said(path, value)))
    return found


def mechanics(base: Compiled, ours: frozenset[str]) -> dict[str, About]:
    """The plugins that were added to a rule set, and those of ``ours`` that may be, each with what
    it is."""
    registry = Registry()
    added = parse_reference(base.identity.reference).added
    loaded = [registry.load(one.plugin, None) for one in added]
    mine = {one.installed.name: one.about for one in loaded if one is not None}
    return mine | _further(base.identity.reference, ours)


@lru_cache(64)
def _further(reference: str, ours: frozenset[str]) -> dict[str, About]:
    return dict(further(compile_reference(reference), ours))


@frozen
class Mend:
    """A way to mend what is wrong: what it does, and the state that it leads to."""

    words: str
    state: State


@frozen
class Wrong:
    """What is wrong with what was chosen, and the ways to mend it that were tried and do."""

    problem: Problem
    mends: tuple[Mend, ...]
    asks: str = ""
    """The question that the fault is about, where it is about the value of one rule."""


def wrongs(state: State, base: Compiled, compile_: Compile, ours: frozenset[str]) -> list[Wrong]:
    """What cannot be played together, empty where all can; of plugins those of ``ours`` may
    mend it."""
    found: list[Wrong] = []
    tried: dict[str, list[Problem]] = {}

    def problems(of: State) -> list[Problem]:
        if of.query() not in tried:
            tried[of.query()] = _problems(of, compile_)
        return tried[of.query()]

    for problem in problems(state):
        mends = []
        path = str(problem.data.get("path", ""))
        for mend in _proposed(problem, state, base, ours):
            if len(tried) > MOST_TRIED:
                break
            added = mend.state.plugins != state.plugins
            fitting = _fitting(mend.state, problems) if added else mend.state
            left = [_identity(one) for one in problems(fitting)]
            fewer = len(left) < len(tried[state.query()])
            # a value that cannot be is told before what else is wrong
            if _identity(problem) not in left and (fewer or mend.state == state.without(path)):
                mends.append(replace(mend, state=fitting))
        asks = _asked(path, base) if path in state.rules else ""
        found.append(Wrong(problem, tuple(mends), asks))
    return found


def _fitting(state: State, problems: Callable[[State], list[Problem]]) -> State:
    """With the rules that a plugin brings set so that they go with those that were chosen, which
    stay."""
    for hint in (one.hint for one in problems(state)):
        if isinstance(hint, Set):
            for pairs in (hint.rules, *((one,) for one in hint.instead)):
                if not {path for path, _ in pairs} & state.rules.keys():
                    return state.having({path: _parsed(value) for path, value in pairs})
    return state


def _problems(state: State, compile_: Compile) -> list[Problem]:
    try:
        compile_(state.reference, state.readings, state.rules)
    except NoSuchRulesError:
        raise
    except QuadrilleError as e:
        return list(e.problems)
    return []


def _identity(problem: Problem) -> tuple[object, ...]:
    return problem.code, problem.variant, dict(problem.data)


def _proposed(
    problem: Problem, state: State, base: Compiled, ours: frozenset[str]
) -> Iterator[Mend]:
    """What may mend a fault: its hint, whole mechanics, and taking back what was chosen."""
    if isinstance(hint := problem.hint, Set):
        for pairs in (hint.rules, *((one,) for one in hint.instead)):
            rules = {path: _parsed(value) for path, value in pairs}
            told = [f"{_asked(path, base)} {capital(said(path, rules[path]))}" for path in rules]
            yield Mend("; ".join(told), state.having(rules))
    if problem.code == "Q601":
        for name, about in mechanics(base, ours).items():
            if name not in state.plugins:
                yield Mend(f"Add {about.title}", replace(state, plugins=(*state.plugins, name)))
    for one in changes(state, base, ours):
        back = f"{one.asks} {capital(one.was)}" if one.was else f"Leave out {one.now}"
        yield Mend(f"As before: {back}", state.without(one.what))
