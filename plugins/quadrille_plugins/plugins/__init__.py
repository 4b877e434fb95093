"""The plugins that are installed, with their versions."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.plugins.command:plugins_command")
