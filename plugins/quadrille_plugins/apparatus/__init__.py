"""The points in dispute: readings, witnesses, silences; also as TEI and bibliography."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.apparatus.command:apparatus_command")
