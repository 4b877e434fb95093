"""What the hint of an error proposes, done to the text as it is typed; every other byte stays.

A ``Replace`` puts its value where the error stands, a ``DidYouMean`` its first word where the wrong
one stands, and an ``Edit`` changes whole lines, as ``EDITS`` says by its name.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from quadrille_core.errors import DidYouMean, Edit, Problem, Replace

_SCALAR: Final = re.compile(
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^\s,\]}#](?:(?! #)[^,\]}\r\n])*(?<! )"
)
_PLAIN: Final = re.compile(r"[^\s#](?:(?! #)[^\r\n])*(?<! )")
"""A text without quotes outside brackets, where commas are part of it."""
_QUOTES: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_OPENING: Final = "\"'"
_BREAK: Final = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


def applied(text: str, problem: Problem) -> str | None:
    """The text with an error's hint applied; None where the hint proposes nothing to type."""
    place, hint = problem.place, problem.hint
    if place is None or not place.line:
        return None
    lines = [line for line in _BREAK.split(text) if line]
    at, col = place.line - 1, place.col - 1
    if at >= len(lines):
        return None
    made: Sequence[str] | None = None
    if isinstance(hint, Replace):
        made = _with_value(lines, at, col, hint.value)
    elif isinstance(hint, Edit) and hint.how in EDITS:
        made = EDITS[hint.how](lines, at, col, hint)
    elif isinstance(hint, DidYouMean) and hint.words:
        made = _with_word(lines, at, col, hint.word, hint.words[0])
    return None if made is None else "".join(made)


def _with_value(lines: list[str], at: int, col: int, new: str) -> list[str]:
    """The lines with a value, or a key with its value, instead of what stands at a column."""
    line = lines[at]
    decimal = _DECIMAL.match(line, col)  # whose comma ends a value elsewhere
    end = decimal.end() if decimal else _value_end(line, col)
    if new.endswith(":"):
        end = col + len(line[col:].rstrip())
    return [*lines[:at], line[:col] + new + line[end:], *lines[at + 1 :]]


def _with_word(lines: list[str], at: int, col: int, word: str, new: str) -> list[str] | None:
    """The lines with a word instead of another, where that stands in the line."""
    found = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    hit = found.search(lines[at], col) or found.search(lines[at])
    if hit is None:
        return None
    return [*lines[:at], lines[at][: hit.start()] + new + lines[at][hit.end() :], *lines[at + 1 :]]


# --- lines and what belongs to them ------------------------------------------------------------


def depth(line: str) -> int:
    """How many blanks begin a line."""
    return len(line) - len(line.lstrip(" "))


def end_of(lines: Sequence[str], at: int, indent: int, *, alike: bool = False) -> int:
    """The line after the last that belongs to the one at ``at``: deeper ones, and with ``alike``
    those beside it."""
    last = at + 1
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if not line.strip():
            continue
        if depth(line) < indent or (depth(line) == indent and not alike):
            break
        last = number + 1
    return last


def taken_out(lines: Sequence[str], at: int) -> tuple[list[str], list[str]]:
    """The lines without the one at ``at`` and what belongs to it, and those lines."""
    last = end_of(lines, at, depth(lines[at]))
    taken = [line if line.endswith(("\n", "\r")) else line + "\n" for line in lines[at:last]]
    return [*lines[:at], *lines[last:]], taken


