"""The hooks by which a plugin changes rules, or brings a feature, and the records they answer with.

A plugin is a module or object with functions marked ``@hookimpl``, named in the entry-point group
``quadrille``.  Its hooks run only while a profile that names it is compiled.  Each returns a
sequence of records and changes nothing itself; the compiler applies, checks and remembers them.

======================  ==============================  =====================================
hook                    may return                      on rules below
======================  ==============================  =====================================
``quadrille_describe``  one ``About``                   (tells, changes nothing)
``quadrille_leaves``    ``OwnLeaf``                     (declares leaves below the plugin's name)
``quadrille_bids``      ``NewBid, TrumpsOnly,``         bids, auction, exchange, favourite,
                        ``Default, Patch``
                                                        vole, premiers, cards, deal, table
``quadrille_forcing``   ``Withhold, ThrowIn,``          forcing, play
                        ``ForcedBid,``
                        ``Default, Patch``
``quadrille_payments``  ``PaymentRow, Factor,``         payments, loss, stakes, vole,
                        ``Redirect, Cap, Incident,``    multiplier, score
                        ``OwnFact, Default, Patch``
======================  ==============================  =====================================

A kind of game may have further hooks (``GameKind.hooks``).  All but the first two may also return
``Constraint``, and set the leaves that the plugin itself declares.
Results of several plugins are applied in the order in which the profile names them, those that
describe themselves as ``late`` after the others; two plugins that set one path conflict unless the
later is declared ``after`` the earlier.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from importlib import import_module
from typing import Any, Final

import pluggy

from quadrille_core import PROJECT
from quadrille_core.cards import Card, Suit
from quadrille_core.errors import Problem
from quadrille_core.frozen import frozen, frozen_by_keyword
from quadrille_core.plugin_rules import AtLeast as AtLeast
from quadrille_core.plugin_rules import AtMost as AtMost
from quadrille_core.plugin_rules import Cap as Cap
from quadrille_core.plugin_rules import Factor as Factor
from quadrille_core.plugin_rules import ForcedBid as ForcedBid
from quadrille_core.plugin_rules import Incident as Incident
from quadrille_core.plugin_rules import OwnFact as OwnFact
from quadrille_core.plugin_rules import PaymentRow as PaymentRow
from quadrille_core.plugin_rules import Redirect as Redirect
from quadrille_core.plugin_rules import ThrowIn as ThrowIn
from quadrille_core.plugin_rules import TrumpsOnly as TrumpsOnly
from quadrille_core.rules import Bid, GameRules

hookspec: Final = pluggy.HookspecMarker(PROJECT)
hookimpl: Final = pluggy.HookimplMarker(PROJECT)


def later(path: str) -> Callable[..., Any]:
    """The function at ``module:name``, whose module is imported when it is first called."""

    def call(*given: Any, **named: Any) -> Any:
        return _at(path)(*given, **named)

    return call


def command_at(path: str) -> Callable[[], Any]:
    """What a feature's ``quadrille_command`` is: the command at ``module:name``, imported when it
    is asked for."""

    return hookimpl(lambda: _at(path))


def _at(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


DOMAINS: Final[Mapping[str, tuple[str, ...]]] = {
    "quadrille_bids": (
        "bids",
        "auction",
        "exchange",
        "favourite",
        "vole",
        "premiers",
        "cards",
        "deal",
        "table",
    ),
    "quadrille_forcing": ("forcing", "play"),
    "quadrille_payments": ("payments", "loss", "stakes", "vole", "multiplier", "score"),
}
"""The blocks of rules that each override hook may set, but for those of other kinds of game."""


@frozen_by_keyword
class Cited:
    """What stands in a source: its bibliography id, empty where there is none, the place in it, and
    how it speaks."""

    source: str = ""
    at: str = ""
    status: str = "attested"


@frozen_by_keyword
class Setting(Cited):
    """One rule and its value; ``also`` is a second source and the place in it, where two texts say
    the same."""

    path: str
    value: Any
    reason: str
    also: tuple[str, str] | None = None


@frozen_by_keyword
class Patch(Setting):
    """Set one rule to a value, overriding what the profile says."""


@frozen_by_keyword
class Default(Setting):
    """One rule's value where neither the profile nor what it extends says anything."""


@frozen_by_keyword
class OwnLeaf(Cited):
    """A leaf of the plugin's own, ``NAME.path``: its type, what it means, and its neutral value.

    ``type`` is ``integer``, ``amount`` or ``boolean``, or a tuple of the words that it may be.
    ``low`` and ``high`` bound a number.  ``source`` and ``at`` cite who has the neutral value;
    without them, it is a house rule.
    """

    path: str
    type: str | tuple[str, ...]
    doc: str
    neutral: Any
    low: int = 0
    high: int = 10_000


@frozen_by_keyword
class Justification:
    """What one leaf of a new bid rests on, where that is not what the bid as a whole rests on."""

    status: str
    reason: str
    source: str = ""
    at: str = ""


