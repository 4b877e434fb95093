"""The disputed points of a rule set by how much their readings matter."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.rank.command:rank_command")
