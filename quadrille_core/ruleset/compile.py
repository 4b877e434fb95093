"""From a name to a RuleSet: the one way by which rules come to be.

The chain of profiles is merged level by level, plugins are asked, what is set by hand comes last,
and the whole is checked.  All faults are reported together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from quadrille_core import resources, vocabulary
from quadrille_core.errors import (
    Option,
    Place,
    Problem,
    ProfileError,
    UsageError,
    did_you_mean,
)
from quadrille_core.frozen import frozen
from quadrille_core.hookspecs import Constraint
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.profile.document import load_bibliography
from quadrille_core.profile.naming import path_with_ids
from quadrille_core.profile.records import (
    Attestation,
    Citation,
    ConstraintDoc,
    PointDoc,
    ProfileDoc,
    ReadingDoc,
    Source,
    WitnessDoc,
)
from quadrille_core.registry import Registry
from quadrille_core.rules import GameRules, Identity, Rules, RuleSet
from quadrille_core.ruleset import crosscheck
from quadrille_core.ruleset.forced import settle_forced
from quadrille_core.ruleset.merge import (
    HAND_LEVEL,
    Choices,
    Merge,
    build_rules,
    canonical_json,
    cited_by,
    digest,
    in_order,
    merge_level,
)
from quadrille_core.ruleset.plugging import ABSENCES, Demand, Plugging
from quadrille_core.ruleset.provenance import (
    SPEAKS,
    Because,
    Link,
    Origin,
    under_witness,
)
from quadrille_core.ruleset.reference import Reference, is_path, load_chain, parse_reference
from quadrille_core.ruleset.witness_files import (
    faults_of_citations,
    faults_of_points,
    joined,
    with_attestations,
    with_own_attestations,
    witness_files,
)


@frozen
class PointState:
    """A disputed point as it stands in a compiled rule set."""

    point: PointDoc
    reading: ReadingDoc
    absence: str
    """Why the chosen witness does not answer it, so that the reading is a filling; empty where it
    does."""
    because: Because
    """Why that reading is in force."""

    @property
    def silent(self) -> bool:
        """Whether the reading is a filling."""
        return bool(self.absence)


@frozen
class ClosedPoint:
    """A disputed point that decides nothing in a compiled rule set, and what settled its rules
    instead."""

    point: PointDoc
    by: tuple[tuple[str, Link], ...]
    """Each rule that was settled, and the link that did it."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A rule set with everything that is known of where its rules come from, which is worked out
    when it is first asked for."""

    drawn: "Draft" = field(repr=False)
    """What was merged and checked."""

    @property
    def kind(self) -> str:
        """The kind of game, one of ``KINDS``."""
        return self.drawn.merge.kind

    @property
    def chain(self) -> tuple[ProfileDoc, ...]:
        """The profiles, root first."""
        return self.drawn.chain

    @property
    def title(self) -> str:
        """The title of the profile."""
        return self.chain[-1].title

    @property
    def heading(self) -> str:
        """The title of the text that is followed, where it stands in a file of its own; else that
        of the profile."""
        followed = self.witnesses.get(self.identity.witness or "")
        place = followed.place if followed is not None else None
        if followed is None or place is None or place.path not in self.identity.witness_files:
            return self.title
        return followed.title or self.title

    @property
    def witnesses(self) -> Mapping[str, WitnessDoc]:
        """The witnesses that its profiles name."""
        return self.drawn.witnesses

    @property
    def sources(self) -> Mapping[str, Source]:
        """The sources that it may cite."""
        return self.drawn.sources

    @cached_property
    def origins(self) -> Mapping[str, Origin]:
        """Every leaf's history, by path, in the order of the vocabulary."""
        return Origins(self.drawn)

    @cached_property
    def values(self) -> dict[str, Any]:
        """The value of every leaf, by path."""
        return {path: origin.value for path, origin in self.origins.items()}

    @cached_property
    def _settled(self) -> list[ClosedPoint]:
        merge, choices = self.drawn.merge, self.drawn.choices
        points = (p for p in choices.points.values() if not _is_gone(merge, p))
        return [ClosedPoint(p, _settled(merge, p, choices.levels[p.id])) for p in points]

    @cached_property
    def points(self) -> tuple[PointState, ...]:
        """The points still open: those whose rules no child profile has settled for itself."""
        return tuple(_state(c.point, self.drawn.choices) for c in self._settled if not c.by)

    @cached_property
    def closed(self) -> tuple[ClosedPoint, ...]:
        """The other points, in the same order."""
        return tuple(c for c in self._settled if c.by)

    @cached_property
    def game(self) -> GameRules[Any]:
        """The rules with their name; of which class, the kind of game says."""
        merge, choices, named = self.drawn.merge, self.drawn.choices, self.drawn.reference
        rules = build_rules(merge)
        if known := tuple(self.drawn.plugging.measured):
            rules = replace(rules, own=replace(rules.own, measured=known))
        plugins = tuple(self.drawn.plugging.used.values())
        by_hand = [
            path for path, history in merge.chains.items() if history[-1].setter == "setting"
        ]
        files, in_file = _files_named(named, choices.witness)
        identity = Identity(
            profile=named.profile if is_path(named.profile) else self.chain[-1].id,
            witness=choices.witness.id if choices.witness else None,
            witness_files=files,
            witness_in_file=in_file,
            readings=tuple(sorted(choices.by_hand.items())),
            settings=tuple((path, canonical_json(merge.get(path))) for path in sorted(by_hand)),
            plugins=plugins,
            added=tuple(map(str, named.added)),
            digest=digest(vocabulary.dump(rules), plugins),
        )
        return KINDS[merge.kind].ruleset(identity=identity, rules=rules)

    @property
    def identity(self) -> Identity:
        """The name of the rules."""
        return self.game.identity

    @property
    def ruleset(self) -> RuleSet:
        """The rules of a game of tricks; raises UsageError when the game is of another kind."""
        if isinstance(self.game, RuleSet):
            return self.game
        raise self._other_kind(TRICKS)

    @property
    def rules(self) -> Rules:
        """Its rules; raises as ``ruleset`` does."""
        return self.ruleset.rules

    def game_of(self, kind: str) -> GameRules[Any]:
        """The rules of a game of that kind; raises UsageError when the game is of another."""
        if self.kind == kind:
            return self.game
        raise self._other_kind(kind)

    def _other_kind(self, wanted: str) -> UsageError:
        return UsageError.of(
            "rules-of-another-game",
            profile=self.identity.profile,
            article=KINDS[self.kind].article,
            article2=KINDS[wanted].article,
        )

    def source_of(self, path: str) -> str:
        """The citation of a rule in short; empty when the path names no rule."""
        return self.origins[path].source_text() if path in self.origins else ""

    def value_of(self, path: str) -> Any:
        """The plain value of a rule; raises KeyError when there is none."""
        if path not in self.origins:
            raise KeyError(path)
        return self.drawn.merge.chains[path][-1].value


