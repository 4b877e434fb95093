"""``--deposit FOLDER``: a study as a bundle fit for an archive, with everything that it is repeated
and cited by.

The bundle holds no date and no name of a machine: the same study by the same engine is the same
bytes, as far as the pictures are drawn by the same libraries.  Files of one's own that the study
read lie in it under the paths by which the manifest names them, so that ``rerun`` works from inside
the bundle.
"""

import io
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path, PurePosixPath
from typing import Final

from quadrille_core import __version__
from quadrille_core.errors import UnreadableError, UnwrittenError
from quadrille_core.profile.records import Source
from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.blocks import Block, print_blocks
from quadrille_plugins.shell.cells import csv_text
from quadrille_plugins.shell.folders import new_folder
from quadrille_plugins.shell.values import Json, identity_text, source_json
from quadrille_plugins.studies.manifest import manifest_text
from quadrille_plugins.studies.picture import Picture

SUMS: Final = "SHA256SUMS"
MANIFEST: Final = "manifest.json"
OURS: Final = frozenset(
    {
        MANIFEST,
        SUMS,
        "README.md",
        "LICENSE",
        "CITATION.cff",
        "table.txt",
        "table.csv",
        "sources.json",
    }
)
FOLDERS: Final = frozenset({"rules", "pictures"})


def write_deposit(
    folder: Path,
    *,
    manifest: Json,
    compiled: Sequence[Compiled],
    title: str,
    found: Sequence[str],
    blocks: Callable[[], Sequence[Block]],
    rows: Callable[[], tuple[Sequence[str], Sequence[Sequence[object]]]],
    pictures: Sequence[tuple[Picture, str | bytes, str]],
) -> None:
    """Write the bundle into a new folder, whole or not at all; ``pictures`` come with content and
    suffix.

    Raises UnwrittenError where the folder cannot be written, or a file that the study read cannot
    lie in it.
    """
    own = [_inside(folder, one["path"]) for one in manifest["files"]]
    with new_folder(folder) as place:
        for path in own:
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        files: dict[str, str | bytes] = {
            MANIFEST: manifest_text(manifest),
            "LICENSE": _licence(),
            "CITATION.cff": _citation(title, manifest),
            "README.md": _readme(title, found, manifest, compiled, drawn=bool(pictures)),
            "table.txt": _text(blocks()),
            "table.csv": csv_text(*rows()),
            "sources.json": json.dumps(_sources(compiled), ensure_ascii=False, indent=1) + "\n",
            **{f"rules/{number}.csv": _rules(one) for number, one in enumerate(compiled, 1)},
            **{f"pictures/{picture.name}.{form}": content for picture, content, form in pictures},
        }
        for name, content in files.items():
            target = place / name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        (place / SUMS).write_text("".join(_sums(place)), encoding="utf-8", newline="")


