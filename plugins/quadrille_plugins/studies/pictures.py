"""Draws pictures as SVG and PDF with Altair and vl-convert (the ``report`` extra).

Drawn for print in black and white: series are distinguished by shape, hatching and dashes, never by
colour.  Nothing is fetched: the font, Liberation Sans, is vl-convert's own, and the same picture is
the same bytes on any machine.
"""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from importlib.util import find_spec
from typing import Any, Final

from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies.picture import Picture, PlotMark

FONT: Final = "Liberation Sans"
FAMILIES: Final = "'Liberation Sans', Arial, Helvetica, sans-serif"
"""What an SVG asks for: the font it was laid out with, else one of the same widths."""
WIDTH: Final = 430
"""Points of the plot itself: with labels a picture is about as wide as a page of a journal."""
MARGIN: Final = 28
"""Points around a picture: where neither its font nor Arial is installed, a browser takes a wider
one."""
WIDEST_TITLE: Final = 64
LONGEST_LABEL: Final = 34
"""Characters of a line of title or label."""
LINE: Final = 13
"""Points from one line of a label to the next."""
TEXT: Final[Json] = {
    "labelFontSize": 11,
    "titleFontSize": 11,
    "titleFontWeight": "normal",
    "labelColor": "black",
    "titleColor": "black",
}
"""Of axes and legends."""
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
HATCHES: Final = ("#b4b4b4", "#ffffff", "#000003", "#000004", "#000005", "#000006")
"""Fills of series: grey, white, and four that the SVG has hatching for instead."""
MOST_SERIES: Final = len(SHAPES)


_LIBRARIES: Final = ("altair", "vl_convert")


def drawable() -> bool:
    """Whether the drawing libraries are there."""
    return all(find_spec(name) is not None for name in _LIBRARIES)


def require() -> None:
    """Raise UsageError without the drawing libraries."""
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise UsageError.of(
            "pictures-want",
            missing=" and ".join(missing),
            text="is" if len(missing) == 1 else "are",
            what=install_hint("report"),
        )


def svg_of(picture: Picture) -> str:
    """The picture as SVG with its title and text alternative; raises UsageError without the
    ``report`` extra."""
    require()
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(_chart(picture))
    return _finished(drawn, picture)


def pdf_of(svg: str) -> bytes:
    """The PDF of an SVG made here, its font embedded and no date in it."""
    import vl_convert

    made: bytes = vl_convert.svg_to_pdf(svg)
    return _in_order(made)


# --- drawing ------------------------------------------------------------------------------------


def _chart(picture: Picture) -> Json:
    import altair as alt

    shown = _few_series(picture)
    drawn = _curve(alt, shown) if shown.kind == "curve" else _plot(alt, shown)
    chart = (
        drawn.properties(
            title=alt.TitleParams(
                textwrap.wrap(shown.title, WIDEST_TITLE), anchor="start", frame="group"
            ),
        )
        .configure(
            font=FONT,
            background="white",
            padding={"left": 44, "right": MARGIN, "top": 10, "bottom": 10},
        )
        .configure_title(fontSize=14, fontWeight="normal", color="black", offset=12)
        .configure_axis(
            **TEXT, domainColor="black", tickColor="black", gridColor="#cccccc", labelLimit=400
        )
        .configure_legend(
            **TEXT,
            orient="bottom",
            direction="vertical",
            labelLimit=WIDTH + 150,
            symbolSize=90,
            symbolStrokeWidth=1.2,
        )
        .configure_view(stroke=None)
    )
    made: Json = chart.to_dict()
    return made


def _plot(alt: Any, shown: Picture) -> Any:
    """One plot, as high as its rows need."""
    layers = {"intervals": _intervals, "bars": _bars}[shown.kind](alt, shown)
    lines = max(_wrapped(label).count("\n") + 1 for label in shown.labels())
    step = max(16 * len(shown.groups()) + 8, LINE * lines + 8)
    height = max(60, len(shown.labels()) * step)
    return alt.layer(*layers).properties(width=WIDTH, height=height)


