"""The resolved rules of a rule set."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.show.command:show_command")
