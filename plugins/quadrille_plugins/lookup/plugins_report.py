"""``quadrille list plugins``."""

import click

from quadrille_core import features
from quadrille_core.registry import load_all
from quadrille_core.report.blocks import Block, Table
from quadrille_core.terminal import filled
from quadrille_plugins.output.commands import emit


def list_plugins(fmt: str) -> int:
    """List the installed plugins, all of which it loads; those that cannot be loaded are named on stderr."""
    registry = load_all()
    features.ask("quadrille_players")  # which loads them
    rows = [
        (name, p.installed.version, p.installed.package, p.about.title, ", ".join(p.about.parameters))
        for name, p in registry.loaded.items()
    ]
    columns = ("plugin", "version", "package", "title", "parameters")

    def blocks() -> list[Block]:
        found: list[Block] = [Table("", columns, tuple(rows), whole=frozenset({"plugin", "package"}))]
        details = [
            (name, key, ", ".join(str(c) for c in parameter.choices), str(parameter.default), parameter.doc)
            for name, p in registry.loaded.items()
            for key, parameter in p.about.parameters.items()
        ]
        if details:
            found.append(Table("parameters", ("plugin", "parameter", "choices", "default", "meaning"), tuple(details)))
        return found

    emit(
        fmt,
        blocks=blocks,
        data=lambda: [
            {
                "plugin": name,
                "version": p.installed.version,
                "package": p.installed.package,
                "title": p.about.title,
                "summary": p.about.summary,
                "parameters": {
                    key: {"doc": x.doc, "default": x.default, "choices": list(x.choices)}
                    for key, x in p.about.parameters.items()
                },
            }
            for name, p in registry.loaded.items()
        ],
        rows=lambda: (columns, rows),
    )
    for problem in registry.problems:
        click.echo(filled(problem.render()), err=True)
    return 1 if registry.problems else 0