@frozen_by_keyword
class NewBid(Cited):
    """A whole new bid; leaves that the profile states itself take precedence over the record's.

    ``also`` maps leaves of the bid, such as ``trump_by``, to a second source and the place in it
    that say so too. ``justifications`` maps leaves that the bid's source does not say outright to
    what they rest on, neutral values too.
    """

    id: str
    bid: Bid
    reason: str
    also: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    justifications: Mapping[str, Justification] = field(default_factory=dict)
    measured: str = ""
    """The file beside the plugin's module that says what hands make at it, as
    ``quadrille new --measure`` writes it; players bid by it."""


@frozen_by_keyword
class Withhold(Cited):
    """A forcing rule as a pure function, which the compiler evaluates once for every case.

    ``decide(trump, after, card)`` says whether ``card`` (a trump in hand) may be withheld when
    ``after`` (the trump that forces: the one led, or the highest matador played, as
    ``forcing.forced_by`` says) stands on the table; None leaves the rule as it is.
    """

    decide: Callable[[Suit, Card, Card], bool | None]
    reason: str


@frozen_by_keyword
class Constraint:
    """Where every rule in ``when`` has its value, ``requires`` must hold and ``excludes`` must not.

    Each maps rule paths (``*`` for any bid) to a value, an ``AtLeast``, or a tuple of them.
    """

    when: Mapping[str, Any]
    reason: str
    source: str = ""
    requires: Mapping[str, Any] = field(default_factory=dict)
    excludes: Mapping[str, Any] = field(default_factory=dict)


@frozen_by_keyword
class Parameter:
    """A parameter that a profile may give a plugin (``with:``), always one of a few plain
    values."""

    doc: str
    default: Any
    choices: tuple[Any, ...]
    filled: Any = None
    """Where the default leaves it to the rules: the choice that it comes to when they say
    nothing."""


@frozen_by_keyword
class About:
    """What a plugin is, for ``quadrille list plugins`` and for checking its parameters."""

    title: str
    summary: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    late: bool = False
    """Whether it is asked after all the others of its profile, because it speaks of the bids they
    bring."""


Override = (
    Patch
    | Default
    | NewBid
    | Withhold
    | Constraint
    | TrumpsOnly
    | PaymentRow
    | Factor
    | Redirect
    | Cap
    | Incident
    | OwnFact
    | ThrowIn
    | ForcedBid
)


