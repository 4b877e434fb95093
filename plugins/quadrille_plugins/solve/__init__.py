"""A deal with all cards open: every bid of every player, and par."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.solve.command:solve_command")
