"""The rules in which two rule sets differ."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Texts"
quadrille_command = command_at("quadrille_plugins.diff.command:diff_command")