def _few_series(picture: Picture) -> Picture:
    """The picture itself, or one whose rows each name their series, when these are too many to look
    apart."""
    if len(picture.groups()) <= MOST_SERIES or picture.kind == "curve":
        return picture
    rows = tuple(replace(m, label=f"{m.label}: {m.series}", series="") for m in picture.rows)
    return replace(picture, rows=rows, series="")


def _data(alt: Any, rows: Sequence[PlotMark]) -> Any:
    keys = ("label", "series", "value", "low", "high", "x")
    plain = ({k: getattr(m, k) for k in keys if getattr(m, k) is not None} for m in rows)
    return alt.Data(values=[{**mark, "label": _wrapped(mark["label"])} for mark in plain])


def _field(name: str) -> str:
    return f"isValid(datum.{name})"


def _y(alt: Any, picture: Picture) -> Any:
    axis = alt.Axis(
        title=None,
        ticks=False,
        domain=False,
        labelPadding=8,
        labelExpr="split(datum.value, '\\n')",
        # the first of several lines stands where the mark is, if they are not moved up
        labelOffset=alt.ExprRef(f"-{LINE / 2} * (length(split(datum.value, '\\n')) - 1)"),
        grid=False,
    )
    return alt.Y(
        "label:N",
        sort=[_wrapped(label) for label in picture.labels()],
        axis=axis,
        scale=alt.Scale(paddingInner=0.2, paddingOuter=0.1),
    )


def _wrapped(label: str) -> str:
    """A label in lines, which the axis takes apart again; a long reading stands below its
    point."""
    whole = label if len(label) <= LONGEST_LABEL else label.replace("=", "= ", 1)
    return "\n".join(textwrap.wrap(whole, LONGEST_LABEL)) or label


def _base(alt: Any, picture: Picture) -> Any:
    """The marks of a picture, row by row; where there are several series, these side by side."""
    groups, base = list(picture.groups()), alt.Chart(_data(alt, picture.rows))
    offset = alt.YOffset("series:N", sort=groups, scale=alt.Scale(domain=groups))
    return base.encode(y=_y(alt, picture), **({"yOffset": offset} if len(groups) > 1 else {}))


def _x(alt: Any, picture: Picture, field: str = "value", *, zero: bool = False) -> Any:
    axis = alt.Axis(title=textwrap.wrap(picture.value, WIDEST_TITLE), labelFlush=False, tickCount=8)
    return alt.X(f"{field}:Q", axis=axis, scale=alt.Scale(zero=zero, nice=True))


def _legend(alt: Any, picture: Picture) -> Any:
    if len(picture.groups()) == 1:
        return None
    return alt.Legend(title=picture.series or None)


def _nought(alt: Any, picture: Picture) -> list[Any]:
    """A line at zero, where marks lie on both sides of it or end there."""
    values = [v for m in picture.rows for v in (m.value, m.low, m.high) if v is not None]
    if not min(values) <= 0 <= max(values):
        return []
    return [_zero(alt).encode(x=alt.X("value:Q"))]


def _zero(alt: Any) -> Any:
    return alt.Chart(alt.Data(values=[{"value": 0}])).mark_rule(
        color="black", strokeWidth=0.8, strokeDash=[3, 3]
    )


def _thresholds(alt: Any, picture: Picture) -> list[Any]:
    """A dotted line on each row at the threshold of its verdict, on either side of zero where
    effects have a sign."""
    held = {m.label: m.threshold for m in picture.rows if m.threshold is not None}
    signs = (1,) if picture.kind == "bars" else (-1, 1)
    if not held:
        return []
    rows = [
        {"label": _wrapped(label), "value": sign * at}
        for label, at in held.items()
        for sign in signs
    ]
    y, drawn = _y(alt, picture), alt.Chart(alt.Data(values=rows))
    y.bandPosition = 0
    drawn = drawn.mark_rule(color="black", strokeWidth=1.2, strokeDash=[1, 2])
    return [drawn.encode(x=_x(alt, picture), y=y, y2=alt.Y2("label:N", bandPosition=1))]


