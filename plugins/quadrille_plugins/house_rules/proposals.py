"""What the help of an error proposes, done to the text as it is typed; every other byte stays.

Help is written so that it can be applied where the error stands:

=================================  ============================================================
``did you mean A or B?``           A instead of the word that the message quotes
``did you mean `K: X`?``           K: X instead of the key and its value
``… mean `K: X` under `L:`?``      the same below the key L of the rules
``write X``, ``write `X```         X instead of what stands there
``write `X`, and `K: Y` below it`` X instead of what stands there, and below it a line with K: Y
``name each: `X```                 the same; ``say which are not played: `X``` too
``put it in brackets: [X]``        [X] instead of what stands there
``put all in brackets: [X, Y]``    [X, Y] instead of the X, Y that stand there
``put it under `K:```              the lines that belong together, indented below the key K
``put it under one `K:`, as `X:``  X with its value below the one key K, or keys within keys
```X` belongs under `K:```         the same; what X stood in goes when nothing else does
``add `K: X` under `L:```          K: X as a new line below the key L, or keys within keys; several after ``and``
``put both under one `K:```        what stands below the second K after what stands below the first
``write `plugin: X`, and its …``   the parameters below ``with:``
``indent it by N blanks``          the line indented so
``begin it with a hyphen, …``      a hyphen before the mapping
``write each without its hyphen``  blanks instead of the hyphens of a list
``write blanks instead of …``      two blanks for each tab that indents a line
``keep one of them``               without the line
``KIND: A, B``                     A instead of the word that the message quotes
=================================  ============================================================
"""

import re
from itertools import takewhile
from typing import Final

from quadrille_core.errors import Problem
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

_MEANT: Final = re.compile(r"(?:^|; )did you mean ([^\s?]+)")
_MEANT_RULE: Final = re.compile(r"did you mean `([^`]+)`(?: under ((?:`[\w-]+:`(?:, )?)+))?")
_WRITE: Final = re.compile(
    r"(?:write|name each:|say which are not played:) (?:it without (?:quotes|the comma|the semicolon): )?"
    r"(?:`([^`]+)`|([^\s,;]+))"
)
_BRACKETS: Final = re.compile(r"put (?:it|all) in brackets: (\[.*\])")
_UNDER: Final = re.compile(r"put it under `([\w.-]+):`|put it under `rules:`")
_UNDER_ONE: Final = re.compile(r"put it under one ((?:`[\w-]+:`, )+)as (?:`([\w-]+: .*)`|`([\w.-]+):`)")
_WRITE_AND: Final = re.compile(r"write `([^`]+)`, and `([^`]+)` below it")
_ADD: Final = re.compile(r"add (`[^`]+`(?: and `[^`]+`)*)(?: under ((?:`[\w-]+:`(?:, )?)+))?")
_BELONGS: Final = re.compile(r"`[\w-]+` belongs under ((?:`[\w-]+:`(?:, )?)+)")
_BLOCK: Final = re.compile(r"`([\w-]+):`")
_INDENT: Final = re.compile(r"indent it by (\d+) blanks")
_LISTED: Final = re.compile(r"[a-z ]+: ([\w-]+)(?:, [\w-]+)*")
_QUOTED: Final = re.compile(r"'([^']+)'")
_SCALAR: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^\s,\]}#](?:(?! #)[^,\]}\r\n])*(?<! )")
_PLAIN: Final = re.compile(r"[^\s#](?:(?! #)[^\r\n])*(?<! )")
"""A text without quotes outside brackets, where commas are part of it."""
_QUOTES: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_OPENING: Final = "\"'"
_BREAK: Final = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")


