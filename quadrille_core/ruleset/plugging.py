"""Asking the plugins a profile names, and applying what they answer."""

import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from quadrille_core import vocabulary
from quadrille_core.cards import BASTO, NO_TRUMP, PACK, SPADILLE, Suit, suit
from quadrille_core.errors import Hint, Place, PluginError, did_you_mean
from quadrille_core.facts import ENDS, GROUPS, Fact
from quadrille_core.features import failure, installed, more_to_see, package_id, plugin_version
from quadrille_core.hookspecs import DOMAINS, Constraint, Default, NewBid, OwnLeaf, Patch, Withhold
from quadrille_core.kinds import KINDS
from quadrille_core.plugin_rules import (
    RECORDS,
    RESTS_ON,
    Change,
    MeasuredFile,
    OwnFact,
    fact_hint,
    own_as_facts,
    record_plain,
    shape_fault,
    written_function,
)
from quadrille_core.profile.records import FILLED, Citation, PluginDoc, ProfileDoc
from quadrille_core.registry import Registry, parameters_of
from quadrille_core.rules import Bid, Call, PluginUse
from quadrille_core.ruleset.merge import Merge
from quadrille_core.ruleset.provenance import Link

STATUSES = ("attested", "inferred", *FILLED, "conjecture", "house")

ABSENCES = ("Q501", "Q502", "Q503", "Q505", "Q506", "Q507")
"""Faults for which rules of a plugin are not there: what the others lack cannot be told then."""

RECORD_HOOKS = {
    "own_facts": "quadrille_payments",
    "payments": "quadrille_payments",
    "trumps": "quadrille_bids",
    "incidents": "quadrille_payments",
    "factors": "quadrille_payments",
    "redirects": "quadrille_payments",
    "caps": "quadrille_payments",
    "thrown_in": "quadrille_forcing",
    "forced_bids": "quadrille_forcing",
}
"""The hook that adds each kind of record."""

_IS_BESIDE = re.compile(r"([\w-]+\.json)?")
"""The name of a file beside a module, or nothing."""

Ready = tuple[PluginDoc, dict[str, Any], bool]
"""A plugin that is loaded, its parameters, and whether it is asked after the others."""

Demand = tuple[Constraint, str, Place | None]
"""A constraint, who makes it, and where it stands."""


