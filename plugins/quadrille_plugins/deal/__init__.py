"""Play a deal by bots and print its record."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.deal.command:deal_command")
