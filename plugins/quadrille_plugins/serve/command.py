"""``quadrille serve``: pages in a browser."""

import importlib.util
from pathlib import Path
from typing import Any

import click

from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_plugins.shell.options import A_PATH, in_a_shell, run_mode

EXTRA = ("starlette", "uvicorn", "jinja2", "python_multipart")


@click.command("serve")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one by default."
)
@click.option(
    "--table",
    type=A_PATH,
    metavar="FILE",
    help="Serve this ledger, and nothing else.",
)
@click.option(
    "--tables",
    type=A_PATH,
    metavar="FOLDER",
    help="Let the pages begin and open ledgers in FOLDER, and serve them to phones.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help="With --table: the address of this machine to listen on; auto finds it.",
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another name of this machine; repeatable.",
)
@click.option(
    "--plugin",
    "plugins",
    multiple=True,
    metavar="NAME",
    help="An installed plugin that pages may name besides those of Quadrille; repeatable.",
)
@click.option(
    "--new-link",
    is_flag=True,
    help="With --table: make a new link, after which the old one opens nothing.",
)
@click.option("--open", "opens", is_flag=True, help="Open the first page in the browser.")
@click.option(
    "--starter",
    type=A_PATH,
    metavar="FILE",
    help="Write FILE, which starts these pages at a double click.",
)
@in_a_shell
def serve_command(table: Path | None, starter: Path | None, **given: Any) -> Any:
    """Show rulebooks, settle deals and keep a ledger in a browser, without a shell.

    The pages are for this machine alone: they are served on 127.0.0.1, and nothing is sent
    anywhere.  With --table they are those of one ledger (the file of `session`), for whoever has
    the link that is printed; with --host as well, for other machines of the network too: a phone
    scans the link.  Ctrl-C ends it.
    """
    del given
    if missing := [name for name in EXTRA if importlib.util.find_spec(name) is None]:
        raise UsageError.of("pages-need", missing=missing, how=install_hint("web"))
    from quadrille_plugins.serve.reaching import write_starter
    from quadrille_plugins.serve.serving import serve_desk, serve_table

    if starter is not None:
        return run_mode(write_starter, "--starter")
    return run_mode(serve_desk) if table is None else run_mode(serve_table, "--table")
