"""The Python interface: ``import quadrille_core as q``.

Every function calls the command of its name, from the core or from a feature, and returns its
answer as an object.  So values, defaults, checks and errors are those of the command line;
nothing is computed here.  Errors are ``QuadrilleError`` with the codes of ``docs/errors.md``.
"""

import io
import json
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from html import escape
from importlib import import_module
from inspect import Parameter, Signature, cleandoc
from numbers import Number
from os import PathLike, fspath
from re import compile as _compile
from textwrap import fill
from types import MappingProxyType
from typing import Any, Final, Literal

import click

from quadrille_core import resources
from quadrille_core.diagnostics import Door
from quadrille_core.errors import (
    Command,
    Option,
    Problem,
    QuadrilleError,
    UnwrittenError,
    UsageError,
    did_you_mean,
)
from quadrille_core.features import brief
from quadrille_core.frozen import frozen
from quadrille_core.harmless import safe
from quadrille_plugins.shell import commands
from quadrille_plugins.shell.answer import IN_A_SHELL, Answer, Caller, Progress
from quadrille_plugins.shell.blocks import Block, Text, print_blocks
from quadrille_plugins.shell.files import command as files_of_command
from quadrille_plugins.shell.main import cli, former

FUNCTIONS: Final = {
    "show": "load",
    **{name: name for name in ("compare", "deal", "diff", "explain", "list", "matters", "settle")},
}
"""The functions, by the command that each calls."""
LISTS: Final = frozenset({"apparatus", "diff", "explain", "list", "show"})
"""Commands that are named to be read: their result is to be printed."""
NOT_HERE: Final = frozenset({"format", "study", "resume", "block"})
"""Options of the command line alone."""


@frozen
class Taken:
    """Every form of an answer, as it was when the command ended."""

    blocks: tuple[Block, ...] = ()
    data: Any = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    found: tuple[str, ...] = ()
    pictures: Any = tuple
    """Returns alternative text and SVG of each picture."""

    @classmethod
    def of(cls, answer: Answer) -> "Taken":
        """The forms of an answer, after which is done what is to be done then."""
        with answer.context.scope(cleanup=False), answer.around():
            columns, rows = answer.rows()
            taken = cls(
                tuple(answer.blocks()),
                answer.data(),
                tuple(columns),
                tuple(map(tuple, rows)),
                tuple(answer.found()),
                answer.pictures,
            )
            answer.after()
        return taken


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Result:
    """What a command came to: printed as a table, given as data, or shown in a notebook."""

    command: str
    """The command, such as ``compare``."""
    _taken: "Taken" = field(repr=False)

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
        """What was found: a line for each thing asked, as of each rule set beside the first.

        Where the command finds no sentence, the text that stands first when it is printed, and
        nothing where tables are printed alone, as of ``list``.
        """
        first = (b.text for b in self._taken.blocks if isinstance(b, Text))
        return "\n".join(self._taken.found) or next(first, "")

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
            found: Sequence[tuple[str, str]] = self._taken.pictures()
            return found
        except UsageError:  # without the extra, the numbers are enough
            return ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class RuleSet(Result):
    """The resolved rules of a profile, each with its source; made by ``load``."""

    reference: str
    """``PROFILE[@WITNESS][+PLUGIN…]``, as it was named."""
    _settings: tuple[tuple[str, Any], ...] = ()
    _readings: tuple[tuple[str, str], ...] = ()

    def _repr_html_(self) -> str:
        """Its rules for a notebook, to be scrolled in a box lower than a screen."""
        return f'<div style="max-height: 36em; overflow: auto">{Result._repr_html_(self)}</div>'

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


# --- the functions ------------------------------------------------------------------------------


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
    settings, chosen = set or {}, readings or {}
    both: tuple[object, ...] = (settings, chosen)
    for given in both:
        if not isinstance(given, Mapping):
            raise UsageError.of("settings-no-mapping", name=type(given).__name__)
    taken = _called("show", (ref,), lambda: _by_hand(settings, chosen))
    return RuleSet(
        command="show",
        _taken=taken,
        reference=str(fspath(ref)),
        _settings=tuple(settings.items()),
        _readings=tuple(chosen.items()),
    )


def list_(*arguments: Any, **options: Any) -> Result:
    """The shipped ``profiles``, the installed ``plugins``, or what the ``witnesses`` say of
    questions and facts."""
    return run("list", *arguments, **options)


