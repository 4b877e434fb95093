"""The same deals under several rule sets: what differs, how often, who pays."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.compare.command:compare_command")
