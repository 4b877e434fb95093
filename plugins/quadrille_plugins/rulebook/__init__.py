"""The rules of a rule set as a text to hand to guests, with its sources."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.rulebook.command:rulebook_command")
