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
LONG = "what the adversaries win in sum"


def of_kind(kind):
    """A picture whose labels, title and axes are long."""
    x = {"x": 1.0} if kind == "curve" else {}
    rows = [
        PlotMark(label=LONG, series=f"{LONG} {n}", value=n + 1, low=n, high=n + 2, **x)
        for n in range(2)
    ]
    if kind == "curve":
        rows += [PlotMark(label="", value=1.0, low=0.0, high=2.0, x=1.0)]
    return Picture(
        name="wide",
        title="What each is paid in a session " * 2,
        alt="a",
        kind=kind,
        rows=tuple(rows),
        value="counters a session " * 3,
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
    """Of the shipped pictures, and of one of each kind with long labels."""
    if CHROMIUM is None:
        assert "NEEDS_CHROMIUM" not in os.environ, "set by .ci/run, which installs it"
        pytest.skip("no Chromium is installed here to measure with")
    svg = svg_of(of_kind(source)) if source in KINDS else (ROOT / source).read_text("utf-8")
    assert cut_off(svg, tmp_path) == []
