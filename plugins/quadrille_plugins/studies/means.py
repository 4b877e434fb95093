"""Means of a table of deals, by contract or other columns, with intervals."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Studies"
quadrille_command = command_at("quadrille_plugins.studies.means_command:means_command")
