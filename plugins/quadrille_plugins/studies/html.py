"""A study as one file of HTML: rule sets with their sources, what was found, pictures with their
numbers, the manifest.

The file needs no network and runs no script.  What comes from data is escaped; the same study is
the same bytes.
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.blocks import Block, Table
from quadrille_plugins.shell.cells import csv_text
from quadrille_plugins.shell.values import (
    Json,
    filled_text,
    identity_text,
    names_beside,
    short_title,
)
from quadrille_plugins.studies.manifest import manifest_text
from quadrille_plugins.studies.picture import Picture

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""What a browser may fetch for the report: nothing."""
MOST_ROWS: Final = 2000
"""Rows of a table that is shown; the files to download have all."""
SHORT: Final = 12
"""Rows of a table that is not broken between two sheets of paper."""
LONG: Final = 30
"""Rows from which on a table has a height of its own on a screen."""

STYLE: Final = """
:root { --ink: #1a1a1a; --paper: #fff; --rule: #b5b5b5; --soft: #f1f1ef; --link: #00468b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9e9e6; --paper: #16171a; --rule: #5c5f66; --soft: #24262b; --link: #9cc7ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink);
  font: 1rem/1.5 Georgia, 'Times New Roman', serif; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; border-bottom: 1px solid var(--rule);
  padding-bottom: .25rem; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, .code { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: .85em;
  overflow-wrap: anywhere; }
p.block { white-space: pre-wrap; overflow-wrap: anywhere; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.scroll { overflow: auto; margin: .5rem 0 1rem; }
.long { max-height: 36rem; }
table { border-collapse: collapse; font: .85rem/1.35 Arial, Helvetica, sans-serif;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding: .25rem 0; }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule);
  white-space: pre-wrap; overflow-wrap: break-word; min-width: 3rem; }
thead th { border-bottom: 2px solid var(--ink); background: var(--paper); position: sticky;
  top: 0; }
tbody th { font-weight: normal; }
td.number, th.number { text-align: right; white-space: nowrap; }
figure { margin: 1rem 0 2rem; }
.drawn { background: #fff; border: 1px solid var(--rule); padding: .5rem; overflow-x: auto; }
.drawn svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
figcaption { margin-top: .5rem; font-size: .92rem; }
@media print {
  :root { --ink: #000; --paper: #fff; --rule: #888; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .download { display: none; }
  .scroll { overflow: visible; }
  .long { max-height: none; }
  thead th { position: static; }
  figure, tr, .short { break-inside: avoid; }
  h2, h3, caption { break-after: avoid; }
}
"""


def html_report(
    *,
    title: str,
    compiled: Sequence[Compiled],
    blocks: Sequence[Block],
    pictures: Sequence[tuple[Picture, str]],
    manifest: Json,
) -> str:
    """The report of a study.

    ``blocks`` is what is printed for a person, the answer first; each picture comes with its SVG,
    which must be that of ``studies.pictures``.
    """
    sections = [
        ("found", "What was found", _found(blocks)),
        (
            "pictures",
            "Pictures",
            [part for picture, svg in pictures for part in _figure(picture, svg)],
        ),
        ("rules", "Rule sets and their sources", _rules(compiled)),
        ("manifest", "How to run it again", _manifest(manifest)),
    ]
    shown = [(name, head, parts) for name, head, parts in sections if parts]
    links = "".join(f'<li><a href="#{name}">{escape(head)}</a></li>' for name, head, _ in shown)
    program = f"{manifest['program']['name']} {manifest['program']['version']}"
    state = (
        ""
        if manifest["finished"]
        else " The study was interrupted: these are the parts that were finished."
    )
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{escape(title)}</h1>",
        (
            f"<p>A study by <code>quadrille {escape(manifest['command'])}</code>, "
            f"{escape(program)}.{state}</p></header>"
        ),
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>',
        "<main>",
    ]
    for name, head, body in shown:
        parts += [
            f'<section id="{name}" aria-labelledby="{name}-head">',
            f'<h2 id="{name}-head">{escape(head)}</h2>',
        ]
        parts += [*body, "</section>"]
    return "\n".join([*parts, "</main>", "</body>", "</html>", ""])


# --- parts --------------------------------------------------------------------------------------


def _found(blocks: Sequence[Block]) -> list[str]:
    parts = []
    for block in blocks:
        if isinstance(block, Table):
            parts += _table(block.title, block.columns, block.rows, block.right)
        elif block.text:
            parts.append(f'<p class="block">{escape(block.text)}</p>')
    return parts


