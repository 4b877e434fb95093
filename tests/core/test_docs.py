"""The documents: every command shown is run, every link leads somewhere, every list is complete."""

import re

import documents
import pytest
from quadrille_plugins.settle.result_file import KEYS
from quadrille_plugins.shell import commands
from support.codes import CODES

from quadrille_core import diagnostics

SHOWN = [p for p in documents.DOCUMENTS if re.search("```(console|pycon)", p.read_text())]
SLOW = {
    "README.md",
    "discriminate.md",
    "matters.md",
    "patience.md",
    "rank.md",
    "solve.md",
    "studies.md",
    "compare.md",
    "attribution.md",
    "scholar.md",
    "your-text.md",
}
"""Pages whose commands take two seconds of the processor or more."""


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.name, marks=[pytest.mark.slow] if p.name in SLOW else []) for p in SHOWN],
)
def test_every_output_shown_is_what_the_command_prints(path):
    text = path.read_text()
    with documents.folder_of(text):
        for command, shown in documents.commands(text):
            printed = documents.run(command, cold=command in documents.on_a_fresh_machine(text))
            assert documents.agrees(shown, printed), f"$ {command}\n{printed}"
        names = {"__name__": "__document__"}
        for source, shown in documents.examples(text):
            printed = documents.run_python(source, names)
            assert documents.agrees(shown, printed), f">>> {source}{printed}"


def test_no_shipped_text_names_the_machine_it_was_made_on():
    """A hint named the interpreter that wrote the page, and an error of the shell had got into a
    style sheet."""
    folders = [
        documents.ROOT / name
        for name in ("docs", "plugins", "quadrille_core", "schemas", "variants")
    ]
    kinds = {".md", ".py", ".yaml", ".json", ".html", ".css", ".txt"}
    texts = [
        documents.ROOT / "README.md",
        *(p for f in folders for p in f.rglob("*") if p.suffix in kinds),
    ]
    assert len(texts) > 500
    machine = re.compile(r"(?<![\w.])/(?:root|work|check|opt)/|(?<!\S)/\S+/bin/python")
    found = [f"{p}: {m[0]}" for p in texts if (m := machine.search(p.read_text("utf-8")))]
    assert found == []


@pytest.mark.parametrize("path", documents.DOCUMENTS, ids=lambda p: p.name)
def test_every_link_to_a_file_leads_to_one(path):
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_the_page_of_errors_lists_the_codes_that_the_program_has_and_no_others():
    """Those of the catalogue, and those that a class of errors has by itself."""
    code = [p for d in ("quadrille_core", "plugins") for p in (documents.ROOT / d).rglob("*.py")]
    named = {c for p in code for c in re.findall(r'"(Q\d{3})"', p.read_text(encoding="utf-8"))}
    assert named | {c for c in diagnostics.catalogue() if c[0] == "Q"} == set(CODES)


def test_every_command_is_documented():
    text = (documents.ROOT / "docs" / "commands.md").read_text()
    for name in (feature.name for feature in commands.commands()):
        assert f"`{name}" in text, name


def test_the_readme_has_the_two_commands_that_do_all_set_up():
    text = (documents.ROOT / "README.md").read_text()
    for name in ("main job", "tests"):
        block = re.search(rf"<!-- command: {name} -->\n```sh\n(.*?)```", text, re.DOTALL)
        assert block, name
        assert block[1].count("\n") == 1, "one line"
        assert block[1].startswith("python3 -m venv .venv && ")


def test_the_readme_is_short_and_shows_one_answer():
    """What is more has a page."""
    text = (documents.ROOT / "README.md").read_text()
    assert text.count("\n") < 70
    ((command, shown),) = documents.commands(text)
    typed = re.search(r"<!-- command: main job -->\n```sh\n.*\.venv/bin/(quadrille .*)\n```", text)[
        1
    ]
    assert command == typed
    assert documents.on_a_fresh_machine(text) == {command}
    assert "\n...\n" in shown


def test_no_document_or_file_names_an_index_of_packages():
    for path in ("constraints.txt", "pyproject.toml", "README.md", ".ci/run"):
        assert "index" + "-url" not in (documents.ROOT / path).read_text()


def test_the_page_of_settle_tells_every_key_of_a_result_in_order():
    page = next(p for p in documents.DOCUMENTS if p.name == "settle.md").read_text("utf-8")
    example = page.split("## A result\n")[1].split("```")[1]
    assert re.findall(r"^([a-z_]+):", example, re.MULTILINE) == list(KEYS)


def test_each_slice_has_its_page_and_its_tests():
    """A page of the slice's own name, or of its command's, and a folder of tests."""
    of = {one.installed.entry.module: one.name for one in commands.commands()}
    slices = [
        p.parent.name for p in (documents.ROOT / "plugins/quadrille_plugins").glob("*/__init__.py")
    ]
    assert len(slices) > 10
    for name in slices:
        page = of.get(f"quadrille_plugins.{name}", name)
        assert {
            *(documents.ROOT / "docs").glob(f"{name}.md"),
            *(documents.ROOT / "docs").glob(f"{page}.md"),
        }, name
        assert list((documents.ROOT / "tests" / name).glob("test_*.py")), name
