"""A deal against bots at a prompt; which cards may be played."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Table"
quadrille_former = {"legal": "play REF --hand"}
quadrille_command = command_at("quadrille_plugins.play.command:play_command")
