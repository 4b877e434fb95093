"""The Python interface: ``import quadrille_core as q``.

Every function runs the command of its name, from the core or from a feature, and returns its result
as an object.  So values, defaults, checks and errors are those of the command line; nothing is
computed here.  Errors are ``QuadrilleError`` with the codes of ``docs/errors.md``.
"""

import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from numbers import Number
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any, Final

import click

from quadrille_core import features
from quadrille_core.cli.capture import Capture, Progress, capturing
from quadrille_core.cli.internal import typed
from quadrille_core.cli.main import cli
from quadrille_core.errors import (
    Command,
    Option,
    Problem,
    QuadrilleError,
    UnwrittenError,
    UsageError,
)
from quadrille_core.files import command as files_of_command
from quadrille_core.report.blocks import Text, print_blocks
from quadrille_core.report.html import blocks_html

NOT_HERE: Final = frozenset({"format", "study", "resume", "block"})
"""Options of the command line alone."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Result:
    """What a command came to: printed as a table, given as data, or shown in a notebook."""

    command: str
    """The command, such as ``compare``."""
    _taken: Capture = field(repr=False)

    def to_dict(self) -> Any:
        """The data that the command prints with ``--format json``: dicts, lists, texts, numbers; a
        copy."""
        return json.loads(json.dumps(self._taken.data))

    @property
    def rows(self) -> tuple[Mapping[str, Any], ...]:
        """What the command prints with ``--format csv``, a mapping for each row; None where a cell
        is empty."""
        return tuple(
            MappingProxyType(dict(zip(self.columns, row, strict=True))) for row in self._filled()
        )

    def _filled(self) -> list[list[object]]:
        return [[None if cell == "" else cell for cell in row] for row in self._taken.rows]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of ``rows``."""
        return self._taken.columns

    @property
    def answer(self) -> str:
        """What was found, in a sentence; of what is no study, the text that stands first when it is
        printed."""
        if self._taken.found:
            return self._taken.found[0]
        return next((b.text for b in self._taken.blocks if isinstance(b, Text)), "")

    def to_pandas(self) -> Any:
        """``rows`` as a ``pandas.DataFrame``; raises UsageError where pandas is not installed.

        A column of integers or booleans with missing values has pandas' nullable type, ``Int64`` or
        ``boolean``.
        """
        pandas, cells = (
            _wanted("pandas"),
            list(zip(*self._filled(), strict=True)) or [()] * len(self.columns),
        )
        columns = dict(zip(self.columns, cells, strict=True))
        return pandas.DataFrame(
            {name: pandas.Series(some, dtype=_nullable(some)) for name, some in columns.items()}
        )

    def to_polars(self) -> Any:
        """``rows`` as a ``polars.DataFrame``; raises UsageError where polars is not installed."""
        polars = _wanted("polars")
        return polars.DataFrame(
            self._filled(),
            schema=list(self.columns),
            orient="row",
            infer_schema_length=None,
            strict=False,
        )

    def __str__(self) -> str:
        """What the command prints, as it does where there is no terminal."""
        out = io.StringIO()
        print_blocks(self._taken.blocks, out)
        return out.getvalue().rstrip("\n")

    def __repr__(self) -> str:
        """The command and the first line of its answer."""
        return f"<{self.command}: {self.answer.partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        """The result for a notebook; with pictures where the ``report`` extra is installed."""
        return blocks_html(self._taken.blocks, self._pictures())

    def _pictures(self) -> Sequence[tuple[str, str]]:
        try:
            return self._taken.draw()
        except UsageError:  # without the extra, the numbers are enough
            return ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class RuleSet(Result):
    """The resolved rules of a profile, each with its source; made by ``load``."""

    reference: str
    """``PROFILE[@WITNESS][+PLUGIN…]``, as it was named."""
    _settings: tuple[tuple[str, Any], ...] = ()
    _readings: tuple[tuple[str, str], ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The rules set by hand."""
        return MappingProxyType(dict(self._settings))

    @property
    def readings(self) -> Mapping[str, str]:
        """The readings chosen by hand."""
        return MappingProxyType(dict(self._readings))

    @property
    def title(self) -> str:
        """The title of the profile."""
        return str(self._taken.data["title"])

    @property
    def digest(self) -> str:
        """The SHA-256 that names these rules; it does not depend on titles, witnesses or
        citations."""
        return str(self._taken.data["rules"]["digest"])

    @property
    def rules(self) -> Mapping[str, Any]:
        """Every rule's value, by its path, such as ``stakes.unit``."""
        return MappingProxyType(
            {path: leaf["value"] for path, leaf in self.to_dict()["leaves"].items()}
        )

    @property
    def sources(self) -> Mapping[str, str]:
        """Where every rule's value comes from, by the rule's path."""
        return MappingProxyType(
            {path: leaf["source"] for path, leaf in self._taken.data["leaves"].items()}
        )

    @property
    def points(self) -> Mapping[str, str]:
        """The reading in use at each disputed point."""
        return MappingProxyType(
            {name: point["reading"] for name, point in self._taken.data["points"].items()}
        )

    def explain(self, path: str) -> Result:
        """Where the value of the rule at ``path`` comes from, link by link; raises ProfileError for
        no rule."""
        return run("explain", self, path)

    def diff(self, other: "RuleSet | str | PathLike[str]", *, all: bool = False) -> Result:
        """The rules in which ``other`` differs, each side with its source; raises UsageError for
        another game.

        Shown as a table, a bid that only one side has takes one line, unless ``all`` is true;
        ``rows`` has every rule.
        """
        return diff(self, other, all=all)

    def __eq__(self, other: object) -> bool:
        """Whether the rules are the same, by their digest."""
        return self.digest == other.digest if isinstance(other, RuleSet) else NotImplemented

    def __hash__(self) -> int:
        """The hash of the digest."""
        return hash(self.digest)

    def __repr__(self) -> str:
        """The reference and the digest, cut to twelve digits."""
        return f"<RuleSet {self.reference}#{self.digest[:12]}>"


