"""A rulebook as one file of HTML: no network, no script, print and dark styles; everything from
data is escaped."""

from collections.abc import Iterator
from html import escape
from typing import Final

from quadrille_plugins.rulebook.changes import Difference
from quadrille_plugins.rulebook.notes import NOTES_KEY
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
    heads = [s.title for s in page.sections]
    heads += (
        ["Examples"] * bool(page.examples)
        + ["Differences"] * (bool(page.other) and not page.short)
        + ["Notes"] * bool(page.notes)
    )
    links = "".join(
        f'<li><a href="#s{n}">{escape(head)}</a></li>' for n, head in enumerate(heads, 1)
    )
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(page.title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        '<body class="sheet">' if page.short else "<body>",
        f"<header><h1>{escape(page.title)}</h1>",
        f'<p class="named">{escape(page.named)}</p>',
    ]
    if page.other:
        listed = "" if page.short else ", and listed below under Differences"
        parts.append(f"<p>What differs from {escape(page.other)} is <ins>marked</ins>{listed}.</p>")
    parts.append("</header>")
    if not page.short:
        parts.append(f'<nav aria-label="Contents"><ul>{links}</ul></nav>')
    parts.append("<main>")
    for n, (head, body) in enumerate(_bodies(page), 1):
        parts += [
            f'<section id="s{n}" aria-labelledby="h{n}">',
            f'<h2 id="h{n}">{escape(head)}</h2>',
            *body,
            "</section>",
        ]
    cite = [f'<p class="named">{escape(page.cite)}</p>'] if page.cite else []
    return "\n".join([*parts, *cite, "</main>", "</body>", "</html>", ""])


def _bodies(page: Page) -> Iterator[tuple[str, list[str]]]:
    for section in page.sections:
        yield section.title, [line for block in section.blocks for line in _block(block)]
    if page.examples:
        yield "Examples", list(_examples(page))
    if page.other and not page.short:
        rows = [f"<li>{_difference(d)}</li>" for d in page.differences]
        key = (
            "<p><del>Struck out</del>: what the other rule set says. <ins>Marked</ins>: what "
            "this one says.</p>"
        )
        yield "Differences", [key, "<ul>", *rows, "</ul>"] if rows else ["<p>None.</p>"]
    if page.notes:
        items = [
            f'<li id="note-{number}" value="{number}">{escape(text)}.</li>'
            for number, text in page.notes
        ]
        sources = [f"<li>{escape(name)}: {escape(title)}</li>" for name, title in page.sources]
        listed = ["<h3>Sources</h3>", '<ul class="notes">', *sources, "</ul>"] if sources else []
        yield "Notes", [f"<p>{NOTES_KEY}</p>", '<ol class="notes">', *items, "</ol>", *listed]


def _examples(page: Page) -> Iterator[str]:
    for one in page.examples:
        yield f"<h3>{escape(one.title)}</h3>"
        yield from (f"<p>{escape(text)}</p>" for text in one.told)
        yield "<ul>"
        yield from (f"<li>{escape(text)}</li>" for text in one.payments)
        yield "</ul>"
        yield f"<p>Card by card: <code>{escape(one.command)}</code></p>"


def _note(piece: Piece) -> str:
    if not piece.note:
        return ""
    return (
        f'<sup><a href="#note-{piece.note}" aria-label="note {piece.note}">{piece.note}</a></sup>'
    )


def _difference(d: Difference) -> str:
    where = escape(f"{d.section}, {d.about}" if d.about else d.section)
    if not d.mine or not d.theirs:
        return (
            f"{where}; only there: {escape(d.theirs)}"
            if d.theirs
            else f"{where}; only here: <ins>{escape(d.mine)}</ins>"
        )
    parts = []
    for run in d.runs:
        if run.old == run.new:
            parts.append(escape(run.new))
            continue
        parts += [
            f"<{tag}>{escape(text)}</{tag}>"
            for tag, text in (("del", run.old), ("ins", run.new))
            if text
        ]
    return f"{where}: {' '.join(parts)}"


def _marked(text: str, *, differs: bool) -> str:
    return f"<ins>{escape(text)}</ins>" if differs else escape(text)


def _block(block: Block) -> Iterator[str]:
    if not block.columns:
        head = f"<strong>{escape(block.head)}.</strong> " if block.head else ""
        body = " ".join(
            " ".join(_marked(s.text, differs=s.differs) for s in p.spans) + _note(p)
            for p in block.pieces
        )
        yield f"<p>{head}{body}</p>"
        return
    label = escape(block.head or block.columns[0])
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
    yield "<table>"
    if block.head:
        yield f"<caption>{label}</caption>"
    heads = "".join(f'<th scope="col">{escape(c)}</th>' for c in block.columns)
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for piece in block.pieces:
        first = (
            f'<th scope="row">{_marked(piece.cells[0], differs=piece.differs)}{_note(piece)}</th>'
        )
        rest = "".join(
            f"<td>{_marked(cell, differs=piece.differs)}</td>" for cell in piece.cells[1:]
        )
        yield f"<tr>{first}{rest}</tr>"
    yield "</tbody>"
    yield "</table>"
    yield "</div>"
