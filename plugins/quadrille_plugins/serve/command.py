"""``quadrille serve``: pages in a browser."""

import importlib.util
from pathlib import Path

import click

from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.installation import install_hint
from quadrille_plugins.output.commands import in_a_shell

EXTRA = ("starlette", "uvicorn", "jinja2", "python_multipart")


@click.command("serve")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one by default."
)
@click.option(
    "--table",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Serve this ledger, and nothing else.",
)
@click.option(
    "--host", metavar="ADDRESS", help="With --table: the address of this machine to listen on."
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another name of this machine; repeatable.",
)
@click.option(
    "--new-link",
    is_flag=True,
    help="With --table: make a new link, after which the old one opens nothing.",
)
@click.option("--open", "opens", is_flag=True, help="Open the first page in the browser.")
@in_a_shell
def serve_command(
    port: int,
    table: Path | None,
    host: str | None,
    names: tuple[str, ...],
    new_link: bool,
    opens: bool,
) -> None:
    """Show rulebooks, settle deals and keep a ledger in a browser, without a shell.

    The pages are for this machine alone: they are served on 127.0.0.1, and nothing is sent
    anywhere.  With --table they are those of one ledger (the file of `session`), for whoever has
    the link that is printed; with --host as well, for other machines of the network too.  Ctrl-C
    ends it.
    """
    if table is None and (host is not None or new_link):
        option = Option("new-link") if host is None else Option("host", host)
        typed = Command("serve", (), (Option("table", "FILE"), option))
        raise UsageError.of("option-for-a-ledger", option=option, command=typed)
    if missing := [name for name in EXTRA if importlib.util.find_spec(name) is None]:
        raise UsageError(f"the pages need {', '.join(missing)}", help=install_hint("web"))
    from quadrille_plugins.serve.serving import serve

    serve(port, table, host, names, new_link=new_link, opens=opens)