def put_under(
    lines: list[str],
    blocks: Sequence[str],
    block: list[str],
    *,
    indent: int,
    start: int,
    stop: int,
    at: int,
) -> list[str] | None:
    """The lines with a block of lines below keys within keys, which begin at ``indent`` between
    ``start`` and ``stop``.

    A key that is not there is made, the outermost at ``at`` and others at the end of what is.  None
    where a key has its value in braces and the block does not fit into them.
    """
    if not blocks:
        return [*lines[:at], *shifted(block, indent), *lines[at:]]
    head = re.compile(rf" {{{indent}}}{re.escape(blocks[0])}:[ \t]*(?:#.*)?$")
    flow = re.compile(rf"( {{{indent}}}{re.escape(blocks[0])}: *\{{.*)\}}[ \t]*(?:#.*)?$")
    for number in range(start, stop):
        line = lines[number].rstrip("\r\n")
        if head.match(line):
            end = end_of(lines, number, indent)
            inside = [
                depth(text)
                for text in lines[number + 1 : end]
                if text.strip() and text.lstrip()[0] != "#"
            ]
            below = inside[0] if inside else indent + 2
            return put_under(
                lines, blocks[1:], block, indent=below, start=number + 1, stop=end, at=end
            )
        if found := flow.match(line):
            text, hash_sign, comment = block[0].strip().partition(" #")
            text = text.rstrip()
            if (
                len(blocks) > 1
                or len(block) > 1
                or text.endswith(":")
                or (hash_sign and set(text) & set("'\""))
            ):
                return None
            comma = "" if found[1].endswith("{") else ", "
            said = (
                [f"{' ' * indent}#{comment}\n"] if hash_sign else []
            )  # above the line, which may have one of its own
            line = f"{found[1]}{comma}{text}{lines[number][found.end(1) :]}"
            return [*lines[:number], *said, line, *lines[number + 1 :]]
    heads = [f"{' ' * (indent + 2 * n)}{key}:\n" for n, key in enumerate(blocks)]
    return [*lines[:at], *heads, *shifted(block, indent + 2 * len(blocks)), *lines[at:]]


def shifted(block: Sequence[str], indent: int) -> list[str]:
    """The lines with the first at this indentation, and the others as much further in or out."""
    by = indent - depth(block[0])
    return [
        line if not line.strip() else " " * max(depth(line) + by, 0) + line.lstrip(" ")
        for line in block
    ]


def around(lines: Sequence[str], at: int) -> tuple[int, int]:
    """From where to where the lines beside the one at ``at`` reach, with what belongs to them."""
    indent, start = depth(lines[at]), at
    while start and (not lines[start - 1].strip() or depth(lines[start - 1]) >= indent):
        start -= 1
    return start, end_of(lines, at, indent, alike=True)


def in_block_text(lines: Sequence[str]) -> set[int]:
    """The lines of texts that stand below a ``|`` or ``>``, of which no more than the indentation
    is YAML's."""
    found: set[int] = set()
    number = 0
    while number < len(lines):
        line = lines[number].expandtabs(2)
        number += 1
        if re.search(r"(?:^|[:-] )\s*[|>][-+0-9]*\s*(?:\s#.*)?$", line.rstrip("\r\n")):
            while number < len(lines) and (
                not lines[number].strip() or depth(lines[number].expandtabs(2)) > depth(line)
            ):
                found.add(number)
                number += 1
    return found


# --- whole lines ------------------------------------------------------------------------------


