"""``python -m quadrille_core`` does what ``quadrille`` does."""

from quadrille_core.cli.main import main

main()
