"""A rulebook as plain text and as Markdown."""

import re
from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from quadrille_plugins.rulebook.page import Block, Page, Piece

WIDTH: Final = 78
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|])")


def as_text(page: Page) -> str:
    """The page as plain text; asterisks enclose what differs from the other rule set."""
    lines = [page.title.upper(), "", *wrap(page.named, WIDTH)]
    if page.other:
        lines += ["", *wrap(f"What differs from {page.other} stands *between asterisks*.", WIDTH)]
    for chapter in page.chapters():
        lines += ["", "", chapter.title.upper()]
        for block in chapter.blocks:
            lines += ["", *_text_block(block)]
    if page.cite:
        lines += ["", *wrap(page.cite, WIDTH, break_long_words=False, break_on_hyphens=False)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _text_block(block: Block) -> Iterator[str]:
    if block.columns:
        yield from filter(None, [block.head])
        rows = [block.columns, *(piece.cells for piece in block.pieces)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row, piece in zip(rows, (Piece(), *block.pieces), strict=True):
            cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            yield f"{'*' if piece.differs else ' '}   {cells}{_bracketed(piece)}"
    elif block.is_list:
        for piece in block.pieces:
            mark = f"{_bracketed(piece).strip()} " if piece.note else "- "
            yield from wrap(mark + piece.text, WIDTH, subsequent_indent="  ")
    else:
        texts = (
            " ".join(f"*{s.text}*" if s.differs else s.text for s in p.spans) + _bracketed(p)
            for p in block.pieces
        )
        yield from wrap((f"{block.head.upper()}. " if block.head else "") + " ".join(texts), WIDTH)


def _bracketed(piece: Piece) -> str:
    return f" [{piece.note}]" if piece.note else ""


# --- Markdown ---------------------------------------------------------------------------------


def _md(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def as_markdown(page: Page) -> str:
    """The page as Markdown; an arrow begins a sentence or row that differs from the other rule
    set."""
    lines = [f"# {_md(page.title)}", "", _md(page.named), ""]
    if page.other:
        lines += [f"▸ marks what differs from {_md(page.other)}.", ""]
    for chapter in page.chapters():
        lines += [f"## {chapter.title}", ""]
        for block in chapter.blocks:
            lines += [*_md_block(block), ""]
    return "\n".join([*lines, _md(page.cite)]).rstrip("\n") + "\n"


def _md_block(block: Block) -> Iterator[str]:
    head = f"**{_md(block.head)}**" if block.head else ""
    if block.columns:
        yield from [head, ""] if head else []
        yield f"| {' | '.join(map(_md, block.columns))} |"
        yield "|" + "---|" * len(block.columns)
        for piece in block.pieces:
            first, *rest = map(_md, piece.cells)
            first = f"{'▸ ' if piece.differs else ''}{first}{_raised(piece)}"
            yield f"| {' | '.join((first, *rest))} |"
    elif block.is_list:
        for piece in block.pieces:
            yield f"{f'{piece.note}.' if piece.note else '-'} {_md(piece.text)}"
    else:
        texts = (
            " ".join(f"▸ *{_md(s.text)}*" if s.differs else _md(s.text) for s in p.spans)
            + _raised(p)
            for p in block.pieces
        )
        yield (f"{head}. " if head else "") + " ".join(texts)


def _raised(piece: Piece) -> str:
    return f"<sup>{piece.note}</sup>" if piece.note else ""
