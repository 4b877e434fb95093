"""The way into the program: signals are answered from the first moment, while the command line is
still loaded."""

from quadrille_plugins.shell import stopping


def main() -> None:
    """Run the command line and exit; see ``quadrille_plugins.shell.main``."""
    stopping.listen(stopping.end)
    from quadrille_plugins.shell.main import main as go_on

    go_on()