def compile_reference(
    text: str,
    *,
    readings: Mapping[str, str] | None = None,
    settings: Mapping[str, Any] | None = None,
    registry: Registry | None = None,
) -> Compiled:
    """Compile ``PROFILE[@WITNESS][+PLUGIN…]`` with readings and rules chosen by hand.

    ``settings`` maps rule paths to plain values.  Raises ProfileError with every fault found,
    UnreadableError when a file cannot be read.
    """
    reference = parse_reference(text)
    chain = load_chain(reference.profile)
    return compile_chain(
        chain, reference, readings=readings or {}, settings=settings or {}, registry=registry
    )


def compile_chain(
    chain: tuple[ProfileDoc, ...],
    reference: Reference,
    *,
    readings: Mapping[str, str],
    settings: Mapping[str, Any],
    registry: Registry | None = None,
) -> Compiled:
    """Compile a chain of loaded profiles, root first; see ``compile_reference``."""
    drawn = draft(chain, reference, readings=readings, settings=settings, registry=registry)
    merge = drawn.merge
    for point in drawn.choices.by_hand:
        check_chosen(drawn, point)
    set_by_hand(drawn, settings)
    if not chain[-1].abstract and not any(p.code in ABSENCES for p in merge.problems):
        _crosscheck(drawn)
    if merge.problems:
        raise ProfileError(_in_order(merge.problems))
    return Compiled(drawn)


