"""The documented dependencies of texts: who copies, translates or reports whom, as a list and as a
drawn graph.

Only what the bibliography records with its evidence is here.  Nothing is inferred from the likeness
of rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_core.installation import install_hint
from quadrille_core.profile.records import Source

HOW: Final[Mapping[str, tuple[str, tuple[int, int]]]] = {
    "copies": ("copies", (1, 0)),
    "translates": ("translates", (8, 3)),
    "shared-error": ("shares errors with", (4, 3)),
    "conjecture": ("descends, by conjecture, from", (1, 3)),
    "reports": ("reports (not seen)", (12, 2)),
}
"""Each kind of dependency in words, and the dashes it is drawn with."""
_WIDE, _HIGH, _BOX, _LETTER = 220, 90, 34, 7


@frozen
class Dependency:
    """One text that rests on another."""

    text: str
    how: str
    """One of ``HOW``."""
    source: str
    """The text that it rests on."""
    evidence: str
    at: str
    """The places that descend so, as a pattern of how they are cited; empty for all."""
    places: str = ""
    """The same places in words; empty where the bibliography has none."""


def dependencies(texts: Iterable[str], shelf: Mapping[str, Source]) -> list[Dependency]:
    """What these texts, and those that they rest on, rest on."""
    found: list[Dependency] = []
    waiting, seen = list(dict.fromkeys(texts)), set[str]()
    while waiting:
        name = waiting.pop(0)
        if name in seen or name not in shelf:
            continue
        seen.add(name)
        source = shelf[name]
        own = [
            Dependency(
                name, d["how"], d["from"], d["evidence"], d.get("at", ""), d.get("places", "")
            )
            for d in source.descends
        ]
        if source.of:
            own.append(Dependency(name, "reports", source.of, "it says so itself", ""))
        found += own
        waiting += [d.source for d in own]
        if source.via:
            waiting.append(source.via)
    return found


def drawn(texts: Sequence[str], shelf: Mapping[str, Source]) -> str:
    """The graph as SVG: the text that others rest on above them; raises UsageError without the
    ``report`` extra."""
    if any(find_spec(name) is None for name in ("altair", "vl_convert")):
        raise UsageError.of("graph-without-altair", how=install_hint("report"))
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart(texts, dependencies(texts, shelf), shelf))
    return svg + "\n"


def places(texts: Sequence[str], edges: Sequence[Dependency]) -> dict[str, tuple[int, int]]:
    """Column and row of every text: each below all that it rests on, and those that stand alone in
    the last row."""
    names = list(
        dict.fromkeys([*texts, *(name for edge in edges for name in (edge.text, edge.source))])
    )
    rests = {name: [e.source for e in edges if e.text == name] for name in names}

    def depth(name: str, above: frozenset[str] = frozenset()) -> int:
        parents = [one for one in rests[name] if one not in above]
        return 1 + max(depth(one, above | {name}) for one in parents) if parents else 0

    joined = {name for edge in edges for name in (edge.text, edge.source)}
    rows = {name: depth(name) for name in names if name in joined}
    last = max(rows.values(), default=-1) + 1
    rows |= dict.fromkeys((name for name in names if name not in joined), last)
    columns: dict[str, tuple[int, int]] = {}
    for row in range(last + 1):
        here = [name for name in names if rows[name] == row]
        taken: set[int] = set()
        wanted = {n: [columns[p][0] for p in rests[n] if p in columns] for n in here}
        for name in sorted(
            here,
            key=lambda n: (sum(wanted[n]) / len(wanted[n]) if wanted[n] else 99, names.index(n)),
        ):
            column = round(sum(wanted[name]) / len(wanted[name])) if wanted[name] else 0
            while column in taken:
                column += 1
            taken.add(column)
            columns[name] = (column, row)
    return columns


def chart(
    texts: Sequence[str], edges: Sequence[Dependency], shelf: Mapping[str, Source]
) -> dict[str, Any]:
    """The graph in Vega-Lite: boxes below what they rest on, lines by kind, the kinds below."""
    alt: Any = import_module("altair")
    at = places(texts, edges)

    def x(name: str) -> int:
        return at[name][0] * _WIDE

    def y(name: str) -> int:
        return at[name][1] * _HIGH

    own = set(texts)
    boxes = [
        {
            "label": _label(name, shelf),
            "left": x(name) - _half(_label(name, shelf)),
            "right": x(name) + _half(_label(name, shelf)),
            "top": y(name) - _BOX / 2,
            "bottom": y(name) + _BOX / 2,
            "x": x(name),
            "y": y(name),
            "seen": name in own,
        }
        for name in at
    ]
    wide = max(column for column, _ in at.values()) * _WIDE + _WIDE
    high = max(row for _, row in at.values()) * _HIGH + _HIGH
    across = alt.Scale(domain=[-_WIDE / 2, wide - _WIDE / 2], nice=False)
    down = alt.Scale(domain=[high - _HIGH / 2, -_HIGH / 2], nice=False)
    used = [how for how in HOW if any(edge.how == how for edge in edges)]
    layers = []
    if edges:
        lines = [
            {
                "x": x(e.text),
                "y": y(e.text) - _BOX / 2,
                "x2": x(e.source),
                "y2": y(e.source) + _BOX / 2,
                "how": HOW[e.how][0],
            }
            for e in edges
        ]
        layers.append(
            alt.Chart(alt.Data(values=lines))
            .mark_rule(color="black", strokeWidth=1.2)
            .encode(
                x=alt.X("x:Q", scale=across, axis=None),
                y=alt.Y("y:Q", scale=down, axis=None),
                x2="x2:Q",
                y2="y2:Q",
                strokeDash=alt.StrokeDash(
                    "how:N",
                    scale=alt.Scale(
                        domain=[HOW[h][0] for h in used], range=[list(HOW[h][1]) for h in used]
                    ),
                    legend=alt.Legend(
                        title="the lower text",
                        orient="bottom",
                        labelLimit=400,
                        columnPadding=60,
                        symbolType="stroke",
                        symbolSize=1500,
                        symbolStrokeWidth=1.2,
                    ),
                ),
            )
        )
    marks = alt.Chart(alt.Data(values=boxes))
    layers += [
        marks.mark_rect(fill="white", stroke="black").encode(
            x=alt.X("left:Q", scale=across, axis=None),
            x2="right:Q",
            y=alt.Y("top:Q", scale=down, axis=None),
            y2="bottom:Q",
            strokeWidth=alt.condition("datum.seen", alt.value(1.5), alt.value(0.6)),
        ),
        marks.mark_text(color="black", fontSize=11).encode(
            x=alt.X("x:Q", scale=across, axis=None),
            y=alt.Y("y:Q", scale=down, axis=None),
            text="label:N",
        ),
    ]
    title = "Documented dependencies of the texts; thin frames: not seen, or not asked for"
    made: dict[str, Any] = (
        alt.layer(*layers)
        .properties(
            width=wide,
            height=high,
            title=alt.TitleParams(title, anchor="start", fontWeight="normal"),
        )
        .configure(font="Liberation Sans", background="white", padding=10)
        .configure_view(stroke=None)
        .to_dict()
    )
    return made


def _label(name: str, shelf: Mapping[str, Source]) -> str:
    """The name of a text, with its year where that is known and not in the name."""
    year = shelf[name].year if name in shelf else None
    return name if year is None or name.endswith(str(year)) else f"{name} ({year})"


def _half(label: str) -> float:
    """Half the width of a box, with room for the wider letters of another font."""
    return (len(label) * _LETTER + 20) / 2