class Plugging:
    """The plugins of one compilation: loaded once, asked level by level."""

    def __init__(
        self, merge: Merge, sources: Collection[str], registry: Registry | None = None
    ) -> None:
        self.merge = merge
        self.domains = {**DOMAINS, **KINDS[merge.kind].domains}
        self.sources = sources
        self.registry = registry or Registry()
        self.used: dict[str, PluginUse] = {}
        self.named_by: dict[str, str] = {}
        """Which profile names a plugin; those that a user adds are not in it."""
        self.demands: list[Demand] = []
        self.offered: list[tuple[str, bool, Any]] = []
        """What plugins would set, in their order: the rule, whether whatever stands there gives
        way, and the value."""
        self.measured: list[MeasuredFile] = []
        self._patched: dict[str, tuple[str, str]] = {}
        """Which plugin has patched a rule, and why."""

    def run_added(
        self, plugins: Sequence[PluginDoc], level: int, inherited_bids: frozenset[str]
    ) -> None:
        """Ask the plugins that a user adds to finished rules, refusing those at work in them
        already."""
        fresh = []
        for use in plugins:
            if use.plugin in self.used:
                who = self.named_by[use.plugin]
                self.merge.problem("Q504", "at-work-already", plugin=use.plugin, who=who)
            else:
                fresh.append(use)
        self.run(self.load(fresh), level, inherited_bids)

    def load_profile(self, doc: ProfileDoc, dropped: Collection[str]) -> list[Ready]:
        """Load the plugins that a profile names, and declare their leaves; not those that a child
        drops."""
        uses = [use for use in doc.plugins if not use.drop]
        self.named_by = {use.plugin: doc.id for use in uses} | self.named_by
        self.merge.gone |= {use.plugin for use in uses} & {*dropped}
        return self.load([use for use in uses if use.plugin not in dropped])

    def drop(self, use: PluginDoc) -> None:
        """Take out what the rules say of a plugin that a child drops: of its leaves, and of the
        bids it would bring."""
        gone = {use.plugin}
        if use.plugin in installed() and (loaded := self.registry.load(use.plugin)) is not None:
            with suppress(Exception, SystemExit):  # a stranger's code, which is to do nothing here
                answer = self.registry.call(
                    use.plugin,
                    "quadrille_bids",
                    rules=self.merge.view(),
                    parameters=MappingProxyType(
                        parameters_of(loaded, use.parameters, use.place, use.places)
                    ),
                )
                gone |= {item.id for item in answer or () if isinstance(item, NewBid)}
        self.registry.problems = []  # nor is it any matter whether it works
        self.merge.gone |= gone
        self.merge.forget_gone()

    def load(self, plugins: Sequence[PluginDoc]) -> list[Ready]:
        """Load plugins, check their parameters, and declare their leaves; those that cannot be used
        are noted."""
        ready: list[Ready] = []
        names = [p.plugin for p in plugins]
        for use in plugins:
            loaded = self.registry.load(use.plugin, use.place)
            if loaded is None:
                self.merge.gone.add(use.plugin)  # its leaves are not unknown for all that
                continue
            self._check_order(use, names)
            try:
                parameters = parameters_of(loaded, use.parameters, use.place, use.places)
            except PluginError as e:
                self.merge.problems += e.problems
                continue
            # a parameter that a plugin gains later must not change what is known of rules that
            # never gave it, and what would be so anyway is no other rule set; where the rules would
            # have it otherwise, they show it
            declared = loaded.about.parameters
            anyway = {k: (declared[k].default, declared[k].filled) for k in parameters}
            given = tuple(sorted((k, str(v)) for k, v in parameters.items() if v not in anyway[k]))
            has, name = loaded.installed, use.plugin
            self.used[name] = PluginUse(
                name=name, version=plugin_version(has), package=package_id(has), parameters=given
            )
            self.merge.gone.discard(use.plugin)
            if not any(
                path.startswith(f"{use.plugin}.") for path in self.merge.own
            ):  # a parent may name it too
                known = len(self.merge.problems)
                self._declare(use)
                if len(self.merge.problems) > known:  # nor can what it would say of them be
                    self.merge.gone.add(use.plugin)
                    continue
            ready.append((use, parameters, loaded.about.late))
        self.merge.problems += self.registry.problems
        self.registry.problems = []
        return ready

    def run(self, ready: Sequence[Ready], level: int, inherited_bids: frozenset[str]) -> None:
        """Ask every plugin, hook by hook, each seeing what stands before it."""
        ordered = sorted(ready, key=lambda one: one[2])
        for hook in self.domains:
            for use, parameters, _ in ordered:
                self._ask(hook, use, parameters, level, inherited_bids)

    def _declare(self, use: PluginDoc) -> None:
        """Declare the leaves of a plugin's own, at their neutral values."""
        name = use.plugin
        items = self._answer("quadrille_leaves", use)
        for item in items:
            fault = own_leaf_fault(name, item, self.merge.own)
            if fault:
                self._bad(use, "bad-leaf", fault=fault)
                continue
            kinds: Mapping[Any, Any] = {"integer": int, "amount": Fraction, "boolean": bool}
            hint = kinds[item.type] if isinstance(item.type, str) else Literal[item.type]
            leaf = vocabulary.declare(item.path, hint, item.doc, item.neutral, item.low, item.high)
            self.merge.own[item.path] = leaf
            cited = {name: getattr(item, name) for name in ("path", "source", "at", "status")}
            neutral = Default(value=item.neutral, reason="its neutral value", **cited)
            self.offered.append((item.path, False, item.neutral))
            self.merge.put(item.path, self._link(neutral, item.neutral, use, -1))
        for record in RECORDS if items else ():
            vocabulary.declare(
                f"{name}.{record}", tuple[str, ...], f"The {record} that plugin {name} adds.", ()
            )

    def _answer(self, hook: str, use: PluginDoc, **arguments: Any) -> list[Any]:
        """What a plugin answers to a hook; nothing where it fails, which is noted."""
        try:
            with redirect_stdout(sys.stderr):  # a generator runs here
                answer = self.registry.call(use.plugin, hook, **arguments)
                if isinstance(answer, Iterable) and not isinstance(answer, (str, Mapping)):
                    return list(answer)
        except (
            Exception,
            SystemExit,
        ) as e:  # whatever a stranger's code raises is reported, by name
            self._failed(use, f"in {hook}", e)
            return []
        if answer is not None or self.registry.has(use.plugin, hook):
            what = type(answer).__name__ if answer is not None else "nothing"
            self._bad(use, "returns-not-list", hook=hook, what=what)
        return []

    def _failed(self, use: PluginDoc, where: str, e: BaseException) -> None:
        """Note what a stranger's code raised, and at which of its lines."""
        module = self.registry.loaded[use.plugin].installed.entry.module
        said, more = failure(e, module), more_to_see()
        self.merge.problem(
            "Q507", "failed", use.place, plugin=use.plugin, where=where, said=said, more=more
        )

    def _check_order(self, use: PluginDoc, names: list[str]) -> None:
        for other in use.after:
            named = other in names[: names.index(use.plugin)] or other in self.used
            if not named and other not in self.merge.gone:
                self.merge.problem(
                    "Q504",
                    "declared-after-unnamed",
                    use.place,
                    plugin=use.plugin,
                    other=other,
                )

    def _ask(
        self,
        hook: str,
        use: PluginDoc,
        parameters: Mapping[str, Any],
        level: int,
        inherited: frozenset[str],
    ) -> None:
        view = self.merge.view()
        items = self._answer(hook, use, rules=view, parameters=MappingProxyType(dict(parameters)))
        records = {
            name: [item for item in items if isinstance(item, kind)]
            for name, kind in RECORDS.items()
        }
        for item in items:
            if isinstance(item, tuple(RECORDS.values())):
                continue
            try:
                self._apply(item, hook, use, level, inherited)
            except vocabulary.MismatchError as e:
                self._bad(
                    use,
                    "bad-value",
                    hook=hook,
                    name=type(item).__name__,
                    item=getattr(item, "path", "?"),
                    e=e.problem,
                )
        own: dict[str, Fact] = {}
        for name, found in records.items():
            kept = self._add(hook, name, found, use, level, own)
            if name == "own_facts":
                own = own_as_facts(kept)

    def _apply(
        self, item: object, hook: str, use: PluginDoc, level: int, inherited: frozenset[str]
    ) -> None:
        if isinstance(item, Constraint):
            self._constraint(item, hook, use)
        elif isinstance(item, NewBid):
            self._new_bid(item, hook, use, level, inherited)
        elif isinstance(item, (Patch, Default)):
            path = str(item.path)
            leaf = self.merge.own.get(path)
            if leaf is None and vocabulary.kind_of(path) and vocabulary.pattern_of(path):
                leaf = vocabulary.leaf_at(path)
            if leaf is None:
                self._bad(
                    use,
                    "names-no-rule",
                    vocabulary.suggest(path, kind=self.merge.kind),
                    hook=hook,
                    path=path,
                )
            elif path.partition(".")[0] not in (
                use.plugin if path in self.merge.own else "",
                *self.domains[hook],
            ):
                allowed = ", ".join(self.domains[hook])
                self._bad(use, "may-not-set", hook=hook, path=path, allowed=allowed)
            else:
                self._put(item, path, vocabulary.canonical(leaf, item.value), use, level)
        elif isinstance(item, Withhold) and hook == "quadrille_forcing":
            cells = self._tabulate(item, use)
            if cells is not None:
                self._put(item, "forcing.exceptions", cells, use, level, always=True)
        else:
            self._bad(use, "record-from-wrong-hook", hook=hook, name=type(item).__name__)

    def _put(
        self,
        item: Patch | Default | Withhold,
        path: str,
        value: Any,
        use: PluginDoc,
        level: int,
        *,
        always: bool = False,
    ) -> None:
        self.offered.append((path, not isinstance(item, Default), value))
        known = self.merge.chains.get(path)
        if isinstance(item, Default) and known and known[-1].level >= 0:
            return
        if always or isinstance(item, Patch):
            earlier, why = self._patched.get(path, ("", ""))
            reason = f"{use.plugin!r} because {item.reason} ({item.source or 'no source'})"
            if earlier == use.plugin:
                self._bad(use, "sets-twice", path=path)
                return
            if earlier and earlier not in use.after:
                self.merge.problem(
                    "Q504",
                    "plugins-both-set",
                    use.place,
                    earlier=earlier,
                    plugin=use.plugin,
                    path=path,
                    why=why,
                    reason=reason,
                )
                return
            self._patched[path] = (use.plugin, reason)
        link = self._link(item, value, use, level)
        second = None if isinstance(item, Withhold) else item.also
        self.merge.put(path, link if second is None else self._also(link, *second, use))

    def _link(
        self, item: Patch | Default | Withhold | NewBid, value: Any, use: PluginDoc, level: int
    ) -> Link:
        if item.status not in STATUSES:
            self._bad(use, "no-status", status=str(item.status), statuses=STATUSES)
        if item.source and item.source not in self.sources:
            self._uncited(item.source, use)
        status = item.status if item.source or item.status != "attested" else "house"
        filled = item.reason if status in FILLED else ""
        cite = Citation(
            item.source, item.at, status, note=item.reason, filled=filled, place=use.place
        )
        exact = not isinstance(item, NewBid)
        return Link(value, "plugin", use.plugin, level, use.place, item.reason, (cite,), exact)

    def _add(
        self,
        hook: str,
        kind: str,
        found: Sequence[Any],
        use: PluginDoc,
        level: int,
        facts: Mapping[str, Fact],
    ) -> list[Any]:
        """Records that stand below the plugin's name, each of which rests on leaves of its own and
        may name ``facts`` of its own; returns those that stand."""
        where, good = f"{use.plugin}.{kind}", list[Any]()
        named: set[str] = set()
        for item in found:
            fault = shape_fault(item, facts)
            hint = fact_hint(item, facts) if fault else None
            leaves = {
                name: path for name in RESTS_ON if not fault and (path := getattr(item, name, ""))
            }
            own = {
                path: leaf.type
                for path, leaf in self.merge.own.items()
                if path.startswith(f"{use.plugin}.")
            }
            unknown = [path for path in leaves.values() if path not in own]
            kinds = {"amount": (int, Fraction), "integer": (int,), "boolean": (bool,)}
            unfit = [n for n, p in leaves.items() if own.get(p) not in kinds[RESTS_ON[n]]]
            bids = [] if fault else [*getattr(item, "contracts", ()), getattr(item, "bid", "")]
            strange = [b for b in bids if b and b not in self.merge.bids()]
            if hook != RECORD_HOOKS[kind]:
                fault = f"is returned by {hook}, and belongs to {RECORD_HOOKS[kind]}"
            elif not fault and (misnamed := _misnamed(item, use.plugin, named)):
                fault = misnamed
            elif not fault and unknown:
                fault = "names no leaf of the plugin's own: " + ", ".join(sorted({*unknown}))
                hint = did_you_mean(unknown[0], own, what="leaves")
            elif not fault and kind != "incidents" and unfit:
                fault = f"rests on {leaves[unfit[0]]}, which is no {RESTS_ON[unfit[0]]}"
            elif not fault and self._may_be_negative(leaves.get("factor")):
                fault = f"multiplies by {leaves['factor']}, which may be below 0: give it low=0"
            elif not fault and strange:
                fault = f"names no bid of these rules: {strange[0][:40]!r}"
                hint = did_you_mean(strange[0], self.merge.bids(), what="bids")
            elif not fault and isinstance(item, Change) and (of := self._no_rules(item)):
                fault, hint = f"of names no rule: {of[0][:40]!r}", vocabulary.suggest(of[0])
            if fault:
                kind_of = type(item).__name__
                self._bad(use, "bad-record", hint, hook=hook, kind=kind_of, fault=fault)
            elif isinstance(item, OwnFact):
                name, written = f"{use.plugin}.{item.name}", written_function(item.compute)
                good.append(replace(item, name=name, compute=written))
                named.add(item.name)
            else:
                good.append(item)
        if kept := [*map(record_plain, good)]:
            citation = Citation("", "", "house", note=f"plugin {use.plugin}", place=use.place)
            link = Link(
                kept,
                "plugin",
                use.plugin,
                level,
                use.place,
                "added by the plugin",
                (citation,),
                exact=True,
            )
            self.offered.append((where, True, kept))
            self.merge.chains[where] = [link]
        return good

    def _no_rules(self, item: Change) -> list[str]:
        """What a factor concerns that is neither a rule nor above one; an empty text for nothing at
        all."""
        known = [*vocabulary.every_leaf(), *self.merge.own]
        return [
            path
            for path in (item.of or ("",))
            if vocabulary.pattern_of(path) is None
            and not any(leaf == path or leaf.startswith(f"{path}.") for leaf in known)
        ]

    def _may_be_negative(self, path: str | None) -> bool:
        leaf = self.merge.own.get(path) if path else None
        return leaf is not None and leaf.low is not None and leaf.low < 0

    def _constraint(self, item: Constraint, hook: str, use: PluginDoc) -> None:
        blocks: tuple[object, ...] = (item.when, item.requires, item.excludes)
        for block in blocks:
            if not isinstance(block, Mapping):
                self._bad(use, "conditions-no-mapping", hook=hook)
                return
            for path in block:
                if vocabulary.pattern_of(str(path).replace("*", "any")) is None:
                    hint = vocabulary.suggest(str(path), kind=self.merge.kind)
                    self._bad(use, "constraint-on-no-rule", hint, hook=hook, path=str(path))
                    return
        self.demands.append((item, f"plugin {use.plugin!r}", use.place))

    def _new_bid(
        self, item: NewBid, hook: str, use: PluginDoc, level: int, inherited: frozenset[str]
    ) -> None:
        if hook != "quadrille_bids":
            self._bad(use, "new-bid-from-wrong-hook", hook=hook)
        elif type(item.bid) is not Bid or type(item.bid.call) is not Call:
            self._bad(use, "new-bid-without-bid", id=str(item.id))
        elif not vocabulary.is_identifier(item.id):
            self._bad(use, "cannot-name-bid", id=str(item.id))
        elif item.id in inherited:
            self.merge.problem("Q504", "bid-added-twice", use.place, plugin=use.plugin, id=item.id)
        elif not isinstance(item.measured, str) or not _IS_BESIDE.fullmatch(item.measured):
            self._bad(use, "measured-no-file", id=item.id, file=str(item.measured))
        else:
            self.merge.gone.discard(item.id)
            if item.measured:
                self.measured.append(self._measured(item, use.plugin))
            unread = {*item.justifications, *item.also}
            for path, value in vocabulary.dump_block(item.bid, f"bids.{item.id}."):
                leaf, name = vocabulary.leaf_at(path), path.removeprefix(f"bids.{item.id}.")
                unread.discard(name)
                try:
                    canonical, ground = (
                        vocabulary.canonical(leaf, value),
                        item.justifications.get(name),
                    )
                except vocabulary.MismatchError as e:
                    self._bad(
                        use,
                        "rule-of-bid-cannot-be",
                        did_you_mean(str(value), leaf.choices(), what="write one of"),
                        path=path,
                        value=str(value),
                        e=e.problem,
                    )
                    continue
                # what is left at its neutral value, and has no ground of its own, is not said, and
                # no source attests it
                neutral = leaf.has_default and canonical == vocabulary.to_plain(
                    leaf.default, leaf.type
                )
                if neutral and ground is None:
                    continue
                self.offered.append((path, False, canonical))
                if path not in self.merge.chains:
                    rests = item if ground is None else replace(item, **asdict(ground))
                    link = self._link(rests, canonical, use, level)
                    second = item.also.get(name)
                    self.merge.put(path, link if second is None else self._also(link, *second, use))
            for name in sorted(unread):
                self._bad(use, "ground-for-no-rule", id=item.id, name=name)

    def _also(self, link: Link, source: str, at: str, use: PluginDoc) -> Link:
        """The link with a second text that says the same."""
        if source not in self.sources:
            self._uncited(source, use)
        return replace(link, citations=(*link.citations, Citation(source, at, place=use.place)))

    def _uncited(self, source: str, use: PluginDoc) -> None:
        hint = did_you_mean(source, self.sources, what="sources")
        self.merge.problem(
            "Q405",
            "plugin-cites-unknown-source",
            use.place,
            hint,
            plugin=use.plugin,
            source=source,
        )

    def _measured(self, item: NewBid, plugin: str) -> MeasuredFile:
        """What hands make at a bid, unread; whoever wants it says what is wrong with it."""
        module = sys.modules[self.registry.loaded[plugin].installed.entry.module]
        path, content, fault = Path(str(module.__file__)).parent / item.measured, b"", ""
        try:
            with path.open("rb") as file:
                content = file.read(MeasuredFile.MOST + 1)
        except FileNotFoundError:
            fault = "is not there"
        except OSError as e:
            fault = f"cannot be read: {e.strerror}"
        return MeasuredFile(item.id, plugin, str(path), content, fault)

    def _tabulate(self, item: Withhold, use: PluginDoc) -> list[dict[str, Any]] | None:
        """Evaluate a forcing function over every case: each trump, each trump card after each
        other."""
        cells: list[dict[str, Any]] = []
        try:
            for trump in (*(Suit(s) for s in range(4)), NO_TRUMP):
                trumps = [c for c in PACK if c in (SPADILLE, BASTO) or suit(c) == trump]
                for after in trumps:
                    for card in trumps:
                        with redirect_stdout(sys.stderr):
                            allowed = item.decide(trump, after, card) if card != after else None
                        if allowed is None:
                            continue
                        if type(allowed) is not bool:
                            raise TypeError(f"decide returned {allowed!r}, not True, False or None")
                        cells.append(vocabulary.withhold_cell(trump, after, card, allowed))
        except (Exception, SystemExit) as e:  # a stranger's code
            self._failed(use, "while its forcing rule was tabulated", e)
            return None
        return cells

    def _bad(self, use: PluginDoc, variant: str, hint: Hint | None = None, /, **data: Any) -> None:
        self.merge.problem("Q505", variant, use.place, hint, plugin=use.plugin, **data)