def applied(text: str, problem: Problem) -> str | None:
    """The text with an error's help applied; None where the help proposes nothing to type."""
    place, proposal = problem.place, problem.help
    if place is None or not place.line:
        return None
    lines = [line for line in _BREAK.split(text) if line]
    at, col = place.line - 1, place.col - 1
    if at >= len(lines):
        return None
    if "blanks instead of the tab" in proposal:
        return "".join(_without_tabs(lines))
    if "instead of the no-break space" in proposal:
        return "".join([*lines[:at], _NO_BREAK.sub(_plain_blanks, lines[at]), *lines[at + 1 :]])
    if (both := _WRITE_AND.fullmatch(proposal)) is not None:
        line = lines[at][:col] + both[1] + lines[at][_value_end(lines[at], col) :]
        ended = line if line.endswith(("\n", "\r")) else f"{line}\n"
        return "".join([*lines[:at], ended, f"{' ' * depth(line)}{both[2]}\n", *lines[at + 1 :]])
    if (moved := _gathered(lines, at, col, proposal)) is not None:
        return "".join(moved)
    if (rule := _MEANT_RULE.match(proposal)) is not None:
        lines[at] = lines[at][:col] + rule[1] + lines[at][_all_of(lines[at], _value_end(lines[at], col), rule[1]) :]
        if rule[2] and depth(lines[at]) != col:
            lines, col = lifted(lines, at, col, rule[1]), depth(lines[at])
        moved = _put_under_rules(lines, at, col, _BLOCK.findall(rule[2])) if rule[2] else lines
        return None if moved is None else "".join(moved)
    if (under := _UNDER.search(proposal)) is not None:
        return "".join(_moved(lines, at, under[1] or "rules"))
    if (indent := _INDENT.match(proposal)) is not None:
        lines[at] = " " * int(indent[1]) + lines[at].lstrip(" ")
    elif proposal.startswith("begin it with a hyphen"):
        last = end_of(lines, at, col, alike=True)
        lines[at] = f"{lines[at][:col]}- {lines[at][col:]}"
        lines[at + 1 : last] = ["  " + line if line.strip() else line for line in lines[at + 1 : last]]
    elif proposal.startswith("write each without its hyphen"):
        items = (n for n in range(at, end_of(lines, at, col, alike=True)) if depth(lines[n]) == col)
        for number in takewhile(lambda n: lines[n][col] == "-", items):
            lines[number] = f"{lines[number][:col]} {lines[number][col + 1 :]}"
    elif proposal.startswith("write `plugin: "):
        last = end_of(lines, at, col)
        lines[at:last] = _as_plugin(lines[at:last], col)
    elif proposal.startswith("write each as `- plugin: "):
        last = end_of(lines, at, col, alike=True)
        heads = [n for n in range(at, last) if depth(lines[n]) == col and re.match(r" *[\w-]+:", lines[n])]
        for number in reversed(heads):
            end = end_of(lines, number, col)
            lines[number:end] = _as_plugin(lines[number:end], col, "- ")
    elif proposal == "keep one of them":
        del lines[at : end_of(lines, at, depth(lines[at]))]
    elif (write := _WRITE.match(proposal) or _BRACKETS.match(proposal)) is not None:
        new = next(part for part in write.groups() if part)
        if new.endswith(":"):
            end = col + len(lines[at][col:].rstrip())
        else:
            decimal = _DECIMAL.match(lines[at], col)  # whose comma ends a value elsewhere
            end = decimal.end() if decimal else _all_of(lines[at], _value_end(lines[at], col), new)
        lines[at] = lines[at][:col] + new + lines[at][end:]
    elif (meant := _MEANT.search(proposal) or _LISTED.fullmatch(proposal)) is not None:
        return _replaced(lines, at, col, problem.message, meant[1])
    else:
        return None
    return "".join(lines)


def _as_plugin(block: list[str], col: int, hyphen: str = "") -> list[str]:
    """A plugin whose name is the key at a column, with its parameters below it, as an item of the list of plugins."""
    name, _, rest = block[0][col:].partition(":")
    first = f"{block[0][:col]}{hyphen}plugin: {name}"
    if not rest.split("#")[0].strip() and len(block) == 1:
        return [f"{first}{rest}"]
    deeper = [" " * len(hyphen) + line if line.strip() else line for line in block[1:]]
    return [f"{first}\n", f"{' ' * (col + len(hyphen))}with:{rest}", *deeper]


def _gathered(lines: list[str], at: int, col: int, proposal: str) -> list[str] | None:
    """The lines as a help wants them that brings some below one block; None for any other help."""
    if (found := _UNDER_ONE.match(proposal)) is not None:
        start, stop = around(lines, at)
        rest, taken = taken_out(lines, at)
        if depth(taken[0]) != col:
            return None
        after = taken[0].partition(":")[2]
        if found[3]:
            *more, last = found[3].split(".")
        else:
            value = _value_end(taken[0], len(taken[0]) - len(after.lstrip(" ")))
            nested = re.fullmatch(r"([\w-]+): (\{.*\})", found[2])
            more, last = [], found[2].partition(":")[0]
            after = f" {nested[2]}{taken[0][value:]}" if nested and "{" not in after else after
        taken[0] = f"{' ' * col}{last}:{after}"
        blocks = (*_BLOCK.findall(found[1]), *more)
        return put_under(rest, blocks, taken, indent=col, start=start, stop=stop - len(taken), at=at)
    if (belongs := _BELONGS.fullmatch(proposal)) is not None:
        return _put_under_rules(lines, at, col, _BLOCK.findall(belongs[1]))
    if (add := _ADD.fullmatch(proposal)) is not None:
        under, grown = _BLOCK.findall(add[2] or ""), list(lines)
        for text in re.findall("`([^`]+)`", add[1]):
            end = len(grown)
            with_it = put_under(grown, under, [f"{text}\n"], indent=0, start=0, stop=end, at=end)
            if with_it is None:
                return None
            grown = with_it
        return grown
    if proposal.startswith("put both under one "):
        return _joined(lines, at)
    return None


