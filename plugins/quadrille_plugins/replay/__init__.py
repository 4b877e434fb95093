"""Replay a record, under its own or other rules."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.replay.command:replay_command")