def _intervals(alt: Any, picture: Picture) -> list[Any]:
    base = _base(alt, picture)
    span = (
        base.mark_rule(color="black", strokeWidth=1.3)
        .transform_filter(_field("low"))
        .encode(x=_x(alt, picture, "low"), x2="high:Q")
    )
    point = base.mark_point(size=62, strokeWidth=1.3, opacity=1, color="black").encode(
        x=_x(alt, picture), **_marked(alt, picture)
    )
    return [*_nought(alt, picture), *_thresholds(alt, picture), span, point]


def _marked(alt: Any, picture: Picture) -> Json:
    """The shape and fill of each series' points: black and white in turn."""
    groups, legend = list(picture.groups()), _legend(alt, picture)
    shapes = [SHAPES[i % MOST_SERIES] for i in range(len(groups))]
    fills = [("black", "white")[i % 2] for i in range(len(groups))]
    return {
        "shape": alt.Shape("series:N", scale=alt.Scale(domain=groups, range=shapes), legend=legend),
        "fill": alt.Fill("series:N", scale=alt.Scale(domain=groups, range=fills), legend=legend),
    }


def _hatched(alt: Any, picture: Picture) -> Any:
    groups = list(picture.groups())
    return alt.Fill(
        "series:N",
        scale=alt.Scale(domain=groups, range=list(HATCHES[: len(groups)])),
        legend=_legend(alt, picture),
    )


def _bars(alt: Any, picture: Picture) -> list[Any]:
    base = _base(alt, picture)
    bar = base.mark_bar(stroke="black", strokeWidth=1).encode(
        x=_x(alt, picture, zero=True), fill=_hatched(alt, picture)
    )
    within = base.transform_filter(_field("low"))
    span = within.mark_rule(color="black", strokeWidth=1.3).encode(
        x=_x(alt, picture, "low", zero=True), x2="high:Q"
    )
    ends = [
        within.mark_tick(color="black", thickness=1.3, size=7, opacity=1).encode(
            x=_x(alt, picture, end, zero=True)
        )
        for end in ("low", "high")
    ]
    return [bar, *_thresholds(alt, picture), span, *ends]


LINEAR: Final = 10.0
"""Up to about so much on either side of zero the heights of a curve are linear, beyond it
logarithmic."""


def _heights(most: float) -> list[float]:
    """Heights to be marked above zero, each about three times the one before."""
    found, step = [LINEAR], 3.0
    while found[-1] * step <= most:
        found.append(found[-1] * step)
        step = 10 / step
    return found


