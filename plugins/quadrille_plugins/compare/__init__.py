"""The same deals under several rule sets: who pays; bots ranked."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Studies"
quadrille_former = {"tournament": "compare REF --bots BOT,BOT"}
quadrille_command = command_at("quadrille_plugins.compare.command:compare_command")
