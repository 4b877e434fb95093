"""Asking the plugins a profile names, and applying what they answer."""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, replace
from fractions import Fraction
from itertools import islice, permutations
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from quadrille_core import vocabulary
from quadrille_core.cards import BASTO, NO_TRUMP, PACK, SPADILLE, Suit, suit
from quadrille_core.errors import Place, PluginError, did_you_mean, quoted
from quadrille_core.facts import ENDS, GROUPS, Fact
from quadrille_core.features import failure, installed, more_to_see, package_id, plugin_version
from quadrille_core.hookspecs import DOMAINS, Constraint, Default, NewBid, Patch, Withhold
from quadrille_core.kinds import KINDS
from quadrille_core.plugin_rules import (
    RECORDS,
    RESTS_ON,
    Change,
    Incident,
    MeasuredFile,
    OwnFact,
    own_as_facts,
    record_plain,
    written_function,
)
from quadrille_core.profile.records import FILLED, Citation, PluginDoc, ProfileDoc
from quadrille_core.registry import Registry, parameters_of
from quadrille_core.rules import PluginUse
from quadrille_core.ruleset.merge import Merge
from quadrille_core.ruleset.provenance import Link
from quadrille_core.slips import Slip, as_leaf, leaf_slips, slip_of, strange, unfit

ABSENCES = ("Q501", "Q502", "Q503", "Q505", "Q506", "Q507")
"""Faults for which rules of a plugin are not there: what the others lack cannot be told then."""

Ready = tuple[PluginDoc, dict[str, Any], bool]
"""A plugin that is loaded, its parameters, and whether it is asked after the others."""

Demand = tuple[Constraint, str, Place | None]
"""A constraint, who makes it, and where it stands."""

MOST_RECORDS: Final = 10_000
"""That a hook may return."""


