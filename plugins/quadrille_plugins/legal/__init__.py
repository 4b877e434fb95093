"""Which cards may be played, and why the others may not."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.legal.command:legal_command")
