"""The site of the documents: it builds without a warning, every link in it leads somewhere, and it
asks nobody else.

One build serves all of it.  What a viewer of the repository shows is held by test_docs.py.
"""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DOORS = ("scholar", "comparing", "host", "developer")


def build(source, out, *options):
    """Run Sphinx as `.ci/run` does; returns its status and all that it says."""
    line = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", *options, source, out]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, done.stdout + done.stderr


class Page(HTMLParser):
    """The anchors of a page, where its links lead, and what a browser loads to show it."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        """Note what this tag anchors, links to and loads."""
        given = dict(attrs)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if (
            tag == "link"
            and "href" in given
            and given.get("rel") not in ("index", "search", "next", "prev")
        ):
            self.loaded.append(given["href"])
        self.loaded += [given["src"]] if "src" in given else []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built site: the one that `.ci/run` has just built, where it says so."""
    if built := os.environ.get("BUILT_SITE"):
        return Path(built)
    out = tmp_path_factory.mktemp("site")
    code, said = build(DOCS, out / "html", "-d", out / "trees")
    assert (code, said) == (0, "")
    return out / "html"


@pytest.fixture(scope="module")
def pages(site):
    """Every page of the site by its path."""
    return {path.resolve(): Page(path) for path in site.rglob("*.html")}


@pytest.mark.slow
def test_every_link_within_the_site_leads_to_a_file_and_an_anchor_in_it(site, pages):
    """What a build without warnings does not show: links of the theme, in raw HTML, and to files
    that are no pages."""
    lost = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = target.is_file() and target.is_relative_to(site)
            if not found or (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].anchors
            ):
                lost.append(f"{path.relative_to(site)}: {link}")
    assert lost == []


@pytest.mark.slow
def test_what_the_readme_links_to_is_in_the_site(site, pages):
    """It is no page itself, and nothing else looks at its anchors."""
    text = (ROOT / "README.md").read_text("utf-8")
    links = re.findall(r"\]\(docs/([^)#]+)\.md#?([^)]*)\)", text)
    assert {name for name, _ in links} >= {*DOORS, "index"}
    for name, anchor in links:
        page = pages[site / f"{name}.html"]
        assert not anchor or anchor in page.anchors, f"{name}#{anchor}"


@pytest.mark.slow
def test_every_document_is_a_page_and_every_door_is_on_the_front_page(site, pages):
    """Pages that other branches add need no entry to be built and found."""
    made = {path.relative_to(site).with_suffix(".md") for path in pages}
    written = {path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    assert written <= made
    listed = {urlsplit(link).path for link in pages[site / "all.html"].links}
    assert {str(path.with_suffix(".html")) for path in written} - {"all.html"} <= listed
    for door in DOORS:
        assert f"{door}.html" in pages[site / "index.html"].links
        assert pages[site / f"{door}.html"].links


@pytest.mark.slow
def test_the_site_loads_nothing_from_elsewhere(site, pages):
    """No script, font, picture or style comes from another host, and each of them is there."""
    for path, page in pages.items():
        for link in page.loaded:
            parts = urlsplit(link)
            assert not parts.netloc, f"{path.name}: {link}"
            assert (path.parent / unquote(parts.path)).is_file(), f"{path.name}: {link}"
    for style in site.rglob("*.css"):
        text = style.read_text("utf-8")
        assert not re.search(r"@import|url\(\s*[\"']?(https?:)?//", text), style.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "page"),
    [("codill", "glossary"), ("remis", "points"), ("spadill", "sources"), ("ledger", "ledger")],
)
def test_the_search_needs_no_server_and_knows_the_words_of_the_game(site, word, page):
    """The index is a script, which a page opened from a folder may load; words stand in it by their
    stems."""
    script = (site / "searchindex.js").read_text("utf-8")
    index = json.loads(re.fullmatch(r"Search\.setIndex\((.*)\)", script, re.DOTALL)[1])
    found = [index["terms"].get(word, []), index["titleterms"].get(word, [])]
    numbers = {n for entry in found for n in (entry if isinstance(entry, list) else [entry])}
    assert page in {index["docnames"][n] for n in numbers}
    assert 'src="searchindex.js"' in (site / "search.html").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[away](#nowhere)", "nowhere"),
        ("[away](other.md#nowhere)", "nowhere"),
        ("[away](nobody.md)", "nobody.md"),
        ("![away](none.svg)", "none.svg"),
        ('<a id="twice"></a> <a id="twice"></a>', "twice"),
        ('<a id="there"></a> [to it](#there), [to another](other.md#here)', None),
    ],
)
def test_a_link_that_leads_nowhere_stops_the_build(tmp_path, text, wrong):
    """And one to an anchor in HTML, in this page or another, does not."""
    source = tmp_path / "docs"
    (source / "static").mkdir(parents=True)
    (source / "conf.py").write_text((DOCS / "conf.py").read_text("utf-8"), "utf-8")
    (source / "static" / "tables.css").touch()
    (source / "index.md").write_text(f"# One\n\n{text}\n\n```{{toctree}}\nother\n```\n", "utf-8")
    (source / "other.md").write_text('# Other\n\n<a id="here"></a>Here.\n', "utf-8")
    code, said = build(source, tmp_path / "html", "-b", "dummy")
    assert (code != 0) == (wrong is not None), said
    assert (wrong or "") in said


def test_no_warning_is_suppressed():
    """Warnings are mended where they arise."""
    text = (DOCS / "conf.py").read_text("utf-8")
    assert not re.search(r"suppress_warnings|nitpick_ignore|filterwarnings|exclude_patterns", text)
