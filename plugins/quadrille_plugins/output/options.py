"""The callback of options that name a file to write."""

from pathlib import Path

import click

from quadrille_plugins.output.files import claim


def claim_option(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    """The callback of an option that names a file to write: what must not be replaced is refused
    before the work."""
    del ctx
    if path is not None:
        claim(path, param.opts[0])
    return path