def _curve(alt: Any, picture: Picture) -> Any:
    """A specification curve: the values above, and below them a stroke for every choice made."""
    values = tuple(m for m in picture.rows if not m.label)
    # strokes stand line by line: a label has no workspace for a second
    shortened = (
        m if len(m.label) <= LONGEST_LABEL else replace(m, label=f"{m.label[: LONGEST_LABEL - 1]}…")
        for m in picture.rows
        if m.label
    )
    choices = replace(picture, rows=tuple(shortened) or values)
    most = max(m.x or 0 for m in values)
    scale = alt.Scale(domain=[0.5, most + 0.5], nice=False, zero=False)
    base = alt.Chart(_data(alt, values)).encode(x=alt.X("x:Q", axis=None, scale=scale))
    # one configuration in which pools doubled would leave the others a line of ink
    ends = [v for m in values for v in (m.low, m.value, m.high) if v is not None]
    heights = alt.Scale(
        type="symlog", constant=LINEAR, domain=[min(0.0, *ends), max(0.0, *ends)], nice=False
    )
    ticks = [
        side * v
        for side in (-1, 1)
        for v in _heights(max(map(abs, ends)))
        if min(ends) <= side * v <= max(ends)
    ]
    axis = alt.Axis(values=sorted({0.0, *ticks}), format="+,d")
    title = textwrap.wrap(picture.value, LONGEST_LABEL)
    y = alt.Y("value:Q", title=title, scale=heights, axis=axis)
    span = (
        base.mark_rule(color="black", strokeWidth=0.8)
        .transform_filter(_field("low"))
        .encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    )
    point = base.mark_point(size=14, color="black", fill="black", opacity=1).encode(y=y)
    above = alt.layer(_zero(alt).encode(y="value:Q"), span, point).properties(
        width=WIDTH, height=220
    )
    if not any(m.label for m in picture.rows):
        return above
    below = (
        alt.Chart(_data(alt, choices.rows))
        .mark_tick(
            color="black",
            thickness=max(1.0, min(3.0, 0.6 * WIDTH / most)),
            size=8,
            opacity=1,
            orient="vertical",
        )
        .encode(
            x=alt.X(
                "x:Q",
                title=picture.label or None,
                axis=alt.Axis(grid=False, tickCount=8),
                scale=scale,
            ),
            y=_y(alt, choices),
        )
        .properties(width=WIDTH, height=LINE * len(choices.labels()))
    )
    return alt.vconcat(above, below, spacing=6)


# --- what vl-convert leaves to be done ----------------------------------------------------------

_UP, _DOWN = "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2", "M0,0 l6,6 M-1,5 l2,2 M5,-1 l2,2"
_PATTERNS: Final = {
    "#000003": f'<path d="{_UP}" stroke="black" stroke-width="1.1"/>',
    "#000004": '<circle cx="3" cy="3" r="1.1" fill="black"/>',
    "#000005": f'<path d="{_UP} {_DOWN}" stroke="black" stroke-width="0.8"/>',
    "#000006": '<path d="M0,3 l6,0" stroke="black" stroke-width="1.2"/>',
}


def _finished(svg: str, picture: Picture) -> str:
    """Hatching for the fills that stand for it, words for those who do not see it, and names that
    are its own."""
    name = picture.name
    patterns = ""
    for fill, drawn in _PATTERNS.items():
        if fill in svg:
            key = f"{name}-hatch{fill[-1]}"
            svg = svg.replace(f'fill="{fill}"', f'fill="url(#{key})"')
            patterns += (
                f'<pattern id="{key}" width="6" height="6" patternUnits="userSpaceOnUse">'
                f'<rect width="6" height="6" fill="white"/>{drawn}</pattern>'
            )
    svg = re.sub(r"\b(clip|gradient_)(\d+)\b", rf"{name}-\1\2", svg)
    svg = re.sub(r' (?:aria-[a-z]+|role)="[^"]*"', "", svg)
    svg = svg.replace(f'font-family="{FONT}"', f'font-family="{FAMILIES}"')
    head = re.match(r"<svg\b([^>]*)>", svg)
    if head is None:
        raise AssertionError("vl-convert made no SVG")
    words = (
        f'<title id="{name}-title">{escape(picture.title)}</title><desc '
        f'id="{name}-desc">{escape(picture.alt)}</desc>'
    )
    defs = f"<defs>{patterns}</defs>" if patterns else ""
    labelled = f'<svg{head[1]} role="img" aria-labelledby="{name}-title {name}-desc">'
    return labelled + words + defs + svg[head.end() :] + "\n"


_RESOURCES: Final = re.compile(rb"<<\n((?:[ \t]*/[A-Za-z]+[0-9]+ [^\n<>]*\n){2,})")


def _in_order(pdf: bytes) -> bytes:
    """The PDF with the entries of its resources in order, which svg2pdf writes as they come; no
    offset changes."""

    def ordered(match: re.Match[bytes]) -> bytes:
        return b"<<\n" + b"".join(sorted(match[1].splitlines(keepends=True)))

    return _RESOURCES.sub(ordered, pdf)