def _inside(folder: Path, path: str) -> str:
    """The path, if a file of that path can lie in the bundle; raises UnwrittenError."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or Path(path).is_absolute() or ".." in pure.parts:
        raise UnwrittenError.of("outside-the-study-folder", place=folder, path=path)
    if pure.parts[0] in FOLDERS or path in OURS:
        raise UnwrittenError.of("name-of-the-bundle", place=folder, parts=pure.parts[0])
    return path


def _sums(place: Path) -> Iterator[str]:
    """Every file with its SHA-256, as ``sha256sum --check`` reads them."""
    for path in sorted(p for p in place.rglob("*") if p.is_file()):
        yield f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(place).as_posix()}\n"


def _text(blocks: Sequence[Block]) -> str:
    buffer = io.StringIO()
    print_blocks(blocks, buffer)
    return buffer.getvalue()


def _rules(compiled: Compiled) -> str:
    """All rules of a rule set, with the sources that they rest on."""
    rows = [
        (path, json.dumps(origin.value, ensure_ascii=False), origin.status, origin.source_text())
        for path, origin in compiled.origins.items()
    ]
    return csv_text(("rule", "value", "status", "source"), rows)


def _sources(compiled: Sequence[Compiled]) -> Json:
    """The sources that the rules cite, and those that these report, by identifier."""
    known: dict[str, Source] = {
        name: source for one in compiled for name, source in one.sources.items()
    }
    named = {c.source for one in compiled for o in one.origins.values() for c in o.link.citations}
    while missing := {s for n in named if n in known for s in (known[n].of, known[n].via)} - named:
        named |= missing
    return {name: source_json(source) for name, source in known.items() if name in named}


def _licence() -> str:
    """The text of the program's licence, under which its rule sets stand; raises
    UnreadableError."""
    for name in packages_distributions().get("quadrille_core", ()):
        try:
            files = distribution(name).files or ()
        except PackageNotFoundError:
            continue
        for file in files:
            if file.name == "LICENSE":
                return file.read_text("utf-8")
    beside = Path(__file__).resolve().parents[3] / "LICENSE"
    if beside.is_file():
        return beside.read_text("utf-8")
    raise UnreadableError.of("licence-missing")


def _citation(title: str, manifest: Json) -> str:
    """The bundle as a dataset to be cited, in the Citation File Format, which is YAML; authors are
    the depositor's."""
    sets = "; ".join(f"{r['reference']} {r['digest'][:12]}" for r in manifest["rule_sets"])
    results = manifest["results_sha256"]
    lines = {
        "cff-version": "1.2.0",
        "message": "Add your name and the date of deposit before you publish this bundle.",
        "type": "dataset",
        "title": title if manifest["finished"] else f"{title} (interrupted)",
        "abstract": f"{_part(manifest)}A study with Quadrille {__version__} of {sets}. "
        f"SHA-256 of its results: {results}.",
        "version": results[:12],
        "license": "MIT",
    }
    head = "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in lines.items()
    )
    return (
        f'{head}authors:\n  - name: "Not recorded: the author of the study"\n'
        "references:\n  - type: software\n    title: Quadrille\n"
        f'    version: "{__version__}"\n    authors:\n      - name: The Quadrille developers\n'
    )


def _part(manifest: Json) -> str:
    """A sentence that an interrupted study is not whole, with a blank after it; empty for one that
    was finished."""
    if manifest["finished"]:
        return ""
    return (
        f"Interrupted: this study was stopped after {manifest['stopped_after']} units of its work, "
        "and holds only what was finished by then. "
    )


def _readme(
    title: str,
    found: Sequence[str],
    manifest: Json,
    compiled: Sequence[Compiled],
    *,
    drawn: bool,
) -> str:
    sets = "\n".join(
        f"{n}. {identity_text(one.identity)}\n   SHA-256 {one.identity.digest}"
        for n, one in enumerate(compiled, 1)
    )
    answer = "\n".join(f"- {sentence}" for sentence in found)
    part = f"**{stopped.rstrip()}**\n\n" if (stopped := _part(manifest)) else ""
    repeats = "It runs the study as far as it had come, and ends" if part else "It ends"
    pictures = "- `pictures/`: the pictures, as SVG and PDF.\n" if drawn else ""
    own = "".join(f"- `{one['path']}`: a file that the study read.\n" for one in manifest["files"])
    return f"""# {title}

{part}{answer}

## Rule sets

{sets}

## Files

- `table.txt`, `table.csv`: the result, to be read and to be computed with.
- `manifest.json`: what was asked, and the result in full.
- `rules/N.csv`: every rule of rule set N with its source; `sources.json`: the sources.
{pictures}{own}- `{SUMS}`: the SHA-256 of every file; `sha256sum --check {SUMS}` checks them.
- `LICENSE`, `CITATION.cff`: the terms, and how to cite; add your name and the date.

## To repeat it

With Quadrille {manifest["program"]["version"]}, in this folder: `quadrille rerun {MANIFEST}`. {repeats} with status 0
when every number is the same to the byte. SHA-256 of the results: {manifest["results_sha256"]}.
"""