def settle(
    result: Mapping[str, Any] | str | PathLike[str], *, rules: RuleSet | str | None = None
) -> Result:
    """Every payment that a deal's result causes, with its reason.

    ``result`` is a mapping with the keys of the settle input (docs/commands.md), or the path of a
    file that holds them.  With ``rules``, that rule set takes the place of the one named there.
    Raises ResultError for an impossible result, with every fault.
    """
    rules = rules if rules is None or isinstance(rules, RuleSet) else load(rules)
    if not isinstance(result, Mapping):
        if rules is not None:
            raise UsageError.of("rules-beside-file")
        return run("settle", result)
    data, settings = dict(result), dict[str, Any]()
    if rules is not None:
        data |= {"rules": rules.reference, "readings": dict(rules.readings)}
        settings.update(rules.settings)
    by_hand = partial(_by_hand, settings, {})
    taken = _called("settle", ("-",), by_hand, text=lambda: _json(data, 1))
    return Result(command="settle", _taken=taken)


def deal(*refs: Any, **options: Any) -> Result:
    """A deal played by bots: hands, auction, tricks and payments; ``to_dict()`` is a record.

    ``replay=FILE`` plays that of a file again, ``solve=True`` solves it, and ``out=FOLDER`` writes
    many.
    """
    return run("deal", *refs, **options)


def compare(*refs: Any, **options: Any) -> Result:
    """The same deals under each rule set: what differs, how often, and who pays."""
    return run("compare", *refs, **options)


def matters(*named: Any, **options: Any) -> Result:
    """Whether it makes a difference how a disputed point is read, or which of two rule sets is
    played.

    Without a point pass ``all=True`` for every open one.
    """
    return run("matters", *named, **options)


def means(table: str | PathLike[str], **options: Any) -> Result:
    """Means of a table of deals by contract or other columns, with intervals, and the differences
    from its first rule set; a row for each in ``rows``.

    ``table`` is what ``compare(…, table=FILE)`` wrote.  Amounts are in counters a deal.  Raises
    UsageError for a column that it has not, or another file.
    """
    return run("deal", means=table, **options)


def diff(*refs: Any, **options: Any) -> Result:
    """The rules in which the second rule set differs from the first, as ``RuleSet.diff`` gives
    them."""
    return run("diff", *refs, **options)


def explain(*words: Any, **options: Any) -> Result:
    """What a rule, a disputed point, a bid or a word of the game is; after a rule set, as it is in
    that.

    Raises UsageError for words that name nothing; of words that name several things, the list is
    returned.
    """
    return run("explain", *words, **options)


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
        raise UsageError.of("run-without-name", name=type(named).__name__)
    taken = _called(command, arguments, lambda: options, progress)
    if command == "matters" and isinstance(data := taken.data, dict) and "hits" in data:
        points = [
            hit["id"]
            for hit in (*data["hits"], *(p for more in data["also"] for p in more["points"]))
        ]
        raise UsageError.of("names-several-points", words=data["words"], points=", ".join(points))
    return Result(command=command, _taken=taken)


# --- calling a command --------------------------------------------------------------------------


def _called(
    name: str,
    arguments: Sequence[Any],
    options: Callable[[], Mapping[str, Any]],
    progress: Progress | None = None,
    text: Callable[[], str] | None = None,
) -> Taken:
    """What the command comes to, nothing where it prints text of its own; ``text`` is its standard
    input."""
    try:
        words = tuple(_word(name, one) for one in arguments)
        given = _with_rules_by_hand(arguments, options())
        caller = Caller(Command(name, words), progress, text() if text is not None else None)
        with files_of_command() as files:
            with click.Context(cli, obj=caller) as context:
                if cli.get_command(context, name) is None:
                    if now := former(name):
                        raise UsageError.of("former-name", name=name, now=now)
                    raise commands.missing(name)
                taken = _invoked(context, (name, *words), given)
            if files.unwritten:
                raise UnwrittenError(files.unwritten)
    except click.exceptions.Exit:
        return Taken()
    except click.ClickException as e:
        raise spoken(UsageError(_misused(e, name)), name) from None
    except QuadrilleError as e:
        raise spoken(e, name) from None
    return taken


def spoken(error: QuadrilleError, name: str) -> QuadrilleError:
    """The error with its problems put into words for Python; one without a hint leads to what the
    command takes."""
    door, is_command = InPython(name), _command(name) is not None
    error.problems = tuple(
        replace(p, door=door, hint=p.hint if p.help or p.line or not is_command else _takes(name))
        for p in error.problems
    )
    error.args = ("\n".join(p.render() for p in error.problems),)
    return error


def _takes(name: str) -> Command:
    """What shows the arguments and options that a command takes."""
    return Command(name, options=(Option("help"),))


