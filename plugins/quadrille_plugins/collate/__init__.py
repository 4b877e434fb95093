"""Rule sets side by side: one matrix of rules and texts."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.collate.command:collate_command")
"""``quadrille collate``: what each text says of each rule, where it is silent, and how far texts differ."""
