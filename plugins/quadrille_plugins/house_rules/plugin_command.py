"""``quadrille new --plugin``: the files of a distribution that brings one plugin, and the plugin's
tests."""

import shlex
from importlib.util import find_spec
from pathlib import Path

from quadrille_core import DISTRIBUTION, resources
from quadrille_core.errors import UsageError
from quadrille_core.features import installed
from quadrille_core.installation import install_hint, tool
from quadrille_core.ruleset import compile_reference
from quadrille_core.vocabulary import is_identifier, kind_of
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.writing import claim, write_whole

TEMPLATES = Path(__file__).parent / "template"
"""What every plugin needs; below ``rule``, ``bid`` and ``both`` a module and its tests each."""
BUILDING = ("hatchling", "editables", "pytest")
"""What builds and tests a plugin without a download: the extra ``author``."""


def write_plugin(file: Path | None, scaffold_of: str, bid: bool, payment: bool) -> Answer:
    """Write a plugin of that name into a folder: its module, its tests, what pip needs."""
    name, folder = scaffold_of, file
    if not is_identifier(name) or "_" in name:
        raise UsageError.of("cannot-name-plugin", name=name)
    if name in installed() or kind_of(name) is not None:
        raise UsageError.of("taken-by-plugin-or-block", name=name)
    example = resources.examples()[0]
    if bid and f"bids.{name}.title" in compile_reference(example).origins:
        raise UsageError.of("taken-by-bid", name=name, example=example)
    folder = folder or Path(f"quadrille-{name}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError.of("folder-not-empty", folder=folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = scaffold(name, bid=bid, payment=payment)
    for path, text in files.items():
        claim(folder / path, "FOLDER")
        write_whole(folder / path, text)
    steps = (f"  {line}" for line in next_steps(name, folder, bid=bid))
    said = "\n".join([f"Wrote {folder}. To install it, test it and see its rules:", *steps])
    return Answer.of_text(said, {"folder": str(folder), "files": sorted(files)})


def next_steps(name: str, folder: Path, *, bid: bool = False) -> list[str]:
    """The commands to type next: what builds a plugin, where it is missing; install; test; look."""
    quoted = shlex.quote(str(folder))
    here = (
        quoted if folder.is_absolute() else f"./{quoted}"
    )  # a name alone would be looked for in an index
    wanted = [] if all(find_spec(module) for module in BUILDING) else [install_hint("author")]
    ref = f"{resources.examples()[0]}+{name}"
    shown = f"quadrille explain {ref} bid:{name}" if bid else f"quadrille show {ref}"
    return [
        *wanted,
        f"{tool('pip')} install --no-build-isolation --no-deps -e {here}",
        f"{tool('pytest')} {quoted}",
        shown,
    ]


def scaffold(name: str, *, bid: bool = False, payment: bool = False) -> dict[str, str]:
    """The files of a new plugin, by name."""
    module, example = name.replace("-", "_"), resources.examples()[0]
    kind = "rule" if not bid else "both" if payment else "bid"
    paths = [*TEMPLATES.glob("*.txt"), *(TEMPLATES / kind).glob("*.txt")]
    texts = {p.name.removesuffix(".txt"): p.read_text(encoding="utf-8") for p in sorted(paths)}
    return {
        path.replace("NAME", module): text.replace("NAME_MODULE", module)
        .replace("NAME", name)
        .replace("EXAMPLE", example)
        .replace("DISTRIBUTION", DISTRIBUTION)
        for path, text in texts.items()
    }