class Asked(NamedTuple):
    """A hook of a plugin that is asked, and the level of the profile that names it."""

    hook: str
    use: PluginDoc
    level: int


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
        self._adds: dict[str, str] = {}
        """Which plugin has added a bid."""
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
        asked = Asked("quadrille_leaves", use, -1)
        for item in items:
            found = leaf_slips(item, name, [p for p in self.merge.own if p.startswith(f"{name}.")])
            if slip := slip_of(item, asked.hook) or next(found, None):
                self._slip(asked, item, slip)
                continue
            self.merge.own[item.path] = vocabulary.declare(as_leaf(item))
            self._check_sources(asked, item)
            cited = {name: getattr(item, name) for name in ("path", "source", "at", "status")}
            neutral = Default(value=item.neutral, reason="its neutral value", **cited)
            self.offered.append((item.path, False, item.neutral))
            self.merge.put(item.path, _link(neutral, item.neutral, asked))
        for record in RECORDS if items else ():
            doc = f"The {record} that plugin {name} adds."
            many = vocabulary.Leaf(f"{name}.{record}", tuple[str, ...], doc, (), None, None, None)
            vocabulary.declare(many)

    def _answer(self, hook: str, use: PluginDoc, **arguments: Any) -> list[Any]:
        """What a plugin answers to a hook; nothing where it fails, which is noted."""
        try:
            with redirect_stdout(sys.stderr):  # a generator runs here
                answer = self.registry.call(use.plugin, hook, **arguments)
                if isinstance(answer, Iterable) and not isinstance(answer, (str, Mapping)):
                    found = [*islice(answer, MOST_RECORDS + 1)]
                    if len(found) <= MOST_RECORDS:
                        return found
                    self._bad(use, "returns-too-many", hook=hook, field="", most=MOST_RECORDS)
                    return []
        except (
            Exception,
            SystemExit,
        ) as e:  # whatever a stranger's code raises is reported, by name
            self._failed(Asked(hook, use, 0), e)
            return []
        if answer is not None or self.registry.has(use.plugin, hook):
            what = type(answer).__name__ if answer is not None else "nothing"
            self._bad(use, "returns-not-list", hook=hook, field="", what=what)
        return []

    def _failed(self, asked: Asked, e: BaseException, record: str = "", field: str = "") -> None:
        """Note what a stranger's code raised, and at which of its lines: that of a hook, or of a
        function that a record has."""
        use = asked.use
        module = self.registry.loaded[use.plugin].installed.entry.module
        told = {"said": failure(e, module), "more": more_to_see(), "record": record, "field": field}
        variant = "function-failed" if field else "failed"
        self.merge.problem("Q507", variant, use.place, plugin=use.plugin, hook=asked.hook, **told)

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
        asked = Asked(hook, use, level)
        for item in items:
            if not isinstance(item, tuple(RECORDS.values())):
                slip = slip_of(item, hook) or self._apply(item, asked, inherited)
                if slip is not None:
                    self._slip(asked, item, slip)
        own: dict[str, Fact] = {}
        for name, kind in RECORDS.items():
            kept = self._add(asked, name, [item for item in items if isinstance(item, kind)], own)
            if name == "own_facts":
                own = own_as_facts(kept)

    def _apply(self, item: Any, asked: Asked, inherited: frozenset[str]) -> Slip | None:
        self._check_sources(asked, item)
        if isinstance(item, NewBid):
            return self._new_bid(item, asked, inherited)
        if isinstance(item, Constraint):
            self.demands.append((item, f"plugin {asked.use.plugin!r}", asked.use.place))
            return None
        if isinstance(item, Withhold):
            cells = self._tabulate(item, asked)
            if isinstance(cells, Slip) or cells is None:
                return cells
            return self._put(item, "forcing.exceptions", cells, asked, always=True)
        path, plugin, allowed = item.path, asked.use.plugin, self.domains[asked.hook]
        leaf = self.merge.own.get(path)
        if leaf is None and vocabulary.kind_of(path) and vocabulary.pattern_of(path):
            leaf = vocabulary.leaf_at(path)
        if leaf is None:
            return self._no_rule("path", path)
        if path.partition(".")[0] not in (plugin if path in self.merge.own else "", *allowed):
            return Slip("path", "may-not-set", {"path": path, "allowed": allowed})
        if slip := unfit("value", path, leaf, item.value):
            return slip
        return self._put(item, path, vocabulary.canonical(leaf, item.value), asked)

    def _no_rule(self, field: str, path: str) -> Slip:
        near = vocabulary.suggest(path, kind=self.merge.kind)
        return Slip(field, "no-rule", {"value": quoted(path, 80)}, near)

    def _put(
        self,
        item: Patch | Default | Withhold,
        path: str,
        value: Any,
        asked: Asked,
        *,
        always: bool = False,
    ) -> Slip | None:
        use = asked.use
        self.offered.append((path, not isinstance(item, Default), value))
        known = self.merge.chains.get(path)
        if isinstance(item, Default) and known and known[-1].level >= 0:
            return None
        if always or isinstance(item, Patch):
            earlier, why = self._patched.get(path, ("", ""))
            reason = f"{use.plugin!r} because {item.reason} ({item.source or 'no source'})"
            if earlier == use.plugin:
                return Slip("path", "sets-twice", {"path": path})
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
                return None
            self._patched[path] = (use.plugin, reason)
        second = None if isinstance(item, Withhold) else item.also
        self.merge.put(path, _link(item, value, asked, second))
        return None

    def _add(
        self, asked: Asked, kind: str, found: Sequence[Any], facts: Mapping[str, Fact]
    ) -> list[Any]:
        """Records that stand below the plugin's name, each of which rests on leaves of its own and
        may name ``facts`` of its own; returns those that stand."""
        use = asked.use
        where, good = f"{use.plugin}.{kind}", list[Any]()
        for item in found:
            slip = slip_of(item, asked.hook, facts)
            slip = slip or next(self._out_of_place(item, use.plugin, good), None)
            if slip is not None:
                self._slip(asked, item, slip)
            elif isinstance(item, OwnFact):
                name, written = f"{use.plugin}.{item.name}", written_function(item.compute)
                good.append(replace(item, name=name, compute=written))
            else:
                good.append(item)
        if kept := [*map(record_plain, good)]:
            citation = Citation("", "", "house", note=f"plugin {use.plugin}", place=use.place)
            link = Link(
                kept,
                "plugin",
                use.plugin,
                asked.level,
                use.place,
                "added by the plugin",
                (citation,),
                exact=True,
            )
            self.offered.append((where, True, kept))
            self.merge.chains[where] = [link]
        return good

    def _out_of_place(self, item: Any, plugin: str, beside: Sequence[Any]) -> Iterator[Slip]:
        """What a record names that these rules have not, or have already."""
        if isinstance(item, OwnFact) and plugin in (*GROUPS, *ENDS):
            # parted() would read the plugin's name as whose numbers are meant
            yield Slip("name", "reads-as-fact", {"plugin": plugin, "name": item.name})
        if isinstance(item, (OwnFact, Incident)):
            field = "id" if isinstance(item, Incident) else "name"
            name = getattr(item, field)
            if name in [getattr(one, field).removeprefix(f"{plugin}.") for one in beside]:
                yield Slip(field, "is-taken", {"value": name})
        own = {p: leaf for p, leaf in self.merge.own.items() if p.startswith(f"{plugin}.")}
        kinds = {"amount": (int, Fraction), "boolean": (bool,)}
        for field, kind in RESTS_ON.items():
            if not (path := getattr(item, field, "")):
                continue
            if path not in own:
                near = did_you_mean(path, own, what="leaves")
                yield Slip(field, "no-own-leaf", {"value": quoted(path)}, near)
            elif own[path].type not in kinds[kind] and not isinstance(item, Incident):
                yield Slip(field, "leaf-of-other-type", {"leaf": path, "type": kind})
            elif field == "factor" and (own[path].low or 0) < 0:
                yield Slip(field, "leaf-below-0", {"leaf": path})
        bids = self.merge.bids()
        for field in ("contracts", "bid"):
            given = getattr(item, field, ())
            yield from strange(field, [given] if field == "bid" and given else given, bids)
        for path in item.of or ("",) if isinstance(item, Change) else ():
            known = [*vocabulary.every_leaf(), *self.merge.own]
            above = any(leaf == path or leaf.startswith(f"{path}.") for leaf in known)
            if vocabulary.pattern_of(path) is None and not above:
                yield self._no_rule("of", path)

    def _new_bid(self, item: NewBid, asked: Asked, inherited: frozenset[str]) -> Slip | None:
        use, begins = asked.use, f"bids.{item.id}."
        adder = self._adds.get(item.id)
        if item.id in inherited or adder is not None:
            told = {"plugin": use.plugin, "hook": asked.hook, "record": "NewBid", "field": "id"}
            self.merge.problem("Q504", "bid-added-twice", use.place, id=item.id, **told)
            return None
        self._adds[item.id] = use.plugin
        self.merge.gone.discard(item.id)
        if item.measured:
            self.measured.append(self._measured(item, use.plugin))
        for path, value in vocabulary.dump_block(item.bid, begins):
            leaf, name = vocabulary.leaf_at(path), path.removeprefix(begins)
            if slip := unfit(f"bid.{name}", path, leaf, value):
                self._slip(asked, item, slip)
                continue
            canonical, ground = vocabulary.canonical(leaf, value), item.justifications.get(name)
            # what is left at its neutral value, and has no ground of its own, is not said, and no
            # source attests it
            neutral = leaf.has_default and canonical == vocabulary.to_plain(leaf.default, leaf.type)
            if neutral and ground is None:
                continue
            self.offered.append((path, False, canonical))
            if path not in self.merge.chains:
                rests = item if ground is None else replace(item, **asdict(ground))
                self.merge.put(path, _link(rests, canonical, asked, item.also.get(name)))
        return None

    def _check_sources(self, asked: Asked, item: Any) -> None:
        """Note the sources that a record cites and the bibliography does not have."""
        cited = [("source", getattr(item, "source", ""))]
        if isinstance(item, NewBid):
            cited += [("also", source) for source, _ in item.also.values()]
            cited += [("justifications", g.source) for g in item.justifications.values()]
        elif also := getattr(item, "also", None):
            cited += [("also", also[0])]
        for field, source in cited:
            if source and source not in self.sources:
                told = {"plugin": asked.use.plugin, "hook": asked.hook, "source": source}
                told |= {"record": type(item).__name__, "field": field}
                near = did_you_mean(source, self.sources, what="sources")
                variant = "plugin-cites-unknown-source"
                self.merge.problem("Q405", variant, asked.use.place, near, **told)

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

    def _tabulate(self, item: Withhold, asked: Asked) -> list[dict[str, Any]] | Slip | None:
        """A forcing function evaluated over every case: each trump, each trump card after each
        other."""
        cells: list[dict[str, Any]] = []
        try:
            for trump in (*(Suit(s) for s in range(4)), NO_TRUMP):
                trumps = [c for c in PACK if c in (SPADILLE, BASTO) or suit(c) == trump]
                for after, card in permutations(trumps, 2):
                    with redirect_stdout(sys.stderr):
                        allowed: Any = item.decide(trump, after, card)
                    if allowed is None:
                        continue
                    if type(allowed) is not bool:
                        return Slip("decide", "decides-otherwise", {"value": quoted(allowed)})
                    cells.append(vocabulary.withhold_cell(trump, after, card, allowed))
        except (Exception, SystemExit) as e:  # a stranger's code
            self._failed(asked, e, type(item).__name__, "decide")
            return None
        return cells

    def _slip(self, asked: Asked, item: object, slip: Slip) -> None:
        use = asked.use
        self.merge.problems.append(slip.problem(use.place, use.plugin, asked.hook, item))

    def _bad(self, use: PluginDoc, variant: str, **data: Any) -> None:
        self.merge.problem("Q505", variant, use.place, plugin=use.plugin, **data)


def _link(
    item: Patch | Default | Withhold | NewBid,
    value: Any,
    asked: Asked,
    also: tuple[str, str] | None = None,
) -> Link:
    """What a record says of a rule, and which texts say so, ``also`` among them."""
    use, exact = asked.use, not isinstance(item, NewBid)
    status = item.status if item.source or item.status != "attested" else "house"
    filled = item.reason if status in FILLED else ""
    cite = Citation(item.source, item.at, status, note=item.reason, filled=filled, place=use.place)
    second = [] if also is None else [Citation(*also, place=use.place)]
    cites = (cite, *second)
    return Link(value, "plugin", use.plugin, asked.level, use.place, item.reason, cites, exact)