def _invoked(group: click.Context, words: tuple[str, ...], given: Mapping[str, Any]) -> Taken:
    """The answer of the command of a group that the first word names, or of one within it."""
    of: Any = group.command
    _, found, _ = of.resolve_command(group, [words[0]])
    with click.Context(found, parent=group, info_name=words[0]) as context:
        if isinstance(found, click.Group) and len(words) > 1:
            return _invoked(context, words[1:], given)
        values = {**_values(context, given), **_arguments(context, words[1:])}
        in_turn = sorted(
            found.get_params(context), key=lambda p: (not p.is_eager, p.name not in values)
        )
        for parameter in in_turn:
            parameter.handle_parse_result(context, values, [])
        unset = getattr(click.core, "UNSET", None)
        context.params = {n: None if v is unset else v for n, v in context.params.items()}
        if isinstance(found, click.Group):
            raise UsageError.of("no-command-within")
        answer = found.invoke(context)
        return Taken.of(answer) if isinstance(answer, Answer) else Taken()


def _values(context: click.Context, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options given, as texts, by the name of the parameter that takes them."""
    known = {
        option.removeprefix("--").replace("-", "_"): parameter
        for parameter in context.command.get_params(context)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    found = {}
    for name, value in given.items():
        option = name.rstrip("_")
        if option in NOT_HERE:
            raise _no_option("for-a-shell", Option(option), context)
        if (parameter := known.get(option)) is None:
            takes = _takes(context.obj.line.name)
            meant = did_you_mean(option, known.keys() - NOT_HERE)
            near = meant if meant and meant.words else None
            raise UsageError.of("no-such-option", takes, option=option, meant=near)
        if value is not None and value is not False:
            found[parameter.name or ""] = _value_of(parameter, value, context)
    return found


def _no_option(variant: str, option: object, context: click.Context) -> UsageError:
    return UsageError.of(variant, _takes(context.obj.line.name), option=option)


def _arguments(context: click.Context, words: tuple[str, ...]) -> dict[str, Any]:
    """The words by the arguments that take them."""
    found: dict[str, Any] = {}
    for argument in (p for p in context.command.params if isinstance(p, click.Argument)):
        if words:
            found[argument.name or ""] = words[0] if argument.nargs == 1 else words
        words = words[1:] if argument.nargs == 1 else ()
    if words and not context.allow_extra_args:
        raise UsageError.of("one-argument-too-many", word=words[0])
    context.args = list(words)
    return found


def _with_rules_by_hand(arguments: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options, with the readings and settings that the rule sets among the arguments bring."""
    found = dict(options)
    for number, one in enumerate(arguments, 1):
        if isinstance(one, RuleSet):
            for option, brought in _by_hand(one.settings, one.readings, f"{number}:").items():
                before = found.get(option) or []
                found[option] = [*([before] if isinstance(before, str) else before), *brought]
    return found


def _by_hand(
    settings: Mapping[str, Any], readings: Mapping[str, str], which: str = ""
) -> dict[str, list[str]]:
    """The options that set these rules and choose these readings; JSON is YAML, so every value is
    read back as it is."""
    found = {
        "set": [f"{which}{_text(path)}={_json(value)}" for path, value in settings.items()],
        "reading": [f"{which}{_text(p)}={_text(reading)}" for p, reading in readings.items()],
    }
    return {option: chosen for option, chosen in found.items() if chosen}


def _value_of(parameter: click.Parameter, value: Any, context: click.Context) -> Any:
    """An option's value as texts, or True; raises UsageError for several, or for True, where the
    option takes one value."""
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return True if value is True else _text(value)
    many = value if isinstance(value, (list, tuple)) else [value]
    texts = [_text(one, parameter.opts[0].strip("-")) for one in many if one is not True]
    if parameter.multiple or parameter.nargs != 1:
        return tuple(texts)
    if len(texts) > 1 and "," in (parameter.metavar or ""):
        return ",".join(texts)
    if len(texts) != 1 or len(many) != 1:
        raise _no_option("one-value", Option(parameter.opts[0].removeprefix("--")), context)
    return texts[0]


def _word(name: str, value: object) -> str:
    """A rule set, name or path as it is typed; raises UsageError for any other value."""
    if isinstance(value, RuleSet):
        return value.reference
    if isinstance(value, (str, PathLike)):
        return str(fspath(value))
    kind = type(value).__name__
    raise UsageError.of("no-name-path-or-rule-set", command=Command(name), kind=kind)


def _text(value: object, name: str = "") -> str:
    """An option's value as it is typed; raises UsageError for what is neither a text, a number nor
    a path."""
    if isinstance(value, (str, Number, PathLike)):
        with suppress(ValueError):  # a number of more digits than Python writes
            return str(fspath(value) if isinstance(value, PathLike) else value)
    such = ""
    if name and isinstance(value, Mapping) and value:
        path, one = (str(part)[:40] for part in next(iter(value.items())))
        such = f', such as {name}="{path}={one}"'
    raise UsageError.of("no-value-of-an-option", name=type(value).__name__, such=such)


def _json(value: object, indent: int | None = None) -> str:
    """The value as JSON; raises UsageError for what has none, as a mapping within itself."""
    try:
        return json.dumps(value, default=_plain, indent=indent)
    except (TypeError, ValueError, RecursionError) as e:
        raise UsageError.of("no-plain-data", e=brief(e)) from None


def _plain(value: object) -> Any:
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise UsageError.of("no-value-of-a-rule", name=type(value).__name__)


def _misused(error: click.ClickException, command: str) -> Problem:
    """What click says, as a record where it is of an option."""
    hint = _takes(command)
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Option):
        data = {"option": Option(error.param.opts[0].removeprefix("--")), "reason": error.message}
        variant = "missing-option" if isinstance(error, click.MissingParameter) else "invalid-value"
        return Problem("Q802", variant, data, hint=hint)
    return Problem("Q802", "own-words", {"words": error.format_message()}, hint=hint)


