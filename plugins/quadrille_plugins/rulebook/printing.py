"""A rulebook as plain text and as Markdown."""

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from quadrille_plugins.rulebook.changes import Difference, told
from quadrille_plugins.rulebook.notes import NOTES_KEY
from quadrille_plugins.rulebook.page import Block, Page, Span

WIDTH: Final = 78
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|])")


def _cells(block: Block) -> list[tuple[str, ...]]:
    return [block.columns, *(piece.cells for piece in block.pieces)]


_ON: Final = "\x02"
_OFF: Final = "\x03"
"""Around a sentence that differs until its lines are known; no text has these signs."""


def _barred(text: str, width: int, *, marked: bool) -> Iterator[str]:
    """The text in lines; a bar stands beside the lines, and asterisks about the sentences, that
    differ."""
    margin = 2 if marked else 0
    inside = False
    for line in wrap(text, width - margin):
        bar = inside or _ON in line
        for sign in line:
            inside = sign == _ON or (inside and sign != _OFF)
        plain = line.replace(_ON, "*").replace(_OFF, "*")
        yield (f"{'|' if bar else ' '} " if marked else "") + plain


# --- plain text -------------------------------------------------------------------------------


def as_text(page: Page) -> str:
    """The page as plain text; asterisks enclose what differs from the other rule set, with a bar in
    the margin."""
    lines = [page.title.upper(), "", *wrap(page.named, WIDTH)]
    if page.other:
        lines += [
            "",
            *wrap(
                f"What differs from {page.other} stands *between asterisks*, with a bar in the "
                "margin.",
                WIDTH,
            ),
        ]
    for section in page.sections:
        lines += ["", "", section.title.upper()]
        for block in section.blocks:
            lines += ["", *_text_block(block, marked=bool(page.other))]
    if page.examples:
        lines += ["", "", "EXAMPLES"]
        for one in page.examples:
            lines += ["", *wrap(f"{one.title}. {' '.join(one.told)}", WIDTH), ""]
            lines += [
                line
                for p in one.payments
                for line in wrap(p, WIDTH, initial_indent="- ", subsequent_indent="  ")
            ]
            lines += ["", f"To see it card by card: {one.command}"]
    if page.other and not page.short:
        lines += ["", "", "DIFFERENCES", "", *_direction(page)]
        for d in page.differences:
            lines += wrap(_difference(d), WIDTH, initial_indent="- ", subsequent_indent="  ")
        if not page.differences:
            lines.append("None.")
    lines += _text_list("Notes", [f"[{number}] {text}." for number, text in page.notes], NOTES_KEY)
    lines += _text_list("Sources", [f"{name}: {title}" for name, title in page.sources])
    lines += (
        ["", *wrap(page.cite, WIDTH, break_long_words=False, break_on_hyphens=False)]
        if page.cite
        else []
    )
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _direction(page: Page) -> list[str]:
    """The key to the list; "here" and "there" are this rule set and the other, and (–) is no
    words."""
    key = (
        "In brackets: what the other rule set says → what this one says; a dash where it has no "
        "words. “Only here”: this one says it and the other does not; “only there”: the reverse."
    )
    return [*wrap(key, WIDTH), ""] if page.differences else []


def _text_list(title: str, items: Sequence[str], key: str = "") -> list[str]:
    if not items:
        return []
    head = ["", "", title.upper(), "", *([*wrap(key, WIDTH), ""] if key else [])]
    return [*head, *(line for i in items for line in wrap(i, WIDTH, subsequent_indent="    "))]


def _text_block(block: Block, *, marked: bool) -> Iterator[str]:
    if block.columns:
        yield from (
            ("  " if marked else "") + line for line in ([block.head] if block.head else [])
        )
        rows = _cells(block)
        widths = [max(len(row[i]) for row in rows) for i in range(len(block.columns))]
        for row, piece in zip(rows, (None, *block.pieces), strict=True):
            shown = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            mark = f"  [{piece.note}]" if piece is not None and piece.note else ""
            margin = ("| " if piece is not None and piece.differs else "  ") if marked else ""
            yield f"{margin}  {shown}{mark}"
        return
    head = f"{block.head.upper()}. " if block.head else ""
    spans = (
        " ".join(map(_span, p.spans)) + (f" [{p.note}]" if p.note else "") for p in block.pieces
    )
    yield from _barred(head + " ".join(spans), WIDTH, marked=marked)


def _span(span: Span) -> str:
    return f"{_ON}{span.text}{_OFF}" if span.differs else span.text


def _difference(d: Difference) -> str:
    where = f"{d.section}, {d.about}" if d.about else d.section
    if not d.theirs:
        return f"{where}; only here: {d.mine}"
    if not d.mine:
        return f"{where}; only there: {d.theirs}"
    return f"{where}: {told(d)}"


# --- Markdown ---------------------------------------------------------------------------------


def _md(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def as_markdown(page: Page) -> str:
    """The page as Markdown; an arrow begins a sentence or row that differs from the other rule
    set."""
    lines = [f"# {_md(page.title)}", "", _md(page.named), ""]
    if page.other:
        lines += [f"▸ marks what differs from {_md(page.other)}.", ""]
    for section in page.sections:
        lines += [f"## {section.title}", ""]
        for block in section.blocks:
            lines += [*_md_block(block), ""]
    if page.examples:
        lines += ["## Examples", ""]
        for one in page.examples:
            lines += [f"**{one.title}.** {_md(' '.join(one.told))}", ""]
            lines += [f"- {_md(p)}" for p in one.payments]
            lines += ["", f"To see it card by card: `{one.command}`", ""]
    if page.other and not page.short:
        lines += ["## Differences", "", *_direction(page)]
        lines += [f"- {_md(_difference(d))}" for d in page.differences] or ["None."]
        lines.append("")
    if page.notes:
        lines += [
            "## Notes",
            "",
            NOTES_KEY,
            "",
            *(f"{number}. {_md(text)}." for number, text in page.notes),
            "",
        ]
    if page.sources:
        lines += [
            "## Sources",
            "",
            *(f"- {_md(name)}: {_md(title)}" for name, title in page.sources),
            "",
        ]
    lines += [_md(page.cite)] if page.cite else []
    return "\n".join(lines).rstrip("\n") + "\n"


def _md_block(block: Block) -> Iterator[str]:
    if block.columns:
        if block.head:
            yield f"**{_md(block.head)}**"
            yield ""
        for n, row in enumerate(_cells(block)):
            note = block.pieces[n - 1].note if n else None
            cells = [_md(c) for c in row]
            cells[0] += f" <sup>{note}</sup>" if note else ""
            cells[0] = "▸ " * (n > 0 and block.pieces[n - 1].differs) + cells[0]
            yield f"| {' | '.join(cells)} |"
            if not n:
                yield "|" + "---|" * len(row)
        return
    head = f"**{_md(block.head)}.** " if block.head else ""
    yield head + " ".join(
        " ".join(f"▸ *{_md(s.text)}*" if s.differs else _md(s.text) for s in p.spans)
        + (f"<sup>{p.note}</sup>" if p.note else "")
        for p in block.pieces
    )
