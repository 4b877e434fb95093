"""Whole deals in bulk, as JSON lines and Parquet."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.export.command:export_command")
