"""What differs between the outputs of two installations: ``same_outputs.py OLD NEW
[COMMANDS.yaml]``, two folders of virtual environments.

Each runs the commands that README and docs show, every command's ``--help``, and the lines of
COMMANDS.yaml, in folders of their own; compared are status, both streams, every file written, and
the pages of ``serve``. What an installation printed is kept in its folder until the program
changes. ``--only WORD`` takes the lines alone that have that word, and no pages.
"""

import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import crawl_pages
import yaml

HERE = Path(__file__).resolve().parent
DOCS = sorted([HERE.parent / "README.md", *(HERE.parent / "docs").rglob("*.md")])
FILE = re.compile(r"<!-- file: (\S+) -->\n+```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^\$ (quadrille .*)$", re.MULTILINE)
TIME = re.compile(r"(this will take|: played in) .*|http://\S+", re.MULTILINE)
DIGEST = "from quadrille_core.installation import program_digest; print(program_digest())"
COMMANDS = "from quadrille_core import features; print(*(f.name for f in features.commands()))"


def scenes(path: Path) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Files, and the lines that are run in one folder with them."""
    told = yaml.safe_load(path.read_text("utf-8"))
    formed = [
        f"{line} --format {form}" for line in told["each form"] for form in ("table", "json", "csv")
    ]
    alone = [[line] for line in (*told["once"], *formed)]
    for together in (*alone, *told["together"]):
        yield told["files"], [f"quadrille {line}" for line in together]
    for text in (p.read_text("utf-8") for p in DOCS):
        if lines := SHOWN.findall(text):
            yield dict(FILE.findall(text)), lines


class Installation:
    """A virtual environment with the program in it."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.kept = folder / "bin", folder / "same_outputs.json"
        self.digest = self.python(DIGEST)
        known = json.loads(self.kept.read_text()) if self.kept.exists() else {}
        self.known: dict[str, list[str]] = known.get(self.digest, {})

    def python(self, source: str) -> str:
        """What a line of Python prints."""
        return subprocess.check_output([self.bin / "python", "-I", "-c", source], text=True).strip()

    def ran(self, files: dict[str, str], lines: list[str]) -> list[str]:
        """For each line what it printed, its status and the digests of all files after it."""
        key = sha256(json.dumps([files, lines]).encode()).hexdigest()
        if key not in self.known:
            with tempfile.TemporaryDirectory() as place:
                for name, text in files.items():
                    Path(place, name).write_text(text)
                self.known[key] = [self.printed(line, Path(place)) for line in lines]
            self.kept.write_text(json.dumps({self.digest: self.known}))
        return self.known[key]

    def printed(self, line: str, place: Path) -> str:
        """What one line prints in a folder."""
        path = os.pathsep.join((str(self.bin), os.environ["PATH"]))
        env = {**os.environ, "PATH": path, "SOURCE_DATE_EPOCH": "1767225600", "COLUMNS": ""}
        bash = ["bash", "-c", f"({line}) < /dev/null 2>&1; echo status $?"]
        text = subprocess.check_output(bash, cwd=place, env=env, text=True)
        for file in sorted(p for p in place.rglob("*") if p.is_file()):
            told = self.plain(file.read_bytes().decode("latin1"), str(place))
            text += f"{file.relative_to(place)} {sha256(told.encode()).hexdigest()[:16]}\n"
        return self.plain(text, str(place))

    def plain(self, text: str, place: str) -> str:
        """Without what another program, folder or moment changes."""
        for one in (self.digest, self.digest[:12], str(self.bin.parent), place):
            text = text.replace(one, "…")
        return TIME.sub(r"\1 …", text)

    def pages(self) -> dict[str, str]:
        """The pages of ``serve`` by their paths."""
        with crawl_pages.served(str(self.bin / "quadrille")) as start:
            pages, failed = crawl_pages.crawled(start)
        address = urlsplit(start).netloc
        pages |= dict.fromkeys(failed, "failed")
        return {self.plain(p, address): self.plain(t, address) for p, t in pages.items()}


def main() -> None:
    """Print what differs; status 1 where anything does."""
    words = sys.argv[1:]
    only = words.pop() if "--only" in words else ""
    old, new, *given = (Path(word).resolve() for word in words if word != "--only")
    one, other = Installation(old), Installation(new)
    helps = [f"quadrille {word} --help" for word in one.python(COMMANDS).split()]
    told: list[tuple[str, ...]] = []
    for files, lines in (({}, helps), *scenes(*given or [HERE / "same_outputs.yaml"])):
        if any(only in line for line in lines):
            told += zip(lines, one.ran(files, lines), other.ran(files, lines), strict=True)
    if not only:
        pages = one.pages(), other.pages()
        told += ((p, *(some.get(p, "") for some in pages)) for p in pages[0] | pages[1])
    for line, a, b in (differing := [row for row in told if row[1] != row[2]]):
        changes = difflib.unified_diff(a.splitlines(), b.splitlines(), lineterm="", n=1)
        print(f"=== {line}", *changes, sep="\n")  # noqa: T201
    sys.exit(f"{len(differing)} of {len(told)} outputs differ" if differing else 0)


if __name__ == "__main__":
    main()
