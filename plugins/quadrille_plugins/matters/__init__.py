"""Whether a disputed reading makes a difference."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Studies"
quadrille_command = command_at("quadrille_plugins.matters.command:matters_command")
