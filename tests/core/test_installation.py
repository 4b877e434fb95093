"""The distribution's name, and what a reader is told to type to install it."""

import json
import re
import shlex
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from quadrille_core import DISTRIBUTION, features, installation
from quadrille_core.registry import load_all
from quadrille_core.ruleset import compile_reference

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    ROOT / ".ci" / "run",
    *(ROOT / name for name in ("CITATION.cff", "constraints.txt")),
    *ROOT.glob("*.md"),
    *(
        p
        for folder in ("quadrille_core", "plugins", "docs", "variants", "tests")
        for p in sorted((ROOT / folder).rglob("*"))
        if p.suffix in {".py", ".md", ".yaml", ".txt", ".toml", ".html"} and p.is_file()
    ),
]
FROM_AN_INDEX = re.compile(
    r"""pip\s+install(?:\s+-\S+)*\s+["']?quadrille(?!\S*/)"""
    r"""|(?<![\w/-])quadrille(?:[_-]core)?\[[a-z]"""
)
"""A reader who follows it installs what bears the name in the index that pip asks by default."""


def faults(text):
    return FROM_AN_INDEX.findall(text)


def test_no_hint_sends_a_reader_to_an_index():
    """Sources and documents name the extra by the function, or by a path (``'.[fast]'``)."""
    here = Path(__file__)
    found = {
        str(p.relative_to(ROOT)): f
        for p in TEXTS
        if p != here and (f := faults(p.read_text("utf-8", "ignore")))
    }
    assert len(TEXTS) > 300
    assert found == {}


def test_no_page_of_the_server_and_no_code_names_a_checkout_that_may_not_be_there():
    """A path such as ``'.[fast]'`` is for documents, which are read in a checkout; the function
    makes all others.

    A page of the server tells no folder of its machine, so that it names the extra alone.
    """
    shown = [
        p
        for p in TEXTS
        if p.suffix in {".html", ".py"} and {"plugins", "quadrille_core"} & set(p.parts)
    ]
    literal = re.compile(r"""\bpip\s+install|["']\.\[\w""")
    allowed = {ROOT / "quadrille_core" / "installation.py", ROOT / "quadrille_core" / "features.py"}
    found = [
        str(p.relative_to(ROOT))
        for p in shown
        if p not in allowed and literal.search(p.read_text("utf-8"))
    ]
    assert len(shown) > 300
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "pip install 'quadrille[fast]'",
        "pip install quadrille",
        "pip install -U quadrille-core",
        "python -m pip install --upgrade -q 'quadrille-core[fast]'",
        "wants quadrille[report]",
        "quadrille_core[tei]",
    ],
)
def test_a_hint_that_names_a_distribution_is_met(text):
    assert faults(text)


@pytest.mark.parametrize(
    "text", ["pip install -e '.[fast]'", "pip install ./quadrille-club", "pip install -e /a/b"]
)
def test_a_hint_that_names_a_path_is_none(text):
    assert not faults(text)


def test_every_extra_that_a_hint_names_is_one():
    known = set(metadata.metadata(DISTRIBUTION).get_all("Provides-Extra") or ())
    code = [p for p in TEXTS if p.suffix == ".py" and "tests" not in p.parts]
    named = {
        x
        for p in code
        for x in re.findall(r"""install_hint\(["'](\w+)["']\)""", p.read_text("utf-8"))
    }
    assert {"fast", "tei", "cluster", "report"} <= named <= known


def test_the_page_of_installing_lists_every_extra():
    """Each extra of pyproject stands in its table, and the table has no other."""
    extras = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    )
    listed = set(
        re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/install.md").read_text(), re.MULTILINE)
    )
    assert listed == extras


def papers(folder, name=DISTRIBUTION, url=None, editable=False, entries=""):
    """The papers of a distribution, as pip would leave them."""
    info = folder / f"{name.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(entries)
    if url is not None:
        direct = (
            {"url": url, "dir_info": {"editable": True}}
            if editable
            else {"url": url, "archive_info": {}}
        )
        (info / "direct_url.json").write_text(json.dumps(direct))
    return info


@pytest.mark.parametrize("editable", [True, False])
@pytest.mark.parametrize("name", ["plain", "with a space", "it's", "$(touch hit)", "ü"])
def test_a_hint_names_what_pip_was_given_and_a_shell_reads_it_so(
    tmp_path, monkeypatch, name, editable
):
    place = tmp_path / name
    place.mkdir()
    papers(tmp_path / "site", url=place.as_uri(), editable=editable)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    *_, install, target = [w for w in shlex.split(installation.install_hint("fast")) if w != "-e"]
    assert (install, target) == ("install", f"{place}[fast]")
    assert (" -e " in installation.install_hint("fast")) == editable


@pytest.mark.parametrize(
    "url", [None, "https://example.org/x.whl", "git+ssh://example.org/x", "file:///gone/x.whl"]
)
def test_where_nothing_on_this_machine_was_installed_no_command_is_proposed(
    tmp_path, monkeypatch, url
):
    papers(tmp_path, url=url)
    monkeypatch.syspath_prepend(str(tmp_path))
    hint = installation.install_hint("fast")
    assert "pip" not in hint
    assert "the extra 'fast'" in hint
    assert "from the checkout or wheel that it was installed from" in hint


def test_papers_that_are_damaged_are_as_none(tmp_path, monkeypatch):
    info = papers(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for text in ("{", "[]", '{"url": 5}', '{"url": "file:///", "dir_info": 3}'):
        (info / "direct_url.json").write_text(text)
        assert "pip" not in installation.install_hint("fast"), text


# --- the id in digests --------------------------------------------------------------------------


def test_shipped_plugins_keep_the_id_that_digests_in_print_hash():
    """The manifest and the digest were made when the distribution was called ``quadrille``."""
    study = json.loads((ROOT / "docs/studies/players/long/seer.json").read_text())["rule_sets"][0]
    now = compile_reference("quanti-1822").identity
    assert [(p["name"], p["package"]) for p in study["plugins"]] == [
        (p.name, p.package) for p in now.plugins
    ]
    assert {p.package for p in now.plugins} == {"quadrille"}
    assert (
        now.digest
        == study["digest"]
        == "1858311193b218a7a35206805c0a8a627a975197741a6c0308b6029ceb12690b"
    )


def test_the_list_of_plugins_names_the_distribution_that_is_installed():
    assert {p.installed.package for p in load_all().loaded.values()} >= {DISTRIBUTION}


def test_a_stranger_who_bears_the_former_name_has_an_id_of_its_own():
    entry = metadata.EntryPoint("theirs", "of_theirs", "quadrille")
    assert (
        features.package_id(features.Installed("theirs", "quadrille", "1.0", entry)) != "quadrille"
    )
    ours = metadata.EntryPoint("nemo", "quadrille_plugins.mechanics.nemo", "quadrille")
    assert features.package_id(features.Installed("nemo", DISTRIBUTION, "1.0", ours)) == "quadrille"
    assert features.package_id(features.Installed("nemo", "theirs", "1.0", ours)) == "theirs"
