"""Pictures and the report of a study: what is drawn can be read, printed, heard, downloaded and
checked."""

import base64
import csv
import io
import json
import re
import sys
from dataclasses import replace
from xml.etree import ElementTree as Tree

import pytest
from quadrille_plugins.shell.blocks import Text
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import pictures
from quadrille_plugins.studies.html import html_report
from quadrille_plugins.studies.manifest import make_manifest
from quadrille_plugins.studies.picture import KINDS, Picture, PlotMark, distinct
from quadrille_plugins.studies.study_pictures import comparison_pictures, odds_pictures

from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.ruleset import compile_reference

html5lib = pytest.importorskip("html5lib")
pytest.importorskip("altair")
pytest.importorskip("vl_convert")

NASTY = "</script><b>\"&'é ♠ ]]> {datum.value} " + "long words " * 8
SVG = "{http://www.w3.org/2000/svg}"


def picture(kind="intervals", series=("A", "B"), labels=("Hombre", "ally"), **more):
    rows = tuple(
        PlotMark(
            label=label,
            series=s,
            value=i - 0.5,
            low=i - 1.0,
            high=i + 0.25,
            x=float(i) if kind == "curve" else None,
        )
        for i, label in enumerate(labels)
        for s in series
    )
    if kind == "curve":  # the values above, and the choices below them
        rows = (*(replace(m, label="", series="") for m in rows), *rows)
    given = {
        "name": f"a-{kind}",
        "title": "A title",
        "alt": "What is seen.",
        "value": "counters a deal",
    }
    return Picture(**{**given, "kind": kind, "rows": rows, **more})


def read(svg: str) -> Tree.Element:
    return Tree.fromstring(svg)  # noqa: S314 - what was drawn here


def texts(svg: str) -> list[str]:
    return [t.text or "" for t in read(svg).iter(f"{SVG}text")]


