"""The rules of a rule set as a text to hand to guests."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Texts"
quadrille_command = command_at("quadrille_plugins.rulebook.command:rulebook_command")