# --- words for Python ---------------------------------------------------------------------------


class InPython(Door):
    """Speaks of commands as calls, and of the options of one command as its arguments."""

    kind = "python"

    def __init__(self, command: str) -> None:
        self.name = command

    def command(self, command: Command) -> str:
        """The call that does what a command does; as it is typed in a shell, where there is
        none."""
        return call(command) or super().command(command)

    def option(self, option: Option) -> str:
        """The argument that an option is; a flag is set to True."""
        bare = option.name.replace("-", "_")
        if option.value:
            return f"{bare}={_quoted(option.value)}"
        return f"{bare}=True" if option.name in _flags(_command(self.name)) else bare


def call(line: Command) -> str:
    """A command as a call; empty for what is none, or is for a shell."""
    command = _command(line.name)
    if command is None or hasattr(command.callback, IN_A_SHELL):
        return ""
    function = FUNCTIONS.get(line.name)
    if line.options == (Option("help"),):
        return f"help(q.{function})" if function else f'q.run("{line.name}", help=True)'
    if not line.arguments and not line.options and any(p.required for p in command.params):
        return f"q.{function}" if function else f'q.run("{line.name}", …)'
    arguments, flags = [_quoted(word) for word in line.arguments], _flags(command)
    options = [
        f"{o.name.replace('-', '_')}={True if o.name in flags else _quoted(o.value)}"
        for o in line.options
        if o.name not in NOT_HERE
    ]
    if function == "load" and (len(arguments) > 1 or options):
        function = None
    given = ", ".join([*([] if function else [f'"{line.name}"']), *arguments, *options])
    made = f"q.{function or 'run'}({given})"
    return f"print({made})" if line.name in LISTS else made


def _command(name: str) -> click.Command | None:
    """The command of that name; None where there is none, or it cannot be loaded."""
    feature = commands.offers().get(name)
    try:
        return feature.command() if feature is not None and feature.is_command else None
    except QuadrilleError:
        return None


def _flags(command: click.Command | None) -> set[str]:
    """The options of a command that take no value."""
    found = command.params if command is not None else []
    flags = (p for p in found if isinstance(p, click.Option) and p.is_flag)
    return {option.removeprefix("--") for p in flags for option in p.opts}


def _quoted(word: str) -> str:
    """A word of a command line as Python writes it; what stands for a word stays as it is."""
    if word.isdigit() or _METAVAR.fullmatch(word):
        return word.removesuffix("…")
    if not word:
        return "…"
    bare = word.strip('"').replace('"', r"\"")
    return f'"{bare}"'


_METAVAR: Final = _compile(r"[A-Z][A-Z_]+…?")
_OPTION: Final = _compile(r"""(?<![\w'-])--([a-z][a-z-]*)""")

# --- help ---------------------------------------------------------------------------------------