@frozen
class Draft:
    """A chain of profiles merged, and patched by plugins; not yet refined by hand, filled up, or
    checked."""

    merge: Merge
    chain: tuple[ProfileDoc, ...]
    reference: Reference
    choices: Choices
    plugging: Plugging
    sources: Mapping[str, Source]
    witnesses: Mapping[str, WitnessDoc]


def draft(
    chain: tuple[ProfileDoc, ...],
    reference: Reference,
    *,
    readings: Mapping[str, str],
    settings: Mapping[str, Any],
    registry: Registry | None = None,
    merge: Merge | None = None,
) -> Draft:
    """Merge a chain under chosen readings and ask the plugins; the faults found are noted in
    ``merge.problems``.

    ``merge`` may be one that watches what the plugins read.  Of ``settings``, plugins see those of
    their own leaves.
    """
    merge = Merge(kind_of_chain(chain)) if merge is None else merge
    merge.by_hand = settings
    files = witness_files(reference.files)
    if files:
        plain, raised = chain, [point for file in files for point in file.points]
        chain, faults = joined(chain, files, _known_sources(chain))
        if raised:
            leaf = Reference(plain[-1].id, "")
            nobody = draft(plain, leaf, readings={}, settings={}, registry=registry)
            set_by_hand(nobody, {})
            faults += _changed_rules(nobody.merge, raised)
        if faults:
            raise ProfileError(_in_order(faults))
        chain = with_attestations(chain, _cited_for(nobody, raised) if raised else {})
    merge.problems += faults_of_citations(chain, _shelf())
    chain = with_own_attestations(chain)
    leafmost = chain[-1]
    sources = _sources(chain, merge)
    witnesses = {w.id: w for doc in chain for w in doc.witnesses}
    named = reference.witness
    if named is None and files:
        named = witness_files(reference.files[-1:])[0].id
    witness = _witness(named, leafmost, witnesses, merge)
    choices = Choices(chain, witness, readings, merge.problems, sources)
    if leafmost.abstract:
        merge.problem("Q305", "abstract", leafmost.place, profile=leafmost.id)
    plugging = Plugging(merge, sources, registry)
    for level, doc in enumerate(chain):
        inherited = frozenset(merge.bids())
        dropped = _dropped_below(chain, level)
        ready = plugging.load_profile(doc, dropped)
        merge_level(merge, doc, level, choices)
        for use in doc.plugins:
            if use.drop and use.plugin not in _named_above(chain, level):
                hint = did_you_mean(use.plugin, _named_above(chain, level), what="inherited")
                merge.problem("Q504", "not-inherited", use.place, hint, plugin=use.plugin)
            elif not use.drop and use.plugin in dropped:
                plugging.drop(use)
        merge.forget_gone()
        plugging.run(ready, level, inherited)
    plugging.run_added([a.named() for a in reference.added], len(chain), frozenset(merge.bids()))
    return Draft(merge, chain, reference, choices, plugging, sources, witnesses)


def _changed_rules(merge: Merge, points: Sequence[PointDoc]) -> Iterator[Problem]:
    """Where the default reading of a witness's own point would change the rules of those who do not
    follow it."""
    for point in points:
        reading = point.reading(point.default)
        for path, value, place in reading.sets if reading is not None else ():
            history = merge.chains.get(path)
            if history is None or history[-1].value != value:
                now = vocabulary.to_plain(history[-1].value) if history else None
                data = {"point": point.id, "path": path, "now": str(now)}
                yield Problem("Q410", "default-changes-rules", data, place)


def _cited_for(
    plain: Draft, points: Sequence[PointDoc]
) -> Mapping[tuple[str, str], Sequence[Attestation]]:
    """Who is cited for the rules that new points put in dispute: each text has the default, by
    which these stay as they are."""
    origins, speaks = Origins(plain), {w.source: w.id for w in plain.witnesses.values()}
    said: dict[tuple[str, str], Sequence[Attestation]] = {}
    for point in points:
        reading = point.reading(point.default)
        places: dict[str, dict[Citation, None]] = {}
        paths = [p for p, _, _ in reading.sets if p in origins] if reading is not None else []
        for path in paths:
            for cite in origins[path].link.citations:
                if cite.source and cite.status in SPEAKS:
                    places.setdefault(cite.source, {})[cite] = None
        said[point.id, point.default] = [
            Attestation(
                speaks.get(source, ""),
                source,
                "; ".join(dict.fromkeys(c.at for c in cites if c.at)),
                next(iter(cites)).status,
                next(iter(cites)).certainty,
            )
            for source, cites in places.items()
        ]
    return said


