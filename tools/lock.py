"""``requirements.lock``: every version of ``constraints.txt`` with the SHA-256 of its files, made
and checked.

    python tools/lock.py            check it against constraints.txt
    python tools/lock.py --add      look for what constraints.txt has since, and drop what it has no
    more python tools/lock.py --write    make it anew; takes minutes, and asks the index that pip
    asks by default

pip resolves for each Python and platform below, downloads nothing that it need not look into, and
reports the digests. Files that lie on this machine are no source: the digests are those of what
everybody gets.  A wheel that runs anywhere is asked for once.  The lock names no host and no
address.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
CONSTRAINTS: Final = ROOT / "constraints.txt"
LOCK: Final = ROOT / "requirements.lock"

PYTHONS: Final = ("3.11", "3.12", "3.13")
PLATFORMS: Final = {
    "Linux on x86-64": [
        *(f"manylinux_2_{n}_x86_64" for n in (28, 27, 26, 24, 17, 12, 5)),
        "manylinux1_x86_64",
    ],
    "Linux on ARM": [f"manylinux_2_{n}_aarch64" for n in (28, 27, 26, 24, 17)],
    "macOS on ARM": [
        f"macosx_{n}_0_{cpu}" for n in (14, 13, 12, 11) for cpu in ("arm64", "universal2")
    ],
}
HEAD: Final = f"""\
# The versions of constraints.txt with the SHA-256 of their files, for CPython {", ".join(PYTHONS)} on
# {", ".join(PLATFORMS)}, as far as there are such wheels.
# Made and checked by tools/lock.py.  docs/SECURITY.md says how to install from it.
"""

Hashes = dict[str, set[str]]
"""The digests of each ``name==version``, by the line of constraints.txt."""


def name_of(pin: str) -> str:
    """The name in ``name==version`` as package indexes normalise it."""
    return re.sub(r"[-_.]+", "-", pin.partition("==")[0]).lower()


def pinned(path: Path = CONSTRAINTS) -> list[str]:
    """The lines ``name==version`` of a file of constraints."""
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def read_lock(text: str) -> Hashes:
    """The digests that a lock holds; raises ValueError for a line that is neither a pin nor a
    digest."""
    found: Hashes = {}
    for line in text.replace("\\\n", " ").splitlines():
        pin, *hashes = line.partition("#")[0].split() or [""]
        if not pin:
            continue
        if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9._+!-]+", pin):
            raise ValueError(f"{pin!r} is no name==version")
        if pin in found or not all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", h) for h in hashes):
            raise ValueError(f"{pin} stands twice, or has something other than SHA-256")
        found[pin] = {h.removeprefix("--hash=sha256:") for h in hashes}
    return found


def lock_text(hashes: Mapping[str, Iterable[str]]) -> str:
    """A lock as pip reads it."""
    entries = (
        " \\\n    ".join([pin, *(f"--hash=sha256:{h}" for h in sorted(found))])
        for pin, found in hashes.items()
    )
    return HEAD + "".join(f"{entry}\n" for entry in entries)


def faults(constraints: Sequence[str], text: str) -> list[str]:
    """What is wrong with a lock beside its constraints, a sentence each."""
    found = [
        f"an address: {line}"
        for line in text.splitlines()
        if re.search(r"://|--(extra-)?index|find-links|@ ", line)
    ]
    try:
        locked = read_lock(text)
    except ValueError as e:
        return [*found, str(e)]
    found += [f"{pin} is not locked" for pin in constraints if not locked.get(pin)]
    return [
        *found,
        *(f"{pin} is not in {CONSTRAINTS.name}" for pin in locked if pin not in constraints),
    ]


def reported(pins: Sequence[str], *options: str) -> list[dict[str, Any]] | None:
    """What pip would install; None when it finds no file for one of them."""
    environ = {
        k: v for k, v in os.environ.items() if k not in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL")
    }
    with tempfile.TemporaryDirectory() as folder:
        wanted, report = Path(folder, "wanted.txt"), Path(folder, "report.json")
        wanted.write_text("\n".join(pins), "utf-8")
        line = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--dry-run",
            "--ignore-installed",
            "--no-deps",
            "--quiet",
        ]
        line += [*options, "--target", folder, "--report", str(report), "-r", str(wanted)]
        done = subprocess.run(
            line, env={**environ, "PIP_CONFIG_FILE": os.devnull}, capture_output=True, check=False
        )
        found: list[dict[str, Any]] = (
            json.loads(report.read_text("utf-8"))["install"] if done.returncode == 0 else []
        )
        return found if done.returncode == 0 else None


def files_of(pins: Sequence[str], *options: str) -> tuple[Hashes, set[str]]:
    """The digests of the files for some pins, and the pins that run anywhere; a pin without file is
    left out."""
    whole = reported(pins, *options)
    if whole is None and len(pins) > 1:
        whole = [entry for pin in pins for entry in reported([pin], *options) or ()]
    by_name = {name_of(pin): pin for pin in pins}
    hashes: Hashes = {}
    anywhere: set[str] = set()
    for entry in whole or ():
        pin, info = by_name[name_of(entry["metadata"]["name"])], entry["download_info"]
        if info["url"].startswith("file:"):
            continue
        hashes.setdefault(pin, set()).add(info["archive_info"]["hashes"]["sha256"])
        if info["url"].endswith("-none-any.whl"):
            anywhere.add(pin)
    return hashes, anywhere


def write(known: Mapping[str, set[str]]) -> None:
    """Make the lock, target by target; for ``known`` pins the digests are taken as they are."""
    every = pinned()
    pins = [pin for pin in every if not known.get(pin)]
    hashes, anywhere = files_of(pins) if pins else ({}, set())
    rest = [pin for pin in pins if pin not in anywhere]
    say = sys.stdout.write
    say(f"{len(hashes)} of {len(pins)} found, {len(rest)} of them made for each platform\n")
    for platform, tags in PLATFORMS.items():
        for python in PYTHONS if rest else ():
            named = [f"--platform={tag}" for tag in tags]
            more, _ = files_of(
                rest,
                "--only-binary=:all:",
                f"--python-version={python}",
                "--implementation=cp",
                *named,
            )
            for pin, found in more.items():
                hashes.setdefault(pin, set()).update(found)
            missing = ", ".join(pin for pin in rest if pin not in more)
            say(f"{platform}, Python {python}: {f'no wheel of {missing}' if missing else 'all'}\n")
            sys.stdout.flush()
    LOCK.write_text(
        lock_text({pin: known.get(pin) or hashes.get(pin, set()) for pin in every}), "utf-8"
    )


if __name__ == "__main__":
    if sys.argv[1:] in (["--write"], ["--add"]):
        write(read_lock(LOCK.read_text("utf-8")) if sys.argv[1:] == ["--add"] else {})
    wrong = faults(pinned(), LOCK.read_text("utf-8"))
    sys.stdout.write(
        "".join(f"{fault}\n" for fault in wrong) or f"{LOCK.name} holds all of {CONSTRAINTS.name}\n"
    )
    sys.exit(bool(wrong))
