"""One deal's result: every payment with its reason."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Table"
quadrille_command = command_at("quadrille_plugins.settle.command:settle_command")
