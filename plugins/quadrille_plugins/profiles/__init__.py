"""The rule profiles that are shipped."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.profiles.command:profiles_command")