def load(
    ref: str | PathLike[str],
    *,
    set: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
) -> RuleSet:
    """The rules of ``PROFILE[@WITNESS][+PLUGIN…]``, a shipped profile or the path of a file.

    ``set`` maps paths of rules to values, ``readings`` disputed points to readings.  Raises
    ProfileError with every fault found (``problems``), UnreadableError for a file that cannot be
    read.
    """
    chosen: tuple[object, ...] = (set or {}, readings or {})
    for given in chosen:
        if not isinstance(given, Mapping):
            raise UsageError.of("settings-no-mapping", name=type(given).__name__)
    found = RuleSet(
        command="show",
        _taken=Capture(),
        reference=_word("load", ref, "a name or a path"),
        _settings=tuple((set or {}).items()),
        _readings=tuple((readings or {}).items()),
    )
    object.__setattr__(found, "_taken", _captured("show", _line("show", [found], {}), None))
    return found


def list_(what: str = "profiles", *names: str, facts: bool = False) -> Result:
    """The shipped ``profiles``, the installed ``plugins``, or what the ``witnesses`` say of
    questions and facts."""
    return run("list", what, *names, facts=facts)


def settle(
    result: Mapping[str, Any] | str | PathLike[str], *, rules: RuleSet | str | None = None
) -> Result:
    """Every payment that a deal's result causes, with its reason.

    ``result`` is a mapping with the keys of the settle input (docs/commands.md), or the path of a
    file that holds them.  With ``rules``, that rule set takes the place of the one named there.
    Raises ResultError for an impossible result, with every fault.
    """
    rules = rules if rules is None or isinstance(rules, RuleSet) else load(rules)
    if isinstance(result, Mapping):
        data = dict(result)
        if rules is not None:
            data |= {"rules": rules.reference, "readings": dict(rules.readings)}
        text: str | None = _json(data, 1)
        where = "-"
    elif rules is not None:
        raise UsageError.of("rules-beside-file")
    else:
        text, where = None, _word("settle", result, "a mapping or a path")
    line = [*_set_by_hand({} if rules is None else rules.settings), "--", where]
    return Result(command="settle", _taken=_captured("settle", line, None, text))


def deal(
    *refs: "RuleSet | str | PathLike[str]",
    seed: int | None = None,
    players: str | Sequence[str] | None = None,
    **options: Any,
) -> Result:
    """A deal played by bots: hands, auction, tricks and payments; ``to_dict()`` is a record.

    ``replay=FILE`` plays that of a file again, ``solve=True`` solves it, and ``out=FOLDER`` writes
    many.  ``seed`` and ``players`` have the command's defaults; ``help(q.deal)`` lists the other
    ``options``.
    """
    return run("deal", *refs, seed=seed, players=_joined(players), **options)


