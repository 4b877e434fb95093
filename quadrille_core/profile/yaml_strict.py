"""YAML read strictly, into values that know where they stand.

libyaml supplies events, through PyYAML; what they mean is decided here, without recursion and
without its constructors, so that no file can make an object, a date or a stack overflow.
"""

import os
import re
import stat
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any, Final

from quadrille_core.errors import (
    DidYouMean,
    Edit,
    Hint,
    Place,
    Problem,
    ProfileError,
    Replace,
    UnreadableError,
)
from quadrille_core.frozen import frozen
from quadrille_core.harmless import INVISIBLE
from quadrille_core.profile.located import Located, LocatedList, LocatedMap, Mark, Node, SourceText
from quadrille_core.profile.scalars import MAX_DIGITS, RefusedScalarError, resolve_plain
from quadrille_core.profile.syntax import syntax_problem
from quadrille_core.profile.words import in_digits
from quadrille_core.resources import note_read

MAX_BYTES: Final = 256 * 1024
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 24
MAX_PROBLEMS: Final = 100
MAX_BAD_CHARACTERS: Final = 10

# Everything but tab, line breaks and printable text.  The line breaks of YAML 1.1 (NEL, LS, PS) are
# among the refused, since readers of YAML count lines by them differently; so are marks that turn
# the direction of writing and characters without width, which make a line look other than it is.
_BAD: Final = re.compile(
    f"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufffe\\uffff{INVISIBLE}]"
)


@frozen
class Limits:
    """How large a file may be before it is refused unread."""

    bytes: int = MAX_BYTES
    nodes: int = MAX_NODES
    depth: int = MAX_DEPTH
    digits: int = MAX_DIGITS


PROFILE_LIMITS: Final = Limits()
RECORD_LIMITS: Final = Limits(digits=60)
"""For the record of a deal, whose seed may fill 64 bits."""


class FaultyTreeError(ProfileError):
    """Errors of the YAML alone; ``tree`` holds the rest, for further checks.

    Nothing stands where a value was refused, and a refused key is left out.  ``tree`` is None when
    reading had to stop.
    """

    def __init__(self, problems: list[Problem], tree: "Node | None") -> None:
        super().__init__(problems)
        self.tree = tree


def load_file(path: str | os.PathLike[str], *, limits: Limits = PROFILE_LIMITS) -> Node:
    """The tree of a YAML file.

    Raises UnreadableError when there is no such text to read, ProfileError with every fault of the
    YAML.
    """
    return load_text(read_bytes(path, max_bytes=limits.bytes), os.fspath(path), limits=limits)


def load_text(text: str | bytes, name: str, *, limits: Limits = PROFILE_LIMITS) -> Node:
    """The tree of a YAML text, which messages call by ``name``; raises as ``load_file`` does."""
    source = SourceText(name, decoded(text, name, limits.bytes))
    _refuse_bad_characters(source)
    import yaml

    builder = _Builder(source, limits)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # which has no libyaml, and is as strict
    try:
        return builder.build(_events(loader(source.text)))
    except (yaml.YAMLError, ValueError, OverflowError) as e:
        raise ProfileError([*builder.problems, syntax_problem(e, source)]) from None


def _events(loader: Any) -> Iterator[Any]:
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


# --- bytes and characters --------------------------------------------------------------------


