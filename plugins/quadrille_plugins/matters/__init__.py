"""Whether a disputed reading makes a difference: none, none found, or which."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.matters.command:matters_command")