def described(name: str) -> Any:
    """A name of this module; a function that calls a command has its parameters as its signature
    and in its docstring, where the command is there."""
    found: Any = globals()["list_" if name == "list" else name]
    if name == "settle":
        found.__doc__ = cleandoc(found.__doc__) + _RESULT
    command = _command(name) if name in FUNCTIONS.values() and name != "settle" else None
    if command is None:
        return found
    found.__name__ = name
    found.__signature__ = Signature([*_parameters(command)], return_annotation=Result)
    lines = [
        fill(
            f"{name}: {_OPTION.sub(lambda o: o[1].replace('-', '_'), option.help or '')}",
            88,
            initial_indent="  ",
            subsequent_indent="      ",
        )
        for name, option in _options(command)
    ]
    found.__doc__ = "\n".join(
        [f"{cleandoc(found.__doc__)}\n\nOptions (a list repeats one):", *lines]
    )
    return found


def _options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    """The options that Python takes, by the names of its arguments."""
    for option in command.params:
        name = option.opts[0].removeprefix("--").replace("-", "_")
        if isinstance(option, click.Option) and name not in NOT_HERE:
            yield name, option


def _parameters(command: click.Command) -> Iterator[Parameter]:
    """The parameters of a command as those of a function."""
    for argument in (p for p in command.params if isinstance(p, click.Argument)):
        many = argument.nargs != 1
        yield Parameter(
            argument.name or "",
            Parameter.VAR_POSITIONAL if many else Parameter.POSITIONAL_OR_KEYWORD,
            annotation=_type(argument, RuleSet | str | PathLike[str]),
            default=Parameter.empty if many or argument.required else _default(argument),
        )
    for name, option in _options(command):
        of = _type(option, str | float | Fraction | PathLike[str])
        default = _default(option)
        yield Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            annotation=of if default is not None else of | None,
            default=default,
        )
    yield Parameter("progress", Parameter.KEYWORD_ONLY, annotation=Progress | None, default=None)


def _default(parameter: click.Parameter) -> Any:
    return parameter.to_info_dict()["default"]


def _type(parameter: click.Parameter, text: Any) -> Any:
    """The type of a parameter's values; ``text`` is that of what is typed as it is."""
    kind, named = parameter.type, parameter.metavar or ""
    found: Any = text
    if isinstance(kind, click.Choice):
        found = Literal[tuple(kind.choices)]
    elif isinstance(kind, (click.types.BoolParamType, click.IntRange, click.FloatRange)):
        found = {"boolean": bool, "integer range": int, "float range": float}[kind.name]
    elif isinstance(parameter, click.Option) and kind is not click.STRING:
        found = str | PathLike[str]
    elif isinstance(parameter, click.Option) and (parameter.multiple or "," in named):
        found = str | Sequence[str]
    return found


_RESULT: Final = f"""

A result has these keys (docs/commands.md has all):

  q.settle({{
      "rules": "{resources.examples()[0]}",
      "players": ["A", "B", "C", "D"],     # the eldest hand first, the dealer last
      "pool": 12,                          # with this deal's antes in
      "contract": "solo",
      "trump": "hearts",
      "hombre": "A",
      "tricks": {{"A": 6, "B": 2, "D": 2}},
      "matadors": 3,                       # of the Hombre's side, from Spadille down
      "premiers": True,                    # the first six tricks
  }})"""


# --- data frames --------------------------------------------------------------------------------


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


# --- notebooks ---------------------------------------------------------------------------------

MOST_ROWS = 200
"""Rows of a table that a notebook shows."""


def blocks_html(blocks: Sequence[Block], pictures: Sequence[tuple[str, str]]) -> str:
    """The blocks, with pictures (alternative text and SVG) after the first."""
    parts = [_block_html(block) for block in blocks]
    # an image runs no script, and its ids are its own
    coded = ((alt, b64encode(svg.encode()).decode()) for alt, svg in pictures)
    drawn = [
        f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{svg}">' for alt, svg in coded
    ]
    return "<div>" + "\n".join([*parts[:1], *drawn, *parts[1:]]) + "</div>"


def _block_html(block: Block) -> str:
    if isinstance(block, Text):
        text = escape(safe(block.text))
        return (
            f'<p style="white-space: '
            f'pre-wrap">{f"<strong>{text}</strong>" if block.strong else text}</p>'
        )
    head = "".join(f'<th style="text-align: left">{escape(safe(c))}</th>' for c in block.columns)
    align = ["right" if c in block.right else "left" for c in block.columns]
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="text-align: {side}; white-space: pre-wrap">{escape(safe(cell))}</td>'
            for side, cell in zip(align, row, strict=True)
        )
        + "</tr>"
        for row in block.rows[:MOST_ROWS]
    )
    left = len(block.rows) - MOST_ROWS
    more = f"<p>{left} more rows are in to_dict() and to_pandas()</p>" if left > 0 else ""
    caption = f"<caption>{escape(safe(block.title))}</caption>" if block.title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
