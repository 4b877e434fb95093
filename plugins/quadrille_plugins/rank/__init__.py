"""The disputed points by how much their readings matter."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Studies"
quadrille_command = command_at("quadrille_plugins.rank.command:rank_command")
