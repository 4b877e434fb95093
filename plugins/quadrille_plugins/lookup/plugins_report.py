"""``quadrille list plugins``."""

import click

from quadrille_core import features
from quadrille_core.features import plugin_version
from quadrille_core.hookspecs import Parameter
from quadrille_core.registry import load_all
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table
from quadrille_plugins.shell.terminal import filled
from quadrille_plugins.shell.values import grouped


def list_plugins() -> Answer:
    """List the installed plugins, all of which it loads; those that cannot be loaded are named on
    stderr."""
    registry = load_all()
    features.ask("quadrille_players")  # which loads them
    rows = [
        (
            name,
            plugin_version(p.installed),
            p.installed.package,
            p.about.title,
            ", ".join(p.about.parameters),
        )
        for name, p in registry.loaded.items()
    ]
    for problem in registry.problems:
        click.echo(filled(problem.render()), err=True)
    columns = ("plugin", "version", "package", "title", "parameters")

    def blocks() -> list[Block]:
        packages = grouped(
            (f"{package} {version}", (name, title)) for name, version, package, title, _ in rows
        )
        found: list[Block] = [
            Table(package, ("plugin", "title"), tuple(those), whole=frozenset({"plugin"}))
            for package, those in packages.items()
        ]
        details = tuple(
            (f"{name}:{key}", f"{parameter.doc}\n{_choices(parameter)}")
            for name, p in registry.loaded.items()
            for key, parameter in p.about.parameters.items()
        )
        if details:
            found.append(
                Table(
                    "parameters", ("parameter", "meaning"), details, whole=frozenset({"parameter"})
                )
            )
        return found

    return Answer(
        blocks=blocks,
        data=lambda: [
            {
                "plugin": name,
                "version": plugin_version(p.installed),
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
        status=1 if registry.problems else 0,
    )


def _choices(parameter: Parameter) -> str:
    """The values it may have, such as ``as_ruled (default), fixed``."""
    return ", ".join(
        f"{c} (default)" if c == parameter.default else str(c) for c in parameter.choices
    )