def _put_under_rules(lines: list[str], at: int, col: int, named: list[str]) -> list[str] | None:
    """The lines with what stands in one below those blocks; what it stood in goes when nothing else does."""
    blocks = tuple(named)
    rest, taken = taken_out(lines, at)
    if depth(taken[0]) != col:
        return None
    if col:
        blocks = blocks if blocks[0] == "readings" else ("rules", *(block for block in blocks if block != "rules"))
        before = len(rest)
        rest = without_empty(rest, at)
        at -= before - len(rest)
    return put_under(rest, blocks, taken, indent=0, start=0, stop=len(rest), at=at)


def _joined(lines: list[str], at: int) -> list[str] | None:
    """What stands below a key put after what stands below the same key before it."""
    indent = depth(lines[at])
    key = lines[at].strip().partition(":")[0]
    start, _ = around(lines, at)
    rest, taken = taken_out(lines, at)
    inner = [line for line in taken[1:] if line.strip()]
    in_braces = re.fullmatch(rf"\s*{re.escape(key)}: *\{{(.*)\}}\s*", taken[0])
    if in_braces:
        inner = [f"{in_braces[1]}\n"]
        head = next((n for n in range(start, at) if re.match(rf" {{{indent}}}{re.escape(key)}:", lines[n])), None)
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


def _without_tabs(lines: list[str]) -> list[str]:
    """The lines without tabs in their indentation or between words; in block text they stay as they are."""
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
    """A tab of the indentation as two blanks, others as one; what is quoted stays, and so do comments."""
    if found[0][0] in "\"'#":
        return found[0]
    return found[0].replace("\t", "  ") if found.start() == 0 else " "


def _replaced(lines: list[str], at: int, col: int, message: str, new: str) -> str | None:
    """The text with the word that a message quotes last replaced, where it stands in the line."""
    for word in reversed(_QUOTED.findall(message)):
        found = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        hit = found.search(lines[at], col) or found.search(lines[at])
        if hit is not None:
            lines[at] = lines[at][: hit.start()] + new + lines[at][hit.end() :]
            return "".join(lines)
    return None


def _value_end(line: str, col: int) -> int:
    """Where what begins at a column ends: a value, or a key with its value."""
    before = _QUOTES.sub("", line[:col])
    is_flow = sum(before.count(c) for c in "[{") > sum(before.count(c) for c in "]}")
    found = (_SCALAR if is_flow or line[col : col + 1] in _OPENING else _PLAIN).match(line, col)
    return found.end() if found else col


def _all_of(line: str, end: int, new: str) -> int:
    """Where what is written in brackets ends, where its words stand without them in a line, parted by commas."""
    listed = re.search(r"\[([^\[\]]+)\]$", new)
    for word in listed[1].split(", ")[1:] if listed else ():
        found = re.compile(rf" *, *{re.escape(word)}(?![\w-])").match(line, end)
        end = found.end() if found else end
    return end


def _moved(lines: list[str], at: int, key: str) -> list[str]:
    """The lines with a key and what belongs to it below another key of the same level, which is made if need be."""
    indent = depth(lines[at])
    block = lines[at : end_of(lines, at, indent)]
    if not block[-1].endswith(("\n", "\r")):
        block[-1] += "\n"
    rest = [*lines[:at], *lines[at + len(block) :]]
    heads = [n for n, line in enumerate(rest) if re.match(rf" {{{indent}}}{re.escape(key)}:\s*(#.*)?$", line)]
    if not heads:
        return [*lines[:at], f"{' ' * indent}{key}:\n", *("  " + line for line in block), *rest[at:]]
    below = rest[heads[0] + 1] if heads[0] + 1 < len(rest) else ""
    deeper = len(below) - len(below.lstrip(" "))
    shift = " " * ((deeper if below.strip() and deeper > indent else indent + 2) - indent)
    return [*rest[: heads[0] + 1], *(shift + line for line in block), *rest[heads[0] + 1 :]]
