"""The resolved rules of a rule set."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Texts"
quadrille_command = command_at("quadrille_plugins.lookup.show_command:show_command")
