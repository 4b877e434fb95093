"""A rulebook as one file of HTML: no network, no script, print and dark styles; everything from
data is escaped."""

from collections.abc import Iterator
from html import escape
from itertools import count
from typing import Final

from quadrille_plugins.rulebook.page import Block, Page, Piece

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a browser may fetch for the page: nothing."""

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c1a17; --paper: #fffdf8; --rule: #b9b1a3;
  --link: #00468b;
  --differs: #fdf0c4; --other: #5c4a00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ebe7de; --paper: #17161a; --rule: #625d55; --link: #9cc7ff; --differs: #3d3413;
    --other: #f0d98a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 40rem; padding: 1.5rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink);
  font: 1.0625rem/1.55 Georgia, 'Times New Roman', serif; overflow-wrap: break-word; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .5rem; border-bottom: 1px solid var(--rule);
  padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .6rem 0; }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
sup { font: .7rem/1 Arial, Helvetica, sans-serif; }
sup a { padding: 0 .15rem; text-decoration: none; }
.named, code { font: .8rem/1.4 'DejaVu Sans Mono', Menlo, Consolas, monospace;
  overflow-wrap: anywhere; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem;
  font-size: .95rem; }
.scroll { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .95em; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-style: italic; padding: .25rem 0; }
th, td { padding: .2rem .9rem .2rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
tbody th { font-weight: normal; }
ins { background: var(--differs); text-decoration: none; border-left: 3px solid var(--other);
  padding-left: .3rem; }
del { color: var(--other); }
.notes { font-size: .85rem; line-height: 1.4; padding-left: 2rem; }
.notes :target { background: var(--differs); }
.sheet { max-width: 52rem; }
@page { margin: 1.5cm; }
@media print {
  :root { --ink: #000; --paper: #fff; --rule: #888; --link: #000; --differs: #fff; --other: #000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  body.sheet { font-size: 8.5pt; line-height: 1.22; }
  body.sheet h1 { font-size: 14pt; }
  body.sheet header p { margin: 0; }
  body.sheet main { columns: 2; column-gap: 1cm; }
  body.sheet main section:first-child { column-span: all; }
  body.sheet h2 { margin: .6rem 0 .2rem; font-size: 11pt; }
  body.sheet p, body.sheet .scroll { margin: .3rem 0; }
  body.sheet th, body.sheet td { padding: .1rem .5rem .1rem 0; }
  ins { border-left: 0; padding: 0; text-decoration: underline; }
  nav { display: none; }
  .scroll { overflow: visible; }
  tr, li { break-inside: avoid; }
  h2, h3, caption { break-after: avoid; }
}
"""


def as_html(page: Page) -> str:
    """The page as a whole document."""
    title = escape(page.title)
    chapters = list(page.chapters())
    links = "".join(
        f'<li><a href="#s{n}">{escape(one.title)}</a></li>' for n, one in enumerate(chapters, 1)
    )
    parts = [
        f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body{' class="sheet"' * page.short}>
<header><h1>{title}</h1>
<p class="named">{escape(page.named)}</p>"""
    ]
    if page.other:
        parts.append(f"<p>What differs from {escape(page.other)} is <ins>marked</ins>.</p>")
    parts.append("</header>")
    if not page.short:
        parts.append(f'<nav aria-label="Contents"><ul>{links}</ul></nav>')
    parts.append("<main>")
    tables = count(1)
    for n, chapter in enumerate(chapters, 1):
        parts.append(f'<section id="s{n}" aria-labelledby="h{n}">')
        parts.append(f'<h2 id="h{n}">{escape(chapter.title)}</h2>')
        parts += [line for block in chapter.blocks for line in _block(block, tables)]
        parts.append("</section>")
    cite = [f'<p class="named">{escape(page.cite)}</p>'] if page.cite else []
    return "\n".join([*parts, *cite, "</main>", "</body>", "</html>", ""])


def _note(piece: Piece) -> str:
    n = piece.note
    return f'<sup><a href="#note-{n}" aria-label="note {n}">{n}</a></sup>' if n else ""


def _marked(text: str, *, differs: bool) -> str:
    return f"<ins>{escape(text)}</ins>" if differs else escape(text)


def _block(block: Block, tables: Iterator[int]) -> Iterator[str]:
    label = escape(block.head)
    if block.columns:
        yield from _table(block, label, next(tables))
    elif block.is_list:
        numbered = any(piece.note for piece in block.pieces)
        tag = "ol" if numbered else "ul"
        yield f'<{tag} class="notes">'
        for piece in block.pieces:
            place = f' id="note-{piece.note}" value="{piece.note}"' if numbered else ""
            yield f"<li{place}>{escape(piece.text)}</li>"
        yield f"</{tag}>"
    else:
        head = f"<strong>{label}.</strong> " if label else ""
        body = " ".join(
            " ".join(_marked(s.text, differs=s.differs) for s in p.spans) + _note(p)
            for p in block.pieces
        )
        yield f"<p>{head}{body}</p>"


def _table(block: Block, label: str, number: int) -> Iterator[str]:
    name = f"Table {number}: {label or escape(block.columns[0])}"
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{name}">\n<table>'
    yield f"<caption>{label}</caption>" if label else ""
    heads = "".join(
        f'<th scope="col">{escape(c)}</th>' if c else "<td></td>" for c in block.columns
    )
    yield f"<thead><tr>{heads}</tr></thead>\n<tbody>"
    for piece in block.pieces:
        first, *rest = (_marked(cell, differs=piece.differs) for cell in piece.cells)
        cells = "".join(f"<td>{cell}</td>" for cell in rest)
        yield f'<tr><th scope="row">{first}{_note(piece)}</th>{cells}</tr>'
    yield "</tbody>\n</table>\n</div>"
