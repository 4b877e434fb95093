"""What is wrong, where, and how to mend it, as records; words are made of them last.

A ``Problem`` names its sentence by code and variant and carries what is put in.  A hint is a record
of what to do.  The sentences stand in ``messages.yaml``, and a ``Door`` makes them for one kind of
reader: the shell here, Python and the pages where they are.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final, Protocol

from quadrille_core.frozen import frozen
from quadrille_core.harmless import one_line


@frozen
class Place:
    """A position in a text file; line and column count from 1, and 0 means the file as a whole."""

    path: str
    line: int = 0
    col: int = 0
    text: str = ""

    def __str__(self) -> str:
        """``path:line:col``, or the path alone when the whole file is meant."""
        path = one_line(self.path)
        return f"{path}:{self.line}:{self.col}" if self.line else path


class PlaceAt(Protocol):
    """Returns the place of the value, or of the key, at a path of keys and indexes in a file."""

    def __call__(self, path: Sequence[str | int], *, key: bool = False) -> Place | None:
        """The place; None where there is no file."""


def nowhere(path: Sequence[str | int], *, key: bool = False) -> None:
    """A ``PlaceAt`` for data that come from no file: always None."""
    del path, key


# --- hints ------------------------------------------------------------------------------------


@frozen
class Replace:
    """``value`` instead of what stands at the place of the problem."""

    value: str
    how: str = "write"
    """The sentence, among ``hints`` of the catalogue."""
    data: Mapping[str, Any] = field(default_factory=dict, hash=False)


@frozen
class Edit:
    """A change of whole lines at the place of the problem: what, in which blocks, which lines."""

    how: str
    under: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@frozen
class Set:
    """Rules to set, each to a value as it is typed."""

    rules: tuple[tuple[str, str], ...]
    how: str = "set"
    instead: tuple[tuple[str, str], ...] = ()
    """Others that would do as well."""


@frozen
class DidYouMean:
    """Words that are near what was typed, or all that are known where none is and they are few."""

    word: str
    words: tuple[str, ...]
    known: tuple[str, ...] = ()
    what: str = "known"


@frozen
class Option:
    """An option of the command that was given; ``value`` as it is typed."""

    name: str
    value: str = ""


@frozen
class Key:
    """A key of a file with what stands there; where options are typed instead of a file, the option
    of that name."""

    name: str
    value: str = ""


@frozen
class Command:
    """A command of the program to run or to read."""

    name: str
    arguments: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    how: str = "command"


def command_of(line: str) -> Command:
    """A command as it is written in a line: its name, arguments and then options."""
    words = line.split(" ")
    at = next((n for n, word in enumerate(words) if n and word.startswith("--")), len(words))
    options = (o.partition(" ") for o in " ".join(words[at:]).split("--")[1:])
    made = tuple(Option(name, value.strip()) for name, _, value in options)
    return Command(words[0], tuple(words[1:at]), made)


Hint = Replace | Edit | Set | DidYouMean | Command | tuple[Edit, Edit]
"""What to do; a pair of edits is one or the other."""


# --- problems ---------------------------------------------------------------------------------


@frozen
class Problem:
    """One fault: a code (``docs/errors.md`` lists them), which of its sentences and what is put in,
    place and hint."""

    code: str
    variant: str
    data: Mapping[str, Any] = field(default_factory=dict, hash=False)
    place: Place | None = None
    hint: Hint | None = None
    door: "Door | None" = field(default=None, compare=False, repr=False)
    """Who puts it into words: the shell where none is named."""

    @property
    def message(self) -> str:
        """What is wrong, in a sentence."""
        return (self.door or SHELL).message(self)

    @property
    def help(self) -> str:
        """How to mend it: its hint, or else the help of its sentence; empty where there is none."""
        return (self.door or SHELL).help(self)

    @property
    def path(self) -> str:
        """The file it is in; empty where it is in none."""
        return self.place.path if self.place else ""

    @property
    def line(self) -> int:
        """The line of the file, from 1; 0 where it is in none."""
        return self.place.line if self.place else 0

    @property
    def col(self) -> int:
        """The column of the line, from 1; 0 where it is in none."""
        return self.place.col if self.place else 0

    def render(self) -> str:
        """The fault as a linter prints it: one head line, then the offending line and the help."""
        head = f"{self.place}: " if self.place else ""
        lines = [f"{head}{self.code} {one_line(self.message)}"]
        if self.place and self.place.line and self.place.text:
            shown, shift = _window(self.place.text, self.place.col)
            gutter = f"{self.place.line:>5} | "
            lines.append(gutter + shown)
            lines.append(" " * (len(gutter) - 2) + "| " + " " * (self.place.col - 1 - shift) + "^")
        if hint := self.help:
            lines.append(f"help: {one_line(hint)}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, object]:
        """The fault as JSON data: code, message, path, line, column, help."""
        return {
            key: getattr(self, key) for key in ("code", "message", "path", "line", "col", "help")
        }


def _window(text: str, col: int, width: int = 96) -> tuple[str, int]:
    """Cut a long line to a window around the column; returns the cut and how far it is shifted."""
    start = 0 if len(text) <= width else max(0, min(col - width // 2, len(text) - width))
    return "".join(c if c.isprintable() else " " for c in text[start : start + width]), start


# --- words ------------------------------------------------------------------------------------


@cache
def catalogue() -> Mapping[str, Mapping[str, Any]]:
    """The sentences: by code and variant, and by name below ``hints``."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = Path(__file__).with_name("messages.yaml").read_bytes()
    found: dict[str, Any] = yaml.load(text, loader)  # noqa: S506 - both loaders are safe
    return found