def _named_above(chain: tuple[ProfileDoc, ...], level: int) -> set[str]:
    """The plugins that a profile of the chain inherits."""
    named: set[str] = set()
    for doc in chain[:level]:
        named -= {use.plugin for use in doc.plugins if use.drop}
        named |= {use.plugin for use in doc.plugins if not use.drop}
    return named


def _dropped_below(chain: tuple[ProfileDoc, ...], level: int) -> set[str]:
    """The plugins that profiles further down the chain drop."""
    return {use.plugin for doc in chain[level + 1 :] for use in doc.plugins if use.drop}


def set_by_hand(drawn: Draft, settings: Mapping[str, Any]) -> None:
    """Set rules by hand, and give every leaf that nobody set its neutral value."""
    titles = _titles(drawn.merge) if settings else {}
    for path, value in settings.items():
        _set_by_hand(drawn.merge, path_with_ids(path, titles), value)
    _refuse_foreign(drawn.merge)
    settle_forced(drawn.merge)
    drawn.merge.fill_neutral()


def _files_named(reference: Reference, witness: WitnessDoc | None) -> tuple[tuple[str, ...], bool]:
    """The files of witnesses in one order whatever was named first, that of the witness who is
    followed last; and whether there is one."""
    by_id = sorted((witness_files([path])[0].id, path) for path in reference.files)
    own = [path for name, path in by_id if witness is not None and name == witness.id]
    return (*(path for _, path in by_id if path not in own), *own), bool(own)


class Origins(Mapping[str, Origin]):
    """Every leaf's history, by path, in the order of the vocabulary.

    Which citation covers a rule is worked out when the rule is first asked for.
    """

    def __init__(self, drawn: Draft) -> None:
        self._drawn = drawn
        chains = drawn.merge.chains
        # what a bid need not say, and does not, is no rule of it
        said = [
            p
            for p in in_order(drawn.merge)
            if chains[p][-1].value is not None or p in vocabulary.every_leaf()
        ]
        self._paths = dict.fromkeys(said)
        self._known: dict[str, Origin] = {}

    def __getitem__(self, path: str) -> Origin:
        """The history of a rule; raises KeyError for a path that names none."""
        if path not in self._known:
            if path not in self._paths:
                raise KeyError(path)
            self._known[path] = self._origin(path, self._drawn.merge.chains[path])
        return self._known[path]

    def __contains__(self, path: object) -> bool:
        """Whether a path names a rule."""
        return path in self._paths

    def __iter__(self) -> Iterator[str]:
        """The paths."""
        return iter(self._paths)

    def __len__(self) -> int:
        """How many rules there are."""
        return len(self._paths)

    def _origin(self, path: str, history: Sequence[Link]) -> Origin:
        origin = Origin(path, (*history[:-1], cited_by(self._drawn.chain, path, history)))
        witness = self._drawn.choices.witness
        if witness is None or origin.link.setter == "reading":
            return origin
        absence = witness.absence_of_rules(self._drawn.sources.get(witness.source))
        return under_witness(origin, witness.id, witness.source, absence)


def _state(point: PointDoc, choices: Choices) -> PointState:
    reading, silent = choices.of(point)
    return PointState(
        point, reading, choices.absence(point) if silent else "", choices.because(point)
    )


def _is_gone(merge: Merge, point: PointDoc) -> bool:
    """Whether a point is about nothing but what was dropped with a plugin."""
    return bool(merge.gone) and all(
        merge.is_gone(path) for reading in point.readings for path, _, _ in reading.sets
    )


def _settled(merge: Merge, point: PointDoc, level: int) -> tuple[tuple[str, Link], ...]:
    """What closes a point: a child's rule, or a plugin's patch, on a path of it; nothing, while it
    is open."""
    found = []
    for path in dict.fromkeys(path for reading in point.readings for path, _, _ in reading.sets):
        history = [link for link in merge.chains.get(path, ()) if link.setter != "setting"]
        patched = (
            len(history) > 1
            and history[-1].setter == "plugin"
            and history[-2].name.startswith(f"{point.id}=")
        )
        if history and (history[-1].level > level or patched):
            found.append((path, history[-1]))
    return tuple(found)


