"""Every broken file of ``tests/broken`` is refused with exactly the faults, places and words that
are expected.

``tests/broken/expected.yaml`` lists them.  A case's ``stage`` says how far the file gets: RUNNERS
has the function that takes it there.  Files that cannot be checked in are made here.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.check.command import problems_of
from support.broken import BROKEN, HEAD, HOSTILE, MADE
from support.codes import CODES
from support.data import of_yaml

from quadrille_core.diagnostics import catalogue
from quadrille_core.errors import ProfileError, QuadrilleError, UnreadableError
from quadrille_core.profile import check_profile, load_file, load_profile, parse_profile
from quadrille_core.profile.yaml_strict import MAX_BYTES

CASES: list[dict[str, Any]] = of_yaml(BROKEN / "expected.yaml")
SECONDS = 1.0
"""Of the processor, which other work on the machine does not lengthen as it does the clock."""


def _read(path: Path) -> None:
    load_file(path)


def _check(path: Path) -> None:
    load_file(path)  # a case of this stage is sound YAML
    problems = check_profile(load_file(path))
    if problems:
        raise ProfileError(problems)


def _compile(path: Path) -> None:
    if problems := problems_of(path)[0]:
        raise ProfileError(problems)


RUNNERS: dict[str, Callable[[Path], None]] = {"yaml": _read, "schema": _check, "compile": _compile}
"""Stage by stage: what to do with a file, which raises what is wrong with it."""


def _told(error: QuadrilleError) -> list[dict[str, Any]]:
    return [
        {
            "code": p.code,
            "line": p.place.line if p.place else 0,
            "col": p.place.col if p.place else 0,
            "message": p.message,
            "help": p.help,
        }
        for p in error.problems
    ]


@pytest.mark.parametrize("case", CASES, ids=[c["file"] for c in CASES])
def test_a_broken_file_is_refused_in_exactly_these_words(case: dict[str, Any]) -> None:
    path = BROKEN / case["file"]
    start = time.process_time()
    with pytest.raises(QuadrilleError) as caught:
        RUNNERS[case["stage"]](path)
    assert time.process_time() - start < SECONDS
    assert _told(caught.value) == case["problems"]
    for problem in caught.value.problems:
        assert problem.place is not None
        assert problem.place.path == str(path) or case["stage"] == "compile"
        assert problem.code in CODES
        assert len(problem.message) < 200


def test_every_broken_file_is_expected_and_every_expected_file_is_there() -> None:
    listed = [c["file"] for c in CASES]
    assert sorted(listed) == sorted(
        p.name for p in BROKEN.glob("*.yaml") if p.name != "expected.yaml"
    )
    assert len(set(listed)) == len(listed)
    assert all(c["shows"] for c in CASES)


def test_the_corpus_shows_every_fault_that_reading_and_checking_one_file_can_have() -> None:
    shown = {p["code"] for c in CASES for p in c["problems"]}
    made_here = {"Q101", "Q102", "Q103", "Q106", "Q115"}
    reading = {c for c in CODES if c.startswith(("Q1", "Q2"))} | {"Q409", "Q605"}
    assert reading <= shown | made_here


BY_HAND = {"no-favourite-suit", "points-and-plugin", "falls-and-is-bid", "falls-twice"} | {
    "returns-without-card",
    "limits-forced",
}
"""What no file here can say: the schema refuses it, and --set can; or a plugin of tests adds it.
Tests have both."""


def test_every_refusal_of_complete_rules_is_shown_by_a_broken_file() -> None:
    """The variants of Q606 are what the broken files show, of games of tricks and of patiences."""
    found = [
        p for c in CASES if c["stage"] == "compile" for p in problems_of(BROKEN / c["file"])[0]
    ]
    shown = {p.variant for p in found if p.code == "Q606"}
    assert set(catalogue()["Q606"]) - BY_HAND == shown


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["stage"] == "schema"], ids=lambda c: c["file"]
)
def test_a_shape_fault_is_a_profile_error_for_the_loader_too(case: dict[str, Any]) -> None:
    with pytest.raises(ProfileError) as caught:
        load_profile(BROKEN / case["file"])
    assert _told(caught.value) == case["problems"]


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["stage"] == "schema"], ids=lambda c: c["file"]
)
def test_without_the_schema_a_broken_shape_is_converted_or_refused_but_never_a_crash(
    case: dict[str, Any],
) -> None:
    try:
        load_profile(BROKEN / case["file"], validate=False)
    except ProfileError as error:
        assert all(p.place is not None and p.place.path for p in error.problems)


def test_faults_of_the_yaml_and_of_the_shape_come_in_one_pass() -> None:
    text = (
        HEAD + "extends: quanti-1822\nrules:\n  stakes: {anti: 2, ante: 1.5}\n  premiers: {claim: "
        "no}\n  play: 3\n"
    )
    with pytest.raises(ProfileError) as caught:
        parse_profile(text)
    places = [(p.code, p.place.line, p.place.col) for p in caught.value.problems if p.place]
    assert places == [("Q201", 6, 12), ("Q116", 6, 27), ("Q111", 7, 21), ("Q203", 8, 9)]


def test_a_fault_prints_its_line_with_a_caret() -> None:
    with pytest.raises(ProfileError) as caught:
        load_file(BROKEN / "boolean-no.yaml")
    assert str(caught.value).splitlines()[1:] == [
        "    6 |     claim: no",
        "      |            ^",
        "help: write false, or quote it if a text is meant: 'no'",
    ]


# --- files that cannot be checked in -----------------------------------------------------------


@pytest.mark.parametrize("name", MADE)
def test_a_made_file_is_refused_at_once(name: str, tmp_path: Path) -> None:
    content, expected = MADE[name]
    path = tmp_path / "made.yaml"
    path.write_bytes(content)
    start = time.process_time()
    with pytest.raises(QuadrilleError) as caught:
        load_file(path)
    assert time.process_time() - start < SECONDS
    assert [(p["code"], p["line"], p["col"], p["message"]) for p in _told(caught.value)] == expected


def test_what_cannot_be_read_is_distinguished_from_what_is_wrong(tmp_path: Path) -> None:
    def refusal(path: Path | str) -> tuple[str, str, str]:
        with pytest.raises(UnreadableError) as caught:
            load_file(path)
        (problem,) = caught.value.problems
        return problem.code, problem.message, problem.help

    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "house.yaml").write_text(HEAD)
    assert refusal(tmp_path) == ("Q101", "this is a directory, not a file", "name a file in it")
    assert refusal(fifo) == (
        "Q101",
        "this is a device or a pipe, not a file",
        "only regular files are read; settle and replay take - for standard input",
    )
    assert refusal("/dev/zero")[1] == "this is a device or a pipe, not a file"
    assert refusal(tmp_path / "none.yaml") == ("Q101", "there is no such file", "")
    assert refusal(tmp_path / "house.yml") == (
        "Q101",
        "there is no such file",
        f"did you mean {tmp_path / 'house.yaml'}?",
    )
    assert refusal("a\0b") == ("Q101", "this is not a file name", "")
    assert refusal(tmp_path / ("x" * 5000))[0] == "Q101"
    assert refusal(tmp_path / "loop")[0] == "Q101"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text(HEAD)
    path.chmod(0)
    with pytest.raises(UnreadableError, match="the file may not be read"):
        load_file(path)


# --- files made to be slow ---------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_a_second(name: str) -> None:
    text = HOSTILE[name]()[:MAX_BYTES]
    start = time.process_time()
    with pytest.raises(QuadrilleError) as caught:
        parse_profile(text, "hostile")
    assert (
        time.process_time() - start < 2 * SECONDS
    )  # a second, and as much again for a slow machine
    problems = caught.value.problems
    assert len(problems) <= 201
    assert all(len(p.message) < 250 and len(p.help) < 250 for p in problems)


def test_more_faults_than_anyone_reads_are_counted() -> None:
    with pytest.raises(ProfileError) as caught:
        parse_profile(HEAD + "plugins:\n" + "- {plugin: casco, nonsense: 1}\n" * 300)
    assert len(caught.value.problems) == 201
    assert caught.value.problems[-1].message == "and 100 more faults"


WATCHED = """
import resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (400 * 2**20, 400 * 2**20))
sys.path.insert(0, {tests!r})
from quadrille_core.errors import QuadrilleError
from quadrille_core.profile import load_file, parse_profile
from support.broken import BROKEN, HOSTILE, MADE

def megabytes():
    # not ru_maxrss: on Linux that begins with what the process that started this one held, as a whole test run may
    return next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))

imported = megabytes()
for text in [f() for f in HOSTILE.values()] + [content for content, _ in MADE.values()]:
    try:
        parse_profile(text, "hostile")
    except QuadrilleError as error:
        str(error)
for path in sorted(BROKEN.glob("*.yaml")):
    try:
        parse_profile(path.read_bytes(), path.name)
    except QuadrilleError as error:
        str(error)
print(megabytes() - imported)
"""


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux", reason="address space is limited and measured as Linux does it"
)
def test_the_nastiest_files_stay_within_narrow_memory() -> None:
    script = WATCHED.format(tests=str(Path(__file__).parents[1]))
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=BROKEN.parents[1],
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) < 64, "megabytes at the peak, beside the modules"