def code_of(variant: str, code: str) -> str:
    """That code, if it has such a sentence; else the one that has."""
    known = catalogue()
    if variant in known.get(code, ()):
        return code
    return next(one for one, found in known.items() if variant in found)


class Door(Formatter):
    """Puts problems and hints into words for one kind of reader: as it stands, for a shell.

    A sentence may name a command, an option or a key itself: ``{quadrille list}``, ``{--seed 2}``,
    ``{key vole=none}``.
    """

    kind = "shell"
    """The key of what a sentence has for these readers alone."""

    def message(self, problem: Problem) -> str:
        """The sentence of a problem."""
        return self.filled(_sentence(problem)["message"], problem.data)

    def help(self, problem: Problem) -> str:
        """What a problem's hint says, or else the help of its sentence, which may have the hint
        among its clauses; empty where there is none."""
        told = _sentence(problem).get("help", "")
        if problem.hint is not None and "{hint}" not in told:
            return self.hint(problem.hint)
        return self.clauses(told, {**problem.data, "hint": problem.hint})

    def clauses(self, help: str | Mapping[str, str] | list[str], data: Mapping[str, Any]) -> str:
        """A help, without those of its clauses that these readers cannot follow."""
        parts = help if isinstance(help, list) else [help]
        return "; ".join(filter(None, (self.clause(part, data) for part in parts)))

    def clause(self, template: str | Mapping[str, str], data: Mapping[str, Any]) -> str:
        """One clause of a help; empty where these readers cannot follow it."""
        return self.filled(template, data)

    def hint(self, hint: Hint | None) -> str:
        """What a hint says; empty for none, and for what these readers cannot do."""
        match hint:
            case None:
                return ""
            case tuple():
                return " or ".join(map(self.hint, hint))
            case Command():
                return self.clauses(catalogue()["hints"][hint.how], {"command": hint})
            case DidYouMean():
                return self._meant(hint)
            case Set():
                pairs = {
                    "rules": _pairs(hint.rules, " and "),
                    "instead": _pairs(hint.instead, ", or "),
                }
                return self.clauses(catalogue()["hints"][hint.how], pairs)
            case Replace():
                data = {"value": hint.value, **hint.data}
            case Edit():
                lines = [f"`{line}`" for line in hint.lines]
                data = {"under": _blocks(hint.under), "lines": lines}
        return self.clauses(catalogue()["hints"][hint.how], data)

    def _meant(self, hint: DidYouMean) -> str:
        listed = f"{hint.what}: {', '.join(hint.known)}" if hint.known else ""
        if not hint.words:
            return listed
        meant = self.filled(catalogue()["hints"]["meant"], {"words": " or ".join(hint.words)})
        return f"{meant} {listed}".strip()

    def command(self, command: Command) -> str:
        """A command as these readers run it; empty where they cannot."""
        words = ["quadrille", command.name, *map(_quoted, command.arguments)]
        options = [replace(o, value=_quoted(o.value)) if o.value else o for o in command.options]
        return " ".join([*words, *map(self.option, options)])

    def option(self, option: Option) -> str:
        """An option as these readers give it; empty where they cannot."""
        return f"--{option.name} {option.value}".rstrip()

    def key(self, key: Key) -> str:
        """A key with its value as these readers give it."""
        return f"{key.name}: {key.value}" if key.value else key.name

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What is put in: a command, option or key that the sentence itself names, or what the
        data have."""
        if field_name.startswith("key "):
            name, _, value = field_name.removeprefix("key ").partition("=")
            return Key(name, value), name
        if field_name.startswith("--"):
            name, _, value = field_name.removeprefix("--").partition(" ")
            return Option(name, value), name
        if field_name.startswith("quadrille "):
            command = command_of(field_name.removeprefix("quadrille "))
            return command, command.name
        return super().get_field(field_name, args, kwargs)

    def filled(self, template: "str | Mapping[str, str]", data: Mapping[str, Any]) -> str:
        """A template of the catalogue with its fields put in; of one by readers, theirs or the
        shell's."""
        words = (
            template if isinstance(template, str) else template.get(self.kind, template["shell"])
        )
        return self.vformat(words, (), data)

    def format_field(self, value: Any, spec: str) -> str:
        """What is put in.

        ``q`` quotes it, ``q40`` cut to 40 characters; ``p`` shows a path, ``in`` within which;
        ``or``, ``and`` and ``words`` join.
        """
        if spec:
            return self._by_spec(value, spec)
        match value:
            case Command():
                return self.command(value)
            case Option():
                return self.option(value)
            case Key():
                return self.key(value)
            case Problem():
                return self.message(value)
            case None | Replace() | Edit() | Set() | DidYouMean():
                return self.hint(value)
            case bool():
                return str(value).lower()
            case list() | tuple():
                return ", ".join(self.format_field(one, "") for one in value)
        return str(value)

    def _by_spec(self, value: Any, spec: str) -> str:
        match spec:
            case "in":
                return f" in {label(value)}" if value else ""
            case "words":
                return " ".join(self.format_field(one, "") for one in value)
            case "or" | "and":
                return f" {spec} ".join(self.format_field(one, "") for one in value)
            case "p":
                return label(value) or "the file"
            case "help":
                return self.help(value)
        return shown(value, int(spec[1:] or 60)) if spec[0] == "q" else format(value, spec)


