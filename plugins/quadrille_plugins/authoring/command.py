"""``quadrille new-plugin``: the files of a distribution that brings one plugin, and the plugin's tests."""

from pathlib import Path

import click

from quadrille_core import resources
from quadrille_core.errors import UsageError
from quadrille_core.features import installed
from quadrille_core.vocabulary import is_identifier, kind_of
from quadrille_plugins.writing.files import claim, write_whole

TEMPLATES = Path(__file__).parent / "template"


@click.command("new-plugin")
@click.argument("name")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
def new_plugin_command(name: str, folder: Path | None) -> None:
    """Write a plugin called NAME into FOLDER (by default quadrille-NAME): its module, its tests, what pip needs.

    It has a leaf of its own and a payment. docs/plugins.md says what else a plugin can do.
    """
    if not is_identifier(name) or "_" in name:
        raise UsageError(f"{name[:40]!r} cannot name a plugin", help="use small letters, digits and hyphens")
    if name in installed() or kind_of(name) is not None:
        raise UsageError(f"{name!r} is taken, by a plugin or a block of rules", help="choose another name")
    folder = folder or Path(f"quadrille-{name}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not empty", help="name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in scaffold(name).items():
        claim(folder / path, "FOLDER")
        write_whole(folder / path, text)
    shown = f"quadrille show {resources.examples()[0]}+{name}"
    click.echo(f"wrote {folder}; `pip install -e {folder}`, then `pytest {folder}` and `{shown}`")


def scaffold(name: str) -> dict[str, str]:
    """The files of a new plugin, by name."""
    module, example = name.replace("-", "_"), resources.examples()[0]
    texts = {p.name.removesuffix(".txt"): p.read_text(encoding="utf-8") for p in sorted(TEMPLATES.glob("*.txt"))}
    return {
        path.replace("NAME", module): text.replace("NAME_MODULE", module)
        .replace("NAME", name)
        .replace("EXAMPLE", example)
        for path, text in texts.items()
    }
