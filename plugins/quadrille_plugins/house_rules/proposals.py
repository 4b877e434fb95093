"""What the hint of an error proposes, done to the text as it is typed; every other byte stays.

A ``Replace`` puts its value where the error stands, a ``DidYouMean`` its first word where the wrong
one stands, and an ``Edit`` changes whole lines, as ``EDITS`` says by its name.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Final

from quadrille_core.errors import DidYouMean, Edit, Hint, Phrase, Problem, Replace
from quadrille_plugins.house_rules.line_edits import (
    around,
    depth,
    end_of,
    in_block_text,
    lifted,
    put_under,
    taken_out,
    without_empty,
)

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
        made = _with_rule(lines, at, col, hint) if hint.under else _with_value(lines, at, col, hint)
    elif isinstance(hint, Edit):
        made = EDITS[hint.how](lines, at, col, hint)
    elif (meant := meant_by(hint)) is not None:
        made = _with_word(lines, at, col, meant.word, (*meant.words, *meant.known)[0])
    return None if made is None else "".join(made)


def meant_by(hint: Hint | None) -> DidYouMean | None:
    """The words that a hint takes for meant, itself or in a sentence of several parts; None where
    it names none."""
    if isinstance(hint, DidYouMean):
        return hint if hint.words or hint.known else None
    parts = hint.data.values() if isinstance(hint, Phrase) else ()
    return next((found for part in parts if (found := meant_by(part)) is not None), None)


def _with_value(lines: list[str], at: int, col: int, hint: Replace) -> list[str]:
    """The lines with a value, or a key with its value, instead of what stands at a column."""
    line, new = lines[at], hint.value
    if new.endswith(":"):
        end = col + len(line[col:].rstrip())
    else:
        decimal = _DECIMAL.match(line, col)  # whose comma ends a value elsewhere
        end = decimal.end() if decimal else _all_of(line, _value_end(line, col), new)
    line = line[:col] + new + line[end:]
    if not hint.below:
        return [*lines[:at], line, *lines[at + 1 :]]
    ended = line if line.endswith(("\n", "\r")) else f"{line}\n"
    return [*lines[:at], ended, f"{' ' * depth(line)}{hint.below}\n", *lines[at + 1 :]]


def _with_rule(lines: list[str], at: int, col: int, hint: Replace) -> list[str] | None:
    """The lines with a rule instead of what stands at a column, brought below its blocks."""
    lines = _with_value(lines, at, col, hint)
    if depth(lines[at]) != col:
        lines, col = lifted(lines, at, col, hint.value), depth(lines[at])
    return _put_under_rules(lines, at, col, hint.under)


def _with_word(lines: list[str], at: int, col: int, word: str, new: str) -> list[str] | None:
    """The lines with a word instead of another, where that stands in the line."""
    found = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    hit = found.search(lines[at], col) or found.search(lines[at])
    if hit is None:
        return None
    return [*lines[:at], lines[at][: hit.start()] + new + lines[at][hit.end() :], *lines[at + 1 :]]


# --- whole lines ------------------------------------------------------------------------------


def _indented(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    return [*lines[:at], " " * hint.by + lines[at].lstrip(" "), *lines[at + 1 :]]


def _with_hyphen(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    last = end_of(lines, at, col, alike=True)
    deeper = ["  " + line if line.strip() else line for line in lines[at + 1 : last]]
    return [*lines[:at], f"{lines[at][:col]}- {lines[at][col:]}", *deeper, *lines[last:]]


def _without_hyphens(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    items = (n for n in range(at, end_of(lines, at, col, alike=True)) if depth(lines[n]) == col)
    made = list(lines)
    for number in takewhile(lambda n: lines[n][col] == "-", items):
        made[number] = f"{lines[number][:col]} {lines[number][col + 1 :]}"
    return made


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


def _without_line(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    return [*lines[:at], *lines[end_of(lines, at, depth(lines[at])) :]]


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


def _belonging(lines: list[str], at: int, col: int, hint: Edit) -> list[str] | None:
    return _put_under_rules(lines, at, col, hint.under)


def _with_more(lines: list[str], at: int, col: int, hint: Edit) -> list[str] | None:
    """The lines with others added below blocks, or at the end."""
    grown = list(lines)
    for text in hint.lines:
        end = len(grown)
        with_it = put_under(grown, hint.under, [f"{text}\n"], indent=0, start=0, stop=end, at=end)
        if with_it is None:
            return None
        grown = with_it
    return grown


def _put_under_rules(lines: list[str], at: int, col: int, named: Sequence[str]) -> list[str] | None:
    """The lines with what stands in one below those blocks; what it stood in goes when nothing else
    does."""
    blocks = tuple(named)
    rest, taken = taken_out(lines, at)
    if depth(taken[0]) != col:
        return None
    if col:
        blocks = (
            blocks
            if blocks[0] == "readings"
            else ("rules", *(block for block in blocks if block != "rules"))
        )
        before = len(rest)
        rest = without_empty(rest, at)
        at -= before - len(rest)
    return put_under(rest, blocks, taken, indent=0, start=0, stop=len(rest), at=at)


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


def _all_of(line: str, end: int, new: str) -> int:
    """Where what is written in brackets ends, where its words stand without them in a line, parted
    by commas."""
    listed = re.search(r"\[([^\[\]]+)\]$", new)
    for word in listed[1].split(", ")[1:] if listed else ():
        found = re.compile(rf" *, *{re.escape(word)}(?![\w-])").match(line, end)
        end = found.end() if found else end
    return end


def _moved(lines: list[str], at: int, col: int, hint: Edit) -> list[str]:
    """The lines with a key and what belongs to it below another key of the same level, which is
    made if need be."""
    indent, key = depth(lines[at]), hint.under[0]
    block = lines[at : end_of(lines, at, indent)]
    if not block[-1].endswith(("\n", "\r")):
        block[-1] += "\n"
    rest = [*lines[:at], *lines[at + len(block) :]]
    heads = [
        n
        for n, line in enumerate(rest)
        if re.match(rf" {{{indent}}}{re.escape(key)}:\s*(#.*)?$", line)
    ]
    if not heads:
        return [
            *lines[:at],
            f"{' ' * indent}{key}:\n",
            *("  " + line for line in block),
            *rest[at:],
        ]
    below = rest[heads[0] + 1] if heads[0] + 1 < len(rest) else ""
    deeper = len(below) - len(below.lstrip(" "))
    shift = " " * ((deeper if below.strip() and deeper > indent else indent + 2) - indent)
    return [*rest[: heads[0] + 1], *(shift + line for line in block), *rest[heads[0] + 1 :]]


EDITS: Final[Mapping[str, Callable[[list[str], int, int, Edit], Sequence[str] | None]]] = {
    "no-tabs": _without_tabs,
    "no-break-spaces": _without_no_breaks,
    "keep-one": _without_line,
    "both-under-one": _joined,
    "under": _moved,
    "block-of-rules": _moved,
    "under-one": _under_one,
    "belongs": _belonging,
    "add": _with_more,
    "add-under": _with_more,
    "as-plugin": _with_plugin,
    "each-as-plugin": _with_plugins,
    "hyphen": _with_hyphen,
    "without-hyphens": _without_hyphens,
    "indent": _indented,
}
"""What an ``Edit`` does to the lines, by its name."""