def compare(
    *refs: "RuleSet | str | PathLike[str]",
    deals: int | None = None,
    seed: int | None = None,
    players: str | Sequence[str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """The same deals under each rule set: what differs, how often, and who pays.

    ``options`` are the command's (``engine="readable"``, ``workers=1``), which ``help(q.compare)``
    lists.
    """
    return run(
        "compare",
        *refs,
        deals=deals,
        seed=seed,
        players=_joined(players),
        progress=progress,
        **options,
    )


def matters(
    ref: "RuleSet | str | PathLike[str]",
    other: "RuleSet | str | PathLike[str] | None" = None,
    *,
    deals: int | None = None,
    seed: int | None = None,
    players: str | Sequence[str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Whether it makes a difference how the disputed point ``other`` is read, or which of two rule
    sets is played.

    Without ``other`` pass ``all=True`` for every open point.  ``help(q.matters)`` lists the
    ``options``.
    """
    named = (ref,) if other is None else (ref, other)
    return run(
        "matters",
        *named,
        deals=deals,
        seed=seed,
        players=_joined(players),
        progress=progress,
        **options,
    )


def diff(
    ref: RuleSet | str | PathLike[str], other: RuleSet | str | PathLike[str], *, all: bool = False
) -> Result:
    """The rules in which ``other`` differs from ``ref``, as ``RuleSet.diff`` gives them."""
    return run("diff", ref, other, all=all)


def explain(*words: "RuleSet | str | PathLike[str]") -> Result:
    """What a rule, a disputed point, a bid or a word of the game is; after a rule set, as it is in
    that.

    Raises UsageError for words that name nothing; of words that name several things, the list is
    returned.
    """
    return run("explain", *words)


def run(command: str, *arguments: Any, progress: Progress | None = None, **options: Any) -> Result:
    """The result of any command: its arguments, and its options with underscores, which
    ``help=True`` prints.

    A list or tuple repeats an option, True sets a flag, None and False leave it out.  Rule sets
    made by ``load`` bring their readings and settings with them.  Raises UsageError for an option
    there is not, FeatureError (Q508) where the feature that brings the command is not installed,
    and whatever the command does.
    """
    named: object = command
    if not isinstance(named, str):
        raise UsageError.of("no-name-of-command", name=type(named).__name__)
    found = Result(
        command=command, _taken=_captured(command, _line(command, arguments, options), progress)
    )
    if command == "matters" and isinstance(data := found._taken.data, dict) and "hits" in data:
        points = [
            hit["id"]
            for hit in (*data["hits"], *(p for more in data["also"] for p in more["points"]))
        ]
        raise UsageError.of("names-no-one-point", words=data["words"], points=", ".join(points))
    return found


def _line(command: str, arguments: Sequence[Any], options: Mapping[str, Any]) -> Iterator[str]:
    """The words of a command line."""
    for name, value in options.items():
        option = name.rstrip("_").replace("_", "-")
        if option in NOT_HERE:
            raise UsageError.of("for-a-shell", _takes(command), option=Option(option))
        values = value if isinstance(value, (list, tuple)) else [value]
        for one in values:
            if one is True:
                yield f"--{option}"
            elif one is not None and one is not False:
                yield f"--{option}={_typed(one, name)}"
    takes = "a name, a path or a rule set"
    named = [a.reference if isinstance(a, RuleSet) else _word(command, a, takes) for a in arguments]
    for number, one in enumerate(arguments, 1):
        if isinstance(one, RuleSet):
            yield from _set_by_hand(one.settings, f"{number}:")
            chosen = one.readings.items()
            yield from (
                f"--reading={number}:{_typed(point)}={_typed(reading)}" for point, reading in chosen
            )
    yield from ("--", *named)


def _word(command: str, value: object, takes: str) -> str:
    """A name or path as it is typed; raises UsageError for any other value."""
    if isinstance(value, (str, PathLike)):
        return str(fspath(value))
    names = "help(q.settle) shows a result" if command == "settle" else "q.list() lists the names"
    how = (
        "write it to a file with json.dump, and pass the path"
        if isinstance(value, Mapping)
        else names
    )
    raise UsageError(
        f"{command} takes {takes}, not a value of type {type(value).__name__}", help=how
    )


def _typed(value: object, name: str = "") -> str:
    """An option's value as it is typed; raises UsageError for what is neither a text, a number nor
    a path."""
    if isinstance(value, (str, Number, PathLike)):
        with suppress(ValueError):  # a number of more digits than Python writes
            return str(fspath(value) if isinstance(value, PathLike) else value)
    such = ""
    if name and isinstance(value, Mapping) and value:
        path, one = (str(part)[:40] for part in next(iter(value.items())))
        such = f', such as {name}="{path}={one}"'
    raise UsageError.of("no-value-option-may", name=type(value).__name__, such=such)


def _joined(players: str | Sequence[str] | None) -> str | None:
    """The bots as ``--players`` takes them; raises UsageError for what are no names."""
    if players is None or isinstance(players, str):
        return players
    if not isinstance(players, Sequence) or not all(isinstance(one, str) for one in players):
        raise UsageError.of("players-no-names")
    return ",".join(players)


def _set_by_hand(settings: Mapping[str, Any], which: str = "") -> Iterator[str]:
    """The options that set these rules; JSON is YAML, so every value is read back as it is."""
    return (f"--set={which}{_typed(path)}={_json(value)}" for path, value in settings.items())


def _json(value: object, indent: int | None = None) -> str:
    """The value as JSON; raises UsageError for what has none, as a mapping within itself."""
    try:
        return json.dumps(value, default=_plain, indent=indent)
    except (TypeError, ValueError, RecursionError) as e:
        raise UsageError.of("no-plain-data", e=features.brief(e)) from None


def _plain(value: object) -> Any:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise UsageError.of("no-value-rule-or-result", name=type(value).__name__)


def _captured(
    name: str, line: Iterable[str], progress: Progress | None, text: str | None = None
) -> Capture:
    """What the command comes to, nothing where it prints text of its own; ``text`` is its standard
    input."""
    try:
        with capturing(progress, text) as capture, files_of_command() as files:
            token = typed.set((name, *(words := [*line])))
            try:
                _invoke(name, words)
            finally:
                typed.reset(token)
            if files.unwritten:
                raise UnwrittenError(files.unwritten)
    except QuadrilleError as e:
        for _, python in features.ask("quadrille_python"):
            python.reword(e, name)
        raise
    return capture


def _invoke(name: str, line: Sequence[str]) -> None:
    with click.Context(cli) as parent:
        if (found := cli.get_command(parent, name)) is None:
            raise features.missing(name)
        if isinstance(found, click.Group) and (at := line.index("--")) + 1 < len(
            line
        ):  # its command comes first
            line = [line[at + 1], *line[:at], "--", *line[at + 2 :]]
        _refuse_misused(found, line)
        try:
            with found.make_context(name, list(line), parent=parent) as context:
                found.invoke(context)
        except click.exceptions.Exit:
            return
        except click.ClickException as e:
            raise UsageError(_misused(e, name)) from None


def _takes(command: str) -> Command:
    """What shows the arguments and options that a command takes."""
    return Command(command, options=(Option("help"),))


def _misused(error: click.ClickException, command: str) -> Problem:
    """What click says of a line, as a record where it is of an option."""
    if isinstance(error, click.NoSuchOption):
        return Problem(
            "Q802",
            "no-such-option",
            {"option": error.option_name.lstrip("-")},
            hint=_takes(command),
        )
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Option):
        data = {"option": Option(error.param.opts[0].removeprefix("--")), "reason": error.message}
        variant = "missing-option" if isinstance(error, click.MissingParameter) else "invalid-value"
        return Problem("Q802", variant, data, hint=_takes(command))
    return Problem.text("Q802", error.format_message(), help=_takes(command))


def _refuse_misused(command: click.Command, line: Sequence[str]) -> None:
    """Raise UsageError for several values, or for True, where an option takes one value; click
    would take any."""
    words = line[: line.index("--")]
    given = [word.partition("=")[0] for word in words]
    for option in (one for one in command.params if isinstance(one, click.Option)):
        without = not option.is_flag and not {*option.opts}.isdisjoint(words)
        if without or (not option.multiple and sum(given.count(o) for o in option.opts) > 1):
            data = {"option": Option(option.opts[0].removeprefix("--"))}
            raise UsageError(Problem("Q802", "one-value", data, hint=_takes(command.name or "")))


def _nullable(cells: Sequence[object]) -> str | None:
    """pandas' type for integers or booleans of which some are missing; None lets pandas infer
    one."""
    kinds = {type(cell) for cell in cells}
    return {frozenset({int, type(None)}): "Int64", frozenset({bool, type(None)}): "boolean"}.get(
        frozenset(kinds)
    )


def _wanted(package: str) -> Any:
    """The package; raises UsageError where it is not installed."""
    try:
        return import_module(package)
    except ModuleNotFoundError:
        raise UsageError.of(
            "package-not-installed", package=package, executable=sys.executable
        ) from None
