"""Plant small bugs in a copy of the tree, one at a time, and see that the test named for each
catches it.

``tests/planted.yaml`` lists them: the file, what stands there and what is put in its place, and the
test.  A bug that is not caught has survived, and one whose text is not found once in its file can
no longer be planted: both end the program with status 1.

Usage: ``python tools/plant.py [WORD ...]``; with words, only the bugs whose area or description has
one of them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "planted.yaml"
CAUGHT, SURVIVED, NOT_FOUND, UNSOUND = (
    "caught",
    "survived",
    "not found",
    "its test fails without the bug",
)


@dataclass(frozen=True)
class Bug:
    """A change that makes the program wrong, and the test that must notice."""

    area: str
    bug: str
    file: str
    old: str
    new: str
    test: str


def listed(path: Path = LIST) -> list[Bug]:
    """The bugs of a list."""
    return [Bug(**one) for one in yaml.safe_load(path.read_text("utf-8"))["bugs"]]


def copy(folder: Path) -> None:
    """The files that git tracks, as they are in the working tree."""
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, names.split("\0")):
        source = ROOT / name
        if source.is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def passes(folder: Path, test: str) -> bool:
    """Whether the test, or all fast tests of the file, pass there."""
    paths = [str(folder), str(folder / "plugins")]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        test,
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        check=False,
    )
    if done.returncode not in (0, 1, 2):
        sys.exit(
            f"{test}: pytest ended with "
            f"{done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}"
        )
    return done.returncode == 0


def planted(folder: Path, bug: Bug) -> str:
    """What comes of a bug in the copy, which is mended afterwards."""
    path = folder / bug.file
    text = path.read_text("utf-8")
    if text.count(bug.old) != 1:
        return NOT_FOUND
    path.write_text(text.replace(bug.old, bug.new), "utf-8")
    try:
        return SURVIVED if passes(folder, bug.test) else CAUGHT
    finally:
        path.write_text(text, "utf-8")


def chosen(bugs: Sequence[Bug], words: Sequence[str]) -> list[Bug]:
    """The bugs whose area or description has one of the words; all where there are no words."""
    return [
        bug for bug in bugs if not words or any(word in f"{bug.area} {bug.bug}" for word in words)
    ]


def tell(line: str) -> None:
    """Say a line at once: a bug takes some seconds."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(words: Sequence[str]) -> int:
    bugs = chosen(listed(), words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy(folder)
        sound = {test: passes(folder, test) for test in dict.fromkeys(bug.test for bug in bugs)}
        found = []
        for bug in bugs:
            found.append(planted(folder, bug) if sound[bug.test] else UNSOUND)
            tell(f"{found[-1]}: {bug.area}: {bug.bug} ({bug.test})")
    caught = found.count(CAUGHT)
    tell(f"{caught} of {len(bugs)} caught")
    return int(caught < len(bugs))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
