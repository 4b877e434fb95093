"""Playing a deal against bots: in the terminal, and the cards as pictures."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.play.command:play_command")
"""``quadrille play``: one deal, one seat of it yours."""