def _sentence(problem: Problem) -> Mapping[str, Any]:
    """The message and, where it has one, the help of a problem."""
    found = catalogue()[code_of(problem.variant, problem.code)][problem.variant]
    has_help = isinstance(found, Mapping) and "message" in found
    return found if has_help else {"message": found}


def _pairs(rules: Sequence[tuple[str, str]], word: str) -> str:
    """Rules and values as they are set; those of a bid by their own name."""
    return word.join(f"{_in_its_bid(path)}: {value}" for path, value in rules)


def _in_its_bid(path: str) -> str:
    return path.split(".", 2)[2] if path.startswith("bids.") else path


def _blocks(blocks: Sequence[str]) -> str:
    return ", ".join(f"`{block}:`" for block in blocks)


def _quoted(word: str) -> str:
    """A word of a command line; what stands for one stays as it is."""
    stands_for_one = word == "…" or (word.rstrip("…").isupper() and " " not in word)
    return word if stands_for_one else shlex.quote(word)


SHELL: Final = Door()


# --- what is put in ---------------------------------------------------------------------------


def kind_of(value: object) -> str:
    """The kind of a plain value in words, as messages name it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, str):
        return "a text"
    return "a mapping" if isinstance(value, Mapping) else "a list"


def shown(value: object, width: int = 60) -> str:
    """A plain scalar as messages quote it, never longer than the width; collections by their kind
    alone."""
    if isinstance(value, (Mapping, list, tuple)):
        return kind_of(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    # Cut before quoting, so that a text of any length costs nothing.
    text = str(value) if isinstance(value, int) else repr(str(value)[:width])
    return text if len(text) <= width and len(str(value)) <= width else text[: width - 1] + "…"


def quoted(value: object, width: int = 60) -> str:
    """Whatever a plugin's code returned, as messages quote it; its kind where it cannot be
    written."""
    try:
        return repr(value)[:width]
    except (Exception, SystemExit):  # digits beyond the limit, or a stranger's code
        return f"a value of type {type(value).__name__}"[:width]


def label(path: Sequence[str | int], width: int = 60) -> str:
    """A path as messages name it (``bids.solo.rank``, ``plugins[0].after``), cut from the left when
    long."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + "".join(
                c if c.isprintable() else "?" for c in step[:width]
            )
    return text if len(text) <= width else "…" + text[1 - width :]