def _with_hyphen(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    last = end_of(lines, at, col, alike=True)
    deeper = ["  " + line if line.strip() else line for line in lines[at + 1 : last]]
    return [*lines[:at], f"{lines[at][:col]}- {lines[at][col:]}", *deeper, *lines[last:]]


def _with_plugin(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    last = end_of(lines, at, col)
    return [*lines[:at], *_as_plugin(lines[at:last], col), *lines[last:]]


def _with_plugins(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    made, last = list(lines), end_of(lines, at, col, alike=True)
    heads = [
        n for n in range(at, last) if depth(made[n]) == col and re.match(r" *[\w-]+:", made[n])
    ]
    for number in reversed(heads):
        end = end_of(made, number, col)
        made[number:end] = _as_plugin(made[number:end], col, "- ")
    return made


def _without_no_breaks(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    return [*lines[:at], _NO_BREAK.sub(_plain_blanks, lines[at]), *lines[at + 1 :]]


def _as_plugin(block: list[str], col: int, hyphen: str = "") -> list[str]:
    """A plugin whose name is the key at a column, with its parameters below it, as an item of the
    list of plugins."""
    name, _, rest = block[0][col:].partition(":")
    first = f"{block[0][:col]}{hyphen}plugin: {name}"
    if not rest.split("#")[0].strip() and len(block) == 1:
        return [f"{first}{rest}"]
    deeper = [" " * len(hyphen) + line if line.strip() else line for line in block[1:]]
    return [f"{first}\n", f"{' ' * (col + len(hyphen))}with:{rest}", *deeper]


def _under_one(lines: list[str], at: int, col: int, hint: Edit) -> list[str] | None:
    """A dotted path with its value as keys within keys, below the blocks that stand there
    already."""
    start, stop = around(lines, at)
    rest, taken = taken_out(lines, at)
    if depth(taken[0]) != col:
        return None
    written, after = hint.lines[0], taken[0].partition(":")[2]
    if written.endswith(":"):
        *more, last = written.removesuffix(":").split(".")
    else:
        value = _value_end(taken[0], len(taken[0]) - len(after.lstrip(" ")))
        nested = re.fullmatch(r"([\w-]+): (\{.*\})", written)
        more, last = [], written.partition(":")[0]
        after = f" {nested[2]}{taken[0][value:]}" if nested and "{" not in after else after
    taken[0] = f"{' ' * col}{last}:{after}"
    blocks = (*hint.under, *more)
    return put_under(rest, blocks, taken, indent=col, start=start, stop=stop - len(taken), at=at)


def _under(lines: list[str], at: int, col: int, hint: Edit) -> list[str] | None:
    """What stands at a wrong place below the blocks that it belongs to, from the top."""
    rest, taken = taken_out(lines, at)
    if depth(taken[0]) != col:
        return None
    taken[0] = f"{hint.lines[0]}{taken[0].partition(':')[2]}"
    return put_under(rest, hint.under, taken, indent=0, start=0, stop=len(rest), at=len(rest))


def _joined(lines: list[str], at: int, col: int, hint: Edit) -> list[str] | None:
    """What stands below a key put after what stands below the same key before it."""
    indent = depth(lines[at])
    key = lines[at].strip().partition(":")[0]
    start, _ = around(lines, at)
    rest, taken = taken_out(lines, at)
    inner = [line for line in taken[1:] if line.strip()]
    in_braces = re.fullmatch(rf"\s*{re.escape(key)}: *\{{(.*)\}}\s*", taken[0])
    if in_braces:
        inner = [f"{in_braces[1]}\n"]
        head = next(
            (n for n in range(start, at) if re.match(rf" {{{indent}}}{re.escape(key)}:", lines[n])),
            None,
        )
        if head is not None and "{" not in lines[head]:
            return None  # a list in braces has no lines to put below a block
    elif taken[0].partition(":")[2].strip() or not inner:
        return None
    return put_under(rest, (key,), inner, indent=indent, start=start, stop=at, at=at)


_TABS: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:(?<=\s)|^)#.*|^[ \t]+|\t+")
_NO_BREAK: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?:(?<=\s)|^)#.*|\xa0+")
_DECIMAL: Final = re.compile(r"-?\d+,\d+")


def _plain_blanks(found: re.Match[str]) -> str:
    return found[0].replace("\xa0", " ") if found[0][0] == "\xa0" else found[0]


def _without_tabs(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    """The lines without tabs in their indentation or between words; in block text they stay as they
    are."""
    texts, made = in_block_text(lines), []
    margin: int | None = None
    for number, line in enumerate(lines):
        if number not in texts:
            made.append(_TABS.sub(_blanks, line))
            margin = None
            continue
        leading = line[: len(line) - len(line.lstrip(" \t"))]
        if margin is None and line.strip():
            margin = depth(line) if "\t" not in leading else 0
        is_text = not line.strip() or (margin and not line[:margin].strip(" "))
        made.append(line if is_text else leading.replace("\t", "  ") + line[len(leading) :])
    return made


def _blanks(found: re.Match[str]) -> str:
    """A tab of the indentation as two blanks, others as one; what is quoted stays, and so do
    comments."""
    if found[0][0] in "\"'#":
        return found[0]
    return found[0].replace("\t", "  ") if found.start() == 0 else " "


def _value_end(line: str, col: int) -> int:
    """Where what begins at a column ends: a value, or a key with its value."""
    before = _QUOTES.sub("", line[:col])
    is_flow = sum(before.count(c) for c in "[{") > sum(before.count(c) for c in "]}")
    found = (_SCALAR if is_flow or line[col : col + 1] in _OPENING else _PLAIN).match(line, col)
    return found.end() if found else col


EDITS: Final[Mapping[str, Callable[[list[str], int, int, Edit], Sequence[str] | None]]] = {
    "no-tabs": _without_tabs,
    "no-break-spaces": _without_no_breaks,
    "both-under-one": _joined,
    "under": _under,
    "under-one": _under_one,
    "as-plugin": _with_plugin,
    "each-as-plugin": _with_plugins,
    "hyphen": _with_hyphen,
}
"""What an ``Edit`` does to the lines, by its name."""
