"""The documents: every command shown is run, every link leads somewhere, every list is complete."""

import re

import documents
import pytest

from quadrille_core import features
from quadrille_core.cli.main import COMMANDS
from quadrille_core.engine.result_file import KEYS
from quadrille_core.errors import CODES

SHOWN = [p for p in documents.DOCUMENTS if "```console" in p.read_text()]
SLOW = {"discriminate.md", "matters.md", "patience.md", "rank.md", "solve.md", "lab.md", "compare.md"}
"""Pages whose commands take two seconds of the processor or more."""


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.name, marks=[pytest.mark.slow] if p.name in SLOW else []) for p in SHOWN]
)
def test_every_output_shown_is_what_the_command_prints(path):
    text = path.read_text()
    with documents.folder_of(text):
        for command, shown in documents.commands(text):
            printed = documents.run(command)
            assert documents.agrees(shown, printed), f"$ {command}\n{printed}"


@pytest.mark.parametrize("path", documents.DOCUMENTS, ids=lambda p: p.name)
def test_every_link_to_a_file_leads_to_one(path):
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_the_list_of_error_codes_is_complete_and_says_what_the_program_says():
    rows = dict(
        re.findall(r"^\| (Q\d+) \| (.*) \|$", (documents.ROOT / "docs" / "errors.md").read_text(), re.MULTILINE)
    )
    assert rows == CODES


def test_every_command_is_documented():
    text = (documents.ROOT / "docs" / "commands.md").read_text()
    for name in (*COMMANDS, *(feature.name for feature in features.commands())):
        assert f"`{name}" in text, name


def test_the_readme_has_the_two_commands_that_do_all_set_up():
    text = (documents.ROOT / "README.md").read_text()
    for name in ("main job", "tests"):
        block = re.search(rf"<!-- command: {name} -->\n```sh\n(.*?)```", text, re.DOTALL)
        assert block, name
        assert block[1].count("\n") == 1, "one line"
        assert block[1].startswith("python3 -m venv .venv && ")


def test_no_document_or_file_names_an_index_of_packages():
    for path in ("constraints.txt", "pyproject.toml", "README.md", ".ci/run"):
        assert "index" + "-url" not in (documents.ROOT / path).read_text()


def test_the_page_of_commands_tells_every_key_of_a_result_in_order():
    page = next(p for p in documents.DOCUMENTS if p.name == "commands.md").read_text("utf-8")
    example = page.split("## A result for `settle`")[1].split("```")[1]
    assert re.findall(r"^([a-z_]+):", example, re.MULTILINE) == list(KEYS)


def test_each_slice_has_its_page_and_its_tests():
    """A page and a folder of tests of the slice's own name."""
    slices = [p.parent.name for p in (documents.ROOT / "plugins/quadrille_plugins").glob("*/__init__.py")]
    assert len(slices) > 10
    for name in slices:
        assert (documents.ROOT / f"docs/{name}.md").is_file(), name
        assert list((documents.ROOT / "tests" / name).glob("test_*.py")), name
