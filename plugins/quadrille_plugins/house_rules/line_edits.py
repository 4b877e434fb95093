"""Lines of a file brought below the blocks in which they belong, with their comments, by
indentation alone."""

import re
from collections.abc import Sequence
from typing import Final


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


def without_empty(lines: list[str], at: int) -> list[str]:
    """The lines without the block, and the blocks around it, that has lost its last line, which
    stood at ``at``."""
    while at and (above := lines[at - 1].rstrip()).endswith(":") and depth(above) >= 0:
        inner = lines[at] if at < len(lines) else ""
        if inner.strip() and depth(inner) > depth(above):
            break
        del lines[at - 1]
        at -= 1
    return lines


_KEY_OF_BRACES: Final = re.compile(r"[^\s{,][^{,:]*: *$")


def lifted(lines: Sequence[str], at: int, col: int, text: str) -> list[str]:
    """The lines with a text that stands in braces at a column in a line of its own, which comes to
    stand at ``at``.

    Braces that have lost their last entry go, and so do the keys before them.
    """
    before, after = lines[at][:col], lines[at][col + len(text) :]
    while True:
        if (cut := before.rstrip()).endswith(","):
            before = cut[:-1]
        else:
            after = re.sub(r"^\s*,\s*", "", after)
        if not before.endswith("{") or not after.lstrip().startswith("}"):
            break
        before = _KEY_OF_BRACES.sub("", before.rstrip()[:-1])
        after = after.lstrip()[1:]
    indent = " " * depth(lines[at])
    if not before.strip():
        return [*lines[:at], f"{indent}{text}{after}", *lines[at + 1 :]]
    return [*lines[:at], f"{indent}{text}\n", before + after, *lines[at + 1 :]]


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
