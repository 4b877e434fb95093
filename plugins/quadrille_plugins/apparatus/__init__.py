"""The points in dispute, and who has which reading."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Texts"
quadrille_former = {"collate": "apparatus --collate"}
quadrille_command = command_at("quadrille_plugins.apparatus.command:apparatus_command")