# --- pictures as data -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": ()}, "shows nothing"),
        ({"name": "../up"}, "no name of a picture"),
        ({"name": ""}, "no name of a picture"),
        ({"kind": "pie"}, "no kind of picture"),
        ({"kind": "curve", "rows": (PlotMark(value=1),)}, "x is given for curves"),
        ({"rows": (PlotMark(value=1, x=2.0),)}, "x is given for curves"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        picture(**change)


def test_half_an_interval_is_refused():
    with pytest.raises(ValueError, match="two ends"):
        PlotMark(label="a", value=1, low=0.5)


def test_two_pictures_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two pictures are called a-bars"):
        distinct([picture("bars"), picture("bars")])


def test_the_numbers_behind_a_picture_leave_out_empty_columns():
    shown = Picture(
        name="n", title="t", alt="a", kind="bars", value="v", rows=(PlotMark(label="x", value=1),)
    )
    assert shown.table() == (("label", "value"), (("x", 1),))


# --- pictures drawn -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_says_in_words_what_it_shows_and_names_all_its_series(kind):
    drawn = pictures.svg_of(picture(kind, series=("first", "second", "third")))
    root = read(drawn)
    assert root.get("role") == "img"
    ids = {e.get("id"): e.text for e in root.iter() if e.get("id")}
    assert [ids[i] for i in root.get("aria-labelledby").split()] == ["A title", "What is seen."]
    named = (
        {"Hombre", "ally"} if kind == "curve" else {"first", "second", "third"}
    )  # a curve's choices are its rows
    assert {*named, "A title", "counters a deal"} <= set(texts(drawn))
    assert not [e for e in root.iter() if e is not root and (e.get("role") or e.get("aria-label"))]
    assert all(i.startswith(f"a-{kind}-") for i in ids)


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_drawn_without_colour(kind):
    drawn = pictures.svg_of(picture(kind, series=tuple("ABCDEF")))
    colours = set(
        re.findall(r"#[0-9a-fA-F]{3,6}\b", re.sub(r"url\(#[^)]*\)|id=\"[^\"]*\"", "", drawn))
    )
    whole = {c[1:] if len(c) == 7 else "".join(2 * d for d in c[1:]) for c in colours}
    assert all(c[0:2] == c[2:4] == c[4:6] for c in whole), colours
    named = set(re.findall(r'(?:fill|stroke)="([a-z]+)"', drawn))
    assert named <= {"black", "white", "none", "transparent", "gray"}


def test_six_series_of_bars_look_different_without_colour():
    drawn = pictures.svg_of(picture("bars", series=tuple("ABCDEF"), labels=("one",)))
    fills = set(re.findall(r'fill="(url\(#a-bars-hatch\d\)|#b4b4b4|#ffffff)"', drawn))
    assert len(fills) == 6
    used = {f[5:-1] for f in fills if f.startswith("url")}
    assert used == set(re.findall(r'<pattern id="([^"]+)"', drawn))


def test_more_series_than_look_apart_are_named_at_their_rows():
    drawn = pictures.svg_of(picture("intervals", series=tuple("ABCDEFGH"), labels=("Hombre",)))
    assert {f"Hombre: {s}" for s in "ABCDEFGH"} <= set(texts(drawn))


def test_words_of_any_kind_are_escaped_and_long_ones_broken_in_lines():
    drawn = pictures.svg_of(
        picture("bars", labels=(NASTY, "b"), title=NASTY, alt=NASTY, series=(NASTY, "s"))
    )
    root = read(drawn)
    assert root.find(f"{SVG}title").text == NASTY
    assert root.find(f"{SVG}desc").text == NASTY
    assert "<b>" not in drawn
    assert "</script>" not in drawn
    assert (
        max(len("".join(t.itertext())) for t in root.iter(f"{SVG}tspan")) <= pictures.WIDEST_TITLE
    )


@pytest.mark.parametrize(("kind", "sides"), [("intervals", 2), ("bars", 1)])
def test_a_threshold_is_a_dotted_line_on_each_row_that_is_held_against_one(kind, sides):
    rows = tuple(
        PlotMark(label=label, series=s, value=1.0, low=0.5, high=3.0, threshold=at)
        for label, at in (("a seat", 2.0), ("a role", 8.0), ("a share", None))
        for s in ("one", "other")
    )
    one = Picture(name="p", title="t", alt="a", kind=kind, value="v", series="s", rows=rows)
    drawn = [
        e
        for e in read(pictures.svg_of(one)).iter(f"{SVG}line")
        if e.get("stroke-dasharray") == "1,2"
    ]
    assert len(drawn) == 2 * sides
    columns, numbers = one.table()
    assert dict(zip(columns, numbers[2], strict=True))["threshold"] == 8.0


def test_intervals_that_are_not_there_are_not_drawn():
    rows = (PlotMark(label="a", value=1.0), PlotMark(label="b", value=2.0, low=1.0, high=3.0))
    root = read(
        pictures.svg_of(
            Picture(name="p", title="t", alt="a", kind="intervals", value="v", rows=rows)
        )
    )
    spans = [
        e
        for e in root.iter(f"{SVG}line")
        if e.get("stroke") == "black" and e.get("stroke-width") == "1.3"
    ]
    assert len(spans) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_pdf_has_its_font_in_it_no_date_and_the_same_bytes_each_time(kind):
    drawn = pictures.svg_of(picture(kind, series=tuple("ABCDE")))
    assert pictures.svg_of(picture(kind, series=tuple("ABCDE"))) == drawn
    made = {pictures.pdf_of(drawn) for _ in range(4)}
    assert len(made) == 1
    (pdf,) = made
    assert pdf.startswith(b"%PDF-")
    assert b"Date" not in pdf
    fonts = set(re.findall(rb"/BaseFont /([A-Za-z+-]+)", pdf))
    assert len(fonts) == 1
    assert fonts.pop().endswith(b"+LiberationSans")
    assert b"/FontFile2" in pdf
    # every object stands where the table at the end says that it does
    start = int(re.search(rb"startxref\s+(\d+)\s+%%EOF", pdf)[1])
    offsets = re.findall(rb"(\d{10}) \d{5} n", pdf[start:])
    assert offsets
    for number, offset in enumerate(offsets, 1):
        assert pdf[int(offset) :].startswith(b"%d 0 obj" % number)


def test_without_the_extra_it_says_how_to_install_it(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(
        pictures, "find_spec", lambda name: None if name == "vl_convert" else object()
    )
    monkeypatch.setattr(
        "quadrille_plugins.compare.command.compare", lambda *_, **__: pytest.fail("it played")
    )
    with pytest.raises(UsageError, match="want vl_convert, which is not installed"):
        pictures.require()
    assert (
        run(["compare", "quanti-1822", "mediateur-1752", "--report", str(tmp_path / "r.html")]) == 2
    )
    assert install_hint("report") in capsys.readouterr().err


def test_nothing_is_drawn_with_until_something_is_drawn():
    code = (
        "import sys, quadrille_plugins.compare.command; assert not {'altair', 'vl_convert'} & "
        "set(sys.modules)"
    )
    import subprocess

    subprocess.run([sys.executable, "-c", code], check=True)


# --- the report -----------------------------------------------------------------------------------


def parsed(text: str):
    """The page as a browser reads it; html5lib's strict parser raises at the first thing that is
    wrong."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def downloads(page) -> dict[str, bytes]:
    found = {}
    for link in page.iter("a"):
        if link.get("download"):
            head, data = link.get("href").split(",", 1)
            assert head.endswith(";base64")
            found[link.get("download")] = base64.b64decode(data, validate=True)
    return found


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    line = [
        "compare",
        "quanti-1822",
        "mediateur-1752",
        "--sessions",
        "6",
        "--set",
        "table.session_deals=8",
    ]
    files = [
        "--report",
        str(folder / "r.html"),
        "--manifest",
        str(folder / "m.json"),
        "--pictures",
        str(folder / "p"),
    ]
    assert run([*line, "--workers", "1", "--examples", "1", *files]) == 0
    return folder


def test_the_report_is_valid_and_asks_nothing_of_the_network(study):
    text = (study / "r.html").read_text("utf-8")
    page = parsed(text)
    assert not list(page.iter("script"))
    ids = [e.get("id") for e in page.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    for e in page.iter():
        for name, value in e.attrib.items():
            assert not str(name).startswith("on"), name
            if str(name).rpartition("}")[2] in ("href", "src"):
                assert value.startswith(("data:", "#")), value
            if name in ("aria-labelledby",):
                assert set(value.split()) <= set(ids)
    addresses = set(re.findall(r"https?://[^\"'<> )]+", re.sub(r"base64,[^\"]*", "", text)))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "default-src 'none'" in page.find(".//meta[@http-equiv]").get("content")
    assert page.find("head/title").text == "Rule sets compared"
    assert page.get("lang") == "en"


def test_each_picture_stands_in_the_report_beside_its_numbers(study):
    page = parsed((study / "r.html").read_text("utf-8"))
    data = json.loads((study / "m.json").read_text("utf-8"))
    shown = comparison_pictures(data["results"])
    assert {p.name for p in shown} == {
        "payments-by-role",
        "effects",
        "where-deals-diverge",
        "contracts",
        "sessions",
        "sessions-that-gain",
    }
    assert len(list(page.iter("figure"))) == len(shown)
    files = downloads(page)
    for p in shown:
        columns, rows = p.table()
        again = list(csv.reader(io.StringIO(files[f"{p.name}.csv"].decode())))
        assert tuple(again[0]) == columns
        assert again[1:] == [["" if v is None else str(v) for v in row] for row in rows]
        assert files[f"{p.name}.svg"] == (study / "p" / f"{p.name}.svg").read_bytes()
        assert (study / "p" / f"{p.name}.pdf").read_bytes() == pictures.pdf_of(
            files[f"{p.name}.svg"].decode()
        )
    assert files["manifest.json"] == (study / "m.json").read_bytes()


def test_every_table_can_be_scrolled_by_keyboard_and_has_heads(study):
    page = parsed((study / "r.html").read_text("utf-8"))
    for region in page.iter("div"):
        if (region.get("class") or "").startswith("scroll"):
            assert region.get("tabindex") == "0"
            assert region.get("aria-label")
    for table in page.iter("table"):
        assert all(th.get("scope") for th in table.iter("th"))
        assert len({len(list(tr)) for tr in table.iter("tr")}) == 1


def test_what_data_hold_is_escaped_in_the_report():
    compiled = compile_reference("captive-queens")
    results = {"design": {"words": NASTY}}
    made = make_manifest(
        command="compare", parameters={"refs": [NASTY]}, compiled=[compiled], results=results
    )
    shown = picture("bars", labels=(NASTY, "b"), title=NASTY, alt=NASTY, caption=NASTY, value=NASTY)
    text = html_report(
        title=NASTY,
        compiled=[compiled],
        blocks=[Text(NASTY)],
        pictures=[(shown, pictures.svg_of(shown))],
        manifest=made,
    )
    page = parsed(text)
    assert not list(page.iter("script"))
    assert not list(page.iter("b"))
    assert page.find(".//h1").text == NASTY
    assert NASTY in [p.text for p in page.iter("p")]


def test_odds_that_are_proved_or_counted_have_no_interval(tmp_path):
    assert (
        run(["compare", "captive-queens", "--deals", "60", "--manifest", str(tmp_path / "m.json")])
        == 0
    )
    results = json.loads((tmp_path / "m.json").read_text("utf-8"))["results"]
    (shown,) = odds_pictures(results)
    sure = [o for o in results["per_rule_set"] if o["proof"] or o["exact"]]
    assert sure
    for mark, found in zip(shown.rows, results["per_rule_set"], strict=True):
        assert (mark.low is None) == (found in sure)
        assert mark.value == 100 or not found["proof"]


def test_an_interrupted_study_says_so_in_its_report():
    compiled = compile_reference("captive-queens")
    made = make_manifest(
        command="compare", parameters={}, compiled=[compiled], results={}, finished=False
    )
    text = html_report(title="t", compiled=[compiled], blocks=(), pictures=(), manifest=made)
    assert "The study was interrupted" in text
    assert 'id="pictures"' not in text
    parsed(text)


@pytest.mark.parametrize(
    "line",
    [
        ["compare", "captive-queens", "--deals", "60"],
        [
            "compare",
            "--bots",
            "steady,random",
            "quadrille-modern",
            "--deals",
            "24",
            "--length",
            "4",
        ],
        ["compare", "quanti-1822", "mediateur-1752", "--deals", "8"],
        ["compare", "quanti-1822", "quanti-1822", "--deals", "8"],
    ],
)
def test_every_study_has_a_report_even_one_that_finds_little(line, tmp_path):
    report = tmp_path / "r.html"
    assert run([*line, "--workers", "1", "--report", str(report)]) == 0
    assert list(parsed(report.read_text("utf-8")).iter("figure"))
    again = tmp_path / "again.html"
    assert run([*line, "--workers", "1", "--report", str(again)]) == 0
    assert report.read_bytes() == again.read_bytes()