def own_leaf_fault(plugin: str, item: object, known: Collection[str]) -> str:
    """What is wrong with a leaf that a plugin declares; empty when nothing is."""
    if not isinstance(item, OwnLeaf):
        return f"returns {type(item).__name__}, which is no OwnLeaf"
    name = str(item.path).removeprefix(f"{plugin}.")
    if (
        vocabulary.kind_of(f"{plugin}.")
        or name == item.path
        or not all(map(vocabulary.is_identifier, name.split(".")))
    ):
        return (
            f"declares {str(item.path)[:60]!r}: a leaf stands below its plugin's name, which "
            "is no block of rules"
        )
    if name.partition(".")[0] in RECORDS or item.path in known:
        return f"declares {item.path}, which is taken"
    words = (
        isinstance(item.type, tuple) and item.type and all(type(w) is str and w for w in item.type)
    )
    if not words and item.type not in ("integer", "amount", "boolean"):
        return (
            f"declares {item.path} with a type that is none: integer, amount, boolean, or a "
            "tuple of words"
        )
    return (
        ""
        if type(item.doc) is str and item.doc.strip()
        else f"declares {item.path} and does not describe it"
    )


def _misnamed(item: Any, plugin: str, taken: Collection[str]) -> str:
    """Why a fact of a plugin's own cannot be called so; empty where it can."""
    if not isinstance(item, OwnFact):
        return ""
    if item.name in taken:
        return f"name is taken: {item.name}"
    # parted() would read the plugin's name as whose numbers are meant
    group = plugin in (*GROUPS, *ENDS)
    said = f"name: {plugin}.{item.name} reads as a fact of {plugin}: give the plugin another name"
    return said if group else ""
