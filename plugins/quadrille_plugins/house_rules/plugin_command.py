"""``quadrille new --plugin``: the files of a distribution that brings one plugin, or a bot, and its
tests."""

import shlex
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from quadrille_core import DISTRIBUTION, resources
from quadrille_core.errors import UsageError
from quadrille_core.features import GROUP, installed
from quadrille_core.installation import install_hint, tool
from quadrille_core.ruleset import compile_reference
from quadrille_core.vocabulary import is_identifier, kind_of
from quadrille_plugins.deal.players import BOTS
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.writing import claim, write_whole

TEMPLATES = Path(__file__).parent / "template"
"""What every plugin of rules needs; below ``rule``, ``bid`` and ``both`` a module and its tests
each, and below ``bot`` all of a bot."""
BUILDING = ("hatchling", "editables", "pytest")
"""What builds and tests a plugin without a download: the extra ``author``."""


def write_plugin(file: Path | None, scaffold_of: str, bid: bool, payment: bool) -> Answer:
    """Write a plugin of that name into a folder: its module, its tests, what pip needs."""
    name = scaffold_of
    _refuse_name(name, taken=name in installed() or kind_of(name) is not None)
    example = resources.examples()[0]
    if bid and f"bids.{name}.title" in compile_reference(example).origins:
        raise UsageError.of("taken-by-bid", name=name, example=example)
    ref = f"{example}+{name}"
    shown = f"quadrille explain {ref} bid:{name}" if bid else f"quadrille show {ref}"
    return _write(name, file, scaffold(name, bid=bid, payment=payment), shown)


def write_bot(file: Path | None, scaffold_of: str) -> Answer:
    """Write a bot of that name into a folder: what plays it in either engine, its tests, what pip
    needs."""
    name = scaffold_of
    _refuse_name(name, taken=name in BOTS or name in installed(GROUP))
    shown = f"quadrille deal {resources.examples()[0]} --players {name}"
    return _write(name, file, scaffold(name, bot=True), shown)


def _refuse_name(name: str, *, taken: bool) -> None:
    if not is_identifier(name) or "_" in name:
        raise UsageError.of("cannot-name-plugin", name=name)
    if taken:
        raise UsageError.of("taken-by-plugin-or-block", name=name)


def _write(name: str, folder: Path | None, files: Mapping[str, str], shown: str) -> Answer:
    folder = folder or Path(f"quadrille-{name}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError.of("folder-not-empty", folder=folder)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        claim(folder / path, "FOLDER")
        write_whole(folder / path, text)
    steps = (f"  {line}" for line in next_steps(folder, shown))
    said = "\n".join([f"Wrote {folder}. To install it, test it and see what it does:", *steps])
    return Answer.of_text(said, {"folder": str(folder), "files": sorted(files)})


def next_steps(folder: Path, shown: str) -> list[str]:
    """The commands to type next: what builds a plugin, where it is missing; install; test; look."""
    quoted = shlex.quote(str(folder))
    here = (
        quoted if folder.is_absolute() else f"./{quoted}"
    )  # a name alone would be looked for in an index
    wanted = [] if all(find_spec(module) for module in BUILDING) else [install_hint("author")]
    return [
        *wanted,
        f"{tool('pip')} install --no-build-isolation --no-deps -e {here}",
        f"{tool('pytest')} {quoted}",
        shown,
    ]


def scaffold(
    name: str, *, bid: bool = False, payment: bool = False, bot: bool = False
) -> dict[str, str]:
    """The files of a new plugin, or of a bot, by name."""
    module, example = name.replace("-", "_"), resources.examples()[0]
    kind = TEMPLATES / ("bot" if bot else "rule" if not bid else "both" if payment else "bid")
    found = {} if bot else {path.name: path for path in TEMPLATES.glob("*.txt")}
    found |= {path.relative_to(kind).as_posix(): path for path in sorted(kind.rglob("*.txt"))}
    texts = {path.removesuffix(".txt"): f.read_text(encoding="utf-8") for path, f in found.items()}
    return {
        path.replace("NAME", module): text.replace("NAME_MODULE", module)
        .replace("NAME", name)
        .replace("EXAMPLE", example)
        .replace("DISTRIBUTION", DISTRIBUTION)
        for path, text in texts.items()
    }
