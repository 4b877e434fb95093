"""No label of a picture is cut off: measured in a browser that has neither the picture's font nor
Arial."""

import html
import json
import os
import re
import shutil
import subprocess

import pytest
from documents import ROOT
from quadrille_plugins.studies.picture import KINDS, Picture, PlotMark
from quadrille_plugins.studies.picture_room import text_width, with_room
from quadrille_plugins.studies.pictures import svg_of

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
MEASURE = """<script>
const edges = document.querySelector('svg').getBoundingClientRect(), found = [];
for (const text of document.querySelectorAll('svg text')) {
  if (!text.textContent.trim()) continue;
  const box = text.getBoundingClientRect();
  found.push([text.textContent, box.left - edges.left, box.top - edges.top, edges.right - box.right,
              edges.bottom - box.bottom]);
}
const told = document.createElement('pre'); told.id = 'told'; told.textContent = JSON.stringify(found);
document.body.append(told);
</script>"""
WIDEST = "W" * 20 + " " + "m" * 13
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50">'
    '<rect width="100" height="50" fill="white"/><g transform="translate(40,20)">{}</g></svg>'
)


def of_kind(kind):
    """A picture whose labels, title and axes are of the widest letters."""
    x = {"x": 1.0} if kind in ("lines", "curve") else {}
    rows = [
        PlotMark(label=WIDEST, series=f"{WIDEST} {n}", value=n + 1, low=n, high=n + 2, **x)
        for n in range(2)
    ]
    if kind == "curve":
        rows += [PlotMark(label="", value=1.0, low=0.0, high=2.0, x=1.0)]
    return Picture(
        name="wide",
        title="MWMW " * 12,
        alt="a",
        kind=kind,
        rows=tuple(rows),
        value="WMWM " * 12,
        label="x",
        series="s",
    )


def cut_off(svg, folder):
    """The labels that reach beyond the edges of the picture in the browser."""
    page = folder / "page.html"
    style = "<style>text { font-family: 'DejaVu Sans' !important }</style>"
    page.write_text(f"<!DOCTYPE html><meta charset=utf-8>{style}<body>{svg}{MEASURE}", "utf-8")
    line = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--dump-dom",
        f"--user-data-dir={folder / 'own'}",
    ]
    done = subprocess.run(
        [*line, page.as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    told = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
    assert told, done.stderr
    found = json.loads(html.unescape(told[1]))
    assert found, "the picture has labels"
    return [label for label, *room in found if min(room) < 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", [*(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.svg")), *KINDS]
)
def test_no_label_is_cut_off_in_a_browser_without_the_font(source, tmp_path):
    """Of the shipped pictures, and of one of each kind with the widest letters."""
    if CHROMIUM is None:
        assert "NEEDS_CHROMIUM" not in os.environ, "set by .ci/run, which installs it"
        pytest.skip("no Chromium is installed here to measure with")
    svg = svg_of(of_kind(source)) if source in KINDS else (ROOT / source).read_text("utf-8")
    assert cut_off(svg, tmp_path) == []


@pytest.mark.parametrize(
    ("label", "wanted"),
    [
        ('<text font-size="10px">Wi</text>', "0 0 100 50"),
        ('<text text-anchor="end" font-size="10px">WWWWW</text>', "-14 0 114 50"),
        ('<text font-size="10px">WWWWWWW</text>', "0 0 114 50"),
        ('<text transform="rotate(-90)" font-size="10px">WWW</text>', "0 -14 100 64"),
        ('<text font-size="10px">a<tspan x="0" dy="40">b</tspan></text>', "0 0 100 67"),
    ],
)
def test_an_edge_moves_outwards_where_a_label_would_reach_beyond_it_and_nowhere_else(label, wanted):
    moved = with_room(SVG.format(label))
    assert f'viewBox="{wanted}"' in moved
    assert with_room(moved) == moved
    assert (moved == SVG.format(label)) == (wanted == "0 0 100 50")


def test_a_character_of_unknown_width_is_taken_for_the_widest():
    assert text_width("é", 10) == 10 > text_width("e", 10)
