"""Asking the plugins a profile names, and applying what they answer."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import is_dataclass, replace
from types import MappingProxyType
from typing import Any

from quadrille_core import vocabulary
from quadrille_core.cards import BASTO, NO_TRUMP, PACK, SPADILLE, Suit, suit
from quadrille_core.errors import Place, PluginError, did_you_mean
from quadrille_core.hookspecs import DOMAINS, Constraint, Default, NewBid, Patch, Withhold
from quadrille_core.profile.document import Citation, PluginDoc, ProfileDoc
from quadrille_core.registry import Registry, parameters_of
from quadrille_core.rules import PluginUse
from quadrille_core.ruleset.merge import Merge
from quadrille_core.ruleset.provenance import Link

STATUSES = ("attested", "inferred", "silent", "conjecture", "house")

Demand = tuple[Constraint, str, Place | None]
"""A constraint, who makes it, and where it stands."""


class Plugging:
    """The plugins of one compilation: loaded once, asked level by level."""

    def __init__(self, merge: Merge, sources: Collection[str], registry: Registry | None = None) -> None:
        self.merge = merge
        self.sources = sources
        self.registry = registry or Registry()
        self.used: dict[str, PluginUse] = {}
        self.named_by: dict[str, str] = {}
        """Which profile names a plugin; those that a user adds are not in it."""
        self.demands: list[Demand] = []
        self.offered: list[tuple[str, bool, Any]] = []
        """What plugins would set, in their order: the rule, whether whatever stands there gives way, and the value."""
        self._patched: dict[str, tuple[str, str]] = {}
        """Which plugin has patched a rule, and why."""

    def run_added(self, plugins: Sequence[PluginDoc], level: int, inherited_bids: frozenset[str]) -> None:
        """Ask the plugins that a user adds to finished rules, refusing those at work in them already."""
        fresh = []
        for use in plugins:
            if use.plugin in self.used:
                message = (
                    f"plugin {use.plugin!r} is at work in these rules already: {self.named_by[use.plugin]} names it"
                )
                hint = "leave it out; its parameters are changed in a profile that names it, or the rules with --set"
                self.merge.problem("Q504", message, None, hint)
            else:
                fresh.append(use)
        self.run_level(fresh, level, inherited_bids)

    def run_profile(self, doc: ProfileDoc, level: int, inherited_bids: frozenset[str]) -> None:
        """Ask the plugins that a profile names."""
        self.run_level(doc.plugins, level, inherited_bids)
        self.named_by = {use.plugin: doc.id for use in doc.plugins} | self.named_by

    def run_level(self, plugins: Sequence[PluginDoc], level: int, inherited_bids: frozenset[str]) -> None:
        """Ask every plugin, hook by hook, each seeing what stands before it."""
        ready: list[tuple[PluginDoc, dict[str, Any]]] = []
        names = [p.plugin for p in plugins]
        late: set[str] = set()
        for use in plugins:
            loaded = self.registry.load(use.plugin, use.place)
            if loaded is None:
                continue
            self._check_order(use, names)
            try:
                parameters = parameters_of(loaded, use.parameters, use.place)
            except PluginError as e:
                self.merge.problems += e.problems
                continue
            # a parameter that a plugin gains later must not change what is known of rules that never gave it, and
            # what would be so anyway is no other rule set; where the rules would have it otherwise, they show it
            declared = loaded.about.parameters
            anyway = {k: (declared[k].default, declared[k].filled) for k in parameters}
            given = tuple(sorted((k, str(v)) for k, v in parameters.items() if v not in anyway[k]))
            self.used[use.plugin] = PluginUse(
                name=use.plugin,
                version=loaded.installed.version,
                package=loaded.installed.package,
                parameters=given,
            )
            ready.append((use, parameters))
            late |= {use.plugin} if loaded.about.late else set()
        self.merge.problems += self.registry.problems
        self.registry.problems = []
        ready.sort(key=lambda pair: pair[0].plugin in late)
        for hook in DOMAINS:
            for use, parameters in ready:
                self._ask(hook, use, parameters, level, inherited_bids)

    def _check_order(self, use: PluginDoc, names: list[str]) -> None:
        for other in use.after:
            if other not in names[: names.index(use.plugin)] and other not in self.used:
                self.merge.problem(
                    "Q504",
                    f"plugin {use.plugin!r} is declared after {other[:60]!r}, which is not named before it",
                    use.place,
                    "name both, in that order",
                )

    def _ask(
        self, hook: str, use: PluginDoc, parameters: Mapping[str, Any], level: int, inherited: frozenset[str]
    ) -> None:
        view = self.merge.view()
        try:
            answer = self.registry.call(use.plugin, hook, rules=view, parameters=MappingProxyType(dict(parameters)))
            items = [] if answer is None else list(answer)
        except (Exception, SystemExit) as e:  # whatever a stranger's code raises is reported, by name
            self.merge.problem(
                "Q507", f"plugin {use.plugin!r} failed in {hook}: {type(e).__name__}: {e}"[:300], use.place
            )
            return
        for item in items:
            try:
                self._apply(item, hook, use, level, inherited)
            except vocabulary.MismatchError as e:
                self._bad(use, f"{hook} returns {type(item).__name__} for {getattr(item, 'path', '?')}: {e}")

    def _apply(self, item: object, hook: str, use: PluginDoc, level: int, inherited: frozenset[str]) -> None:
        if isinstance(item, Constraint):
            self._constraint(item, hook, use)
        elif isinstance(item, NewBid):
            self._new_bid(item, hook, use, level, inherited)
        elif isinstance(item, (Patch, Default)):
            path = str(item.path)
            leaf = vocabulary.leaf_at(path) if vocabulary.pattern_of(path) else None
            if leaf is None:
                self._bad(use, f"{hook} names no rule: {path[:80]!r}", vocabulary.suggest(path, kind=self.merge.kind))
            elif path.split(".", maxsplit=1)[0] not in DOMAINS[hook]:
                allowed = ", ".join(DOMAINS[hook])
                self._bad(use, f"{hook} may not set {path}", f"it may set rules below {allowed}")
            else:
                self._put(item, path, vocabulary.canonical(leaf, item.value), use, level)
        elif isinstance(item, Withhold) and hook == "quadrille_forcing":
            cells = self._tabulate(item, use)
            if cells is not None:
                self._put(item, "forcing.exceptions", cells, use, level, always=True)
        else:
            self._bad(use, f"{hook} returns {type(item).__name__}, which it may not")

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
        if isinstance(item, Default) and path in self.merge.chains:
            return
        if always or isinstance(item, Patch):
            earlier, why = self._patched.get(path, ("", ""))
            reason = f"{use.plugin!r} because {item.reason} ({item.source or 'no source'})"
            if earlier == use.plugin:
                self._bad(use, f"sets {path} twice", "one record for each rule")
                return
            if earlier and earlier not in use.after:
                self.merge.problem(
                    "Q504",
                    f"plugins {earlier!r} and {use.plugin!r} both set {path}",
                    use.place,
                    f"leave one out, or name both in a profile and declare {use.plugin!r} `after: [{earlier}]` if it "
                    f"is to win: {why}; {reason}",
                )
                return
            self._patched[path] = (use.plugin, reason)
        link = self._link(item, value, use, level)
        second = None if isinstance(item, Withhold) else item.also
        self.merge.put(path, link if second is None else self._also(link, *second, use))

    def _link(self, item: Patch | Default | Withhold | NewBid, value: Any, use: PluginDoc, level: int) -> Link:
        if item.status not in STATUSES:
            self._bad(use, f"{str(item.status)[:40]!r} is no status", "one of: " + ", ".join(STATUSES))
        if item.source and item.source not in self.sources:
            self._uncited(item.source, use)
        status = item.status if item.source or item.status != "attested" else "house"
        filled = item.reason if status == "silent" else ""
        cite = Citation(item.source, item.at, status, note=item.reason, filled=filled, place=use.place)
        exact = not isinstance(item, NewBid)
        return Link(value, "plugin", use.plugin, level, use.place, item.reason, (cite,), exact)

    def _constraint(self, item: Constraint, hook: str, use: PluginDoc) -> None:
        blocks: tuple[object, ...] = (item.when, item.requires, item.excludes)
        for block in blocks:
            if not isinstance(block, Mapping):
                self._bad(use, f"{hook} returns a Constraint whose conditions are no mapping of paths to values")
                return
            for path in block:
                if vocabulary.pattern_of(str(path).replace("*", "any")) is None:
                    self._bad(
                        use,
                        f"{hook} returns a Constraint on no rule: {str(path)[:80]!r}",
                        vocabulary.suggest(str(path), kind=self.merge.kind),
                    )
                    return
        self.demands.append((item, f"plugin {use.plugin!r}", use.place))

    def _new_bid(self, item: NewBid, hook: str, use: PluginDoc, level: int, inherited: frozenset[str]) -> None:
        if hook != "quadrille_bids" or not is_dataclass(item.bid):
            self._bad(use, f"{hook} returns a NewBid that it may not, or one without a Bid")
        elif not vocabulary.is_identifier(item.id):
            self._bad(use, f"{str(item.id)[:40]!r} cannot name a bid", "use small letters, digits and hyphens")
        elif item.id in inherited:
            self.merge.problem(
                "Q504",
                f"plugin {use.plugin!r} adds bid {item.id!r}, which the rules already have",
                use.place,
                "a plugin changes an existing bid with Patch",
            )
        else:
            for path, value in vocabulary.dump_block(item.bid, f"bids.{item.id}."):
                leaf = vocabulary.leaf_at(path)
                canonical = vocabulary.canonical(leaf, value)
                # what the record leaves at its neutral value it does not say, and no source attests it
                neutral = leaf.has_default and canonical == vocabulary.to_plain(leaf.default, leaf.type)
                if not neutral:
                    self.offered.append((path, False, canonical))
                if path not in self.merge.chains and not neutral:
                    name = path.removeprefix(f"bids.{item.id}.")
                    ground = item.grounds.get(name)
                    rests = item
                    if ground is not None:
                        rests = replace(
                            item, status=ground.status, reason=ground.reason, source=ground.source, at=ground.at
                        )
                    link = self._link(rests, canonical, use, level)
                    second = item.also.get(name)
                    self.merge.put(path, link if second is None else self._also(link, *second, use))

    def _also(self, link: Link, source: str, at: str, use: PluginDoc) -> Link:
        """The link with a second text that says the same."""
        if source not in self.sources:
            self._uncited(source, use)
        return replace(link, citations=(*link.citations, Citation(source, at, place=use.place)))

    def _uncited(self, source: str, use: PluginDoc) -> None:
        hint = did_you_mean(source, self.sources, what="sources")
        message = f"plugin {use.plugin!r} cites {source[:60]!r}, which is not in the bibliography"
        self.merge.problem("Q405", message, use.place, hint or "the profile may add it below sources:")

    def _tabulate(self, item: Withhold, use: PluginDoc) -> list[dict[str, Any]] | None:
        """Evaluate a forcing function over every case: each trump, each trump card after each other."""
        cells: list[dict[str, Any]] = []
        try:
            for trump in (*(Suit(s) for s in range(4)), NO_TRUMP):
                trumps = [c for c in PACK if c in (SPADILLE, BASTO) or suit(c) == trump]
                for after in trumps:
                    for card in trumps:
                        allowed = item.decide(trump, after, card) if card != after else None
                        if allowed is None:
                            continue
                        if type(allowed) is not bool:
                            raise TypeError(f"decide returned {allowed!r}, not True, False or None")
                        cells.append(vocabulary.withhold_cell(trump, after, card, allowed))
        except (Exception, SystemExit) as e:  # a stranger's code
            message = f"plugin {use.plugin!r} failed while its forcing rule was tabulated: {type(e).__name__}: {e}"
            self.merge.problem("Q507", message[:300], use.place)
            return None
        return cells

    def _bad(self, use: PluginDoc, message: str, help: str = "") -> None:
        self.merge.problem("Q505", f"plugin {use.plugin!r}: {message}", use.place, help)
