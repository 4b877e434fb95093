"""``quadrille new``: a profile to start from, which changes nothing yet."""

from pathlib import Path

import click

from quadrille_core import resources, vocabulary
from quadrille_core.cli.options import compile_all
from quadrille_core.errors import UsageError
from quadrille_core.report.values import rule_value
from quadrille_core.ruleset import Compiled, parse_reference
from quadrille_plugins.writing.files import claim, write_whole


@click.command("new")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--from", "ref", default=resources.examples()[0], show_default=True, metavar="REF", help="The rules to start from."
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def new_command(file: Path, ref: str, force: bool) -> None:
    """Write a commented FILE of house rules that start from REF and pass `quadrille check`."""
    compiled = compile_all([ref], [], [])[0]
    if file.suffix not in (".yaml", ".yml"):
        raise UsageError(f"{file} does not end in .yaml", help="rule sets are told from shipped ones by that ending")
    if file.exists() and not force:
        raise UsageError(f"{file} exists already", help="choose another name, or overwrite it with --force")
    if any(Path(doc.name).exists() and file.exists() and Path(doc.name).samefile(file) for doc in compiled.chain):
        raise UsageError(f"{file} is one of the files that {ref} is made of", help="choose another name")
    claim(file, "FILE")
    write_whole(file, _house_rules(compiled, file.stem))
    click.echo(f"wrote {file}; try `quadrille check {file}` and `quadrille compare {ref} {file}`")


def _house_rules(compiled: Compiled, stem: str) -> str:
    """A profile that changes nothing yet, with every open point and some rules to uncomment."""
    identity = compiled.identity
    name = "".join(c if c.isascii() and (c.isalnum() or c == "-") else "-" for c in stem.lower()).strip("-")
    name = name if vocabulary.is_identifier(name) else "house-rules"
    lines = [
        f"# House rules that start from {identity.profile}.",
        "# To use a line, take away its # and the {} after its heading.",
        "kind: profile",
        f"id: {name if name != identity.profile else name + '-house'}",
        f"title: House rules after {identity.profile}",
        f"extends: {_extended(compiled)}",
    ]
    if identity.witness:
        lines.append(f"default_witness: {identity.witness}")
    if added := parse_reference(identity.reference).added:
        lines += ["plugins:"]
        for plugin in added:
            given = ", ".join(f"{k}: {v}" for k, v in plugin.parameters)
            lines += [f"  - {{plugin: {plugin.plugin}{f', with: {{{given}}}' if given else ''}}}"]
    if compiled.points:
        lines += [
            "",
            "# Points on which the sources disagree or are silent; the reading in use stands first.",
            "readings: {}",
        ]
        for state in compiled.points:
            alternatives = [r.id for r in state.point.readings if r.id != state.reading.id]
            lines.append(
                f"#  {state.point.id}: {state.reading.id}    # {state.point.question} Or: {', '.join(alternatives)}."
            )
    lines += [
        "",
        "# Single rules. `quadrille show` lists them all, `quadrille explain` says where they come from.",
        "rules: {}",
    ]
    for path in ("stakes.ante", "payments.premium.solo", "payments.premiers", "forcing.forced_by", "heap.turns"):
        if path in compiled.origins:
            block = path.split(".")
            inner = f"{rule_value(compiled.origins[path].value)}"
            for step in reversed(block[1:]):
                inner = f"{{{step}: {inner}}}"
            lines.append(f"#  {block[0]}: {inner}    # {vocabulary.leaf_at(path).doc}")
    return "\n".join(lines) + "\n"


def _extended(compiled: Compiled) -> str:
    """How a profile names the one it extends: by its id when that is shipped, else by its path."""
    leaf = compiled.chain[-1]
    if leaf.id in resources.shipped_profiles() or leaf.place is None:
        return leaf.id
    return str(Path(leaf.place.path).resolve())