def _table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Iterable[str] = ()
) -> list[str]:
    """A table that can be scrolled by keyboard; the first column heads its rows."""
    numbers = [c in frozenset(right) for c in columns]
    heads = "".join(
        f'<th scope="col"{_number(n)}>{escape(c) or "<span>&nbsp;</span>"}</th>'
        for c, n in zip(columns, numbers, strict=True)
    )
    short = " short" if len(rows) <= SHORT else ""
    parts = [
        (
            f'<div class="scroll{short}" role="region" tabindex="0" '
            f'aria-label="{escape(title or columns[0])}">'
        ),
        "<table>",
    ]
    if title:
        parts.append(f"<caption>{escape(title)}</caption>")
    parts += [f"<thead><tr>{heads}</tr></thead>", "<tbody>"]
    for row in rows[:MOST_ROWS]:
        cells = [
            f'<th scope="row"{_number(n)}>{escape(cell)}</th>'
            if i == 0
            else f"<td{_number(n)}>{escape(cell)}</td>"
            for i, (cell, n) in enumerate(zip(row, numbers, strict=True))
        ]
        parts.append(f"<tr>{''.join(cells)}</tr>")
    parts += ["</tbody>", "</table>", "</div>"]
    if len(rows) > MOST_ROWS:
        parts.append(f"<p>{len(rows) - MOST_ROWS} further rows are in the files to download.</p>")
    return parts


def _number(wanted: bool) -> str:
    return ' class="number"' if wanted else ""


def _figure(picture: Picture, svg: str) -> list[str]:
    """A picture, what it shows in words, and the numbers behind it: shown, and to be downloaded."""
    columns, rows = picture.table()
    caption = escape(picture.alt) + (f" {escape(picture.caption)}" if picture.caption else "")
    files = [
        _download(f"{picture.name}.csv", "text/csv", csv_text(columns, rows), "the numbers as CSV"),
        _download(f"{picture.name}.svg", "image/svg+xml", svg, "the picture as SVG"),
    ]
    heads = {"label": picture.label, "series": picture.series, "x": picture.label}
    titles = [heads.get(c) or c for c in columns]
    right = [t for c, t in zip(columns, titles, strict=True) if c not in ("label", "series")]
    told = [[_cell(v) for v in row] for row in rows]
    return [
        f"<h3>{escape(picture.title)}</h3>",
        f'<figure aria-labelledby="{picture.name}-caption">',
        f'<div class="drawn">{svg.strip()}</div>',
        f'<figcaption id="{picture.name}-caption">{caption}</figcaption>',
        "</figure>",
        *_table(f"The numbers behind it: {picture.value}", titles, told, right),
        f'<p class="download">Download: {", ".join(files)}.</p>',
    ]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}".replace("-", "−")
    return "–" if value is None else str(value)


def _download(name: str, kind: str, text: str, words: str) -> str:
    data = b64encode(text.encode("utf-8")).decode("ascii")
    return (
        f'<a download="{escape(name)}" '
        f'href="data:{kind};charset=utf-8;base64,{data}">{escape(words)}</a>'
    )


def _rules(compiled: Sequence[Compiled]) -> list[str]:
    rows = [
        (name, c.heading, identity_text(c.identity) + filled_text(c), c.identity.digest)
        for name, c in zip(names_beside(compiled), compiled, strict=True)
    ]
    parts = _table("Rule sets", ("", "title", "named", "digest"), rows)
    parts += _table("Points in dispute, and the reading in use", _POINTS, _points(compiled))
    cited = {
        cite.source
        for c in compiled
        for origin in c.origins.values()
        for cite in origin.link.citations
        if cite.source
    }
    sources = {s: c.sources[s] for c in compiled for s in sorted(cited) if s in c.sources}
    listed = [(s.id, short_title(s)) for s in sources.values()]
    return parts + (_table("Sources", ("source", "what it is"), listed) if listed else [])


_POINTS: Final = ("rule set", "question", "reading", "attested by")


def _points(compiled: Sequence[Compiled]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, c in zip(names_beside(compiled), compiled, strict=True):
        for state in c.points:
            attested = ", ".join(state.reading.witnesses) or state.reading.status
            by = f"{state.absence}: filled in" if state.absence else attested
            rows.append((name, state.point.question, state.reading.title or state.reading.id, by))
    return rows


def _manifest(manifest: Json) -> list[str]:
    asked = [(name, _asked(value)) for name, value in manifest["parameters"].items()]
    text = manifest_text(manifest)
    again = (
        "Save the manifest, and <code>quadrille rerun manifest.json</code> finds the same "
        "numbers to the byte, or "
    )
    link = _download("manifest.json", "application/json", text, "the manifest as JSON")
    return [
        f"<p>{again}names the first thing that differs.</p>",
        f'<p class="download">Download: {link}.</p>',
        *_table("What the study was asked", ("parameter", "value"), asked),
        (
            f"<p>SHA-256 of the results: <span "
            f'class="code">{escape(manifest["results_sha256"])}</span></p>'
        ),
    ]


def _asked(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(v) for v in value) or "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