@lru_cache(maxsize=2)
def _bibliography(path: Path, stamp: tuple[int, int]) -> Mapping[str, Source]:
    """The shared bibliography, read once as long as its file stays as it is."""
    del stamp
    return load_bibliography(path, validate=False)


def _shelf() -> Mapping[str, Source]:
    """The shared bibliography."""
    shared = resources.bibliography()
    return _bibliography(shared, resources.stamp(shared))


def _known_sources(chain: tuple[ProfileDoc, ...]) -> dict[str, Source]:
    """The shared bibliography, and what the profiles add to it."""
    sources = dict(_shelf())
    for doc in chain:
        sources |= doc.sources
    return sources


def _sources(chain: tuple[ProfileDoc, ...], merge: Merge) -> dict[str, Source]:
    sources = _known_sources(chain)
    for doc in chain:
        for source, place in cited(doc):
            if source and source not in sources:
                hint = did_you_mean(source, sources, what="sources")
                merge.problem("Q405", "no-such-source", place, hint, source=source[:60])
    return sources


def cited(doc: ProfileDoc) -> Iterator[tuple[str, Place | None]]:
    """Every source a profile names, or nothing in its stead, with the place where it does."""
    for witness in doc.witnesses:
        yield witness.source, witness.place
    for citations in doc.cites.values():
        for cite in citations:
            yield cite.source, cite.place
            yield cite.from_, cite.place
    for point in doc.points:
        for reading in point.readings:
            yield from ((other.source, reading.place) for other in reading.elsewhere)
    for demand in (*doc.assumes, *doc.constraints):
        yield demand.source, demand.place
    for published in doc.published:
        yield published.source, published.place


def _witness(
    named: str | None, leafmost: ProfileDoc, witnesses: Mapping[str, WitnessDoc], merge: Merge
) -> WitnessDoc | None:
    """The witness of that name, or the profile's default where none is named; an empty name is
    nobody."""
    name = leafmost.default_witness if named is None else named
    if not name:
        return None
    if name not in witnesses:
        near = did_you_mean(name, witnesses, what="witnesses")
        place = None if named else leafmost.default_witness_place
        merge.problem(
            "Q403", "no-such-witness", place, near, profile=leafmost.id, witness=name[:60]
        )
        return None
    return witnesses[name]


def check_chosen(drawn: Draft, point_id: str) -> None:
    """A reading chosen by hand must take effect; where a child's rule undoes it, say so."""
    merge, choices = drawn.merge, drawn.choices
    point = choices.points.get(point_id)
    if point is not None:
        reading, _ = choices.of(point)
        for path, value, _place in reading.sets:
            if merge.is_gone(path):
                continue
            link = merge.chains[path][-1]
            if link.value != value:
                who = f"{link.setter} {link.name!r}"
                data = {"reading": reading.id, "point": point_id, "path": path, "who": who}
                mend = Option("set", f"{path}=…")
                merge.problem("Q603", "undone-by-child", link.place, set=mend, **data)


def kind_of_chain(chain: tuple[ProfileDoc, ...]) -> str:
    """The kind of game; raises ProfileError when a profile extends one of another kind."""
    kind = chain[0].game or TRICKS
    for doc in chain:
        said = doc.game or kind
        if said != kind or said not in KINDS:
            variant = ("of-game" if said in KINDS else "of-no-game") + (
                "-and-extends" if kind in KINDS else ""
            )
            articles = {"game": _article(said), "parent": _article(kind)}
            raise ProfileError.of(
                variant, place=doc.game_place, profile=doc.id, kinds=list(KINDS), **articles
            )
    return kind


def _article(kind: str) -> str:
    return KINDS[kind].article if kind in KINDS else ""


def _refuse_foreign(merge: Merge) -> None:
    """Rules of another kind of game, whoever set them, are told and taken out."""
    for path in [p for p in merge.chains if vocabulary.kind_of(p) not in (merge.kind, None)]:
        other = KINDS[vocabulary.kind_of(path) or TRICKS]
        data = {"path": path, "other": other.article, "mine": KINDS[merge.kind].article}
        place = merge.chains.pop(path)[-1].place
        blocks = list(vocabulary.blocks_of(merge.kind))
        merge.problem("Q605", "rule-of-other-game", place, blocks=blocks, **data)


