"""Nothing reads a sentence: what is tested of `check`, `--fix`, Python and pages holds whatever the
sentences of the catalogue are."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from support.catalogue import REWRITTEN

TESTS = Path(__file__).parents[1]
ON_WORDS = yaml.safe_load((TESTS / "on_words.yaml").read_text("utf-8"))
"""The tests that assert on sentences, by file; each file is run whole but for these."""


@pytest.mark.slow
@pytest.mark.parametrize("file", ON_WORDS)
def test_what_works_works_by_records_alone(file, tmp_path):
    """Under a catalogue without meaning these tests of the file fail, and no others: a test that is
    listed and passes asserts on no sentence any more."""
    listed = {f"{file}::{name}" for name in ON_WORDS[file] or ()}
    report = tmp_path / "report.xml"
    quietly = ["-q", "--tb=no", "-p", "no:cacheprovider", f"--junitxml={report}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *quietly, "-m", "not slow", f"tests/{file}"],
        cwd=TESTS.parent,
        env=os.environ | {REWRITTEN: "1", "COLUMNS": "1000"},
        capture_output=True,
        text=True,
        check=False,
    )
    cases = ElementTree.parse(report).findall(".//testcase")  # noqa: S314 - pytest wrote it
    ended_ill = [case for case in cases if {child.tag for child in case} & {"failure", "error"}]
    failed = {f"{file}::{case.attrib['name'].partition('[')[0]}" for case in ended_ill}
    assert failed == listed, done.stdout[-3000:]
    assert len(ended_ill) < len(cases)
