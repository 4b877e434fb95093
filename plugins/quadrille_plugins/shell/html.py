"""Blocks as HTML, for notebooks; whatever comes from data is escaped."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape

from quadrille_core.harmless import safe
from quadrille_plugins.shell.blocks import Block, Text

MOST_ROWS = 200
"""Rows of a table that a notebook shows."""


def blocks_html(blocks: Sequence[Block], pictures: Sequence[tuple[str, str]] = ()) -> str:
    """The blocks, with pictures (alternative text and SVG) after the first."""
    parts = [_block(block) for block in blocks]
    # an image runs no script, and its ids are its own
    drawn = [
        f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{_coded(svg)}">'
        for alt, svg in pictures
    ]
    return "<div>" + "\n".join([*parts[:1], *drawn, *parts[1:]]) + "</div>"


def _coded(svg: str) -> str:
    return b64encode(svg.encode()).decode()


def _block(block: Block) -> str:
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
