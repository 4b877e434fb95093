"""A new plugin of rules to start from, with its tests."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.authoring.command:new_plugin_command")
