"""The way into the program: signals are answered from the first moment, while the command line is
still loaded."""

from quadrille_core import stopping


def main() -> None:
    """Run the command line and exit; see ``quadrille_core.cli.main``."""
    stopping.listen(stopping.end)
    from quadrille_core.cli.main import main as go_on

    go_on()
