"""Bots ranked under a rule set, with intervals."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.tournament.command:tournament_command")