def _titles(merge: Merge) -> dict[str, str]:
    """The titles of all bids by id; the id of one that has none."""
    found = {bid: merge.chains.get(f"bids.{bid}.title") for bid in merge.bids()}
    return {bid: str(links[-1].value) if links else bid for bid, links in found.items()}


def _set_by_hand(merge: Merge, path: str, value: Any) -> None:
    if merge.is_gone(path) and merge.problems:  # its plugin is missing or at fault, which is told
        return
    if vocabulary.pattern_of(path) is None or (
        vocabulary.kind_of(path) is None and path not in merge.own
    ):
        if vocabulary.is_prefix(path) and vocabulary.pattern_of(path) is None:
            merge.problem("Q605", "block-set", None, path=path)
        else:
            like = vocabulary.suggest(path, merge.chains, merge.kind)
            merge.problem("Q605", "no-rule-to-set", None, like, path=path[:80])
        return
    bids = merge.bids()
    pattern = vocabulary.pattern_of(path) or ""
    if "*" in pattern and path.split(".")[pattern.split(".").index("*")] not in bids:
        bid = path.split(".")[pattern.split(".").index("*")]
        merge.problem(
            "Q604", "leaf-of-no-bid", None, did_you_mean(bid, bids, what="bids"), path=path, bid=bid
        )
        return
    try:
        canonical = vocabulary.canonical(vocabulary.leaf_at(path), value)
    except vocabulary.MismatchError as e:
        merge.problem(
            "Q203", "leaf-cannot-be", path=path, value=str(value)[:40], expected=e.problem
        )
        return
    merge.put(path, Link(canonical, "setting", "--set", HAND_LEVEL, None, "set by hand"))


def _crosscheck(drawn: Draft) -> None:
    merge = drawn.merge
    gaps = list(crosscheck.missing(merge, drawn.chain[-1].place))
    merge.problems += gaps
    if not gaps and not merge.problems:
        merge.problems += contradictions(merge)
    merge.problems += uncited(merge, drawn.chain)
    merge.problems += faults_of_points(drawn.chain)
    required, assumed = demands(drawn.chain)
    merge.problems += crosscheck.unmet(merge, [*drawn.plugging.demands, *required])
    kept = [a for a in assumed if not any(map(merge.is_gone, a[0].requires))]
    merge.problems += crosscheck.broken_assumptions(merge, kept)
    merge.problems += crosscheck.sent_apart(merge)


def contradictions(merge: Merge) -> Iterator[Problem]:
    """Rules that cannot be played together."""
    return iter((KINDS[merge.kind].contradictions or crosscheck.contradictions)(merge))


def uncited(merge: Merge, chain: tuple[ProfileDoc, ...]) -> Iterator[Problem]:
    """Citations of rules that there are not."""
    for doc in chain:
        for key, place in doc.cite_places.items():
            known = key in merge.chains or merge.is_gone(key)
            if not known and not any(vocabulary.matches(key, path) for path in merge.chains):
                near = vocabulary.suggest(key, merge.chains, merge.kind)
                yield Problem("Q407", "cited-no-rule", {"path": key}, place, near)


def demands(chain: tuple[ProfileDoc, ...]) -> tuple[list[Demand], list[Demand]]:
    """The constraints of the profiles, and what they assume."""
    required, assumed = (
        [
            (_constraint(one), f"profile {doc.id!r}", one.place)
            for doc in chain
            for one in getattr(doc, block)
        ]
        for block in ("constraints", "assumes")
    )
    return required, assumed


def _constraint(doc: ConstraintDoc) -> Constraint:
    when, requires, excludes = (
        {c.path: c.allowed for c in of} for of in (doc.when, doc.requires, doc.excludes)
    )
    return Constraint(
        when=when, requires=requires, excludes=excludes, reason=doc.reason, source=doc.source
    )


def _in_order(problems: Sequence[Problem]) -> list[Problem]:
    """Problems by file and position, each once."""
    return sorted(dict.fromkeys(problems), key=lambda p: (p.path, p.line, p.col))
