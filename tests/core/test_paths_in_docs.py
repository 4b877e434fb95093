"""The files of the program that the documents name."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATH = re.compile(r"(?<![\w/.-])[a-z_]+(?:/[a-z_]+)*/[a-z_0-9]+\.py\b")
EXAMPLES = ("quadrille_attested/",)
"""Folders that a reader of the documents makes."""


def named() -> Iterator[tuple[str, str]]:
    for page in sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))):
        if page.name != "CHANGELOG.md":  # which speaks of files as they were
            for path in PATH.findall(page.read_text("utf-8")):
                yield str(page.relative_to(ROOT)), path


def test_every_module_that_a_document_names_is_there():
    """A path may begin at any folder: ``engine/settle.py`` is found below the core."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [f"/{path}" for path in listed.stdout.split()]
    stale = [
        (page, path)
        for page, path in named()
        if not any(file.endswith(f"/{path}") for file in files)
    ]
    assert [one for one in stale if not one[1].startswith(EXAMPLES)] == []
    assert len(list(named())) > 50