def read_bytes(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file; raises UnreadableError for anything else, and never waits for
    one.

    The kind of file is looked at before it is opened: opening a pipe may wait for ever, and a
    device has no end.
    """
    name = os.fspath(path)
    try:
        _refuse_irregular(name, os.stat(name))
        note_read(name)
        handle = os.open(
            name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(handle, "rb") as file:
            _refuse_irregular(name, os.fstat(file.fileno()))
            data = file.read(max_bytes + 1)
    except OSError as e:
        known = {FileNotFoundError: "no-such-file", PermissionError: "not-permitted"}
        reason = {"reason": e.strerror or type(e).__name__}
        problem = Problem(
            "Q101", known.get(type(e), "unreadable"), reason, Place(name), _near(name)
        )
        raise UnreadableError(problem) from None
    except ValueError:
        raise UnreadableError.of("no-file-name", place=name) from None
    if len(data) > max_bytes:
        raise _too_large(name, max_bytes)
    return data


def _refuse_irregular(name: str, status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    variant = "directory" if stat.S_ISDIR(status.st_mode) else "device"
    raise UnreadableError.of(variant, place=name)


def _near(name: str) -> DidYouMean | None:
    """A hint at the file of its kind beside it that was meant, by another suffix or by a name
    nearly the same."""
    path, suffixes = Path(name), (".json",) if name.endswith(".json") else (".yaml", ".yml")
    try:
        beside = (p for p in path.parent.iterdir() if p.suffix in suffixes and p.is_file())
        known = {
            p.stem: p.name for p in sorted(islice(beside, 1000))
        }  # a hint is not worth a large folder
    except OSError:
        return None
    near = get_close_matches(path.stem, known, n=1, cutoff=0.75)
    return DidYouMean(name, (str(path.with_name(known[near[0]])),)) if near else None


def _too_large(name: str, max_bytes: int) -> UnreadableError:
    return UnreadableError.of("too-large", place=name, most=max_bytes // 1024)


def decoded(text: str | bytes, name: str, max_bytes: int = MAX_BYTES) -> str:
    """What bytes say as UTF-8; raises UnreadableError where they are none, or too many."""
    if len(text) > max_bytes:
        raise _too_large(name, max_bytes)
    if isinstance(text, bytes):
        try:
            return text.decode("utf-8-sig")
        except UnicodeDecodeError as e:
            raise _not_utf8(text, name, e.start) from None
    if len(text.encode("utf-8", "surrogatepass")) > max_bytes:
        raise _too_large(name, max_bytes)
    return text.removeprefix("\ufeff")


def _not_utf8(data: bytes, name: str, start: int) -> UnreadableError:
    variant = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "not-utf-8"
    body = data.removeprefix(b"\xef\xbb\xbf")
    start -= len(data) - len(body)
    # What goes before the offending byte is good UTF-8, so its characters can be counted.
    before = SourceText(name, body.decode("utf-8", "replace")).place_of(
        len(body[:start].decode("utf-8"))
    )
    return UnreadableError.of(variant, place=before, byte=body[start])


def _refuse_bad_characters(source: SourceText) -> None:
    problems: list[Problem] = []
    found = 0
    for match in _BAD.finditer(source.text):
        found += 1
        if found <= MAX_BAD_CHARACTERS:
            char = {"char": _name(match.group())}
            problems.append(Problem("Q114", "character", char, source.place_of(match.start())))
    if found > MAX_BAD_CHARACTERS:
        more = {"number": found - MAX_BAD_CHARACTERS}
        problems.append(Problem("Q114", "more-characters", more, Place(source.name)))
    if problems:
        raise ProfileError(problems)


def _name(char: str) -> str:
    name = unicodedata.name(char, "")
    return f"U+{ord(char):04X}" + (f" ({name.lower()})" if name else "")


# --- events → tree ---------------------------------------------------------------------------


NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_BEFORE_COMMA: Final = re.compile(r"(?<![\w.,/-])(-?[0-9]+),$")


class _Stop(Exception):  # noqa: N818 - a signal, not an error
    """Reading cannot go on: too deep, too large, or too many errors."""


class _Frame:
    """A collection being filled."""

    __slots__ = ("flow", "key", "key_mark", "node", "wants_key")

    def __init__(self, node: LocatedMap | LocatedList, flow: bool) -> None:
        self.node = node
        self.flow = flow
        """Whether it is written in brackets or braces."""
        self.wants_key = isinstance(node, LocatedMap)
        self.key: str | None = None
        """The key whose value is awaited; None for one that was refused, whose value is dropped."""
        self.key_mark = node.mark


class _Builder:
    """Builds one tree from a stream of events, collecting all errors."""

    def __init__(self, source: SourceText, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self.problems: list[Problem] = []
        self._stack: list[_Frame] = []
        self._root: Node | None = None
        self._aliases: set[str] = set()
        self._nodes = 0
        self._documents = 0

    def build(self, events: Iterator[Any]) -> Node:
        """The tree; raises ProfileError with all faults found, and lets the parser's own errors
        pass."""
        stopped = False
        try:
            for event in events:
                handle = _HANDLERS.get(type(event).__name__)
                if handle is not None:
                    handle(self, event)
        except _Stop:
            stopped = True
        if not self.problems and self._root is None:
            self._note("Q104", "empty", Mark(0, 0))
        if self.problems:
            raise FaultyTreeError(self.problems, None if stopped else self._root)
        assert self._root is not None  # noqa: S101 - no fault was found, so there is a tree
        return self._root

    def _note(
        self, code: str, variant: str, mark: Mark, hint: Hint | None = None, **data: Any
    ) -> None:
        self.problems.append(
            Problem(code, variant, data, self.source.place(mark.line, mark.col), hint)
        )
        if len(self.problems) >= MAX_PROBLEMS:
            place = Place(self.source.name)
            self.problems.append(Problem(code, "too-many-faults", {"most": MAX_PROBLEMS}, place))
            raise _Stop

    # Each handler takes the event of its name.

    def on_document(self, event: Any) -> None:
        """A document begins."""
        self._documents += 1
        mark = _mark(event)
        if event.tags:
            self._note("Q109", "directive", mark)
        if self._documents > 1:
            self._note("Q110", "second-document", mark)
            raise _Stop

    def on_alias(self, event: Any) -> None:
        """An alias: refused, and read as nothing."""
        mark = _mark(event)
        if event.anchor not in self._aliases:
            # Once for each name: whoever repeats a block a hundred times has made one mistake.
            self._aliases.add(event.anchor)
            self._note("Q108", "alias", mark, name=_clipped("*" + event.anchor))
        self._add(Located(None, self.source, mark), refused_key=True)

    def on_scalar(self, event: Any) -> None:
        """A scalar: a key or a value."""
        mark = _mark(event)
        plain = event.style in (None, "") and not self._properties(event, mark)
        frame = self._stack[-1] if self._stack else None
        if frame is not None and frame.wants_key:
            self._count(mark)
            self._set_key(frame, event.value, mark, plain=plain)
            return
        if plain and not event.value and frame is None:
            return  # `---` alone: as good as an empty file
        if event.style == '"':
            self._refuse_escaped(event.value, mark)
        self._add(
            Located(self._value(event.value, mark) if plain else event.value, self.source, mark)
        )

    def on_mapping(self, event: Any) -> None:
        """A mapping begins."""
        self._open(event, LocatedMap({}, self.source, _mark(event)))

    def on_sequence(self, event: Any) -> None:
        """A list begins."""
        self._open(event, LocatedList([], self.source, _mark(event)))

    def on_end(self, event: Any) -> None:
        """The innermost mapping or list ends."""
        del event
        self._stack.pop()

    def _open(self, event: Any, node: LocatedMap | LocatedList) -> None:
        if len(self._stack) >= self.limits.depth:
            self._note("Q106", "too-deep", node.mark, most=self.limits.depth)
            raise _Stop
        self._properties(event, node.mark)
        self._add(node)
        self._stack.append(_Frame(node, bool(event.flow_style)))

    def _count(self, mark: Mark) -> None:
        self._nodes += 1
        if self._nodes > self.limits.nodes:
            self._note(
                "Q115", "too-many-nodes", mark, most=f"{self.limits.nodes:,}".replace(",", " ")
            )
            raise _Stop

    def _add(self, node: Node, *, refused_key: bool = False) -> None:
        self._count(node.mark)
        if not self._stack:
            self._root = node
            return
        frame = self._stack[-1]
        if isinstance(frame.node, LocatedList):
            frame.node.items.append(node)
        elif frame.wants_key:
            if not refused_key:
                self._note("Q113", "no-scalar", node.mark, what=_a(node))
            frame.key, frame.wants_key = None, False
        else:
            if frame.key is not None:
                frame.node.entries[frame.key] = node
                frame.node.keys[frame.key] = frame.key_mark
            frame.wants_key = True

    def _properties(self, event: Any, mark: Mark) -> bool:
        """Refuse an anchor or a tag; says whether there was one."""
        if event.anchor is not None:
            self._note("Q108", "anchor", mark, name=_clipped("&" + event.anchor))
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!", 1)
            self._note("Q109", "tag", mark, tag=_clipped(tag))
        return event.anchor is not None or event.tag is not None

    def _set_key(self, frame: _Frame, text: str, mark: Mark, *, plain: bool) -> None:
        node = frame.node
        frame.key, frame.key_mark, frame.wants_key = None, mark, False
        if plain and (self._is_decimal(frame, text, mark) or not self._is_word(text, mark)):
            return
        if plain and text.strip(NO_BREAK) != text:
            self._note("Q114", "no-break-space", mark, Edit("no-break-spaces"))
            return
        self._refuse_escaped(text, mark)
        if isinstance(node, LocatedMap) and text in node.keys:
            first = node.keys[text].line
            one = Edit("keep-one") if first != mark.line else None
            is_block = isinstance(node.entries.get(text), LocatedMap) and first != mark.line
            hint = Edit("both-under-one", (_clipped(text),)) if is_block else one
            self._note("Q107", "key-twice", mark, hint, key=text, first=first)
            return
        frame.key = text

    def _is_decimal(self, frame: _Frame, text: str, mark: Mark) -> bool:
        """Whether a key in braces is what follows the comma of a decimal fraction; notes the
        fault."""
        before = self.source.lines[mark.line - 1][: mark.col - 1] if frame.flow else ""
        if not text.isdigit() or (whole := _BEFORE_COMMA.search(before)) is None:
            return False
        written = in_digits(f"{whole[1]},{text}")
        hint = Replace(written) if written else None
        place = Mark(mark.line, whole.start(1) + 1)
        self._note("Q116", "decimal-comma", place, hint, number=f"{whole[1]},{text}")
        return True

    def _is_word(self, text: str, mark: Mark) -> bool:
        """Whether a plain key is a word; notes the fault when it is something else to some
        reader."""
        quoted = _quoted(text)
        if text == "<<":
            self._note("Q108", "merge-key", mark)
            return False
        try:
            value = resolve_plain(text, self.limits.digits)
        except RefusedScalarError as e:
            if e.code == "Q111":
                self._note("Q111", f"key-{e.variant}", mark, quoted=quoted, **e.data)
            else:
                self._note("Q113", "no-word", mark, quoted=quoted, key=_clipped(text))
            return False
        if isinstance(value, str):
            return True
        self._note("Q113", "no-word" if text else "no-key", mark, quoted=quoted, key=_clipped(text))
        return False

    def _value(self, text: str, mark: Mark) -> str | int | bool | None:
        try:
            return resolve_plain(text, self.limits.digits)
        except RefusedScalarError as e:
            self._note(e.code, e.variant, mark, _instead(e, text), quoted=_quoted(text), **e.data)
            return None

    def _refuse_escaped(self, text: str, mark: Mark) -> None:
        # An escape can write what the file itself may not hold, and a terminal would obey it.
        bad = _BAD.search(text)
        if bad:
            self._note("Q114", "escape", mark, char=_name(bad.group()))


def _instead(refused: RefusedScalarError, text: str) -> Hint | None:
    """What is written instead of a refused scalar, if something is."""
    if refused.code == "Q112" or not refused.instead:
        return None
    return Replace(refused.instead, "or-quote", data={"quoted": _quoted(text)})


def _mark(event: Any) -> Mark:
    return Mark(event.start_mark.line + 1, event.start_mark.column + 1)


def _a(node: Node) -> str:
    return "a mapping" if isinstance(node, LocatedMap) else "a list"


def _quoted(text: str) -> str:
    """A plain scalar in quotes, cut when it is long."""
    return "'" + _clipped(text).replace("'", "''") + "'"


def _clipped(text: str, width: int = 30) -> str:
    """A text with blanks and line breaks collapsed, shortened when long."""
    text = " ".join(text[: width + 1].split())
    return text if len(text) <= width else text[: width - 1] + "…"


_HANDLERS: Final = {
    "DocumentStartEvent": _Builder.on_document,
    "AliasEvent": _Builder.on_alias,
    "ScalarEvent": _Builder.on_scalar,
    "MappingStartEvent": _Builder.on_mapping,
    "SequenceStartEvent": _Builder.on_sequence,
    "MappingEndEvent": _Builder.on_end,
    "SequenceEndEvent": _Builder.on_end,
}