class Hooks:
    """The hook specifications."""

    @hookspec(firstresult=True)
    def quadrille_describe(self) -> About | None:
        """Describe the plugin and its parameters; called when plugins are listed or named."""

    @hookspec
    def quadrille_leaves(self) -> Sequence[OwnLeaf]:
        """Declare leaves of the plugin's own; called before the rules of the profile that names it
        are read."""
        return ()

    @hookspec
    def quadrille_bids(
        self, rules: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> Sequence[Override]:
        """Add or change bids.

        ``rules`` is a read-only map of rule paths to plain values as they stand before this plugin;
        ``parameters`` holds every parameter the plugin declares, defaults filled in.
        """
        return ()

    @hookspec
    def quadrille_forcing(
        self, rules: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> Sequence[Override]:
        """Change when trumps and matadors may be withheld; arguments as for ``quadrille_bids``."""
        return ()

    @hookspec
    def quadrille_payments(
        self, rules: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> Sequence[Override]:
        """Change payment tables, losses and stakes, add payments and incidents; called after the
        bids are complete."""
        return ()


# --- features -----------------------------------------------------------------------------------


@frozen_by_keyword
class GameKind:
    """A kind of game: its vocabulary of rules, and the code that plays it."""

    name: str
    """The word by which a profile says it is of this kind (``game:``)."""
    article: str
    """The kind in a sentence."""
    root: type
    """The dataclass at the root of its vocabulary."""
    ruleset: type[GameRules[Any]]
    """Its rules with their name."""
    contradictions: Callable[[Any], Iterable[Problem]] | None = None
    """The faults that only its complete rules show, of a ``merge.Merge``; None for those of a game
    of tricks."""
    hooks: type | None = None
    """Specifications of hooks by which a plugin changes its rules, with the arguments of
    ``quadrille_bids``."""
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The blocks that each of these hooks may set."""
    deal: Callable[..., Any] | None = None
    """Plays one game and gives its answer: ``(compiled, *, seed, game)``."""
    replay: Callable[..., Any] | None = None
    """Replays a record and gives the answer: ``(compiled, data, place)``."""
    record: str = "deal"
    """The word by which a record says it is of such a game."""
    compare: Callable[..., Any] | None = None
    """Plans to compare rule sets: ``(refs, compiled, **options)``, with the options of
    ``compare``."""
    won: Callable[..., Any] | None = None
    """``(rules, games, seed)``: the share of games won where it is exact, else None, and games won
    or lost by turns."""


@frozen_by_keyword
class FileKind:
    """A kind of file that users write or studies leave, with its JSON Schema."""

    name: str
    """Its name, as of ``schemas/NAME.schema.json``."""
    schema: Callable[[], dict[str, Any]] | None = None
    """Makes the schema; without it, the schema is what that file says."""
    patterns: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What to say of a text that does not match one of its patterns: what it is not, and how it is
    written."""
    faults: Callable[[Any], Iterable[Problem]] | None = None
    """What is wrong with a file of this kind beyond its shape, given the tree of located values;
    for ``check``."""


@frozen
class Mended:
    """What ``check --fix`` changes of a file."""

    diff: str = ""
    """As a unified diff; empty where nothing is changed."""
    lines: tuple[tuple[int, str], ...] = ()
    """The lines that are new, each with its number in the mended file."""


@frozen_by_keyword
class PlayerParameter:
    """A parameter that ``--players`` may give a player, as ``NAME:PARAMETER=VALUE``."""

    doc: str
    """What it does, in a sentence."""
    default: int | str
    choices: range | tuple[str, ...]
    """The whole numbers, or the words (without ``,``, ``:`` and ``=``), that it may be."""
    manner: str = ""
    """What it is about, as a sentence says that a finding depends on it:
    ``how boldly one bids``."""


@frozen_by_keyword
class Player:
    """A player that ``--players`` may name."""

    make: Callable[..., Any]
    """A new one: a ``deal.view.Bot``.  It is given every parameter declared, by its name."""
    parameters: Mapping[str, PlayerParameter] = field(default_factory=dict)
    """What may be said of how it plays, in the order in which it is written."""
    family: tuple[str, ...] = ()
    """Itself and others like it, as they are named: other ways to play, against which findings may
    be held."""
    begins_anew: bool = False
    """Whether each deal of its sessions begins as a session does: it loses most, and the pool would
    double for ever."""
    solves: bool = False
    """Whether it wants the solver, and so Numba."""
    ready: Callable[[], None] | None = None
    """To be called before it plays, if anything is to be loaded or compiled."""
    compiled: str | None = None
    """The module that holds its compiled functions, if the fast engine plays it (``kernel.slot``):
    one for all values of the parameters, which its ``policy_of`` is given by name."""


@frozen_by_keyword
class EvidenceKind:
    """A kind of evidence that ``discriminate`` checks rules against."""

    name: str
    doc: str
    """What such a piece is, in words."""
    keys: Mapping[str, Mapping[str, Any]]
    """The keys that a piece must have besides those of all pieces, each with the JSON Schema of its
    value."""
    ask: Callable[[GameRules[Any], Mapping[str, Any]], str]
    """``(rules, piece)``: how the rules contradict it, empty where they do not; raises a
    QuadrilleError where it cannot have happened under them."""


class Features:
    """The hooks by which a feature brings more than rules."""

    @hookspec
    def quadrille_command(self) -> Any:
        """The ``click.Command`` of the feature, under the name of its entry point."""

    @hookspec
    def quadrille_players(self) -> Mapping[str, Player]:
        """Players, by the names that ``--players`` takes."""
        return {}

    @hookspec
    def quadrille_kinds(self) -> Sequence[GameKind]:
        """Kinds of game."""
        return ()

    @hookspec
    def quadrille_files(self) -> Sequence[FileKind]:
        """Kinds of files."""
        return ()

    @hookspec
    def quadrille_evidence(self) -> Sequence[EvidenceKind]:
        """Kinds of evidence."""
        return ()

    @hookspec
    def quadrille_warnings(self, compiled: Any) -> Sequence[str]:
        """What ``check`` should warn of in a rule set that has no faults, each in a sentence."""
        return ()

    @hookspec
    def quadrille_notes(self, compiled: Any) -> Mapping[str, str]:
        """Rules of a rule set that cannot act, by path, and why not, as ``check`` and ``show``
        say."""
        return {}

    @hookspec(firstresult=True)
    def quadrille_fix(self) -> Callable[..., Mended] | None:
        """``(path, *, write)``: mends a profile where that is safe; returns the changes."""

    @hookspec
    def quadrille_laws(self) -> Callable[[Any], Any] | None:
        """``(compiled)``: the answer with the laws that the sources of a rule set print, as
        ``show --laws`` asks."""

    @hookspec(firstresult=True)
    def quadrille_review(self) -> Callable[..., Any] | None:
        """``(ruleset, setup, actions, seat)``: what each decision cost with all cards open
        (``dealing.review``)."""

    @hookspec
    def quadrille_finder(self) -> Any | None:
        """What finds points, rules, bids and words by id or title, for commands that take words.

        It has ``answer(command, words, compiled, fmt) -> status``,
        ``find_points(command, words, compiled, fmt)``, which is the id of a point or None where
        several were listed, ``find_anywhere(command, words, fmt) -> bool``, which lists points of
        all rule sets, and ``matching(words, compiled)``.
        """

    @hookspec
    def quadrille_compiled(self) -> Sequence[str]:
        """The modules whose compiled functions Python calls, by name: they are compiled with the
        fast engine."""
        return ()
