"""Room for the labels of an SVG in whichever font they are shown.

A picture is laid out with Liberation Sans.  Where neither that nor Arial is installed, a browser
takes a wider font, and labels would be cut off at the edges.  The widest of the usual ones is
DejaVu Sans (Verdana is as wide): its widths decide how far the picture reaches.
"""

import math
import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

MARGIN: Final = 4
"""Points that stay free around every label."""
_ASCII: Final = (
    318,
    401,
    460,
    838,
    637,
    951,
    780,
    275,
    391,
    391,
    500,
    838,
    318,
    361,
    318,
    337,
    637,
    637,
    637,
    637,
    637,
    637,
    637,
    637,
    637,
    637,
    337,
    337,
    838,
    838,
    838,
    531,
    1000,
    685,
    687,
    699,
    771,
    632,
    576,
    775,
    752,
    295,
    295,
    656,
    558,
    863,
    749,
    788,
    604,
    788,
    695,
    635,
    611,
    732,
    685,
    989,
    686,
    611,
    686,
    391,
    337,
    391,
    838,
    500,
    500,
    613,
    635,
    550,
    635,
    616,
    353,
    635,
    634,
    278,
    278,
    580,
    278,
    975,
    634,
    612,
    635,
    635,
    412,
    521,
    393,
    634,
    592,
    818,
    592,
    592,
    525,
    637,
    337,
    637,
    838,
)
"""Widths of the characters from the blank on in DejaVu Sans, in thousandths of the size."""
_WIDEST: Final = 1000
"""Of any other character."""
_ABOVE, _BELOW = 0.95, 0.25
"""How far a line reaches above and below its base, in sizes."""
_MOVE: Final = re.compile(r"(translate|rotate)\(\s*(-?[\d.e+-]+)(?:[ ,]+(-?[\d.e+-]+))?\s*\)")
_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"

Matrix = tuple[float, float, float, float, float, float]
"""``a b c d e f`` as SVG has it."""


def text_width(text: str, size: float) -> float:
    """How wide a text is at most, in the unit of its size."""
    widths = (_ASCII[ord(c) - 32] if 32 <= ord(c) < 127 else _WIDEST for c in text)
    return sum(widths) * size / 1000


def with_room(svg: str) -> str:
    """The SVG, its edges moved outwards where a label could reach beyond them; raises ValueError
    for another document.

    Done twice it changes nothing more.
    """
    head = re.match(r'<svg\b[^>]*? width="([\d.]+)" height="([\d.]+)" viewBox="([-\d. ]+)"', svg)
    if head is None:
        raise ValueError("the SVG states no size")
    x, y, width, height = map(float, head[3].split())
    left, top, right, bottom = x, y, x + width, y + height
    for a, b, c, d in _labels(ET.fromstring(svg), (1, 0, 0, 1, 0, 0)):  # noqa: S314 - made here
        left, top = min(left, math.floor(a) - MARGIN), min(top, math.floor(b) - MARGIN)
        right, bottom = max(right, math.ceil(c) + MARGIN), max(bottom, math.ceil(d) + MARGIN)
    if (left, top, right, bottom) == (x, y, x + width, y + height):
        return svg
    wide, high = right - left, bottom - top
    at = f'x="{x:g}" y="{y:g}" ' if (x, y) != (0, 0) else ""
    for before, after in (
        (
            f' width="{head[1]}" height="{head[2]}" viewBox="{head[3]}"',
            f' width="{wide:g}" height="{high:g}" viewBox="{left:g} {top:g} {wide:g} {high:g}"',
        ),
        (
            f'<rect {at}width="{head[1]}" height="{head[2]}" fill="white"/>',
            f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" fill="white"/>',
        ),
    ):
        if svg.count(before) != 1:
            raise ValueError(f"the SVG has no {before.strip()[:60]!r}")
        svg = svg.replace(before, after)
    return svg


def _labels(element: ET.Element, around: Matrix) -> Iterator[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every line of text."""
    here = _moved(around, element.get("transform", ""))
    if element.tag == f"{_NAMESPACE}text":
        size = float(element.get("font-size", "11").removesuffix("px"))
        share = {"middle": 0.5, "end": 1.0}.get(element.get("text-anchor", "start"), 0.0)
        lines, down = [(element.text or "", 0.0)], 0.0
        for line in element.iterfind(f"{_NAMESPACE}tspan"):
            down += float(line.get("dy", "0"))
            lines.append((line.text or "", down))
        for text, below in lines:
            if text.strip():
                wide = text_width(text, size)
                first, last = -share * wide, (1 - share) * wide
                corners = [
                    _point(here, along, below + across)
                    for along in (first, last)
                    for across in (-_ABOVE * size, _BELOW * size)
                ]
                xs, ys = zip(*corners, strict=True)
                yield min(xs), min(ys), max(xs), max(ys)
    for child in element:
        yield from _labels(child, here)


def _moved(around: Matrix, transform: str) -> Matrix:
    a, b, c, d, e, f = around
    for kind, first, second in _MOVE.findall(transform):
        if kind == "translate":
            e, f = _point((a, b, c, d, e, f), float(first), float(second or 0))
        else:
            turn = math.radians(float(first))
            sin, cos = math.sin(turn), math.cos(turn)
            a, b, c, d = a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin
    return a, b, c, d, e, f


def _point(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
