"""Every error of every profile, in one pass."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Developers"
quadrille_command = command_at("quadrille_plugins.check.command:check_command")
